package encode

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
)

// remembered are the variables that are remembered at barriers.
func (b *builder) remembered() []*ir.Variable {
	if !b.meets() {
		return nil
	}
	var out []*ir.Variable
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
		if b.walk.Barriers && c.IsBarrier() {
			return true
		}
	}
	return false
}

// knowledge is what is known at a cut point, since a start.
type knowledge struct {
	conds  []*ir.Term
	values map[*ir.Variable]*ir.Term // over remembered variables
}

// relate guesses relations: it follows the paths from each start to the next barrier
// with what does not depend on the thread.
func (b *builder) relate() {
	vars := b.remembered()
	if !b.meets() {
		return
	}
	b.shadow = map[*ir.Variable]*ir.Variable{}
	back := map[*ir.Variable]bool{}
	for _, v := range vars {
		s := &ir.Variable{Name: v.Name, Typ: v.Typ, Id: v.Id + len(b.p.Vars)}
		b.shadow[v] = s
		back[s] = true
	}
	b.gives = map[int]*ir.Variable{}
	for k := 1; k <= b.alike; k++ {
		b.gives[k] = &ir.Variable{Name: sharedName(k), Typ: ast.TLong, Id: 2*len(b.p.Vars) + k}
	}
	for _, start := range b.cuts {
		if start != b.p.Entry && !start.IsBarrier() {
			continue
		}
		b.follow(start, vars)
	}
}

// follow finds the facts that hold at each cut point for a thread that comes from start.
func (b *builder) follow(start *ir.Node, vars []*ir.Variable) {
	first := knowledge{values: map[*ir.Variable]*ir.Term{}}
	for _, v := range vars {
		if b.live[start][v] && start != b.p.Entry {
			first.values[v] = ir.VariableTerm(b.shadow[v])
		}
	}
	at := map[*ir.Node]knowledge{start: first}
	ends := map[*ir.Node][]knowledge{}
	var order []*ir.Node
	queue := []*ir.Node{start}
	// What is known only shrinks, but kernels are hostile: guesses need not be complete.
	for rounds := 0; len(queue) > 0 && rounds < 200; rounds++ {
		c := queue[0]
		queue = queue[1:]
		for _, p := range b.paths {
			if p.From != c {
				continue
			}
			k := b.after(at[c], p, vars)
			if p.To.End || p.To.Then == nil || p.To.IsBarrier() {
				if len(ends[p.To]) == 0 {
					order = append(order, p.To)
				}
				ends[p.To] = append(ends[p.To], k)
				continue
			}
			was, ok := at[p.To]
			if !ok {
				at[p.To] = k
				order = append(order, p.To)
				queue = append(queue, p.To)
				continue
			}
			if m, changed := meetKnown(was, k); changed {
				at[p.To] = m
				queue = append(queue, p.To)
			}
		}
	}
	// What ends were found before a loop was known to change something is stale.
	ends = map[*ir.Node][]knowledge{}
	for _, c := range append([]*ir.Node{start}, order...) {
		k, ok := at[c]
		if !ok {
			continue
		}
		for _, p := range b.paths {
			if p.From == c && (p.To.End || p.To.Then == nil || p.To.IsBarrier()) {
				ends[p.To] = append(ends[p.To], b.after(k, p, vars))
			}
		}
	}
	for _, c := range order {
		if ks := ends[c]; len(ks) > 0 {
			b.propose(start, c, ks)
		} else {
			b.propose(start, c, []knowledge{at[c]})
		}
	}
	b.reach[start] = append([]*ir.Node{}, order...)
}

