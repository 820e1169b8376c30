package trigger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/logic/text"
)

// written is a pattern as text: variables of the quantifier are ?0, ?1, …, with those of inner
// quantifiers behind them; ± before it says which truth value of it is of use.
func written(b *logic.Bank, p Pattern) string {
	var node func(n Node) string
	node = func(n Node) string {
		switch n.Kind {
		case Slot:
			return fmt.Sprint("?", n.Slot)
		case Ground:
			return text.Term(b, n.Term)
		}
		var args []string
		for _, a := range n.Args {
			args = append(args, node(a))
		}
		name := notation.Of(n.Op).Unicode
		switch n.Op {
		case logic.Apply:
			name = "apply"
		}
		return name + "[" + strings.Join(args, " ") + "]"
	}
	sign := ""
	if p.Lit {
		sign = map[int]string{1: "+", -1: "-", 0: "±"}[p.Sign]
	}
	return sign + node(p.Root)
}

func described(b *logic.Bank, t Trigger) string {
	var out []string
	for _, p := range t.Patterns {
		out = append(out, written(b, p))
	}
	for _, l := range t.Lets {
		out = append(out, fmt.Sprintf("?%d:=%s", l.Slot, text.Term(b, l.Term)))
	}
	if t.Open > 0 {
		out = append(out, fmt.Sprint("open ", t.Open))
	}
	if t.Late {
		out = append(out, "late")
	}
	if t.Applied {
		out = append(out, "applied")
	}
	return strings.Join(out, ", ")
}

// TestChoose shows the triggers that are chosen for typical quantified formulas.
func TestChoose(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "A": "ℙ(S)", "B": "ℙ(S)", "a": "S", "r": "ℙ(S×S)", "f": "ℙ(ℤ×ℤ)", "n": "ℤ", "F": "ℙ(ℙ(ℤ×S))"}
	for _, c := range []struct {
		formula string
		sums    bool
		want    []string
	}{
		{"∀x·x∈A⇒x∈B", false, []string{"+∈[?0 A]", "-∈[?0 B]"}},
		{"∃x·x∈A∧x∉B", false, []string{"+∈[?0 A]", "-∈[?0 B]"}},
		{"∀x,y·x∈A∧y∈B⇒x↦y∈r", false, []string{"-∈[↦[?0 ?1] r]"}},
		{"∀x,y·x↦y∈r⇒x∈A", false, []string{"+∈[↦[?0 ?1] r]"}},
		{"∀i·i∈1‥n⇒f(i)>0", false, []string{"apply[f ?0]", "+∈[?0 1 ‥ n]"}},
		{"∀i·f(i)≤f(i+1)", false, []string{"apply[f ?0]"}},
		{"∀i·i∈1‥n⇒f(i+1)=f(i)+1", false, []string{"apply[f ?0]", "+∈[?0 1 ‥ n]"}},
		{"∀x,y·y=f(x)⇒x<y", false, []string{"apply[f ?0], ?1:=f([[1]])"}},
		{"∀x·x=n⇒x>0", false, []string{"?0:=n"}},
		{"∀s·s⊆A⇒finite(s)", false, []string{"-finite[?0]"}},
		{"∀q,k·k∈ℕ∧q∈1‥k→S∧q∈F⇒ran(q)⊆A", false, []string{"+∈[?0 →[‥[1 ?1] S]]"}},
		{"∃i·i∈1‥n∧f(n)=0", false, []string{"?0:=1", "?0:=n", "+∈[?0 1 ‥ n]"}},
		{"∀x·¬(x∈A∧(∃y·x↦y∈r))", false, []string{"+∈[?0 A]", "+∈[↦[?0 ?1] r]"}},
		{"∀x·x∈A∪B", false, []string{"-∈[?0 A∪B]"}},
		{"∀q,k,x·q∈1‥k→S∧x∈A⇒x∈ran(q)", false, []string{"+∈[?0 →[‥[1 ?1] S]], -∈[?2 ran[?0]]", "+∈[?0 →[‥[1 ?1] S]], +∈[?2 A], open 1, late", "-∈[?2 ran[∅ ⦂ ℙ(ℤ×S)]], ?0:=∅ ⦂ ℙ(ℤ×S), ?1:=0", "+∈[?2 A], ?0:=∅ ⦂ ℙ(ℤ×S), ?1:=0, open 1"}},
		{"∀x,y,z·x∈A∧y∈A∧z∈A∧x↦y∈r⇒x=z", false, []string{"+∈[↦[?0 ?1] r], +∈[?2 A], open 1", "+∈[?0 A], +∈[?1 A], +∈[?2 A], open 2, late"}},
		{"∀x,y·x=f(y)∧y=f(x)⇒x=y", false, []string{"apply[f ?1], ?0:=f([[0]])"}},
		{"∀x,y·f(x)=y⇒(x∈1‥n∧y∈ℕ)", false, []string{"apply[f ?0], ?1:=f([[1]])", "-∈[?0 1 ‥ n], ?1:=f([[1]])"}},
		{"∀x·x≥0", false, nil}, // nothing to match: integers are not enumerated
		{"∀x,y,z·x↦y∈r∧y↦z∈r⇒x↦z∈r", false, []string{"+∈[↦[?0 ?1] r], +∈[↦[?1 ?2] r]"}},
		{"∀i·i∈dom(f)⇒f(i)∈1‥n", false, []string{"+∈[?0 dom(f)]"}},
		{"∀x·x∈A⇔x∈B", false, []string{"±∈[?0 A]", "±∈[?0 B]"}},
		{"∀g·g∈ℤ⇸ℤ⇒g(1)=n", false, []string{"+∈[?0 ℤ ⇸ ℤ]"}},
		{"∀i·i∈1‥n⇒f(i+1)=f(i)+1", true, []string{"apply[f +[?0 1]]"}},
		{"∀i·f(i−1)≤f(i)", true, []string{"apply[f −[?0 1]]"}},
	} {
		q, err := check.ReadSequent(types, nil, nil, c.formula)
		if err != nil {
			t.Fatal(err)
		}
		chooser := Chooser{Bank: q.Bank, Sums: c.sums, Closed: func(logic.Term) {}}
		var got []string
		for _, trig := range chooser.Choose(q.Goal, q.Bank.Op(q.Goal) == logic.Forall) {
			got = append(got, described(q.Bank, trig))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s\n%q", c.formula, got)
		}
	}
}
