package prover

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// scheme says what an attempt starts with besides hypotheses, as the goal suggests it.
type scheme uint8

const (
	directly   scheme = iota
	aimless           // without the goal: do the hypotheses contradict each other?
	apart             // the conjuncts of the goal one by one
	byInstance        // instances of hypotheses that conclude the goal
	stepwise          // induction from n to n+1, from a finite set to one with one more element
	complete          // induction from all up to n to n+1
	backwards         // for functions that hypotheses define by recursion
	byName            // instances of existential statements in the goal
	bySets            // instances of hypotheses over sets, for those that the goal comprehends
)

// ways returns the lists of steps that attempts at s may start with, one for each; none if
// the goal does not ask for the scheme.
func ways(sequent logic.Sequent, by scheme) [][]kernel.Step {
	switch by {
	case directly, aimless:
		return [][]kernel.Step{nil}
	case byInstance:
		if steps := backward(sequent); len(steps) > 0 {
			return [][]kernel.Step{steps}
		}
		return nil
	case backwards:
		if len(recursion(sequent).places) > 0 {
			return [][]kernel.Step{nil}
		}
		return nil
	case byName:
		if steps := exhibited(sequent); len(steps) > 0 {
			return [][]kernel.Step{steps}
		}
		return nil
	case bySets:
		if steps := comprehended(sequent); len(steps) > 0 {
			return [][]kernel.Step{steps}
		}
		return nil
	}
	return inductions(sequent, by)
}

// inductions returns instances of induction that may prove the goal of s, each
// followed by instances of its conclusion for the goal: on an integer that
// stands in an exponent of the goal, or on a variable that the goal quantifies, with a
// lower bound or as a finite set.
func inductions(s logic.Sequent, by scheme) [][]kernel.Step {
	var out [][]kernel.Step
	if by == stepwise {
		for _, x := range exponents(s.Bank, s.Goal) {
			out = append(out, onIdentifier(s, x))
		}
	}
	return append(out, onVariables(s, by)...)
}

// onIdentifier returns induction on identifier x with the goal as the property; hypotheses
// that mention x become premises of the property.
func onIdentifier(sequent logic.Sequent, term logic.Term) []kernel.Step {
	bank := sequent.Bank
	// A hypothesis about x holds for this x alone; as a premise it is shown for each n anew.
	prop := sequent.Goal
	var premises []logic.Term
	for _, hypothesis := range sequent.Hyps {
		if bank.Occurs(term, hypothesis) {
			premises = append(premises, hypothesis)
		}
	}
	if len(premises) > 0 {
		prop = bank.App(logic.Implies, bank.And(premises...), prop)
	}
	return induction(sequent, forAll(bank, []logic.Term{term}, prop), term, nil)
}

// maxInductions bounds the variables of a goal on which induction is tried.
const maxInductions = 2

// onVariables returns induction on the variables of a goal ∀x·P⇒Q that P bounds from
// below, or says to be finite, the last one first, with the goal for all others as the
// property.
func onVariables(sequent logic.Sequent, by scheme) [][]kernel.Step {
	bank := sequent.Bank
	if bank.Op(sequent.Goal) != logic.Forall || bank.Op(bank.Arg(sequent.Goal, 0)) != logic.Implies {
		return nil
	}
	var xs []logic.Term
	for i, typ := range bank.Decls(sequent.Goal) {
		xs = append(xs, bank.Free(fmt.Sprintf("?%d", i), typ))
	}
	body := bank.Instantiate(bank.Arg(sequent.Goal, 0), xs)
	values := kernel.Witnesses(bank, sequent.Goal)
	// Where functions are recursive on some of the variables, induction on the others is not tried.
	recursive := recursion(sequent)
	promising := slices.ContainsFunc(xs, func(x logic.Term) bool { return recursive.on(x, body) })
	var out [][]kernel.Step
	for i, x := range slices.Backward(xs) {
		premise := bank.Arg(body, 0)
		if len(out) == maxInductions || promising && bank.Type(x) == logic.IntType && !recursive.on(x, body) || !says(bank, premise, x, boundedBelow) && (by != stepwise || !says(bank, premise, x, finite)) {
			continue
		}
		if by == stepwise {
			// The other variables stay quantified in the property: the step may need it for other values.
			others := slices.Delete(slices.Clone(xs), i, i+1)
			property := forAll(bank, []logic.Term{x}, forAll(bank, others, body))
			out = append(out, induction(sequent, property, values[i], slices.Delete(slices.Clone(values), i, i+1)))
			continue
		}
		n := bank.Free("?n", logic.IntType)
		// Complete induction: the property for n is the goal for all x up to n.
		upTo := bank.App(logic.Implies, bank.And(bank.App(logic.Le, x, n), premise), bank.Arg(body, 1))
		out = append(out, induction(sequent, forAll(bank, []logic.Term{n}, forAll(bank, xs, upTo)), values[i], values))
	}
	return out
}

// arguments are places among the arguments of functions, from 0, by function.
type arguments struct {
	bank   *logic.Bank
	places map[logic.Term][]int
}

