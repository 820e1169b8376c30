package check

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Env gives the types of the identifiers in scope. A carrier set has the type
// ℙ of itself.
type Env map[string]logic.Type

func (e Env) lookup(name string) (logic.Type, bool) {
	typ, ok := e[name]
	return typ, ok
}

// Typing is the type that a formula gives to an identifier.
type Typing struct {
	Name string
	Type logic.Type
}

// Formula types the predicate or expression f in env and builds its term. It
// also returns the types inferred for identifiers that env does not have, in
// order of occurrence. If there are problems, there is no term.
func Formula(b *logic.Bank, env Env, f *lang.Formula) (logic.Term, []Typing, []diag.Diagnostic) {
	t := newTyping(b, env.lookup, "")
	u, _ := t.formula(f)
	return u, t.inferred(), t.problems()
}

// Expression is Formula for an expression that has to be of a type.
func Expression(b *logic.Bank, env Env, f *lang.Formula, typ logic.Type) (logic.Term, []Typing, []diag.Diagnostic) {
	// An equation with something of that type gives it the context that ∅ needs.
	name := "?"
	lookup := func(x string) (logic.Type, bool) {
		if x == name {
			return typ, true
		}
		return env.lookup(x)
	}
	t := newTyping(b, lookup, "")
	u, ok := t.formula(&lang.Formula{Op: logic.Eq, Args: []*lang.Formula{{Op: logic.Free, Name: name, Span: f.Span}, f}, Span: f.Span})
	if !ok {
		return 0, t.inferred(), t.problems()
	}
	return b.Arg(u, 1), t.inferred(), t.problems()
}

// Assignment types a in env. The action has no label and no origin; skip has
// none of anything.
func Assignment(b *logic.Bank, env Env, a *lang.Assignment) (*model.Action, []Typing, []diag.Diagnostic) {
	t := newTyping(b, env.lookup, "")
	act, _ := t.assignment(a)
	return act, t.inferred(), t.problems()
}

// Type reads f as a type expression. Its identifiers must be carrier sets of
// env, or unknown to it.
func Type(b *logic.Bank, env Env, f *lang.Formula) (logic.Type, []Typing, []diag.Diagnostic) {
	t := newTyping(b, env.lookup, "")
	x := t.typeExpr(f)
	if !t.solveAll() {
		return logic.NoType, nil, t.problems()
	}
	return t.solve(x), t.inferred(), t.problems()
}

// formula types f and builds its term; ok is false if there are problems.
func (t *typing) formula(f *lang.Formula) (u logic.Term, ok bool) {
	defer t.limit(f.Span, &ok)
	t.walk(f)
	if !t.solveAll() {
		return 0, false
	}
	return t.term(f), true
}

func (t *typing) walk(f *lang.Formula) {
	if f.Op.IsPredicate() || f.Op == lang.PredVar {
		t.pred(f)
	} else {
		t.expr(f)
	}
}

// limit turns the panic of a term that is too large into a problem.
func (t *typing) limit(span diag.Span, ok *bool) {
	if r := recover(); r != nil {
		t.tooLarge(r, span)
		*ok = false
	}
}

// inferred returns the types of identifiers that the environment does not have.
func (t *typing) inferred() []Typing {
	if len(t.found) > 0 {
		return nil
	}
	var out []Typing
	for _, u := range t.uses {
		if !u.given && !u.after {
			out = append(out, Typing{u.name, t.solve(u.typ)})
		}
	}
	return out
}

// assignment types a and builds the action. An update f(i) ≔ E assigns f overridden by {i ↦ E}.
func (t *typing) assignment(a *lang.Assignment) (act *model.Action, ok bool) {
	defer t.limit(a.Span, &ok)
	t.walkAssignment(a)
	if !t.solveAll() {
		return nil, false
	}
	act = &model.Action{Kind: assignKinds[a.Kind]}
	for _, formula := range a.Left {
		act.Left = append(act.Left, t.identTerm(formula.Name))
	}
	var index logic.Term
	if a.Update {
		index = t.term(a.Index)
	}
	for _, formula := range a.Right {
		act.Right = append(act.Right, t.term(formula))
	}
	if a.Update {
		pair := t.b.App(logic.Maplet, index, act.Right[0])
		act.Right[0] = t.b.App(logic.Ovr, act.Left[0], t.b.App(logic.SetExt, pair))
	}
	return act, true
}

var assignKinds = map[lang.AssignKind]model.AssignKind{
	lang.BecomesEqual: model.BecomesEqual, lang.BecomesIn: model.BecomesIn, lang.BecomesSuch: model.BecomesSuch,
	lang.Skip: model.BecomesEqual,
}

// walkAssignment types an assignment: each side against the type of the variable that it changes.
func (t *typing) walkAssignment(assignment *lang.Assignment) {
	t.assigned = assignment.Left
	left := make([]ty, len(assignment.Left))
	for i, formula := range assignment.Left {
		left[i] = t.freeIdent(formula.Name, formula.Span)
	}
	switch {
	case assignment.Kind == lang.Skip:
	case assignment.Update:
		from, to := t.pair(assignment.Left[0])
		t.want(assignment.Index, t.expr(assignment.Index), from)
		t.want(assignment.Right[0], t.expr(assignment.Right[0]), to)
	case assignment.Kind == lang.BecomesEqual:
		for i, formula := range assignment.Right {
			t.want(formula, left[i], t.expr(formula))
		}
	case assignment.Kind == lang.BecomesIn:
		t.want(assignment.Right[0], left[0], t.elem(assignment.Right[0]))
	case assignment.Kind == lang.BecomesSuch:
		for _, formula := range assignment.Left {
			// x' has the type of x, and is a use of its own.
			u := t.uses[t.free[formula.Name]]
			u.name, u.after = formula.Name+"'", true
			t.free[u.name] = len(t.uses)
			t.uses = append(t.uses, u)
		}
		t.pred(assignment.Right[0])
	}
}
