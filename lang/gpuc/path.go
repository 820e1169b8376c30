package gpuc

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// ranges are those of variables at cut points.
type ranges map[*flow.Node]map[*flow.Variable]flow.Interval

// path is one way from a cut point to the next: what has to hold for it, what is
// checked and accessed on it, and the values that variables have at its end. All terms
// are over the values at its start, constants of the model, and arbitrary values.
type path struct {
	from, to *flow.Node
	items    []item
	values   map[*flow.Variable]*flow.Term
	free     []*free
	ranges   map[*flow.Variable]flow.Interval // at the end; nil if the path cannot be taken
}

// free is a value about which only its type is known.
type free struct {
	term *flow.Term
	typ  *syntax.Ctype
}

// itemKind is what stands on a path, in order.
type itemKind uint8

const (
	isGuard itemKind = iota
	isFit            // a claim that nothing wraps
	isCheck
	isAccess
)

type item struct {
	kind  itemKind
	e     *flow.Term
	check *flow.Instr
	mem   *flow.Memory
	off   *flow.Term
	value *flow.Term // written; nil if not known
	what  int        // isRead, isWrite, isAtomic
	at    syntax.Place
	id    int // how many values were free before it
}

// conflict is the kind of race that two accesses make, "" if none.
func (i item) conflict(other item) string {
	if i.mem != other.mem {
		return ""
	}
	return flow.Conflict(i.what, other.what)
}

// walker finds the paths of a program.
type walker struct {
	p        *flow.Program
	cut      map[*flow.Node]bool
	barriers bool // barriers are cut points
	together map[*flow.Node]bool
	same     map[*flow.Variable]bool
	ranges   ranges                   // at cut points
	launch   map[string]flow.Interval // what the axioms say of sizes and parameters
	demands  bool                     // some of them are about parameters
	wraps    map[string]bool          // terms that may wrap although intervals say no
	fresh    int
	out      []*path
	forward  bool
	live     map[*flow.Node]map[*flow.Variable]bool
}

const maxPaths = 400

// state is a walk on its way.
type state struct {
	values map[*flow.Variable]*flow.Term
	items  []item
	free   []*free
	ranges map[string]flow.Interval
	sums   []*flow.Term // that have a range of their own
	memory map[*flow.Memory]map[string]*flow.Term
	facts  map[string]bool
}

// begin is the state at the start of a walk: what the launch says of sizes and parameters.
func (w *walker) begin() *state {
	return &state{values: map[*flow.Variable]*flow.Term{}, ranges: maps.Clone(w.launch), memory: map[*flow.Memory]map[string]*flow.Term{}, facts: map[string]bool{}}
}

// at is the state in which walks from cut point c begin.
func (w *walker) at(c *flow.Node) *state {
	s := w.begin()
	for v, r := range w.ranges[c] {
		s.ranges[flow.VariableTerm(v).Key()] = r
	}
	return s
}

// axiom is what the launch satisfies, where nothing in it wraps.
func (w *walker) axiom(a *flow.Term) *flow.Term {
	s := w.begin()
	clear(s.ranges) // other axioms do not make this one weaker
	e := w.term(s, a, w.p.Entry)
	if len(s.free) > 0 {
		return flow.Truth // it has no form without arbitrary values
	}
	// What must fit becomes a premise: for launches where it wraps nothing is claimed.
	for _, i := range s.items {
		e = flow.Either(flow.Not(i.e), e)
	}
	return e
}

// learn derives ranges of sizes and parameters from the axioms of the launch.
func (w *walker) learn() (problem *syntax.Problem) {
	defer syntax.Catch(&problem)
	w.launch = map[string]flow.Interval{}
	s := w.begin()
	for _, a := range w.p.Axioms {
		e := w.axiom(a)
		w.refine(s, e)
		flow.Leaves(e, func(x *flow.Term) { w.demands = w.demands || x.Op == flow.Sym && !flow.IsModelName(x.Name) })
	}
	w.launch = s.ranges
	return nil
}

func (s *state) clone() *state {
	c := &state{values: maps.Clone(s.values), items: slices.Clip(s.items), free: slices.Clip(s.free), ranges: maps.Clone(s.ranges), sums: slices.Clip(s.sums), facts: maps.Clone(s.facts), memory: map[*flow.Memory]map[string]*flow.Term{}}
	for m, k := range s.memory {
		c.memory[m] = maps.Clone(k)
	}
	return c
}

// from finds the paths that begin at cut point c.
func (w *walker) from(c *flow.Node) (paths []*path, problem *syntax.Problem) {
	defer syntax.Catch(&problem)
	w.out = nil
	s := w.at(c)
	if c.End || c.Then == nil && len(c.Code) == 0 {
		return nil, nil
	}
	start := 0
	// Invariants in front hold on arrival: they are premises here, not checks.
	if w.cut[c] {
		for start < len(c.Code) && c.Code[start].Op == flow.DoInvariant {
			w.assume(s, w.formula(s, c.Code[start].E, c, flow.Falsity))
			start++
		}
	}
	w.walk(c, c, start, s, 0)
	return w.out, nil
}

