package animation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Path is a run from some state, step by step. Why says why it ends before what was asked for.
type Path struct {
	Steps []Named
	Why   string
}

// Named is the step as somebody names it.
func (s Successor) Named() Named { return Named{s.Event, s.Params, s.Choice} }

// Random takes so many steps at random, the same for the same seed. It ends where no event is enabled.
func (a *Animation) Random(ctx context.Context, from, steps int, seed uint64) (out Path, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	source := rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15))
	at := a.packed(from)
	for range steps {
		var all []Successor
		for _, number := range a.eventsFrom(at) {
			some, _, err := a.steps(ctx, at, number, mostChosen, nil)
			if err != nil {
				return out, err
			}
			all = append(all, some...)
		}
		if len(all) == 0 {
			out.Why = "no event is enabled"
			break
		}
		next := all[source.IntN(len(all))]
		out.Steps, at = append(out.Steps, next.Named()), next.after
	}
	return out, nil
}

// mostChosen bounds the steps of one event among which one is chosen at random.
const mostChosen = 1000

func (a *Animation) eventsFrom(at []byte) []int {
	if at == nil {
		return []int{0}
	}
	return a.eventsAt(0)
}

// visited is a state that a search has met.
type visited struct {
	packed []byte
	parent int
	by     Successor
	depth  int
}

// search visits the states that are reachable from some state, breadth-first, at most so many, until found says so. It
// returns all of them, and the number of the one that was found, or −1; step is told of each step, may be nil.
func (a *Animation) search(ctx context.Context, from []byte, most int, found func([]byte) bool, step func(from, to int, by Successor)) (all []visited, at int, why string, err error) {
	known := map[string]int{}
	var ways []string
	add := func(v visited) int {
		if n, ok := known[string(v.packed)]; ok {
			return n
		}
		if len(all) == most {
			why = fmt.Sprintf("the search ended at %d states", most)
			return -1
		}
		known[string(v.packed)] = len(all)
		all = append(all, v)
		return len(all) - 1
	}
	// A state is reported as found when it is added. One that was met before has been tested already.
	expand := func(parent int, packed []byte, depth int) (int, error) {
		for _, number := range a.eventsFrom(packed) {
			some, less, err := a.steps(ctx, packed, number, 0, nil)
			if err != nil {
				return -1, err
			}
			if less != "" {
				ways = append(ways, a.Levels[0].p.Label(number)+": "+less)
			}
			for _, s := range some {
				before := len(all)
				to := add(visited{s.after, parent, s, depth})
				if step != nil && to >= 0 {
					step(parent, to, s)
				}
				if to == before && found(s.after) {
					return to, nil
				}
			}
		}
		return -1, nil
	}
	if from == nil {
		if at, err = expand(-1, nil, 0); at >= 0 || err != nil {
			return all, at, why, err
		}
	} else {
		add(visited{from, -1, Successor{}, 0})
	}
	for i := 0; i < len(all); i++ {
		if at, err = expand(i, all[i].packed, all[i].depth+1); at >= 0 || err != nil {
			return all, at, why, err
		}
	}
	if why == "" && len(ways) > 0 {
		why = ways[0]
	}
	return all, -1, why, nil
}

// path is the run to a state that a search has met.
func path(all []visited, at int) (steps []Named) {
	for ; at >= 0 && all[at].by.Event != ""; at = all[at].parent {
		steps = append(steps, all[at].by.Named())
	}
	slices.Reverse(steps)
	return steps
}

// Until looks for the shortest run from a state to one that satisfies a predicate; with 0, to one that violates
// an invariant, or in which one is undefined. No steps and no Why: there is none.
func (a *Animation) Until(ctx context.Context, from, most int, goal logic.Term) (out Path, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	p := a.Levels[0].p
	wanted := p.Invariants
	if goal != 0 {
		property, err := p.Goal(goal)
		if err != nil {
			return out, err
		}
		wanted = []program.Property{property}
	}
	f := p.Frame(ctx)
	reached := func(packed []byte) bool {
		p.Unpack(f, packed)
		return slices.ContainsFunc(wanted, func(k program.Property) bool {
			holds, why := f.Try(k.Holds)
			return goal != 0 && holds && why == "" || goal == 0 && (!holds || why != "")
		})
	}
	all, at, why, err := a.search(ctx, a.packed(from), most, reached, nil)
	if at >= 0 {
		out.Steps = path(all, at)
	} else if out.Why = why; why == "" && goal == 0 && len(p.Invariants) < len(p.Machine.Inherited)+len(p.Machine.Invariants) {
		out.Why = "no run violates an invariant of this machine alone; invariants about the abstract machine were not checked"
	}
	return out, err
}

// Graph is the states that are reachable from the initialisation, merged where views have the same values.
type Graph struct {
	Nodes []GraphNode
	Edges []GraphEdge
	Why   string // it is not whole
	all   []visited
	node  []int // of each state
	known map[string]int
}

// GraphNode stands for states that are alike.
type GraphNode struct {
	Label  string
	Depth  int // steps from the initialisation, at least
	States int
	first  int
}

// GraphEdge is a step between nodes; several events may take it.
type GraphEdge struct {
	From, To int // From is −1 of an initialisation
	Label    string
}

