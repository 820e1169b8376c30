package infer

import (
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer/internal/guess"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Rule guesses candidates of one kind.
type Rule = guess.Rule

// Rules returns the rules, in the order in which they guess.
func Rules() []Rule { return guess.Rules() }

// Guess returns the candidates of the rules for m that opts leaves in, each once, and dev
// with a bank that has their terms. What is among the facts of m already is not guessed.
func Guess(ctx context.Context, dev *model.Development, m *model.Machine, opts Options) (*model.Development, []Candidate) {
	return guess.Candidates(ctx, dev, m, guess.Clues{
		Threads: opts.Threads, Samples: opts.samples, Open: opts.open, Only: opts.Only, Without: opts.Without,
	})
}

// Report is what Infer found.
type Report struct {
	Development *model.Development // with the bank of the candidates
	Machine     *model.Machine
	Candidates  []Candidate
	Kept        []Kept
	Killed      []Killed // engines first
	Implied     []Candidate
	Fallen      []string // see Inductive
	Dead        []string
	Rounds      int
	Tried       int
	SetUps      int  // in which the machine ran
	Bounded     bool // the bound on attempts was reached
	Open        []Target
	Before      *model.Predicate // the invariant of the machine that candidates stand before; nil: behind all
	Worth       []int            // the kept candidates worth adding: the fewest that were found to close all that any close
}

// Infer guesses candidates for m, lets the engines refute what they can, and keeps of
// the rest what is inductive and closes an open obligation of m; with opts.All, all that
// is inductive. Where nothing is open, and not all is asked for, nothing is guessed.
func Infer(ctx context.Context, dev *model.Development, m *model.Machine, opts Options) (*Report, error) {
	opts = opts.filled()
	b, err := baselineOf(ctx, dev, m, opts)
	if err != nil {
		return nil, err
	}
	if opts.For != "" {
		if err := b.aim(ctx, dev, m, opts); err != nil {
			return nil, err
		}
	}
	r := &Report{Development: dev, Machine: m, Open: b.open}
	if slices.ContainsFunc(b.open, func(t Target) bool { return t.Reach != nil && t.Reach.Verdict == verdict.Reached }) {
		return r, nil // what is reached, no invariant excludes
	}
	if len(b.open) == 0 && !opts.All {
		return r, nil
	}
	opts.open, opts.ahead = b.lacking(opts), b.first(m)
	r.Before = opts.ahead
	opts.samples = collectSamples(ctx, m, instances(ctx, dev, m, opts))
	r.Development, r.Candidates = Guess(ctx, dev, m, opts)
	at := instances(ctx, r.Development, m, opts)
	for _, group := range at {
		r.SetUps += len(group)
	}
	rest := r.refute(ctx, at, opts)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	h, goals, err := r.keep(ctx, rest, b, opts)
	if err != nil {
		return nil, err
	}
	h.minimise(goals)
	r.note(h, goals)
	return r, context.Cause(ctx)
}

// keep lets Houdini choose among candidates; goals are those of r.Open, as it knows them.
func (r *Report) keep(ctx context.Context, candidates []Candidate, b *baseline, opts Options) (h *houdini, goals []*ask, err error) {
	h, err = newHoudini(ctx, r.Development, r.Machine, candidates, opts)
	if err != nil {
		return nil, nil, err
	}
	h.know(b.found)
	h.deadEvents()
	goals = h.goals(r.Open)
	h.kept = h.parts
	if opts.All {
		h.fixpoint()
		h.unsettled()
		h.prove(slices.DeleteFunc(slices.Clone(goals), h.valid))
	} else {
		h.settle(goals, false)
		h.unsettled()
		h.kept = h.restOn(goals)
	}
	found := h.result()
	r.Implied, r.Fallen, r.Dead, r.Rounds, r.Tried, r.Bounded = found.Implied, found.Fallen, found.Dead, found.Rounds, found.Tried, found.Bounded
	r.Killed = append(r.Killed, found.Killed...)
	r.note(h, goals)
	return h, goals, context.Cause(ctx)
}

// note takes note of what is kept and closed, with the proofs that h has now.
func (r *Report) note(h *houdini, goals []*ask) {
	r.Kept, r.Worth = h.result().Kept, nil
	// A target is named by the kept candidates that its proof rests on: what the proof uses,
	// and what the proofs of these use.
	number := h.numbered()
	for i := range r.Open {
		for _, a := range goals {
			if t := &r.Open[i]; a.Name == t.Name && h.valid(a) {
				t.Closed, t.Certificate, t.Uses = true, a.found.Certificate, nil
				for _, p := range a.uses {
					if p >= h.own {
						t.Uses = append(t.Uses, number[p])
					}
				}
				t.Uses = restOn(r.Kept, t.Uses)
				r.Worth = append(r.Worth, t.Uses...)
			}
		}
	}
	slices.Sort(r.Worth)
	r.Worth = slices.Compact(r.Worth)
}

// refute takes note of what the engines refute, and returns the other candidates.
func (r *Report) refute(ctx context.Context, at [][]*explore.Instance, opts Options) []Candidate {
	fell := map[int]bool{}
	f := &field{r.Development, r.Machine, r.Candidates, at, opts}
	for _, x := range f.refute(ctx) {
		fell[x.candidate] = true
		r.Killed = append(r.Killed, Killed{
			Candidate: r.Candidates[x.candidate], By: x.by, Round: x.pass, Trace: x.trace, Why: x.why, Counterexample: x.at, Obligation: x.asked,
		})
	}
	return subset(r.Candidates, func(i int) bool { return !fell[i] })
}

// subset returns the candidates that with accepts. Their lists of stronger candidates name places in the result, and
// only candidates in it: one that is left out must not be waited for.
func subset(candidates []Candidate, with func(int) bool) []Candidate {
	var out []Candidate
	now := map[int]int{} // candidate: its place in out
	for i, c := range candidates {
		if !with(i) {
			continue
		}
		now[i] = len(out)
		var stronger []int
		for _, j := range c.Stronger {
			if with(j) {
				stronger = append(stronger, now[j])
			}
		}
		c.Stronger = stronger
		out = append(out, c)
	}
	return out
}

// baseline is what is proved of a machine without candidates.
type baseline struct {
	found       map[string]verdict.Outcome // by name of the obligation
	open        []Target
	obligations []*po.Obligation // those that are open
}

func baselineOf(ctx context.Context, dev *model.Development, m *model.Machine, opts Options) (*baseline, error) {
	all, err := po.Generate(dev, model.Component{Machine: m}, po.Options{})
	if err != nil {
		return nil, err
	}
	b := &baseline{found: map[string]verdict.Outcome{}}
	discharge.Run(ctx, len(all), func(i int) logic.Sequent { return all[i].Sequent() }, opts.Proving, func(i int, o verdict.Outcome) {
		b.found[all[i].Name] = o
		if !o.Verdict.Holds() {
			b.open, b.obligations = append(b.open, Target{Name: all[i].Name, Verdict: o.Verdict}), append(b.obligations, all[i])
		}
	})
	return b, context.Cause(ctx)
}

// lacking returns what is open, with the states that refute it.
func (b *baseline) lacking(opts Options) (out []guess.Lack) {
	for _, o := range b.obligations {
		lack := guess.Lack{Obligation: o}
		if found := b.found[o.Name]; found.Verdict == verdict.Refuted {
			state := guess.NewSample()
			for _, x := range opts.lift(o, found).Before {
				state.Set(x.Name, x.Value)
			}
			lack.Refuting = &state
		}
		out = append(out, lack)
	}
	return out
}

// first returns the first invariant of m that is open itself, as a theorem or for want of
// a value: what is to help has to stand before it. It is nil if there is none.
func (b *baseline) first(m *model.Machine) *model.Predicate {
	for _, p := range m.Invariants {
		if slices.ContainsFunc(b.obligations, func(o *po.Obligation) bool { return o.Predicate == p && o.Event == nil }) {
			return p
		}
	}
	return nil
}

// aim leaves the obligation that is asked for alone, and finds out whether the machine gets into
// the state that refutes it.
func (b *baseline) aim(ctx context.Context, dev *model.Development, m *model.Machine, opts Options) error {
	name := opts.For
	found, ok := b.found[name]
	if !ok {
		return fmt.Errorf("%s has no obligation %s; `gradine po` lists them", m.Name, name)
	}
	i := slices.IndexFunc(b.open, func(t Target) bool { return t.Name == name })
	if i < 0 {
		b.open, b.obligations = nil, nil
		return nil
	}
	b.open, b.obligations = b.open[i:i+1], b.obligations[i:i+1]
	if found.Verdict == verdict.Refuted {
		reach := explain.FindReach(ctx, dev, verdict.Result{Obligation: b.obligations[0], Outcome: found})
		if b.open[0].Reach = reach; reach != nil && reach.Fault != "" && opts.Proving.Faulted != nil {
			opts.Proving.Faulted(name + ": whether the machine gets into the state: " + reach.Fault)
		}
	}
	return context.Cause(ctx)
}

// restOn returns the kept candidates in parts, and all that their proofs use.
func restOn(kept []Kept, parts []int) []int {
	seen := map[int]bool{}
	var visit func(int)
	visit = func(i int) {
		if !seen[i] {
			seen[i] = true
			for _, j := range kept[i].Uses {
				visit(j)
			}
		}
	}
	for _, i := range parts {
		visit(i)
	}
	var out []int
	for i := range kept {
		if seen[i] {
			out = append(out, i)
		}
	}
	return out
}

// Added returns the invariants that are worth adding.
func (r *Report) Added() (out []logic.Term) {
	for _, i := range r.Worth {
		out = append(out, r.Kept[i].Term)
	}
	return out
}

// Closes returns the names of the obligations whose proofs rest on kept candidate i.
func (r *Report) Closes(i int) []string {
	out := []string{}
	for _, t := range r.Open {
		if t.Closed && slices.Contains(t.Uses, i) {
			out = append(out, t.Name)
		}
	}
	return out
}
