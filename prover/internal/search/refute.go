package search

import (
	"sync"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/arith"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/instance"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/internal/solve"
	"github.com/gradine/gradine/prover/kernel"
)

// Refute tries to derive a contradiction from the chosen hypotheses and the
// negated goal of the bare sequent s, whose bank grows.
func Refute(sequent logic.Sequent, opts Options) Outcome {
	if opts.Table == nil {
		opts.Table = instance.NewTable(sequent.Bank)
	}
	e := idle.Get().(*engine)
	e.reset(sequent, opts)
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
	e.rest()
	return out
}

// idle has engines at rest, for their memory: an attempt on a small sequent is over sooner than the
// memory for it is found. What they know is forgotten before they work again.
var idle = sync.Pool{New: func() any {
	e := &engine{g: &euf.Graph{}}
	e.sat = sat.New(e)
	e.ar = &arithmetic{e: e, s: &arith.Solver{}}
	e.unfolding.ofPairs, e.unfolding.exhibited = map[logic.Term]logic.Term{}, map[logic.Term][]sat.Lit{}
	e.instances.quantOf = map[sat.Lit]*quant{}
	e.instances.domains = map[logic.Term]logic.Term{}
	return e
}}

// restLimit is the number of clauses and of nodes up to which an engine is kept: to empty a larger
// one takes longer than to make a new one.
const restLimit = 1 << 14

// rest keeps the memory of e for another attempt.
func (e *engine) rest() {
	if e.sat.Clauses() <= restLimit && e.g.Len() <= restLimit {
		idle.Put(e)
	}
}

// reset makes e an attempt that has yet to be told of the sequent. What is not named here starts from zero; what is named
// keeps its memory, as attempts are many and short.
func (e *engine) reset(sequent logic.Sequent, opts Options) {
	e.asked.keys.Reset()
	clear(e.origin) // the steps are free
	e.room.Reset()
	*e = engine{
		b: sequent.Bank, table: opts.Table, seq: sequent, opts: opts,
		budget: budget{steps: opts.Steps, stop: opts.Stop},
		limit:  int16(min(opts.Gens, opts.Start)),
		sat:    e.sat, g: e.g, ar: e.ar,
		vars: e.vars[:0], atoms: e.atoms[:0], nodes: e.nodes[:0], gens: e.gens[:0], origin: e.origin[:0], room: e.room, asked: e.asked, stack: e.stack[:0], known: e.known,
		frontier: e.frontier, terms: e.terms, unfolding: e.unfolding, members: e.members, instances: e.instances, resorts: resorts{engine: e},
	}
	e.known.Renew(solve.Known{Bank: e.b, Graph: e.g, Each: e.each, Elements: e.eachElement, Truth: e.truth, Eval: e.eval, Term: e.termOf})
	e.frontier.reset(e)
	e.terms.reset(e)
	e.unfolding.reset(e)
	e.members.reset(e)
	e.instances.reset(e)
	e.g.Reset(sequent.Bank)
	e.g.Merged = e.onMerge
	e.sat.Reset(e)
	e.ar.reset()
}

func (fr *frontier) reset(e *engine) {
	*fr = frontier{engine: e, guards: fr.guards[:0], open: fr.open[:0], marks: fr.marks[:0], late: fr.late[:0], splits: fr.splits[:0], isSplit: fr.isSplit[:0]}
}

func (ts *terms) reset(e *engine) {
	*ts = terms{engine: e, gen: ts.gen[:0], relevant: ts.relevant[:0], byOp: ts.byOp, fresh: ts.fresh[:0], offered: ts.offered[:0], flat: ts.flat[:0], uses: ts.uses[:0]}
	shorten(ts.byOp[:])
}

func (un *unfolding) reset(e *engine) {
	clear(un.ofPairs)
	clear(un.exhibited)
	*un = unfolding{engine: e, pending: un.pending[:0], worked: un.worked[:0], structured: un.structured[:0], done: un.done[:0], choices: un.choices[:0], ofPairs: un.ofPairs, exhibited: un.exhibited}
}

func (ms *memberships) reset(e *engine) {
	*ms = memberships{engine: e, recent: ms.recent[:0], wanted: ms.wanted[:0], functional: ms.functional[:0], classes: nodeSet{stamps: ms.classes.stamps[:0]}, said: ms.said}
}

// reset empties the instances for a new search, and keeps the memory.
func (is *instances) reset(e *engine) {
	clear(is.quants)
	is.room.Reset()
	clear(is.quantOf)
	clear(is.domains)
	is.known.Reset()
	for _, list := range is.byElement {
		clear(list) // the quantifiers are free
	}
	*is = instances{
		engine: e, quants: is.quants[:0], room: is.room, quantOf: is.quantOf, byPattern: is.byPattern, byElement: is.byElement[:0],
		byShape: is.byShape, byUse: is.byUse, structure: is.structure, inner: is.inner, idle: is.idle, others: nodeSet{stamps: is.others.stamps[:0]}, known: is.known, states: is.states[:0],
		domains: is.domains, held: is.held[:0], late: e.opts.Broad,
	}
	for _, index := range [][][]offerTo{is.byPattern[:], is.byShape[:], is.byUse[:], is.structure[:], is.inner[:]} {
		for _, list := range index {
			clear(list) // the quantifiers are free
		}
		shorten(index)
	}
}

// shorten empties each list of a table.
func shorten[T any](table [][]T) {
	for i := range table {
		table[i] = table[i][:0]
	}
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
		e.instances.follow(e.seq.Goal, term)
	}
	for _, i := range e.opts.Hyps {
		if term := e.b.Bare(e.b.D(e.seq.Hyps[i])); term != top && !undefined(i) {
			e.assume(kernel.Step{Kind: kernel.WD, Index: i}, kernel.LitOf(e.b, term))
			e.instances.follow(e.seq.Hyps[i], term)
		}
	}
}

func (e *engine) assume(step kernel.Step, l kernel.Lit) {
	e.add(kernel.Clause{l}, step)
}
