package follow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
)

// Observation is what a line of a log says: that an event happened, and what some of its parameters
// and some variables were then. Values are decoded JSON, numbers as json.Number.
type Observation struct {
	Line   int // in the log, from 1
	Event  string
	Params map[string]any
	Values map[string]any
}

// BadLine is the error of a line that says nothing of the machine.
type BadLine struct {
	Line int
	Err  error
}

func (e *BadLine) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *BadLine) Unwrap() error { return e.Err }

// Log says how a log is read.
type Log struct {
	Next   func() (*Observation, error) // the next line; io.EOF at the end
	Silent map[string]int               // events that may happen unlogged, so often between two lines
	Most   int                          // states that are kept at once, at most
	Step   func(text string) error      // is told each step of the run that explains the log; may be nil
}

// Explanation is what was found of a log.
type Explanation struct {
	Verdict Verdict
	Why     string // unless it passed
	Lines   int    // that are explained
	Claims  int    // of these, those that say something
	Line    int    // that no run explains; 0: none
	States  []Possible
	Enabled []string // events that can happen in these states
	Widest  int      // states that were possible at once
}

// Possible is a state that was possible before the line that no run explains, and why the line does
// not fit there.
type Possible struct {
	State []explore.Binding
	Why   string
}

// shownStates is how many of the possible states are shown.
const shownStates = 5

// point is a state that explains the log so far.
type point struct {
	state  []byte
	silent []uint8 // unlogged steps since the last line, by event of Log.Silent
	broken string  // an invariant that its run violates
	parent *point
	text   string // of the step that led here
}

type explainer struct {
	*runner
	log    *Log
	silent []int // the numbers of silent events
	most   []int
	kept   int
	x      *Explanation
}

// Explain looks for a run of machine that explains a log: its lines are met one after the other, and
// only silent events happen in between. A line without event speaks of the state that was reached
// before it. All states that are possible are followed at once, line by line.
func Explain(ctx context.Context, machine *model.Machine, in *explore.Instance, log *Log) (x *Explanation, err error) {
	defer abort.Contain(machine.Name, &err)
	compiled, err := program.Compile(withElements(in), machine, false)
	if err != nil {
		return nil, err
	}
	r := &runner{ctx: ctx, p: compiled, script: &Script{Machine: machine}, frame: compiled.Frame(ctx), state: compiled.Frame(ctx)}
	e := &explainer{runner: r, log: log, x: &Explanation{}}
	for _, label := range slices.Sorted(maps.Keys(log.Silent)) {
		number := e.number(label)
		if number < 1 {
			return nil, fmt.Errorf("machine %s has no event %s that could be silent", machine.Name, label)
		}
		if log.Silent[label] < 1 || log.Silent[label] > 255 {
			return nil, fmt.Errorf("silent event %s happens from 1 to 255 times in a row, not %d times", label, log.Silent[label])
		}
		e.silent, e.most = append(e.silent, number), append(e.most, log.Silent[label])
	}
	r.boundByProgram()
	if limit := abort.Bounded(func() { err = e.explain() }); limit != "" {
		e.x.Verdict, e.x.Why = Bounded, limit
	}
	return e.x, err
}

// number is that of the event with a label; −1 if there is none.
func (e *explainer) number(label string) int {
	for number := range len(e.p.Events) + 1 {
		if e.p.Label(number) == label {
			return number
		}
	}
	return -1
}

