package model

import "slices"

// Component is a context or a machine; the other field is nil. A context and a
// machine may share a name, so what belongs to a component is kept by this value,
// which is comparable, and never by a name.
type Component struct {
	Context *Context
	Machine *Machine
}

// Components returns all components of d, contexts first, each behind what it
// builds on.
func (d *Development) Components() []Component {
	var out []Component
	for _, c := range d.Contexts {
		out = append(out, Component{Context: c})
	}
	for _, m := range d.Machines {
		out = append(out, Component{Machine: m})
	}
	return out
}

// Below returns c and all that it builds on, directly or through others, in the order of
// Components.
func (d *Development) Below(c Component) []Component {
	below := []Component{c}
	for i := 0; i < len(below); i++ {
		for _, next := range below[i].BuildsOn() {
			if !slices.Contains(below, next) {
				below = append(below, next)
			}
		}
	}
	return slices.DeleteFunc(d.Components(), func(x Component) bool { return !slices.Contains(below, x) })
}

// Name returns the name of c.
func (c Component) Name() string {
	if c.Machine != nil {
		return c.Machine.Name
	}
	return c.Context.Name
}

// Kind says what c is: "context" or "machine".
func (c Component) Kind() string {
	if c.Machine != nil {
		return "machine"
	}
	return "context"
}

// Whole reports whether all that was written of c, and of what it builds on, is in
// the model as it was written.
func (c Component) Whole() bool {
	if c.Machine != nil {
		return c.Machine.Whole
	}
	return c.Context.Whole
}

// Lost names something that was written of c and is not in the model as it was
// written; it is "" if c itself has all.
func (c Component) Lost() string {
	if c.Machine != nil {
		return c.Machine.Lost
	}
	return c.Context.Lost
}

// BuildsOn returns the components whose axioms and invariants c takes over.
func (c Component) BuildsOn() []Component {
	var contexts []*Context
	var out []Component
	if machine := c.Machine; machine != nil {
		contexts = machine.Contexts
		if machine.Refines != nil {
			out = append(out, Component{Machine: machine.Refines})
		}
	} else {
		contexts = c.Context.Ancestors
	}
	for _, context := range contexts {
		out = append(out, Component{Context: context})
	}
	return out
}
