package program

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
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
	Width     int // bytes of a packed state: a word for each variable

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

// Variable is a variable of the machine, with the shape of its values.
type Variable struct {
	Name   string
	Shape  *value.Shape
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
	Of    *model.Predicate // the invariant that it is; nil for others
	Reads []int            // the slots of the variables that occur in it
	About Changes          // these variables
	Total bool             // it has a value in all states
	Brief bool             // it is evaluated as fast as it is looked up
}

// Event is a compiled event.
type Event struct {
	Model  *model.Event
	Params []Param
	// fire visits all after-states: the primed slots hold them.
	Fire formula.Searcher
}

// Param is a parameter of an event, with the slot of a frame that holds its value.
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
func CompileInto(set *Setting, machine *model.Machine, compiled *Program) (*Program, error) {
	space, bank, w := set.Space, set.Bank, compiled.Cone
	compiled.Space, compiled.Setting, compiled.Machine, compiled.Refines = space, set, machine, compiled.Refines && machine.Refines != nil
	compiler := formula.NewCompiler(space, bank, set.Values)
	compiler.Bounds, compiler.Defs, compiler.Strict = set.Bounds, set.Defs, true
	compiled.Compiler = compiler
	for _, variable := range machine.Variables {
		if (variable.Concrete || variable.Abstract && compiled.Refines) && w.Keeps(variable.Term) {
			compiler.Slots[variable.Name] = compiler.NewSlot()
			sh := space.Shape(bank.Type(variable.Term))
			compiled.Variables = append(compiled.Variables, Variable{Name: variable.Name, Shape: sh, Term: variable.Term, abstract: variable.Abstract, ghost: !variable.Concrete})
			compiled.Width += 8
		}
	}
	for i := range compiled.Variables {
		v := &compiled.Variables[i]
		v.Primed = compiler.NewSlot()
		if compiled.Refines {
			compiler.Slots[v.Name+"'"] = v.Primed
		}
		if l, ok := set.Bounds[v.Name]; ok && v.Shape.Kind == value.IntShape {
			compiled.Limits = append(compiled.Limits, limit{i, value.Value(l.Low), value.Value(l.High)})
		}
	}
	for _, event := range eventsOf(bank, machine) {
		if w.leavesOut(event) {
			continue
		}
		ev, err := compiled.event(event)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", event.Label, err)
		}
		if event.IsInit() {
			compiled.Init = ev
		} else {
			compiled.Events = append(compiled.Events, ev)
		}
	}
	for _, inv := range append(append([]*model.Predicate(nil), machine.Inherited...), machine.Invariants...) {
		if !compiled.visible(inv.Term) {
			continue // about variables that disappeared
		}
		label := inv.Label
		if inv.Origin.Component != "" && inv.Origin.Component != machine.Name {
			label = inv.Origin.Component + "/" + label
		}
		k, err := PropertyOf(compiler, label, inv.Term)
		if err != nil {
			compiled.Unchecked = append(compiled.Unchecked, fmt.Sprintf("%s: %v", label, err))
			continue
		}
		k.Of, k.Total, k.Brief = inv, compiler.Total(k.Term), compiler.Brief(k.Term)
		for slot, variable := range compiled.Variables {
			if bank.Occurs(variable.Term, k.Term) {
				k.Reads = append(k.Reads, slot)
				k.About |= changeOf(slot)
			}
		}
		compiled.Invariants = append(compiled.Invariants, k)
	}
	compiled.Hidden = compiler.Hidden
	return compiled, nil
}

// eventsOf returns the events of m. A machine without initialisation begins
// anywhere.
func eventsOf(bank *logic.Bank, machine *model.Machine) []*model.Event {
	for _, event := range machine.Events {
		if event.IsInit() {
			return machine.Events
		}
	}
	init := &model.Event{Label: model.InitLabel}
	for _, variable := range machine.Variables {
		if variable.Concrete {
			init.Actions = append(init.Actions, &model.Action{Kind: model.BecomesSuch, Left: []logic.Term{variable.Term}, Right: []logic.Term{bank.App(logic.True)}})
		}
	}
	return append([]*model.Event{init}, machine.Events...)
}

