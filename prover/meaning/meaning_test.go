package meaning_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/meaning"
)

// unfold replaces every set in t by its comprehension, inside of binders too, and notes
// the operators that had one.
func unfold(b *logic.Bank, t logic.Term, met map[logic.Op]int) logic.Term {
	op := b.Op(t)
	args := make([]logic.Term, len(b.Args(t)))
	for i, a := range b.Args(t) {
		args[i] = unfold(b, a, met)
	}
	switch {
	case len(args) == 0:
	case op.IsBinder():
		t = b.Quant(op, b.Decls(t), nil, args...)
	default:
		t = b.App(op, args...)
	}
	if op == logic.Compr {
		return t
	}
	if u, ok := meaning.Comprehension(b, t); ok {
		met[op]++
		return u
	}
	return t
}

// A set and its comprehension are the same, also where they stand in other formulas and
// under binders.
func TestComprehension(t *testing.T) {
	met := map[logic.Op]int{}
	decided := 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 7))
		s, m := random.Refuted(r, 2)
		for _, p := range append(s.Hyps, s.Goal) {
			q := unfold(s.Bank, p, met)
			if s.Bank.Depth(q) != 0 {
				t.Fatalf("dangling variables in %s", text.Term(s.Bank, q))
			}
			e := eval.New(s.Bank, m, 20_000)
			want, got := e.Pred(p), e.Pred(q)
			if want == -got && want != eval.Unknown {
				t.Fatalf("%s is %s, but %s is %s", text.Term(s.Bank, p), want, text.Term(s.Bank, q), got)
			}
			if got != eval.Unknown {
				decided++
			}
		}
	}
	if decided < 1000 {
		t.Errorf("only %d formulas are decided", decided)
	}
	for op := logic.Op(1); op < logic.NumOps; op++ {
		if op != logic.Compr && op != logic.GInter && op != logic.QInter && kernel.Membership(op) != nil && met[op] == 0 {
			t.Errorf("%s was not met", op)
		}
	}
}
