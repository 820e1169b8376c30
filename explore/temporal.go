package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/ltl"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Temporal is a formula of linear temporal logic over states, {predicate}, and over the
// events that happen next, [event]; and the events that runs are fair to. A run that ends
// stays in its last state for ever.
type Temporal struct {
	Text         string
	Weak, Strong []string // events that happen again and again if, from some state on, they are enabled always, or again and again

	formula *ltl.Formula
	atoms   []temporalAtom
}

// temporalAtom is a predicate, or an event.
type temporalAtom struct {
	term  logic.Term
	event string
	text  string // as it was written first
}

// ParseTemporal reads a formula, whose predicates predicate reads.
func ParseTemporal(text string, predicate func(string) (logic.Term, error)) (*Temporal, error) {
	out := &Temporal{Text: text}
	var err error
	out.formula, err = ltl.Parse(text, func(part string, event bool) (int, error) {
		atom := temporalAtom{event: part}
		if !event {
			term, err := predicate(part)
			if err != nil {
				return 0, err
			}
			atom = temporalAtom{term: term}
		}
		same := func(x temporalAtom) bool { return x.term == atom.term && x.event == atom.event }
		if i := slices.IndexFunc(out.atoms, same); i >= 0 {
			return i, nil
		}
		atom.text = part
		out.atoms = append(out.atoms, atom)
		return len(out.atoms) - 1, nil
	})
	return out, err
}

// Convergence is the formula that a machine keeps if its convergent events cannot go on for
// ever: in a run in which only they and anticipated events happen from some state on, they
// happen only so often. It is nil if m has none. A run that violates it goes through a cycle,
// on which no variant can become smaller.
func Convergence(m *model.Machine) (*Temporal, error) {
	var convergent, ordinary []string
	for _, event := range m.Events {
		switch {
		case event.IsInit():
		case event.Convergence == model.Convergent:
			convergent = append(convergent, "["+event.Label+"]")
		case event.Convergence == model.Ordinary:
			ordinary = append(ordinary, "["+event.Label+"]")
		}
	}
	if len(convergent) == 0 {
		return nil, nil
	}
	text := "F G ¬(" + strings.Join(convergent, " ∨ ") + ")"
	if len(ordinary) > 0 {
		text += " ∨ G F (" + strings.Join(ordinary, " ∨ ") + ")"
	}
	return ParseTemporal(text, nil)
}

// pairRoom is about the room of a pair of a transition and a state of an automaton, in bytes.
const pairRoom = 1 << 8

// temporal looks for a fair run that violates the formula, in the whole graph: a search that
// reached a bound has not seen it.
func (s *search) temporal(ctx context.Context) error {
	if s.result.Why != "" {
		return nil
	}
	q := s.opt.Temporal
	g := &temporalGraph{search: s, ids: s.st.IDs(), labels: map[string]int{}}
	for i, event := range s.p.Events {
		g.labels[event.Model.Label] = i + 1
	}
	fair, err := g.fair(q)
	if err != nil {
		return err
	}
	g.build(ctx)
	if err := g.judge(ctx, q); err != nil {
		return err
	}
	// An atom is an event of the transition, or a predicate of the state that it leaves.
	g.Holds = func(transition, atom int) bool {
		if term := q.atoms[atom].term; term == 0 {
			return g.Transitions[transition].Event == g.labels[q.atoms[atom].event]
		}
		return g.truth[g.Transitions[transition].From*len(q.atoms)+atom]
	}
	s.result.Idle = g.idle(q)
	g.Enabled = func(state, event int) bool {
		return slices.ContainsFunc(g.Transitions[g.First[state]:g.First[state+1]], func(t ltl.Transition) bool { return t.Event == event })
	}
	// The product of graph and automaton gets the memory that the states left over.
	lasso, bounded := ltl.Violation(ctx, &g.Graph, q.formula, fair, max(1, (s.opt.MaxMemory-s.memory())/pairRoom))
	switch {
	case lasso != nil:
		s.result.Findings = append(s.result.Findings, Finding{Kind: TemporalFails, Label: q.Text, Trace: g.trace(lasso)})
		s.result.Verdict = Counterexample
	case ctx.Err() != nil:
		s.bound(abort.Ended(ctx))
	case bounded:
		s.bound("memory")
	}
	return nil
}

// temporalGraph is the graph of all states and transitions that a search has seen; states have the numbers that
// they have in the order of the store.
type temporalGraph struct {
	ltl.Graph
	*search
	ids    []states.ID
	labels map[string]int // events by label, from 1
	truth  []bool         // of the atoms, state by state
}