// visible reports whether every identifier of t has a value.
func (p *Program) visible(term logic.Term) bool {
	compiler := p.Compiler
	for _, id := range compiler.Bank.FreeIdents(term) {
		if _, ok := compiler.Defs[id]; ok {
			continue
		}
		name := compiler.Bank.Name(id)
		if _, ok := compiler.Slots[name]; !ok {
			if _, ok := compiler.Consts[name]; !ok {
				return false
			}
		}
	}
	return true
}

// TheoremSteps bounds the evaluation of one theorem about the constants: it may speak of
// all sets of something, which would take too long.
const TheoremSteps = 1 << 20

// PropertyOf compiles a predicate.
func PropertyOf(c *formula.Compiler, label string, t logic.Term) (k Property, err error) {
	t = c.Bank.Subst(t, c.Defs)
	c.Root = t
	bound := c.Bound
	err = formula.Guarded(func() { k = Property{Label: label, Holds: c.Pred(t), Term: t} })
	c.Bound = bound
	return k, err
}

// event compiles e. Parameters become bound variables over the guards.
func (p *Program) event(e *model.Event) (*Event, error) {
	compiler := p.Compiler
	ev := &Event{Model: e}
	var ids []logic.Term
	var names []string
	var types []logic.Type
	for _, ident := range e.Parameters {
		ids = append(ids, ident.Term)
		names = append(names, ident.Name)
		types = append(types, compiler.Bank.Type(ident.Term))
	}
	in := func(term logic.Term) logic.Term {
		return compiler.Bank.Abstract(compiler.Bank.Subst(term, compiler.Defs), ids)
	}
	var conds []logic.Term
	claims := map[int]string{}
	for _, predicate := range e.Guards {
		switch {
		case !predicate.Theorem:
			conds = append(conds, compiler.Conjuncts(in(predicate.Term))...)
		case p.Theorems:
			claims[len(conds)] = e.Label + "/" + predicate.Label
			conds = append(conds, in(predicate.Term))
		}
	}
	// A failure in the middle leaves the binders that were open: they are put back.
	bound := compiler.Bound
	err := formula.Guarded(func() {
		compiler.Root = compiler.Bank.And(Terms(e.Guards)...)
		var after []formula.Step
		base := compiler.NextSlot()
		compiler.Bounding = true
		steps := compiler.Claiming(types, names, conds, claims, func() {
			for i, ident := range e.Parameters {
				ev.Params = append(ev.Params, Param{ident.Name, base + i, compiler.Space.Shape(types[i])})
			}
			after = p.actions(e, in)
		})
		ev.Fire = compiler.Searcher(append(steps, after...))
	})
	compiler.Bound = bound
	return ev, err
}

