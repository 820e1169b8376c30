package animation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Animation is a machine with those that it refines, compiled for one instance. All states of which it
// was asked have a number. It is for one goroutine at a time.
type Animation struct {
	Levels  []*Level // the machine itself, then what it refines, one after the other
	space   *program.Setting
	states  []state
	numbers map[string]int
	values  table[shaped]
	events  map[string]*compiledEvent
	reasons map[reasonKey]*node
	filters map[string]*filter
	assumed []state // in which runs may begin as well
	tried   int     // values that are tried for the steps of one event, at most
}

// Level is a machine of a chain of refinements.
type Level struct {
	Machine *model.Machine
	Why     string // it is not animated; ""
	p       *program.Program
	glue    *program.Program // with the variables of the next level; nil if there is none
	broken  string           // why there is none, though there is a next level
	after   map[string]int   // slots of the after-values of a step of this level, in glue
}

// state is a state of all levels.
type state struct {
	packed [][]byte // of each level that is in step
	taken  []string // the event of each level that led here
	lost   string   // why the levels behind those of packed are not in step
}

// New compiles a machine, and those that it refines.
func New(m *model.Machine, in *explore.Instance) (a *Animation, err error) {
	defer abort.Contain(m.Name, &err)
	a = &Animation{space: in.Set, tried: mostTried, numbers: map[string]int{}, events: map[string]*compiledEvent{}, reasons: map[reasonKey]*node{}, filters: map[string]*filter{}}
	a.values.of = map[shaped]int{}
	for at := m; at != nil; at = at.Refines {
		level := &Level{Machine: at, after: map[string]int{}}
		source := at
		if at != m {
			source = bare(at) // its steps are found from those of the machine before it
		}
		if level.p, err = program.Compile(in.Set, source, false); err != nil {
			if at == m {
				return nil, err
			}
			level.Why, err = err.Error(), nil
			a.Levels = append(a.Levels, level)
			break
		}
		level.p.Machine = at
		if at.Refines != nil {
			var broken error
			if level.glue, broken = program.Compile(in.Set, bare(at), true); broken != nil {
				level.broken, level.glue = broken.Error(), nil
			} else {
				level.glue.Machine = at
				for _, v := range level.p.Variables {
					level.after[v.Name+afterMark] = level.glue.Compiler.NewSlot()
				}
			}
		}
		a.Levels = append(a.Levels, level)
	}
	return a, nil
}

// bare is a machine without events: its variables and invariants.
func bare(m *model.Machine) *model.Machine {
	out := *m
	out.Events = []*model.Event{{Label: model.InitLabel}}
	if m.Refines != nil {
		refined := *m.Refines
		refined.Events = nil
		out.Refines = &refined
	}
	return &out
}

// afterMark marks the names of the values after a step of a level, which are known when the step of the next level is looked for.
const afterMark = "⁺"

// pinned is an event whose after-values are known: what its actions say of them are guards.
func (l *Level) pinned(e *model.Event) *model.Event {
	bank := l.glue.Compiler.Bank
	out := *e
	out.Guards = slices.Clone(e.Guards)
	assign := &model.Action{Kind: model.BecomesEqual}
	known, primes := map[string]logic.Term{}, map[logic.Term]logic.Term{}
	kept := map[string]bool{}
	// Every variable v gets v⁺, its known value after the step, and the only action is v := v⁺.
	for _, v := range l.p.Variables {
		known[v.Name] = bank.Free(v.Name+afterMark, bank.Type(v.Term))
		primes[bank.Free(v.Name+"'", bank.Type(v.Term))] = known[v.Name]
		assign.Left, assign.Right = append(assign.Left, v.Term), append(assign.Right, known[v.Name])
		kept[v.Name] = !e.IsInit()
	}
	demand := func(t logic.Term) { out.Guards = append(out.Guards, &model.Predicate{Term: t}) }
	// What an action says of v' becomes a guard about v⁺.
	for _, act := range e.Actions {
		for i, left := range act.Left {
			name := bank.Name(left)
			kept[name] = false
			switch act.Kind {
			case model.BecomesEqual:
				demand(bank.App(logic.Eq, known[name], act.Right[i]))
			case model.BecomesIn:
				demand(bank.App(logic.In, known[name], act.Right[0]))
			}
		}
		if act.Kind == model.BecomesSuch {
			demand(bank.Subst(act.Right[0], primes))
		}
	}
	// No action mentions these variables, so they keep their values. The initialisation has no values to keep.
	for _, v := range l.p.Variables {
		if kept[v.Name] {
			demand(bank.App(logic.Eq, known[v.Name], v.Term))
		}
	}
	out.Actions = nil
	if len(assign.Left) > 0 {
		out.Actions = []*model.Action{assign}
	}
	return &out
}

