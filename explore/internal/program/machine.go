package program

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Setting is what a machine is compiled for: the values of its constants.
type Setting struct {
	Space  *value.Space
	Bank   *logic.Bank
	Values map[string]value.Value
	Bounds map[string]formula.Bounds
	Defs   map[logic.Term]logic.Term // constants that stand for infinite sets
}

// Program is a machine compiled for one set-up.
type Program struct {
	Space     *value.Space
	Compiler  *formula.Compiler
	Setting   *Setting
	Machine   *model.Machine
	Cone      *Cone // nil for the whole machine
	Variables []Variable
	Width     int // bytes of a packed state

	Refines  bool // steps are matched by abstract ones
	Theorems bool // theorems among the guards are checked

	Init       *Event
	Events     []*Event
	Invariants []Property

	Unchecked []string     // invariants that cannot be evaluated, with the reason
	Limits    []limit      // of variables
	Hidden    []logic.Term // conditions that are not looked at for all values of their variables
}

// limit keeps a variable between bounds: successors beyond are not visited.
type limit struct {
	Variable  int
	low, high value.Value
}

type Variable struct {
	Name   string
	Shape  *value.Shape
	at     int // offset in a packed state
	bytes  int
	Primed int // slot of its after-value

	Term     logic.Term
	abstract bool // of the abstract machine
	ghost    bool // of the abstract machine alone
}

// Property is a predicate to be checked, with its label.
type Property struct {
	Label string
	Holds formula.Pred
	Term  logic.Term
}

// Event is a compiled event.
type Event struct {
	Model  *model.Event
	Params []Param
	// fire visits all after-states: the primed slots hold them.
	Fire formula.Searcher
}

type Param struct {
	Name  string
	Slot  int
	Shape *value.Shape
}

// Compile compiles machine m for a set-up; with refines, so that refinement is
// checked.
func Compile(set *Setting, m *model.Machine, refines bool) (*Program, error) {
	return CompileInto(set, m, &Program{Refines: refines})
}

// CompileInto compiles machine m into p, which says what is to be compiled.
func CompileInto(set *Setting, m *model.Machine, p *Program) (*Program, error) {
	u, b, w := set.Space, set.Bank, p.Cone
	p.Space, p.Setting, p.Machine, p.Refines = u, set, m, p.Refines && m.Refines != nil
	c := formula.NewCompiler(u, b, set.Values)
	c.Bounds, c.Defs, c.Strict = set.Bounds, set.Defs, true
	p.Compiler = c
	for _, v := range m.Variables {
		if (v.Concrete || v.Abstract && p.Refines) && w.Keeps(v.Term) {
			c.Slots[v.Name] = c.NewSlot()
			sh := u.Shape(b.Type(v.Term))
			n := sh.Bytes()
			p.Variables = append(p.Variables, Variable{Name: v.Name, Shape: sh, at: p.Width, bytes: n, Term: v.Term, abstract: v.Abstract, ghost: !v.Concrete})
			p.Width += n
		}
	}
	for i := range p.Variables {
		v := &p.Variables[i]
		v.Primed = c.NewSlot()
		if p.Refines {
			c.Slots[v.Name+"'"] = v.Primed
		}
		if l, ok := set.Bounds[v.Name]; ok && v.Shape.Kind == value.IntShape {
			p.Limits = append(p.Limits, limit{i, value.Value(l.Low), value.Value(l.High)})
		}
	}
	for _, e := range eventsOf(b, m) {
		if w.leavesOut(e) {
			continue
		}
		ev, err := p.event(e)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", e.Label, err)
		}
		if e.IsInit() {
			p.Init = ev
		} else {
			p.Events = append(p.Events, ev)
		}
	}
	for _, inv := range append(append([]*model.Predicate(nil), m.Inherited...), m.Invariants...) {
		if !p.visible(inv.Term) {
			continue // about variables that disappeared
		}
		label := inv.Label
		if inv.Origin.Component != "" && inv.Origin.Component != m.Name {
			label = inv.Origin.Component + "/" + label
		}
		k, err := PropertyOf(c, label, inv.Term)
		if err != nil {
			p.Unchecked = append(p.Unchecked, fmt.Sprintf("%s: %v", label, err))
			continue
		}
		p.Invariants = append(p.Invariants, k)
	}
	p.Hidden = c.Hidden
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
func (p *Program) visible(t logic.Term) bool {
	c := p.Compiler
	for _, id := range c.Bank.FreeIdents(t) {
		if _, ok := c.Defs[id]; ok {
			continue
		}
		name := c.Bank.Name(id)
		if _, ok := c.Slots[name]; !ok {
			if _, ok := c.Consts[name]; !ok {
				return false
			}
		}
	}
	return true
}

