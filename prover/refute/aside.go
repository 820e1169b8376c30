package refute

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// aside is a cluster of hypotheses, linked by the identifiers that they mention, that is not linked to
// the goal. A counterexample to the rest is one to all if the cluster has a model with the same carrier
// sets. So the cluster gets its values apart, from a search for infinite ones, and stays out of the
// encoding, which can only approximate what is said of all integers.
type aside struct {
	hyps  []int                // numbers of hypotheses
	found map[string]*asideRun // by the sizes of carrier sets that the rest has, too
}

// asideRun is what came of the search for the values of an aside; the model is nil if there are none.
type asideRun struct {
	model   *eval.Model
	lent    map[eval.Condition][]byte
	defined map[logic.Term]logic.Term // by its hypotheses
}

// asidesOf returns the clusters of s that are not linked to the goal and say something of infinitely many
// values. What the evaluator decides anyway is better found together with the rest.
func asidesOf(s logic.Sequent) []*aside {
	s = s.Bare()
	return slices.DeleteFunc(clustersOf(s), func(a *aside) bool {
		seen := map[logic.Term]bool{}
		return !slices.ContainsFunc(a.hyps, func(i int) bool { return isEndless(s.Bank, s.Hyps[i], seen) })
	})
}

// clustersOf returns the clusters of bare s that are not linked to the goal.
func clustersOf(s logic.Sequent) (out []*aside) {
	bank := s.Bank
	of := map[logic.Term]int{} // by identifier: a hypothesis that mentions it, -1 for the goal
	parent := make([]int, len(s.Hyps)+1)
	goal := len(s.Hyps)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	link := func(i int, ids []logic.Term) {
		for _, id := range ids {
			if j, ok := of[id]; ok {
				parent[root(i)] = root(j)
			}
			of[id] = i
		}
	}
	link(goal, bank.FreeIdents(s.Goal))
	for i, h := range s.Hyps {
		link(i, bank.FreeIdents(h))
	}
	clusters := map[int]*aside{}
	for i, h := range s.Hyps {
		r := root(i)
		if r == root(goal) || len(bank.FreeIdents(h)) == 0 {
			continue // what mentions no identifier is about carrier sets, which all share
		}
		if clusters[r] == nil {
			clusters[r] = &aside{found: map[string]*asideRun{}}
			out = append(out, clusters[r])
		}
		clusters[r].hyps = append(clusters[r].hyps, i)
	}
	return out
}

// isEndless reports whether t binds variables of infinite types, has a set whose members are infinite, or
// says that one is infinite.
func isEndless(bank *logic.Bank, t logic.Term, seen map[logic.Term]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	op := bank.Op(t)
	switch {
	case op.IsBinder() && slices.ContainsFunc(bank.Decls(t), func(typ logic.Type) bool { return hasIntegers(bank, typ) }):
		return true
	case op == logic.Not && bank.Op(bank.Arg(t, 0)) == logic.Finite, hasInfiniteMembers(bank, t):
		return true
	case op == logic.Partition && infinite(bank, bank.Arg(t, 0)):
		return true
	case op == logic.Id && hasIntegers(bank, bank.Type(t)), op == logic.SubsetEq && infinite(bank, bank.Arg(t, 0)):
		return true
	case op == logic.Eq && slices.ContainsFunc(bank.Args(t), func(a logic.Term) bool { return infinite(bank, a) }):
		return true
	}
	return slices.ContainsFunc(bank.Args(t), func(a logic.Term) bool { return isEndless(bank, a, seen) })
}

// hasIntegers reports whether values of type t have integers in them.
func hasIntegers(bank *logic.Bank, t logic.Type) bool {
	switch bank.TypeKind(t) {
	case logic.KindInt:
		return true
	case logic.KindPow:
		return hasIntegers(bank, bank.Elem(t))
	case logic.KindProd:
		left, right := bank.Pair(t)
		return hasIntegers(bank, left) || hasIntegers(bank, right)
	}
	return false
}

// joined returns m with values for the identifiers of the asides, and false if one has none.
func (f *finder) joined(m *eval.Model) (*eval.Model, bool) {
	for _, a := range f.asides {
		r := f.runAside(a, m)
		if r.model == nil {
			f.stuck = true
			return nil, false
		}
		m = m.Join(f.s.Bank, r.model)
		maps.Copy(f.definition, r.defined) // of these the model may have no value that can be written
		for condition, certificate := range r.lent {
			if f.lent == nil {
				f.lent = map[eval.Condition][]byte{}
			}
			f.lent[condition] = certificate
		}
	}
	return m, true
}

// runAside looks for values of aside a with the carrier sets of m.
func (f *finder) runAside(a *aside, m *eval.Model) *asideRun {
	sub := logic.Sequent{Bank: f.s.Bank, Goal: f.s.Bank.App(logic.False)}
	own := map[string]bool{}
	for _, i := range a.hyps {
		sub.Hyps = append(sub.Hyps, f.s.Hyps[i])
		f.typesOf(f.s.Hyps[i], func(name string) { own[name] = true })
	}
	// Carrier sets that occur in the core as well must have the size that the model gives them. The other ones are free.
	fixed := map[string]int{}
	shared := func(name string) {
		if own[name] {
			fixed[name] = m.Carriers[name]
		}
	}
	for _, t := range append(slices.Clone(f.core), f.s.Goal) {
		f.typesOf(t, shared)
	}
	// Only these sizes matter, so one search serves all models that share them.
	key := fmt.Sprint(fixed)
	if r, ok := a.found[key]; ok {
		return r
	}
	r := &asideRun{}
	a.found[key] = r
	steps := f.steps / asideShare
	x, by, taken := searchAlone(sub, steps, f, fixed)
	f.steps -= taken
	if x == nil {
		return r
	}
	r.model, r.lent, r.defined = x.Model, map[eval.Condition][]byte{}, f.definitionsOf(sub.Hyps, by)
	for _, c := range x.Claims {
		r.lent[eval.Condition{Hyp: a.hyps[c.Hyp], D: c.D}] = c.Certificate
	}
	return r
}

// asideShare is the part of what is left that the search for the values of one aside may take.
const asideShare = 3

// searchAlone looks for a model of the hypotheses of s, which stand aside of those of f, with carrier sets of
// the given sizes, and returns the rule that it obeys.
func searchAlone(s logic.Sequent, steps int, f *finder, fixed map[string]int) (x *Counterexample, by rule, taken int) {
	budget := steps
	rules := []rule{guessed, constant, tabled, identity}
	if hasExtremum(s) {
		rules = slices.Insert(rules, 0, extreme)
	}
	for _, by = range rules {
		sub := newFinder(s, steps, by)
		if by != identity {
			sub.steps = steps / 2
		}
		granted := sub.steps
		// Names must be those that the whole gives: certificates mention them.
		maps.Copy(sub.names, f.names)
		sub.prove, sub.proving, sub.stop, sub.fixed, sub.alone = f.prove, min(f.proving, granted), f.stop, fixed, true
		left := sub.proving
		switch {
		case by >= numRules:
			if model := sub.tryInfinite(); model != nil {
				x = sub.explain(s, model)
			}
		default:
			x = sub.search(s)
		}
		f.proving -= left - max(sub.proving, 0)
		steps -= granted - max(sub.steps, 0)
		if x != nil || steps <= 0 {
			break
		}
	}
	return x, by, budget - steps
}
