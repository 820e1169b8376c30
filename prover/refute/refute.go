// Package refute searches for counterexamples to sequents: models with small carrier sets in
// which the hypotheses hold and the goal does not.
//
// A scope bounds carrier sets and integers. In a scope, a formula becomes a condition on
// propositional variables: one for each possible member of a set, and one for each possible
// value of a scalar. Quantifiers are expanded. A satisfying assignment is a candidate. It
// counts only once package eval has confirmed it exactly, under the well-definedness conditions
// of hypotheses and goal. So the encoding may approximate formulas about all integers.
package refute

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/internal/sat"
)

// Counterexample is a model that refutes a sequent.
type Counterexample struct {
	// Model gives every carrier set a size, and every free identifier of the
	// sequent a value. It is written without the identifiers that a hypothesis
	// defines as an infinite set of another form than eval.ReadModel tells;
	// Confirm puts them back.
	Model *eval.Model
	// Shown names the identifiers that matter to a reader: those of the goal,
	// and those that the hypotheses about them mention.
	Shown []string
	// Part is the subterm of the goal that is false, in the bank and with the
	// hints of the sequent.
	Part logic.Term
	// Values are the values of the variables bound around Part, the innermost
	// last.
	Values []eval.Value
	// Claims are the conditions that the evaluator does not decide in Model, with the certificates that
	// show them; none if it decides all.
	Claims []Claim
	// Integers are carrier sets for which the integers stand, none in most counterexamples: Whole is then a model of the sequent
	// with ℤ in their places, see [Integral], and Model is what it says of the identifiers whose types do not mention them.
	Integers []string
	Whole    *eval.Model
}

// scope bounds the models of one attempt.
type scope struct {
	carrier int  // elements of each carrier set, at most
	ints    int  // integers to choose from, at most
	width   int  // possible members of a set variable, at most
	arrays  bool // functions to sets are arrays
}

// scopes go from small to large, first in carriers and then in integers and sets, as
// most counterexamples are small and the work grows fast.
var scopes = []scope{
	{carrier: 1, ints: 3, width: 8}, {carrier: 1, ints: 8, width: 64}, {carrier: 2, ints: 4, width: 16}, {carrier: 2, ints: 10, width: 100},
	{carrier: 3, ints: 10, width: 100}, {carrier: 3, ints: 20, width: 200}, {carrier: 4, ints: 14, width: 200}, {carrier: 5, ints: 40, width: 400},
}

// smallScopes is how many of the scopes there are in which the values of a function to sets may be listed
// as pairs, each of them one possible member: in larger ones these are too many.
const smallScopes = 4

// scopes lists the scopes of the sequent. Where it has functions to sets, they are arrays in the
// larger ones. Where it asks for more elements of a carrier set than the largest one has, another
// one has room for them, and for numbers of each.
func (f *finder) scopes() []scope {
	out := slices.Clone(scopes)
	if last, n := out[len(out)-1], f.elements(); n > last.carrier {
		out = append(out, scope{carrier: n, ints: last.ints, width: n * last.ints})
	}
	for id := range f.typing {
		if f.arrayOf(id) != 0 {
			for i := range out[smallScopes:] {
				out[smallScopes+i].arrays = true
			}
			out = slices.Insert(out, smallScopes, scope{carrier: 2, ints: 10, width: 100, arrays: true})
			break
		}
	}
	if f.listsAll {
		return out[smallScopes:]
	}
	return out
}

// maxNamed bounds the elements of each carrier set where many have names.
const maxNamed = 30

// maxVariables bounds the propositional variables of an attempt.
const maxVariables = 150_000

// maxWork bounds the size of the gates of an attempt.
const maxWork = 400_000

// scopeShare is the part of what is left that solving the conditions of one scope may take.
const scopeShare = 3

// candidates is how many assignments of one scope are tried.
const candidates = 10

// Find looks for a counterexample to s within a number of steps and returns the
// steps taken. The answer depends on the bare sequent and the number alone.
func Find(s logic.Sequent, steps int) (*Counterexample, int) {
	return Search(s, Options{Steps: steps})
}

// Options bound a search.
type Options struct {
	Steps int
	// Prove, if not nil, looks for proofs of the conditions that the evaluator does not decide; its
	// steps count.
	Prove Prover
	// Stop, if not nil, ends the search soon once it reports true.
	Stop func() bool
}

