package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// maxInductions bounds the identifiers of a goal on which induction is tried.
const maxInductions = 3

// inductively proves the goal by induction on its identifiers, one after the other, within the given steps: base and
// step are sequents of their own, as each needs little, and what the other needs would be in its way.
func (r *Result) inductively(strategy strategy, opts Options, steps int64) (won bool) {
	defer r.contain(&won)
	tried := 0
	for {
		plan := derive.New(r.Sequent, make([]string, len(r.Sequent.Hyps)))
		if known := opts.Undefined == nil || !opts.Undefined(-1); strategy.by == granted && known {
			plan.GrantGoal()
		} else if strategy.by == granted {
			return false
		}
		last := members(plan.Root.Intro())
		xs := variables(last, strategy.by)
		if tried >= min(len(xs), maxInductions) {
			return false
		}
		count := int64(min(len(xs), maxInductions))
		if induct(last, xs[tried], strategy.by) && r.join(plan, strategy, opts, steps/count) || r.Stopped || r.Steps >= opts.Steps {
			return r.Proof != nil
		}
		tried++
	}
}

// members states of the elements what n is to show of sets of numbers, one of them between bounds: of those it says all
// that an induction can show.
func members(n *derive.Node) *derive.Node {
	b := n.Bank()
	if op := b.Op(n.Goal); op != logic.SubsetEq && op != logic.Eq || b.Elem(b.Type(b.Arg(n.Goal, 0))) != logic.IntType {
		return n
	}
	from, into := b.Arg(n.Goal, 0), b.Arg(n.Goal, 1)
	switch b.Op(into) {
	case logic.Natural, logic.Natural1, logic.UpTo:
		if b.Op(n.Goal) == logic.Eq {
			from, into = into, from
		}
	}
	claim, _ := n.Members(from, into)
	return claim.Intro()
}

// induct makes the parts of n by induction on x: from n to n+1, or from all up to n to n+1.
func induct(n *derive.Node, x logic.Term, by scheme) bool {
	bank := n.Bank()
	xs := n.Local() // what the goal quantified, if x is one of them
	n.ForgetWD()
	total := by == complete || by == dividing || by == digitwise
	if total {
		if bank.Type(x) != logic.IntType {
			return false
		}
		// The goal for all x up to a bound is shown by induction on the bound.
		claim, _ := n.Upto(x)
		n = claim.Intro()
		x = n.Local()[len(n.Local())-len(bank.Decls(claim.Goal))]
	}
	if !slices.Contains(n.Local(), x) && bank.Type(x) == logic.IntType {
		claim, _ := n.Within(x)
		n = claim.Intro()
		x = n.Local()[len(n.Local())-len(bank.Decls(claim.Goal))]
	}
	base, step, _, err := n.Induct(x)
	if err != nil {
		return false
	}
	base, step = base.Intro(), step.Intro()
	if !slices.Contains(xs, x) && !total {
		return true
	}
	// The new terms that rules have chosen stand for the variables but x, in their order.
	at := func(part *derive.Node, skip int, value logic.Term) {
		news := part.Local()[skip:]
		var vals []logic.Term
		for _, y := range xs {
			if y == x {
				vals = append(vals, value)
			} else {
				vals, news = append(vals, news[0]), news[1:]
			}
		}
		part.InstWD(vals)
	}
	if bank.Type(x) == logic.IntType {
		at(base, 0, bank.Int64(0))
		at(step, 1, bank.App(logic.Plus, step.Local()[0], bank.Int64(1)))
	}
	if by == digitwise {
		distinguish(leaf(base))
		return distinguish(leaf(step))
	}
	return true
}

// leaf returns the node that is left to prove of n, of which each part is the only one.
func leaf(n *derive.Node) *derive.Node {
	for len(n.Parts) == 1 {
		n = n.Parts[0]
	}
	return n
}

