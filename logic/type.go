package logic

import "fmt"

// Type is an index into a bank's types. Prop is the type of predicates; it is
// no Event-B type and occurs in no set or product.
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
func (b *Bank) TypeExpr(t Type) Term {
	switch n := b.typeNode(t); n.kind {
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
		for _, a := range b.Args(t) {
			if !b.IsTypeExpr(a) {
				return false
			}
		}
		return true
	}
	return false
}

// illTyped says that an operator does not apply to its arguments. Making one
// costs nothing, as typeOf does for every term.
type illTyped Op

func (op illTyped) Error() string {
	return fmt.Sprintf("logic: operator %d does not apply to its arguments", Op(op))
}

// typeOf gives the type of op applied to arguments of the given types, or an
// error that names the operator (Rodin's typing rules, reference §2.3).
// Binders, literals, identifiers and generic atoms have constructors of their own.
func (b *Bank) typeOf(op Op, a []Type) (Type, error) {
	bad := illTyped(op)
	if n, ok := arity[op]; !ok || n >= 0 && len(a) != n || n < 0 && len(a) < -n {
		return NoType, bad
	}
	is := func(ok bool, t Type) (Type, error) {
		if !ok {
			return NoType, bad
		}
		return t, nil
	}
	all := func(t Type) bool {
		for _, x := range a {
			if x != t {
				return false
			}
		}
		return true
	}
	set := func(i int) bool { return b.Elem(a[i]) != NoType }
	rel := func(i int) bool { s, _ := b.RelPair(a[i]); return s != NoType }
	dom := func(i int) Type { s, _ := b.RelPair(a[i]); return s }
	ran := func(i int) Type { _, t := b.RelPair(a[i]); return t }
	switch op {
	case True, False:
		return Prop, nil
	case Not, And, Or, Implies, Iff:
		return is(all(Prop), Prop)
	case Eq, Neq:
		return is(a[0] == a[1] && a[0] != Prop, Prop)
	case Lt, Le, Gt, Ge:
		return is(all(IntType), Prop)
	case In, NotIn:
		return is(set(1) && b.Elem(a[1]) == a[0], Prop)
	case Subset, NotSubset, SubsetEq, NotSubsetEq, Finite, Partition:
		return is(set(0) && all(a[0]), Prop)
	case Integer, Natural, Natural1:
		return b.PowType(IntType), nil
	case Bool:
		return b.PowType(BoolType), nil
	case TrueE, FalseE:
		return BoolType, nil
	case Pred, Succ:
		return b.RelType(IntType, IntType), nil
	case BoolOf:
		return is(a[0] == Prop, BoolType)
	case Maplet:
		if a[0] == Prop || a[1] == Prop {
			return NoType, bad
		}
		return b.ProdType(a[0], a[1]), nil
	case Rel, TRel, SRel, STRel, PFun, TFun, PInj, TInj, PSur, TSur, TBij:
		if !set(0) || !set(1) {
			return NoType, bad
		}
		return b.PowType(b.RelType(b.Elem(a[0]), b.Elem(a[1]))), nil
	case Union, Inter, Diff:
		return is(set(0) && all(a[0]), a[0])
	case CProd:
		if !set(0) || !set(1) {
			return NoType, bad
		}
		return b.RelType(b.Elem(a[0]), b.Elem(a[1])), nil
	case DProd:
		if !rel(0) || !rel(1) || dom(0) != dom(1) {
			return NoType, bad
		}
		return b.RelType(dom(0), b.ProdType(ran(0), ran(1))), nil
	case PProd:
		if !rel(0) || !rel(1) {
			return NoType, bad
		}
		return b.RelType(b.ProdType(dom(0), dom(1)), b.ProdType(ran(0), ran(1))), nil
	case FComp, BComp:
		for i := range a {
			if !rel(i) || i > 0 && (op == FComp && ran(i-1) != dom(i) || op == BComp && dom(i-1) != ran(i)) {
				return NoType, bad
			}
		}
		if last := len(a) - 1; op == FComp {
			return b.RelType(dom(0), ran(last)), nil
		} else {
			return b.RelType(dom(last), ran(0)), nil
		}
	case Ovr:
		return is(rel(0) && all(a[0]), a[0])
	case DomRes, DomSub:
		return is(rel(1) && b.Elem(a[0]) == dom(1), a[1])
	case RanRes, RanSub:
		return is(rel(0) && b.Elem(a[1]) == ran(0), a[0])
	case Converse:
		if !rel(0) {
			return NoType, bad
		}
		return b.RelType(ran(0), dom(0)), nil
	case Image:
		if !rel(0) || b.Elem(a[1]) != dom(0) {
			return NoType, bad
		}
		return b.PowType(ran(0)), nil
	case Apply:
		return is(rel(0) && a[1] == dom(0), ran(0))
	case UpTo:
		return is(all(IntType), b.PowType(IntType))
	case Plus, Minus, Neg, Times, Div, Mod, Exp:
		return is(all(IntType), IntType)
	case Card:
		return is(set(0), IntType)
	case Pow, Pow1:
		if !set(0) {
			return NoType, bad
		}
		return b.PowType(a[0]), nil
	case GUnion, GInter:
		return is(set(0) && b.Elem(b.Elem(a[0])) != NoType, b.Elem(a[0]))
	case Dom, Ran:
		if !rel(0) {
			return NoType, bad
		}
		if op == Dom {
			return b.PowType(dom(0)), nil
		}
		return b.PowType(ran(0)), nil
	case Min, Max:
		return is(b.Elem(a[0]) == IntType, IntType)
	case SetExt:
		if a[0] == Prop || !all(a[0]) {
			return NoType, bad
		}
		return b.PowType(a[0]), nil
	}
	return NoType, bad
}

// arity lists the operators that App builds: n for exactly n arguments, -n for
// at least n.
var arity = map[Op]int{
	True: 0, False: 0, Not: 1, And: -2, Or: -2, Implies: 2, Iff: 2,
	Eq: 2, Neq: 2, Lt: 2, Le: 2, Gt: 2, Ge: 2, In: 2, NotIn: 2,
	Subset: 2, NotSubset: 2, SubsetEq: 2, NotSubsetEq: 2, Finite: 1, Partition: -1,
	Integer: 0, Natural: 0, Natural1: 0, Bool: 0, TrueE: 0, FalseE: 0, Pred: 0, Succ: 0,
	BoolOf: 1, Maplet: 2, Rel: 2, TRel: 2, SRel: 2, STRel: 2, PFun: 2, TFun: 2,
	PInj: 2, TInj: 2, PSur: 2, TSur: 2, TBij: 2,
	Union: -2, Inter: -2, Diff: 2, CProd: 2, DProd: 2, PProd: 2, BComp: -2, FComp: -2, Ovr: -2,
	DomRes: 2, DomSub: 2, RanRes: 2, RanSub: 2, Converse: 1, Image: 2, Apply: 2,
	UpTo: 2, Plus: -2, Minus: 2, Neg: 1, Times: -2, Div: 2, Mod: 2, Exp: 2,
	Card: 1, Pow: 1, Pow1: 1, GUnion: 1, GInter: 1, Dom: 1, Ran: 1, Min: 1, Max: 1, SetExt: -1,
}
