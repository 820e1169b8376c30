package animator

import (
	"context"
	"errors"
	"slices"

	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/logic"
)

// The graph of states as the page draws it.
type (
	jsonGraph struct {
		Nodes []jsonNode  `json:"nodes"`
		Edges []jsonEdge  `json:"edges"`
		Where map[int]int `json:"where"` // the nodes of states
		Why   string      `json:"why,omitempty"`
		Width float64     `json:"width"`
		Depth int         `json:"depth"`
	}
	jsonNode struct {
		X      float64 `json:"x"`
		Depth  int     `json:"y"`
		Label  string  `json:"l,omitempty"`
		States int     `json:"n"`
	}
	jsonEdge struct {
		From  int    `json:"f"`
		To    int    `json:"t"`
		Label string `json:"l"`
	}
)

// mostDrawn bounds the states of a graph; mostMerged those that a view merges.
const (
	mostDrawn  = 3000
	mostMerged = 50_000
)

// graph answers with the state graph. States with one value of the expression in q.Text are one node.
func (s *session) graph(ctx context.Context, q request, out *answer) error {
	g := s.graphs[q.Text]
	if g == nil {
		var view logic.Term
		most := mostDrawn
		if q.Text != "" {
			var err error
			if view, err = s.formula(q.Text); err != nil {
				return err
			}
			most = mostMerged
		}
		var err error
		if g, err = s.animation.Graph(ctx, most, view); err != nil {
			return err
		}
		if len(g.Nodes) > mostDrawn {
			return errors.New("the view has too many values to draw; take one with fewer")
		}
		s.graphs[q.Text] = g
	}
	out.Graph = layered(g)
	out.Graph.Where = map[int]int{}
	for _, number := range q.States {
		if s.checked(number) == nil && number != animation.Before {
			out.Graph.Where[number] = s.animation.Where(g, number)
		}
	}
	return nil
}

// goTo answers with a shortest run to a node of a graph.
func (s *session) goTo(ctx context.Context, q request, out *answer) error {
	g := s.graphs[q.Text]
	if g == nil || q.Index < 0 || q.Index >= len(g.Nodes) {
		return errors.New("there is no such node")
	}
	return s.follow(ctx, animation.Before, animation.Path{Steps: g.Run(q.Index)}, nil, out)
}

// sweeps is how often the order within layers is improved.
const sweeps = 8

// layered places the nodes of a graph in layers by depth. Within a layer, each stands near the middle of its neighbours in
// the layer before, in sweeps downwards and upwards in turn: the barycentre heuristic against crossings (Sugiyama, Tagawa
// and Toda, 1981).
func layered(g *animation.Graph) *jsonGraph {
	out := &jsonGraph{Why: g.Why, Nodes: []jsonNode{}, Edges: []jsonEdge{}}
	layers := [][]int{}
	for i, n := range g.Nodes {
		for len(layers) <= n.Depth {
			layers = append(layers, nil)
		}
		layers[n.Depth] = append(layers[n.Depth], i)
		out.Nodes = append(out.Nodes, jsonNode{Depth: n.Depth, Label: n.Label, States: n.States})
	}
	up, down := make([][]int, len(g.Nodes)), make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		out.Edges = append(out.Edges, jsonEdge{e.From, e.To, e.Label})
		// Only edges to deeper layers pull at the places. Those within a layer or back up are drawn as they come.
		if e.From >= 0 && g.Nodes[e.From].Depth < g.Nodes[e.To].Depth {
			down[e.From], up[e.To] = append(down[e.From], e.To), append(up[e.To], e.From)
		}
	}
	widest := 1
	for _, layer := range layers {
		widest = max(widest, len(layer))
	}
	place := func(layer []int) {
		for i, n := range layer {
			out.Nodes[n].X = (float64(i) + 0.5) * float64(widest) / float64(len(layer))
		}
	}
	for _, layer := range layers {
		place(layer)
	}
	middle := func(n int, neighbours []int) float64 {
		if len(neighbours) == 0 {
			return out.Nodes[n].X
		}
		sum := 0.0
		for _, m := range neighbours {
			sum += out.Nodes[m].X
		}
		return sum / float64(len(neighbours))
	}
	for sweep := range sweeps {
		order, near := layers, up
		if sweep%2 == 1 {
			order, near = slices.Clone(layers), down
			slices.Reverse(order)
		}
		for _, layer := range order {
			slices.SortStableFunc(layer, func(x, y int) int {
				switch a, b := middle(x, near[x]), middle(y, near[y]); {
				case a < b:
					return -1
				case a > b:
					return 1
				}
				return 0
			})
			place(layer)
		}
	}
	out.Width, out.Depth = float64(widest), len(layers)
	return out
}
