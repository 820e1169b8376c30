package eval

import (
	"iter"
	"math/big"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/logic"
)

// plan prepares binder t: P of ∃x·P and of comprehensions, ¬P of ∀x·P.
func (e *Evaluator) plan(t logic.Term) *plan {
	if p, ok := e.plans[t]; ok {
		return p
	}
	decls := e.b.Decls(t)
	p := &plan{decls: slices.Clone(decls), own: len(decls), masks: map[logic.Term][]uint64{}}
	e.split(p, e.b.Arg(t, 0), e.b.Op(t) == logic.Forall, len(decls))
	e.plans[t] = p
	return p
}

// split adds the literals of a predicate, or of its negation, to a plan.
func (e *Evaluator) split(p *plan, t logic.Term, neg bool, level int) {
	args := e.b.Args(t)
	switch op := e.b.Op(t); {
	case op == logic.And && !neg || op == logic.Or && neg:
		for _, a := range args {
			e.split(p, a, neg, level)
		}
	case op == logic.Not:
		e.split(p, args[0], !neg, level)
	case op == logic.Implies && neg:
		e.split(p, args[0], false, level)
		e.split(p, args[1], true, level)
	case (op == logic.Exists && !neg || op == logic.Forall && neg) && len(p.decls) == level:
		p.decls = append(p.decls, e.b.Decls(t)...)
		e.split(p, args[0], neg, len(p.decls))
	case op == logic.True && !neg || op == logic.False && neg:
	default:
		p.lits = append(p.lits, literal{t: t, neg: neg, level: level, mask: e.mask(p, t, level)})
	}
}

// BoundIn yields the variables of t that are bound outside of it, by index: 0 is
// the innermost. It may yield one more than once.
func BoundIn(bank *logic.Bank, t logic.Term) iter.Seq[int] {
	type visit struct {
		t     logic.Term
		inner int
	}
	return func(yield func(int) bool) {
		seen := map[visit]bool{}
		var walk func(t logic.Term, inner int) bool
		walk = func(t logic.Term, inner int) bool {
			if bank.Depth(t) <= inner || seen[visit{t, inner}] {
				return true
			}
			seen[visit{t, inner}] = true
			switch op := bank.Op(t); {
			case op == logic.Bound:
				return yield(bank.Index(t) - inner)
			case op.IsBinder():
				inner += len(bank.Decls(t))
			}
			for _, a := range bank.Args(t) {
				if !walk(a, inner) {
					return false
				}
			}
			return true
		}
		walk(t, 0)
	}
}

// mask returns the variables of p that occur in t, which stands in the scope of
// the first level of them.
func (e *Evaluator) mask(p *plan, term logic.Term, level int) uint64 {
	if ms := p.masks[term]; level < len(ms) && ms[level] != 0 {
		return ms[level] &^ (1 << 63)
	}
	var m uint64
	for i := range BoundIn(e.b, term) {
		if i < level {
			m |= 1 << (level - 1 - i)
		}
	}
	ms := p.masks[term]
	for len(ms) <= level {
		ms = append(ms, 0)
	}
	ms[level] = m | 1<<63
	p.masks[term] = ms
	return m
}

// A solver looks for the values of a plan's variables that satisfy its literals.
type solver struct {
	*Evaluator
	p          *plan
	base       int                     // place of the first variable in env
	yield      func(certain bool) bool // called with the variables set; false stops
	exhaustive bool                    // give up as soon as completeness is lost
	incomplete bool
	stopped    bool
}

// solve calls yield for each solution of p and the extra literals; certain is
// false where a literal is unknown. It reports whether every solution was met.
// The environment must end with that of the binder.
func (e *Evaluator) solve(p *plan, exhaustive bool, extra []literal, yield func(certain bool) bool) (complete bool) {
	if len(p.decls) > 60 {
		return false
	}
	s := &solver{Evaluator: e, p: p, base: len(e.env), yield: yield, exhaustive: exhaustive}
	outer := e.env
	e.env = append(slices.Clip(e.env), make([]Value, len(p.decls))...)
	s.step(slices.Concat(extra, p.lits), 0, true)
	e.env = outer
	return !s.incomplete && e.steps >= 0
}

// in runs f with the environment of the first level variables.
func (s *solver) in(level int, f func()) {
	if level == len(s.p.decls) {
		f()
		return
	}
	env := s.env
	s.env = env[: s.base+level : s.base+level]
	f()
	s.env = env
}

// decideLiteral decides a condition of the search at its level.
func (s *solver) decideLiteral(l literal) (res Truth) {
	s.in(l.level, func() {
		if l.value == 0 {
			res = s.pred(l.t)
			return
		}
		value, ok := s.expr(l.t)
		if !ok {
			return
		}
		switch typ := s.b.Type(l.t); l.op {
		case logic.Eq:
			res = s.equal(value, l.value, typ)
		case logic.In:
			res = s.contains(value, l.value, s.b.Elem(typ))
		case logic.NotIn:
			res = -s.contains(value, l.value, s.b.Elem(typ))
		}
	})
	if l.neg {
		return -res
	}
	return res
}

