package explore

import (
	"fmt"
	"strconv"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Setup says how a machine is made finite.
type Setup struct {
	// Sizes of carrier sets; a set that is partitioned into constants has its size
	// from there.
	Sizes map[string]int
	// Names of elements of carrier sets, instead of a size.
	Names map[string][]string
	// Size of every other carrier set; 0 means 2.
	Default int
	// Given are predicates over the constants besides the axioms, such as n = 4,
	// terms of Bank, a child of the development's bank; nil if there are none.
	Given []logic.Term
	Bank  *logic.Bank
	// Instance is the number of the solution of the axioms that is taken.
	Instance int
}

// Instance is one set-up found: the elements of the carrier sets and the values
// of the constants.
type Instance struct {
	space    *space
	bank     *logic.Bank
	values   map[string]Value
	Carriers map[string][]string
	Order    []string // carrier sets and constants, in order of declaration
}

// Constant prints the value of constant name.
func (in *Instance) Constant(name string, typ logic.Type) string {
	return in.space.String(in.space.shape(typ), in.values[name])
}

// Solve finds the set-ups of machine m: the values of its constants that
// satisfy the axioms, at most limit of them. An error says which constant has
// no bound, or that the axioms have no solution at these sizes.
func Solve(dev *model.Development, m *model.Machine, s Setup, limit int) ([]*Instance, error) {
	b := s.Bank
	if b == nil {
		b = dev.Bank.Extend()
	}
	carriers, fixed, order := carriersOf(b, m, s)
	var consts []model.Ident
	var axioms []logic.Term
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			order = append(order, k.Name)
			if _, ok := fixed[k.Name]; !ok {
				consts = append(consts, k)
			}
		}
		for _, a := range ctx.Axioms {
			if !a.Theorem {
				axioms = append(axioms, a.Term)
			}
		}
	}
	axioms = append(axioms, s.Given...)
	u := newSpace(b, carriers)
	c := newCompiler(u, b, fixed)
	var ids []logic.Term
	var types []logic.Type
	for i, k := range consts {
		ids = append(ids, k.Term)
		types = append(types, b.Type(k.Term))
		c.slotNames[i] = k.Name
	}
	var conds []logic.Term
	for _, a := range axioms {
		conds = append(conds, c.conjuncts(b.Abstract(a, ids))...)
	}
	var search searcher
	c.root = b.And(axioms...)
	if err := guard(func() { search = c.binder(types, conds, func() {}) }); err != nil {
		return nil, fmt.Errorf("constants of %s: %w; give its value under [machine.%s.constants]", m.Name, err, m.Name)
	}
	var out []*Instance
	f := &frame{u: u, slots: make([]Value, c.nslots)}
	search(f, func(f *frame) bool {
		in := &Instance{space: u, bank: b, values: map[string]Value{}, Carriers: carriers, Order: order}
		for name, v := range fixed {
			in.values[name] = v
		}
		for i, k := range consts {
			in.values[k.Name] = f.slots[i]
		}
		out = append(out, in)
		return len(out) < limit
	})
	switch {
	case f.undef != "":
		return nil, fmt.Errorf("constants of %s: an axiom has no value (%s)", m.Name, f.undef)
	case len(out) == 0:
		return nil, fmt.Errorf("the axioms seen by %s have no solution at these sizes of carrier sets; give other sizes under [machine.%s.carriers]", m.Name, m.Name)
	}
	return out, nil
}

// carriersOf names the elements of the carrier sets. A set that an axiom
// partitions into single constants is those constants, up to renaming of its
// elements.
func carriersOf(b *logic.Bank, m *model.Machine, s Setup) (carriers map[string][]string, fixed map[string]Value, order []string) {
	carriers, fixed = map[string][]string{}, map[string]Value{}
	for _, ctx := range m.Contexts {
		for _, a := range ctx.Axioms {
			enumerated(b, a.Term, carriers, fixed)
		}
	}
	for _, ctx := range m.Contexts {
		for _, set := range ctx.Sets {
			order = append(order, set.Name)
			if carriers[set.Name] != nil {
				continue
			}
			names := s.Names[set.Name]
			if names == nil {
				n := s.Sizes[set.Name]
				if n == 0 {
					n = max(s.Default, 2)
				}
				for i := range n {
					names = append(names, set.Name+strconv.Itoa(i+1))
				}
			}
			carriers[set.Name] = names
		}
	}
	return carriers, fixed, order
}

func enumerated(b *logic.Bank, t logic.Term, carriers map[string][]string, fixed map[string]Value) {
	if b.Op(t) == logic.And {
		for _, a := range b.Args(t) {
			enumerated(b, a, carriers, fixed)
		}
		return
	}
	if b.Op(t) != logic.Partition || b.Op(b.Arg(t, 0)) != logic.Given {
		return
	}
	set := b.Name(b.Arg(t, 0))
	var names []string
	for _, part := range b.Args(t)[1:] {
		if b.Op(part) != logic.SetExt || len(b.Args(part)) != 1 || b.Op(b.Arg(part, 0)) != logic.Free {
			return
		}
		name := b.Name(b.Arg(part, 0))
		if _, taken := fixed[name]; taken {
			return
		}
		names = append(names, name)
	}
	if carriers[set] != nil || len(names) == 0 {
		return
	}
	carriers[set] = names
	for i, n := range names {
		fixed[n] = Value(i)
	}
}