// compile compiles an event of a level whose after-values are known.
func (l *Level) compile(e *model.Event) (event *program.Event, err error) {
	l.glue.Naming(l.after, func() { event, err = l.glue.EventAs(l.pinned(e)) })
	return event, err
}

// Concrete is the machine that is animated.
func (a *Animation) Concrete() *model.Machine { return a.Levels[0].Machine }

// Len is the number of states that have a number: those below it.
func (a *Animation) Len() int { return len(a.states) }

// number returns the number of a state, which it gives it if need be.
func (a *Animation) number(s state) int {
	var key strings.Builder
	for _, packed := range s.packed {
		key.Write(packed)
		key.WriteByte('|')
	}
	key.WriteString(s.lost)
	if n, ok := a.numbers[key.String()]; ok {
		return n
	}
	a.states = append(a.states, s)
	a.numbers[key.String()] = len(a.states) - 1
	return len(a.states) - 1
}

// frame is a frame with the values of a level; glued with those of the next level, if that is in step.
func (a *Animation) frame(ctx context.Context, s state, level int) (*program.Program, *formula.Frame) {
	l := a.Levels[level]
	if l.glue != nil && level+1 < len(s.packed) {
		f := l.glue.Frame(ctx)
		l.glue.Unpack(f, a.glued(level, s.packed[level], s.packed[level+1]))
		return l.glue, f
	}
	f := l.p.Frame(ctx)
	l.p.Unpack(f, s.packed[level])
	return l.p, f
}

// glued joins packed states of a level and of the next one.
func (a *Animation) glued(level int, own, abstract []byte) []byte {
	var out []byte
	for _, v := range a.Levels[level].glue.Variables {
		if i := place(a.Levels[level].p, v.Name); i >= 0 {
			out = append(out, own[8*i:8*i+8]...)
		} else {
			i := place(a.Levels[level+1].p, v.Name)
			out = append(out, abstract[8*i:8*i+8]...)
		}
	}
	return out
}

// above takes the state of the next level out of one of a glued program.
func (a *Animation) above(level int, glued []byte) []byte {
	var out []byte
	for _, v := range a.Levels[level+1].p.Variables {
		i := place(a.Levels[level].glue, v.Name)
		out = append(out, glued[8*i:8*i+8]...)
	}
	return out
}

func place(p *program.Program, name string) int {
	return slices.IndexFunc(p.Variables, func(v program.Variable) bool { return v.Name == name })
}

// arrive gives a number to the state that a step of the concrete machine leads to: those of the other
// levels follow. before is nil at the initialisation.
func (a *Animation) arrive(ctx context.Context, before *state, event *model.Event, after []byte) int {
	s := state{packed: [][]byte{after}, taken: []string{event.Label}}
	for level := 0; level+1 < len(a.Levels); level++ {
		l := a.Levels[level]
		switch {
		case l.glue == nil:
			s.lost = cannot(l, l.broken)
		case a.Levels[level+1].Why != "":
			s.lost = cannot(a.Levels[level+1], a.Levels[level+1].Why)
		case before != nil && level+1 >= len(before.packed):
			s.lost = before.lost
		default:
			var from []byte
			if before != nil {
				from = a.glued(level, before.packed[level], before.packed[level+1])
			}
			next, by, why := a.follow(ctx, level, event, from, s.packed[level])
			if why != "" {
				s.lost = why
				break
			}
			s.packed, s.taken = append(s.packed, next), append(s.taken, by)
			if event = a.Levels[level+1].Machine.Event(by); event == nil {
				event = &model.Event{} // nothing happens in the machines that it refines
			}
			continue
		}
		break
	}
	return a.number(s)
}