// Search is Find with options.
func Search(sequent logic.Sequent, opts Options) (*Counterexample, int) {
	if opts.Stop == nil {
		opts.Stop = func() bool { return false }
	}
	taken := 0
	if opts.Prove != nil {
		if asides := asidesOf(sequent); len(asides) > 0 {
			x, n, stuck := searchApart(sequent, opts, asides)
			if !stuck {
				return x, n
			}
			taken = n
			opts.Steps -= n
		}
		// What stands apart may need an infinite carrier set: then the integers stand for it.
		sets, n := needInfinity(sequent, opts)
		taken += n
		opts.Steps -= n
		if len(sets) > 0 {
			whole, granted := Integral(sequent, sets), opts
			granted.Steps = opts.Steps / 2
			x, n, _ := searchApart(whole, granted, asidesOf(whole))
			taken += n
			opts.Steps -= n
			if x != nil {
				return WithIntegers(sequent, x, sets), taken
			}
		}
	}
	x, n, _ := searchApart(sequent, opts, nil)
	return x, taken + n
}

// searchApart is Search that looks for the values of what is aside apart from the rest; it is
// stuck if it finds none.
func searchApart(sequent logic.Sequent, opts Options, asides []*aside) (x *Counterexample, taken int, stuck bool) {
	steps := opts.Steps
	rules := []rule{constant, tabled, identity}
	if opts.Prove != nil && hasExtremum(sequent, asides...) {
		rules = slices.Insert(rules, 0, extreme)
	}
	for _, by := range rules {
		f := newFinder(sequent, steps, by, asides...)
		f.prove, f.proving, f.stop = opts.Prove, min(claimsSteps, steps/2), opts.Stop
		last := by != extreme && (len(f.ids) == 0 || by == numRules-1)
		reserve := 0
		if !last {
			reserve = steps / 2
			f.steps -= reserve
		}
		x := f.search(sequent)
		steps = max(f.steps, 0) + reserve
		if x != nil || last || f.stuck {
			return x, opts.Steps - steps, f.stuck
		}
	}
	return nil, opts.Steps - steps, false
}

// search tries one scope after the other until a countermodel is found or the steps are used up.
func (f *finder) search(sequent logic.Sequent) *Counterexample {
	if f.contradictory {
		f.steps--
		return nil
	}
	for _, sc := range f.scopes() {
		if f.steps <= 0 || f.stop() || f.stuck {
			break
		}
		if model := f.try(sc); model != nil {
			return f.explain(sequent, model)
		}
		if f.small && sc.carrier > 1 {
			break
		}
	}
	if model := f.tryInfinite(); model != nil && !f.stuck {
		return f.explain(sequent, model)
	}
	return nil
}

// Confirm decides exactly whether m, which may come from anywhere, is a
// counterexample to s; if so, it returns it as Search does, and nil otherwise.
// Identifiers that m lacks get the values by which hypotheses define them. What the evaluator does
// not decide must be among the claims, whose certificates the kernel checks.
func Confirm(s logic.Sequent, m *eval.Model, claims ...Claim) *Counterexample {
	f := finderOf(s, 1<<20, constant, func(name string) bool { return !m.Writes(name) })
	if len(claims) == 0 {
		m = f.complete(m)
		if eval.New(f.s.Bank, m, 1<<20).Refutes(f.s) != eval.True {
			return nil
		}
		return f.explain(s, m)
	}
	m = m.In(f.s.Bank).Clone()
	// Equations say of these that they have the values of their definitions.
	for id := range f.definition {
		delete(m.Values, f.s.Bank.Name(id))
	}
	m = f.complete(m)
	conditions, ok := eval.New(f.s.Bank, m, 1<<20).Undecided(f.s, maxClaims)
	if !ok {
		return nil
	}
	for _, condition := range conditions {
		i := slices.IndexFunc(claims, func(c Claim) bool { return c.Condition == condition })
		if i < 0 {
			return nil
		}
		c, ok := f.certified(m, condition, claims[i].Certificate)
		if !ok {
			return nil
		}
		f.claimed = append(f.claimed, c)
	}
	return f.explain(s, m)
}