// Terms returns the formulas of predicates.
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
func (p *Program) actions(event *model.Event, in func(logic.Term) logic.Term) []formula.Step {
	compiler := p.Compiler
	primed := map[string]int{}
	for _, variable := range p.Variables {
		primed[variable.Name] = variable.Primed
	}
	type assign struct {
		slot int
		val  formula.Expr
	}
	var assigns []assign
	var choices, probes []formula.Step
	// A choice has no value where its formula has none, also if another one leaves
	// nothing to choose: those behind the first are tried before.
	choose := func(term logic.Term, way func() []formula.Step) {
		if len(choices) > 0 && compiler.Strict && !compiler.Total(term) {
			all := compiler.Searcher(way())
			probes = append(probes, func(next formula.Then) formula.Then {
				return func(frame *formula.Frame) bool {
					all(frame, func(*formula.Frame) bool { return true })
					return next(frame)
				}
			})
		}
		choices = append(choices, way()...)
	}
	for _, action := range event.Actions {
		compiler.Root = action.Right[0]
		switch action.Kind {
		case model.BecomesEqual:
			for i, left := range action.Left {
				if p.Cone.Keeps(left) {
					assigns = append(assigns, assign{primed[compiler.Bank.Name(left)], compiler.Whole(in(action.Right[i]))})
				}
			}
		case model.BecomesIn:
			set := in(action.Right[0])
			choose(set, func() []formula.Step {
				if !compiler.Iterable(set) {
					return p.suchThat(action.Left, compiler.Bank.App(logic.In, p.prime(action.Left[0]), set), primed)
				}
				return []formula.Step{p.element(set, primed[compiler.Bank.Name(action.Left[0])])}
			})
		case model.BecomesSuch:
			such := in(action.Right[0])
			choose(such, func() []formula.Step { return p.suchThat(action.Left, such, primed) })
		}
	}
	n := len(p.Variables)
	assignAll := func(next formula.Then) formula.Then {
		return func(frame *formula.Frame) bool {
			// What is not assigned keeps its value: after-values stand behind the values before.
			copy(frame.Slots[n:2*n], frame.Slots[:n])
			for i := range assigns {
				frame.Slots[assigns[i].slot] = assigns[i].val(frame)
			}
			return next(frame)
		}
	}
	steps := slices.Concat([]formula.Step{assignAll}, probes, choices, p.forgetting())
	if p.Refines {
		steps = append(steps, p.matching(event, in)...)
	}
	return steps
}

// element gives a slot the elements of a set.
func (p *Program) element(set logic.Term, slot int) formula.Step {
	compiler := p.Compiler
	it, force := compiler.Distinct(set), compiler.Force(set, true)
	return func(next formula.Then) formula.Then {
		each := it(func(frame *formula.Frame, v value.Value) bool {
			frame.Slots[slot] = v
			return next(frame)
		})
		return func(frame *formula.Frame) bool {
			formula.Look(frame, force)
			return each(frame)
		}
	}
}

// suchThat enumerates the after-values of variables left that satisfy such, over
// their primed names.
func (p *Program) suchThat(left []logic.Term, such logic.Term, primed map[string]int) []formula.Step {
	compiler := p.Compiler
	var ids []logic.Term
	var names []string
	var types []logic.Type
	base := compiler.NextSlot()
	for i, l := range left {
		names = append(names, compiler.Bank.Name(l)+"'")
		ids = append(ids, compiler.Bank.Free(names[i], compiler.Bank.Type(l)))
		types = append(types, compiler.Bank.Type(l))
	}
	cond := compiler.Bank.Abstract(such, ids)
	// After-values may be bounded by what the predicate says of them alone.
	compiler.Bounding = true
	steps := compiler.Steps(types, names, compiler.Conjuncts(cond), func() {})
	to := make([]int, len(left))
	for i, l := range left {
		to[i] = primed[compiler.Bank.Name(l)]
	}
	return append(steps, func(next formula.Then) formula.Then {
		return func(frame *formula.Frame) bool {
			for i, slot := range to {
				frame.Slots[slot] = frame.Slots[base+i]
			}
			return next(frame)
		}
	})
}

// Packed states.

// Pack appends the after-values of f.
func (p *Program) Pack(buf []byte, frame *formula.Frame) []byte {
	for i := range p.Variables {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(frame.Slots[p.Variables[i].Primed]))
	}
	return buf
}

// Before are the values before a step, by variable, and After those after it.
func (p *Program) Before(f *formula.Frame) []value.Value { return f.Slots[:len(p.Variables)] }

