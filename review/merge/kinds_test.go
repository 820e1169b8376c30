package merge

import (
	"strings"
	"testing"
)

// TestKinds joins edits of the files next to the models, which lie close to each other.
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

// TestInternalNames joins elements of Rodin's of which several have one internal name: in a result
// and in either choice of a conflict each has its own.
func TestInternalNames(t *testing.T) {
	file := func(elements ...string) []byte {
		return []byte("<?xml version=\"1.0\"?>\n<org.eventb.core.machineFile version=\"5\">\n" + strings.Join(elements, "") + "</org.eventb.core.machineFile>\n")
	}
	one := func(internal, label string) string {
		return "<org.eventb.core.invariant name=\"" + internal + "\" org.eventb.core.label=\"" + label + "\" org.eventb.core.predicate=\"1 &lt; 2\"/>\n"
	}
	for _, test := range []struct {
		name               string
		base, ours, theirs []byte
		conflicts          int
		want               []byte // of a result without conflict
	}{
		{"both add one name", file(one("a", "inv1")), file(one("a", "inv1"), one("b", "inv2")), file(one("a", "first"), one("b", "inv3")), 0,
			file(one("a", "first"), one("b", "inv2"), one("b_1", "inv3"))},
		{"a side has one name twice", file(one("a", "inv1")), file(one("a", "inv1"), one("b", "inv2"), one("b", "inv3")), file(one("a", "first")), 0,
			file(one("a", "first"), one("b", "inv2"), one("b_1", "inv3"))},
		{"the common ancestor has one name twice", file(one("a", "inv1"), one("a", "inv2")), file(one("a", "one"), one("a", "inv2")), file(one("a", "inv1"), one("a", "two")), 0,
			file(one("a", "one"), one("a_1", "two"))},
		{"a side names it anew", file(one("a", "inv1"), one("c", "inv2")), file(one("b", "inv1"), one("c", "inv2")), file(one("a", "first"), one("c", "inv2"), one("b", "inv3")), 0,
			file(one("b", "first"), one("c", "inv2"), one("b_1", "inv3"))},
		{"a conflict, and a side has one name twice", file(one("a", "inv1"), one("c", "inv2")), file(one("a", "x"), one("c", "inv2"), one("b", "inv3"), one("b", "inv4")), file(one("a", "y"), one("c", "inv2"), one("b", "inv5")), 1, nil},
		{"one element under two internal names", file(one("a", "inv1")), file(one("a", "inv1"), one("b'", "inv2")), file(one("a", "first"), one("b", "inv2")), 0,
			nil},
		{"a quote and a comment in front", file(one("a", "inv1")), file(one("a", "inv1"), "<!-- its name=\"b\" -->\n"+one("b", "inv2")), file(one("a", "first"), strings.ReplaceAll(one("b", "inv3"), "name=\"b\"", "name = 'b'")), 0,
			file(one("a", "first"), "<!-- its name=\"b\" -->\n"+one("b", "inv2"), strings.ReplaceAll(one("b", "inv3"), "name=\"b\"", "name = 'b_1'"))},
	} {
		r, err := Rodin("m.bum", test.base, test.ours, test.theirs)
		if err != nil || len(r.Conflicts) != test.conflicts || test.want != nil && string(r.Text) != string(test.want) {
			t.Errorf("%s: %v %v\n%s", test.name, err, r.Conflicts, r.Text)
		}
		for side := range 2 {
			x := &rodinMatch{known: map[*node]element{}}
			if _, err := x.read(choice(string(r.Text), side)); err != nil {
				t.Errorf("%s: choice %d: %v\n%s", test.name, side, err, r.Text)
			}
		}
	}
}

// TestAttributes joins the start tag of an event attribute by attribute.
func TestAttributes(t *testing.T) {
	const core = "org.eventb.core."
	base := "<" + core + "event name=\"e\" " + core + "convergence=\"0\" " + core + "label=\"a &amp; b\">\n"
	for _, test := range []struct {
		name         string
		ours, theirs *strings.Replacer
		want         string // "" of a conflict
	}{
		{"two attributes", strings.NewReplacer("\"0\"", "\"1\""), strings.NewReplacer("a &amp; b", "c"), strings.NewReplacer("\"0\"", "\"1\"", "a &amp; b", "c").Replace(base)},
		{"one attribute", strings.NewReplacer("\"0\"", "\"1\""), strings.NewReplacer("\"0\"", "\"2\""), ""},
		{"a new one", strings.NewReplacer("\"0\"", "\"1\""), strings.NewReplacer("\">\n", "\" "+core+"comment='c'>\n"), strings.NewReplacer("\"0\"", "\"1\"", "\">\n", "\" "+core+"comment='c'>\n").Replace(base)},
		{"one less", strings.NewReplacer("\"0\"", "\"1\""), strings.NewReplacer(" "+core+"label=\"a &amp; b\"", ""), strings.NewReplacer("\"0\"", "\"1\"", " "+core+"label=\"a &amp; b\"", "").Replace(base)},
		{"removed and changed", strings.NewReplacer(core+"convergence=\"0\" ", ""), strings.NewReplacer("\"0\"", "\"2\""), ""},
		{"a comment in front", strings.NewReplacer("<", "<!-- why -->\n<"), strings.NewReplacer("\"0\"", "\"2\""), "<!-- why -->\n" + strings.Replace(base, "\"0\"", "\"2\"", 1)},
		{"two comments in front", strings.NewReplacer("<", "<!-- why -->\n<"), strings.NewReplacer("<", "<!-- how -->\n<", "\"0\"", "\"2\""), ""},
	} {
		ours, theirs := test.ours.Replace(base), test.theirs.Replace(base)
		for _, sides := range [][2]string{{ours, theirs}, {theirs, ours}} {
			got, ok := attributes(base, sides[0], sides[1])
			if got != test.want || ok != (test.want != "") {
				t.Errorf("%s: %t %s", test.name, ok, got)
			}
		}
	}
}

// TestFollowedRodin renames a variable of Rodin's on one side and uses it on the other.
func TestFollowedRodin(t *testing.T) {
	base := "<?xml version=\"1.0\"?>\n<org.eventb.core.machineFile org.eventb.core.configuration=\"org.eventb.core.fwd\" version=\"5\">\n" +
		"<org.eventb.core.variable name=\"a\" org.eventb.core.identifier=\"lt\"/>\n" +
		"<org.eventb.core.invariant name=\"b\" org.eventb.core.label=\"lt\" org.eventb.core.predicate=\"lt &lt; 9\"/>\n" +
		"<org.eventb.core.invariant name=\"c\" org.eventb.core.label=\"inv\" org.eventb.core.predicate=\"1 &lt; lt&#10;&amp; lt ∈ ℤ\"/>\n" +
		"</org.eventb.core.machineFile>\n"
	ours := strings.NewReplacer("identifier=\"lt\"", "identifier=\"less\"", "\"lt &lt;", "\"less &lt;", "lt&#10;&amp; lt", "less&#10;&amp; less").Replace(base)
	theirs := strings.NewReplacer("lt &lt; 9", "lt &lt; 8").Replace(base)
	want := strings.NewReplacer("less &lt; 9", "less &lt; 8").Replace(ours)
	for _, sides := range [][2]string{{ours, theirs}, {theirs, ours}} {
		r, err := Rodin("m.bum", []byte(base), []byte(sides[0]), []byte(sides[1]))
		if err != nil || len(r.Conflicts) > 0 || string(r.Text) != want || len(r.Followed) != 1 {
			t.Errorf("%v %q %q\n%s", err, r.Conflicts, r.Followed, r.Text)
		}
	}
}
