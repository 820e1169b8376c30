package explore

import (
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/setup"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Reach says whether a machine reaches a state.
type Reach struct {
	Reached  bool
	Complete bool      // every reachable state was seen
	States   int       // how many states were seen
	Setup    []Binding // the carrier sets and constants that the search had
	Trace    *Trace    // to the state, if it is reached
	Ghosts   bool      // the state has variables of the refined machine alone, which were not compared

	// What a search for failures found in the same set-up, if the state is not
	// reached, or only its own variables were compared: the first failure of an
	// invariant or of the refinement, or that there is none.
	Fails *Finding
	Safe  bool
}

// Reaches looks for a state in which the variables of m have the values of at,
// such as the counterexample of an obligation, which satisfies the invariants but
// may be out of reach. The carrier sets and constants are those of at too. The
// search ends after about maxStates states. An error says that at has no such
// set-up: an infinite carrier set, say, or axioms that are not among its hypotheses.
func Reaches(ctx context.Context, dev *model.Development, machine *model.Machine, at *eval.Model, maxStates int) (found *Reach, err error) {
	defer abort.Contain(machine.Name, &err)
	setup, err := SetupAt(dev.Bank.Extend(), machine, at)
	if err != nil {
		return nil, err
	}
	solutions, _, err := Solve(ctx, dev, machine, setup, 1)
	if err != nil {
		return nil, err
	}
	in := solutions[0]
	// Where the state has variables of the abstract machine alone, the abstract
	// machine goes along: what is reached is reached together.
	product := slices.ContainsFunc(machine.Variables, func(variable model.Variable) bool {
		_, ok := at.Values[variable.Name]
		return ok && variable.Abstract && !variable.Concrete
	})
	s, err := newSearch(ctx, machine, in, Options{MaxStates: maxStates, NoDeadlock: true, NoInvariants: true, Refinement: product})
	if err != nil {
		return nil, err
	}
	if s.goal, err = stateOf(s.p, at); err != nil {
		return nil, err
	}
	r := s.run(ctx)
	out := &Reach{Complete: r.Why == "", States: r.States, Setup: in.Bindings(machine)}
	for _, x := range r.Findings {
		switch x.Kind {
		case GoalReached:
			out.Reached, out.Complete, out.Trace = true, false, x.Trace
		default: // what has no value hides what comes behind it
			out.Complete = false
		}
	}
	out.Ghosts = slices.ContainsFunc(machine.Variables, func(variable model.Variable) bool { return variable.Abstract && !variable.Concrete })
	if !out.Reached || out.Ghosts {
		out.fails(ctx, machine, in, maxStates)
	}
	return out, nil
}

// fails looks for a failure of m in the set-up in.
func (r *Reach) fails(ctx context.Context, machine *model.Machine, in *Instance, maxStates int) {
	s, err := newSearch(ctx, machine, in, Options{MaxStates: maxStates, NoDeadlock: true, Refinement: machine.Refines != nil})
	if err != nil {
		return // without an answer: the state itself was looked for
	}
	found := s.run(ctx)
	switch {
	case len(found.Findings) > 0:
		r.Fails = &found.Findings[0]
	case found.Verdict == Complete && len(found.Unchecked) == 0:
		r.Safe = true
	}
}

// ValuesAt are the values of a model by name, as ITF writes them; those whose members cannot be listed are left out.
func ValuesAt(at *eval.Model) map[string]any {
	out := map[string]any{}
	for name, v := range at.Values {
		if data, err := setup.Record(at.Space, v, setup.Element); err == nil {
			out[name] = data
		}
	}
	return out
}

// SetupAt is the set-up that a model, such as a counterexample, gives for a machine, with new terms in bank. An error
// says which carrier set is infinite there.
func SetupAt(bank *logic.Bank, machine *model.Machine, at *eval.Model) (Setup, error) {
	s := Setup{Bank: bank, Names: map[string][]string{}, Recorded: map[string]any{}}
	for _, ctx := range machine.Contexts {
		for _, set := range ctx.Sets {
			n, ok := at.Carriers[set.Name]
			switch {
			case !ok:
				continue
			case n < 1:
				return s, fmt.Errorf("carrier set %s is infinite", set.Name)
			}
			for i := range n {
				s.Names[set.Name] = append(s.Names[set.Name], setup.Element(set.Name, i))
			}
		}
		for _, ident := range ctx.Constants {
			if v, ok := at.Values[ident.Name]; ok {
				data, err := setup.Record(at.Space, v, setup.Element)
				if err == nil {
					s.Recorded[ident.Name] = data
				} else if term, ok := setup.WithoutElements(bank, at, bank.Type(ident.Term), v); ok {
					s.Given = append(s.Given, bank.App(logic.Eq, ident.Term, term))
				}
			}
		}
	}
	return s, nil
}

// stateOf is the property of a state to have the values of at, as far as it has any.
func stateOf(compiled *program.Program, at *eval.Model) (*program.Property, error) {
	type want struct {
		slot  int
		value value.Value
	}
	var wants []want
	for i, variable := range compiled.Variables {
		x, ok := at.Values[variable.Name]
		if !ok {
			continue
		}
		data, err := setup.Record(at.Space, x, setup.Element)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", variable.Name, err)
		}
		val, err := compiled.Space.Read(variable.Shape, data)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", variable.Name, err)
		}
		wants = append(wants, want{i, val})
	}
	return &program.Property{Holds: func(frame *formula.Frame) bool {
		return !slices.ContainsFunc(wants, func(w want) bool { return frame.Slots[w.slot] != w.value })
	}}, nil
}