func (e *explainer) explain() error {
	var before []*point // before the line; nil before the initialisation
	begun := false
	for {
		o, err := e.log.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		wanted, err := e.read(o)
		if err != nil {
			return &BadLine{o.Line, err}
		}
		first := &point{silent: make([]uint8, len(e.silent))}
		var reached []*point
		switch {
		case wanted.event == 0 && begun:
			return &BadLine{o.Line, fmt.Errorf("%s happens once, first of all", model.InitLabel)}
		case wanted.event == 0:
			reached = e.step(first, wanted, nil, map[string]bool{})
		case !begun:
			before = e.step(first, expected{}, nil, map[string]bool{})
			fallthrough
		default:
			before = e.closure(before)
			reached = e.meet(before, wanted)
		}
		begun = true
		if len(reached) == 0 {
			e.refuse(o, before, wanted)
			return nil
		}
		if e.x.Lines++; wanted.claims {
			e.x.Claims++
		}
		if e.x.Widest = max(e.x.Widest, len(reached)); len(reached) == 1 {
			if err := e.flush(reached[0]); err != nil {
				return err
			}
			e.kept = 1
		}
		if e.log.Step == nil {
			e.kept = len(reached) // without their runs, states before them are not needed
		}
		before = reached
	}
	switch {
	case e.x.Claims == 0:
		e.x.Verdict, e.x.Why = Undecided, "the log claims nothing about the machine"
		return nil
	case !slices.ContainsFunc(before, func(p *point) bool { return p.broken == "" }):
		e.x.Verdict, e.x.Why = Failed, "every run that explains the log violates an invariant, such as "+before[0].broken
		for _, p := range before[:min(len(before), shownStates)] {
			e.x.States = append(e.x.States, Possible{picture.Values(e.p, p.state), "its run violates " + p.broken})
		}
		return e.flush(before[0])
	case len(e.p.Unchecked) > 0:
		e.x.Verdict, e.x.Why = Undecided, "an invariant cannot be evaluated: "+e.p.Unchecked[0]
		return nil
	}
	e.x.Verdict = Passed
	return e.flush(before[slices.IndexFunc(before, func(p *point) bool { return p.broken == "" })])
}

// flush tells the steps of the run to p, and forgets those before.
func (e *explainer) flush(p *point) error {
	var steps []string
	for at := p; at != nil; at = at.parent {
		if at.text != "" {
			steps = append(steps, at.text)
		}
	}
	p.parent, p.text = nil, ""
	for _, text := range slices.Backward(steps) {
		if err := e.log.Step(text); err != nil {
			return err
		}
	}
	return nil
}

// expected is an observation, in values.
type expected struct {
	event  int // −1: none
	params map[string]value.Value
	values map[int]value.Value // by number of the variable
	claims bool
}

// read reads the values that a line says.
func (e *explainer) read(o *Observation) (w expected, err error) {
	w = expected{event: -1, claims: o.Event != "" || len(o.Values) > 0}
	if o.Event != "" {
		if w.event = e.number(o.Event); w.event < 0 {
			return w, fmt.Errorf("machine %s has no event %s", e.p.Machine.Name, o.Event)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Params)) {
		if w.event < 0 {
			return w, fmt.Errorf("%s is the parameter of no event", name)
		}
		params := e.p.EventOf(w.event).Params
		i := slices.IndexFunc(params, func(x program.Param) bool { return x.Name == name })
		if i < 0 {
			return w, fmt.Errorf("event %s has no parameter %s", o.Event, name)
		}
		if w.params == nil {
			w.params = map[string]value.Value{}
		}
		if w.params[name], err = e.p.Space.Read(params[i].Shape, plain(params[i].Shape, o.Params[name])); err != nil {
			return w, fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Values)) {
		i := slices.IndexFunc(e.p.Variables, func(v program.Variable) bool { return v.Name == name })
		if i < 0 {
			return w, fmt.Errorf("machine %s has no variable %s", e.p.Machine.Name, name)
		}
		if w.values == nil {
			w.values = map[int]value.Value{}
		}
		if w.values[i], err = e.p.Space.Read(e.p.Variables[i].Shape, plain(e.p.Variables[i].Shape, o.Values[name])); err != nil {
			return w, fmt.Errorf("variable %s: %w", name, err)
		}
	}
	return w, nil
}

