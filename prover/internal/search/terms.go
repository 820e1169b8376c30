package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// terms owns what is known of terms other than atoms: how many steps they are away from the
// sequent, and which of them matter.
type terms struct {
	*engine
	gen      []int16                  // by node: its generation
	relevant []bool                   // by node
	byOp     [logic.NumOps][]euf.Node // relevant nodes
	fresh    []euf.Node               // relevant nodes not yet offered to rules
	uses     map[euf.Node][]logic.Op  // the op of relevant terms op(s), by s
}

func newTerms(e *engine) terms { return terms{engine: e, uses: map[euf.Node][]logic.Op{}} }

// grow gives new nodes the generation after the present one.
func (ts *terms) grow() {
	for len(ts.gen) < ts.g.Len() {
		ts.gen = append(ts.gen, ts.ctx+1)
		ts.relevant = append(ts.relevant, false)
	}
}

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
	case logic.Union, logic.SetExt:
		if ts.instances.sized {
			ts.takeApart(term)
		}
	case logic.Card, logic.Min, logic.Max:
		ts.instances.finiteness()
		ts.members.wantElements(ts.g.Args(node)[0])
		if ts.g.Op(node) == logic.Card {
			ts.aboutEmpty(ts.b.Type(ts.b.Arg(term, 0)))
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
	args := []logic.Term{f, bank.TypeExpr(s), bank.TypeExpr(t), x, y}
	cs, err := kernel.Lookup("apply.unique").Clauses(bank, args...)
	if err != nil {
		return
	}
	ts.frontier.await(ts.add(cs[0], kernel.Step{Kind: kernel.Axiom, Name: "apply.unique", Terms: args}))
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

// onFinite asks, of a relation that is said not to be finite, whether it is a
// function with finite domain.
func (ts *terms) onFinite(literal sat.Lit, right logic.Term) {
	s, t := ts.b.RelPair(ts.b.Type(right))
	lemma := "finite.function"
	key := askKey{askFinite, right, 0}
	if !literal.IsNeg() {
		key.b = 1
	}
	ts.aboutEmpty(ts.b.Type(right))
	if s == logic.NoType || !literal.IsNeg() && !ts.isGraph(right) || ts.asked[key] {
		return
	}
	ts.asked[key] = true
	if !literal.IsNeg() {
		ts.lemma("finite.dom", right)
		return
	}
	ts.lemma(lemma, right, ts.b.TypeExpr(s), ts.b.TypeExpr(t))
}

// fewElements is the number of elements up to which lemmas say that a set that is
// listed is finite.
const fewElements = 4

// takeApart asks whether t, the union of many sets or of many elements, is equal to
// a union of two, and whether that is finite.
func (ts *terms) takeApart(t logic.Term) {
	bank := ts.b
	args := bank.Args(t)
	var parts []logic.Term
	switch {
	case bank.Op(t) == logic.Union && len(args) > 2:
		parts = args
	case bank.Op(t) == logic.SetExt && len(args) > fewElements:
		for few := range slices.Chunk(args, fewElements) {
			parts = append(parts, bank.App(logic.SetExt, few...))
		}
	default:
		return
	}
	u := parts[0]
	for _, predicate := range parts[1:] {
		u = bank.App(logic.Union, u, predicate)
	}
	ts.frontier.split(ts.litOf(bank.App(logic.Eq, t, u)).Var())
	ts.frontier.split(ts.litOf(bank.App(logic.Finite, u)).Var())
}

// onCard compares set r with others whose elements are counted, as functions with
// their domains.
func (ts *terms) onCard(r logic.Term) {
	for _, n := range ts.byOp[logic.Card] {
		s := ts.b.Arg(ts.g.Term(n), 0)
		ts.asGraph(r, s)
		ts.asGraph(s, r)
	}
}

// asGraph adds that the set f of pairs has as many elements as s if f is a function and
// s its domain.
func (ts *terms) asGraph(f, s logic.Term) {
	x, y := ts.b.RelPair(ts.b.Type(f))
	key := askKey{askGraph, f, s}
	if x != ts.b.Elem(ts.b.Type(s)) || !ts.isGraph(f) || ts.asked[key] {
		return
	}
	ts.asked[key] = true
	ts.lemma("card.graph", f, ts.b.TypeExpr(x), ts.b.TypeExpr(y), s)
}

// isGraph reports whether r is a function of the language, a comprehension of
// pairs, or a restriction of such a set.
func (ts *terms) isGraph(right logic.Term) bool {
	switch ts.b.Op(right) {
	case logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return true
	case logic.Compr:
		return ts.b.Op(ts.b.Arg(right, 1)) == logic.Maplet
	case logic.DomRes, logic.DomSub:
		return ts.isGraph(ts.b.Arg(right, 1))
	case logic.RanRes, logic.RanSub:
		return ts.isGraph(ts.b.Arg(right, 0))
	}
	return false
}

// aboutEmpty adds that ∅ of type t is finite and has 0 elements.
func (ts *terms) aboutEmpty(t logic.Type) {
	empty := ts.b.Atom(logic.Empty, t)
	if key := (askKey{askEmpty, empty, 0}); !ts.asked[key] {
		ts.asked[key] = true
		ts.axiom(sat.NoLit, "finite.empty", empty)
		ts.axiom(sat.NoLit, "card.empty", empty)
	}
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

// splitCarrier does that for element n.
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
