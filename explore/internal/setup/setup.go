package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
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
	// Given are predicates over the constants in addition to the axioms, such as n = 4,
	// terms of Bank, a child of the development's bank; nil if there are none.
	Given []logic.Term
	Bank  *logic.Bank
	// Bounds of the integers in identifiers that nothing else bounds, "" standing
	// for all others; a search that needs them for other than constants does not
	// see all states.
	Bounds map[string]formula.Bounds

	// MaxTried bounds the values that are tried; 0: a thousand million, about a minute.
	MaxTried int
	// MaxFurther bounds the values that are tried once there is a solution; 0: as MaxTried.
	MaxFurther int
	// Progress is told now and then how many values were tried; nil is allowed.
	Progress func(tried int)

	Recorded map[string]any // constants that a trace was made with, by name

	// Choose, if not nil, looks for a model of predicates where no search lists the values of a constant, such
	// as the functions on ℕ. It returns nil if it finds none. The set-ups then have these values: see Instance.Chosen.
	Choose func(ctx context.Context, bank *logic.Bank, predicates []logic.Term) *eval.Model
	known  map[logic.Term]bool // axioms that hold for the chosen values
}

// Instance is one set-up found: the elements of the carrier sets and the values
// of the constants.
type Instance struct {
	Set      *program.Setting // what programs are compiled for
	Carriers map[string][]string
	Order    []string // carrier sets and constants, in order of declaration
	Unsized  []string // carrier sets whose size neither the set-up nor a partition gives
	Chosen   []string // constants that have one value of many, since no search lists the others
}

// Bindings prints the sizes of the carrier sets and the values of the constants
// that m sees.
func (in *Instance) Bindings(machine *model.Machine) []picture.Binding {
	var out []picture.Binding
	for _, c := range machine.Contexts {
		for _, ident := range c.Sets {
			out = append(out, picture.Binding{Name: ident.Name, Value: "{" + strings.Join(in.Carriers[ident.Name], ", ") + "}"})
		}
		for _, ident := range c.Constants {
			val := ""
			if term, ok := in.Set.Defs[ident.Term]; ok {
				val = text.Readable(in.Set.Bank, term)
			} else {
				val = in.Constant(ident.Name, in.Set.Bank.Type(ident.Term))
			}
			out = append(out, picture.Binding{Name: ident.Name, Value: val})
		}
	}
	return out
}

// Constant prints the value of constant name.
func (in *Instance) Constant(name string, typ logic.Type) string {
	return in.Set.Space.String(in.Set.Space.Shape(typ), in.Set.Values[name])
}

// Solve finds the set-ups of machine m: the values of its constants that
// satisfy the axioms, at most limit of them, or without a bound if that is 0. Where no size
// of a carrier set is given and two elements are too few, larger sets are tried. Others says why
// there may be more at these sizes; it is "" if there are none. An error says which
// constant has no bound, or that the axioms have no solution at these sizes.
func Solve(ctx context.Context, dev *model.Development, machine *model.Machine, s Setup, limit int) (out []*Instance, others string, err error) {
	if s.Bank == nil {
		s.Bank = dev.Bank.Extend()
	}
	sizes := []int{2, 3, 4, 1}
	var free []string
	if s.Default > 0 {
		sizes = []int{s.Default}
	} else {
		free = s.unsized(machine)
	}
	var cut cut
	for _, s.Default = range sizes {
		out, others, cut, err = s.solve(ctx, machine, limit)
		if endless, ok := errors.AsType[formula.Unbounded](err); ok && s.Choose != nil {
			out, others, cut, err = s.chosen(ctx, machine, limit, endless)
		}
		if err != nil || len(out) > 0 {
			for _, in := range out {
				in.Unsized = free
			}
			return out, others, err
		}
	}
	return nil, "", fmt.Errorf("the axioms seen by %s have no solution at these sizes of carrier sets%s; give other sizes or values of constants", machine.Name, cut.within())
}

// unsized lists the carrier sets of which nothing says how many elements they have.
func (s Setup) unsized(machine *model.Machine) (out []string) {
	counted := s.countedCarriers(machine)
	for _, ctx := range machine.Contexts {
		for _, set := range ctx.Sets {
			if s.Sizes[set.Name] == 0 && s.Names[set.Name] == nil && !counted[set.Name] && !Enumerated(s.Bank, machine, set.Name) {
				out = append(out, set.Name)
			}
		}
	}
	return out
}

