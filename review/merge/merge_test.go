package merge_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/review/merge"
)

// models returns text models: those of the repository, and those of the reference
// data where it is there.
func models(t *testing.T) [][]byte {
	var out [][]byte
	own, err := filepath.Glob("../../machines/*/*.eventb")
	if err != nil || len(own) == 0 {
		t.Fatal("no models: ", err)
	}
	for _, name := range own {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data)
	}
	t.Run("corpus", func(t *testing.T) {
		dirs, err := filepath.Glob(filepath.Join(corpus.Path(t, "rodin-dev"), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for i, dir := range dirs {
			if i%8 != 0 && os.Getenv("GRADINE_SWEEP") == "" {
				continue
			}
			var problems diag.List
			projects, err := rodin.Read(dir, &problems)
			if err != nil || problems.HasErrors() {
				continue
			}
			for _, p := range projects {
				for _, f := range p.Files {
					out = append(out, lang.Format(f, lang.Options{}))
				}
			}
		}
	})
	return out
}

// edit is one change of a model: of a predicate or an action of one label, or its
// removal, or a new one in front of it.
type edit struct {
	at   string // the element that it is about
	make func(f *lang.File)
	says func(lines string) bool // whether a model has it
}

// edits lists the changes that a test may make of a model, in its order.
func edits(t *testing.T, text []byte, tag string) []edit {
	var out []edit
	f := parse(t, text)
	for ci, c := range f.Components {
		for i, p := range c.Invariants {
			out = append(out, predicateEdits(tag, c.Name.Text+"/"+p.Label.Text, i, func(f *lang.File) *[]*lang.Predicate { return &f.Components[ci].Invariants })...)
		}
		for i, p := range c.Axioms {
			out = append(out, predicateEdits(tag, c.Name.Text+"/"+p.Label.Text, i, func(f *lang.File) *[]*lang.Predicate { return &f.Components[ci].Axioms })...)
		}
		for ei, e := range c.Events {
			for i, p := range e.Guards {
				out = append(out, predicateEdits(tag, c.Name.Text+"/"+e.Label.Text+"/"+p.Label.Text, i, func(f *lang.File) *[]*lang.Predicate { return &f.Components[ci].Events[ei].Guards })...)
			}
		}
	}
	return out
}

func predicateEdits(tag, at string, i int, list func(*lang.File) *[]*lang.Predicate) []edit {
	set := func(src string) func(f *lang.File) {
		return func(f *lang.File) {
			p := *(*list(f))[i]
			p.Source.Text, p.Formula = src, nil
			(*list(f))[i] = &p
		}
	}
	fresh := "new_" + tag + "_" + strings.Map(func(r rune) rune {
		if r == '/' || r == ' ' {
			return '_'
		}
		return r
	}, at)
	return []edit{
		{at, set("1 = 1 ∨ 7 = 7"), func(s string) bool { return strings.Contains(s, "7=7") }},
		{at + "+" + tag, func(f *lang.File) {
			l := list(f)
			*l = slices.Insert(slices.Clone(*l), i, &lang.Predicate{Label: lang.Name{Text: fresh}, Source: lang.Source{Text: "2 = 2"}})
		}, func(s string) bool { return strings.Contains(s, fresh) }},
	}
}

func parse(t *testing.T, text []byte) *lang.File {
	t.Helper()
	var problems diag.List
	f := lang.Parse("m.eventb", text, &problems)
	if problems.HasErrors() {
		t.Fatalf("%v\n%s", problems.Sorted(), text)
	}
	return f
}

// bare is a model without layout.
func bare(text []byte) string { return strings.Join(strings.Fields(string(text)), "") }

// TestRandomEdits joins two random edits of a model. Edits of different elements
// join, and the result has both and reads; those of one element collide, unless
// they are the same.
func TestRandomEdits(t *testing.T) {
	all := models(t)
	runs := 40
	if os.Getenv("GRADINE_SWEEP") != "" {
		runs = 500
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	joined, collided, meanings := 0, 0, 0
	for n := 0; n < runs; {
		text := all[rnd.IntN(len(all))]
		left, right := edits(t, text, "left"), edits(t, text, "right")
		if len(left) == 0 {
			continue
		}
		n++
		x := left[rnd.IntN(len(left))]
		y := right[rnd.IntN(len(right))]
		if n%5 == 0 { // one element, and two different changes of it
			y = x
			y.make = func(f *lang.File) { x.make(f) }
		}
		ours, theirs := change(t, text, x), change(t, text, y)
		if n%5 == 0 {
			theirs = []byte(strings.ReplaceAll(string(theirs), "7 = 7", "7=7 ∨ 8 = 8"))
			theirs = []byte(strings.ReplaceAll(string(theirs), "2 = 2", "3 = 3"))
		}
		r, err := merge.Text("m.eventb", text, ours, theirs)
		if err != nil {
			t.Fatalf("%s and %s: %v\n%s", x.at, y.at, err, text)
		}
		sameElement := x.at == y.at && !strings.Contains(x.at, "+")
		switch {
		case n%5 == 0:
			if collided++; len(r.Conflicts) == 0 {
				t.Fatalf("%s: two changes of one element were joined:\n%s", x.at, r.Text)
			}
		case len(r.Conflicts) > 0 && !sameElement:
			t.Fatalf("%s and %s collide: %v", x.at, y.at, r.Conflicts)
		default:
			joined++
			parse(t, r.Text)
			had := append(problems(ours), problems(theirs)...)
			fresh := slices.ContainsFunc(problems(r.Text), func(p string) bool { return !slices.Contains(had, p) })
			if fresh != (len(r.Together) > 0) {
				t.Fatalf("%s and %s: together %q; neither side had one: %t\n%s", x.at, y.at, r.Together, fresh, r.Text)
			}
			if fresh {
				meanings++
			}
			if s := bare(r.Text); !x.says(s) || !y.says(s) {
				t.Fatalf("%s and %s: an edit is lost:\n%s", x.at, y.at, r.Text)
			}
		}
	}
	t.Logf("%d pairs joined, %d collided, %d of those joined make an error only together", joined, collided, meanings)
}

// problems are the errors of a model by itself, each with the element it is about.
func problems(text []byte) (out []string) {
	var list diag.List
	check.Development("m", []*lang.File{lang.Parse("m.eventb", text, &list)}, &list)
	for _, p := range list.Sorted() {
		if p.Severity == diag.Error {
			out = append(out, p.Element+" "+p.Message)
		}
	}
	return out
}

// change makes one edit of a model; all else stands as it did.
func change(t *testing.T, text []byte, e edit) []byte {
	f := parse(t, text)
	e.make(f)
	return lang.Format(f, lang.Options{})
}

// TestNothingLost joins a model with itself, and with an older one.
func TestNothingLost(t *testing.T) {
	for _, text := range models(t) {
		for _, sides := range [][3][]byte{{text, text, text}, {nil, text, text}} {
			r, err := merge.Text("m.eventb", sides[0], sides[1], sides[2])
			if err != nil || len(r.Conflicts) > 0 || string(r.Text) != string(text) {
				t.Fatalf("%v %v\n%s", err, r.Conflicts, r.Text)
			}
		}
	}
}

func TestLock(t *testing.T) {
	base := "# gradine proofs 1\na/x\t1\tproved\na/y\t1\tproved\na/z\t1\tproved\n"
	ours := "# gradine proofs 1\na/x\t2\tproved\na/y\t1\tproved\na/z\t1\tproved\nb/n\t1\topen\n"
	theirs := "# gradine proofs 1\na/x\t3\tproved\na/y\t1\tproved\n\"b m\"\t1\tproved\n"
	want := "# gradine proofs 1\na/x\t2\tproved\na/x\t3\tproved\na/y\t1\tproved\n\"b m\"\t1\tproved\nb/n\t1\topen\n"
	if got := string(merge.Lock([]byte(base), []byte(ours), []byte(theirs))); got != want {
		t.Errorf("got\n%s", got)
	}
}

// Two edits that read well together may have no meaning together.
func TestTogether(t *testing.T) {
	text := func(first, second string) []byte {
		return []byte("machine m\nvariables x\ninvariants\n  @a " + first + "\n  @b " + second + "\nevents\n  event INITIALISATION\n  then\n    @i x ≔ 0\n  end\nend\n")
	}
	r, err := merge.Text("m.eventb", text("x ∈ ℤ", "x ≥ 0"), text("1 = 1", "x ≥ 0"), text("x ∈ ℤ", "2 = 2"))
	if err != nil || len(r.Conflicts) > 0 || len(r.Together) == 0 {
		t.Fatal(r.Conflicts, r.Together, err) // nothing gives x a type any more
	}
	r, err = merge.Text("m.eventb", text("x ∈ ℤ", "x ≥ 0"), text("x ∈ ℤ", "x ≥ 0 ∧ y = 0"), text("x ∈ ℤ ∧ 1 = 1", "x ≥ 0"))
	if err != nil || len(r.Together) > 0 {
		t.Fatal(r.Together, err) // our own error
	}
}

// What two sides add each on its line stands as the canonical layout has it, if both have that.
func TestLayout(t *testing.T) {
	text := func(variables string) []byte {
		return lang.Format(parse(t, []byte("machine m\nvariables "+variables+"\nend\n")), lang.Options{})
	}
	r, err := merge.Text("m.eventb", text("a b c"), text("a b c d"), text("a b c e"))
	if err != nil || len(r.Conflicts) > 0 || string(r.Text) != string(text("a b c d e")) {
		t.Errorf("%v %v\n%s", err, r.Conflicts, r.Text)
	}
	// Our own layout is left alone.
	own := []byte(strings.Replace(string(text("a b c d")), "variables", "variables  ", 1))
	r, err = merge.Text("m.eventb", text("a b c"), own, text("a b c e"))
	if err != nil || len(r.Conflicts) > 0 || !strings.Contains(string(r.Text), "variables   a b c d") {
		t.Errorf("%v %v\n%s", err, r.Conflicts, r.Text)
	}
}

// TestFollowed renames identifiers on one side and uses them on the other.
func TestFollowed(t *testing.T) {
	const base = "context c\nconstants k\naxioms\n  @k k ∈ ℕ\nend\n\nmachine m\nsees c\nvariables x y\ninvariants\n  @x x ∈ ℤ\n  @y y ∈ ℤ ∧ x ≤ k\nevents\n" +
		"  event INITIALISATION\n  then\n    @x x ≔ 0\n    @y y ≔ 0\n  end\n\n  event e\n  any p\n  where\n    @p p ∈ 0 ‥ k\n    @x p < x\n  then\n    @x x :∣ x' < x\n  end\nend\n"
	rule := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(base) }
	variable := rule("x ∈", "z ∈", "x ≤", "z ≤", " x y\n", " z y\n", "x ≔", "z ≔", "< x", "< z", "x :∣ x'", "z :∣ z'")
	chain := rule("x ∈", "z ∈", "x ≤", "z ≤", " x y\n", " z x\n", "x ≔", "z ≔", "< x", "< z", "x :∣ x'", "z :∣ z'", "y ∈", "x ∈", "y ≔", "x ≔")
	for _, test := range []struct {
		name, ours, theirs string
		conflicts, errors  int
		has                string // of a result without either
	}{
		{"a variable, used in a formula", variable, rule("x ≤ k", "x + y ≤ k"), 0, 0, "z + y ≤ k"},
		{"a variable, used in a new event", variable, rule("event e\n", "event n\n  then\n    @x x ≔ x + 1\n  end\n\n  event e\n"), 0, 0, "z ≔ z + 1"},
		{"a variable, hidden by quantifiers", variable, rule("x ≤ k", "x ≤ k ∧ (∀x·x > 2 ⇒ x > 1)"), 0, 0, "z ≤ k ∧ (∀z·z > 2 ⇒ z > 1)"},
		{"a constant", rule("k ∈", "most ∈", "constants k", "constants most", "≤ k", "≤ most", "‥ k", "‥ most"), rule("‥ k", "‥ k − 1"), 0, 0, "‥ most − 1"},
		{"a parameter", rule("any p", "any q", "p ∈", "q ∈", "p <", "q <"), rule("p < x", "p + 1 < x"), 0, 0, "q + 1 < x"},
		{"a parameter, and its event", rule("any p", "any q", "p ∈", "q ∈", "p <", "q <"), rule("event e\n", "event f\n", "x ≤ k", "x ≤ k ∧ (∃p·p > x)"), 0, 0, "(∃p·p > x)"},
		{"the same on both sides, and a use", variable, strings.Replace(variable, "z ≤ k", "z ≤ k + 1", 1), 0, 0, "z ≤ k + 1"},
		{"a new name that the other side gives away", variable, rule("event e\n", "event n\n  any z\n  where\n    @z z = x\n  end\n\n  event e\n"), 0, 1, ""},
		{"to another name on the other side", variable, rule("x ∈", "w ∈", "x ≤", "w ≤", " x y\n", " w y\n", "x ≔", "w ≔", "< x", "< w", "x :∣ x'", "w :∣ w'"), 6, 0, ""},
		{"a name that goes to another variable", chain, rule("x ≤ k", "x + 0 ≤ k", "event e\n", "event n\n  when\n    @g x > 7\n  end\n\n  event e\n"), 1, 0, ""},
		{"a name that goes to another variable, and nothing new of it", chain, rule("k ∈ ℕ", "k ∈ ℕ1"), 0, 0, "k ∈ ℕ1"},
		{"two names exchanged", rule("x ∈", "y ∈", "y ∈", "x ∈", "x ≤", "y ≤", " x y\n", " y x\n", "x ≔", "y ≔", "y ≔", "x ≔", "< x", "< y", "x :∣ x'", "y :∣ y'"), rule("event e\n", "event n\n  when\n    @g x > 7\n  end\n\n  event e\n"), 1, 0, ""},
		{"a variable that the other side removes", variable, rule(" x y\n", " y\n", "  @x x ∈ ℤ\n", "", " ∧ x ≤ k", "", "    @x x ≔ 0\n", "", "    @x p < x\n  then\n    @x x :∣ x' < x\n", ""), 6, 0, ""},
	} {
		for i, sides := range [][2]string{{test.ours, test.theirs}, {test.theirs, test.ours}} {
			r, err := merge.Text("m.eventb", []byte(base), []byte(sides[0]), []byte(sides[1]))
			if err != nil || len(r.Conflicts) != test.conflicts || min(len(r.Together), 1) != test.errors || !strings.Contains(string(r.Text), test.has) {
				t.Errorf("%s %d: %v, conflicts %q, together %q\n%s", test.name, i, err, r.Conflicts, r.Together, r.Text)
			}
			if follows := test.has != "" && !strings.HasPrefix(test.has, "(∃"); follows && len(r.Followed) != 1 && !strings.HasPrefix(test.name, "the same") && test.ours != chain {
				t.Errorf("%s %d: followed %q", test.name, i, r.Followed)
			}
		}
	}
}

// TestAddedTwice adds an event of one name on both sides. Equal ones are one; of others it is unknown
// whether they are one event at all, so that what only one side has is a conflict.
func TestAddedTwice(t *testing.T) {
	const base = "machine m\nvariables x y\ninvariants\n  @x x ∈ ℤ\n  @y y ∈ ℤ\nevents\n  event INITIALISATION\n  then\n    @x x ≔ 0\n    @y y ≔ 0\n  end\nend\n"
	with := func(event string) []byte { return []byte(strings.TrimSuffix(base, "end\n") + event + "end\n") }
	one := "  event n\n  where\n    @p x > 3\n  then\n    @x x ≔ 1\n  end\n"
	for _, test := range []struct {
		name, other string
		conflicts   int
	}{
		{"equal", one, 0},
		{"laid out otherwise", "  event n where @p x > 3\n  then @x x ≔ 1 end\n", 0},
		{"one guard more", strings.Replace(one, "@p x > 3\n", "@p x > 3\n    @q y > 4\n", 1), 1},
		{"one guard fewer", strings.Replace(one, "  where\n    @p x > 3\n", "", 1), 1},
		{"another guard and action", "  event n\n  where\n    @q y > 4\n  then\n    @y y ≔ 2\n  end\n", 4},
		{"another name", strings.Replace(one, "event n", "event k", 1), 0},
		{"another status", strings.Replace(one, "event n", "anticipated event n", 1), 1},
		{"a comment", strings.Replace(one, "event n\n", "event n // why\n", 1), 0},
		{"a guard with another comment", strings.Replace(one, "x > 3\n", "x > 3 // enough\n", 1), 0},
		{"two guards", strings.Replace(one, "@p x > 3\n", "@p x > 3\n    @q y > 4\n", 1), 1},
	} {
		for _, sides := range [][2]string{{one, test.other}, {test.other, one}} {
			r, err := merge.Text("m.eventb", []byte(base), with(sides[0]), with(sides[1]))
			if err != nil || len(r.Conflicts) != test.conflicts {
				t.Errorf("%s: conflicts %v, %v; want %d\n%s", test.name, r.Conflicts, err, test.conflicts, r.Text)
			}
		}
	}
}
