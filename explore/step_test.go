package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// After is one state that an event leads to.
type After struct {
	Values     map[string]any  // of the variables, as in ITF
	Invariants map[string]bool // by label: whether those that can be evaluated hold and have a value
}

// Fire fires event e of m in any state, whether it can be reached or not. Values
// are given as in ITF; a variable without one has the first value of its type, and
// a parameter without one takes all values. With refinement, abstract steps go
// along, as in a search; params are those of abstract events, too. It is an error if a value is none of its type, or if the
// event cannot be compiled; why is the reason if a guard or an action has no
// value.
func Fire(ctx context.Context, machine *model.Machine, in *Instance, e *model.Event, before, params map[string]any, refinement bool) (states []After, why string, err error) {
	defer abort.Contain(machine.Name, &err)
	at := *in.Set
	at.Values = maps.Clone(in.Set.Values)
	given := func(ident model.Ident) (*model.Predicate, error) {
		typ := in.Set.Bank.Type(ident.Term)
		value, err := in.Set.Space.Read(in.Set.Space.Shape(typ), params[ident.Name])
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", ident.Name, err)
		}
		at.Values[ident.Name+"!"] = value
		return &model.Predicate{Term: in.Set.Bank.App(logic.Eq, ident.Term, in.Set.Bank.Free(ident.Name+"!", typ))}, nil
	}
	fixed := *e
	fixed.Guards, fixed.Witnesses = nil, slices.Clone(e.Witnesses)
	own := map[string]bool{}
	for _, ident := range e.Parameters {
		own[ident.Name] = true
		if _, ok := params[ident.Name]; ok {
			predicate, err := given(ident)
			if err != nil {
				return nil, "", err
			}
			fixed.Guards = append(fixed.Guards, predicate)
		}
	}
	fixed.Guards = append(fixed.Guards, e.Guards...)
	for _, a := range e.Refines {
		for _, ident := range a.Parameters {
			if _, ok := params[ident.Name]; ok && !own[ident.Name] {
				predicate, err := given(ident)
				if err != nil {
					return nil, "", err
				}
				fixed.Witnesses = append(fixed.Witnesses, &model.Witness{Label: ident.Name, Ident: ident.Term, Term: predicate.Term})
			}
		}
	}
	one := *machine
	one.Events = []*model.Event{&fixed}
	if !e.IsInit() {
		one.Events = append(one.Events, &model.Event{Label: model.InitLabel})
	}
	compiled, err := program.Compile(&at, &one, refinement)
	if err != nil {
		return nil, "", err
	}
	f := compiled.Frame(ctx)
	for i, variable := range compiled.Variables {
		f.Slots[i] = variable.Shape.First(compiled.Space)
		if data, ok := before[variable.Name]; ok {
			if f.Slots[i], err = compiled.Space.Read(variable.Shape, data); err != nil {
				return nil, "", fmt.Errorf("variable %s: %w", variable.Name, err)
			}
		}
	}
	run := compiled.Init
	if !e.IsInit() {
		run = compiled.Events[0]
	}
	limit := abort.Bounded(func() {
		_, why = f.Visit(run.Fire, func(f *formula.Frame) bool {
			states = append(states, afterOf(compiled, f))
			return true
		})
	})
	if limit != "" {
		return nil, "", fmt.Errorf("%s ended the search for after-states", limit)
	}
	return states, why, nil
}

// afterOf reads the after-values of f.
func afterOf(compiled *program.Program, f *formula.Frame) After {
	out := After{Values: map[string]any{}, Invariants: map[string]bool{}}
	g := compiled.Frame(f.Context)
	compiled.Unpack(g, compiled.Pack(nil, f))
	for i, variable := range compiled.Variables {
		out.Values[variable.Name] = compiled.Space.Record(variable.Shape, g.Slots[i])
	}
	for _, k := range compiled.Invariants {
		out.Invariants[k.Label], _ = g.Try(k.Holds)
	}
	return out
}
