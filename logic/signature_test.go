package logic

import "testing"

// typeByHand is typeOf written out, operator by operator, after Rodin's typing rules.
func (b *Bank) typeByHand(op Op, a []Type) (Type, error) {
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

// arity lists the operators that App builds: n for exactly n arguments, -n for at least n.
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

// Signatures give the types that the rules written out by hand give.
func TestSignatures(t *testing.T) {
	b := NewBank()
	s := b.GivenType("S")
	types := []Type{Prop, IntType, BoolType, s, b.GivenType("T"), b.ProdType(s, IntType), b.ProdType(IntType, s)}
	for _, x := range types[1:] {
		types = append(types, b.PowType(x))
	}
	types = append(types, b.PowType(b.PowType(s)), b.PowType(b.RelType(s, IntType)), b.RelType(s, s), b.RelType(IntType, IntType),
		b.RelType(b.ProdType(s, IntType), s), b.RelType(b.ProdType(s, IntType), IntType), b.RelType(s, b.ProdType(s, IntType)))
	// Four arguments at most: that is where repeated arguments have shown all they do.
	var compare func(op Op, args []Type)
	compare = func(op Op, args []Type) {
		want, err1 := b.typeByHand(op, args)
		got, err2 := b.typeOf(op, args)
		if op.IsBinder() {
			return
		}
		if got != want || (err1 == nil) != (err2 == nil) {
			t.Fatalf("%s of %v: type %d, want %d", op, args, got, want)
		}
		if n := len(args); n < 3 || n < 4 && op.Signature().More && err1 == nil {
			for _, x := range types {
				compare(op, append(args[:n:n], x))
			}
		}
	}
	for op := Op(0); op <= Eps; op++ { // later operators are tested by TestContract
		compare(op, nil)
	}
}

// The eleven arrows differ in what they ask for.
func TestArrows(t *testing.T) {
	seen := map[Arrow]Op{}
	for op := Op(0); op < NumOps; op++ {
		a, ok := op.Arrow()
		if !ok {
			if a != (Arrow{}) {
				t.Errorf("%s makes no set of relations, but has properties", op)
			}
			continue
		}
		if other, twice := seen[a]; twice {
			t.Errorf("%s and %s are the same", op, other)
		}
		seen[a] = op
	}
	if len(seen) != 11 {
		t.Errorf("%d arrows", len(seen))
	}
}

// Every operator has a row, and a name of its own.
func TestRows(t *testing.T) {
	for op := Op(1); op < NumOps; op++ {
		if op.String() == "" || OpNamed(op.String()) != op {
			t.Errorf("operator %d has no name of its own: it needs a row", op)
		}
		if r := op.Signature().Result; r == nil && op != Int && op != Free && op != Bound && op != Given {
			t.Errorf("%s has no signature", op)
		}
	}
	for op := int(NumOps); op < len(rows); op++ {
		if rows[op].name != "" {
			t.Errorf("code %d is not below NumOps", op)
		}
	}
}
