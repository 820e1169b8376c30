package hints_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
)

const sample = `// first
for   m/inc/*/INV   a/b // here
  have  n+k>=0 &
      k : NAT // tail
        // about
        use inv1    grd1
  inst  inv1 x:=3,y:= f(1|->2)

  witness  x := 3
  witness inv7 a b
  // inner
  cases n=0 // c
        have n /* so */ = 0
for z ` + "`a b`" + `
  induct n
     have 0=0
  unfold S  T
// last
`

const laidOut = `// first
for m/inc/*/INV a/b  // here
    have n + k ≥ 0 ∧ k ∈ ℕ  // tail
        // about
        use inv1 grd1
    inst inv1 x ≔ 3, y ≔ f(1 ↦ 2)
    witness x ≔ 3
    witness inv7 a b
    // inner
    cases n = 0  // c
        have n /* so */ = 0

for z ` + "`a b`" + `
    induct n
        have 0 = 0
    unfold S T

// last
`

func TestFormat(t *testing.T) {
	var problems diag.List
	f := hints.Parse("a.hints", []byte(sample), &problems)
	for _, d := range problems.Sorted() {
		t.Error(d)
	}
	if got := string(hints.Format(f, lang.Options{})); got != laidOut {
		t.Errorf("%s", got)
	}
	for _, o := range []lang.Options{{}, {ASCII: true}, {Width: 20}} {
		again(t, hints.Format(f, o), o)
	}
}

// again wants Format to be a fixed point: text is laid out already.
func again(t *testing.T, text []byte, o lang.Options) {
	t.Helper()
	var problems diag.List
	f := hints.Parse("a.hints", text, &problems)
	if problems.Len() > 0 {
		t.Fatalf("%v in\n%s", problems.Sorted()[0], text)
	}
	if got := hints.Format(f, o); string(got) != string(text) {
		t.Fatalf("again:\n%s\nwas:\n%s", got, text)
	}
}

// Each mistake is one problem, which has a code, a place and a next step.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"have 1=1":                           "t.hints:1:1: error: this hint is in no block [GR0950]",
		"for\n  have 1=1":                    "t.hints:1:1: error: the block names no obligation [GR0950]",
		"for a\n  hav 1=1":                   "t.hints:2:3: error: hav is not a hint [GR0950]",
		"for a\n  have":                      "t.hints:2:7: error: the formula is missing [GR0950]",
		"for a\n  have 1 =":                  "t.hints:2:11: error: the formula ends where an operand should follow [GR0015]",
		"for a\n  use":                       "t.hints:2:3: error: use has no argument [GR0950]",
		"for a\n  induct n m":                "t.hints:2:3: error: induct needs exactly one variable [GR0950]",
		"for a\n  inst":                      "t.hints:2:3: error: inst names no hypothesis [GR0950]",
		"for a\n  inst x ≔ 1":                "t.hints:2:3: error: inst names no hypothesis [GR0950]",
		"for a\n  inst inv1":                 "t.hints:2:3: error: the values are missing [GR0950]",
		"for a\n  inst inv1 1":               "t.hints:2:13: error: a value is missing [GR0950]",
		"for a\n  witness inv1 x ≔ 1":        "t.hints:2:11: error: a hypothesis ∃x·P takes names, not values [GR0950]",
		"for a\n  witness x ≔ 1 y ≔ 2":       "t.hints:2:14: error: the comma between two values is missing [GR0950]",
		"for a\n  use b\n    have 1=1":       "t.hints:3:5: error: use has nothing to prove, so it cannot contain hints [GR0950]",
		"for a\n  use b\n use c":             "t.hints:3:2: error: the indentation of this hint matches no hint above [GR0950]",
		"for a\n  use \xff":                  "t.hints:2:7: error: the file is not UTF-8 text [GR0950]",
		"for a\n  have 1=1\n   2=2\n  use b": "",
	} {
		var problems diag.List
		hints.Parse("t.hints", []byte(text), &problems)
		var got []string
		for _, d := range problems.Sorted() {
			got = append(got, d.Error())
		}
		if strings.Join(got, "\n") != want && want != "" {
			t.Errorf("%q: %s", text, strings.Join(got, "\n"))
		}
	}
}

// Nothing makes the reader fail; what it has read is laid out so that it reads the same.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add(laidOut)
	f.Add("for a\n have x=`b c`\n  inst `a\nuse b ≔ 1, c:=2")
	f.Fuzz(func(t *testing.T, text string) {
		var problems diag.List
		file := hints.Parse("a.hints", []byte(text), &problems)
		if problems.Len() > 0 {
			return // what is wrong is left out, and such a file is not formatted
		}
		out := hints.Format(file, lang.Options{})
		again(t, out, lang.Options{})
	})
}
