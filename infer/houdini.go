package infer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Candidate is a predicate over the variables of a machine that may be an invariant.
type Candidate struct {
	Rule string // that guessed it
	Term logic.Term
}

// Kept is a candidate that is proved: its obligations have certificates that use
// nothing but axioms, guards and invariants and candidates that are proved, too.
type Kept struct {
	Candidate
	Certificates []string // of its obligations, in their order
	Uses         []int    // the other kept candidates that the proofs use
}

// Killed is a candidate that fell.
type Killed struct {
	Candidate
	By    string // an engine, or Houdini
	Round int    // of Houdini, or of the engine
	// Obligation is the one without proof, nil if a run showed that the candidate is
	// false; Why says in words what speaks against it.
	Obligation     *po.Obligation
	Counterexample *discharge.Violation // to that obligation, if one was found
	Trace          []Step               // the run to the state in which it is false
	Why            string
}

// Step is an event of a run and the state after it.
type Step struct {
	Event string
	State []discharge.Binding
}

// The names of what kills candidates.
const (
	Houdini = "H"
	DYN     = "DYN"
	SBASE   = "SBASE"
	SSTEP   = "SSTEP"
	LU      = "LU"
)

// Options say how hard to try. The zero value tries with the default budgets.
type Options struct {
	// Proving is how obligations are proved; Steps, if 0, is DefaultSteps, for
	// most attempts are in vain.
	Proving discharge.Options
	Threads *model.Threads  // what a reader knows of the threads of m; nil if nothing
	Only    []string        // names of rules; nil: all
	Without []string        // names of rules that guess nothing
	Setups  []explore.Setup // where the machine runs, besides small set-ups that are found
	// Progress is told how many candidates live and how many obligations were tried.
	Progress func(live, tried int)

	samples []sample // of states, for rules to mine
}

// DefaultSteps is the budget of one attempt to prove that a candidate is kept.
const DefaultSteps = 2_000_000

// refuteSteps is the budget of one search for a counterexample to a candidate.
const refuteSteps = 50_000

// alonePart is the part of the budget that a candidate gets to be proved without the
// others.
const alonePart = 20

// Inductive is what Check found.
type Inductive struct {
	Kept   []Kept
	Killed []Killed // in the order in which they fell
	Rounds int      // the last of which killed none
	Fallen []string // labels of invariants of the machine that are not proved, even with all that is kept
	Dead   []string // events whose guards contradict the model: their guards prove no candidate
	Tried  int      // attempts to prove an obligation
}

