package check

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// component is the check of one context or machine.
type component struct {
	*checker
	src      *lang.Component
	found    findings
	scope    *symbols
	labels   labels
	accurate bool

	unread  map[string]bool // names in formulas that were dropped: their types may be missing for that reason
	lacks   bool            // a component that it names cannot be had: so may be declarations
	garbled bool            // a formula could not be parsed
}

// clause is a list of labelled predicates: axioms, invariants or guards.
type clause struct {
	predicates []*lang.Predicate
	kind       labelKind
	used       labels
	event      string // the event they belong to, or ""
	rule       func(*lang.Predicate) rule
	drop       func() // called for each one that is dropped
}

// at is the place of the element with the given path below the component.
// Elements without name are shown as the one they belong to.
func (k *component) at(span diag.Span, path ...string) place {
	element := k.src.Name.Text
	for _, p := range path {
		if p != "" {
			element += "/" + p
		}
	}
	return place{span, element}
}

func (k *component) origin(event string, n lang.Name, doc string) model.Origin {
	return model.Origin{Component: k.src.Name.Text, Event: event, Span: n.Span, Doc: doc}
}

func (k *component) inaccurate() { k.accurate = false }

// configured reports whether the component has a configuration.
func (k *component) configured() bool {
	if k.src.NoConfiguration {
		k.found.configurationMissing(k.at(diag.Span{File: k.src.Span.File}))
		return false
	}
	return true
}

// machine is the check of one machine.
type machine struct {
	*component
	abstract     *model.Machine
	refines      lang.Name // the clause that names abstract
	out          *model.Machine
	hasVariant   bool
	usesVariant  bool
	refinedEvent map[*model.Event]bool
}

// event is the check of one event.
type event struct {
	*machine
	src      *lang.Event
	label    *label
	scope    *symbols // the parameters, above the scope of the machine
	labels   labels
	out      *model.Event
	clauses  []lang.Name // the valid REFINES clauses; none for the initialisation
	accurate bool
}

func (m *machine) newEvent(src *lang.Event, l *label) *event {
	return &event{
		machine: m, src: src, label: l, scope: newSymbols(m.scope), labels: labels{}, accurate: true,
		out: &model.Event{Label: src.Label.Text, Path: src.Path, Origin: m.origin(src.Label.Text, src.Label, src.Doc)},
	}
}

func (e *event) isInit() bool { return e.out.IsInit() }

func (e *event) place() place { return e.at(e.src.Label.Span, e.src.Label.Text) }

func (e *event) inaccurate() { e.accurate = false }

// clauseAt is the place of REFINES clause n.
func (e *event) clauseAt(n lang.Name) place { return e.at(n.Span, e.src.Label.Text) }

// rule is how the formulas of one clause are checked.
type rule struct {
	scope *symbols
	// visible returns the symbol of a name that a formula uses, or reports why it may not and returns nil.
	visible func(at place, name string) *symbol
	// lookup gives the types in scope; nil for those of scope.
	lookup func(string) (logic.Type, bool)
	// infer takes a type that a formula gives to an identifier, or reports why it may not and returns false; nil to allow none.
	infer func(at place, t Typing) bool
}