// fair numbers the events that runs are fair to, and those of atoms.
func (g *temporalGraph) fair(q *Temporal) (ltl.Fair, error) {
	number := func(list []string) (out []int, err error) {
		for _, label := range list {
			if g.labels[label] == 0 {
				return nil, fmt.Errorf("machine %s has no event %s", g.p.Machine.Name, label)
			}
			out = append(out, g.labels[label])
		}
		return out, nil
	}
	for _, atom := range q.atoms {
		if _, err := number([]string{atom.event}); atom.term == 0 && err != nil {
			return ltl.Fair{}, err
		}
	}
	weak, err := number(q.Weak)
	if err != nil {
		return ltl.Fair{}, err
	}
	strong, err := number(q.Strong)
	return ltl.Fair{Weak: weak, Strong: strong}, err
}

// build makes the graph from the steps of the search.
func (g *temporalGraph) build(ctx context.Context) {
	number, room := g.st.Numbers(), len(g.ids)
	for _, edges := range g.steps.edges {
		room += len(edges)
	}
	if g.memory()+room*int(unsafe.Sizeof(ltl.Transition{})) > g.opt.MaxMemory {
		panic(abort.Limit{What: "memory"})
	}
	for i, id := range g.ids {
		if g.st.Parent(id) == states.None {
			g.Initial = append(g.Initial, i)
		}
	}
	// Transitions are counted, summed up and dealt out: sorted as a whole they would keep who interrupts waiting.
	free := make([]int, len(g.ids)+1)
	for _, edges := range g.steps.edges {
		for _, e := range edges {
			free[number(e.from())+1]++
		}
	}
	for state := range g.ids {
		free[state+1] = free[state] + max(1, free[state+1])
	}
	g.Transitions = make([]ltl.Transition, free[len(g.ids)])
	g.First = slices.Clone(free)
	for _, edges := range g.steps.edges {
		abort.Check(ctx)
		for _, e := range edges {
			from := number(e.from())
			g.Transitions[free[from]] = ltl.Transition{From: from, To: number(e.to()), Event: int(e.event)}
			free[from]++
		}
	}
	g.steps = nil
	n := 0
	for state := range g.ids {
		abort.Check(ctx)
		leaving := g.Transitions[g.First[state]:free[state]]
		if len(leaving) == 0 {
			// A run that ends stays where it is.
			leaving = []ltl.Transition{{From: state, To: state, Event: -1}}
		}
		slices.SortFunc(leaving, func(a, b ltl.Transition) int { return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.To, b.To)) })
		g.First[state] = n
		// Parameters do not tell transitions apart.
		n += copy(g.Transitions[n:], slices.Compact(leaving))
	}
	g.Transitions, g.First[len(g.ids)] = g.Transitions[:n], n
}

// judge evaluates the predicates in all states.
func (g *temporalGraph) judge(ctx context.Context, q *Temporal) error {
	holds := make([]program.Property, len(q.atoms))
	for i, atom := range q.atoms {
		if atom.term == 0 {
			continue
		}
		var err error
		if holds[i], err = g.p.Goal(atom.term); err != nil {
			return err
		}
	}
	frame := g.p.Frame(ctx) // with room for what was compiled
	var state []byte
	for _, id := range g.ids {
		abort.Check(ctx)
		state = g.st.Load(id, state[:0])
		g.p.Unpack(frame, state)
		for i, atom := range q.atoms {
			truth, why := false, ""
			if atom.term != 0 {
				truth, why = frame.Try(holds[i].Holds)
			}
			if why != "" {
				return fmt.Errorf("a predicate of %s has no value in a state that is reached: %s", q.Text, why)
			}
			g.truth = append(g.truth, truth)
		}
	}
	return nil
}

// idle lists the predicates on which something depends and that no state satisfies.
func (g *temporalGraph) idle(q *Temporal) (out []string) {
	antecedents := q.formula.Antecedents()
	for i, atom := range q.atoms {
		ever := atom.term == 0 || !slices.Contains(antecedents, i)
		for at := i; at < len(g.truth) && !ever; at += len(q.atoms) {
			ever = g.truth[at]
		}
		if !ever {
			out = append(out, atom.text)
		}
	}
	return out
}

// trace is the run of a lasso, up to the state that it comes back to.
func (g *temporalGraph) trace(lasso *ltl.Lasso) *Trace {
	run := slices.Concat(lasso.Stem, lasso.Loop)
	path := []trace.Visited{{State: g.st.At(g.ids[g.Transitions[run[0]].From])}}
	loop := 0
	for i, k := range run {
		if i == len(lasso.Stem) {
			loop = len(path) - 1
		}
		if step := g.Transitions[k]; step.Event > 0 {
			path = append(path, trace.Visited{State: g.st.At(g.ids[step.To]), Event: step.Event})
		}
	}
	out := trace.Of(g.p, g.ctx, path)
	out.Loop = &loop
	return out
}
