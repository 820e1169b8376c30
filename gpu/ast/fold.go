package ast

import "math/big"

// Fold evaluates integer constant expressions; names are looked up. What would wrap
// around has no value here.
func Fold(e *Expr, lookup func(*Expr) (*big.Int, bool)) (*big.Int, bool) {
	var xs []*big.Int
	for _, a := range e.Args {
		// The operand of sizeof is not evaluated (C11 6.5.3.4p2).
		if e.Kind == SizeOf {
			break
		}
		x, ok := Fold(a, lookup)
		if !ok {
			return nil, false
		}
		xs = append(xs, x)
	}
	switch e.Kind {
	case Literal:
		return e.Value, true
	case Name:
		return lookup(e)
	case Cast:
		return xs[0], e.Typ.Kind == IntType && e.Typ.holds(xs[0])
	case SizeOf:
		if e.Typ == nil || !e.Typ.Sized() {
			return nil, false
		}
		return big.NewInt(e.Typ.Size()), true
	case Ternary:
		x := xs[2]
		if xs[0].Sign() != 0 {
			x = xs[1]
		}
		return x, fits(x, foldType(e))
	case Unary, Binary:
		// Operands are compared and combined as values of one type (C11 6.3.1.8): −1 < 1u is
		// false. Only the right operand of a shift stays apart.
		operands, same := foldType(e.Args...), xs
		if e.Op == "<<" || e.Op == ">>" {
			operands, same = foldType(e.Args[0]), xs[:1]
		}
		for _, x := range same {
			if !fits(x, operands) {
				return nil, false
			}
		}
		x := foldOperator(e.Op, xs)
		return x, x != nil && fits(x, foldType(e))
	}
	return nil, false
}

// foldType is the type that integer constant expressions have as operands of one
// operator; nil if it is not known, for nothing is known of names but their values.
func foldType(es ...*Expr) (out *Ctype) {
	for i, e := range es {
		var t *Ctype
		switch {
		case e.Kind == Literal || e.Kind == Cast:
			t = e.Typ
		case e.Kind == SizeOf:
			t = TUlong
		case e.Kind == Ternary:
			t = foldType(e.Args[1:]...)
		case e.Op == "!" || len(e.Args) == 2 && foldComparison(e.Op, new(big.Int), new(big.Int)) != nil:
			t = TInt
		case e.Op == "<<" || e.Op == ">>":
			t = foldType(e.Args[0])
		case e.Kind == Unary || e.Kind == Binary:
			t = foldType(e.Args...)
		}
		switch {
		case t == nil:
			return nil
		case i == 0:
			out = Promoted(t)
		default:
			out = CommonType(out, t)
		}
	}
	return out
}

// fits reports whether x is a value of type t, or if that is not known, of all integer
// types that arithmetic has.
func fits(x *big.Int, t *Ctype) bool {
	if t == nil {
		return TInt.holds(x) && TUint.holds(x)
	}
	return t.Kind == IntType && t.holds(x)
}

// foldOperator is the value of an operator of one or two numbers, nil if it has none.
func foldOperator(op string, xs []*big.Int) *big.Int {
	if len(xs) == 1 {
		switch op {
		case "-":
			return new(big.Int).Neg(xs[0])
		case "+":
			return xs[0]
		case "~":
			return new(big.Int).Not(xs[0])
		case "!":
			return truth(xs[0].Sign() == 0)
		}
		return nil
	}
	x, y := xs[0], xs[1]
	switch op {
	case "+":
		return new(big.Int).Add(x, y)
	case "-":
		return new(big.Int).Sub(x, y)
	case "*":
		return new(big.Int).Mul(x, y)
	case "/", "%":
		if y.Sign() == 0 {
			return nil
		}
		// QuoRem, not DivMod: C divides towards zero (C11 6.5.5p6).
		quotient, rest := new(big.Int).QuoRem(x, y, new(big.Int))
		if op == "/" {
			return quotient
		}
		return rest
	case "<<", ">>":
		if !y.IsInt64() || y.Int64() < 0 || y.Int64() > 64 {
			return nil
		}
		if op == "<<" {
			return new(big.Int).Lsh(x, uint(y.Int64()))
		}
		return new(big.Int).Rsh(x, uint(y.Int64()))
	case "&":
		return new(big.Int).And(x, y)
	case "|":
		return new(big.Int).Or(x, y)
	case "^":
		return new(big.Int).Xor(x, y)
	}
	return foldComparison(op, x, y)
}

// foldComparison is the value of a comparison of constants, 0 or 1; nil for another operator.
func foldComparison(op string, x, y *big.Int) *big.Int {
	order := x.Cmp(y)
	switch op {
	case "<":
		return truth(order < 0)
	case ">":
		return truth(order > 0)
	case "<=":
		return truth(order <= 0)
	case ">=":
		return truth(order >= 0)
	case "==":
		return truth(order == 0)
	case "!=":
		return truth(order != 0)
	case "&&":
		return truth(x.Sign() != 0 && y.Sign() != 0)
	case "||":
		return truth(x.Sign() != 0 || y.Sign() != 0)
	}
	return nil
}

// truth is the number of a truth value in C.
func truth(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}
