package tune

import (
	"slices"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// choices are those of the entry, and {E} for each constant that has neither a
// choice nor a value where an axiom says k = E or E = k, with E over constants that
// have one.
func (e *Entry) choices() []explore.Choice {
	b := e.Bank
	equal := map[logic.Term][]logic.Term{} // what axioms say that a constant is
	listed := map[logic.Term]bool{}        // constants that are elements of a carrier set
	var read func(t logic.Term)
	read = func(t logic.Term) {
		switch b.Op(t) {
		case logic.And:
			for _, a := range b.Args(t) {
				read(a)
			}
		case logic.Partition:
			for _, id := range b.FreeIdents(t) {
				listed[id] = true
			}
		case logic.Eq:
			l, r := b.Arg(t, 0), b.Arg(t, 1)
			equal[l], equal[r] = append(equal[l], r), append(equal[r], l)
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
	for _, c := range e.Machine.Contexts {
		for _, a := range c.Axioms {
			read(a.Term)
		}
		open = append(open, c.Constants...)
	}
	for _, k := range open {
		known[k.Name] = known[k.Name] || listed[k.Term]
	}
	out := slices.Clone(e.Choices)
	for more := true; more; {
		more = false
		for _, k := range open {
			if known[k.Name] {
				continue
			}
			i := slices.IndexFunc(equal[k.Term], func(t logic.Term) bool { return e.over(t, known) == nil })
			if i >= 0 {
				out = append(out, explore.Choice{Name: k.Name, Type: b.Type(k.Term), Set: b.App(logic.SetExt, equal[k.Term][i])})
				known[k.Name], more = true, true
			}
		}
	}
	return out
}