func (w *walker) fail(at syntax.Place, format string, args ...any) {
	panic(syntax.Refuse(w.p.File, at, fmt.Sprintf(format, args...)))
}

// arrive ends a path at cut point to.
func (w *walker) arrive(from, to *flow.Node, s *state) {
	if len(w.out) >= maxPaths {
		w.fail(from.At, "more than %d paths between two points of control", maxPaths)
	}
	// The author's invariants at the head are checked for each arrival.
	p := &path{from: from, to: to, items: s.items, values: s.values, free: s.free, ranges: map[*flow.Variable]flow.Interval{}}
	// Nothing lies in an empty range: no value arrives this way.
	for _, r := range s.ranges {
		if r.Empty() {
			p.ranges = nil
		}
	}
	if p.ranges != nil {
		for v := range w.live[to] {
			e := s.values[v]
			if e == nil {
				e = flow.VariableTerm(v)
			}
			p.ranges[v] = w.interval(s, e)
		}
	}
	w.out = append(w.out, p)
}

func (w *walker) walk(from, n *flow.Node, k int, s *state, steps int) {
	for ; k < len(n.Code); k++ {
		c := n.Code[k]
		if p := w.undecided(s, c); p != nil {
			w.fork(p, s, func(t *state) { w.walk(from, n, k, t, steps) })
			return
		}
		w.execute(s, c, n)
	}
	if n.End || n.Then == nil {
		w.arrive(from, n, s)
		return
	}
	go_ := func(to *flow.Node, t *state) {
		if w.cut[to] {
			w.arrive(from, to, t)
			return
		}
		// Cut points lie on all cycles: this is a fault of ours, and better told than run into.
		if steps > 4*len(w.p.Nodes) {
			w.fail(to.At, "a cycle without cut point")
		}
		w.walk(from, to, 0, t, steps+1)
	}
	if n.Cond == nil {
		go_(n.Then, s)
		return
	}
	if p := w.choice(s, n.Cond); p != nil {
		w.fork(p, s, func(t *state) { w.walk(from, n, len(n.Code), t, steps) })
		return
	}
	p := w.term(s, n.Cond, n)
	t := s.clone()
	if w.assume(s, p) {
		go_(n.Then, s)
	}
	if w.assume(t, flow.Not(p)) {
		go_(n.Other, t)
	}
}

// fork goes on with p and with its negation.
func (w *walker) fork(p *flow.Term, s *state, f func(*state)) {
	if len(w.out) >= maxPaths {
		w.fail(w.p.At, "more than %d paths between two points of control", maxPaths)
	}
	t := s.clone()
	s.facts[p.Key()], t.facts[p.Key()] = true, false
	if w.assume(s, p) {
		f(s)
	}
	if w.assume(t, flow.Not(p)) {
		f(t)
	}
}

// assume adds a guard; it is false if the guard is.
func (w *walker) assume(s *state, p *flow.Term) bool {
	switch p.Op {
	case flow.PTrue:
		return true
	case flow.PFalse:
		return false
	case flow.PAnd:
		for _, a := range p.Args {
			if !w.assume(s, a) {
				return false
			}
		}
		return true
	}
	for _, i := range s.items {
		if i.kind == isGuard && i.e.Key() == p.Key() {
			return true
		}
	}
	s.items = append(s.items, item{kind: isGuard, e: p})
	w.refine(s, p)
	return true
}

// refine narrows ranges by a guard.
func (w *walker) refine(s *state, p *flow.Term) {
	one := big.NewInt(1)
	narrow := func(t *flow.Term, r flow.Interval) {
		for {
			if _, known := s.ranges[t.Key()]; !known && t.Op == flow.Add {
				s.sums = append(s.sums, t)
			}
			s.ranges[t.Key()] = s.ranges[t.Key()].Meet(r)
			// x + c within r: x within r − c
			if t.Op != flow.Add || len(t.Args) != 2 || !t.Args[1].IsNum() {
				return
			}
			shift := new(big.Int).Neg(t.Args[1].Val)
			r = r.Plus(flow.Point(shift))
			t = t.Args[0]
		}
	}
	switch p.Op {
	case flow.PAnd:
		for _, a := range p.Args {
			w.refine(s, a)
		}
	case flow.PLe, flow.PLt:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.interval(s, a), w.interval(s, b)
		if p.Op == flow.PLt {
			if rb.Hi != nil {
				rb.Hi = new(big.Int).Sub(rb.Hi, one)
			}
			if ra.Lo != nil {
				ra.Lo = new(big.Int).Add(ra.Lo, one)
			}
		}
		narrow(a, flow.Interval{Hi: rb.Hi})
		narrow(b, flow.Interval{Lo: ra.Lo})
	case flow.PEq:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.interval(s, a), w.interval(s, b)
		narrow(a, rb)
		narrow(b, ra)
	case flow.PNe:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.interval(s, a), w.interval(s, b)
		// Of x ≠ c only the end of a range can be cut off.
		if rb.Lo != nil && rb.Hi != nil && rb.Lo.Cmp(rb.Hi) == 0 {
			if ra.Lo != nil && ra.Lo.Cmp(rb.Lo) == 0 {
				narrow(a, flow.Interval{Lo: new(big.Int).Add(ra.Lo, one)})
			}
			if ra.Hi != nil && ra.Hi.Cmp(rb.Lo) == 0 {
				narrow(a, flow.Interval{Hi: new(big.Int).Sub(ra.Hi, one)})
			}
		}
	}
}

