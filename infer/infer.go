package infer

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Report is what Infer found.
type Report struct {
	Development *model.Development // with the bank of the candidates
	Machine     *model.Machine
	Candidates  []Candidate
	Kept        []Kept
	Killed      []Killed // engines first
	Fallen      []string // see Inductive
	Dead        []string
	Rounds      int
	Tried       int
	SetUps      int // in which the machine ran
	Open        []Target
	Worth       []int // the kept candidates worth adding: the fewest that were found to close all that any close
}

// Target is an obligation of the machine that is not proved without candidates.
type Target struct {
	Name        string
	Verdict     discharge.Verdict // without candidates
	Closed      bool              // it is proved with those that are kept
	Certificate string            // of the proof with those that are worth adding
	Uses        []int             // kept candidates that the proof rests on, with those that these rest on
}

// Infer guesses candidates for m, lets the engines refute what they can, keeps the
// largest subset of the rest that is inductive, and says which obligations of m it closes.
func Infer(ctx context.Context, dev *model.Development, m *model.Machine, opts Options) (*Report, error) {
	opts = opts.filled()
	open, err := targets(ctx, dev, m, opts)
	if err != nil {
		return nil, err
	}
	wider, candidates := Guess(dev, m, opts)
	at := instances(ctx, wider, m, opts)
	r := &Report{Development: wider, Machine: m, Candidates: candidates, SetUps: len(at), Open: open}
	rest := r.refute(ctx, at, opts)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	found, err := Check(ctx, wider, m, rest, opts)
	if err != nil {
		return nil, err
	}
	r.Kept, r.Fallen, r.Dead, r.Rounds, r.Tried = found.Kept, found.Fallen, found.Dead, found.Rounds, found.Tried
	r.Killed = append(r.Killed, found.Killed...)
	if err := r.close(ctx, opts); err != nil {
		return nil, err
	}
	return r, r.minimise(ctx, opts)
}

// filled returns opts with its defaults.
func (opts Options) filled() Options {
	if opts.Proving.Steps == 0 {
		opts.Proving.Steps = DefaultSteps
	}
	if opts.Proving.RefuteSteps == 0 {
		opts.Proving.RefuteSteps = refuteSteps
	}
	return opts
}

// refute takes note of what the engines refute, and returns the other candidates.
func (r *Report) refute(ctx context.Context, at []*explore.Instance, opts Options) []Candidate {
	fell := map[int]bool{}
	for _, f := range dyn(ctx, r.Machine, r.Candidates, at) {
		fell[f.candidate] = true
		r.Killed = append(r.Killed, Killed{Candidate: r.Candidates[f.candidate], By: DYN, Round: f.pass, Trace: f.trace, Why: f.why})
	}
	var rest []Candidate
	for i, c := range r.Candidates {
		if !fell[i] {
			rest = append(rest, c)
		}
	}
	return rest
}

// targets returns the obligations of m that are not proved.
func targets(ctx context.Context, dev *model.Development, m *model.Machine, opts Options) ([]Target, error) {
	all, err := po.Generate(dev, model.Component{Machine: m}, po.Options{})
	if err != nil {
		return nil, err
	}
	var out []Target
	discharge.Run(ctx, len(all), func(i int) logic.Sequent { return all[i].Sequent() }, opts.Proving, func(i int, o discharge.Outcome) {
		if !o.Verdict.Holds() {
			out = append(out, Target{Name: all[i].Name, Verdict: o.Verdict})
		}
	})
	return out, context.Cause(ctx)
}

// close finds out which targets are proved with what is kept.
func (r *Report) close(ctx context.Context, opts Options) error {
	uses, err := closing(ctx, r.Development, r.Machine, r.Kept, r.Open, opts)
	if err != nil {
		return err
	}
	for i := range r.Open {
		if u, ok := uses[r.Open[i].Name]; ok {
			r.Open[i].Closed, r.Open[i].Uses, r.Open[i].Certificate = true, u.parts, u.certificate
		}
	}
	return nil
}

// closure is a proof of a target: its certificate, and the kept candidates that it rests on.
type closure struct {
	certificate string
	parts       []int
}

// closing proves targets with kept candidates, and returns by name those that it proves.
func closing(ctx context.Context, dev *model.Development, m *model.Machine, kept []Kept, open []Target, opts Options) (map[string]closure, error) {
	out := map[string]closure{}
	if len(kept) == 0 || len(open) == 0 {
		return out, nil
	}
	candidates := make([]Candidate, len(kept))
	for i, k := range kept {
		candidates[i] = k.Candidate
	}
	h, err := newHoudini(ctx, dev, m, candidates, opts)
	if err != nil {
		return nil, err
	}
	var asks []*ask
	for _, o := range h.all {
		wanted := slices.ContainsFunc(open, func(t Target) bool { return t.Name == o.Name })
		if wanted && !slices.ContainsFunc(asks, func(a *ask) bool { return a.Name == o.Name }) {
			asks = append(asks, &ask{Obligation: o})
		}
	}
	h.run(asks, h.opts.Proving, func(*ask, int) bool { return true })
	for _, a := range asks {
		if !a.found.Verdict.Holds() {
			continue
		}
		x := closure{certificate: a.found.Certificate}
		for _, p := range a.uses {
			if p >= h.own {
				x.parts = append(x.parts, p-h.own)
			}
		}
		x.parts = restOn(kept, x.parts)
		out[a.Name] = x
	}
	return out, context.Cause(ctx)
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

// mostMinimised bounds how many candidates are worth the proofs that minimising takes.
const mostMinimised = 24

// minimise looks for fewer candidates that close all that is closed: it leaves out one
// after the other, the last ones first, as long as the rest is inductive and closes as
// much.
func (r *Report) minimise(ctx context.Context, opts Options) error {
	var closed []Target
	for _, t := range r.Open {
		if t.Closed {
			closed = append(closed, t)
			r.Worth = append(r.Worth, t.Uses...)
		}
	}
	slices.Sort(r.Worth)
	r.Worth = slices.Compact(r.Worth)
	if len(r.Worth) > mostMinimised {
		return nil
	}
	for k := len(r.Worth) - 1; k >= 0 && len(r.Worth) > 1; k-- {
		fewer := slices.Delete(slices.Clone(r.Worth), k, k+1)
		var rest []Candidate
		for _, i := range fewer {
			rest = append(rest, r.Kept[i].Candidate)
		}
		found, err := Check(ctx, r.Development, r.Machine, rest, opts)
		if err != nil {
			return err
		}
		if len(found.Kept) < len(rest) {
			continue // the others need it
		}
		uses, err := closing(ctx, r.Development, r.Machine, found.Kept, closed, opts)
		if err != nil {
			return err
		}
		if len(uses) < len(closed) {
			continue
		}
		r.Worth = fewer
		for i := range r.Open {
			if u, ok := uses[r.Open[i].Name]; ok {
				r.Open[i].Certificate, r.Open[i].Uses = u.certificate, nil
				for _, p := range u.parts {
					r.Open[i].Uses = append(r.Open[i].Uses, fewer[p])
				}
			}
		}
	}
	return nil
}
