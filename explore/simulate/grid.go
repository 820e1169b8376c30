package simulate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/setup"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Choice says which values of a constant are tried.
type Choice struct {
	Name string
	Type logic.Type
	Set  logic.Term // over constants and names that have choices, too
}

// Definition gives a name one value: that of a term without other identifiers
// than carrier sets and constants that are elements of them.
type Definition struct {
	Name string
	Term logic.Term
}

// Grid is all choices of the constants of a machine.
type Grid struct {
	Carriers map[string][]string // the elements of the carrier sets
	Given    []Constant          // the values of the definitions

	space  *value.Space
	bank   *logic.Bank
	m      *model.Machine
	order  []string
	fixed  map[string]value.Value // constants that are elements of carrier sets, and what is given
	names  []string               // that have choices
	types  []logic.Type           // of them
	sets   *formula.Compiler
	levels []level // what is chosen, each after all that its set mentions

	at       *formula.Compiler // of what is evaluated at a point
	axioms   []axiom
	theorems []axiom // that can be evaluated
}

// level is the choice of one name.
type level struct {
	place  int  // of the name
	slot   int  // where the search has its value
	single bool // there is one value
	search formula.Searcher
}

type axiom struct {
	*model.Predicate
	holds formula.Pred
}

// Point is one choice of all constants of a machine.
type Point struct {
	Broken  []*model.Predicate // the axioms that do not hold there: none at a legal point
	False   *model.Predicate   // a theorem that is false, or has no value, though the axioms hold; nil if there is none
	Without string             // the constant whose values have none there, so that those that follow are not chosen; "" if there is none
	Why     string             // they have none

	grid   *Grid
	values []value.Value // of grid.names
	levels int           // of which there are values
}

// Constant is the value of an expression over the constants.
type Constant struct {
	Text string
	Int  *big.Int // nil if it is not an integer
}

// NewGrid compiles the choices of the constants of m. It is an error if a
// constant has neither a definition nor a choice, or if a set has no bound.
func NewGrid(machine *model.Machine, s explore.Setup, given []Definition, choices []Choice) (*Grid, error) {
	b := s.Bank
	carriers, fixed, order, err := setup.Carriers(b, machine, s)
	if err != nil {
		return nil, err
	}
	g := &Grid{Carriers: carriers, space: value.NewSpace(b, carriers), bank: b, m: machine, order: order, fixed: fixed}
	if err := g.define(given); err != nil {
		return nil, err
	}
	for _, x := range choices {
		if _, ok := fixed[x.Name]; ok {
			return nil, fmt.Errorf("constant %s of %s has one value already: it is given, or an element of a carrier set", x.Name, machine.Name)
		}
		g.names, g.types = append(g.names, x.Name), append(g.types, x.Type)
	}
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			g.order = append(g.order, ident.Name)
			if _, ok := fixed[ident.Name]; !ok && !slices.Contains(g.names, ident.Name) {
				return nil, fmt.Errorf("constant %s of %s has neither a value nor a set to search; add it to the instance or to search", ident.Name, machine.Name)
			}
		}
	}
	if err := g.compileChoices(choices); err != nil {
		return nil, err
	}
	return g, g.compileAxioms()
}

// compileChoices compiles the sets of the choices, each behind those that it mentions.
func (g *Grid) compileChoices(choices []Choice) error {
	g.sets = formula.NewCompiler(g.space, g.bank, g.fixed)
	open := map[string]bool{}
	for _, name := range g.names {
		g.sets.Slots[name] = g.sets.NewSlot()
		open[name] = true
	}
	ready := func(choice Choice) bool {
		waits := slices.ContainsFunc(g.bank.FreeIdents(choice.Set), func(id logic.Term) bool { return open[g.bank.Name(id)] })
		return open[choice.Name] && !waits
	}
	for range choices {
		// What always has one value is looked at as soon as it can be, once for
		// all that follow.
		i := slices.IndexFunc(choices, func(choice Choice) bool {
			e := g.only(choice)
			return e != 0 && g.sets.Total(e) && ready(choice)
		})
		if i < 0 {
			i = slices.IndexFunc(choices, ready)
		}
		if i < 0 {
			i = slices.IndexFunc(choices, func(x Choice) bool { return open[x.Name] })
			return ofChoice(formula.Unbounded{Variable: choices[i].Name}, g.bank, choices)
		}
		x := choices[i]
		open[x.Name] = false
		self := []logic.Term{g.bank.Free(x.Name, x.Type)}
		only := g.only(x)
		member := g.bank.App(logic.In, self[0], x.Set)
		if only != 0 {
			member = g.bank.App(logic.Eq, self[0], only)
		}
		member = g.bank.Abstract(member, self)
		l := level{place: i, single: only != 0}
		g.sets.Root = member
		err := formula.Guarded(func() {
			l.search = g.sets.Binder([]logic.Type{x.Type}, []string{x.Name}, []logic.Term{member}, func() { l.slot = g.sets.Bound[len(g.sets.Bound)-1] })
		})
		if missing, ok := errors.AsType[formula.Unbounded](err); ok {
			return ofChoice(missing, g.bank, choices)
		}
		if err != nil {
			return fmt.Errorf("the constants of %s: %w", g.m.Name, err)
		}
		g.levels = append(g.levels, l)
	}
	return nil
}