// undecided finds a choice in an instruction that is not made yet.
func (w *walker) undecided(s *state, c *flow.Instr) *flow.Term {
	for _, t := range []*flow.Term{c.Off, c.E} {
		if t == nil {
			continue
		}
		if c.Op == flow.DoAssert || c.Op == flow.DoInvariant {
			if t.Op == flow.PAnd || t.Op == flow.POr || t.Op == flow.PNot {
				// choices inside a formula are taken apart as well
			}
		}
		if p := w.choice(s, t); p != nil {
			return p
		}
	}
	return nil
}

// choice is the first condition of an ite in t that is not decided, over start values.
func (w *walker) choice(s *state, t *flow.Term) *flow.Term {
	var found *flow.Term
	var visit func(t *flow.Term)
	visit = func(t *flow.Term) {
		if found != nil {
			return
		}
		if t.Op == flow.Local_ {
			if v := s.values[t.V]; v != nil && v.Op == flow.Ite {
				visit(v)
			}
			return
		}
		if t.Op == flow.Ite {
			if p := w.choice(s, t.Args[0]); p != nil {
				found = p
				return
			}
			// Over start values, so that the guard still says the same when variables change.
			p := w.term(s, t.Args[0], nil)
			switch holds, known := w.known(s, p); {
			case !known:
				found = p
			case holds:
				visit(t.Args[1])
			default:
				visit(t.Args[2])
			}
			return
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	visit(t)
	return found
}

func (w *walker) known(s *state, p *flow.Term) (holds, known bool) {
	switch p.Op {
	case flow.PTrue:
		return true, true
	case flow.PFalse:
		return false, true
	}
	if h, ok := s.facts[p.Key()]; ok {
		return h, true
	}
	if h, ok := s.facts[flow.Not(p).Key()]; ok {
		return !h, true
	}
	for _, i := range s.items {
		if i.kind == isGuard {
			if i.e.Key() == p.Key() {
				return true, true
			}
			if i.e.Key() == flow.Not(p).Key() {
				return false, true
			}
		}
	}
	// What intervals decide is claimed, and needs no path of its own.
	for _, q := range []*flow.Term{p, flow.Not(p)} {
		if q.Op != flow.PLe && q.Op != flow.PLt || w.wraps[q.Args[0].Key()] || w.wraps[q.Args[1].Key()] {
			continue
		}
		a, b := w.interval(s, q.Args[0]), w.interval(s, q.Args[1])
		if a.Hi == nil || b.Lo == nil {
			continue
		}
		if c := a.Hi.Cmp(b.Lo); c < 0 || c == 0 && q.Op == flow.PLe {
			w.fits(s, q)
			return q == p, true
		}
	}
	return false, false
}

// term is t over start values: variables are replaced, choices made, wraps worked out.
func (w *walker) term(s *state, t *flow.Term, n *flow.Node) *flow.Term {
	switch t.Op {
	case flow.Num, flow.PTrue, flow.PFalse:
		return t
	case flow.Sym:
		return w.settled(s, t)
	case flow.Local_:
		if v := s.values[t.V]; v != nil {
			return w.settled(s, v)
		}
		return t
	case flow.Ite:
		p := w.term(s, t.Args[0], n)
		if holds, known := w.known(s, p); known {
			if holds {
				return w.term(s, t.Args[1], n)
			}
			return w.term(s, t.Args[2], n)
		}
		w.fail(w.p.At, "a choice that was not made")
	case flow.PUniform:
		if n != nil && w.together[n] {
			return flow.Truth
		}
		w.fail(w.p.At, "whether all threads come here together, where that is not known, in a condition or under a negation")
	case flow.PSame:
		if w.barriers {
			return flow.Truth
		}
		return flow.Falsity
	case flow.Other:
		a := w.term(s, t.Args[0], n)
		// What is equal in all threads of a group is so in the other one, where both come together.
		common := n != nil && w.together[n]
		flow.Leaves(a, func(x *flow.Term) {
			common = common && (x.Op == flow.Num || x.Op == flow.Sym && !x.Own || x.Op == flow.Local_ && w.same[x.V])
		})
		if common {
			return a
		}
		flow.Leaves(a, func(x *flow.Term) {
			if x.Op == flow.Local_ || x.Op == flow.Sym && x.Own && x.Name[0] == 'h' {
				w.fail(w.p.At, "the value of a variable of the other thread")
			}
		})
		return &flow.Term{Op: flow.Other, Args: []*flow.Term{a}}
	}
	args := make([]*flow.Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = w.term(s, a, n)
	}
	switch t.Op {
	case flow.Wrap:
		return w.wrapped(s, t.Typ, args[0])
	case flow.Rem:
		return w.remainder(s, args[0], args[1])
	case flow.Band, flow.Bor, flow.Bxor, flow.Shl, flow.Shr:
		return w.bits(s, t, args[0], args[1])
	}
	return flow.Rebuild(t, args)
}

// formula is the term of what is claimed or assumed. Whether threads come together is not
// always known: unknown stands for it then, ⊥ in a claim and ⊤ in an assumption, which is
// the safe side as long as no negation is around it.
func (w *walker) formula(s *state, t *flow.Term, n *flow.Node, unknown *flow.Term) *flow.Term {
	switch t.Op {
	case flow.PUniform:
		if !w.together[n] {
			return unknown
		}
	case flow.PAnd, flow.POr:
		args := make([]*flow.Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = w.formula(s, a, n, unknown)
		}
		return flow.Rebuild(t, args)
	}
	return w.term(s, t, n)
}

// wrapped is e as a value of type t: e itself where intervals say so, and then the
// claim is checked; otherwise by mod.
func (w *walker) wrapped(s *state, t *syntax.Ctype, e *flow.Term) *flow.Term {
	if e.IsNum() {
		return flow.BigNumber(flow.Wrapped(e.Val, t))
	}
	r := w.interval(s, e)
	lo, hi := flow.Within(t)
	if r.Inside(flow.Interval{Lo: lo, Hi: hi}) && !w.wraps[e.Key()] {
		w.claim(s, e, t)
		return e
	}
	// No interval shows that gid∗lsz + lid fits, nor that i + stride does where the launch
	// demands n + stride < 2³¹ of an i below n: the claim is proved, or the term wraps.
	if (w.sizeOnly(e) || w.demanded(e)) && !w.wraps[e.Key()] {
		w.claim(s, e, t)
		s.ranges[e.Key()] = s.ranges[e.Key()].Meet(flow.Interval{Lo: lo, Hi: hi})
		return e
	}
	m := flow.Modulus(t)
	if !t.Signed {
		return w.reduce(s, e, m)
	}
	// Two’s complement: (e + 2ⁿ⁻¹) mod 2ⁿ − 2ⁿ⁻¹.
	half := new(big.Int).Rsh(m, 1)
	return flow.Minus(w.reduce(s, flow.Sum(e, flow.BigNumber(half)), m), flow.BigNumber(half))
}

// settled is the number that a symbol has been found equal to, which is claimed, or the
// symbol.
func (w *walker) settled(s *state, t *flow.Term) *flow.Term {
	if t.Op != flow.Sym || w.wraps[t.Key()] {
		return t
	}
	if r, ok := s.ranges[t.Key()]; ok && r.Lo != nil && r.Hi != nil && r.Lo.Cmp(r.Hi) == 0 {
		w.fits(s, flow.Compare(flow.PEq, t, flow.BigNumber(r.Lo)))
		return flow.BigNumber(r.Lo)
	}
	return t
}

// sizeOnly reports whether e is made of ids and sizes that are symbols: the launch
// is assumed to have fewer than 2^31 threads a dimension, so that they rarely wrap.
func (w *walker) sizeOnly(e *flow.Term) bool {
	ok, symbolic := true, false
	flow.Leaves(e, func(x *flow.Term) {
		switch {
		case x.Op == flow.Sym && flow.IsModelName(x.Name) && x.Name[0] != 'h':
			symbolic = symbolic || x.Name[:3] == "lsz" || x.Name[:3] == "ngr"
		case x.Op == flow.Num:
		default:
			ok = false
		}
	})
	return ok && symbolic
}

// demanded reports whether what the launch has to satisfy may bound e: a sum of variables,
// sizes and parameters, where some precondition is about parameters.
func (w *walker) demanded(e *flow.Term) bool {
	if e.Op != flow.Add || !w.demands {
		return false
	}
	known, varies := true, false
	flow.Leaves(e, func(x *flow.Term) {
		known = known && (x.Op == flow.Num || x.Op == flow.Local_ || x.Op == flow.Sym && !(x.Own && x.Name[0] == 'h'))
		varies = varies || x.Op == flow.Local_
	})
	return known && varies
}

// reduce is e mod m, for any e: a multiple of m makes it positive first.
func (w *walker) reduce(s *state, e *flow.Term, m *big.Int) *flow.Term {
	r := w.interval(s, e)
	if r.Lo == nil {
		w.fail(w.p.At, "arithmetic without bounds")
	}
	if r.Lo.Sign() < 0 {
		up := new(big.Int).Neg(r.Lo)
		up.Add(up, m).Sub(up, big.NewInt(1)).Quo(up, m).Mul(up, m)
		e = flow.Sum(e, flow.BigNumber(up))
	}
	if e.IsNum() {
		return flow.BigNumber(new(big.Int).Mod(e.Val, m))
	}
	return &flow.Term{Op: flow.Modulo, Args: []*flow.Term{e, flow.BigNumber(m)}}
}

func (w *walker) claim(s *state, e *flow.Term, t *syntax.Ctype) {
	if len(e.Args) == 0 {
		// Of a parameter its axiom says the range of its type, and no more.
		if e.Op == flow.Sym && !e.Own && !flow.IsModelName(e.Name) && w.symbolRange(e).Inside(flow.TypeInterval(t)) {
			return
		}
	}
	lo, hi := flow.Within(t)
	w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.BigNumber(lo), e), flow.Compare(flow.PLe, e, flow.BigNumber(hi))))
}

