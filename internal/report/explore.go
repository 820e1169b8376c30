package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
)

type jsonExploration struct {
	Project     string            `json:"project"`                 // name of the project
	Machine     string            `json:"machine"`                 // name of the machine
	Instance    Bindings          `json:"instance"`                // values of constants and elements of carrier sets
	Unsized     []string          `json:"unsized,omitempty"`       // carrier sets with a default size
	Chosen      []string          `json:"chosen,omitempty"`        // constants with one chosen value out of infinitely many
	Solution    int               `json:"solution"`                // number of the solution of the axioms, from 1
	States      int               `json:"states"`                  // number of states reached
	Transitions int               `json:"transitions"`             // number of steps between these states
	Depth       int               `json:"depth"`                   // length of the shortest run to the farthest state
	Verdict     explore.Verdict   `json:"verdict"`                 // complete, bounded or counterexample
	Why         string            `json:"why,omitempty"`           // the limit that stopped the search, or another reason for the verdict
	Growing     []string          `json:"growing,omitempty"`       // variables whose values grew until a limit stopped the search
	Violated    []string          `json:"violated"`                // labels of violated invariants
	Deadlocks   int               `json:"deadlocks"`               // number of states without an enabled event
	Claims      []string          `json:"claims,omitempty"`        // leads-to properties that are true for all fair runs
	Idle        []string          `json:"untriggered,omitempty"`   // leads-to properties, and antecedents of --ltl, whose trigger no state satisfies
	Unchecked   []string          `json:"unchecked,omitempty"`     // labels of invariants that were not evaluated
	Findings    []jsonFinding     `json:"findings"`                // findings, with traces
	Coverage    *explore.Coverage `json:"coverage,omitempty"`      // with --coverage: coverage of events, guards, invariants and values
	Symmetric   []string          `json:"symmetric,omitempty"`     // carrier sets used for symmetry reduction
	Reduced     *jsonIndependence `json:"partial_order,omitempty"` // with --partial-order: the independence on which the reduction is based
	Width       int               `json:"bytes_per_state"`         // size of a stored state
	Accurate    bool              `json:"accurate"`                // the machine is accurate: it was read without an error
}

// jsonIndependence says how many pairs of events commute, and by what.
type jsonIndependence struct {
	Proved   int  `json:"proved"`
	Assumed  int  `json:"assumed"`
	Unknown  int  `json:"unknown"`
	Guards   int  `json:"assumed_guards"` // assumed to stay false
	Verified bool `json:"verified"`       // the proofs use the invariants of the machine, which are proved
}

type jsonFinding struct {
	Kind  string `json:"kind"`            // kind of the finding, such as invariant or deadlock
	Label string `json:"label,omitempty"` // label of the element that fails
	Why   string `json:"why,omitempty"`   // the cause of the finding, if the kind does not state it
	Trace []Step `json:"trace"`           // steps, beginning with the initialisation
	Loop  *int   `json:"loop,omitempty"`  // for an infinite run: the step from which the run repeats
}

// Step is a step of a run in JSON.
type Step struct {
	Event   string   `json:"event"`
	Params  Bindings `json:"params,omitempty"`
	Changed Bindings `json:"changed"`
}

// StepsOf returns steps as they are written in JSON.
func StepsOf(steps []explore.Step) []Step {
	out := []Step{}
	for _, s := range steps {
		out = append(out, Step{s.Event, s.Params, s.Changed})
	}
	return out
}

// Bindings are names and values, in JSON an object in their order.
type Bindings []explore.Binding

// MarshalJSON writes the object.
func (bs Bindings) MarshalJSON() ([]byte, error) {
	var w strings.Builder
	w.WriteByte('{')
	for i, b := range bs {
		if i > 0 {
			w.WriteByte(',')
		}
		name, _ := json.Marshal(b.Name)
		value, _ := json.Marshal(b.Value)
		fmt.Fprintf(&w, "%s:%s", name, value)
	}
	w.WriteByte('}')
	return []byte(w.String()), nil
}

