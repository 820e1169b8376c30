package prover

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Principles of induction that a model states itself, of closures, well-founded relations or trees, are
// hypotheses ∀s·P(s) over sets. What proves a goal with them is the set of all that have the property
// that the goal states, or of all that lack it. No term of the sequent is that set, so the search would
// not find it.

// maxComprehended bounds the instances of hypotheses for sets of a goal.
const maxComprehended = 24

// comprehended returns the instances of hypotheses ∀s·P⇒Q for the sets that the goal comprehends, and of hypotheses
// over several variables whose conclusion R⊆s is about a relation or a set R that the goal mentions, each
// after its hypothesis.
func comprehended(sequent logic.Sequent) [][]kernel.Step {
	bank := sequent.Bank
	types := quantifiedSets(sequent)
	if len(types) == 0 {
		return nil
	}
	var out [][]kernel.Step
	state := func(i int, steps []kernel.Step) {
		if len(out) < maxComprehended {
			out = append(out, append([]kernel.Step{{Kind: kernel.Hyp, Index: i}}, steps...))
		}
	}
	for _, class := range classes(sequent, types) {
		typ := bank.Type(class.set)
		for i, hypothesis := range sequent.Hyps {
			if bank.Op(hypothesis) != logic.Forall {
				continue
			}
			switch decls := bank.Decls(hypothesis); {
			case len(decls) == 1 && decls[0] == typ && bank.Op(bank.Arg(hypothesis, 0)) == logic.Implies:
				state(i, []kernel.Step{{Kind: kernel.Inst, Terms: []logic.Term{hypothesis, class.set}}})
			case len(decls) > 1 && class.of != 0 && slices.Contains(decls, typ):
				matcher{bank: bank}.conclude(hypothesis, bank.App(logic.SubsetEq, class.of, class.set), func(steps []kernel.Step, _ []logic.Term) { state(i, steps) })
			}
		}
	}
	return out
}

// quantifiedSets returns the types of sets over which hypotheses are quantified.
func quantifiedSets(sequent logic.Sequent) []logic.Type {
	var out []logic.Type
	for _, hypothesis := range sequent.Hyps {
		if sequent.Bank.Op(hypothesis) != logic.Forall {
			continue
		}
		for _, typ := range sequent.Bank.Decls(hypothesis) {
			if sequent.Bank.Elem(typ) != logic.NoType && !slices.Contains(out, typ) {
				out = append(out, typ)
			}
		}
	}
	return out
}

// class is the set of all that have a property, as elements of set `of` if that is not 0.
type class struct{ set, of logic.Term }

// classes returns the sets of the given types that the goal comprehends.
func classes(sequent logic.Sequent, types []logic.Type) []class {
	bank := sequent.Bank
	var out []class
	add := func(element, property, of logic.Term, vars []logic.Term) {
		if !slices.Contains(types, bank.PowType(bank.Type(element))) {
			return
		}
		decls := make([]logic.Type, len(vars))
		for i, x := range vars {
			decls[i] = bank.Type(x)
		}
		set := bank.Quant(logic.Compr, decls, nil, bank.Abstract(property, vars), bank.Abstract(element, vars))
		if known := (class{set, of}); !slices.Contains(out, known) {
			out = append(out, known)
		}
	}
	// Each claim gives the elements for which it holds, and those for which it fails.
	for _, claim := range claims(sequent) {
		for _, x := range claim.vars {
			holds, fails := claim.without(bank, []logic.Term{x}, -1)
			add(x, holds, 0, []logic.Term{x})
			add(x, fails, 0, []logic.Term{x})
		}
		for i, premise := range claim.premises {
			if bank.Op(premise) != logic.In {
				continue
			}
			element, of := bank.Arg(premise, 0), bank.Arg(premise, 1)
			vars := claim.tuple(bank, element)
			// A set that depends on the variables is not one set.
			if vars == nil || slices.ContainsFunc(claim.vars, func(x logic.Term) bool { return bank.Occurs(x, of) }) {
				continue
			}
			holds, fails := claim.without(bank, vars, i)
			add(element, holds, of, vars)
			add(element, bank.And(premise, holds), of, vars)
			add(element, bank.And(premise, fails), of, vars)
		}
	}
	for _, typ := range types {
		for _, set := range told(sequent, typ) {
			if known := (class{set, 0}); !slices.Contains(out, known) {
				out = append(out, known)
			}
		}
	}
	return out
}

const (
	maxTold     = 6 // sets that are taken of what the goal is about
	maxElements = 5 // of one of them
)

