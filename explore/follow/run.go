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
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Outcome is what became of a script.
type Outcome struct {
	Verdict Verdict
	Line    int            // the number of the line that no run meets, or that a run does not meet which must; -1: none
	Why     string         // unless the script passed
	Trace   *explore.Trace // a run that meets all lines, or the lines before Line
	States  int            // that were visited, line by line
}

// Run looks for runs of machine that meet the lines of s: of s.Machine, or of one that refines it,
// directly or not. There, events that refine those of the lines take their steps, and new events may
// come between. Invariants hold in all states of such a run, unless s says that the lines are
// impossible, or break one. The search visits at most maxStates states, counted for each line.
func Run(ctx context.Context, machine *model.Machine, in *explore.Instance, s *Script, maxStates int) (out *Outcome, err error) {
	defer abort.Contain(machine.Name, &err)
	r := &runner{ctx: ctx, script: s, most: maxStates, variants: variants{}, out: &Outcome{Line: -1}}
	for a := machine; a != s.Machine; a = a.Refines {
		if r.levels++; a.Refines == nil {
			return nil, fmt.Errorf("machine %s does not refine %s", machine.Name, s.Machine.Name)
		}
	}
	if err = r.compile(in, machine, false); err != nil && r.levels == 1 {
		// The variables that disappear in this step are there if the abstract machine goes along.
		err = r.compile(in, machine, true)
	}
	if err != nil {
		r.out.Verdict, r.out.Why = Undecided, err.Error()
		return r.out, nil
	}
	r.frame, r.state = r.p.Frame(ctx), r.p.Frame(ctx)
	r.boundByProgram()
	if limit := abort.Bounded(r.run); limit != "" {
		r.bound(limit)
		r.out.Verdict, r.out.Why = Bounded, r.limits()
	}
	r.out.States = len(r.nodes)
	return r.out, nil
}

// boundByProgram notes what the compiled machine leaves out.
func (r *runner) boundByProgram() {
	for _, name := range r.p.Compiler.Cut {
		r.bound("the bounds of " + name)
	}
	if len(r.p.Hidden) > 0 {
		r.bound("a condition may be undefined for values that are not all tried")
	}
}

// withElements is the setting of in, in which the elements of carrier sets have values by their names.
func withElements(in *explore.Instance) *program.Setting {
	set := *in.Set
	set.Values = maps.Clone(in.Set.Values)
	for _, elements := range in.Carriers {
		for i, name := range elements {
			if _, taken := set.Values[name]; !taken {
				set.Values[name] = value.Value(i)
			}
		}
	}
	return &set
}

// node is a state that a run gets to.
type node struct {
	state         []byte // nil before the initialisation
	parent, event int
}

type runner struct {
	shown  bool // the outcome rests on a run that it shows, not on all runs
	ctx    context.Context
	p      *program.Program
	script *Script
	levels int // refinement steps between the script and the machine
	most   int
	out    *Outcome

	lines []compiledLine
	fresh []int // events that refine none of the script's machine
	all   []int // the other ones, without the initialisation
	broke *program.Property

	variants     variants
	frame, state *formula.Frame
	nodes        []node
	bounds       map[string]bool
	doubts       map[string]bool
	misses       map[string]bool // why nodes did not meet the line
}

// compiledLine is a line, with what is evaluated of it for each event that takes its steps.
type compiledLine struct {
	Line
	steps []compiledStep
	check *program.Property
}

type compiledStep struct {
	event        int
	known        *expected     // nil: the event as it is
	of           *variant      // the event with what is known
	wider        *compiledStep // without what is known behind it, to say why there is none; nil: the same
	given, holds *program.Property
}

