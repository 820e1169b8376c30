package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// derivation is a proof in the making of one clause, which holds whatever the sequent says: steps that state axioms,
// instances and witnesses, and what follows from these by unit propagation.
type derivation struct {
	*engine
	steps   []kernel.Step
	clauses []kernel.Clause // of the steps
	opened  map[logic.Term]bool
	failed  bool // some step was refused
}

// derived adds the clause that proof derives last, if it derives all that it wants to; otherwise it returns NoID.
func (e *engine) derived(proof func(d *derivation)) sat.ID {
	d := derivation{engine: e, opened: map[logic.Term]bool{}}
	proof(&d)
	e.steps += int64(len(d.steps))
	if d.failed {
		return sat.NoID
	}
	return e.add(d.clauses[len(d.clauses)-1], d.steps...)
}

// state appends a step, and the definitions of the connectives in its clause.
func (d *derivation) state(clause kernel.Clause, step kernel.Step) {
	d.steps, d.clauses = append(d.steps, step), append(d.clauses, clause)
	for _, l := range clause {
		t := l.Atom()
		switch d.b.Op(t) {
		case logic.And, logic.Or, logic.Implies, logic.Iff:
			if d.opened[t] {
				continue
			}
			d.opened[t] = true
			for i, c := range d.table.Parts(t) {
				d.state(c, kernel.Step{Kind: kernel.Prop, Index: i, Terms: []logic.Term{t}})
			}
		}
	}
}

// schema states an instance of an axiom.
func (d *derivation) schema(s *kernel.Schema, args ...logic.Term) {
	cs, step, ok := d.table.Of(s, args...)
	d.failed = d.failed || !ok
	for i, c := range cs {
		step.Index = i
		d.state(c, step)
	}
}

// lemma states an instance of a lemma.
func (d *derivation) lemma(name string, args ...logic.Term) {
	l, err := kernel.FindLemma(name)
	if err != nil {
		d.failed = true
		return
	}
	d.schema(&l.Schema, args...)
}

// membership states what x∈s means, and returns the meaning if it is a formula of its own.
func (d *derivation) membership(x, s logic.Term) (meaning logic.Term) {
	m := kernel.Membership(d.b.Op(s))
	d.schema(m, x, s)
	if f, err := m.Formula(d.b, x, s); err == nil && d.b.Op(f) == logic.Iff {
		return d.b.Arg(f, 1)
	}
	d.failed = true
	return 0
}

// choose states that f, ∃z·P or ∀z·P, has a witness, and returns the values of z.
func (d *derivation) choose(f logic.Term) []logic.Term {
	clause, err := kernel.EpsClause(d.b, f)
	if err != nil {
		d.failed = true
		return nil
	}
	d.state(clause, kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{f}})
	return kernel.Witnesses(d.b, f)
}

// instance states f, ∃z·P or ∀z·P, of values.
func (d *derivation) instance(f logic.Term, values ...logic.Term) {
	terms := append([]logic.Term{f}, values...)
	clause, err := kernel.InstClause(d.b, f, values)
	if err != nil {
		d.failed = true
		return
	}
	d.state(clause, kernel.Step{Kind: kernel.Inst, Terms: terms})
}

// equality states a clause that holds by equality alone.
func (d *derivation) equality(clause ...kernel.Lit) {
	d.state(clause, kernel.Step{Kind: kernel.Euf, Clause: clause})
}

// follows states a clause that unit propagation derives from the steps so far.
func (d *derivation) follows(goal ...kernel.Lit) {
	// The clause follows if its denial leads to a conflict by unit propagation alone, which is what the kernel repeats.
	value := map[kernel.Lit]bool{}
	for _, l := range goal {
		value[l.Not()] = true
	}
	var from []int
	for changed := true; changed; {
		changed = false
		for i, c := range d.clauses {
			unit, open := kernel.Lit(0), 0
			for _, l := range c {
				if value[l] {
					open = 2
					break
				}
				if !value[l.Not()] && l != unit {
					unit = l
					open++
				}
			}
			if open > 1 {
				continue
			}
			from = append(from, i)
			if open == 0 {
				d.steps, d.clauses = append(d.steps, kernel.Step{Kind: kernel.Rup, Clause: goal, From: from}), append(d.clauses, goal)
				return
			}
			value[unit] = true
			changed = true
		}
	}
	// No conflict: the step needs more than unit propagation, and the derivation is given up.
	d.failed = true
}

