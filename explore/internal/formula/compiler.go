package formula

import (
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/logic/text"
)

// Unbounded is the error of an enumeration without bound.
type Unbounded struct {
	Variable string // what is enumerated
	In       string // the formula it occurs in
	Missing  string // what would bound it
	Sought   bool   // a value of it was sought otherwise, and not found
}

func (e Unbounded) Error() string {
	if e.Sought {
		return fmt.Sprintf("no bound for %s in %s, and no value found that satisfies the axioms", e.Variable, e.In)
	}
	return fmt.Sprintf("no bound for %s in %s; %s would bound it", e.Variable, e.In, e.Missing)
}

// Bounds are the least and the greatest value of an integer.
type Bounds struct{ Low, High int }

// Compiler turns formulas into closures. Names of identifiers are bound to
// slots or constant values.
type Compiler struct {
	Space           *value.Space
	Bank            *logic.Bank
	Slots           map[string]int            // by name: variables, primed variables, parameters
	Consts          map[string]value.Value    // by name: constants already found
	Defs            map[logic.Term]logic.Term // constants that stand for terms
	Bound           []int                     // slots of bound variables, innermost last
	nslots, nleaves int
	nlists          int
	Root            logic.Term // for messages
	Strict          bool       // what has no value is an error: it must not be skipped
	trying          bool       // failures are not reported

	Bounds   map[string]Bounds // of identifiers that nothing else bounds
	Cut      []string          // those of them that were needed
	Bounding bool              // bounds count for the next binder: it chooses what happens, and is not part of a formula

	Hidden []logic.Term // conditions that are not looked at for all values of their variables

	slotTypes map[int]logic.Type // of bound variables
	slotNames map[int]string
}

// NewCompiler returns a compiler of formulas of b over values of u; consts are the values of
// constants, by name.
func NewCompiler(u *value.Space, b *logic.Bank, consts map[string]value.Value) *Compiler {
	return &Compiler{Space: u, Bank: b, Consts: consts, Slots: map[string]int{}, slotTypes: map[int]logic.Type{}, slotNames: map[int]string{}}
}

type failure struct{ error }

func (c *Compiler) failf(format string, args ...any) {
	panic(failure{fmt.Errorf(format, args...)})
}

// unbounded refuses to enumerate what nothing bounds.
func (c *Compiler) unbounded(what, missing string) {
	if c.trying {
		panic(failure{Unbounded{}})
	}
	panic(failure{Unbounded{Variable: what, In: Excerpt(text.Readable(c.Bank, c.Root)), Missing: missing}})
}

// Excerpt is the beginning of a long text.
func Excerpt(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

// Attempt runs fn, which compiles something that may have no bound.
func (c *Compiler) Attempt(fn func()) error {
	outer, bound, hidden := c.trying, c.Bound, c.Hidden
	c.trying = true
	err := Guarded(fn)
	c.trying, c.Bound = outer, bound
	if err != nil {
		c.Hidden = hidden
	}
	return err
}

// Guarded runs fn and returns the failure it panics with.
func Guarded(fn func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if f, ok := p.(failure); ok {
				err = f.error
				return
			}
			panic(p)
		}
	}()
	fn()
	return nil
}

func (c *Compiler) shape(t logic.Term) *value.Shape { return c.Space.Shape(c.Bank.Type(t)) }

// NewFrame is room for what was compiled.
func (c *Compiler) NewFrame(ctx context.Context) *Frame {
	return &Frame{u: c.Space, Slots: make([]value.Value, c.nslots), leaves: make([]Then, c.nleaves), lists: make([][]value.Value, c.nlists), Context: ctx}
}

// NextSlot is the slot that newSlot would make next.
func (c *Compiler) NextSlot() int { return c.nslots }

// NewSlot makes room for a variable.
func (c *Compiler) NewSlot() int {
	c.nslots++
	return c.nslots - 1
}

// newList makes room for a set that is listed. An expression does not occur within itself, so that one each is
// enough.
func (c *Compiler) newList() int {
	c.nlists++
	return c.nlists - 1
}

// under compiles with the variables of a binder in new slots.
func (c *Compiler) under(decls []logic.Type, names []string, fn func(slots []int)) {
	var slots []int
	for i, typ := range decls {
		s := c.NewSlot()
		c.slotTypes[s] = typ
		if i < len(names) {
			c.slotNames[s] = names[i]
		}
		slots = append(slots, s)
		c.Bound = append(c.Bound, s)
	}
	fn(slots)
	c.Bound = c.Bound[:len(c.Bound)-len(decls)]
}

// names are those that people see for the variables of binder t.
func (c *Compiler) names(t logic.Term) []string {
	h, _ := c.Bank.Hint(t)
	return h.Names
}

func (c *Compiler) boundSlot(t logic.Term) int { return c.Bound[len(c.Bound)-1-c.Bank.Index(t)] }

