package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
)

// trigger is a set of patterns that bind all variables, but for those that
// equations then define.
type trigger struct {
	pats []pattern
	lets []let
	open int // patterns that share no variable with those before them
}

// use returns op if pattern i is x∈s for a variable s and another pattern is op(s).
func (t *trigger) use(i int) logic.Op {
	p := &t.pats[i]
	if !p.lit || p.root.op != logic.In || p.root.args[1].kind != pSlot {
		return logic.Invalid
	}
	for _, other := range t.pats {
		r := &other.root
		if !other.lit && len(r.args) == 1 && r.args[0].kind == pSlot && r.args[0].slot == p.root.args[1].slot {
			return r.op
		}
	}
	return logic.Invalid
}

// let defines a variable by a term over others.
type let struct {
	slot int
	term logic.Term
}

// pattern is a term to find. If lit is set it is a predicate whose truth value
// must be sign for an instance to be of use.
type pattern struct {
	root pnode
	lit  bool
	sign int
}

// set returns s if p looks for x∈s with ground s, and otherwise 0.
func (p *pattern) set() euf.Node {
	if p.lit && p.root.op == logic.In && p.root.args[1].kind == pGround {
		return p.root.args[1].node
	}
	return 0
}

type pkind uint8

type pnode struct {
	kind pkind
	slot int
	node euf.Node
	add  logic.Term // the number
	op   logic.Op
	args []pnode
}

// candidate is an atom of the body, seen as a part of a disjunction.
type candidate struct {
	atom logic.Term
	sign int // truth value of the atom that leaves work for the rest; 0 if either
	off  int // binders between it and the quantifier
}

// body collects the atoms of quantifier f.
func (is *instances) body(f logic.Term, positive bool) []candidate {
	var out []candidate
	var walk func(t logic.Term, sign, off int)
	walk = func(t logic.Term, sign, off int) {
		args := is.b.Args(t)
		switch op := is.b.Op(t); op {
		case logic.True, logic.False:
		case logic.Not:
			walk(args[0], -sign, off)
		case logic.And, logic.Or:
			for _, a := range args {
				walk(a, sign, off)
			}
		case logic.Implies:
			walk(args[0], -sign, off)
			walk(args[1], sign, off)
		case logic.Iff:
			walk(args[0], 0, off)
			walk(args[1], 0, off)
		case logic.Forall, logic.Exists:
			walk(args[0], sign, off+len(is.b.Decls(t)))
		case logic.Neq, logic.NotIn, logic.NotSubset, logic.NotSubsetEq, logic.Lt, logic.Gt, logic.Ge:
			out = append(out, candidate{t, sign, off})
		default:
			out = append(out, candidate{t, -sign, off})
		}
	}
	// The sign is that of the whole body, as a formula to be refuted: an atom under an even number
	// of negations leaves work if it is false.
	sign := 1
	if !positive {
		sign = -1
	}
	walk(is.b.Arg(f, 0), sign, 0)
	return out
}

// compiler turns terms of a quantifier's body into patterns.
type compiler struct {
	e    *engine
	k    int // variables of the quantifier
	off  int
	wild int // first slot of inner variables
	mask uint64
	sums bool // compile sums of a variable and a number
}

func (c *compiler) compile(t logic.Term) (pnode, bool) {
	bank := c.e.b
	if bank.Depth(t) == 0 {
		return pnode{kind: pGround, node: c.e.node(t)}, true
	}
	op := bank.Op(t)
	if op == logic.Bound {
		i := bank.Index(t)
		if i < c.off {
			return pnode{kind: pSlot, slot: c.wild + i}, true
		}
		slot := c.k - 1 - (i - c.off)
		if slot < 0 {
			return pnode{}, false
		}
		c.mask |= 1 << slot
		return pnode{kind: pSlot, slot: slot}, true
	}
	if op == logic.Plus && c.sums {
		return c.sum(bank.Args(t))
	}
	// Sums are in normal form nowhere, so that a pattern x+y would hardly ever match; and inside a
	// binder there is nothing to match.
	if op.IsBinder() || connective(op) || op == logic.Plus || op == logic.Minus || op == logic.Times {
		return pnode{}, false
	}
	p := pnode{kind: pApp, op: op}
	for _, a := range bank.Args(t) {
		q, ok := c.compile(a)
		if !ok {
			return pnode{}, false
		}
		p.args = append(p.args, q)
	}
	return p, true
}

// sum compiles the sum of a variable and a number.
func (c *compiler) sum(args []logic.Term) (pnode, bool) {
	b := c.e.b
	if len(args) != 2 || b.Op(args[0]) != logic.Bound || b.Op(args[1]) != logic.Int {
		return pnode{}, false
	}
	p, ok := c.compile(args[0])
	p.kind, p.add = pSum, args[1]
	return p, ok
}

// scored is a pattern with the variables it binds.
type scored struct {
	pattern
	mask  uint64
	guard bool
}