// After is said with Before.
func (p *Program) After(f *formula.Frame) []value.Value {
	return f.Slots[len(p.Variables) : 2*len(p.Variables)]
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
func (p *Program) Unpack(frame *formula.Frame, state []byte) {
	for i := range p.Variables {
		frame.Slots[i] = value.Value(binary.LittleEndian.Uint64(state[8*i:]))
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

// Hashed is the hash of the before-values of a frame, by structure, so that it is the same in every run: the sum of the
// shares that the variables have in it.
type Hashed struct {
	sum    uint64
	shares []uint64
}

// Hash computes that of the before-values.
func (p *Program) Hash(f *formula.Frame, hash *Hashed) {
	hash.sum, hash.shares = 0, hash.shares[:0]
	for i, v := range p.Before(f) {
		share := p.hash(i, v)
		hash.sum, hash.shares = hash.sum+share, append(hash.shares, share)
	}
}

// Anywhere gives the variables some values, before the initialisation, and computes their hash.
func (p *Program) Anywhere(f *formula.Frame, hash *Hashed) {
	for i, v := range p.Variables {
		f.Slots[i] = v.Shape.First(p.Space)
	}
	p.Hash(f, hash)
}

// HashAfter is the hash of the after-values, where that of the values before is known: few differ. It says which.
func (p *Program) HashAfter(f *formula.Frame, before *Hashed) (after uint64, changed Changes) {
	after = before.sum
	values := p.Before(f)
	for i, is := range p.After(f) {
		if is != values[i] {
			after += p.hash(i, is) - before.shares[i]
			changed |= changeOf(i)
		}
	}
	return after, changed
}

// Changes are variables whose values differ, a bit each; those from number 31 on share the last one.
type Changes uint32

// Anything are all variables.
const Anything = ^Changes(0)

func changeOf(variable int) Changes { return 1 << min(variable, 31) }

// hash is the share that variable i has in the hash of a state.
func (p *Program) hash(i int, v value.Value) uint64 {
	return value.Mix(uint64(i+1)*0xD6E8FEB86659FD93, p.Space.Hash(p.Variables[i].Shape, v))
}

// Shapes are those of the variables.
func (p *Program) Shapes() (out []*value.Shape) {
	for _, variable := range p.Variables {
		out = append(out, variable.Shape)
	}
	return out
}

// Frame returns a frame in which formulas of p are evaluated until ctx is done.
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

// SetAfter writes the values of all variables, in their order, as those after an event.
func (p *Program) SetAfter(f *formula.Frame, values []value.Value) {
	for i, v := range p.Variables {
		f.Slots[v.Primed] = values[i]
	}
}

// Value compiles an expression over the variables.
func (p *Program) Value(t logic.Term) (expr formula.Expr, err error) {
	t = p.Compiler.Bank.Subst(t, p.Compiler.Defs)
	p.Compiler.Root = t
	bound := p.Compiler.Bound
	err = formula.Guarded(func() { expr = p.Compiler.Expr(t) })
	p.Compiler.Bound = bound
	return expr, err
}

// Label names the event of a number, as EventOf counts them.
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
func (set *Setting) Record(machine *model.Machine) (carriers map[string][]string, constants map[string]any) {
	carriers, constants = map[string][]string{}, map[string]any{}
	for _, c := range machine.Contexts {
		for _, ident := range c.Sets {
			carriers[ident.Name] = set.Space.Carrier(ident.Name)
		}
		for _, ident := range c.Constants {
			if v, ok := set.Values[ident.Name]; ok {
				constants[ident.Name] = set.Space.Record(set.Space.Shape(set.Bank.Type(ident.Term)), v)
			}
		}
	}
	return carriers, constants
}

// Closed returns the value of an expression over the constants, unless it has none
// or is beyond the limits of a search.
func (set *Setting) Closed(ctx context.Context, term logic.Term) (v value.Value, ok bool) {
	if set.Bank.Depth(term) > 0 {
		return 0, false
	}
	for _, id := range set.Bank.FreeIdents(term) {
		if _, ok := set.Values[set.Bank.Name(id)]; !ok {
			return 0, false
		}
	}
	compiler := formula.NewCompiler(set.Space, set.Bank, set.Values)
	compiler.Root = term
	limit := abort.Bounded(func() {
		err := formula.Guarded(func() {
			expr := compiler.Expr(term)
			var why string
			v, why = compiler.NewFrame(ctx).Value(expr)
			ok = why == ""
		})
		ok = ok && err == nil
	})
	return v, ok && limit == ""
}
