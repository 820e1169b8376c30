package encode

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// mover copies what the writer makes, with other places. What it does not write is not there to be copied.
type mover func(diag.Span) diag.Span

// placed is a component with the places that at gives.
func placed(c *lang.Component, at mover) *lang.Component {
	out := &lang.Component{
		Kind: c.Kind, Name: at.name(c.Name), Span: at(c.Span), Sees: at.names(c.Sees), Constants: at.names(c.Constants),
		Axioms: at.predicates(c.Axioms), Variables: at.names(c.Variables), Invariants: at.predicates(c.Invariants),
	}
	for _, e := range c.Events {
		event := &lang.Event{
			Label: at.name(e.Label), Span: at(e.Span), Path: e.Path,
			Parameters: at.names(e.Parameters), Guards: at.predicates(e.Guards),
		}
		for _, a := range e.Actions {
			event.Actions = append(event.Actions, at.action(a))
		}
		out.Events = append(out.Events, event)
	}
	return out
}

func (at mover) name(n lang.Name) lang.Name { return lang.Name{Text: n.Text, Span: at(n.Span)} }

func (at mover) names(list []lang.Name) (out []lang.Name) {
	for _, n := range list {
		out = append(out, at.name(n))
	}
	return out
}

func (at mover) predicates(list []*lang.Predicate) (out []*lang.Predicate) {
	for _, p := range list {
		span := at(p.Label.Span)
		out = append(out, &lang.Predicate{
			Label: at.name(p.Label), Theorem: p.Theorem, Doc: placeless(p.Doc),
			Source: lang.Source{Text: spelled(p.Formula), Span: span}, Formula: moved(p.Formula, span),
		})
	}
	return out
}

func (at mover) action(a *lang.Action) *lang.Action {
	span := at(a.Label.Span)
	moveAll := func(list []formula) (out []formula) {
		for _, f := range list {
			out = append(out, moved(f, span))
		}
		return out
	}
	to := &lang.Assignment{Kind: a.Assignment.Kind, Left: moveAll(a.Assignment.Left), Right: moveAll(a.Assignment.Right), Span: span}
	return &lang.Action{Label: at.name(a.Label), Source: lang.Source{Text: to.StoredText(), Span: span}, Assignment: to}
}

// moved is a formula that stands at a place, as a whole.
func moved(f formula, to diag.Span) formula {
	out := &lang.Formula{Op: f.Op, Name: f.Name, Span: to}
	for _, a := range f.Args {
		out.Args = append(out.Args, moved(a, to))
	}
	for _, d := range f.Decls {
		out.Decls = append(out.Decls, lang.Decl{Name: d.Name, Span: to})
	}
	return out
}
