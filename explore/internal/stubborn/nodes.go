package stubborn

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
)

// New compiles what is known for the set-up of p. It returns nil if p
// also runs the abstract machine, about which nothing is known.
func New(ctx context.Context, compiled *program.Program, known *order.Independence) *Sets {
	if compiled.Refines {
		return nil
	}
	modelled := map[*model.Event]bool{} // a view may leave some out
	for _, event := range compiled.Events {
		modelled[event.Model] = true
	}
	known = known.Among(modelled)
	t := &Sets{Verified: known.Verified}
	b := &stubbornBuilder{ctx: ctx, Sets: t, p: compiled, c: compiled.Compiler, known: known, number: map[*model.Event]int{}, keys: map[keyOf][]keyValue{}}
	for i, event := range compiled.Events {
		b.number[event.Model] = i
	}
	for i := range compiled.Events {
		b.enumerate(i)
	}
	t.N = len(t.Event)
	t.visible = t.set()
	b.dependencies()
	for i := range compiled.Events {
		b.conjuncts(i)
	}
	return t
}

type stubbornBuilder struct {
	ctx context.Context
	*Sets
	p      *program.Program
	c      *formula.Compiler
	known  *order.Independence
	number map[*model.Event]int
	slots  [][]int // by event: of the parameters in args
	keys   map[keyOf][]keyValue
}

type keyOf struct {
	event int
	term  logic.Term
}

// keyValue is the value of an expression at a node.
type keyValue struct {
	value   value.Value
	defined bool
}

// relevant returns the parameters of event i that known facts depend on, as far
// as they have a finite range.
func (b *stubbornBuilder) relevant(i int) (args []int, ranges []logic.Term) {
	event := b.p.Events[i].Model
	bank := b.c.Bank
	var terms []logic.Term
	collect := func(e1, e2 *model.Event, where []order.Different) {
		for _, d := range where {
			if e1 == event {
				terms = append(terms, d.First)
			}
			if e2 == event {
				terms = append(terms, d.Second)
			}
		}
	}
	for _, c := range b.known.Commuting {
		collect(c.First, c.Second, c.Where)
	}
	for _, h := range b.known.Harmless {
		collect(h.Event, h.Other, h.Where)
	}
	for k, ident := range event.Parameters {
		if !slices.ContainsFunc(terms, func(term logic.Term) bool { return bank.Occurs(ident.Term, term) }) {
			continue
		}
		// A parameter without a finite range cannot be split into nodes; it stays together.
		finite := b.c.Space.Shape(bank.Type(ident.Term)).Finite()
		for _, w := range b.known.Within {
			if w.Event == event && w.Param == ident.Term {
				ranges = append(ranges, bank.App(logic.In, ident.Term, w.Set))
				finite = true
			}
		}
		if finite {
			args = append(args, k)
		}
	}
	return args, ranges
}

// enumerate makes the nodes of event i: one for each combination of values of the parameters that facts depend on, or
// a single one for all instances where there are too many combinations. Facts about instances then say nothing of it.
func (b *stubbornBuilder) enumerate(i int) {
	args, conds := b.relevant(i)
	index := map[string]int{}
	var found [][]value.Value
	if !b.valuesOf(i, args, conds, func(vs []value.Value) { found = append(found, vs) }) {
		args, found = nil, [][]value.Value{{}}
	}
	for _, vs := range found {
		index[string(packValues(nil, vs))] = len(b.Event)
		b.Event, b.Values = append(b.Event, i), append(b.Values, vs)
	}
	var slots []int
	for range args {
		slots = append(slots, b.c.NewSlot())
	}
	b.args, b.nodes, b.slots = append(b.args, args), append(b.nodes, index), append(b.slots, slots)
}

// valuesOf visits the values of some parameters of event i that satisfy conds
// and those guards that are about nothing else. It reports false if they cannot
// be enumerated, or are too many.
func (b *stubbornBuilder) valuesOf(i int, args []int, conds []logic.Term, visit func([]value.Value)) bool {
	event := b.p.Events[i].Model
	compiler := b.c
	var ids []logic.Term
	var types []logic.Type
	var names []string
	for _, k := range args {
		ident := event.Parameters[k]
		ids, types, names = append(ids, ident.Term), append(types, compiler.Bank.Type(ident.Term)), append(names, ident.Name)
	}
	for _, goal := range b.conjunctsOf(i) {
		if b.over(goal, ids) {
			conds = append(conds, goal)
		}
	}
	for k, term := range conds {
		conds[k] = compiler.Bank.Abstract(compiler.Bank.Subst(term, compiler.Defs), ids)
	}
	base := compiler.NextSlot()
	var search formula.Searcher
	if compiler.Attempt(func() { search = compiler.Binder(types, names, conds, func() {}) }) != nil {
		return false
	}
	f := compiler.NewFrame(b.ctx)
	n := 0
	whole, why := f.Visit(search, func(f *formula.Frame) bool {
		// Each event has its share, so that which events are split does not depend on their order.
		if n++; n > maxNodes/len(b.p.Events) {
			return false
		}
		visit(slices.Clone(f.Slots[base : base+len(ids)]))
		return true
	})
	return whole && why == ""
}

// over reports whether t is about ids and constants alone.
func (b *stubbornBuilder) over(t logic.Term, ids []logic.Term) bool {
	for _, id := range b.c.Bank.FreeIdents(b.c.Bank.Subst(t, b.c.Defs)) {
		if _, ok := b.c.Consts[b.c.Bank.Name(id)]; !ok && !slices.Contains(ids, id) {
			return false
		}
	}
	return true
}