// countedCarriers are the carrier sets S of which card(S) = E is an axiom or given, where equations
// say what number E is: other sizes have no solution.
func (s Setup) countedCarriers(machine *model.Machine) map[string]bool {
	var equations [][2]logic.Term
	var equation func(t logic.Term)
	equation = func(t logic.Term) {
		switch s.Bank.Op(t) {
		case logic.And:
			for _, a := range s.Bank.Args(t) {
				equation(a)
			}
		case logic.Eq:
			l, r := s.Bank.Arg(t, 0), s.Bank.Arg(t, 1)
			equations = append(equations, [2]logic.Term{l, r}, [2]logic.Term{r, l})
		}
	}
	for _, ctx := range machine.Contexts {
		for _, axiom := range ctx.Axioms {
			equation(axiom.Term)
		}
	}
	for _, given := range s.Given {
		equation(given)
	}
	// A constant has a number if an equation gives it one from constants that have. This repeats until nothing is added.
	known := map[logic.Term]bool{}
	var number func(t logic.Term) bool
	number = func(t logic.Term) bool {
		switch s.Bank.Op(t) {
		case logic.Int:
			return true
		case logic.Free:
			return known[t]
		case logic.Plus, logic.Minus, logic.Times, logic.Neg:
			return !slices.ContainsFunc(s.Bank.Args(t), func(a logic.Term) bool { return !number(a) })
		}
		return false
	}
	for more := true; more; {
		more = false
		for _, e := range equations {
			if s.Bank.Op(e[0]) == logic.Free && !known[e[0]] && number(e[1]) {
				known[e[0]], more = true, true
			}
		}
	}
	out := map[string]bool{}
	for _, e := range equations {
		if s.Bank.Op(e[0]) == logic.Card && s.Bank.Op(s.Bank.Arg(e[0], 0)) == logic.Given && number(e[1]) {
			out[s.Bank.Name(s.Bank.Arg(e[0], 0))] = true
		}
	}
	return out
}

// cut lists the constants that only the bounds of a set-up bound.
type cut []string

func (c cut) within() string {
	if len(c) == 0 {
		return ""
	}
	return " and within the bounds of " + strings.Join(c, ", ")
}

// maxTried bounds the values that are tried for constants unless a set-up says so: about
// a minute.
const maxTried = 1_000_000_000

// solve finds the set-ups at the sizes of s, and says what cut the search for them short.
func (s Setup) solve(ctx context.Context, machine *model.Machine, limit int) (out []*Instance, others string, cut cut, err error) {
	bank := s.Bank
	carriers, fixed, order, err := Carriers(bank, machine, s)
	if err != nil {
		return nil, "", nil, err
	}
	var consts []model.Ident
	var axioms, ids []logic.Term
	var types []logic.Type
	var names []string
	for _, ctx := range machine.Contexts {
		for _, predicate := range ctx.Axioms {
			if !predicate.Theorem && !s.known[predicate.Term] {
				axioms = append(axioms, predicate.Term)
			}
		}
	}
	space := value.NewSpace(bank, carriers)
	if err := s.recall(space, machine, fixed); err != nil {
		return nil, "", nil, err
	}
	// Constants that stand for infinite sets go first: the axioms about the others
	// are read with what they stand for.
	axioms, defs := definitions(space, bank, machine, fixed, append(axioms, s.Given...))
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			order = append(order, ident.Name)
			if _, ok := fixed[ident.Name]; !ok && defs[ident.Term] == 0 {
				consts = append(consts, ident)
				ids, types, names = append(ids, ident.Term), append(types, bank.Type(ident.Term)), append(names, ident.Name)
			}
		}
	}
	compiler := formula.NewCompiler(space, bank, fixed)
	compiler.Bounds = s.Bounds
	var conds []logic.Term
	for _, term := range axioms {
		conds = append(conds, compiler.Conjuncts(bank.Abstract(term, ids))...)
	}
	var search formula.Searcher
	compiler.Root = bank.And(axioms...)
	if err := formula.Guarded(func() { compiler.Bounding = true; search = compiler.Binder(types, names, conds, func() {}) }); err != nil {
		return nil, "", nil, fmt.Errorf("constants of %s: %w", machine.Name, err)
	}
	f := compiler.NewFrame(ctx)
	f.Most, f.Progress = cmp.Or(s.MaxTried, maxTried), s.Progress
	why, more := "", false
	ended, fault := abort.Caught(func() {
		_, why = f.Visit(search, func(f *formula.Frame) bool {
			in := &Instance{Set: &program.Setting{Space: space, Bank: bank, Values: map[string]value.Value{}, Bounds: s.Bounds, Defs: defs}, Carriers: carriers, Order: order}
			for name, v := range fixed {
				in.Set.Values[name] = v
			}
			for i, ident := range consts {
				in.Set.Values[ident.Name] = f.Slots[i]
			}
			if s.Recorded == nil {
				in.nameElements(machine, s.Names)
			}
			if out = append(out, in); len(out) == 1 && s.MaxFurther > 0 {
				f.Allow(s.MaxFurther)
			}
			more = len(out) == limit && len(consts) > 0 // the next is not looked for
			return !more
		})
	})
	switch {
	case fault != nil:
		panic(fault)
	case len(out) > 0:
		return out, beyond(more, ended, why, compiler.Cut), compiler.Cut, nil
	case ended != "":
		return nil, "", nil, fmt.Errorf("constants of %s: %s ended the search for values that satisfy the axioms; give some of them with --const, or smaller carrier sets with --size", machine.Name, ended)
	case why != "":
		return nil, "", nil, fmt.Errorf("constants of %s: an axiom has no value (%s)", machine.Name, why)
	}
	return nil, "", compiler.Cut, nil
}

