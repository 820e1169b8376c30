package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/logic"
)

// launch writes the context: sizes, ids and parameters, with their ranges.
func (w *writer) launch() {
	o := w.p.Opts
	var axioms []formula
	declare := func(n string, facts ...formula) {
		w.context.Constants = append(w.context.Constants, w.name(n))
		axioms = append(axioms, integer(ident(n)))
		axioms = append(axioms, facts...)
	}
	for d := range 3 {
		local, groups := w.size(ir.GroupThread, d), w.size(ir.GridGroups, d)
		for _, size := range []formula{local, groups} {
			if size.Op == logic.Free {
				declare(size.Name, le(num(1), size))
			}
		}
		// The product of sizes is given, or so small that ids of the grid do not wrap.
		switch limit := literal(paths.LaunchLimit); {
		case o.Global[d] > 0 && (o.Local[d] == 0 || o.Groups[d] == 0):
			axioms = append(axioms, eq(product(local, groups), num(o.Global[d])))
		case o.Local[d] == 0 || o.Groups[d] == 0:
			axioms = append(axioms, le(product(local, groups), limit))
			if o.Local[d] == 0 {
				axioms = append(axioms, le(local, limit))
			}
			if o.Groups[d] == 0 {
				axioms = append(axioms, le(groups, limit))
			}
		}
		// Ids where there is one choice are numbers, and have no constant.
		id := func(n string, size formula) { declare(n, le(num(0), ident(n)), lt(ident(n), size)) }
		for _, t := range []string{"_1", "_2"} {
			if o.Local[d] != 1 {
				id(ir.Symbol{Of: ir.OfThread, Dim: d}.Name()+t, local)
			}
			if o.Groups[d] != 1 && (w.scope == Grid || t == "_1") {
				id(w.groupOf(d, t), groups)
			}
		}
	}
	for _, p := range w.p.Params {
		if p.Typ.Kind == ast.IntType {
			lo, hi := interval.Within(p.Typ)
			declare(p.Term.Name, within(lo, ident(p.Term.Name), hi)...)
		} else {
			declare(p.Term.Name)
		}
	}
	for _, a := range w.p.Axioms {
		// What an axiom says of a thread holds of both.
		if e := w.walk.Axiom(a); e.Op != ir.PTrue {
			add(&axioms, w.reading("1").predicate(e), w.reading("2").predicate(e))
		}
	}
	if len(w.context.Constants) > 0 { // of nothing, there is nothing to say
		for i, a := range axioms {
			w.put(&w.context.Axioms, w.predicate(fmt.Sprint("axm", i+1), a))
		}
	}
	w.ids()
	for _, t := range w.digit {
		w.put(&w.context.Axioms, w.theorem(w.next("row"), t, &Claim{Kind: Hint}))
	}
	if apart := w.distinct(); w.exits && w.p.Granted && apart != nil {
		w.put(&w.context.Axioms, w.theorem("nopair", not(all(append(w.required(), apart)...)), &Claim{Kind: Lonely}))
	}
}

// groupOf is the id of the group of a thread.
func (w *writer) groupOf(d int, thread string) string {
	n := ir.Symbol{Of: ir.OfGroup, Dim: d}.Name()
	if w.scope == Grid {
		n += thread
	}
	return n
}

// required is what both threads satisfy by ids and launch, whichever way they take from the
// entry: what the author requires of them.
func (w *writer) required() (out []formula) {
	ways, on := 0, map[string]int{}
	var all []formula
	for _, p := range w.paths {
		if p.From != w.p.Entry {
			continue
		}
		ways++
		var here []formula // what says the same of both threads counts once
		for _, it := range p.Items {
			if it.Kind == paths.Guard && ofLaunch(it.E) {
				add(&here, w.reading("1").predicate(it.E), w.reading("2").predicate(it.E))
			}
		}
		for _, f := range here {
			on[spelled(f)]++
		}
		add(&all, here...)
	}
	for _, f := range all {
		if on[spelled(f)] == ways {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b formula) int { return strings.Compare(spelled(a), spelled(b)) })
	return out
}

// ids says of ids of the grid that there are more threads, where guesses rest on it: it follows
// from the axioms, but multiplies symbols, and would have to be found in each proof.
func (w *writer) ids() {
	o := w.p.Opts
	for d := range 3 {
		if o.Local[d] == 1 || o.Groups[d] == 1 || o.Local[d] > 0 && o.Groups[d] > 0 || !w.turning(ir.Symbol{Of: ir.OfGroup, Dim: d}) {
			continue
		}
		local, groups := w.size(ir.GroupThread, d), w.size(ir.GridGroups, d)
		for _, t := range []string{"_1", "_2"} {
			thread := ir.Symbol{Of: ir.OfThread, Dim: d}.Name() + t
			f := lt(plus(product(ident(w.groupOf(d, t)), local), ident(thread)), product(local, groups))
			w.put(&w.context.Axioms, w.theorem("id"+"xyz"[d:d+1]+t, f, nil))
		}
	}
}

// turning reports whether threads take turns by an id: some guess that lives says so.
func (w *writer) turning(id ir.Symbol) bool {
	found := false
	for _, k := range w.cands {
		if k.rule == Turned && !k.dead {
			ir.Leaves(k.e, func(x *ir.Term) { found = found || x.Symbol == id })
		}
	}
	return found
}
