package explore

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// program is a machine compiled for one set-up.
type program struct {
	u     *space
	c     *compiler
	in    *Instance
	m     *model.Machine
	view  *view // nil for the whole machine
	vars  []variable
	width int // bytes of a packed state

	refines  bool // steps are matched by abstract ones
	theorems bool // theorems among the guards are checked

	nslots, nleaves int
	init            *event
	events          []*event
	invs            []property

	unchecked []string     // invariants that cannot be evaluated, with the reason
	limits    []limit      // of variables
	hidden    []logic.Term // conditions that are not looked at for all values of their variables
}

// limit keeps a variable between bounds: successors beyond are not visited.
type limit struct {
	variable  int
	low, high Value
}

type variable struct {
	name   string
	shape  *shape
	at     int // offset in a packed state
	bytes  int
	primed int // slot of its after-value

	term     logic.Term
	abstract bool // of the abstract machine
	ghost    bool // of the abstract machine alone
}

// property is a predicate to be checked, with its label.
type property struct {
	label string
	holds pred
	term  logic.Term
}

// event is a compiled event.
type event struct {
	model  *model.Event
	params []param
	// fire visits all after-states: the primed slots hold them.
	fire searcher
}

type param struct {
	name  string
	slot  int
	shape *shape
}

// compile compiles machine m for a set-up; with refines, so that refinement is
// checked.
func compile(in *Instance, m *model.Machine, refines bool) (*program, error) {
	return compileAs(in, m, &program{refines: refines})
}

// compileAs compiles machine m into p, which says what is to be compiled.
func compileAs(in *Instance, m *model.Machine, p *program) (*program, error) {
	u, b, w := in.space, in.bank, p.view
	p.u, p.in, p.m, p.refines = u, in, m, p.refines && m.Refines != nil
	c := newCompiler(u, b, in.values)
	c.bounds, c.defs, c.strict = in.bounds, in.defs, true
	p.c = c
	for _, v := range m.Variables {
		if (v.Concrete || v.Abstract && p.refines) && w.keeps(v.Term) {
			c.slots[v.Name] = c.newSlot()
			sh := u.shape(b.Type(v.Term))
			n := sh.bytes()
			p.vars = append(p.vars, variable{name: v.Name, shape: sh, at: p.width, bytes: n, term: v.Term, abstract: v.Abstract, ghost: !v.Concrete})
			p.width += n
		}
	}
	for i := range p.vars {
		v := &p.vars[i]
		v.primed = c.newSlot()
		if p.refines {
			c.slots[v.name+"'"] = v.primed
		}
		if l, ok := in.bounds[v.name]; ok && v.shape.kind == intShape {
			p.limits = append(p.limits, limit{i, Value(l.Low), Value(l.High)})
		}
	}
	for _, e := range eventsOf(b, m) {
		if w.leavesOut(e) {
			continue
		}
		ev, err := c.event(p, e)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", e.Label, err)
		}
		if e.IsInit() {
			p.init = ev
		} else {
			p.events = append(p.events, ev)
		}
	}
	for _, inv := range append(append([]*model.Predicate(nil), m.Inherited...), m.Invariants...) {
		if !c.visible(inv.Term) {
			continue // about variables that disappeared
		}
		label := inv.Label
		if inv.Origin.Component != "" && inv.Origin.Component != m.Name {
			label = inv.Origin.Component + "/" + label
		}
		k, err := c.check(label, inv.Term)
		if err != nil {
			p.unchecked = append(p.unchecked, fmt.Sprintf("%s: %v", label, err))
			continue
		}
		p.invs = append(p.invs, k)
	}
	p.nslots, p.nleaves, p.hidden = c.nslots, c.nleaves, c.hidden
	return p, nil
}

// eventsOf returns the events of m. A machine without initialisation begins
// anywhere.
func eventsOf(b *logic.Bank, m *model.Machine) []*model.Event {
	for _, e := range m.Events {
		if e.IsInit() {
			return m.Events
		}
	}
	init := &model.Event{Label: model.InitLabel}
	for _, v := range m.Variables {
		if v.Concrete {
			init.Actions = append(init.Actions, &model.Action{Kind: model.BecomesSuch, Left: []logic.Term{v.Term}, Right: []logic.Term{b.App(logic.True)}})
		}
	}
	return append([]*model.Event{init}, m.Events...)
}

