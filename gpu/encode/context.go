package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
)

// context writes sizes, ids and parameters, with their ranges.
func (w *writer) context() {
	o := w.p.Opts
	var constants, axioms []string
	add := func(n string, facts ...string) {
		constants = append(constants, n)
		axioms = append(axioms, n+" ∈ ℤ")
		axioms = append(axioms, facts...)
	}
	for d := range 3 {
		c := "xyz"[d : d+1]
		size := func(kind string, known int64) string {
			if known > 0 {
				return fmt.Sprint(known)
			}
			add(kind+c, "1 ≤ "+kind+c)
			return kind + c
		}
		local, groups := size("lsz", o.Local[d]), size("ngr", o.Groups[d])
		// The product of sizes is given, or so small that ids of the grid do not wrap.
		switch {
		case o.Global[d] > 0 && (o.Local[d] == 0 || o.Groups[d] == 0):
			axioms = append(axioms, fmt.Sprintf("%s ∗ %s = %d", local, groups, o.Global[d]))
		case o.Local[d] == 0 || o.Groups[d] == 0:
			axioms = append(axioms, fmt.Sprintf("%s ∗ %s ≤ %s", local, groups, paths.LaunchLimit))
			if o.Local[d] == 0 {
				axioms = append(axioms, local+" ≤ "+paths.LaunchLimit.String())
			}
			if o.Groups[d] == 0 {
				axioms = append(axioms, groups+" ≤ "+paths.LaunchLimit.String())
			}
		}
		// Ids where there is one choice are numbers, and have no constant.
		threads := []string{"_1", "_2"}
		for _, t := range threads {
			if o.Local[d] != 1 {
				add("lid"+c+t, fmt.Sprintf("0 ≤ lid%s%s", c, t), fmt.Sprintf("lid%s%s < %s", c, t, local))
			}
			if o.Groups[d] != 1 && (w.scope == Grid || t == "_1") {
				n := "gid" + c
				if w.scope == Grid {
					n += t
				}
				add(n, "0 ≤ "+n, n+" < "+groups)
			}
		}
	}
	for _, p := range w.p.Params {
		if p.Typ.Kind == ast.IntType {
			lo, hi := interval.Within(p.Typ)
			add(p.Term.Name, integer(lo)+" ≤ "+p.Term.Name, p.Term.Name+" ≤ "+integer(hi))
		} else {
			add(p.Term.Name)
		}
	}
	for _, a := range w.p.Axioms {
		e := w.walk.Axiom(a)
		// What an axiom says of a thread holds of both.
		for _, t := range []string{"1", "2"} {
			if text := w.printer(t).predicate(e); e.Op != ir.PTrue && !slices.Contains(axioms, text) {
				axioms = append(axioms, text)
			}
		}
	}
	w.line(0, "context %s_launch", w.model.Name)
	if len(constants) > 0 {
		w.line(0, "constants")
		w.line(1, "%s", strings.Join(constants, " "))
		w.line(0, "axioms")
		for i, a := range axioms {
			w.line(1, "@axm%d %s", i+1, a)
		}
	}
	w.ids()
	for _, t := range w.digit {
		w.hint(1, "row", "%s", t)
	}
	if apart := w.distinct(); w.exits && w.p.Granted && apart != "⊥" {
		const l = "nopair"
		w.claim(1, &Claim{Kind: Lonely}, l, "theorem @%s ¬ (%s)", l, strings.Join(append(w.required(), apart), " ∧ "))
	}
	w.line(0, "end")
}

// required is what both threads satisfy by ids and launch, whichever way they take from the
// entry: what the author requires of them.
func (w *writer) required() (out []string) {
	ways, on := 0, map[string]int{}
	for _, p := range w.paths {
		if p.From != w.p.Entry {
			continue
		}
		ways++
		for _, it := range p.Items {
			if it.Kind == paths.Guard && ofLaunch(it.E) {
				for _, thread := range []string{"1", "2"} {
					on[w.printer(thread).conjunct(it.E)]++
				}
			}
		}
	}
	for guard, n := range on {
		if n == ways {
			out = append(out, guard)
		}
	}
	slices.Sort(out)
	return out
}

// ids says of ids of the grid that there are more threads, where guesses rest on it: it follows
// from the axioms, but multiplies symbols, and would have to be found in each proof.
func (w *writer) ids() {
	o := w.p.Opts
	for d := range 3 {
		c := "xyz"[d : d+1]
		if o.Local[d] == 1 || o.Groups[d] == 1 || o.Local[d] > 0 && o.Groups[d] > 0 || !w.turning(ir.Symbol{Of: ir.OfGroup, Dim: d}) {
			continue
		}
		local, groups := "lsz"+c, "ngr"+c
		if o.Local[d] > 0 {
			local = fmt.Sprint(o.Local[d])
		}
		if o.Groups[d] > 0 {
			groups = fmt.Sprint(o.Groups[d])
		}
		for _, t := range []string{"_1", "_2"} {
			group := "gid" + c
			if w.scope == Grid {
				group += t
			}
			w.line(1, "theorem @id%s%s %s ∗ %s + lid%s%s < %s ∗ %s", c, t, group, local, c, t, local, groups)
		}
	}
}

// turning reports whether threads take turns by an id: some guess that lives says so.
func (w *writer) turning(id ir.Symbol) bool {
	found := false
	for _, k := range w.cands {
		if k.rule == turn && !k.dead {
			ir.Leaves(k.e, func(x *ir.Term) { found = found || x.Symbol == id })
		}
	}
	return found
}
