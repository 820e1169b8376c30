package guess

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/infer/internal/karr"
	"github.com/gradine/gradine/infer/internal/linear"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// elements guesses equations between values of functions at each element of their domain:
// Karr's analysis of the machine and of one element k, of which nothing is known but that
// it is in the domain. An event that changes a function at some place, or puts it into a
// set, is taken apart into the case that the place is k, and the case that it is another.
func elements(v *view) {
	types := &analysis{v: v}
	var domains []logic.Term
	for _, f := range v.vars {
		_, to := v.b.RelPair(v.b.Type(f))
		if d := v.functions[f]; d != 0 && v.rigid(d) && types.numeric(to) && !slices.Contains(domains, d) && len(domains) < mostDomains {
			domains = append(domains, d)
		}
	}
	for _, d := range domains {
		k := v.fresh("k", v.b.Elem(v.b.Type(d)))
		v.constant[k] = true
		analyse(&analysis{v: v, number: map[string]int{}, element: element{k, d}})
		delete(v.constant, k)
	}
}

// The bounds of what is looked at for elements.
const (
	mostDomains  = 3
	mostSplit    = 2 // places of an event: each doubles its cases
	mostPrefixes = 2 // counters that k is compared with

	mostOfElement = 6 // controls: cases make more moves, and there are fewer places for them
)

// element is what an analysis of elements is about; is is 0 for all others.
type element struct{ is, domain logic.Term }

// places are expressions that are the element in one case of an event, and such as are not.
type places struct{ same, apart []logic.Term }

// cases takes e apart by which of the places that it changes something at are the element.
func (a *analysis) cases(e *model.Event) []places {
	out := []places{{}}
	if a.is == 0 || e.IsInit() {
		return out
	}
	// INITIALISATION gives functions whole values, so that it has no places.
	for _, p := range a.changed(e) {
		var next []places
		for _, c := range out {
			next = append(next,
				places{append(slices.Clone(c.same), p), c.apart},
				places{c.same, append(slices.Clone(c.apart), p)})
		}
		out = next
	}
	return out
}

// changed returns the places at which e, or the event that it refines, changes functions
// or sets, and the counters of prefixes that it moves on.
func (a *analysis) changed(e *model.Event) (out []logic.Term) {
	v := a.v
	add := func(t logic.Term) {
		t = a.normal(t)
		if v.b.Depth(t) == 0 && v.b.Type(t) == v.b.Type(a.is) && !slices.Contains(out, t) && len(out) < mostSplit {
			out = append(out, t)
		}
	}
	// What has disappeared changes where the refined event says, in its names.
	names := a.witnessed(e)
	for _, x := range append([]*model.Event{e}, e.Refines...) {
		for _, act := range x.Actions {
			if act.Kind != model.BecomesEqual {
				continue
			}
			for i, right := range act.Right {
				right = v.b.Subst(right, names)
				elementwise := v.b.Type(act.Left[i]) == v.b.Type(a.domain)
				v.walk(right, func(t logic.Term) {
					if k, _, ok := v.single(t); ok {
						add(k)
					} else if elementwise && v.b.Op(t) == logic.SetExt {
						for _, member := range v.b.Args(t) {
							add(member)
						}
					}
				})
				if slices.Contains(a.prefixes(), act.Left[i]) && right != act.Left[i] {
					add(act.Left[i])
				}
			}
		}
	}
	return out
}

// witnessed says what stands for the parameters of the refined event, as far as that is a
// state expression.
func (a *analysis) witnessed(e *model.Event) map[logic.Term]logic.Term {
	names := map[logic.Term]logic.Term{}
	for _, w := range a.witnesses(e) {
		if args := a.v.b.Args(w); a.v.b.Op(w) == logic.Eq && a.v.b.Op(args[0]) == logic.Free && a.v.state(args[1]) {
			names[args[0]] = args[1]
		}
	}
	return names
}

// prefixes returns counters: what comes before one is a part of the domain.
func (a *analysis) prefixes() (out []logic.Term) {
	v := a.v
	if a.is == 0 || v.b.Type(a.is) != logic.IntType {
		return nil
	}
	for _, s := range v.steps {
		for _, x := range s.sets {
			if x.value == 0 || v.b.Type(x.to) != logic.IntType || slices.Contains(out, x.to) || len(out) >= mostPrefixes {
				continue
			}
			if by, ok := a.literal(x.value, x.to); ok && by.Cmp(big.NewInt(1)) == 0 && a.bounded(x.to) {
				out = append(out, x.to)
			}
		}
	}
	return out
}

