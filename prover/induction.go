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
	byInstance        // instances of hypotheses that conclude the goal
	stepwise          // induction from n to n+1, from a finite set to one with one more element
	complete          // induction from all up to n to n+1
)

// ways returns the lists of steps that attempts at s may start with, one for each; none if
// the goal does not ask for the scheme.
func ways(s logic.Sequent, by scheme) [][]kernel.Step {
	switch by {
	case directly:
		return [][]kernel.Step{nil}
	case byInstance:
		if steps := backward(s); len(steps) > 0 {
			return [][]kernel.Step{steps}
		}
		return nil
	}
	return inductions(s, by)
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
func onIdentifier(s logic.Sequent, x logic.Term) []kernel.Step {
	b := s.Bank
	prop := s.Goal
	var premises []logic.Term
	for _, h := range s.Hyps {
		if b.Occurs(x, h) {
			premises = append(premises, h)
		}
	}
	if len(premises) > 0 {
		prop = b.App(logic.Implies, b.And(premises...), prop)
	}
	return induction(s, forAll(b, []logic.Term{x}, prop), x, nil)
}

// maxInductions bounds the variables of a goal on which induction is tried.
const maxInductions = 2

// onVariables returns induction on the variables of a goal ∀x·P⇒Q that P bounds from
// below, or says to be finite, the last one first, with the goal for all others as the
// property.
func onVariables(s logic.Sequent, by scheme) [][]kernel.Step {
	b := s.Bank
	if b.Op(s.Goal) != logic.Forall || b.Op(b.Arg(s.Goal, 0)) != logic.Implies {
		return nil
	}
	var xs []logic.Term
	for i, t := range b.Decls(s.Goal) {
		xs = append(xs, b.Free(fmt.Sprintf("?%d", i), t))
	}
	body := b.Instantiate(b.Arg(s.Goal, 0), xs)
	values := kernel.Witnesses(b, s.Goal)
	var out [][]kernel.Step
	for i, x := range slices.Backward(xs) {
		premise := b.Arg(body, 0)
		if len(out) == maxInductions || !says(b, premise, x, boundedBelow) && (by != stepwise || !says(b, premise, x, finite)) {
			continue
		}
		if by == stepwise {
			others := slices.Delete(slices.Clone(xs), i, i+1)
			property := forAll(b, []logic.Term{x}, forAll(b, others, body))
			out = append(out, induction(s, property, values[i], slices.Delete(slices.Clone(values), i, i+1)))
			continue
		}
		n := b.Free("?n", logic.IntType)
		upTo := b.App(logic.Implies, b.And(b.App(logic.Le, x, n), premise), b.Arg(body, 1))
		out = append(out, induction(s, forAll(b, []logic.Term{n}, forAll(b, xs, upTo)), values[i], values))
	}
	return out
}

// induction returns the axiom for a property ∀n·P, and its conclusion for the value x; if
// there are others, P is quantified, and the conclusion is taken for these.
func induction(s logic.Sequent, property, x logic.Term, others []logic.Term) []kernel.Step {
	b := s.Bank
	step := kernel.Step{Kind: kernel.Axiom, Name: "induction", Terms: []logic.Term{property}}
	if b.Type(x) != logic.IntType {
		step.Name = "finite.induction"
	}
	c, err := kernel.ClauseOf(s, step)
	if err != nil {
		return nil
	}
	out := []kernel.Step{step, {Kind: kernel.Inst, Terms: []logic.Term{c[len(c)-1].Atom(), x}}}
	if len(others) > 0 {
		all := b.Instantiate(b.Arg(property, 0), []logic.Term{x})
		out = append(out, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{all}, others...)})
	}
	return out
}

// forAll returns ∀xs·p for free identifiers xs.
func forAll(b *logic.Bank, xs []logic.Term, p logic.Term) logic.Term {
	if len(xs) == 0 {
		return p
	}
	var types []logic.Type
	for _, x := range xs {
		types = append(types, b.Type(x))
	}
	return b.Quant(logic.Forall, types, nil, b.Abstract(p, xs))
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
func boundedBelow(b *logic.Bank, p, x logic.Term) bool {
	number := func(t logic.Term) bool { return b.Op(t) == logic.Int && b.Value(t).Sign() >= 0 }
	switch b.Op(p) {
	case logic.Ge, logic.Gt:
		return b.Arg(p, 0) == x && number(b.Arg(p, 1))
	case logic.Le, logic.Lt:
		return b.Arg(p, 1) == x && number(b.Arg(p, 0))
	case logic.In:
		set := b.Arg(p, 1)
		switch b.Op(set) {
		case logic.Natural, logic.Natural1:
			return b.Arg(p, 0) == x
		case logic.UpTo:
			return b.Arg(p, 0) == x && number(b.Arg(set, 0))
		}
	}
	return false
}

// exponents returns the integer identifiers in exponents of t, in order of occurrence.
func exponents(b *logic.Bank, t logic.Term) []logic.Term {
	var powers []logic.Term
	seen := map[logic.Term]bool{}
	var visit func(logic.Term)
	visit = func(t logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if b.Op(t) == logic.Exp {
			powers = append(powers, b.Arg(t, 1))
		}
		for _, a := range b.Args(t) {
			visit(a)
		}
	}
	visit(t)
	return slices.DeleteFunc(b.FreeIdents(powers...), func(x logic.Term) bool { return b.Type(x) != logic.IntType })
}
