package tune

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/explore/simulate"
)

// RegretBy says what of the regrets at several instances is to be least. The regret of a configuration at an instance
// is its value divided by the best value there; 1 is the optimum.
type RegretBy string

// The ways.
const (
	WorstRegret RegretBy = "worst"
	MeanRegret  RegretBy = "mean"
)

// Common are configurations that serve several instances together.
type Common struct {
	By     RegretBy
	Names  []string // of the parameters
	Chosen [][]simulate.Constant
	Serves []int      // for each instance, the index of the one in Chosen that is best there
	Regret []*big.Rat // of that, for each instance
	Worst  *big.Rat
	Mean   *big.Rat
	Rivals int // choices of configurations that are as good, this one included; 0: they were not counted
	Of     int // configurations that are valid at some instance
}

// candidate is a configuration with its regret at each instance, nil where it is invalid.
type candidate struct {
	values []simulate.Constant
	regret []*big.Rat
}

// maxChoices bounds how many sets of configurations are looked at.
const maxChoices = 5_000_000

// OneForAll finds k configurations such that the worst regret over all instances, or the mean, is least, where each
// instance takes the best of the k. The answers are complete, have one objective, and have the value of every point:
// no other k configurations are better, as far as the values are right. The error says what is missing.
func OneForAll(ctx context.Context, answers []*Answer, k int, by RegretBy) (*Common, error) {
	if len(answers) == 0 || k < 1 {
		return nil, errors.New("nothing to choose: there is no instance, or no configuration is wanted")
	}
	all, err := candidates(answers)
	if err != nil {
		return nil, err
	}
	// A candidate that another one dominates in every instance can be left out of the search, but not of the count of rivals: it may
	// be as good.
	out := &Common{By: by, Names: answers[0].Names, Of: len(all)}
	s := &choice{ctx: ctx, all: undominated(all), by: by, size: k, instances: len(answers)}
	s.search(0, nil, make([]*big.Rat, len(answers)))
	switch {
	case s.err != nil:
		return nil, s.err
	case s.best == nil && k == 1:
		return nil, errors.New("no configuration is valid for all instances: ask for more than one")
	case s.best == nil:
		return nil, fmt.Errorf("no %d configurations are valid for all instances together: ask for more", k)
	}
	for _, i := range s.best {
		out.Chosen = append(out.Chosen, s.all[i].values)
	}
	out.serve(s)
	if k == 1 {
		for _, c := range all {
			if worth := s.worth(c.regret); worth != nil && worth.Cmp(s.least) == 0 {
				out.Rivals++
			}
		}
	}
	return out, nil
}

// serve says which of the chosen ones serves which instance.
func (c *Common) serve(s *choice) {
	c.Worst, c.Mean = new(big.Rat), new(big.Rat)
	for i := range s.instances {
		least := -1
		for n, j := range s.best {
			if r := s.all[j].regret[i]; r != nil && (least < 0 || r.Cmp(s.all[s.best[least]].regret[i]) < 0) {
				least = n
			}
		}
		regret := s.all[s.best[least]].regret[i]
		c.Serves, c.Regret = append(c.Serves, least), append(c.Regret, regret)
		if regret.Cmp(c.Worst) > 0 {
			c.Worst = regret
		}
		c.Mean.Add(c.Mean, regret)
	}
	c.Mean.Quo(c.Mean, new(big.Rat).SetInt64(int64(s.instances)))
}

