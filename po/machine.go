package po

import (
	"fmt"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
)

// variantName returns the name of an obligation of variant v: without its
// label if it is the only one and has the default label.
func (g *machine) variantName(before string, v *model.Variant, kind Kind) string {
	if vs := g.m.Variants; len(vs) != 1 || v.Label != "vrn" {
		before += v.Label + "/"
	}
	return before + kind.String()
}

// variant makes VWD and FIN.
func (g *machine) variant(v *model.Variant) {
	o := Obligation{
		Sources: []Source{{Default, "variant", v.Label, v.Origin}},
		hyps:    hypotheses{component: g.hyps, also: -1},
	}
	o.Name, o.Kind, o.Nature, o.Goal = g.variantName("", v, VWD), VWD, "Well-definedness of variant", wd.Lemma(g.b, v.Term)
	g.emit(o)
	if elem := g.b.Elem(g.b.Type(v.Term)); elem != logic.NoType && !g.finiteType(elem) {
		o.Name, o.Kind, o.Nature, o.Goal = g.variantName("", v, FIN), FIN, "Finiteness of variant", g.b.App(logic.Finite, v.Term)
		g.emit(o)
	}
}

// finiteType reports whether t is built from BOOL, ℙ and × alone.
func (g *machine) finiteType(typ logic.Type) bool {
	switch g.b.TypeKind(typ) {
	case logic.KindBool:
		return true
	case logic.KindPow:
		return g.finiteType(g.b.Elem(typ))
	case logic.KindProd:
		left, right := g.b.Pair(typ)
		return g.finiteType(left) && g.finiteType(right)
	}
	return false
}

// requested makes DLF, ENB and LTO.
func (g *machine) requested(opts Options) error {
	o := Obligation{hyps: hypotheses{component: g.hyps, also: -1}}
	if opts.DeadlockFree {
		var enabled []logic.Term
		for _, event := range g.m.Events {
			if !event.IsInit() {
				enabled = append(enabled, g.enabled(event))
				o.Sources = append(o.Sources, eventSource(Default, event))
			}
		}
		o.Name, o.Kind, o.Nature, o.Goal = "DLF", DLF, "Deadlock freedom", g.or(enabled)
		g.add(o)
	}
	for _, label := range opts.Enabled {
		event := g.m.Event(label)
		if event == nil || event.IsInit() {
			return fmt.Errorf("machine %s has no event %s that could be enabled", g.m.Name, label)
		}
		o.Name, o.Kind, o.Nature, o.Goal = label+"/ENB", ENB, "Enabledness of event", g.enabled(event)
		o.Event, o.Sources = event, []Source{eventSource(Default, event)}
		g.add(o)
	}
	for i, claim := range opts.LeadsTo {
		if err := g.leadsTo(claim, opts.LeadsTo[:i]); err != nil {
			return err
		}
	}
	return nil
}

// enabled returns ∃ parameters · guards. Theorems among the guards follow from
// the others and are left out.
func (g *machine) enabled(event *model.Event) logic.Term {
	var guards []logic.Term
	for _, predicate := range event.Guards {
		if !predicate.Theorem {
			guards = append(guards, predicate.Term)
		}
	}
	params := make([]logic.Term, len(event.Parameters))
	for i, ident := range event.Parameters {
		params[i] = ident.Term
	}
	return g.exists(params, g.b.And(guards...))
}

// or returns the disjunction of ps, ⊤ if one of them is.
func (g *machine) or(ps []logic.Term) logic.Term {
	for _, p := range ps {
		if g.b.Op(p) == logic.True {
			return p
		}
	}
	return g.b.Or(ps...)
}

func eventSource(r Role, e *model.Event) Source { return Source{r, "event", e.Label, e.Origin} }
