package logic

import (
	"fmt"
	"slices"
)

// Type is an index into a bank's types. Prop is the type of predicates; it is not
// an Event-B type, and no set or product contains it.
type Type uint32

// The types that every bank has.
const (
	NoType Type = iota
	Prop
	IntType
	BoolType
	firstType
)

// TypeKind is the outermost constructor of a type. Its number is a code like that
// of an Op.
type TypeKind uint8

// The kinds of type.
const (
	KindNone  TypeKind = 0
	KindProp  TypeKind = 1
	KindInt   TypeKind = 2
	KindBool  TypeKind = 3
	KindGiven TypeKind = 4 // a carrier set
	KindPow   TypeKind = 5 // ℙ(τ)
	KindProd  TypeKind = 6 // σ×τ
)

type typeNode struct {
	kind TypeKind
	a, b Type
	name uint32
	size uint32 // number of nodes of the type, as a tree
}

var baseTypes = [firstType]typeNode{
	Prop: {kind: KindProp}, IntType: {kind: KindInt}, BoolType: {kind: KindBool},
}

// maxTypeSize bounds types, so that hostile input cannot build a type whose
// printed form is exponentially larger than the input.
const maxTypeSize = 1 << 16

func (b *Bank) typeNode(t Type) typeNode {
	for b.parent != nil && uint32(t) < b.baseTypes {
		b = b.parent
	}
	return b.types[uint32(t)-b.baseTypes]
}

func (b *Bank) internType(n typeNode) Type {
	for p := b; p != nil; p = p.parent {
		if t, ok := p.typeIDs[n]; ok {
			return t
		}
	}
	t := Type(b.baseTypes + uint32(len(b.types)))
	b.types = append(b.types, n)
	b.typeIDs[n] = t
	return t
}

// GivenType returns the type of the elements of carrier set name.
func (b *Bank) GivenType(name string) Type {
	return b.internType(typeNode{kind: KindGiven, name: b.str(name), size: 1})
}

// PowType returns ℙ(t).
func (b *Bank) PowType(t Type) Type {
	return b.internType(typeNode{kind: KindPow, a: t, size: b.grow(t, 0)})
}

// ProdType returns s×t.
func (b *Bank) ProdType(s, t Type) Type {
	return b.internType(typeNode{kind: KindProd, a: s, b: t, size: b.grow(s, t)})
}

func (b *Bank) grow(s, t Type) uint32 {
	n := 1 + b.typeNode(s).size + b.typeNode(t).size
	if n > maxTypeSize {
		panic(fmt.Errorf("%w: type of more than %d nodes", ErrTooLarge, maxTypeSize))
	}
	return n
}

// RelType returns ℙ(s×t).
func (b *Bank) RelType(s, t Type) Type { return b.PowType(b.ProdType(s, t)) }

// TypeKind returns the outermost constructor of t.
func (b *Bank) TypeKind(t Type) TypeKind { return b.typeNode(t).kind }

// GivenName returns the carrier set's name of a KindGiven type.
func (b *Bank) GivenName(t Type) string { return b.strs.get(b.typeNode(t).name) }

// Elem returns τ of ℙ(τ), and NoType of any other type.
func (b *Bank) Elem(t Type) Type {
	if n := b.typeNode(t); n.kind == KindPow {
		return n.a
	}
	return NoType
}

// Pair returns σ, τ of σ×τ, and NoType twice of any other type.
func (b *Bank) Pair(t Type) (Type, Type) {
	if n := b.typeNode(t); n.kind == KindProd {
		return n.a, n.b
	}
	return NoType, NoType
}

// RelPair returns σ, τ of ℙ(σ×τ), and NoType twice of any other type.
func (b *Bank) RelPair(t Type) (Type, Type) { return b.Pair(b.Elem(t)) }

// TypeExpr returns the set of all values of t as a term: ℤ, BOOL, carrier
// sets, ℙ and ×.
func (b *Bank) TypeExpr(typ Type) Term {
	switch n := b.typeNode(typ); n.kind {
	case KindInt:
		return b.App(Integer)
	case KindBool:
		return b.App(Bool)
	case KindGiven:
		return b.Given(b.strs.get(n.name))
	case KindPow:
		return b.App(Pow, b.TypeExpr(n.a))
	case KindProd:
		return b.App(CProd, b.TypeExpr(n.a), b.TypeExpr(n.b))
	}
	panic("logic: TypeExpr of a type without values")
}

// IsTypeExpr reports whether t is built from ℤ, BOOL, carrier sets, ℙ, × and ↔
// alone, and so denotes all values of a type.
func (b *Bank) IsTypeExpr(t Term) bool {
	switch b.Op(t) {
	case Integer, Bool, Given:
		return true
	case Pow, CProd, Rel:
		return !slices.ContainsFunc(b.Args(t), func(a Term) bool { return !b.IsTypeExpr(a) })
	}
	return false
}
