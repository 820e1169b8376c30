package verdict

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// Problem is a sequent with its fingerprints.
type Problem struct {
	logic.Sequent
	GoalPrint text.Fingerprint
	HypPrints []text.Fingerprint // of the hypotheses, by index
}

// Print is the fingerprint of the whole sequent.
func (p *Problem) Print() text.Fingerprint { return text.JoinFingerprints(p.GoalPrint, p.HypPrints) }

// NewProblem returns the problem that a sequent is.
func NewProblem(sequent logic.Sequent) *Problem {
	return ProblemOf(sequent, &text.BankFingerprinter{})
}

// ProblemOf is NewProblem with the fingerprints that prints remembers: the hypotheses of
// the obligations of one component are mostly the same.
func ProblemOf(sequent logic.Sequent, prints *text.BankFingerprinter) *Problem {
	f := prints.Of(sequent.Bank)
	p := &Problem{Sequent: sequent, GoalPrint: f.Term(sequent.Goal), HypPrints: make([]text.Fingerprint, len(sequent.Hyps))}
	for i, hypothesis := range sequent.Hyps {
		p.HypPrints[i] = f.Term(hypothesis)
	}
	return p
}

// Open reads a certificate of the goal of p, whose core must be among the
// hypotheses. Nothing is checked yet.
func (p *Problem) Open(c *Certificate) (*StoredProof, error) {
	out := &StoredProof{}
	core := logic.Sequent{Bank: p.Bank, Goal: p.Goal}
	for _, print := range c.Hyps {
		i := slices.Index(p.HypPrints, print)
		if i < 0 {
			return nil, fmt.Errorf("a certificate of another sequent")
		}
		out.Hyps = append(out.Hyps, i)
		core.Hyps = append(core.Hyps, p.Hyps[i])
	}
	// A core is small compared with its sequent, and so is the bank that the kernel works in.
	out.Core = core.Bare()
	var err error
	out.Proof, err = kernel.Decode(out.Core.Bank, c.Text)
	return out, err
}

// Replay checks a certificate: its core must be among the hypotheses, and the
// kernel must accept it.
func (p *Problem) Replay(c *Certificate) (Outcome, bool) {
	proof, err := p.Open(c)
	if err != nil {
		return Outcome{}, false
	}
	res, err := kernel.Check(proof.Core, proof.Proof)
	if err != nil {
		return Outcome{}, false
	}
	outcome := Outcome{Verdict: Proved, Steps: c.Steps, Certificate: c.Name(), Rests: res, proof: c}
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

// Certify writes the certificate of a proof with terms of bank b, which counts once the
// kernel has accepted its text.
func (p *Problem) Certify(b *logic.Bank, proof *kernel.Proof, checked kernel.Result, steps int64) Outcome {
	used := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(checked.Hyps), checked.WDs...))))
	c := &Certificate{Goal: p.GoalPrint, Steps: steps}
	for _, i := range used {
		c.Hyps = append(c.Hyps, p.HypPrints[i])
	}
	c.Text = cert.Encode(b, OnlyUsed(proof, used))
	outcome, ok := p.Replay(c)
	if !ok {
		return Outcome{Verdict: Open, Steps: steps, Uncertified: 1}
	}
	return outcome
}

// OnlyUsed returns the part of a proof that leads to its end, with hypotheses
// numbered by their place in used.
func OnlyUsed(proof *kernel.Proof, used []int) *kernel.Proof {
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
				panic("verdict: proof uses a hypothesis that the kernel did not see")
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

// Answer is o as the answer to question q, for caches and all others that have asked.
func (o Outcome) Answer(q answer.Digest) (*answer.Answer, bool) {
	a := &answer.Answer{Question: q, Verdict: string(o.Verdict), End: string(o.End), Steps: o.Steps}
	switch {
	case o.proof != nil:
		a.Core, a.Certificate = o.proof.Hyps, o.proof.Text
	case o.Verdict == Refuted:
		text, err := encodeCounterexample(o.Counterexample)
		if err != nil {
			return nil, false
		}
		a.Counterexample = text
	}
	return a, true
}

// Accept checks an answer to question q, which p asks, from wherever it comes. What it claims is
// found out again: a proof by the kernel, a counterexample by evaluator and proof kernel. An answer that cannot be
// checked counts only if it is signed with key: that nothing was found, and the number of
// steps. Without that, the outcome is uncounted.
func (p *Problem) Accept(original logic.Sequent, q answer.Digest, a *answer.Answer, key *answer.Key) (Outcome, answer.Refusal) {
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
		outcome.End = End(a.End)
		ok = outcome.End.known()
	case Refuted:
		ok = p.confirm(original, a.Counterexample, &outcome)
	case Proved, Vacuous:
		claimed := outcome.Verdict
		outcome, ok = p.Replay(&Certificate{Goal: p.GoalPrint, Steps: steps, Hyps: a.Core, Text: a.Certificate})
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
func (p *Problem) confirm(original logic.Sequent, data []byte, o *Outcome) bool {
	o.Counterexample = decodeCounterexample(original, p.Bare(), data)
	return o.Counterexample != nil
}