// Check finds, by the Houdini algorithm, the largest subset of candidates that is
// inductive as far as the prover can tell: the candidates are terms of dev.Bank, over
// the variables of m and the constants that it sees. It goes in rounds: each assumes
// all candidates that live and drops those with an obligation that is not proved; a
// proof stays valid while the candidates that it used live.
//
// The invariants of m themselves take part: one that is not proved is no hypothesis
// any more, so that what is kept rests on nothing that is open in m. Inherited
// invariants and axioms are hypotheses in every case.
//
// An error is one of obligations that cannot be made, or that of ctx.
func Check(ctx context.Context, dev *model.Development, m *model.Machine, candidates []Candidate, opts Options) (*Inductive, error) {
	h, err := newHoudini(ctx, dev, m, candidates, opts)
	if err != nil {
		return nil, err
	}
	h.deadEvents()
	for again := true; again && ctx.Err() == nil; {
		h.round++
		again = h.fall()
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return h.result(), nil
}

// houdini is one run of the algorithm.
type houdini struct {
	ctx     context.Context
	opts    Options
	dev     *model.Development // with a machine that has the candidates
	machine *model.Machine
	facts   []*model.Predicate
	first   int // hypotheses before those that take part: axioms and inherited invariants
	all     []*po.Obligation
	parts   []*part // own invariants, then candidates
	own     int     // how many are own invariants
	round   int
	tried   int
	killed  []Killed
	fallen  []string
	dead    map[string]bool
}

// part is a predicate that takes part: it lives as long as all its obligations have
// valid proofs.
type part struct {
	*model.Predicate
	rule string
	asks []*ask
	live bool
}

// ask is an obligation of a part, and what is known of it.
type ask struct {
	*po.Obligation
	found discharge.Outcome
	uses  []int // the parts whose predicate or well-definedness the proof uses
}

// With returns dev and m with candidates among the invariants of m, in their order
// behind its own.
func With(dev *model.Development, m *model.Machine, candidates []Candidate) (*model.Development, *model.Machine) {
	wider, more := *dev, *m
	more.Invariants = slices.Clone(m.Invariants)
	for i, c := range candidates {
		more.Invariants = append(more.Invariants, &model.Predicate{
			Label: labelOf(i), Term: c.Term, Origin: model.Origin{Component: m.Name, Span: m.Origin.Span},
		})
	}
	wider.Machines = slices.Clone(dev.Machines)
	wider.Machines[slices.Index(dev.Machines, m)] = &more
	return &wider, &more
}

// labelOf is the label of candidate i while it is one. No author writes such a label.
func labelOf(i int) string { return fmt.Sprintf("?%d", i) }

func newHoudini(ctx context.Context, dev *model.Development, m *model.Machine, candidates []Candidate, opts Options) (*houdini, error) {
	opts = opts.filled()
	if !slices.Contains(dev.Machines, m) {
		return nil, errors.New("infer: the machine is none of the development")
	}
	h := &houdini{ctx: ctx, opts: opts, own: len(m.Invariants), dead: map[string]bool{}}
	h.dev, h.machine = With(dev, m, candidates)
	h.facts = h.machine.Facts()
	h.first = len(h.facts) - len(h.machine.Invariants)
	number := map[*model.Predicate]*part{}
	for i, p := range h.machine.Invariants {
		x := &part{Predicate: p, live: true}
		if i >= h.own {
			x.rule = candidates[i-h.own].Rule
		}
		h.parts = append(h.parts, x)
		number[p] = x
	}
	all, err := po.Generate(h.dev, model.Component{Machine: h.machine}, po.Options{})
	if err != nil {
		return nil, err
	}
	h.all = all
	for _, o := range all {
		// WD, THM and INV are what an invariant is asked for; the obligations of guards
		// speak of predicates that are none of the parts.
		if x := number[o.Predicate]; x != nil && (o.Kind == po.INV || o.Kind == po.WD || o.Kind == po.THM) {
			x.asks = append(x.asks, &ask{Obligation: o})
		}
	}
	return h, nil
}

// deadEvents looks for events whose guards contradict the machine as its author wrote
// it. Such a guard would prove any candidate, and is left out of its proofs.
func (h *houdini) deadEvents() {
	before := *h.machine
	before.Invariants = before.Invariants[:h.own]
	of := model.Component{Machine: &before}
	dev := *h.dev
	dev.Contexts, dev.Machines = nil, []*model.Machine{&before}
	for _, c := range discharge.Contradictions(h.ctx, &dev, func(c model.Component) bool { return c == of }, h.opts.Proving) {
		if c.Event != nil {
			h.dead[c.Event.Label] = true
		}
	}
}

// fall drops, in one round, all parts with an obligation that is not proved from what
// lived when the round began. It reports whether there were any.
func (h *houdini) fall() bool {
	// The obligations of a part come one after the other, so that a part that has
	// fallen costs no more; those of different parts go in parallel.
	living := slices.DeleteFunc(slices.Clone(h.parts), func(x *part) bool { return !x.live })
	fell := map[*part]*ask{}
	for k := 0; ; k++ {
		var batch []*ask
		var of []*part
		more := false
		for _, x := range living {
			if k >= len(x.asks) || fell[x] != nil {
				continue
			}
			more = true
			if a := x.asks[k]; !h.valid(a) {
				batch, of = append(batch, a), append(of, x)
			}
		}
		if !more {
			break
		}
		h.prove(batch)
		if h.ctx.Err() != nil {
			return false
		}
		for i, a := range batch {
			if !h.valid(a) {
				fell[of[i]] = a
			}
		}
	}
	for _, x := range living {
		if a := fell[x]; a != nil {
			h.drop(x, a)
		}
	}
	return len(fell) > 0
}

// drop lets x fall for want of a proof of a.
func (h *houdini) drop(x *part, a *ask) {
	x.live = false
	if x.rule == "" {
		h.fallen = append(h.fallen, x.Label)
		return
	}
	k := Killed{Candidate: Candidate{x.rule, x.Term}, By: Houdini, Round: h.round, Obligation: a.Obligation, Why: whyOf(a)}
	k.Counterexample = discharge.Lift(discharge.Result{Obligation: a.Obligation, Outcome: a.found})
	h.killed = append(h.killed, k)
}

// whyOf says what speaks against a candidate whose obligation is not proved.
func whyOf(a *ask) string {
	refuted := a.found.Verdict == discharge.Refuted
	switch {
	case a.Kind == po.WD:
		return "it is not shown to have a value in every state"
	case a.Event != nil && a.Event.IsInit() && refuted:
		return "it is false after INITIALISATION"
	case a.Event != nil && a.Event.IsInit():
		return "it is not shown to hold after INITIALISATION"
	case a.Event != nil && refuted:
		return "event " + a.Event.Label + " does not keep it"
	case a.Event != nil:
		return "event " + a.Event.Label + " is not shown to keep it"
	}
	return "it is not proved"
}

// valid reports whether a has a proof from what lives.
func (h *houdini) valid(a *ask) bool {
	return a.found.Verdict.Holds() && !slices.ContainsFunc(a.uses, func(i int) bool { return !h.parts[i].live })
}

// prove looks for proofs of batch: first of each candidate without the others, which
// is shorter and stays valid whatever happens to them, then with all that live.
func (h *houdini) prove(batch []*ask) {
	alone := h.opts.Proving
	alone.Steps, alone.RefuteSteps = max(1, alone.Steps/alonePart), 0
	h.run(batch, alone, func(a *ask, i int) bool { return i < h.own || h.parts[i].Predicate == a.Predicate })
	var rest []*ask
	for _, a := range batch {
		if !h.valid(a) {
			rest = append(rest, a)
		}
	}
	h.run(rest, h.opts.Proving, func(*ask, int) bool { return true })
}

// run tries to prove each of batch from the living parts that with accepts.
func (h *houdini) run(batch []*ask, opts discharge.Options, with func(*ask, int) bool) {
	places := make([][]int, len(batch)) // of the hypotheses in those of the obligation
	get := func(i int) logic.Sequent {
		a := batch[i]
		var s logic.Sequent
		s, places[i] = h.sequent(a.Obligation, func(p int) bool { return h.parts[p].live && with(a, p) })
		return s
	}
	discharge.Run(h.ctx, len(batch), get, opts, func(i int, o discharge.Outcome) {
		a := batch[i]
		a.found, a.uses = o, nil
		if o.Verdict.Holds() {
			for _, at := range slices.Concat(o.Used, o.UsedWD) {
				if p := h.partAt(a.Obligation, places[i][at]); p >= 0 {
					a.uses = append(a.uses, p)
				}
			}
			slices.Sort(a.uses)
			a.uses = slices.Compact(a.uses)
		}
		h.tried++
		if h.opts.Progress != nil {
			h.opts.Progress(h.live(), h.tried)
		}
	})
}

func (h *houdini) live() (n int) {
	for _, x := range h.parts[h.own:] {
		if x.live {
			n++
		}
	}
	return n
}

// partAt returns the part that hypothesis i of o is, or -1.
func (h *houdini) partAt(o *po.Obligation, i int) int {
	if i -= h.first; i < 0 || i >= len(h.parts) || o.Event != nil && o.Event.IsInit() {
		return -1 // the initialisation has no invariants among its hypotheses
	}
	return i
}

// sequent is that of o, of the parts those alone that with accepts, and without the
// guards of a dead event. places says where its hypotheses stand among those of o.
func (h *houdini) sequent(o *po.Obligation, with func(part int) bool) (s logic.Sequent, places []int) {
	full := o.Sequent()
	now := make([]int, len(full.Hyps))
	guards := h.first + len(h.parts)
	for i, t := range full.Hyps {
		p := h.partAt(o, i)
		now[i] = -1
		if p >= 0 && !with(p) || o.Kind == po.INV && h.dead[o.Event.Label] && i >= guards && i < guards+len(o.Event.Guards) {
			continue
		}
		now[i] = len(places)
		s.Hyps, places = append(s.Hyps, t), append(places, i)
	}
	for _, i := range full.Selected {
		if now[i] >= 0 {
			s.Selected = append(s.Selected, now[i])
		}
	}
	s.Bank, s.Goal = full.Bank, full.Goal
	return s, places
}

func (h *houdini) result() *Inductive {
	out := &Inductive{Killed: h.killed, Rounds: h.round, Fallen: h.fallen, Tried: h.tried}
	for _, e := range h.machine.Events {
		if h.dead[e.Label] {
			out.Dead = append(out.Dead, e.Label)
		}
	}
	number := map[int]int{} // part: its place among the kept
	for i := h.own; i < len(h.parts); i++ {
		if h.parts[i].live {
			number[i] = len(number)
		}
	}
	for i := h.own; i < len(h.parts); i++ {
		x := h.parts[i]
		if !x.live {
			continue
		}
		k := Kept{Candidate: Candidate{x.rule, x.Term}}
		for _, a := range x.asks {
			k.Certificates = append(k.Certificates, a.found.Certificate)
			for _, p := range a.uses {
				if p >= h.own && p != i {
					k.Uses = append(k.Uses, number[p])
				}
			}
		}
		slices.Sort(k.Uses)
		k.Uses = slices.Compact(k.Uses)
		out.Kept = append(out.Kept, k)
	}
	return out
}
