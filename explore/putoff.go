package explore

import "context"

// reducedGraph is the part of the state graph that a reduced search has followed.
// It is kept if more than deadlocks counts.
type reducedGraph struct {
	edges   [shards][]edge   // by shard of the later state
	partial map[stateID]bool // some transitions were not followed
	whole   map[stateID]bool // they are after all
}

type edge struct{ from, to stateID }

// memory is the room taken, in bytes, about.
func (g *reducedGraph) memory() int {
	if g == nil {
		return 0
	}
	n := 32 * len(g.partial)
	for i := range g.edges {
		n += 8 * cap(g.edges[i])
	}
	return n
}

func (g *reducedGraph) note(partial []stateID) {
	for _, id := range partial {
		g.partial[id] = true
	}
}

// putOff chooses the states at which all is to be followed after all: one of each
// strongly connected component that cannot be left and has none yet.
func (s *search) putOff(ctx context.Context) []stateID {
	if s.reduced == nil || s.stopped(ctx, 0, 0) {
		return nil
	}
	g := s.reduced
	var first [shards + 1]int
	for i := range shards {
		first[i+1] = first[i] + s.st.shards[i].n
	}
	dense := func(id stateID) int { return first[id>>indexBits] + int(id&(1<<indexBits-1)) }
	from := make([]int, first[shards]+1) // where the successors of a state begin
	for i := range g.edges {
		for _, e := range g.edges[i] {
			from[dense(e.from)+1]++
		}
	}
	for i := range first[shards] {
		from[i+1] += from[i]
	}
	to := make([]int, from[first[shards]])
	end := make([]int, first[shards])
	copy(end, from)
	for i := range g.edges {
		for _, e := range g.edges[i] {
			k := dense(e.from)
			to[end[k]] = dense(e.to)
			end[k]++
		}
	}
	ids := make([]stateID, 0, first[shards])
	for i := range shards {
		for k := range s.st.shards[i].n {
			ids = append(ids, stateID(i)<<indexBits|stateID(k))
		}
	}
	var out []stateID
	closedComponents(from, to, func(component []int) {
		least := component[0]
		for _, n := range component {
			if !g.partial[ids[n]] || g.whole[ids[n]] {
				return
			}
			least = min(least, n)
		}
		out = append(out, ids[least])
	})
	for _, id := range out {
		g.whole[id] = true
	}
	return out
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
