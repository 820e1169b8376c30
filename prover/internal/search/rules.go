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
		if c.Lean && is.opts.Only == nil || c.Counts && is.opts.Uncounted {
			continue
		}
		quantifier := is.newQuant()
		*quantifier = quant{lit: top, rule: &rules.All()[i], triggers: c.Triggers}
		// Rules that wait come in when it matters whether a set is finite; before, they would only
		// make work.
		if c.Compares && is.opts.Only == nil {
			is.comparing = append(is.comparing, quantifier)
		} else if c.Waits {
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
	for _, node := range is.terms.byOp[logic.SetExt] {
		is.terms.takeApart(is.g.Term(node))
	}
	todo := is.waiting
	is.waiting = nil
	is.admit(todo)
}

// admit lets rules come in that have waited.
func (is *instances) admit(rules []*quant) {
	for _, quantifier := range rules {
		is.addQuant(quantifier)
		for i := range quantifier.triggers {
			is.matchAll(quantifier, &quantifier.triggers[i])
		}
	}
}

// compare lets the rules come in that compare counts, once little else is left, and reports whether there were any instances.
func (is *instances) compare() bool {
	if !is.sized || len(is.comparing) == 0 {
		return false
	}
	todo, before := is.comparing, is.made
	is.comparing = nil
	is.admit(todo)
	return is.made > before
}
