package discharge

import (
	"context"
	"strconv"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
)

// planOf makes the plan that the text of hints makes of s.
func planOf(t *testing.T, s logic.Sequent, text string) *hinted.Plan {
	t.Helper()
	var problems diag.List
	f := hints.Parse("t.hints", []byte("for x\n"+text), &problems)
	for _, d := range problems.Sorted() {
		t.Fatal(d)
	}
	labels := make([]string, len(s.Hyps))
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	p, problem := hinted.Make(s, labels, f.Blocks[0].Hints)
	if problem != nil {
		t.Fatal(problem)
	}
	return p
}

// The proofs of the parts that each rule makes come together to one that the kernel
// accepts for the sequent itself.
func TestPartsJoin(t *testing.T) {
	types := map[string]string{"n": "ℤ", "d": "ℤ", "S": "ℙ(ℤ)", "f": "ℙ(ℤ×ℤ)", "c": "ℤ", "T": "ℙ(T)", "p": "ℙ(ℙ(T))", "q": "ℙ(ℤ)"}
	tests := map[string]struct {
		hyps  []string
		goal  string
		hints string
	}{
		"have":         {[]string{"d>0", "n≥0"}, "∀t·t=n mod d⇒n=(n÷d)∗d+t", "  have n mod d = n−(n÷d)∗d\n    have n mod d ≥ 0\n"},
		"have twice":   {[]string{"d>0", "n≥0"}, "n+d>0", "  have n+d≥d\n  have n+d>0\n"},
		"cases":        {[]string{"n∈{1,2}"}, "n∗n∈{1,4}", "  cases n=1\n    have n∗n=1\n  have n=2\n"},
		"cases, both":  {nil, "n∗n≥0", "  cases n≥0\n    have n∗n≥0\n  have −n≥0\n  have (−n)∗(−n)≥0\n"},
		"an idle case": {[]string{"d=1", "n=n"}, "d>0", "  cases n=7\n  cases n=8\n    have d=1\n"},
		"inst":         {[]string{"∀x,y·x<y⇒x∈S∧y∈q"}, "1∈S", "  inst 0 x≔1, y≔2\n"},
		"inst, partly": {[]string{"∀x,y·x<y⇒x∈S∧y∈q"}, "∀z·z>1⇒z∈q", "  inst 0 x≔1\n  inst inst1 y≔z\n"},
		"inst of not":  {[]string{"∀x,y·¬(x∈S∧y∈q)"}, "¬(1∈S∧2∈q)", "  inst 0 y≔2\n  inst inst1 x≔1\n"},
		"witness":      {[]string{"∃x·x∗x=n∧x>7"}, "∃x,y·x∗x=n∧x>6∧y=3", "  witness 0 z\n  witness x≔z\n"},
		"witness, all": {[]string{"n>0"}, "∃x,y·x+y=n∧x>0", "  witness y≔0, x≔n\n"},
		"use":          {[]string{"n>0", "d>0"}, "n>−1", "  use 0\n"},
		"unfold":       {[]string{"S={x·x>3∣x+1}"}, "5∈S", "  unfold S\n"},
		"unfold twice": {[]string{"c=n+1", "n=d+1"}, "c=d+2", "  unfold c n\n"},
		"induct":       {[]string{"f∈ℕ→ℤ", "f(0)=0", "∀n·n∈ℕ⇒f(n+1)=f(n)+c"}, "∀m·m∈ℕ⇒f(m)=c∗m", "  induct m\n    have c∗0=0\n  have f(m)=c∗m\n"},
		"induct, more": {[]string{"f∈ℕ→ℤ", "f(0)=0", "∀n·n∈ℕ⇒f(n+1)=f(n)+c"}, "∀m,k·m∈ℕ∧k=f(m)⇒k=c∗m", "  induct m\n"},
		"induct free":  {[]string{"f∈ℕ→ℤ", "n∈ℕ", "f(0)=0", "∀n·n∈ℕ⇒f(n+1)=f(n)+c"}, "f(n)=c∗n", "  induct n\n"},
		"induct set":   {[]string{"(∅⦂ℙ(T))∈p", "∀x,y·x∈p⇒x∪{y}∈p"}, "∀s·finite(s)⇒s∈p", "  induct s\n"},
		"contradict":   {[]string{"n>0", "n<0"}, "d=c", "  have n=n+1\n  cases d=1\n"},
		"lost":         {[]string{"n>0", "c=c"}, "n≥0", "  have ∀x·x=c\n  inst have1 x≔1\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := check.ReadSequent(types, test.hyps, nil, test.goal)
			if err != nil {
				t.Fatal(err)
			}
			p := planOf(t, s, test.hints)
			o, ok := newProblem(s).byParts(context.Background(), p.Root, Options{Steps: 3_000_000})
			if !ok || o.Uncertified > 0 {
				t.Fatalf("%+v", o)
			}
			for _, f := range p.Facts {
				q, _ := f.Node.Sequent()
				if o, ok := newProblem(q).byParts(context.Background(), f.Node, Options{Steps: 3_000_000}); name != "lost" && (!ok || o.Uncertified > 0) {
					t.Errorf("%s: %+v", f.Name, o)
				}
			}
		})
	}
}