// bounded reports whether a guard or a fact compares x with what bounds the domain.
func (a *analysis) bounded(x logic.Term) bool {
	v := a.v
	bounds := v.b.FreeIdents(a.domain)
	compares := func(p logic.Term) bool {
		free := v.b.FreeIdents(p)
		return v.b.Op(p) != logic.Forall && slices.Contains(free, x) && slices.ContainsFunc(free, func(y logic.Term) bool { return slices.Contains(bounds, y) })
	}
	return slices.ContainsFunc(v.facts, compares) || slices.ContainsFunc(v.steps, func(s step) bool { return slices.ContainsFunc(s.guards, compares) })
}

// memberships returns what tells where the element is: in which sets, and before or at
// which counter.
func (a *analysis) memberships() (out []logic.Term) {
	v := a.v
	if a.is == 0 {
		return nil
	}
	for _, s := range v.vars {
		if v.b.Type(s) == v.b.Type(a.domain) && !v.isFunction(s) {
			out = append(out, v.in(a.is, s))
		}
	}
	for _, t := range a.prefixes() {
		out = append(out, v.b.App(logic.Lt, a.is, t), v.eq(a.is, t))
	}
	return out
}

// truth is the expression of type BOOL that says whether p holds, if the analysis has one.
func (a *analysis) truth(p logic.Term) logic.Term {
	switch args := a.v.b.Args(p); {
	case a.v.b.Op(p) == logic.Eq && a.v.b.Op(args[1]) == logic.TrueE:
		return args[0]
	case a.is != 0 && (a.v.b.Op(p) == logic.In || a.v.b.Op(p) == logic.Lt) && args[0] == a.is:
		return a.v.b.App(logic.BoolOf, p)
	}
	return 0
}

// claim is what p says of the element: that an expression of type BOOL is TRUE, or FALSE;
// the expression is 0 if p says something else.
func (a *analysis) claim(p logic.Term) (truth logic.Term, holds bool) {
	args := a.v.b.Args(p)
	if a.is == 0 || len(args) != 2 {
		return 0, false
	}
	switch op := a.v.b.Op(p); {
	case op == logic.In && args[0] == a.is:
		return a.member(args[1]), true
	case op == logic.NotIn && args[0] == a.is:
		return a.member(args[1]), false
	case op == logic.Lt && args[0] == a.is, op == logic.Gt && args[1] == a.is:
		return a.before(a.other(args)), true
	case op == logic.Ge && args[0] == a.is, op == logic.Le && args[1] == a.is:
		return a.before(a.other(args)), false
	}
	return 0, false
}

// other is which of two terms is not the element.
func (a *analysis) other(of []logic.Term) logic.Term {
	if of[0] == a.is {
		return of[1]
	}
	return of[0]
}

// member is whether the element is in a set, as far as that is known from the case.
func (a *analysis) member(set logic.Term) logic.Term {
	b := a.v.b
	yes, no := b.App(logic.TrueE), b.App(logic.FalseE)
	args := b.Args(set)
	// Sets are taken apart down to what the case decides: ∪ and ∖ of a set and a place. What
	// is left undecided is a value of its own, shared by all that asks for it in a move.
	switch b.Op(set) {
	case logic.Empty:
		return no
	case logic.SetExt:
		out := no
		for _, x := range args {
			switch a.distance(a.is, a.normal(x)) {
			case same:
				return yes
			case unknown:
				out = b.App(logic.BoolOf, a.v.in(a.is, set))
			}
		}
		return out
	case logic.Union:
		var rest []logic.Term
		for _, x := range args {
			switch in := a.member(x); in {
			case yes:
				return yes
			case no:
			default:
				rest = append(rest, in)
			}
		}
		switch len(rest) {
		case 0:
			return no
		case 1:
			return rest[0]
		}
	case logic.Diff:
		switch a.member(args[1]) {
		case yes:
			return no
		case no:
			return a.member(args[0])
		}
	case logic.UpTo:
		if b.Op(a.domain) == logic.UpTo && b.Arg(a.domain, 0) == args[0] && set != a.domain {
			return a.before(b.App(logic.Plus, args[1], b.Int64(1)))
		}
	}
	if set == a.domain || b.IsTypeExpr(set) {
		return yes
	}
	return b.App(logic.BoolOf, a.v.in(a.is, set))
}