// step decides the literals whose variables are set and branches on another
// variable.
func (s *solver) step(lits []literal, set uint64, certain bool) {
	if s.stopped {
		return
	}
	if !s.spend() {
		s.incomplete, s.stopped = true, true
		return
	}
	// Literals whose variables all have values are decided before the next branch.
	rest := make([]literal, 0, len(lits))
	for _, l := range lits {
		if l.mask&^set != 0 {
			rest = append(rest, l)
			continue
		}
		switch s.decideLiteral(l) {
		case False:
			return
		case Unknown:
			certain = false
		}
	}
	if bits.OnesCount64(set) == len(s.p.decls) {
		s.stopped = !s.yield(certain)
		return
	}
	g := s.choose(rest, set)
	// Samples can show a witness, but not that there is none.
	if g.sampled {
		s.incomplete = true
		if s.exhaustive {
			s.stopped = true
			return
		}
	}
	for _, value := range g.values {
		next := set
		if ok := s.assign(g, value, &next); ok {
			s.step(rest, next, certain)
		}
		// The pattern may have set several variables.
		for m := next &^ set; m != 0; m &= m - 1 {
			s.env[s.base+bits.TrailingZeros64(m)] = 0
		}
		if s.stopped {
			return
		}
	}
}

// A generator lists values for a pattern of variables or for one variable.
type generator struct {
	pattern logic.Term // 0: the variable
	level   int
	index   int
	values  []Value
	sampled bool // there may be more
}

// assign sets the variables of g to match v and adds them to set. It answers
// false if they certainly cannot.
func (s *solver) assign(g generator, v Value, set *uint64) bool {
	if g.pattern == 0 {
		s.env[s.base+g.index] = v
		*set |= 1 << g.index
		return true
	}
	return s.match(g.pattern, g.level, v, set)
}

// match sets the variables of a pattern so that it has value v, and adds them to set.
func (s *solver) match(term logic.Term, level int, v Value, set *uint64) bool {
	if j, ok := s.variable(term, level); ok && *set>>j&1 == 0 {
		s.env[s.base+j] = v
		*set |= 1 << j
		return true
	}
	if s.b.Op(term) == logic.Maplet && s.s.Kind(v) == Pair {
		p := s.s.Parts(v)
		return s.match(s.b.Arg(term, 0), level, p[0], set) && s.match(s.b.Arg(term, 1), level, p[1], set)
	}
	res := Unknown
	s.in(level, func() {
		if w, ok := s.expr(term); ok {
			res = s.equal(v, w, s.b.Type(term))
		}
	})
	return res != False
}

// variable returns the number of the variable that t is.
func (s *solver) variable(t logic.Term, level int) (int, bool) {
	if s.b.Op(t) != logic.Bound || s.b.Index(t) >= level {
		return 0, false
	}
	return level - 1 - s.b.Index(t), true
}

// fits reports whether pattern t binds an unset variable and all else in it has
// a value.
func (s *solver) fits(t logic.Term, level int, set uint64) bool {
	free := false
	var walk func(t logic.Term) bool
	walk = func(t logic.Term) bool {
		if j, ok := s.variable(t, level); ok {
			free = free || set>>j&1 == 0
			return true
		}
		if s.b.Op(t) == logic.Maplet {
			return walk(s.b.Arg(t, 0)) && walk(s.b.Arg(t, 1))
		}
		return s.mask(s.p, t, level)&^set == 0
	}
	return walk(t) && free
}

// choose returns the generator with the fewest values.
func (s *solver) choose(lits []literal, set uint64) generator {
	var best *generator
	offer := func(g generator) {
		if best == nil || len(g.values) < len(best.values) {
			best = &g
		}
	}
	// Patterns first: membership and equations mostly leave one value or none, and then the
	// rest need not be looked at.
	for _, l := range lits {
		s.offers(l, set, offer)
		if best != nil && len(best.values) <= 1 {
			return *best
		}
	}
	for j, typ := range s.p.decls {
		if set>>j&1 == 1 {
			continue
		}
		if typ == logic.IntType {
			if vs, ok := s.rangeOf(j, lits, set); ok {
				offer(generator{index: j, values: vs})
			}
		} else if vs, ok := s.allOf(typ); ok {
			offer(generator{index: j, values: vs})
		}
		for _, l := range lits {
			if vs, ok := s.alternatives(l, j, set); ok {
				offer(generator{index: j, values: vs})
			}
		}
	}
	if best != nil {
		return *best
	}
	// Nothing bounds any variable: the first is tried with samples.
	j := bits.TrailingZeros64(^set)
	return generator{index: j, values: s.sampleType(s.p.decls[j]), sampled: true}
}

