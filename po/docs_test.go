package po_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

var update = flag.Bool("update", false, "write the obligations into docs/obligations.md")

// parse checks a model in the text language, which must be free of errors.
func parse(t testing.TB, src string) *model.Development {
	t.Helper()
	var problems diag.List
	f := lang.Parse("model.eventb", []byte(src), &problems)
	d := check.Development("p", []*lang.File{f}, &problems)
	for _, p := range problems.Sorted() {
		if p.Severity == diag.Error {
			t.Fatal(p)
		}
	}
	return d
}

// list writes obligations as the documentation does.
func list(os []*po.Obligation) string {
	var b strings.Builder
	component := ""
	for _, o := range os {
		if o.Component != component {
			component = o.Component
			fmt.Fprintf(&b, "%s\n", component)
		}
		var local strings.Builder
		for i, h := range o.Local() {
			if i > 0 {
				local.WriteString(", ")
			}
			local.WriteString(text.Term(o.Bank(), h) + " ")
		}
		fmt.Fprintf(&b, "  %-24s %s⊢ %s\n", o.Name, &local, text.Term(o.Bank(), o.Goal))
	}
	return b.String()
}

// block returns the text of the first fenced block of doc in language, and where
// it begins.
func block(t *testing.T, doc, language string) (string, int) {
	t.Helper()
	_, rest, found := strings.Cut(doc, "```"+language+"\n")
	body, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatalf("no block in %s", language)
	}
	return body, len(doc) - len(rest)
}

// TestDocumentation makes the obligations of the example in the documentation.
func TestDocumentation(t *testing.T) {
	const name = "../docs/obligations.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	src, _ := block(t, doc, "eventb")
	os_, err := po.All(parse(t, src), map[string]po.Options{"queue": {DeadlockFree: true, Enabled: []string{"pay"}}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[po.Kind]bool{}
	for _, o := range os_ {
		seen[o.Kind] = true
	}
	for _, k := range po.Kinds() {
		if !seen[k] {
			t.Errorf("the example has no %s", k)
		}
	}
	want, at := block(t, doc, "obligations")
	got := list(os_)
	if *update {
		if err := os.WriteFile(name, []byte(doc[:at]+got+doc[at+len(want):]), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
