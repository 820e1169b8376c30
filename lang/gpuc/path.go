package gpuc

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// path is one way from a cut point to the next: what has to hold for it, what is
// checked and accessed on it, and the values that variables have at its end. All terms
// are over the values at its start, constants of the model, and arbitrary values.
type path struct {
	from, to *node
	items    []item
	values   map[*variable]*term
	free     []*free
	ranges   map[*variable]interval // at the end; nil if the path cannot be taken
}

// free is a value about which only its type is known.
type free struct {
	term *term
	typ  *ctype
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
	e     *term
	check *instr
	mem   *memory
	off   *term
	value *term // written; nil if not known
	what  int   // isRead, isWrite, isAtomic
	at    place
	id    int // how many values were free before it
}

// walker finds the paths of a program.
type walker struct {
	p        *program
	cut      map[*node]bool
	barriers bool // barriers are cut points
	together map[*node]bool
	same     map[*variable]bool
	ranges   map[*node]map[*variable]interval // at cut points
	wraps    map[string]bool                  // terms that may wrap although intervals say no
	fresh    int
	out      []*path
	forward  bool
	live     map[*node]map[*variable]bool
}

const maxPaths = 400

// state is a walk on its way.
type state struct {
	values map[*variable]*term
	items  []item
	free   []*free
	ranges map[string]interval
	memory map[*memory]map[string]*term
	facts  map[string]bool
}

func (s *state) clone() *state {
	c := &state{values: maps.Clone(s.values), items: slices.Clip(s.items), free: slices.Clip(s.free), ranges: maps.Clone(s.ranges), facts: maps.Clone(s.facts), memory: map[*memory]map[string]*term{}}
	for m, k := range s.memory {
		c.memory[m] = maps.Clone(k)
	}
	return c
}

// from finds the paths that begin at cut point c.
func (w *walker) from(c *node) (paths []*path, problem *Problem) {
	defer func() {
		if e := recover(); e != nil {
			p, ok := e.(*Problem)
			if !ok {
				panic(e)
			}
			problem = p
		}
	}()
	w.out = nil
	s := &state{values: map[*variable]*term{}, ranges: map[string]interval{}, memory: map[*memory]map[string]*term{}, facts: map[string]bool{}}
	for v, r := range w.ranges[c] {
		s.ranges[variableTerm(v).key()] = r
	}
	if c.end || c.then == nil && len(c.code) == 0 {
		return nil, nil
	}
	start := 0
	if w.cut[c] && (c.head || true) {
		for start < len(c.code) && c.code[start].op == doInvariant {
			w.assume(s, w.term(s, c.code[start].e, c))
			start++
		}
	}
	w.walk(c, c, start, s, 0)
	return w.out, nil
}

func (w *walker) fail(at place, format string, args ...any) {
	panic(refuse(w.p.file, at, fmt.Sprintf(format, args...)))
}

// arrive ends a path at cut point to.
func (w *walker) arrive(from, to *node, s *state) {
	if len(w.out) >= maxPaths {
		w.fail(from.at, "more than %d paths between two points of control", maxPaths)
	}
	// The author's invariants at the head are checked for each arrival.
	p := &path{from: from, to: to, items: s.items, values: s.values, free: s.free, ranges: map[*variable]interval{}}
	for _, r := range s.ranges {
		if r.empty() {
			p.ranges = nil
		}
	}
	if p.ranges != nil {
		for v := range w.live[to] {
			e := s.values[v]
			if e == nil {
				e = variableTerm(v)
			}
			p.ranges[v] = w.interval(s, e)
		}
	}
	w.out = append(w.out, p)
}

func (w *walker) walk(from, n *node, k int, s *state, steps int) {
	for ; k < len(n.code); k++ {
		c := n.code[k]
		if p := w.undecided(s, c); p != nil {
			w.fork(p, s, func(t *state) { w.walk(from, n, k, t, steps) })
			return
		}
		w.execute(s, c, n)
	}
	if n.end || n.then == nil {
		w.arrive(from, n, s)
		return
	}
	go_ := func(to *node, t *state) {
		if w.cut[to] {
			w.arrive(from, to, t)
			return
		}
		if steps > 4*len(w.p.nodes) {
			w.fail(to.at, "a cycle without cut point")
		}
		w.walk(from, to, 0, t, steps+1)
	}
	if n.cond == nil {
		go_(n.then, s)
		return
	}
	if p := w.choice(s, n.cond); p != nil {
		w.fork(p, s, func(t *state) { w.walk(from, n, len(n.code), t, steps) })
		return
	}
	p := w.term(s, n.cond, n)
	t := s.clone()
	if w.assume(s, p) {
		go_(n.then, s)
	}
	if w.assume(t, not(p)) {
		go_(n.other, t)
	}
}

