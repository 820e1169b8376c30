package encode

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// digit is a row of an array of several dimensions: number = row∗width + column.
type digit struct{ number, row, column, width *ir.Term }

// side is one of two accesses: where it is, and what holds there.
type side struct {
	off   *ir.Term
	holds []*ir.Term
	in    *paths.State
}

// side is the access of a path at off, behind guards.
func (w *writer) side(p *paths.Path, off *ir.Term, guards []*ir.Term) side {
	values := w.values(p.From)
	known := func(t *ir.Term) *ir.Term {
		return ir.MapTerm(t, func(x *ir.Term) *ir.Term {
			if x.Op == ir.Local_ {
				return values[x.V]
			}
			return nil
		})
	}
	out := side{off: known(off), in: w.walk.At(p.From)}
	for _, g := range slices.Concat(w.holding(p.From), guards) {
		g = known(g)
		out.holds = append(out.holds, g)
		w.walk.Refine(out.in, g)
	}
	// A number that was taken mod 2ⁿ in front of a condition may be known to be small behind it.
	for i, g := range out.holds {
		out.holds[i] = w.small(out.in, g)
	}
	out.off = w.small(out.in, out.off)
	return out
}

// small is t without mod where ranges say how often what it is of has gone round.
func (w *writer) small(in *paths.State, t *ir.Term) *ir.Term {
	if len(t.Args) == 0 {
		return t
	}
	args := make([]*ir.Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = w.small(in, a)
	}
	if t.Op == ir.Modulo && args[1].IsNum() {
		if r := w.walk.Interval(in, args[0]); r.NonNegative() && r.Hi != nil {
			rounds := new(big.Int).Quo(r.Lo, args[1].Val)
			if rounds.Cmp(new(big.Int).Quo(r.Hi, args[1].Val)) == 0 {
				return ir.Minus(args[0], ir.BigNumber(rounds.Mul(rounds, args[1].Val)))
			}
		}
	}
	return ir.Rebuild(t, args)
}

// values are those that variables are known to have at a cut point, by ids and parameters.
func (w *writer) values(at *ir.Node) map[*ir.Variable]*ir.Term {
	out := map[*ir.Variable]*ir.Term{}
	for _, k := range w.cands {
		if k.at == at && !k.dead && k.rule == Kept && k.e.Op == ir.PEq && k.e.Args[0].Op == ir.Local_ && ofLaunch(k.e.Args[1]) {
			out[k.e.Args[0].V] = k.e.Args[1]
		}
	}
	return out
}

// digits writes, where two threads access an array of several dimensions at the same offset,
// that they do so in the same row: theorems that lead to the proof that they are one thread.
// Thread 2 does so at item i of p.
func (w *writer) digits(pr reading, s *site, p *paths.Path, i int) {
	off := p.Items[i].Off
	alike := s.item.Off.Key() == off.Key()
	where := all(is("site", s.number), eq(ident("off"), pr.term(off)))
	if rest := w.without(off); alike && rest != nil {
		w.hint("rest", implies(where, eq(w.recorded().term(rest), pr.term(rest))))
	}
	if rows := w.rows(off); alike && rows != nil {
		for _, row := range rows {
			if one, two := w.reading("1").term(row), pr.term(row); !same(one, two) { // it is not of the group
				w.hint("row", implies(where, eq(one, two)))
			}
		}
		return
	}
	first, second := w.side(s.path, s.item.Off, s.guards), w.side(p, off, p.Guards(i))
	products := false
	for _, d := range w.levels(first, second) {
		// What follows from rows that are one is linear where no products are left.
		if products = products || !d[0].width.IsNum(); !products || !d[0].width.IsNum() || nonlinear(d[0].row) {
			w.level(pr, where, d)
		}
	}
}

// nonlinear reports whether a product of symbols stands in t.
func nonlinear(t *ir.Term) bool {
	return t.Op == ir.Mul && (len(t.Args) > 2 || !t.Args[0].IsNum()) || slices.ContainsFunc(t.Args, nonlinear)
}

