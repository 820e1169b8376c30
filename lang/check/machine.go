package check

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// machine checks a machine whose abstraction and seen contexts are checked.
func (c *checker) machine(src *lang.Component) {
	m := &machine{component: c.component(src), refinedEvent: map[*model.Event]bool{}}
	m.out = &model.Machine{Name: src.Name.Text, Origin: m.origin("", src.Name, src.Doc)}
	reserved := m.abstraction()
	m.seen(reserved)
	m.declareVariables(reserved)
	m.invariants()
	m.settleVariables()
	variants := m.variants()
	m.events()
	if m.hasVariant && !m.usesVariant {
		for _, at := range variants {
			m.found.needlessVariant(at)
		}
	}
	m.out.Accurate = m.accurate
	m.out.Whole, m.out.Lost = m.whole(model.Component{Machine: m.out})
	c.dev.Machines = append(c.dev.Machines, m.out)
	c.machines[m.out.Name] = m.out
	m.flush()
}

// abstraction finds the refined machine and brings its identifiers into scope.
// It returns the parameters of its events: no variable may have their names.
func (m *machine) abstraction() reservedNames {
	if len(m.src.Refines) == 0 {
		return nil
	}
	// The first clause counts, as in Rodin; the others are errors, so nothing rests on them.
	for _, n := range m.src.Refines[1:] {
		m.found.tooManyAbstractMachines(m.at(n.Span))
	}
	n := m.src.Refines[0]
	at := m.at(n.Span)
	switch src := m.sources[source{lang.MachineKind, n.Text}]; {
	case n.Absent:
		m.found.machineNameUndef(at)
	case src == nil:
		m.lacks = true
		m.found.machineNotFound(at, n.Text, m.sources[source{lang.ContextKind, n.Text}] != nil, diag.DidYouMean(n.Text, m.others(lang.MachineKind)))
	case src.NoConfiguration:
		m.found.machineWithoutConfiguration(at, n.Text)
	default:
		m.abstract = m.machines[n.Text]
	}
	if m.abstract == nil {
		return nil
	}
	m.refines = n
	m.out.Refines = m.abstract
	m.accurate = m.accurate && m.abstract.Accurate
	m.importAll(at)
	reserved := reservedNames{}
	for _, event := range m.abstract.Events {
		for _, ident := range event.Parameters {
			symbol := m.imported(ident, parameter, event.Label)
			symbol.at, symbol.settled = at, true
			reserved[ident.Name] = append(reserved[ident.Name], symbol)
		}
	}
	return reserved
}

// importAll declares what the abstract machine declares or sees. Problems with
// a kept variable are shown where it is declared again.
func (m *machine) importAll(at place) {
	for _, context := range m.abstract.Contexts {
		for _, symbol := range m.identsOf(context) {
			symbol.at, symbol.settled = at, true
			m.scope.put(symbol)
		}
	}
	own := map[string]lang.Name{}
	for _, name := range m.src.Variables {
		own[name.Text] = name
	}
	for _, v := range m.abstract.Variables {
		symbol := m.imported(v.Ident, variable, m.abstract.Name)
		symbol.at, symbol.settled, symbol.abstract = at, true, v.Concrete
		if name, kept := own[v.Name]; kept && v.Concrete {
			symbol.at, symbol.from, symbol.origin = m.at(name.Span, name.Text), "", m.origin("", name, name.Doc)
		}
		m.scope.put(symbol)
	}
}

// seen brings the seen contexts into scope, and those that only the abstract machine sees.
func (m *machine) seen(reserved reservedNames) {
	present := map[string]bool{}
	if m.abstract != nil {
		for _, context := range m.abstract.Contexts {
			present[context.Name] = true
		}
	}
	in := m.include(m.src.Sees, m.targets(m.src.Sees, sees), sees, present, reserved)
	m.out.Sees, m.out.Contexts = in.direct, in.all
	if m.abstract == nil {
		return
	}
	have := map[string]bool{}
	for _, context := range in.all {
		have[context.Name] = true
	}
	for _, c := range m.abstract.Contexts {
		// What only the abstract machine sees is seen all the same, for its invariants speak of it;
		// Rodin warns of it.
		if have[c.Name] {
			continue
		}
		m.out.Contexts = append(m.out.Contexts, c)
		for _, d := range m.abstract.Sees {
			if d == c {
				m.out.Sees = append(m.out.Sees, c)
				m.found.contextOnlyInAbstract(m.at(m.refines.Span), c.Name)
			}
		}
	}
}

func (m *machine) declareVariables(reserved reservedNames) {
	for _, n := range m.src.Variables {
		at := m.at(n.Span, n.Text)
		if m.identifier(n, at) {
			m.declareVariable(&symbol{name: n.Text, kind: variable, at: at, origin: m.origin("", n, n.Doc), concrete: true}, reserved)
		}
	}
}

// declareVariable declares a variable, unless its name is taken or belongs to a variable that has disappeared.
func (m *machine) declareVariable(x *symbol, reserved reservedNames) {
	if rs := reserved[x.name]; len(rs) > 0 {
		for _, r := range rs {
			m.found.nameConflict(r, x.at)
			m.found.follows(true)
		}
		m.found.nameConflict(x, rs[0].at)
		return
	}
	if old := m.scope.find(x.name); old != nil && old.kind == variable && !old.concrete {
		if old.abstract {
			old.concrete = true
		} else {
			m.found.disappearedRedeclared(x.at, x.name)
		}
		return
	}
	m.declare(m.scope, x)
}