// offers finds the generators of patterns in l.
func (s *solver) offers(l literal, set uint64, offer func(generator)) {
	// A side that still has unset variables cannot generate values for the other.
	value := func(term logic.Term) (v Value, ok bool) {
		if s.mask(s.p, term, l.level)&^set != 0 {
			return 0, false
		}
		s.in(l.level, func() { v, ok = s.expr(term) })
		return v, ok
	}
	if l.value != 0 {
		if l.op == logic.Eq && !l.neg && s.fits(l.t, l.level, set) {
			offer(generator{pattern: l.t, level: l.level, values: []Value{l.value}})
		}
		return
	}
	args := s.b.Args(l.t)
	switch op := s.b.Op(l.t); {
	case op == logic.Eq && !l.neg || op == logic.Neq && l.neg:
		for i := range args {
			if s.fits(args[i], l.level, set) {
				if v, ok := value(args[1-i]); ok {
					offer(generator{pattern: args[i], level: l.level, values: []Value{v}})
				}
			}
		}
	case op == logic.In && !l.neg || op == logic.NotIn && l.neg:
		s.offersOfSet(args[0], args[1], l.level, set, value, offer)
	case (op == logic.SubsetEq || op == logic.Subset) && !l.neg || (op == logic.NotSubsetEq || op == logic.NotSubset) && l.neg:
		if j, ok := s.variable(args[0], l.level); ok && set>>j&1 == 0 {
			if v, ok := value(args[1]); ok {
				if w, ok := s.list(s.s.symbolic(logic.Pow, v)); ok {
					offer(generator{index: j, values: s.s.Parts(w)})
				}
			}
		}
	}
}

func (s *solver) offersOfSet(pattern, term logic.Term, level int, set uint64, value func(logic.Term) (Value, bool), offer func(generator)) {
	if s.fits(pattern, level, set) {
		if v, ok := value(term); ok {
			if w, ok := s.list(v); ok {
				offer(generator{pattern: pattern, level: level, values: s.s.Parts(w)})
				return
			}
		}
	}
	if s.b.Op(pattern) == logic.Maplet && s.b.Op(term) == logic.CProd {
		for i := range 2 {
			s.offersOfSet(s.b.Arg(pattern, i), s.b.Arg(term, i), level, set, value, offer)
		}
	}
}

// alternatives lists values for variable j if l is a disjunction each of whose
// sides gives some.
func (s *solver) alternatives(l literal, j int, set uint64) ([]Value, bool) {
	op := s.b.Op(l.t)
	if l.value != 0 || !(op == logic.Or && !l.neg || op == logic.And && l.neg || op == logic.Implies && !l.neg) || l.mask>>j&1 == 0 {
		return nil, false
	}
	var out []Value
	for i, term := range s.b.Args(l.t) {
		side := &plan{decls: slices.Clip(s.p.decls[:l.level]), masks: s.p.masks}
		s.split(side, term, l.neg || op == logic.Implies && i == 0, l.level)
		side.lits = slices.DeleteFunc(side.lits, func(k literal) bool { return k.level != l.level })
		// A side that is false already gives no values, and takes none away.
		if s.excluded(side.lits, set) {
			continue
		}
		vs, found := s.rangeOf(j, side.lits, set)
		for _, k := range side.lits {
			if found {
				break
			}
			s.offers(k, set, func(g generator) {
				if i, ok := s.variable(g.pattern, k.level); g.pattern == 0 && g.index == j || g.pattern != 0 && ok && i == j {
					vs, found = g.values, true
				}
			})
		}
		if !found {
			return nil, false
		}
		out = append(out, vs...)
	}
	return s.distinct(out), true
}

// excluded reports whether one of lits is decided already and false.
func (s *solver) excluded(lits []literal, set uint64) bool {
	return slices.ContainsFunc(lits, func(l literal) bool {
		return l.mask&^set == 0 && s.decideLiteral(l) == False
	})
}

// rangeOf lists the values of integer variable j that linear literals allow, if
// they bound it on both sides.
func (s *solver) rangeOf(j int, lits []literal, set uint64) ([]Value, bool) {
	if s.p.decls[j] != logic.IntType {
		return nil, false
	}
	var lo, hi *big.Int
	for _, l := range lits {
		if l.mask&^set != 1<<j || l.value != 0 {
			continue
		}
		s.in(l.level, func() { s.narrow(l, j, &lo, &hi) })
	}
	if lo == nil || hi == nil {
		return nil, false
	}
	n := new(big.Int).Sub(hi, lo)
	if n.Cmp(big.NewInt(maxListed)) > 0 {
		return nil, false
	}
	var out []Value
	for x := new(big.Int).Set(lo); x.Cmp(hi) <= 0; x.Add(x, big.NewInt(1)) {
		out = append(out, s.s.Int(x))
	}
	return out, true
}

