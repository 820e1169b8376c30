package check

import (
	"slices"
	"strconv"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// fits finds what the event refines, and reports whether it can stand in the machine.
func (e *event) fits() bool {
	ok := true
	if e.isInit() {
		ok = e.refinesInit()
	} else {
		e.refinesEvents()
	}
	converges := e.convergence()
	return e.extension() && converges && ok
}

// refinesInit makes an initialisation refine the abstract one.
func (e *event) refinesInit() bool {
	for _, name := range e.src.Refines {
		e.found.initialisationRefines(e.clauseAt(name))
	}
	if e.abstract == nil {
		return true
	}
	a := e.abstractEvent(model.InitLabel)
	if a == nil {
		e.found.abstractEventNotFound(e.place(), model.InitLabel, e.abstract.Name, "")
		e.noRefinement()
		return false
	}
	e.refine(a)
	return true
}

func (e *event) abstractEvent(label string) *model.Event {
	if e.abstract == nil {
		return nil
	}
	for _, a := range e.abstract.Events {
		if a.Label == label {
			return a
		}
	}
	return nil
}

// abstractLabels are the labels of the events that could be refined.
func (e *event) abstractLabels() []string {
	var labels []string
	if e.abstract != nil {
		for _, a := range e.abstract.Events {
			labels = append(labels, a.Label)
		}
	}
	return labels
}

func (e *event) refine(a *model.Event) {
	e.out.Refines = append(e.out.Refines, a)
	e.refinedEvent[a] = true
}

// noRefinement drops the event because it is not clear what it refines.
func (e *event) noRefinement() {
	if !e.label.faulty {
		e.found.noRefinement(e.place(), e.out.Label)
	}
	e.label.faulty = true
}

// refinesEvents finds the events that REFINES clauses name.
func (e *event) refinesEvents() {
	named := map[string]bool{}
	same := false
	for _, name := range e.src.Refines {
		switch {
		case name.Absent:
			e.found.abstractEventUndef(e.clauseAt(name))
			continue
		// A clause that is there twice is dropped before it is looked up, so that what is wrong
		// with it is said once.
		case named[name.Text]:
			e.found.abstractEventTwice(e.clauseAt(name), name.Text)
			continue
		case name.Text == model.InitLabel:
			named[name.Text] = true
			e.found.initialisationRefined(e.clauseAt(name))
			e.noRefinement()
			continue
		}
		named[name.Text] = true
		a := e.abstractEvent(name.Text)
		if a == nil {
			e.found.abstractEventNotFound(e.clauseAt(name), name.Text, e.abstractName(), diag.DidYouMean(name.Text, e.abstractLabels()))
			e.noRefinement()
			continue
		}
		same = same || a.Label == e.out.Label
		e.refine(a)
		e.clauses = append(e.clauses, name)
	}
	e.merge()
	if !same && e.abstractEvent(e.out.Label) != nil {
		e.found.inconsistentLabel(e.place(), e.out.Label)
		e.found.follows(e.src.Extended && len(e.out.Refines) == 0 || len(e.out.Refines) < len(e.src.Refines))
	}
}

func (e *event) abstractName() string {
	if e.abstract == nil {
		return ""
	}
	return e.abstract.Name
}

// merge checks that several abstract events agree.
func (e *event) merge() {
	if len(e.src.Refines) < 2 || len(e.out.Refines) == 0 {
		return
	}
	// Parameters of one name become one parameter of the merged event, so they must have
	// one type; a name is reported once, however many events have it.
	types := map[string]logic.Term{}
	wrong := map[string]bool{}
	first := e.out.Refines[0]
	agree := true
	for _, a := range e.out.Refines {
		for _, ident := range a.Parameters {
			if term, ok := types[ident.Name]; ok && term != ident.Term && !wrong[ident.Name] {
				wrong[ident.Name] = true
				e.found.mergeParameterType(e.place(), ident.Name)
				e.label.faulty = true
			}
			types[ident.Name] = ident.Term
		}
		if agree && a != first {
			agree = e.sameActions(first, a)
		}
	}
}

// sameActions reports whether a and b have the same actions with the same labels.
func (e *event) sameActions(a, b *model.Event) bool {
	equal := func(x, y *model.Action) bool {
		return x.Kind == y.Kind && slices.Equal(x.Left, y.Left) && slices.Equal(x.Right, y.Right)
	}
	ok := len(a.Actions) == len(b.Actions)
	for _, y := range b.Actions {
		if !ok {
			break
		}
		// Equal actions under other labels are a fault of their own: obligations are named
		// after the labels of the first event.
		i := slices.IndexFunc(a.Actions, func(x *model.Action) bool { return x.Label == y.Label })
		if i >= 0 && equal(a.Actions[i], y) {
			continue
		}
		if i < 0 || slices.ContainsFunc(a.Actions, func(x *model.Action) bool { return equal(x, y) }) {
			e.found.mergeLabels(e.place(), a.Label, b.Label)
			e.label.faulty = true
			return false
		}
		ok = false
	}
	if !ok {
		e.found.mergeActions(e.place(), a.Label, b.Label)
		e.label.faulty = true
	}
	return ok
}

// convergence settles the status of the event.
func (e *event) convergence() bool {
	if e.src.NoConvergence {
		e.found.convergenceUndef(e.place())
		return false
	}
	status := convergences[e.src.Convergence]
	e.out.Convergence = status
	if e.isInit() {
		if status != model.Ordinary {
			e.found.initialisationNotOrdinary(e.place())
			e.setOrdinary()
		}
		return true
	}
	// The status that the abstract events allow comes first: a repaired one needs no variant.
	isNew := len(e.out.Refines) == 0
	combined := model.Ordinary
	if !isNew {
		combined = e.abstractConvergence()
		if combined == model.Ordinary && status != model.Ordinary {
			e.found.notOrdinary(e.place(), e.out.Label)
			e.found.follows(e.garbled)
			e.setOrdinary()
		}
	}
	if e.out.Convergence != model.Convergent || combined == model.Convergent {
		return true
	}
	if e.hasVariant {
		e.usesVariant = true
	} else {
		e.found.noVariant(e.place(), e.out.Label)
		e.found.follows(e.garbled || isNew && e.abstractEvent(e.out.Label) != nil || len(e.out.Refines) < len(e.src.Refines))
		e.setOrdinary()
	}
	return true
}

// setOrdinary repairs a status that the event may not have.
func (e *event) setOrdinary() {
	e.out.Convergence = model.Ordinary
	e.inaccurate()
}

// abstractConvergence is the weakest status of the abstract events.
func (e *event) abstractConvergence() model.Convergence {
	weakest, strongest := e.out.Refines[0].Convergence, e.out.Refines[0].Convergence
	for _, a := range e.out.Refines {
		weakest, strongest = min(weakest, a.Convergence), max(strongest, a.Convergence)
	}
	if weakest != strongest {
		for i, a := range e.out.Refines {
			e.found.mergeConvergence(e.clauseAt(e.clauses[i]), a, weakest)
		}
	}
	return weakest
}

// extension checks that an extended event may inherit what its abstract event has.
func (e *event) extension() bool {
	if e.src.NoExtended {
		e.found.extendedUndef(e.place())
		return false
	}
	e.out.Extended = e.src.Extended
	if !e.src.Extended {
		return true
	}
	ok := true
	switch {
	case e.isInit():
	case len(e.out.Refines) == 0:
		e.found.extendedUnrefined(e.place(), e.out.Label)
		e.found.follows(len(e.src.Refines) > 0)
		ok = false
	case len(e.out.Refines) > 1:
		e.found.extendedMerge(e.place(), e.out.Label)
		ok = false
	}
	return e.inheritable() && ok
}

// inheritable reports whether the inherited guards and actions mention no variable that is gone.
func (e *event) inheritable() bool {
	if len(e.out.Refines) == 0 {
		return true
	}
	a := e.out.Refines[0]
	ok := true
	seen := map[string]bool{}
	for _, term := range e.bank.FreeIdents(termsOf(a)...) {
		name := e.bank.Name(term)
		if slices.ContainsFunc(a.Parameters, func(ident model.Ident) bool { return ident.Name == name }) {
			continue
		}
		name = unprimed(name)
		symbol := e.machine.scope.find(name)
		if symbol == nil || symbol.faulty || symbol.kind == variable && !symbol.concrete {
			if !seen[name] {
				e.found.inheritsUndeclared(e.place(), name, a.Label)
				e.found.follows(e.again("gone", e.component.src.Name.Text, name))
			}
			seen[name] = true
			ok = false
		}
	}
	return ok
}

// termsOf returns the formulas of the guards and actions of a.
func termsOf(a *model.Event) []logic.Term {
	var ts []logic.Term
	for _, g := range a.Guards {
		ts = append(ts, g.Term)
	}
	for _, x := range a.Actions {
		ts = append(append(ts, x.Left...), x.Right...)
	}
	return ts
}

// check checks the body of the event.
func (e *event) check() {
	inherited := e.inherit()
	e.parameters()
	e.guards()
	e.out.Parameters = append(e.out.Parameters, e.settle(e.scope, parameter)...)
	e.actions(inherited)
	e.witnesses()
	e.out.Accurate = e.accurate
}

// inherit copies what an extended event inherits, and returns the event it is from.
func (e *event) inherit() *model.Event {
	if !e.out.Extended || len(e.out.Refines) == 0 {
		return nil
	}
	a := e.out.Refines[0]
	e.accurate = e.accurate && a.Accurate
	at := e.place()
	if !e.isInit() {
		for _, ident := range a.Parameters {
			symbol := e.imported(ident, parameter, a.Label)
			symbol.at, symbol.settled = at, true
			e.scope.put(symbol)
		}
		for _, predicate := range a.Guards {
			e.labels[predicate.Label] = &label{text: predicate.Label, kind: guardLabel, at: at}
		}
		e.out.Parameters = slices.Clone(a.Parameters)
		e.out.Guards = slices.Clone(a.Guards)
	}
	for _, action := range a.Actions {
		e.labels[action.Label] = &label{text: action.Label, kind: actionLabel, at: at}
	}
	e.out.Actions = slices.Clone(a.Actions)
	return a
}

func (e *event) parameters() {
	for _, n := range e.src.Parameters {
		at := e.at(n.Span, e.out.Label, n.Text)
		if !e.identifier(n, at) {
			continue
		}
		x := &symbol{name: n.Text, kind: parameter, at: at, origin: e.origin(e.out.Label, n, n.Doc)}
		if e.declare(e.scope, x) && e.isInit() {
			e.found.initialisationParameter(at)
			x.faulty = true
		}
	}
}

// guards checks the guards of the event. The initialisation may not have any.
func (e *event) guards() {
	if e.isInit() {
		for _, predicate := range e.src.Guards {
			e.found.initialisationGuard(e.at(predicate.Source.Span, e.out.Label, predicate.Label.Text))
		}
		return
	}
	rules := map[bool]rule{}
	for _, theorem := range []bool{false, true} {
		rules[theorem] = rule{scope: e.scope, visible: e.guardVisible(theorem), infer: e.inferParameter}
	}
	own := e.predicates(clause{
		predicates: e.src.Guards, kind: guardLabel, used: e.labels, event: e.out.Label,
		rule: func(predicate *lang.Predicate) rule { return rules[predicate.Theorem] }, drop: e.inaccurate,
	})
	e.out.Guards = append(e.out.Guards, own...)
}

func (e *event) guardVisible(theorem bool) func(place, string) *symbol {
	visible := e.notDisappeared(e.scope)
	return func(at place, name string) *symbol {
		x := visible(at, name)
		if x != nil && x.kind == variable && !x.concrete && !theorem {
			e.found.hasDisappeared(at, name)
			e.found.follows(e.again("gone", e.component.src.Name.Text, name))
			return nil
		}
		return x
	}
}

// inferParameter takes the type that a guard gives to a parameter.
func (e *event) inferParameter(at place, t Typing) bool {
	symbol := e.scope.byName[t.Name]
	if symbol == nil {
		e.found.untypedIdentifier(at, t.Name)
		return false
	}
	if len(e.out.Refines) > 0 {
		for _, ident := range e.out.Refines[0].Parameters {
			if was := e.bank.Type(ident.Term); ident.Name == t.Name && was != t.Type {
				e.found.parameterChangedType(at, t.Name, e.typeText(t.Type), e.typeText(was))
				return false
			}
		}
	}
	symbol.typ, symbol.typed = t.Type, at.span
	return true
}

// actions checks the own actions; inherited is the event whose actions are copied, or nil.
func (e *event) actions(inherited *model.Event) {
	r := rule{scope: e.scope, visible: e.actionVisible()}
	src := slices.DeleteFunc(slices.Clone(e.src.Actions), func(action *lang.Action) bool {
		return action.Assignment != nil && action.Assignment.Kind == lang.Skip
	})
	names := e.labelNames(actionLabel, e.labels, len(src), func(i int) lang.Name { return src[i].Label })
	checked := make([]*model.Action, len(src))
	places := make([]place, len(src))
	ls := make([]*label, len(src))
	for i, action := range src {
		places[i] = e.at(action.Source.Span, e.out.Label, names[i].Text)
		ls[i] = e.component.label(e.labels, actionLabel, names[i], place{names[i].Span, places[i].element})
		checked[i] = e.action(action, ls[i], r, places[i])
		if checked[i] == nil {
			e.inaccurate()
			if ls[i] != nil {
				ls[i].faulty = true
			}
		}
	}
	// All actions are checked before any is taken: a later one may show that an
	// earlier one must go, by its label or by what it assigns.
	assigned := e.disjoint(checked, places, inherited)
	for i, action := range checked {
		switch {
		case action == nil:
		case ls[i].faulty:
			e.inaccurate()
		default:
			action.Origin = e.origin(e.out.Label, names[i], src[i].Doc)
			e.out.Actions = append(e.out.Actions, action)
		}
	}
	if e.isInit() {
		e.complete(assigned, slices.Contains(checked, nil))
	}
}

// action checks one action, and returns nil if nothing can be made of it.
func (e *event) action(a *lang.Action, l *label, r rule, at place) *model.Action {
	if a.Source.Absent {
		e.found.assignmentUndef(at)
		return nil
	}
	// Problems count from the beginning of the formula until locate moves them, whichever
	// way the function is left.
	defer e.locate(len(e.found), &a.Source)
	if !e.parsed(&a.Source, a.Assignment != nil, at) {
		return nil
	}
	n := usedBy(a.Assignment)
	e.dubious(n, e.scope, at)
	if l == nil {
		return nil
	}
	ok := e.allVisible(n, r, at)
	if !e.assignable(a.Assignment, at) || !ok {
		return nil
	}
	t := e.typing(r, at)
	act, ok := t.assignment(a.Assignment)
	e.report(t)
	if !ok || !e.inferred(t, r, at) {
		return nil
	}
	act.Label = l.text
	if name := unprimedOnly(a.Assignment); name != "" {
		e.found.nothingAfter(at, name)
	}
	return act
}

// unprimedOnly is a variable that the right side of x :∣ P mentions, if it says nothing of the
// value after the event of any variable that is assigned; "" otherwise.
func unprimedOnly(a *lang.Assignment) (name string) {
	if a.Kind != lang.BecomesSuch {
		return ""
	}
	said := namesOf(a.Right[0]).seen
	for _, left := range a.Left {
		if said[left.Name+"'"] {
			return ""
		}
		if said[left.Name] && name == "" {
			name = left.Name
		}
	}
	return name
}

// actionVisible returns the lookup of names in actions: the initialisation reads no variables, and no action those that
// have disappeared.
func (e *event) actionVisible() func(place, string) *symbol {
	declared := e.declared(e.scope)
	return func(at place, name string) *symbol {
		x := declared(at, name)
		switch {
		case x == nil || x.kind != variable:
			return x
		case e.isInit():
			e.found.beforeInitialisation(at, name)
			return nil
		case !x.concrete:
			e.found.hasDisappeared(at, name)
			e.found.follows(e.again("gone", e.component.src.Name.Text, name))
			return nil
		}
		return x
	}
}

// assignable reports whether a assigns variables of this machine only.
func (e *event) assignable(assignment *lang.Assignment, at place) bool {
	for _, formula := range assignment.Left {
		at := place{formula.Span, at.element}
		symbol := e.scope.find(formula.Name)
		if symbol != nil && symbol.kind == variable && symbol.concrete {
			continue
		}
		switch {
		case symbol == nil:
			e.found.assignedNoVariable(at, formula.Name, e.meant(e.scope, formula.Name))
		case symbol.kind == variable:
			e.found.hasDisappeared(at, formula.Name)
			e.found.follows(e.again("gone", e.component.src.Name.Text, formula.Name))
		default:
			e.found.assignedOther(at, formula.Name, symbol.kind)
		}
		return false
	}
	return true
}

// disjoint drops actions that assign the same variable. It returns the
// variables that exactly one action assigns.
func (e *event) disjoint(actions []*model.Action, places []place, inherited *model.Event) map[string]bool {
	// by holds, for each variable, the index of the action that assigns it, or one of these:
	// several own actions do, or an inherited one.
	const clash, old = -1, -2
	by := map[string]int{}
	if inherited != nil {
		for _, action := range inherited.Actions {
			for _, variable := range action.Left {
				by[e.bank.Name(variable)] = old
			}
		}
	}
	bad := make([]bool, len(actions))
	oldClash := ""
	for i, action := range actions {
		if action == nil {
			continue
		}
		for _, variable := range action.Left {
			name := e.bank.Name(variable)
			j, taken := by[name]
			switch {
			case !taken:
				by[name] = i
				continue
			case j == old:
				oldClash = name
			case j != clash:
				bad[j] = true
			}
			bad[i] = true
			by[name] = clash
		}
	}
	// The first action that clashes is reported with the next one, and the others with the first. Only the first is a
	// diagnostic of its own; the others follow from it.
	for i, action := range actions {
		if bad[i] {
			other := slices.Index(bad, true)
			if other == i {
				other += 1 + slices.Index(append(slices.Clone(bad[i+1:]), true), true)
			}
			var note []diag.Note
			if other < len(places) {
				note = []diag.Note{{Span: places[other].span, Text: "the other one"}}
			}
			e.found.notDisjoint(places[i], note)
			e.found.follows(slices.Index(bad, true) != i && oldClash == "")
			e.labels[action.Label].faulty = true
			actions[i] = nil
			e.inaccurate()
		}
	}
	if oldClash != "" {
		e.found.clashesWithInherited(e.place(), oldClash)
	}
	assigned := map[string]bool{}
	for name, i := range by {
		assigned[name] = i != clash
	}
	return assigned
}

// complete assigns arbitrary values to the variables that no action of the
// initialisation assigns; lost says that an action was dropped.
func (e *event) complete(assigned map[string]bool, lost bool) {
	var left []logic.Term
	for _, symbol := range e.machine.scope.order {
		if symbol.kind == variable && symbol.concrete && !symbol.faulty && !assigned[symbol.name] {
			e.found.notInitialised(e.place(), symbol.name)
			e.found.follows(lost)
			left = append(left, e.bank.Free(symbol.name, symbol.typ))
		}
	}
	if len(left) == 0 {
		return
	}
	e.inaccurate()
	name := "GEN"
	for i := 1; e.labels[name] != nil; i++ {
		name += strconv.Itoa(i)
	}
	e.out.Actions = append(e.out.Actions, &model.Action{
		Label: name, Kind: model.BecomesSuch, Left: left, Right: []logic.Term{e.bank.App(logic.True)}, Origin: e.out.Origin,
	})
}
