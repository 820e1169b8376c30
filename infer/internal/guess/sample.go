package guess

import (
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
)

// Sample is a state that a run met, with the constants of its set-up. The zero value is
// not ready: see NewSample.
type Sample struct {
	printed map[string]string   // values as the explorer prints them, by name
	numbers map[string]*big.Int // those that are integers
}

// NewSample returns a sample without values.
func NewSample() Sample { return Sample{map[string]string{}, map[string]*big.Int{}} }

// Set gives a name a value, as the explorer prints it.
func (s Sample) Set(name, value string) {
	s.printed[name] = value
	if n, ok := new(big.Int).SetString(strings.ReplaceAll(value, "−", "-"), 10); ok {
		s.numbers[name] = n
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
	return v.ctx.Err() != nil || slices.ContainsFunc(v.samples, func(s Sample) bool {
		holds, ok := v.holds(s, p)
		return ok && !holds
	})
}

// integer evaluates t in s, as far as it is a sum of products of integers.
func (v *view) integer(s Sample, t logic.Term) (*big.Int, bool) {
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
func (v *view) holds(s Sample, p logic.Term) (value, ok bool) {
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
	// Values of other types are compared as they are printed. They have no order.
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

// printed is the value of an expression in a sample as it is printed; "" if it is not known.
func (v *view) printed(s Sample, t logic.Term) string {
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
