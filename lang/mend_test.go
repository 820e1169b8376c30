package lang

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
)

// mended is a file that fits the grammar; the tests below break it.
const mended = `context C
sets S
constants cap
axioms
  @axm1 cap ∈ ℕ1
end

machine M0
sees C
variables x y
invariants
  @inv1 x ∈ ℕ
  @inv2 x ≤ cap
events
  event INITIALISATION
    then
      @a x ≔ 0
      @b y ≔ 0
  end
  convergent event inc
    any p
    where
      @g x < cap
    then
      @a x ≔ x + 1
  end
end

machine M1 refines M0
variables z
end
`

// TestFirstMistakes breaks a file in one place. There is one message, at the
// mistake, that says what to do; and the file is as long as it was.
func TestFirstMistakes(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"invariants", "invarients", "11:1: did you mean `invariants`?"},
		{"convergent event inc", "convergnt event inc", "20:3: did you mean `convergent`?"},
		{"event INIT", "evnt INIT", "15:3: did you mean `event`?"},
		{"context C", "contxt C", "1:1: did you mean `context`?"},
		{"machine M1", "machin M1", "29:1: did you mean `machine`?"},
		{"machine M1", "MODULE M1", "29:1: did you mean `machine`?"},
		{"    where", "    guards", "22:5: did you mean `where`?"},
		{"    where", "    whre", "22:5: did you mean `where`?"},
		{"    then\n      @a x ≔ x", "    thne\n      @a x ≔ x", "24:5: did you mean `then`?"},
		{"axioms", "axiom", "4:1: did you mean `axioms`?"},
		{"refines M0", "refinse M0", "29:12: did you mean `refines`?"},
		{"end\n  convergent", "edn\n  convergent", "19:3: did you mean `end`?"},
		{"  end\n  convergent", "  convergent", "15:3: event `INITIALISATION` has no end"},
		{"  end\nend", "end", "20:14: event `inc` has no end"},
		{"end\n\nmachine M0", "\nmachine M0", "1:1: context `C` has no end"},
		{"end\n\nmachine M1", "\nmachine M1", "8:1: machine `M0` has no end"},
		{"  end\n  convergent", "  end\nend\n  convergent", "20:1: delete the extra `end`"},
		{"end\n\nmachine M1", "end\nend\n\nmachine M1", "28:1: closes nothing"},
		{"    where\n", "", "22:7: write where before it"},
		{"    then\n      @a x ≔ 0", "      @a x ≔ 0", "16:7: write then before it"},
		{"invariants\n", "", "11:3: write invariants before it"},
		{"constants cap", "constants max", "3:11: max is an operator of formulas"},
		{"constants cap", "constants NAT", "3:11: NAT is the ASCII spelling of ℕ"},
		{"event inc", "event id", "20:20: or quote it: `id`"},
		{"variables x y", "variables x; y", "10:12: separate names by spaces or commas"},
		{"variables x y", "variables x : y", "10:13: separate names by spaces or commas"},
		{"  event INIT", "  INIT", "15:3: write event INITIALISATION"},
		{"  convergent event inc", "  inc", "20:3: write event inc"},
		{"    then\n      @a x ≔ 0\n      @b y ≔ 0", "      x ≔ 0", "16:7: write then before it"},
		{"@axm1 cap ∈ ℕ1", "axm1: cap ≥ 1", "5:13: a label follows @ and has no colon: write @axm1 cap ≥ 1"},
		{"@axm1 cap ∈ ℕ1", "axm1: partition(S, {cap})", "5:9: a label follows @ and has no colon: write @axm1 partition(S, {cap})"},
		{"x ≤ cap", "x != cap", "13:11: inequality is ≠ (/=)"},
		{"x ≤ cap", "x <> cap", "13:12: inequality is ≠ (/=)"},
		{"x ≤ cap", "x == cap", "13:12: equality is ="},
		{"x ≤ cap", "x =< cap", "13:12: ≤ (<=)"},
		{"x ≤ cap", "x ≤ cap && x > 0", "13:18: conjunction is ∧ (&)"},
		{"x ≤ cap", "x ≤ cap /\\ x > 0", "13:22: write x ≤ cap ∧ x > 0"},
		{"x ≤ cap", "x ≤ cap \\/ x > 0", "13:22: write x ≤ cap ∨ x > 0"},
		{"x ≤ cap", "x ≤ cap || x > 0", "13:22: write x ≤ cap ∨ x > 0"},
		{"x ≤ cap", "(x ≤ cap) /\\ (x > 0)", "13:9: ∧ (&) joins predicates"},
		{"x ≤ cap", "0 ≤ x ≤ cap", "13:15: write 0 ≤ x ∧ x ≤ cap"},
		{"x ≤ cap", "x in S", "13:11: membership is ∈ (:)"},
		{"x ≤ cap", "x \\in S", "13:15: membership is ∈ (:)"},
		{"x ≤ cap", "x ≤ cap and x > 0", "13:17: conjunction is ∧ (&)"},
		{"x ≤ cap", "~(x ≤ cap)", "13:9: negation is ¬ (not)"},
		{"x ≤ cap", "!(x ≤ cap)", "13:10: names after a quantifier"},
		{"x ≤ cap", "∀ z ∈ S · z = z", "13:13: write ∀z·z ∈ … ⇒ …"},
		{"x ≤ cap", "∀max·max = 1", "13:10: max is an operator of formulas"},
		{"x ≤ cap", "x ∈ S -> S", "13:16: a total function is → (-->)"},
		{"x ≤ cap", "x % 2 = 0", "13:11: the remainder is mod"},
		{"x ≤ cap", "b", "13:9: write b = TRUE"},
		{"@inv2 x", "@inv 2 x", "13:10: quote a label that contains spaces"},
		{"x ≔ x + 1", "x ≔ x + 1;", "25:19: no separator is needed"},
		{"x ≔ x + 1", "x ≔ x + 1; y ≔ 2", "25:23: all actions occur simultaneously"},
		{"x ≔ x + 1", "x ≔ 1 || y ≔ 2", "25:21: all actions occur simultaneously"},
		{"x ≔ x + 1", "x = x + 1", "25:12: write ≔"},
		{"x ≔ x + 1", "x += 1", "25:12: write x ≔ x + …"},
		{"x ≔ x + 1", "x == x + 1", "25:12: write ≔"},
	} {
		if strings.Count(mended, c.from) != 1 {
			t.Fatalf("%q stands %d times in the file", c.from, strings.Count(mended, c.from))
		}
		var diags diag.List
		f := Parse("m.eventb", []byte(strings.Replace(mended, c.from, c.to, 1)), &diags)
		var got []string
		for _, d := range diags.Sorted() {
			got = append(got, fmt.Sprintf("%d:%d: %s / %s", d.Span.Line, d.Span.Col, d.Message, d.Help))
		}
		place, text, _ := strings.Cut(c.want, ": ")
		if len(got) != 1 || !strings.HasPrefix(got[0], place+": ") || !strings.Contains(got[0], text) {
			t.Errorf("%q: got %q, want %s", c.to, got, c.want)
		}
		if n := len(f.Components); n != 3 || f.Complete {
			t.Errorf("%q: %d components, complete: %v", c.to, n, f.Complete)
		} else if m := f.Components[1]; len(m.Events) != 2 || len(m.Variables) < 1 || len(m.Invariants) != 2 || len(m.Events[1].Guards) != 1 {
			t.Errorf("%q: a part of the machine is lost: %+v", c.to, m)
		}
	}
}

