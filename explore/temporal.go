package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/ltl"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/unwind"
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
		if i := slices.Index(out.atoms, atom); i >= 0 {
			return i, nil
		}
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
	g := &temporalGraph{p: s.p, numbers: map[string]int{}, labels: map[string]int{}}
	for i, event := range s.p.Events {
		g.labels[event.Model.Label] = i + 1
	}
	fair, err := g.fair(q)
	if err != nil {
		return err
	}
	if err := g.build(ctx, s.opt.MaxMemory-s.memory()); err != nil {
		return err
	}
	if err := g.judge(q); err != nil {
		return err
	}
	g.Holds = func(transition, atom int) bool {
		if term := q.atoms[atom].term; term == 0 {
			return g.Transitions[transition].Event == g.labels[q.atoms[atom].event]
		}
		return g.truth[g.Transitions[transition].From][atom]
	}
	g.Enabled = func(state, event int) bool { return g.enabled[state][event-1] }
	lasso, bounded := ltl.Violation(ctx, &g.Graph, q.formula, fair, s.opt.MaxMemory/pairRoom)
	switch {
	case lasso != nil:
		s.result.Findings = append(s.result.Findings, Finding{Kind: TemporalFails, Label: q.Text, Trace: g.trace(ctx, lasso)})
		s.result.Verdict = Counterexample
	case ctx.Err() != nil:
		s.bound(unwind.Ended(ctx))
	case bounded:
		s.bound("memory")
	}
	return nil
}

// temporalGraph is the graph of all states and transitions of a machine.
type temporalGraph struct {
	ltl.Graph
	p       *program.Program
	states  [][]byte
	numbers map[string]int
	labels  map[string]int // events by label, from 1
	enabled [][]bool
	truth   [][]bool // atoms by state
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

// What a state takes in the graph besides its variables, and a transition, in bytes, about.
const (
	stateRoom      = 160
	transitionRoom = 40
)

// build visits all states. The graph takes most bytes at most, or the search is bounded.
func (g *temporalGraph) build(ctx context.Context, most int) error {
	node := func(state []byte) int {
		n, ok := g.numbers[string(state)]
		if !ok {
			n = len(g.states)
			g.numbers[string(state)] = n
			g.states, g.Out = append(g.states, state), append(g.Out, nil)
		}
		return n
	}
	frame := g.p.Frame(ctx)
	var after [][]byte
	gather := func(frame *formula.Frame) bool {
		after = append(after, g.p.Pack(nil, frame))
		return true
	}
	if _, why := frame.Visit(g.p.Init.Fire, gather); why != "" {
		return fmt.Errorf("the initialisation has no value: %s", why)
	}
	for _, state := range after {
		if n := node(state); !slices.Contains(g.Initial, n) {
			g.Initial = append(g.Initial, n)
		}
	}
	for from := 0; from < len(g.states); from++ {
		unwind.Check(ctx)
		if len(g.states)*(2*g.p.Width+len(g.p.Events)+stateRoom)+len(g.Transitions)*transitionRoom > most {
			panic(unwind.Limit{What: "memory"})
		}
		enabled := make([]bool, len(g.p.Events))
		for i, event := range g.p.Events {
			g.p.Unpack(frame, g.states[from])
			after = nil
			if _, why := frame.Visit(event.Fire, gather); why != "" {
				return fmt.Errorf("event %s has no value in a state that is reached: %s", event.Model.Label, why)
			}
			enabled[i] = len(after) > 0
			for _, state := range after {
				g.step(ltl.Transition{From: from, To: node(state), Event: i + 1})
			}
		}
		// A run that ends stays where it is.
		if len(g.Out[from]) == 0 {
			g.step(ltl.Transition{From: from, To: from, Event: -1})
		}
		g.enabled = append(g.enabled, enabled)
	}
	return nil
}

// step adds a transition, once: parameters do not tell them apart.
func (g *temporalGraph) step(t ltl.Transition) {
	if !slices.ContainsFunc(g.Out[t.From], func(k int) bool { return g.Transitions[k] == t }) {
		g.Out[t.From] = append(g.Out[t.From], len(g.Transitions))
		g.Transitions = append(g.Transitions, t)
	}
}

// judge evaluates the predicates in all states.
func (g *temporalGraph) judge(q *Temporal) error {
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
	frame := g.p.Frame(context.Background()) // with room for what was compiled
	for _, state := range g.states {
		g.p.Unpack(frame, state)
		truth := make([]bool, len(q.atoms))
		for i, atom := range q.atoms {
			if atom.term == 0 {
				continue
			}
			why := ""
			if truth[i], why = frame.Try(holds[i].Holds); why != "" {
				return fmt.Errorf("a predicate of %s has no value in a state that is reached: %s", q.Text, why)
			}
		}
		g.truth = append(g.truth, truth)
	}
	return nil
}

// trace is the run of a lasso, up to the state that it comes back to.
func (g *temporalGraph) trace(ctx context.Context, lasso *ltl.Lasso) *Trace {
	run := slices.Concat(lasso.Stem, lasso.Loop)
	path := []passed{{g.states[g.Transitions[run[0]].From], 0}}
	loop := 0
	for i, k := range run {
		if i == len(lasso.Stem) {
			loop = len(path) - 1
		}
		if step := g.Transitions[k]; step.Event > 0 {
			path = append(path, passed{g.states[step.To], step.Event})
		}
	}
	out := passing(g.p, ctx, path)
	out.Loop = &loop
	return out
}
