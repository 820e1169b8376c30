package follow

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// variant is an event of which some parameters and after-values are known before its steps are looked for: what is
// known is not enumerated.
type variant struct {
	event *program.Event
	slots []int // of the values that are known: parameters, then variables
}

// variants are the events that were compiled so, by what is known.
type variants map[string]*variant

// knownMark marks the names of values that are known.
const knownMark = "⁺"

// variant returns the event of what is expected, compiled for values of just these parameters and variables.
func (r *runner) variant(w *expected) *variant {
	key := fmt.Sprint(w.event)
	for _, x := range w.params {
		key += fmt.Sprint(" ", x.number)
	}
	for _, x := range w.values {
		key += fmt.Sprint(" '", x.number)
	}
	v := r.variants[key]
	if v == nil {
		v = r.compiled(w)
		r.variants[key] = v
	}
	return v
}

// compiled compiles an event for lines that give some parameters and values, which then need no search.
func (r *runner) compiled(w *expected) *variant {
	plain := r.p.EventOf(w.event)
	if len(w.params)+len(w.values) == 0 {
		return &variant{event: plain}
	}
	names := map[string]int{}
	var slots []int
	know := func(name string) {
		slots = append(slots, r.p.Compiler.NewSlot())
		names[name+knownMark] = slots[len(slots)-1]
	}
	for _, x := range w.params {
		know(plain.Params[x.number].Name)
	}
	for _, x := range w.values {
		know(r.p.Variables[x.number].Name)
	}
	var event *program.Event
	var err error
	r.p.Naming(names, func() { event, err = r.p.EventAs(r.binding(plain.Model, w)) })
	if err != nil {
		return &variant{event: plain} // its steps are enumerated, and compared
	}
	event.Model = plain.Model
	r.frame, r.state = r.p.Frame(r.ctx), r.p.Frame(r.ctx) // with the new slots
	return &variant{event, slots}
}

// fill writes the values that are known.
func (v *variant) fill(f *formula.Frame, w *expected) {
	if v.slots == nil {
		return
	}
	for i, x := range slices.Concat(w.params, w.values) {
		f.Slots[v.slots[i]] = x.value
	}
}

// binding is an event with guards and actions that say which values are known. Guards come first where they are
// defined everywhere, so that they decide nothing that another guard would.
func (r *runner) binding(of *model.Event, w *expected) *model.Event {
	bank := r.p.Compiler.Bank
	out := *of
	var first []*model.Predicate
	demand := func(t logic.Term) { first = append(first, &model.Predicate{Term: t}) }
	known := func(id logic.Term) logic.Term { return bank.Free(bank.Name(id)+knownMark, bank.Type(id)) }
	for _, x := range w.params {
		id := of.Parameters[x.number].Term
		demand(bank.App(logic.Eq, id, known(id)))
	}
	after := map[logic.Term]logic.Term{}
	for _, x := range w.values {
		id := r.p.Variables[x.number].Term
		after[id] = known(id)
	}
	out.Actions = nil
	for _, action := range of.Actions {
		changed := *action
		var such []logic.Term // what is known of choices
		for i, left := range action.Left {
			is, ok := after[left]
			delete(after, left)
			switch {
			case !ok:
			case action.Kind == model.BecomesEqual:
				if right := action.Right[i]; r.p.Compiler.Total(bank.Subst(right, r.p.Compiler.Defs)) {
					demand(bank.App(logic.Eq, right, is))
				}
			default:
				such = append(such, bank.App(logic.Eq, bank.Free(bank.Name(left)+"'", bank.Type(left)), is))
			}
		}
		switch {
		case len(such) == 0:
		case action.Kind == model.BecomesIn:
			left := action.Left[0]
			such = append(such, bank.App(logic.In, bank.Free(bank.Name(left)+"'", bank.Type(left)), action.Right[0]))
			changed.Kind, changed.Right = model.BecomesSuch, []logic.Term{bank.And(such...)}
		default:
			changed.Right = []logic.Term{bank.And(append(such, action.Right[0])...)}
		}
		out.Actions = append(out.Actions, &changed)
	}
	if !of.IsInit() { // what is not assigned keeps its value
		for _, v := range r.p.Variables {
			if is, ok := after[v.Term]; ok {
				demand(bank.App(logic.Eq, v.Term, is))
			}
		}
	}
	out.Guards = append(first, of.Guards...)
	return &out
}

// knownOf is what a line of a scenario says of parameters, and of values behind the step: equations with values that
// neither depends on.
func (r *runner) knownOf(number int, l *Line) *expected {
	w := &expected{event: number}
	event := r.p.EventOf(number)
	r.equations(l.Given, func(id logic.Term, v value.Value) {
		for i, x := range event.Model.Parameters {
			if x.Term == id {
				w.params = append(w.params, given{i, v})
			}
		}
	})
	if !l.Every { // all steps are wanted there, those as well that do not lead to these values
		r.equations(l.Holds, func(id logic.Term, v value.Value) {
			for i, x := range r.p.Variables {
				if x.Term == id {
					w.values = append(w.values, given{i, v})
				}
			}
		})
	}
	w.params, w.values = once(w.params), once(w.values)
	return w
}

// once takes the first of several values of one name: what else is said is compared.
func once(all []given) (out []given) {
	for _, x := range all {
		if !slices.ContainsFunc(out, func(y given) bool { return x.number == y.number }) {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(x, y given) int { return x.number - y.number })
	return out
}

// equations finds the conjuncts of t that equate an identifier with a value.
func (r *runner) equations(t logic.Term, found func(id logic.Term, v value.Value)) {
	if t == 0 {
		return
	}
	bank := r.p.Compiler.Bank
	for _, c := range r.p.Compiler.Conjuncts(t) {
		if bank.Op(c) != logic.Eq {
			continue
		}
		for side := range 2 {
			id, is := bank.Arg(c, side), bank.Arg(c, 1-side)
			if bank.Op(id) != logic.Free || !r.constant(is) {
				continue
			}
			expr, err := r.p.Value(is)
			if err != nil {
				continue
			}
			abort.Bounded(func() {
				if v, why := r.p.Frame(r.ctx).Value(expr); why == "" {
					found(id, v)
				}
			})
		}
	}
}

// constant reports whether a term has the same value in all states.
func (r *runner) constant(t logic.Term) bool {
	compiler := r.p.Compiler
	for _, id := range compiler.Bank.FreeIdents(t) {
		_, constant := compiler.Consts[compiler.Bank.Name(id)]
		if _, slot := compiler.Slots[compiler.Bank.Name(id)]; slot || !constant {
			return false
		}
	}
	return compiler.Total(t)
}