// ExplorationJSON writes what a search found as one line.
func ExplorationJSON(w io.Writer, project string, machine *model.Machine, in *explore.Instance, solution int, r *explore.Result) error {
	j := jsonExploration{
		Project: project, Machine: machine.Name, Instance: in.Bindings(machine), Unsized: in.Unsized, Chosen: in.Chosen, Solution: solution, States: r.States, Transitions: r.Transitions, Depth: r.Depth,
		Verdict: r.Verdict, Why: r.Why, Growing: r.Growing, Accurate: machine.Whole, Violated: []string{}, Deadlocks: r.Deadlocks, Unchecked: r.Unchecked, Findings: []jsonFinding{}, Width: r.Width, Claims: r.Claims, Idle: r.Idle, Coverage: r.Coverage, Symmetric: r.Symmetric,
	}
	if x := r.Independence; x != nil {
		j.Reduced = &jsonIndependence{x.Proved, x.Assumed, x.Unknown, x.Guards, x.Verified && len(x.Unproved) == 0}
	}
	for _, f := range r.Findings {
		if f.Kind == explore.InvariantFails {
			j.Violated = append(j.Violated, f.Label)
		}
		j.Findings = append(j.Findings, jsonFinding{Kind: f.Kind, Label: f.Label, Why: f.Why, Trace: StepsOf(f.Trace.Steps), Loop: f.Trace.Loop})
	}
	out := NewLines(w)
	out.Put(j)
	return out.Err
}

// SolutionsJSON writes what several solutions of the axioms show together, as one line: complete only if
// each of all is; others says why there may be some that were not explored.
func SolutionsJSON(w io.Writer, project string, machine *model.Machine, explored, states int, verdict explore.Verdict, others string) error {
	if others != "" && verdict == explore.Complete {
		verdict = explore.Bounded
	}
	out := NewLines(w)
	out.Put(struct {
		Project   string          `json:"project"`
		Machine   string          `json:"machine"`
		Solutions int             `json:"solutions"`
		States    int             `json:"states"`
		Verdict   explore.Verdict `json:"verdict"`
		Why       string          `json:"why,omitempty"`
	}{project, machine.Name, explored, states, verdict, others})
	return out.Err
}

// Solutions says for people what several solutions of the axioms show together. None of them is all if values of
// constants are chosen.
func Solutions(out io.Writer, style Style, explored, states int, different, chosen bool, others string) {
	switch {
	case chosen:
		fmt.Fprintf(out, "  %s\n", style.Yellow(fmt.Sprintf("explored %s of the axioms%s; %s; --instance K selects one", Count(explored, "solution"), alike(different || explored == 1), others)))
	case others != "" && explored == 1:
		fmt.Fprintf(out, "  %s\n", style.Yellow("explored one solution of the axioms; "+others+"; --instances 0 explores all of them, --instance 1 selects this one"))
	case others != "":
		fmt.Fprintf(out, "  %s\n", style.Yellow(fmt.Sprintf("explored %s of the axioms%s; %s; --instances 0 explores all, --instance K only one", Count(explored, "solution"), alike(different), others)))
	case explored > 1:
		fmt.Fprintf(out, "  explored all %d solutions of the axioms%s: %s\n", explored, alike(different), Count(states, "state"))
	}
}

func alike(different bool) string {
	if different {
		return ""
	}
	return ", with the same verdict"
}

