package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// Options bound and direct one attempt.
type Options struct {
	Hyps      []int           // hypotheses to use, by index, the most relevant first
	WDs       bool            // use D of these hypotheses and of the goal
	NoGoal    bool            // leave the goal out
	Steps     int64           // of work
	Start     int             // generation that is let in first
	Gens      int             // greatest generation
	Enumerate bool            // instantiate by enumeration when all else is done
	Solve     bool            // find instances by solving for bound variables when little else is left
	Sums      bool            // instantiate by applications to sums of a variable and a number
	Axioms    []kernel.Step   // instances of axioms and lemmas to start with
	Only      map[string]bool // lemmas of the library that a lemma's proof may use; nil for all
	Stop      func() bool     // ends the attempt when it reports true; nil to run to the end
}

// Outcome is the end of an attempt.
type Outcome struct {
	Proof     *kernel.Proof // nil if none was found
	Saturated bool          // nothing was left to try
	Stopped   bool          // Options.Stop ended the attempt
	Model     []kernel.Lit  // if no proof was found: the literals that were true at the end
	Counters
}

// Counters measure the work of an attempt.
type Counters struct {
	Steps, Conflicts, Decisions int64
	Instances, Clauses, Atoms   int
}

// engine is the state of an attempt.
type engine struct {
	b     *logic.Bank
	seq   logic.Sequent
	opts  Options
	sat   *sat.Solver
	g     *euf.Graph
	ar    *arithmetic
	steps int64

	ask     int64 // work at which Options.Stop is called again
	stopped bool  // it reported true

	vars  []sat.Var // by term: variable + 1 of an atom
	atoms []logic.Term
	nodes []euf.Node // by variable
	gens  []int16    // by variable
	ctx   int16      // generation of what is being worked on

	origin   [][]kernel.Step // by clause; nil for learned ones
	done     []bool          // by literal: unfolded
	defs     [][]sat.ID      // by literal: clauses it guards that need a decision
	pending  [][]sat.Lit     // by generation: literals to unfold
	limit    int16           // generation up to which literals are unfolded
	frontier []sat.ID
	head     int
	marks    []frontMark
	late     []lateEntry
	splits   []sat.Var // atoms to decide when nothing else is left
	isSplit  map[sat.Var]bool

	nodeGen  []int16 // by node
	relevant []bool  // by node
	byOp     [logic.NumOps][]euf.Node
	fresh    []euf.Node // relevant nodes not yet offered to rules
	recent   []sat.Lit  // memberships that became true or false
	merged   []euf.Node // members of set classes that grew
	interest []bool     // by node: sets whose elements should be known

	quants     []*quant
	choices    []int8   // by term: 1 if it depends on a witness, -1 if not
	waiting    []*quant // rules that come in when it matters whether a set is finite
	byPattern  [logic.NumOps][]offerTo
	byElement  map[euf.Node][]offerTo  // patterns x∈s, by ground s
	byShape    [logic.NumOps][]offerTo // patterns x∈op(…)
	byUse      [logic.NumOps][]offerTo // patterns x∈s that go with op(s)
	uses       map[euf.Node][]logic.Op // the op of relevant terms op(s), by s
	idle       []*matching
	quantOf    map[sat.Lit]*quant
	instances  map[string]bool
	made       int
	functional []functional
	ofPairs    map[logic.Term]logic.Term // the formula that says of a relation that it is functional: its membership
	exhibited  map[logic.Term][]sat.Lit  // by ∃: instances known to imply it
	unchosen   []sat.Lit                 // ∃ that had a witness when they became true
	asked      map[askKey]bool
	stage      finalStage
	rounds     int
	solved     int
	sized      bool // it matters whether some set is finite
	deferred   []deferred
}

type frontMark struct{ frontier, head int }

// lateEntry is a clause that came to the frontier at a level above that of its guard.
type lateEntry struct {
	id    sat.ID
	level int
}