func cannot(l *Level, why string) string {
	return fmt.Sprintf("machine %s cannot be followed: %s", l.Machine.Name, why)
}

// follow finds the step of the next level that matches one of a level. by is its event, "" if nothing
// happens there; why says why there is none.
func (a *Animation) follow(ctx context.Context, level int, event *model.Event, before, after []byte) (next []byte, by, why string) {
	glue := a.Levels[level].glue
	abstract := glue.AbstractOf(event)
	if event.IsInit() && len(abstract) == 0 {
		abstract = []*model.Event{{Label: model.InitLabel}}
	}
	if len(abstract) == 0 {
		abstract = []*model.Event{nil}
	}
	for _, x := range abstract {
		e := *event
		e.Refines, by = nil, ""
		if x != nil {
			e.Refines, by = []*model.Event{x}, x.Label
		}
		compiled, err := a.compiledAs(level, &e, by)
		if err != nil {
			return nil, "", err.Error()
		}
		if next, why = a.matched(ctx, level, compiled, before, after); next != nil {
			return a.above(level, next), by, ""
		}
	}
	if why == "" {
		why = a.mismatch(ctx, level, event, abstract, before, after)
	}
	return nil, "", why
}

// matched returns the first state that a step of an event of a level leads to, with what the next level does.
func (a *Animation) matched(ctx context.Context, level int, e *program.Event, before, after []byte) (next []byte, why string) {
	l := a.Levels[level]
	own, f := l.p.Frame(ctx), l.glue.Frame(ctx)
	if before != nil {
		l.glue.Unpack(f, before)
	}
	l.p.Unpack(own, after)
	for i, v := range l.p.Variables {
		f.Slots[l.after[v.Name+afterMark]] = own.Slots[i]
	}
	f.Most = mostTried
	var undefined string
	if limit := abort.Bounded(func() {
		_, undefined = f.Visit(e.Fire, func(f *formula.Frame) bool {
			next = l.glue.Pack(nil, f)
			return false
		})
	}); limit != "" {
		return nil, limit + " ended the search for the abstract step"
	}
	if next == nil && undefined != "" {
		return nil, "undefined: " + undefined
	}
	return next, ""
}

// compiledAs compiles an event of a level that is matched with one abstract event, once.
func (a *Animation) compiledAs(level int, e *model.Event, by string) (*program.Event, error) {
	key := fmt.Sprintf("%d/%s/%s", level, e.Label, by)
	if c := a.events[key]; c != nil {
		return c.event, c.err
	}
	c := &compiledEvent{}
	c.event, c.err = a.Levels[level].compile(e)
	a.events[key] = c
	return c.event, c.err
}

type compiledEvent struct {
	event *program.Event
	err   error
}

