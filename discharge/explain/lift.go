package explain

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
)

// Lift lifts the counterexample of a refuted obligation; it is nil for others. A fault costs
// what it shows, and not the verdict.
func Lift(result verdict.Result) (violation *verdict.Violation) {
	switch {
	case result.Counterexample == nil:
		return nil
	case result.Shown != nil:
		return result.Shown
	}
	fault := seam.Contain(context.Background(), seam.Counterexample, result.Component+"/"+result.Name, func(context.Context) { violation = lift(result) })
	if fault != nil {
		return &verdict.Violation{Failing: "the counterexample cannot be shown: internal error: " + fault.Error(), Reach: result.Reach, Fault: fault.Error()}
	}
	return violation
}

// lift describes a counterexample in terms of the machine: its state, its event, and what is violated.
func lift(result verdict.Result) *verdict.Violation {
	x := result.Counterexample
	// What a hint makes of an obligation has a bank of its own, in which the events are not.
	whole := result.Obligation
	for part := whole.PartOf(); part != nil; part = whole.PartOf() {
		whole = part
	}
	l := lifter{r: result, b: whole.Bank().Extend()}
	l.m, l.part = x.Model.Listed(l.b, listSteps), x.Part
	if whole != result.Obligation {
		l.part = logic.NewImporter(l.b, result.Bank(), false).Term(x.Part)
	}
	l.e = eval.New(l.b, l.m, 1<<18)
	l.kinds = l.kindsOf()
	l.names = l.elementNames()
	violation := &verdict.Violation{Failing: l.failing(), Reach: result.Reach}
	l.state(violation)
	l.rest(violation)
	return violation
}

type lifter struct {
	r     verdict.Result
	b     *logic.Bank
	m     *eval.Model // of the counterexample, for terms of b
	part  logic.Term  // of the goal, which is false
	e     *eval.Evaluator
	kinds map[string]byte
	names *strings.Replacer // elements of carrier sets → their names
}

func (l *lifter) print(v eval.Value) string {
	return l.names.Replace(l.m.Space.String(v))
}

// failing prints the part of the goal that is false; variables bound around it
// are shown as their values.
func (l *lifter) failing() string {
	x, part := l.r.Counterexample, l.part
	if n := l.b.Depth(part); n > 0 && n <= len(x.Values) {
		values := x.Values[len(x.Values)-n:]
		shown := make([]logic.Term, n)
		for i, typ := range l.boundTypes(part, n) {
			shown[i] = l.b.Free(l.names.Replace(x.Model.Space.String(values[i])), typ)
		}
		part = l.b.Instantiate(part, shown)
	}
	return text.Options{Untyped: true, Spaced: true}.Term(l.b, part)
}

// boundTypes returns the types of the n variables bound around t, the outermost
// first; a variable that does not occur counts as an integer.
func (l *lifter) boundTypes(t logic.Term, n int) []logic.Type {
	types := make([]logic.Type, n)
	for i := range types {
		types[i] = logic.IntType
	}
	var visit func(t logic.Term, level int)
	visit = func(t logic.Term, level int) {
		if l.b.Depth(t) <= level {
			return
		}
		if l.b.Op(t) == logic.Bound {
			types[n-1-(l.b.Index(t)-level)] = l.b.Type(t)
			return
		}
		if l.b.Op(t).IsBinder() {
			level += len(l.b.Decls(t))
		}
		for _, a := range l.b.Args(t) {
			visit(a, level)
		}
	}
	visit(t, 0)
	return types
}

// listSteps bounds how long the members of the sets of a counterexample are listed.
const listSteps = 1 << 18

// maxElements is the size of the largest carrier set whose elements get names.
const maxElements = 64

// elementNames names the elements of carrier sets: by a constant that is this
// element, or else as `gradine explore` does, S1 for the first of S.
func (l *lifter) elementNames() *strings.Replacer {
	m := l.m
	named := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		if value := m.Values[name]; m.Space.Kind(value) == eval.Element && l.kinds[name] == 0 {
			named[m.Space.String(value)] = name
		}
	}
	var pairs []string
	for _, set := range slices.Sorted(maps.Keys(m.Carriers)) {
		// The largest number stands first: S#1 is the beginning of S#10.
		for i := min(m.Carriers[set], maxElements) - 1; i >= 0; i-- {
			printed, name := fmt.Sprintf("%s#%d", set, i), fmt.Sprintf("%s%d", set, i+1)
			if constant, ok := named[printed]; ok {
				name = constant
			} else if _, taken := m.Values[name]; taken {
				continue
			}
			pairs = append(pairs, printed, name)
		}
	}
	return strings.NewReplacer(pairs...)
}

// kindsOf tells variables v, parameters p and after-values a; the rest are constants.
func (l *lifter) kindsOf() map[string]byte {
	out := map[string]byte{}
	if l.r.Machine != nil {
		for _, variable := range l.r.Machine.Variables {
			out[variable.Name] = 'v'
			out[variable.Name+"'"] = 'a'
		}
	}
	for _, event := range l.events() {
		for _, ident := range event.Parameters {
			out[ident.Name] = 'p'
		}
	}
	return out
}

