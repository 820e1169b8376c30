package prover

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/search"
)

// rung is one attempt: how far from the goal hypotheses are taken, and how
// much of the budget may be spent.
type rung struct {
	name     string
	selected bool // start from the selected hypotheses as well
	distance int  // steps of shared identifiers from the start; -1 for all hypotheses
	relevant int  // instead of these: so many hypotheses, the most relevant to the goal
	share    float64
	induct   scheme // by induction; skipped if the goal asks for none
	search.Direction
}

// ladder lists the rungs. Those of the first round are cheap; the second one spends
// what is left on the same in other measure.
var ladder = []rung{
	{name: "selected", selected: true, distance: 0, share: 0.03, Direction: search.Direction{Start: 1, Gens: 6}},
	{name: "lasso", selected: true, distance: 1, share: 0.05, Direction: search.Direction{Start: 1, Gens: 6, Enumerate: true}},
	{name: "relevant 8", relevant: 8, share: 0.015, Direction: search.Direction{Start: 1, Gens: 6, Enumerate: true}},
	{name: "relevant 16", relevant: 16, share: 0.02, Direction: search.Direction{Gens: 6, Enumerate: true}},
	{name: "relevant 28", relevant: 28, share: 0.025, Direction: search.Direction{Gens: 6, Enumerate: true}},
	{name: "solve", selected: true, distance: 1, share: 0.025, Direction: search.Direction{Start: 1, Gens: 4, Enumerate: true, Solve: true}},
	{name: "all", selected: true, distance: -1, share: 0.025, Direction: search.Direction{Gens: 6, Enumerate: true}},
	{name: "induction", selected: true, distance: 1, share: 0.03, induct: stepwise, Direction: search.Direction{Start: 1, Gens: 4, Enumerate: true}},
	{name: "goal", distance: 1, share: 0.02, Direction: search.Direction{Gens: 4, Enumerate: true}},
	{name: "lasso", selected: true, distance: 1, share: 0.25, Direction: search.Direction{Start: 1, Gens: 6, Enumerate: true}},
	{name: "selected", selected: true, distance: 0, share: 0.09, Direction: search.Direction{Start: 1, Gens: 6}},
	{name: "solve", selected: true, distance: 1, share: 0.09, Direction: search.Direction{Start: 1, Gens: 4, Enumerate: true, Solve: true}},
	{name: "complete induction", selected: true, distance: 1, share: 0.04, induct: complete, Direction: search.Direction{Start: 1, Gens: 4, Enumerate: true}},
	{name: "relevant 16", relevant: 16, share: 0.08, Direction: search.Direction{Start: 1, Gens: 6, Enumerate: true}},
	{name: "goal", distance: 1, share: 0.15, Direction: search.Direction{Gens: 6, Enumerate: true}},
	{name: "lasso", selected: true, distance: 1, share: 0.075, Direction: search.Direction{Gens: 4, Enumerate: true}},
	{name: "relevant 28", relevant: 28, share: 0.05, Direction: search.Direction{Gens: 4, Enumerate: true}},
	{name: "all", selected: true, distance: -1, share: 0.05, Direction: search.Direction{Gens: 6, Enumerate: true}},
}

// effort is what an attempt was given: hypotheses and directions. Less of the budget
// with the same is of no use.
type effort struct {
	hyps   string
	induct scheme
	search.Direction
}

func effortOf(r rung, hyps []int) effort {
	var key []byte
	for _, i := range slices.Sorted(slices.Values(hyps)) {
		key = binary.AppendUvarint(key, uint64(i))
	}
	return effort{string(key), r.induct, r.Direction}
}

// neighbourhood measures how far hypotheses are from a start: two formulas are
// neighbours if they share a free identifier.
type neighbourhood struct {
	s     logic.Sequent
	ids   [][]logic.Term // by hypothesis
	goal  []logic.Term
	holds map[logic.Term][]int
}

func newNeighbourhood(s logic.Sequent) *neighbourhood {
	n := &neighbourhood{s: s, goal: s.Bank.FreeIdents(s.Goal), holds: map[logic.Term][]int{}}
	for i, h := range s.Hyps {
		ids := s.Bank.FreeIdents(h)
		n.ids = append(n.ids, ids)
		for _, x := range ids {
			n.holds[x] = append(n.holds[x], i)
		}
	}
	return n
}

// choose returns the hypotheses of a rung, the nearest first.
func (n *neighbourhood) choose(r rung) []int {
	if r.relevant > 0 {
		return n.relevant(r.relevant)
	}
	var out []int
	in := make([]bool, len(n.ids))
	take := func(i int) {
		if !in[i] {
			in[i] = true
			out = append(out, i)
		}
	}
	seen := map[logic.Term]bool{}
	front := append([]logic.Term{}, n.goal...)
	if r.selected {
		for _, i := range n.s.Selected {
			if i >= 0 && i < len(in) {
				take(i)
			}
		}
		for _, i := range out {
			front = append(front, n.ids[i]...)
		}
	}
	for d := 0; d != r.distance && len(front) > 0; d++ {
		var next []logic.Term
		for _, x := range front {
			if seen[x] {
				continue
			}
			seen[x] = true
			for _, i := range n.holds[x] {
				if !in[i] {
					take(i)
					next = append(next, n.ids[i]...)
				}
			}
		}
		front = next
	}
	if r.distance < 0 {
		for i := range n.ids {
			take(i)
		}
	}
	return out
}

// fading is the relevance that a step from formula to formula leaves.
const fading = 0.8

// relevant returns at most max hypotheses, the most relevant to the goal first.
// Identifiers weigh the more the fewer hypotheses mention them; those of the goal are
// relevant, those of a chosen hypothesis are to the degree that it was; and the
// relevance of a hypothesis is the mean of its identifiers', or that of the identifier which it
// defines (after Meng and Paulson,
// "Lightweight relevance filtering for machine-generated resolution problems").
func (n *neighbourhood) relevant(max int) []int {
	degree := map[logic.Term]float64{}
	for _, x := range n.goal {
		degree[x] = 1
	}
	weight := func(x logic.Term) float64 { return 1 + 2/math.Log(1+float64(len(n.holds[x]))) }
	score := func(i int) float64 {
		if x := n.about(i); x != 0 {
			return degree[x]
		}
		var sum, all float64
		for _, x := range n.ids[i] {
			w := weight(x)
			sum += w * degree[x]
			all += w
		}
		if all == 0 {
			return 0
		}
		return sum / all
	}
	var out []int
	in := make([]bool, len(n.ids))
	for len(out) < max {
		best, most := -1, 0.0
		for i := range n.ids {
			if !in[i] {
				if v := score(i); v > most {
					best, most = i, v
				}
			}
		}
		if best < 0 {
			break
		}
		in[best] = true
		out = append(out, best)
		for _, x := range n.ids[best] {
			degree[x] = math.Max(degree[x], fading*most)
		}
	}
	return out
}

// about returns the identifier that hypothesis i defines or gives a type: x if it is x=E,
// x∈E or x⊆E.
func (n *neighbourhood) about(i int) logic.Term {
	b, h := n.s.Bank, n.s.Hyps[i]
	switch b.Op(h) {
	case logic.Eq, logic.In, logic.SubsetEq:
		if x := b.Arg(h, 0); b.Op(x) == logic.Free {
			return x
		}
	}
	return 0
}
