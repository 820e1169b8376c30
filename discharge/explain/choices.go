package explain

import (
	"math"
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// breadth counts in how many ways events can go on, in a model of the constants of a machine.
type breadth struct {
	bank      *logic.Bank
	model     *eval.Model
	variables map[logic.Term]bool // which have other values in other states
}

// newBreadth counts with a model that speaks of terms of bank, which may grow.
func newBreadth(bank *logic.Bank, model *eval.Model, machine *model.Machine) *breadth {
	c := &breadth{bank, model, map[logic.Term]bool{}}
	for _, v := range machine.Variables {
		c.variables[v.Term] = true
	}
	return c
}

// choices is the logarithm of how many ways there are, at most, to choose the parameters of
// an event and the values that it assigns freely. Integers count as if they were among 64
// where nothing that is quickly counted says more.
func (c *breadth) choices(event *model.Event) float64 {
	sum := 0.0
	for _, ident := range event.Parameters {
		sum += c.parameter(ident.Term, event.Guards)
	}
	for _, action := range event.Actions {
		switch {
		case action.Kind == model.BecomesEqual:
		case action.Kind == model.BecomesIn:
			sum += c.members(action.Right[0])
		default:
			for _, term := range action.Left {
				sum += c.values(c.bank.Type(term))
			}
		}
	}
	return sum
}

// parameter counts the values of x that guards leave.
func (c *breadth) parameter(x logic.Term, guards []*model.Predicate) float64 {
	least := max(c.values(c.bank.Type(x)), rangeBits(c.bank, x, guards))
	for _, guard := range guards {
		switch op, args := c.bank.Op(guard.Term), c.bank.Args(guard.Term); {
		case op == logic.In && args[0] == x:
			least = min(least, c.members(args[1]))
		case (op == logic.Subset || op == logic.SubsetEq) && args[0] == x:
			least = min(least, math.Exp2(min(c.members(args[1]), 60)))
		}
	}
	return least
}

// values is the logarithm of the number of values of a type.
func (c *breadth) values(typ logic.Type) float64 {
	switch b := c.bank; b.TypeKind(typ) {
	case logic.KindBool:
		return 1
	case logic.KindGiven:
		if n := c.model.Carriers[b.GivenName(typ)]; n != eval.Infinite {
			return math.Log2(float64(max(1, n)))
		}
		return math.Inf(1)
	case logic.KindProd:
		left, right := b.Pair(typ)
		return c.values(left) + c.values(right)
	case logic.KindPow:
		return math.Exp2(min(c.values(b.Elem(typ)), 60))
	}
	return 6
}

// members is the logarithm of the number of elements of a set, at most.
func (c *breadth) members(set logic.Term) float64 {
	b := c.bank
	op, args := b.Op(set), b.Args(set)
	if a, ok := op.Arrow(); ok {
		from, to := c.members(args[0]), c.members(args[1])
		if !a.Functional {
			return math.Exp2(min(from+to, 60))
		}
		if !a.Total {
			to = math.Log2(math.Exp2(min(to, 60)) + 1) // or no value
		}
		return math.Exp2(min(from, 60)) * to
	}
	switch op {
	case logic.UpTo:
		if low, high := c.number(args[0]), c.number(args[1]); low != nil && high != nil {
			return math.Log2(float64(max(1, new(big.Int).Sub(high, low).Int64()+1)))
		}
	case logic.Pow, logic.Pow1:
		return math.Exp2(min(c.members(args[0]), 60))
	case logic.CProd:
		return c.members(args[0]) + c.members(args[1])
	case logic.SetExt:
		return math.Log2(float64(len(args)))
	case logic.Inter:
		return min(c.members(args[0]), c.members(args[1]))
	case logic.Diff:
		return c.members(args[0])
	}
	return c.values(b.Elem(b.Type(set)))
}

// number is the value of an integer over constants; nil if it depends on more, or has none.
func (c *breadth) number(term logic.Term) *big.Int {
	const steps = 1 << 10 // it is a bound of an interval, or counts as one that is not known
	if slices.ContainsFunc(c.bank.FreeIdents(term), func(x logic.Term) bool { return c.variables[x] }) {
		return nil
	}
	if v, ok := eval.New(c.bank, c.model, steps).Value(term); ok && c.model.Space.Kind(v) == eval.Integer {
		return c.model.Space.Big(v)
	}
	return nil
}

// rangeBits is the logarithm of how many integers guards leave to x that bound it by
// numbers on both sides; 0 if they do not.
func rangeBits(bank *logic.Bank, x logic.Term, guards []*model.Predicate) float64 {
	var low, high *big.Int
	for _, guard := range guards {
		if op := bank.Op(guard.Term); op != logic.Le && op != logic.Lt {
			continue
		}
		switch left, right := bank.Arg(guard.Term, 0), bank.Arg(guard.Term, 1); {
		case x == right && bank.Op(left) == logic.Int:
			low = bank.Value(left)
		case x == left && bank.Op(right) == logic.Int:
			high = bank.Value(right)
		}
	}
	if low == nil || high == nil {
		return 0
	}
	return float64(new(big.Int).Sub(high, low).BitLen())
}