// told returns sets of a type that the goal is about though it states no property of theirs: that of its constants, or of all, as a
// cycle has; its own sets without a constant; and of pairs the relations that do not lead out of one of its sets.
func told(sequent logic.Sequent, typ logic.Type) (out []logic.Term) {
	bank := sequent.Bank
	from, to := bank.RelPair(typ)
	var elements, sets []logic.Term
	for _, x := range constants(sequent) {
		switch {
		case bank.Type(x) == bank.Elem(typ):
			elements = append(elements, x)
		case bank.Type(x) == typ:
			sets = append(sets, x)
		// The relation {a ↦ b ∣ a ∈ x ⇒ b ∈ x} contains whatever does not lead out of x.
		case from != logic.NoType && from == to && bank.Type(x) == bank.PowType(from):
			s := spreader{bank: bank}
			pair := []logic.Term{s.fresh(from), s.fresh(to)}
			kept := bank.App(logic.Implies, bank.App(logic.In, pair[0], x), bank.App(logic.In, pair[1], x))
			out = append(out, bank.Quant(logic.Compr, []logic.Type{from, to}, nil, bank.Abstract(kept, pair), bank.Abstract(bank.App(logic.Maplet, pair...), pair)))
		}
	}
	for _, set := range sets {
		for _, x := range elements {
			out = append(out, bank.App(logic.Diff, set, bank.App(logic.SetExt, x)))
		}
	}
	all := slices.Clone(elements)
	for _, x := range bank.FreeIdents(sequent.Hyps...) {
		if bank.Type(x) == bank.Elem(typ) && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	// The constants of the goal come first, then those of all hypotheses. Larger sets make the instances too large.
	for _, some := range [][]logic.Term{elements, all} {
		if len(some) > 0 && len(some) <= maxElements {
			out = append(out, bank.App(logic.SetExt, some...))
		}
	}
	return out[:min(len(out), maxTold)]
}

// constants returns the identifiers of the goal, and the witnesses that the search will choose for its outer variables.
func constants(sequent logic.Sequent) []logic.Term {
	bank := sequent.Bank
	out := bank.FreeIdents(sequent.Goal)
	for goal := sequent.Goal; bank.Op(goal) == logic.Forall || bank.Op(goal) == logic.Implies; {
		if bank.Op(goal) == logic.Implies {
			goal = bank.Arg(goal, 1)
			continue
		}
		witnesses := kernel.Witnesses(bank, goal)
		out = append(out, witnesses...)
		goal = bank.Instantiate(bank.Arg(goal, 0), witnesses)
	}
	return out
}

// claim is ∀vars·premises⇒conclusion, with the variables as free identifiers.
type claim struct {
	vars, premises []logic.Term
	conclusion     logic.Term
}

// without returns what the claim says of vars, and its negation, the other variables quantified and premise i
// left out.
func (c claim) without(bank *logic.Bank, vars []logic.Term, i int) (holds, fails logic.Term) {
	others := slices.DeleteFunc(slices.Clone(c.vars), func(x logic.Term) bool { return slices.Contains(vars, x) })
	premises := slices.Clone(c.premises)
	if i >= 0 {
		premises = slices.Delete(premises, i, i+1)
	}
	holds = c.conclusion
	if len(premises) > 0 {
		holds = bank.App(logic.Implies, bank.And(premises...), holds)
	}
	fails = bank.And(append(premises, bank.Not(c.conclusion))...)
	return quantified(bank, logic.Forall, others, holds), quantified(bank, logic.Exists, others, fails)
}

// tuple returns the variables of the claim that t pairs; nil if t is no variable and no pair of these.
func (c claim) tuple(bank *logic.Bank, t logic.Term) []logic.Term {
	if bank.Op(t) != logic.Maplet {
		if slices.Contains(c.vars, t) {
			return []logic.Term{t}
		}
		return nil
	}
	left, right := c.tuple(bank, bank.Arg(t, 0)), c.tuple(bank, bank.Arg(t, 1))
	if left == nil || right == nil || slices.ContainsFunc(right, func(x logic.Term) bool { return slices.Contains(left, x) }) {
		return nil
	}
	return append(left, right...)
}

// claims returns what the goal says of all values of its variables, then of one variable with the witnesses that the
// search will choose for the outer ones, and of its free identifiers with the hypotheses about them as premises.
func claims(sequent logic.Sequent) []claim {
	bank := sequent.Bank
	var out []claim
	s := spreader{bank: bank, found: &out}
	goal := sequent.Goal
	s.spread(claim{}, goal)
	for bank.Op(goal) == logic.Forall {
		witnesses := kernel.Witnesses(bank, goal)
		body := bank.Arg(goal, 0)
		for i := range witnesses {
			if len(witnesses) > 1 {
				values := slices.Clone(witnesses)
				values[i] = s.fresh(bank.Type(witnesses[i]))
				s.spread(claim{vars: values[i : i+1]}, bank.Instantiate(body, values))
			}
		}
		goal = bank.Instantiate(body, witnesses)
		for bank.Op(goal) == logic.Implies {
			goal = bank.Arg(goal, 1)
		}
		s.spread(claim{}, goal)
	}
	for _, x := range bank.FreeIdents(sequent.Goal) {
		c := claim{vars: []logic.Term{x}, conclusion: sequent.Goal}
		for _, hypothesis := range sequent.Hyps {
			if bank.Occurs(x, hypothesis) {
				c.premises = append(c.premises, hypothesis)
			}
		}
		// An identifier of which much is known is a constant of the model, about which nothing is shown by induction.
		if len(c.premises) <= maxPremises {
			out = append(out, c)
		}
	}
	return out
}

// maxPremises is the number of hypotheses up to which an identifier is taken for a variable.
const maxPremises = 3

// spreader takes a formula apart into claims.
type spreader struct {
	bank  *logic.Bank
	found *[]claim
	count int
}

func (s *spreader) fresh(typ logic.Type) logic.Term {
	s.count++
	return s.bank.Free(fmt.Sprintf("?%d", s.count), typ)
}

// spread adds the claims that t makes under what c has so far; inclusions and equations of sets are claims about
// all elements.
func (s *spreader) spread(c claim, t logic.Term) {
	bank := s.bank
	// Clipped, so that the branches of a conjunction do not append to each other's premises.
	c.vars, c.premises = slices.Clip(c.vars), slices.Clip(c.premises)
	switch op := bank.Op(t); op {
	case logic.Forall:
		values := make([]logic.Term, len(bank.Decls(t)))
		for i, typ := range bank.Decls(t) {
			values[i] = s.fresh(typ)
		}
		c.vars = append(c.vars, values...)
		s.spread(c, bank.Instantiate(bank.Arg(t, 0), values))
	case logic.Implies:
		s.suppose(&c, bank.Arg(t, 0))
		s.spread(c, bank.Arg(t, 1))
	case logic.And:
		for _, part := range bank.Args(t) {
			s.spread(c, part)
		}
	case logic.SubsetEq, logic.Eq:
		left, right := bank.Arg(t, 0), bank.Arg(t, 1)
		if bank.Elem(bank.Type(left)) == logic.NoType {
			*s.found = append(*s.found, c)
			(*s.found)[len(*s.found)-1].conclusion = t
			return
		}
		s.include(c, left, right)
		if op == logic.Eq {
			s.include(c, right, left)
		}
	default:
		c.conclusion = t
		*s.found = append(*s.found, c)
	}
}

// include adds the claim that each element of left is one of right.
func (s *spreader) include(c claim, left, right logic.Term) {
	bank := s.bank
	if bank.Op(left) == logic.Empty || bank.IsTypeExpr(right) {
		return
	}
	x := s.element(&c, bank.Elem(bank.Type(left)))
	s.suppose(&c, bank.App(logic.In, x, left))
	c.conclusion = bank.App(logic.In, x, right)
	if bank.Op(right) == logic.Empty {
		c.conclusion = bank.App(logic.False)
	}
	*s.found = append(*s.found, c)
}

// element returns a new variable of the type, or a pair of such.
func (s *spreader) element(c *claim, typ logic.Type) logic.Term {
	if s.bank.TypeKind(typ) == logic.KindProd {
		left, right := s.bank.Pair(typ)
		x := s.element(c, left)
		return s.bank.App(logic.Maplet, x, s.element(c, right))
	}
	x := s.fresh(typ)
	c.vars = append(c.vars, x)
	return x
}

// suppose adds t to the premises, and in its place what it means where that is about the pairs of a relation.
func (s *spreader) suppose(c *claim, t logic.Term) {
	bank := s.bank
	c.premises = slices.Clip(c.premises)
	switch bank.Op(t) {
	case logic.And:
		for _, part := range bank.Args(t) {
			s.suppose(c, part)
		}
		return
	case logic.In:
		x, set := bank.Arg(t, 0), bank.Arg(t, 1)
		pair := func(x, y, r logic.Term) { s.suppose(c, bank.App(logic.In, bank.App(logic.Maplet, x, y), r)) }
		switch bank.Op(set) {
		case logic.Dom:
			r := bank.Arg(set, 0)
			_, typ := bank.RelPair(bank.Type(r))
			pair(x, s.element(c, typ), r)
			return
		case logic.Ran:
			r := bank.Arg(set, 0)
			typ, _ := bank.RelPair(bank.Type(r))
			pair(s.element(c, typ), x, r)
			return
		case logic.Image:
			r := bank.Arg(set, 0)
			typ, _ := bank.RelPair(bank.Type(r))
			y := s.element(c, typ)
			pair(y, x, r)
			s.suppose(c, bank.App(logic.In, y, bank.Arg(set, 1)))
			return
		case logic.FComp:
			// Pairs of a composition of more than two are left to the search.
			if parts := bank.Args(set); len(parts) == 2 && bank.Op(x) == logic.Maplet {
				_, typ := bank.RelPair(bank.Type(parts[0]))
				y := s.element(c, typ)
				pair(bank.Arg(x, 0), y, parts[0])
				pair(y, bank.Arg(x, 1), parts[1])
				return
			}
		case logic.Inter:
			for _, part := range bank.Args(set) {
				s.suppose(c, bank.App(logic.In, x, part))
			}
			return
		}
	}
	c.premises = append(c.premises, t)
}
