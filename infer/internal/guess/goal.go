package guess

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/po"
)

// clause is ∀bound·premises ⇒ conclusion, over variables, constants and what is bound.
type clause struct {
	premises   []logic.Term
	conclusion logic.Term
}

// goals guesses what open obligations lack: that their goal follows from their guards in
// every state is an invariant, if the obligation holds at all. Weaker guards make
// stronger invariants, which are more likely to be inductive.
func goals(v *view) {
	v.origin = FromGoal
	for _, open := range v.open {
		if open.Event == nil || !open.Event.IsInit() {
			for _, c := range v.clauses(open.Obligation) {
				v.generalised(c)
			}
		}
	}
}

// clauses returns what obligation o asks for as clauses.
func (v *view) clauses(o *po.Obligation) []clause {
	copied := logic.NewImporter(v.b, o.Bank(), false)
	var premises []logic.Term
	if o.Event != nil {
		for _, g := range o.Event.Guards {
			if o.Predicate == g {
				break // the obligation is about a guard, which has only those before it
			}
			premises = append(premises, formula.Conjuncts(v.b, copied.Term(g.Term))...)
		}
	}
	for _, p := range o.Local() {
		premises = append(premises, formula.Conjuncts(v.b, copied.Term(p))...)
	}
	var out []clause
	for _, c := range v.opened(clause{premises, copied.Term(o.Goal)}) {
		for _, part := range v.cases(c, mostCases) {
			out = append(out, clause{v.simpleAll(part.premises), v.simplify(part.conclusion)})
		}
	}
	return out
}

func (v *view) simpleAll(ps []logic.Term) (out []logic.Term) {
	for _, p := range ps {
		out = append(out, formula.Conjuncts(v.b, v.simplify(p))...)
	}
	return out
}

// simplify decides the comparisons in p of terms that are written alike, and of values with different names, and simplifies
// the connectives above them. Goals into which an action has put values have many of these; what is left is short enough
// to become a candidate.
func (v *view) simplify(p logic.Term) logic.Term {
	args, yes, no := v.b.Args(p), v.b.App(logic.True), v.b.App(logic.False)
	truth := func(holds bool) logic.Term {
		if holds {
			return yes
		}
		return no
	}
	switch op := v.b.Op(p); op {
	case logic.Eq, logic.Neq:
		if args[0] == args[1] || v.differ(args[0], args[1]) {
			return truth((args[0] == args[1]) == (op == logic.Eq))
		}
	case logic.Not:
		switch q := v.simplify(args[0]); q {
		case yes, no:
			return truth(q == no)
		default:
			return v.opposite(q)
		}
	case logic.And, logic.Or:
		// The unit of a connective is left out of it, and its zero decides it.
		unit, zero := yes, no
		if op == logic.Or {
			unit, zero = no, yes
		}
		parts := slices.DeleteFunc(v.mapped(args), func(q logic.Term) bool { return q == unit })
		switch {
		case slices.Contains(parts, zero):
			return zero
		case len(parts) == 0:
			return unit
		case len(parts) == 1:
			return parts[0]
		}
		return v.b.App(op, parts...)
	case logic.Implies:
		switch q, r := v.simplify(args[0]), v.simplify(args[1]); {
		case q == no || r == yes:
			return yes
		case q == yes:
			return r
		case r == no:
			return v.opposite(q)
		default:
			return v.implies(q, r)
		}
	}
	return p
}

func (v *view) mapped(ps []logic.Term) (out []logic.Term) {
	for _, p := range ps {
		out = append(out, v.simplify(p))
	}
	return out
}

// differ reports whether two names are of values that differ: literals, or elements of an
// enumerated set.
func (v *view) differ(s, t logic.Term) bool {
	literal := func(x logic.Term) bool {
		_, ranked := v.rank[x]
		op := v.b.Op(x)
		return ranked || op == logic.Int || op == logic.TrueE || op == logic.FalseE
	}
	return s != t && v.b.Type(s) == v.b.Type(t) && literal(s) && literal(t)
}

// opened takes the connectives of the conclusion of c apart.
func (v *view) opened(c clause) []clause {
	args := v.b.Args(c.conclusion)
	switch v.b.Op(c.conclusion) {
	case logic.And:
		var out []clause
		for _, a := range args {
			out = append(out, v.opened(clause{c.premises, a})...)
		}
		return out
	case logic.Implies:
		return v.opened(clause{slices.Concat(c.premises, formula.Conjuncts(v.b, args[0])), args[1]})
	case logic.Forall:
		return v.opened(clause{c.premises, v.b.Instantiate(args[0], v.named(c.conclusion))})
	}
	return []clause{c}
}