// compile compiles the formulas of the lines. An error says what of the machine cannot meet them.
func (r *runner) compile(in *explore.Instance, machine *model.Machine, refines bool) (err error) {
	if r.p, err = program.Compile(withElements(in), machine, refines); err != nil {
		return err
	}
	r.lines, r.fresh, r.all, r.broke = nil, nil, nil, nil
	clear(r.variants)
	// Events without an abstract event are new in this machine. They may happen between any two lines.
	for number := range len(r.p.Events) {
		if r.levels > 0 && len(r.p.EventOf(number+1).Model.Ancestors(r.levels)) == 0 {
			r.fresh = append(r.fresh, number+1)
		} else {
			r.all = append(r.all, number+1)
		}
	}
	if r.script.Breaks != "" {
		for i := range r.p.Invariants {
			if k := &r.p.Invariants[i]; k.Label == r.script.Breaks || k.Of.Label == r.script.Breaks && r.broke == nil {
				r.broke = k
			}
		}
		if r.broke == nil {
			return fmt.Errorf("invariant %s of %s cannot be evaluated", r.script.Breaks, r.p.Machine.Name)
		}
	}
	// Impossible and Breaks need no invariant to hold, so one that cannot be evaluated is no obstacle there.
	if !r.script.Impossible && r.script.Breaks == "" && len(r.p.Unchecked) > 0 {
		return fmt.Errorf("an invariant cannot be evaluated: %s", r.p.Unchecked[0])
	}
	for _, l := range r.script.Lines {
		line := compiledLine{Line: l}
		// A refinement may have split the event of a line: each event that takes its place is a step of the line.
		if l.Event != nil {
			for number := range len(r.p.Events) + 1 {
				event := r.p.EventOf(number)
				if !takes(event.Model, l.Event, r.levels) {
					continue
				}
				step, err := r.compileStep(number, &l)
				if err != nil {
					return err
				}
				line.steps = append(line.steps, step)
			}
		} else if l.Kind == Check {
			k, err := r.property(l.Holds, nil, false)
			if err != nil {
				return err
			}
			line.check = k
		}
		r.lines = append(r.lines, line)
	}
	return nil
}

// compileStep compiles a step of an event as a line wants it. On the machine of the script, what the line says is known
// before steps are looked for.
func (r *runner) compileStep(number int, l *Line) (step compiledStep, err error) {
	known := &expected{event: number}
	if r.levels == 0 {
		known = r.knownOf(number, l)
	}
	if len(known.values) > 0 {
		all := *l
		all.Every = true // nothing is known behind a step that all are wanted of
		other, err := r.compileStep(number, &all)
		if err != nil {
			return step, err
		}
		step.wider = &other
	}
	step.event, step.known, step.of = number, known, r.variant(known)
	if step.given, err = r.property(l.Given, step.of.event, false); err != nil {
		return step, err
	}
	step.holds, err = r.property(l.Holds, step.of.event, true)
	return step, err
}

// takes reports whether the steps of e are those of the event of a script so many machines up.
func takes(e, of *model.Event, levels int) bool {
	if e.IsInit() || of.IsInit() {
		return e.IsInit() && of.IsInit()
	}
	return slices.Contains(e.Ancestors(levels), of)
}

// property compiles a predicate about a state, or about the parameters of a step of event and the
// values before it or after it; nil for none.
func (r *runner) property(t logic.Term, event *program.Event, after bool) (*program.Property, error) {
	if t == 0 {
		return nil, nil
	}
	compiler := r.p.Compiler
	slots := maps.Clone(compiler.Slots)
	defer func() { compiler.Slots = slots }()
	compiler.Slots = maps.Clone(slots)
	if event != nil {
		for _, x := range event.Params {
			compiler.Slots[x.Name] = x.Slot
		}
	}
	// After a step, the name of a variable means its primed value.
	if after {
		for _, v := range r.p.Variables {
			compiler.Slots[v.Name] = v.Primed
		}
	}
	// A name can have disappeared in a refinement, or belong to an element that the instance is too small to have.
	for _, id := range compiler.Bank.FreeIdents(t) {
		name := compiler.Bank.Name(id)
		_, slot := compiler.Slots[name]
		_, constant := compiler.Consts[name]
		if _, defined := compiler.Defs[id]; !slot && !constant && !defined {
			if typ := compiler.Bank.Type(id); compiler.Bank.TypeKind(typ) == logic.KindGiven && r.unknown(name) {
				set := compiler.Bank.GivenName(typ)
				return nil, fmt.Errorf("%s is not an element of %s, which has %s", name, set, strings.Join(compiler.Space.Carrier(set), ", "))
			}
			return nil, fmt.Errorf("%s has disappeared in machine %s", name, r.p.Machine.Name)
		}
	}
	k, err := r.p.Goal(t)
	return &k, err
}