func PropertyOf(c *formula.Compiler, label string, t logic.Term) (k Property, err error) {
	t = c.Bank.Subst(t, c.Defs)
	c.Root = t
	bound := c.Bound
	err = formula.Guarded(func() { k = Property{label, c.Pred(t), t} })
	c.Bound = bound
	return k, err
}

// event compiles e. Parameters become bound variables over the guards.
func (p *Program) event(e *model.Event) (*Event, error) {
	c := p.Compiler
	ev := &Event{Model: e}
	var ids []logic.Term
	var names []string
	var types []logic.Type
	for _, x := range e.Parameters {
		ids = append(ids, x.Term)
		names = append(names, x.Name)
		types = append(types, c.Bank.Type(x.Term))
	}
	in := func(t logic.Term) logic.Term { return c.Bank.Abstract(c.Bank.Subst(t, c.Defs), ids) }
	var conds []logic.Term
	claims := map[int]string{}
	for _, g := range e.Guards {
		switch {
		case !g.Theorem:
			conds = append(conds, c.Conjuncts(in(g.Term))...)
		case p.Theorems:
			claims[len(conds)] = e.Label + "/" + g.Label
			conds = append(conds, in(g.Term))
		}
	}
	// A failure in the middle leaves the binders that were open: they are put back.
	bound := c.Bound
	err := formula.Guarded(func() {
		c.Root = c.Bank.And(Terms(e.Guards)...)
		var after []formula.Step
		base := c.NextSlot()
		c.Bounding = true
		steps := c.Claiming(types, names, conds, claims, func() {
			for i, x := range e.Parameters {
				ev.Params = append(ev.Params, Param{x.Name, base + i, c.Space.Shape(types[i])})
			}
			after = p.actions(e, in)
		})
		ev.Fire = c.Searcher(append(steps, after...))
	})
	c.Bound = bound
	return ev, err
}

func Terms(ps []*model.Predicate) []logic.Term {
	var out []logic.Term
	for _, p := range ps {
		out = append(out, p.Term)
	}
	return out
}

