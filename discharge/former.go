package discharge

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/kernel"
)

// Former is the proof of a sequent as it was before a change, under the names of now.
type Former struct {
	verdict.StoredProof
	hyps  []logic.Term // all that the sequent had
	steps int64        // of the search that found it
}

// FormerOf returns the proof that o has of sequent s under new names; nil if there is none, or
// if it is one of the hypotheses alone.
func FormerOf(o verdict.Outcome, s logic.Sequent, names proofstore.Names) *Former {
	if o.Written() == nil || o.Verdict != verdict.Proved {
		return nil
	}
	stored, err := verdict.NewProblem(s).Open(o.Written())
	if err != nil {
		return nil
	}
	bank := logic.NewBank()
	r := proofstore.NewRenamer(bank, stored.Core.Bank, names, true)
	f := &Former{StoredProof: verdict.StoredProof{Core: logic.Sequent{Bank: bank, Goal: r.Term(stored.Core.Goal)}, Proof: r.Proof(stored.Proof)}, steps: o.Steps}
	for _, h := range stored.Core.Hyps {
		f.Core.Hyps = append(f.Core.Hyps, r.Term(h))
	}
	old := proofstore.NewRenamer(bank, s.Bank, names, true) // s is not bare
	for _, h := range s.Hyps {
		f.hyps = append(f.hyps, old.Term(h))
	}
	return f
}

// cutSteps is the least budget for a cut. Most take some dozens, whatever the obligation takes.
const cutSteps = 5_000

// Behind proves s by proofs of other sequents, such as those that it was made of by a change:
// what these rest on and s lacks, and goals of theirs that are not that of s, become cuts, and
// the old proofs stand behind them. A cut follows from what s has by one of the proofs or by a
// short search. It returns the facts of the cuts, in a bank of their own; ok is false if this
// leads to no proof.
func Behind(ctx context.Context, s logic.Sequent, former []*Former, opts Options) (o verdict.Outcome, bank *logic.Bank, facts []logic.Term, ok bool) {
	p := newTask(s)
	plan := derive.New(s.Bare(), make([]string, len(s.Hyps)))
	plan.GrantGoal()
	known := map[logic.Term]bool{}
	for _, h := range plan.Root.Hyps {
		known[h.Term] = true
	}
	had := map[logic.Term]bool{}
	imports := make([]*logic.Importer, len(former))
	for i, f := range former {
		imports[i] = logic.NewImporter(plan.Bank, f.Core.Bank, true)
		for _, h := range f.hyps {
			had[imports[i].Term(h)] = true
		}
	}
	var fresh []int // hypotheses that no old sequent had: from these a cut follows, if from any
	for i, h := range plan.Root.Hyps {
		if !had[h.Term] {
			fresh = append(fresh, i)
		}
	}
	goal, last := plan.Root.Goal, plan.Root
	cut := func(fact logic.Term) {
		if known[fact] {
			return
		}
		known[fact] = true
		facts = append(facts, fact)
		_, proof, rest := last.Have(fact)
		proof.Use(slices.Clone(fresh))
		last = rest
	}
	// All that the proofs rest on stands before all that they show: one may need the other.
	for i, f := range former {
		for _, h := range f.Core.Hyps {
			cut(imports[i].Term(h))
		}
	}
	for i, f := range former {
		if shown := imports[i].Term(f.Core.Goal); shown != goal {
			cut(shown)
		}
	}
	if opts.Steps == 0 {
		opts.Steps = prover.DefaultSteps
	}
	opts.Steps, opts.RefuteSteps, opts.Committed = max(cutSteps, opts.Steps/quickShare), 0, nil
	failed := false
	joined, proof, ok := plan.Root.Proved(derive.Prover{
		Steps:   opts.Steps,
		Stopped: func() bool { return ctx.Err() != nil },
		// One cut without a proof ends it: what stands behind it would be searched in vain.
		Prove: func(q derive.Question) (found *derive.Proof) {
			part := partTask(&q)
			for _, f := range former {
				if found = part.formerly(f); found != nil && !failed {
					return found
				}
			}
			if !failed {
				found = part.joined(part.answer(ctx, q.Sequent, opts))
			}
			failed = found == nil
			return found
		},
	})
	if !ok {
		return verdict.Outcome{}, nil, nil, false
	}
	checked, err := kernel.Check(joined, proof)
	if err != nil {
		return verdict.Outcome{}, nil, nil, false
	}
	o = p.Certify(joined.Bank, proof, checked, plan.Root.Cost())
	return o, plan.Bank, facts, o.Verdict == verdict.Proved
}

// formerly is an old proof as one of p, which is a part of a plan: what is known there to be
// well-defined is only what the obligation has, and a cut says it of the others. It returns
// nil if p has not all that the proof rests on.
func (p *task) formerly(f *Former) *derive.Proof {
	im := logic.NewImporter(p.Bank, f.Core.Bank, true)
	if im.Term(f.Core.Goal) != p.Goal {
		return nil
	}
	// Each hypothesis of the old proof must be one of p, maybe at another place.
	at := make([]int, len(f.Core.Hyps))
	for i, h := range f.Core.Hyps {
		if at[i] = slices.Index(p.Hyps, im.Term(h)); at[i] < 0 {
			return nil
		}
	}
	defined := func(t logic.Term) (kernel.Step, bool) {
		d := p.Bank.Bare(p.Bank.D(t))
		if p.Bank.Op(d) == logic.True {
			return kernel.Step{Kind: kernel.Prop, Terms: []logic.Term{d}}, true
		}
		i := slices.Index(p.Hyps, d)
		return kernel.Step{Kind: kernel.Hyp, Index: i}, i >= 0
	}
	// Old steps point to hypotheses by their old places. Well-definedness that p is not granted must be a hypothesis of
	// its own.
	steps := proofstore.NewRenamer(p.Bank, f.Core.Bank, nil, true).Proof(f.Proof)
	for i, step := range steps.Steps {
		ok := true
		switch step.Kind {
		case kernel.Hyp:
			steps.Steps[i].Index = at[step.Index]
		case kernel.WD:
			if k := at[step.Index]; k < p.part.Granted {
				steps.Steps[i].Index = k
			} else {
				steps.Steps[i], ok = defined(p.Hyps[k])
			}
		case kernel.WDGoal:
			steps.Steps[i], ok = defined(p.Goal)
		}
		if !ok {
			return nil
		}
	}
	return &derive.Proof{Bank: p.Bank, Hyps: p.part.Hyps, Steps: steps, Cost: f.steps}
}
