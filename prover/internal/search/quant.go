package search

import (
	"encoding/binary"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// quant is a quantified formula that became true as a universal statement: ∀ that
// is true or ∃ that is false.
type quant struct {
	id       int
	lit      sat.Lit
	f        logic.Term
	decls    []logic.Type
	gen      int16
	triggers []trigger
	uses     int // instances made
	rule     *compiled
}

// offerTo is a place where a term of some operator may match.
type offerTo struct {
	q        *quant
	trig, at int
}

// addQuant numbers q and enters its patterns, by what a term needs to be of use to
// them.
func (e *engine) addQuant(q *quant) {
	q.id = len(e.quants)
	e.quants = append(e.quants, q)
	for i, t := range q.triggers {
		for j, p := range t.pats {
			list := &e.byPattern[p.root.op]
			to := offerTo{q, i, j}
			switch s, use := p.set(), t.use(j); {
			case s != 0:
				e.byElement[s] = append(e.byElement[s], to)
				continue
			case p.lit && p.root.op == logic.In && p.root.args[1].kind == pApp:
				list = &e.byShape[p.root.args[1].op]
			case use != logic.Invalid:
				list = &e.byUse[use]
			}
			*list = append(*list, to)
		}
	}
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

// trigger is a set of patterns that bind all variables, but for those that
// equations then define.
type trigger struct {
	pats []pattern
	lets []let
	open int // patterns that share no variable with those before them
}

// looseInstances bounds, for each generation that is let in, the instances of a
// quantifier by a trigger whose patterns are not connected by variables.
const looseInstances = 100

// full reports whether no more instances of q by t are wanted now.
func (e *engine) full(q *quant, t *trigger) bool {
	return t.open > 0 && q.uses > looseInstances*(1+int(e.limit))
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

// let defines a variable by a term over others.
type let struct {
	slot int
	term logic.Term
}

type pkind uint8

const (
	pSlot   pkind = iota // a variable
	pGround              // a closed term
	pSum                 // a variable plus a number
	pApp
)

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

// activate makes the quantified formula of l a source of instances.
func (e *engine) activate(l sat.Lit, f logic.Term) {
	if e.quantOf[l] != nil {
		return
	}
	q := &quant{lit: l, f: f, decls: e.b.Decls(f), gen: max(e.gens[l.Var()], 0)}
	e.quantOf[l] = q
	e.chooseTriggers(q)
	e.addQuant(q)
	for i := range q.triggers {
		e.matchAll(q, &q.triggers[i])
	}
}

// body collects the atoms of quantifier f.
func (e *engine) body(f logic.Term, positive bool) []candidate {
	var out []candidate
	var walk func(t logic.Term, sign, off int)
	walk = func(t logic.Term, sign, off int) {
		args := e.b.Args(t)
		switch op := e.b.Op(t); op {
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
			walk(args[0], sign, off+len(e.b.Decls(t)))
		case logic.Neq, logic.NotIn, logic.NotSubset, logic.NotSubsetEq, logic.Lt, logic.Gt, logic.Ge:
			out = append(out, candidate{t, sign, off})
		default:
			out = append(out, candidate{t, -sign, off})
		}
	}
	sign := 1
	if !positive {
		sign = -1
	}
	walk(e.b.Arg(f, 0), sign, 0)
	return out
}

// positiveAtom returns ∈, = for ∉, ≠.
func (e *engine) positiveAtom(t logic.Term) logic.Term {
	switch e.b.Op(t) {
	case logic.Neq:
		return e.b.App(logic.Eq, e.b.Args(t)...)
	case logic.NotIn:
		return e.b.App(logic.In, e.b.Args(t)...)
	case logic.NotSubset:
		return e.b.App(logic.Subset, e.b.Args(t)...)
	case logic.NotSubsetEq:
		return e.b.App(logic.SubsetEq, e.b.Args(t)...)
	}
	return t
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
	b := c.e.b
	if b.Depth(t) == 0 {
		return pnode{kind: pGround, node: c.e.node(t)}, true
	}
	op := b.Op(t)
	if op == logic.Bound {
		i := b.Index(t)
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
		return c.sum(b.Args(t))
	}
	if op.IsBinder() || connective(op) || op == logic.Plus || op == logic.Minus || op == logic.Times {
		return pnode{}, false
	}
	p := pnode{kind: pApp, op: op}
	for _, a := range b.Args(t) {
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

// chooseTriggers fills in q.triggers: memberships that bind all variables each, or
// else applications that do, or else a combination. That an integer lies in an
// interval is seldom stated but often true, so such memberships are triggers that
// do not spare others, and so are, if asked for, applications to x+1.
func (e *engine) chooseTriggers(q *quant) {
	k := len(q.decls)
	if k > 60 {
		return
	}
	full := uint64(1)<<k - 1
	cands := e.body(q.f, !q.lit.IsNeg())
	lets, defined := e.definitions(cands, k)
	wild := k
	var atoms, ranges, terms, sums, others []scored
	for _, c := range cands {
		t := e.positiveAtom(c.atom)
		op := e.b.Op(t)
		comp := compiler{e: e, k: k, off: c.off, wild: wild}
		wild += c.off
		if op == logic.In && !e.b.IsTypeExpr(e.b.Arg(t, 1)) || op == logic.Finite {
			if p, ok := comp.compile(t); ok && comp.mask != 0 {
				a := scored{pattern{p, true, c.sign}, comp.mask, c.sign > 0}
				if op == logic.In && isRange(e.b.Op(e.b.Arg(t, 1))) {
					ranges = append(ranges, a)
				} else {
					atoms = append(atoms, a)
				}
			}
		}
		e.subterms(t, func(u logic.Term) {
			switch e.b.Op(u) {
			case logic.SubsetEq, logic.Subset, logic.Apply, logic.Image, logic.Card, logic.Min, logic.Max, logic.Dom, logic.Ran, logic.Div, logic.Mod, logic.Exp:
				comp := compiler{e: e, k: k, off: c.off, wild: wild}
				if p, ok := comp.compile(u); ok && comp.mask != 0 {
					terms = append(terms, scored{pattern{root: p}, comp.mask, false})
				} else if !ok && e.opts.Sums && e.b.Op(u) == logic.Apply {
					comp = compiler{e: e, k: k, off: c.off, wild: wild, sums: true}
					if p, ok := comp.compile(u); ok && comp.mask != 0 {
						sums = append(sums, scored{pattern{root: p}, comp.mask, false})
					}
				}
			case logic.Union, logic.Inter, logic.Diff, logic.CProd, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.Ovr, logic.FComp, logic.BComp, logic.Converse:
				comp := compiler{e: e, k: k, off: c.off, wild: wild}
				if p, ok := comp.compile(u); ok && comp.mask != 0 {
					others = append(others, scored{pattern{root: p}, comp.mask, false})
				}
			}
		})
	}
	need := full &^ defined
	single := func(ps []scored) bool {
		found := false
		for _, p := range ps {
			if p.mask&need == need {
				q.triggers = append(q.triggers, trigger{pats: []pattern{p.pattern}, lets: lets})
				found = true
			}
		}
		return found
	}
	switch {
	case need == 0:
		q.triggers = []trigger{{lets: lets}}
	case single(atoms):
	default:
		found := single(terms) || e.combine(q, append(slices.Clone(atoms), terms...), need, lets)
		if !found && q.lit.IsNeg() {
			e.atEnds(q, cands, slices.Concat(atoms, terms), need, lets)
		}
		if !single(ranges) && !found && !e.combine(q, slices.Concat(atoms, ranges, terms), need, lets) {
			single(others)
		}
	}
	single(sums)
	for _, t := range q.triggers {
		for _, p := range t.pats {
			e.wantPattern(p)
		}
	}
}

// atEnds makes triggers for variables of ∃ that no pattern binds but an interval does:
// they take the values of its ends.
func (e *engine) atEnds(q *quant, cands []candidate, ps []scored, need uint64, lets []let) {
	rest := need
	for _, p := range ps {
		rest &^= p.mask
	}
	k := len(q.decls)
	var ends [2][]let
	for i := range k {
		if rest&(1<<i) == 0 {
			continue
		}
		from, to := e.ends(cands, k, i, need&^rest)
		if from == 0 {
			return
		}
		ends[0], ends[1] = append(ends[0], let{i, from}), append(ends[1], let{i, to})
	}
	for _, l := range ends {
		e.combine(q, slices.Clone(ps), need&^rest, append(l, lets...))
	}
}

// ends returns the ends of an interval that is to contain variable slot of k, terms
// over the variables in known; 0 if there is none.
func (e *engine) ends(cands []candidate, k, slot int, known uint64) (from, to logic.Term) {
	b := e.b
	for _, c := range cands {
		t := e.positiveAtom(c.atom)
		if c.sign <= 0 || c.off != 0 || b.Op(t) != logic.In {
			continue
		}
		x, s := b.Arg(t, 0), b.Arg(t, 1)
		if b.Op(x) != logic.Bound || b.Index(x) != k-1-slot || e.variables(s, k)&^known != 0 {
			continue
		}
		switch b.Op(s) {
		case logic.UpTo:
			return b.Arg(s, 0), b.Arg(s, 1)
		case logic.Natural:
			return b.Int64(0), b.Int64(0)
		case logic.Natural1:
			return b.Int64(1), b.Int64(1)
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
func (e *engine) combine(q *quant, ps []scored, need uint64, lets []let) bool {
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
		q.triggers = append(q.triggers, t)
	}
	return need == 0
}

// wantPattern asks for the elements of a set that a pattern x∈s looks at.
func (e *engine) wantPattern(p pattern) {
	if s := p.set(); s != 0 && p.sign >= 0 {
		e.wantElements(s)
	}
}

// subterms calls f for the subterms of t outside binders.
func (e *engine) subterms(t logic.Term, f func(logic.Term)) {
	f(t)
	if e.b.Op(t).IsBinder() {
		return
	}
	for _, a := range e.b.Args(t) {
		e.subterms(a, f)
	}
}

// definitions finds equations x=t among the premises that define variables by
// others: the one-point rule. An equation between pairs is one for each component.
func (e *engine) definitions(cands []candidate, k int) ([]let, uint64) {
	var lets []let
	var defined, used uint64
	define := func(x, u logic.Term) bool {
		slot := k - 1 - e.b.Index(x)
		if slot < 0 {
			return false
		}
		m := e.variables(u, k)
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
			switch e.b.Op(x) {
			case logic.Bound:
				if define(x, u) {
					return
				}
			case logic.Maplet:
				if e.b.Depth(x) > 0 {
					equate(e.b.Arg(x, 0), e.component(u, 0))
					equate(e.b.Arg(x, 1), e.component(u, 1))
					return
				}
			}
			x, u = u, x
		}
	}
	for _, c := range cands {
		if t := e.equation(e.positiveAtom(c.atom)); e.b.Op(t) == logic.Eq && c.sign > 0 && c.off == 0 {
			equate(e.b.Arg(t, 0), e.b.Arg(t, 1))
		}
	}
	return lets, defined
}

// component returns component i of the pair x.
func (e *engine) component(x logic.Term, i int) logic.Term {
	b := e.b
	if b.Op(x) == logic.Maplet {
		return b.Arg(x, i)
	}
	op := [...]logic.Op{logic.Prj1, logic.Prj2}[i]
	l, r := b.Pair(b.Type(x))
	return b.App(logic.Apply, b.Atom(op, b.RelType(b.Type(x), [...]logic.Type{l, r}[i])), x)
}

// equation returns t, or the equation that says of which sets s is the union, if t is
// partition(s,…).
func (e *engine) equation(t logic.Term) logic.Term {
	args := e.b.Args(t)
	if e.b.Op(t) != logic.Partition {
		return t
	}
	union := e.b.Atom(logic.Empty, e.b.Type(args[0]))
	switch len(args) {
	case 1:
	case 2:
		union = args[1]
	default:
		union = e.b.App(logic.Union, args[1:]...)
	}
	return e.b.App(logic.Eq, args[0], union)
}

// variables returns the set of the k variables of a binder that t mentions.
func (e *engine) variables(t logic.Term, k int) uint64 {
	var mask uint64
	var walk func(t logic.Term, level int)
	walk = func(t logic.Term, level int) {
		if e.b.Depth(t) <= level {
			return
		}
		op := e.b.Op(t)
		if op == logic.Bound {
			if i := e.b.Index(t) - level; i < k {
				mask |= 1 << (k - 1 - i)
			}
			return
		}
		if op.IsBinder() {
			level += len(e.b.Decls(t))
		}
		for _, a := range e.b.Args(t) {
			walk(a, level)
		}
	}
	walk(t, 0)
	return mask
}

// matching is the state of one match: the values of slots.
type matching struct {
	e     *engine
	slots []euf.Node
}

// withMatching calls f with an empty matching.
func (e *engine) withMatching(f func(*matching)) {
	if len(e.idle) == 0 {
		e.idle = append(e.idle, &matching{e, make([]euf.Node, 128)})
	}
	last := len(e.idle) - 1
	m := e.idle[last]
	e.idle = e.idle[:last]
	f(m)
	e.idle = append(e.idle, m)
}

// match calls k for every way in which node n, or an equal one, is an instance of p.
func (m *matching) match(p *pnode, n euf.Node, k func()) {
	g := m.e.g
	m.e.steps++
	switch p.kind {
	case pGround:
		if g.Equal(p.node, n) {
			k()
		}
	case pSlot:
		if p.slot >= len(m.slots) {
			return
		}
		if v := m.slots[p.slot]; v == 0 {
			m.slots[p.slot] = n
			k()
			m.slots[p.slot] = 0
		} else if g.Equal(v, n) {
			k()
		}
	case pSum:
		m.e.each(n, func(c euf.Node) {
			if t := g.Term(c); g.Op(c) == logic.Plus && len(g.Args(c)) == 2 && m.e.b.Arg(t, 1) == p.add {
				m.match(&pnode{kind: pSlot, slot: p.slot}, g.Args(c)[0], k)
			}
		})
	case pApp:
		if m.e.spent() {
			return
		}
		for c := n; ; {
			m.e.steps++
			if g.Op(c) == p.op && m.e.relevant[c] && len(g.Args(c)) == len(p.args) {
				m.matchArgs(p, c, 0, k)
			}
			if c = g.Next(c); c == n {
				return
			}
		}
	}
}

// matchNode is match for node n itself.
func (m *matching) matchNode(p *pnode, n euf.Node, k func()) {
	if p.kind != pApp {
		m.match(p, n, k)
	} else if m.e.g.Op(n) == p.op && len(m.e.g.Args(n)) == len(p.args) {
		m.matchArgs(p, n, 0, k)
	}
}

func (m *matching) matchArgs(p *pnode, n euf.Node, i int, k func()) {
	if i == len(p.args) {
		k()
		return
	}
	m.match(&p.args[i], m.e.g.Args(n)[i], func() { m.matchArgs(p, n, i+1, k) })
}

// useful reports whether predicate node n has the truth value that p looks for.
func (e *engine) useful(p *pattern, n euf.Node) bool {
	return !p.lit || e.truth(n) != 0 && (p.sign == 0 || e.truth(n) == p.sign)
}

// join matches the patterns of t but the one at skip, and makes instances.
func (m *matching) join(q *quant, t *trigger, i, skip int) {
	if m.e.spent() || m.e.full(q, t) {
		return
	}
	if i == len(t.pats) {
		m.instance(q, t)
		return
	}
	if i == skip {
		m.join(q, t, i+1, skip)
		return
	}
	p := &t.pats[i]
	m.candidates(p, func(n euf.Node) {
		if m.e.useful(p, n) {
			m.matchNode(&p.root, n, func() { m.join(q, t, i+1, skip) })
		}
	})
}

// candidates calls f for the relevant nodes that may match p: those with a known
// argument, if p has one, else all with its operator.
func (m *matching) candidates(p *pattern, f func(euf.Node)) {
	e := m.e
	nodes := e.byOp[p.root.op]
	if at, arg := m.known(&p.root); arg != 0 {
		nodes = nil
		member := p.root.op == logic.In && at == 1
		e.each(arg, func(s euf.Node) {
			list := e.g.Parents(s)
			if member {
				list = e.g.Memberships(s)
			}
			e.steps += int64(len(list))
			for _, n := range list {
				if member || e.g.Op(n) == p.root.op && at < len(e.g.Args(n)) && e.g.Args(n)[at] == s && e.relevant[n] {
					nodes = append(nodes, n)
				}
			}
		})
	}
	for _, n := range nodes[:len(nodes):len(nodes)] {
		e.steps++
		f(n)
	}
}

// known returns the place and the value of an argument of p that is ground or
// bound, the last one.
func (m *matching) known(p *pnode) (int, euf.Node) {
	for i := len(p.args) - 1; i >= 0; i-- {
		switch a := &p.args[i]; {
		case a.kind == pGround:
			return i, a.node
		case a.kind == pSlot && a.slot < len(m.slots) && m.slots[a.slot] != 0:
			return i, m.slots[a.slot]
		}
	}
	return 0, 0
}

// matchAll makes all instances that trigger t of q finds now.
func (e *engine) matchAll(q *quant, t *trigger) {
	if e.sat.Value(q.lit) > 0 {
		e.withMatching(func(m *matching) { m.join(q, t, 0, -1) })
	}
}

// matchLiteral offers a membership that became true or false to all triggers.
func (e *engine) matchLiteral(l sat.Lit) { e.offer(e.nodes[l.Var()], true) }

// matchFresh offers new relevant terms to the triggers and to the rules for
// terms. It reports whether clauses were added.
func (e *engine) matchFresh() bool {
	before := e.sat.Clauses()
	for len(e.fresh) > 0 {
		todo := e.fresh
		e.fresh = nil
		for _, n := range todo {
			e.onTerm(n)
			e.offer(n, false)
		}
	}
	return e.sat.Clauses() > before
}

// offer tries node n for every pattern of every active quantifier.
func (e *engine) offer(n euf.Node, literal bool) {
	e.offerTo(e.byPattern[e.g.Op(n)], n, literal)
	if literal && e.g.Op(n) == logic.In {
		e.each(e.g.Args(n)[1], func(s euf.Node) {
			e.offerTo(e.byElement[s], n, literal)
			e.offerTo(e.byShape[e.g.Op(s)], n, literal)
			for _, op := range e.uses[s] {
				e.offerTo(e.byUse[op], n, literal)
			}
		})
	}
}

func (e *engine) offerTo(list []offerTo, n euf.Node, literal bool) {
	for _, o := range list[:len(list):len(list)] {
		t := &o.q.triggers[o.trig]
		p := &t.pats[o.at]
		if p.lit != literal || e.sat.Value(o.q.lit) <= 0 || !e.useful(p, n) {
			continue
		}
		e.withMatching(func(m *matching) {
			m.matchNode(&p.root, n, func() { m.join(o.q, t, 0, o.at) })
		})
	}
}

// instance makes the instance of q for the present slots.
func (m *matching) instance(q *quant, t *trigger) {
	e := m.e
	k := len(q.decls)
	if q.rule != nil {
		for _, s := range q.rule.slots {
			k = max(k, s+1)
		}
	}
	vals := make([]logic.Term, k)
	gen := q.gen
	for i := range vals {
		if n := m.slots[i]; n != 0 {
			vals[i] = e.g.Term(n)
			gen = max(gen, e.nodeGen[n])
			if i < len(q.decls) && e.b.Type(vals[i]) != q.decls[i] {
				return
			}
		}
	}
	for _, d := range t.lets {
		if vals[d.slot] == 0 {
			vals[d.slot] = e.b.Instantiate(d.term, vals)
		}
	}
	e.instantiate(q, vals, gen)
}

// instantiate adds an instance of q, once.
func (e *engine) instantiate(q *quant, vals []logic.Term, gen int16) bool {
	key := binary.AppendUvarint(nil, uint64(q.id))
	for _, v := range vals {
		if v == 0 && q.rule == nil {
			return false
		}
		key = binary.AppendUvarint(key, uint64(v))
	}
	if e.instances[string(key)] {
		return false
	}
	if gen > e.limit {
		e.deferred = append(e.deferred, deferred{q, vals, gen})
		return false
	}
	e.instances[string(key)] = true
	if q.rule != nil {
		e.ctx = gen
		e.made++
		e.steps += 10
		e.applyRule(q, vals)
		return true
	}
	c, err := kernel.InstClause(e.b, q.f, vals)
	if err != nil {
		return false
	}
	e.ctx = gen
	e.made++
	q.uses++
	e.steps += 10
	e.add(c, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{q.f}, vals...)})
	return true
}

// deferred is an instance whose generation was above the limit.
type deferred struct {
	q    *quant
	vals []logic.Term
	gen  int16
}
