package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// jobSteps are the named steps of action.yml, or the jobs of templates/gradine.yml, as shell scripts. It reads
// the layout of these files, and no other.
func jobSteps(job string) map[string]string {
	out := map[string]string{}
	name := ""
	var indent int
	named, gitlab := regexp.MustCompile(`^- name: \w+$`), regexp.MustCompile(`^[\w-]+:$`)
	inside := false
	for line := range strings.SplitSeq(job, "\n") {
		at := len(line) - len(strings.TrimLeft(line, " "))
		text := strings.TrimSpace(line)
		switch {
		case inside && (at >= indent || text == ""):
			out[name] += strings.TrimPrefix(line, strings.Repeat(" ", min(indent, at))) + "\n"
			continue
		case named.MatchString(text):
			name = strings.TrimPrefix(text, "- name: ")
		case gitlab.MatchString(line):
			name = strings.TrimSuffix(line, ":")
		case text == "run: |" || text == "- |":
			inside, indent = true, at+2
			continue
		case strings.HasPrefix(text, "run: "):
			out[name] += strings.TrimPrefix(text, "run: ") + "\n"
		case strings.HasPrefix(text, "- gradine ") || strings.HasPrefix(text, "- git "):
			out[name] += strings.TrimPrefix(text, "- ") + "\n"
		}
		inside = false
	}
	return out
}

// steps FILE DIR INPUT=VALUE… writes each named step of a job as a script DIR/NAME.sh, to be run as the
// code host runs it.
func steps(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: steps FILE DIR INPUT=VALUE…")
	}
	var inputs []string
	for _, input := range args[2:] {
		name, value, _ := strings.Cut(input, "=")
		inputs = append(inputs, "$[[ inputs."+name+" ]]", value)
	}
	dir := ts.MkAbs(args[1])
	ts.Check(os.MkdirAll(dir, 0o777))
	for name, script := range jobSteps(ts.ReadFile(args[0])) {
		script = strings.NewReplacer(inputs...).Replace(script)
		if strings.Contains(script, "$[[") || strings.Contains(script, "${{") {
			ts.Fatalf("%s: step %s has an input without a value:\n%s", args[0], name, script)
		}
		ts.Check(os.WriteFile(filepath.Join(dir, name+".sh"), []byte("set -e\n"+script), 0o666))
	}
}

// The action installs the program from its own folder, and the program verifies and reviews a fresh clone of a
// project.
func TestActionSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	action, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	steps := jobSteps(string(action))
	env := append(os.Environ(), "GITHUB_ACTION_PATH="+root, "GITHUB_PATH="+filepath.Join(dir, "path"), "GOBIN="+filepath.Join(dir, "bin"),
		"PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "OUT="+dir,
		"BASE=HEAD~1", "FAIL_ON=default", "ACCEPT=false", "FROM_SHARDS=false", "GRADINE_KEY=", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	run := func(in, name, script string) string {
		t.Helper()
		c := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
		c.Dir, c.Env = in, env
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	project := filepath.Join(dir, "clone")
	run(dir, "install", steps["install"])
	run(dir, "init", "gradine init project && cd project && git init -q && git add -A && git commit -q -m base && "+
		"sed -i 's/n + 1/1 + n/' models/counter.eventb && git commit -q -a -m change && git clone -q . ../clone")
	for _, name := range []string{"verify", "review", "page"} {
		if steps[name] == "" {
			t.Fatalf("action.yml has no step %s", name)
		}
		run(project, name, steps[name])
	}
	page, err := os.ReadFile(filepath.Join(dir, "review.md"))
	if err != nil || !strings.Contains(string(page), "<!-- gradine review -->") {
		t.Errorf("the page is %v, %s", err, page)
	}
}

// actionReads wants action.yml to have the inputs that a block of a document gives it.
func actionReads(t *testing.T, block string) {
	t.Helper()
	if _, command, ok := strings.Cut(block, " gradine kernel "); ok { // a job that runs a command itself
		known := (&run{}).kernelCommand().Flags()
		command, _, _ = strings.Cut(command, " > ")
		for _, m := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(command, -1) {
			if known.Lookup(m[1]) == nil {
				t.Errorf("gradine kernel has no flag %s", m[0])
			}
		}
		return
	}
	action, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, call, _ := strings.Cut(block, "uses: gradine/gradine@")
	_, with, ok := strings.Cut(call, "  with:\n")
	if !ok {
		t.Errorf("it does not call the action:\n%s", block)
	}
	for _, m := range regexp.MustCompile(`(?m)^    ([a-z-]+):`).FindAllStringSubmatch(with, -1) {
		if !strings.Contains(string(action), "\n  "+m[1]+":\n") {
			t.Errorf("action.yml has no input %s", m[1])
		}
	}
}
