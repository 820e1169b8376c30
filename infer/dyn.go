package infer

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/parallel"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// DYN runs the machine: breadth-first from the initial states of small set-ups, then
// along random walks. What is false in a state that is reached, or has no value
// there, is not an invariant.

// The bounds of the runs. They count, and never look at a clock: the same candidates
// fall on every machine.
const (
	setUps        = 3         // at most, of those of one size
	setUpTried    = 500_000   // values, to find them
	runStates     = 4_000     // of a search
	runTried      = 1_000_000 // values, in one run
	triedForOne   = 5_000     // values, for each candidate that lives: few cost less to prove than to run for long
	runMemory     = 256 << 20
	walks         = 20
	walkLength    = 100
	firstStates   = 64 // most of what is false is false soon: little is spent on it
	sampledStates = 200
)

// small are the sizes of carrier sets, and the bounds of integers that nothing else
// bounds, that are tried in this order. The bounds begin at different values, for the
// solutions that are found first have all constants at their least.
var small = []struct {
	size   int
	bounds explore.Bounds
}{
	{2, explore.Bounds{Low: 0, High: 3}},
	{3, explore.Bounds{Low: 2, High: 4}},
	{1, explore.Bounds{Low: 1, High: 2}},
	{2, explore.Bounds{Low: 3, High: 6}},
}

// instances finds small set-ups of m: those that opts gives, and some of each of a few
// sizes of carrier sets. It is no error if there are none: then no run refutes. Those of
// one group share memory, and must not run at one time.
func instances(ctx context.Context, dev *model.Development, m *model.Machine, opts Options) [][]*explore.Instance {
	var setups []explore.Setup
	for _, s := range opts.Setups {
		// The terms of a set-up are of another child of the bank; a run has one bank.
		bank := dev.Bank.Extend()
		if s.Bank != nil {
			copied := logic.NewImporter(bank, s.Bank, false)
			s.Given = slices.Clone(s.Given)
			for i, t := range s.Given {
				s.Given[i] = copied.Term(t)
			}
		}
		s.Bank = bank
		setups = append(setups, s)
	}
	for _, x := range small {
		setups = append(setups, explore.Setup{Default: x.size, Bounds: map[string]explore.Bounds{"": x.bounds}})
	}
	var out [][]*explore.Instance
	for _, s := range setups {
		s.MaxTried, s.Choose = setUpTried, discharge.Model
		// The first solutions have the least constants, and little happens with these: of
		// many, some are taken from all over.
		found, _, err := explore.Solve(ctx, dev, m, s, setUps*setUps*setUps)
		if err != nil {
			found, _, err = explore.Solve(ctx, dev, m, s, 1)
		}
		if err != nil || ctx.Err() != nil {
			continue
		}
		var group []*explore.Instance
		n := min(setUps, len(found))
		for i := range n {
			group = append(group, found[i*(len(found)-1)/max(1, n-1)])
		}
		out = append(out, group)
	}
	return out
}

// dyn lets the machine run and returns what fell.
func (f *field) dyn(ctx context.Context, asked []int) []fall {
	found := map[int]fall{}
	rest := func() []int {
		return slices.DeleteFunc(slices.Clone(asked), func(i int) bool { _, ok := found[i]; return ok })
	}
	// Groups of set-ups go in parallel. Of several falls of one candidate that in the first
	// set-up counts, whichever came first.
	number := 0
	pass := func(opt explore.Options) {
		number++
		asked := rest()
		for _, falls := range parallel.InOrder(len(f.at), len(f.at), func(k int) []fall { return runGroup(ctx, f.m, f.candidates, asked, f.at[k], opt) }) {
			for _, x := range falls {
				if _, ok := found[x.candidate]; !ok {
					x.pass = number
					found[x.candidate] = x
				}
			}
		}
	}
	pass(explore.Options{MaxStates: firstStates})
	pass(explore.Options{MaxStates: runStates})
	pass(explore.Options{Order: explore.RandomWalks, Walks: walks, MaxDepth: walkLength, Seed: 1})
	var out []fall
	for _, i := range asked {
		if x, ok := found[i]; ok {
			out = append(out, x)
		}
	}
	return out
}

// runGroup explores set-ups one after the other. What fell in one is not asked again.
func runGroup(ctx context.Context, m *model.Machine, candidates []Candidate, asked []int, group []*explore.Instance, opt explore.Options) []fall {
	var out []fall
	for _, in := range group {
		falls := runOnce(ctx, m, candidates, asked, in, opt)
		asked = slices.DeleteFunc(slices.Clone(asked), func(i int) bool {
			return slices.ContainsFunc(falls, func(f fall) bool { return f.candidate == i })
		})
		out = append(out, falls...)
	}
	return out
}

// runOnce explores one set-up and returns which of the candidates asked about fell.
func runOnce(ctx context.Context, m *model.Machine, candidates []Candidate, asked []int, in *explore.Instance, opt explore.Options) []fall {
	if len(asked) == 0 {
		return nil
	}
	one := *m
	one.Inherited, one.Invariants = nil, nil
	for _, i := range asked {
		one.Invariants = append(one.Invariants, &model.Predicate{Label: labelOf(i), Term: candidates[i].Term})
	}
	opt.NoDeadlock, opt.KeepGoing, opt.MaxMemory, opt.MaxTried = true, true, runMemory, min(runTried, triedForOne*len(asked))
	opt.Refinement = len(vanished(m)) > 0
	r, err := explore.Run(ctx, &one, in, opt)
	if err != nil && opt.Refinement {
		// The abstract machine cannot go along. What speaks of its variables goes unchecked.
		opt.Refinement = false
		r, err = explore.Run(ctx, &one, in, opt)
	}
	if _, fault := errors.AsType[*explore.Fault](err); fault || r == nil {
		return nil
	}
	var out []fall
	for _, f := range r.Findings {
		i, ok := numberOf(f.Label)
		if !ok {
			continue
		}
		x := fall{candidate: i, why: "a run reaches a state where it is false"}
		if f.Kind == explore.NoValueOf {
			x.why = "a run reaches a state where it has no value: " + f.Why
		}
		for _, s := range f.Trace.Steps {
			step := Step{Event: s.Event}
			for _, b := range s.State {
				step.State = append(step.State, verdict.Binding{Name: b.Name, Value: b.Value})
			}
			x.trace = append(x.trace, step)
		}
		out = append(out, x)
	}
	return out
}

// vanished returns the variables of the refined machine that m does not have.
func vanished(m *model.Machine) (out []model.Variable) {
	for _, v := range m.Variables {
		if v.Abstract && !v.Concrete {
			out = append(out, v)
		}
	}
	return out
}

// numberOf is the inverse of labelOf.
func numberOf(label string) (int, bool) {
	if len(label) < 2 || label[0] != '?' {
		return 0, false
	}
	n, err := strconv.Atoi(label[1:])
	return n, err == nil
}
