package check

import (
	"slices"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// witnesses checks the witnesses, and adds ⊤ for those that are missing.
func (e *event) witnesses() {
	required := e.required()
	used := labels{}
	given := map[string]bool{}
	faulty := false // a witness was dropped: one that is missing may be that
	for _, predicate := range e.src.Witnesses {
		at := e.at(predicate.Source.Span, e.out.Label, predicate.Label.Text)
		labelAt := place{predicate.Label.Span, at.element}
		if predicate.Label.Absent {
			labelAt = at
		}
		if !predicate.Label.Absent && predicate.Label.Text != "" && !isIdentifier(predicate.Label.Text, true) {
			e.found.invalidIdentifier(labelAt, predicate.Label.Text)
		}
		label := e.component.label(used, witnessLabel, predicate.Label, labelAt)
		term, ok := e.witness(predicate, label, at)
		if !ok {
			e.inaccurate()
			faulty = true
			if label != nil {
				label.faulty, label.settled = true, true
			}
			continue
		}
		label.settled = true
		i := slices.IndexFunc(required, func(ident model.Ident) bool { return ident.Name == predicate.Label.Text })
		if i < 0 {
			var names []string
			for _, ident := range required {
				names = append(names, ident.Name)
			}
			e.found.witnessNotPermissible(labelAt, predicate.Label.Text, names)
			continue
		}
		given[predicate.Label.Text] = true
		e.out.Witnesses = append(e.out.Witnesses, &model.Witness{
			Label: predicate.Label.Text, Ident: required[i].Term, Term: term, Origin: e.origin(e.out.Label, predicate.Label, predicate.Doc),
		})
	}
	for _, ident := range required {
		if !given[ident.Name] {
			e.found.witnessMissing(e.place(), ident.Name)
			e.found.follows(slices.ContainsFunc(e.out.Refines, func(a *model.Event) bool { return !a.Accurate }) || faulty)
			e.inaccurate()
			e.out.Witnesses = append(e.out.Witnesses, &model.Witness{
				Label: ident.Name, Ident: ident.Term, Term: e.bank.App(logic.True), Origin: e.out.Origin,
			})
		}
	}
}

// required returns the identifiers that need a witness: the abstract parameters
// that are not kept, and v' for each variable v that is gone and that the
// abstract event assigns by :∈ or :∣.
func (e *event) required() []model.Ident {
	var out []model.Ident
	add := func(x model.Ident) {
		if !slices.ContainsFunc(out, func(y model.Ident) bool { return y.Name == x.Name }) {
			out = append(out, x)
		}
	}
	if len(e.out.Refines) == 0 {
		return nil
	}
	for _, a := range e.out.Refines {
		for _, ident := range a.Parameters {
			if symbol := e.scope.find(ident.Name); symbol == nil || symbol.kind != parameter || symbol.faulty {
				add(ident)
			}
		}
	}
	// Merged events have the same actions, so those of the first stand for all; a variable
	// assigned by ≔ has its after-value from there, and needs no witness.
	for _, action := range e.out.Refines[0].Actions {
		if action.Kind == model.BecomesEqual {
			continue
		}
		for _, v := range action.Left {
			name := e.bank.Name(v)
			if symbol := e.machine.scope.find(name); symbol == nil || symbol.kind != variable || symbol.concrete {
				continue
			}
			primed := name + "'"
			add(model.Ident{Name: primed, Term: e.bank.Free(primed, e.bank.Type(v))})
		}
	}
	return out
}

func (e *event) witness(w *lang.Predicate, l *label, at place) (logic.Term, bool) {
	if w.Source.Absent {
		e.found.predicateUndef(at)
		return 0, false
	}
	r := rule{scope: e.scope, visible: e.witnessVisible(w.Label.Text), lookup: e.witnessType}
	return e.formula(&w.Source, w.Formula, l, r, at)
}

// witnessVisible is the visibility in the witness for the identifier named label.
func (e *event) witnessVisible(label string) func(place, string) *symbol {
	visible := e.notDisappeared(e.scope)
	return func(at place, name string) *symbol {
		if name == label && unprimed(name) == name {
			return &symbol{name: name, kind: parameter}
		}
		if x, ok := e.abstractParameter(name); ok && e.scope.find(name) == nil {
			e.found.undeclared(at, name, quote(x)+" is a parameter of the abstract event: only its own witness, which is labelled @"+x+", speaks of it")
			return nil
		}
		primed := unprimed(name) != name
		x := visible(at, unprimed(name))
		switch {
		case x == nil || x.kind != variable:
			return x
		case primed && !x.concrete && name != label:
			e.found.witnessFreeIdentifier(at, name)
			return nil
		case !primed && e.isInit():
			e.found.beforeInitialisation(at, name)
			return nil
		}
		return x
	}
}

// witnessType gives the types of v' and of abstract parameters too.
func (e *event) witnessType(name string) (logic.Type, bool) {
	if typ, ok := e.scope.lookup(name); ok {
		return typ, true
	}
	if v := unprimed(name); v != name {
		if symbol := e.machine.scope.find(v); symbol != nil && symbol.kind == variable && !symbol.faulty && (symbol.concrete || symbol.abstract) {
			return symbol.typ, symbol.typ != logic.NoType
		}
		return logic.NoType, false
	}
	if e.label.faulty || e.scope.byName[name] != nil {
		return logic.NoType, false
	}
	for _, a := range e.out.Refines {
		for _, ident := range a.Parameters {
			if ident.Name == name {
				return e.bank.Type(ident.Term), true
			}
		}
	}
	return logic.NoType, false
}

// abstractParameter reports whether name is a parameter of an event that e refines.
func (e *event) abstractParameter(name string) (string, bool) {
	return name, slices.ContainsFunc(e.out.Refines, func(a *model.Event) bool {
		return slices.ContainsFunc(a.Parameters, func(p model.Ident) bool { return p.Name == name })
	})
}