// after is what is known behind a path.
func (b *builder) after(k knowledge, p *paths.Path, vars []*ir.Variable) knowledge {
	shift := func(t *ir.Term) *ir.Term {
		// In a tile, which row of the group it is is alike in all lanes.
		rows := b.p.Lanes > 0 && b.p.InOneTile(t, func(*ir.Term) bool { return true })
		ok := true
		out := ir.MapTerm(t, func(x *ir.Term) *ir.Term {
			switch {
			case x.Op == ir.Local_:
				if y := k.values[x.V]; y != nil {
					return y
				}
				ok = false
			case x.IsFree() && b.sharedRead(p, x) != nil:
				return ir.VariableTerm(b.sharedRead(p, x))
			// Different in each thread of a group: it says nothing that both share.
			case x.Op == ir.Sym && x.Own && (x.IsFree() || x.Symbol.Of == ir.OfThread && !rows):
				ok = false
			}
			return nil
		})
		if !ok {
			return nil
		}
		return out
	}
	out := knowledge{conds: append([]*ir.Term{}, k.conds...), values: map[*ir.Variable]*ir.Term{}}
	for _, it := range p.Items {
		if it.Kind == paths.Guard && len(out.conds) < 12 {
			if e := shift(it.E); e != nil && e.Op != ir.PTrue {
				out.conds = append(out.conds, e)
			}
		}
	}
	for _, v := range vars {
		if !b.live[p.To][v] {
			continue
		}
		e := p.Values[v]
		if e == nil {
			e = ir.VariableTerm(v)
		}
		if f := shift(e); f != nil {
			out.values[v] = f
		}
	}
	return out
}

// sharedRead is what stands for an arbitrary value of p that all threads read alike; nil if that is not known of it.
func (b *builder) sharedRead(p *paths.Path, x *ir.Term) *ir.Variable {
	for _, f := range p.Free {
		if f.Term.Name == x.Name && f.Shared > 0 {
			return b.gives[f.Shared]
		}
	}
	return nil
}

// meetKnown is what both a and b know; false if that is nothing.
func meetKnown(a, b knowledge) (knowledge, bool) {
	out := knowledge{values: map[*ir.Variable]*ir.Term{}}
	for v, x := range a.values {
		if y := b.values[v]; y != nil && y.Key() == x.Key() {
			out.values[v] = x
		}
	}
	for _, c := range a.conds {
		for _, d := range b.conds {
			if c.Key() == d.Key() {
				out.conds = append(out.conds, c)
				break
			}
		}
	}
	return out, len(out.values) != len(a.values) || len(out.conds) != len(a.conds)
}

// propose makes relations of what is known at a cut point, by one way or several.
func (b *builder) propose(start, at *ir.Node, ks []knowledge) {
	add := func(e *ir.Term) {
		if e.Op == ir.PTrue {
			return
		}
		b.relations = append(b.relations, &relation{start: start, at: at, e: e, id: len(b.relations)})
	}
	var alternatives []*ir.Term
	single := map[string]int{}
	for _, k := range ks {
		var parts []*ir.Term
		for _, c := range k.conds {
			parts = append(parts, c)
			single[c.Key()]++
		}
		for _, v := range b.kept() {
			if f := k.values[v]; f != nil {
				e := ir.Compare(ir.PEq, ir.VariableTerm(v), f)
				parts = append(parts, e)
				single[e.Key()]++
			}
		}
		if a := ir.Both(parts...); !slices.ContainsFunc(alternatives, func(o *ir.Term) bool { return o.Key() == a.Key() }) {
			alternatives = append(alternatives, a)
		}
	}
	done := map[string]bool{}
	for _, a := range alternatives {
		parts := []*ir.Term{a}
		if a.Op == ir.PAnd {
			parts = a.Args
		}
		for _, p := range parts {
			if single[p.Key()] >= len(ks) && !done[p.Key()] {
				done[p.Key()] = true
				add(p)
			}
		}
	}
	// Which way was taken is lost in single facts; more than a few would swamp the prover.
	if len(alternatives) > 1 && len(alternatives) <= 8 {
		add(ir.Either(alternatives...))
	}
}