// Exploration writes what a search found for people.
func Exploration(out io.Writer, style Style, machine *model.Machine, in *explore.Instance, r *explore.Result) {
	var setup []string
	for _, b := range in.Bindings(machine) {
		if b.Name == b.Value {
			continue // an element of a carrier set, which lists it
		}
		setup = append(setup, b.Name+"="+Shorten(b.Value))
	}
	flow(out, style.Bold(machine.Name), machine.Name, setup, "  ")
	for _, f := range r.Findings {
		fmt.Fprintf(out, "  %s\n", findingText(style, f))
		Steps(out, f.Trace.Steps, 0)
		writeLoop(out, f.Trace)
	}
	if missed := !slices.ContainsFunc(r.Findings, func(f explore.Finding) bool { return f.Kind == explore.GoalReached }); r.Goal && missed {
		if r.Why == "" && len(r.Findings) == 0 {
			fmt.Fprintf(out, "  %s\n", style.Red("no reachable state satisfies the goal"))
		} else {
			fmt.Fprintf(out, "  %s\n", style.Yellow("no explored state satisfies the goal"))
		}
	}
	for _, name := range r.Claims {
		fmt.Fprintf(out, "  leads-to property %s holds for all fair runs\n", name)
	}
	for _, name := range r.Idle {
		text := "no reached state satisfies {" + name + "}"
		if strings.HasPrefix(name, "leads_to ") {
			text = name + " is vacuous here: no reached state satisfies `from` but not `to`"
		}
		fmt.Fprintf(out, "  %s\n", style.Yellow(text))
	}
	for _, u := range r.Unchecked {
		fmt.Fprintf(out, "  %s\n", style.Yellow("not checked: "+u))
	}
	if r.Coverage != nil {
		coverage(out, style, r.Coverage)
	}
	if len(r.Symmetric) > 0 {
		fmt.Fprintf(out, "  up to permutations of %s\n", strings.Join(r.Symmetric, ", "))
	}
	for _, note := range r.Asymmetric {
		fmt.Fprintf(out, "  %s\n", style.Yellow("not up to permutations of "+note))
	}
	if x := r.Independence; x != nil {
		fmt.Fprintf(out, "  partial-order reduction: %d of %d event pairs proved independent; traces need not be shortest\n", x.Proved, x.Proved+x.Assumed+x.Unknown)
		if x.Assumed+x.Guards > 0 {
			fmt.Fprintf(out, "  %s\n", style.Yellow(fmt.Sprintf("assumed without proof: %s of events are independent, %s stay false", Count(x.Assumed, "pair"), Count(x.Guards, "guard"))))
		}
	}
	fmt.Fprintf(out, "  %s: %s, %s, depth %d\n", searchText(style, r), Count(r.States, "state"), Count(r.Transitions, "transition"), r.Depth)
	if len(r.Growing) > 0 {
		fmt.Fprintf(out, "  %s\n", style.Yellow(strings.Join(r.Growing, ", ")+" kept growing; bound "+them(r.Growing)+" with a guard, or raise --max-states and --max-memory"))
	}
	if len(in.Chosen) > 0 && r.Verdict == explore.Complete {
		fmt.Fprintf(out, "  %s\n", style.Yellow("complete for the chosen "+strings.Join(in.Chosen, ", ")+" only; choose another with --const "+in.Chosen[0]+"=…"))
	}
	if len(in.Unsized) > 0 && r.Verdict == explore.Complete {
		var sizes []string
		for _, set := range in.Unsized {
			sizes = append(sizes, fmt.Sprintf("card(%s)=%d", set, len(in.Carriers[set])))
		}
		fmt.Fprintf(out, "  %s\n", style.Yellow("complete for "+strings.Join(sizes, ", ")+" by default; set other sizes with --size "+in.Unsized[0]+"=N"))
	}
}

// them stands for names.
func them(names []string) string {
	if len(names) == 1 {
		return "it"
	}
	return "them"
}

// writeLoop says how a run goes on for ever.
func writeLoop(out io.Writer, trace *explore.Trace) {
	switch last := len(trace.Steps) - 1; {
	case trace.Loop == nil:
	case *trace.Loop == last:
		fmt.Fprintf(out, "    then no event is enabled\n")
	default:
		fmt.Fprintf(out, "    then the run repeats from the state after step %d\n", *trace.Loop)
	}
}

// FindingText says what a search found, in one line.
func FindingText(f explore.Finding) string { return findingText(Style{}, f) }