// before is whether the element is less than t, as far as that is known from the case.
func (a *analysis) before(t logic.Term) logic.Term {
	b := a.v.b
	t = a.normal(t)
	if b.Op(a.domain) == logic.UpTo {
		// Nothing of the domain is below its first element, and all is below what follows the last.
		if first, ok := a.literal(t, b.Arg(a.domain, 0)); ok && first.Sign() <= 0 {
			return b.App(logic.FalseE)
		}
		if last, ok := a.literal(t, b.Arg(a.domain, 1)); ok && last.Sign() > 0 {
			return b.App(logic.TrueE)
		}
	}
	if a.distance(a.is, t) == same {
		return b.App(logic.FalseE)
	}
	switch last := a.normal(b.App(logic.Minus, t, b.Int64(1))); a.distance(a.is, last) {
	case same:
		return b.App(logic.TrueE)
	case different: // then it makes no difference whether last itself is among those before
		return b.App(logic.BoolOf, b.App(logic.Lt, a.is, last))
	}
	return b.App(logic.BoolOf, b.App(logic.Lt, a.is, t))
}

// literal is s − t, if that is a literal.
func (a *analysis) literal(s, t logic.Term) (*big.Int, bool) {
	switch by := collected(append(a.v.sum(s), negated(a.v.sum(t))...)); {
	case len(by) == 0:
		return new(big.Int), true
	case len(by) == 1 && len(by[0].factors) == 0:
		return by[0].coefficient, true
	}
	return nil, false
}

// apartFacts are that the element is not before a counter where it is that counter.
func (a *analysis) apartFacts() (out []karr.Fact) {
	for _, t := range a.prefixes() {
		at, _ := a.equal(a.v.eq(a.is, t))
		less := []product{{big.NewInt(1), []logic.Term{a.v.b.App(logic.BoolOf, a.v.b.App(logic.Lt, a.is, t))}}}
		if a.inColumns([][]product{at, less}) {
			out = append(out, karr.Fact{Under: []linear.Vector{vector(at, a.number)}, Holds: []linear.Vector{vector(less, a.number)}})
		}
	}
	return out
}

// settled returns the equations that hold because places are the element: of the values of
// functions there, and of the order.
func (a *analysis) settled(same []logic.Term) (out [][]product) {
	v := a.v
	one := big.NewInt(1)
	for _, p := range same {
		if !v.state(p) {
			continue // it is called k itself
		}
		if v.b.Type(p) == logic.IntType {
			out = append(out, collected(append(v.sum(p), negated(v.sum(a.is))...)))
			out = append(out, []product{{one, []logic.Term{v.b.App(logic.BoolOf, v.b.App(logic.Lt, a.is, p))}}})
		}
		for _, factors := range a.columns {
			if len(factors) != 1 || v.b.Op(factors[0]) != logic.Apply || v.b.Arg(factors[0], 1) != a.is {
				continue
			}
			there := v.b.App(logic.Apply, v.b.Arg(factors[0], 0), p)
			out = append(out, []product{{one, factors}, {big.NewInt(-1), []logic.Term{there}}})
		}
	}
	return out
}

// atEnd returns the equations that hold because one of the given ones says that a counter
// is at the end of the domain: the element comes before it then, unless it is there.
func (a *analysis) atEnd(equal [][]product, apart []logic.Term) (out [][]product) {
	v := a.v
	if a.is == 0 || v.b.Op(a.domain) != logic.UpTo {
		return nil
	}
	for _, t := range a.prefixes() {
		last := collected(append(v.sum(t), negated(v.sum(v.b.Arg(a.domain, 1)))...))
		behind := collected(append(last, product{big.NewInt(-1), nil}))
		is := func(zero []product) bool {
			return slices.ContainsFunc(equal, func(ps []product) bool {
				return len(collected(append(slices.Clone(ps), zero...))) == 0 || len(collected(append(slices.Clone(ps), negated(zero)...))) == 0
			})
		}
		if is(behind) || is(last) && slices.Contains(apart, t) {
			less := v.b.App(logic.BoolOf, v.b.App(logic.Lt, a.is, t))
			out = append(out, []product{{big.NewInt(1), []logic.Term{less}}, {big.NewInt(-1), nil}})
		}
	}
	return out
}

// concerns reports whether p is worth saying by this analysis: for elements, what does not
// speak of them is said by rule affine.
func (a *analysis) concerns(p logic.Term) bool {
	return a.is == 0 || slices.Contains(a.v.b.FreeIdents(p), a.is)
}

// closed says p under conditions, of all elements if it is about one.
func (a *analysis) closed(conditions []logic.Term, p logic.Term) logic.Term {
	v := a.v
	if a.is == 0 {
		return v.implies(v.conjunction(conditions), p)
	}
	if !v.b.IsTypeExpr(a.domain) {
		conditions = append([]logic.Term{v.in(a.is, a.domain)}, conditions...)
	}
	return v.forall([]logic.Term{a.is}, v.implies(v.conjunction(conditions), p))
}