// mismatch says which condition of the abstract step fails: the one without which there is a step.
func (a *Animation) mismatch(ctx context.Context, level int, event *model.Event, abstract []*model.Event, before, after []byte) string {
	l := a.Levels[level]
	above := a.Levels[level].Machine.Refines.Name
	possible := func(e model.Event, x *model.Event) bool {
		e.Refines = nil
		if x != nil {
			e.Refines = []*model.Event{x}
		}
		compiled, err := l.compile(&e)
		if err != nil {
			return false
		}
		next, _ := a.matched(ctx, level, compiled, before, after)
		return next != nil
	}
	// Each condition is left out in turn. One without which there is a step is to blame; witnesses come first, since a
	// wrong one makes the abstract guards and actions fail, too.
	for _, x := range abstract {
		if x == nil {
			return fmt.Sprintf("%s is new, but changes what %s knows", event.Label, above)
		}
		for i, w := range event.Witnesses {
			e := *event
			e.Witnesses = slices.Delete(slices.Clone(e.Witnesses), i, i+1)
			if possible(e, x) {
				return fmt.Sprintf("witness %s of %s does not give a step of %s/%s", w.Label, event.Label, above, x.Label)
			}
		}
		for i, g := range x.Guards {
			weaker := *x
			weaker.Guards = slices.Delete(slices.Clone(x.Guards), i, i+1)
			if possible(*event, &weaker) {
				return fmt.Sprintf("guard %s of %s/%s is false", g.Label, above, x.Label)
			}
		}
		for i, act := range x.Actions {
			weaker := *x
			weaker.Actions = slices.Clone(x.Actions)
			weaker.Actions[i] = &model.Action{Label: act.Label, Kind: model.BecomesSuch, Left: act.Left, Right: []logic.Term{l.glue.Compiler.Bank.App(logic.True)}}
			if possible(*event, &weaker) {
				return fmt.Sprintf("action %s of %s/%s has another effect", act.Label, above, x.Label)
			}
		}
	}
	return fmt.Sprintf("no step of %s matches %s", above, event.Label)
}

// mostTried bounds the values that are tried for the steps of one event, or to say why it has none.
const mostTried = 1 << 24

// Successor is a step that is possible in a state.
type Successor struct {
	Event  string
	Params []Worth
	Choice int // of several steps with these parameters, from 0

	after []byte
	event int
	args  []value.Value
}

// Named is a step as somebody names it: by its event, parameters and, of several, which.
type Named struct {
	Event  string  `json:"e"`
	Params []Worth `json:"a,omitempty"`
	Choice int     `json:"c,omitempty"`
}

// Before is the number of no state: that before the initialisation.
const Before = -1

// Successors lists what can happen in a state, in the order of events, at most so many steps of each.
// why says of which events there are more, or which are undefined.
func (a *Animation) Successors(ctx context.Context, from, most int) (out []Successor, why map[string]string, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	why = map[string]string{}
	for _, number := range a.eventsAt(from) {
		steps, reason, err := a.steps(ctx, a.packed(from), number, most, nil)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, steps...)
		if reason != "" {
			why[a.Levels[0].p.Label(number)] = reason
		}
	}
	if from == Before {
		out = append(out, a.begins()...)
	}
	return out, why, nil
}

// packed is the state of the concrete machine; nil before the initialisation.
func (a *Animation) packed(number int) []byte {
	if number == Before {
		return nil
	}
	return a.states[number].packed[0]
}

func (a *Animation) eventsAt(from int) (out []int) {
	if from == Before {
		return []int{0}
	}
	for number := range len(a.Levels[0].p.Events) {
		out = append(out, number+1)
	}
	return out
}

// steps lists the steps of one event, those that keep accepts.
func (a *Animation) steps(ctx context.Context, from []byte, number, most int, keep func(*program.Event, *formula.Frame) bool) (out []Successor, why string, err error) {
	p := a.Levels[0].p
	event := p.EventOf(number)
	f := p.Frame(ctx)
	if from != nil {
		p.Unpack(f, from)
	}
	// A step that leads nowhere else under the same parameters is one step.
	seen, choices := map[string]bool{}, map[string]int{}
	undefined := ""
	f.Most = a.tried
	limit := abort.Bounded(func() {
		_, undefined = f.Visit(event.Fire, func(f *formula.Frame) bool {
			if p.Beyond(f) >= 0 {
				why = "steps beyond the bounds of variables are not shown"
				return true
			}
			s := Successor{Event: event.Model.Label, event: number, after: p.Pack(nil, f)}
			called := ""
			for _, x := range event.Params {
				text := p.Space.String(x.Shape, f.Slots[x.Slot])
				s.Params, s.args = append(s.Params, Worth{x.Name, text}), append(s.args, f.Slots[x.Slot])
				called += text + "\x00"
			}
			if key := called + string(s.after); seen[key] {
				return true
			} else {
				seen[key] = true
			}
			s.Choice = choices[called]
			choices[called]++
			if keep != nil && !keep(event, f) {
				return true
			}
			if most > 0 && len(out) == most {
				why = fmt.Sprintf("only %d steps are listed; enter a predicate to choose others", most)
				return true // to the end: an event that is undefined for some parameters has no steps
			}
			out = append(out, s)
			return true
		})
	})
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case limit != "":
		return out, limit + " ended the search for steps", nil
	case undefined != "":
		return nil, "undefined: " + undefined, nil // as in a search, it does not happen
	}
	return out, why, nil
}