// plain gives lists the form that ITF has for sets and pairs.
func plain(shape *value.Shape, data any) any {
	list, ok := data.([]any)
	switch {
	case !ok:
		return data
	case shape.Left != nil && len(list) == 2:
		return map[string]any{"#tup": []any{plain(shape.Left, list[0]), plain(shape.Right, list[1])}}
	case shape.Elem != nil:
		out := []any{}
		for _, x := range list {
			out = append(out, plain(shape.Elem, x))
		}
		return map[string]any{"#set": out}
	}
	return data
}

// add keeps a point, unless it is among those of seen.
func (e *explainer) add(out []*point, p *point, seen map[string]bool) []*point {
	key := string(p.silent) + string(p.state)
	if p.broken != "" {
		key += "!"
	}
	if seen[key] {
		return out
	}
	seen[key] = true
	if e.kept++; e.log.Most > 0 && e.kept > e.log.Most {
		panic(abort.Limit{What: fmt.Sprintf("%d states since the last line that only one explains", e.log.Most)})
	}
	return append(out, p)
}

// step adds the points after a step of an event from p that agrees with what is expected.
func (e *explainer) step(p *point, w expected, out []*point, seen map[string]bool) []*point {
	event := e.p.EventOf(w.event)
	if p.state != nil {
		e.p.Unpack(e.frame, p.state)
	}
	var found []*point
	_, why := e.frame.Visit(event.Fire, func(f *formula.Frame) bool {
		if !agrees(f, event, w) || !e.fits(f, w) {
			return true
		}
		if e.p.Beyond(f) >= 0 {
			e.bound("the bounds of variables")
			return true
		}
		next := &point{state: e.p.Pack(nil, f), silent: make([]uint8, len(e.silent)), broken: p.broken}
		if e.log.Step != nil {
			next.parent, next.text = p, e.text(event, f)
		}
		if next.broken == "" {
			next.broken = e.violated(next.state)
		}
		found = append(found, next)
		return true
	})
	if why != "" {
		return out // as in a search, an event that is undefined has no steps
	}
	for _, next := range found {
		out = e.add(out, next, seen)
	}
	return out
}

// text is the step whose values are in f, as a line of a scenario.
func (e *explainer) text(event *program.Event, f *formula.Frame) string {
	var given, then []string
	for _, x := range event.Params {
		given = append(given, x.Name+" = "+e.p.Space.String(x.Shape, f.Slots[x.Slot]))
	}
	chosen := slices.ContainsFunc(event.Model.Actions, func(a *model.Action) bool { return a.Kind != model.BecomesEqual })
	for i, v := range e.p.Variables {
		if chosen && (event.Model.IsInit() || f.Slots[i] != f.Slots[v.Primed]) {
			then = append(then, v.Name+" = "+e.p.Space.String(v.Shape, f.Slots[v.Primed]))
		}
	}
	text := event.Model.Label
	if len(given) > 0 {
		text += "(" + strings.Join(given, " ∧ ") + ")"
	}
	if len(then) > 0 {
		text += "  then " + strings.Join(then, " ∧ ")
	}
	return text
}

// agrees reports whether the parameters in f are those that are expected.
func agrees(f *formula.Frame, event *program.Event, w expected) bool {
	for _, x := range event.Params {
		if v, ok := w.params[x.Name]; ok && f.Slots[x.Slot] != v {
			return false
		}
	}
	return true
}

// fits reports whether the after-values in f are those that are expected.
func (e *explainer) fits(f *formula.Frame, w expected) bool {
	for i, v := range w.values {
		if f.Slots[e.p.Variables[i].Primed] != v {
			return false
		}
	}
	return true
}

// closure adds the points that silent events lead to.
func (e *explainer) closure(at []*point) []*point {
	if len(e.silent) == 0 {
		return at
	}
	seen := map[string]bool{}
	var all []*point
	for _, p := range at {
		all = e.add(all, p, seen)
	}
	for i := 0; i < len(all); i++ {
		p := all[i]
		for k, number := range e.silent {
			if int(p.silent[k]) == e.most[k] {
				continue
			}
			for _, next := range e.step(p, expected{event: number}, nil, map[string]bool{}) {
				next.silent = slices.Clone(p.silent)
				next.silent[k]++
				all = e.add(all, next, seen)
			}
		}
	}
	return all
}