// fork goes on with p and with its negation.
func (w *walker) fork(p *term, s *state, f func(*state)) {
	if len(w.out) >= maxPaths {
		w.fail(w.p.at, "more than %d paths between two points of control", maxPaths)
	}
	t := s.clone()
	s.facts[p.key()], t.facts[p.key()] = true, false
	if w.assume(s, p) {
		f(s)
	}
	if w.assume(t, not(p)) {
		f(t)
	}
}

// assume adds a guard; it is false if the guard is.
func (w *walker) assume(s *state, p *term) bool {
	switch p.op {
	case pTrue:
		return true
	case pFalse:
		return false
	case pAnd:
		for _, a := range p.args {
			if !w.assume(s, a) {
				return false
			}
		}
		return true
	}
	for _, i := range s.items {
		if i.kind == isGuard && i.e.key() == p.key() {
			return true
		}
	}
	s.items = append(s.items, item{kind: isGuard, e: p})
	w.refine(s, p)
	return true
}

// refine narrows ranges by a guard.
func (w *walker) refine(s *state, p *term) {
	one := big.NewInt(1)
	narrow := func(t *term, r interval) {
		for {
			k := t.key()
			s.ranges[k] = s.ranges[k].meet(r)
			// x + c within r: x within r − c
			if t.op != add || len(t.args) != 2 || !t.args[1].isNum() {
				return
			}
			shift := new(big.Int).Neg(t.args[1].val)
			r = r.plus(point(shift))
			t = t.args[0]
		}
	}
	switch p.op {
	case pAnd:
		for _, a := range p.args {
			w.refine(s, a)
		}
	case pLe, pLt:
		a, b := p.args[0], p.args[1]
		ra, rb := w.interval(s, a), w.interval(s, b)
		if p.op == pLt {
			if rb.hi != nil {
				rb.hi = new(big.Int).Sub(rb.hi, one)
			}
			if ra.lo != nil {
				ra.lo = new(big.Int).Add(ra.lo, one)
			}
		}
		narrow(a, interval{hi: rb.hi})
		narrow(b, interval{lo: ra.lo})
	case pEq:
		a, b := p.args[0], p.args[1]
		ra, rb := w.interval(s, a), w.interval(s, b)
		narrow(a, rb)
		narrow(b, ra)
	case pNe:
		a, b := p.args[0], p.args[1]
		ra, rb := w.interval(s, a), w.interval(s, b)
		if rb.lo != nil && rb.hi != nil && rb.lo.Cmp(rb.hi) == 0 {
			if ra.lo != nil && ra.lo.Cmp(rb.lo) == 0 {
				narrow(a, interval{lo: new(big.Int).Add(ra.lo, one)})
			}
			if ra.hi != nil && ra.hi.Cmp(rb.lo) == 0 {
				narrow(a, interval{hi: new(big.Int).Sub(ra.hi, one)})
			}
		}
	}
}

