package explain

import (
	"math"
	"slices"

	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/refute"
)

// Bounds on the choice of hypotheses by counterexamples.
const (
	maxChosen   = 14
	chooseSteps = 150_000 // for one counterexample
	judgeSteps  = 20_000  // for one hypothesis in it
)

// chooser chooses hypotheses for a node.
type chooser struct {
	b       *logic.Bank
	n       *derive.Node
	named   []int // hypotheses that a label names
	local   []int // those that hints and premises of the goal add: these are always there
	ids     map[int][]logic.Term
	holders map[logic.Term]int // how many hypotheses speak of an identifier
	stop    func() bool
}

// use is the hint that chooses hypotheses.
func (c *chooser) use(list []int) string {
	line := "use"
	for _, i := range slices.Sorted(slices.Values(list)) {
		line += " " + hints.Label(c.n.Hyps[i].Label)
	}
	return line
}

func newChooser(n *derive.Node, given int, stop func() bool) *chooser {
	c := &chooser{b: n.Bank(), n: n, ids: map[int][]logic.Term{}, holders: map[logic.Term]int{}, stop: stop}
	for i, h := range n.Hyps {
		switch {
		case i >= given:
			c.local = append(c.local, i)
		case h.Label != "" && n.Labelled(h.Label) == i:
			c.named = append(c.named, i)
		}
		c.ids[i] = c.b.FreeIdents(h.Term)
		for _, x := range c.ids[i] {
			c.holders[x]++
		}
	}
	return c
}

// byModels chooses hypotheses one by one: while there is a counterexample to what is chosen,
// one that is false in it, or says more of what is chosen so far than others. What has no
// small counterexample any more is worth a search; each of the lists goes on where the one
// before it ends. What that costs is taken from left.
func (c *chooser) byModels(left *int64) (lists [][]int) {
	var chosen []int
	for len(chosen) < maxChosen && *left > 0 && !c.stop() {
		s := logic.Sequent{Bank: c.b, Goal: c.n.Goal}
		for _, i := range append(slices.Clone(c.local), chosen...) {
			s.Hyps = append(s.Hyps, c.n.Hyps[i].Term)
		}
		x, spent := refute.Search(s.Bare(), refute.Options{Steps: chooseSteps, Stop: c.stop})
		*left -= int64(spent)
		if x == nil && len(chosen) > 0 {
			lists = append(lists, slices.Clone(chosen))
		}
		next := c.next(chosen, x, false)
		if next < 0 {
			break
		}
		chosen = append(chosen, next)
	}
	return lists
}

// next is the hypothesis to be chosen next, -1 if none is left that has to do with the chosen
// ones.
func (c *chooser) next(chosen []int, x *refute.Counterexample, wide bool) int {
	known := map[logic.Term]bool{}
	for _, y := range c.b.FreeIdents(c.n.Goal) {
		known[y] = true
	}
	for _, i := range append(slices.Clone(c.local), chosen...) {
		for _, y := range c.ids[i] {
			known[y] = true
		}
	}
	best, most := -1, 0.0
	for _, i := range c.named {
		if slices.Contains(chosen, i) {
			continue
		}
		score := c.relevance(i, known, wide)
		if score == 0 {
			continue
		}
		// What is true in the counterexample does not exclude it; what is false there does.
		if x != nil {
			switch eval.New(c.b, x.Model, judgeSteps).Pred(c.b.Bare(c.n.Hyps[i].Term)) {
			case eval.False:
				score += 2
			case eval.True:
				continue
			}
		}
		if score > most {
			best, most = i, score
		}
	}
	return best
}

// relevance says how much of what hypothesis i speaks of is known, rare identifiers counting
// most: as a share of it, or with wide less so, in favour of what says much else.
func (c *chooser) relevance(i int, known map[logic.Term]bool, wide bool) float64 {
	var common, all float64
	for _, y := range c.ids[i] {
		weight := 1 / float64(c.holders[y])
		if all += weight; known[y] {
			common += weight
		}
	}
	switch {
	case all == 0:
		return 0
	case wide:
		return common / math.Sqrt(all)
	}
	return common / all
}

// byRelevance chooses the hypotheses about the identifiers of the goal; then ever more, those
// first that say most of what the goal and the ones before speak of, in either sense of relevance.
func (c *chooser) byRelevance(sizes ...int) (lists [][]int) {
	var narrow, wide []int
	if subjects := c.subjects(); len(subjects) > 0 {
		lists = append(lists, subjects)
	}
	for _, size := range sizes {
		narrow, wide = c.grown(narrow, size, false), c.grown(wide, size, true)
		lists = append(lists, slices.Clone(narrow), slices.Clone(wide))
	}
	// A project may have less to choose from than there are sizes.
	return slices.CompactFunc(lists, slices.Equal)
}

// subjects are the hypotheses that say where identifiers of the goal lie, and what they are.
func (c *chooser) subjects() (list []int) {
	ids := c.b.FreeIdents(c.n.Goal)
	for _, i := range c.named {
		about := c.b.Args(c.n.Hyps[i].Term)
		switch c.b.Op(c.n.Hyps[i].Term) {
		case logic.In, logic.Eq, logic.SubsetEq:
			about = about[:1]
		case logic.Partition:
		default:
			continue
		}
		if len(list) < maxChosen && slices.ContainsFunc(ids, func(x logic.Term) bool {
			return slices.ContainsFunc(about, func(t logic.Term) bool { return c.names(t, x) })
		}) {
			list = append(list, i)
		}
	}
	return list
}

// names reports whether t is x, or {x}.
func (c *chooser) names(t, x logic.Term) bool {
	return t == x || c.b.Op(t) == logic.SetExt && slices.Contains(c.b.Args(t), x)
}

func (c *chooser) grown(chosen []int, size int, wide bool) []int {
	for len(chosen) < size {
		next := c.next(chosen, nil, wide)
		if next < 0 {
			break
		}
		chosen = append(chosen, next)
	}
	return chosen
}