// unknown reports whether no machine or event of the script has such a name.
func (r *runner) unknown(name string) bool {
	for _, v := range r.p.Machine.Variables {
		if v.Name == name {
			return false
		}
	}
	for _, e := range r.script.Machine.Events {
		for _, x := range e.Parameters {
			if x.Name == name {
				return false
			}
		}
	}
	return true
}

func (r *runner) bound(why string) {
	if r.bounds == nil {
		r.bounds = map[string]bool{}
	}
	r.bounds[why] = true
}

func (r *runner) limits() string { return strings.Join(slices.Sorted(maps.Keys(r.bounds)), "; ") }

// doubt notes what has no value, and so is neither true nor false.
func (r *runner) doubt(about, why string) {
	if r.doubts == nil {
		r.doubts = map[string]bool{}
	}
	r.doubts[about+" is undefined: "+why] = true
}

func (r *runner) miss(why string) {
	if r.misses == nil {
		r.misses = map[string]bool{}
	}
	r.misses[why] = true
}

// run meets one line after the other.
func (r *runner) run() {
	r.nodes = []node{{parent: -1}}
	at := []int{0}
	for i := range r.lines {
		line := &r.lines[i]
		// New events may happen before each line, but a gap includes them itself.
		if line.Kind != Gap && r.levels > 0 {
			at = r.closure(at, r.fresh, Any, false)
		}
		r.misses = nil
		next, against := r.meet(line, at)
		if against >= 0 {
			r.shown = true
			r.end(Failed, i, against, fmt.Sprintf("a run does not meet it: %s", r.reasons()))
			return
		}
		if len(next) == 0 {
			r.none(i, at)
			return
		}
		at = next
	}
	// The script ends with an invariant that must fail: keep the states where it is false.
	if r.broke != nil {
		holding := at[0]
		if at = slices.DeleteFunc(at, func(n int) bool { return r.holds(r.broke, n) != no }); len(at) == 0 {
			r.misses = map[string]bool{r.broke.Label + " holds in the last state": true}
			r.none(len(r.lines)-1, []int{holding})
			return
		}
	}
	if r.script.Impossible {
		r.end(Failed, -1, at[0], "a run meets all lines")
		return
	}
	r.end(Passed, -1, at[0], "")
}

// none ends a search in which no run meets a line.
func (r *runner) none(line int, at []int) {
	if r.script.Impossible {
		r.end(Passed, -1, -1, "")
		return
	}
	r.end(Failed, line, at[0], r.reasons())
}

// end says what was found. What was not seen, or has no value, takes nothing back that a run shows,
// but no claim about all runs stands with it.
func (r *runner) end(verdict Verdict, line, at int, why string) {
	r.out.Verdict, r.out.Line, r.out.Why = verdict, line, why
	var path []trace.Visited
	for i := at; i >= 0; i = r.nodes[i].parent {
		if r.nodes[i].state != nil {
			path = append(path, trace.Visited{State: r.nodes[i].state, Event: r.nodes[i].event})
		}
	}
	slices.Reverse(path)
	r.out.Trace = trace.Of(r.p, r.ctx, path)
	every := slices.ContainsFunc(r.script.Lines, func(l Line) bool { return l.Every })
	all := verdict == Passed && (r.script.Impossible || every) || verdict == Failed && !r.script.Impossible && !r.shown
	switch {
	case all && len(r.bounds) > 0:
		r.out.Verdict, r.out.Why = Bounded, r.limits()
	case all && len(r.doubts) > 0 && verdict == Passed:
		r.out.Verdict, r.out.Why = Undecided, slices.Sorted(maps.Keys(r.doubts))[0]
	}
}