// actions compiles the simultaneous assignment of e: unassigned variables keep
// their values, deterministic right-hand sides are evaluated, then choices are
// enumerated.
func (p *Program) actions(e *model.Event, in func(logic.Term) logic.Term) []formula.Step {
	c := p.Compiler
	kept := map[string]bool{}
	primed := map[string]int{}
	for _, v := range p.Variables {
		kept[v.Name] = true
		primed[v.Name] = v.Primed
	}
	type assign struct {
		slot int
		val  formula.Expr
	}
	var assigns []assign
	var choices, probes []formula.Step
	// A choice has no value where its formula has none, also if another one leaves
	// nothing to choose: those behind the first are tried before.
	choose := func(t logic.Term, way func() []formula.Step) {
		if len(choices) > 0 && c.Strict && !c.Total(t) {
			all := c.Searcher(way())
			probes = append(probes, func(next formula.Then) formula.Then {
				return func(f *formula.Frame) bool {
					all(f, func(*formula.Frame) bool { return true })
					return next(f)
				}
			})
		}
		choices = append(choices, way()...)
	}
	for _, a := range e.Actions {
		c.Root = a.Right[0]
		for _, l := range a.Left {
			kept[c.Bank.Name(l)] = false
		}
		switch a.Kind {
		case model.BecomesEqual:
			for i, l := range a.Left {
				if p.Cone.Keeps(l) {
					assigns = append(assigns, assign{primed[c.Bank.Name(l)], c.Whole(in(a.Right[i]))})
				}
			}
		case model.BecomesIn:
			set := in(a.Right[0])
			choose(set, func() []formula.Step {
				if !c.Iterable(set) {
					return p.suchThat(a.Left, c.Bank.App(logic.In, p.prime(a.Left[0]), set), primed)
				}
				return []formula.Step{p.element(set, primed[c.Bank.Name(a.Left[0])])}
			})
		case model.BecomesSuch:
			such := in(a.Right[0])
			choose(such, func() []formula.Step { return p.suchThat(a.Left, such, primed) })
		}
	}
	for _, v := range p.Variables {
		if kept[v.Name] {
			from := c.Slots[v.Name]
			assigns = append(assigns, assign{v.Primed, func(f *formula.Frame) value.Value { return f.Slots[from] }})
		}
	}
	assignAll := func(next formula.Then) formula.Then {
		return func(f *formula.Frame) bool {
			for i := range assigns {
				f.Slots[assigns[i].slot] = assigns[i].val(f)
			}
			return next(f)
		}
	}
	steps := slices.Concat([]formula.Step{assignAll}, probes, choices, p.forgetting())
	if p.Refines {
		steps = append(steps, p.matching(e, in)...)
	}
	return steps
}

// element gives a slot the elements of a set.
func (p *Program) element(set logic.Term, slot int) formula.Step {
	c := p.Compiler
	it, force := c.Distinct(set), c.Force(set, true)
	return func(next formula.Then) formula.Then {
		return func(f *formula.Frame) bool {
			formula.Look(f, force)
			return it(f, func(v value.Value) bool {
				f.Slots[slot] = v
				return next(f)
			})
		}
	}
}

// suchThat enumerates the after-values of variables left that satisfy such, over
// their primed names.
func (p *Program) suchThat(left []logic.Term, such logic.Term, primed map[string]int) []formula.Step {
	c := p.Compiler
	var ids []logic.Term
	var names []string
	var types []logic.Type
	base := c.NextSlot()
	for i, l := range left {
		names = append(names, c.Bank.Name(l)+"'")
		ids = append(ids, c.Bank.Free(names[i], c.Bank.Type(l)))
		types = append(types, c.Bank.Type(l))
	}
	cond := c.Bank.Abstract(such, ids)
	c.Bounding = true
	steps := c.Steps(types, names, c.Conjuncts(cond), func() {})
	to := make([]int, len(left))
	for i, l := range left {
		to[i] = primed[c.Bank.Name(l)]
	}
	return append(steps, func(next formula.Then) formula.Then {
		return func(f *formula.Frame) bool {
			for i, slot := range to {
				f.Slots[slot] = f.Slots[base+i]
			}
			return next(f)
		}
	})
}

// Packed states.