// patterns are those that the atoms of a quantifier's body offer, by kind.
type patterns struct {
	atoms  []scored // memberships and the like
	ranges []scored // memberships in sets of integers given by bounds
	terms  []scored // that somebody asks for: applications, images, counts, …
	others []scored // operations on sets
	sums   []scored // applications to a variable and a number
}

// patternsOf compiles what it can of the candidates and the terms in them.
func (is *instances) patternsOf(cands []candidate, k int) patterns {
	var ps patterns
	wild := k
	for _, c := range cands {
		t := is.positiveAtom(c.atom)
		add := func(list *[]scored, u logic.Term, sums bool) *scored {
			comp := compiler{e: is.engine, k: k, off: c.off, wild: wild, sums: sums}
			p, ok := comp.compile(u)
			if !ok || comp.mask == 0 {
				return nil
			}
			*list = append(*list, scored{pattern: pattern{root: p}, mask: comp.mask})
			return &(*list)[len(*list)-1]
		}
		if op := is.b.Op(t); op == logic.In && !is.b.IsTypeExpr(is.b.Arg(t, 1)) || op == logic.Finite {
			list := &ps.atoms
			if op == logic.In && isRange(is.b.Op(is.b.Arg(t, 1))) {
				list = &ps.ranges
			}
			if a := add(list, t, false); a != nil {
				a.lit, a.sign, a.guard = true, c.sign, c.sign > 0
			}
		}
		wild += c.off
		is.subterms(t, func(u logic.Term) {
			switch is.b.Op(u) {
			case logic.SubsetEq, logic.Subset, logic.Apply, logic.Image, logic.Card, logic.Min, logic.Max, logic.Dom, logic.Ran, logic.Div, logic.Mod, logic.Exp:
				// An application to x+1 is no pattern as it stands; induction asks for those.
				if add(&ps.terms, u, false) == nil && is.opts.Sums && is.b.Op(u) == logic.Apply {
					add(&ps.sums, u, true)
				}
			case logic.Union, logic.Inter, logic.Diff, logic.CProd, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.Ovr, logic.FComp, logic.BComp, logic.Converse:
				add(&ps.others, u, false)
			}
		})
	}
	return ps
}

// chooseTriggers fills in q.triggers: memberships that bind all variables each, or
// else applications that do, or else a combination. That an integer lies in an
// interval is seldom stated but often true: triggers of that kind, and applications to x+1 if
// Options.Sums is set, are added to the others rather than taking their place.
func (is *instances) chooseTriggers(quantifier *quant) {
	k := len(quantifier.decls)
	if k > 60 { // masks have a bit for each variable
		return
	}
	cands := is.body(quantifier.f, !quantifier.lit.IsNeg())
	lets, defined := is.definitions(cands, k)
	ps := is.patternsOf(cands, k)
	need := (uint64(1)<<k - 1) &^ defined
	single := func(list []scored) bool {
		found := false
		for _, p := range list {
			if p.mask&need == need {
				quantifier.triggers = append(quantifier.triggers, trigger{pats: []pattern{p.pattern}, lets: lets})
				found = true
			}
		}
		return found
	}
	// Memberships come first: they guard the body, and one that is false makes the instance true.
	// Where none has all variables, applications are next, as a term f(x) is there because somebody
	// asks for it; then several patterns together; set operations come last, for they occur in most
	// bodies and match what others have made. Intervals are seldom named in facts, so that other
	// patterns are tried beside them.
	switch {
	case need == 0:
		quantifier.triggers = []trigger{{lets: lets}}
	case single(ps.atoms):
	default:
		found := single(ps.terms) || is.combine(quantifier, slices.Concat(ps.atoms, ps.terms), need, lets)
		if !found && quantifier.lit.IsNeg() {
			is.atEnds(quantifier, cands, slices.Concat(ps.atoms, ps.terms), need, lets)
		}
		if !single(ps.ranges) && !found && !is.combine(quantifier, slices.Concat(ps.atoms, ps.ranges, ps.terms), need, lets) {
			single(ps.others)
		}
	}
	single(ps.sums)
	for _, t := range quantifier.triggers {
		for _, p := range t.pats {
			is.wantPattern(p)
		}
	}
}

// atEnds makes triggers for variables of ∃ that no pattern binds but an interval does:
// they take the values of its ends.
func (is *instances) atEnds(quantifier *quant, cands []candidate, ps []scored, need uint64, lets []let) {
	rest := need
	for _, p := range ps {
		rest &^= p.mask
	}
	k := len(quantifier.decls)
	var ends [2][]let
	for i := range k {
		if rest&(1<<i) == 0 {
			continue
		}
		from, to := is.ends(cands, k, i, need&^rest)
		if from == 0 {
			return
		}
		ends[0], ends[1] = append(ends[0], let{i, from}), append(ends[1], let{i, to})
	}
	for _, l := range ends {
		is.combine(quantifier, slices.Clone(ps), need&^rest, append(l, lets...))
	}
}

