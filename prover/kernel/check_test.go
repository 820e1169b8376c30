package kernel

import (
	"math/big"
	"testing"

	"github.com/gradine/gradine/logic"
)

// x∈s∪t, x∉s ⊢ x∈t, and 2 ≤ n ⊢ n+n ≥ 4.
func TestCheckAcceptsSmallProofs(t *testing.T) {
	b := logic.NewBank()
	a := b.GivenType("A")
	x, s, u := b.Free("x", a), b.Free("s", b.PowType(a)), b.Free("t", b.PowType(a))
	union := b.App(logic.Union, s, u)
	seq := logic.Sequent{Bank: b, Hyps: []logic.Term{b.App(logic.In, x, union), b.App(logic.NotIn, x, s)}, Goal: b.App(logic.In, x, u)}
	var p Proof
	from := []int{
		p.Add(Step{Kind: Hyp, Index: 0}), p.Add(Step{Kind: Hyp, Index: 1}), p.Add(Step{Kind: NegGoal}),
		p.Add(Step{Kind: Axiom, Name: "mem.union", Index: 0, Terms: []logic.Term{x, union}}),
	}
	if _, err := Check(seq, &p); err == nil {
		t.Error("proof without end accepted")
	}
	p.Add(Step{Kind: Rup, From: from})
	r, err := Check(seq, &p)
	if err != nil || !r.Goal || len(r.Hyps) != 2 || r.Steps != 5 {
		t.Errorf("%+v, %v", r, err)
	}

	n := b.Free("n", logic.IntType)
	seq = logic.Sequent{Bank: b, Hyps: []logic.Term{b.App(logic.Le, b.Int64(2), n)}, Goal: b.App(logic.Ge, b.App(logic.Plus, n, n), b.Int64(4))}
	p = Proof{}
	h, g := p.Add(Step{Kind: Hyp}), p.Add(Step{Kind: NegGoal})
	lin := Step{Kind: Lin, Clause: Clause{LitOf(b, seq.Hyps[0]).Not(), LitOf(b, seq.Goal)}, Coef: []*big.Int{big.NewInt(2), big.NewInt(1)}}
	p.Add(Step{Kind: Rup, From: []int{h, g, p.Add(lin)}})
	if _, err := Check(seq, &p); err != nil {
		t.Error(err)
	}
	lin.Coef[0] = big.NewInt(1)
	if _, err := Check(seq, &p); err == nil {
		t.Error("wrong multiplier accepted")
	}
}

func TestEmptyProofProvesNothing(t *testing.T) {
	b := logic.NewBank()
	if _, err := Check(logic.Sequent{Bank: b, Goal: b.App(logic.True)}, &Proof{}); err == nil {
		t.Error("accepted")
	}
}
