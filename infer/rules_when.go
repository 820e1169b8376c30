package infer

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// sample is a state that a run met, with the constants of its set-up.
type sample struct {
	printed map[string]string   // values as the explorer prints them, by name
	numbers map[string]*big.Int // those that are integers
}

func newSample() sample { return sample{map[string]string{}, map[string]*big.Int{}} }

func (s sample) set(name, value string) {
	s.printed[name] = value
	if n, ok := new(big.Int).SetString(strings.ReplaceAll(value, "−", "-"), 10); ok {
		s.numbers[name] = n
	}
}

// collectSamples runs m in the set-ups and returns states from all over the searches.
func collectSamples(ctx context.Context, m *model.Machine, at [][]*explore.Instance) []sample {
	one := *m
	one.Inherited, one.Invariants = nil, nil
	parts := make([][]sample, len(at))
	var wg sync.WaitGroup
	for k, group := range at {
		wg.Go(func() {
			for _, in := range group {
				parts[k] = append(parts[k], samplesOf(ctx, m, &one, in)...)
			}
		})
	}
	wg.Wait()
	return slices.Concat(parts...)
}

// samplesOf returns states of machine one, which is m without invariants.
func samplesOf(ctx context.Context, m, one *model.Machine, in *explore.Instance) (out []sample) {
	opt := explore.Options{
		MaxStates: runStates, MaxTried: runTried, MaxMemory: runMemory, NoDeadlock: true, NoInvariants: true, KeepGoing: true, Sample: sampledStates,
		Refinement: len(vanished(m)) > 0,
	}
	r, err := explore.Run(ctx, one, in, opt)
	if err != nil && opt.Refinement {
		opt.Refinement = false // the abstract machine cannot go along
		r, err = explore.Run(ctx, one, in, opt)
	}
	if err != nil {
		return nil
	}
	constants := in.Bindings(m)
	for _, state := range r.Sample {
		s := newSample()
		for _, b := range slices.Concat(constants, state) {
			s.set(b.Name, b.Value)
		}
		out = append(out, s)
	}
	return out
}

// integer evaluates t in s, as far as it is a sum of products of integers.
func (v *view) integer(s sample, t logic.Term) (*big.Int, bool) {
	if v.b.Op(t) == logic.Free {
		n, ok := s.numbers[v.b.Name(t)]
		return n, ok
	}
	total := new(big.Int)
	for _, p := range v.sum(t) {
		value := new(big.Int).Set(p.coefficient)
		for _, x := range p.factors {
			if v.b.Op(x) != logic.Free {
				return nil, false
			}
			n, ok := v.integer(s, x)
			if !ok {
				return nil, false
			}
			value.Mul(value, n)
		}
		total.Add(total, value)
	}
	return total, true
}

// holds evaluates p in s; ok is false if p is more than a comparison of integers or of
// identifiers.
func (v *view) holds(s sample, p logic.Term) (value, ok bool) {
	args := v.b.Args(p)
	op := v.b.Op(p)
	switch op {
	case logic.Implies:
		if value, ok = v.holds(s, args[0]); !ok || !value {
			return true, ok
		}
		return v.holds(s, args[1])
	case logic.Not:
		value, ok = v.holds(s, args[0])
		return !value, ok
	case logic.Eq, logic.Neq, logic.Lt, logic.Le, logic.Gt, logic.Ge:
	default:
		return false, false
	}
	if v.b.Type(args[0]) != logic.IntType {
		left, right := v.printed(s, args[0]), v.printed(s, args[1])
		return (left == right) == (op == logic.Eq), left != "" && right != "" && op <= logic.Neq
	}
	left, ok1 := v.integer(s, args[0])
	right, ok2 := v.integer(s, args[1])
	if !ok1 || !ok2 {
		return false, false
	}
	switch c := left.Cmp(right); op {
	case logic.Eq:
		return c == 0, true
	case logic.Neq:
		return c != 0, true
	case logic.Lt:
		return c < 0, true
	case logic.Le:
		return c <= 0, true
	case logic.Gt:
		return c > 0, true
	default:
		return c >= 0, true
	}
}

