package gpuc

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// op is the operator of a term. Terms are integers, formulas are predicates.
type op uint8

const (
	num    op = iota
	sym       // a constant or parameter of the model
	local_    // a variable of the program
	add       // n-ary
	mul       // n-ary
	quo       // towards zero, as / of C and ÷
	rem       // as % of C: the sign of the dividend
	wrap      // into bits, signed
	band
	bor
	bxor
	shl // by an amount that is no constant
	shr
	ite    // p, a, b
	other  // the value that the other thread has
	modulo // of a number that is not negative, by a positive constant

	pTrue
	pFalse
	pEq
	pNe
	pLe
	pLt
	pAnd
	pOr
	pNot
	pSame    // the two threads are of one group
	pUniform // all threads of the group come here together
)

// term is a term or formula. Terms are never changed.
type term struct {
	op   op
	val  *big.Int
	name string // of a symbol
	own  bool   // each thread has its own
	v    *variable
	args []*term
	typ  *ctype // of a wrap, band …
	text string // see key
}

// variable is a variable of the program, of one thread.
type variable struct {
	name  string
	typ   *ctype
	ghost bool // counts: unbounded
	id    int
}

var (
	truth   = &term{op: pTrue}
	falsity = &term{op: pFalse}
)

func number(i int64) *term       { return &term{op: num, val: big.NewInt(i)} }
func bigNumber(i *big.Int) *term { return &term{op: num, val: i} }
func variableTerm(v *variable) *term {
	return &term{op: local_, v: v}
}

// key tells terms apart.
func (t *term) key() string {
	if t.text == "" {
		var b strings.Builder
		switch t.op {
		case num:
			b.WriteString(t.val.String())
		case sym:
			b.WriteString(t.name)
		case local_:
			fmt.Fprintf(&b, "v%d", t.v.id)
		default:
			fmt.Fprintf(&b, "(%d", t.op)
			if t.typ != nil {
				fmt.Fprintf(&b, ":%d%t", t.typ.bits, t.typ.signed)
			}
			for _, a := range t.args {
				b.WriteByte(' ')
				b.WriteString(a.key())
			}
			b.WriteByte(')')
		}
		t.text = b.String()
	}
	return t.text
}

func (t *term) isNum() bool { return t.op == num }

func (t *term) is(i int64) bool { return t.op == num && t.val.IsInt64() && t.val.Int64() == i }

