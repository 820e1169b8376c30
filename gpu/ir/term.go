package ir

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
)

// op is the operator of a term. Terms are integers, formulas are predicates.
type op uint8

// The operators of terms, then those of predicates.
const (
	Num    op = iota
	Sym       // a constant or parameter of the model
	Local_    // a variable of the program
	Add       // n-ary
	Mul       // n-ary
	Quo       // towards zero, as / of C and ÷
	Rem       // as % of C: the sign of the dividend
	Wrap      // into bits, signed
	Band
	Bor
	Bxor
	Shl // by an amount that is not a constant
	Shr
	Ite    // p, a, b
	Other  // the value that the other thread has
	Modulo // of a number that is not negative, by a positive constant

	PTrue
	PFalse
	PEq
	PNe
	PLe
	PLt
	PAnd
	POr
	PNot
	PSame    // the two threads are of one group
	PUniform // all threads of the group come here together
)

// Term is a term or formula. Terms are never changed.
type Term struct {
	Op     op
	Val    *big.Int
	Name   string // of a symbol
	Own    bool   // each thread has its own
	Symbol Symbol // … what of the launch it is
	V      *Variable
	Args   []*Term
	Typ    *ast.Ctype // of a wrap, band …
	Text   string     // see key
}

// Variable is a variable of the program, of one thread.
type Variable struct {
	Name  string
	Typ   *ast.Ctype
	Ghost bool // counts: unbounded
	Id    int
	held  *slot // of a leaf of a structure that is a pointer
}

// The predicates that are decided.
var (
	Truth   = &Term{Op: PTrue}
	Falsity = &Term{Op: PFalse}
)

// Number returns the term of a number.
func Number(i int64) *Term { return &Term{Op: Num, Val: big.NewInt(i)} }

// BigNumber returns the term of a number of any size.
func BigNumber(i *big.Int) *Term { return &Term{Op: Num, Val: i} }

// VariableTerm returns the value of a variable of the program.
func VariableTerm(v *Variable) *Term {
	return &Term{Op: Local_, V: v}
}

// Key tells terms apart.
func (t *Term) Key() string {
	if t.Text == "" {
		var b strings.Builder
		switch t.Op {
		case Num:
			b.WriteString(t.Val.String())
		case Sym:
			b.WriteString(t.Name)
		case Local_:
			fmt.Fprintf(&b, "#%d", t.V.Id) // unlike any name
		default:
			fmt.Fprintf(&b, "(%d", t.Op)
			if t.Typ != nil {
				fmt.Fprintf(&b, ":%d%t", t.Typ.Bits, t.Typ.Signed)
			}
			for _, a := range t.Args {
				b.WriteByte(' ')
				b.WriteString(a.Key())
			}
			b.WriteByte(')')
		}
		t.Text = b.String()
	}
	return t.Text
}

// IsNum reports whether t is a number.
func (t *Term) IsNum() bool { return t.Op == Num }

// Is reports whether t is the number i.
func (t *Term) Is(i int64) bool { return t.Op == Num && t.Val.IsInt64() && t.Val.Int64() == i }

// Sum is the sum of terms, constants last, in a fixed order.
func Sum(ts ...*Term) *Term {
	// Equal summands are counted, so that differences cancel.
	count := map[string]*big.Int{}
	var parts []*Term
	konst := new(big.Int)
	var walk func(t *Term, by *big.Int)
	walk = func(t *Term, by *big.Int) {
		switch {
		case t.Op == Num:
			konst.Add(konst, new(big.Int).Mul(t.Val, by))
			return
		case t.Op == Add:
			for _, a := range t.Args {
				walk(a, by)
			}
			return
		case t.Op == Mul && t.Args[0].Op == Num:
			by = new(big.Int).Mul(by, t.Args[0].Val)
			t = Product(t.Args[1:]...)
			if t.Op == Add {
				walk(t, by)
				return
			}
		}
		k := t.Key()
		if c := count[k]; c != nil {
			c.Add(c, by)
			return
		}
		count[k] = new(big.Int).Set(by)
		parts = append(parts, t)
	}
	for _, t := range ts {
		walk(t, big.NewInt(1))
	}
	var out []*Term
	for _, p := range parts {
		if c := count[p.Key()]; c.Sign() != 0 {
			out = append(out, Product(BigNumber(c), p))
		}
	}
	if konst.Sign() != 0 || len(out) == 0 {
		out = append(out, BigNumber(konst))
	}
	if len(out) == 1 {
		return out[0]
	}
	return &Term{Op: Add, Args: out}
}

// Minus returns a − b.
func Minus(a, b *Term) *Term { return Sum(a, Product(Number(-1), b)) }