// named returns identifiers for the variables that quantifier t binds.
func (v *view) named(t logic.Term) []logic.Term {
	hint, _ := v.b.Hint(t)
	var out []logic.Term
	for i, typ := range v.b.Decls(t) {
		name := "x"
		if i < len(hint.Names) {
			name = hint.Names[i]
		}
		v.names++
		out = append(out, v.fresh(name+strings.Repeat("_", v.names), typ))
	}
	return out
}

// mostCases bounds into how many clauses one is split.
const mostCases = 6

// cases tells apart where what an event changes is meant, and where something else: a
// function at the place that it overrides or at another, the element that goes into a
// set or comes out of it, or another.
func (v *view) cases(c clause, most int) []clause {
	for _, t := range append([]logic.Term{c.conclusion}, c.premises...) {
		place, same, other := v.findChange(t)
		if place == 0 || most <= 1 {
			continue
		}
		replace := func(by logic.Term) clause {
			out := clause{nil, v.replaced(c.conclusion, place, by)}
			for _, p := range c.premises {
				out.premises = append(out.premises, v.replaced(p, place, by))
			}
			return out
		}
		whole := replace(other)
		equal := replace(same.by)
		// At the very place, one name will do for both.
		if x := same.at; v.b.Op(x) == logic.Free && !v.variable[x] && !v.constant[x] {
			with := map[logic.Term]logic.Term{x: same.is}
			equal.conclusion = v.b.Subst(equal.conclusion, with)
			for i, p := range equal.premises {
				equal.premises[i] = v.b.Subst(p, with)
			}
		} else {
			equal.premises = append(equal.premises, v.eq(same.at, same.is))
		}
		var out []clause
		for _, part := range []clause{whole, equal} {
			if part.conclusion != v.b.App(logic.True) && !slices.Contains(part.premises, v.b.App(logic.False)) {
				out = append(out, v.cases(part, most/2)...)
			}
		}
		return out
	}
	return []clause{c}
}

// atPlace is what stands for an expression where at = is.
type atPlace struct{ at, is, by logic.Term }

// findChange finds in t an expression about a function or set that was changed at one place, such as (f ◁- {k ↦ e})(x) or
// x ∈ s ∪ {k}, and what it is if x = k and otherwise. place is 0 if there is none. The goal is then taken apart into the two
// cases, neither of which mentions the change.
func (v *view) findChange(t logic.Term) (place logic.Term, same atPlace, other logic.Term) {
	args := v.b.Args(t)
	switch v.b.Op(t) {
	case logic.Apply:
		if f := args[0]; v.b.Op(f) == logic.Ovr && len(v.b.Args(f)) == 2 {
			if k, e, ok := v.single(v.b.Arg(f, 1)); ok && v.b.Depth(t) == 0 {
				return t, atPlace{args[1], k, e}, v.b.App(logic.Apply, v.b.Arg(f, 0), args[1])
			}
		}
	case logic.In, logic.NotIn:
		set := args[1]
		op := v.b.Op(set)
		if (op != logic.Union && op != logic.Diff) || len(v.b.Args(set)) != 2 || v.b.Depth(t) != 0 {
			break
		}
		if one := v.b.Arg(set, 1); v.b.Op(one) == logic.SetExt && len(v.b.Args(one)) == 1 {
			truth := logic.True
			if (op == logic.Diff) != (v.b.Op(t) == logic.NotIn) {
				truth = logic.False
			}
			return t, atPlace{args[0], v.b.Arg(one, 0), v.b.App(truth)}, v.b.App(v.b.Op(t), args[0], v.b.Arg(set, 0))
		}
	}
	for _, a := range args {
		if place, same, other = v.findChange(a); place != 0 {
			return place, same, other
		}
	}
	return 0, atPlace{}, 0
}

// single takes {k ↦ e} apart.
func (v *view) single(t logic.Term) (k, e logic.Term, ok bool) {
	if v.b.Op(t) != logic.SetExt || len(v.b.Args(t)) != 1 || v.b.Op(v.b.Arg(t, 0)) != logic.Maplet {
		return 0, 0, false
	}
	pair := v.b.Args(v.b.Arg(t, 0))
	return pair[0], pair[1], true
}

// replaced returns t with closed subterm part replaced, outside of binders.
func (v *view) replaced(t, part, by logic.Term) logic.Term {
	if t == part {
		return by
	}
	op := v.b.Op(t)
	if len(v.b.Args(t)) == 0 || op.IsBinder() || !v.b.Occurs(part, t) {
		return t
	}
	var args []logic.Term
	for _, a := range v.b.Args(t) {
		args = append(args, v.replaced(a, part, by))
	}
	return v.b.App(op, args...)
}

// mostPremises bounds how many premises a generalised clause may have, in addition to the clause
// itself with all of them.
const mostPremises = 2