// sum is the sum of terms, constants last, in a fixed order.
func sum(ts ...*term) *term {
	// Equal summands are counted, so that differences cancel.
	count := map[string]*big.Int{}
	var parts []*term
	konst := new(big.Int)
	var walk func(t *term, by *big.Int)
	walk = func(t *term, by *big.Int) {
		switch {
		case t.op == num:
			konst.Add(konst, new(big.Int).Mul(t.val, by))
			return
		case t.op == add:
			for _, a := range t.args {
				walk(a, by)
			}
			return
		case t.op == mul && t.args[0].op == num:
			by = new(big.Int).Mul(by, t.args[0].val)
			t = product(t.args[1:]...)
			if t.op == add {
				walk(t, by)
				return
			}
		}
		k := t.key()
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
	var out []*term
	for _, p := range parts {
		if c := count[p.key()]; c.Sign() != 0 {
			out = append(out, product(bigNumber(c), p))
		}
	}
	if konst.Sign() != 0 || len(out) == 0 {
		out = append(out, bigNumber(konst))
	}
	if len(out) == 1 {
		return out[0]
	}
	return &term{op: add, args: out}
}

func minus(a, b *term) *term { return sum(a, product(number(-1), b)) }

// product is the product of terms, the constant first. Constants are multiplied into sums.
func product(ts ...*term) *term {
	konst := big.NewInt(1)
	var parts []*term
	var walk func(t *term)
	walk = func(t *term) {
		switch t.op {
		case num:
			konst = new(big.Int).Mul(konst, t.val)
		case mul:
			for _, a := range t.args {
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
		return bigNumber(konst)
	}
	if len(parts) == 1 && parts[0].op == add && !(konst.IsInt64() && konst.Int64() == 1) {
		var out []*term
		for _, a := range parts[0].args {
			out = append(out, product(bigNumber(konst), a))
		}
		return &term{op: add, args: out}
	}
	if !(konst.IsInt64() && konst.Int64() == 1) {
		parts = append([]*term{bigNumber(konst)}, parts...)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &term{op: mul, args: parts}
}

func quotient(a, b *term) *term {
	if b.is(1) {
		return a
	}
	if a.isNum() && b.isNum() && b.val.Sign() != 0 {
		return bigNumber(new(big.Int).Quo(a.val, b.val))
	}
	return &term{op: quo, args: []*term{a, b}}
}

func remainder(a, b *term) *term {
	if b.is(1) {
		return number(0)
	}
	if a.isNum() && b.isNum() && b.val.Sign() != 0 {
		return bigNumber(new(big.Int).Rem(a.val, b.val))
	}
	return &term{op: rem, args: []*term{a, b}}
}

func choose(p, a, b *term) *term {
	switch {
	case p.op == pTrue:
		return a
	case p.op == pFalse:
		return b
	case a.key() == b.key():
		return a
	}
	return &term{op: ite, args: []*term{p, a, b}}
}

func compare(o op, a, b *term) *term {
	d := minus(a, b)
	if d.op == num {
		s := d.val.Sign()
		holds := o == pEq && s == 0 || o == pNe && s != 0 || o == pLe && s <= 0 || o == pLt && s < 0
		if holds {
			return truth
		}
		return falsity
	}
	return &term{op: o, args: []*term{a, b}}
}

func both(ps ...*term) *term {
	var out []*term
	for _, p := range ps {
		switch p.op {
		case pTrue:
		case pFalse:
			return falsity
		case pAnd:
			out = append(out, p.args...)
		default:
			out = append(out, p)
		}
	}
	switch len(out) {
	case 0:
		return truth
	case 1:
		return out[0]
	}
	return &term{op: pAnd, args: out}
}

func either(ps ...*term) *term {
	var out []*term
	for _, p := range ps {
		switch p.op {
		case pFalse:
		case pTrue:
			return truth
		case pOr:
			out = append(out, p.args...)
		default:
			out = append(out, p)
		}
	}
	switch len(out) {
	case 0:
		return falsity
	case 1:
		return out[0]
	}
	return &term{op: pOr, args: out}
}

func not(p *term) *term {
	switch p.op {
	case pTrue:
		return falsity
	case pFalse:
		return truth
	case pNot:
		return p.args[0]
	case pEq:
		return &term{op: pNe, args: p.args}
	case pNe:
		return &term{op: pEq, args: p.args}
	case pLe:
		return &term{op: pLt, args: []*term{p.args[1], p.args[0]}}
	case pLt:
		return &term{op: pLe, args: []*term{p.args[1], p.args[0]}}
	case pAnd, pOr:
		var out []*term
		for _, a := range p.args {
			out = append(out, not(a))
		}
		if p.op == pAnd {
			return either(out...)
		}
		return both(out...)
	}
	return &term{op: pNot, args: []*term{p}}
}

func implies(p, q *term) *term { return either(not(p), q) }

// mapTerm rebuilds t with its leaves replaced; leaf returns nil for those that stay.
func mapTerm(t *term, leaf func(*term) *term) *term {
	if len(t.args) == 0 {
		if u := leaf(t); u != nil {
			return u
		}
		return t
	}
	args := make([]*term, len(t.args))
	same := true
	for i, a := range t.args {
		args[i] = mapTerm(a, leaf)
		same = same && args[i] == a
	}
	if same {
		return t
	}
	return rebuild(t, args)
}

// rebuild is t with other arguments, simplified.
func rebuild(t *term, args []*term) *term {
	switch t.op {
	case add:
		return sum(args...)
	case mul:
		return product(args...)
	case quo:
		return quotient(args[0], args[1])
	case rem:
		return remainder(args[0], args[1])
	case ite:
		return choose(args[0], args[1], args[2])
	case pEq, pNe, pLe, pLt:
		return compare(t.op, args[0], args[1])
	case pAnd:
		return both(args...)
	case pOr:
		return either(args...)
	case pNot:
		return not(args[0])
	case band, bor, bxor, shl, shr:
		return bitwise(t.op, t.typ, args[0], args[1])
	}
	return &term{op: t.op, args: args, typ: t.typ, name: t.name, own: t.own, v: t.v}
}

// leaves calls f for each leaf of t.
func leaves(t *term, f func(*term)) {
	if len(t.args) == 0 {
		f(t)
		return
	}
	for _, a := range t.args {
		leaves(a, f)
	}
}

func variablesOf(t *term) (out []*variable) {
	leaves(t, func(l *term) {
		if l.op == local_ && !slices.Contains(out, l.v) {
			out = append(out, l.v)
		}
	})
	return out
}

// within are the bounds of a type.
func within(t *ctype) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if t.signed {
		m := new(big.Int).Lsh(one, uint(t.bits-1))
		return new(big.Int).Neg(m), new(big.Int).Sub(m, one)
	}
	return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, uint(t.bits)), one)
}

func modulus(t *ctype) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(t.bits)) }

