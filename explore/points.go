package explore

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Choice says which values of a constant are tried.
type Choice struct {
	Name string
	Type logic.Type
	Set  logic.Term // over the given names and the constants chosen before
}

// Point is one choice of all constants of a machine.
type Point struct {
	*Instance
	Broken []*model.Predicate // the axioms that do not hold there: none at a legal point
}

// Points returns all choices of the constants of m, in the order in which the
// sets of the choices enumerate them. given are the values of other names, and
// of constants. It is an error if a constant has neither a value nor a choice
// with a bound.
func Points(dev *model.Development, m *model.Machine, s Setup, given map[string]*big.Int, choices []Choice) ([]Point, error) {
	b := s.Bank
	carriers, fixed, order, err := carriersOf(b, m, s)
	if err != nil {
		return nil, err
	}
	u := newSpace(b, carriers)
	for name, v := range given {
		fixed[name] = u.fromBig(v)
	}
	c := newCompiler(u, b, fixed)
	chosen := map[string]bool{}
	var ids, conds []logic.Term
	var types []logic.Type
	var names []string
	for _, x := range choices {
		chosen[x.Name] = true
		ids, types, names = append(ids, b.Free(x.Name, x.Type)), append(types, x.Type), append(names, x.Name)
	}
	for i, x := range choices {
		conds = append(conds, b.Abstract(b.App(logic.In, ids[i], x.Set), ids))
	}
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			order = append(order, k.Name)
			if _, ok := fixed[k.Name]; !ok && !chosen[k.Name] {
				return nil, fmt.Errorf("constant %s of %s has neither a value nor a set to search; add it to the instance or to search", k.Name, m.Name)
			}
		}
	}
	var search searcher
	c.root = b.And(conds...)
	if err := guard(func() { search = c.binder(types, names, conds, func() {}) }); err != nil {
		return nil, fmt.Errorf("the constants of %s: %w", m.Name, err)
	}
	var points []Point
	f := c.frame(context.Background())
	_, why := f.visit(search, func(f *frame) bool {
		in := &Instance{space: u, bank: b, values: map[string]Value{}, Carriers: carriers, Order: order}
		for name, v := range fixed {
			in.values[name] = v
		}
		for i, x := range choices {
			in.values[x.Name] = f.slots[i]
		}
		points = append(points, Point{Instance: in})
		return true
	})
	if why != "" {
		return nil, fmt.Errorf("the constants of %s: a set to search has no value (%s)", m.Name, why)
	}
	return points, checkAxioms(u, b, m, points)
}

// checkAxioms finds the axioms that do not hold at the points.
func checkAxioms(u *space, b *logic.Bank, m *model.Machine, points []Point) error {
	c := newCompiler(u, b, nil)
	names := []string{}
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			c.slots[k.Name] = c.newSlot()
			names = append(names, k.Name)
		}
	}
	type axiom struct {
		*model.Predicate
		holds pred
	}
	var axioms []axiom
	for _, ctx := range m.Contexts {
		for _, a := range ctx.Axioms {
			p, err := c.check(a.Label, a.Term)
			if err != nil {
				return fmt.Errorf("axiom %s: %w", a.Label, err)
			}
			axioms = append(axioms, axiom{a, p.holds})
		}
	}
	f := c.frame(context.Background())
	for i := range points {
		for j, name := range names {
			f.slots[j] = points[i].values[name]
		}
		for _, a := range axioms {
			if ok, _ := f.try(a.holds); !ok {
				points[i].Broken = append(points[i].Broken, a.Predicate)
			}
		}
	}
	return nil
}

// Int evaluates an integer expression over the constants, a term of the bank
// of the set-up. An error says that it has no value.
func (in *Instance) Int(t logic.Term) (*big.Int, error) {
	c := newCompiler(in.space, in.bank, in.values)
	c.root = t
	var e expr
	if err := guard(func() { e = c.expr(t) }); err != nil {
		return nil, err
	}
	f := c.frame(context.Background())
	v, why := f.value(e)
	if why != "" {
		return nil, errors.New(why)
	}
	return new(big.Int).Set(in.space.toBig(v)), nil
}
