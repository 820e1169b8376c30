package symmetry

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/logic/text"
)

// Sorts refine types: they tell apart the integers of a machine that never meet.
// A block number and a duration are both integers, but if no formula compares
// them, or computes with block numbers, a permutation of the block numbers takes
// runs to runs. Inference gives every place of every formula a sort, and unites
// sorts as the typing rules ask. Where the machine tells integers apart, by an
// order, by arithmetic, the sort is fixed; where a formula names values, they are
// noted, for permutations must keep them.
//
// The formulas are those that a search evaluates. Axioms are not among them: they
// speak of constants, whose values are already there.

// sort is a type with the classes of its identifiers: a pair, a set, or a leaf.
type sort struct {
	shape *value.Shape
	class *class // of integers and elements of carrier sets
	l, r  *sort
	elem  *sort
}

// class is the values that flow into each other, all integers or all elements of
// a carrier set.
type class struct {
	up    *class  // the class that this one was united with
	fixed *reason // why its values are told apart; nil if they are not
}

// reason is an operator that tells values apart, and where; or, without one, what
// leaves some of them out.
type reason struct {
	op      logic.Op
	formula logic.Term
	place   string
}

// declared is a set of identifiers that are said to be interchangeable.
type declared struct {
	name  string
	sort  *sort
	elems []value.Value
}

func (c *class) find() *class {
	for c.up != nil {
		c = c.up
	}
	return c
}

// use is a value, or a set of integers, that a formula names.
type use struct {
	sort  *sort
	value value.Value
	has   func(value.Value) bool // of a set that is not built
}

// inference gives sorts to the formulas of one program.
type inference struct {
	ctx      context.Context
	p        *program.Program
	carriers map[string]*class
	global   map[logic.Term]*sort // of variables and constants
	local    map[logic.Term]*sort // of the parameters of an event
	bound    []*sort              // of bound variables, innermost last
	threads  map[logic.Term]*sort // of the declared sets
	declared []declared
	place    string // where the present formula stands
	root     logic.Term
	uses     []use
}

func newInference(ctx context.Context, p *program.Program) *inference {
	x := &inference{ctx: ctx, p: p, carriers: map[string]*class{}, global: map[logic.Term]*sort{}, threads: map[logic.Term]*sort{}}
	for _, v := range p.Variables {
		x.global[v.Term] = x.fresh(v.Shape.Type)
	}
	return x
}

// fresh returns a sort of type t with new classes of integers.
func (x *inference) fresh(typ logic.Type) *sort {
	bank := x.p.Compiler.Bank
	s := &sort{shape: x.p.Space.Shape(typ)}
	switch bank.TypeKind(typ) {
	case logic.KindInt:
		s.class = &class{}
	case logic.KindGiven:
		name := bank.GivenName(typ)
		if x.carriers[name] == nil {
			x.carriers[name] = &class{}
		}
		s.class = x.carriers[name]
	case logic.KindProd:
		left, right := bank.Pair(typ)
		s.l, s.r = x.fresh(left), x.fresh(right)
	case logic.KindPow:
		s.elem = x.fresh(bank.Elem(typ))
	}
	return s
}

// unify makes two sorts one, down to the classes of their integers.
func (x *inference) unify(s, t *sort) *sort {
	switch {
	case s.class != nil:
		a, b := s.class.find(), t.class.find()
		if a == b {
			break
		}
		b.up = a
		if a.fixed == nil {
			a.fixed = b.fixed
		}
	case s.elem != nil:
		x.unify(s.elem, t.elem)
	case s.l != nil:
		x.unify(s.l, t.l)
		x.unify(s.r, t.r)
	}
	return s
}

// fix notes that the integers of s are told apart.
func (x *inference) fix(s *sort, why *reason) *sort {
	switch {
	case s.shape.Kind == value.IntShape:
		if c := s.class.find(); c.fixed == nil {
			c.fixed = why
		}
	case s.elem != nil:
		x.fix(s.elem, why)
	case s.l != nil:
		x.fix(s.l, why)
		x.fix(s.r, why)
	}
	return s
}

// told is the reason that an operator of the present formula gives.
func (x *inference) told(op logic.Op) *reason { return &reason{op, x.root, x.place} }

// leftOut is the reason that bounds give.
func leftOut(what string) *reason { return &reason{place: "the bounds of " + what} }

func (r *reason) text(bank *logic.Bank) string {
	verb := "computes with"
	switch r.op {
	case logic.Invalid:
		return r.place + " leave some out"
	case logic.Lt, logic.Le, logic.Gt, logic.Ge, logic.Min, logic.Max, logic.UpTo:
		verb = "compares"
	case logic.Card:
		verb = "gives a number that is used as one of"
	}
	return fmt.Sprintf("%s %s them in %s, %s", notation.Of(r.op).Readable(), verb, formula.Excerpt(text.Readable(bank, r.formula)), r.place)
}