// conjunctsOf returns the conjuncts of the guards of event i.
func (b *stubbornBuilder) conjunctsOf(i int) []logic.Term {
	var out []logic.Term
	for _, g := range b.p.Events[i].Model.Guards {
		if !g.Theorem {
			out = append(out, b.c.Conjuncts(g.Term)...)
		}
	}
	return out
}

// with compiles with the parameters in args of event i in scope.
func (b *stubbornBuilder) with(i int, compile func()) error {
	e := b.p.Events[i].Model
	for k, at := range b.args[i] {
		b.c.Slots[e.Parameters[at].Name] = b.slots[i][k]
	}
	err := b.c.Attempt(compile)
	for _, at := range b.args[i] {
		delete(b.c.Slots, e.Parameters[at].Name)
	}
	return err
}

// key returns the values of expression t at the nodes of event i, by node.
func (b *stubbornBuilder) key(i int, term logic.Term) []keyValue {
	if vs, ok := b.keys[keyOf{i, term}]; ok {
		return vs
	}
	out := make([]keyValue, b.N)
	b.keys[keyOf{i, term}] = out
	var expr formula.Expr
	if b.with(i, func() { expr = b.c.Expr(b.c.Bank.Subst(term, b.c.Defs)) }) != nil {
		return out
	}
	frame := b.c.NewFrame(b.ctx)
	for n := range b.N {
		if b.Event[n] == i {
			for k, v := range b.Values[n] {
				frame.Slots[b.slots[i][k]] = v
			}
			v, why := frame.Value(expr)
			out[n] = keyValue{v, why == ""}
		}
	}
	return out
}

// differ reports whether node m of event i and node n of event j differ in all of where.
func (b *stubbornBuilder) differ(i, m, j, n int, where []order.Different) bool {
	for _, d := range where {
		u, v := b.key(i, d.First)[m], b.key(j, d.Second)[n]
		if !u.defined || !v.defined || u.value == v.value {
			return false
		}
	}
	return true
}

// all returns the set of all nodes.
func (t *Sets) all() bitset {
	s := t.set()
	for n := range t.N {
		s.add(n)
	}
	return s
}

// dependencies says of each pair of nodes whether one can disable the other, or excludes it.
func (b *stubbornBuilder) dependencies() {
	for range b.N {
		abort.Check(b.ctx)
		b.Dependent, b.Exclusive = append(b.Dependent, b.all()), append(b.Exclusive, b.set())
	}
	for _, x := range b.known.Exclusive {
		abort.Check(b.ctx)
		for m := range b.N {
			for n := range b.N {
				if m != n && b.Event[m] == b.number[x.First] && b.Event[n] == b.number[x.Second] {
					b.Exclusive[m].add(n)
					b.Exclusive[n].add(m)
				}
			}
		}
	}
	// All depend on each other until a proof says otherwise.
	for _, x := range b.known.Commuting {
		abort.Check(b.ctx)
		i, j := b.number[x.First], b.number[x.Second]
		for m := range b.N {
			for n := range b.N {
				if b.Event[m] == i && b.Event[n] == j && b.differ(i, m, j, n, x.Where) && (i != j || b.differ(i, n, j, m, x.Where)) {
					b.Dependent[m].remove(n)
					b.Dependent[n].remove(m)
				}
			}
		}
	}
	for n := range b.N {
		event := b.p.Events[b.Event[n]].Model
		b.One = append(b.One, !b.Dependent[n].Has(n) && !slices.ContainsFunc(event.Actions, chooses))
	}
}

// chooses reports whether a may have several after-states.
func chooses(a *model.Action) bool { return a.Kind != model.BecomesEqual }

// conjuncts compiles the guards of event j.
func (b *stubbornBuilder) conjuncts(j int) {
	var out []*Conjunct
	vague := false
	for _, goal := range b.conjunctsOf(j) {
		k := &Conjunct{Enablers: map[int]bitset{}, Slots: b.slots[j]}
		// Each node of the event enables its guard until an independence result says that it cannot.
		out = append(out, k)
		for n := range b.N {
			if b.Event[n] == j {
				k.Enablers[n] = b.all()
			}
		}
		for _, h := range b.known.Harmless {
			if h.Other != b.p.Events[j].Model || h.Guard != goal {
				continue
			}
			abort.Check(b.ctx)
			i := b.number[h.Event]
			for n, s := range k.Enablers {
				for m := range b.N {
					if b.Event[m] == i && b.differ(i, m, j, n, h.Where) {
						s.remove(m)
					}
				}
			}
		}
		// A guard that cannot be evaluated alone is never known to be false, so whatever may enable it is dependent on
		// all.
		if b.with(j, func() { k.Holds = b.c.Pred(b.c.Bank.Subst(goal, b.c.Defs)) }) != nil {
			k.Holds = nil
			vague = vague || !b.Verified && !b.c.Total(goal)
			for n, s := range k.Enablers {
				b.Dependent[n].addAll(s)
			}
		}
	}
	// Parameters without a value of their own leave it open which result an action chooses.
	event := b.p.Events[j].Model
	if len(b.args[j]) < len(event.Parameters) && !b.Verified {
		vague = vague || slices.ContainsFunc(event.Actions, chooses)
	}
	b.Guards, b.vague = append(b.Guards, out), append(b.vague, vague)
}

func packValues(buf []byte, vs []value.Value) []byte {
	for _, v := range vs {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(v))
	}
	return buf
}