// recursion returns the arguments on which hypotheses say that a function is recursive: they speak of
// its value for n+1, or another sum.
func recursion(sequent logic.Sequent) arguments {
	out := arguments{sequent.Bank, map[logic.Term][]int{}}
	for _, hypothesis := range sequent.Hyps {
		out.each(hypothesis, func(f logic.Term, place int, argument logic.Term) {
			if sequent.Bank.Op(argument) == logic.Plus && !slices.Contains(out.places[f], place) {
				out.places[f] = append(out.places[f], place)
			}
		})
	}
	return out
}

// each calls found for the arguments of the applications in t of functions that have names.
func (a arguments) each(t logic.Term, found func(f logic.Term, place int, argument logic.Term)) {
	if a.bank.Op(t) == logic.Apply && a.bank.Op(a.bank.Arg(t, 0)) == logic.Free {
		place := 0
		rest := a.bank.Arg(t, 1)
		for ; a.bank.Op(rest) == logic.Maplet; rest = a.bank.Arg(rest, 0) {
			found(a.bank.Arg(t, 0), place, a.bank.Arg(rest, 1)) // x↦y↦z is (x↦y)↦z: the last one first
			place++
		}
		found(a.bank.Arg(t, 0), place, rest)
	}
	for _, part := range a.bank.Args(t) {
		a.each(part, found)
	}
}

// on reports whether x occurs in such an argument in t.
func (a arguments) on(x, t logic.Term) bool {
	is := false
	a.each(t, func(f logic.Term, place int, argument logic.Term) {
		is = is || slices.Contains(a.places[f], place) && a.bank.Occurs(x, argument)
	})
	return is
}

// induction returns the axiom for a property ∀n·P, and its conclusion for the value x; if
// there are others, P is quantified, and the conclusion is taken for these.
func induction(sequent logic.Sequent, property, term logic.Term, others []logic.Term) []kernel.Step {
	bank := sequent.Bank
	step := kernel.Step{Kind: kernel.Axiom, Name: "induction", Terms: []logic.Term{property}}
	if bank.Type(term) != logic.IntType {
		step.Name = "finite.induction"
	}
	clause, err := kernel.ClauseOf(sequent, step)
	if err != nil {
		return nil
	}
	out := []kernel.Step{step, {Kind: kernel.Inst, Terms: []logic.Term{clause[len(clause)-1].Atom(), term}}}
	if len(others) > 0 {
		all := bank.Instantiate(bank.Arg(property, 0), []logic.Term{term})
		out = append(out, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{all}, others...)})
	}
	return out
}

// forAll returns ∀xs·p for free identifiers xs.
func forAll(b *logic.Bank, xs []logic.Term, p logic.Term) logic.Term {
	return quantified(b, logic.Forall, xs, p)
}

// quantified returns ∀xs·p or ∃xs·p for free identifiers xs.
func quantified(b *logic.Bank, quantifier logic.Op, xs []logic.Term, p logic.Term) logic.Term {
	if len(xs) == 0 {
		return p
	}
	var types []logic.Type
	for _, x := range xs {
		types = append(types, b.Type(x))
	}
	return b.Quant(quantifier, types, nil, b.Abstract(p, xs))
}

// says reports whether a conjunct of p says what test tells of x.
func says(b *logic.Bank, p, x logic.Term, test func(b *logic.Bank, p, x logic.Term) bool) bool {
	if b.Op(p) == logic.And {
		return slices.ContainsFunc(b.Args(p), func(q logic.Term) bool { return says(b, q, x, test) })
	}
	return test(b, p, x)
}

// finite reports whether p says that x is finite.
func finite(b *logic.Bank, p, x logic.Term) bool {
	return b.Op(p) == logic.Finite && b.Arg(p, 0) == x
}

// boundedBelow reports whether p says that x is not negative, or more.
func boundedBelow(bank *logic.Bank, predicate, x logic.Term) bool {
	number := func(t logic.Term) bool { return bank.Op(t) == logic.Int && bank.Value(t).Sign() >= 0 }
	switch bank.Op(predicate) {
	case logic.Ge, logic.Gt:
		return bank.Arg(predicate, 0) == x && number(bank.Arg(predicate, 1))
	case logic.Le, logic.Lt:
		return bank.Arg(predicate, 1) == x && number(bank.Arg(predicate, 0))
	case logic.In:
		set := bank.Arg(predicate, 1)
		switch bank.Op(set) {
		case logic.Natural, logic.Natural1:
			return bank.Arg(predicate, 0) == x
		case logic.UpTo:
			return bank.Arg(predicate, 0) == x && number(bank.Arg(set, 0))
		}
	}
	return false
}

// exponents returns the integer identifiers in exponents of t, in order of occurrence.
func exponents(bank *logic.Bank, t logic.Term) []logic.Term {
	var powers []logic.Term
	seen := map[logic.Term]bool{}
	var visit func(logic.Term)
	visit = func(t logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if bank.Op(t) == logic.Exp {
			powers = append(powers, bank.Arg(t, 1))
		}
		for _, a := range bank.Args(t) {
			visit(a)
		}
	}
	visit(t)
	return slices.DeleteFunc(bank.FreeIdents(powers...), func(x logic.Term) bool { return bank.Type(x) != logic.IntType })
}
