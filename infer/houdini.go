package infer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer/internal/guess"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

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
	Counterexample *verdict.Violation // to that obligation, if one was found
	Trace          []Step             // the run to the state in which it is false
	Why            string
}

// Step is an event of a run and the state after it.
type Step struct {
	Event string
	State []verdict.Binding
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
	Proving  discharge.Options
	Threads  *model.Threads  // what a reader knows of the threads of m; nil if nothing
	All      bool            // keep all that is inductive, not only what closes an open obligation
	For      string          // the name of the one obligation to close; "" for all that are open
	Only     []string        // names of rules; nil: all
	Without  []string        // names of rules that guess nothing
	Setups   []explore.Setup // where the machine runs, in addition to small instances that are found
	Engines  []string        // names of engines, in their order; nil: DYN
	Parallel bool            // engines run at one time
	// Attempts bounds how often an obligation is tried, with other hypotheses each time; 0
	// for the defaults. What is not settled then counts as not kept.
	Attempts int
	// Clock is what Evaluate reads times from; nil: the time of day.
	Clock func() time.Duration
	// Progress is told how many candidates live and how many obligations were tried.
	Progress func(live, tried int)

	samples []guess.Sample   // of states, for rules to mine
	open    []guess.Lack     // obligations for rules to aim at
	ahead   *model.Predicate // the invariant that candidates stand before; nil: behind all
}

// Candidate is a predicate over the variables of a machine that may be an invariant.
type Candidate = guess.Candidate

// Target is an obligation of the machine that is not proved without candidates.
type Target struct {
	Name        string
	Verdict     verdict.Verdict // without candidates
	Closed      bool            // it is proved with those that are kept
	Certificate string          // of the proof with those that are worth adding
	Reach       *verdict.Reach  // whether the machine gets into the state that refutes it; nil if that was not asked
	Uses        []int           // kept candidates that the proof rests on, with those that these rest on
}

// filled returns opts with its defaults.
func (opts Options) filled() Options {
	if opts.Proving.Steps == 0 {
		opts.Proving.Steps = DefaultSteps
	}
	if opts.Proving.RefuteSteps == 0 {
		opts.Proving.RefuteSteps = refuteSteps
	}
	if opts.Engines == nil {
		opts.Engines = []string{DYN}
	}
	if opts.Attempts == 0 {
		if opts.Attempts = AimedAttempts; opts.All {
			opts.Attempts = DefaultAttempts
		}
	}
	return opts
}

// DefaultSteps is the budget of one attempt to prove that a candidate is kept.
const DefaultSteps = 300_000

// The bounds on attempts: to keep all that is inductive, and to close what is open.
const (
	DefaultAttempts = 20_000
	AimedAttempts   = 1_000
)

// refuteSteps is the budget of one search for a counterexample to a candidate.
const refuteSteps = 50_000

// shortPart is the part of the budget for attempts with few hypotheses.
const shortPart = 5

// Inductive is what Check found.
type Inductive struct {
	Kept    []Kept
	Killed  []Killed    // in the order in which they fell
	Implied []Candidate // that a kept one implies, and that were not looked at for that reason
	Rounds  int         // the last of which killed none
	Fallen  []string    // labels of invariants of the machine that are not proved, even with all that is kept
	Dead    []string    // events whose guards contradict the model: their guards prove no candidate
	Tried   int         // attempts to prove an obligation
	Bounded bool        // the bound on attempts was reached
}

// Check finds, by the Houdini algorithm, the largest subset of candidates that is
// inductive as far as the prover can tell: the candidates are terms of dev.Bank, over
// the variables of m and the constants that it sees. It goes in rounds: each assumes
// all candidates that live and drops those with an obligation that is not proved; a
// proof stays valid while the candidates that it used live.
//
// The invariants of m themselves take part: one that is not proved is not a hypothesis
// any more, so that what is kept rests on nothing that is open in m. Inherited
// invariants and axioms are hypotheses in every case.
//
// An error is one of obligations that cannot be made, or that of ctx.
func Check(ctx context.Context, dev *model.Development, m *model.Machine, candidates []Candidate, opts Options) (*Inductive, error) {
	opts.All = true
	h, err := newHoudini(ctx, dev, m, candidates, opts)
	if err != nil {
		return nil, err
	}
	h.deadEvents()
	h.fixpoint()
	h.unsettled()
	h.kept = h.parts
	return h.result(), context.Cause(ctx)
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
	kept    []*part // of which those count as kept that live; set at the end
	order   []int   // parts as the invariants of the machine stand
	round   int
	tried   int
	bounded bool
	killed  []Killed
	fallen  []string
	dead    map[string]bool

	ids       [][]logic.Term // by part: the identifiers in it
	variables map[logic.Term]bool
}

