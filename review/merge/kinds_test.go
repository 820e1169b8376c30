package merge

import (
	"strings"
	"testing"
)

// TestKinds joins edits of the files beside the models, which lie close to each other.
func TestKinds(t *testing.T) {
	toml := "[project.p]\nsources = [\n  \"a\", # first\n]\n\n[machine.m]\ndeadlock_free = true\nenabled = [\"e\"]\n\n[[expect]]\nproject = \"p\"\npo = \"m/e/i/INV\"\nverdict = \"open\"\nwhy = \"a # b\"\n"
	waiver := "[project.p]\nsources = [\"a\"]\n\n[[waiver]]\ngate = \"weakened-claim\"\nelement = \"m/i\"\nuntil = \"2027-06-01\"\nwhy = \"agreed\"\n"
	hints := "for m/a/i/INV\n    have x = 1\n\n// why\nfor m/b/i/INV\n    have x = 2\n"
	scenarios := "scenario one of m\n    INITIALISATION\n    a\nend\n\nscenario two of m\n    INITIALISATION\n    b\nend\n"
	rule := strings.NewReplacer
	for _, test := range []struct {
		name         string
		join         func(name string, base, ours, theirs []byte) (Result, error)
		base         string
		ours, theirs *strings.Replacer
		conflicts    int
		has          []string // of a result without conflict
	}{
		{"two keys", Settings, toml, rule("= true", "= false"), rule(`["e"]`, `["e", "f"]`), 0, []string{"= false", `"f"`}},
		{"one key", Settings, toml, rule(`["e"]`, `["g"]`), rule(`["e"]`, `["e", "f"]`), 1, nil},
		{"table renamed and removed", Settings, toml, rule("machine.m", "machine.n"), rule("[machine.m]\ndeadlock_free = true\nenabled = [\"e\"]\n\n", ""), 1, nil},
		{"two tables of a list", Settings, toml, rule(`"a # b"`+"\n", `"a # b"`+"\n\n[[expect]]\nproject = \"p\"\npo = \"x\"\n"), rule(`"a # b"`+"\n", `"a # b"`+"\n\n[[expect]]\nproject = \"p\"\npo = \"y\"\n"), 0, []string{`po = "x"`, `po = "y"`}},
		{"a list of lines", Settings, toml, rule(`"a", # first`, `"a", # first`+"\n  \"b\","), rule("= true", "= false"), 0, []string{`"b",`, "= false"}},
		{"a waiver shortened and explained", Settings, waiver, rule("2027-06-01", "2026-12-31"), rule("agreed", "agreed by both"), 0, []string{"until = \"2026-12-31\"\nwhy = \"agreed by both\"\n"}},
		{"a waiver removed and explained", Settings, waiver, rule(waiver[strings.Index(waiver, "\n[[waiver]]"):], ""), rule("agreed", "agreed by both"), 1, nil},
		{"two blocks", Hints, hints, rule("x = 1", "x = 3"), rule("x = 2", "x = 4", "// why", "// because"), 0, []string{"x = 3", "x = 4", "// because"}},
		{"a block with another pattern and body", Hints, hints, rule("m/a/i", "m/c/i"), rule("x = 1", "x = 3"), 0, []string{"m/c/i", "x = 3"}},
		{"a block changed and removed", Hints, hints, rule("x = 1", "x = 3"), rule("for m/a/i/INV\n    have x = 1\n\n", ""), 1, nil},
		{"two scenarios", Scenarios, scenarios, rule("    a\n", "    a\n    c\n"), rule("scenario two", "scenario zwei"), 0, []string{"    c\n", "zwei"}},
		{"one scenario", Scenarios, scenarios, rule("    a\n", "    a\n    c\n"), rule("    a\n", "    d\n"), 1, nil},
		{"scenario renamed twice", Scenarios, scenarios, rule("scenario two", "scenario zwei"), rule("scenario two", "scenario deux"), 1, nil},
	} {
		ours, theirs := test.ours.Replace(test.base), test.theirs.Replace(test.base)
		if ours == test.base || theirs == test.base {
			t.Fatalf("%s: an edit changes nothing", test.name)
		}
		for _, sides := range [][2]string{{ours, theirs}, {theirs, ours}} {
			r, err := test.join("f", []byte(test.base), []byte(sides[0]), []byte(sides[1]))
			if err != nil || len(r.Conflicts) != test.conflicts {
				t.Errorf("%s: %q, %v\n%s", test.name, r.Conflicts, err, r.Text)
			}
			for _, want := range test.has {
				if !strings.Contains(string(r.Text), want) {
					t.Errorf("%s lacks %q\n%s", test.name, want, r.Text)
				}
			}
		}
	}
}

// TestInternalNames joins new elements of Rodin's that have one internal name.
func TestInternalNames(t *testing.T) {
	file := func(invariants string) []byte {
		return []byte("<?xml version=\"1.0\"?>\n<org.eventb.core.machineFile version=\"5\">\n" + invariants + "</org.eventb.core.machineFile>\n")
	}
	one := func(internal, label string) string {
		return "<org.eventb.core.invariant name=\"" + internal + "\" org.eventb.core.label=\"" + label + "\" org.eventb.core.predicate=\"1 &lt; 2\"/>\n"
	}
	r, err := Rodin("m.bum", file(one("a", "inv1")), file(one("a", "inv1")+one("b", "inv2")), file(one("a", "first")+one("b", "inv3")))
	if want := string(file(one("a", "first") + one("b", "inv2") + one("b_1", "inv3"))); err != nil || len(r.Conflicts) > 0 || string(r.Text) != want {
		t.Errorf("%v %v\n%s", err, r.Conflicts, r.Text)
	}
}
