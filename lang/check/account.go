package check

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
)

// An account compares what was written of a component with what the model has of
// it, element by element, without regard to how the checker came there: a model is
// whole if the account finds all of the source in it, and nothing else. What the
// checker drops, repairs or forgets shows here by itself.
type account struct {
	lost string // the first element that does not match, in the order of the source
}

// lose notes that an element does not match.
func (a *account) lose(format string, args ...any) {
	if a.lost == "" {
		a.lost = fmt.Sprintf(format, args...)
	}
}

// lostOf returns what of a component, with the given result, is lost; "" if it is
// whole. read says that the reader has left nothing of its file out.
func (k *component) lostOf(of model.Component, read bool) string {
	a := &account{}
	switch {
	case !read:
		a.lose("not all of its file could be read")
	case k.doubled[source{k.src.Kind, k.src.Name.Text}]:
		a.lose("there is another %s of this name", of.Kind())
	case of.Context != nil:
		a.context(k.src, of.Context)
	default:
		a.machine(k.src, of.Machine)
	}
	if i := slices.IndexFunc(k.found, func(problem diag.Diagnostic) bool { return problem.Severity == diag.Error }); i >= 0 {
		a.lose("%s: %s", k.found[i].Element, k.found[i].Message)
	}
	return a.lost
}

func (a *account) context(src *lang.Component, c *model.Context) {
	if len(src.Refines)+len(src.Sees)+len(src.Variables)+len(src.Invariants)+len(src.Variants)+len(src.Events) > 0 {
		a.lose("it holds elements of machines")
	}
	a.names("extended context", src.Extends, contextNames(c.Extends))
	a.names("carrier set", src.Sets, identNames(c.Sets))
	a.names("constant", src.Constants, identNames(c.Constants))
	a.predicates("axiom", src.Axioms, c.Axioms)
}

// machine compares a machine of the source with what was made of it.
func (a *account) machine(src *lang.Component, m *model.Machine) {
	if len(src.Extends)+len(src.Sets)+len(src.Constants)+len(src.Axioms) > 0 {
		a.lose("it holds elements of contexts")
	}
	var refines, sees []string
	if m.Refines != nil {
		refines = []string{m.Refines.Name}
	}
	a.names("refined machine", src.Refines, refines)
	for _, context := range m.Sees {
		// A machine sees what the machine sees that it refines, said or not.
		said := slices.ContainsFunc(src.Sees, func(name lang.Name) bool { return name.Text == context.Name })
		if said || m.Refines == nil || !slices.Contains(m.Refines.Contexts, context) {
			sees = append(sees, context.Name)
		}
	}
	a.names("seen context", src.Sees, sees)
	var variables []string
	for _, variable := range m.Variables {
		if variable.Concrete {
			variables = append(variables, variable.Name)
		}
	}
	a.names("variable", src.Variables, variables)
	a.predicates("invariant", src.Invariants, m.Invariants)
	a.variants(src.Variants, m.Variants)
	a.events(src.Events, m)
}

func (a *account) variants(src []*lang.Variant, out []*model.Variant) {
	var labels []string
	for _, variant := range out {
		labels = append(labels, variant.Label)
	}
	var names []lang.Name
	for _, variant := range src {
		a.parsed("variant", variant.Label, variant.Source, variant.Formula != nil)
		names = append(names, variant.Label)
	}
	a.labels("variant", names, labels)
}

// events compares the events of a machine with what was made of them.
func (a *account) events(src []*lang.Event, machine *model.Machine) {
	var names []lang.Name
	for _, event := range src {
		names = append(names, event.Label)
	}
	var labels []string
	initialised := false
	for _, event := range machine.Events {
		labels = append(labels, event.Label)
		initialised = initialised || event.IsInit()
	}
	a.labels("event", names, labels)
	if !initialised {
		a.lose("event %s is missing, with which every run begins", model.InitLabel)
	}
	if a.lost != "" {
		return // the events do not stand side by side
	}
	for i, event := range src {
		of := &account{}
		of.event(event, machine.Events[i], machine)
		if of.lost != "" {
			a.lose("event %s: %s", event.Label.Text, of.lost)
		}
	}
}