// level writes that two threads are in the same row, by one digit of the offset of each.
func (w *writer) level(pr reading, where formula, d [2]digit) {
	one := w.recorded()
	row, other := one.term(d[0].row), pr.term(d[1].row)
	if same(row, other) {
		return // it is of the group
	}
	switch launch := d[0].number.Key() == d[1].number.Key() && ofLaunch(d[0].number); {
	case d[0].width.IsNum(): // it is linear
	case launch:
		// It is about ids and parameters alone, and said once, of all events.
		add(&w.digit, sameRow(w.reading("1"), w.reading("2"), d)...)
	default:
		for _, t := range sameRow(one, pr, d) {
			w.hint("row", t)
		}
	}
	w.hint("row", implies(where, eq(row, other)))
	if column, other := one.term(d[0].column), pr.term(d[1].column); !d[0].width.IsNum() && !same(column, other) {
		w.hint("column", implies(where, eq(column, other)))
	}
	w.linear(d[0].row, d[1].row)
	w.linear(d[0].column, d[1].column)
}

// linear says what it means that two sums of ids are equal, where no products of symbols are in the way.
func (w *writer) linear(a, b *ir.Term) {
	if a.Key() != b.Key() || !ofLaunch(a) || nonlinear(a) {
		return
	}
	one, two := w.reading("1"), w.reading("2")
	s := side{off: a, in: w.walk.Begin()}
	for _, d := range w.levels(s, s) {
		if row, other := one.term(d[0].row), two.term(d[0].row); !same(row, other) {
			add(&w.digit, implies(eq(one.term(a), two.term(a)), eq(row, other)))
		}
	}
}

// sameRow says that two numbers are equal only in the same row, where both columns are below the width: first of rows that have
// names, for of rows that are sums of products proofs would lose their way among products, then of these.
func sameRow(one, two reading, d [2]digit) []formula {
	var premises []formula
	for i, r := range []reading{one, two} {
		add(&premises, le(num(0), r.term(d[i].column)))
		if below := ir.Compare(ir.PLt, d[i].column, d[i].width); below.Op != ir.PTrue {
			add(&premises, r.predicate(below))
		}
	}
	row, other := one.term(d[0].row), two.term(d[1].row)
	number := func(r reading, row formula, i int) formula {
		return operation(logic.Plus, operation(logic.Times, row, one.term(d[0].width)), r.term(d[i].column))
	}
	equal := func(a, b formula) formula { return eq(number(one, a, 0), number(two, b, 1)) }
	a, b := ident("row"), ident("other")
	named := all(slices.Concat([]formula{eq(a, row), eq(b, other)}, premises, []formula{equal(a, b)})...)
	return []formula{
		{Op: logic.Forall, Decls: []lang.Decl{{Name: a.Name}, {Name: b.Name}}, Args: []formula{implies(named, eq(a, b))}},
		implies(all(append(premises, equal(row, other))...), eq(row, other)),
	}
}

// levels are the digits of two offsets, from the last dimension on: by widths that the columns of both are below.
func (w *writer) levels(first, second side) (out [][2]digit) {
	for found := true; found; {
		found = false
		if n := len(out); n > 0 && out[n-1][0].column.IsNum() && out[n-1][1].column.IsNum() && out[n-1][0].column.Key() != out[n-1][1].column.Key() {
			break // they never meet
		}
		widths := w.widths(first, second)
		for i := 0; i < 2*len(widths) && !found; i++ {
			width, whole := widths[i/2], i%2 == 0
			d := [2]digit{w.split(first.off, second.off, width, whole), w.split(second.off, first.off, width, whole)}
			if !(d[0].row.Is(0) && d[1].row.Is(0)) && w.apartFromRows(first, second, d) {
				out, found = append(out, d), true
				first.off, second.off = d[0].row, d[1].row
			}
		}
	}
	return out
}

