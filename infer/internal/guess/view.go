package guess

import (
	"context"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
)

// view is a machine as rules look at it: what is declared, what stands in its guards
// and actions, and a bank to build candidates in.
type view struct {
	ctx     context.Context
	b       *logic.Bank
	m       *model.Machine
	threads *model.Threads
	samples []Sample
	open    []Lack
	names   int // given to what quantifiers bind

	vars      []logic.Term // of the machine; then those that have disappeared
	concrete  int
	consts    []logic.Term
	variable  map[logic.Term]bool
	constant  map[logic.Term]bool
	initial   map[logic.Term]logic.Term // by variable: the value that INITIALISATION gives it
	steps     []step
	terms     []logic.Term              // expressions over variables and constants that occur in the machine
	literals  []logic.Term              // predicates over them that occur there
	facts     []logic.Term              // conjuncts of axioms and invariants
	rank      map[logic.Term]int64      // of the elements of enumerated sets
	functions map[logic.Term]logic.Term // variable that a fact makes a total function: its domain

	rule   string
	origin Origin
	made   int
	seen   map[logic.Term]bool // bare facts and candidates
	number map[logic.Term]int  // bare candidates: their places
	out    []Candidate
}

// step is an event without its name: x ≔ e under guards. The initialisation is none.
type step struct {
	event  *model.Event
	guards []logic.Term // conjuncts
	params []logic.Term
	sets   []assignment
}

// assignment gives a variable a value; the value is 0 if it is not determined.
type assignment struct{ to, value logic.Term }

// newView reads what guesses are made from: the formulas of a machine, its steps, and its open obligations.
func newView(ctx context.Context, dev *model.Development, m *model.Machine, clues Clues) *view {
	v := &view{
		ctx: ctx, b: dev.Bank.Extend(), m: m, threads: clues.Threads, samples: clues.Samples, open: clues.Open,
		variable: map[logic.Term]bool{}, constant: map[logic.Term]bool{}, initial: map[logic.Term]logic.Term{},
		functions: map[logic.Term]logic.Term{}, seen: map[logic.Term]bool{}, number: map[logic.Term]int{},
	}
	if v.threads == nil {
		v.threads = &model.Threads{}
	}
	for _, x := range m.Variables {
		if v.variable[x.Term] = true; x.Concrete {
			v.vars = append(v.vars, x.Term)
		}
	}
	v.concrete = len(v.vars)
	for _, x := range m.Variables {
		if x.Abstract && !x.Concrete {
			v.vars = append(v.vars, x.Term)
		} else if !x.Concrete {
			delete(v.variable, x.Term) // it disappeared further up
		}
	}
	for _, c := range m.Contexts {
		for _, k := range c.Constants {
			v.consts = append(v.consts, k.Term)
			v.constant[k.Term] = true
		}
	}
	for _, p := range m.Facts() {
		v.seen[v.b.Bare(p.Term)] = true
		v.facts = append(v.facts, formula.Conjuncts(v.b, p.Term)...)
	}
	for _, p := range v.facts {
		v.seen[v.b.Bare(p)] = true
		v.function(p)
	}
	for _, e := range m.Events {
		v.event(e)
	}
	v.ranks()
	v.harvest()
	return v
}

// function takes note of a fact f ∈ A → B.
func (v *view) function(p logic.Term) {
	if v.b.Op(p) != logic.In || !v.variable[v.b.Arg(p, 0)] {
		return
	}
	if a, ok := v.b.Op(v.b.Arg(p, 1)).Arrow(); ok && a.Functional && a.Total {
		v.functions[v.b.Arg(p, 0)] = v.b.Arg(v.b.Arg(p, 1), 0)
	}
}

// event reads an event as a step: its guards, its parameters, and what it assigns.
func (v *view) event(e *model.Event) {
	s := step{event: e}
	for _, g := range e.Guards {
		s.guards = append(s.guards, formula.Conjuncts(v.b, g.Term)...)
	}
	for _, p := range e.Parameters {
		s.params = append(s.params, p.Term)
	}
	for _, a := range e.Actions {
		for i, x := range a.Left {
			set := assignment{to: x}
			if a.Kind == model.BecomesEqual {
				set.value = a.Right[i]
			}
			s.sets = append(s.sets, set)
			if e.IsInit() && set.value != 0 {
				v.initial[x] = set.value
			}
		}
	}
	if !e.IsInit() {
		v.steps = append(v.steps, s)
	}
}

