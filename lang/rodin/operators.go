package rodin

import (
	"fmt"
	"iter"
	"slices"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// lastOperator is the last operator of Rodin's language. The codes of operators are permanent and only grow, so every
// operator behind it is one of gradine alone.
const lastOperator = logic.QInter

// readable refuses a component with an operator that Rodin does not have: Rodin could not read the file.
func readable(component *lang.Component) error {
	for label, f := range formulas(component) {
		if op := foreign(f); op != logic.Invalid {
			return fmt.Errorf("%s: Rodin has no operator %s; rewrite %s without it", component.Name.Text, spelled(op), label)
		}
	}
	return nil
}

// foreign is an operator in f that Rodin does not have, or Invalid.
func foreign(f *lang.Formula) logic.Op {
	if f == nil {
		return logic.Invalid
	}
	if f.Op > lastOperator {
		return f.Op
	}
	parts := append(slices.Clone(f.Args), f.Oftype)
	for _, d := range f.Decls {
		parts = append(parts, d.Oftype)
	}
	for _, part := range parts {
		if op := foreign(part); op != logic.Invalid {
			return op
		}
	}
	return logic.Invalid
}

// spelled is how people write op.
func spelled(op logic.Op) string {
	for _, e := range notation.All() {
		if e.Op == op {
			return e.Readable()
		}
	}
	return op.String()
}

// formulas are the formulas of a component, each with a name of its place.
func formulas(component *lang.Component) iter.Seq2[string, *lang.Formula] {
	return func(yield func(string, *lang.Formula) bool) {
		labelled := func(within string, groups ...[]*lang.Predicate) bool {
			for _, p := range slices.Concat(groups...) {
				if !yield(within+"@"+p.Label.Text, p.Formula) {
					return false
				}
			}
			return true
		}
		if !labelled("", component.Axioms, component.Invariants) {
			return
		}
		for _, v := range component.Variants {
			if !yield("the variant "+v.Label.Text, v.Formula) {
				return
			}
		}
		for _, e := range component.Events {
			if !labelled(e.Label.Text+"/", e.Guards, e.Witnesses) {
				return
			}
			for _, action := range e.Actions {
				if a := action.Assignment; a != nil {
					for _, f := range slices.Concat(a.Left, []*lang.Formula{a.Index}, a.Right) {
						if !yield(e.Label.Text+"/@"+action.Label.Text, f) {
							return
						}
					}
				}
			}
		}
	}
}