// Graph visits at most so many states.
func (a *Animation) Graph(ctx context.Context, most int, view logic.Term) (g *Graph, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	g = &Graph{known: map[string]int{}}
	label := func(packed []byte) string { return string(packed) }
	if view != 0 {
		if label, err = a.labels(ctx, view); err != nil {
			return nil, err
		}
	}
	// Steps between the same two states are one edge for each event, whatever their parameters.
	type transition struct{ from, to int }
	labels := map[transition]map[string]bool{}
	var order []transition
	g.all, _, g.Why, err = a.search(ctx, nil, most, func([]byte) bool { return false }, func(from, to int, by Successor) {
		t := transition{from, to}
		if labels[t] == nil {
			labels[t] = map[string]bool{}
			order = append(order, t)
		}
		labels[t][by.Event] = true
	})
	if err != nil {
		return nil, err
	}
	// States that the view does not tell apart share a node, whose depth is that of the first one.
	numbers := map[string]int{}
	for i, v := range g.all {
		g.known[string(v.packed)] = i
		key := label(v.packed)
		n, ok := numbers[key]
		if !ok {
			n = len(g.Nodes)
			numbers[key] = n
			node := GraphNode{Depth: v.depth, first: i}
			if view != 0 {
				node.Label = key
			}
			g.Nodes = append(g.Nodes, node)
		}
		g.Nodes[n].States++
		g.node = append(g.node, n)
	}
	seen := map[GraphEdge]bool{}
	for _, t := range order {
		from := -1
		if t.from >= 0 {
			from = g.node[t.from]
		}
		for event := range labels[t] {
			e := GraphEdge{from, g.node[t.to], event}
			if !seen[e] {
				seen[e] = true
				g.Edges = append(g.Edges, e)
			}
		}
	}
	// The events of an edge came from a map, so the edges are put in a fixed order.
	slices.SortFunc(g.Edges, func(x, y GraphEdge) int {
		switch {
		case x.From != y.From:
			return x.From - y.From
		case x.To != y.To:
			return x.To - y.To
		case x.Label < y.Label:
			return -1
		}
		return 1
	})
	return g, nil
}

// labels prints the value of a view in states.
func (a *Animation) labels(ctx context.Context, view logic.Term) (func([]byte) string, error) {
	p := a.Levels[0].p
	if p.Compiler.Bank.Op(view).IsPredicate() {
		property, err := p.Goal(view)
		f := p.Frame(ctx)
		return func(packed []byte) string {
			p.Unpack(f, packed)
			holds, why := f.Try(property.Holds)
			if why != "" {
				return "undefined"
			}
			return fmt.Sprintf("%s: %t", text.Readable(p.Compiler.Bank, view), holds)
		}, err
	}
	expr, err := p.Value(view)
	if err != nil {
		return nil, err
	}
	shape := p.Space.Shape(p.Compiler.Bank.Type(view))
	f := p.Frame(ctx)
	return func(packed []byte) string {
		p.Unpack(f, packed)
		v, why := f.Value(expr)
		if why != "" {
			return "undefined"
		}
		return formula.Excerpt(p.Space.String(shape, v))
	}, nil
}

// Where is the node of a state, −1 if it has none.
func (a *Animation) Where(g *Graph, number int) int {
	if i, ok := g.known[string(a.states[number].packed[0])]; ok {
		return g.node[i]
	}
	return -1
}

// Run is the shortest run to a node of a graph.
func (g *Graph) Run(node int) []Named { return path(g.all, g.Nodes[node].first) }

// Run names the steps of a trace of the machine.
func (a *Animation) Run(ctx context.Context, t *explore.Trace) (out []Named, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	p := a.Levels[0].p
	var at []byte
	for i, step := range t.Steps {
		var next *Successor
		for _, number := range a.eventsFrom(at) {
			if p.Label(number) != step.Event || next != nil {
				continue
			}
			all, _, err := a.steps(ctx, at, number, 0, func(e *program.Event, f *formula.Frame) bool { return isCalled(p, e, f, step.Params) })
			if err != nil {
				return nil, err
			}
			for _, s := range all {
				if next == nil && slices.Equal(picture.Values(p, s.after), step.State) {
					next = &s
				}
			}
		}
		if next == nil {
			return nil, fmt.Errorf("step %d of the trace, %s, is not one of %s", i+1, step.Event, a.Concrete().Name)
		}
		out, at = append(out, next.Named()), next.after
	}
	return out, nil
}

func isCalled(p *program.Program, e *program.Event, f *formula.Frame, params []explore.Binding) bool {
	for i, x := range e.Params {
		if i >= len(params) || params[i].Value != p.Space.String(x.Shape, f.Slots[x.Slot]) {
			return false
		}
	}
	return true
}

// Trace is the run of named steps from the initialisation.
func (a *Animation) Trace(ctx context.Context, steps []Named) (t *explore.Trace, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	var run []trace.Visited
	at := Before
	for _, step := range steps {
		s, err := a.Find(ctx, at, step)
		if err != nil {
			return nil, err
		}
		if s.event < 0 {
			return nil, ErrAssumed
		}
		run = append(run, trace.Visited{State: s.after, Event: s.event})
		if at, err = a.Fire(ctx, at, s); err != nil {
			return nil, err
		}
	}
	return trace.Of(a.Levels[0].p, ctx, run), nil
}