// Product is the product of terms, the constant first. Constants are multiplied into sums.
func Product(ts ...*Term) *Term {
	konst := big.NewInt(1)
	var parts []*Term
	var walk func(t *Term)
	walk = func(t *Term) {
		switch t.Op {
		case Num:
			konst = new(big.Int).Mul(konst, t.Val)
		case Mul:
			for _, a := range t.Args {
				walk(a)
			}
		default:
			parts = append(parts, t)
		}
	}
	for _, t := range ts {
		walk(t)
	}
	if konst.Sign() == 0 || len(parts) == 0 {
		return BigNumber(konst)
	}
	// The number of threads is one term, in whichever order a kernel writes it.
	if len(parts) == 2 && size(parts[0]) && size(parts[1]) && parts[0].Name > parts[1].Name {
		parts[0], parts[1] = parts[1], parts[0]
	}
	if len(parts) == 1 && parts[0].Op == Add && !(konst.IsInt64() && konst.Int64() == 1) {
		var out []*Term
		for _, a := range parts[0].Args {
			out = append(out, Product(BigNumber(konst), a))
		}
		return &Term{Op: Add, Args: out}
	}
	if !(konst.IsInt64() && konst.Int64() == 1) {
		parts = append([]*Term{BigNumber(konst)}, parts...)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &Term{Op: Mul, Args: parts}
}

// size reports whether t is a size of the launch.
func size(t *Term) bool {
	return t.Op == Sym && t.Symbol.IsSize()
}

// Coefficient is the number in front of a product, 1 if there is none.
func (t *Term) Coefficient() *big.Int {
	switch {
	case t.IsNum():
		return t.Val
	case t.Op == Mul && t.Args[0].IsNum():
		return t.Args[0].Val
	}
	return big.NewInt(1)
}

// IsFree reports whether t is a value on a path about which only its type is known.
func (t *Term) IsFree() bool { return t.Op == Sym && t.Symbol.Of == AnyValue }

// FreeIn are the names of the free values in t.
func FreeIn(t *Term) (names []string) {
	Leaves(t, func(x *Term) {
		if x.IsFree() && !slices.Contains(names, x.Name) {
			names = append(names, x.Name)
		}
	})
	return names
}

// Quotient returns a ÷ b, rounded towards 0.
func Quotient(a, b *Term) *Term {
	if b.Is(1) {
		return a
	}
	if a.IsNum() && b.IsNum() && b.Val.Sign() != 0 {
		return BigNumber(new(big.Int).Quo(a.Val, b.Val))
	}
	return &Term{Op: Quo, Args: []*Term{a, b}}
}

// Remainder returns a mod b, with the sign of a.
func Remainder(a, b *Term) *Term {
	if b.Is(1) {
		return Number(0)
	}
	if a.IsNum() && b.IsNum() && b.Val.Sign() != 0 {
		return BigNumber(new(big.Int).Rem(a.Val, b.Val))
	}
	return &Term{Op: Rem, Args: []*Term{a, b}}
}

func choose(p, a, b *Term) *Term {
	switch {
	case p.Op == PTrue:
		return a
	case p.Op == PFalse:
		return b
	case a.Key() == b.Key():
		return a
	}
	return &Term{Op: Ite, Args: []*Term{p, a, b}}
}

// Compare returns the comparison o of a and b, decided if they are numbers.
func Compare(o op, a, b *Term) *Term {
	d := Minus(a, b)
	if d.Op == Num {
		s := d.Val.Sign()
		holds := o == PEq && s == 0 || o == PNe && s != 0 || o == PLe && s <= 0 || o == PLt && s < 0
		if holds {
			return Truth
		}
		return Falsity
	}
	return &Term{Op: o, Args: []*Term{a, b}}
}

// Both returns the conjunction of ps.
func Both(ps ...*Term) *Term {
	var out []*Term
	for _, p := range ps {
		switch p.Op {
		case PTrue:
		case PFalse:
			return Falsity
		case PAnd:
			out = append(out, p.Args...)
		default:
			out = append(out, p)
		}
	}
	switch len(out) {
	case 0:
		return Truth
	case 1:
		return out[0]
	}
	return &Term{Op: PAnd, Args: out}
}

// Either returns the disjunction of ps.
func Either(ps ...*Term) *Term {
	var out []*Term
	for _, p := range ps {
		switch p.Op {
		case PFalse:
		case PTrue:
			return Truth
		case POr:
			out = append(out, p.Args...)
		default:
			out = append(out, p)
		}
	}
	switch len(out) {
	case 0:
		return Falsity
	case 1:
		return out[0]
	}
	return &Term{Op: POr, Args: out}
}

// Not returns the negation of p, without a negation before a comparison.
func Not(p *Term) *Term {
	switch p.Op {
	case PTrue:
		return Falsity
	case PFalse:
		return Truth
	case PNot:
		return p.Args[0]
	case PEq:
		return &Term{Op: PNe, Args: p.Args}
	case PNe:
		return &Term{Op: PEq, Args: p.Args}
	case PLe:
		return &Term{Op: PLt, Args: []*Term{p.Args[1], p.Args[0]}}
	case PLt:
		return &Term{Op: PLe, Args: []*Term{p.Args[1], p.Args[0]}}
	case PAnd, POr:
		var out []*Term
		for _, a := range p.Args {
			out = append(out, Not(a))
		}
		if p.Op == PAnd {
			return Either(out...)
		}
		return Both(out...)
	}
	return &Term{Op: PNot, Args: []*Term{p}}
}

func implies(p, q *Term) *Term { return Either(Not(p), q) }

// MapTerm rebuilds t with its leaves replaced; leaf returns nil for those that stay.
func MapTerm(t *Term, leaf func(*Term) *Term) *Term {
	if len(t.Args) == 0 {
		if u := leaf(t); u != nil {
			return u
		}
		return t
	}
	args := make([]*Term, len(t.Args))
	same := true
	for i, a := range t.Args {
		args[i] = MapTerm(a, leaf)
		same = same && args[i] == a
	}
	if same {
		return t
	}
	return Rebuild(t, args)
}

// Rebuild is t with other arguments, simplified.
func Rebuild(t *Term, args []*Term) *Term {
	switch t.Op {
	case Add:
		return Sum(args...)
	case Mul:
		return Product(args...)
	case Quo:
		return Quotient(args[0], args[1])
	case Rem:
		return Remainder(args[0], args[1])
	case Ite:
		return choose(args[0], args[1], args[2])
	case PEq, PNe, PLe, PLt:
		return Compare(t.Op, args[0], args[1])
	case PAnd:
		return Both(args...)
	case POr:
		return Either(args...)
	case PNot:
		return Not(args[0])
	case Band, Bor, Bxor, Shl, Shr:
		return Bitwise(t.Op, t.Typ, args[0], args[1])
	case Wrap:
		if args[0].IsNum() {
			return into(t.Typ, args[0])
		}
	}
	return &Term{Op: t.Op, Args: args, Typ: t.Typ, Name: t.Name, Own: t.Own, V: t.V}
}

// Leaves calls f for each leaf of t.
func Leaves(t *Term, f func(*Term)) {
	if len(t.Args) == 0 {
		f(t)
		return
	}
	for _, a := range t.Args {
		Leaves(a, f)
	}
}

// VariablesOf returns the variables of the program that occur in terms.
func VariablesOf(t *Term) (out []*Variable) {
	Leaves(t, func(l *Term) {
		if l.Op == Local_ && !slices.Contains(out, l.V) {
			out = append(out, l.V)
		}
	})
	return out
}

// Bitwise is a bit operation on values of type t: by arithmetic where a mask, a
// shift or a single bit has one.
func Bitwise(o op, t *ast.Ctype, a, b *Term) *Term {
	if a.IsNum() && b.IsNum() {
		r := new(big.Int)
		switch o {
		case Band:
			r.And(a.Val, b.Val)
		case Bor:
			r.Or(a.Val, b.Val)
		case Bxor:
			r.Xor(a.Val, b.Val)
		// Beyond the width C leaves the result open and the toolchains differ: no value then.
		case Shl, Shr:
			if b.Val.Sign() < 0 || b.Val.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
				return &Term{Op: o, Typ: t, Args: []*Term{a, b}}
			}
			if o == Shl {
				r.Lsh(a.Val, uint(b.Val.Int64()))
			} else {
				r.Rsh(a.Val, uint(b.Val.Int64()))
			}
		}
		return BigNumber(r)
	}
	if a.IsNum() && o != Shl && o != Shr {
		a, b = b, a
	}
	if b.IsNum() {
		switch {
		case o == Band && b.Val.Sign() == 0:
			return b
		case (o == Bor || o == Bxor) && b.Val.Sign() == 0:
			return a
		}
	}
	if (o == Band || o == Bor) && a.Key() == b.Key() {
		return a
	}
	return &Term{Op: o, Typ: t, Args: []*Term{a, b}}
}

// Mentions reports whether a variable of the program occurs in a term.
func Mentions(t *Term, v *Variable) bool {
	for _, x := range VariablesOf(t) {
		if x == v {
			return true
		}
	}
	return false
}
