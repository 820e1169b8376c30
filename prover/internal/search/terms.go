package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// onTerm adds what is known of a term by its operator, once it is relevant.
func (ts *terms) onTerm(node euf.Node) {
	term := ts.g.Term(node)
	ts.ctx = ts.gen[node]
	switch ts.g.Op(node) {
	case logic.BoolOf:
		ts.axiom(sat.NoLit, "bool.of", term)
		ts.axiom(sat.NoLit, "bool", term)
	case logic.Eps, logic.Free:
		ts.splitCarrier(node)
	case logic.Apply:
		ts.onApply(term)
		ts.instances.wantArgument(node)
		ts.spell(node)
	case logic.SetExt:
		if ts.instances.sized {
			ts.takeApart(term)
		}
	case logic.Card, logic.Min, logic.Max:
		if ts.opts.Uncounted && ts.g.Op(node) == logic.Card {
			return
		}
		ts.instances.finiteness()
		ts.members.wantElements(ts.g.Args(node)[0])
		if ts.g.Op(node) == logic.Card {
			ts.aboutEmpty(ts.b.Type(ts.b.Arg(term, 0)))
			ts.counts(ts.g.Args(node)[0])
			ts.onCard(ts.b.Arg(term, 0))
		}
	}
}

// onApply adds the meaning of f(x): by definition for the functions of the
// language, otherwise x↦f(x)∈f if x∈dom(f).
func (ts *terms) onApply(t logic.Term) {
	f, x := ts.b.Arg(t, 0), ts.b.Arg(t, 1)
	switch ts.b.Op(f) {
	case logic.Id:
		ts.axiom(sat.NoLit, "apply.id", x)
	case logic.Succ:
		ts.axiom(sat.NoLit, "apply.succ", x)
	case logic.Pred:
		ts.axiom(sat.NoLit, "apply.pred", x)
	case logic.Prj1, logic.Prj2:
		if predicate := ts.pairOf(x); predicate == x {
			name := "apply.prj1"
			if ts.b.Op(f) == logic.Prj2 {
				name = "apply.prj2"
			}
			ts.axiom(sat.NoLit, name, ts.b.Arg(predicate, 0), ts.b.Arg(predicate, 1))
		}
	default:
		switch {
		case ts.b.Op(f) == logic.Compr:
			ts.beta(f, f, x)
		case ts.opts.Compute:
			ts.each(ts.node(f), func(m euf.Node) {
				if ts.g.Op(m) == logic.Compr {
					ts.beta(f, ts.g.Term(m), x)
				}
			})
		}
		ts.axiom(sat.NoLit, "apply.dom", f, x)
	}
}

// beta adds that f(x) = E[x] for f equal to set = {z·P∣z↦E}, if f is functional and x↦E[x]∈f,
// and has that decided.
func (ts *terms) beta(f, set, x logic.Term) {
	bank := ts.b
	body := bank.Arg(set, 1)
	if bank.Op(body) != logic.Maplet {
		return
	}
	vals := make([]logic.Term, len(bank.Decls(set)))
	if !ts.matchPattern(x, bank.Arg(body, 0), vals) || slices.Contains(vals, 0) {
		return
	}
	s, t := bank.RelPair(bank.Type(f))
	y := bank.Instantiate(bank.Arg(body, 1), vals)
	ts.members.entailed(bank.App(logic.Maplet, x, y), set)
	if f != set {
		ts.members.entailed(bank.App(logic.Maplet, x, y), f)
	}
	ts.member(f, bank.App(logic.PFun, bank.TypeExpr(s), bank.TypeExpr(t)))
	cs, step, ok := ts.table.Of(kernel.Lookup("apply.unique"), f, bank.TypeExpr(s), bank.TypeExpr(t), x, y)
	if !ok {
		return
	}
	ts.frontier.await(ts.add(cs[0], step))
}

// matchPattern sets the variables in pattern p to the components of x, and reports
// whether p consists of different variables only.
func (ts *terms) matchPattern(term, predicate logic.Term, vals []logic.Term) bool {
	switch ts.b.Op(predicate) {
	case logic.Maplet:
		term = ts.pairOf(term)
		return ts.matchPattern(ts.b.Arg(term, 0), ts.b.Arg(predicate, 0), vals) && ts.matchPattern(ts.b.Arg(term, 1), ts.b.Arg(predicate, 1), vals)
	case logic.Bound:
		i := len(vals) - 1 - ts.b.Index(predicate)
		if i >= 0 && vals[i] == 0 {
			vals[i] = term
			return true
		}
	}
	return false
}

// touch makes n and its arguments relevant.
func (ts *terms) touch(n euf.Node) {
	if ts.relevant[n] {
		return
	}
	ts.relevant[n] = true
	op := ts.g.Op(n)
	ts.byOp[op] = append(ts.byOp[op], n)
	ts.fresh = append(ts.fresh, n)
	if args := ts.g.Args(n); len(args) == 1 {
		ts.uses[args[0]] = append(ts.uses[args[0]], op)
	}
	for _, a := range ts.g.Args(n) {
		ts.touch(a)
		if ts.b.Type(ts.g.Term(a)) == logic.IntType && !arithmetical(op) {
			ts.ar.use(a)
		}
	}
}

func arithmetical(op logic.Op) bool {
	switch op {
	case logic.Eq, logic.Le, logic.Plus, logic.Minus, logic.Neg, logic.Times:
		return true
	}
	return false
}

// splitCarrier unfolds, for element n of a carrier set S, the membership in each set operation that equals S: all elements are
// in S, so that each is in one of its parts. (*resorts).splitCarriers asks this of all elements, new identifiers at once.
func (ts *terms) splitCarrier(n euf.Node) {
	term := ts.g.Term(n)
	if ts.b.TypeKind(ts.b.Type(term)) != logic.KindGiven {
		return
	}
	set := ts.g.Lookup(ts.b.TypeExpr(ts.b.Type(term)))
	if set == 0 {
		return
	}
	ts.each(set, func(m euf.Node) {
		s := ts.g.Term(m)
		if kernel.Membership(ts.g.Op(m)) == nil || ts.b.IsTypeExpr(s) || ts.hasElement(n, m) {
			return
		}
		ts.ctx = ts.gen[n]
		ts.member(term, s)
		ts.axiom(sat.NoLit, "type", term)
	})
}

// settle offers new relevant terms to the rules for terms and to the triggers. It reports
// whether clauses were added.
func (ts *terms) settle() bool {
	before := ts.sat.Clauses()
	for len(ts.fresh) > 0 {
		todo := ts.fresh
		ts.fresh = ts.offered[:0]
		for _, node := range todo {
			ts.onTerm(node)
			ts.instances.offer(node, false)
		}
		ts.offered = todo
	}
	return ts.sat.Clauses() > before
}