// part is a predicate that takes part: it lives as long as all its obligations have
// valid proofs.
type part struct {
	*model.Predicate
	from Candidate // without what is stronger; the zero value for an invariant of the machine
	asks []*ask
	live bool
	fell bool
	wait []int // parts that imply it: it does not live before all of them have fallen
}

// ask is an obligation of a part, and what is known of it.
type ask struct {
	*po.Obligation
	found verdict.Outcome
	uses  []int // the parts whose predicate or well-definedness the proof uses
}

// with puts candidates before the invariant of m with number at.
func with(dev *model.Development, m *model.Machine, candidates []Candidate, at int) (*model.Development, *model.Machine) {
	wider, more := *dev, *m
	var added []*model.Predicate
	for i, c := range candidates {
		added = append(added, &model.Predicate{
			Label: labelOf(i), Term: c.Term, Origin: model.Origin{Component: m.Name, Span: m.Origin.Span},
		})
	}
	more.Invariants = slices.Insert(slices.Clone(m.Invariants), at, added...)
	wider.Machines = slices.Clone(dev.Machines)
	wider.Machines[slices.Index(dev.Machines, m)] = &more
	return &wider, &more
}

// labelOf is the label of candidate i while it is one. No author writes such a label.
func labelOf(i int) string { return fmt.Sprintf("?%d", i) }