// undecided finds a choice in an instruction that is not made yet.
func (w *walker) undecided(s *state, c *instr) *term {
	for _, t := range []*term{c.off, c.e} {
		if t == nil {
			continue
		}
		if c.op == doAssert || c.op == doInvariant {
			if t.op == pAnd || t.op == pOr || t.op == pNot {
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
func (w *walker) choice(s *state, t *term) *term {
	var found *term
	var visit func(t *term)
	visit = func(t *term) {
		if found != nil {
			return
		}
		if t.op == local_ {
			if v := s.values[t.v]; v != nil && v.op == ite {
				visit(v)
			}
			return
		}
		if t.op == ite {
			if p := w.choice(s, t.args[0]); p != nil {
				found = p
				return
			}
			p := w.term(s, t.args[0], nil)
			switch holds, known := w.known(s, p); {
			case !known:
				found = p
			case holds:
				visit(t.args[1])
			default:
				visit(t.args[2])
			}
			return
		}
		for _, a := range t.args {
			visit(a)
		}
	}
	visit(t)
	return found
}

func (w *walker) known(s *state, p *term) (holds, known bool) {
	switch p.op {
	case pTrue:
		return true, true
	case pFalse:
		return false, true
	}
	if h, ok := s.facts[p.key()]; ok {
		return h, true
	}
	if h, ok := s.facts[not(p).key()]; ok {
		return !h, true
	}
	for _, i := range s.items {
		if i.kind == isGuard {
			if i.e.key() == p.key() {
				return true, true
			}
			if i.e.key() == not(p).key() {
				return false, true
			}
		}
	}
	// What intervals decide is claimed, and needs no path of its own.
	for _, q := range []*term{p, not(p)} {
		if q.op != pLe && q.op != pLt || w.wraps[q.args[0].key()] || w.wraps[q.args[1].key()] {
			continue
		}
		a, b := w.interval(s, q.args[0]), w.interval(s, q.args[1])
		if a.hi == nil || b.lo == nil {
			continue
		}
		if c := a.hi.Cmp(b.lo); c < 0 || c == 0 && q.op == pLe {
			w.fits(s, q)
			return q == p, true
		}
	}
	return false, false
}

// term is t over start values: variables are replaced, choices made, wraps worked out.
func (w *walker) term(s *state, t *term, n *node) *term {
	switch t.op {
	case num, pTrue, pFalse:
		return t
	case sym:
		return settledValue(s, t)
	case local_:
		if v := s.values[t.v]; v != nil {
			return settledValue(s, v)
		}
		return t
	case ite:
		p := w.term(s, t.args[0], n)
		if holds, known := w.known(s, p); known {
			if holds {
				return w.term(s, t.args[1], n)
			}
			return w.term(s, t.args[2], n)
		}
		w.fail(w.p.at, "a choice that was not made")
	case pUniform:
		if n != nil && w.together[n] {
			return truth
		}
		return falsity
	case pSame:
		if w.barriers {
			return truth
		}
		return falsity
	case other:
		a := w.term(s, t.args[0], n)
		// What is equal in all threads of a group is so in the other one, where both come together.
		common := n != nil && w.together[n]
		leaves(a, func(x *term) {
			common = common && (x.op == num || x.op == sym && !x.own || x.op == local_ && w.same[x.v])
		})
		if common {
			return a
		}
		leaves(a, func(x *term) {
			if x.op == local_ || x.op == sym && x.own && x.name[0] == 'h' {
				w.fail(w.p.at, "the value of a variable of the other thread")
			}
		})
		return &term{op: other, args: []*term{a}}
	}
	args := make([]*term, len(t.args))
	for i, a := range t.args {
		args[i] = w.term(s, a, n)
	}
	switch t.op {
	case wrap:
		return w.wrapped(s, t.typ, args[0])
	case rem:
		return w.remainder(s, args[0], args[1])
	case band, bor, bxor, shl, shr:
		return w.bits(s, t, args[0], args[1])
	}
	return rebuild(t, args)
}

// wrapped is e as a value of type t: e itself where intervals say so, and then the
// claim is checked; otherwise by mod.
func (w *walker) wrapped(s *state, t *ctype, e *term) *term {
	if e.isNum() {
		return bigNumber(wrapped(e.val, t))
	}
	r := w.interval(s, e)
	lo, hi := within(t)
	if r.inside(interval{lo, hi}) && !w.wraps[e.key()] {
		w.claim(s, e, t)
		return e
	}
	if w.sizeOnly(e) && !w.wraps[e.key()] {
		w.claim(s, e, t)
		s.ranges[e.key()] = s.ranges[e.key()].meet(interval{lo, hi})
		return e
	}
	m := modulus(t)
	if !t.signed {
		return w.reduce(s, e, m)
	}
	half := new(big.Int).Rsh(m, 1)
	return minus(w.reduce(s, sum(e, bigNumber(half)), m), bigNumber(half))
}

// settledValue is the number that a symbol has been found equal to, or the symbol.
func settledValue(s *state, t *term) *term {
	if t.op != sym {
		return t
	}
	if r, ok := s.ranges[t.key()]; ok && r.lo != nil && r.hi != nil && r.lo.Cmp(r.hi) == 0 {
		return bigNumber(r.lo)
	}
	return t
}

// sizeOnly reports whether e is made of ids and sizes that are symbols: the launch
// is assumed to have fewer than 2^31 threads a dimension, so that they rarely wrap.
func (w *walker) sizeOnly(e *term) bool {
	ok, symbolic := true, false
	leaves(e, func(x *term) {
		switch {
		case x.op == sym && isModelName(x.name) && x.name[0] != 'h':
			symbolic = symbolic || x.name[:3] == "lsz" || x.name[:3] == "ngr"
		case x.op == num:
		default:
			ok = false
		}
	})
	return ok && symbolic
}

// reduce is e mod m, for any e: a multiple of m makes it positive first.
func (w *walker) reduce(s *state, e *term, m *big.Int) *term {
	r := w.interval(s, e)
	if r.lo == nil {
		w.fail(w.p.at, "arithmetic without bounds")
	}
	if r.lo.Sign() < 0 {
		up := new(big.Int).Neg(r.lo)
		up.Add(up, m).Sub(up, big.NewInt(1)).Quo(up, m).Mul(up, m)
		e = sum(e, bigNumber(up))
	}
	if e.isNum() {
		return bigNumber(new(big.Int).Mod(e.val, m))
	}
	return &term{op: modulo, args: []*term{e, bigNumber(m)}}
}

func (w *walker) claim(s *state, e *term, t *ctype) {
	if len(e.args) == 0 {
		if e.op == sym && !e.own && !isModelName(e.name) {
			return // a parameter: its axiom says it
		}
	}
	lo, hi := within(t)
	w.fits(s, both(compare(pLe, bigNumber(lo), e), compare(pLe, e, bigNumber(hi))))
}

func (w *walker) fits(s *state, p *term) {
	if p.op == pTrue {
		return
	}
	for _, i := range s.items {
		if (i.kind == isFit || i.kind == isGuard) && i.e.key() == p.key() {
			return
		}
	}
	s.items = append(s.items, item{kind: isFit, e: p})
}

func (w *walker) remainder(s *state, a, b *term) *term {
	if a.isNum() && b.isNum() {
		return remainder(a, b)
	}
	if w.interval(s, a).nonNegative() && positive(w.interval(s, b)) {
		if b.is(1) {
			return number(0)
		}
		return &term{op: modulo, args: []*term{a, b}}
	}
	return minus(a, product(quotient(a, b), b))
}

func positive(r interval) bool { return r.lo != nil && r.lo.Sign() > 0 }

// bits is a bit operation: arithmetic for masks and single bits, an arbitrary value
// within bounds otherwise.
func (w *walker) bits(s *state, t *term, a, b *term) *term {
	r := bitwise(t.op, t.typ, a, b)
	switch r.op {
	case band, bor, bxor, shl, shr:
	default:
		return r
	}
	a, b = r.args[0], r.args[1]
	ra, rb := w.interval(s, a), w.interval(s, b)
	if r.op == band && b.isNum() {
		// A run of ones from bit j to bit k: (a mod 2^k) ÷ 2^j ∗ 2^j.
		mask := b.val
		if mask.Sign() < 0 {
			mask = new(big.Int).Mod(mask, modulus(t.typ))
		}
		j := mask.TrailingZeroBits()
		run := new(big.Int).Rsh(mask, j)
		if next := new(big.Int).Add(run, big.NewInt(1)); new(big.Int).And(run, next).Sign() == 0 && (!t.typ.signed || mask.BitLen() < t.typ.bits) {
			low := w.reduce(s, a, new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen())))
			if ra.nonNegative() && ra.hi != nil && ra.hi.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))) < 0 && !w.wraps[a.key()] {
				low = a
				w.fits(s, both(compare(pLe, number(0), a), compare(pLt, a, bigNumber(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))))))
			}
			if j == 0 {
				return low
			}
			by := bigNumber(new(big.Int).Lsh(big.NewInt(1), j))
			return product(by, quotient(low, by))
		}
	}
	if r.op == bor || r.op == bxor {
		// Disjoint bits: a multiple of 2^k and something below it.
		for _, pair := range [][2]*term{{a, b}, {b, a}} {
			k := alignment(pair[0])
			low := w.interval(s, pair[1])
			bound := new(big.Int).Lsh(big.NewInt(1), k)
			if k > 0 && low.nonNegative() && low.hi != nil && low.hi.Cmp(bound) < 0 && w.interval(s, pair[0]).nonNegative() {
				w.fits(s, both(compare(pLe, number(0), pair[1]), compare(pLt, pair[1], bigNumber(bound)), compare(pLe, number(0), pair[0])))
				return sum(a, b)
			}
		}
	}
	key := "bits " + r.key()
	x := w.free(s, t.typ, key)
	if ra.nonNegative() && rb.nonNegative() {
		switch r.op {
		case band:
			w.know(s, both(compare(pLe, x, a), compare(pLe, x, b)))
		case bor:
			w.know(s, both(compare(pLe, a, x), compare(pLe, b, x), compare(pLe, x, sum(a, b))))
		case bxor:
			w.know(s, compare(pLe, x, sum(a, b)))
		case shr:
			w.know(s, compare(pLe, x, a))
		}
		if r.op != shl {
			w.know(s, compare(pLe, number(0), x))
		}
	}
	return x
}

