package po

import (
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
)

// assigned returns the set of variables that as assign.
func assigned(as []*model.Action) map[logic.Term]bool {
	out := map[logic.Term]bool{}
	for _, a := range as {
		for _, v := range a.Left {
			out[v] = true
		}
	}
	return out
}

// after returns the after-values of the variables that a assigns.
func (g *machine) after(a *model.Action) []logic.Term {
	out := make([]logic.Term, len(a.Left))
	for i, v := range a.Left {
		out[i] = g.primed[v]
	}
	return out
}

// beforeAfter returns the before-after predicate of a, restricted to the
// variables that keep accepts if a is deterministic; ⊤ if it accepts none.
func (g *machine) beforeAfter(action *model.Action, keep func(logic.Term) bool) logic.Term {
	switch action.Kind {
	case model.BecomesIn:
		return wd.Flatten(g.b, g.b.App(logic.In, g.primed[action.Left[0]], action.Right[0]))
	case model.BecomesSuch:
		return wd.Flatten(g.b, action.Right[0])
	}
	var parts []logic.Term
	for i, variable := range action.Left {
		if keep(variable) {
			parts = append(parts, g.b.App(logic.Eq, g.primed[variable], action.Right[i]))
		}
	}
	return wd.Flatten(g.b, g.b.And(parts...))
}

func all(logic.Term) bool { return true }

// feasible returns the feasibility condition of a.
func (g *machine) feasible(a *model.Action) logic.Term {
	switch a.Kind {
	case model.BecomesIn:
		s := a.Right[0]
		return wd.Flatten(g.b, g.b.App(logic.Neq, s, g.b.Atom(logic.Empty, g.b.Type(s))))
	case model.BecomesSuch:
		return g.exists(g.after(a), a.Right[0])
	}
	return g.b.App(logic.True)
}

// wellDefined returns the well-definedness lemma of a.
func (g *machine) wellDefined(a *model.Action) logic.Term {
	if a.Kind == model.BecomesSuch {
		return wd.Assignment(g.b, g.after(a), a.Right...)
	}
	return wd.Assignment(g.b, nil, a.Right...)
}

// sameAction reports whether a and c are equal but for labels and bound names.
func (g *machine) sameAction(a, c *model.Action) bool {
	if a.Kind != c.Kind || len(a.Left) != len(c.Left) || len(a.Right) != len(c.Right) {
		return false
	}
	for i := range a.Left {
		if a.Left[i] != c.Left[i] {
			return false
		}
	}
	for i := range a.Right {
		if !g.same(a.Right[i], c.Right[i]) {
			return false
		}
	}
	return true
}

// hasAction reports whether some of as is a.
func (g *machine) hasAction(as []*model.Action, a *model.Action) bool {
	for _, c := range as {
		if g.sameAction(a, c) {
			return true
		}
	}
	return false
}
