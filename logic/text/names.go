package text

import (
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
)

// resolve returns the names under which binder t is printed, given those of the
// enclosing binders. A hint's name is kept unless it occurs in the scope of t
// with another meaning; then its number is increased until it is free. A bare
// binder gets the first of x, y, z, x0, y0, z0, … that are new.
func (p *printer) resolve(term logic.Term) []string {
	taken := p.namesIn(term)
	hint, named := p.b.Hint(term)
	if !named {
		hint.Names = make([]string, len(p.b.Decls(term)))
		for _, n := range p.names {
			taken[n] = true
		}
	}
	names := make([]string, len(hint.Names))
	for j, n := range hint.Names {
		if !named {
			n = invent(taken)
		} else if taken[n] {
			n = rename(n, taken)
		}
		taken[n] = true
		names[j] = n
	}
	return names
}

// namesIn returns the names that t mentions: identifiers, carrier sets, and
// variables that binders around t declare.
func (p *printer) namesIn(t logic.Term) map[string]bool {
	type visit struct {
		t     logic.Term
		level int
	}
	names, seen := map[string]bool{}, map[visit]bool{}
	var walk func(t logic.Term, level int)
	walk = func(t logic.Term, level int) {
		if seen[visit{t, level}] {
			return
		}
		seen[visit{t, level}] = true
		switch op := p.b.Op(t); {
		case op == logic.Free || op == logic.Given:
			names[p.b.Name(t)] = true
		case op == logic.Bound:
			if i := p.b.Index(t) - level; i >= 0 {
				names[p.bound(i)] = true
			}
		case op.IsBinder():
			level += len(p.b.Decls(t))
		}
		for _, a := range p.b.Args(t) {
			walk(a, level)
		}
	}
	walk(t, 0)
	return names
}

// bound returns the name of the variable with de Bruijn index i.
func (p *printer) bound(i int) string {
	if i < len(p.names) {
		return p.names[len(p.names)-1-i]
	}
	return "[[" + strconv.Itoa(i-len(p.names)) + "]]"
}

// rename returns name with the least higher number at its end that makes it
// new: x, x0, x1, …; primes stay behind the number.
func rename(name string, taken map[string]bool) string {
	stem := strings.TrimRight(name, "'")
	primes := name[len(stem):]
	base := strings.TrimRight(stem, "0123456789")
	n, err := strconv.Atoi(stem[len(base):])
	if err != nil {
		n = -1
	}
	for {
		n++
		if s := base + strconv.Itoa(n) + primes; !taken[s] {
			return s
		}
	}
}

func invent(taken map[string]bool) string {
	for n := -1; ; n++ {
		for _, s := range []string{"x", "y", "z"} {
			if n >= 0 {
				s += strconv.Itoa(n)
			}
			if !taken[s] {
				return s
			}
		}
	}
}