// Refute tries to derive a contradiction from the chosen hypotheses and the
// negated goal of the bare sequent s, whose bank grows.
func Refute(s logic.Sequent, opts Options) Outcome {
	e := &engine{
		b: s.Bank, seq: s, opts: opts, isSplit: map[sat.Var]bool{},
		byElement: map[euf.Node][]offerTo{}, uses: map[euf.Node][]logic.Op{}, ofPairs: map[logic.Term]logic.Term{}, quantOf: map[sat.Lit]*quant{}, instances: map[string]bool{}, asked: map[askKey]bool{}, exhibited: map[logic.Term][]sat.Lit{}, limit: int16(min(opts.Gens, opts.Start)),
	}
	e.g = euf.New(s.Bank)
	e.g.Merged = e.onMerge
	e.sat = sat.New(e)
	e.ar = newArithmetic(e)
	e.ar.s.Only = opts.Only
	e.g.Propagate()
	e.state()
	e.addRules()
	out := Outcome{}
	switch e.sat.Solve() {
	case sat.Unsat:
		out.Proof = e.proof()
	case sat.Unknown:
		out.Saturated, out.Stopped = e.stage == saturated, e.stopped
		for _, l := range e.sat.Trail() {
			if !connective(e.b.Op(e.atoms[l.Var()])) {
				out.Model = append(out.Model, e.kernelLit(l))
			}
		}
	}
	out.Counters = Counters{e.work(), e.sat.Conflicts, e.sat.Decisions, e.made, e.sat.Clauses(), len(e.atoms)}
	return out
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
	for _, step := range e.opts.Axioms {
		if c, err := kernel.ClauseOf(e.seq, step); err == nil {
			if lits, ok := e.lits(c); ok {
				e.decideLater(e.addLits(lits, step))
			}
		}
	}
	if !e.opts.WDs {
		return
	}
	top := e.b.App(logic.True)
	if d := e.b.Bare(e.b.D(e.seq.Goal)); d != top && !e.opts.NoGoal {
		e.assume(kernel.Step{Kind: kernel.WDGoal}, kernel.LitOf(e.b, d))
	}
	for _, i := range e.opts.Hyps {
		if d := e.b.Bare(e.b.D(e.seq.Hyps[i])); d != top {
			e.assume(kernel.Step{Kind: kernel.WD, Index: i}, kernel.LitOf(e.b, d))
		}
	}
}

func (e *engine) assume(step kernel.Step, l kernel.Lit) {
	e.add(kernel.Clause{l}, step)
}

// work returns the steps spent so far.
func (e *engine) work() int64 { return e.steps + e.sat.Steps + e.g.Steps + e.ar.s.Work }

// stopEvery is the number of steps between two calls of Options.Stop: a fraction of a
// millisecond.
const stopEvery = 1000

// spent reports whether the budget is used up, or the caller wants no more.
func (e *engine) spent() bool {
	work := e.work()
	if e.opts.Stop != nil && work >= e.ask && !e.stopped {
		e.ask = work + stopEvery
		e.stopped = e.opts.Stop()
	}
	return e.stopped || e.opts.Steps > 0 && work > e.opts.Steps
}

// atom returns the variable of predicate t, which is canonical (kernel.LitOf).
func (e *engine) atom(t logic.Term) sat.Var {
	if int(t) < len(e.vars) && e.vars[t] != 0 {
		return e.vars[t] - 1
	}
	for len(e.vars) <= int(t) {
		e.vars = append(e.vars, 0)
	}
	v := e.sat.NewVar()
	e.vars[t] = v + 1
	n := e.node(t)
	e.atoms = append(e.atoms, t)
	e.nodes = append(e.nodes, n)
	gen := max(e.ctx, 0)
	if !connective(e.b.Op(t)) {
		gen = 0
		for _, a := range e.g.Args(n) {
			gen = max(gen, e.nodeGen[a])
		}
	}
	e.gens = append(e.gens, gen)
	e.done = append(e.done, false, false)
	e.defs = append(e.defs, nil, nil)
	for len(e.interest) < e.g.Len() {
		e.interest = append(e.interest, false)
	}
	e.g.Watch(n)
	e.ar.register(v, t)
	e.onAtom(v, t)
	return v
}

func connective(op logic.Op) bool {
	switch op {
	case logic.True, logic.False, logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff, logic.Forall, logic.Exists:
		return true
	}
	return false
}

// node returns the node of t and gives new nodes their generation.
func (e *engine) node(t logic.Term) euf.Node {
	n := e.g.Node(t)
	for len(e.nodeGen) < e.g.Len() {
		e.nodeGen = append(e.nodeGen, e.ctx+1)
		e.relevant = append(e.relevant, false)
		e.interest = append(e.interest, false)
	}
	return n
}

// lit returns the literal of a canonical kernel literal.
func (e *engine) lit(l kernel.Lit) sat.Lit {
	v := e.atom(l.Atom())
	if l.Negated() {
		return sat.Neg(v)
	}
	return sat.Pos(v)
}