// only is E for a choice from {E}, 0 for others.
func (g *Grid) only(choice Choice) logic.Term {
	if g.bank.Op(choice.Set) != logic.SetExt || len(g.bank.Args(choice.Set)) != 1 {
		return 0
	}
	return g.bank.Arg(choice.Set, 0)
}

// define evaluates definitions.
func (g *Grid) define(given []Definition) error {
	compiler := formula.NewCompiler(g.space, g.bank, maps.Clone(g.fixed))
	for _, d := range given {
		if _, ok := g.fixed[d.Name]; ok {
			return fmt.Errorf("%s has one value already: it is given twice, or an element of a carrier set", d.Name)
		}
		var expr formula.Expr
		compiler.Root = d.Term
		if err := formula.Guarded(func() { expr = compiler.Expr(d.Term) }); err != nil {
			return fmt.Errorf("the value of %s: %w", d.Name, err)
		}
		v, why := compiler.NewFrame(context.Background()).Value(expr)
		if why != "" {
			return fmt.Errorf("%s has no value: %s", d.Name, why)
		}
		g.fixed[d.Name] = v
		g.Given = append(g.Given, g.constant(g.bank.Type(d.Term), v))
	}
	return nil
}

// constant prints a value.
func (g *Grid) constant(t logic.Type, v value.Value) Constant {
	sh := g.space.Shape(t)
	out := Constant{Text: g.space.String(sh, v)}
	if sh.Kind == value.IntShape {
		out.Int = new(big.Int).Set(g.space.ToBig(v))
	}
	return out
}

// ofChoice says of a choice that it has no bound.
func ofChoice(e formula.Unbounded, b *logic.Bank, choices []Choice) error {
	for _, x := range choices {
		if x.Name == e.Variable {
			return fmt.Errorf("the values of %s, %s, cannot be listed: they are without bound, or depend on each other in a circle; give a set such as 1‥9", x.Name, text.Readable(b, x.Set))
		}
	}
	return fmt.Errorf("the sets of values cannot be listed: no bound for %s; %s would bound it", e.Variable, e.Missing)
}

// compileAxioms compiles what decides whether a point is legal, and the theorems among
// the axioms, which do not: a theorem that cannot be evaluated is left to the prover.
func (g *Grid) compileAxioms() error {
	g.at = formula.NewCompiler(g.space, g.bank, g.fixed)
	for _, name := range g.names {
		g.at.Slots[name] = g.at.NewSlot()
	}
	for _, ctx := range g.m.Contexts {
		for _, predicate := range ctx.Axioms {
			p, err := program.PropertyOf(g.at, predicate.Label, predicate.Term)
			switch {
			case err == nil && predicate.Theorem:
				g.theorems = append(g.theorems, axiom{predicate, p.Holds})
			case err == nil:
				g.axioms = append(g.axioms, axiom{predicate, p.Holds})
			case !predicate.Theorem:
				return fmt.Errorf("axiom %s: %w", predicate.Label, err)
			}
		}
	}
	return nil
}

// Count counts the points, up to limit and one more.
func (g *Grid) Count(ctx context.Context, limit int) (n int, err error) {
	last := 0
	for k, l := range g.levels {
		if !l.single {
			last = k + 1
		}
	}
	// Behind the last choice that there is, each point goes on as one.
	for _, err := range g.enumerate(ctx, last) {
		if err != nil {
			return n, err
		}
		if n++; n > limit {
			break
		}
	}
	return n, nil
}