// apartFromRows reports whether the columns of two accesses lead from no row into another one.
func (w *writer) apartFromRows(first, second side, d [2]digit) bool {
	a, b := w.walk.Interval(first.in, d[0].column), w.walk.Interval(second.in, d[1].column)
	if width := d[0].width; width.IsNum() {
		near := func(a, b interval.Interval) bool {
			return a.Hi != nil && b.Lo != nil && new(big.Int).Sub(a.Hi, b.Lo).Cmp(width.Val) < 0
		}
		return near(a, b) && near(b, a)
	}
	below := func(s side, d digit, r interval.Interval) bool {
		return r.NonNegative() && (d.column.Is(0) || less(s.holds, d.column, d.width) || ofSize(d.column, d.width))
	}
	return below(first, d[0], a) && below(second, d[1], b)
}

// ofSize reports whether an id is below a size by what a launch is.
func ofSize(id, size *ir.Term) bool {
	return id.Op == ir.Sym && size.Op == ir.Sym && id.Symbol.Below(size.Symbol)
}

// terms are the summands of a number.
func terms(number *ir.Term) []*ir.Term {
	if number.Op == ir.Add {
		return number.Args
	}
	return []*ir.Term{number}
}

// widths are what may be the width of rows for both accesses: the factors that stand in their offsets, the smallest first, then sizes
// and parameters, and products of them that conditions compare with.
func (w *writer) widths(sides ...side) (out []*ir.Term) {
	for _, s := range sides {
		for _, t := range terms(s.off) {
			if f := t.Coefficient(); !t.IsNum() && f.Cmp(big.NewInt(1)) > 0 {
				out = append(out, ir.BigNumber(f))
			}
		}
	}
	slices.SortFunc(out, func(a, b *ir.Term) int { return a.Val.Cmp(b.Val) })
	for _, s := range sides {
		ir.Leaves(s.off, func(x *ir.Term) {
			if x.Op == ir.Sym && !x.Own {
				out = append(out, x)
			}
		})
		for _, g := range s.holds {
			if (g.Op == ir.PLt || g.Op == ir.PLe) && g.Args[1].Op == ir.Mul && w.shared(g.Args[1]) {
				out = append(out, g.Args[1])
			}
		}
	}
	var distinct []*ir.Term
	for _, t := range out {
		if !slices.ContainsFunc(distinct, func(o *ir.Term) bool { return o.Key() == t.Key() }) {
			distinct = append(distinct, t)
		}
	}
	return distinct
}

// divided is a ÷ width where a, which is no sum, is a multiple of the width by its form; nil otherwise.
func divided(a, width *ir.Term) *ir.Term {
	if width.IsNum() {
		if new(big.Int).Rem(a.Coefficient(), width.Val).Sign() != 0 {
			return nil
		}
		rest := a.Args
		switch {
		case a.IsNum():
		case a.Op != ir.Mul:
			rest = []*ir.Term{a}
		case a.Args[0].IsNum():
			rest = a.Args[1:]
		}
		return ir.Product(append([]*ir.Term{ir.BigNumber(new(big.Int).Quo(a.Coefficient(), width.Val))}, rest...)...)
	}
	rest := factors(a)
	for _, f := range factors(width) {
		k := slices.IndexFunc(rest, func(r *ir.Term) bool { return r.Key() == f.Key() })
		if k < 0 {
			return nil
		}
		rest = slices.Delete(slices.Clone(rest), k, k+1)
	}
	return ir.Product(rest...)
}

// factors are those of a product.
func factors(t *ir.Term) []*ir.Term {
	if t.Op == ir.Mul {
		return t.Args
	}
	return []*ir.Term{t}
}

// split writes a number as row∗width + column: the row is what is a multiple of the width. If the
// column is not whole, what both threads add to it, since it stands in the other number, too, is left out.
func (w *writer) split(number, other, width *ir.Term, whole bool) digit {
	var rows, columns []*ir.Term
	for _, a := range terms(number) {
		common := func(b *ir.Term) bool { return a.Key() == b.Key() && w.shared(a) }
		switch times := divided(a, width); {
		case times != nil:
			rows = append(rows, times)
		case !whole && slices.ContainsFunc(terms(other), common):
		default:
			columns = append(columns, a)
		}
	}
	return digit{number, ir.Sum(rows...), ir.Sum(columns...), width}
}

