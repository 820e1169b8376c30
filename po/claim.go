package po

import (
	"slices"
	"strconv"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
)

// Interleaving makes, on request, the obligations that say when the order of two
// events does not matter. They are about instances: events with values of their
// parameters. Those of the second event are renamed, so that the two are apart.
type Interleaving struct {
	*generator
	m        *model.Machine
	verified bool
	names    map[string]bool // taken by identifiers of the machine
}

// NewInterleaving returns the obligations of machine m of d. Their hypotheses
// are the axioms, the guards, and, if the machine is verified, its invariants but those unproved,
// which then hold in every state that it reaches. If it is not, the goals say
// in addition to having a value.
func NewInterleaving(dev *model.Development, machine *model.Machine, verified bool, unproved []*model.Predicate) *Interleaving {
	x := &Interleaving{generator: newGenerator(dev, machine.Name, machine.Accurate), m: machine, verified: verified, names: map[string]bool{}}
	x.machine = machine
	for _, context := range machine.Contexts {
		for _, predicate := range context.Axioms {
			if verified || !predicate.Theorem {
				x.hyps = append(x.hyps, predicate.Term)
			}
		}
		for _, id := range slices.Concat(context.Sets, context.Constants) {
			x.names[id.Name] = true
		}
	}
	if verified {
		for _, invariant := range slices.Concat(machine.Inherited, machine.Invariants) {
			if !slices.Contains(unproved, invariant) {
				x.hyps = append(x.hyps, invariant.Term)
			}
		}
	}
	// Names of variables and parameters are taken, for parameters of the second instance are
	// renamed apart from all of them.
	for _, variable := range machine.Variables {
		x.names[variable.Name] = true
	}
	for _, event := range machine.Events {
		for _, ident := range event.Parameters {
			x.names[ident.Name] = true
		}
	}
	return x
}

// Claim is an obligation under the hypotheses that some expressions differ.
type Claim struct {
	*Obligation
	Where []order.Different

	first int // index of the hypothesis that the first of them is
}

// Needs returns those of Where that are among the hypotheses used.
func (c *Claim) Needs(used ...[]int) []order.Different {
	var out []order.Different
	for i, d := range c.Where {
		if slices.ContainsFunc(used, func(u []int) bool { return slices.Contains(u, c.first+i) }) {
			out = append(out, d)
		}
	}
	return out
}

// claim completes an obligation under the local hypotheses and where.
func (x *Interleaving) claim(o Obligation, local []logic.Term, where []order.Different, apart subst) *Claim {
	c := &Claim{Where: where, first: len(x.hyps) + len(local)}
	for _, d := range where {
		local = append(local, x.b.App(logic.Neq, d.First, x.b.Subst(d.Second, apart)))
	}
	o.Development, o.Project, o.Component, o.Machine, o.bank, o.Accurate = x.dev, x.dev.Project, x.component, x.m, x.b, x.accurate
	o.hyps = hypotheses{component: x.hyps, local: local, from: len(x.hyps), to: len(x.hyps) + len(local), also: -1}
	c.Obligation = &o
	return c
}

// apart renames the parameters of e.
func (x *Interleaving) apart(event *model.Event) subst {
	out := subst{}
	for _, ident := range event.Parameters {
		for n := 0; ; n++ {
			if name := ident.Name + strconv.Itoa(n); !x.names[name] {
				out[ident.Term] = x.b.Free(name, x.b.Type(ident.Term))
				break
			}
		}
	}
	return out
}

// guards returns the guards of e; theorems among them too, if they are proved.
func (x *Interleaving) guards(e *model.Event, theorems bool) []logic.Term {
	var out []logic.Term
	for _, p := range e.Guards {
		if !p.Theorem || theorems {
			out = append(out, p.Term)
		}
	}
	return out
}

func (x *Interleaving) substAll(ts []logic.Term, by subst) []logic.Term {
	out := make([]logic.Term, len(ts))
	for i, t := range ts {
		out[i] = x.b.Subst(t, by)
	}
	return out
}

// Within makes PAR: the values of parameter p of e lie in set, which has a value.
func (x *Interleaving) Within(e *model.Event, p model.Ident, set logic.Term) *Claim {
	goal := x.b.App(logic.In, p.Term, set)
	o := Obligation{
		Name: e.Label + "/" + p.Name + "/PAR", Kind: PAR, Nature: "Range of parameter", Event: e,
		Sources: []Source{eventSource(Default, e)}, Goal: x.b.And(append(x.defined(goal), goal)...),
	}
	return x.claim(o, x.guards(e, x.verified), nil, nil)
}

// Part is one thing that makes two events commute.
type Part struct {
	name string
	goal logic.Term // with the parameters of the second event renamed
}

// Never is that two events cannot both happen in one state.
func (x *Interleaving) Never(e, f *model.Event) Part {
	return Part{e.Label + "/" + f.Label + "/", x.b.App(logic.False)}
}