// generalised adds c with all its premises, and with few of them; what is said under
// fewer premises implies what is said under more.
func (v *view) generalised(c clause) {
	premises := slices.DeleteFunc(slices.Clone(c.premises), func(p logic.Term) bool { return v.b.Op(p) == logic.True || p == c.conclusion })
	if slices.Contains(premises, v.b.App(logic.False)) {
		return
	}
	if args := v.b.Args(c.conclusion); v.b.Op(c.conclusion) == logic.True || v.b.Op(c.conclusion) == logic.Eq && args[0] == args[1] {
		return
	}
	if len(premises) < len(c.premises) && slices.Contains(c.premises, c.conclusion) {
		return // it says nothing
	}
	var made [][]logic.Term
	var rec func(from int, chosen []logic.Term)
	rec = func(from int, chosen []logic.Term) {
		made = append(made, slices.Clone(chosen))
		if len(chosen) < mostPremises {
			for i := from; i < len(premises); i++ {
				rec(i+1, append(chosen, premises[i]))
			}
		}
	}
	rec(0, nil)
	// All guards together are the weakest guess, and what the obligation itself says.
	if len(premises) > mostPremises {
		made = append(made, premises)
	}
	slices.SortStableFunc(made, func(a, b []logic.Term) int { return len(a) - len(b) })
	closed := make([]logic.Term, len(made))
	for i, chosen := range made {
		p := c.conclusion
		if len(chosen) > 0 {
			p = v.simplify(v.implies(v.b.And(chosen...), c.conclusion))
		}
		closed[i] = v.closed(p)
		var stronger []logic.Term
		for j, fewer := range made[:i] {
			if len(fewer) < len(chosen) && !slices.ContainsFunc(fewer, func(q logic.Term) bool { return !slices.Contains(chosen, q) }) {
				stronger = append(stronger, closed[j])
			}
		}
		v.weaker(closed[i], stronger...)
	}
}

// closed binds what is neither a variable nor a constant in p, under names without primes.
func (v *view) closed(p logic.Term) logic.Term {
	var ids []logic.Term
	var names []string
	for _, x := range v.b.FreeIdents(p) {
		if v.variable[x] || v.constant[x] {
			continue
		}
		base := strings.TrimRight(strings.TrimRight(v.b.Name(x), "'"), "_")
		name := base
		for n := 0; slices.Contains(names, name) || v.declared(name); n++ {
			name = base + string(rune('0'+n%10)) + strings.Repeat("0", n/10)
		}
		ids, names = append(ids, x), append(names, name)
	}
	if len(ids) == 0 {
		return p
	}
	var decls []logic.Type
	for _, x := range ids {
		decls = append(decls, v.b.Type(x))
	}
	return v.b.Quant(logic.Forall, decls, &logic.Hint{Names: names}, v.b.Abstract(p, ids))
}

// exclude guesses what is false in the states that refute open obligations, and might be
// true in all that the machine gets into: which values do not come together, and in
// which order integers stand where something has the value that it has there.
func exclude(v *view) {
	v.origin = FromGoal
	for _, open := range v.open {
		if open.Refuting == nil || open.Event != nil && open.Event.IsInit() {
			continue
		}
		state := *open.Refuting
		var values []logic.Term // x = value, for what has few
		for _, x := range v.vars[:v.concrete] {
			if value := v.constantCalled(x, state.printed[v.b.Name(x)]); value != 0 {
				values = append(values, v.eq(x, value))
			}
		}
		for i, p := range values {
			for _, q := range values[i+1:] {
				v.add(v.implies(p, v.opposite(q)))
			}
			v.unordered(state, p)
		}
	}
}

// constantCalled returns the constant of the type of x that is printed so, or 0.
func (v *view) constantCalled(x logic.Term, printed string) logic.Term {
	switch {
	case printed == "TRUE":
		return v.b.App(logic.TrueE)
	case printed == "FALSE":
		return v.b.App(logic.FalseE)
	}
	for _, k := range v.consts {
		if v.b.Name(k) == printed && v.b.Type(k) == v.b.Type(x) && v.b.TypeKind(v.b.Type(k)) == logic.KindGiven {
			return k
		}
	}
	return 0
}

// unordered adds that under p integers stand in another order than in a state.
func (v *view) unordered(state Sample, p logic.Term) {
	ints := slices.Concat(v.of(logic.IntType), slices.DeleteFunc(slices.Clone(v.consts), func(k logic.Term) bool { return v.b.Type(k) != logic.IntType }), []logic.Term{v.int(0)})
	for _, x := range v.of(logic.IntType) {
		for _, y := range ints {
			a, ok1 := v.integer(state, x)
			b, ok2 := v.integer(state, y)
			if x == y || !ok1 || !ok2 {
				continue
			}
			switch a.Cmp(b) {
			case 1:
				v.add(v.implies(p, v.le(x, y)))
			case -1:
				v.add(v.implies(p, v.le(y, x)))
			}
			if a.Cmp(b) != 0 {
				v.add(v.implies(p, v.eq(x, y)))
			}
		}
	}
}
