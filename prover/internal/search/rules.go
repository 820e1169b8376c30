package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/rules"
	"github.com/gradine/gradine/prover/kernel"
)

// addRules makes the rules sources of instances, as quantifiers are.
func (is *instances) addRules() {
	truth := is.b.App(logic.True)
	top := is.litOf(truth)
	is.add(kernel.Clause{kernel.Pos(truth)}, kernel.Step{Kind: kernel.Prop, Terms: []logic.Term{truth}})
	for i, c := range rules.All() {
		if c.Schema.Lemma() && is.opts.Only != nil && !is.opts.Only[c.Schema.Name] {
			continue
		}
		if c.Lean && is.opts.Only == nil {
			continue
		}
		quantifier := is.newQuant()
		*quantifier = quant{lit: top, rule: &rules.All()[i], triggers: c.Triggers}
		// Rules that wait come in when it matters whether a set is finite; before, they would only
		// make work.
		if c.Waits {
			is.waiting = append(is.waiting, quantifier)
		} else {
			is.addQuant(quantifier)
		}
	}
}

// finiteness is called when it matters whether some set is finite.
func (is *instances) finiteness() {
	if is.sized {
		return
	}
	is.sized = true
	for _, op := range []logic.Op{logic.Union, logic.SetExt} {
		for _, node := range is.terms.byOp[op] {
			is.terms.takeApart(is.g.Term(node))
		}
	}
	todo := is.waiting
	is.waiting = nil
	for _, quantifier := range todo {
		is.addQuant(quantifier)
		for i := range quantifier.triggers {
			is.matchAll(quantifier, &quantifier.triggers[i])
		}
	}
}
