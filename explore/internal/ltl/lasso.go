package ltl

import (
	"context"
	"slices"
)

// Graph is a system: its transitions are positions of runs. A state that nothing leads
// out of has a transition to itself by event −1, for a run that ends stays where it is.
type Graph struct {
	Initial     []int        // states
	Transitions []Transition // in the order of the states that they leave
	First       []int        // those that leave state s are First[s] to First[s+1]−1
	Holds       func(transition, atom int) bool
	Enabled     func(state, event int) bool
}

// Transition is a step by an event.
type Transition struct{ From, To, Event int }

// Fair says of which runs a question is: an event of Weak that is enabled from some position
// on happens again and again; one of Strong does so if it is enabled again and again.
type Fair struct{ Weak, Strong []int }

// Lasso is a run that goes round for ever.
type Lasso struct{ Stem, Loop []int } // transitions

// Violation looks for a fair run of g that violates f. bounded is true if there were more
// than limit pairs of a position and a state of the automaton; 0: no limit.
func Violation(ctx context.Context, g *Graph, f *Formula, fair Fair, limit int) (lasso *Lasso, bounded bool) {
	p := &product{ctx: ctx, g: g, a: newAutomaton(f.Not()), fair: fair, numbers: map[pair]int{}, limit: limit}
	if !p.build() {
		return nil, true
	}
	all := make([]int, len(p.pairs))
	for v := range all {
		all[v] = v
	}
	return p.accepting(all), ctx.Err() != nil
}

// pair is a position and the state that the automaton is in there.
type pair struct{ transition, state int }

// product is the graph of pairs.
type product struct {
	ctx     context.Context
	g       *Graph
	a       *automaton
	fair    Fair
	limit   int
	pairs   []pair
	numbers map[pair]int
	parent  []int // by which a pair was reached first; −1 at the beginning
	next    [][]int
}

// build makes the pairs that can be reached; it reports whether there are no more than the
// limit.
func (p *product) build() bool {
	reach := func(from, state int, states []int) (out []int) {
		for t := p.g.First[state]; t < p.g.First[state+1]; t++ {
			for _, q := range states {
				if !p.fits(t, q) {
					continue
				}
				at := pair{t, q}
				v, ok := p.numbers[at]
				if !ok {
					v = len(p.pairs)
					p.numbers[at] = v
					p.pairs, p.parent = append(p.pairs, at), append(p.parent, from)
				}
				out = append(out, v)
			}
		}
		return out
	}
	for _, state := range p.g.Initial {
		reach(-1, state, p.a.initial)
	}
	for v := 0; v < len(p.pairs); v++ {
		if p.limit > 0 && len(p.pairs) > p.limit || v%4096 == 0 && p.ctx.Err() != nil {
			return false
		}
		at := p.pairs[v]
		p.next = append(p.next, reach(v, p.g.Transitions[at.transition].To, p.a.successor[at.state]))
	}
	return true
}

// fits reports whether what the automaton says of a position holds there.
func (p *product) fits(transition, state int) bool {
	for _, literal := range p.a.states[state].now {
		if literal > 0 && !p.g.Holds(transition, literal-1) || literal < 0 && p.g.Holds(transition, -literal-1) {
			return false
		}
	}
	return true
}

func (p *product) taken(v, event int) bool {
	return p.g.Transitions[p.pairs[v].transition].Event == event
}

func (p *product) enabled(v, event int) bool {
	return p.g.Enabled(p.g.Transitions[p.pairs[v].transition].From, event)
}

// conditions are those of which a fair accepting run meets each again and again.
func (p *product) conditions() []func(v int) bool {
	var out []func(int) bool
	for _, set := range p.a.accepting {
		out = append(out, func(v int) bool { return set[p.pairs[v].state] })
	}
	for _, event := range p.fair.Weak {
		out = append(out, func(v int) bool { return p.taken(v, event) || !p.enabled(v, event) })
	}
	return out
}

