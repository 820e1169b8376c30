package review

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// ident is a declared identifier and its place: where it is declared says which
// formulas it may occur in.
type ident struct{ kind, component, event, name string }

// votes counts how often formulas that otherwise agree have one identifier in the
// place of another.
type votes map[[2]ident]int

// renames finds the identifiers that only have another name now: declared in
// corresponding places, they stand in each other's place in formulas that
// otherwise agree. Names of parameters hold for their event alone.
func renames(old, now []*component, pairs map[*component]*component) (global proofstore.Names, params map[string]proofstore.Names) {
	was, is := declared(old), declared(now)
	taken := map[string]bool{}
	for id := range was {
		taken[id.name] = true
	}
	v := votes{}
	for _, c := range old {
		d := pairs[c]
		if d == nil {
			continue
		}
		for _, p := range corresponding(c, d) {
			v.formulas(p[0], p[1], was, is)
		}
	}
	type candidate struct {
		from, to ident
		n        int
	}
	var list []candidate
	for k, n := range v {
		if !taken[k[1].name] {
			list = append(list, candidate{k[0], k[1], n})
		}
	}
	// The most votes win; the names decide between equals, so that the answer does
	// not hang on the order of a map.
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.from.kind, b.from.kind), cmp.Compare(a.from.component, b.from.component),
			cmp.Compare(a.from.event, b.from.event), cmp.Compare(a.from.name, b.from.name), cmp.Compare(a.to.name, b.to.name))
	})
	global, params = proofstore.Names{}, map[string]proofstore.Names{}
	for _, x := range list {
		into := global
		if x.from.event != "" {
			key := x.from.component + "/" + x.from.event
			if params[key] == nil {
				params[key] = proofstore.Names{}
			}
			into = params[key]
		}
		if _, ok := into[x.from.name]; !ok && !slices.Contains(slices.Collect(maps.Values(into)), x.to.name) {
			into[x.from.name] = x.to.name
		}
	}
	return global, params
}

// corresponding pairs the elements of two revisions of a component by label; and
// those whose labels only one revision has, one after the other, by the form of
// their formulas. Events that only one revision has are paired by their parts.
func corresponding(c, d *component) [][2]*Element {
	events := (&matching{events: map[string]string{}}).pairEvents(c, d)
	type key struct{ kind, event, label string }
	index := map[key]*Element{}
	for _, element := range d.elements {
		index[key{element.Kind, element.Event, element.Label}] = element
	}
	var out [][2]*Element
	paired := map[*Element]bool{}
	var rest []*Element
	for _, e := range c.elements {
		if f := index[key{e.Kind, events[e.Event], e.Label}]; f != nil {
			out = append(out, [2]*Element{e, f})
			paired[f] = true
		} else {
			rest = append(rest, e)
		}
	}
	// What has another label as well is recognised by a formula of the same form.
	for _, e := range rest {
		i := slices.IndexFunc(d.elements, func(f *Element) bool {
			return !paired[f] && f.Kind == e.Kind && f.Event == events[e.Event] && len(e.trees) > 0 && sameForm(e, f)
		})
		if i >= 0 {
			out = append(out, [2]*Element{e, d.elements[i]})
			paired[d.elements[i]] = true
		}
	}
	return out
}

// sameForm reports whether the formulas of two elements are equal once identifiers
// have other names.
func sameForm(x, y *Element) bool {
	names := map[string]string{}
	return x.head == y.head && slices.EqualFunc(x.trees, y.trees, func(f, g *lang.Formula) bool { return unify(f, g, names) })
}

// declared returns the identifiers that components declare.
func declared(cs []*component) map[ident]bool {
	out := map[ident]bool{}
	for _, c := range cs {
		for _, e := range c.elements {
			if e.isIdent() {
				out[ident{e.Kind, e.Component, e.Event, e.Label}] = true
			}
		}
	}
	return out
}

// formulas votes by a pair of corresponding elements.
func (v votes) formulas(x, y *Element, was, is map[ident]bool) {
	if len(x.trees) != len(y.trees) {
		return
	}
	found := map[string]string{}
	for i := range x.trees {
		if !unify(x.trees[i], y.trees[i], found) {
			return
		}
	}
	for from, to := range found {
		if from == to {
			continue
		}
		// A parameter hides a variable, and so on: the first that fits is meant. Names that the other
		// revision declares as well were not renamed but exchanged for others.
		for _, k := range []ident{{kind: "parameter", event: x.Event}, {kind: "variable"}, {kind: "constant"}, {kind: "set"}} {
			a, b := place(was, k, x, from), place(is, k, y, to)
			if a.name != "" && b.name != "" && !was[ident{a.kind, a.component, a.event, to}] && !is[ident{b.kind, b.component, b.event, from}] {
				v[[2]ident{a, b}]++
				break
			}
		}
	}
}

// place returns the declaration of name that element e sees: in its own component
// or event, or, for what other components declare, whichever.
func place(all map[ident]bool, k ident, element *Element, name string) ident {
	k.component, k.name = element.Component, name
	if all[k] {
		return k
	}
	if k.kind == "parameter" {
		return ident{}
	}
	var found []ident
	for id := range all {
		if id.kind == k.kind && id.name == name {
			found = append(found, id)
		}
	}
	// The order of a map must not decide.
	slices.SortFunc(found, func(a, b ident) int { return cmp.Compare(a.component, b.component) })
	if len(found) == 0 {
		return ident{}
	}
	return found[0]
}

// unify enters into names which name of f stands for which of g, and reports
// whether the formulas are the same then.
func unify(f, g *lang.Formula, names map[string]string) bool {
	if f == nil || g == nil {
		return f == g
	}
	if f.Op != g.Op || len(f.Args) != len(g.Args) || len(f.Decls) != len(g.Decls) {
		return false
	}
	if f.Op == logic.Free {
		to, ok := names[f.Name]
		names[f.Name] = g.Name
		return !ok || to == g.Name
	}
	if f.Name != g.Name {
		return false
	}
	for i := range f.Decls {
		if f.Decls[i].Name != g.Decls[i].Name || !unify(f.Decls[i].Oftype, g.Decls[i].Oftype, names) {
			return false
		}
	}
	for i := range f.Args {
		if !unify(f.Args[i], g.Args[i], names) {
			return false
		}
	}
	return unify(f.Oftype, g.Oftype, names)
}