// named is t with the names of the variables that are bound around it, for people.
func (c *Compiler) named(t logic.Term) logic.Term {
	n := c.Bank.Depth(t)
	if n == 0 {
		return t
	}
	around := make([]logic.Term, n)
	for i, slot := range c.Bound[len(c.Bound)-n:] {
		around[i] = c.Bank.Free(c.nameOf(slot), c.slotTypes[slot])
	}
	return c.Bank.Instantiate(t, around)
}

// Total reports whether t has a value whatever those of its identifiers are.
func (c *Compiler) Total(t logic.Term) bool { return c.Bank.Op(c.Bank.D(t)) == logic.True }

// Brief reports whether t is evaluated without a loop: of numbers and variables, and of intervals that are asked for a number.
func (c *Compiler) Brief(t logic.Term) bool {
	switch op := c.Bank.Op(t); op {
	case logic.And, logic.Or, logic.Not, logic.Implies, logic.Iff, logic.Eq, logic.Neq, logic.Lt, logic.Le, logic.Gt, logic.Ge, logic.In, logic.NotIn,
		logic.Plus, logic.Minus, logic.Times, logic.Neg, logic.Div, logic.Mod, logic.Int, logic.Free, logic.TrueE, logic.FalseE, logic.Natural, logic.Natural1, logic.UpTo:
	default:
		return false
	}
	return !slices.ContainsFunc(c.Bank.Args(t), func(part logic.Term) bool { return !c.Brief(part) })
}

// number is the value of an integer that stands in the formula or is a constant, if it is of a size that
// can be counted with.
func (c *Compiler) number(t logic.Term) (int64, bool) {
	if c.shape(t).Kind != value.IntShape {
		return 0, false
	}
	v, ok := c.fixed(t)
	return int64(v), ok && int64(v) > -1<<61 && int64(v) < 1<<61
}

// fixed is the value of a literal, a constant, or a sum, difference or product of such.
func (c *Compiler) fixed(t logic.Term) (value.Value, bool) {
	switch c.Bank.Op(t) {
	case logic.Int:
		return c.Space.FromBig(c.Bank.Value(t)), true
	case logic.Free:
		v, ok := c.Consts[c.Bank.Name(t)]
		return v, ok
	case logic.Plus, logic.Minus, logic.Times:
		terms := c.Bank.Args(t)
		v, ok := c.number(terms[0])
		for _, other := range terms[1:] {
			n, known := c.number(other)
			ok = ok && known && -near < v && v < near && -near < n && n < near
			switch c.Bank.Op(t) {
			case logic.Plus:
				v += n
			case logic.Minus:
				v -= n
			case logic.Times:
				v *= n
			}
		}
		return value.Value(v), ok
	}
	return 0, false
}

// near are integers whose sums and products are surely held in a word.
const near = 1 << 30

// slot is where the value of a variable stands.
func (c *Compiler) slot(t logic.Term) (int, bool) {
	switch c.Bank.Op(t) {
	case logic.Bound:
		return c.boundSlot(t), true
	case logic.Free:
		if _, ok := c.Consts[c.Bank.Name(t)]; !ok {
			s, ok := c.Slots[c.Bank.Name(t)]
			return s, ok
		}
	}
	return 0, false
}

// nameOf returns the name of the variable in slot s.
func (c *Compiler) nameOf(s int) string {
	if n, ok := c.slotNames[s]; ok {
		return n
	}
	return "a bound variable"
}

// pattern matches t, a maplet tree in which each of n variables occurs exactly once.
func (c *Compiler) pattern(t logic.Term, n int) (*pattern, bool) {
	seen := map[int]bool{}
	var match func(t logic.Term) *pattern
	match = func(t logic.Term) *pattern {
		switch {
		case c.Bank.Op(t) == logic.Bound && c.Bank.Index(t) < n && !seen[c.Bank.Index(t)]:
			seen[c.Bank.Index(t)] = true
			return &pattern{index: n - 1 - c.Bank.Index(t)}
		case c.Bank.Op(t) == logic.Maplet:
			l, r := match(c.Bank.Arg(t, 0)), match(c.Bank.Arg(t, 1))
			if l != nil && r != nil {
				return &pattern{shape: c.shape(t), l: l, r: r}
			}
		}
		return nil
	}
	p := match(t)
	return p, p != nil && len(seen) == n
}

// Conjuncts takes a conjunction apart, without ⊤.
func (c *Compiler) Conjuncts(t logic.Term) []logic.Term {
	return c.withoutTrue(formula.Conjuncts(c.Bank, t))
}

// antecedent splits P1 ⇒ (P2 ⇒ … ⇒ Q) into the conjuncts of the P, without ⊤, and Q.
func (c *Compiler) antecedent(t logic.Term) (hyps []logic.Term, goal logic.Term) {
	hyps, goal = formula.Implications(c.Bank, t)
	return c.withoutTrue(hyps), goal
}

// withoutTrue leaves ⊤ out: a condition that always holds is a step of a plan that costs something in each state.
func (c *Compiler) withoutTrue(ps []logic.Term) []logic.Term {
	return slices.DeleteFunc(ps, func(p logic.Term) bool { return c.Bank.Op(p) == logic.True })
}
