package gpuc

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
)

// digit is a row of an array of several dimensions: number = row∗width + column. Where the
// sizes of the launch say that the column is below the width, there is no width.
type digit struct{ number, row, column, width *flow.Term }

// digits writes, where two threads access an array of several dimensions at the same offset,
// that they do so in the same row: theorems that lead to the proof that they are one thread.
// Thread 2 does so at item i of p.
func (w *writer) digits(pr printer, s *site, p *path, i int) {
	off := p.items[i].off
	if s.item.off.Key() != off.Key() {
		return
	}
	if rest := w.without(off); rest != nil {
		w.line(2, "theorem @%s site = %d ∧ off = %s ⇒ %s = %s", w.next("rest"), s.number, pr.term(off), w.recorded().term(rest), pr.term(rest))
	}
	var digits []digit
	for _, row := range w.rows(off) {
		digits = append(digits, digit{number: off, row: row})
	}
	if digits == nil {
		digits = w.guarded(off, s, p, i)
	}
	one, two := w.printer("1"), w.printer("2")
	for _, d := range digits {
		same := one.term(d.row) + " = " + pr.term(d.row)
		if one.term(d.row) == pr.term(d.row) {
			continue // it is of the group
		}
		if !ofLaunch(d.number) {
			w.line(2, "theorem @%s site = %d ∧ off = %s ⇒ %s", w.next("row"), s.number, pr.term(off), same)
			continue
		}
		// It is about ids and parameters alone, and said once, of all events.
		premises := one.term(d.number) + " = " + two.term(d.number)
		if d.width != nil {
			below := flow.Compare(flow.PLt, d.column, d.width)
			for _, side := range slices.Compact([]string{two.predicate(below), one.predicate(below)}) {
				premises = side + " ∧ " + premises
			}
		}
		theorems := []string{premises + " ⇒ " + same}
		if d.width != nil {
			theorems = append(apart(one.term(d.row), two.term(d.row), pr.term(d.width)), theorems...)
		}
		for _, t := range theorems {
			if !slices.Contains(w.digit, t) {
				w.digit = append(w.digit, t)
			}
		}
	}
}

// apart says of two rows that the later one begins where the earlier one has ended: with the products at hand,
// what follows is linear.
func apart(row, other, width string) (out []string) {
	for _, r := range [][2]string{{row, other}, {other, row}} {
		out = append(out, fmt.Sprintf("0 ≤ %s ∧ %s + 1 ≤ %s ⇒ (%[2]s + 1) ∗ %[1]s ≤ (%[3]s) ∗ %[1]s", width, r[0], r[1]))
	}
	return out
}

// shared reports whether a term has one value in both threads.
func (w *writer) shared(t *flow.Term) bool {
	return ofLaunch(t) && w.printer("1").term(t) == w.printer("2").term(t)
}

// without is a sum without what both threads add to it, if that is more than a number, and nil
// otherwise: products of symbols are in the way of what is linear in the rest.
func (w *writer) without(off *flow.Term) *flow.Term {
	if off.Op != flow.Add {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(off.Args), w.shared)
	sum := flow.Sum(rest...)
	if len(rest) == 0 || !slices.ContainsFunc(off.Args, func(a *flow.Term) bool { return a.Op == flow.Mul && w.shared(a) }) || len(freshOf(sum)) > 0 {
		return nil
	}
	return sum
}

// guarded are the digits of an offset whose dimensions are parameters, if both threads have
// come to their accesses with columns below the widths.
func (w *writer) guarded(off *flow.Term, s *site, p *path, i int) (out []digit) {
	guards, others := w.holding(p.from), append(w.holding(s.path.from), s.guards...)
	for _, it := range p.items[:i] {
		if it.kind == isGuard {
			guards = append(guards, it.e)
		}
	}
	for next, found := off, true; found; {
		found = false
		for _, d := range w.widths(next) {
			r := w.walk.interval(w.walk.at(p.from), d.column)
			if d.column.Is(0) || r.NonNegative() && less(guards, d.column, d.width) && less(others, d.column, d.width) {
				out, next, found = append(out, d), d.row, true
				break
			}
		}
	}
	return out
}

// holding are the conditions that hold at a cut point: those in front of a loop are no guards of paths behind it.
func (w *writer) holding(at *flow.Node) (out []*flow.Term) {
	for _, k := range w.cands {
		if k.at == at && !k.dead {
			out = append(out, k.e)
		}
	}
	return out
}

// widths are the ways to write a number as row∗width + column, with a parameter as the width.
func (w *writer) widths(number *flow.Term) (out []digit) {
	if number.Op != flow.Add {
		return nil
	}
	for _, width := range w.p.Params {
		var rows, columns []*flow.Term
		for _, a := range number.Args {
			switch k := slices.IndexFunc(a.Args, func(f *flow.Term) bool { return f.Key() == width.Term.Key() }); {
			case a.Op == flow.Mul && k >= 0:
				rows = append(rows, flow.Product(slices.Delete(slices.Clone(a.Args), k, k+1)...))
			case !w.shared(a): // then both threads add the same
				columns = append(columns, a)
			}
		}
		if row := flow.Sum(rows...); len(rows) > 0 && ofLaunch(row) {
			out = append(out, digit{number, row, flow.Sum(columns...), width.Term})
		}
	}
	return out
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
