package random

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/gradine/gradine/logic"
)

// Formulas makes terms of one bank, bare, over few identifiers of each type and
// the carrier sets S and T. They are well-typed, and often not well-defined.
type Formulas struct {
	b     *logic.Bank
	r     *rand.Rand
	ids   []logic.Term // known identifiers
	bound []logic.Type // variables in scope, the innermost last
}

// NewFormulas returns a maker of terms of b, which uses identifiers ids in addition to its own.
func NewFormulas(b *logic.Bank, r *rand.Rand, ids ...logic.Term) *Formulas {
	return &Formulas{b: b, r: r, ids: ids}
}

// one returns one of xs.
func one[T any](r *rand.Rand, xs ...T) T { return xs[r.IntN(len(xs))] }

// Type returns a type with at most depth constructors on a path.
func (f *Formulas) Type(depth int) logic.Type {
	bank := f.b
	if len(f.ids) > 0 && f.r.IntN(2) == 0 {
		return bank.Type(one(f.r, f.ids...))
	}
	if depth > 0 {
		switch f.r.IntN(5) {
		case 0:
			return bank.PowType(f.Type(depth - 1))
		case 1:
			return bank.ProdType(f.Type(depth-1), f.Type(depth-1))
		case 2:
			return bank.RelType(f.Type(depth-1), f.Type(depth-1))
		case 3:
			if depth > 1 {
				return bank.RelType(bank.ProdType(f.Type(0), f.Type(0)), bank.ProdType(f.Type(0), f.Type(0)))
			}
		}
	}
	return one(f.r, logic.IntType, logic.IntType, bank.GivenType("S"), bank.GivenType("S"), bank.GivenType("T"), logic.BoolType)
}

// numbers are literals worth a look: small, negative, and around what machine words hold.
var numbers = func() (out []*big.Int) {
	for _, n := range []int64{0, 0, 1, 1, 2, 2, 3, 4, 5, 7, -1, -1, -2, -3, -7, 8} {
		out = append(out, big.NewInt(n))
	}
	edge := new(big.Int).Lsh(big.NewInt(1), 63)
	return append(out, edge, new(big.Int).Sub(edge, big.NewInt(1)), new(big.Int).Neg(edge), new(big.Int).Lsh(edge, 1))
}()

// Free returns one of the identifiers of type t.
func (f *Formulas) Free(t logic.Type) logic.Term {
	if i := f.r.IntN(len(f.ids) + 1); i < len(f.ids) {
		for j := range f.ids {
			if id := f.ids[(i+j)%len(f.ids)]; f.b.Type(id) == t {
				return id
			}
		}
	}
	return f.b.Free(fmt.Sprintf("%s%d", f.letters(t), 1+f.r.IntN(3)), t)
}

// letters spells type t in letters.
func (f *Formulas) letters(typ logic.Type) string {
	switch f.b.TypeKind(typ) {
	case logic.KindInt:
		return "i"
	case logic.KindBool:
		return "b"
	case logic.KindPow:
		return "p" + f.letters(f.b.Elem(typ))
	case logic.KindProd:
		left, right := f.b.Pair(typ)
		return "x" + f.letters(left) + f.letters(right)
	}
	return "e" + f.b.GivenName(typ)
}

// leaf returns a term of type t without arguments, or a pair of such.
func (f *Formulas) leaf(t logic.Type) logic.Term {
	bank, n := f.b, len(f.bound)
	if near := slices.Index(f.bound, t); near >= 0 && f.r.IntN(2) == 0 {
		var all []logic.Term
		for i, u := range f.bound {
			if u == t {
				all = append(all, bank.Bound(n-1-i, t))
			}
		}
		return one(f.r, all...)
	}
	if f.r.IntN(2) == 0 {
		switch bank.TypeKind(t) {
		case logic.KindInt:
			return bank.Int(one(f.r, numbers...))
		case logic.KindBool:
			return bank.App(one(f.r, logic.TrueE, logic.FalseE))
		case logic.KindProd:
			left, right := bank.Pair(t)
			return bank.App(logic.Maplet, f.leaf(left), f.leaf(right))
		case logic.KindPow:
			return f.constant(t)
		}
	}
	return f.Free(t)
}

// constant returns an operator without arguments of set type t.
func (f *Formulas) constant(typ logic.Type) logic.Term {
	bank := f.b
	some := []logic.Term{bank.Atom(logic.Empty, typ), bank.TypeExpr(bank.Elem(typ))}
	for _, op := range makers(func(_ logic.Op, s *logic.Signature) bool { return len(s.Args) == 0 }) {
		switch {
		case op == logic.Empty || !bank.Match(op.Signature().Result, typ, new(logic.Letters)):
		case op.IsGeneric():
			some = append(some, bank.Atom(op, typ))
		default:
			some = append(some, bank.App(op))
		}
	}
	return one(f.r, some...)
}