// ranks numbers the elements of enumerated sets, which differ from each other.
func (v *view) ranks() {
	v.rank = map[logic.Term]int64{}
	b := v.b
	for _, p := range v.facts {
		if b.Op(p) != logic.Partition || b.Op(b.Arg(p, 0)) != logic.Given {
			continue
		}
		for i, part := range b.Args(p)[1:] {
			if b.Op(part) == logic.SetExt && len(b.Args(part)) == 1 {
				v.rank[b.Arg(part, 0)] = int64(i)
			}
		}
	}
}

// mostTerms bounds the vocabulary of expressions, and of predicates.
const mostTerms = 48

// largest is the size of an expression of the vocabulary, in nodes.
const largest = 9

// harvest collects the vocabulary of the machine: guards first, then actions, then
// facts, for what guards ask is what invariants are about.
func (v *view) harvest() {
	v.terms = append(v.terms, v.vars[:v.concrete]...)
	// The vocabulary has a bound, so that the order says what it keeps.
	for _, s := range v.steps {
		for _, g := range s.guards {
			v.collect(g)
		}
	}
	for _, s := range v.steps {
		for _, a := range s.sets {
			if a.value != 0 {
				v.collect(a.value)
			}
		}
	}
	for _, x := range v.vars[:v.concrete] {
		if e := v.initial[x]; e != 0 {
			v.collect(e)
		}
	}
	for _, p := range v.facts {
		v.collect(p)
	}
}

// collect takes the closed parts of t over variables and constants into the vocabulary.
func (v *view) collect(t logic.Term) {
	if v.state(t) && v.size(t) <= largest {
		switch op := v.b.Op(t); {
		case v.b.Type(t) == logic.Prop:
			if op != logic.True && op != logic.False && v.mentions(t) && !slices.Contains(v.literals, t) && len(v.literals) < mostTerms {
				v.literals = append(v.literals, t)
			}
		case op == logic.TrueE || op == logic.FalseE || op == logic.Natural || op == logic.Natural1 || v.b.IsTypeExpr(t):
		default:
			if !slices.Contains(v.terms, t) && len(v.terms) < mostTerms {
				v.terms = append(v.terms, t)
			}
		}
	}
	for _, a := range v.b.Args(t) {
		v.collect(a)
	}
}

// state reports whether t is closed and over variables and constants alone.
func (v *view) state(t logic.Term) bool {
	return v.b.Depth(t) == 0 && !slices.ContainsFunc(v.b.FreeIdents(t), func(x logic.Term) bool { return !v.variable[x] && !v.constant[x] })
}

// rigid reports whether t is closed and over constants alone.
func (v *view) rigid(t logic.Term) bool {
	return v.b.Depth(t) == 0 && !slices.ContainsFunc(v.b.FreeIdents(t), func(x logic.Term) bool { return !v.constant[x] })
}

// mentions reports whether a variable occurs in t.
func (v *view) mentions(t logic.Term) bool {
	return slices.ContainsFunc(v.b.FreeIdents(t), func(x logic.Term) bool { return v.variable[x] })
}

func (v *view) size(t logic.Term) int {
	n := 1
	for _, a := range v.b.Args(t) {
		n += v.size(a)
	}
	return n
}

// of returns the variables of the machine of a type.
func (v *view) of(typ logic.Type) []logic.Term {
	var out []logic.Term
	for _, x := range v.vars[:v.concrete] {
		if v.b.Type(x) == typ {
			out = append(out, x)
		}
	}
	return out
}

// ofKind returns the variables of the machine whose type is of a kind.
func (v *view) ofKind(k logic.TypeKind) []logic.Term {
	var out []logic.Term
	for _, x := range v.vars[:v.concrete] {
		if v.b.TypeKind(v.b.Type(x)) == k {
			out = append(out, x)
		}
	}
	return out
}

// isRelation reports whether a type is that of sets of pairs.
func (v *view) isRelation(t logic.Type) bool {
	a, _ := v.b.RelPair(t)
	return a != logic.NoType
}

// isFunction reports whether a fact makes x a function, partial or total.
func (v *view) isFunction(x logic.Term) bool {
	return slices.ContainsFunc(v.facts, func(p logic.Term) bool {
		if v.b.Op(p) != logic.In || v.b.Arg(p, 0) != x {
			return false
		}
		arrow, ok := v.b.Op(v.b.Arg(p, 1)).Arrow()
		return ok && arrow.Functional
	})
}