// beyond says why there may be solutions other than those that were found.
func beyond(more bool, ended, why string, cut cut) string {
	switch {
	case more:
		return "there may be others"
	case ended != "":
		return "there may be others: " + ended + " ended the search for them"
	case why != "":
		return "there may be others: for further values an axiom is undefined (" + why + ")"
	case len(cut) > 0:
		return "there may be others beyond the bounds of " + strings.Join(cut, ", ")
	}
	return ""
}

// nameElements calls the elements of carrier sets by the constants that are equal
// to them, the first of several, unless the set has names of its own.
func (in *Instance) nameElements(machine *model.Machine, given map[string][]string) {
	names := map[string][]string{}
	taken := map[string]bool{} // numbered elements must not be taken for constants
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			taken[ident.Name] = true
		}
	}
	for set, elems := range in.Carriers {
		names[set] = slices.Clone(elems)
		for i, e := range elems {
			if given[set] == nil && e == Element(set, i) {
				names[set][i] = numbered(set, i, taken)
			}
		}
	}
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			typ := in.Set.Bank.Type(ident.Term)
			if in.Set.Bank.TypeKind(typ) != logic.KindGiven || in.Set.Defs[ident.Term] != 0 {
				continue
			}
			set, i := in.Set.Bank.GivenName(typ), in.Set.Values[ident.Name]
			if given[set] == nil && names[set][i] == numbered(set, int(i), taken) {
				names[set][i] = ident.Name
			}
		}
	}
	in.Carriers, in.Set.Space = names, in.Set.Space.Named(names)
}

// numbered names element i of a carrier set, which no constant is equal to.
func numbered(set string, i int, taken map[string]bool) string {
	name := Element(set, i)
	if taken[name] {
		return set + "#" + strconv.Itoa(i+1)
	}
	return name
}

// Of returns s with the carrier sets and constants that the trace in data was
// made with, as far as it says.
func (s Setup) Of(data []byte) (Setup, error) {
	carriers, constants, err := trace.Setup(data)
	if err != nil {
		return s, err
	}
	names := map[string][]string{}
	maps.Copy(names, s.Names)
	maps.Copy(names, carriers)
	s.Names, s.Recorded = names, constants
	return s, nil
}

// recall fixes the constants that were recorded.
func (s Setup) recall(space *value.Space, machine *model.Machine, fixed map[string]value.Value) error {
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			x, ok := s.Recorded[ident.Name]
			if !ok {
				continue
			}
			v, err := space.Read(space.Shape(s.Bank.Type(ident.Term)), x)
			if err != nil {
				return fmt.Errorf("constant %s of the trace: %w", ident.Name, err)
			}
			fixed[ident.Name] = v
		}
	}
	return nil
}

