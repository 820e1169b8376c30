package gpuc

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
)

// digits writes, where two threads access an array of several dimensions at the same offset,
// that they do so in the same row: theorems that lead to the proof that they are one thread.
// Thread 2 does so at item i of p.
func (w *writer) digits(pr printer, s *site, p *path, i int) {
	off := p.items[i].off
	if s.item.off.Key() != off.Key() {
		return
	}
	rows := w.rows(off)
	if rows == nil {
		rows = w.guarded(off, s, p, i)
	}
	for _, d := range rows {
		w.line(2, "theorem @%s site = %d ∧ off = %s ⇒ %s = %s", w.next("row"), s.number, pr.term(off), w.printer("1").term(d), pr.term(d))
	}
}

// guarded are the digits of an offset whose dimensions are parameters: of row∗width + column the
// row, if both threads have come to their accesses with a column below the width.
func (w *writer) guarded(off *flow.Term, s *site, p *path, i int) (out []*flow.Term) {
	var guards []*flow.Term
	for _, it := range p.items[:i] {
		if it.kind == isGuard {
			guards = append(guards, it.e)
		}
	}
	below := func(column, width *flow.Term) bool {
		r := w.walk.interval(w.walk.at(p.from), column)
		return r.NonNegative() && less(guards, column, width) && less(s.guards, column, width)
	}
	for row := w.rowOf(off, below); row != nil; row = w.rowOf(row, below) {
		out = append(out, row)
	}
	return out
}

// rowOf is the row of row∗width + column, nil if there is no such width.
func (w *writer) rowOf(off *flow.Term, below func(column, width *flow.Term) bool) *flow.Term {
	if off.Op != flow.Add {
		return nil
	}
	for _, width := range w.p.Params {
		var rows, columns []*flow.Term
		for _, a := range off.Args {
			switch k := slices.IndexFunc(a.Args, func(f *flow.Term) bool { return f.Key() == width.Term.Key() }); {
			case a.Op == flow.Mul && k >= 0:
				rows = append(rows, flow.Product(slices.Delete(slices.Clone(a.Args), k, k+1)...))
			case !a.IsNum(): // a number is added in both threads
				columns = append(columns, a)
			}
		}
		row := flow.Sum(rows...)
		if len(rows) > 0 && len(columns) > 0 && ofLaunch(row) && below(flow.Sum(columns...), width.Term) {
			return row
		}
	}
	return nil
}

// less reports whether one of the guards says that a < b, or more.
func less(guards []*flow.Term, a, b *flow.Term) bool {
	return slices.ContainsFunc(guards, func(g *flow.Term) bool {
		if g.Op != flow.PLt && g.Op != flow.PLe {
			return false
		}
		room := flow.Minus(flow.Minus(g.Args[1], g.Args[0]), flow.Minus(b, a))
		return room.IsNum() && (room.Val.Sign() < 0 || room.Val.Sign() == 0 && g.Op == flow.PLt)
	})
}

// rows are the digits of an offset but the last one: of row∗width + column the row, if the
// sizes of the launch say that the column is below the width, and so on with more dimensions.
func (w *writer) rows(off *flow.Term) (out []*flow.Term) {
	if off.Op != flow.Add {
		return nil
	}
	type part struct {
		factor, most *big.Int
		id           *flow.Term
	}
	var parts []part
	for _, a := range off.Args {
		p := part{big.NewInt(1), nil, a}
		if a.Op == flow.Mul && len(a.Args) == 2 && a.Args[0].IsNum() {
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
		if i+1 == len(parts) || parts[i].id.Name[3:] == parts[i+1].id.Name[3:] {
			continue // group and thread of one dimension are one digit
		}
		rest := new(big.Int)
		for _, p := range parts[i+1:] {
			rest.Add(rest, p.most)
		}
		if rest.Cmp(common) >= 0 {
			continue
		}
		var digit []*flow.Term
		for _, p := range parts[begin : i+1] {
			digit = append(digit, flow.Product(flow.BigNumber(new(big.Int).Quo(p.factor, common)), p.id))
		}
		out, begin = append(out, flow.Sum(digit...)), i+1
	}
	return out
}

// sizeOf is how many values an id has, 0 if that is not known, or if it is none.
func (w *writer) sizeOf(id *flow.Term) int64 {
	if id.Op != flow.Sym || len(id.Name) != 4 || !flow.IsModelName(id.Name) {
		return 0
	}
	switch d := flow.Dimension(id.Name[3:]); id.Name[:3] {
	case "lid":
		return w.p.Opts.Local[d]
	case "gid":
		return w.p.Opts.Groups[d]
	}
	return 0
}
