package refute

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Simplify returns a counterexample to s whose values are as simple as single
// steps from x make them, within a number of steps: what does not matter becomes
// 0, FALSE or ∅, and its reader is not led astray.
func Simplify(sequent logic.Sequent, x *Counterexample, steps int) *Counterexample {
	if len(x.Integers) > 0 {
		return WithIntegers(sequent, Simplify(Integral(sequent, x.Integers), &Counterexample{Model: x.Whole, Shown: x.Shown, Part: x.Part, Values: x.Values, Claims: x.Claims}, steps), x.Integers)
	}
	f := newFinder(sequent, steps, constant)
	f.claimed = x.Claims
	m := x.Model.In(f.s.Bank) // so that values of the models below are in one space
	changed := false
	for _, term := range f.s.Bank.FreeIdents(append(append([]logic.Term(nil), f.s.Hyps...), f.s.Goal)...) {
		if _, defined := f.definition[term]; defined {
			continue // its value follows from those of others
		}
		name := f.s.Bank.Name(term)
		if _, ok := m.Values[name]; !ok {
			continue
		}
		// Each round makes the value simpler, so the rounds come to an end.
		for again := true; again; {
			again = false
			for _, value := range simpler(m.Space, m.Values[name]) {
				if n := f.with(m, name, value); n != nil {
					m, again, changed = n, true, true
					break
				}
				if f.steps <= 0 {
					break
				}
			}
		}
	}
	if !changed {
		return x
	}
	return f.explain(sequent, m)
}

// with returns m with another value of name if that is a counterexample still.
func (f *finder) with(m *eval.Model, name string, value eval.Value) *eval.Model {
	n := m.Clone()
	for term := range f.definition {
		delete(n.Values, f.s.Bank.Name(term))
	}
	n.Values[name] = value
	n = f.complete(n)
	e := eval.New(f.s.Bank, n, max(f.steps, 0))
	before := e.Steps()
	answer := e.Refutes(f.s)
	f.steps -= before - e.Steps()
	if answer == eval.True || answer == eval.Unknown && f.stillClaimed(m, n) {
		return n
	}
	return nil
}

// stillClaimed reports whether the claims of counterexample m make n one: they speak of nothing that
// the two have different values of.
func (f *finder) stillClaimed(m, n *eval.Model) bool {
	if len(f.claimed) == 0 {
		return false
	}
	e := eval.New(f.s.Bank, n, max(f.steps, 0))
	before := e.Steps()
	conditions, ok := e.Undecided(f.s, maxClaims)
	f.steps -= before - e.Steps()
	if !ok {
		return false
	}
	for _, condition := range conditions {
		i := slices.IndexFunc(f.claimed, func(c Claim) bool { return c.Condition == condition })
		if i < 0 {
			return false
		}
		s := f.claimed[i].Sequent
		for _, id := range s.Bank.FreeIdents(s.Hyps...) {
			if name := s.Bank.Name(id); m.Values[name] != n.Values[name] {
				return false
			}
		}
	}
	return true
}

// maxRemoved bounds the sets whose members are left out one by one.
const maxRemoved = 12

// simpler lists values that are simpler than v, the simplest first.
func simpler(s *eval.Space, v eval.Value) (out []eval.Value) {
	switch s.Kind(v) {
	case eval.Integer:
		z := s.Big(v)
		half := new(big.Int).Quo(z, big.NewInt(2))
		for _, c := range []*big.Int{big.NewInt(0), big.NewInt(1), half, new(big.Int).Abs(z)} {
			if d := c.CmpAbs(z); d < 0 || d == 0 && z.Sign() < 0 {
				if w := s.Int(c); w != v {
					out = append(out, w)
				}
			}
		}
	case eval.Boolean:
		if s.IsTrue(v) {
			out = append(out, s.Bool(false))
		}
	case eval.Set:
		members := s.Members(v)
		if len(members) == 0 {
			return nil
		}
		out = append(out, s.Set())
		// Halves before single members: large sets become small in few steps.
		if len(members) > 1 {
			out = append(out, s.Set(members[:len(members)/2]...), s.Set(members[0]))
		}
		if len(members) <= maxRemoved {
			for i := range members {
				out = append(out, s.Set(append(append([]eval.Value(nil), members[:i]...), members[i+1:]...)...))
			}
		}
	}
	return out
}
