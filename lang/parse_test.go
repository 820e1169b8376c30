package lang

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gradine/gradine/diag"
)

// sameFile compares files but for places, source texts and comments.
var sameFile = cmp.Options{
	cmpopts.IgnoreTypes(diag.Span{}, []Clause{}),
	cmpopts.IgnoreFields(File{}, "Path", "Comments"),
	cmpopts.IgnoreFields(Source{}, "Text"),
	cmpopts.EquateEmpty(),
}

var sameWithoutDocs = cmp.Options{
	sameFile,
	cmpopts.IgnoreFields(Name{}, "Doc"), cmpopts.IgnoreFields(Component{}, "Doc"), cmpopts.IgnoreFields(Event{}, "Doc"),
	cmpopts.IgnoreFields(Predicate{}, "Doc"), cmpopts.IgnoreFields(Variant{}, "Doc"), cmpopts.IgnoreFields(Action{}, "Doc"),
}

// mustParse reads src, which has no problems.
func mustParse(t testing.TB, src string) *File {
	t.Helper()
	var diags diag.List
	f := Parse("test.eventb", []byte(src), &diags)
	for _, d := range diags.Sorted() {
		t.Errorf("%v; %s", d, d.Help)
	}
	if t.Failed() {
		t.Fatalf("source:\n%s", src)
	}
	return f
}

func read(t testing.TB, name string) string {
	t.Helper()
	src, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func TestStylesAgree(t *testing.T) {
	want := mustParse(t, read(t, "camille.eventb"))
	for _, name := range []string{"camillex.bumx", "rossi.eventb"} {
		got := mustParse(t, read(t, name))
		if diff := cmp.Diff(want, got, sameWithoutDocs); diff != "" {
			t.Errorf("%s differs from camille.eventb:\n%s", name, diff)
		}
	}
}

func TestDocs(t *testing.T) {
	f := mustParse(t, read(t, "camille.eventb"))
	if c := f.Components[0]; c.Doc != "" || c.Axioms[2].Doc != "so that card is defined" {
		t.Errorf("component %q, axm3 %q", c.Doc, c.Axioms[2].Doc)
	}
	f = mustParse(t, "// one\n// two\nmachine M // three\nvariables\n// of x\nx // also x\ny\nend")
	if c := f.Components[0]; c.Doc != "one\ntwo\nthree" || c.Variables[0].Doc != "of x\nalso x" || c.Variables[1].Doc != "" {
		t.Errorf("%q %q %q", c.Doc, c.Variables[0].Doc, c.Variables[1].Doc)
	}
}

// TestNames checks where keywords are names, and that quotes make names of any
// text.
func TestNames(t *testing.T) {
	f := mustParse(t, "context C-1\nsets Status machine `sets` `a b`' `x``y` event\naxioms @`la bel`: `end` = any\n@l-2;%x status = 1 end")
	c := f.Components[0]
	var got []string
	for _, n := range c.Sets {
		got = append(got, n.Text)
	}
	if want := []string{"Status", "machine", "sets", "a b'", "x`y", "event"}; !slices.Equal(got, want) {
		t.Errorf("sets %q, want %q", got, want)
	}
	if c.Name.Text != "C-1" || c.Axioms[0].Label.Text != "la bel" || c.Axioms[1].Label.Text != "l-2;%x" {
		t.Errorf("%q %q %q", c.Name.Text, c.Axioms[0].Label.Text, c.Axioms[1].Label.Text)
	}
}

// TestKeywordsOfGrammar compares the table of keywords with what the grammar
// takes for a name at each level.
func TestKeywordsOfGrammar(t *testing.T) {
	sources := map[level]string{
		inContext: "context C axioms @a %s = 1 @b %s ∈ ℕ end",
		inMachine: "machine M invariants @a %s = 1 @b %s ∈ ℕ end",
		inEvent:   "machine M event e where @a %s = 1 @b %s ∈ ℕ end end",
	}
	for word, levels := range keywords {
		for at, src := range sources {
			var diags diag.List
			Parse("", []byte(strings.ReplaceAll(src, "%s", word)), &diags)
			if reserved := diags.Len() > 0; reserved != (levels&at != 0) {
				t.Errorf("%s at level %d: reserved is %v in the grammar", word, at, reserved)
			}
		}
	}
}

// TestStatus checks that status is a name unless the status of an event follows.
func TestStatus(t *testing.T) {
	f := mustParse(t, "machine M\nvariables status\nevents\nevent status status convergent\nany `status`\nwhere @a status ∈ status then\n@b: status ≔ ∅\nend\nend")
	e := f.Components[0].Events[0]
	if e.Label.Text != "status" || e.Convergence != Convergent || len(e.Parameters) != 1 || StoredText(e.Guards[0].Formula) != "status ∈ status" || e.Actions[0].Assignment.StoredText() != "status ≔ ∅" {
		t.Errorf("%+v", e)
	}
	if text := string(Format(f, Options{})); strings.Count(text, "`") != 4 {
		t.Errorf("quotes other than those of lists:\n%s", text)
	}
}

func TestUnlabelledFormulas(t *testing.T) {
	f := mustParse(t, "machine M invariants\nx ∈ ℕ\ny ∈ ℕ ∧\nz = 1\ntheorem x = y\n{x} = ∅\nevents event e then\nx := 1\ny, z := 2,\n3\nskip\nend end")
	m := f.Components[0]
	var got []string
	for _, p := range m.Invariants {
		got = append(got, fmt.Sprint(FullyParenthesised(p.Formula), p.Theorem))
	}
	for _, a := range m.Events[0].Actions {
		got = append(got, a.Assignment.FullyParenthesised())
	}
	want := []string{"(x)∈(ℕ)false", "((y)∈(ℕ))∧((z)=(1))false", "(x)=(y)true", "({x})=(∅)true", "x ≔ 1", "y,z ≔ 2, 3", "skip"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