// walk visits t and all its parts.
func (v *view) walk(t logic.Term, visit func(logic.Term)) {
	visit(t)
	for _, part := range v.b.Args(t) {
		v.walk(part, visit)
	}
}

// everywhere visits all parts of the text of the machine, of its facts, and of the events
// that it refines.
func (v *view) everywhere(visit func(logic.Term)) {
	v.throughEvents(visit)
	for _, p := range v.facts {
		v.walk(p, visit)
	}
}

// throughEvents visits all parts of events, and of those that they refine.
func (v *view) throughEvents(visit func(logic.Term)) {
	text := func(e *model.Event) {
		for _, g := range e.Guards {
			v.walk(g.Term, visit)
		}
		for _, w := range e.Witnesses {
			v.walk(w.Term, visit)
		}
		for _, a := range e.Actions {
			for _, t := range a.Right {
				v.walk(t, visit)
			}
		}
	}
	for _, e := range v.m.Events {
		text(e)
		for _, refined := range e.Refines {
			text(refined)
		}
	}
}

// Short names for building predicates.

func (v *view) eq(s, t logic.Term) logic.Term  { return v.b.App(logic.Eq, s, t) }
func (v *view) le(s, t logic.Term) logic.Term  { return v.b.App(logic.Le, s, t) }
func (v *view) int(n int64) logic.Term         { return v.b.Int64(n) }
func (v *view) in(s, t logic.Term) logic.Term  { return v.b.App(logic.In, s, t) }
func (v *view) mod(s, t logic.Term) logic.Term { return v.b.App(logic.Mod, s, t) }

// implies returns p ⇒ q, q alone if p is 0. x ≤ y ⇒ x = y is said as y ≤ x.
func (v *view) implies(p, q logic.Term) logic.Term {
	if p == 0 {
		return q
	}
	if v.b.Op(q) == logic.Eq {
		premises := formula.Conjuncts(v.b, p)
		for i, c := range premises {
			if reverse := v.reverse(c, v.b.Args(q)); reverse != 0 {
				return v.implies(v.conjunction(slices.Delete(premises, i, i+1)), reverse)
			}
		}
	}
	return v.b.App(logic.Implies, p, q)
}

// reverse returns y ≤ x for p, which is x ≤ y, if x and y are ends in some order, otherwise 0.
func (v *view) reverse(p logic.Term, ends []logic.Term) logic.Term {
	sides := v.b.Args(p)
	switch v.b.Op(p) {
	case logic.Le:
		sides = []logic.Term{sides[1], sides[0]}
	case logic.Ge:
	default:
		return 0
	}
	if slices.Equal(sides, ends) || sides[0] == ends[1] && sides[1] == ends[0] {
		return v.le(sides[0], sides[1])
	}
	return 0
}

// conjunction returns the predicate that all of ps hold, 0 if there are none.
func (v *view) conjunction(ps []logic.Term) logic.Term {
	switch len(ps) {
	case 0:
		return 0
	case 1:
		return ps[0]
	}
	return v.b.And(ps...)
}

func (v *view) empties(t logic.Term) logic.Term { return v.b.Atom(logic.Empty, v.b.Type(t)) }

// forall returns ∀ids·p, p itself if none of ids occurs in it.
func (v *view) forall(ids []logic.Term, p logic.Term) logic.Term {
	free := v.b.FreeIdents(p)
	ids = slices.DeleteFunc(slices.Clone(ids), func(x logic.Term) bool { return !slices.Contains(free, x) })
	if len(ids) == 0 {
		return p
	}
	var decls []logic.Type
	var names []string
	for _, x := range ids {
		decls, names = append(decls, v.b.Type(x)), append(names, v.b.Name(x))
	}
	return v.b.Quant(logic.Forall, decls, &logic.Hint{Names: names}, v.b.Abstract(p, ids))
}

// fresh returns an identifier of a type, to be bound, that the machine does not have.
func (v *view) fresh(name string, typ logic.Type) logic.Term {
	for v.declared(name) {
		name += "0"
	}
	return v.b.Free(name, typ)
}

// declared reports whether a variable or constant has a name.
func (v *view) declared(name string) bool {
	return slices.ContainsFunc(slices.Concat(v.vars, v.consts), func(x logic.Term) bool { return v.b.Name(x) == name })
}
