package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// steps FILE DIR writes each named step of a job as a script DIR/NAME.sh, to be run
// as the code host runs it. It reads the layout that init writes, and no other.
func steps(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: steps FILE DIR")
	}
	dir := ts.MkAbs(args[1])
	ts.Check(os.MkdirAll(dir, 0o777))
	name, script := "", ""
	var indent int
	flush := func() {
		if name != "" && script != "" {
			ts.Check(os.WriteFile(filepath.Join(dir, name+".sh"), []byte("set -e\n"+script), 0o666))
		}
		script = ""
	}
	inside := false
	for line := range strings.SplitSeq(ts.ReadFile(args[0]), "\n") {
		at := len(line) - len(strings.TrimLeft(line, " "))
		text := strings.TrimSpace(line)
		switch {
		case inside && (at >= indent || text == ""):
			script += strings.TrimPrefix(line, strings.Repeat(" ", min(indent, at))) + "\n"
			continue
		case regexp.MustCompile(`^- name: \w+$`).MatchString(text):
			flush()
			name = strings.TrimPrefix(text, "- name: ")
		case regexp.MustCompile(`^\w+:$`).MatchString(line): // a job of GitLab
			flush()
			name = strings.TrimSuffix(line, ":")
		case text == "run: |" || text == "- |":
			inside, indent = true, at+2
			continue
		case strings.HasPrefix(text, "run: "):
			script += strings.TrimPrefix(text, "run: ") + "\n"
		case strings.HasPrefix(text, "- gradine ") || strings.HasPrefix(text, "- git "):
			script += strings.TrimPrefix(text, "- ") + "\n"
		}
		inside = false
	}
	flush()
}
