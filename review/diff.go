package review

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
)

// Piece is a part of a formula diff: text that both formulas have (' '), that
// only the old one has ('-'), or only the new one ('+').
type Piece struct {
	Sign byte
	Text string
}

// diff compares two elements of one kind, formula by formula.
func (b bank) diff(x, y *Element) []Piece {
	switch {
	case x.typed() != y.typed():
		return []Piece{{'-', x.source}, {'+', y.source}}
	case x.head != y.head || len(x.terms) != len(y.terms) || !x.typed() || !b.equal(x.left, y.left):
		return []Piece{{'-', x.says}, {'+', y.says}}
	}
	out := []Piece{{' ', plainTerms(b.Bank, x.left) + x.head}}
	for i := range x.terms {
		if i > 0 {
			out = append(out, Piece{' ', ", "})
		}
		out = append(out, b.terms(x.terms[i], y.terms[i])...)
	}
	return tidy(out)
}

// tidy joins pieces of one sign and drops empty ones.
func tidy(ps []Piece) []Piece {
	var out []Piece
	for _, p := range ps {
		switch n := len(out); {
		case p.Text == "":
		case n > 0 && out[n-1].Sign == p.Sign:
			out[n-1].Text += p.Text
		default:
			out = append(out, p)
		}
	}
	return out
}

// differ makes the diff of two terms. Where they differ it leaves a hole: an
// identifier that no formula has, so that what they have in common can be printed
// around it.
type differ struct {
	bank
	holes [][2]string // old and new text of each hole
}

const (
	holeOpen  = "\uE000"
	holeClose = "\uE001"
)

// terms is the difference of two terms in pieces: what both have, what was removed, what was added.
func (b bank) terms(set, term logic.Term) []Piece {
	d := &differ{bank: bank{b.Extend()}}
	common := d.walk(set, term, nil)
	whole := printing.Term(d.Bank, common)
	was, is := printing.Term(d.Bank, set), printing.Term(d.Bank, term)
	var out []Piece
	for {
		before, rest, ok := strings.Cut(whole, holeOpen)
		out = append(out, Piece{' ', before})
		was, is = strings.TrimPrefix(was, before), strings.TrimPrefix(is, before)
		if !ok {
			return out
		}
		id, after, _ := strings.Cut(rest, holeClose)
		h := d.holes[len(id)-1]
		out = append(out, Piece{'-', withParens(&was, h[0])}, Piece{'+', withParens(&is, h[1])})
		whole = after
	}
}

// withParens returns text with the parentheses that it has at the beginning of
// rest, which is moved behind it.
func withParens(rest *string, text string) string {
	if text == "" {
		return ""
	}
	for _, s := range []string{"(" + text + ")", text} {
		if strings.HasPrefix(*rest, s) {
			*rest = (*rest)[len(s):]
			return s
		}
	}
	return text
}

// hole returns a new identifier in the place of two different terms, either of
// which may be missing.
func (d *differ) hole(s, t logic.Term, typ logic.Type, scope []logic.Term) logic.Term {
	show := func(x logic.Term) string {
		if x == 0 {
			return ""
		}
		return printing.Term(d.Bank, d.close(x, scope))
	}
	d.holes = append(d.holes, [2]string{show(s), show(t)})
	return d.Free(holeOpen+strings.Repeat("x", len(d.holes))+holeClose, typ)
}

// close replaces the variables bound around x by identifiers of their names.
func (d *differ) close(x logic.Term, scope []logic.Term) logic.Term {
	if d.Depth(x) == 0 {
		return x
	}
	return d.Instantiate(x, scope)
}

// walk returns what s and t, terms of one type below the variables of scope, have
// in common, with holes where they differ.
func (d *differ) walk(set, t logic.Term, scope []logic.Term) logic.Term {
	if d.Bare(set) == d.Bare(t) {
		return set
	}
	op := d.Op(set)
	xs, ys := d.Args(set), d.Args(t)
	switch {
	case op != d.Op(t) || len(xs) == 0 || len(ys) == 0:
	case op.IsBinder():
		hint, named := d.Hint(set)
		if !named || op == logic.Eps || !slices.Equal(d.Decls(set), d.Decls(t)) {
			break
		}
		inner := slices.Clone(scope)
		for i, typ := range d.Decls(set) {
			inner = append(inner, d.Free(hint.Names[i], typ))
		}
		var args []logic.Term
		for i := range xs {
			args = append(args, d.walk(xs[i], ys[i], inner))
		}
		hint.Form = 0
		if u, err := d.TryQuant(op, d.Decls(set), &hint, args...); err == nil {
			return u
		}
	case op.IsAssociative():
		if args := d.align(op, xs, ys, scope); len(args) > 1 {
			return d.App(op, args...)
		}
	case len(xs) == len(ys) && d.sameTypes(xs, ys):
		// Arguments that cannot be joined again make one hole of the whole term: the
		// holes inside it are taken back.
		held := len(d.holes)
		var args []logic.Term
		for i := range xs {
			args = append(args, d.walk(xs[i], ys[i], scope))
		}
		if u, err := d.TryApp(op, args...); err == nil && d.Type(u) == d.Type(set) {
			return u
		}
		d.holes = d.holes[:held]
	}
	return d.hole(set, t, d.Type(set), scope)
}

func (d *differ) sameTypes(xs, ys []logic.Term) bool {
	return slices.EqualFunc(xs, ys, func(x, y logic.Term) bool { return d.Type(x) == d.Type(y) })
}

// align pairs equal operands of an n-ary operator, in order; the runs between them
// become holes, or are compared one by one if they are as long.
func (d *differ) align(op logic.Op, xs, ys []logic.Term, scope []logic.Term) []logic.Term {
	var out []logic.Term
	gap := func(xs, ys []logic.Term) {
		if len(xs) == len(ys) && d.sameTypes(xs, ys) {
			for i := range xs {
				out = append(out, d.walk(xs[i], ys[i], scope))
			}
		} else if len(xs)+len(ys) > 0 {
			typ := d.Type(append(slices.Clone(xs), ys...)[0])
			out = append(out, d.hole(d.run(op, xs), d.run(op, ys), typ, scope))
		}
	}
	i, j := 0, 0
	for _, p := range common(len(xs), len(ys), func(i, j int) bool { return d.Bare(xs[i]) == d.Bare(ys[j]) }) {
		gap(xs[i:p[0]], ys[j:p[1]])
		out = append(out, xs[p[0]])
		i, j = p[0]+1, p[1]+1
	}
	gap(xs[i:], ys[j:])
	return out
}

// run is a run of operands as one term; 0 if there are none.
func (d *differ) run(op logic.Op, xs []logic.Term) logic.Term {
	switch len(xs) {
	case 0:
		return 0
	case 1:
		return xs[0]
	}
	if term, err := d.TryApp(op, xs...); err == nil {
		return term
	}
	return xs[0]
}

// common returns the index pairs of a longest common subsequence.
func common(m, n int, equal func(i, j int) bool) [][2]int {
	// The length of the longest common part from i and j on, found from the ends, so that it can be
	// read off from the front.
	longest := make([][]int, m+1)
	for i := range longest {
		longest[i] = make([]int, n+1)
	}
	for i := m - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			if equal(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < m && j < n; {
		switch {
		case equal(i, j):
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
