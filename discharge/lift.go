package discharge

import (
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
)

// Binding is a name and its value, printed.
type Binding struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Violation is a countermodel lifted to the machine: what the state is before
// the event, which parameters it takes, what it changes, and which part of the
// goal is false. It satisfies the hypotheses, invariants among them; whether the
// state can be reached is another question.
type Violation struct {
	Constants []Binding `json:"constants,omitempty"`
	Before    []Binding `json:"before,omitempty"`
	Params    []Binding `json:"params,omitempty"`
	After     []Binding `json:"after,omitempty"` // variables that the event assigns
	Failing   string    `json:"failing"`         // the part of the goal that is false
}

// Lift lifts the countermodel of a refuted obligation. Only what a reader needs
// is in it: identifiers of the goal, and those that hypotheses about them mention.
func Lift(r Result) *Violation {
	x := r.Counterexample
	if x == nil {
		return nil
	}
	l := lifter{r: r, b: r.Bank().Extend()}
	l.e = eval.New(l.b, x.Model, 1<<18)
	kinds := l.kinds()
	l.names = elementNames(x.Model, kinds)
	v := &Violation{Failing: l.failing()}
	for _, name := range x.Shown {
		value, ok := x.Model.Values[name]
		if !ok {
			continue
		}
		into := map[byte]*[]Binding{'v': &v.Before, 'p': &v.Params, 0: &v.Constants}[kinds[name]]
		if into != nil && l.print(value) != name {
			*into = append(*into, Binding{name, l.print(value)})
		}
	}
	if r.Event != nil {
		for _, a := range r.Event.Actions {
			l.after(v, a)
		}
	}
	return v
}

type lifter struct {
	r     Result
	b     *logic.Bank
	e     *eval.Evaluator
	names *strings.Replacer // elements of carrier sets → constants
}

func (l *lifter) print(v eval.Value) string {
	return l.names.Replace(l.r.Counterexample.Model.Space.String(v))
}

// failing prints the part of the goal that is false; variables bound around it
// are shown as their values.
func (l *lifter) failing() string {
	x := l.r.Counterexample
	part := x.Part
	if n := l.b.Depth(part); n > 0 && n <= len(x.Values) {
		values := x.Values[len(x.Values)-n:]
		shown := make([]logic.Term, n)
		for i, t := range l.boundTypes(part, n) {
			shown[i] = l.b.Free(l.print(values[i]), t)
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

// elementNames replaces elements of carrier sets by the constants that they are
// the values of.
func elementNames(m *eval.Model, kinds map[string]byte) *strings.Replacer {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		if v := m.Values[name]; m.Space.Kind(v) == eval.Element && kinds[name] == 0 {
			pairs = append(pairs, m.Space.String(v), name)
		}
	}
	return strings.NewReplacer(pairs...)
}

// kinds tells variables v, parameters p and after-values a; the rest are constants.
func (l *lifter) kinds() map[string]byte {
	out := map[string]byte{}
	if l.r.Machine != nil {
		for _, v := range l.r.Machine.Variables {
			out[v.Name] = 'v'
			out[v.Name+"'"] = 'a'
		}
	}
	events := slices.Clone(l.r.Abstract)
	if l.r.Event != nil {
		events = append(events, l.r.Event)
	}
	for _, e := range events {
		for _, p := range e.Parameters {
			out[p.Name] = 'p'
		}
	}
	return out
}

// after adds the after-values of action a: computed, if it is deterministic;
// those of the model, otherwise.
func (l *lifter) after(v *Violation, a *model.Action) {
	for i, id := range a.Left {
		name := l.b.Name(id)
		var value eval.Value
		var ok bool
		if a.Kind == model.BecomesEqual {
			value, ok = l.e.Expr(a.Right[i])
		} else {
			value, ok = l.r.Counterexample.Model.Values[name+"'"]
		}
		if ok {
			v.After = append(v.After, Binding{name, l.print(value)})
		}
	}
}
