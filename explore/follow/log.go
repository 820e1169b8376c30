package follow

import (
	"context"
	"fmt"
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
	Source string            // which node or thread has written it; ""
	Clock  map[string]uint64 // its vector clock, by source; nil
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
	Next    func() (*Observation, error)  // the next line; io.EOF at the end
	Sources bool                          // lines are ordered within each source, and by their clocks, not by their place in the log
	Silent  map[string]int                // events that may happen unlogged, so often between two lines
	Most    int                           // states that are kept at once, at most
	Step    func(step explore.Step) error // is told each step of the run that explains the log; may be nil
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
	Visited int      // states, counted for each line
}

// Possible is a state that was possible before the line that no run explains, and why the line does
// not fit there.
type Possible struct {
	State []explore.Binding
	Why   string
}

// shownStates is how many of the possible states are shown.
const shownStates = 5

// point is a state that explains the lines of a cut.
type point struct {
	cut    []int32 // how many lines of each source it explains
	depth  int     // of all sources together
	state  []byte  // nil before the initialisation
	silent []uint8 // unlogged steps since the last line, by event of Log.Silent
	broken string  // an invariant that its run violates
	parent *point
	event  int // of the step that led here
	args   []value.Value
	stays  bool // no step led here from parent: a line spoke of its state
	told   bool // Log.Step knows the steps up to here
}

type explainer struct {
	*runner
	log     *Log
	silent  []int // the numbers of silent events
	most    []int
	book    *book
	pending *frontier
	x       *Explanation
}