// newFinder returns a finder that leaves the hypotheses aside out of its encoding.
func newFinder(sequent logic.Sequent, steps int, by rule, asides ...*aside) *finder {
	return finderOf(sequent, steps, by, func(string) bool { return by == extreme }, asides...)
}

// finderOf is newFinder where the extrema of some names are defined.
func finderOf(sequent logic.Sequent, steps int, by rule, extrema func(name string) bool, asides ...*aside) *finder {
	f := &finder{s: sequent.Bare(), steps: steps, stop: func() bool { return false }, valid: map[eval.Condition]Claim{}, spent: map[eval.Condition]int{}, sought: map[string]Claim{}, names: map[string]bool{}, asides: asides}
	bank := f.s.Bank
	for i, hypothesis := range f.s.Hyps {
		if !slices.ContainsFunc(asides, func(a *aside) bool { return slices.Contains(a.hyps, i) }) {
			f.core = append(f.core, hypothesis)
		}
	}
	var conditions []logic.Term
	for _, hypothesis := range f.core {
		conditions = append(conditions, bank.D(hypothesis), hypothesis)
	}
	conditions = append(conditions, bank.D(f.s.Goal))
	for _, id := range bank.FreeIdents(append(slices.Clone(f.s.Hyps), f.s.Goal)...) {
		f.names[bank.Name(id)] = true
	}
	// Definitions among the hypotheses are unfolded before encoding: an identifier that is defined
	// needs no variables, and its definition no constraint.
	f.known = learn(bank, f.core)
	f.plain = maps.Clone(f.unfold)
	f.extrema = f.defineExtrema(bank, f.core, extrema)
	f.definition = maps.Clone(f.unfold)
	f.choose(by)
	for _, term := range append(slices.Clone(f.asked), conditions...) {
		if term, ok := f.encoded(term); ok && !f.settled(term) && !f.stretches(bank.Subst(term, f.definition)) {
			f.asserted = append(f.asserted, term)
		}
	}
	f.goal = bank.Subst(f.applied(bank.Subst(f.s.Goal, f.definition), map[logic.Term]logic.Term{}), f.unfold)
	f.restrict(bank, f.asserted)
	f.small, f.listsAll = true, true
	// Carriers, literals and finiteness decide what a scope has to offer. The original sequent
	// is looked at too: the model must give values to all that occurs in it.
	types, terms := map[logic.Type]bool{}, map[logic.Term]bool{}
	var inType func(typ logic.Type)
	inType = func(typ logic.Type) {
		if types[typ] {
			return
		}
		types[typ] = true
		switch bank.TypeKind(typ) {
		case logic.KindGiven:
			f.carriers = append(f.carriers, bank.GivenName(typ))
			f.small = false
			f.listsAll = f.listsAll && f.listed[bank.GivenName(typ)] != nil
		case logic.KindInt:
			f.small, f.listsAll = false, false
		case logic.KindPow:
			inType(bank.Elem(typ))
		case logic.KindProd:
			left, right := bank.Pair(typ)
			inType(left)
			inType(right)
		}
	}
	var inTerm func(term logic.Term)
	inTerm = func(t logic.Term) {
		if terms[t] {
			return
		}
		terms[t] = true
		inType(bank.Type(t))
		op := bank.Op(t)
		if op.IsBinder() {
			for _, typ := range bank.Decls(t) {
				inType(typ)
			}
		}
		f.finiteness = f.finiteness || op == logic.Finite
		f.counts = f.counts || sizes(bank, t)
		if op == logic.Int {
			f.numbers = append(f.numbers, bank.Value(t))
		}
		for _, a := range bank.Args(t) {
			inTerm(a)
		}
	}
	for _, term := range append(slices.Concat(f.asserted, f.s.Hyps), f.goal, f.s.Goal) {
		inTerm(term)
	}
	slices.Sort(f.carriers)
	// A carrier set larger than its named elements and a few more shows nothing new.
	named := map[logic.Type]int{}
	for term := range terms {
		if bank.Op(term) == logic.Free && bank.TypeKind(bank.Type(term)) == logic.KindGiven {
			named[bank.Type(term)]++
			f.named = max(f.named, named[bank.Type(term)])
		}
	}
	return f
}