// meet returns the points after a line.
func (e *explainer) meet(at []*point, w expected) (out []*point) {
	seen := map[string]bool{}
	for _, p := range at {
		if w.event >= 0 {
			out = e.step(p, w, out, seen)
			continue
		}
		e.p.Unpack(e.frame, p.state)
		same := true
		for i, v := range w.values {
			same = same && e.frame.Slots[i] == v
		}
		if same {
			next := *p
			next.silent = make([]uint8, len(e.silent))
			out = e.add(out, &next, seen)
		}
	}
	return out
}

// refuse says why no run explains a line: where it does not fit in a few of the states before it.
func (e *explainer) refuse(o *Observation, before []*point, w expected) {
	e.x.Verdict, e.x.Line, e.x.Why = Failed, o.Line, "no run explains the line"
	if len(e.bounds) > 0 {
		e.x.Verdict, e.x.Why = Bounded, e.limits()
	}
	enabled := map[string]bool{}
	states := map[string]bool{}
	for _, p := range before {
		if states[string(p.state)] {
			continue
		}
		states[string(p.state)] = true
		for number := range e.p.Events {
			can := false
			e.p.Unpack(e.frame, p.state)
			if _, why := e.frame.Visit(e.p.EventOf(number+1).Fire, func(*formula.Frame) bool { can = true; return true }); can && why == "" {
				enabled[e.p.Label(number+1)] = true
			}
		}
		if len(e.x.States) < shownStates {
			e.x.States = append(e.x.States, Possible{picture.Values(e.p, p.state), e.misfit(p, w)})
		}
	}
	e.x.Enabled = slices.Sorted(maps.Keys(enabled))
}

// misfit is the nearest explanation why a line does not fit in a state: the step that differs least.
func (e *explainer) misfit(p *point, w expected) string {
	least, why := -1, ""
	differ := func(f *formula.Frame, slot func(int) int) {
		var parts []string
		for i, v := range e.p.Variables {
			if want, ok := w.values[i]; ok && f.Slots[slot(i)] != want {
				parts = append(parts, fmt.Sprintf("%s is %s, and %s in the log", v.Name, e.p.Space.String(v.Shape, f.Slots[slot(i)]), e.p.Space.String(v.Shape, want)))
			}
		}
		if least < 0 || len(parts) < least {
			least, why = len(parts), strings.Join(parts, "; ")
		}
	}
	e.p.Unpack(e.frame, p.state)
	if w.event < 0 {
		differ(e.frame, func(i int) int { return i })
		return why
	}
	event := e.p.EventOf(w.event)
	_, undefined := e.frame.Visit(event.Fire, func(f *formula.Frame) bool {
		if agrees(f, event, w) {
			differ(f, func(i int) int { return e.p.Variables[i].Primed })
		}
		return true
	})
	switch {
	case undefined != "":
		return event.Model.Label + " is undefined: " + undefined
	case least >= 0:
		return why
	}
	for _, guard := range event.Model.Guards {
		k, err := e.property(guard.Term, event, false)
		if err != nil || k == nil {
			continue
		}
		frame := e.p.Frame(e.ctx) // the guard may need slots of its own
		e.p.Unpack(frame, p.state)
		known := true
		for i, x := range event.Params {
			v, ok := w.params[x.Name]
			known = known && (ok || !e.p.Compiler.Bank.Occurs(event.Model.Parameters[i].Term, guard.Term))
			frame.Slots[x.Slot] = v
		}
		if !known {
			continue
		}
		if holds, undefined := frame.Try(k.Holds); undefined != "" || !holds {
			return event.Model.Label + " is not enabled: guard " + guard.Label + " is false"
		}
	}
	return event.Model.Label + " is not enabled with such parameters"
}
