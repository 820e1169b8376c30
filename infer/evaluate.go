package infer

import (
	"context"
	"slices"
	"time"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer/internal/guess"
	"github.com/gradine/gradine/lang/model"
)

// Subject is a machine that rules and engines are measured on.
type Subject struct {
	Development *model.Development
	Machine     *model.Machine
	Setups      []explore.Setup
}

// Evaluation says how rules and engines did on some machines: what Betts et al. measure.
type Evaluation struct {
	Machines  int
	Lacking   int // machines with an open obligation
	Closed    int // machines with one that all rules together close
	Rules     []RuleScore
	Influence [][]int // by rules: the machines in which the first, left out, costs the second candidates that are kept
	Engines   []EngineScore
	Jaccard   [][]float64     // by engines: of what they killed, the share that both did
	Plain     time.Duration   // Houdini without an engine
	Combined  []time.Duration // by engines: the engine, then Houdini
	Together  time.Duration   // DYN and SBASE at one time, then Houdini
	Slowest   float64         // of all machines the greatest part that Together is of Plain
}

// RuleScore is how one rule did.
type RuleScore struct {
	Rule             string
	Lacking, Content int // machines that it makes candidates for: with open obligations, and without
	Candidates, Kept int
	Essential        int // machines with an obligation that is closed, and not without the rule
}

// HitRate is the share of the candidates that are kept, in percent.
func (s RuleScore) HitRate() int {
	if s.Candidates == 0 {
		return 0
	}
	return 100 * s.Kept / s.Candidates
}

// EngineScore is how one engine did, alone and asked about all candidates.
type EngineScore struct {
	Engine     string
	Candidates int
	Killed     int
	Time       time.Duration
}

// Evaluate measures rules and engines on subjects. Times are the only thing in it that
// is not the same each time.
func Evaluate(ctx context.Context, subjects []Subject, opts Options) (*Evaluation, error) {
	opts = opts.filled()
	opts.All, opts.For, opts.Parallel = true, "", false
	e := &Evaluation{Machines: len(subjects)}
	for _, r := range guess.Rules() {
		e.Rules = append(e.Rules, RuleScore{Rule: r.Name})
		e.Influence = append(e.Influence, make([]int, len(guess.Rules())))
	}
	for _, x := range engines {
		e.Engines = append(e.Engines, EngineScore{Engine: x.Name})
	}
	killed := make([]map[[2]int]bool, len(engines)) // by engine: subject and candidate
	for k := range killed {
		killed[k] = map[[2]int]bool{}
	}
	e.Combined = make([]time.Duration, len(engines))
	for n, s := range subjects {
		opts.Setups = s.Setups
		t, err := newTrial(ctx, s, opts)
		if err != nil {
			return nil, err
		}
		if err := e.measureRules(ctx, t); err != nil {
			return nil, err
		}
		if err := e.engines(ctx, t, n, killed); err != nil {
			return nil, err
		}
	}
	for i := range engines {
		e.Jaccard = append(e.Jaccard, make([]float64, len(engines)))
		for j := range engines {
			e.Jaccard[i][j] = jaccard(killed[i], killed[j])
		}
	}
	return e, nil
}

// jaccard is the share of what either has that both have.
func jaccard(a, b map[[2]int]bool) float64 {
	both := 0
	for x := range a {
		if b[x] {
			both++
		}
	}
	either := len(a) + len(b) - both
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}

// trial is a subject with its candidates.
type trial struct {
	*field
	base *baseline
}

func newTrial(ctx context.Context, s Subject, opts Options) (*trial, error) {
	base, err := baselineOf(ctx, s.Development, s.Machine, opts)
	if err != nil {
		return nil, err
	}
	opts.open, opts.ahead = base.lacking(opts), base.first(s.Machine)
	opts.samples = collectSamples(ctx, s.Machine, instances(ctx, s.Development, s.Machine, opts))
	wider, candidates := Guess(ctx, s.Development, s.Machine, opts)
	return &trial{&field{wider, s.Machine, candidates, instances(ctx, wider, s.Machine, opts), opts}, base}, nil
}