func (w *walker) fits(s *state, p *flow.Term) {
	if p.Op == flow.PTrue {
		return
	}
	for _, i := range s.items {
		if (i.kind == isFit || i.kind == isGuard) && i.e.Key() == p.Key() {
			return
		}
	}
	s.items = append(s.items, item{kind: isFit, e: p})
}

func (w *walker) remainder(s *state, a, b *flow.Term) *flow.Term {
	if a.IsNum() && b.IsNum() {
		return flow.Remainder(a, b)
	}
	// mod of Event-B is not defined below 0, where % of C has the sign of the dividend.
	if w.interval(s, a).NonNegative() && positive(w.interval(s, b)) {
		if b.Is(1) {
			return flow.Number(0)
		}
		return &flow.Term{Op: flow.Modulo, Args: []*flow.Term{a, b}}
	}
	return flow.Minus(a, flow.Product(flow.Quotient(a, b), b))
}

// An empty interval, on a way that nothing takes, is not: 0 may be its other end.
func positive(r flow.Interval) bool { return r.Lo != nil && r.Lo.Sign() > 0 && !r.Empty() }

// bits is a bit operation: arithmetic for masks and single bits, an arbitrary value
// within bounds otherwise.
func (w *walker) bits(s *state, t *flow.Term, a, b *flow.Term) *flow.Term {
	r := flow.Bitwise(t.Op, t.Typ, a, b)
	switch r.Op {
	case flow.Band, flow.Bor, flow.Bxor, flow.Shl, flow.Shr:
	default:
		return r
	}
	a, b = r.Args[0], r.Args[1]
	ra, rb := w.interval(s, a), w.interval(s, b)
	if r.Op == flow.Band && b.IsNum() {
		// A run of ones from bit j to bit k: (a mod 2^k) ÷ 2^j ∗ 2^j.
		mask := b.Val
		if mask.Sign() < 0 {
			mask = new(big.Int).Mod(mask, flow.Modulus(t.Typ))
		}
		j := mask.TrailingZeroBits()
		run := new(big.Int).Rsh(mask, j)
		if next := new(big.Int).Add(run, big.NewInt(1)); new(big.Int).And(run, next).Sign() == 0 && (!t.Typ.Signed || mask.BitLen() < t.Typ.Bits) {
			low := w.reduce(s, a, new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen())))
			if ra.NonNegative() && ra.Hi != nil && ra.Hi.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))) < 0 && !w.wraps[a.Key()] {
				low = a
				w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.Number(0), a), flow.Compare(flow.PLt, a, flow.BigNumber(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))))))
			}
			if j == 0 {
				return low
			}
			by := flow.BigNumber(new(big.Int).Lsh(big.NewInt(1), j))
			return flow.Product(by, flow.Quotient(low, by))
		}
	}
	if r.Op == flow.Bor || r.Op == flow.Bxor {
		// Disjoint bits: a multiple of 2^k and something below it.
		for _, pair := range [][2]*flow.Term{{a, b}, {b, a}} {
			k := alignment(pair[0])
			low := w.interval(s, pair[1])
			bound := new(big.Int).Lsh(big.NewInt(1), k)
			if k > 0 && low.NonNegative() && low.Hi != nil && low.Hi.Cmp(bound) < 0 && w.interval(s, pair[0]).NonNegative() {
				w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.Number(0), pair[1]), flow.Compare(flow.PLt, pair[1], flow.BigNumber(bound)), flow.Compare(flow.PLe, flow.Number(0), pair[0])))
				return flow.Sum(a, b)
			}
		}
	}
	key := "bits " + r.Key()
	x := w.free(s, t.Typ, key)
	if ra.NonNegative() && rb.NonNegative() && !w.wraps[a.Key()] && !w.wraps[b.Key()] {
		// Facts about x that nothing satisfies would close the way: what they rest on is claimed.
		for _, e := range []*flow.Term{a, b} {
			w.fits(s, flow.Compare(flow.PLe, flow.Number(0), e))
		}
		switch r.Op {
		case flow.Band:
			w.know(s, flow.Both(flow.Compare(flow.PLe, x, a), flow.Compare(flow.PLe, x, b)))
		case flow.Bor:
			w.know(s, flow.Both(flow.Compare(flow.PLe, a, x), flow.Compare(flow.PLe, b, x), flow.Compare(flow.PLe, x, flow.Sum(a, b))))
		case flow.Bxor:
			w.know(s, flow.Compare(flow.PLe, x, flow.Sum(a, b)))
		case flow.Shr:
			w.know(s, flow.Compare(flow.PLe, x, a))
		}
		if r.Op != flow.Shl {
			w.know(s, flow.Compare(flow.PLe, flow.Number(0), x))
		}
	}
	return x
}

