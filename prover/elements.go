package prover

import (
	"fmt"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/prover/derive"
)

// shaped proves the goal after it has shown of the functions f(x) in it, where hypotheses define a set {f·P∣f} of such functions, that
// these are elements of it, what P says exists, and that their values are pairs if all are, within the given steps in all. Rules
// about x↦(y↦z)∈f do not match a value f(x) of which nothing but the type is known.
func (r *Result) shaped(strategy strategy, opts Options, steps int64) bool {
	plan := r.plan(opts)
	last := plan.Root.Intro()
	b := last.Bank()
	found := false
	for _, f := range applied(b, last.Goal, nil) {
		set, property := kind(last, f)
		if set == 0 {
			continue
		}
		_, last = last.State(b.App(logic.In, f, set))
		_, last = last.State(property)
		last = exhibit(last)
		for _, fact := range paired(last, f) {
			_, last = last.State(fact)
			found = true
		}
	}
	return found && r.join(plan, strategy, opts, steps)
}

// kind returns the first identifier that hypotheses of n define as a set {x·P∣x} of what has the type of f, and P of f; 0 if
// there is none.
func kind(n *derive.Node, f logic.Term) (set, property logic.Term) {
	b := n.Bank()
	if b.Elem(b.Type(f)) == logic.NoType {
		return 0, 0
	}
	for _, h := range n.Hyps {
		if b.Op(h.Term) != logic.Eq || b.Op(b.Arg(h.Term, 0)) != logic.Free || b.Op(b.Arg(h.Term, 1)) != logic.Compr {
			continue
		}
		if c := b.Arg(h.Term, 1); len(b.Decls(c)) == 1 && b.Decls(c)[0] == b.Type(f) && b.Op(b.Arg(c, 1)) == logic.Bound {
			return b.Arg(h.Term, 0), b.Instantiate(b.Arg(c, 0), []logic.Term{f})
		}
	}
	return 0, 0
}

// exhibit names what the last hypothesis of n says exists.
func exhibit(n *derive.Node) *derive.Node {
	b := n.Bank()
	at := len(n.Hyps) - 1
	if b.Op(n.Hyps[at].Term) != logic.Exists {
		return n
	}
	var names []string
	for _, x := range fresh(n, b.Decls(n.Hyps[at].Term)...) {
		names = append(names, b.Name(x))
	}
	if m, err := n.Obtain(at, names); err == nil {
		return m
	}
	return n
}

// paired returns, where the last hypothesis of n says that f is a total function from a set into pairs, that each element of the set
// has such a pair; likewise of the ends of a sequence.
func paired(n *derive.Node, f logic.Term) (facts []logic.Term) {
	b := n.Bank()
	for _, part := range formula.Conjuncts(b, n.Hyps[len(n.Hyps)-1].Term) {
		if b.Op(part) != logic.In || b.Arg(part, 0) != f {
			continue
		}
		switch functions := b.Arg(part, 1); b.Op(functions) {
		case logic.TFun, logic.TInj, logic.TSur, logic.TBij:
			from, into := b.Arg(functions, 0), b.Arg(functions, 1)
			if b.Op(into) != logic.CProd {
				continue
			}
			xs := fresh(n, b.Elem(b.Type(from)), b.Elem(b.Type(b.Arg(into, 0))), b.Elem(b.Type(b.Arg(into, 1))))
			pair := b.App(logic.In, b.App(logic.Maplet, xs[0], b.App(logic.Maplet, xs[1], xs[2])), f)
			some := b.And(pair, b.App(logic.In, xs[1], b.Arg(into, 0)), b.App(logic.In, xs[2], b.Arg(into, 1)))
			some = b.App(logic.Implies, b.App(logic.In, xs[0], from), quantified(b, logic.Exists, xs[1:], some))
			facts = append(facts, forAll(b, xs[:1], some))
			if b.Op(from) == logic.UpTo {
				for _, end := range b.Args(from) {
					facts = append(facts, b.Subst(some, map[logic.Term]logic.Term{xs[0]: end}))
				}
			}
		}
	}
	return facts
}

// fresh returns identifiers of these types that are not among those of n.
func fresh(n *derive.Node, types ...logic.Type) (xs []logic.Term) {
	taken := n.Identifiers()
	for i, typ := range types {
		name := fmt.Sprint("x", i)
		for k := 0; taken[name] != 0; k++ {
			name = fmt.Sprint("x", i, "_", k)
		}
		xs = append(xs, n.Bank().Free(name, typ))
	}
	return xs
}