// Fire takes a step, and returns the number of the state that it leads to.
func (a *Animation) Fire(ctx context.Context, from int, s Successor) (to int, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	if s.event < 0 {
		return a.number(a.assumed[s.Choice]), nil
	}
	var before *state
	if from != Before {
		before = &a.states[from]
	}
	return a.arrive(ctx, before, a.Levels[0].p.EventOf(s.event).Model, s.after), ctx.Err()
}

// ErrNoStep says that there is no such step.
var ErrNoStep = errors.New("this step is not possible here")

// Find finds the step that somebody names.
func (a *Animation) Find(ctx context.Context, from int, named Named) (found Successor, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	if from != Before && (from < 0 || from >= len(a.states)) {
		return Successor{}, fmt.Errorf("there is no state %d", from)
	}
	// Before all steps, an instance with assumptions offers a choice of first states instead of an event.
	if from == Before && named.Event == Assumed {
		if all := a.begins(); named.Choice >= 0 && named.Choice < len(all) {
			return all[named.Choice], nil
		}
		return Successor{}, ErrNoStep
	}
	for _, number := range a.eventsAt(from) {
		if a.Levels[0].p.Label(number) != named.Event {
			continue
		}
		steps, why, err := a.steps(ctx, a.packed(from), number, 0, func(e *program.Event, f *formula.Frame) bool {
			for i, x := range e.Params {
				if i >= len(named.Params) || named.Params[i][0] != x.Name || named.Params[i][1] != a.Levels[0].p.Space.String(x.Shape, f.Slots[x.Slot]) {
					return false
				}
			}
			return len(named.Params) == len(e.Params)
		})
		if err != nil {
			return Successor{}, err
		}
		// The parameters can leave several results, which Choice numbers.
		for _, s := range steps {
			if s.Choice == named.Choice {
				return s, nil
			}
		}
		if why != "" {
			return Successor{}, fmt.Errorf("%w: %s", ErrNoStep, why)
		}
		return Successor{}, ErrNoStep
	}
	return Successor{}, fmt.Errorf("machine %s has no event %s here", a.Concrete().Name, named.Event)
}

// Choose lists the steps of an event that satisfy a predicate about its parameters and the state before.
func (a *Animation) Choose(ctx context.Context, from int, event *model.Event, t logic.Term, most int) (out []Successor, why string, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	p := a.Levels[0].p
	number := 1 + slices.IndexFunc(p.Events, func(e *program.Event) bool { return e.Model == event })
	if number == 0 {
		return nil, "", fmt.Errorf("%s is not an event that can be chosen here", event.Label)
	}
	names := map[string]int{}
	for _, x := range p.EventOf(number).Params {
		names[x.Name] = x.Slot
	}
	var property program.Property
	if p.Naming(names, func() { property, err = p.Goal(t) }); err != nil {
		return nil, "", err
	}
	undefinedAt := ""
	out, why, err = a.steps(ctx, a.packed(from), number, most, func(_ *program.Event, f *formula.Frame) bool {
		holds, why := f.Try(property.Holds)
		if why != "" {
			undefinedAt = "undefined for some parameters: " + why
		}
		return holds && why == ""
	})
	return out, cmp.Or(why, undefinedAt), err
}
