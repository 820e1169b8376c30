package cli

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const whenOpenDocument = "../../docs/when-open.md"

// TestWhenOpenDocument writes the files of docs/when-open.md and runs its commands:
// what it shows is what they print. With -update it shows what they print now.
func TestWhenOpenDocument(t *testing.T) {
	data, err := os.ReadFile(whenOpenDocument)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GRADINE_STORE", t.TempDir())
	dir := t.TempDir()
	files := regexp.MustCompile("(?s)<!-- file (\\S+) -->\n```\\w+\n(.*?)```").FindAllStringSubmatch(string(data), -1)
	for _, m := range files {
		if err := os.WriteFile(dir+"/"+m[1], []byte(m[2]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	console := regexp.MustCompile("(?s)(<!-- run only -->\n)?```console\n\\$ gradine ([^\n]*)\n(.*?)```")
	commands := 0
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	now := console.ReplaceAllStringFunc(string(data), func(block string) string {
		m := console.FindStringSubmatch(block)
		commands++
		var out, problems bytes.Buffer
		args := words(m[2])
		code := Main(args, strings.NewReader(""), &out, &problems)
		if m[1] != "" {
			if code != exitYes {
				t.Errorf("gradine %s: exit code %d\n%s%s", m[2], code, out.String(), problems.String())
			}
			return block
		}
		return "```console\n$ gradine " + m[2] + "\n" + out.String() + "```"
	})
	t.Chdir(here)
	if len(files) < 6 || commands < 6 {
		t.Fatalf("only %d files and %d commands", len(files), commands)
	}
	if now == string(data) {
		return
	}
	if !*update {
		t.Fatalf("docs/when-open.md shows something else than gradine prints (-update mends it):\n%s", cmp.Diff(string(data), now))
	}
	if err := os.WriteFile(whenOpenDocument, []byte(now), 0o666); err != nil {
		t.Fatal(err)
	}
}