// formula infers the sorts of a predicate or expression that stands at place.
func (x *inference) formula(t logic.Term, place string) *sort {
	t = x.p.Compiler.Bank.Subst(t, x.p.Compiler.Defs)
	x.root, x.place = t, place
	if x.p.Compiler.Bank.Type(t) == logic.Prop {
		x.pred(t)
		return nil
	}
	return x.expr(t)
}

// machine goes over all that a search of the program evaluates. The values of
// ordered are compared.
func (x *inference) machine(ask Question) {
	compiled := x.p
	if ask.Invariants {
		for _, k := range compiled.Invariants {
			x.formula(k.Term, "invariant "+k.Label)
		}
	}
	for _, term := range ask.Asked {
		x.formula(term, "the goal, or what ends the machine,")
	}
	for _, term := range ask.Ordered {
		if s := x.formula(term, "the objective"); s != nil {
			x.fix(s, x.told(logic.Min))
		}
	}
	for _, e := range append([]*program.Event{compiled.Init}, compiled.Events...) {
		// Parameters of one event say nothing of those of another that share the name.
		x.local = map[logic.Term]*sort{}
		x.event(e.Model, false)
		for _, a := range compiled.AbstractOf(e.Model) {
			x.event(a, true)
		}
		x.bounded(x.local)
	}
	if compiled.Cone != nil {
		for _, f := range compiled.Cone.Forget {
			x.unify(x.global[f.At].elem, x.global[f.Function].elem.l)
		}
	}
	x.bounded(x.global)
	for _, l := range compiled.Limits {
		variable := compiled.Variables[l.Variable]
		x.fix(x.global[variable.Term], leftOut(variable.Name))
	}
}

// bounded fixes the identifiers whose bounds leave values out.
func (x *inference) bounded(ids map[logic.Term]*sort) {
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		s := ids[id]
		if name := x.p.Compiler.Bank.Name(id); slices.Contains(x.p.Compiler.Cut, name) {
			x.fix(s, leftOut(name))
		}
	}
}

// event goes over the formulas of e that a search evaluates.
func (x *inference) event(e *model.Event, abstract bool) {
	for _, predicate := range e.Guards {
		if predicate.Theorem && (abstract || !x.p.Theorems) {
			continue
		}
		x.formula(predicate.Term, fmt.Sprintf("guard %s of event %s", predicate.Label, e.Label))
	}
	for _, witness := range e.Witnesses {
		if x.p.Refines {
			x.formula(witness.Term, fmt.Sprintf("witness %s of event %s", witness.Label, e.Label))
		}
	}
	for _, action := range e.Actions {
		place := fmt.Sprintf("action %s of event %s", action.Label, e.Label)
		for i, right := range action.Right {
			// A variable outside the cone of influence is not evaluated, so that its formulas tell
			// nothing apart.
			if action.Kind == model.BecomesEqual && !x.p.Cone.Keeps(action.Left[i]) {
				continue
			}
			s := x.formula(right, place)
			switch action.Kind {
			case model.BecomesEqual:
				x.unify(x.ident(action.Left[i]), s)
			case model.BecomesIn:
				x.unify(x.ident(action.Left[i]), s.elem)
			}
		}
	}
}

// ident returns the sort of a variable, constant or parameter. A primed variable
// has that of the variable.
func (x *inference) ident(term logic.Term) *sort {
	bank := x.p.Compiler.Bank
	for _, known := range []*sort{x.global[term], x.local[term], x.global[bank.Free(strings.TrimSuffix(bank.Name(term), "'"), bank.Type(term))]} {
		if known != nil {
			return known
		}
	}
	s := x.fresh(bank.Type(term))
	if v, ok := x.p.Setting.Values[bank.Name(term)]; ok {
		x.global[term] = s
		x.uses = append(x.uses, use{sort: s, value: v})
	} else {
		x.local[term] = s
	}
	return s
}

// under infers with the variables of binder t in scope.
func (x *inference) under(t logic.Term, fn func()) {
	n := len(x.bound)
	for _, d := range x.p.Compiler.Bank.Decls(t) {
		x.bound = append(x.bound, x.fresh(d))
	}
	fn()
	x.bound = x.bound[:n]
}

// letters are the sorts that the letters of a signature stand for.
type letters [len(logic.Letters{})]*sort

func (x *inference) pred(t logic.Term) { x.operator(t) }

