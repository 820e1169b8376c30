package po_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/order"
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
	dev := parse(t, src)
	os_, err := po.All(dev, map[string]po.Options{"queue": {DeadlockFree: true, Enabled: []string{"pay"}, LeadsTo: []po.LeadsTo{served(t, dev)}}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[po.Kind]bool{}
	for _, o := range os_ {
		seen[o.Kind] = true
	}
	for _, k := range po.Kinds() {
		if !seen[k] && k.Concern() != po.Order { // these are about instances: see TestInstances
			t.Errorf("the example has no %s", k)
		}
		if k.Title() == "" || k.Asks() == "" || k.IfOpen() == "" {
			t.Errorf("nothing is said of %s", k)
		}
		if !regexp.MustCompile("(?m)^\\| `([^`]*/)?" + k.String() + "`").MatchString(doc) {
			t.Errorf("no table of %s has a row for %s", name, k)
		}
	}
	compare(t, name, doc, "obligations", list(os_))
}

// served is the claim of the example.
func served(t *testing.T, dev *model.Development) po.LeadsTo {
	t.Helper()
	bank := dev.Bank.Extend()
	env := check.Env{"next": logic.IntType, "last": logic.IntType, "k": logic.IntType}
	read := func(text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) logic.Term {
		formula, problems := parse(text, lang.Text)
		term, _, found := check.Formula(bank, env, formula)
		if len(problems)+len(found) > 0 {
			t.Fatal(text, problems, found)
		}
		return term
	}
	return po.LeadsTo{
		Name: "served", Bank: bank, Helpful: []string{"finish"}, Fair: []string{"finish"},
		Any: read("k ∈ 1‥last", lang.ParsePredicate), From: read("next ≤ k", lang.ParsePredicate), To: read("k < next", lang.ParsePredicate),
		By: read("last + 1 − next", lang.ParseExpression),
	}
}

// compare holds the block of doc in language against got, or writes it.
func compare(t *testing.T, name, doc, language, got string) {
	t.Helper()
	want, at := block(t, doc, language)
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

// TestInstances makes some obligations about instances of the example.
func TestInstances(t *testing.T) {
	const name = "../docs/obligations.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	src, _ := block(t, doc, "eventb")
	d := parse(t, src)
	var out []*po.Obligation
	put := func(c *po.Claim) { out = append(out, c.Obligation) }
	for _, pair := range [][3]string{{"tasks", "finish", "finish"}, {"tasks", "pay_little", "pay_much"}, {"queue", "finish", "look"}, {"queue", "finish", "drop"}} {
		m := d.Machine(pair[0])
		event := func(label string) *model.Event {
			return m.Events[slices.IndexFunc(m.Events, func(e *model.Event) bool { return e.Label == label })]
		}
		e, f := event(pair[1]), event(pair[2])
		x := po.NewInterleaving(d, m, true, nil)
		var ranges []order.Within
		for _, p := range f.Parameters {
			for _, set := range x.Ranges(f, p) {
				ranges = append(ranges, order.Within{Event: f, Param: p.Term, Set: set})
				put(x.Within(f, p, set))
			}
		}
		put(x.Commute(e, f, x.Never(e, f), nil))
		parts, _ := x.Parts(e, f)
		for _, p := range parts {
			put(x.Commute(e, f, p, x.Differences(e, f, 0)))
		}
		for _, g := range x.Guards(f) {
			if !x.Harmless(e, g) {
				put(x.StaysFalse(e, f, g, ranges, x.Differences(e, f, g)))
			}
		}
	}
	compare(t, name, doc, "instances", list(out))
}
