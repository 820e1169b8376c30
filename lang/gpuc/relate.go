package gpuc

import (
	"fmt"
	"slices"
	"strings"
)

// relation is a guess about what a thread knows at a cut point of what both threads
// of a group had when they left the last barrier: variables that are equal in all
// threads there are remembered, and what a thread has since made of them is written
// as a term over what was remembered.
type relation_ struct {
	start, at *node
	e         *term // over variables and remembered ones
	id        int
	dead      bool
}

// remembered are the variables that are remembered at barriers.
func (b *builder) remembered() []*variable {
	if b.scope != Group || !b.meets() {
		return nil
	}
	var out []*variable
	for _, v := range b.kept() {
		if b.same[v] {
			out = append(out, v)
		}
	}
	return out
}

// meets reports whether there are barriers.
func (b *builder) meets() bool {
	for _, c := range b.cuts {
		if b.walk.barriers && c.isBarrier() {
			return true
		}
	}
	return false
}

// known is what is known at a cut point, since a start.
type known_ struct {
	conds  []*term
	values map[*variable]*term // over remembered variables
}

// relate guesses relations: it follows the paths from each start to the next barrier
// with what does not depend on the thread.
func (b *builder) relate() {
	vars := b.remembered()
	if b.scope != Group || !b.meets() {
		return
	}
	b.shadow = map[*variable]*variable{}
	back := map[*variable]bool{}
	for _, v := range vars {
		s := &variable{name: v.name, typ: v.typ, id: v.id + len(b.p.vars)}
		b.shadow[v] = s
		back[s] = true
	}
	for _, start := range b.cuts {
		if start != b.p.entry && !start.isBarrier() {
			continue
		}
		b.follow(start, vars)
	}
}

func (b *builder) follow(start *node, vars []*variable) {
	first := known_{values: map[*variable]*term{}}
	for _, v := range vars {
		if b.live[start][v] && start != b.p.entry {
			first.values[v] = variableTerm(b.shadow[v])
		}
	}
	at := map[*node]known_{start: first}
	ends := map[*node][]known_{}
	var order []*node
	queue := []*node{start}
	for rounds := 0; len(queue) > 0 && rounds < 200; rounds++ {
		c := queue[0]
		queue = queue[1:]
		for _, p := range b.paths {
			if p.from != c {
				continue
			}
			k := b.after(at[c], p, vars)
			if p.to.end || p.to.then == nil || p.to.isBarrier() {
				if len(ends[p.to]) == 0 {
					order = append(order, p.to)
				}
				ends[p.to] = append(ends[p.to], k)
				continue
			}
			was, ok := at[p.to]
			if !ok {
				at[p.to] = k
				order = append(order, p.to)
				queue = append(queue, p.to)
				continue
			}
			if m, changed := meetKnown(was, k); changed {
				at[p.to] = m
				queue = append(queue, p.to)
			}
		}
	}
	// What ends were found before a loop was known to change something is stale.
	ends = map[*node][]known_{}
	for _, c := range append([]*node{start}, order...) {
		k, ok := at[c]
		if !ok {
			continue
		}
		for _, p := range b.paths {
			if p.from == c && (p.to.end || p.to.then == nil || p.to.isBarrier()) {
				ends[p.to] = append(ends[p.to], b.after(k, p, vars))
			}
		}
	}
	for _, c := range order {
		if ks := ends[c]; len(ks) > 0 {
			b.propose(start, c, ks)
		} else {
			b.propose(start, c, []known_{at[c]})
		}
	}
	b.reach[start] = append([]*node{}, order...)
}

// after is what is known behind a path.
func (b *builder) after(k known_, p *path, vars []*variable) known_ {
	shift := func(t *term) *term {
		ok := true
		out := mapTerm(t, func(x *term) *term {
			switch {
			case x.op == local_:
				if y := k.values[x.v]; y != nil {
					return y
				}
				ok = false
			case x.op == sym && x.own && (x.name[0] == 'h' || x.name[:3] == "lid"):
				ok = false
			}
			return nil
		})
		if !ok {
			return nil
		}
		return out
	}
	out := known_{conds: append([]*term{}, k.conds...), values: map[*variable]*term{}}
	for _, it := range p.items {
		if it.kind == isGuard && len(out.conds) < 12 {
			if e := shift(it.e); e != nil && e.op != pTrue {
				out.conds = append(out.conds, e)
			}
		}
	}
	for _, v := range vars {
		if !b.live[p.to][v] {
			continue
		}
		e := p.values[v]
		if e == nil {
			e = variableTerm(v)
		}
		if f := shift(e); f != nil {
			out.values[v] = f
		}
	}
	return out
}

func meetKnown(a, b known_) (known_, bool) {
	out := known_{values: map[*variable]*term{}}
	for v, x := range a.values {
		if y := b.values[v]; y != nil && y.key() == x.key() {
			out.values[v] = x
		}
	}
	for _, c := range a.conds {
		for _, d := range b.conds {
			if c.key() == d.key() {
				out.conds = append(out.conds, c)
				break
			}
		}
	}
	return out, len(out.values) != len(a.values) || len(out.conds) != len(a.conds)
}

