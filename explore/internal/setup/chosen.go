package setup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	formulas "github.com/gradine/gradine/logic/formula"
)

// chosen is solve with values from a model that s.Choose finds for the constants that nothing bounds, one after the
// other: the rest is solved for. Where that fails, all constants have their values from the model. It returns endless,
// the error of solve, if an integer would need a bound, and says so if there is no model.
func (s Setup) chosen(ctx context.Context, machine *model.Machine, limit int, endless formula.Unbounded) (out []*Instance, others string, cut cut, err error) {
	carriers, enumerated, _, err := Carriers(s.Bank, machine, s)
	if err != nil {
		return nil, "", nil, err
	}
	constants := map[string]logic.Term{}
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			constants[ident.Name] = ident.Term
		}
	}
	var m *eval.Model
	var names []string
	unsolved := false // with the values of names, the others have none
	for {
		culprit, isConstant := constants[endless.Variable]
		if isConstant && s.Bank.Type(culprit) == logic.IntType {
			return nil, "", nil, fmt.Errorf("constants of %s: %w", machine.Name, endless)
		}
		if m == nil {
			m = s.Choose(ctx, s.Bank, s.wanted(machine, carriers))
		}
		endless.Sought = true
		if m == nil || ctx.Err() != nil {
			return nil, "", nil, fmt.Errorf("constants of %s: %w", machine.Name, endless)
		}
		// What is bound within an axiom has no value in the model: the axiom is known to hold only for all of it.
		whole := unsolved || !isConstant || slices.Contains(names, endless.Variable)
		if names = append(names, endless.Variable); whole {
			names = s.undetermined(machine, m, enumerated)
		}
		with := s.fixed(machine, m, names, whole)
		out, others, cut, err = with.solve(ctx, machine, limit)
		next, more := errors.AsType[formula.Unbounded](err)
		switch {
		case err == nil && len(out) > 0:
			if len(names) == 0 {
				return out, others, cut, nil
			}
			for _, in := range out {
				in.Chosen = names
			}
			return out, "one value of " + strings.Join(names, ", ") + " was chosen; the axioms may allow others", cut, nil
		case whole:
			return nil, "", nil, fmt.Errorf("constants of %s: %w", machine.Name, endless)
		case more:
			endless = next
		default:
			unsolved = true
		}
	}
}

// wanted are the predicates of a model that is chosen: the axioms, what is given, and the sizes of carrier sets.
func (s Setup) wanted(machine *model.Machine, carriers map[string][]string) (out []logic.Term) {
	bank := s.Bank
	for _, ctx := range machine.Contexts {
		for _, set := range ctx.Sets {
			size := bank.Int64(int64(len(carriers[set.Name])))
			out = append(out, bank.App(logic.Finite, set.Term), bank.App(logic.Eq, bank.App(logic.Card, set.Term), size))
		}
		for _, axiom := range ctx.Axioms {
			if !axiom.Theorem {
				out = append(out, axiom.Term)
			}
		}
	}
	return append(out, s.Given...)
}

// undetermined names the constants that have a value in m, unless an equation says which, or they are the elements of
// an enumerated set.
func (s Setup) undetermined(machine *model.Machine, m *eval.Model, enumerated map[string]value.Value) (names []string) {
	determined := map[logic.Term]bool{}
	for _, t := range s.wanted(machine, nil) {
		for _, p := range formulas.Conjuncts(s.Bank, t) {
			if s.Bank.Op(p) == logic.Eq && len(s.Bank.FreeIdents(s.Bank.Arg(p, 1))) == 0 {
				determined[s.Bank.Arg(p, 0)] = true
			}
		}
	}
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			_, has := m.Values[ident.Name]
			_, element := enumerated[ident.Name]
			if has && !element && !determined[ident.Term] {
				names = append(names, ident.Name)
			}
		}
	}
	return names
}