// makers returns the operators, binders apart, whose signatures are as like says.
func makers(like func(op logic.Op, s *logic.Signature) bool) (out []logic.Op) {
	for op := logic.Op(1); op < logic.NumOps; op++ {
		if s := op.Signature(); s.Result != nil && !op.IsBinder() && like(op, s) {
			out = append(out, op)
		}
	}
	return out
}

// under makes terms in the scope of variables of the given types.
func (f *Formulas) under(types []logic.Type, body func()) {
	n := len(f.bound)
	f.bound = append(f.bound, types...)
	body()
	f.bound = f.bound[:n]
}

func (f *Formulas) declarations() (out []logic.Type) {
	for range 1 + f.r.IntN(2) {
		out = append(out, f.Type(f.r.IntN(2)))
	}
	return out
}

// Expr returns an expression of type t with at most depth operators on a path, not counting
// the operators needed to reach a leaf.
func (f *Formulas) Expr(t logic.Type, depth int) logic.Term {
	bank := f.b
	if depth <= 0 || f.r.IntN(5) == 0 {
		return f.leaf(t)
	}
	sub := func(t logic.Type) logic.Term { return f.Expr(t, depth-1) }
	switch f.r.IntN(12) {
	case 0, 1:
		from := f.Type(0)
		return bank.App(logic.Apply, sub(bank.RelType(from, t)), sub(from))
	case 2:
		return f.projected(t, sub)
	}
	switch bank.TypeKind(t) {
	case logic.KindInt:
		return f.integer(sub)
	case logic.KindBool:
		return bank.App(logic.BoolOf, f.Pred(depth-1))
	case logic.KindProd:
		left, right := bank.Pair(t)
		return bank.App(logic.Maplet, sub(left), sub(right))
	case logic.KindPow:
		return f.set(t, depth)
	}
	return f.leaf(t)
}

// projected returns prj1 or prj2 of a pair.
func (f *Formulas) projected(t logic.Type, sub func(logic.Type) logic.Term) logic.Term {
	op, pair := logic.Prj1, f.b.ProdType(t, f.Type(0))
	if f.r.IntN(2) == 0 {
		l, r := f.b.Pair(pair)
		op, pair = logic.Prj2, f.b.ProdType(r, l)
	}
	return f.b.App(logic.Apply, f.b.Atom(op, f.b.RelType(pair, t)), sub(pair))
}

var integers = makers(func(_ logic.Op, s *logic.Signature) bool { return s.Result.Kind == logic.KindInt })

func (f *Formulas) integer(sub func(logic.Type) logic.Term) logic.Term {
	bank, typ := f.b, logic.IntType
	// What is not always defined is worth more.
	switch op := one(f.r, append([]logic.Op{logic.Div, logic.Mod, logic.Succ}, integers...)...); op {
	case logic.Exp:
		return bank.App(op, sub(typ), bank.Int64(int64(f.r.IntN(4))))
	case logic.Succ:
		return bank.App(logic.Apply, bank.App(one(f.r, logic.Succ, logic.Pred)), sub(typ))
	default:
		return f.apply(op, typ, sub)
	}
}

// apply returns a term of op and type t; sub makes the arguments. Types that t leaves open
// are chosen.
func (f *Formulas) apply(op logic.Op, typ logic.Type, sub func(logic.Type) logic.Term) logic.Term {
	s := op.Signature()
	var letters logic.Letters
	f.b.Match(s.Result, typ, &letters)
	for i, left := range letters {
		if left == logic.NoType {
			letters[i] = f.Type(f.r.IntN(2))
		}
	}
	var args []logic.Term
	for _, pattern := range s.Args {
		args = append(args, sub(f.b.Instance(pattern, &letters)))
	}
	// Arguments may be repeated where all have the same type.
	if last := s.Args[len(s.Args)-1]; s.More && last == s.Args[0] {
		for range f.r.IntN(3) {
			args = append(args, sub(f.b.Instance(last, &letters)))
		}
	}
	return f.b.App(op, args...)
}

// Operators that make sets: of any type, and of some types.
var (
	general = makers(func(_ logic.Op, s *logic.Signature) bool { return ofSets(s) && s.Result.A.Kind == logic.KindNone })
	special = makers(func(_ logic.Op, s *logic.Signature) bool { return ofSets(s) && s.Result.A.Kind != logic.KindNone })
)

func ofSets(s *logic.Signature) bool { return len(s.Args) > 0 && s.Result.Kind == logic.KindPow }