// know adds a fact about a free value as a guard.
func (w *walker) know(s *state, p *flow.Term) { w.assume(s, p) }

// alignment is how many low bits of t are 0 by its form.
func alignment(t *flow.Term) uint {
	switch t.Op {
	case flow.Num:
		if t.Val.Sign() == 0 {
			return 64
		}
		return t.Val.TrailingZeroBits()
	case flow.Mul:
		var sum uint
		for _, a := range t.Args {
			sum += alignment(a)
		}
		return min(sum, 64)
	case flow.Add:
		least := uint(64)
		for _, a := range t.Args {
			least = min(least, alignment(a))
		}
		return least
	}
	return 0
}

// free is an arbitrary value of a type, the same one for the same key on one path.
func (w *walker) free(s *state, t *syntax.Ctype, key string) *flow.Term {
	if key != "" {
		for _, f := range s.free {
			if f.term.Text == key {
				return f.term
			}
		}
	}
	w.fresh++
	x := &flow.Term{Op: flow.Sym, Own: true, Name: fmt.Sprint("h", len(s.free)+1)}
	s.free = append(s.free, &free{term: x, typ: t})
	if key != "" {
		x = &flow.Term{Op: flow.Sym, Own: true, Name: x.Name, Text: key}
		s.free[len(s.free)-1].term = x
	}
	if t.Kind == syntax.IntType {
		s.ranges[x.Key()] = flow.TypeInterval(t)
	}
	return x
}

