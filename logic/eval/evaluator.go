package eval

import (
	"github.com/gradine/gradine/logic"
)

// Evaluator evaluates terms of one bank in one model. Its memory of closed
// terms makes it worth keeping while the model lasts.
type Evaluator struct {
	b     *logic.Bank
	m     *Model
	s     *Space
	steps int
	env   []Value // of the variables bound here, the innermost last; 0 if not set

	exprs   map[logic.Term]Value // closed terms; 0 for no value
	preds   map[logic.Term]Truth
	listed  map[Value]Value // symbolic sets to listed ones; 0 if impossible
	types   map[logic.Type][]Value
	plans   map[logic.Term]*plan
	samples []Value                // integers
	seen    map[logic.Type][]Value // of the free identifiers met
}

// New returns an evaluator of terms of b in m that takes at most the given
// number of steps. The model must not change while the evaluator is in use. Values are those
// of m.In(b).
func New(b *logic.Bank, m *Model, steps int) *Evaluator {
	m = m.In(b)
	return &Evaluator{
		b: b, m: m, s: m.Space, steps: steps,
		exprs: map[logic.Term]Value{}, preds: map[logic.Term]Truth{}, listed: map[Value]Value{},
		types: map[logic.Type][]Value{}, plans: map[logic.Term]*plan{},
		seen: map[logic.Type][]Value{},
	}
}

// Steps returns the number of steps left.
func (e *Evaluator) Steps() int { return max(e.steps, 0) }

// spend takes one step.
func (e *Evaluator) spend() bool {
	e.steps--
	return e.steps >= 0
}

// maxBits bounds the results of exponentiations and products.
const maxBits = 1 << 14

// A literal is one conjunct of what a solver solves. With a value, it relates
// the value to expression t instead of asserting predicate t.
type literal struct {
	t     logic.Term
	neg   bool
	level int    // number of variables in whose scope t stands
	mask  uint64 // variables that occur in t
	value Value
	op    logic.Op // of a literal with value: Eq (t = value), In or NotIn (value ∈ t)
}

// A plan is a binder prepared for solving: variables, those of quantifiers
// directly inside included, and the conjuncts that restrict them.
type plan struct {
	decls []logic.Type
	own   int // how many of them the binder itself declares
	lits  []literal
	masks map[logic.Term][]uint64 // by level
}