func (r *runner) reasons() string {
	reasons := slices.Sorted(maps.Keys(r.misses))
	if len(reasons) > 3 {
		reasons = append(reasons[:3], "…")
	}
	return strings.Join(reasons, "; ")
}

// add adds a state that a run gets to, unless it is among those of seen.
func (r *runner) add(out []int, seen map[string]bool, n node) []int {
	if seen[string(n.state)] {
		return out
	}
	if r.most > 0 && len(r.nodes) >= r.most {
		panic(abort.Limit{What: fmt.Sprintf("%d states", r.most)})
	}
	seen[string(n.state)] = true
	r.nodes = append(r.nodes, n)
	return append(out, len(r.nodes)-1)
}

// meet returns the states after a line, and one of at that does not meet it though all must; or -1.
func (r *runner) meet(line *compiledLine, at []int) (next []int, against int) {
	// The states after a step are kept once each. A check keeps the nodes of at as they are.
	seen := map[string]bool{}
	keep := func(n int, met bool) int {
		switch {
		case met:
			next = append(next, n)
		case line.Every:
			return n
		}
		return -1
	}
	switch line.Kind {
	case Gap:
		return r.closure(at, append(slices.Clone(r.all), r.fresh...), line.Most, true), -1
	case Check:
		for _, n := range at {
			met := r.nodes[n].state != nil && r.holds(line.check, n) == yes
			if !met {
				r.miss("the predicate is not true")
			}
			if wrong := keep(n, met); wrong >= 0 {
				return nil, wrong
			}
		}
	case Not, Can:
		for _, n := range at {
			enabled, defined := false, true
			for _, step := range line.steps {
				// Only the initialisation, event 0, is possible before there is a state, and nothing else is.
				if (step.event == 0) != (r.nodes[n].state == nil) {
					continue
				}
				_, why := r.visit(n, step, func(*formula.Frame) bool { enabled = true; return true })
				defined = defined && why == ""
			}
			met := enabled == (line.Kind == Can) && defined
			if !met && defined {
				r.miss(map[Kind]string{Not: line.Event.Label + " is enabled", Can: line.Event.Label + " is not enabled"}[line.Kind])
			}
			if wrong := keep(n, met); wrong >= 0 {
				return nil, wrong
			}
		}
	case Step:
		for _, n := range at {
			before := len(next)
			for _, step := range line.steps {
				if (step.event == 0) != (r.nodes[n].state == nil) {
					continue
				}
				var wrong bool
				next, wrong = r.fire(n, step, line.Every, next, seen)
				if wrong {
					return nil, n
				}
			}
			if line.Every && len(next) == before && !r.leads(n, line.steps) {
				return nil, n
			}
		}
	}
	return next, -1
}

// leads reports whether a step leads from n anywhere: states that others lead to are not added twice.
func (r *runner) leads(n int, steps []compiledStep) bool {
	next, seen := []int(nil), map[string]bool{}
	nodes := r.nodes
	for _, step := range steps {
		if (step.event == 0) == (r.nodes[n].state == nil) {
			next, _ = r.fire(n, step, false, next, seen)
		}
	}
	r.nodes = nodes
	return len(next) > 0
}

// visit visits the steps from n that satisfy what is given of them. Event steps that are found before
// something turns out to be undefined are none: why says so.
func (r *runner) visit(n int, step compiledStep, leaf func(*formula.Frame) bool) (whole bool, why string) {
	event := r.p.EventOf(step.event)
	if r.nodes[n].state != nil {
		r.p.Unpack(r.frame, r.nodes[n].state)
	}
	if step.known != nil {
		event = step.of.event
		step.of.fill(r.frame, step.known)
	}
	r.frame.Unmatched = false
	whole, why = r.frame.Visit(event.Fire, func(f *formula.Frame) bool {
		if step.given != nil {
			holds, why := f.Try(step.given.Holds)
			if why != "" {
				r.doubt("what is given of "+event.Model.Label, why)
			}
			if why != "" || !holds {
				return true
			}
		}
		return leaf(f)
	})
	if r.frame.Unmatched {
		r.doubt("the refinement by "+event.Model.Label, "no step of the abstract machine matches one of its steps")
	}
	if why != "" {
		r.doubt(event.Model.Label, why)
		r.miss(event.Model.Label + " is undefined: " + why)
	}
	return whole, why
}

