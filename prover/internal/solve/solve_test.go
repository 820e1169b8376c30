package solve

import (
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/internal/euf"
)

// knowing is what a search knows in which the literals hold: memberships and equations.
func knowing(b *logic.Bank, literals []logic.Term) *Known {
	g := euf.New(b)
	var truths []euf.Node
	for _, l := range literals {
		n := g.Node(l)
		truths = append(truths, n)
		if b.Op(l) == logic.Eq {
			g.Merge(g.Args(n)[0], g.Args(n)[1], 0)
		}
	}
	g.Propagate()
	return &Known{
		Bank: b, Graph: g,
		Each: func(n euf.Node, f func(euf.Node)) {
			f(n)
			for m := g.Next(n); m != n; m = g.Next(m) {
				f(m)
			}
		},
		Elements: func(set euf.Node, f func(euf.Node)) {
			for _, m := range truths {
				if g.Op(m) == logic.In && g.Equal(g.Args(m)[1], set) {
					f(m)
				}
			}
		},
		Truth: func(n euf.Node) int {
			if slices.Contains(truths, n) {
				return 1
			}
			return 0
		},
		Eval: func(t logic.Term) int {
			if slices.Contains(literals, t) {
				return 1
			}
			return 0
		},
		Term: func(t logic.Type) (logic.Term, bool) { return 0, false },
	}
}

// TestSolve gives the solutions of ∃x,…·P, each as values of its variables, in the order in
// which they are found.
func TestSolve(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "A": "ℙ(S)", "B": "ℙ(S)", "C": "ℙ(S)", "a": "S", "b": "S", "r": "ℙ(S×S)", "f": "ℙ(ℤ×ℤ)", "m": "ℤ", "n": "ℤ"}
	for _, c := range []struct {
		known   []string
		formula string
		want    []string
	}{
		{nil, "∃x·x=n+1", []string{"n+1"}},
		{nil, "∃x·x+1=n", []string{"n − 1"}},
		{nil, "∃x·n=2∗x", []string{"n ÷ 2"}},
		{nil, "∃x·x>n", []string{"n+1", "?0"}},
		{nil, "∃x·x≥n∧x≤n", []string{"n", "n", "?0"}},
		{nil, "∃x·x<0∧x>5", []string{"5+1", "?0"}},
		{[]string{"a∈A", "b∈A"}, "∃x·x∈A", []string{"a", "b"}},
		{[]string{"a∈A", "b∈A", "a∈B"}, "∃x·x∈A∧x∈B", []string{"a", "a", "b", "b"}},
		{[]string{"a∈A"}, "∃x·x∈A∪B", []string{"a"}},
		{[]string{"a∈A"}, "∃x·x∈A∖B", []string{"a"}},
		{[]string{"a∈A", "A=B"}, "∃x·x∈B", []string{"a"}},
		{[]string{"a↦b∈r"}, "∃x,y·x↦y∈r", []string{"a b"}},
		{[]string{"a↦b∈r"}, "∃x·x∈dom(r)", []string{"a"}},
		{nil, "∃x·x↦b={a↦b}(a)↦b", []string{"{a ↦ b}(a)"}},
		{nil, "∃x,y·x↦y=a↦b", []string{"a b"}},
		{nil, "∃s·s⊆A", []string{"A", "∅ ⦂ ℙ(S)"}},
		{nil, "∃s·A⊆s", []string{"A"}},
		{nil, "∃x·x∈{a,b}", []string{"a", "b"}},
		{nil, "∃x·x≠n", []string{"n+1", "?0"}},
		{nil, "∃x·⊥∧x=n", nil},
		{nil, "∃x·x=n∨x=m", []string{"n", "m"}},
		{nil, "∃x·x=n⇒x=m", []string{"m", "n+1", "?0"}},
		{nil, "∃g·dom(g)=A∧ran(g)⊆B", []string{"A × {ε0(x⦂S·⊤)}"}},
		{nil, "∃x·f(x)=f(n)", []string{"n"}},
		{nil, "∃x·x=f(x)", nil},
		{nil, "∃x·∃y·x=y∧y=n", []string{"n"}},
		{nil, "∃x·¬(x≠n)", []string{"n"}},
		{nil, "∃x·x∈1‥n", []string{"1", "n", "?0"}},
		{[]string{"a∈A"}, "∃t·t∈{x·x∈A∣x↦x}", []string{"a ↦ a"}},
		{nil, "∃x·¬(x≥n)", []string{"n − 1", "?0"}},
		{nil, "∃x·n−x=m", []string{"n − m"}},
		{nil, "∃x·x=n∧n=n+1", nil},
		{nil, "∃x·x>0∧x=n", []string{"n"}},
		{nil, "∃x·¬(x∈A⇒x∈B)", nil},
		{[]string{"a∈A"}, "∃x·x∈A∧x∉B", []string{"a"}},
	} {
		q, err := check.ReadSequent(types, c.known, nil, c.formula)
		if err != nil {
			t.Fatal(err)
		}
		b := q.Bank
		s := New(knowing(b, q.Hyps))
		var vars []logic.Term
		for _, typ := range b.Decls(q.Goal) {
			vars = append(vars, s.Unknown(typ))
		}
		var got []string
		s.Solve(b.Instantiate(b.Arg(q.Goal, 0), vars), true, func() {
			var values []string
			for _, v := range vars {
				values = append(values, text.Term(b, s.Value(v)))
			}
			got = append(got, strings.Join(values, " "))
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s ⊢ %s\n%q", strings.Join(c.known, ", "), c.formula, got)
		}
	}
}
