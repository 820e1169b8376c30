package infer_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/infer"
)

var update = flag.Bool("update", false, "write the tables of docs/inference.md")

// The tables of docs/inference.md are those of the program.
func TestDocument(t *testing.T) {
	const name = "../docs/inference.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rules, engines strings.Builder
	fmt.Fprintf(&rules, "| rule | stands for | guesses | fires on |\n|---|---|---|---|\n")
	for _, r := range infer.Rules() {
		fmt.Fprintf(&rules, "| `%s` | %s | %s | %s |\n", r.Name, r.Title, r.Doc, r.When)
	}
	fmt.Fprintf(&engines, "| engine | what it does |\n|---|---|\n")
	for _, e := range infer.Engines() {
		fmt.Fprintf(&engines, "| `%s` | %s |\n", e.Name, e.Doc)
	}
	want := section(t, section(t, string(data), "rules", rules.String()), "engines", engines.String())
	if want == string(data) {
		return
	}
	if !*update {
		t.Fatal("docs/inference.md is not what the program says; run go test ./infer -run Document -update")
	}
	if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

// section puts body between the marks of a part of text.
func section(t *testing.T, text, part, body string) string {
	t.Helper()
	before, rest, ok1 := strings.Cut(text, "<!-- "+part+" -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- end of "+part+" -->\n")
	if !ok1 || !ok2 {
		t.Fatalf("no part %s", part)
	}
	return before + "<!-- " + part + " -->\n" + body + "<!-- end of " + part + " -->\n" + after
}
