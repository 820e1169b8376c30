package names

import (
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/project"
)

// Kind tells what a name stands for, or what an element of a text is.
type Kind uint8

// The kinds of names, labels last.
const (
	Context Kind = iota
	Machine
	Set
	Constant
	Variable
	Parameter
	Bound // by a quantifier
	Event
	Axiom
	Invariant
	Variant
	Guard
	Witness
	Action
)

func (k Kind) String() string {
	return [...]string{"context", "machine", "carrier set", "constant", "variable", "parameter", "bound variable", "event", "axiom", "invariant", "variant", "guard", "witness", "action"}[k]
}

// Labelled reports whether the name of such a thing is a label, which formulas do not use.
func (k Kind) Labelled() bool { return k >= Axiom }

// Entity is one declaration.
type Entity struct {
	Kind      Kind
	Project   *project.Project
	Component *lang.Component
	Event     *lang.Event // of a parameter or a label in one, and of an event
	Name      string
	Decl      diag.Span
	Doc       string
	Text      string // what a labelled element says

	same *Entity // the declaration further up that this one continues; nil for none
}

// Root is the first declaration of what e is: a variable that a refinement keeps is the
// same variable.
func (e *Entity) Root() *Entity {
	for e.same != nil {
		e = e.same
	}
	return e
}

// unite says that e and other are one.
func (e *Entity) unite(other *Entity) {
	if a, b := e.Root(), other.Root(); a != b {
		a.same = b
	}
}

// Occurrence is a place where a name stands for something.
type Occurrence struct {
	Span     diag.Span
	To       *Entity
	Declares bool
}

// Type is the type of e, "" if it has none.
func (e *Entity) Type() string {
	if e.Project == nil || e.Project.Dev == nil {
		return ""
	}
	idents := func(list []model.Ident) string {
		for _, ident := range list {
			if ident.Name == e.Name {
				bank := e.Project.Dev.Bank
				return text.Type(bank, bank.Type(ident.Term))
			}
		}
		return ""
	}
	// The checker's names, not those of the text: a component with errors has them in part.
	switch e.Kind {
	case Set, Constant:
		if c := e.Project.Dev.Context(e.Component.Name.Text); c != nil {
			return idents(append(slices.Clone(c.Sets), c.Constants...))
		}
	case Variable:
		if m := e.Project.Dev.Machine(e.Component.Name.Text); m != nil {
			for _, v := range m.Variables {
				if t := idents([]model.Ident{v.Ident}); t != "" {
					return t
				}
			}
		}
	case Parameter:
		if m := e.Project.Dev.Machine(e.Component.Name.Text); m != nil {
			if event := m.Event(e.Event.Label.Text); event != nil {
				return idents(event.Parameters)
			}
		}
	}
	return ""
}
