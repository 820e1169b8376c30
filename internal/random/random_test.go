package random

import (
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// print returns s as text.
func print(s logic.Sequent) (out string) {
	for _, h := range s.Hyps {
		out += text.Options{}.Term(s.Bank, h) + "\n"
	}
	return out + "⊢ " + text.Options{}.Term(s.Bank, s.Goal)
}

// What is made is refuted by the model made with it; it is the same for the same seed, and
// meets all operators and all kinds of change.
func TestRefuted(t *testing.T) {
	ops, kinds := map[logic.Op]bool{}, map[string]bool{}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, m := Refuted(r, 3)
		if !Refutes(s, m) {
			t.Fatalf("not refuted:\n%s", print(s))
		}
		changed, kind := Change(r, s)
		kinds[kind] = true
		if (kind != "") != (print(changed) != print(s)) {
			t.Errorf("%q changes\n%s\nto\n%s", kind, print(s), print(changed))
		}
		again := rand.New(rand.NewPCG(seed, 1))
		s2, _ := Refuted(again, 3)
		if changed2, _ := Change(again, s2); print(changed2) != print(changed) {
			t.Fatalf("seed %d makes\n%s\nand\n%s", seed, print(changed), print(changed2))
		}
		var visit func(t logic.Term)
		visit = func(t logic.Term) {
			ops[s.Bank.Op(t)] = true
			for _, a := range s.Bank.Args(t) {
				visit(a)
			}
		}
		for _, h := range append(s.Hyps, s.Goal) {
			visit(h)
		}
	}
	for op := logic.True; op < logic.Eps; op++ {
		if !ops[op] {
			t.Errorf("operator %s does not occur", op)
		}
	}
	for _, kind := range []string{"drop hypothesis", "negate hypothesis", "exchange goal and hypothesis", "operator", "part for whole",
		"part left out", "order of arguments", "number", "identifier", "bound variable", "negation", "trap"} {
		if !kinds[kind] {
			t.Errorf("no change of kind %q", kind)
		}
	}
}
