package discharge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/refute"
)

// task is a problem that is to be solved.
type task struct {
	*verdict.Problem
	part *derive.Question // what the sequent is, if it is part of another one
}

func newTask(s logic.Sequent) *task { return &task{Problem: verdict.NewProblem(s)} }

// partTask is newTask for a part of another sequent.
func partTask(q *derive.Question) *task {
	return &task{Problem: verdict.NewProblem(q.Sequent), part: q}
}

// discharge finds the verdict of one sequent: by a certificate committed for it; by
// search; or by one committed for another sequent, such as the one that it was before
// a change, for what a search does not find again.
func discharge(ctx context.Context, p *task, sequent logic.Sequent, hints *derive.Node, opts Options) verdict.Outcome {
	if opts.OnlyRefute {
		return p.answer(ctx, sequent, opts)
	}
	if outcome, ok := opts.Committed.Proves(p.Problem, false); ok {
		return outcome
	}
	if outcome, ok := opts.Known.Proves(p.Problem, true); ok {
		return outcome
	}
	found := verdict.Outcome{Verdict: verdict.Open}
	switch {
	case opts.Replay:
	case hints != nil:
		found = p.hinted(ctx, sequent, hints, opts)
	default:
		found = p.answer(ctx, sequent, opts)
	}
	if found.Verdict == verdict.Open {
		if outcome, ok := opts.Committed.Proves(p.Problem, true); ok {
			return outcome
		}
	}
	return found
}

// answer is what a search finds, or what the store and other sources know of it.
func (p *task) answer(ctx context.Context, sequent logic.Sequent, opts Options) verdict.Outcome {
	if opts.Steps == 0 {
		opts.Steps = prover.DefaultSteps
	}
	if opts.Within != nil {
		return p.within(ctx, sequent, opts)
	}
	if opts.Store == nil && len(opts.Sources) == 0 && opts.Found == nil {
		return p.search(ctx, sequent, opts)
	}
	q := p.question(opts)
	for {
		if o, ok := p.known(ctx, sequent, q, opts); ok {
			return o
		}
		o, arrived := p.searchUntil(ctx, sequent, q, opts)
		if arrived && o.Verdict == verdict.Open {
			continue // the search may have been cut short: what has arrived comes first
		}
		// What an interrupted search did not find says nothing, and a defect of the
		// search may be gone next time.
		if a, ok := o.Answer(q); ok && ctx.Err() == nil && o.Uncertified == 0 {
			a.Sign(opts.key())
			opts.found(a)
			if opts.asked != nil && o.Verdict.Holds() {
				b := *a
				b.Question = *opts.asked
				b.Sign(opts.key())
				a = &b
			}
			opts.remember(ctx, a)
		}
		return o
	}
}

// within is answer for a search that ends early. A proof takes the same steps whatever the budget, so that one of a
// whole search counts if it took no more, and one that is found is the answer of a whole search, too.
func (p *task) within(ctx context.Context, sequent logic.Sequent, opts Options) verdict.Outcome {
	whole, part := opts, opts
	whole.Within, part.Within = nil, nil
	if opts.Within.Steps >= opts.Steps && opts.Within.Refute >= opts.RefuteSteps {
		return p.answer(ctx, sequent, whole)
	}
	part.Steps = min(opts.Steps, opts.Within.Steps)
	part.Short, part.RefuteSteps = min(opts.short(), part.Steps), min(opts.RefuteSteps, opts.Within.Refute)
	if opts.Store != nil {
		q := p.question(whole)
		whole.Foreign, whole.Sources, whole.Found = false, nil, nil // steps that were not counted decide nothing
		if o, ok := p.known(ctx, sequent, q, whole); ok && o.Verdict.Holds() && o.Steps <= part.Steps {
			return o
		}
		part.asked = &q
	}
	return p.answer(ctx, sequent, part)
}

// remember puts an answer into the store. What is lost there is searched again.
func (o Options) remember(ctx context.Context, a *answer.Answer) {
	if o.Store == nil {
		return
	}
	if fault := seam.Contain(ctx, seam.StoreWrite, "", func(context.Context) { o.Store.Put(a) }); fault != nil {
		o.lose("what the store is to remember: " + fault.Error())
	}
}

// known returns the first answer of the store and the other sources that counts.
func (p *task) known(ctx context.Context, sequent logic.Sequent, q answer.Digest, opts Options) (o verdict.Outcome, ok bool) {
	take := func(a *answer.Answer) (why answer.Refusal) {
		o, why = p.Accept(sequent, q, a, opts.key())
		if why == "" && o.Uncounted && (!opts.Foreign || p.part != nil) {
			why = answer.Unsigned
		}
		if ok = why == ""; ok {
			opts.found(a)
		}
		return why
	}
	// What is lost of what is known is searched again.
	contained := func(what string, look func()) {
		if fault := seam.Contain(ctx, seam.StoreRead, "", func(context.Context) { look() }); fault != nil {
			ok = false
			opts.lose(what + ": " + fault.Error())
		}
	}
	if opts.Store != nil {
		contained("what the store remembers", func() {
			if a := opts.Store.Answer(q); a != nil {
				take(a)
			}
		})
	}
	for _, s := range opts.Sources {
		if ok {
			break
		}
		contained("what others have found", func() {
			for _, a := range s.Answers(p.asked(q, opts)) {
				why := take(a)
				if ok {
					return
				}
				s.Refused(a, why)
			}
		})
	}
	return o, ok
}

