package explore

import (
	"context"
	"slices"
	"unsafe"

	"github.com/gradine/gradine/explore/internal/states"
)

// stepGraph is the graph of the steps that a search has followed.
type stepGraph struct {
	all   bool                  // those that change nothing count as well
	edges [states.Shards][]edge // by shard of the later state
}

// edge is a step, as narrow as it can be: there are several for each state.
type edge struct {
	fromPlace, toPlace uint32
	fromShard, toShard uint8
	event              uint16
}

// An edge has room for all shards.
const _ = uint8(states.Shards - 1)

func edgeOf(from, to states.ID, event uint16) edge {
	fromShard, fromPlace := from.Split()
	toShard, toPlace := to.Split()
	return edge{uint32(fromPlace), uint32(toPlace), uint8(fromShard), uint8(toShard), event}
}

func (e edge) from() states.ID { return states.Place(int(e.fromShard), int(e.fromPlace)) }
func (e edge) to() states.ID   { return states.Place(int(e.toShard), int(e.toPlace)) }

// reducedGraph says which states of a reduced search were followed in part. It is
// kept if more than deadlocks counts.
type reducedGraph struct {
	partial map[states.ID]bool // some transitions were not followed
	whole   map[states.ID]bool // they are after all
}

// memory is the room taken, in bytes, about.
func (g *stepGraph) memory() int {
	if g == nil {
		return 0
	}
	n := 0
	for i := range g.edges {
		n += int(unsafe.Sizeof(edge{})) * cap(g.edges[i])
	}
	return n
}

func (g *reducedGraph) memory() int {
	if g == nil {
		return 0
	}
	return 32 * len(g.partial)
}

func (g *reducedGraph) note(partial []states.ID) {
	for _, id := range partial {
		g.partial[id] = true
	}
}

// successors numbers the states that were reached: node n is state ids[n], and has the
// successors to[from[n]:from[n+1]].
func (s *search) successors() (ids []states.ID, from, to []int) {
	ids, dense := s.st.IDs(), s.st.Numbers()
	// Edges are counted, summed up and dealt out: two flat arrays instead of a list a state.
	from = make([]int, len(ids)+1)
	for i := range s.steps.edges {
		for _, e := range s.steps.edges[i] {
			from[dense(e.from())+1]++
		}
	}
	for i := range ids {
		from[i+1] += from[i]
	}
	to = make([]int, from[len(ids)])
	free := slices.Clone(from)
	for i := range s.steps.edges {
		for _, e := range s.steps.edges[i] {
			k := dense(e.from())
			to[free[k]] = dense(e.to())
			free[k]++
		}
	}
	return ids, from, to
}

// cycle returns a state that can come again for ever, or states.None. A step between
// states that the search takes together, for they differ in interchangeable
// identifiers only, counts as well: it can be repeated until they come again.
func (s *search) cycle() states.ID {
	ids, from, to := s.successors()
	const (
		unseen = iota
		open   // on the path
		done
	)
	state := make([]uint8, len(ids))
	next := slices.Clone(from)
	for root := range ids {
		if state[root] != unseen {
			continue
		}
		state[root] = open
		for path := []int{root}; len(path) > 0; {
			v := path[len(path)-1]
			if next[v] == from[v+1] {
				state[v] = done
				path = path[:len(path)-1]
				continue
			}
			w := to[next[v]]
			next[v]++
			switch state[w] {
			case open:
				return ids[w]
			case unseen:
				state[w] = open
				path = append(path, w)
			}
		}
	}
	return states.None
}

// cycleProviso chooses the states at which all is to be followed after all: one of each
// strongly connected component that cannot be left and has none yet.
func (s *search) cycleProviso(ctx context.Context) states.Frontier {
	if s.reduced == nil || s.stopped(ctx, 0, 0) {
		return nil
	}
	g := s.reduced
	ids, from, to := s.successors()
	var whole []states.ID
	closedComponents(from, to, func(component []int) {
		least := component[0]
		for _, n := range component {
			if !g.partial[ids[n]] || g.whole[ids[n]] {
				return
			}
			least = min(least, n)
		}
		whole = append(whole, ids[least])
	})
	for _, id := range whole {
		g.whole[id] = true
	}
	return states.Of(whole)
}

// closedComponents visits the strongly connected components that no edge leaves,
// of the graph in which node n has the successors to[from[n]:from[n+1]]
// (R. Tarjan, Depth-first search and linear graph algorithms, 1972).
func closedComponents(from, to []int, visit func([]int)) {
	n := len(from) - 1
	number, low := make([]int, n), make([]int, n) // numbers from 1; 0: not met yet
	done, open := make([]bool, n), make([]bool, n)
	next := make([]int, n)
	leaves := make([]bool, n) // an edge leaves the component, as far as seen
	var stack, path []int
	count := 0
	enter := func(v int) {
		count++
		number[v], low[v], next[v], open[v] = count, count, from[v], true
		stack, path = append(stack, v), append(path, v)
	}
	for root := range n {
		if number[root] != 0 {
			continue
		}
		for enter(root); len(path) > 0; {
			v := path[len(path)-1]
			if next[v] < from[v+1] {
				w := to[next[v]]
				next[v]++
				switch {
				case number[w] == 0:
					enter(w)
				case open[w]:
					low[v] = min(low[v], number[w])
				case done[w]:
					leaves[v] = true
				}
				continue
			}
			path = path[:len(path)-1]
			closed := !leaves[v]
			if low[v] == number[v] {
				at := len(stack) - 1
				for stack[at] != v {
					at--
				}
				for _, w := range stack[at:] {
					open[w], done[w] = false, true
				}
				if closed {
					visit(stack[at:])
				}
				stack = stack[:at]
				if len(path) > 0 {
					leaves[path[len(path)-1]] = true
				}
				continue
			}
			up := path[len(path)-1]
			low[up] = min(low[up], low[v])
			leaves[up] = leaves[up] || leaves[v]
		}
	}
}