// fixed is s where the named constants, or all, have their values in m. An axiom holds in m, and needs no search, if it
// mentions these alone, and others that equations with them define.
func (s Setup) fixed(machine *model.Machine, m *eval.Model, names []string, all bool) Setup {
	s.Given, s.Recorded, s.known = slices.Clone(s.Given), maps.Clone(s.Recorded), map[logic.Term]bool{}
	if s.Recorded == nil && all {
		s.Recorded = map[string]any{}
	}
	fixed := map[logic.Term]bool{}
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			v, ok := m.Values[ident.Name]
			if _, recorded := s.Recorded[ident.Name]; !ok || recorded || !all && !slices.Contains(names, ident.Name) {
				continue
			}
			// A value with elements of carrier sets is recorded by their names. Without them it can be given as an
			// equation.
			if data, err := Record(m.Space, v, s.element); err == nil && all {
				s.Recorded[ident.Name] = data
			} else if term, ok := WithoutElements(s.Bank, m, s.Bank.Type(ident.Term), v); ok {
				s.Given = append(s.Given, s.Bank.App(logic.Eq, ident.Term, term))
			} else {
				continue
			}
			fixed[ident.Term] = true
		}
	}
	has := func(t logic.Term) bool {
		return !slices.ContainsFunc(s.Bank.FreeIdents(t), func(id logic.Term) bool { return !fixed[id] })
	}
	// An equation k = E over fixed constants fixes k as well. The axioms that define constants so must still be solved.
	defining := map[logic.Term]bool{}
	for more := true; more; {
		more = false
		for _, t := range s.wanted(machine, nil) {
			for _, p := range formulas.Conjuncts(s.Bank, t) {
				if s.Bank.Op(p) == logic.Eq && s.Bank.Op(s.Bank.Arg(p, 0)) == logic.Free && !has(s.Bank.Arg(p, 0)) && has(s.Bank.Arg(p, 1)) {
					fixed[s.Bank.Arg(p, 0)], defining[t], more = true, true, true
				}
			}
		}
	}
	for _, ctx := range machine.Contexts {
		for _, axiom := range ctx.Axioms {
			s.known[axiom.Term] = has(axiom.Term) && !defining[axiom.Term]
		}
	}
	return s
}

// element names element i of a carrier set that no axiom enumerates.
func (s Setup) element(set string, i int) string {
	if names := s.Names[set]; i < len(names) {
		return names[i]
	}
	return Element(set, i)
}

// WithoutElements returns the term of value v of at in bank, if it names no element of a carrier set.
func WithoutElements(bank *logic.Bank, at *eval.Model, typ logic.Type, v eval.Value) (logic.Term, bool) {
	named := false
	term, ok := at.Term(bank, typ, v, func(carrier string, _ int) logic.Term {
		named = true
		return bank.Free(carrier, bank.GivenType(carrier))
	})
	return term, ok && !named
}

// Record writes a value of u as in ITF, with the given names of elements. An error says that its members cannot be listed.
func Record(u *eval.Space, v eval.Value, element func(set string, i int) string) (any, error) {
	list := func(vs []eval.Value) (out []any, err error) {
		for _, x := range vs {
			data, err := Record(u, x, element)
			if err != nil {
				return nil, err
			}
			out = append(out, data)
		}
		return out, nil
	}
	switch u.Kind(v) {
	case eval.Integer:
		return value.Bigint(u.Big(v)), nil
	case eval.Boolean:
		return u.IsTrue(v), nil
	case eval.Element:
		set, i := u.Number(v)
		return element(set, i), nil
	case eval.Pair:
		parts, err := list(u.Parts(v))
		if err != nil {
			return nil, err
		}
		return value.Tuple(parts[0], parts[1]), nil
	case eval.Set:
		elems, err := list(u.Members(v))
		return value.Members(elems), err
	}
	return nil, errors.New("the members of its value cannot be listed")
}

// ValueIn is the value of u that v, a value of space of a shape, is.
func ValueIn(u *eval.Space, space *value.Space, shape *value.Shape, v value.Value) eval.Value {
	switch carrier := shape.Carrier(); {
	case shape.Kind == value.IntShape:
		return u.Int(space.ToBig(v))
	case shape.Left != nil:
		x, y := space.Split(shape, v)
		return u.Pair(ValueIn(u, space, shape.Left, x), ValueIn(u, space, shape.Right, y))
	case shape.Elem != nil:
		var members []eval.Value
		for _, x := range space.Elems(shape, v, nil) {
			members = append(members, ValueIn(u, space, shape.Elem, x))
		}
		return u.Set(members...)
	case carrier != "":
		return u.Element(carrier, int(v))
	}
	return u.Bool(v == 1)
}
