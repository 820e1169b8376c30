package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// Refute tries to derive a contradiction from the chosen hypotheses and the
// negated goal of the bare sequent s, whose bank grows.
func Refute(sequent logic.Sequent, opts Options) Outcome {
	e := newEngine(sequent, opts)
	e.g.Propagate()
	e.state()
	e.instances.addRules()
	out := Outcome{}
	switch e.sat.Solve() {
	case sat.Unsat:
		out.Proof = e.proof()
	case sat.Unknown:
		out.Saturated, out.Stopped = e.resorts.stage == saturated, e.budget.stopped
		for _, literal := range e.sat.Trail() {
			if !form.IsConnective(e.b.Op(e.atoms[literal.Var()])) {
				out.Model = append(out.Model, e.kernelLit(literal))
			}
		}
	}
	out.Counters = Counters{e.work(), e.sat.Conflicts, e.sat.Decisions, e.instances.made, e.sat.Clauses(), len(e.atoms)}
	return out
}

// newEngine returns an attempt that has yet to be told of the sequent.
func newEngine(sequent logic.Sequent, opts Options) *engine {
	e := &engine{
		b: sequent.Bank, seq: sequent, opts: opts,
		budget: budget{steps: opts.Steps, stop: opts.Stop},
		limit:  int16(min(opts.Gens, opts.Start)),
		asked:  map[askKey]bool{},
	}
	e.frontier = frontier{engine: e, isSplit: map[sat.Var]bool{}}
	e.terms = terms{engine: e, uses: map[euf.Node][]logic.Op{}}
	e.unfolding = unfolding{engine: e, ofPairs: map[logic.Term]logic.Term{}, exhibited: map[logic.Term][]sat.Lit{}}
	e.members = memberships{engine: e}
	e.instances = instances{engine: e, quantOf: map[sat.Lit]*quant{}, byElement: map[euf.Node][]offerTo{}, known: map[string]bool{}}
	e.resorts = resorts{engine: e}
	e.g = euf.New(sequent.Bank)
	e.g.Merged = e.onMerge
	e.sat = sat.New(e)
	e.ar = newArithmetic(e)
	return e
}

// state states the sequent: goal first, as decisions follow that order.
func (e *engine) state() {
	e.ctx = -1
	if !e.opts.NoGoal {
		e.assume(kernel.Step{Kind: kernel.NegGoal}, kernel.LitOf(e.b, e.seq.Goal).Not())
	}
	for _, i := range e.opts.Hyps {
		e.assume(kernel.Step{Kind: kernel.Hyp, Index: i}, kernel.LitOf(e.b, e.seq.Hyps[i]))
	}
	// Axioms that the attempt was given, such as instances of induction, wait like lemmas: nothing
	// guards them.
	for _, step := range e.opts.Axioms {
		if clause, err := kernel.ClauseOf(e.seq, step); err == nil {
			if lits, ok := e.lits(clause); ok {
				e.frontier.await(e.addLits(lits, step))
			}
		}
	}
	if !e.opts.WDs {
		return
	}
	top := e.b.App(logic.True)
	undefined := func(i int) bool { return e.opts.Undefined != nil && e.opts.Undefined(i) }
	if term := e.b.Bare(e.b.D(e.seq.Goal)); term != top && !e.opts.NoGoal && !undefined(-1) {
		e.assume(kernel.Step{Kind: kernel.WDGoal}, kernel.LitOf(e.b, term))
	}
	for _, i := range e.opts.Hyps {
		if term := e.b.Bare(e.b.D(e.seq.Hyps[i])); term != top && !undefined(i) {
			e.assume(kernel.Step{Kind: kernel.WD, Index: i}, kernel.LitOf(e.b, term))
		}
	}
}

func (e *engine) assume(step kernel.Step, l kernel.Lit) {
	e.add(kernel.Clause{l}, step)
}