func (e *engine) litOf(t logic.Term) sat.Lit { return e.lit(kernel.LitOf(e.b, t)) }

// kernelLit is the inverse of lit.
func (e *engine) kernelLit(l sat.Lit) kernel.Lit {
	t := e.atoms[l.Var()]
	if l.IsNeg() {
		return kernel.Neg(t)
	}
	return kernel.Pos(t)
}

func (e *engine) kernelClause(lits []sat.Lit) kernel.Clause {
	c := make(kernel.Clause, len(lits))
	for i, l := range lits {
		c[i] = e.kernelLit(l)
	}
	return c
}

// lits returns the literals of c without repetitions, and false if c is a tautology.
func (e *engine) lits(c kernel.Clause) ([]sat.Lit, bool) {
	out := make([]sat.Lit, 0, len(c))
	for _, k := range c {
		l := e.lit(k)
		if slices.Contains(out, l.Not()) {
			return nil, false
		}
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out, true
}

// add adds clause c, which the last of the steps states.
func (e *engine) add(c kernel.Clause, steps ...kernel.Step) sat.ID {
	lits, ok := e.lits(c)
	if !ok {
		return sat.NoID
	}
	return e.addLits(lits, steps...)
}

func (e *engine) addLits(lits []sat.Lit, steps ...kernel.Step) sat.ID {
	id := e.sat.Add(lits...)
	e.record(id, steps)
	return id
}

// reason adds a clause that only explains a propagation or conflict.
func (e *engine) reason(lits []sat.Lit, steps ...kernel.Step) sat.ID {
	id := e.sat.AddReason(lits...)
	e.record(id, steps)
	return id
}

func (e *engine) record(id sat.ID, steps []kernel.Step) {
	for len(e.origin) <= int(id) {
		e.origin = append(e.origin, nil)
	}
	e.origin[id] = steps
}

// guarded adds clause c, which matters when guard is true: then one of its
// other literals has to be made true.
func (e *engine) guarded(guard sat.Lit, c kernel.Clause, step kernel.Step) {
	lits, ok := e.lits(c)
	if !ok {
		return
	}
	id := e.addLits(lits, step)
	if len(lits) > 2 || len(lits) == 2 && !slices.Contains(lits, guard.Not()) {
		e.defs[guard] = append(e.defs[guard], id)
		if e.sat.Value(guard) > 0 {
			e.frontier = append(e.frontier, id)
			if at := e.sat.LevelOf(guard); at < e.sat.Level() {
				e.late = append(e.late, lateEntry{id, at})
			}
		}
	}
}

// decideLater puts clause id on the frontier, guarded by those of its literals
// that are false.
func (e *engine) decideLater(id sat.ID) {
	if id == sat.NoID {
		return
	}
	at := 0
	for _, l := range e.sat.Lits(id) {
		if e.sat.Value(l) < 0 {
			e.defs[l.Not()] = append(e.defs[l.Not()], id)
			at = max(at, e.sat.LevelOf(l))
		}
	}
	e.frontier = append(e.frontier, id)
	if at < e.sat.Level() {
		e.late = append(e.late, lateEntry{id, at})
	}
}

// axiom adds the clauses of an instance of the named schema; if a guard is given
// (not NoLit), only those that contain its complement.
func (e *engine) axiom(guard sat.Lit, name string, args ...logic.Term) bool {
	return e.schema(guard, kernel.Lookup(name), args...)
}

func (e *engine) schema(guard sat.Lit, s *kernel.Schema, args ...logic.Term) bool {
	cs, err := s.Clauses(e.b, args...)
	if err != nil {
		return false
	}
	e.steps += int64(len(cs))
	kind := kernel.Axiom
	if s.Lemma() {
		kind = kernel.Lemma
	}
	for i, c := range cs {
		step := kernel.Step{Kind: kind, Name: s.Name, Index: i, Terms: args}
		switch {
		case guard == sat.NoLit:
			e.add(c, step)
		case slices.Contains(c, e.kernelLit(guard).Not()):
			e.guarded(guard, c, step)
		}
	}
	return true
}

// split asks for a decision on the atom of l once nothing else is left.
func (e *engine) split(v sat.Var) {
	if !e.isSplit[v] {
		e.isSplit[v] = true
		e.splits = append(e.splits, v)
	}
}
