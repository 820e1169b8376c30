package gpuc

import "math/big"

// guess finds candidates for invariants at cut points: ranges of variables, values
// that they keep, closed forms, bounds by the conditions of loops, powers of two. What
// holds of them is for a prover to say.
func (b *builder) guess() {
	g := &guesser{builder: b, seen: map[string]bool{}}
	for _, c := range b.cuts {
		if c == b.p.entry || c.end || c.then == nil {
			continue
		}
		for _, v := range b.kept() {
			if b.live[c][v] {
				g.range_(c, v)
			}
		}
	}
	for _, p := range b.paths {
		if p.to.end || p.to.then == nil || p.to == b.p.entry {
			continue
		}
		g.arrival(p)
	}
	for _, p := range b.paths {
		if p.to == p.from {
			g.loop(p)
		}
	}
	g.inherit()
}

// form is v = start + step∗count.
type form struct {
	v           *variable
	start, step *term
}

// sharpen derives ranges from the closed forms that hold: what bounds one variable of
// a loop bounds how often it has come round, and that bounds the others.
func (b *builder) sharpen(hints map[int]map[int]interval) (better bool) {
	for _, c := range b.cuts {
		if c.count == nil {
			continue
		}
		st := &state{values: map[*variable]*term{}, ranges: map[string]interval{}, memory: map[*memory]map[string]*term{}, facts: map[string]bool{}}
		for v, r := range b.walk.ranges[c] {
			st.ranges[variableTerm(v).key()] = r
		}
		rounds := interval{lo: new(big.Int)}
		for _, k := range b.cands {
			if k.at == c && !k.dead && k.form != nil && k.form.step.isNum() {
				d := b.walk.ranges[c][k.form.v]
				start := b.walk.interval(st, k.form.start)
				step := k.form.step.val
				if step.Sign() > 0 && d.hi != nil && start.lo != nil {
					rounds = rounds.meet(interval{hi: new(big.Int).Quo(new(big.Int).Sub(d.hi, start.lo), step)})
				}
				if step.Sign() < 0 && d.lo != nil && start.hi != nil {
					rounds = rounds.meet(interval{hi: new(big.Int).Quo(new(big.Int).Sub(d.lo, start.hi), step)})
				}
			}
		}
		if rounds.hi == nil {
			continue
		}
		note := func(v *variable, r interval) {
			i := b.index[c]
			if hints[i] == nil {
				hints[i] = map[int]interval{}
			}
			was := hints[i][v.id]
			now := was.meet(r)
			if !now.same(was) && !b.walk.ranges[c][v].inside(now) {
				hints[i][v.id] = now
				better = true
			}
		}
		note(c.count, rounds)
		for _, k := range b.cands {
			if k.at == c && !k.dead && k.form != nil && k.form.step.isNum() {
				note(k.form.v, b.walk.interval(st, k.form.start).plus(rounds.times(point(k.form.step.val))))
			}
		}
	}
	return better
}

type guesser struct {
	*builder
	changed map[*node]map[*variable]bool
	seen    map[string]bool
}

const maxCandidates = 300

func (g *guesser) add(at *node, e *term, rule string) {
	if e.op == pTrue || e.op == pFalse || len(g.cands) >= maxCandidates {
		return
	}
	ok := true
	leaves(e, func(x *term) {
		if x.op == local_ && !g.live[at][x.v] || x.op == sym && x.own && x.name[0] == 'h' {
			ok = false
		}
	})
	key := e.key()
	for _, c := range g.cands {
		if c.at == at && c.e.key() == key {
			return
		}
	}
	if ok {
		g.cands = append(g.cands, &candidate{at: at, e: e, rule: rule, id: len(g.cands)})
	}
}