// event compares an event of the source with what was made of it.
func (a *account) event(src *lang.Event, e *model.Event, machine *model.Machine) {
	var refines []string
	for _, r := range e.Refines {
		refines = append(refines, r.Label)
	}
	if e.IsInit() {
		// It refines the abstract one, without a word.
		var want []string
		if machine.Refines != nil {
			want = []string{model.InitLabel}
		}
		if !slices.Equal(refines, want) {
			a.lose("it does not refine the abstract one")
		}
		refines = slices.DeleteFunc(want, func(string) bool { return len(src.Refines) == 0 }) // saying it does no harm
	}
	a.names("refined event", src.Refines, refines)
	if e.Convergence != convergences[src.Convergence] || src.NoConvergence {
		a.lose("its status was changed")
	}
	if e.Extended != src.Extended || src.NoExtended {
		a.lose("it is unclear whether it is extended")
	}
	var above model.Event // what it inherits
	if e.Extended && len(e.Refines) == 1 {
		above = *e.Refines[0]
	}
	n, own := inherited(e.Parameters, above.Parameters)
	a.names("parameter", src.Parameters, identNames(own))
	g, guards := inherited(e.Guards, above.Guards)
	a.predicates("guard", src.Guards, guards)
	c, actions := inherited(e.Actions, above.Actions)
	a.actions(src.Actions, actions)
	if !n || !g || !c {
		a.lose("a part of what it inherits is missing")
	}
	a.witnesses(src.Witnesses, e.Witnesses)
}

// inherited reports whether all begins with what is inherited, and returns the rest.
func inherited[T comparable](all, above []T) (ok bool, own []T) {
	if len(all) < len(above) || !slices.Equal(all[:len(above)], above) {
		return false, all
	}
	return true, all[len(above):]
}

// predicates compares a list of predicates with what was made of it. what names one of them in messages.
func (a *account) predicates(what string, src []*lang.Predicate, out []*model.Predicate) {
	var names []lang.Name
	for _, predicate := range src {
		a.parsed(what, predicate.Label, predicate.Source, predicate.Formula != nil)
		names = append(names, predicate.Label)
	}
	var labels []string
	for _, predicate := range out {
		labels = append(labels, predicate.Label)
	}
	a.labels(what, names, labels)
	for i := range min(len(src), len(out)) {
		if src[i].Theorem != out[i].Theorem {
			a.lose("%s %s became a theorem, or is no longer one", what, out[i].Label)
		}
	}
}

func (a *account) actions(src []*lang.Action, out []*model.Action) {
	var names []lang.Name
	for _, action := range src {
		a.parsed("action", action.Label, action.Source, action.Assignment != nil)
		if action.Assignment == nil || action.Assignment.Kind != lang.Skip { // skip changes nothing and has no counterpart
			names = append(names, action.Label)
		}
	}
	var labels []string
	for _, action := range out {
		labels = append(labels, action.Label)
	}
	a.labels("action", names, labels)
}

func (a *account) witnesses(src []*lang.Predicate, out []*model.Witness) {
	var names []lang.Name
	for _, predicate := range src {
		a.parsed("witness", predicate.Label, predicate.Source, predicate.Formula != nil)
		names = append(names, predicate.Label)
	}
	var labels []string
	for _, witness := range out {
		labels = append(labels, witness.Label)
	}
	a.labels("witness", names, labels)
}

// parsed checks that the formula of an element has been read without a problem.
func (a *account) parsed(what string, label lang.Name, src lang.Source, formula bool) {
	if !formula || src.Absent || len(src.Problems) > 0 {
		a.lose("%s %s has no formula that could be read", what, label.Text)
	}
}

// labels checks that the labelled elements src are those of out, in this order.
// Elements without label have been given one.
func (a *account) labels(what string, src []lang.Name, out []string) {
	for i, n := range src {
		if i == len(out) || out[i] != n.Text && !n.Absent {
			a.lose("%s %s is missing", what, n.Text)
			return
		}
	}
	if len(out) > len(src) {
		a.lose("%s %s was added", what, out[len(src)])
	}
}

// names checks that the names src are those of out, each there at least once, in
// any order.
func (a *account) names(what string, src []lang.Name, out []string) {
	for _, n := range src {
		if n.Absent || !slices.Contains(out, n.Text) {
			a.lose("%s %s is missing", what, n.Text)
			return
		}
	}
	for _, name := range out {
		if !slices.ContainsFunc(src, func(n lang.Name) bool { return n.Text == name }) {
			a.lose("%s %s was added", what, name)
			return
		}
	}
}

func contextNames(cs []*model.Context) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Name)
	}
	return out
}

func identNames(xs []model.Ident) []string {
	var out []string
	for _, x := range xs {
		out = append(out, x.Name)
	}
	return out
}

// whole settles what of the component is lost, and whether it and all that it
// builds on are whole.
func (k *component) whole(of model.Component) (whole bool, lost string) {
	lost = k.lostOf(of, k.read[k.src])
	whole = lost == ""
	for _, c := range of.BuildsOn() {
		whole = whole && c.Whole()
	}
	return whole, lost
}

var convergences = map[lang.Convergence]model.Convergence{
	lang.Ordinary: model.Ordinary, lang.Anticipated: model.Anticipated, lang.Convergent: model.Convergent,
}
