package setup

import (
	"math/big"

	"github.com/gradine/gradine/logic"
)

// lambda returns the λ-term that t is in other words, where t is A×{E} or A◁id with an inhabited set A, perhaps
// overridden; a λ-term is applied without listing it. Otherwise it is t.
func lambda(bank *logic.Bank, t logic.Term) logic.Term {
	args := bank.Args(t)
	op := bank.Op(t)
	if op == logic.Ovr {
		out := append([]logic.Term{lambda(bank, args[0])}, args[1:]...)
		return bank.App(op, out...)
	}
	constant := op == logic.CProd && bank.Op(args[1]) == logic.SetExt && len(bank.Args(args[1])) == 1
	identity := op == logic.DomRes && bank.Op(args[1]) == logic.Id
	if !constant && !identity || !inhabited(bank, args[0]) || bank.Depth(t) > 0 {
		return t
	}
	elem := bank.Elem(bank.Type(args[0]))
	x := bank.Bound(0, elem)
	value := x
	if constant {
		value = bank.Arg(args[1], 0)
	}
	return bank.Quant(logic.Compr, []logic.Type{elem}, nil, bank.App(logic.In, x, args[0]), bank.App(logic.Maplet, x, value))
}

// byForm returns what is left to decide of predicate t, where its form decides the rest: that
// λx·x∈A∣E, perhaps overridden by pairs, is in A → B or another set of functions, which no search lists. It
// is false if t has another form.
func byForm(bank *logic.Bank, t logic.Term) (rest []logic.Term, ok bool) {
	if bank.Op(t) != logic.In {
		return nil, false
	}
	f, set := bank.Arg(t, 0), bank.Arg(t, 1)
	want, arrow := bank.Op(set).Arrow()
	if !arrow {
		return nil, false
	}
	dom, ran := bank.Arg(set, 0), bank.Arg(set, 1)
	if bank.Op(f) == logic.Ovr && len(bank.Args(f)) == 2 && bank.Op(bank.Arg(f, 1)) == logic.SetExt && !want.Injective && !want.Surjective {
		rest, ok = byForm(bank, bank.App(logic.In, bank.Arg(f, 0), set))
		for _, pair := range bank.Args(bank.Arg(f, 1)) {
			if bank.Op(pair) != logic.Maplet {
				return nil, false
			}
			rest = append(rest, bank.App(logic.In, bank.Arg(pair, 0), dom), bank.App(logic.In, bank.Arg(pair, 1), ran))
		}
		// Pairs with one argument and two values would not make a function.
		return rest, ok && len(bank.Args(bank.Arg(f, 1))) == 1
	}
	if bank.Op(f) != logic.Compr || len(bank.Decls(f)) != 1 || !inhabited(bank, dom) {
		return nil, false
	}
	guard, pair := bank.Arg(f, 0), bank.Arg(f, 1)
	if bank.Op(pair) != logic.Maplet || bank.Op(bank.Arg(pair, 0)) != logic.Bound ||
		bank.Op(guard) != logic.In || bank.Arg(guard, 0) != bank.Arg(pair, 0) || !sameSet(bank, bank.Arg(guard, 1), dom) {
		return nil, false
	}
	value := bank.Arg(pair, 1)
	if value == bank.Arg(pair, 0) && dom == ran {
		return nil, true // the identity, whatever is wanted of it
	}
	if want.Injective || want.Surjective {
		return nil, false
	}
	if bank.Depth(value) == 0 {
		return []logic.Term{bank.App(logic.In, value, ran)}, true
	}
	least, ok := leastOf(bank, value, dom)
	if !ok {
		return nil, false
	}
	bound, ok := lower(bank, ran)
	return nil, ok && bound <= least
}

// sameSet reports whether s and t are the same set by their form, where an interval may be listed.
func sameSet(bank *logic.Bank, s, t logic.Term) bool {
	if s == t {
		return true
	}
	if bank.Op(s) == logic.UpTo {
		s, t = t, s
	}
	args, others := bank.Args(s), bank.Args(t)
	if bank.Op(s) == logic.SetExt && bank.Op(t) == logic.UpTo {
		for i, x := range args {
			// Listed in their order, from the first to the last.
			if bank.Op(x) != logic.Int || i > 0 && bank.Value(x).Cmp(new(big.Int).Add(bank.Value(args[i-1]), big.NewInt(1))) != 0 {
				return false
			}
		}
		return len(args) > 0 && args[0] == others[0] && args[len(args)-1] == others[1]
	}
	if bank.Op(s) != bank.Op(t) || len(args) == 0 || len(args) != len(others) || bank.Op(s).IsBinder() {
		return false
	}
	for i := range args {
		if !sameSet(bank, args[i], others[i]) {
			return false
		}
	}
	return true
}

// inhabited reports whether t has members by its form.
func inhabited(bank *logic.Bank, t logic.Term) bool {
	switch bank.Op(t) {
	case logic.Integer, logic.Natural, logic.Natural1, logic.Pow, logic.Rel, logic.PFun, logic.PInj:
		return true
	case logic.TFun:
		return inhabited(bank, bank.Arg(t, 1))
	}
	return false
}

// unbounded is the lower bound of ℤ.
const unbounded = -1

// lower returns the lower bound of ℤ, ℕ and ℕ1.
func lower(bank *logic.Bank, t logic.Term) (int, bool) {
	switch bank.Op(t) {
	case logic.Integer:
		return unbounded, true
	case logic.Natural:
		return 0, true
	case logic.Natural1:
		return 1, true
	}
	return 0, false
}

// leastOf returns which of ℤ, ℕ and ℕ1, by their lower bounds, the value of t is in for all members of dom as
// the variable. It is false unless t is made of numbers and the variable by sums and products, which have a
// value for all of them.
func leastOf(bank *logic.Bank, t, dom logic.Term) (int, bool) {
	args := bank.Args(t)
	switch op := bank.Op(t); op {
	case logic.Int:
		return min(max(bank.Value(t).Sign(), unbounded), 1), true
	case logic.Bound:
		return lower(bank, dom)
	case logic.Plus, logic.Times:
		least, most := 1, unbounded
		for _, a := range args {
			n, ok := leastOf(bank, a, dom)
			if !ok {
				return 0, false
			}
			least, most = min(least, n), max(most, n)
		}
		if op == logic.Plus && least >= 0 {
			return most, true // one part that is positive is enough
		}
		return least, true
	}
	return 0, false
}
