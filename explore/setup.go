package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
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
	// Bounds of the integers in identifiers that nothing else bounds, "" standing
	// for all others; a search that needs them for other than constants does not
	// see all states.
	Bounds map[string]formula.Bounds

	// Progress is told now and then how many values were tried; nil is allowed.
	Progress func(tried int)

	recorded map[string]any // constants that a trace was made with, by name
}

// Instance is one set-up found: the elements of the carrier sets and the values
// of the constants.
type Instance struct {
	set      *program.Setting
	Carriers map[string][]string
	Order    []string // carrier sets and constants, in order of declaration
}

// Bindings prints the sizes of the carrier sets and the values of the constants
// that m sees.
func (in *Instance) Bindings(m *model.Machine) []Binding {
	var out []Binding
	for _, c := range m.Contexts {
		for _, s := range c.Sets {
			out = append(out, Binding{s.Name, "{" + strings.Join(in.Carriers[s.Name], ", ") + "}"})
		}
		for _, k := range c.Constants {
			val := ""
			if d, ok := in.set.Defs[k.Term]; ok {
				val = text.Readable(in.set.Bank, d)
			} else {
				val = in.Constant(k.Name, in.set.Bank.Type(k.Term))
			}
			out = append(out, Binding{k.Name, val})
		}
	}
	return out
}

// Constant prints the value of constant name.
func (in *Instance) Constant(name string, typ logic.Type) string {
	return in.set.Space.String(in.set.Space.Shape(typ), in.set.Values[name])
}

// Solve finds the set-ups of machine m: the values of its constants that
// satisfy the axioms, at most limit of them. Where no size of a carrier set is
// given and two elements are too few, larger sets are tried. An error says which
// constant has no bound, or that the axioms have no solution at these sizes.
func Solve(ctx context.Context, dev *model.Development, m *model.Machine, s Setup, limit int) (out []*Instance, err error) {
	defer func() {
		switch l := recover().(type) {
		case nil:
		default:
			panic(l)
		case unwind.Limit:
			err = fmt.Errorf("constants of %s: %s ended the search for values that satisfy the axioms; give some of them with --const, or smaller carrier sets with --size", m.Name, l.What)
		}
	}()
	if s.Bank == nil {
		s.Bank = dev.Bank.Extend()
	}
	sizes := []int{2, 3, 4, 1}
	if s.Default > 0 {
		sizes = []int{s.Default}
	}
	for _, s.Default = range sizes {
		if out, err = s.solve(ctx, m, limit); err != nil || len(out) > 0 {
			return out, err
		}
	}
	return nil, fmt.Errorf("the axioms seen by %s have no solution at these sizes of carrier sets; give other sizes or values of constants", m.Name)
}

// maxTried bounds the values that are tried for constants: about a minute.
const maxTried = 1_000_000_000

// solve finds the set-ups at the sizes of s.
func (s Setup) solve(ctx context.Context, m *model.Machine, limit int) ([]*Instance, error) {
	b := s.Bank
	carriers, fixed, order, err := carriersOf(b, m, s)
	if err != nil {
		return nil, err
	}
	var consts []model.Ident
	var axioms, ids []logic.Term
	var types []logic.Type
	var names []string
	for _, ctx := range m.Contexts {
		for _, a := range ctx.Axioms {
			if !a.Theorem {
				axioms = append(axioms, a.Term)
			}
		}
	}
	u := value.NewSpace(b, carriers)
	if err := s.recall(u, m, fixed); err != nil {
		return nil, err
	}
	// Constants that stand for infinite sets go first: the axioms about the others
	// are read with what they stand for.
	axioms, defs := definitions(u, b, m, fixed, append(axioms, s.Given...))
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			order = append(order, k.Name)
			if _, ok := fixed[k.Name]; !ok && defs[k.Term] == 0 {
				consts = append(consts, k)
				ids, types, names = append(ids, k.Term), append(types, b.Type(k.Term)), append(names, k.Name)
			}
		}
	}
	c := formula.NewCompiler(u, b, fixed)
	c.Bounds = s.Bounds
	var conds []logic.Term
	for _, a := range axioms {
		conds = append(conds, c.Conjuncts(b.Abstract(a, ids))...)
	}
	var search formula.Searcher
	c.Root = b.And(axioms...)
	if err := formula.Guarded(func() { c.Bounding = true; search = c.Binder(types, names, conds, func() {}) }); err != nil {
		return nil, fmt.Errorf("constants of %s: %w", m.Name, err)
	}
	var out []*Instance
	f := c.NewFrame(ctx)
	f.Most, f.Progress = maxTried, s.Progress
	_, why := f.Visit(search, func(f *formula.Frame) bool {
		in := &Instance{set: &program.Setting{Space: u, Bank: b, Values: map[string]value.Value{}, Bounds: s.Bounds, Defs: defs}, Carriers: carriers, Order: order}
		for name, v := range fixed {
			in.set.Values[name] = v
		}
		for i, k := range consts {
			in.set.Values[k.Name] = f.Slots[i]
		}
		if s.recorded == nil {
			in.nameElements(m, s.Names)
		}
		out = append(out, in)
		return limit <= 0 || len(out) < limit
	})
	if why != "" {
		return nil, fmt.Errorf("constants of %s: an axiom has no value (%s)", m.Name, why)
	}
	return out, nil
}

