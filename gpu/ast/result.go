package ast

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/builtin"
)

// Result is the type of what a function of the toolchains gives for arguments of some types; nil if its row says nothing of it. Where the
// toolchains declare no form for them, or several that fit as well, why says so. A test compares the types with those that Clang's headers
// declare.
func Result(c *builtin.Call, cuda bool, args []*Ctype) (t *Ctype, why string) {
	switch c.Gives {
	case builtin.Undeclared:
		return nil, ""
	case builtin.Int:
		return TInt, ""
	case builtin.Uint:
		return TUint, ""
	case builtin.Long:
		return TLong, ""
	case builtin.Float:
		return TFloat, ""
	case builtin.Double:
		return TDouble, ""
	}
	if t := given(c.Row, cuda, args); t != nil {
		return t, ""
	}
	return nil, fmt.Sprintf("%s with arguments of these types, which have no unique overload; cast them to one type", c.Name)
}

// given is the type that follows from those of the arguments, nil if none does.
func given(row *builtin.Row, cuda bool, args []*Ctype) *Ctype {
	of := func(i int) *Ctype { // an argument that is a number
		if i < len(args) && (args[i].Kind == IntType || args[i].Kind == FloatType) {
			return args[i]
		}
		return nil
	}
	one := len(args) > 0 && !slices.ContainsFunc(args, func(a *Ctype) bool { return !Same(a, args[0]) || a.Leaf(0).Bits <= 1 })
	integers := one && args[0].Leaf(0).Kind == IntType
	switch t := of(row.Of); row.Gives {
	case builtin.Promoted:
		if t != nil {
			return Promoted(t)
		}
	case builtin.UnsignedOfNumber:
		if t != nil {
			return TUint
		}
	case builtin.WideNumber:
		if t != nil && t.Bits >= 32 {
			return t
		}
	case builtin.Integers:
		if integers {
			return args[0]
		}
	case builtin.OneType:
		if integers || one && args[0].Leaf(0).Kind == FloatType {
			return args[0]
		}
	case builtin.Unsigned:
		if integers && len(args) == 2 {
			return WithoutSign(args[0])
		}
	case builtin.Selected:
		if len(args) == 3 && Same(args[0], args[1]) && args[0].Leaf(0).Bits != 1 {
			return args[0]
		}
	case builtin.Permuted:
		if n := len(args); n > 1 && args[0].Kind == VectorType && args[n-1].Kind == VectorType {
			return VectorOf(args[0].Elem, args[n-1].N)
		}
	case builtin.Signs:
		if len(args) == 1 && args[0].Leaf(0).Kind == IntType && args[0].Leaf(0).Signed {
			return TInt
		}
	default:
		return ofFloats(row.Gives, cuda, args)
	}
	return nil
}

// ofFloats is the type of what a function of floats gives.
func ofFloats(how builtin.Gives, cuda bool, args []*Ctype) *Ctype {
	t := inFloats(how, args)
	if cuda {
		t = inFloatsOfCUDA(how, args)
	}
	switch {
	case t == nil, (how == builtin.Float32s || how == builtin.Element32) && t.Leaf(0).Bits != 32:
		return nil
	case how == builtin.Element || how == builtin.Element32:
		return t.Leaf(0)
	case how == builtin.Relation && cuda:
		return TBool
	case how == builtin.Relation && t.Kind == VectorType:
		return Truths(t)
	case how == builtin.Relation, how == builtin.IntOfEach && t.Kind != VectorType:
		return TInt
	case how == builtin.IntOfEach:
		return VectorOf(TInt, t.N)
	}
	return t
}

// OneWidth reports whether two numbers, if both are integers, have one width where arithmetic is done with them.
func OneWidth(a, b *Ctype) bool {
	return a.Kind != IntType || b.Kind != IntType || Promoted(a).Bits == Promoted(b).Bits
}

// WithoutSign is the type of numbers without sign that has as many bits.
func WithoutSign(t *Ctype) *Ctype {
	switch t.Kind {
	case IntType:
		return IntOf(t.Bits, false)
	case VectorType:
		u := *t
		u.Elem, u.Name = WithoutSign(t.Elem), "u"+t.Name
		return &u
	}
	return t
}

// inFloats is the floating type in which OpenCL takes arguments: that of their vectors, or the only one among scalars. To choose it for
// integers alone, or of two, would be to choose one of several forms.
func inFloats(how builtin.Gives, args []*Ctype) (t *Ctype) {
	if how == builtin.FirstFloat && len(args) == 2 {
		if e := args[1]; e.Kind != IntType && !(e.Kind == VectorType && e.N == args[0].N && Same(e.Elem, TInt)) {
			return nil
		}
		args = args[:1]
	}
	for _, a := range args {
		if a.Kind == VectorType && a.Elem.Kind == FloatType {
			if t != nil && !Same(t, a) {
				return nil
			}
			t = a
		}
	}
	for _, a := range args {
		switch {
		case a.Kind == FloatType && t == nil:
			t = a
		case a.Kind == FloatType && !Same(t.Leaf(0), a), a.Kind != FloatType && a.Kind != IntType && !(a.Kind == VectorType && a.Elem.Kind == FloatType):
			return nil
		}
	}
	return t
}

// inFloatsOfCUDA is the floating type in which C++ takes arguments: a double, unless all are floats. With floats and integers, some
// toolchains do not widen.
func inFloatsOfCUDA(how builtin.Gives, args []*Ctype) *Ctype {
	if how == builtin.FirstFloat && len(args) == 2 {
		args = args[:1]
	}
	integers, wide := 0, false
	for _, a := range args {
		switch {
		case a.Kind == IntType:
			integers++
		case a.Kind != FloatType:
			return nil
		}
		wide = wide || a.Kind == FloatType && a.Bits > 32 && !a.Unsettled
	}
	switch {
	case len(args) == 0:
		return nil
	case wide, integers == len(args):
		return TDouble
	case integers > 0 || slices.ContainsFunc(args, func(a *Ctype) bool { return a.Unsettled }):
		return unsettled
	}
	return TFloat
}
