package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/unwind"
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
	sets   *formula.Compiler
	search formula.Searcher // of sets

	at     *formula.Compiler // of what is evaluated at a point
	axioms []axiom
}

type axiom struct {
	*model.Predicate
	holds formula.Pred
}

// Point is one choice of all constants of a machine.
type Point struct {
	Broken []*model.Predicate // the axioms that do not hold there: none at a legal point

	grid   *Grid
	values []value.Value // of grid.names
}

// Constant is the value of an expression over the constants.
type Constant struct {
	Text string
	Int  *big.Int // nil if it is no integer
}

// NewGrid compiles the choices of the constants of m. It is an error if a
// constant has neither a definition nor a choice, or if a set has no bound.
func NewGrid(machine *model.Machine, s Setup, given []Definition, choices []Choice) (*Grid, error) {
	b := s.Bank
	carriers, fixed, order, err := carriersOf(b, machine, s)
	if err != nil {
		return nil, err
	}
	g := &Grid{Carriers: carriers, space: value.NewSpace(b, carriers), bank: b, m: machine, order: order, fixed: fixed}
	if err := g.define(given); err != nil {
		return nil, err
	}
	var ids, conds []logic.Term
	var types []logic.Type
	for _, x := range choices {
		if _, ok := fixed[x.Name]; ok {
			return nil, fmt.Errorf("constant %s of %s has one value already: it is given, or an element of a carrier set", x.Name, machine.Name)
		}
		g.names = append(g.names, x.Name)
		ids, types = append(ids, b.Free(x.Name, x.Type)), append(types, x.Type)
	}
	for i, x := range choices {
		conds = append(conds, b.Abstract(b.App(logic.In, ids[i], x.Set), ids))
	}
	for _, ctx := range machine.Contexts {
		for _, ident := range ctx.Constants {
			g.order = append(g.order, ident.Name)
			if _, ok := fixed[ident.Name]; !ok && !slices.Contains(g.names, ident.Name) {
				return nil, fmt.Errorf("constant %s of %s has neither a value nor a set to search; add it to the instance or to search", ident.Name, machine.Name)
			}
		}
	}
	compiler := formula.NewCompiler(g.space, b, fixed)
	compiler.Root = b.And(conds...)
	err = formula.Guarded(func() { g.search = compiler.Binder(types, g.names, conds, func() {}) })
	if missing, ok := errors.AsType[formula.Unbounded](err); ok {
		return nil, ofChoice(missing, b, choices)
	}
	if err != nil {
		return nil, fmt.Errorf("the constants of %s: %w", machine.Name, err)
	}
	g.sets = compiler
	return g, g.compileAxioms()
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

// compileAxioms compiles what decides whether a point is legal.
func (g *Grid) compileAxioms() error {
	g.at = formula.NewCompiler(g.space, g.bank, g.fixed)
	for _, name := range g.names {
		g.at.Slots[name] = g.at.NewSlot()
	}
	for _, ctx := range g.m.Contexts {
		for _, predicate := range ctx.Axioms {
			p, err := program.PropertyOf(g.at, predicate.Label, predicate.Term)
			if err != nil {
				return fmt.Errorf("axiom %s: %w", predicate.Label, err)
			}
			g.axioms = append(g.axioms, axiom{predicate, p.Holds})
		}
	}
	return nil
}

// Count counts the points, up to limit and one more.
func (g *Grid) Count(ctx context.Context, limit int) (n int, err error) {
	err = g.enumerate(ctx, func([]value.Value) bool {
		n++
		return n <= limit
	})
	return n, err
}

// Each visits the points, in the order in which the sets of the choices enumerate
// them, until visit says false.
func (g *Grid) Each(ctx context.Context, visit func(Point) bool) error {
	frame := g.at.NewFrame(ctx)
	return g.enumerate(ctx, func(values []value.Value) bool {
		p := Point{grid: g, values: slices.Clone(values)}
		copy(frame.Slots, values)
		for _, a := range g.axioms {
			if ok, _ := frame.Try(a.holds); !ok {
				p.Broken = append(p.Broken, a.Predicate)
			}
		}
		return visit(p)
	})
}

// enumerate visits the choices, until visit says false. An error says that a set
// has no value, or what ended the enumeration.
func (g *Grid) enumerate(ctx context.Context, visit func([]value.Value) bool) error {
	f := g.sets.NewFrame(ctx)
	n := len(g.names)
	why := ""
	limit := unwind.Bounded(func() {
		_, why = f.Visit(g.search, func(f *formula.Frame) bool {
			f.Tick()
			return visit(f.Slots[:n])
		})
	})
	switch {
	case limit != "":
		return fmt.Errorf("the constants of %s: %s ended the enumeration of their values", g.m.Name, limit)
	case why != "":
		return fmt.Errorf("the constants of %s: a set of values has no value (%s)", g.m.Name, why)
	}
	return nil
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
	return func(p Point) (Constant, error) {
		frame := g.at.NewFrame(context.Background())
		copy(frame.Slots, p.values)
		v, why := frame.Value(expr)
		if why != "" {
			return Constant{}, errors.New(why)
		}
		return g.constant(g.bank.Type(term), v), nil
	}, nil
}

// Key tells points apart by the values of some names: two have the same key if
// they give all of them the same values.
func (g *Grid) Key(p Point, names []string) string {
	var w strings.Builder
	for i, name := range g.names {
		if slices.Contains(names, name) {
			fmt.Fprintf(&w, "%x,", uint64(p.values[i]))
		}
	}
	return w.String()
}

// Instance is the set-up of the machine at a point.
func (p Point) Instance() *Instance {
	g := p.grid
	in := &Instance{set: &program.Setting{Space: g.space, Bank: g.bank, Values: map[string]value.Value{}}, Carriers: g.Carriers, Order: g.order}
	for name, v := range g.fixed {
		in.set.Values[name] = v
	}
	for i, name := range g.names {
		in.set.Values[name] = p.values[i]
	}
	return in
}