// try looks for a counterexample in a scope.
func (f *finder) try(sc scope) *eval.Model {
	c := f.encoder(sc)
	defer c.rest()
	lazy := &lazy{encoder: c}
	for _, term := range f.asserted {
		lazy.require(term)
	}
	goal := c.pred(f.goal, denied)
	c.require(goal.Not())
	// Identifiers that do not occur in the encoding need a value, too.
	for _, term := range slices.Concat(f.s.Bank.FreeIdents(append(slices.Clone(f.core), f.s.Goal)...), f.made) {
		if _, ok := f.unfold[term]; ok || c.over {
			continue
		}
		if _, ok := c.array(term); !ok {
			c.identifier(term)
		}
	}
	f.steps -= min(f.steps, maxWork) - c.work
	if c.over {
		return nil
	}
	c.solver.Stop = f.stop
	// Where the conditions approximate, a candidate may fail: then its values are excluded
	// and the solver goes on. Four of its steps cost about as much as one of ours. A scope that is hard
	// to exclude leaves most of the budget to the others, in one of which a counterexample may be easy.
	for tries := 0; tries < candidates && f.steps > 0; {
		c.solver.Limit = c.solver.Steps + int64(max(f.steps/scopeShare, 1))*4
		before := c.solver.Steps
		status := c.solver.Solve()
		f.steps -= int(c.solver.Steps-before) / 4
		if status != sat.Sat {
			return nil
		}
		model, ok := f.joined(f.complete(c.model()))
		if !ok {
			return nil
		}
		// An instance that fails is one of elements that the scope has.
		if len(f.stretched) > 0 {
			if lazy.refine(f, model) {
				continue
			}
			model = f.stretch(model)
		}
		e := eval.New(f.s.Bank, model, f.judging())
		n := e.Steps()
		res := e.Refutes(f.s)
		f.steps -= n - e.Steps()
		// Equations that say what a thousand elements are would be more than a prover can use.
		if res == eval.True || res == eval.Unknown && len(f.stretched) == 0 && f.claim(model) {
			return model
		}
		if res == eval.False && len(f.stretched) == 0 && lazy.refine(f, model) {
			continue
		}
		c.exclude()
		tries++
	}
	return nil
}

// judging is how many steps the evaluator may take for one candidate. It spends all of them in vain on what is said of an extremum.
func (f *finder) judging() int {
	if len(f.extrema) > 0 {
		return min(max(f.steps, 0), guessSteps)
	}
	return min(max(f.steps, 0), 1<<19)
}

// claim reports whether m is a counterexample by claims, and keeps them.
func (f *finder) claim(m *eval.Model) bool {
	if f.prove == nil || f.proving <= 0 {
		return false
	}
	e := eval.New(f.s.Bank, m, f.judging())
	n := e.Steps()
	conditions, ok := e.Undecided(f.s, maxClaims)
	f.steps -= n - e.Steps()
	if !ok {
		return false
	}
	claims, ok := f.claims(m, conditions)
	if ok {
		f.claimed = claims
	}
	return ok
}

// settled reports whether closed predicate t needs no encoding, as no model makes it true or false: it
// is trivial, or speaks of no identifiers and carrier sets.
func (f *finder) settled(t logic.Term) bool {
	bank := f.s.Bank
	if bank.Op(t) == logic.True || bank.Op(t) == logic.Eq && bank.Arg(t, 0) == bank.Arg(t, 1) {
		return true
	}
	if len(f.mentions(t)) > 0 {
		return false
	}
	absolute := true
	f.typesOf(t, func(string) { absolute = false })
	if absolute && eval.New(bank, eval.NewModel(), settledSteps).Pred(t) == eval.False {
		f.contradictory = true
	}
	return absolute
}

// settledSteps is what is spent to find that a predicate without identifiers is false.
const settledSteps = 5_000