// visible reports whether every identifier of t has a value.
func (c *compiler) visible(t logic.Term) bool {
	for _, id := range c.b.FreeIdents(t) {
		if _, ok := c.defs[id]; ok {
			continue
		}
		name := c.b.Name(id)
		if _, ok := c.slots[name]; !ok {
			if _, ok := c.consts[name]; !ok {
				return false
			}
		}
	}
	return true
}

func (c *compiler) check(label string, t logic.Term) (k property, err error) {
	t = c.b.Subst(t, c.defs)
	c.root = t
	bound := c.bound
	err = guard(func() { k = property{label, c.pred(t), t} })
	c.bound = bound
	return k, err
}

// event compiles e. Parameters become bound variables over the guards.
func (c *compiler) event(p *program, e *model.Event) (*event, error) {
	ev := &event{model: e}
	var ids []logic.Term
	var names []string
	var types []logic.Type
	for _, x := range e.Parameters {
		ids = append(ids, x.Term)
		names = append(names, x.Name)
		types = append(types, c.b.Type(x.Term))
	}
	in := func(t logic.Term) logic.Term { return c.b.Abstract(c.b.Subst(t, c.defs), ids) }
	var conds []logic.Term
	claims := map[int]string{}
	for _, g := range e.Guards {
		switch {
		case !g.Theorem:
			conds = append(conds, c.conjuncts(in(g.Term))...)
		case p.theorems:
			claims[len(conds)] = e.Label + "/" + g.Label
			conds = append(conds, in(g.Term))
		}
	}
	bound := c.bound
	err := guard(func() {
		c.root = c.b.And(termsOf(e.Guards)...)
		var after []step
		base := c.nslots
		c.assume = true
		steps := c.claiming(types, names, conds, claims, func() {
			for i, x := range e.Parameters {
				ev.params = append(ev.params, param{x.Name, base + i, c.u.shape(types[i])})
			}
			after = c.actions(p, e, in)
		})
		ev.fire = c.dynamic(append(steps, after...))
	})
	c.bound = bound
	return ev, err
}

func termsOf(ps []*model.Predicate) []logic.Term {
	var out []logic.Term
	for _, p := range ps {
		out = append(out, p.Term)
	}
	return out
}

// actions compiles the simultaneous assignment of e: unassigned variables keep
// their values, deterministic right-hand sides are evaluated, then choices are
// enumerated.
func (c *compiler) actions(p *program, e *model.Event, in func(logic.Term) logic.Term) []step {
	kept := map[string]bool{}
	primed := map[string]int{}
	for _, v := range p.vars {
		kept[v.name] = true
		primed[v.name] = v.primed
	}
	type assign struct {
		slot int
		val  expr
	}
	var assigns []assign
	var choices, probes []step
	// A choice has no value where its formula has none, also if another one leaves
	// nothing to choose: those behind the first are tried before.
	choose := func(t logic.Term, way func() []step) {
		if len(choices) > 0 && c.strict && !c.total(t) {
			all := c.dynamic(way())
			probes = append(probes, func(next cont) cont {
				return func(f *frame) bool {
					all(f, func(*frame) bool { return true })
					return next(f)
				}
			})
		}
		choices = append(choices, way()...)
	}
	for _, a := range e.Actions {
		c.root = a.Right[0]
		for _, l := range a.Left {
			kept[c.b.Name(l)] = false
		}
		switch a.Kind {
		case model.BecomesEqual:
			for i, l := range a.Left {
				if p.view.keeps(l) {
					assigns = append(assigns, assign{primed[c.b.Name(l)], c.whole(in(a.Right[i]))})
				}
			}
		case model.BecomesIn:
			set := in(a.Right[0])
			choose(set, func() []step {
				if !c.iterable(set) {
					return c.suchThat(a.Left, c.b.App(logic.In, c.prime(a.Left[0]), set), primed)
				}
				return []step{c.element(set, primed[c.b.Name(a.Left[0])])}
			})
		case model.BecomesSuch:
			such := in(a.Right[0])
			choose(such, func() []step { return c.suchThat(a.Left, such, primed) })
		}
	}
	for _, v := range p.vars {
		if kept[v.name] {
			from := c.slots[v.name]
			assigns = append(assigns, assign{v.primed, func(f *frame) Value { return f.slots[from] }})
		}
	}
	assignAll := func(next cont) cont {
		return func(f *frame) bool {
			for i := range assigns {
				f.slots[assigns[i].slot] = assigns[i].val(f)
			}
			return next(f)
		}
	}
	steps := slices.Concat([]step{assignAll}, probes, choices, c.forgetting(p))
	if p.refines {
		steps = append(steps, c.matching(p, e, in)...)
	}
	return steps
}

