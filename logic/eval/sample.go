package eval

import (
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
)

// sampleType returns some values of type t.
func (e *Evaluator) sampleType(typ logic.Type) []Value {
	if typ == logic.IntType {
		return e.integers()
	}
	if vs, ok := e.allOf(typ); ok {
		return vs[:min(len(vs), 64)]
	}
	if e.b.TypeKind(typ) == logic.KindGiven {
		return e.elements(e.b.GivenName(typ))
	}
	// Values that were met are the likeliest to decide something; the rest is made from samples of the
	// parts.
	out := slices.Clone(e.seen[typ])
	if elem := e.b.Elem(typ); elem != logic.NoType {
		elems := e.sampleType(elem)
		out = append(out, e.s.Set())
		for _, value := range elems[:min(len(elems), 8)] {
			out = append(out, e.s.Set(value))
		}
		return out
	}
	left, right := e.b.Pair(typ)
	ls, rs := e.sampleType(left), e.sampleType(right)
	for _, x := range ls[:min(len(ls), 6)] {
		for _, y := range rs[:min(len(rs), 6)] {
			out = append(out, e.s.Pair(x, y))
		}
	}
	return out
}

// around returns integers worth trying, or elements of the infinite carrier set
// of origin.
func (e *Evaluator) around(origin Value) []Value {
	if e.s.Kind(origin) == Integer {
		return e.integers()
	}
	name, _ := e.s.Number(origin)
	return e.elements(name)
}

func (e *Evaluator) elements(carrier string) []Value {
	var out []Value
	for _, n := range []int{0, 1, -1, 2, 3, -2, 1 << 30, -1 << 30} {
		out = append(out, e.s.Element(carrier, n))
	}
	return out
}

// integers returns integers worth trying in place of all: small ones, those of the model and their neighbours, at which
// comparisons change, and very large ones. A sample can refute ∀ and confirm ∃, never the other way round.
func (e *Evaluator) integers() []Value {
	if e.samples != nil {
		return e.samples
	}
	out := []Value{e.s.Int64(0), e.s.Int64(1), e.s.Int64(-1), e.s.Int64(2)}
	// Beyond all constants of a usual formula, on both sides.
	huge := new(big.Int).Lsh(big.NewInt(1), 200)
	out = append(out, e.s.Int(huge), e.s.Int(huge.Neg(huge)))
	add := func(value Value) {
		if !slices.Contains(out, value) {
			out = append(out, value)
		}
	}
	var walk func(value Value)
	walk = func(v Value) {
		switch {
		// Each sample costs a branch, and branches multiply with the variables.
		case len(out) > 24:
		case e.s.Kind(v) == Integer:
			add(v)
			for _, d := range []int64{-1, 1} {
				add(e.s.Int(new(big.Int).Add(e.s.Big(v), big.NewInt(d))))
			}
		default:
			for _, p := range e.s.Parts(v) {
				walk(p)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.m.Values)) {
		walk(e.m.Values[name])
	}
	e.samples = out
	return out
}

// all returns the set of all values of a finite type.
func (e *Evaluator) all(t logic.Type) (Value, bool) {
	vs, ok := e.allOf(t)
	if !ok {
		return 0, false
	}
	return e.s.Set(append([]Value(nil), vs...)...), true
}

// allOf lists the values of type t, if they are not too many.
func (e *Evaluator) allOf(t logic.Type) ([]Value, bool) {
	vs, ok := e.types[t]
	if !ok {
		vs, _ = e.m.All(e.b, t, maxListed)
		e.types[t] = vs
	}
	return vs, vs != nil
}
