package discharge

import (
	"slices"

	"github.com/gradine/gradine/discharge/hinted"
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
	narrowSteps = 500_000 // for a search with what was chosen
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

// bySelection looks for few hypotheses with which the search succeeds: what is beside the
// point costs it most.
func (x *suggester) bySelection(whole *hinted.Plan) ([]string, bool) {
	c := newChooser(whole.Last.Intro(), whole.Given, func() bool { return x.ctx.Err() != nil })
	for _, list := range append(c.byRelevance(), c.byModels()...) {
		if x.left <= 0 || x.ctx.Err() != nil {
			return nil, false
		}
		if used, ok := x.narrow(list); ok {
			return []string{x.use(x.fewest(used))}, true
		}
	}
	return nil, false
}

// use is the hint that chooses hypotheses.
func (x *suggester) use(list []int) string {
	line := "use"
	for _, i := range list {
		line += " " + hints.Label(x.labels[i])
	}
	return line
}

// narrow searches with hypotheses alone, and returns those that the proof uses.
func (x *suggester) narrow(list []int) ([]int, bool) {
	p := x.plan([]string{x.use(list)})
	if p == nil {
		return nil, false
	}
	x.tried++
	opts := x.opts
	opts.Steps = min(narrowSteps, x.left)
	o, ok := x.p.byPartsOf(x.ctx, p.Root, true, opts)
	if x.left -= o.Steps; !ok {
		return nil, false
	}
	used := slices.DeleteFunc(slices.Clone(list), func(i int) bool { return !slices.Contains(o.Used, i) && !slices.Contains(o.UsedWD, i) })
	slices.Sort(used)
	return used, len(used) > 0
}

// fewest leaves out hypotheses that the search does without.
func (x *suggester) fewest(list []int) []int {
	for i := len(list) - 1; i >= 0 && len(list) > 1 && x.left > 0; i-- {
		if used, ok := x.narrow(slices.Delete(slices.Clone(list), i, i+1)); ok {
			list = used
			i = min(i, len(list))
		}
	}
	return list
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
// before it ends.
func (c *chooser) byModels() (lists [][]int) {
	var chosen []int
	for len(chosen) < maxChosen && !c.stop() {
		s := logic.Sequent{Bank: c.b, Goal: c.n.Goal}
		for _, i := range append(slices.Clone(c.local), chosen...) {
			s.Hyps = append(s.Hyps, c.n.Hyps[i].Term)
		}
		x, _ := refute.FindUntil(s.Bare(), chooseSteps, c.stop)
		if x == nil && len(chosen) > 0 {
			lists = append(lists, slices.Clone(chosen))
		}
		next := c.next(chosen, x)
		if next < 0 {
			break
		}
		chosen = append(chosen, next)
	}
	return lists
}

// next is the hypothesis to be chosen next, -1 if none is left that has to do with the chosen
// ones.
func (c *chooser) next(chosen []int, x *refute.Counterexample) int {
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
		score := c.relevance(i, known)
		if score == 0 {
			continue
		}
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

// relevance is the share of what hypothesis i speaks of that is known, rare identifiers
// counting most.
func (c *chooser) relevance(i int, known map[logic.Term]bool) float64 {
	var common, all float64
	for _, y := range c.ids[i] {
		weight := 1 / float64(c.holders[y])
		if all += weight; known[y] {
			common += weight
		}
	}
	if all == 0 {
		return 0
	}
	return common / all
}

// byRelevance chooses ever more hypotheses, those first that say most of what the goal and the
// ones before speak of.
func (c *chooser) byRelevance() (lists [][]int) {
	var chosen []int
	for _, size := range []int{2, 4, 6, 9, 13, 18, 25} {
		for len(chosen) < size {
			next := c.next(chosen, nil)
			if next < 0 {
				return lists
			}
			chosen = append(chosen, next)
		}
		lists = append(lists, slices.Clone(chosen))
	}
	return lists
}