// encoder prepares the encoding of formulas for a scope.
func (f *finder) encoder(sc scope) *encoder {
	space := eval.NewSpace()
	c := &encoder{
		circuit: newCircuit(maxVariables, min(f.steps, maxWork)), b: f.s.Bank, space: space, ints: f.integers(space, sc.ints),
		exist: map[string][]lit{}, endless: f.endless, width: sc.width, typing: f.typing, arrays: map[logic.Term]array{},
		constants: map[eval.Value]*symbol{}, domains: map[domainKey][]choice{}, sizes: map[domainKey]int{}, free: map[logic.Term]*symbol{},
		preds: map[memoKey]lit{}, exprs: map[memoKey]*symbol{}, masks: map[maskKey]uint64{},
	}
	if sc.arrays {
		c.arrayOf = f.arrayOf
	}
	for _, name := range f.carriers {
		if elems, ok := f.listed[name]; ok {
			for i, id := range elems {
				c.exist[name] = append(c.exist[name], yes)
				c.free[id] = c.constant(space.Element(name, i))
				c.idents = append(c.idents, id)
			}
			continue
		}
		// Elements exist from the first on without gaps: one size, one order of names.
		exist := []lit{yes}
		for range sc.carrier - 1 {
			literal := yes
			if !c.endless[name] {
				literal = c.fresh()
				c.require(literal.Not(), exist[len(exist)-1])
			}
			exist = append(exist, literal)
		}
		c.exist[name] = exist
	}
	return c
}

// model reads the model that the solver found.
func (c *encoder) model() *eval.Model {
	m := eval.NewModel()
	m.Space = c.space
	for name, exist := range c.exist {
		n := 0
		for _, literal := range exist {
			if c.solver.Value(literal) > 0 {
				n++
			}
		}
		m.Carriers[name] = n
		if c.endless[name] {
			m.Carriers[name] = eval.Infinite
		}
	}
	for _, term := range c.idents {
		if a, ok := c.arrays[term]; ok {
			m.Values[c.b.Name(term)] = c.readArray(a)
			continue
		}
		m.Values[c.b.Name(term)] = c.read(c.free[term])
	}
	return m
}

func (c *encoder) read(x *symbol) eval.Value {
	if x.shape == pair {
		return c.space.Pair(c.read(x.l), c.read(x.r))
	}
	var vs []eval.Value
	for _, choice := range x.choices {
		if c.solver.Value(choice.on) > 0 {
			vs = append(vs, choice.v)
		}
	}
	if x.shape == scalar {
		return vs[0]
	}
	return c.space.Set(vs...)
}

// exclude forbids the values that the solver gave the identifiers.
func (c *encoder) exclude() {
	var out []lit
	var walk func(x *symbol)
	walk = func(x *symbol) {
		if x.shape == pair {
			walk(x.l)
			walk(x.r)
			return
		}
		// A choice that is on must go off, or one that is off in a set must come on, for the value to be another one.
		for _, choice := range x.choices {
			if c.solver.Value(choice.on) > 0 {
				out = append(out, choice.on.Not())
			} else if x.shape == set {
				out = append(out, choice.on)
			}
		}
	}
	for _, term := range c.idents {
		a, ok := c.arrays[term]
		if !ok {
			walk(c.free[term])
		}
		for _, e := range a {
			if c.solver.Value(e.on) > 0 {
				out = append(out, e.on.Not())
				walk(e.value)
			} else {
				out = append(out, e.on)
			}
		}
	}
	c.require(out...)
}

// explain completes counterexample m.
func (f *finder) explain(s logic.Sequent, m *eval.Model) *Counterexample {
	m = m.Settled(f.s.Bank)
	path, values := eval.New(f.s.Bank, m, 1<<18).Failing(f.s.Goal)
	part := s.Goal
	for _, i := range path {
		part = s.Bank.Arg(part, i)
	}
	return &Counterexample{Model: m, Shown: f.shownNames(), Part: part, Values: values, Claims: f.claimed}
}

// shownNames returns the identifiers of the goal and those of hypotheses that
// mention no others but one.
func (f *finder) shownNames() []string {
	bank := f.s.Bank
	names := map[logic.Term]bool{}
	for _, term := range bank.FreeIdents(f.s.Goal) {
		names[term] = true
	}
	for _, hypothesis := range f.s.Hyps {
		ids := bank.FreeIdents(hypothesis)
		known := 0
		for _, term := range ids {
			if names[term] {
				known++
			}
		}
		if known > 0 && known == len(ids)-1 {
			for _, term := range ids {
				names[term] = true
			}
		}
	}
	var out []string
	for term := range names {
		out = append(out, bank.Name(term))
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}