// relating makes formulas of relations for what has a suffix: a thread, or a record.
func (w *writer) relating(of reading) reading {
	inner := of
	of.local = func(v *ir.Variable) string {
		for _, s := range w.gives {
			if s == v {
				return v.Name
			}
		}
		for _, s := range w.shadow {
			if s == v {
				return v.Name + "_0"
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
	w.invariant("second", implies(is("turn", 1), eq(ident("pc2"), ident("pc0"))))
	w.whereabouts()
	w.rememberedFacts()
	claim := func(kind string, of Claim, f formula) {
		w.put(&w.machine.Invariants, w.claim(w.next(kind), f, &of))
	}
	for _, r := range w.relations {
		if r.dead {
			continue
		}
		for _, t := range []string{"1", "2"} {
			where := all(is("pc0", w.goAt(r.start)), is("pc"+t, w.waitAt(r.at)))
			claim("rel", Claim{Kind: Relation, Guess: r.id}, implies(where, w.relating(w.reading(t)).predicate(r.e)))
		}
	}
	for _, v := range w.remembered() {
		for _, c := range w.cuts {
			if c.IsBarrier() && w.live[c][v] && w.shadow[v] != nil && !w.unequal[v] {
				for _, t := range []string{"1", "2"} {
					// That pc0 is the same place need not be said: proofs would have to find it.
					claim("eq", Claim{Kind: Equal, Guess: v.Id}, implies(is("pc"+t, w.goAt(c)), eq(ident(v.Name+"_"+t), ident(v.Name+"_0"))))
				}
			}
		}
	}
	// A site that does not stop may outlive the barrier that its record begins at.
	for _, s := range w.sites {
		if !s.stops {
			continue
		}
		w.siteStart(s)
		pr := w.relating(w.recorded())
		for _, r := range w.relations {
			if r.dead || r.at != s.path.From || r.at.IsBarrier() {
				continue
			}
			claim("rel", Claim{Kind: Relation, Guess: r.id}, implies(all(is("site", s.number), is("pc0", w.goAt(r.start))), pr.predicate(r.e)))
		}
		if c := s.path.From; c.IsBarrier() {
			for _, v := range w.remembered() {
				if w.live[c][v] && !w.unequal[v] && w.shadow[v] != nil {
					claim("eq", Claim{Kind: Equal, Guess: v.Id}, implies(is("site", s.number), eq(ident(w.record(v.Name)), ident(v.Name+"_0"))))
				}
			}
		}
	}
}

// whereabouts says where threads may be since the last barrier.
func (w *writer) whereabouts() {
	var starts []formula
	for _, c := range w.cuts {
		if c != w.p.Entry && !c.IsBarrier() {
			continue
		}
		starts = append(starts, is("pc0", w.goAt(c)))
		for _, t := range []string{"1", "2"} {
			where := []formula{is("pc"+t, w.goAt(c))}
			for _, r := range w.reach[c] {
				where = append(where, is("pc"+t, w.waitAt(r)))
			}
			if t == "1" {
				where = append(where, is("pc1", pcStopped))
			}
			w.invariant(fmt.Sprintf("since%s_%d", t, w.index[c]), implies(is("pc0", w.goAt(c)), either(where...)))
		}
	}
	w.invariant("starts", either(starts...))
}

// rememberedFacts says of what was remembered at a barrier what held there of one thread:
// relations rest on it, if only to be well-defined.
func (w *writer) rememberedFacts() {
	for _, k := range w.cands {
		if k.dead || !k.at.IsBarrier() || len(ir.VariablesOf(k.e)) == 0 {
			continue
		}
		ok := true
		ir.Leaves(k.e, func(x *ir.Term) {
			ok = ok && (x.Op != ir.Local_ || w.shadow[x.V] != nil && w.live[k.at][x.V]) && !(x.Op == ir.Sym && x.Own)
		})
		if !ok {
			continue
		}
		e := ir.MapTerm(k.e, func(x *ir.Term) *ir.Term {
			if x.Op == ir.Local_ {
				return ir.VariableTerm(w.shadow[x.V])
			}
			return nil
		})
		w.invariant(w.next("kept"), implies(is("pc0", w.goAt(k.at)), w.relating(w.reading("1")).predicate(e)))
	}
}

// siteStart says in which intervals a logged access can be.
func (w *writer) siteStart(s *site) {
	var starts []formula
	for _, c := range w.cuts {
		if c == s.path.From && (c == w.p.Entry || c.IsBarrier()) || slices.Contains(w.reach[c], s.path.From) && !s.path.From.IsBarrier() {
			starts = append(starts, is("pc0", w.goAt(c)))
		}
	}
	if len(starts) > 0 {
		w.invariant(fmt.Sprint("from_", s.number), implies(is("site", s.number), either(starts...)))
	}
}
