package euf

// cut removes the forest edge between a and b, which rerooting may have turned
// round since it was made.
func (g *Graph) cut(a, b Node) {
	if g.edges[a].kind != noEdge && g.edges[a].to == b {
		g.edges[a] = edge{}
	} else {
		g.edges[b] = edge{}
	}
}

// Explain returns the reasons from which a = b follows, each once, in no
// particular but deterministic order. a and b must be in one class.
func (g *Graph) Explain(a, b Node) []Reason {
	g.epoch++
	var out []Reason
	given := map[Reason]bool{}
	todo := [][2]Node{{a, b}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p[0] == p[1] {
			continue
		}
		// Each edge on the two ways to the common ancestor is explained once; what explains it may be
		// equalities of arguments, which go the same way.
		top := g.meet(p[0], p[1])
		for _, n := range p {
			for n != top {
				e := g.edges[n]
				g.Steps++
				if g.edgeSeen[n] != g.epoch {
					g.edgeSeen[n] = g.epoch
					switch e.kind {
					case asserted:
						if e.why >= 0 && !given[e.why] {
							given[e.why] = true
							out = append(out, e.why)
						}
					case congruent:
						for i, x := range g.args[e.x] {
							todo = append(todo, [2]Node{x, g.args[e.y][i]})
						}
					case crosswise:
						x, y := g.args[e.x], g.args[e.y]
						todo = append(todo, [2]Node{x[0], y[1]}, [2]Node{x[1], y[0]})
					case same:
						todo = append(todo, [2]Node{g.args[e.x][0], g.args[e.x][1]})
					case injective:
						todo = append(todo, [2]Node{e.x, e.y})
					}
				}
				n = e.to
			}
		}
	}
	return out
}

// Conflict explains the contradiction that Propagate met.
func (g *Graph) Conflict() []Reason { return g.Explain(g.clash[0], g.clash[1]) }

// meet returns the nearest common ancestor of a and b in the proof forest.
func (g *Graph) meet(a, b Node) Node {
	for n := a; ; n = g.edges[n].to {
		g.seen[n] = -g.epoch
		if g.edges[n].kind == noEdge {
			break
		}
	}
	top := b
	for g.seen[top] != -g.epoch {
		top = g.edges[top].to
	}
	for n := a; ; n = g.edges[n].to {
		g.seen[n] = 0
		if g.edges[n].kind == noEdge {
			break
		}
	}
	return top
}