func (g *guesser) range_(c *node, v *variable) {
	x := variableTerm(v)
	if v.ghost {
		g.add(c, compare(pLe, number(0), x), "range")
		if r := g.walk.ranges[c][v]; r.hi != nil {
			g.add(c, compare(pLe, x, bigNumber(r.hi)), "range")
		}
		return
	}
	if v.typ.kind != intType {
		return
	}
	all := typeInterval(v.typ)
	g.add(c, compare(pLe, bigNumber(all.lo), x), "type")
	g.add(c, compare(pLe, x, bigNumber(all.hi)), "type")
	r := g.walk.ranges[c][v]
	if r.lo != nil && r.lo.Cmp(all.lo) > 0 {
		g.add(c, compare(pLe, bigNumber(r.lo), x), "range")
	}
	if r.hi != nil && r.hi.Cmp(all.hi) < 0 {
		g.add(c, compare(pLe, x, bigNumber(r.hi)), "range")
	}
}

// arrival guesses from a path that comes to a cut point from another one.
func (g *guesser) arrival(p *path) {
	if p.from == p.to {
		return
	}
	for _, v := range g.kept() {
		if !g.live[p.to][v] {
			continue
		}
		e := p.values[v]
		if e == nil {
			continue
		}
		x := variableTerm(v)
		if e = g.survives(p, e); e == nil || e.key() == x.key() {
			continue
		}
		if !g.changes(p.to, v) {
			g.add(p.to, compare(pEq, x, e), "kept")
			continue
		}
		if v.typ.kind == intType && !v.ghost {
			up, down := g.directions(p.to, v)
			if up {
				g.add(p.to, compare(pLe, e, x), "start")
			}
			if down {
				g.add(p.to, compare(pLe, x, e), "start")
			}
			g.closedForm(p.to, v, e)
		}
	}
	for _, it := range p.items {
		if it.kind == isGuard {
			if e := g.survives(p, it.e); e != nil {
				g.add(p.to, e, "guard")
			}
		}
	}
}

// changes reports whether v is set in the loop of c.
func (g *guesser) changes(c *node, v *variable) bool {
	if g.changed == nil {
		g.changed = map[*node]map[*variable]bool{}
	}
	m := g.changed[c]
	if m == nil {
		m = map[*variable]bool{}
		for n := range g.p.loopOf(c) {
			for _, i := range n.code {
				if i.v != nil {
					m[i.v] = true
				}
			}
		}
		g.changed[c] = m
	}
	return m[v]
}

// directions says whether v may grow and shrink in the loop of c, by how it steps.
func (g *guesser) directions(c *node, v *variable) (up, down bool) {
	steps := g.steps(c, v)
	if len(steps) == 0 {
		return true, true
	}
	for _, k := range steps {
		switch {
		case !k.isNum():
			up = true
		case k.val.Sign() > 0:
			up = true
		default:
			down = true
		}
	}
	return up, down
}

// survives is e, over values at the start of p, as a term at its end: what p changes is gone.
func (g *guesser) survives(p *path, e *term) *term {
	ok := true
	out := mapTerm(e, func(x *term) *term {
		if x.op == sym && x.own && x.name[0] == 'h' {
			// A free value that a variable holds at the end.
			for _, v := range g.kept() {
				if y := p.values[v]; y != nil && y.key() == x.key() && g.live[p.to][v] {
					return variableTerm(v)
				}
			}
			ok = false
		}
		if x.op != local_ {
			return nil
		}
		if y := p.values[x.v]; y != nil && !(y.op == local_ && y.v == x.v) {
			for _, v := range g.kept() {
				if z := p.values[v]; g.live[p.to][v] && z != nil && z.op == local_ && z.v == x.v {
					return variableTerm(v)
				}
			}
			ok = false
		}
		return nil
	})
	if !ok {
		return nil
	}
	return out
}

// closedForm guesses v = start + step∗count for a variable that steps in a loop with a counter.
func (g *guesser) closedForm(c *node, v *variable, start *term) {
	if c.count == nil || !g.live[c][c.count] {
		return
	}
	for _, k := range g.steps(c, v) {
		n := len(g.cands)
		g.add(c, compare(pEq, variableTerm(v), sum(start, product(k, variableTerm(c.count)))), "count")
		if len(g.cands) > n {
			g.cands[n].form = &form{v, start, k}
		}
	}
}