// definitions takes out the axioms k = E in which E is an infinite set, such as a
// function on all integers. Such a constant has no value: it stands for E.
func definitions(space *value.Space, bank *logic.Bank, machine *model.Machine, fixed map[string]value.Value, axioms []logic.Term) (rest []logic.Term, defs map[logic.Term]logic.Term) {
	probe := formula.NewCompiler(space, bank, fixed)
	constant := map[logic.Term]bool{}
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			probe.Slots[ident.Name] = probe.NewSlot()
			constant[ident.Term] = true
		}
	}
	defs = map[logic.Term]logic.Term{}
	for _, term := range axioms {
		for _, predicate := range probe.Conjuncts(term) {
			// Earlier definitions are put in first, so that E may use them. An E with k in it is no definition.
			predicate = bank.Subst(predicate, defs)
			if bank.Op(predicate) != logic.Eq || !constant[bank.Arg(predicate, 0)] || bank.Occurs(bank.Arg(predicate, 0), bank.Arg(predicate, 1)) {
				rest = append(rest, predicate)
				continue
			}
			// Only an infinite E is a definition: a finite one gets a value by the search for constants.
			err := probe.Attempt(func() { probe.Expr(bank.Arg(predicate, 1)) })
			if _, ok := errors.AsType[formula.Unbounded](err); !ok {
				rest = append(rest, predicate)
				continue
			}
			defs[bank.Arg(predicate, 0)] = lambda(bank, bank.Arg(predicate, 1))
		}
	}
	// Axioms before a definition may mention its constant, so all definitions are put into the rest once more.
	var left []logic.Term
	for _, predicate := range rest {
		predicate = bank.Subst(predicate, defs)
		if parts, ok := byForm(bank, predicate); ok {
			left = append(left, parts...)
			continue
		}
		left = append(left, predicate)
	}
	return left, defs
}

// Carriers names the elements of the carrier sets. A set that an axiom
// partitions into single constants is those constants, up to renaming of its
// elements. An error says that an axiom contradicts the size that is wanted.
func Carriers(bank *logic.Bank, machine *model.Machine, s Setup) (carriers map[string][]string, fixed map[string]value.Value, order []string, err error) {
	carriers, fixed = map[string][]string{}, map[string]value.Value{}
	for _, ctx := range machine.Contexts {
		for _, predicate := range ctx.Axioms {
			if !predicate.Theorem {
				s.enumerated(bank, predicate.Term, carriers, fixed)
			}
		}
	}
	for _, ctx := range machine.Contexts {
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
					names = append(names, Element(set.Name, i))
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
	_, fixed, _, err := Carriers(b, m, Setup{})
	if err != nil {
		return false
	}
	for _, ctx := range m.Contexts {
		for _, k := range ctx.Constants {
			if _, ok := fixed[k.Name]; ok && b.TypeKind(b.Type(k.Term)) == logic.KindGiven && b.GivenName(b.Type(k.Term)) == set {
				return true
			}
		}
	}
	return false
}

// Element names element i of a carrier set.
func Element(set string, i int) string { return set + strconv.Itoa(i+1) }

// enumerated takes note of the carrier sets that t partitions into single
// constants, unless the values of constants are recorded.
func (s Setup) enumerated(bank *logic.Bank, t logic.Term, carriers map[string][]string, fixed map[string]value.Value) {
	if bank.Op(t) == logic.And {
		for _, a := range bank.Args(t) {
			s.enumerated(bank, a, carriers, fixed)
		}
		return
	}
	if bank.Op(t) != logic.Partition || bank.Op(bank.Arg(t, 0)) != logic.Given {
		return
	}
	set := bank.Name(bank.Arg(t, 0))
	var names []string
	for _, part := range bank.Args(t)[1:] {
		if bank.Op(part) != logic.SetExt || len(bank.Args(part)) != 1 || bank.Op(bank.Arg(part, 0)) != logic.Free {
			return
		}
		name := bank.Name(bank.Arg(part, 0))
		_, taken := fixed[name]
		_, recorded := s.Recorded[name]
		// A constant with a value could be any element: renumbering the elements would contradict it.
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
