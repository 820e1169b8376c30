package ast

import (
	"math/big"
	"slices"
)

// alikeParameters reports whether two functions take arguments of the same types.
func alikeParameters(f, g *Function) bool {
	return f == g || slices.EqualFunc(f.Params, g.Params, func(p, q *Decl) bool { return Same(p.Typ, q.Typ) })
}

// Exactly reports whether arguments have the types of the parameters.
func Exactly(f *Function, args int, typ func(int) *Ctype) bool {
	for i := range args {
		if t := typ(i); t == nil || !Same(f.Params[i].Typ, decayed(t)) {
			return false
		}
	}
	return true
}

// decayed is the type of a value: an array is a pointer then.
func decayed(t *Ctype) *Ctype {
	if t.Kind == ArrayType {
		return &Ctype{Kind: PointerType, Elem: t.Elem}
	}
	return t
}

// Valued is the type of an expression in C++, where typeOf is that in C: what is true or false is a bool, and
// a choice of two values of one type is of that type.
func Valued(e *Expr, typeOf func(*Expr) *Ctype) *Ctype {
	switch {
	case e.Kind == Unary && e.Op == "!", e.Kind == Binary && foldComparison(e.Op, new(big.Int), new(big.Int)) != nil:
		return TBool
	case e.Kind == Comma:
		return Valued(e.Args[1], typeOf)
	case e.Kind == Ternary:
		a, b := Valued(e.Args[1], typeOf), Valued(e.Args[2], typeOf)
		if a != nil && b != nil && (a.Kind == IntType || a.Kind == FloatType) && Same(a, b) {
			return a
		}
	}
	return typeOf(e)
}

// Types gives the types of the arguments of call e, each of which typeOf finds once: calls nest.
func Types(e *Expr, typeOf func(*Expr) *Ctype) func(int) *Ctype {
	known := map[int]*Ctype{}
	return func(i int) *Ctype {
		t, ok := known[i]
		if !ok {
			t = Valued(e.Args[i+1], typeOf)
			known[i] = t
		}
		return t
	}
}

// Same reports whether two types are one.
func Same(a, b *Ctype) bool {
	if a == b {
		return !a.Unsettled
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case VoidType:
		return true
	case IntType, FloatType:
		return alike(a, b)
	case PointerType:
		return Same(a.Elem, b.Elem)
	case ArrayType, VectorType:
		return a.N == b.N && Same(a.Elem, b.Elem)
	}
	return false
}