// Parts returns what is to be shown of instances of e and f that can both happen:
// each keeps each guard of the other true, and each variable has the same value
// after either order. It reports false if an action is not deterministic.
func (x *Interleaving) Parts(e, f *model.Event) ([]Part, bool) {
	apart := x.apart(f)
	first, ok := x.values(e, nil)
	second, ok2 := x.values(f, apart)
	if !ok || !ok2 {
		return nil, false
	}
	var out []Part
	add := func(e, f *model.Event, label string, whole logic.Term, goals ...logic.Term) {
		if !x.verified {
			goals = append(x.defined(whole), goals...)
		}
		for i, goal := range goals {
			name := e.Label + "/" + f.Label + "/" + label + "/"
			if len(goals) > 1 {
				name += strconv.Itoa(i+1) + "/"
			}
			out = append(out, Part{name, goal})
		}
	}
	// Either order must be possible: so each keeps the guards of the other. A guard that the
	// assignment leaves as it is needs no claim.
	kept := func(e, f *model.Event, apart, by subst) {
		for _, predicate := range f.Guards {
			before := x.b.Subst(predicate.Term, apart)
			if after := x.b.Subst(before, by); !predicate.Theorem && after != before {
				add(e, f, predicate.Label, after, after)
			}
		}
	}
	kept(e, f, apart, first)
	if e != f { // else it is the same again
		kept(f, e, nil, second)
	}
	for _, variable := range x.m.Variables {
		u, w := first[variable.Term], second[variable.Term]
		switch {
		case u == 0 && w == 0:
			continue
		case u == 0:
			u = x.b.Subst(w, first)
		case w == 0:
			w = x.b.Subst(u, second)
		default:
			u, w = x.b.Subst(u, second), x.b.Subst(w, first)
		}
		add(e, f, variable.Name, x.b.App(logic.Eq, u, w), x.equal(u, w)...)
	}
	return out, true
}

// equal returns what makes u and w equal: nothing if they are the same. Where
// a function is overridden by X, then Y, and by Y', then X', it is enough that
// X = X', Y = Y', and that X and Y do not assign different values to one place.
func (x *Interleaving) equal(u, w logic.Term) []logic.Term {
	if x.same(u, w) {
		return nil
	}
	if f, a, c, ok := x.twice(u); ok {
		if g, c2, a2, ok := x.twice(w); ok && x.same(f, g) {
			return append(append(x.alike(a, a2), x.alike(c, c2)...), x.consistent(a, c2))
		}
	}
	return []logic.Term{x.b.App(logic.Eq, u, w)}
}

// twice matches (f  first)  second.
func (x *Interleaving) twice(t logic.Term) (f, first, second logic.Term, ok bool) {
	if x.b.Op(t) != logic.Ovr || len(x.b.Args(t)) != 2 || x.b.Op(x.b.Arg(t, 0)) != logic.Ovr || len(x.b.Args(x.b.Arg(t, 0))) != 2 {
		return 0, 0, 0, false
	}
	return x.b.Arg(x.b.Arg(t, 0), 0), x.b.Arg(x.b.Arg(t, 0), 1), x.b.Arg(t, 1), true
}

// alike returns what makes u and w equal, part by part where they are built alike.
func (x *Interleaving) alike(u, w logic.Term) []logic.Term {
	if x.same(u, w) {
		return nil
	}
	a, c := x.b.Args(u), x.b.Args(w)
	if x.b.Op(u) != x.b.Op(w) || len(a) != len(c) || x.b.Op(u).IsBinder() {
		return []logic.Term{x.b.App(logic.Eq, u, w)}
	}
	var differ []int
	for i := range a {
		if !x.same(a[i], c[i]) {
			differ = append(differ, i)
		}
	}
	switch op := x.b.Op(u); {
	case op == logic.SetExt || op == logic.Maplet || op == logic.CProd || op == logic.UpTo:
	case op != logic.Apply && len(differ) == 1 && x.b.Elem(x.b.Type(u)) == logic.NoType:
	default:
		return []logic.Term{x.b.App(logic.Eq, u, w)}
	}
	var out []logic.Term
	for _, i := range differ {
		out = append(out, x.alike(a[i], c[i])...)
	}
	return out
}

// consistent returns that relations u and w have no different images in one place.
func (x *Interleaving) consistent(u, w logic.Term) logic.Term {
	p, q := x.entry(u), x.entry(w)
	if p != 0 && q != 0 {
		return x.b.App(logic.Implies, x.b.App(logic.Eq, x.b.Arg(p, 0), x.b.Arg(q, 0)), x.b.App(logic.Eq, x.b.Arg(p, 1), x.b.Arg(q, 1)))
	}
	return x.disjoint(x.domain(u), x.domain(w))
}