// searchUntil is search, but that it ends when more answers to the question arrive. It begins
// when one of the slots is free.
func (p *task) searchUntil(ctx context.Context, sequent logic.Sequent, q answer.Digest, opts Options) (o verdict.Outcome, arrived bool) {
	until, stop := context.WithCancel(ctx)
	defer stop()
	for _, s := range opts.Sources {
		if more := s.Arrival(p.asked(q, opts)); more != nil {
			go func() {
				select {
				case <-more:
					stop()
				case <-until.Done():
				}
			}()
		}
	}
	if opts.slots != nil {
		began := time.Now()
		free := opts.slots.take(until)
		*opts.waited += time.Since(began)
		if !free {
			return verdict.Outcome{Verdict: verdict.Open}, ctx.Err() == nil
		}
		defer opts.slots.give()
	}
	for _, s := range opts.Sources {
		s.Searching(q)
	}
	o = p.search(until, sequent, opts)
	return o, until.Err() != nil && ctx.Err() == nil
}

// short is what a search spends before it looks for a counterexample.
func (o Options) short() int64 { return cmp.Or(o.Short, max(1, o.Steps/quickShare)) }

// simplifySteps bounds what is spent to make a counterexample simpler.
const simplifySteps = 100_000

// quickShare is the part of the budget that a search spends before it looks for a counterexample.
const quickShare = 20

// search looks for a proof, and, after a short time in vain, for a counterexample before it goes on: most
// obligations are easy, and a long search for a proof of what is false would be in vain.
func (p *task) search(ctx context.Context, sequent logic.Sequent, opts Options) verdict.Outcome {
	var x, guessed *refute.Counterexample
	sought, spent := false, 0
	seek := func() bool {
		sought = true
		x, spent = refute.Search(sequent, refute.Options{Steps: opts.RefuteSteps, Prove: claimProver(ctx), Stop: func() bool { return ctx.Err() != nil }})
		if x == nil {
			guessed = p.guessed(ctx, sequent, opts)
		}
		return x != nil || guessed != nil
	}
	outcome := verdict.Outcome{Verdict: verdict.Open}
	if !opts.OnlyRefute {
		outcome = p.prove(ctx, opts.Steps, opts.short(), seek)
	}
	if outcome.Verdict.Holds() {
		return outcome
	}
	if !sought {
		seek()
	}
	outcome.Steps += int64(spent)
	if x != nil {
		x = refute.Simplify(sequent, x, simplifySteps)
	}
	if x = cmp.Or(x, guessed); x != nil {
		return verdict.Outcome{Verdict: verdict.Refuted, Steps: outcome.Steps, Counterexample: x, Uncertified: outcome.Uncertified}
	}
	return outcome
}

// guessed returns the first guess that is a counterexample, nil if none is.
func (p *task) guessed(ctx context.Context, sequent logic.Sequent, opts Options) *refute.Counterexample {
	if opts.guesses == nil || ctx.Err() != nil {
		return nil
	}
	for _, g := range opts.guesses.Models(ctx) {
		if x := refute.Confirm(sequent, g.Model, g.Claims...); x != nil {
			return x
		}
	}
	return nil
}

// prove runs the prover. What it finds counts once the kernel has accepted the
// text of its certificate, against the hypotheses that it uses alone. The search calls aside after some steps
// and ends if it reports true.
func (p *task) prove(ctx context.Context, steps, after int64, aside func() bool) verdict.Outcome {
	asked := prover.Options{Steps: steps, After: after, Aside: aside, Stop: func() bool { return ctx.Err() != nil }}
	if p.part != nil {
		asked.Undefined = func(i int) bool { return i < 0 || i >= p.part.Granted }
	}
	r := prover.Prove(p.Sequent, asked)
	if r.Proof == nil {
		return verdict.Outcome{Verdict: verdict.Open, End: endOf(r), Steps: r.Steps, Uncertified: r.Uncertified}
	}
	return p.Certify(r.Sequent.Bank, r.Proof, r.Checked, r.Steps)
}

// endOf says how a search without a proof ended.
func endOf(r prover.Result) verdict.End {
	switch {
	case r.Stopped:
		return ""
	case r.Exhausted:
		return verdict.Exhausted
	}
	return verdict.Budget
}

// claimProver looks for certificates of what a counterexample rests on in addition to its evaluation.
func claimProver(ctx context.Context) refute.Prover {
	return func(s logic.Sequent, steps int) ([]byte, int) {
		r := prover.Prove(s, prover.Options{
			Steps: int64(steps), Stop: func() bool { return ctx.Err() != nil },
			Undefined: func(int) bool { return true },
		})
		if r.Proof == nil {
			return nil, int(r.Steps)
		}
		return cert.Encode(r.Sequent.Bank, verdict.OnlyUsed(r.Proof, all(len(s.Hyps)))), int(r.Steps)
	}
}

// all returns 0, …, n-1.
func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// question returns the digest of all that a search for p depends on: its version and
// its settings, and the formulas in their order.
func (p *task) question(opts Options) answer.Digest {
	buf := fmt.Appendf(nil, "search %s\nsteps %d short %d refute %d %t\nselected %d\n", SearchVersion(), opts.Steps, opts.short(), opts.RefuteSteps, opts.OnlyRefute, p.Selected)
	if opts.guesses != nil {
		buf = fmt.Appendf(buf, "guesses %v\n", opts.guesses.On)
	}
	if p.part != nil {
		buf = fmt.Appendf(buf, "part %d\n", p.part.Granted)
	}
	buf = append(slices.Grow(buf, (1+len(p.HypPrints))*len(p.GoalPrint)), p.GoalPrint[:]...)
	for i := range p.HypPrints {
		buf = append(buf, p.HypPrints[i][:]...)
	}
	return sha256.Sum256(buf)
}