var negation = map[logic.Op]logic.Op{
	logic.Lt: logic.Ge, logic.Le: logic.Gt, logic.Gt: logic.Le, logic.Ge: logic.Lt,
	logic.Eq: logic.Neq, logic.Neq: logic.Eq, logic.In: logic.NotIn, logic.NotIn: logic.In,
}

// narrow moves the bounds of variable j as l demands. It reports whether l
// demands nothing else.
func (s *solver) narrow(l literal, j int, lo, hi **big.Int) (exact bool) {
	op := s.b.Op(l.t)
	if l.neg {
		op = negation[op]
	}
	args := s.b.Args(l.t)
	// atMost demands c∗x ≤ d.
	atMost := func(c, d *big.Int) {
		q := new(big.Int)
		switch c.Sign() {
		case 1:
			q.Div(d, c) // floor, for c is positive
			if *hi == nil || q.Cmp(*hi) < 0 {
				*hi = q
			}
		case -1:
			q.Neg(q.Div(d, q.Neg(c)))
			if *lo == nil || q.Cmp(*lo) > 0 {
				*lo = q
			}
		}
	}
	neg := func(x *big.Int) *big.Int { return new(big.Int).Neg(x) }
	switch op {
	case logic.Lt, logic.Le, logic.Gt, logic.Ge, logic.Eq:
		if s.b.Type(args[0]) != logic.IntType {
			return false
		}
		c1, d1, ok1 := s.linear(args[0], l.level, j)
		c2, d2, ok2 := s.linear(args[1], l.level, j)
		if !ok1 || !ok2 {
			return false
		}
		c, d := new(big.Int).Sub(c1, c2), new(big.Int).Sub(d2, d1) // c∗x op d
		switch op {
		case logic.Le:
			atMost(c, d)
		case logic.Lt:
			atMost(c, d.Sub(d, big.NewInt(1)))
		case logic.Ge:
			atMost(neg(c), neg(d))
		case logic.Gt:
			atMost(neg(c), neg(d.Add(d, big.NewInt(1))))
		case logic.Eq:
			atMost(c, d)
			atMost(neg(c), neg(d))
		}
		return true
	case logic.In:
		if s.b.Type(args[0]) != logic.IntType || s.mask(s.p, args[1], l.level)>>j&1 == 1 {
			return false
		}
		c, d, ok := s.linear(args[0], l.level, j)
		if !ok {
			return false
		}
		set, ok := s.expr(args[1])
		if !ok {
			return false
		}
		low, high, ok := s.bounds(set)
		if value, isList := s.list(set); !ok && isList {
			ms := s.s.Members(value)
			if len(ms) == 0 {
				*lo, *hi = big.NewInt(1), big.NewInt(0)
				return false
			}
			low, high, ok = ms[0], ms[len(ms)-1], true
		}
		if ok && low != 0 {
			atMost(neg(c), new(big.Int).Sub(d, s.s.Big(low)))
		}
		if ok && high != 0 {
			atMost(c, new(big.Int).Sub(s.s.Big(high), d))
		}
		return ok && s.s.Kind(set) == Symbolic
	}
	return false
}

// linear returns c and d such that t = c∗x + d for variable j, if t has that form and all else in it has a value. A condition
// on t then gives a bound on x, which is enumerated within.
func (s *solver) linear(t logic.Term, level, j int) (c, d *big.Int, ok bool) {
	if i, ok := s.variable(t, level); ok && i == j {
		return big.NewInt(1), big.NewInt(0), true
	}
	if s.mask(s.p, t, level)>>j&1 == 0 {
		value, ok := s.expr(t)
		if !ok {
			return nil, nil, false
		}
		return big.NewInt(0), s.s.Big(value), true
	}
	op := s.b.Op(t)
	switch op {
	case logic.Plus, logic.Minus, logic.Neg, logic.Times:
	default:
		return nil, nil, false
	}
	c, d = big.NewInt(0), big.NewInt(0)
	for i, a := range s.b.Args(t) {
		c2, d2, ok := s.linear(a, level, j)
		switch {
		case !ok:
			return nil, nil, false
		case op == logic.Neg || op == logic.Minus && i > 0:
			c.Sub(c, c2)
			d.Sub(d, d2)
		case op == logic.Times && i > 0:
			if c.Sign() != 0 && c2.Sign() != 0 {
				return nil, nil, false
			}
			// (c∗x + d)(c2∗x + d2) with c or c2 zero.
			c.Mul(c, d2)
			c.Add(c, new(big.Int).Mul(d, c2))
			d = new(big.Int).Mul(d, d2)
		default:
			c.Add(c, c2)
			d.Add(d, d2)
		}
	}
	return c, d, true
}
