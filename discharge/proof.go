package discharge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/refute"
)

// problem is one sequent with its fingerprints.
type problem struct {
	logic.Sequent
	goal text.Fingerprint
	fps  []text.Fingerprint // of the hypotheses, by index
	part *derive.Question   // what the sequent is, if it is part of another one

	prints *text.Fingerprinter
}

// all is the fingerprint of the whole sequent.
func (p *problem) all() text.Fingerprint { return p.prints.Sequent(p.Sequent) }

func newProblem(sequent logic.Sequent) *problem {
	return problemOf(sequent, &text.BankFingerprinter{})
}

// problemOf is newProblem with the fingerprints that prints remembers: the hypotheses of
// the obligations of one component are mostly the same.
func problemOf(sequent logic.Sequent, prints *text.BankFingerprinter) *problem {
	f := prints.Of(sequent.Bank)
	p := &problem{Sequent: sequent, goal: f.Term(sequent.Goal), fps: make([]text.Fingerprint, len(sequent.Hyps)), prints: f}
	for i, hypothesis := range sequent.Hyps {
		p.fps[i] = f.Term(hypothesis)
	}
	return p
}

// discharge finds the verdict of one sequent: by a certificate committed for it; by
// search; or by one committed for another sequent, such as the one that it was before
// a change, for what a search does not find again.
func discharge(ctx context.Context, sequent logic.Sequent, prints *text.BankFingerprinter, hints *derive.Node, opts Options) Outcome {
	p := problemOf(sequent, prints)
	if opts.OnlyRefute {
		return p.answer(ctx, sequent, opts)
	}
	if outcome, ok := opts.Committed.proves(p, false); ok {
		return outcome
	}
	if outcome, ok := opts.Known.proves(p, true); ok {
		return outcome
	}
	found := Outcome{Verdict: Open}
	switch {
	case opts.Replay:
	case hints != nil:
		found = p.hinted(ctx, sequent, hints, opts)
	default:
		found = p.answer(ctx, sequent, opts)
	}
	if found.Verdict == Open {
		if outcome, ok := opts.Committed.proves(p, true); ok {
			return outcome
		}
	}
	return found
}

// answer is what a search finds, or what the store and other sources know of it.
func (p *problem) answer(ctx context.Context, sequent logic.Sequent, opts Options) Outcome {
	if opts.Steps == 0 {
		opts.Steps = prover.DefaultSteps
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
		if arrived && o.Verdict == Open {
			continue // the search may have been cut short: what has arrived comes first
		}
		// What an interrupted search did not find says nothing, and a defect of the
		// search may be gone next time.
		if a, ok := o.answer(q); ok && ctx.Err() == nil && o.Uncertified == 0 {
			a.Sign(opts.key())
			opts.remember(ctx, a)
			opts.found(a)
		}
		return o
	}
}

// remember puts an answer into the store. What is lost there is searched again.
func (o Options) remember(ctx context.Context, a *answer.Answer) {
	if o.Store == nil {
		return
	}
	if fault := seam.Contain(ctx, seam.StoreWrite, "", func(context.Context) { o.Store.put(a) }); fault != nil {
		o.lose("what the store is to remember: " + fault.Error())
	}
}

// known returns the first answer of the store and the other sources that counts.
func (p *problem) known(ctx context.Context, sequent logic.Sequent, q answer.Digest, opts Options) (o Outcome, ok bool) {
	take := func(a *answer.Answer) (why answer.Refusal) {
		o, why = p.accept(sequent, q, a, opts.key())
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
			if a := opts.Store.answer(q); a != nil {
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

// searchUntil is search, but that it ends when more answers to the question arrive.
func (p *problem) searchUntil(ctx context.Context, sequent logic.Sequent, q answer.Digest, opts Options) (o Outcome, arrived bool) {
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
func (p *problem) search(ctx context.Context, sequent logic.Sequent, opts Options) Outcome {
	var x *refute.Counterexample
	sought, spent := false, 0
	seek := func() bool {
		sought = true
		x, spent = refute.Search(sequent, refute.Options{Steps: opts.RefuteSteps, Prove: claimProver(ctx), Stop: func() bool { return ctx.Err() != nil }})
		return x != nil
	}
	outcome := Outcome{Verdict: Open}
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
		return Outcome{Verdict: Refuted, Steps: outcome.Steps, Counterexample: x, Uncertified: outcome.Uncertified}
	}
	return outcome
}

// replay checks a certificate: its core must be among the hypotheses, and the
// kernel must accept it.
func (p *problem) replay(c *certificate) (Outcome, bool) {
	proof, err := p.open(c)
	if err != nil {
		return Outcome{}, false
	}
	res, err := kernel.Check(proof.Core, proof.Proof)
	if err != nil {
		return Outcome{}, false
	}
	outcome := Outcome{Verdict: Proved, Steps: c.steps, Certificate: c.name(), Rests: res, proof: c}
	if res.Vacuous() {
		outcome.Verdict = Vacuous
	}
	for _, i := range res.Hyps {
		outcome.Used = append(outcome.Used, proof.Hyps[i])
	}
	for _, i := range res.WDs {
		outcome.UsedWD = append(outcome.UsedWD, proof.Hyps[i])
	}
	slices.Sort(outcome.Used)
	slices.Sort(outcome.UsedWD)
	return outcome, true
}

// prove runs the prover. What it finds counts once the kernel has accepted the
// text of its certificate, against the hypotheses that it uses alone. The search calls aside after some steps
// and ends if it reports true.
func (p *problem) prove(ctx context.Context, steps, after int64, aside func() bool) Outcome {
	asked := prover.Options{Steps: steps, After: after, Aside: aside, Stop: func() bool { return ctx.Err() != nil }}
	if p.part != nil {
		asked.Undefined = func(i int) bool { return i < 0 || i >= p.part.Granted }
	}
	r := prover.Prove(p.Sequent, asked)
	if r.Proof == nil {
		return Outcome{Verdict: Open, Steps: r.Steps, Uncertified: r.Uncertified}
	}
	return p.certify(r.Sequent.Bank, r.Proof, r.Checked, r.Steps)
}

// certify writes the certificate of a proof with terms of bank b, which counts once the
// kernel has accepted its text.
func (p *problem) certify(b *logic.Bank, proof *kernel.Proof, checked kernel.Result, steps int64) Outcome {
	used := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(checked.Hyps), checked.WDs...))))
	c := &certificate{goal: p.goal, steps: steps}
	for _, i := range used {
		c.hyps = append(c.hyps, p.fps[i])
	}
	c.text = cert.Encode(b, onlyUsed(proof, used))
	outcome, ok := p.replay(c)
	if !ok {
		return Outcome{Verdict: Open, Steps: steps, Uncertified: 1}
	}
	return outcome
}