// know adds a fact about a free value as a guard.
func (w *walker) know(s *state, p *term) { w.assume(s, p) }

// alignment is how many low bits of t are 0 by its form.
func alignment(t *term) uint {
	switch t.op {
	case num:
		if t.val.Sign() == 0 {
			return 64
		}
		return t.val.TrailingZeroBits()
	case mul:
		var sum uint
		for _, a := range t.args {
			sum += alignment(a)
		}
		return min(sum, 64)
	case add:
		least := uint(64)
		for _, a := range t.args {
			least = min(least, alignment(a))
		}
		return least
	}
	return 0
}

// free is an arbitrary value of a type, the same one for the same key on one path.
func (w *walker) free(s *state, t *ctype, key string) *term {
	if key != "" {
		for _, f := range s.free {
			if f.term.text == key {
				return f.term
			}
		}
	}
	w.fresh++
	x := &term{op: sym, own: true, name: fmt.Sprint("h", len(s.free)+1)}
	s.free = append(s.free, &free{term: x, typ: t})
	if key != "" {
		x = &term{op: sym, own: true, name: x.name, text: key}
		s.free[len(s.free)-1].term = x
	}
	if t.kind == intType {
		s.ranges[x.key()] = typeInterval(t)
	}
	return x
}

func (w *walker) execute(s *state, c *instr, n *node) {
	switch c.op {
	case doAssign:
		s.values[c.v] = w.term(s, c.e, n)
	case doHavoc, doUndef:
		s.values[c.v] = w.free(s, c.v.typ, "")
	case doLoad:
		w.load(s, c, n)
	case doStore:
		off := w.term(s, c.off, n)
		var v *term
		if c.e != nil {
			v = w.term(s, c.e, n)
		}
		w.access(s, c, off, v, isWrite)
		// Of what a thread has written itself in this interval, it reads its own value.
		s.memory[c.mem] = map[string]*term{}
		s.facts["own "+fmt.Sprint(c.mem.id)] = true
		if v != nil && w.forward {
			s.memory[c.mem][off.key()] = v
		} else {
			s.facts["own "+fmt.Sprint(c.mem.id)] = false
		}
	case doAtomic:
		off := w.term(s, c.off, n)
		w.access(s, c, off, nil, isAtomic)
		delete(s.memory, c.mem)
		delete(s.facts, "own "+fmt.Sprint(c.mem.id))
		s.values[c.v] = w.free(s, c.v.typ, "")
	case doAssert, doInvariant:
		p := w.term(s, c.e, n)
		s.items = append(s.items, item{kind: isCheck, e: p, check: c, at: c.at})
		if p.op != pFalse {
			w.assume(s, p)
		}
	case doAssume:
		if !w.assume(s, w.term(s, c.e, n)) {
			s.items = append(s.items, item{kind: isGuard, e: falsity})
		}
	case doBarrier:
		s.memory = map[*memory]map[string]*term{}
		for m := range w.p.mems {
			delete(s.facts, "own "+fmt.Sprint(m))
		}
	}
}