// ends returns the ends of an interval that is to contain variable slot of k, terms
// over the variables in known; 0 if there is none.
func (is *instances) ends(cands []candidate, k, slot int, known uint64) (from, to logic.Term) {
	bank := is.b
	for _, c := range cands {
		t := is.positiveAtom(c.atom)
		if c.sign <= 0 || c.off != 0 || bank.Op(t) != logic.In {
			continue
		}
		x, set := bank.Arg(t, 0), bank.Arg(t, 1)
		if bank.Op(x) != logic.Bound || bank.Index(x) != k-1-slot || is.variables(set, k)&^known != 0 {
			continue
		}
		switch bank.Op(set) {
		case logic.UpTo:
			return bank.Arg(set, 0), bank.Arg(set, 1)
		case logic.Natural:
			return bank.Int64(0), bank.Int64(0)
		case logic.Natural1:
			return bank.Int64(1), bank.Int64(1)
		}
	}
	return 0, 0
}

// isRange reports whether the sets of op are given by bounds of integers.
func isRange(op logic.Op) bool {
	return op == logic.UpTo || op == logic.Natural || op == logic.Natural1
}

// combine makes one trigger of several patterns, guards first. It reports whether
// they bind all variables.
func (is *instances) combine(quantifier *quant, ps []scored, need uint64, lets []let) bool {
	slices.SortStableFunc(ps, func(a, b scored) int {
		switch {
		case a.guard && !b.guard:
			return -1
		case b.guard && !a.guard:
			return 1
		}
		return 0
	})
	var t trigger
	var bound uint64
	for _, p := range ps {
		if p.mask&need != 0 {
			if bound != 0 && p.mask&bound == 0 {
				t.open++
			}
			t.pats = append(t.pats, p.pattern)
			need &^= p.mask
			bound |= p.mask
		}
	}
	if need == 0 {
		t.lets = lets
		quantifier.triggers = append(quantifier.triggers, t)
	}
	return need == 0
}

// wantPattern asks for the elements of a set that a pattern x∈s looks at.
func (is *instances) wantPattern(p pattern) {
	if s := p.set(); s != 0 && p.sign >= 0 {
		is.members.wantElements(s)
	}
}

// subterms calls f for the subterms of t outside binders.
func (is *instances) subterms(t logic.Term, f func(logic.Term)) {
	f(t)
	if is.b.Op(t).IsBinder() {
		return
	}
	for _, a := range is.b.Args(t) {
		is.subterms(a, f)
	}
}

// definitions finds equations x=t among the premises that define variables by
// others: the one-point rule. An equation between pairs is one for each component.
func (is *instances) definitions(cands []candidate, k int) ([]let, uint64) {
	var lets []let
	var defined, used uint64
	define := func(x, u logic.Term) bool {
		slot := k - 1 - is.b.Index(x)
		if slot < 0 {
			return false
		}
		m := is.variables(u, k)
		// A definition must not be circular: neither may its term mention a defined variable, nor may
		// its variable occur in the term of another definition.
		if bit := uint64(1) << slot; m&bit == 0 && defined&bit == 0 && used&bit == 0 && m&defined == 0 {
			defined |= bit
			used |= m
			lets = append(lets, let{slot, u})
			return true
		}
		return false
	}
	var equate func(x, u logic.Term)
	equate = func(x, u logic.Term) {
		for range 2 {
			switch is.b.Op(x) {
			case logic.Bound:
				if define(x, u) {
					return
				}
			case logic.Maplet:
				if is.b.Depth(x) > 0 {
					equate(is.b.Arg(x, 0), is.component(u, 0))
					equate(is.b.Arg(x, 1), is.component(u, 1))
					return
				}
			}
			x, u = u, x
		}
	}
	for _, c := range cands {
		if term := is.equation(is.positiveAtom(c.atom)); is.b.Op(term) == logic.Eq && c.sign > 0 && c.off == 0 {
			equate(is.b.Arg(term, 0), is.b.Arg(term, 1))
		}
	}
	return lets, defined
}

// equation returns t, or the equation that says of which sets s is the union, if t is
// partition(s,…).
func (is *instances) equation(term logic.Term) logic.Term {
	args := is.b.Args(term)
	if is.b.Op(term) != logic.Partition {
		return term
	}
	union := is.b.Atom(logic.Empty, is.b.Type(args[0]))
	switch len(args) {
	case 1:
	case 2:
		union = args[1]
	default:
		union = is.b.App(logic.Union, args[1:]...)
	}
	return is.b.App(logic.Eq, args[0], union)
}

// variables returns the set of the k variables of a binder that t mentions.
func (is *instances) variables(t logic.Term, k int) uint64 {
	var mask uint64
	var walk func(t logic.Term, level int)
	walk = func(t logic.Term, level int) {
		if is.b.Depth(t) <= level {
			return
		}
		op := is.b.Op(t)
		if op == logic.Bound {
			if i := is.b.Index(t) - level; i < k {
				mask |= 1 << (k - 1 - i)
			}
			return
		}
		if op.IsBinder() {
			level += len(is.b.Decls(t))
		}
		for _, a := range is.b.Args(t) {
			walk(a, level)
		}
	}
	walk(t, 0)
	return mask
}