// accepting looks for a fair accepting lasso whose loop is among vertices.
func (p *product) accepting(vertices []int) *Lasso {
	for _, component := range p.components(vertices) {
		if p.ctx.Err() != nil {
			return nil
		}
		meets := func(condition func(int) bool) bool { return slices.ContainsFunc(component, condition) }
		if slices.ContainsFunc(p.conditions(), func(condition func(int) bool) bool { return !meets(condition) }) {
			continue
		}
		// What is enabled here and never happens must not be enabled again and again: a fair loop
		// stays out of where it is.
		rest := component
		for _, event := range p.fair.Strong {
			if !meets(func(v int) bool { return p.taken(v, event) }) {
				rest = slices.DeleteFunc(slices.Clone(rest), func(v int) bool { return p.enabled(v, event) })
			}
		}
		if len(rest) == len(component) {
			return p.lasso(component)
		}
		if found := p.accepting(rest); found != nil {
			return found
		}
	}
	return nil
}

// lasso goes to a component, and round in it through all that a fair accepting run meets.
func (p *product) lasso(component []int) *Lasso {
	inside := map[int]bool{}
	for _, v := range component {
		inside[v] = true
	}
	first := slices.Min(component)
	conditions := p.conditions()
	for _, event := range p.fair.Strong {
		if slices.ContainsFunc(component, func(v int) bool { return p.enabled(v, event) }) {
			conditions = append(conditions, func(v int) bool { return p.taken(v, event) })
		}
	}
	loop := []int{first}
	for _, condition := range conditions {
		if !slices.ContainsFunc(loop, condition) {
			loop = append(loop, p.path(loop[len(loop)-1], inside, condition)...)
		}
	}
	back := p.path(loop[len(loop)-1], inside, func(v int) bool { return v == first })
	loop = append(loop, back[:len(back)-1]...)
	out := &Lasso{}
	for v := p.parent[first]; v >= 0; v = p.parent[v] {
		out.Stem = append(out.Stem, p.pairs[v].transition)
	}
	slices.Reverse(out.Stem)
	for _, v := range loop {
		out.Loop = append(out.Loop, p.pairs[v].transition)
	}
	return out
}

// path is the shortest of at least one step from a vertex to one with a condition.
func (p *product) path(from int, inside map[int]bool, condition func(int) bool) []int {
	parent := map[int]int{}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		for _, w := range p.next[todo[0]] {
			if _, seen := parent[w]; seen || !inside[w] {
				continue
			}
			parent[w] = todo[0]
			if condition(w) {
				out := []int{w}
				for v := parent[w]; v != from; v = parent[v] {
					out = append(out, v)
				}
				slices.Reverse(out)
				return out
			}
			todo = append(todo, w)
		}
	}
	panic("ltl: a strongly connected component is not connected")
}

// components are the strongly connected ones among vertices that have an edge inside, by
// the algorithm of Tarjan.
func (p *product) components(vertices []int) [][]int {
	const unseen, done = 0, -1
	order := make(map[int]int, len(vertices)) // when a vertex was seen, from 1
	for _, v := range vertices {
		order[v] = unseen
	}
	low, place := map[int]int{}, map[int]int{} // place: in p.next of the vertex
	var out [][]int
	var stack []int
	count := 0
	for _, root := range vertices {
		if order[root] != unseen {
			continue
		}
		for path := []int{root}; len(path) > 0; {
			v := path[len(path)-1]
			if order[v] == unseen {
				count++
				order[v], low[v] = count, count
				stack = append(stack, v)
			}
			if place[v] < len(p.next[v]) {
				w := p.next[v][place[v]]
				place[v]++
				switch at, among := order[w]; {
				case !among || at == done:
				case at == unseen:
					path = append(path, w)
				default:
					low[v] = min(low[v], at)
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				above := path[len(path)-1]
				low[above] = min(low[above], low[v])
			}
			if low[v] != order[v] {
				continue
			}
			from := slices.Index(stack, v)
			component := slices.Clone(stack[from:])
			stack = stack[:from]
			for _, w := range component {
				order[w] = done
			}
			if len(component) > 1 || slices.Contains(p.next[v], v) {
				out = append(out, component)
			}
		}
	}
	return out
}