func (v *view) printed(s sample, t logic.Term) string {
	switch v.b.Op(t) {
	case logic.Free:
		return s.printed[v.b.Name(t)]
	case logic.TrueE:
		return "TRUE"
	case logic.FalseE:
		return "FALSE"
	case logic.Empty:
		return "∅"
	case logic.SetExt:
		if args := v.b.Args(t); len(args) == 1 && v.b.Type(args[0]) == logic.IntType {
			if n, ok := v.integer(s, args[0]); ok {
				return "{" + strings.ReplaceAll(n.String(), "-", "−") + "}"
			}
		}
	}
	return ""
}

// conditions returns predicates that tell states apart: what guards ask of the state,
// the values of what has few, and the opposites of both. The first is 0, for all states.
func (v *view) conditions() []logic.Term {
	out := []logic.Term{0}
	add := func(p logic.Term) {
		if !slices.Contains(out, p) && len(out) < mostConditions {
			out = append(out, p)
		}
	}
	for _, x := range v.of(logic.BoolType) {
		add(v.eq(x, v.b.App(logic.TrueE)))
		add(v.eq(x, v.b.App(logic.FalseE)))
	}
	for _, x := range v.vars[:v.concrete] {
		if v.b.TypeKind(v.b.Type(x)) == logic.KindGiven {
			for _, k := range v.consts {
				if v.b.Type(k) == v.b.Type(x) {
					add(v.eq(x, k))
				}
			}
		}
	}
	for _, p := range v.literals {
		if v.seen[v.b.Bare(p)] {
			continue // it always holds
		}
		switch v.b.Op(p) {
		case logic.Eq, logic.Neq, logic.Lt, logic.Le, logic.Gt, logic.Ge, logic.In, logic.NotIn:
			add(p)
		}
	}
	for _, p := range slices.Clone(out[1:]) {
		add(v.opposite(p))
	}
	return out
}

// mostConditions bounds the conditions under which relations are looked for.
const mostConditions = 24

// opposite returns the negation of a comparison as a comparison.
func (v *view) opposite(p logic.Term) logic.Term {
	args := v.b.Args(p)
	if v.b.Op(p) == logic.Eq {
		switch v.b.Op(args[1]) {
		case logic.TrueE:
			return v.eq(args[0], v.b.App(logic.FalseE))
		case logic.FalseE:
			return v.eq(args[0], v.b.App(logic.TrueE))
		}
	}
	for _, pair := range [][2]logic.Op{{logic.Eq, logic.Neq}, {logic.Lt, logic.Ge}, {logic.Le, logic.Gt}, {logic.In, logic.NotIn}} {
		for i := range 2 {
			if v.b.Op(p) == pair[i] {
				return v.b.App(pair[1-i], args...)
			}
		}
	}
	return v.b.Not(p)
}

// when guesses what holds under a condition: equalities of variables with expressions,
// orders of variables, and which sets are empty.
func when(v *view) {
	for _, c := range v.conditions()[1:] {
		if v.constantly(c) {
			continue
		}
		for _, x := range v.vars {
			if v.b.Occurs(x, c) && v.b.Op(c) == logic.Eq {
				continue
			}
			typ := v.b.Type(x)
			if v.b.TypeKind(typ) == logic.KindPow {
				v.under(c, v.eq(x, v.empties(x)))
				if v.b.Elem(typ) == logic.IntType {
					v.singletons(c, x)
				}
			}
			if typ == logic.BoolType {
				v.under(c, v.eq(x, v.b.App(logic.TrueE)))
				v.under(c, v.eq(x, v.b.App(logic.FalseE)))
			}
			for _, t := range v.terms {
				if v.b.Type(t) != typ || t == x {
					continue
				}
				if typ != logic.IntType {
					v.under(c, v.eq(x, t))
					continue
				}
				difference := append(v.sum(x), negated(v.sum(t))...)
				v.under(c, v.equation(difference))
				v.under(c, v.order(difference))
				v.under(c, v.order(negated(difference)))
			}
		}
	}
}