// variables returns the identifiers on which induction may prove the goal of n: numbers that hypotheses bound from below and finite
// sets, that the goal mentions; those first on which functions are recursive, and of the others those that the goal
// quantified, the last one first. If by is dividing, they are those alone of whose quotients functions are recursive.
func variables(n *derive.Node, by scheme) []logic.Term {
	bank := n.Bank()
	var hyps []logic.Term
	for _, h := range n.Hyps {
		hyps = append(hyps, h.Term)
	}
	recursive := recursion(logic.Sequent{Bank: bank, Hyps: hyps}, logic.Plus)
	local := n.Local()
	candidates := slices.Clone(local)
	slices.Reverse(candidates)
	for _, x := range bank.FreeIdents(n.Goal) {
		if !slices.Contains(candidates, x) {
			candidates = append(candidates, x)
		}
	}
	powers := exponents(bank, n.Goal)
	low := map[logic.Term]bool{}
	// What is above something that is not negative is not negative, either.
	for range 2 {
		for _, h := range hyps {
			for _, x := range candidates {
				low[x] = low[x] || says(bank, h, x, func(b *logic.Bank, p, x logic.Term) bool { return boundedBelow(b, p, x, low) || finite(b, p, x) })
			}
		}
	}
	candidates = slices.DeleteFunc(candidates, func(x logic.Term) bool { return !low[x] && !slices.Contains(powers, x) })
	if by == dividing || by == digitwise {
		divided := recursion(logic.Sequent{Bank: bank, Hyps: hyps}, logic.Div)
		return slices.DeleteFunc(candidates, func(x logic.Term) bool {
			said := slices.ContainsFunc(append(hyps, n.Goal), func(p logic.Term) bool { return divided.on(x, p) })
			return bank.Type(x) != logic.IntType || !said
		})
	}
	slices.SortStableFunc(candidates, func(x, y logic.Term) int {
		rank := func(x logic.Term) int {
			switch {
			case recursive.on(x, n.Goal):
				return 0
			case slices.Contains(local, x):
				return 1
			}
			return 2
		}
		return rank(x) - rank(y)
	})
	return candidates
}

// arguments are places among the arguments of functions, from 0, by function.
type arguments struct {
	bank   *logic.Bank
	places map[function][]int
	values bool // functions that are values of others count, too
}

// function is a function that has a name, or what it is after some applications: f(x) is f after one.
type function struct {
	name    logic.Term
	applied int
}

// recursion returns the arguments on which hypotheses say that a function is recursive: they speak of
// its value for n+1, or another sum, or for a quotient.
func recursion(sequent logic.Sequent, by logic.Op) arguments {
	out := arguments{sequent.Bank, map[function][]int{}, by == logic.Div}
	for _, hypothesis := range sequent.Hyps {
		out.each(hypothesis, func(f function, place int, argument logic.Term) {
			if sequent.Bank.Op(argument) == by && !slices.Contains(out.places[f], place) {
				out.places[f] = append(out.places[f], place)
			}
		})
	}
	return out
}

// each calls found for the arguments of the applications in t of functions.
func (a arguments) each(t logic.Term, found func(f function, place int, argument logic.Term)) {
	if f, ok := a.applied(t); ok {
		place := 0
		rest := a.bank.Arg(t, 1)
		for ; a.bank.Op(rest) == logic.Maplet; rest = a.bank.Arg(rest, 0) {
			found(f, place, a.bank.Arg(rest, 1)) // x↦y↦z is (x↦y)↦z: the last one first
			place++
		}
		found(f, place, rest)
	}
	for _, part := range a.bank.Args(t) {
		a.each(part, found)
	}
}

// applied returns the function that t applies, if it is one that counts.
func (a arguments) applied(t logic.Term) (f function, ok bool) {
	if a.bank.Op(t) != logic.Apply {
		return f, false
	}
	for f.name = a.bank.Arg(t, 0); a.values && a.bank.Op(f.name) == logic.Apply; f.applied++ {
		f.name = a.bank.Arg(f.name, 0)
	}
	return f, a.bank.Op(f.name) == logic.Free
}

// on reports whether x occurs in such an argument in t.
func (a arguments) on(x, t logic.Term) bool {
	is := false
	a.each(t, func(f function, place int, argument logic.Term) {
		is = is || slices.Contains(a.places[f], place) && a.bank.Occurs(x, argument)
	})
	return is
}

// finite reports whether p says that x is finite.
func finite(b *logic.Bank, p, x logic.Term) bool {
	return b.Op(p) == logic.Finite && b.Arg(p, 0) == x
}

// boundedBelow reports whether p says that x is not negative, or above one of those in low.
func boundedBelow(bank *logic.Bank, predicate, x logic.Term, low map[logic.Term]bool) bool {
	number := func(t logic.Term) bool { return bank.Op(t) == logic.Int && bank.Value(t).Sign() >= 0 || low[t] }
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
		case logic.Dom: // a function on numbers is most often a sequence: whether its arguments are bounded is for the proof to show
			return bank.Arg(predicate, 0) == x
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
