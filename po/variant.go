package po

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// variants makes NAT and VAR: the variants decrease in lexicographic order if the
// event is convergent, and do not increase if it is anticipated.
func (x *event) variants() {
	convergent := x.e.Convergence == model.Convergent
	if x.e.IsInit() || x.e.Convergence == model.Ordinary || convergent && x.abstractConverges() {
		return
	}
	changed := x.changed(convergent)
	sources := []Source{eventSource(Default, x.e)}
	var local []logic.Term
	used := make([]bool, len(x.choices))
	// Lexicographic order: each variant may only decrease while those before it stay equal,
	// which is why the equations gather in local, and only the last one must decrease.
	for k, variant := range changed {
		strict := convergent && k == len(changed)-1
		after := x.afterValue(variant)
		sources = append(sources[:k+1:k+1], Source{Default, "variant", variant.Label, variant.Origin})
		integer := x.b.Type(variant.Term) == logic.IntType
		if integer && (convergent || k < len(changed)-1) {
			o := x.obligation(NAT, "", "Natural number variant of event", x.b.App(logic.In, variant.Term, x.b.App(logic.Natural)), slices.Clone(local), sources...)
			o.Name = x.variantName(x.e.Label+"/", variant, NAT)
			x.emit(o)
		}
		goal := x.b.App(decrease(integer, strict), after, variant.Term)
		for i, c := range x.choices {
			if !used[i] && x.mentions(c, []logic.Term{goal}) {
				used[i] = true
				local = append(local, c.pred)
			}
		}
		o := x.obligation(VAR, "", "Variant of event", goal, slices.Clone(local), sources...)
		o.Name = x.variantName(x.e.Label+"/", variant, VAR)
		x.emit(o)
		local = append(local, x.b.App(logic.Eq, after, variant.Term))
	}
}

// abstractConverges reports whether all events that x refines are convergent.
func (x *event) abstractConverges() bool {
	return len(x.pair.Abstract) > 0 && !slices.ContainsFunc(x.pair.Abstract, func(a *model.Event) bool {
		return a.Convergence != model.Convergent
	})
}

// changed returns the variants that the event may change; the last one if it
// changes none and must decrease one.
func (x *event) changed(convergent bool) []*model.Variant {
	vs := x.m.Variants
	var out []*model.Variant
	for _, variant := range vs {
		if !x.same(x.afterValue(variant), variant.Term) {
			out = append(out, variant)
		}
	}
	if len(out) == 0 && convergent && len(vs) > 0 {
		out = vs[len(vs)-1:]
	}
	return out
}

// afterValue returns v as it is after the event.
func (x *event) afterValue(v *model.Variant) logic.Term {
	return x.b.Subst(x.b.Subst(v.Term, x.delta), x.effect)
}

func decrease(integer, strict bool) logic.Op {
	switch {
	case integer && strict:
		return logic.Lt
	case integer:
		return logic.Le
	case strict:
		return logic.Subset
	}
	return logic.SubsetEq
}

// mentions reports whether an after-value in c occurs in one of ps.
func (x *event) mentions(c choice, ps []logic.Term) bool {
	inPred := x.free(c.pred)
	for _, variable := range c.action.Left {
		if !inPred[x.primed[variable]] {
			continue
		}
		for _, predicate := range ps {
			if x.free(predicate)[x.primed[variable]] {
				return true
			}
		}
	}
	return false
}