// propose makes relations of what is known at a cut point, by one way or several.
func (b *builder) propose(start, at *node, ks []known_) {
	add := func(e *term) {
		if e.op == pTrue {
			return
		}
		b.relations = append(b.relations, &relation_{start: start, at: at, e: e, id: len(b.relations)})
	}
	var alternatives []*term
	single := map[string]int{}
	for _, k := range ks {
		var parts []*term
		for _, c := range k.conds {
			parts = append(parts, c)
			single[c.key()]++
		}
		for _, v := range b.kept() {
			if f := k.values[v]; f != nil {
				e := compare(pEq, variableTerm(v), f)
				parts = append(parts, e)
				single[e.key()]++
			}
		}
		if a := both(parts...); !slices.ContainsFunc(alternatives, func(o *term) bool { return o.key() == a.key() }) {
			alternatives = append(alternatives, a)
		}
	}
	done := map[string]bool{}
	for _, a := range alternatives {
		parts := []*term{a}
		if a.op == pAnd {
			parts = a.args
		}
		for _, p := range parts {
			if single[p.key()] >= len(ks) && !done[p.key()] {
				done[p.key()] = true
				add(p)
			}
		}
	}
	if len(alternatives) > 1 && len(alternatives) <= 8 {
		add(either(alternatives...))
	}
}

// relationPrinter prints relations for what has a suffix: a thread, or a record.
func (w *writer) relationPrinter(of printer) printer {
	inner := of
	of.local = func(v *variable) string {
		for _, s := range w.shadow {
			if s == v {
				return v.name + "_0"
			}
		}
		return inner.variable(v)
	}
	return of
}

// relationInvariants says where threads may be since the last barrier, and the relations.
func (w *writer) relationInvariants() {
	if w.shadow == nil || !w.two() {
		return
	}
	w.line(1, "@second turn = 1 ⇒ pc2 = pc0")
	starts := ""
	for _, c := range w.cuts {
		if c != w.p.entry && !c.isBarrier() {
			continue
		}
		if starts != "" {
			starts += " ∨ "
		}
		starts += fmt.Sprintf("pc0 = %d", w.goAt(c))
		for _, t := range []string{"1", "2"} {
			where := fmt.Sprintf("pc%s = %d", t, w.goAt(c))
			for _, r := range w.reach[c] {
				where += fmt.Sprintf(" ∨ pc%s = %d", t, w.waitAt(r))
			}
			if t == "1" {
				where += fmt.Sprintf(" ∨ pc1 = %d", pcStopped)
			}
			w.line(1, "@since%s_%d pc0 = %d ⇒ (%s)", t, w.index[c], w.goAt(c), where)
		}
	}
	w.line(1, "@starts %s", starts)
	for _, r := range w.relations {
		if r.dead {
			continue
		}
		at := w.waitAt(r.at)
		for _, t := range []string{"1", "2"} {
			l := w.next("rel")
			w.model.Relations[l] = r.id
			w.line(1, "@%s pc0 = %d ∧ pc%s = %d ⇒ %s", l, w.goAt(r.start), t, at, w.relationPrinter(w.printer(t)).conjunct(r.e))
		}
	}
	for _, v := range w.remembered() {
		for _, c := range w.cuts {
			if c.isBarrier() && w.live[c][v] && w.shadow[v] != nil {
				for _, t := range []string{"1", "2"} {
					l := w.next("eq")
					w.model.Equal[l] = v.id
					if w.unequal[v] {
						continue
					}
					w.line(1, "@%s pc%s = %d ∧ pc0 = %d ⇒ %s_%s = %s_0", l, t, w.goAt(c), w.goAt(c), v.name, t, v.name)
				}
			}
		}
	}
	for _, s := range w.sites {
		if !s.stops {
			continue
		}
		w.siteStart(s)
		pr := w.relationPrinter(w.recorded())
		for _, r := range w.relations {
			if r.dead || r.at != s.path.from || r.at.isBarrier() {
				continue
			}
			l := w.next("rel")
			w.model.Relations[l] = r.id
			w.line(1, "@%s site = %d ∧ pc0 = %d ⇒ %s", l, s.number, w.goAt(r.start), pr.conjunct(r.e))
		}
		if c := s.path.from; c.isBarrier() {
			for _, v := range w.remembered() {
				if w.live[c][v] && !w.unequal[v] && w.shadow[v] != nil {
					l := w.next("eq")
					w.model.Equal[l] = v.id
					w.line(1, "@%s site = %d ⇒ %s = %s_0", l, s.number, w.record(v.name), v.name)
				}
			}
		}
	}
}

// siteStart says in which intervals a logged access can be.
func (w *writer) siteStart(s *site) {
	var starts []string
	for _, c := range w.cuts {
		if c == s.path.from && (c == w.p.entry || c.isBarrier()) || slices.Contains(w.reach[c], s.path.from) && !s.path.from.isBarrier() {
			starts = append(starts, fmt.Sprintf("pc0 = %d", w.goAt(c)))
		}
	}
	if len(starts) > 0 {
		w.line(1, "@from_%d site = %d ⇒ (%s)", s.number, s.number, strings.Join(starts, " ∨ "))
	}
}