func (w *walker) access(s *state, c *instr, off, v *term, what int) {
	if w.p.opts.Bounds && !w.p.opts.NoBounds || c.mem.cells >= 0 && w.p.opts.Bounds {
		p := compare(pLe, number(0), off)
		if c.mem.cells >= 0 {
			p = both(p, compare(pLt, off, number(c.mem.cells)))
		}
		if p.op != pTrue {
			s.items = append(s.items, item{kind: isCheck, e: p, check: &instr{op: doAssert, kind: "bounds", why: "index into " + describe(c.mem), at: c.at}, at: c.at})
			if p.op != pFalse {
				w.assume(s, p)
			}
		}
	}
	if c.mem.space == private {
		return
	}
	if v != nil && len(freshOf(v)) > 0 {
		v = nil // arbitrary in each thread: it equals nothing
	}
	s.items = append(s.items, item{kind: isAccess, mem: c.mem, off: off, value: v, what: what, at: c.at, id: len(s.free)})
}

func (w *walker) load(s *state, c *instr, n *node) {
	off := w.term(s, c.off, n)
	v := s.memory[c.mem][off.key()]
	own := v
	if !s.facts["own "+fmt.Sprint(c.mem.id)] {
		own = nil // read before, not written
	}
	w.access(s, c, off, own, isRead)
	if v != nil {
		s.values[c.v] = v
		return
	}
	x := w.free(s, c.v.typ, "")
	if known := c.mem.content; known != nil && len(known) <= 64 && c.mem.space == constant {
		for i, v := range known {
			w.assume(s, either(compare(pNe, off, number(int64(i))), compare(pEq, x, bigNumber(v))))
		}
	}
	s.values[c.v] = x
	if w.forward && !s.facts["own "+fmt.Sprint(c.mem.id)] || !c.mem.written {
		if s.memory[c.mem] == nil {
			s.memory[c.mem] = map[string]*term{}
		}
		s.memory[c.mem][off.key()] = x
	}
}