// Points are all points, in the order in which the sets of the choices enumerate them.
// An error, which comes last, says what ended the enumeration.
func (g *Grid) Points(ctx context.Context) iter.Seq2[Point, error] {
	return func(yield func(Point, error) bool) {
		frame, claims := g.at.NewFrame(ctx), g.at.NewFrame(ctx)
		claims.Most = program.TheoremSteps
		theorems := g.theorems
		for p, err := range g.enumerate(ctx, len(g.levels)) {
			p.values = slices.Clone(p.values)
			if err == nil && p.Without == "" {
				copy(frame.Slots, p.values)
				for _, a := range g.axioms {
					if ok, _ := frame.Try(a.holds); !ok {
						p.Broken = append(p.Broken, a.Predicate)
					}
				}
				// Theorems that take too long at some point are not waited for at others.
				copy(claims.Slots, p.values)
				if len(p.Broken) == 0 && !p.claims(claims, theorems) {
					theorems = nil
				}
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// claims finds a theorem that is false at a legal point, whose values are in the frame; it
// returns false if that takes too long.
func (p *Point) claims(frame *formula.Frame, theorems []axiom) bool {
	return abort.Bounded(func() {
		for _, a := range theorems {
			if ok, _ := frame.Try(a.holds); !ok {
				p.False = a.Predicate
				return
			}
		}
	}) == ""
}

// enumerate lists the choices of the first levels; the values of a point hold until the
// next. Where a set has no value, the point ends there.
func (g *Grid) enumerate(ctx context.Context, last int) iter.Seq2[Point, error] {
	return func(yield func(Point, error) bool) {
		frame := g.sets.NewFrame(ctx)
		values := frame.Slots[:len(g.names)]
		var from func(k int) bool
		from = func(k int) bool {
			frame.Tick()
			if k == last {
				return yield(Point{grid: g, values: values, levels: k}, nil)
			}
			l := g.levels[k]
			whole, why := frame.Visit(l.search, func(frame *formula.Frame) bool {
				values[l.place] = frame.Slots[l.slot]
				return from(k + 1)
			})
			if why != "" {
				return yield(Point{Without: g.names[l.place], Why: why, grid: g, values: values, levels: k}, nil)
			}
			return whole
		}
		if limit := abort.Bounded(func() { from(0) }); limit != "" {
			yield(Point{}, fmt.Errorf("the constants of %s: %s ended the enumeration of their values", g.m.Name, limit))
		}
	}
}

// Expression compiles an expression over the constants, a term of the bank of the
// set-up. What it returns evaluates it at a point; an error says that it has no
// value there.
func (g *Grid) Expression(term logic.Term) (func(Point) (Constant, error), error) {
	var expr formula.Expr
	g.at.Root = term
	if err := formula.Guarded(func() { expr = g.at.Whole(term) }); err != nil {
		return nil, err
	}
	needs := map[string]bool{}
	for _, id := range g.bank.FreeIdents(term) {
		needs[g.bank.Name(id)] = true
	}
	frame := g.at.NewFrame(context.Background())
	return func(p Point) (Constant, error) {
		for _, l := range g.levels[p.levels:] {
			if name := g.names[l.place]; needs[name] {
				return Constant{}, fmt.Errorf("%s has no value", name)
			}
		}
		copy(frame.Slots, p.values)
		v, why := frame.Value(expr)
		if why != "" {
			return Constant{}, errors.New(why)
		}
		return g.constant(g.bank.Type(term), v), nil
	}, nil
}

// Truth is Expression for a predicate: TRUE or FALSE.
func (g *Grid) Truth(predicate logic.Term) (func(Point) (Constant, error), error) {
	return g.Expression(g.bank.App(logic.BoolOf, predicate))
}

// Key tells points apart by the values of some names: two have the same key if
// they give all of them the same values.
func (g *Grid) Key(p Point, names []string) string {
	var key []byte
	for i, name := range g.names {
		if slices.Contains(names, name) {
			key = binary.LittleEndian.AppendUint64(key, uint64(p.values[i]))
		}
	}
	return string(key)
}

// String lists the constants that are chosen.
func (p Point) String() string {
	var parts []string
	for _, l := range p.grid.levels[:p.levels] {
		shape := p.grid.space.Shape(p.grid.types[l.place])
		parts = append(parts, p.grid.names[l.place]+"="+p.grid.space.String(shape, p.values[l.place]))
	}
	return strings.Join(parts, " ")
}

// Instance is the set-up of the machine at a point.
func (p Point) Instance() *explore.Instance {
	g := p.grid
	in := &explore.Instance{Set: &program.Setting{Space: g.space, Bank: g.bank, Values: map[string]value.Value{}}, Carriers: g.Carriers, Order: g.order}
	for name, v := range g.fixed {
		in.Set.Values[name] = v
	}
	for i, name := range g.names {
		in.Set.Values[name] = p.values[i]
	}
	return in
}

// Function compiles an integer expression over the constants, as Expression does. What
// it returns evaluates it at a point where names, which have choices, have other values.
func (g *Grid) Function(term logic.Term, names []string) (func(Point, []int64) (*big.Int, error), error) {
	var expr formula.Expr
	g.at.Root = term
	if err := formula.Guarded(func() { expr = g.at.Whole(term) }); err != nil {
		return nil, err
	}
	var slots []int
	for _, name := range names {
		slots = append(slots, slices.Index(g.names, name))
	}
	frame := g.at.NewFrame(context.Background())
	return func(p Point, values []int64) (*big.Int, error) {
		copy(frame.Slots, p.values)
		for i, slot := range slots {
			frame.Slots[slot] = g.space.FromBig(big.NewInt(values[i]))
		}
		v, why := frame.Value(expr)
		if why != "" {
			return nil, errors.New(why)
		}
		return new(big.Int).Set(g.space.ToBig(v)), nil
	}, nil
}
