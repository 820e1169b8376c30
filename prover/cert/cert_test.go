package cert

import (
	"math/big"
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

func TestSamplesAreWellTyped(t *testing.T) {
	for _, s := range kernel.Axioms() {
		b := logic.NewBank()
		f, err := s.Formula(b, Sample(b, s)...)
		if err != nil {
			t.Error(err)
		} else if b.Depth(f) != 0 || !b.IsBare(f) || b.Type(f) != logic.Prop {
			t.Errorf("%s: formula is not closed and bare", s.Name)
		}
	}
}

// example returns 2 ≤ n, n ≤ f(n) ⊢ ∃x·4 ≤ x+n and a proof of it.
func example() (logic.Sequent, *kernel.Proof) {
	b := logic.NewBank()
	n := b.Free("n", logic.IntType)
	fn := b.App(logic.Apply, b.Free("f", b.RelType(logic.IntType, logic.IntType)), n)
	h0, h1 := b.App(logic.Le, b.Int64(2), n), b.App(logic.Le, n, fn)
	goal := b.Quant(logic.Exists, []logic.Type{logic.IntType}, nil,
		b.App(logic.Le, b.Int64(4), b.App(logic.Plus, b.Bound(0, logic.IntType), n)))
	s := logic.Sequent{Bank: b, Hyps: []logic.Term{h0, h1}, Goal: goal}
	var p kernel.Proof
	from := []int{p.Add(kernel.Step{Kind: kernel.Hyp}), p.Add(kernel.Step{Kind: kernel.Hyp, Index: 1}), p.Add(kernel.Step{Kind: kernel.NegGoal})}
	inst := kernel.Step{Kind: kernel.Inst, Terms: []logic.Term{goal, fn}}
	c, err := kernel.ClauseOf(s, inst)
	if err != nil {
		panic(err)
	}
	lin := kernel.Step{Kind: kernel.Lin, Clause: kernel.Clause{kernel.LitOf(b, h0).Not(), kernel.LitOf(b, h1).Not(), c[1].Not()},
		Coef: []*big.Int{big.NewInt(2), big.NewInt(1), big.NewInt(1)}}
	from = append(from, p.Add(inst), p.Add(lin))
	p.Add(kernel.Step{Kind: kernel.Rup, From: from})
	return s, &p
}

func TestRoundTrip(t *testing.T) {
	s, p := example()
	want, err := kernel.Check(s, p)
	if err != nil {
		t.Fatal(err)
	}
	text := Encode(s.Bank, p)
	fresh := s.Bare()
	q, err := kernel.Decode(fresh.Bank, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got, err := kernel.Check(fresh, q)
	if err != nil || got.Steps != want.Steps || len(got.Hyps) != 2 || !got.Goal {
		t.Errorf("%+v, %v", got, err)
	}
	if again := Encode(fresh.Bank, q); string(again) != string(text) {
		t.Errorf("second encoding differs:\n%s\n%s", text, again)
	}
}