// Pack appends the after-values of f.
func (p *Program) Pack(buf []byte, f *formula.Frame) []byte {
	for i := range p.Variables {
		v := &p.Variables[i]
		x := uint64(f.Slots[v.Primed])
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

// Still reports whether the after-values of f are those before.
func (p *Program) Still(f *formula.Frame) bool {
	for i := range p.Variables {
		if f.Slots[p.Variables[i].Primed] != f.Slots[i] {
			return false
		}
	}
	return true
}

// Unpack loads a packed state as the before-values of f.
func (p *Program) Unpack(f *formula.Frame, state []byte) {
	for i := range p.Variables {
		v := &p.Variables[i]
		if v.bytes == 8 {
			f.Slots[i] = value.Value(binary.LittleEndian.Uint64(state[v.at:]))
			continue
		}
		x := value.Value(0)
		for k := range v.bytes {
			x |= value.Value(state[v.at+k]) << (8 * k)
		}
		f.Slots[i] = x
	}
}

// Beyond returns the number of a limit that the after-values exceed, or -1.
func (p *Program) Beyond(f *formula.Frame) int {
	for i, l := range p.Limits {
		v := f.Slots[p.Variables[l.Variable].Primed]
		if p.Space.CmpInt(v, l.low) < 0 || p.Space.CmpInt(v, l.high) > 0 {
			return min(i, 63)
		}
	}
	return -1
}

// Hash is by structure, so that it is the same in every run.
func (p *Program) Hash(f *formula.Frame) uint64 {
	h := uint64(len(p.Variables))
	for i := range p.Variables {
		v := &p.Variables[i]
		h = value.Mix(h, p.Space.Hash(v.Shape, f.Slots[v.Primed]))
	}
	return h
}

func (p *Program) Frame(ctx context.Context) *formula.Frame {
	return p.Compiler.NewFrame(ctx)
}

// Goal compiles a predicate over the variables.
func (p *Program) Goal(t logic.Term) (Property, error) {
	k, err := PropertyOf(p.Compiler, "", t)
	return k, err
}

// LiftState is lift for a packed state.
func (p *Program) LiftState(state []byte) []value.Loose {
	f := p.Frame(context.Background())
	p.Unpack(f, state)
	out := make([]value.Loose, len(p.Variables))
	for i := range p.Variables {
		out[i] = p.Space.Lift(p.Variables[i].Shape, f.Slots[i])
	}
	return out
}

// LowerState packs a state that was lifted.
func (p *Program) LowerState(values []value.Loose) []byte {
	f := p.Frame(context.Background())
	for i, x := range values {
		f.Slots[p.Variables[i].Primed] = p.Space.Lower(p.Variables[i].Shape, x)
	}
	return p.Pack(nil, f)
}

func (p *Program) SetAfter(f *formula.Frame, values []value.Value) {
	for i, v := range p.Variables {
		f.Slots[v.Primed] = values[i]
	}
}

// Objective returns the slot of integer variable name.
func (p *Program) Objective(name string) (int, error) {
	for i, v := range p.Variables {
		if v.Name == name && v.Shape.Kind == value.IntShape {
			return i, nil
		}
	}
	return 0, fmt.Errorf("machine %s has no integer variable %s", p.Machine.Name, name)
}

func (p *Program) Label(event int) string {
	if event == 0 {
		return p.Init.Model.Label
	}
	return p.Events[event-1].Model.Label
}

// EventOf returns the event of a number; 0 is the initialisation.
func (p *Program) EventOf(number int) *Event {
	if number == 0 {
		return p.Init
	}
	return p.Events[number-1]
}

// Record returns the elements of the carrier sets that m sees, and its constants;
// without those that stand for infinite sets.
func (set *Setting) Record(m *model.Machine) (carriers map[string][]string, constants map[string]any) {
	carriers, constants = map[string][]string{}, map[string]any{}
	for _, c := range m.Contexts {
		for _, s := range c.Sets {
			carriers[s.Name] = set.Space.Carrier(s.Name)
		}
		for _, k := range c.Constants {
			if v, ok := set.Values[k.Name]; ok {
				constants[k.Name] = set.Space.Record(set.Space.Shape(set.Bank.Type(k.Term)), v)
			}
		}
	}
	return carriers, constants
}

// Closed returns the value of an expression over the constants, unless it has none
// or is beyond the limits of a search.
func (set *Setting) Closed(ctx context.Context, t logic.Term) (v value.Value, ok bool) {
	if set.Bank.Depth(t) > 0 {
		return 0, false
	}
	for _, id := range set.Bank.FreeIdents(t) {
		if _, ok := set.Values[set.Bank.Name(id)]; !ok {
			return 0, false
		}
	}
	c := formula.NewCompiler(set.Space, set.Bank, set.Values)
	c.Root = t
	limit := unwind.Bounded(func() {
		err := formula.Guarded(func() {
			e := c.Expr(t)
			var why string
			v, why = c.NewFrame(ctx).Value(e)
			ok = why == ""
		})
		ok = ok && err == nil
	})
	return v, ok && limit == ""
}