func (w *walker) execute(s *state, c *flow.Instr, n *flow.Node) {
	switch c.Op {
	case flow.DoAssign:
		s.values[c.V] = w.term(s, c.E, n)
	case flow.DoHavoc, flow.DoUndef:
		s.values[c.V] = w.free(s, c.V.Typ, "")
	case flow.DoLoad:
		w.load(s, c, n)
	case flow.DoStore:
		off := w.term(s, c.Off, n)
		var v *flow.Term
		if c.E != nil {
			v = w.term(s, c.E, n)
		}
		w.access(s, c, off, v, flow.IsWrite)
		// Of what a thread has written itself in this interval, it reads its own value.
		// Another offset may be the same place: all that was known of the array goes.
		s.memory[c.Mem] = map[string]*flow.Term{}
		s.facts["own "+fmt.Sprint(c.Mem.Id)] = true
		if v != nil && w.forward {
			s.memory[c.Mem][cellKey(off, c.Typ)] = v
		} else {
			s.facts["own "+fmt.Sprint(c.Mem.Id)] = false
		}
	case flow.DoAtomic:
		off := w.term(s, c.Off, n)
		w.access(s, c, off, nil, flow.IsAtomic)
		delete(s.memory, c.Mem)
		delete(s.facts, "own "+fmt.Sprint(c.Mem.Id))
		s.values[c.V] = w.free(s, c.V.Typ, "")
	case flow.DoAssert, flow.DoInvariant:
		p := w.formula(s, c.E, n, flow.Falsity)
		s.items = append(s.items, item{kind: isCheck, e: p, check: c, at: c.At})
		// A check that fails is told once: what comes behind it is checked for those that pass.
		if p.Op != flow.PFalse {
			w.assume(s, p)
		}
	case flow.DoAssume:
		if !w.assume(s, w.formula(s, c.E, n, flow.Truth)) {
			s.items = append(s.items, item{kind: isGuard, e: flow.Falsity})
		}
	case flow.DoBarrier:
		s.memory = map[*flow.Memory]map[string]*flow.Term{}
		for m := range w.p.Mems {
			delete(s.facts, "own "+fmt.Sprint(m))
		}
	}
}

func (w *walker) access(s *state, c *flow.Instr, off, v *flow.Term, what int) {
	if w.p.Opts.Bounds && !w.p.Opts.NoBounds || c.Mem.Cells >= 0 && w.p.Opts.Bounds {
		p := flow.Compare(flow.PLe, flow.Number(0), off)
		if c.Mem.Cells >= 0 {
			p = flow.Both(p, flow.Compare(flow.PLt, off, flow.Number(c.Mem.Cells)))
		}
		if p.Op != flow.PTrue {
			s.items = append(s.items, item{kind: isCheck, e: p, check: &flow.Instr{Op: flow.DoAssert, Kind: "bounds", Why: "index into " + flow.Describe(c.Mem), At: c.At}, at: c.At})
			if p.Op != flow.PFalse {
				w.assume(s, p)
			}
		}
	}
	// No other thread can come there.
	if c.Mem.Space == syntax.Private {
		return
	}
	if v != nil && len(freshOf(v)) > 0 {
		v = nil // arbitrary in each thread: it equals nothing
	}
	s.items = append(s.items, item{kind: isAccess, mem: c.Mem, off: off, value: v, what: what, at: c.At, id: len(s.free)})
}