// keeping lets Houdini choose among the candidates that with accepts, and says by rule how
// many are kept, and which obligations they close.
func (t *trial) keeping(ctx context.Context, with func(int) bool) (kept map[string]int, closed map[string]bool, err error) {
	r := &Report{Development: t.dev, Machine: t.m, Candidates: t.candidates, Open: slices.Clone(t.base.open)}
	if _, _, err := r.keep(ctx, subset(t.candidates, with), t.base, t.opts); err != nil {
		return nil, nil, err
	}
	kept, closed = map[string]int{}, map[string]bool{}
	for _, k := range r.Kept {
		kept[k.Rule]++
	}
	for _, x := range r.Open {
		if x.Closed {
			closed[x.Name] = true
		}
	}
	return kept, closed, nil
}

// took is the time that the engines of t and Houdini behind them take.
func (t *trial) took(ctx context.Context) (time.Duration, error) {
	clock := t.clock()
	start := clock()
	fell := map[int]bool{}
	for _, x := range t.refute(ctx) {
		fell[x.candidate] = true
	}
	_, _, err := t.keeping(ctx, func(i int) bool { return !fell[i] })
	return clock() - start, err
}

func (t *trial) clock() func() time.Duration {
	if t.opts.Clock != nil {
		return t.opts.Clock
	}
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

// measureRules counts on trial t what each rule contributes, by leaving out one rule at a time. A candidate that a run
// refutes is refuted whatever the other rules are, so the runs are made once.
func (e *Evaluation) measureRules(ctx context.Context, t *trial) error {
	fell := map[int]bool{}
	all := make([]int, len(t.candidates))
	for i := range all {
		all[i] = i
	}
	for _, x := range t.dyn(ctx, all) {
		fell[x.candidate] = true
	}
	kept, closed, err := t.keeping(ctx, func(i int) bool { return !fell[i] })
	if err != nil {
		return err
	}
	if len(t.base.open) > 0 {
		e.Lacking++
	}
	if len(closed) > 0 {
		e.Closed++
	}
	made := map[string]int{}
	for _, c := range t.candidates {
		made[c.Rule]++
	}
	for i := range e.Rules {
		s := &e.Rules[i]
		if made[s.Rule] == 0 {
			continue
		}
		s.Candidates += made[s.Rule]
		s.Kept += kept[s.Rule]
		if len(t.base.open) > 0 {
			s.Lacking++
		} else {
			s.Content++
		}
		if kept[s.Rule] == 0 {
			continue // without what is not kept, nothing changes
		}
		// A rule is essential if something closed stays open without its candidates, and has
		// influence on the rules that lose kept ones.
		without, fewer, err := t.keeping(ctx, func(k int) bool { return !fell[k] && t.candidates[k].Rule != s.Rule })
		if err != nil {
			return err
		}
		if len(fewer) < len(closed) {
			s.Essential++
		}
		for j, other := range e.Rules {
			if j != i && without[other.Rule] < kept[other.Rule] {
				e.Influence[i][j]++
			}
		}
	}
	return nil
}

// engines measures the engines on t, which is subject n.
func (e *Evaluation) engines(ctx context.Context, t *trial, n int, killed []map[[2]int]bool) error {
	all := make([]int, len(t.candidates))
	for i := range all {
		all[i] = i
	}
	clock := t.clock()
	timed := func(with func(int) bool) (time.Duration, error) {
		start := clock()
		_, _, err := t.keeping(ctx, with)
		return clock() - start, err
	}
	// Guessing is the same for all, so that times begin behind it.
	plain, err := timed(func(int) bool { return true })
	if err != nil {
		return err
	}
	e.Plain += plain
	for k, x := range engines {
		start := clock()
		falls := x.refute(ctx, t.field, all)
		took, fell := clock()-start, map[int]bool{}
		for _, f := range falls {
			fell[f.candidate] = true
			killed[k][[2]int{n, f.candidate}] = true
		}
		e.Engines[k].Candidates += len(all)
		e.Engines[k].Killed += len(falls)
		e.Engines[k].Time += took
		rest, err := timed(func(i int) bool { return !fell[i] })
		if err != nil {
			return err
		}
		e.Combined[k] += took + rest
	}
	both := *t
	both.opts.Engines, both.opts.Parallel = []string{DYN, SBASE}, true
	together, err := both.took(ctx)
	e.Together += together
	e.Slowest = max(e.Slowest, float64(together)/float64(max(1, plain)))
	return err
}
