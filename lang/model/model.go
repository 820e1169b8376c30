// Package model represents the checked development: contexts, machines and events with typed
// formulas. Package lang/check builds the values; afterwards they are immutable.
//
// All terms of a development are in one frozen bank. They carry hints for printing as the
// author wrote them. To compare terms, use Bank.Bare.
package model

import (
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/logic"
)

// Development is one checked project. Components stand in dependency order:
// a context after those it extends, a machine after what it sees and refines.
type Development struct {
	Project  string
	Bank     *logic.Bank // frozen
	Contexts []*Context
	Machines []*Machine
}

// Context returns the context called name, or nil.
func (d *Development) Context(name string) *Context {
	for _, c := range d.Contexts {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Machine returns the machine called name, or nil.
func (d *Development) Machine(name string) *Machine {
	for _, m := range d.Machines {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Terms returns the terms of predicates.
func Terms(ps []*Predicate) []logic.Term {
	out := make([]logic.Term, len(ps))
	for i, p := range ps {
		out[i] = p.Term
	}
	return out
}

// Origin says where an element was written. Inherited elements keep the origin
// of the component that owns them.
type Origin struct {
	Component string // name of the owning component
	Event     string // label of the owning event, or ""
	Span      diag.Span
	Doc       string
}

// Ident is a declared identifier.
type Ident struct {
	Name   string
	Term   logic.Term // Free, or Given for a carrier set
	Origin Origin
}

// Predicate is a labelled, typed predicate.
type Predicate struct {
	Label   string
	Theorem bool
	Term    logic.Term
	Origin  Origin
}

// Context is a checked context.
type Context struct {
	Name      string
	Origin    Origin
	Accurate  bool       // no axiom or clause of it or its ancestors was dropped; its obligations say so
	Whole     bool       // all that was written of it and its ancestors is in the model, as it was written
	Lost      string     // what of its own is not, if Whole is false for that reason
	Extends   []*Context // direct, in source order
	Ancestors []*Context // all extended contexts, each once, in Rodin's order of inclusion
	Sets      []Ident    // own
	Constants []Ident    // own
	Axioms    []*Predicate
}

// Facts returns what may be assumed in c: the axioms of its ancestors, then its own.
func (c *Context) Facts() []*Predicate {
	var out []*Predicate
	for _, a := range c.Ancestors {
		out = append(out, a.Axioms...)
	}
	return append(out, c.Axioms...)
}

// Machine is a checked machine.
type Machine struct {
	Name     string
	Origin   Origin
	Accurate bool   // no invariant or clause of it or what it builds on was dropped; see Event.Accurate
	Whole    bool   // all that was written of it, its events and what it builds on is in the model, as it was written
	Lost     string // what of its own is not, if Whole is false for that reason
	Refines  *Machine
	Sees     []*Context // direct
	Contexts []*Context // all seen contexts with their ancestors, each once, in Rodin's order

	Variables  []Variable   // all: kept, new, and those that disappeared here or earlier
	Inherited  []*Predicate // invariants of the abstract machines, oldest first
	Invariants []*Predicate // own
	Variants   []*Variant
	Events     []*Event // INITIALISATION first if the source has it there; source order
}

// Axioms returns the axioms of all contexts that m sees.
func (m *Machine) Axioms() []*Predicate {
	var out []*Predicate
	for _, c := range m.Contexts {
		out = append(out, c.Axioms...)
	}
	return out
}

// Facts returns what may be assumed in every state of m: axioms, inherited
// invariants, own invariants, in the order of the hypotheses of its obligations.
func (m *Machine) Facts() []*Predicate {
	return slices.Concat(m.Axioms(), m.Inherited, m.Invariants)
}

// Event returns the event labelled so, or nil.
func (m *Machine) Event(label string) *Event {
	for _, e := range m.Events {
		if e.Label == label {
			return e
		}
	}
	return nil
}

// Variable is a variable of a machine or of one of its abstractions.
type Variable struct {
	Ident
	Abstract bool // declared by the refined machine
	Concrete bool // declared by this machine
}

// Variant is a labelled, typed expression of type ℤ or ℙ(τ).
type Variant struct {
	Label  string
	Term   logic.Term
	Origin Origin
}

// Convergence is the status of an event, weakest first.
type Convergence uint8

// The statuses.
const (
	Ordinary Convergence = iota
	Anticipated
	Convergent
)

func (c Convergence) String() string {
	return [...]string{"ordinary", "anticipated", "convergent"}[c]
}

// InitLabel is the label of the initialisation.
const InitLabel = "INITIALISATION"

// Event is a checked event. With Extended, what it inherits is already in it,
// before its own parameters, guards and actions.
type Event struct {
	Label       string
	Origin      Origin
	Accurate    bool // nothing of it was dropped or repaired
	Convergence Convergence
	Extended    bool
	Path        bool     // a path of a program: if it is not possible, that is no mistake
	Refines     []*Event // abstract events; INITIALISATION refines the abstract one implicitly
	Parameters  []Ident
	Guards      []*Predicate
	Witnesses   []*Witness
	Actions     []*Action
}

// IsInit reports whether e is the initialisation.
func (e *Event) IsInit() bool { return e.Label == InitLabel }

// Ancestors are the events that e refines the given number of machines up: e itself for 0, several where events are merged,
// none where e is new in between.
func (e *Event) Ancestors(levels int) []*Event {
	at := []*Event{e}
	for range levels {
		var up []*Event
		for _, x := range at {
			up = append(up, x.Refines...)
		}
		at = up
	}
	return at
}

// Witness is a predicate for the abstract parameter or primed variable Label.
type Witness struct {
	Label  string
	Ident  logic.Term // the identifier of that name
	Term   logic.Term
	Origin Origin
}

// AssignKind is the operator of an assignment.
type AssignKind uint8

// The assignments. Function updates are desugared to BecomesEqual.
const (
	BecomesEqual AssignKind = iota // x, y ≔ E, F
	BecomesIn                      // x :∈ S
	BecomesSuch                    // x, y :∣ P, P over x', y' as free identifiers
)

// Action is a labelled, typed assignment.
type Action struct {
	Label  string
	Kind   AssignKind
	Left   []logic.Term // the variables assigned
	Right  []logic.Term // the expressions; the set; the predicate
	Origin Origin
}
