package smtlib_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/smtlib"
)

func write(t *testing.T, s logic.Sequent) []byte {
	t.Helper()
	var w bytes.Buffer
	if err := smtlib.Write(&w, s); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

var types = map[string]string{
	"S": "ℙ(S)", "T": "ℙ(T)", "a": "ℙ(S)", "b": "ℙ(S)", "x": "S", "y": "S", "f": "ℙ(S×T)", "g": "ℙ(T×S)", "h": "ℙ(S×S)", "n": "ℤ", "m": "ℤ", "s": "ℙ(ℤ)", "p": "BOOL",
}

// cases are goals with z3's answer: unsat for theorems; none if all that is sure is that it is not sat.
var cases = []struct{ hyps, goal, answer string }{
	{"", "a∩b⊆a∪b", "unsat"},
	{"", "a∪b⊆a", "sat"},
	{"", "a∖b ≠ a ⇒ a∩b≠∅", "unsat"},
	{"f∈S→T", "x∈dom(f)", "unsat"},
	{"f∈S⇸T", "f∼[{f(x)}] ⊆ {x}", "sat"},
	{"f∈S⤔T", "x∈dom(f) ⇒ f∼[{f(x)}] ⊆ {x}", "unsat"},
	{"g∼;f∼⊆h", "dom(f;g) ⊆ ran(h)", "unsat"},
	{"", "(a◁f)∪(a⩤f) = f", "unsat"},
	{"", "h;f;g;f = (f∘g∘(f∘h))", "unsat"},
	{"", "x↦n=y↦m ⇒ n=m", "unsat"},
	{"0≤n", "n^3≤8 ⇔ n^2≤4", "unsat"},
	{"", "2^n=m ⇒ n=0 ∨ m≠1", ""},
	{"", "(f▷ran(f))∪(f⩥ran(f)) = f", "unsat"},
	{"", "p=TRUE ∨ p=FALSE", "unsat"},
	{"n∈s", "∃k·k∈s ∧ k≥n", "unsat"},
	{"0<m", "n÷m∗m ≤ n", "sat"},
	{"0≤n", "n÷3∗3 ≤ n", "unsat"},
	{"", "(−7)÷2=−3", "unsat"},
	{"", "bool(n<m)=TRUE ⇔ n<m", "unsat"},
	{"", "(λk·k∈1‥3∣k+1)[{2}] = {3}", "unsat"},
	{"partition(a,{x},b)", "x∈a ∧ x∉b", "unsat"},
	{"", "union({a,b}) = a∪b ∧ inter({a,b}) = a∩b", "unsat"},
	{"", "(⋃z·z∈a∣{z}) = a", "unsat"},
	{"", "id∼=(id⦂ℙ(S×S))", "unsat"},
	{"x↦y∈id", "x=y", "unsat"},
	{"a⊆b", "ℙ(a)⊆ℙ(b)", "unsat"},
	{"s={n}", "min(s)=n", ""},
	{"n∈s", "n≤max(s)", ""},
}

// TestAnswers asks z3 about small sequents.
func TestAnswers(t *testing.T) {
	solvers[0].need(t)
	for _, c := range cases {
		var hyps []string
		if c.hyps != "" {
			hyps = []string{c.hyps}
		}
		s, err := check.ReadSequent(types, hyps, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		got := solvers[0].ask(t, write(t, s))
		if c.answer == "" && got != "sat" || c.answer == "sat" && got == "unknown" {
			continue
		}
		if got != c.answer {
			t.Errorf("%s ⊢ %s: %s, want %s\n%s", c.hyps, c.goal, got, c.answer, write(t, s))
		}
	}
}

// TestBalance writes each small sequent twice, and looks at the brackets.
func TestBalance(t *testing.T) {
	for _, c := range cases {
		s, err := check.ReadSequent(types, nil, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		out := write(t, s)
		if !bytes.Equal(out, write(t, s)) {
			t.Errorf("%s: two different texts", c.goal)
		}
		depth := 0
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, ";") {
				continue
			}
			depth += strings.Count(line, "(") - strings.Count(line, ")")
			// Names in bars hold sorts, whose brackets are balanced too.
			if depth < 0 {
				t.Errorf("%s: a bracket too many in %s", c.goal, line)
			}
		}
		if depth != 0 {
			t.Errorf("%s: %d brackets are open at the end", c.goal, depth)
		}
	}
}