// Explain looks for a run of machine that explains a log: its lines are met in their order, and only
// silent events happen in between. A line without event speaks of the state that was reached before it.
// The search goes on where most lines are explained; where memory is full, it first ends what it has
// begun, line by line. Each state is visited once for each cut of the log, so that the answer is that of
// a search through all runs.
func Explain(ctx context.Context, machine *model.Machine, in *explore.Instance, log *Log) (x *Explanation, err error) {
	defer abort.Contain(machine.Name, &err)
	compiled, err := program.Compile(withElements(in), machine, false)
	if err != nil {
		return nil, err
	}
	r := &runner{ctx: ctx, p: compiled, script: &Script{Machine: machine}, frame: compiled.Frame(ctx), state: compiled.Frame(ctx), variants: variants{}}
	e := &explainer{runner: r, log: log, x: &Explanation{}, pending: newFrontier(log.Most, log.Step != nil)}
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
		e.explained()
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

// explain looks for a run of the machine that explains all lines.
func (e *explainer) explain() (err error) {
	if e.book, err = newBook(e); err != nil {
		return err
	}
	e.add(&point{cut: make([]int32, len(e.book.sources)), silent: make([]uint8, len(e.silent))})
	var end *point // that explains the log
	for end == nil || end.broken != "" {
		p, again := e.pending.take(end != nil)
		if p == nil {
			break
		}
		if e.ctx.Err() != nil {
			return e.ctx.Err()
		}
		e.book.forget(e.pending.base)
		if e.pending.waiting == 0 && !again {
			if err := e.flush(p); err != nil {
				return err
			}
		}
		if again {
			e.unlogged(p)
			continue
		}
		lines, err := e.book.next(p.cut)
		switch {
		case err != nil:
			return err
		case p.state == nil:
			e.begin(p, lines)
		case len(lines) == 0:
			end = p
		default:
			for _, l := range lines {
				e.meet(p, l)
			}
			if len(e.silent) > 0 {
				e.pending.later(p)
			}
		}
	}
	e.explained()
	return e.judge(end)
}

// explained counts the lines of the longest part of the log that a run explains.
func (e *explainer) explained() {
	e.x.Visited = e.pending.visited
	if front := e.pending.front(); len(front) > 0 {
		e.x.Lines, e.x.Claims = front[0].depth, e.book.claims(front[0].cut)
	}
}

// judge says what was found, where a run explains the log up to end; nil: none does.
func (e *explainer) judge(end *point) error {
	switch {
	case end == nil:
		return e.refuse()
	case e.x.Claims == 0:
		e.x.Verdict, e.x.Why = Undecided, "the log has no constraint on the machine"
		return nil
	case end.broken != "" && len(e.bounds) > 0:
		e.x.Verdict, e.x.Why = Bounded, e.limits()
		return nil
	case end.broken != "":
		e.x.Verdict, e.x.Why = Failed, "every run that explains the log violates an invariant, such as "+end.broken
		e.x.States = []Possible{{picture.Values(e.p, end.state), "its run violates " + end.broken}}
		return nil
	case len(e.p.Unchecked) > 0:
		e.x.Verdict, e.x.Why = Undecided, "an invariant cannot be evaluated: "+e.p.Unchecked[0]
		return nil
	}
	e.x.Verdict = Passed
	return e.flush(end)
}

// flush tells the steps of the run to p, and forgets those before.
func (e *explainer) flush(p *point) error {
	if e.log.Step == nil {
		return nil
	}
	var run []*point
	for at := p; at != nil && !at.told; at = at.parent {
		run = append(run, at)
	}
	for _, at := range slices.Backward(run) {
		if at.told = true; at.state == nil || at.stays {
			continue
		}
		if err := e.log.Step(e.taken(at)); err != nil {
			return err
		}
	}
	p.parent = nil
	e.pending.flushed()
	return nil
}

// taken is the step that led to a point.
func (e *explainer) taken(p *point) explore.Step {
	step := explore.Step{Event: e.p.Label(p.event), State: picture.Values(e.p, p.state)}
	for i, x := range e.p.EventOf(p.event).Params {
		step.Params = append(step.Params, explore.Binding{Name: x.Name, Value: e.p.Space.String(x.Shape, p.args[i])})
	}
	return step
}

// given is a value that a line says, of a parameter or a variable by number.
type given struct {
	number int
	value  value.Value
}

// expected is an observation, in values.
type expected struct {
	event  int // −1: none
	params []given
	values []given
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
	// Names are sorted, so that the same line always gives the same error.
	for _, name := range slices.Sorted(maps.Keys(o.Params)) {
		if w.event < 0 {
			return w, fmt.Errorf("no event has a parameter %s", name)
		}
		params := e.p.EventOf(w.event).Params
		i := slices.IndexFunc(params, func(x program.Param) bool { return x.Name == name })
		if i < 0 {
			return w, fmt.Errorf("event %s has no parameter %s", o.Event, name)
		}
		v, err := e.p.Space.Read(params[i].Shape, plain(params[i].Shape, o.Params[name]))
		if err != nil {
			return w, fmt.Errorf("parameter %s: %w", name, err)
		}
		w.params = append(w.params, given{i, v})
	}
	for _, name := range slices.Sorted(maps.Keys(o.Values)) {
		i := slices.IndexFunc(e.p.Variables, func(v program.Variable) bool { return v.Name == name })
		if i < 0 {
			return w, fmt.Errorf("machine %s has no variable %s", e.p.Machine.Name, name)
		}
		v, err := e.p.Space.Read(e.p.Variables[i].Shape, plain(e.p.Variables[i].Shape, o.Values[name]))
		if err != nil {
			return w, fmt.Errorf("variable %s: %w", name, err)
		}
		w.values = append(w.values, given{i, v})
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
		return value.Tuple(plain(shape.Left, list[0]), plain(shape.Right, list[1]))
	case shape.Elem != nil:
		out := []any{}
		for _, x := range list {
			out = append(out, plain(shape.Elem, x))
		}
		return value.Members(out)
	}
	return data
}

// add keeps a point, unless it was there before.
func (e *explainer) add(p *point) {
	e.pending.add(p)
}

// begin adds the points after the initialisation, which the log need not say.
func (e *explainer) begin(p *point, lines []*logged) {
	if len(lines) > 0 && lines[0].event == 0 {
		e.step(p, &lines[0].expected, func(next *point) { next.consume(lines[0]) })
		return
	}
	e.step(p, &expected{}, nil)
}

// consume notes that a point explains one more line.
func (p *point) consume(l *logged) {
	p.cut = slices.Clone(p.cut)
	p.cut[l.source]++
	p.depth++
}

// unlogged adds the points after one more silent event.
func (e *explainer) unlogged(p *point) {
	for k, number := range e.silent {
		if int(p.silent[k]) < e.most[k] {
			e.step(p, &expected{event: number}, func(next *point) {
				next.silent = slices.Clone(p.silent)
				next.silent[k]++
			})
		}
	}
}

// meet adds the points after a line.
func (e *explainer) meet(p *point, l *logged) {
	if l.event >= 0 {
		e.step(p, &l.expected, func(next *point) { next.consume(l) })
		return
	}
	e.p.Unpack(e.frame, p.state)
	for _, w := range l.values {
		if e.frame.Slots[w.number] != w.value {
			return
		}
	}
	next := *p
	next.silent, next.parent, next.stays, next.told = make([]uint8, len(e.silent)), p, true, false
	if e.log.Step == nil {
		next.parent = nil
	}
	next.consume(l)
	e.add(&next)
}

// step adds the points after a step of an event from p that agrees with what is expected; then says what else they are.
func (e *explainer) step(p *point, w *expected, then func(*point)) {
	v := e.variant(w)
	if p.state != nil {
		e.p.Unpack(e.frame, p.state)
	}
	v.fill(e.frame, w)
	var found []*point
	_, why := e.frame.Visit(v.event.Fire, func(f *formula.Frame) bool {
		if !agrees(f, v.event, w) || !e.fits(f, w) {
			return true
		}
		if e.p.Beyond(f) >= 0 {
			e.bound("the bounds of variables")
			return true
		}
		next := &point{cut: p.cut, depth: p.depth, state: e.p.Pack(nil, f), silent: make([]uint8, len(e.silent)), broken: p.broken, event: w.event}
		if e.log.Step != nil {
			next.parent = p
			for _, x := range v.event.Params {
				next.args = append(next.args, f.Slots[x.Slot])
			}
		}
		if next.broken == "" {
			next.broken = e.violated(next.state)
		}
		found = append(found, next)
		return true
	})
	if why != "" {
		return // as in a search, an event that is undefined has no steps
	}
	for _, next := range found {
		if then != nil {
			then(next)
		}
		e.add(next)
	}
}

// agrees reports whether the parameters in f are those that are expected.
func agrees(f *formula.Frame, event *program.Event, w *expected) bool {
	for _, x := range w.params {
		if f.Slots[event.Params[x.number].Slot] != x.value {
			return false
		}
	}
	return true
}

// fits reports whether the after-values in f are those that are expected.
func (e *explainer) fits(f *formula.Frame, w *expected) bool {
	for _, x := range w.values {
		if f.Slots[e.p.Variables[x.number].Primed] != x.value {
			return false
		}
	}
	return true
}

// refuse says why no run explains the next line: where it does not fit in a few of the states before it.
func (e *explainer) refuse() error {
	e.x.Verdict, e.x.Why = Failed, "no run explains the line"
	if len(e.bounds) > 0 {
		e.x.Verdict, e.x.Why = Bounded, e.limits()
	}
	enabled := map[string]bool{}
	states := map[string]bool{}
	// The front has the runs that explain most lines; their next line is the one that no run explains.
	for _, p := range e.pending.front() {
		lines, err := e.book.next(p.cut)
		if err != nil {
			return err
		}
		if e.x.Line == 0 || lines[0].line < e.x.Line {
			e.x.Line = lines[0].line
		}
		if p.state == nil || states[string(p.state)] {
			continue
		}
		states[string(p.state)] = true
		// The page lists the events that were possible there, whatever the line says.
		for number := range e.p.Events {
			can := false
			e.few(p, func(f *formula.Frame) {
				if _, why := f.Visit(e.p.EventOf(number+1).Fire, func(*formula.Frame) bool { can = true; return false }); why != "" {
					can = false
				}
			})
			if can {
				enabled[e.p.Label(number+1)] = true
			}
		}
		if len(e.x.States) < shownStates {
			var whys []string
			for _, l := range lines {
				why := e.misfit(p, &l.expected)
				if len(lines) > 1 {
					why = fmt.Sprintf("line %d: %s", l.line, why)
				}
				whys = append(whys, why)
			}
			e.x.States = append(e.x.States, Possible{picture.Values(e.p, p.state), strings.Join(whys, "; ")})
		}
	}
	e.x.Enabled = slices.Sorted(maps.Keys(enabled))
	return nil
}

// mostShown bounds the steps of a search whose result is only shown.
const mostShown = 1 << 16

// few visits steps from a point in a frame that gives up where there are too many.
func (e *explainer) few(p *point, visit func(*formula.Frame)) {
	f := e.p.Frame(e.ctx)
	f.Most = mostShown
	e.p.Unpack(f, p.state)
	abort.Bounded(func() { visit(f) })
}

// misfit is the nearest explanation why a line does not fit in a state: the step that differs least.
func (e *explainer) misfit(p *point, w *expected) string {
	least, why := -1, ""
	differ := func(f *formula.Frame, slot func(int) int) {
		var parts []string
		for _, x := range w.values {
			if v := e.p.Variables[x.number]; f.Slots[slot(x.number)] != x.value {
				parts = append(parts, fmt.Sprintf("%s is %s, and %s in the log", v.Name, e.p.Space.String(v.Shape, f.Slots[slot(x.number)]), e.p.Space.String(v.Shape, x.value)))
			}
		}
		if least < 0 || len(parts) < least {
			least, why = len(parts), strings.Join(parts, "; ")
		}
	}
	if w.event < 0 {
		e.p.Unpack(e.frame, p.state)
		differ(e.frame, func(i int) int { return i })
		return why
	}
	event := e.p.EventOf(w.event)
	known := &expected{event: w.event, params: w.params}
	v := e.variant(known)
	undefined := ""
	e.few(p, func(f *formula.Frame) {
		v.fill(f, known)
		_, undefined = f.Visit(v.event.Fire, func(f *formula.Frame) bool {
			if agrees(f, v.event, w) {
				differ(f, func(i int) int { return e.p.Variables[i].Primed })
			}
			return true
		})
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
			k := slices.IndexFunc(w.params, func(g given) bool { return g.number == i })
			known = known && (k >= 0 || !e.p.Compiler.Bank.Occurs(event.Model.Parameters[i].Term, guard.Term))
			if k >= 0 {
				frame.Slots[x.Slot] = w.params[k].value
			}
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