// onlyUsed returns the part of a proof that leads to its end, with hypotheses
// numbered by their place in used.
func onlyUsed(proof *kernel.Proof, used []int) *kernel.Proof {
	// Steps refer to earlier ones only, so one pass from the end finds all that matter.
	needed := make([]bool, len(proof.Steps))
	needed[len(needed)-1] = true
	for i := len(proof.Steps) - 1; i >= 0; i-- {
		if needed[i] {
			for _, j := range proof.Steps[i].From {
				needed[j] = true
			}
		}
	}
	out := &kernel.Proof{}
	number := make([]int, len(proof.Steps))
	for i, step := range proof.Steps {
		if !needed[i] {
			continue
		}
		if step.Kind == kernel.Hyp || step.Kind == kernel.WD {
			at, ok := slices.BinarySearch(used, step.Index)
			if !ok {
				panic("discharge: proof uses a hypothesis that the kernel did not see")
			}
			step.Index = at
		}
		step.From = slices.Clone(step.From)
		for k, j := range step.From {
			step.From[k] = number[j]
		}
		number[i] = out.Add(step)
	}
	return out
}

// answer is o as the answer to question q, for stores and whoever else has asked.
func (o Outcome) answer(q answer.Digest) (*answer.Answer, bool) {
	a := &answer.Answer{Question: q, Verdict: string(o.Verdict), Steps: o.Steps}
	switch {
	case o.proof != nil:
		a.Core, a.Certificate = o.proof.hyps, o.proof.text
	case o.Verdict == Refuted:
		text, err := encodeCounterexample(o.Counterexample)
		if err != nil {
			return nil, false
		}
		a.Counterexample = text
	}
	return a, true
}

// accept checks an answer to question q, which p asks, from wherever it comes. What it claims is
// found out again: a proof by the kernel, a counterexample by evaluator and kernel. What nobody can
// check counts only if the answer is signed with key: that nothing was found, and the number of
// steps. Without that, the outcome is uncounted.
func (p *problem) accept(original logic.Sequent, q answer.Digest, a *answer.Answer, key *answer.Key) (Outcome, answer.Refusal) {
	if a.Question != q {
		return Outcome{}, answer.False
	}
	signed, steps := a.Signed(key), a.Steps
	if !signed {
		steps = 0
	}
	outcome := Outcome{Verdict: Verdict(a.Verdict)}
	ok := false
	switch outcome.Verdict {
	case Open:
		if !signed {
			return Outcome{}, answer.Unsigned
		}
		ok = true
	case Refuted:
		ok = p.confirm(original, a.Counterexample, &outcome)
	case Proved, Vacuous:
		claimed := outcome.Verdict
		outcome, ok = p.replay(&certificate{goal: p.goal, steps: steps, hyps: a.Core, text: a.Certificate})
		ok = ok && outcome.Verdict == claimed
	}
	outcome.Steps, outcome.Uncounted = steps, !signed
	if !ok {
		return Outcome{}, answer.False
	}
	return outcome, ""
}

// confirm reads a counterexample that the store remembers, evaluates the sequent in
// it, and lets the kernel check the certificates of what is not evaluated. What is false in it is a part of the original, as its author wrote it.
func (p *problem) confirm(original logic.Sequent, data []byte, o *Outcome) bool {
	o.Counterexample = decodeCounterexample(original, p.Bare(), data)
	return o.Counterexample != nil
}

// question returns the digest of all that a search for p depends on: its version and
// its settings, and the formulas in their order.
func (p *problem) question(opts Options) answer.Digest {
	buf := fmt.Appendf(nil, "search %s\nsteps %d short %d refute %d %t\nselected %d\n", SearchVersion(), opts.Steps, opts.short(), opts.RefuteSteps, opts.OnlyRefute, p.Selected)
	if p.part != nil {
		buf = fmt.Appendf(buf, "part %d\n", p.part.Granted)
	}
	buf = append(slices.Grow(buf, (1+len(p.fps))*len(p.goal)), p.goal[:]...)
	for i := range p.fps {
		buf = append(buf, p.fps[i][:]...)
	}
	return sha256.Sum256(buf)
}
