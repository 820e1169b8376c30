// Package linear implements sums of terms with integer coefficients.
package linear

import "github.com/gradine/gradine/logic"

// Sum is a linear combination of terms, plus a number.
type Sum struct {
	b     *logic.Bank
	terms []logic.Term // in the order in which they were met
	coefs map[logic.Term]int64
	num   int64
	bad   bool // not of integers, or a number is too large
}

// Difference returns x−y.
func Difference(b *logic.Bank, x, y logic.Term) *Sum {
	d := &Sum{b: b, coefs: map[logic.Term]int64{}}
	d.bad = d.b.Type(x) != logic.IntType
	if !d.bad {
		d.add(x, 1)
		d.add(y, -1)
	}
	return d
}

// add adds k times a term to the sum.
func (d *Sum) add(t logic.Term, k int64) {
	args := d.b.Args(t)
	switch d.b.Op(t) {
	case logic.Plus:
		for _, a := range args {
			d.add(a, k)
		}
	case logic.Minus:
		d.add(args[0], k)
		d.add(args[1], -k)
	case logic.Neg:
		d.add(args[0], -k)
	case logic.Times:
		d.product(t, k)
	case logic.Int:
		if v := d.b.Value(t); v.IsInt64() && v.Int64() < 1<<30 && v.Int64() > -1<<30 {
			d.num += k * v.Int64()
		} else {
			d.bad = true
		}
	default:
		d.one(t, k)
	}
}

// product adds k times the product t: of a small number and something else, as a multiple of that.
func (d *Sum) product(t logic.Term, k int64) {
	if args := d.b.Args(t); len(args) == 2 {
		for i, a := range args {
			if d.b.Op(a) == logic.Int && d.b.Value(a).IsInt64() && d.b.Value(a).Int64() < 1<<10 && d.b.Value(a).Int64() > -1<<10 {
				d.add(args[1-i], k*d.b.Value(a).Int64())
				return
			}
		}
	}
	d.one(t, k)
}

// one adds k times t, which is not looked into.
func (d *Sum) one(t logic.Term, k int64) {
	if _, ok := d.coefs[t]; !ok {
		d.terms = append(d.terms, t)
	}
	d.coefs[t] += k
}

// Constant returns the value of d if it is the same for all values of its terms.
func (d *Sum) Constant() (int64, bool) {
	for _, t := range d.terms {
		if d.coefs[t] != 0 {
			return 0, false
		}
	}
	return d.num, !d.bad
}

// Terms yields the terms of d and their coefficients, but 0, in the order in which they were met; none of a d that is not known.
func (d *Sum) Terms(yield func(t logic.Term, k int64) bool) {
	for _, t := range d.terms {
		if k := d.coefs[t]; !d.bad && k != 0 && !yield(t, k) {
			return
		}
	}
}

// Number returns what d adds to the sum of its terms.
func (d *Sum) Number() int64 { return d.num }

// Find returns the first term that wanted accepts by itself and its coefficient, if d is known.
func (d *Sum) Find(wanted func(t logic.Term, k int64) bool) (logic.Term, int64, bool) {
	for _, t := range d.terms {
		if k := d.coefs[t]; !d.bad && wanted(t, k) {
			return t, k, true
		}
	}
	return 0, 0, false
}

// Without returns k times the sum of the other terms than u, if each has coefficient 0, 1 or −1 or can be
// written as a product.
func (d *Sum) Without(u logic.Term, k int64) (logic.Term, bool) {
	bank := d.b
	var out logic.Term
	plus := func(t logic.Term, c int64) {
		switch {
		case c == 0:
			return
		case c != 1 && c != -1:
			t = bank.App(logic.Times, bank.Int64(max(c, -c)), t)
		}
		switch {
		case out == 0 && c > 0:
			out = t
		case out == 0:
			out = bank.App(logic.Neg, t)
		case c > 0:
			out = bank.App(logic.Plus, out, t)
		default:
			out = bank.App(logic.Minus, out, t)
		}
	}
	// The terms keep their order, so that equal sums are written alike.
	for _, t := range d.terms {
		if t != u {
			if bank.Occurs(u, t) {
				return 0, false
			}
			plus(t, k*d.coefs[t])
		}
	}
	switch n := k * d.num; {
	case out == 0:
		out = bank.Int64(n)
	case n > 0:
		out = bank.App(logic.Plus, out, bank.Int64(n))
	case n < 0:
		out = bank.App(logic.Minus, out, bank.Int64(-n))
	}
	return out, true
}