// cellKey is a place in an array as values of one type are read from it: bits that were
// written as another type are another value.
func cellKey(off *flow.Term, t *syntax.Ctype) string {
	if t == nil {
		return off.Key()
	}
	return fmt.Sprint(t.Kind, t.Bits, t.Signed, " ", off.Key())
}

func (w *walker) load(s *state, c *flow.Instr, n *flow.Node) {
	off := w.term(s, c.Off, n)
	v := s.memory[c.Mem][cellKey(off, c.V.Typ)]
	own := v
	if !s.facts["own "+fmt.Sprint(c.Mem.Id)] {
		own = nil // read before, not written
	}
	w.access(s, c, off, own, flow.IsRead)
	if v != nil {
		s.values[c.V] = v
		return
	}
	if v := w.progression(s, c.Mem, off, c.V.Typ); v != nil {
		s.values[c.V] = v
		return
	}
	x := w.free(s, c.V.Typ, "")
	w.contents(s, c.Mem, off, x, c.V.Typ)
	s.values[c.V] = x
	if w.forward && !s.facts["own "+fmt.Sprint(c.Mem.Id)] || !c.Mem.Written {
		if s.memory[c.Mem] == nil {
			s.memory[c.Mem] = map[string]*flow.Term{}
		}
		s.memory[c.Mem][cellKey(off, c.V.Typ)] = x
	}
}

// inArray claims that an index lies in an array, where intervals say so.
func (w *walker) inArray(s *state, m *flow.Memory, off *flow.Term) bool {
	last := flow.Number(int64(len(m.Content) - 1))
	if w.wraps[off.Key()] || !w.interval(s, off).Inside(flow.Interval{Lo: new(big.Int), Hi: last.Val}) {
		return false
	}
	w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.Number(0), off), flow.Compare(flow.PLe, off, last)))
	return true
}

// progression is what an array that is never written holds at off, if its contents grow
// by the same amount from place to place; nil otherwise.
func (w *walker) progression(s *state, m *flow.Memory, off *flow.Term, t *syntax.Ctype) *flow.Term {
	known := m.Content
	if m.Written || len(known) < 2 || !m.Holds(t) {
		return nil
	}
	step := new(big.Int).Sub(known[1], known[0])
	for i := range known[1:] {
		if new(big.Int).Sub(known[i+1], known[i]).Cmp(step) != 0 {
			return nil
		}
	}
	if !w.inArray(s, m, off) {
		return nil
	}
	return flow.Sum(flow.BigNumber(known[0]), flow.Product(flow.BigNumber(step), off))
}

// contents says of x, which was read at off, what an array that is never written holds.
func (w *walker) contents(s *state, m *flow.Memory, off, x *flow.Term, t *syntax.Ctype) {
	const most = 64
	known := m.Content
	if m.Written || len(known) == 0 || len(known) > most || !m.Holds(t) {
		return
	}
	for i, v := range known {
		w.assume(s, flow.Either(flow.Compare(flow.PNe, off, flow.Number(int64(i))), flow.Compare(flow.PEq, x, flow.BigNumber(v))))
	}
	if w.inArray(s, m, off) {
		cmp := func(a, b *big.Int) int { return a.Cmp(b) }
		w.assume(s, flow.Both(flow.Compare(flow.PLe, flow.BigNumber(slices.MinFunc(known, cmp)), x), flow.Compare(flow.PLe, x, flow.BigNumber(slices.MaxFunc(known, cmp)))))
	}
}

// interval is where the value of t lies, as far as is known.
func (w *walker) interval(s *state, t *flow.Term) flow.Interval {
	r := w.structural(s, t)
	if k, ok := s.ranges[t.Key()]; ok {
		r = r.Meet(k)
	}
	return r
}

var launchLimit = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 31), big.NewInt(1))