// interval is where the value of t lies, as far as is known.
func (w *walker) interval(s *state, t *term) interval {
	r := w.structural(s, t)
	if k, ok := s.ranges[t.key()]; ok {
		r = r.meet(k)
	}
	return r
}

var launchLimit = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 31), big.NewInt(1))

func (w *walker) structural(s *state, t *term) interval {
	switch t.op {
	case num:
		return point(t.val)
	case sym:
		return w.symbolRange(t)
	case local_:
		if t.v.ghost {
			return interval{lo: new(big.Int)}
		}
		if t.v.typ.kind == intType {
			return typeInterval(t.v.typ)
		}
	case add:
		r := point(new(big.Int))
		for _, a := range t.args {
			r = r.plus(w.interval(s, a))
		}
		return r
	case mul:
		r := point(big.NewInt(1))
		for _, a := range t.args {
			r = r.times(w.interval(s, a))
		}
		if w.sizeOnly(t) && len(t.args) == 2 && t.args[0].name != "" && t.args[1].name != "" && t.args[0].name[3:] == t.args[1].name[3:] {
			r = r.meet(interval{hi: launchLimit}) // gidx∗lszx, ngrx∗lszx
		}
		return r
	case modulo:
		b := w.interval(s, t.args[1])
		r := interval{lo: new(big.Int)}
		if b.hi != nil {
			r.hi = new(big.Int).Sub(b.hi, big.NewInt(1))
		}
		if a := w.interval(s, t.args[0]); a.hi != nil && a.nonNegative() {
			r = r.meet(interval{hi: a.hi})
		}
		return r
	case quo:
		a, b := w.interval(s, t.args[0]), w.interval(s, t.args[1])
		if positive(b) {
			r := interval{}
			if a.lo != nil {
				if a.lo.Sign() >= 0 {
					r.lo = new(big.Int)
					if b.hi != nil {
						r.lo = new(big.Int).Quo(a.lo, b.hi)
					}
				} else {
					r.lo = new(big.Int).Quo(a.lo, b.lo)
				}
			}
			if a.hi != nil {
				if a.hi.Sign() >= 0 {
					r.hi = new(big.Int).Quo(a.hi, b.lo)
				} else {
					r.hi = new(big.Int)
				}
			}
			return r
		}
		if a.lo != nil && a.hi != nil {
			m := new(big.Int).Abs(a.lo)
			if h := new(big.Int).Abs(a.hi); h.Cmp(m) > 0 {
				m = h
			}
			return interval{new(big.Int).Neg(m), m}
		}
	case other:
		return w.interval(s, t.args[0])
	}
	return interval{}
}

func (w *walker) symbolRange(t *term) interval {
	if len(t.name) == 4 && isModelName(t.name) {
		d := dimension(t.name[3:])
		size := w.p.opts.Local[d]
		if t.name[0] == 'g' || t.name[0] == 'n' {
			size = w.p.opts.Groups[d]
		}
		hi := launchLimit
		if size > 0 {
			hi = big.NewInt(size)
		}
		switch t.name[:3] {
		case "lid", "gid":
			return interval{new(big.Int), new(big.Int).Sub(hi, big.NewInt(1))}
		}
		return interval{big.NewInt(1), hi}
	}
	for _, p := range w.p.params {
		if p.term.name == t.name && p.typ.kind == intType {
			return typeInterval(p.typ)
		}
	}
	return interval{}
}