// candidates are the configurations of all instances, in the order in which they are met.
func candidates(answers []*Answer) ([]candidate, error) {
	var all []candidate
	index := map[string]int{}
	for i, a := range answers {
		switch {
		case len(a.Objectives) != 1:
			return nil, errors.New("regrets are of one objective, and there are several")
		case !a.Complete:
			return nil, errors.New("an answer is bounded, so that its best value is not known: raise the bound")
		case len(a.Best) == 0:
			return nil, errors.New("an instance has no valid point")
		case a.Sample:
			return nil, errors.New("the points are a sample, and nothing is known about other points")
		case !slices.Equal(a.Names, answers[0].Names):
			return nil, errors.New("the instances have different parameters")
		}
		best := a.Worth(&a.Points[a.Best[0]], 0)
		if best.Sign() <= 0 {
			return nil, fmt.Errorf("the best value is %s, and regrets are of positive values", best)
		}
		for n := range a.Points {
			p := &a.Points[n]
			if p.Illegal != "" {
				continue
			}
			valued := p
			if p.SameAs >= 0 && !p.Known() {
				valued = &a.Points[p.SameAs]
			}
			if !valued.Known() {
				return nil, fmt.Errorf("the value of %s is not known, only that it is not best", p.key())
			}
			regret := new(big.Rat).SetFrac(a.Worth(valued, 0), best)
			if a.Objectives[0].Maximise {
				regret.Inv(regret)
			}
			key := p.key()
			k, met := index[key]
			if !met {
				k = len(all)
				index[key] = k
				all = append(all, candidate{p.Values, make([]*big.Rat, len(answers))})
			}
			// Constants that are not shown may tell points apart: the best of them counts.
			if old := all[k].regret[i]; old == nil || regret.Cmp(old) < 0 {
				all[k].regret[i] = regret
			}
		}
	}
	return all, nil
}

// undominated leaves out configurations that another one, met earlier or better somewhere, is nowhere worse than.
func undominated(all []candidate) (out []candidate) {
	// Thousands of configurations are compared with each other: by places in the order of each instance.
	place := make([][]int, len(all))
	for i := range all[0].regret {
		order := make([]int, len(all))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return compare(all[a].regret[i], all[b].regret[i]) })
		at := 0
		for n, k := range order {
			if n > 0 && compare(all[order[n-1]].regret[i], all[k].regret[i]) != 0 {
				at = n
			}
			place[k] = append(place[k], at)
		}
	}
	for i, c := range all {
		if !dominated(place, i) {
			out = append(out, c)
		}
	}
	return out
}

// compare orders regrets, invalid configurations last.
func compare(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Cmp(b)
}

// dominated reports whether another configuration is nowhere placed behind i, and before it somewhere or met earlier.
func dominated(place [][]int, i int) bool {
	for j := range place {
		if j == i {
			continue
		}
		never, somewhere := true, j < i
		for k, at := range place[j] {
			if at > place[i][k] {
				never = false
				break
			}
			somewhere = somewhere || at < place[i][k]
		}
		if never && somewhere {
			return true
		}
	}
	return false
}

// choice is a search in the sets of configurations, depth first.
type choice struct {
	ctx       context.Context
	all       []candidate
	by        RegretBy
	size      int
	instances int

	least  *big.Rat
	best   []int
	looked int
	err    error
}

// worth is what counts of the regrets of a set, nil if an instance has none.
func (s *choice) worth(regrets []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, r := range regrets {
		switch {
		case r == nil:
			return nil
		case s.by == MeanRegret:
			sum.Add(sum, r)
		case r.Cmp(sum) > 0:
			sum.Set(r)
		}
	}
	return sum
}

// together are the regrets of a set and one more.
func together(a, b []*big.Rat) []*big.Rat {
	out := slices.Clone(a)
	for i, r := range b {
		if out[i] == nil || r != nil && r.Cmp(out[i]) < 0 {
			out[i] = r
		}
	}
	return out
}

// search completes a set, of which the next one has an index of at least from.
func (s *choice) search(from int, taken []int, regrets []*big.Rat) {
	if len(taken) > 0 {
		if worth := s.worth(regrets); worth != nil && (s.least == nil || worth.Cmp(s.least) < 0) {
			s.least, s.best = worth, slices.Clone(taken)
		}
	}
	if len(taken) == s.size {
		return
	}
	// No set is better than all that are left together.
	if s.least != nil {
		ideal := regrets
		for _, c := range s.all[from:] {
			ideal = together(ideal, c.regret)
		}
		if worth := s.worth(ideal); worth == nil || worth.Cmp(s.least) >= 0 {
			return
		}
	}
	for i := from; i < len(s.all) && s.err == nil; i++ {
		if s.looked++; s.looked > maxChoices {
			s.err = errors.New("too many sets of configurations: ask for fewer, or narrow the search")
			return
		}
		if s.looked%1024 == 0 && s.ctx.Err() != nil {
			s.err = context.Cause(s.ctx)
			return
		}
		s.search(i+1, append(slices.Clone(taken), i), together(regrets, s.all[i].regret))
	}
}