// element gives a slot the elements of a set.
func (c *compiler) element(set logic.Term, slot int) step {
	it, force := c.distinct(set), c.force(set, true)
	return func(next cont) cont {
		return func(f *frame) bool {
			look(f, force)
			return it(f, func(v Value) bool {
				f.slots[slot] = v
				return next(f)
			})
		}
	}
}

// suchThat enumerates the after-values of variables left that satisfy p, over
// their primed names.
func (c *compiler) suchThat(left []logic.Term, p logic.Term, primed map[string]int) []step {
	var ids []logic.Term
	var names []string
	var types []logic.Type
	base := c.nslots
	for i, l := range left {
		names = append(names, c.b.Name(l)+"'")
		ids = append(ids, c.b.Free(names[i], c.b.Type(l)))
		types = append(types, c.b.Type(l))
	}
	cond := c.b.Abstract(p, ids)
	c.assume = true
	steps := c.steps(types, names, c.conjuncts(cond), func() {})
	to := make([]int, len(left))
	for i, l := range left {
		to[i] = primed[c.b.Name(l)]
	}
	return append(steps, func(next cont) cont {
		return func(f *frame) bool {
			for i, slot := range to {
				f.slots[slot] = f.slots[base+i]
			}
			return next(f)
		}
	})
}

// Packed states.

// bytes is the room that a value takes in a packed state.
func (s *shape) bytes() int {
	switch {
	case s.kind == intShape || s.kind == intsShape || s.kind == mapShape:
		return 8
	case s.kind == maskShape:
		return int(s.elem.size+7) / 8
	case s.kind == elemShape:
		n := 1
		for s.size > 1<<(8*n) {
			n++
		}
		return n
	}
	return 4
}

// pack appends the after-values of f.
func (p *program) pack(buf []byte, f *frame) []byte {
	for i := range p.vars {
		v := &p.vars[i]
		x := uint64(f.slots[v.primed])
		switch v.bytes {
		case 8:
			buf = binary.LittleEndian.AppendUint64(buf, x)
		case 1:
			buf = append(buf, byte(x))
		default:
			for k := range v.bytes {
				buf = append(buf, byte(x>>(8*k)))
			}
		}
	}
	return buf
}

// still reports whether the after-values of f are those before.
func (p *program) still(f *frame) bool {
	for i := range p.vars {
		if f.slots[p.vars[i].primed] != f.slots[i] {
			return false
		}
	}
	return true
}

// unpack loads a packed state as the before-values of f.
func (p *program) unpack(f *frame, state []byte) {
	for i := range p.vars {
		v := &p.vars[i]
		if v.bytes == 8 {
			f.slots[i] = Value(binary.LittleEndian.Uint64(state[v.at:]))
			continue
		}
		x := Value(0)
		for k := range v.bytes {
			x |= Value(state[v.at+k]) << (8 * k)
		}
		f.slots[i] = x
	}
}

// beyond returns the number of a limit that the after-values exceed, or -1.
func (p *program) beyond(f *frame) int {
	for i, l := range p.limits {
		v := f.slots[p.vars[l.variable].primed]
		if p.u.cmpInt(v, l.low) < 0 || p.u.cmpInt(v, l.high) > 0 {
			return min(i, 63)
		}
	}
	return -1
}

// hash is by structure, so that it is the same in every run.
func (p *program) hash(f *frame) uint64 {
	h := uint64(len(p.vars))
	for i := range p.vars {
		v := &p.vars[i]
		h = mix(h, p.u.hash(v.shape, f.slots[v.primed]))
	}
	return h
}

func (p *program) frame(ctx context.Context) *frame {
	return &frame{u: p.u, slots: make([]Value, p.nslots), leaves: make([]cont, p.nleaves), ctx: ctx}
}

// goal compiles a predicate over the variables.
func (p *program) goal(t logic.Term) (property, error) {
	k, err := p.c.check("", t)
	p.nslots, p.nleaves = p.c.nslots, p.c.nleaves
	return k, err
}