// TestCommas checks that commas may stand between names, and that fmt leaves them out.
func TestCommas(t *testing.T) {
	const text = "context C\nextends\n  B D\nsets\n  S T\nconstants\n  a b c\nend\n"
	var diags diag.List
	f := Parse("c.eventb", []byte("context C extends B, D sets S , T constants a,b, c end"), &diags)
	got := string(Format(f, Options{}))
	if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") || diags.Len() > 0 {
		t.Errorf("%v\n%s", diags.Sorted(), got)
	}
	for _, src := range []string{"constants , a", "constants a,", "constants a,,b"} {
		if got := codes("context C " + src + " end"); len(got) != 1 {
			t.Errorf("%s: %v", src, got)
		}
	}
}

// TestMendEnds reads rows of random words: reading ends, and a file that is not all
// in the tree has an error.
func TestMendEnds(t *testing.T) {
	n := 2_000
	if os.Getenv("GRADINE_SWEEP") != "" {
		n = 200_000
	}
	r := rand.New(rand.NewPCG(7, 7))
	words := strings.Fields(mended + " theorem @x: status convergent event end `q` , ; - max machine context variables invarients evnt any ordinary extends \" /* */ // $P 12a ⟶")
	for range n {
		row := strings.Fields(mended)
		if r.IntN(2) == 0 {
			row = make([]string, 1+r.IntN(40))
			for i := range row {
				row[i] = words[r.IntN(len(words))]
			}
		}
		for range 1 + r.IntN(4) {
			row[r.IntN(len(row))] = words[r.IntN(len(words))]
		}
		var src strings.Builder
		for _, w := range row {
			src.WriteString(w + []string{" ", "\n"}[r.IntN(2)])
		}
		var diags diag.List
		if f := Parse("a.eventb", []byte(src.String()), &diags); f.Complete == diags.HasErrors() {
			t.Fatalf("complete: %v, %v\n%s", f.Complete, diags.Sorted(), src.String())
		}
	}
}