// findingText says in one line what a search has found.
func findingText(style Style, f explore.Finding) string {
	switch f.Kind {
	case explore.InvariantFails:
		return style.Red("invariant " + f.Label + " is violated")
	case explore.NoValueOf:
		return style.Red(f.Label + " is undefined: " + f.Why)
	case explore.Deadlock:
		return style.Red("no event is enabled")
	case explore.TheoremFails:
		return style.Red("theorem " + f.Label + " is false")
	case explore.NoBeginning:
		return style.Red(f.Label + " has no successor state: the machine cannot start")
	case explore.NotRefined:
		return style.Red("the abstract machine has no matching step for " + f.Label)
	case explore.TemporalFails:
		return style.Red("a run violates " + f.Label)
	case explore.GoalReached:
		return style.Green("the goal is reached")
	}
	return style.Red(f.Kind + " " + f.Label)
}

// wide is the number of columns from which on values stand in lines of their own.
const wide = 100

// flow writes a head and what belongs to it, in one line if that fits; seen is
// the head without colours.
func flow(out io.Writer, head, seen string, parts []string, indent string) {
	line := strings.Join(parts, "  ")
	switch {
	case len(parts) == 0:
		fmt.Fprintln(out, head)
	case utf8.RuneCountInString(seen)+2+utf8.RuneCountInString(line) <= wide:
		fmt.Fprintf(out, "%s  %s\n", head, line)
	default:
		fmt.Fprintln(out, head)
		for _, p := range parts {
			fmt.Fprintf(out, "%s%s\n", indent, p)
		}
	}
}

// Steps writes steps for people, numbered from first.
func Steps(w io.Writer, steps []explore.Step, first int) {
	for i, s := range steps {
		head, changed := stepText(s)
		head = fmt.Sprintf("    %3d  %s", first+i, head)
		flow(w, head, head, changed, "           ")
	}
}

// stepText is the event of a step, and what it changes.
func stepText(s explore.Step) (event string, changes []string) {
	var params, changed []string
	for _, b := range s.Params {
		params = append(params, b.Name+"="+Shorten(b.Value))
	}
	for _, b := range s.Changed {
		changed = append(changed, b.Name+"="+Shorten(b.Value))
	}
	event = s.Event
	if len(params) > 0 {
		event += "(" + strings.Join(params, ", ") + ")"
	}
	return event, changed
}

func searchText(style Style, r *explore.Result) string {
	switch r.Verdict {
	case explore.Complete:
		return style.Green("complete")
	case explore.Bounded:
		return style.Yellow("bounded by " + r.Why)
	}
	if !slices.ContainsFunc(r.Findings, func(f explore.Finding) bool { return f.Kind != explore.GoalReached }) {
		return style.Green("goal reached")
	}
	return style.Red(string(r.Verdict))
}

// Replayed writes the run that follows a trace.
func Replayed(out io.Writer, style Style, machine *model.Machine, x *explore.Replayed) {
	fmt.Fprintf(out, "%s\n", style.Bold(machine.Name))
	Steps(out, x.Trace.Steps, 0)
	for _, u := range x.Unchecked {
		fmt.Fprintf(out, "  %s\n", style.Yellow("not checked: "+u))
	}
	for _, f := range x.Violated {
		fmt.Fprintf(out, "  %s\n", findingText(style, f)+fmt.Sprintf(", in the state after step %d", len(f.Trace.Steps)-1))
	}
	switch {
	case x.Steps == x.Of && len(x.Violated) > 0:
		fmt.Fprintf(out, "  %s\n", style.Red("replayed the whole trace; it violates a property of the machine"))
	case x.Steps == x.Of:
		fmt.Fprintf(out, "  %s\n", style.Green("replayed the whole trace"))
	case x.Bounded:
		fmt.Fprintf(out, "  %s\n", style.Yellow(fmt.Sprintf("bounded: reached %d of %d states of the trace", x.Steps, x.Of)))
	default:
		fmt.Fprintf(out, "  %s\n", style.Red(fmt.Sprintf("the trace cannot be replayed beyond state %d of %d", x.Steps, x.Of)))
	}
}