// shared reports whether a term has one value in both threads.
func (w *writer) shared(t *ir.Term) bool {
	return ofLaunch(t) && same(w.reading("1").term(t), w.reading("2").term(t))
}

// without is a sum without what both threads add to it, if that is more than a number, and nil
// otherwise: products of symbols are in the way of what is linear in the rest.
func (w *writer) without(off *ir.Term) *ir.Term {
	if off.Op != ir.Add {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(off.Args), w.shared)
	sum := ir.Sum(rest...)
	if len(rest) == 0 || !slices.ContainsFunc(off.Args, func(a *ir.Term) bool { return a.Op == ir.Mul && w.shared(a) }) || len(ir.FreeIn(sum)) > 0 {
		return nil
	}
	return sum
}

// holding are the conditions that hold at a cut point: those in front of a loop are no guards of paths behind it.
func (w *writer) holding(at *ir.Node) (out []*ir.Term) {
	for _, k := range w.cands {
		if k.at == at && !k.dead {
			out = append(out, k.e)
		}
	}
	return out
}

// less reports whether one of the guards says that a < b, or more.
func less(guards []*ir.Term, a, b *ir.Term) bool {
	return slices.ContainsFunc(guards, func(g *ir.Term) bool {
		if g.Op != ir.PLt && g.Op != ir.PLe {
			return false
		}
		room := ir.Minus(ir.Minus(g.Args[1], g.Args[0]), ir.Minus(b, a))
		return room.IsNum() && (room.Val.Sign() < 0 || room.Val.Sign() == 0 && g.Op == ir.PLt)
	})
}

// rows are the digits of an offset but the last one: of row∗width + column the row, if the
// sizes of the launch say that the column is below the width, and so on with more dimensions.
func (w *writer) rows(off *ir.Term) (out []*ir.Term) {
	if off.Op != ir.Add {
		return nil
	}
	type part struct {
		factor, most *big.Int
		id           *ir.Term
	}
	var parts []part
	for _, a := range off.Args {
		p := part{big.NewInt(1), nil, a}
		if a.Op == ir.Mul && len(a.Args) == 2 && a.Args[0].IsNum() {
			p.factor, p.id = a.Args[0].Val, a.Args[1]
		}
		switch size := w.sizeOf(p.id); {
		case a.IsNum(): // both threads have it
			continue
		case size == 0 || p.factor.Sign() <= 0:
			return nil
		default:
			p.most = new(big.Int).Mul(p.factor, big.NewInt(size-1))
			parts = append(parts, p)
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(b.factor.Cmp(a.factor), cmp.Compare(a.id.Name, b.id.Name)) })
	begin, common := 0, new(big.Int) // of the digit, and what divides all of the number so far
	for i := range parts {
		common = new(big.Int).GCD(nil, nil, common, parts[i].factor)
		if i+1 == len(parts) || parts[i].id.Symbol.Dim == parts[i+1].id.Symbol.Dim {
			continue // group and thread of one dimension are one digit
		}
		rest := new(big.Int)
		for _, p := range parts[i+1:] {
			rest.Add(rest, p.most)
		}
		if rest.Cmp(common) >= 0 {
			continue
		}
		var digit []*ir.Term
		for _, p := range parts[begin : i+1] {
			digit = append(digit, ir.Product(ir.BigNumber(new(big.Int).Quo(p.factor, common)), p.id))
		}
		out, begin = append(out, ir.Sum(digit...)), i+1
	}
	return out
}

// sizeOf is how many values an id has, 0 if that is not known, or if it is none.
func (w *writer) sizeOf(id *ir.Term) int64 {
	switch id.Symbol.Of {
	case ir.OfThread:
		return w.p.Opts.Local[id.Symbol.Dim]
	case ir.OfGroup:
		return w.p.Opts.Groups[id.Symbol.Dim]
	}
	return 0
}