// same derives s = t from what each says of its elements: of an element x of both, so far, they have each to say the same by
// unit propagation from what meaning states.
func (d *derivation) same(s, t logic.Term, meaning func(x logic.Term)) {
	b := d.b
	equal := kernel.LitOf(b, b.App(logic.Eq, s, t))
	d.schema(kernel.Lookup("set.eq"), s, t)
	f, err := kernel.Lookup("set.eq").Formula(b, s, t)
	if err != nil {
		d.failed = true
		return
	}
	x := d.choose(b.Arg(f, 1))
	if d.failed {
		return
	}
	meaning(x[0])
	inS, inT := kernel.Pos(b.App(logic.In, x[0], s)), kernel.Pos(b.App(logic.In, x[0], t))
	d.follows(equal, inS.Not())
	d.follows(equal, inT.Not())
	d.follows(equal)
	d.failed = d.failed || !slices.Equal(d.clauses[len(d.clauses)-1], kernel.Clause{equal})
}

// noteFlat has nest look at n if it is an operation on more than two relations.
func (ts *terms) noteFlat(n euf.Node) {
	if op := ts.g.Op(n); (op == logic.Ovr || op == logic.FComp) && len(ts.g.Args(n)) > 2 {
		ts.flat = append(ts.flat, n)
	}
}

// nest adds, of each new operation on more than two relations, that it is the operation on the last and on what it makes of
// those before: rules, and what is known of relations, are about operations on two. It does so before anything
// is done with the term, and reports whether there was one.
func (ts *terms) nest() bool {
	todo := ts.flat
	for ; len(ts.flat) > 0; ts.flat = ts.flat[1:] { // in front of the last there is often another one
		n := ts.flat[0]
		ts.ctx = ts.gen[n] - 1 // another way to write it is as near as it is
		ts.touch(ts.node(ts.nested(ts.g.Term(n))))
	}
	ts.flat = todo[:0]
	return len(todo) > 0
}

// nested adds that t is equal to an operation on two, and returns that.
func (ts *terms) nested(t logic.Term) logic.Term {
	b := ts.b
	op, args := b.Op(t), b.Args(t)
	last := len(args) - 1
	front := b.App(op, args[:last]...)
	two := b.App(op, front, args[last])
	ts.derived(func(d *derivation) {
		d.same(t, two, func(x logic.Term) {
			whole, pair := d.membership(x, t), d.membership(x, two)
			if op != logic.FComp || d.failed {
				return
			}
			// x = u↦w is by way of all relations if, and only if, u↦v is by way of those in front, and v↦w in the last.
			stops := d.choose(whole)
			via := stops[len(stops)-1]
			d.instance(d.membership(b.App(logic.Maplet, ts.first(x), via), front), stops[:len(stops)-1]...)
			d.instance(pair, via)
			via = d.choose(pair)[0]
			stops = d.choose(d.membership(b.App(logic.Maplet, ts.first(x), via), front))
			d.instance(whole, append(slices.Clone(stops), via)...)
		})
	})
	return two
}

// first returns the first component of x.
func (e *engine) first(x logic.Term) logic.Term {
	b := e.b
	if b.Op(x) == logic.Maplet {
		return b.Arg(x, 0)
	}
	left, _ := b.Pair(b.Type(x))
	return b.App(logic.Apply, b.Atom(logic.Prj1, b.RelType(b.Type(x), left)), x)
}
