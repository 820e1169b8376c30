package gpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/logic"
)

// TestRelevant compares random sequents about control points with what is left of them: they
// have the same counterexamples, so that neither proves more than the other.
func TestRelevant(t *testing.T) {
	const values, cases = 3, 3000
	random := rand.New(rand.NewPCG(7, 11))
	less := 0
	for range cases {
		b := logic.NewBank()
		var ids []logic.Term
		for _, n := range []string{"pc1", "pc2", "site", "x"} {
			ids = append(ids, b.Free(n, logic.IntType))
		}
		equality := func() logic.Term {
			return b.App(logic.Eq, ids[random.IntN(len(ids))], b.Int64(random.Int64N(values)))
		}
		condition := func() logic.Term {
			switch random.IntN(5) {
			case 0:
				return b.Or(equality(), equality())
			case 1:
				return b.And(equality(), equality())
			case 2:
				return b.Not(equality())
			}
			return equality()
		}
		claim := func() logic.Term {
			if random.IntN(3) == 0 {
				return condition()
			}
			return b.App(logic.Implies, condition(), condition())
		}
		s := logic.Sequent{Bank: b, Goal: claim()}
		for i := range random.IntN(7) {
			s.Hyps = append(s.Hyps, claim())
			if random.IntN(2) == 0 {
				s.Selected = append(s.Selected, i)
			}
		}
		r := relevant(s)
		for _, i := range r.Selected {
			if !slices.ContainsFunc(s.Selected, func(k int) bool { return s.Hyps[k] == r.Hyps[i] }) {
				t.Fatal("a hypothesis is selected that was not")
			}
		}
		less += len(s.Hyps) - len(r.Hyps)
		for state := range values * values * values * values {
			of, rest := map[logic.Term]int64{}, state
			for _, id := range ids {
				of[id], rest = int64(rest%values), rest/values
			}
			if fails(s, of) != fails(r, of) {
				t.Fatalf("%v: of %d hypotheses %d are left, and %v tells them apart", s, len(s.Hyps), len(r.Hyps), of)
			}
		}
	}
	if less < cases/3 {
		t.Errorf("of %d sequents only %d hypotheses were left out", cases, less)
	}
}

// fails reports whether a state is a counterexample.
func fails(s logic.Sequent, of map[logic.Term]int64) bool {
	var holds func(p logic.Term) bool
	holds = func(p logic.Term) bool {
		switch args := s.Bank.Args(p); s.Bank.Op(p) {
		case logic.Eq:
			return of[args[0]] == s.Bank.Value(args[1]).Int64()
		case logic.Not:
			return !holds(args[0])
		case logic.And:
			return holds(args[0]) && holds(args[1])
		case logic.Or:
			return holds(args[0]) || holds(args[1])
		default:
			return !holds(args[0]) || holds(args[1])
		}
	}
	return !holds(s.Goal) && !slices.ContainsFunc(s.Hyps, func(h logic.Term) bool { return !holds(h) })
}