// fire adds the states after the steps of n; wrong says that one does not satisfy what every one must.
func (r *runner) fire(n int, step compiledStep, every bool, next []int, seen map[string]bool) (_ []int, wrong bool) {
	label := r.p.Label(step.event)
	var found []node
	enabled := false
	_, why := r.visit(n, step, func(f *formula.Frame) bool {
		enabled = true
		// A value beyond the bounds of a variable is neither a step that meets the line nor one that contradicts it.
		if r.p.Beyond(f) >= 0 {
			r.bound("the bounds of variables")
			return true
		}
		met := yes
		if step.holds != nil {
			met = r.try(step.holds, f, "what holds after "+label)
		}
		after := node{r.p.Pack(nil, f), n, step.event}
		if met != yes {
			r.miss("what holds after " + label + " is not true")
		} else if label := r.violated(after.state); label != "" {
			met = no
			r.miss("invariant " + label + " is violated after " + r.p.Label(step.event))
		}
		if met == yes {
			found = append(found, after)
		}
		wrong = wrong || met != yes
		return true
	})
	if why != "" {
		return next, every
	}
	// The guard holds for no parameters as given. The wider step is tried for its message alone, within a small budget.
	if !enabled && step.wider != nil {
		frame := r.frame
		r.frame = r.p.Frame(r.ctx)
		r.frame.Most = mostShown
		abort.Bounded(func() { r.fire(n, *step.wider, false, nil, seen) })
		r.frame = frame
		return next, every
	}
	if !enabled {
		r.miss(label + " is not enabled")
		if step.given != nil {
			r.miss(label + " is not enabled with these parameters")
			delete(r.misses, label+" is not enabled")
		}
	}
	for _, after := range found {
		next = r.add(next, seen, after)
	}
	return next, wrong && every
}

// closure returns the states that at most so many steps of events lead to, at included. The
// initialisation is among the steps where it is asked for.
func (r *runner) closure(at []int, events []int, most int, init bool) []int {
	seen := map[string]bool{}
	for _, n := range at {
		seen[string(r.nodes[n].state)] = true
	}
	all, last := slices.Clone(at), at
	for depth := 0; len(last) > 0 && (most == Any || depth < most); depth++ {
		var next []int
		for _, n := range last {
			if r.nodes[n].state == nil {
				if init {
					next, _ = r.fire(n, compiledStep{event: 0}, false, next, seen)
				}
				continue
			}
			for _, event := range events {
				next, _ = r.fire(n, compiledStep{event: event}, false, next, seen)
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

// truth is that of a predicate, which may be undefined.
type truth uint8

const (
	no truth = iota
	yes
	undefined
)

func (r *runner) try(k *program.Property, f *formula.Frame, about string) truth {
	holds, why := f.Try(k.Holds)
	switch {
	case why != "":
		r.doubt(about, why)
		return undefined
	case holds:
		return yes
	}
	return no
}

func (r *runner) holds(k *program.Property, n int) truth {
	if r.nodes[n].state == nil {
		return undefined
	}
	r.p.Unpack(r.state, r.nodes[n].state)
	return r.try(k, r.state, "a predicate")
}

// violated is the label of an invariant that a state of a run must satisfy, and does not.
func (r *runner) violated(state []byte) string {
	if r.script.Impossible || r.script.Breaks != "" {
		return ""
	}
	r.p.Unpack(r.state, state)
	for i := range r.p.Invariants {
		k := &r.p.Invariants[i]
		if r.try(k, r.state, "invariant "+k.Label) != yes {
			return k.Label
		}
	}
	return ""
}
