package guess

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/infer/internal/karr"
	"github.com/gradine/gradine/infer/internal/linear"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
)

// affine guesses linear equations by Karr's analysis, for which see package karr: between
// integers, products of them that the text suggests, truth values as 0 and 1, and values
// of functions at expressions, f(next − 1) say; everywhere, or where one or two
// comparisons hold. It reads the refined machine alongside, so that equations glue what
// has disappeared.
func affine(v *view) {
	first := &analysis{v: v, number: map[string]int{}}
	analyse(first)
	if first.crowded {
		// What there was no room for tells other places apart.
		analyse(&analysis{v: v, number: map[string]int{}, done: first.controls})
	}
}

// analyse guesses what a finds.
func analyse(a *analysis) {
	a.v.origin = FromAnalysis
	a.choose()
	a.control()
	system := a.system()
	for _, e := range a.v.m.Events {
		for _, c := range a.cases(e) {
			system.Moves = append(system.Moves, a.move(e, c))
		}
	}
	for _, found := range system.Equations(a.v.ctx) {
		a.tell(found)
	}
}

// analysis is one run of it: what columns and controls mean.
type analysis struct {
	v        *view
	columns  [][]logic.Term // each a product of atoms, sorted; the last is that of none
	number   map[string]int // of columns, by key
	signs    []karr.Column
	facts    []karr.Fact // equations of axioms, invariants and inherited invariants
	controls []control
	crowded  bool      // there were more
	done     []control // of an earlier analysis, which are left out; truth values are looked at again
	element            // that it is about; the zero value for rule affine
	places   places    // in the move that is read
}

// control is a comparison that tells places apart, and its opposite.
type control struct {
	term, opposite logic.Term
	karr.Control
}

// The bounds of what the analysis looks at, and of what is guessed of what it finds.
const (
	mostAffine     = 96 // columns
	mostControls   = 9
	longestRelated = 8 // summands of an equation
	mostOfMoment   = 8 // equations that two conditions add
)

// system is what the analysis goes along, but for its moves.
func (a *analysis) system() karr.System {
	s := karr.System{Columns: a.signs, Facts: a.facts, Factors: a.factors(), Sayable: func(row linear.Vector) bool {
		return a.equation(a.sumOf(row)) != 0
	}}
	for _, c := range a.controls {
		s.Controls = append(s.Controls, c.Control)
	}
	return s
}

// factors says of each factor of a product which column is which other one times it.
func (a *analysis) factors() (out [][]int) {
	var single []logic.Term
	for _, factors := range a.columns {
		if len(factors) > 1 {
			single = append(single, factors...)
		}
	}
	slices.Sort(single)
	for _, x := range slices.Compact(single) {
		var product []int
		for _, factors := range a.columns {
			i, ok := a.number[keyOf(slices.Sorted(slices.Values(append(slices.Clone(factors), x))))]
			if !ok {
				i = -1
			}
			product = append(product, i)
		}
		out = append(out, product)
	}
	return out
}

// control chooses the comparisons that tell places apart: truth values, then what guards
// compare most often, then what variables are set to.
func (a *analysis) control() {
	v := a.v
	// The first ones count: each control doubles the places, and few are enough to tell
	// the phases of a machine apart.
	most := mostControls
	if a.is != 0 {
		most = mostOfElement
	}
	for _, p := range slices.Concat(a.memberships(), a.comparisons()) {
		zero, ok := a.equal(p)
		if !ok || len(zero) == 0 || !a.inColumns([][]product{zero}) {
			continue
		}
		c := control{p, v.opposite(p), karr.Control{Row: vector(zero, a.number)}}
		if slices.ContainsFunc(a.controls, func(d control) bool { return linear.Parallel(c.Row, d.Row) }) {
			continue
		}
		truth := a.truth(p)
		if truth == 0 && slices.ContainsFunc(a.done, func(d control) bool { return d.term == p }) {
			continue
		}
		if len(a.controls) == most {
			a.crowded = true
			break
		}
		if truth != 0 {
			// What is not TRUE is FALSE: where the control does not hold there is an equation, too.
			c.Off = vector([]product{{big.NewInt(1), []logic.Term{truth}}}, a.number)
		}
		a.controls = append(a.controls, c)
	}
}

// comparisons returns the equations that may tell places apart, the most telling first.
func (a *analysis) comparisons() (order []logic.Term) {
	v := a.v
	count := map[logic.Term]int{}
	note := func(p logic.Term, weight int) {
		if !v.state(p) || !v.mentions(p) || v.b.Type(v.b.Arg(p, 0)) == logic.BoolType && v.b.Op(v.b.Arg(p, 1)) == logic.FalseE {
			return
		}
		if count[p] == 0 {
			order = append(order, p)
		}
		count[p] += weight
	}
	// A truth value tells most: it is equations in both cases, and costs no order.
	for _, x := range v.vars {
		if v.b.Type(x) == logic.BoolType {
			note(v.eq(x, v.b.App(logic.TrueE)), 1000)
		}
	}
	for _, s := range v.steps {
		for _, g := range s.guards {
			switch args := v.b.Args(g); v.b.Op(g) {
			case logic.Eq, logic.Neq, logic.Lt, logic.Gt:
				note(v.eq(args[0], args[1]), 2)
			}
		}
	}
	for _, s := range v.steps {
		for _, x := range s.sets {
			if x.value != 0 && v.rigid(x.value) && a.numeric(v.b.Type(x.to)) {
				note(v.eq(x.to, x.value), 1)
			}
		}
	}
	slices.SortStableFunc(order, func(p, q logic.Term) int { return count[q] - count[p] })
	return order
}