// singletons adds that set x of integers has one element under c, and which.
func (v *view) singletons(c, x logic.Term) {
	for _, y := range v.of(logic.IntType) {
		v.under(c, v.eq(x, v.b.App(logic.SetExt, y)))
		v.under(c, v.eq(x, v.b.App(logic.SetExt, v.b.App(logic.Minus, y, v.int(1)))))
	}
}

// constantly reports whether c holds in all sampled states, or in none: then it tells
// none apart.
func (v *view) constantly(c logic.Term) bool {
	var seen [2]bool
	for _, s := range v.samples {
		holds, ok := v.holds(s, c)
		if !ok {
			return false
		}
		if holds {
			seen[1] = true
		} else {
			seen[0] = true
		}
	}
	return len(v.samples) > 0 && seen[0] != seen[1]
}

// fails reports whether p is false in a sampled state. Guesses that are many are not even
// made then.
func (v *view) fails(p logic.Term) bool {
	return slices.ContainsFunc(v.samples, func(s sample) bool {
		holds, ok := v.holds(s, p)
		return ok && !holds
	})
}

// under adds c ⇒ p, which p alone implies.
func (v *view) under(c, p logic.Term) {
	if !v.empty(p) && !v.fails(v.implies(c, p)) {
		v.weaker(v.implies(c, p), p)
	}
}

// each guesses what holds of all values of a function at the elements of a set.
func each(v *view) {
	for _, f := range v.vars[:v.concrete] {
		domain := v.functions[f]
		if domain == 0 {
			continue
		}
		from, to := v.b.RelPair(v.b.Type(f))
		at := v.fresh("k", from)
		value := v.b.App(logic.Apply, f, at)
		for _, s := range slices.Concat([]logic.Term{domain}, v.setsOf(v.b.PowType(from)), v.prefixes(domain)) {
			v.eachOf(at, v.in(at, s), value, to)
			if s != domain && v.mentions(s) {
				v.eachOf(at, v.b.And(v.in(at, domain), v.b.App(logic.NotIn, at, s)), value, to)
			}
		}
		other := v.fresh("l", from)
		same := v.eq(value, v.b.App(logic.Apply, f, other))
		for _, s := range v.setsOf(v.b.PowType(from)) {
			v.add(v.forall([]logic.Term{at, other}, v.implies(v.b.And(v.in(at, s), v.in(other, s), same), v.eq(at, other))))
		}
	}
}

// prefixes returns the parts of a range of integers before a variable, and from it on.
func (v *view) prefixes(domain logic.Term) (out []logic.Term) {
	if v.b.Op(domain) != logic.UpTo {
		return nil
	}
	ends := v.b.Args(domain)
	for _, x := range v.of(logic.IntType) {
		out = append(out, v.b.App(logic.UpTo, ends[0], v.b.App(logic.Minus, x, v.int(1))), v.b.App(logic.UpTo, x, ends[1]))
	}
	return out
}

// eachOf adds ∀at·where ⇒ value = t, and likewise with the orders, for what t may be.
func (v *view) eachOf(at, where, value logic.Term, typ logic.Type) {
	var others []logic.Term
	for _, t := range v.terms {
		if v.b.Type(t) == typ {
			others = append(others, t)
		}
	}
	for g := range v.functions {
		if from, to := v.b.RelPair(v.b.Type(g)); to == typ && from == v.b.Type(at) {
			others = append(others, v.b.App(logic.Apply, g, at))
		}
	}
	slices.Sort(others)
	add := func(p logic.Term) { v.add(v.forall([]logic.Term{at}, v.implies(where, p))) }
	for _, t := range others {
		if t == value {
			continue
		}
		add(v.eq(value, t))
		if typ == logic.IntType {
			add(v.le(value, t))
			add(v.le(t, value))
		}
	}
}