// nameElements calls the elements of carrier sets by the constants that are equal
// to them, the first of several, unless the set has names of its own.
func (in *Instance) nameElements(m *model.Machine, given map[string][]string) {
	names := map[string][]string{}
	taken := map[string]bool{} // numbered elements must not be taken for constants
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			taken[k.Name] = true
		}
	}
	for set, elems := range in.Carriers {
		names[set] = slices.Clone(elems)
		for i, e := range elems {
			if given[set] == nil && e == element(set, i) {
				names[set][i] = numbered(set, i, taken)
			}
		}
	}
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			typ := in.set.Bank.Type(k.Term)
			if in.set.Bank.TypeKind(typ) != logic.KindGiven || in.set.Defs[k.Term] != 0 {
				continue
			}
			set, i := in.set.Bank.GivenName(typ), in.set.Values[k.Name]
			if given[set] == nil && names[set][i] == numbered(set, int(i), taken) {
				names[set][i] = k.Name
			}
		}
	}
	in.Carriers, in.set.Space = names, in.set.Space.Named(names)
}

// numbered names element i of a carrier set, which no constant is equal to.
func numbered(set string, i int, taken map[string]bool) string {
	name := element(set, i)
	if taken[name] {
		return set + "#" + strconv.Itoa(i+1)
	}
	return name
}

// recall fixes the constants that were recorded.
func (s Setup) recall(u *value.Space, m *model.Machine, fixed map[string]value.Value) error {
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			x, ok := s.recorded[k.Name]
			if !ok {
				continue
			}
			v, err := u.Read(u.Shape(s.Bank.Type(k.Term)), x)
			if err != nil {
				return fmt.Errorf("constant %s of the trace: %w", k.Name, err)
			}
			fixed[k.Name] = v
		}
	}
	return nil
}

// definitions takes out the axioms k = E in which E is an infinite set, such as a
// function on all integers. Such a constant has no value: it stands for E.
func definitions(u *value.Space, b *logic.Bank, m *model.Machine, fixed map[string]value.Value, axioms []logic.Term) (rest []logic.Term, defs map[logic.Term]logic.Term) {
	probe := formula.NewCompiler(u, b, fixed)
	constant := map[logic.Term]bool{}
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			probe.Slots[k.Name] = probe.NewSlot()
			constant[k.Term] = true
		}
	}
	defs = map[logic.Term]logic.Term{}
	for _, a := range axioms {
		for _, p := range probe.Conjuncts(a) {
			p = b.Subst(p, defs)
			if b.Op(p) != logic.Eq || !constant[b.Arg(p, 0)] || b.Occurs(b.Arg(p, 0), b.Arg(p, 1)) {
				rest = append(rest, p)
				continue
			}
			err := probe.Attempt(func() { probe.Expr(b.Arg(p, 1)) })
			if _, ok := errors.AsType[formula.Unbounded](err); !ok {
				rest = append(rest, p)
				continue
			}
			defs[b.Arg(p, 0)] = b.Arg(p, 1)
		}
	}
	for i, p := range rest {
		rest[i] = b.Subst(p, defs)
	}
	return rest, defs
}

// carriersOf names the elements of the carrier sets. A set that an axiom
// partitions into single constants is those constants, up to renaming of its
// elements. An error says that an axiom contradicts the size that is wanted.
func carriersOf(b *logic.Bank, m *model.Machine, s Setup) (carriers map[string][]string, fixed map[string]value.Value, order []string, err error) {
	carriers, fixed = map[string][]string{}, map[string]value.Value{}
	for _, ctx := range m.Contexts {
		for _, a := range ctx.Axioms {
			s.enumerated(b, a.Term, carriers, fixed)
		}
	}
	for _, ctx := range m.Contexts {
		for _, set := range ctx.Sets {
			order = append(order, set.Name)
			names := s.Names[set.Name]
			if constants := carriers[set.Name]; constants != nil {
				if n := max(s.Sizes[set.Name], len(names)); n > 0 && n != len(constants) {
					return nil, nil, nil, fmt.Errorf("the axioms give carrier set %s %d elements, %s; it cannot have %d", set.Name, len(constants), strings.Join(constants, ", "), n)
				}
				continue
			}
			if names == nil {
				n := cmp.Or(s.Sizes[set.Name], s.Default, 2)
				for i := range n {
					names = append(names, element(set.Name, i))
				}
			}
			carriers[set.Name] = names
		}
	}
	return carriers, fixed, order, nil
}

// Enumerated reports whether an axiom seen by m says of which constants a carrier
// set consists.
func Enumerated(b *logic.Bank, m *model.Machine, set string) bool {
	carriers, fixed := map[string][]string{}, map[string]value.Value{}
	for _, ctx := range m.Contexts {
		for _, a := range ctx.Axioms {
			Setup{}.enumerated(b, a.Term, carriers, fixed)
		}
	}
	return carriers[set] != nil
}

// element names element i of a carrier set.
func element(set string, i int) string { return set + strconv.Itoa(i+1) }

// enumerated takes note of the carrier sets that t partitions into single
// constants, unless the values of constants are recorded.
func (s Setup) enumerated(b *logic.Bank, t logic.Term, carriers map[string][]string, fixed map[string]value.Value) {
	if b.Op(t) == logic.And {
		for _, a := range b.Args(t) {
			s.enumerated(b, a, carriers, fixed)
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
		_, taken := fixed[name]
		_, recorded := s.recorded[name]
		if taken || recorded {
			return
		}
		names = append(names, name)
	}
	if carriers[set] != nil || len(names) == 0 {
		return
	}
	carriers[set] = names
	for i, n := range names {
		fixed[n] = value.Value(i)
	}
}