// entry returns the only element of {E ↦ F}, or 0.
func (x *Interleaving) entry(t logic.Term) logic.Term {
	if x.b.Op(t) == logic.SetExt && len(x.b.Args(t)) == 1 && x.b.Op(x.b.Arg(t, 0)) == logic.Maplet {
		return x.b.Arg(t, 0)
	}
	return 0
}

// domain returns a set that holds the domain of relation t.
func (x *Interleaving) domain(t logic.Term) logic.Term {
	if p := x.entry(t); p != 0 {
		return x.b.App(logic.SetExt, x.b.Arg(p, 0))
	}
	if x.b.Op(t) == logic.CProd {
		return x.b.Arg(t, 0)
	}
	return x.b.App(logic.Dom, t)
}

// disjoint returns that no element is in both of u and w.
func (x *Interleaving) disjoint(u, w logic.Term) logic.Term {
	a, c := x.b.Args(u), x.b.Args(w)
	switch op := x.b.Op(u); {
	case op != x.b.Op(w):
	case op == logic.CProd:
		return x.b.Or(x.disjoint(a[0], c[0]), x.disjoint(a[1], c[1]))
	case op == logic.SetExt && len(a) == 1 && len(c) == 1:
		return x.b.App(logic.Neq, a[0], c[0])
	}
	return x.b.App(logic.Eq, x.b.App(logic.Inter, u, w), x.b.Atom(logic.Empty, x.b.Type(u)))
}

// Commute makes COM: one part of what makes e and f commute, or that they never
// can both happen.
func (x *Interleaving) Commute(e, f *model.Event, p Part, where []order.Different) *Claim {
	apart := x.apart(f)
	o := Obligation{
		Name: p.name + "COM", Kind: COM, Nature: "Commutation of events", Event: e,
		Sources: []Source{eventSource(Default, e), eventSource(Default, f)}, Goal: p.goal,
	}
	local := append(x.guards(e, x.verified), x.substAll(x.guards(f, x.verified), apart)...)
	if e == f {
		var equal []logic.Term
		for _, ident := range e.Parameters {
			equal = append(equal, x.b.App(logic.Eq, ident.Term, apart[ident.Term]))
		}
		local = append(local, x.b.Not(x.b.And(equal...)))
	}
	return x.claim(o, local, where, apart)
}

// defined returns that p has a value, as a list of one predicate or none.
func (x *Interleaving) defined(p logic.Term) []logic.Term {
	if d := x.b.D(p); x.b.Op(d) != logic.True {
		return []logic.Term{d}
	}
	return nil
}

// values returns what e assigns, with renamed parameters, and false if it has an
// action that is not deterministic.
func (x *Interleaving) values(event *model.Event, apart subst) (subst, bool) {
	out := subst{}
	for _, action := range event.Actions {
		if action.Kind != model.BecomesEqual {
			return nil, false
		}
		for i, variable := range action.Left {
			out[variable] = x.b.Subst(action.Right[i], apart)
		}
	}
	return out, true
}

// StaysFalse makes DIS: where guard, a conjunct of the guards of f, is false, it
// still is after e. within are ranges of parameters of f.
func (x *Interleaving) StaysFalse(e, f *model.Event, guard logic.Term, within []order.Within, where []order.Different) *Claim {
	apart := x.apart(f)
	o := Obligation{
		Name: e.Label + "/" + f.Label + "/" + strconv.Itoa(slices.Index(x.Guards(f), guard)+1) + "/DIS", Kind: DIS, Nature: "Disabled event", Event: e,
		Sources: []Source{eventSource(Default, e), eventSource(Default, f)},
	}
	// After-values of what e chooses are free; what it assigns has its value. Only e happens,
	// so the guard of f is read in the state after with f's parameters as they were.
	local := x.guards(e, x.verified)
	after := subst{}
	for _, action := range e.Actions {
		before := make([]logic.Term, len(action.Left))
		for i, variable := range action.Left {
			before[i] = x.b.Free(x.b.Name(variable)+"'", x.b.Type(variable))
			after[variable] = before[i]
		}
		switch action.Kind {
		case model.BecomesEqual:
			for i, variable := range action.Left {
				after[variable] = action.Right[i]
			}
		case model.BecomesIn:
			local = append(local, x.b.App(logic.In, before[0], action.Right[0]))
		case model.BecomesSuch:
			local = append(local, action.Right[0])
		}
	}
	for _, w := range within {
		local = append(local, x.b.App(logic.In, apart[w.Param], w.Set))
	}
	for _, g := range x.Guards(f) {
		if x.over(g, f.Parameters) && g != guard {
			local = append(local, x.b.Subst(g, apart))
		}
	}
	not := x.b.Not(x.b.Subst(guard, apart))
	local = append(local, not)
	goal := x.b.Subst(not, after)
	o.Goal = x.b.And(append(x.defined(goal), goal)...)
	return x.claim(o, local, where, apart)
}