// notDisappeared is the visibility of all but the variables that disappeared in an earlier refinement.
func (m *machine) notDisappeared(s *symbols) func(place, string) *symbol {
	declared := m.declared(s)
	return func(at place, name string) *symbol {
		x := declared(at, name)
		if x != nil && x.kind == variable && !x.abstract && !x.concrete {
			m.found.hasDisappeared(at, name)
			m.found.follows(m.again("gone", m.component.src.Name.Text, name))
			return nil
		}
		return x
	}
}

func (m *machine) invariants() {
	if m.abstract != nil {
		m.out.Inherited = append(m.out.Inherited, m.abstract.Inherited...)
		m.out.Inherited = append(m.out.Inherited, m.abstract.Invariants...)
	}
	r := rule{scope: m.scope, visible: m.notDisappeared(m.scope), infer: inScope(m.scope)}
	m.out.Invariants = m.predicates(clause{
		predicates: m.src.Invariants, kind: invariantLabel, used: m.labels, rule: func(*lang.Predicate) rule { return r }, drop: m.inaccurate,
	})
}

// settleVariables reports variables without a type, and lists the others.
func (m *machine) settleVariables() {
	for _, symbol := range m.scope.order {
		if symbol.kind != variable {
			continue
		}
		if symbol.typ == logic.NoType {
			m.found.untyped(symbol)
			m.found.follows(m.unread[symbol.name] || m.garbled)
			symbol.faulty = true
		} else if !symbol.faulty {
			m.out.Variables = append(m.out.Variables, model.Variable{Ident: m.ident(symbol), Abstract: symbol.abstract, Concrete: symbol.concrete})
		}
		symbol.settled = true
	}
}

// variants checks the variants and returns the places of the valid ones.
func (m *machine) variants() []place {
	var valid []place
	visible := m.notDisappeared(m.scope)
	r := rule{scope: m.scope, visible: func(at place, name string) *symbol {
		x := visible(at, name)
		// A variant is about the states of this machine, which have no abstract variables.
		if x != nil && x.kind == variable && !x.concrete {
			m.found.variantFreeIdentifier(at, name)
			return nil
		}
		return x
	}}
	for _, variant := range m.src.Variants {
		at := m.at(variant.Source.Span, variant.Label.Text)
		label := m.label(m.labels, variantLabel, variant.Label, place{variant.Label.Span, at.element})
		term, ok := m.variant(variant, label, r, at)
		if ok {
			m.out.Variants = append(m.out.Variants, &model.Variant{Label: variant.Label.Text, Term: term, Origin: m.origin("", variant.Label, variant.Doc)})
			valid = append(valid, at)
		}
		if label != nil {
			label.settled = true
			label.faulty = label.faulty || !ok
		}
	}
	m.hasVariant = len(valid) > 0
	return valid
}

func (m *machine) variant(v *lang.Variant, l *label, r rule, at place) (logic.Term, bool) {
	if v.Source.Absent {
		m.found.expressionUndef(at)
		return 0, false
	}
	term, ok := m.formula(&v.Source, v.Formula, l, r, at)
	if !ok {
		return 0, false
	}
	if typ := m.bank.Type(term); typ != logic.IntType && m.bank.Elem(typ) == logic.NoType {
		m.found.invalidVariantType(at, m.typeText(typ))
		return 0, false
	}
	return term, true
}

// events checks all events: first their labels and what they refine, then their bodies.
func (m *machine) events() {
	var events []*event
	init := false
	// What an event refines, and whether it can stay, must be known of all before the first
	// body is checked: labels clash in pairs, and statuses depend on the variant alone.
	for _, src := range m.src.Events {
		label := m.label(m.labels, eventLabel, src.Label, m.at(src.Label.Span, src.Label.Text))
		if label == nil {
			continue
		}
		e := m.newEvent(src, label)
		events = append(events, e)
		if !e.fits() {
			label.faulty = true
			continue
		}
		if e.isInit() {
			init = true
		} else if u := strings.ToUpper(src.Label.Text); u == model.InitLabel || u == "INITIALIZATION" {
			m.found.initMisspelled(e.place(), src.Label.Text)
		}
	}
	if !init {
		m.found.withoutInitialisation(m.at(m.src.Name.Span))
		m.found.follows(slices.ContainsFunc(m.src.Events, func(e *lang.Event) bool { return e.Label.Text == model.InitLabel }))
	}
	if m.abstract != nil {
		for _, a := range m.abstract.Events {
			if !m.refinedEvent[a] && !m.closed(a) {
				m.found.abstractEventNotRefined(m.at(m.refines.Span), a.Label)
				// What stands here under its name, or what could not be read, was to refine it.
				m.found.follows(slices.ContainsFunc(events, func(e *event) bool {
					return e.out.Label == a.Label || len(e.out.Refines) < len(e.src.Refines)
				}))
			}
		}
	}
	for _, e := range events {
		e.check()
		if !e.label.faulty {
			m.out.Events = append(m.out.Events, e.out)
		}
	}
}

// closed reports whether e has the guard ⊥.
func (m *machine) closed(e *model.Event) bool {
	for _, g := range e.Guards {
		if m.bank.Op(g.Term) == logic.False {
			return true
		}
	}
	return false
}
