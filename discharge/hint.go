package discharge

import (
	"context"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/kernel"
)

// hinted is answer for a sequent that hints take apart. Whatever becomes of the hints, the
// search without them decides if they do not: hints never lose a proof.
func (p *task) hinted(ctx context.Context, s logic.Sequent, hints *derive.Node, opts Options) verdict.Outcome {
	if opts.Steps == 0 {
		opts.Steps = prover.DefaultSteps
	}
	// What becomes of hints depends on what a search finds within its budget.
	opts.Foreign = false
	opts.Within = nil // nor do they lead as far in less
	if hints.IsRoot() {
		short := opts
		short.Steps, short.RefuteSteps = max(1, opts.Steps/quickShare), 0
		if o := p.answer(ctx, s, short); o.Verdict.Holds() {
			o.Hints = verdict.HintsUnneeded
			return o
		}
	}
	o, ok := p.byParts(ctx, hints, opts)
	if ok {
		return o
	}
	if hints.IsRoot() {
		o := p.answer(ctx, s, opts)
		o.Hints = verdict.HintsInVain
		return o
	}
	// A search without hints has been tried: it is what a part without hints comes to. But
	// what it may assume of the part is less than of an obligation.
	opts.OnlyRefute = true
	x := p.answer(ctx, s, opts)
	x.Steps += o.Steps
	if x.Verdict == verdict.Open {
		x.End = o.End
	}
	return x
}

// byParts proves the parts that hints make of p, and joins their proofs.
func (p *task) byParts(ctx context.Context, hints *derive.Node, opts Options) (verdict.Outcome, bool) {
	return p.byPartsOf(ctx, hints, false, nil, opts)
}

// answers are what became of parts: of trials one after the other, most have the same ones.
type answers map[asked]verdict.Outcome

// asked is a part, with so many hypotheses granted.
type asked struct {
	sequent text.Fingerprint
	granted int
}

// byPartsOf is byParts, with chosen hypotheses alone where hints choose some. What known has
// is not asked again, and costs nothing; nil knows nothing.
func (p *task) byPartsOf(ctx context.Context, hints *derive.Node, narrow bool, known answers, opts Options) (verdict.Outcome, bool) {
	opts.RefuteSteps, opts.OnlyRefute = 0, false
	end := verdict.Exhausted // unless a part ended otherwise
	joined, proof, ok := hints.Proved(derive.Prover{
		Steps:   opts.Steps,
		Narrow:  narrow,
		Stopped: func() bool { return ctx.Err() != nil },
		Prove: func(q derive.Question) *derive.Proof {
			// A part is asked for in every trial that has it: the answer is that of the first one.
			part := partTask(&q)
			key := asked{part.Print(), q.Granted}
			o, ok := known[key]
			if !ok || o.Written() == nil && o.Steps < opts.Steps {
				o = part.answer(ctx, q.Sequent, opts)
				*q.Spent += o.Steps
				if o.Written() == nil {
					o.Steps = max(o.Steps, opts.Steps) // what ends earlier has nothing left to try
				}
				if known != nil && ctx.Err() == nil {
					known[key] = o
				}
			}
			if o.Written() == nil && o.End != verdict.Exhausted {
				end = o.End
			}
			return part.joined(o)
		},
	})
	if !ok {
		return verdict.Outcome{Verdict: verdict.Open, End: end, Steps: hints.Spent()}, false
	}
	spent, cost := hints.Spent(), hints.Cost()
	var o verdict.Outcome
	// The proof is in the bank of the plan, which the check extends, and of which others may ask parts meanwhile.
	hints.Alone(func() {
		checked, err := kernel.Check(joined, proof)
		if err != nil {
			o = verdict.Outcome{Verdict: verdict.Open, Steps: spent, Uncertified: 1}
			return
		}
		o = p.Certify(joined.Bank, proof, checked, cost)
		o.Hints = verdict.HintsNeeded
	})
	return o, o.Verdict.Holds()
}

// Trials prove sequents by plans, one trial after the other: a part that several plans have is
// searched once.
type Trials struct {
	known  answers
	prints text.BankFingerprinter
}

// Prove proves sequent s by a plan of it, with chosen hypotheses alone if narrow is set and hints
// choose some. ok is false if the plan leads to no proof.
func (x *Trials) Prove(ctx context.Context, s logic.Sequent, plan *derive.Node, narrow bool, opts Options) (o verdict.Outcome, ok bool) {
	if x.known == nil {
		x.known = answers{}
	}
	p := &task{Problem: verdict.ProblemOf(s, &x.prints)}
	return p.byPartsOf(ctx, plan, narrow, x.known, opts)
}

// joined is what was found of p as a proof of the part of a plan that p is; nil if nothing was.
func (p *task) joined(o verdict.Outcome) *derive.Proof {
	if o.Written() == nil {
		return nil
	}
	opened, err := p.Open(o.Written())
	if err != nil {
		return nil
	}
	hyps := make([]int, len(opened.Hyps))
	for i, h := range opened.Hyps {
		hyps[i] = p.part.Hyps[h]
	}
	return &derive.Proof{Bank: opened.Core.Bank, Hyps: hyps, Steps: opened.Proof, Cost: o.Steps}
}