// tell guesses what was found to hold under a condition.
func (a *analysis) tell(found karr.Found) {
	v := a.v
	var terms []logic.Term
	for i, c := range a.controls {
		switch bit := uint(1) << i; {
		case found.Asked&bit == 0:
		case found.Holds&bit != 0:
			terms = append(terms, c.term)
		default:
			terms = append(terms, c.opposite)
		}
	}
	if found.Never {
		last := v.opposite(terms[len(terms)-1])
		if a.concerns(last) {
			v.add(a.closed(terms[:len(terms)-1], last))
		}
	}
	var equations []logic.Term
	for _, row := range found.Rows {
		equations = append(equations, a.equation(a.sumOf(row)))
	}
	if len(terms) > 1 && len(equations) > mostOfMoment {
		return // so much is known of a moment, and not of a part of the run
	}
	for _, p := range equations {
		if a.concerns(p) {
			v.add(a.closed(terms, p))
		}
	}
}

// sumOf is a row as a sum; nil if its numbers are none that people write.
func (a *analysis) sumOf(row linear.Vector) (sum []product) {
	for i, n := range row.Whole() {
		if n.Sign() != 0 {
			sum = append(sum, product{n, a.columns[i]})
		}
	}
	return sum
}

// equation is the predicate that a sum is 0; 0 if people would not write it.
func (a *analysis) equation(sum []product) logic.Term {
	v := a.v
	if len(sum) == 0 || len(sum) > longestRelated {
		return 0
	}
	for _, p := range sum {
		if len(p.factors) == 0 || v.b.Type(p.factors[0]) == logic.IntType {
			continue
		}
		return a.valued(sum)
	}
	return v.equation(sum)
}

// valued is the equation of something that is not an integer: that it has the value of
// another of its type, or one of the values that have names. Karr's analysis is over numbers: TRUE is 1, FALSE is 0, and
// named elements of a set are their ranks, so that only these forms of a sum mean something.
func (a *analysis) valued(sum []product) logic.Term {
	v := a.v
	x := sum[0]
	// Only x = value and x = y mean something here: one term with coefficient 1, or two with 1 and −1.
	if len(sum) > 2 || len(x.factors) != 1 || x.coefficient.Cmp(big.NewInt(1)) != 0 {
		return 0
	}
	typ := v.b.Type(x.factors[0])
	value := new(big.Int)
	if len(sum) == 2 {
		y := sum[1]
		if len(y.factors) == 1 && v.b.Type(y.factors[0]) == typ && v.b.Op(x.factors[0]) != logic.BoolOf && v.b.Op(y.factors[0]) != logic.BoolOf && y.coefficient.Cmp(big.NewInt(-1)) == 0 {
			return v.eq(x.factors[0], y.factors[0])
		}
		if len(y.factors) != 0 {
			return 0
		}
		value.Neg(y.coefficient)
	}
	if typ == logic.BoolType {
		holds := v.eq(x.factors[0], v.b.App(logic.TrueE))
		if v.b.Op(x.factors[0]) == logic.BoolOf {
			holds = v.b.Arg(x.factors[0], 0)
		}
		switch value.String() {
		case "0":
			return v.opposite(holds)
		case "1":
			return holds
		}
		return 0
	}
	for _, k := range v.consts {
		if n, ok := v.rank[k]; ok && v.b.Type(k) == typ && value.IsInt64() && value.Int64() == n {
			return v.eq(x.factors[0], k)
		}
	}
	return 0
}

// relations takes the equations among the facts, such as have conditions with them.
func (a *analysis) relations() {
	a.facts = a.apartFacts()
	for _, p := range a.v.facts {
		var under, holds [][]product
		b := a.v.b
		if a.is != 0 && b.Op(p) == logic.Forall && len(b.Decls(p)) == 1 && b.Decls(p)[0] == b.Type(a.is) {
			p = b.Instantiate(b.Arg(p, 0), []logic.Term{a.is}) // what is said of all is said of the element
		}
		conclusion := p
		known := true
		if b.Op(p) == logic.Implies {
			for _, c := range formula.Conjuncts(a.v.b, b.Arg(p, 0)) {
				zero, ok := a.equal(c)
				known = known && ok
				under = append(under, zero)
			}
			conclusion = b.Arg(p, 1)
		}
		for _, c := range formula.Conjuncts(a.v.b, conclusion) {
			if zero, ok := a.equal(c); ok {
				holds = append(holds, zero)
			}
		}
		if known && len(holds) > 0 && a.inColumns(slices.Concat(under, holds)) {
			a.facts = append(a.facts, karr.Fact{Under: vectors(under, a.number), Holds: vectors(holds, a.number)})
		}
	}
}
