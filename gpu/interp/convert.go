package interp

import (
	"fmt"
	"math"
	"math/big"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

func single(t *ast.Ctype, f float64) float64 {
	if t.Bits <= 32 {
		return float64(float32(f))
	}
	return f
}

func (r *runner) truthOf(v result, at preproc.Place) bool {
	if len(v.c) != 1 {
		r.undecided(at, "a condition of type %s", ir.KindName(v.typ))
	}
	switch s := v.c[0]; s.kind {
	case intScalar:
		return s.i != 0
	case floatScalar:
		return s.f != 0
	case pointerScalar:
		return s.to != nil
	}
	r.undecided(at, "a condition on an unknown value")
	return false
}

func (r *runner) integer(v result, at preproc.Place) int64 {
	if len(v.c) != 1 || v.c[0].kind != intScalar {
		r.undecided(at, "an unknown number")
	}
	return v.c[0].i
}

// convert converts a value to a type.
func (r *runner) convert(v result, t *ast.Ctype, at preproc.Place) result {
	switch {
	case t.Kind == ast.VoidType || v.typ.Kind == ast.VoidType:
		return result{t, v.c}
	case t.Kind == ast.VectorType && v.typ.Kind == ast.VectorType:
		out := result{typ: t}
		for i := range v.c {
			out.c = append(out.c, r.convertScalar(v.c[i], v.typ.Elem, t.Elem, at))
		}
		return out
	case t.Kind == ast.VectorType && len(v.c) == 1:
		out := result{typ: t}
		for i := range t.Cells() {
			s := r.convertScalar(v.c[0], v.typ, t.Elem, at)
			if t.Name == "dim3" && i > 0 {
				s = scalar{kind: intScalar, i: 1}
			}
			out.c = append(out.c, s)
		}
		return out
	case len(v.c) != 1 || t.Kind == ast.StructType || t.Kind == ast.OpaqueType:
		return result{t, v.c}
	}
	return result{t, []scalar{r.convertScalar(v.c[0], v.typ, t, at)}}
}

func (r *runner) convertScalar(s scalar, from, t *ast.Ctype, at preproc.Place) scalar {
	switch t.Kind {
	case ast.IntType:
		return r.toInteger(s, from, t)
	case ast.FloatType:
		return r.toFloat(s, from, t)
	case ast.PointerType:
		return r.toPointer(s, t, at)
	}
	return s
}

// toInteger converts a scalar to an integer type.
func (r *runner) toInteger(s scalar, from, t *ast.Ctype) scalar {
	switch s.kind {
	case intScalar:
		return scalar{kind: intScalar, i: narrow(t, s.i)}
	case floatScalar:
		if t.Bits == 1 { // not through an integer: 0.5 is true (C11 6.3.1.2)
			return scalar{kind: intScalar, i: asInt(s.f != 0)}
		}
		// C leaves it open (C11 6.3.1.4), and Go does, too.
		if lo, hi := interval.Within(t); math.IsNaN(s.f) || math.Abs(s.f) > 1e18 || big.NewInt(int64(s.f)).Cmp(lo) < 0 || big.NewInt(int64(s.f)).Cmp(hi) > 0 {
			return r.unknown("")
		}
		return scalar{kind: intScalar, i: narrow(t, int64(s.f))}
	case unknownScalar:
		if from.Kind == ast.IntType && ir.Fits(from, t) {
			return s
		}
		// A name made of the conversion and its operand: equal operands give equal values.
		name := fmt.Sprint("to ", t.Bits, t.Signed, s.key())
		if from.Kind == ast.FloatType && r.t != nil { // beyond the range of t
			name += onDevice
		}
		return r.unknown(name)
	}
	switch {
	case t.Bits == 1:
		return scalar{kind: intScalar, i: asInt(s.to != nil)}
	case s.to == nil:
		return scalar{kind: intScalar}
	case t.Bits < 64: // a part of an address
		return r.unknown("")
	}
	return s
}

// toFloat converts a scalar to a floating-point type.
func (r *runner) toFloat(s scalar, from, t *ast.Ctype) scalar {
	switch s.kind {
	case intScalar:
		// In one step: a number that is rounded twice may be another one.
		unsigned := from.Kind == ast.IntType && !from.Signed && from.Bits == 64
		switch {
		case t.Bits <= 32 && unsigned:
			return scalar{kind: floatScalar, f: float64(float32(uint64(s.i)))}
		case t.Bits <= 32:
			return scalar{kind: floatScalar, f: float64(float32(s.i))}
		case unsigned:
			return scalar{kind: floatScalar, f: float64(uint64(s.i))}
		}
		return scalar{kind: floatScalar, f: float64(s.i)}
	case floatScalar:
		return scalar{kind: floatScalar, f: single(t, s.f)}
	case unknownScalar:
		if from.Kind == ast.FloatType && from.Bits == t.Bits {
			return s
		}
		return r.unknown(fmt.Sprint("float ", t.Bits, s.key()))
	}
	return s
}

// toPointer converts a scalar to a pointer type.
func (r *runner) toPointer(s scalar, t *ast.Ctype, at preproc.Place) scalar {
	switch {
	case s.kind == intScalar && s.i == 0:
		return scalar{kind: pointerScalar, typ: t.Elem}
	case s.kind != pointerScalar || s.to == nil || t.Elem.Kind == ast.VoidType:
		return s
	}
	r.give(s.to, t.Elem)
	was := s.typ
	if s.to.typ != nil && (was == nil || was.Kind == ast.VoidType) {
		was = s.to.typ
	}
	if was != nil && was.Kind != ast.VoidType && !ir.SameCells(was, t.Elem) {
		r.undecided(at, "a pointer cast between elements of different sizes")
	}
	s.typ = t.Elem
	return s
}

// common is the type of arithmetic on two scalars, nil for others.
func common(a, b *ast.Ctype) *ast.Ctype {
	for _, t := range []*ast.Ctype{a, b} {
		if t.Kind != ast.IntType && t.Kind != ast.FloatType {
			return nil
		}
	}
	return ast.CommonType(a, b)
}