// newHoudini prepares the selection of candidates: a copy of the machine that has them all as invariants.
func newHoudini(ctx context.Context, dev *model.Development, m *model.Machine, candidates []Candidate, opts Options) (*houdini, error) {
	opts = opts.filled()
	if !slices.Contains(dev.Machines, m) {
		return nil, errors.New("infer: the machine is not part of the development")
	}
	h := &houdini{ctx: ctx, opts: opts, own: len(m.Invariants), dead: map[string]bool{}}
	at := slices.Index(m.Invariants, opts.ahead)
	if at < 0 {
		at = h.own
	}
	h.dev, h.machine = with(dev, m, candidates, at)
	h.facts = h.machine.Facts()
	h.first = len(h.facts) - len(h.machine.Invariants)
	// Parts are numbered own invariants first, wherever the candidates stand in the machine.
	own, added := h.machine.Invariants[:at], h.machine.Invariants[at:at+len(candidates)]
	later := h.machine.Invariants[at+len(candidates):]
	number := map[*model.Predicate]*part{}
	for i, p := range slices.Concat(own, later, added) {
		x := &part{Predicate: p, live: true}
		if i >= h.own {
			x.from = candidates[i-h.own]
			for _, k := range x.from.Stronger {
				x.wait = append(x.wait, h.own+k)
			}
			x.from.Stronger = nil
			x.live = len(x.wait) == 0
		}
		h.parts = append(h.parts, x)
		number[p] = x
	}
	for _, p := range h.machine.Invariants {
		h.order = append(h.order, slices.Index(h.parts, number[p]))
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
	before.Invariants = nil
	for _, x := range h.parts[:h.own] {
		before.Invariants = append(before.Invariants, x.Predicate)
	}
	of := model.Component{Machine: &before}
	dev := *h.dev
	dev.Contexts, dev.Machines = nil, []*model.Machine{&before}
	for _, c := range judgement.Contradictions(h.ctx, judgement.Premises{Dev: &dev}, func(c model.Component) bool { return c == of }, h.opts.Proving) {
		if c.Event != nil {
			h.dead[c.Event.Label] = true
		}
	}
}

// fixpoint drops candidates until none falls any more.
func (h *houdini) fixpoint() {
	for again := true; again && h.goesOn(); {
		h.round++
		again = h.fall(h.parts) || h.release()
	}
}

// goesOn reports whether there is a budget left.
func (h *houdini) goesOn() bool {
	h.bounded = h.bounded || h.tried >= h.opts.Attempts
	return h.ctx.Err() == nil && !h.bounded
}

// unsettled lets fall what has an obligation without valid proof, until nothing has: when
// the budget is used up, nothing counts that is not certified.
func (h *houdini) unsettled() {
	for again := h.bounded; again; {
		again = false
		for _, x := range h.parts {
			i := slices.IndexFunc(x.asks, func(a *ask) bool { return !h.valid(a) })
			if x.live && i >= 0 {
				x.asks[i].found.Verdict = verdict.Open
				h.drop(x, x.asks[i])
				again = true
			}
		}
	}
}

// fall drops, in one round, those of the parts asked about with an obligation that is not
// proved from what lived when the round began. It reports whether there were any.
func (h *houdini) fall(asked []*part) bool {
	// The obligations of a part come one after the other, so that a part that has
	// fallen costs no more; those of different parts go in parallel.
	living := slices.DeleteFunc(slices.Clone(asked), func(x *part) bool { return !x.live })
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
		if !h.goesOn() {
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

// release lets those live whose stronger candidates have all fallen. It reports whether
// there were any. What is proved stays proved, and what has fallen would fall again: it
// fell with stronger hypotheses than are released.
func (h *houdini) release() bool {
	some := false
	for _, x := range h.parts[h.own:] {
		if !x.live && !x.fell && !slices.ContainsFunc(x.wait, func(i int) bool { return !h.parts[i].fell }) {
			x.live, some = true, true
		}
	}
	return some
}

// drop lets x fall for want of a proof of a.
func (h *houdini) drop(x *part, a *ask) {
	x.live, x.fell = false, true
	if x.from.Rule == "" {
		h.fallen = append(h.fallen, x.Label)
		return
	}
	k := Killed{Candidate: x.from, By: Houdini, Round: h.round, Obligation: a.Obligation, Why: whyOf(a)}
	k.Counterexample = h.opts.lift(a.Obligation, a.found)
	h.killed = append(h.killed, k)
}

// lift is discharge.Lift, of which a fault is told.
func (o Options) lift(of *po.Obligation, found verdict.Outcome) *verdict.Violation {
	v := explain.Lift(verdict.Result{Obligation: of, Outcome: found})
	if v != nil && v.Fault != "" && o.Proving.Faulted != nil {
		o.Proving.Faulted(of.Name + ": the counterexample: " + v.Fault)
	}
	return v
}

// whyOf says what speaks against a candidate whose obligation is not proved.
func whyOf(a *ask) string {
	refuted := a.found.Verdict == verdict.Refuted
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

// prove looks for proofs of batch: of each candidate without the others, which is shorter
// and stays valid whatever happens to them; then with those that live and speak of
// nothing else than the obligation does, such as say most first; then with all that an
// analysis found, and with all. Each time there is more to find a proof in, and more to
// get lost in.
func (h *houdini) prove(batch []*ask) {
	short := h.opts.Proving
	short.Steps, short.RefuteSteps = max(1, short.Steps/shortPart), 0
	near := map[*ask]map[int]bool{}
	for _, a := range batch {
		near[a] = h.near(a.Obligation)
	}
	from := func(i int, origins ...guess.Origin) bool { return slices.Contains(origins, h.parts[i].from.Origin) }
	tried := map[*ask]map[string]int64{} // by hypotheses: the budget
	for _, try := range []struct {
		opts discharge.Options
		with func(*ask, int) bool // in addition to own invariants and the candidate itself
	}{
		{short, func(*ask, int) bool { return false }},
		{short, func(a *ask, i int) bool { return from(i, guess.FromAnalysis) }},
		{short, func(a *ask, i int) bool { return near[a][i] && from(i, guess.FromAnalysis, guess.FromText) }},
		{short, func(a *ask, i int) bool { return near[a][i] }},
		{h.opts.Proving, func(a *ask, i int) bool { return from(i, guess.FromAnalysis) }},
		{h.opts.Proving, func(*ask, int) bool { return true }},
	} {
		with := func(a *ask, i int) bool {
			return h.parts[i].live && (i < h.own || h.parts[i].Predicate == a.Predicate || try.with(a, i))
		}
		var rest []*ask
		for _, a := range batch {
			if h.valid(a) {
				continue
			}
			hypotheses := h.taken(a, with)
			if tried[a] == nil {
				tried[a] = map[string]int64{}
			}
			if tried[a][hypotheses] < try.opts.Steps {
				tried[a][hypotheses] = try.opts.Steps
				rest = append(rest, a)
			}
		}
		h.run(rest, try.opts, with)
	}
}

// taken names the parts among the hypotheses of a that with accepts.
func (h *houdini) taken(a *ask, with func(*ask, int) bool) string {
	if a.Event != nil && a.Event.IsInit() {
		return "" // the initialisation has no candidates among its hypotheses
	}
	bits := make([]byte, len(h.parts)/8+1)
	for i := range h.parts {
		if with(a, i) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	return string(bits)
}

// near returns the parts whose variables all occur in the goal, the guards or the local
// hypotheses of o.
func (h *houdini) near(o *po.Obligation) map[int]bool {
	bank := o.Bank()
	said := map[logic.Term]bool{}
	terms := append([]logic.Term{o.Goal}, o.Local()...)
	if o.Event != nil {
		terms = append(terms, model.Terms(o.Event.Guards)...)
	}
	for _, x := range bank.FreeIdents(terms...) {
		said[x] = true
	}
	out := map[int]bool{}
	for i, ids := range h.idents() {
		out[i] = !slices.ContainsFunc(ids, func(x logic.Term) bool { return h.variables[x] && !said[x] })
	}
	return out
}

// idents returns the identifiers of the parts.
func (h *houdini) idents() [][]logic.Term {
	if h.ids == nil {
		h.variables = map[logic.Term]bool{}
		for _, v := range h.machine.Variables {
			h.variables[v.Term] = true
		}
		for _, x := range h.parts {
			h.ids = append(h.ids, h.dev.Bank.FreeIdents(x.Term))
		}
	}
	return h.ids
}

// run tries to prove each of batch from the parts that with accepts.
func (h *houdini) run(batch []*ask, opts discharge.Options, with func(*ask, int) bool) {
	places := make([][]int, len(batch)) // of the hypotheses in those of the obligation
	get := func(i int) logic.Sequent {
		a := batch[i]
		var s logic.Sequent
		s, places[i] = h.restricted(a.Obligation, func(p int) bool { return with(a, p) })
		return s
	}
	discharge.Run(h.ctx, len(batch), get, opts, func(i int, o verdict.Outcome) {
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
	return h.order[i]
}

// restricted is the sequent of o with, of the parts, those alone that with accepts, and without the guards of an event that is
// dead: they would prove any candidate. places says where its hypotheses stand among those of o.
func (h *houdini) restricted(o *po.Obligation, with func(part int) bool) (s logic.Sequent, places []int) {
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

// settle drops candidates until what remains of the proofs of goals rests on parts whose
// own obligations are all proved: of all candidates those alone are looked at that a
// proof uses. Goals without proof, even from all that live, are given up; if all must be
// proved, one such goal ends it.
func (h *houdini) settle(goals []*ask, must bool) {
	h.begins()
	for open := goals; h.goesOn(); {
		h.round++
		h.prove(open)
		if must && slices.ContainsFunc(open, func(a *ask) bool { return !h.valid(a) }) {
			return
		}
		fell := false
		for needed := []*part(nil); h.goesOn(); {
			more := h.restOn(goals)
			if len(more) == len(needed) {
				break
			}
			needed = more
			if fell = h.fall(needed); fell {
				break
			}
		}
		if !fell {
			return
		}
		if h.release() {
			h.begins()
		}
		// What had no proof with more hypotheses is not asked for again.
		open = slices.DeleteFunc(slices.Clone(goals), func(a *ask) bool { return !a.found.Verdict.Holds() || h.valid(a) })
	}
}

// begins drops the candidates that are not proved to have a value, or to hold after the
// initialisation, even with the help of all others. What is false there may contradict
// all else: proofs would use it, and one false candidate would fall in each round. The
// bound on attempts is one of those that come again, and these do not.
func (h *houdini) begins() {
	before := h.tried
	first := func(a *ask) bool { return a.Kind == po.WD || a.Event != nil && a.Event.IsInit() }
	var batch []*ask
	for _, x := range h.parts[h.own:] {
		for _, a := range x.asks {
			if x.live && first(a) && !h.valid(a) {
				batch = append(batch, a)
			}
		}
	}
	h.prove(batch)
	h.tried = before
	if h.ctx.Err() != nil {
		return
	}
	for _, x := range h.parts[h.own:] {
		i := slices.IndexFunc(x.asks, func(a *ask) bool { return first(a) && !h.valid(a) })
		if x.live && i >= 0 {
			h.drop(x, x.asks[i])
		}
	}
}

// minimise looks for fewer candidates that close the goals which are proved: it leaves out
// one after the other, the last ones first, as long as the rest does. All that was kept is
// kept; what the goals rest on has proofs that use no others.
func (h *houdini) minimise(goals []*ask) {
	goals = slices.DeleteFunc(slices.Clone(goals), func(a *ask) bool { return !h.valid(a) })
	outside, all := *h, markOf(h.parts, goals)
	h.opts.Attempts, h.tried, h.bounded = AimedAttempts, 0, false
	least := h.alone(goals)
	// Rules that guess what proofs lack come late, and are the most special ones: they go first.
	for i := len(h.parts) - 1; i >= h.own && h.goesOn(); i-- {
		x := h.parts[i]
		if !x.live {
			continue
		}
		before := markOf(least, goals)
		x.live, x.fell = false, true
		h.settle(goals, true)
		if !h.goesOn() || slices.ContainsFunc(goals, func(a *ask) bool { return !h.valid(a) }) {
			before.restore()
			continue
		}
		least = h.alone(goals)
	}
	// What remains keeps its new proofs, all else is as it was before.
	for a := range markOf(least, goals).asks {
		delete(all.asks, a)
	}
	all.restore()
	h.opts, h.round, h.tried, h.bounded = outside.opts, outside.round, outside.tried, outside.bounded
	h.killed, h.fallen = outside.killed, outside.fallen
}

// alone lets those candidates alone live that goals rest on, and returns the parts that
// they do.
func (h *houdini) alone(goals []*ask) []*part {
	least := h.restOn(goals)
	for _, x := range h.parts[h.own:] {
		if !slices.Contains(least, x) {
			x.live, x.fell = false, true // nothing weaker is released for it
		}
	}
	return least
}

// mark is which parts lived at a time, and what was known of obligations.
type mark struct {
	parts map[*part]part
	asks  map[*ask]ask
}

// markOf marks parts with their obligations, and others.
func markOf(parts []*part, asks []*ask) mark {
	m := mark{map[*part]part{}, map[*ask]ask{}}
	for _, x := range parts {
		m.parts[x] = *x
		asks = append(slices.Clip(asks), x.asks...)
	}
	for _, a := range asks {
		m.asks[a] = *a
	}
	return m
}

// restore makes all that is marked what it was. The order does not matter.
func (m mark) restore() {
	for x, was := range m.parts {
		x.live, x.fell = was.live, was.fell
	}
	for a, was := range m.asks {
		a.found, a.uses = was.found, was.uses
	}
}

// restOn returns the parts that valid proofs of goals use, and those that the proofs of
// these use.
func (h *houdini) restOn(goals []*ask) []*part {
	used := make([]bool, len(h.parts))
	var visit func(a *ask)
	visit = func(a *ask) {
		if !h.valid(a) {
			return
		}
		for _, i := range a.uses {
			if !used[i] {
				used[i] = true
				for _, next := range h.parts[i].asks {
					visit(next)
				}
			}
		}
	}
	for _, a := range goals {
		visit(a)
	}
	var out []*part
	for i, x := range h.parts {
		if used[i] {
			out = append(out, x)
		}
	}
	return out
}

// result says what became of the candidates.
func (h *houdini) result() *Inductive {
	out := &Inductive{Killed: h.killed, Rounds: h.round, Fallen: h.fallen, Tried: h.tried, Bounded: h.bounded}
	for _, e := range h.machine.Events {
		if h.dead[e.Label] {
			out.Dead = append(out.Dead, e.Label)
		}
	}
	number := h.numbered()
	for i, x := range h.parts[h.own:] {
		i += h.own
		if !x.live && !x.fell {
			out.Implied = append(out.Implied, x.from)
		}
		if _, kept := number[i]; !kept {
			continue
		}
		k := Kept{Candidate: x.from}
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

// numbered numbers the candidates that are kept, by their places among the parts.
func (h *houdini) numbered() map[int]int {
	number := map[int]int{}
	for i, x := range h.parts {
		if i >= h.own && x.live && slices.Contains(h.kept, x) {
			number[i] = len(number)
		}
	}
	return number
}

// goals are the obligations of open, as they are asked of the machine with the
// candidates; of a part the same that it is asked for.
func (h *houdini) goals(open []Target) []*ask {
	var out []*ask
	for _, o := range h.all {
		wanted := slices.ContainsFunc(open, func(t Target) bool { return t.Name == o.Name })
		if !wanted || slices.ContainsFunc(out, func(a *ask) bool { return a.Name == o.Name }) {
			continue
		}
		goal := &ask{Obligation: o}
		for _, x := range h.parts[:h.own] {
			for _, a := range x.asks {
				if a.Obligation == o {
					goal = a
				}
			}
		}
		out = append(out, goal)
	}
	return out
}

// know takes over what was found of the obligations of the machine without candidates.
func (h *houdini) know(found map[string]verdict.Outcome) {
	for _, x := range h.parts[:h.own] {
		for _, a := range x.asks {
			o, ok := found[a.Name]
			if !ok || !o.Verdict.Holds() {
				continue
			}
			a.found = o
			for _, at := range slices.Concat(o.Used, o.UsedWD) {
				// Without candidates the own invariants stand in their order.
				if p := at - h.first; p >= 0 && p < h.own && (a.Event == nil || !a.Event.IsInit()) {
					a.uses = append(a.uses, p)
				}
			}
		}
	}
}