// expr returns the sort of expression t.
func (x *inference) expr(term logic.Term) *sort {
	bank := x.p.Compiler.Bank
	if s := x.threads[bank.Bare(term)]; s != nil {
		return s
	}
	if s := x.named(term); s != nil {
		return s
	}
	switch op := bank.Op(term); {
	case op == logic.Free:
		return x.ident(term)
	case op == logic.Bound:
		return x.bound[len(x.bound)-1-bank.Index(term)]
	case op == logic.Given, op == logic.Integer, op == logic.SetExt && len(bank.Args(term)) == 0:
		return x.fresh(bank.Type(term))
	case op == logic.Int:
		return x.fix(x.fresh(bank.Type(term)), x.told(op))
	}
	return x.operator(term)
}

// operator unites sorts as the signature of t's operator says, and returns the sort of
// t; nil for predicates. What an operator says of integers tells them apart: it orders
// them, counts or computes.
func (x *inference) operator(t logic.Term) *sort {
	bank := x.p.Compiler.Bank
	op, args := bank.Op(t), bank.Args(t)
	rule := op.Signature()
	var known letters
	infer := func() {
		for i, a := range args {
			pattern := rule.Args[min(i, len(rule.Args)-1)]
			if pattern.Kind == logic.KindProp {
				x.pred(a)
				continue
			}
			if i > 1 && len(rule.Args) == 2 { // the result so far takes the place of the first argument
				first := x.instance(rule.Result, &known, op)
				known = letters{}
				x.match(rule.Args[0], first, &known, op)
			}
			x.match(pattern, x.expr(a), &known, op)
		}
	}
	if op.IsBinder() {
		x.under(t, infer)
	} else {
		infer()
	}
	if op.IsGeneric() {
		s := x.fresh(bank.Type(t))
		x.match(rule.Result, s, &known, op)
		return s
	}
	return x.instance(rule.Result, &known, op)
}

// match unites the parts of s with the sorts that the letters of p have already, and
// gives them to those that have none.
func (x *inference) match(pattern *logic.Pattern, s *sort, known *letters, op logic.Op) {
	switch pattern.Kind {
	case logic.KindNone:
		if known[pattern.Letter] == nil {
			known[pattern.Letter] = s
		} else {
			x.unify(known[pattern.Letter], s)
		}
	case logic.KindPow:
		x.match(pattern.A, s.elem, known, op)
	case logic.KindProd:
		x.match(pattern.A, s.l, known, op)
		x.match(pattern.B, s.r, known, op)
	default:
		x.fix(s, x.told(op))
	}
}

// instance returns the sort that p is for the given letters.
func (x *inference) instance(pattern *logic.Pattern, known *letters, op logic.Op) *sort {
	bank := x.p.Compiler.Bank
	switch pattern.Kind {
	case logic.KindProp:
		return nil
	case logic.KindNone:
		return known[pattern.Letter]
	case logic.KindPow:
		elem := x.instance(pattern.A, known, op)
		return &sort{shape: x.p.Space.Shape(bank.PowType(elem.shape.Type)), elem: elem}
	case logic.KindProd:
		l, r := x.instance(pattern.A, known, op), x.instance(pattern.B, known, op)
		return &sort{shape: x.p.Space.Shape(bank.ProdType(l.shape.Type, r.shape.Type)), l: l, r: r}
	case logic.KindBool:
		return x.fresh(logic.BoolType)
	}
	return x.fix(x.fresh(logic.IntType), x.told(op))
}

// named returns the sort of an integer, interval or listed set over constants
// alone, and of ℕ and ℕ1: their values are noted. It is nil for all else.
func (x *inference) named(term logic.Term) *sort {
	compiler := x.p.Compiler
	var n use
	switch op := compiler.Bank.Op(term); {
	case op == logic.Natural || op == logic.Natural1:
		n.has = func(v value.Value) bool { return x.p.Space.CmpInt(v, 0) > 0 || v == 0 && op == logic.Natural }
	// Bounds that are not closed depend on the state; then nothing is known of which values are named.
	case op == logic.UpTo:
		low, ok := x.p.Setting.Closed(x.ctx, compiler.Bank.Arg(term, 0))
		high, known := x.p.Setting.Closed(x.ctx, compiler.Bank.Arg(term, 1))
		if !ok || !known {
			return nil
		}
		n.has = func(v value.Value) bool { return x.p.Space.CmpInt(low, v) <= 0 && x.p.Space.CmpInt(v, high) <= 0 }
	case op == logic.SetExt || op != logic.Free && op != logic.Bound && compiler.Bank.Type(term) == logic.IntType:
		v, ok := x.p.Setting.Closed(x.ctx, term)
		if !ok {
			return nil
		}
		n.value = v
	default:
		return nil
	}
	n.sort = x.fresh(compiler.Bank.Type(term))
	x.uses = append(x.uses, n)
	return n.sort
}
