package po

import (
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Obligation is one proof obligation. Its terms carry hints; provers want
// Sequent().Bare().
type Obligation struct {
	Project   string
	Component string
	Name      string // unique within the component, but for ambiguous labels
	Kind      Kind
	Nature    string // what the obligation is for, in Rodin's words
	Accurate  bool   // the static checker dropped and repaired nothing that matters here
	Sources   []Source
	Goal      logic.Term

	// What the obligation is about, as far as it applies.
	Development *model.Development
	Context     *model.Context
	Machine     *model.Machine
	Event       *model.Event
	Abstract    []*model.Event   // the events that Event refines
	Predicate   *model.Predicate // the axiom, invariant or guard

	bank   *logic.Bank
	hyps   hypotheses
	number int // place among those of its component, from 1; 0 if it is none of them
	part   *part
}

// part is what makes an obligation part of another one.
type part struct {
	of     *Obligation
	hyps   []logic.Term
	labels []string
	sel    []int
}

// Part returns an obligation that is part of o: s, whose bank must be frozen, under a
// name of its own behind that of o. Labels name the hypotheses of s.
func (o *Obligation) Part(name, nature string, kind Kind, s logic.Sequent, labels []string) *Obligation {
	out := *o
	out.Name, out.Nature, out.Kind, out.Goal, out.bank = o.Name+"/"+name, nature, kind, s.Goal, s.Bank
	out.part = &part{of: o, hyps: s.Hyps, labels: labels, sel: s.Selected}
	return &out
}

// PartOf returns the obligation that o is part of, or nil.
func (o *Obligation) PartOf() *Obligation {
	if o.part == nil {
		return nil
	}
	return o.part.of
}

// Of returns the component that o belongs to.
func (o *Obligation) Of() model.Component {
	if o.Machine != nil {
		return model.Component{Machine: o.Machine}
	}
	return model.Component{Context: o.Context}
}

// ID tells an obligation of a development from all others, however often the
// development is asked for them. Names do not: labels may hold slashes, and a
// context and a machine may share a name.
type ID struct {
	of     model.Component
	name   string
	number int // obligations that Rodin does not have come last
}

// Path is what people call o: its component and its name. Others may share it, see ID.
func (o *Obligation) Path() string { return o.Component + "/" + o.Name }

// ID returns the identity of o.
func (o *Obligation) ID() ID { return ID{o.Of(), o.Name, o.number} }

// Source is an element of the model that an obligation comes from.
type Source struct {
	Role    Role
	Element string // "event", "guard", …
	Label   string
	Origin  model.Origin
}

// Span is the place of the element.
func (s Source) Span() diag.Span { return s.Origin.Span }

// Role tells whether a source stands in the refinement or in what it refines.
type Role uint8

// The roles, in Rodin's words.
const (
	Default Role = iota
	Abstract
	Concrete
)

func (r Role) String() string { return [...]string{"DEFAULT", "ABSTRACT", "CONCRETE"}[r] }

// hypotheses is a chain of three lists, of which the first two are shared: those
// of the component, of the event, and of the obligation.
type hypotheses struct {
	component, event, local []logic.Term

	from, to int // these are selected
	also     int // and this one, which stands before them; -1 if none
}

// Sequent returns the hypotheses and the goal. Hypotheses stand in the order
// axioms, abstract invariants, invariants, guards, local ones; some may occur
// twice. Bank is shared by the component's obligations and frozen.
func (o *Obligation) Sequent() logic.Sequent {
	if o.part != nil {
		return logic.Sequent{Bank: o.bank, Goal: o.Goal, Hyps: o.part.hyps, Selected: o.part.sel}
	}
	s := logic.Sequent{Bank: o.bank, Goal: o.Goal, Hyps: slices.Concat(o.hyps.component, o.hyps.event, o.hyps.local)}
	if o.hyps.also >= 0 {
		s.Selected = append(s.Selected, o.hyps.also)
	}
	for i := o.hyps.from; i < o.hyps.to; i++ {
		s.Selected = append(s.Selected, i)
	}
	return s
}

// Bank returns the frozen bank of the obligation's terms.
func (o *Obligation) Bank() *logic.Bank { return o.bank }

// Local returns the hypotheses that stand after those of the component and the
// event. The caller must not change them.
func (o *Obligation) Local() []logic.Term { return o.hyps.local }