// set returns a set of type t.
func (f *Formulas) set(t logic.Type, depth int) logic.Term {
	bank, elem := f.b, f.b.Elem(t)
	sub := func(t logic.Type) logic.Term { return f.Expr(t, depth-1) }
	var fit []logic.Op
	for _, op := range special {
		if bank.Match(op.Signature().Result, t, new(logic.Letters)) {
			fit = append(fit, op)
		}
	}
	if len(fit) > 0 && f.r.IntN(5) < 3 {
		op := one(f.r, fit...)
		if op == logic.Ovr && f.r.IntN(2) == 0 { // most relations are overridden at one place
			left, right := bank.RelPair(t)
			return bank.App(op, sub(t), bank.App(logic.SetExt, bank.App(logic.Maplet, sub(left), sub(right))))
		}
		return f.apply(op, t, sub)
	}
	switch op := one(f.r, append([]logic.Op{logic.QUnion, logic.QInter, logic.Compr}, general...)...); op {
	case logic.QUnion, logic.QInter:
		return f.binder(op, t, depth)
	case logic.Compr:
		return f.binder(op, elem, depth)
	default:
		return f.apply(op, t, sub)
	}
}

// binder returns op over new variables, with a body of type t.
func (f *Formulas) binder(op logic.Op, t logic.Type, depth int) (out logic.Term) {
	decls := f.declarations()
	if op == logic.Compr && f.r.IntN(2) == 0 {
		decls = []logic.Type{t}
	}
	f.under(decls, func() {
		out = f.b.Quant(op, decls, nil, f.Pred(depth-1), f.Expr(t, depth-1))
	})
	return out
}

// Pred returns a predicate with at most depth operators on a path, not counting the operators
// needed to reach a leaf.
func (f *Formulas) Pred(depth int) logic.Term {
	bank := f.b
	if depth > 0 && f.r.IntN(5) < 2 {
		switch op := one(f.r, logic.And, logic.Or, logic.Implies, logic.Iff, logic.Not, logic.Forall, logic.Exists, logic.Forall, logic.Exists); op {
		case logic.Not:
			return bank.Not(f.Pred(depth - 1))
		case logic.Forall, logic.Exists:
			return f.quantified(op, depth)
		case logic.And, logic.Or:
			return bank.App(op, f.Pred(depth-1), f.Pred(depth-1), f.Pred(depth-1))
		default:
			return bank.App(op, f.Pred(depth-1), f.Pred(depth-1))
		}
	}
	return f.relation(depth)
}

// quantified binds variables in the usual form, under a premise or with a condition, or in any.
func (f *Formulas) quantified(op logic.Op, depth int) (out logic.Term) {
	decls := f.declarations()
	f.under(decls, func() {
		body := f.Pred(depth - 1)
		if f.r.IntN(3) > 0 {
			inner := map[logic.Op]logic.Op{logic.Forall: logic.Implies, logic.Exists: logic.And}[op]
			body = f.b.App(inner, f.Pred(depth-1), body)
		}
		out = f.b.Quant(op, decls, nil, body)
	})
	return out
}

// Operators that relate expressions: all of them, and those of numbers.
var (
	relations   = makers(func(_ logic.Op, s *logic.Signature) bool { return relates(s) && s.Args[0].Kind != logic.KindInt })
	comparisons = makers(func(_ logic.Op, s *logic.Signature) bool { return relates(s) && s.Args[0].Kind == logic.KindInt })
	arrows      = makers(func(op logic.Op, _ *logic.Signature) bool { _, ok := op.Arrow(); return ok })
)

func relates(s *logic.Signature) bool {
	return s.Result.Kind == logic.KindProp && len(s.Args) > 0 && s.Args[0].Kind != logic.KindProp
}

// relation returns a predicate whose operator relates expressions.
func (f *Formulas) relation(depth int) logic.Term {
	bank := f.b
	sub := func(typ logic.Type) logic.Term { return f.Expr(typ, depth-1) }
	switch f.r.IntN(9) {
	case 0:
		if f.r.IntN(10) == 0 {
			return bank.App(one(f.r, logic.True, logic.False))
		}
		typ := f.Type(3)
		return bank.App(one(f.r, logic.Eq, logic.Neq), sub(typ), sub(typ))
	case 1, 2, 3, 4, 5:
		return f.apply(one(f.r, relations...), logic.Prop, sub)
	case 6:
		left, right := f.Type(0), f.Type(0)
		return bank.App(logic.In, f.leaf(bank.RelType(left, right)), bank.App(one(f.r, arrows...), sub(bank.PowType(left)), sub(bank.PowType(right))))
	default:
		return bank.App(one(f.r, append([]logic.Op{logic.Eq, logic.Neq}, comparisons...)...), sub(logic.IntType), sub(logic.IntType))
	}
}

// Sequent returns a sequent with n hypotheses, true or not.
func (f *Formulas) Sequent(n, depth int) logic.Sequent {
	s := logic.Sequent{Bank: f.b, Goal: f.Pred(depth)}
	for range n {
		s.Hyps = append(s.Hyps, f.Pred(depth))
	}
	return s
}