// events are those that the obligation is about.
func (l *lifter) events() []*model.Event {
	if l.r.Event == nil {
		return l.r.Abstract
	}
	return append(slices.Clone(l.r.Abstract), l.r.Event)
}

// state fills in the values of all variables of the machine and of the machine
// that it refines, before the event and after it.
func (l *lifter) state(violation *verdict.Violation) {
	if l.r.Machine == nil {
		return
	}
	values := l.m.Values
	after := l.assigned()
	for _, variable := range l.r.Machine.Variables {
		if !variable.Concrete && !variable.Abstract && !slices.Contains(l.r.Counterexample.Shown, variable.Name) {
			continue // it disappeared in a machine further up
		}
		old, known := values[variable.Name]
		known = known && (l.r.Event == nil || !l.r.Event.IsInit())
		if known {
			violation.Before = append(violation.Before, verdict.Binding{Name: variable.Name, Value: l.print(old)})
		}
		if l.r.Event == nil {
			continue
		}
		now, assigned := after[variable.Name]
		if !assigned {
			now, assigned = old, known
		}
		if assigned {
			violation.After = append(violation.After, verdict.Binding{Name: variable.Name, Value: l.print(now)})
			if known && l.print(now) != l.print(old) {
				violation.Changed = append(violation.Changed, l.change(variable.Name, old, now))
			}
		}
	}
}

// change tells how one value becomes another.
func (l *lifter) change(name string, old, now eval.Value) verdict.Change {
	c := verdict.Change{Name: name}
	space := l.m.Space
	if space.Kind(old) != eval.Set || space.Kind(now) != eval.Set {
		return c
	}
	without := func(some, others []eval.Value) (out []string) {
		for _, value := range some {
			if !slices.Contains(others, value) {
				out = append(out, l.print(value))
			}
		}
		return out
	}
	before, after := space.Members(old), space.Members(now)
	c.Removed, c.Added = without(before, after), without(after, before)
	return c
}

// assigned returns the values that the event gives variables, and those that the
// event which it refines gives to variables that only that one has.
func (l *lifter) assigned() map[string]eval.Value {
	out := map[string]eval.Value{}
	for _, event := range l.events() { // the concrete one last, so that it prevails
		for _, action := range event.Actions {
			for i, id := range action.Left {
				name := l.b.Name(id)
				if value, ok := l.after(action, i, name); ok {
					out[name] = value
				}
			}
		}
	}
	return out
}

// after is the value that action a gives its i-th variable: computed, if the
// action is deterministic; that of the counterexample, otherwise.
func (l *lifter) after(a *model.Action, i int, name string) (eval.Value, bool) {
	if a.Kind == model.BecomesEqual {
		return l.e.Expr(a.Right[i])
	}
	value, ok := l.m.Values[name+"'"]
	return value, ok
}

// rest fills in parameters, constants and carrier sets: those of the goal, of
// hypotheses about it, and of the event.
func (l *lifter) rest(violation *verdict.Violation) {
	x := l.r.Counterexample
	shown := slices.Clone(x.Shown)
	// Guards and actions too: a reader follows the event step by step, also where
	// the goal does not mention what it reads.
	var terms []logic.Term
	if event := l.r.Event; event != nil {
		for _, ident := range event.Parameters {
			shown = append(shown, ident.Name)
		}
		for _, predicate := range event.Guards {
			terms = append(terms, predicate.Term)
		}
		for _, action := range event.Actions {
			terms = append(terms, action.Right...)
		}
	}
	for _, term := range l.b.FreeIdents(terms...) {
		shown = append(shown, l.b.Name(term))
	}
	slices.Sort(shown)
	for _, name := range slices.Compact(shown) {
		value, ok := l.m.Values[name]
		if !ok || l.print(value) == name {
			continue
		}
		switch l.kinds[name] {
		case 'p':
			violation.Params = append(violation.Params, verdict.Binding{Name: name, Value: l.print(value)})
		case 0:
			violation.Constants = append(violation.Constants, verdict.Binding{Name: name, Value: l.print(value)})
		}
	}
	violation.Constants = append(l.carriers(violation), violation.Constants...)
}

// carriers lists the carrier sets that the values of v have elements of, but for
// those whose elements are all constants.
func (l *lifter) carriers(violation *verdict.Violation) []verdict.Binding {
	m := l.m
	var out []verdict.Binding
	for _, set := range slices.Sorted(maps.Keys(m.Carriers)) {
		n := m.Carriers[set]
		if n < 1 || n > maxElements {
			continue
		}
		var elems []string
		for i := range n {
			elems = append(elems, l.print(m.Space.Element(set, i)))
		}
		if !slices.ContainsFunc(elems, func(e string) bool { _, constant := m.Values[e]; return !constant }) {
			continue
		}
		if slices.ContainsFunc(slices.Concat(violation.Constants, violation.Params, violation.Before, violation.After), func(b verdict.Binding) bool {
			return slices.ContainsFunc(elems, func(e string) bool { return mentions(b.Value, e) })
		}) {
			out = append(out, verdict.Binding{Name: set, Value: "{" + strings.Join(elems, ", ") + "}"})
		}
	}
	return out
}

// mentions reports whether a printed value has an element of that name in it.
func mentions(value, element string) bool {
	return slices.Contains(strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("{}(), ↦", r) }), element)
}