func (w *walker) structural(s *state, t *flow.Term) flow.Interval {
	switch t.Op {
	case flow.Num:
		return flow.Point(t.Val)
	case flow.Sym:
		return w.symbolRange(t)
	case flow.Local_:
		if t.V.Ghost {
			return flow.Interval{Lo: new(big.Int)}
		}
		if t.V.Typ.Kind == syntax.IntType {
			return flow.TypeInterval(t.V.Typ)
		}
	case flow.Add:
		return w.sum(s, t.Args, false).Meet(w.sum(s, t.Args, true))
	case flow.Mul:
		r := flow.Point(big.NewInt(1))
		for _, a := range t.Args {
			r = r.Times(w.interval(s, a))
		}
		if w.sizeOnly(t) && len(t.Args) == 2 && t.Args[0].Name != "" && t.Args[1].Name != "" && t.Args[0].Name[3:] == t.Args[1].Name[3:] {
			// The context says so: a product of intervals alone would reach 2⁶².
			r = r.Meet(flow.Interval{Hi: launchLimit}) // gidx∗lszx, ngrx∗lszx
		}
		return r
	case flow.Modulo:
		b := w.interval(s, t.Args[1])
		r := flow.Interval{Lo: new(big.Int)}
		if b.Hi != nil {
			r.Hi = new(big.Int).Sub(b.Hi, big.NewInt(1))
		}
		if a := w.interval(s, t.Args[0]); a.Hi != nil && a.NonNegative() {
			r = r.Meet(flow.Interval{Hi: a.Hi})
		}
		return r
	case flow.Quo:
		a, b := w.interval(s, t.Args[0]), w.interval(s, t.Args[1])
		// ÷ goes towards zero: below 0 the smallest divisor leads farthest.
		if positive(b) {
			r := flow.Interval{}
			if a.Lo != nil {
				if a.Lo.Sign() >= 0 {
					r.Lo = new(big.Int)
					if b.Hi != nil {
						r.Lo = new(big.Int).Quo(a.Lo, b.Hi)
					}
				} else {
					r.Lo = new(big.Int).Quo(a.Lo, b.Lo)
				}
			}
			if a.Hi != nil {
				if a.Hi.Sign() >= 0 {
					r.Hi = new(big.Int).Quo(a.Hi, b.Lo)
				} else {
					r.Hi = new(big.Int)
				}
			}
			return r
		}
		if a.Lo != nil && a.Hi != nil {
			m := new(big.Int).Abs(a.Lo)
			if h := new(big.Int).Abs(a.Hi); h.Cmp(m) > 0 {
				m = h
			}
			return flow.Interval{Lo: new(big.Int).Neg(m), Hi: m}
		}
	case flow.Other:
		return w.interval(s, t.Args[0])
	}
	return flow.Interval{}
}

// sum is where the sum of terms lies. Of row∗width + group∗16 + thread it is known that the
// column, group∗16 + thread, is below the width: parts with a range of their own count by it, as often as they
// are there, if that is wanted.
func (w *walker) sum(s *state, terms []*flow.Term, parts bool) flow.Interval {
	r := flow.Point(new(big.Int))
	for _, part := range s.sums {
		if !parts {
			break
		}
		for _, by := range multiples(terms) {
			rest := slices.Clone(terms)
			for _, a := range part.Args {
				a = flow.Product(flow.BigNumber(by), a)
				if i := slices.IndexFunc(rest, func(b *flow.Term) bool { return a.Key() == b.Key() }); i >= 0 {
					rest = slices.Delete(rest, i, i+1)
				}
			}
			if len(rest)+len(part.Args) == len(terms) {
				terms, r = rest, r.Plus(w.sum(s, part.Args, false).Meet(s.ranges[part.Key()]).Times(flow.Point(by)))
				break
			}
		}
	}
	for _, a := range terms {
		r = r.Plus(w.interval(s, a))
	}
	return r
}

// multiples are the numbers that a part of a sum may be multiplied by: those in front of its terms, and 1.
func multiples(terms []*flow.Term) []*big.Int {
	out := []*big.Int{big.NewInt(1)}
	for _, t := range terms {
		if f := factor(t); f.Sign() > 0 && !slices.ContainsFunc(out, func(o *big.Int) bool { return o.Cmp(f) == 0 }) {
			out = append(out, f)
		}
	}
	return out
}

func (w *walker) symbolRange(t *flow.Term) flow.Interval {
	if len(t.Name) == 4 && flow.IsModelName(t.Name) {
		d := flow.Dimension(t.Name[3:])
		size, other := w.p.Opts.Local[d], w.p.Opts.Groups[d]
		if t.Name[0] == 'g' || t.Name[0] == 'n' {
			size, other = other, size
		}
		// The threads of a dimension are fewer than 2³¹ in all: of groups of 16, fewer than 2²⁷.
		hi := new(big.Int).Quo(launchLimit, big.NewInt(max(1, other)))
		if size > 0 {
			hi = big.NewInt(size)
		}
		switch t.Name[:3] {
		case "lid", "gid":
			return flow.Interval{Lo: new(big.Int), Hi: new(big.Int).Sub(hi, big.NewInt(1))}
		}
		return flow.Interval{Lo: big.NewInt(1), Hi: hi}
	}
	for _, p := range w.p.Params {
		if p.Term.Name == t.Name && p.Typ.Kind == syntax.IntType {
			return flow.TypeInterval(p.Typ)
		}
	}
	return flow.Interval{}
}

func freshOf(t *flow.Term) (out []string) {
	flow.Leaves(t, func(x *flow.Term) {
		if x.Op == flow.Sym && x.Own && x.Name[0] == 'h' && !slices.Contains(out, x.Name) {
			out = append(out, x.Name)
		}
	})
	return out
}
