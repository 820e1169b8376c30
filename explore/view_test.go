package explore

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
)

// A view of some of the variables is the graph of all states with the others left out, and the parameters of events.
func TestViewsAgreeWithGraphs(t *testing.T) {
	const most = 3000
	compared := 0
	for seed := range corpus.Seeds(20, 60, 600) {
		w := &writer{Rand: rand.New(rand.NewPCG(uint64(seed), 11))}
		x := randomMachine(t, w)
		opt := Options{KeepGoing: true, NoDeadlock: true, MaxStates: most, Graph: Drawing{Most: most}}
		whole := x.run(Setup{Default: 2}, opt)
		if whole.Graph == nil || whole.Verdict == Bounded {
			continue
		}
		seen := w.IntN(len(x.m.Variables)) + 1
		for _, v := range x.m.Variables[:seen] {
			opt.Graph.View = append(opt.Graph.View, Shown{Name: v.Name, Term: v.Term})
		}
		view := x.run(Setup{Default: 2}, opt)
		compared++
		if got, want := said(view.Graph, seen), said(whole.Graph, seen); got != want {
			t.Fatalf("seed %d: the view is\n%s\nthe graph with the other variables left out\n%s", seed, got, want)
		}
	}
	if compared < 10 {
		t.Errorf("only %d machines were compared", compared)
	}
}

// said lists a graph: how many states have the same values of the first variables, and which events lead from
// where to where.
func said(g *Graph, seen int) string {
	name := func(i int) string { return fmt.Sprint(g.States[i][:seen]) }
	count, lines := map[string]int{}, map[string]bool{}
	for i := range g.States {
		n := 1
		if g.Count != nil {
			n = g.Count[i]
		}
		count[name(i)] += n
		if i < g.Initial {
			lines["initial "+name(i)] = true
		}
	}
	for _, e := range g.Edges {
		event, _, _ := strings.Cut(e.Label, "(")
		lines[name(e.From)+" "+event+" "+name(e.To)] = true
	}
	return fmt.Sprint(count, "\n", strings.Join(slices.Sorted(maps.Keys(lines)), "\n"))
}