// steps are the amounts that a variable changes by in the loop of c.
func (g *guesser) steps(c *node, v *variable) []*term {
	var out []*term
	seen := map[string]bool{}
	for _, p := range g.paths {
		e := p.values[v]
		if p.to != c || e == nil || p.from != c {
			continue
		}
		d := minus(e, variableTerm(v))
		bad := false
		leaves(d, func(x *term) {
			bad = bad || x.op == local_ && x.v == v || x.op == sym && x.own && x.name[0] == 'h'
		})
		if !bad && !seen[d.key()] && d.op != modulo && !d.is(0) {
			seen[d.key()] = true
			out = append(out, d)
		}
	}
	for _, d := range c.stepped[v] {
		if !seen[d.key()] {
			seen[d.key()] = true
			out = append(out, d)
		}
	}
	return out
}

// loop guesses from a path that comes back to its cut point.
func (g *guesser) loop(p *path) {
	c := p.to
	for _, v := range g.kept() {
		e := p.values[v]
		if !g.live[c][v] || e == nil || v.typ.kind != intType || v.ghost {
			continue
		}
		x := variableTerm(v)
		if k := minus(e, x); k.isNum() || g.survives(p, k) != nil && !mentions(k, v) {
			for _, it := range p.items {
				if it.kind != isGuard || it.e.op != pLt && it.e.op != pLe || !mentions(it.e, v) {
					continue
				}
				// After the step, the condition holds of the value before it.
				before := mapTerm(it.e, func(y *term) *term {
					if y.op == local_ && y.v == v {
						return minus(x, k)
					}
					return nil
				})
				if q := g.survives(p, mapTerm(before, func(y *term) *term { return nil })); q != nil || onlyVariable(before, v) || true {
					g.add(c, before, "bound")
					if c.count != nil && g.live[c][c.count] {
						g.add(c, either(compare(pEq, variableTerm(c.count), number(0)), before), "bound")
					}
				}
			}
		}
		g.powers(c, v, e)
	}
}

func onlyVariable(t *term, v *variable) bool {
	vs := variablesOf(t)
	return len(vs) == 1 && vs[0] == v
}

func mentions(t *term, v *variable) bool {
	for _, x := range variablesOf(t) {
		if x == v {
			return true
		}
	}
	return false
}

// powers guesses that a variable that is doubled or halved is a power of two.
func (g *guesser) powers(c *node, v *variable, e *term) {
	doubles := e.op == mul && len(e.args) == 2 && e.args[0].is(2) && e.args[1].op == local_ && e.args[1].v == v
	halves := e.op == quo && e.args[1].is(2) && e.args[0].op == local_ && e.args[0].v == v
	if !doubles && !halves {
		return
	}
	x := variableTerm(v)
	r := g.walk.ranges[c][v]
	var alternatives []*term
	for k := range 17 {
		n := big.NewInt(1 << k)
		if (r.hi == nil || n.Cmp(r.hi) <= 0) && (r.lo == nil || n.Cmp(r.lo) >= 0) {
			alternatives = append(alternatives, compare(pEq, x, bigNumber(n)))
		}
	}
	if len(alternatives) == 0 {
		return
	}
	g.add(c, either(alternatives...), "power")
	g.add(c, either(append([]*term{compare(pEq, x, number(0))}, alternatives...)...), "power")
}

// inherit hands candidates on from cut point to cut point along paths that change
// nothing in them.
func (g *guesser) inherit() {
	for i := 0; i < len(g.cands); i++ {
		k := g.cands[i]
		for _, p := range g.paths {
			if p.from != k.at || p.to == k.at || p.to.end || p.to.then == nil {
				continue
			}
			if e := g.survives(p, k.e); e != nil {
				g.add(p.to, e, k.rule)
			}
		}
	}
}