// wrapped is v as a value of type t.
func wrapped(v *big.Int, t *ctype) *big.Int {
	if t.bits == 1 {
		if v.Sign() != 0 {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	m := modulus(t)
	r := new(big.Int).Mod(v, m)
	if _, hi := within(t); r.Cmp(hi) > 0 {
		r.Sub(r, m)
	}
	return r
}

// bitwise is a bit operation on values of type t: by arithmetic where a mask, a
// shift or a single bit has one.
func bitwise(o op, t *ctype, a, b *term) *term {
	if a.isNum() && b.isNum() {
		r := new(big.Int)
		switch o {
		case band:
			r.And(a.val, b.val)
		case bor:
			r.Or(a.val, b.val)
		case bxor:
			r.Xor(a.val, b.val)
		case shl, shr:
			if b.val.Sign() < 0 || b.val.Cmp(big.NewInt(int64(t.bits))) >= 0 {
				return &term{op: o, typ: t, args: []*term{a, b}}
			}
			if o == shl {
				r.Lsh(a.val, uint(b.val.Int64()))
			} else {
				r.Rsh(a.val, uint(b.val.Int64()))
			}
		}
		return bigNumber(r)
	}
	if a.isNum() && o != shl && o != shr {
		a, b = b, a
	}
	if b.isNum() {
		switch {
		case o == band && b.val.Sign() == 0:
			return b
		case (o == bor || o == bxor) && b.val.Sign() == 0:
			return a
		}
	}
	if (o == band || o == bor) && a.key() == b.key() {
		return a
	}
	return &term{op: o, typ: t, args: []*term{a, b}}
}

// interval is a range of integers; nil is no bound.
type interval struct{ lo, hi *big.Int }

func point(i *big.Int) interval { return interval{i, i} }

func typeInterval(t *ctype) interval {
	lo, hi := within(t)
	return interval{lo, hi}
}

func (a interval) meet(b interval) interval {
	if b.lo != nil && (a.lo == nil || b.lo.Cmp(a.lo) > 0) {
		a.lo = b.lo
	}
	if b.hi != nil && (a.hi == nil || b.hi.Cmp(a.hi) < 0) {
		a.hi = b.hi
	}
	return a
}

func (a interval) join(b interval) interval {
	if a.lo != nil && (b.lo == nil || b.lo.Cmp(a.lo) < 0) {
		a.lo = b.lo
	}
	if a.hi != nil && (b.hi == nil || b.hi.Cmp(a.hi) > 0) {
		a.hi = b.hi
	}
	return a
}

func (a interval) inside(b interval) bool {
	return (b.lo == nil || a.lo != nil && a.lo.Cmp(b.lo) >= 0) && (b.hi == nil || a.hi != nil && a.hi.Cmp(b.hi) <= 0)
}

func (a interval) empty() bool { return a.lo != nil && a.hi != nil && a.lo.Cmp(a.hi) > 0 }

func (a interval) same(b interval) bool { return a.inside(b) && b.inside(a) }

func (a interval) nonNegative() bool { return a.lo != nil && a.lo.Sign() >= 0 }

func (a interval) plus(b interval) (out interval) {
	if a.lo != nil && b.lo != nil {
		out.lo = new(big.Int).Add(a.lo, b.lo)
	}
	if a.hi != nil && b.hi != nil {
		out.hi = new(big.Int).Add(a.hi, b.hi)
	}
	return out
}

func (a interval) times(b interval) interval {
	if a.lo == nil || a.hi == nil || b.lo == nil || b.hi == nil {
		switch {
		case a.nonNegative() && b.nonNegative():
			return interval{lo: new(big.Int).Mul(a.lo, b.lo)}
		}
		return interval{}
	}
	ps := []*big.Int{new(big.Int).Mul(a.lo, b.lo), new(big.Int).Mul(a.lo, b.hi), new(big.Int).Mul(a.hi, b.lo), new(big.Int).Mul(a.hi, b.hi)}
	cmp := func(x, y *big.Int) int { return x.Cmp(y) }
	return interval{slices.MinFunc(ps, cmp), slices.MaxFunc(ps, cmp)}
}
