package tune

import (
	"slices"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// choices are those of the entry, and {E} for each constant that has neither a
// choice nor a value where an axiom says k = E or E = k, with E over constants that
// have one.
func (e *Entry) choices() []simulate.Choice {
	bank := e.Bank
	equal := map[logic.Term][]logic.Term{} // what axioms say that a constant is
	listed := map[logic.Term]bool{}        // constants that are elements of a carrier set
	var read func(term logic.Term)
	read = func(t logic.Term) {
		switch bank.Op(t) {
		case logic.And:
			for _, a := range bank.Args(t) {
				read(a)
			}
		case logic.Partition:
			for _, id := range bank.FreeIdents(t) {
				listed[id] = true
			}
		case logic.Eq:
			left, right := bank.Arg(t, 0), bank.Arg(t, 1)
			equal[left], equal[right] = append(equal[left], right), append(equal[right], left)
		}
	}
	known := map[string]bool{}
	for _, g := range e.Given {
		known[g.Name] = true
	}
	for _, c := range e.Choices {
		known[c.Name] = true
	}
	var open []model.Ident
	for _, context := range e.Machine.Contexts {
		for _, predicate := range context.Axioms {
			if !predicate.Theorem { // what a theorem says has to follow, and must not choose
				read(predicate.Term)
			}
		}
		open = append(open, context.Constants...)
	}
	for _, ident := range open {
		known[ident.Name] = known[ident.Name] || listed[ident.Term]
	}
	out := slices.Clone(e.Choices)
	for more := true; more; {
		more = false
		for _, ident := range open {
			if known[ident.Name] {
				continue
			}
			i := slices.IndexFunc(equal[ident.Term], func(term logic.Term) bool { return e.over(term, known) == nil })
			if i >= 0 {
				out = append(out, simulate.Choice{Name: ident.Name, Type: bank.Type(ident.Term), Set: bank.App(logic.SetExt, equal[ident.Term][i])})
				known[ident.Name], more = true, true
			}
		}
	}
	return out
}
