package arith

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// nonlinear proposes lemmas about products, quotients, remainders and powers. To
// the simplex these are opaque, so its values may be wrong about them; a lemma is
// proposed only where the values violate it ("incremental linearisation").
type nonlinear struct {
	*Solver
	quota  int
	lemmas []*Lemma
	active []int32 // variables of the monomials of asserted atoms and shared terms
}

// maxOffers bounds the lemmas that a solver proposes.
const maxOffers = 1000

// Lemmas returns at most quota lemmas on nonlinear terms of asserted atoms and
// shared terms that the present values violate, the simplest kinds first. None is
// proposed twice, and only so many in all. If simple is set, these are definitions and multiples of
// equations only.
func (s *Solver) Lemmas(quota int, simple bool) []*Lemma {
	if len(s.offered) > maxOffers {
		return nil
	}
	n := &nonlinear{Solver: s, quota: quota}
	n.collect()
	tried := stages[:]
	if simple {
		tried = simpleStages[:]
	}
	for _, stage := range tried {
		if stage(n); len(n.lemmas) > 0 {
			break
		}
	}
	return n.lemmas
}

var simpleStages = [...]func(*nonlinear){
	(*nonlinear).definitions,
	(*nonlinear).nested,
	(*nonlinear).quotients,
	(*nonlinear).equations,
	(*nonlinear).wideEquations,
}

var stages = [...]func(*nonlinear){
	(*nonlinear).definitions,
	(*nonlinear).nested,
	(*nonlinear).products,
	(*nonlinear).equations,
	(*nonlinear).quotients,
	(*nonlinear).powers,
	(*nonlinear).signs,
	(*nonlinear).wideEquations,
	(*nonlinear).wideProducts,
	(*nonlinear).units,
	(*nonlinear).tangents,
}

// collect finds the active monomials, in the order of the assertions.
func (n *nonlinear) collect() {
	n.mark++
	for _, i := range n.asserted {
		if v := n.atoms[i].v; v >= 0 {
			n.activate(v)
		}
	}
	for _, sh := range n.shared {
		if sh.v >= 0 {
			n.activate(sh.v)
		}
	}
}

func (n *nonlinear) activate(v int32) {
	if n.forms[v].mark == n.mark {
		return
	}
	n.forms[v].mark = n.mark
	if poly := n.forms[v].poly; len(poly) == 1 {
		n.active = append(n.active, v)
	} else {
		for _, m := range poly {
			n.activate(n.monomial(m.Factors))
		}
	}
}

func (n *nonlinear) full() bool { return len(n.lemmas) >= n.quota }

// instance returns the clauses of an instance of an axiom or lemma, and the step
// that states the first of them; none if there is no such thing.
func (n *nonlinear) instance(name string, args []logic.Term) ([]kernel.Clause, kernel.Step) {
	schema := kernel.Lookup(name)
	if schema == nil {
		l, err := kernel.FindLemma(name)
		if err != nil || n.Only != nil && !n.Only[name] {
			return nil, kernel.Step{}
		}
		schema = &l.Schema
	}
	n.Work += 20
	clauses, step, _ := n.table.Of(schema, args...)
	return clauses, step
}

// propose offers the clauses of an instance of the named axiom or lemma.
func (n *nonlinear) propose(name string, args ...logic.Term) {
	clauses, step := n.instance(name, args)
	for i, c := range clauses {
		key := offer{name: name, index: i}
		copy(key.args[:], args)
		step.Index = i
		n.offer(key, &Lemma{c, []kernel.Step{step}})
	}
}

// violated reports whether the values make no literal of c true.
func (n *nonlinear) violated(c kernel.Clause) bool {
	for _, l := range c {
		if n.truth(l) > 0 {
			return false
		}
	}
	return true
}

// truth returns 1 or -1 for a literal that the values make true or false, 0 if
// they do not say.
func (s *Solver) truth(literal kernel.Lit) int {
	poly, equal, err := s.polys.Bound(literal) // of the negation of l
	if err != nil {
		return 0
	}
	v, known := s.eval(poly)
	if !known {
		return 0
	}
	negation := v.sign() <= 0
	if equal {
		negation = v.isZero() == literal.Negated()
	}
	if negation {
		return -1
	}
	return 1
}

// eval returns the value of p, where a product that is not a variable has that of
// its factors.
func (s *Solver) eval(p kernel.Poly) (v rat, known bool) {
	v = zero
	for _, m := range p {
		x, ok := s.evalMonomial(m.Factors)
		if !ok {
			return zero, false
		}
		v = v.add(rbigint(m.Coef).mul(x))
	}
	return v, true
}

// evalMonomial is the value of a product under the present values; false if a factor has none.
func (s *Solver) evalMonomial(fs []logic.Term) (rat, bool) {
	if len(fs) == 0 {
		return one, true
	}
	if v := s.known(fs); v >= 0 {
		return s.vars[v].value, true
	}
	prod := one
	for _, term := range fs {
		v := s.known([]logic.Term{term})
		if len(fs) == 1 || v < 0 {
			return zero, false
		}
		prod = prod.mul(s.vars[v].value)
	}
	return prod, true
}

// known returns the variable of a product of opaque terms, or -1 if it has none.
func (s *Solver) known(fs []logic.Term) int32 {
	t := fs[0]
	if len(fs) > 1 {
		t = s.b.App(logic.Times, fs...)
	}
	if int(t) < len(s.varOf) {
		return s.varOf[t] - 1
	}
	return -1
}

func (s *Solver) evalTerm(t logic.Term) (rat, bool) {
	p, err := s.polys.Of(t)
	if err != nil {
		return zero, false
	}
	return s.eval(p)
}

// opaque calls f for every factor of the active monomials that is an application
// of op, once each.
func (n *nonlinear) opaque(op logic.Op, f func(t, a, b logic.Term)) {
	var seen []logic.Term
	for _, v := range n.active {
		for _, t := range n.forms[v].poly[0].Factors {
			if n.b.Op(t) == op && !slices.Contains(seen, t) {
				seen = append(seen, t)
				f(t, n.b.Arg(t, 0), n.b.Arg(t, 1))
			}
		}
	}
}

// definitions proposes what ÷ and mod mean.
func (n *nonlinear) definitions() {
	n.opaque(logic.Mod, func(t, a, b logic.Term) {
		n.propose("mod", a, b)
		// What is not said to be below b is not tried: a case for each multiple would follow.
		if n.lessThan(a, b) {
			n.propose("mod.below", a, b)
		}
	})
	n.opaque(logic.Div, func(t, a, b logic.Term) {
		for _, name := range [4]string{"div.pos.pos", "div.neg.pos", "div.pos.neg", "div.neg.neg"} {
			n.propose(name, a, b)
		}
	})
}

// lessThan reports whether a < b is asserted, and b is not a number.
func (n *nonlinear) lessThan(a, b logic.Term) bool {
	return n.b.Op(b) != logic.Int && slices.ContainsFunc(n.asserted, func(i int32) bool {
		atom := &n.atoms[i]
		args := n.b.Args(atom.p)
		return len(args) == 2 && (n.b.Op(atom.p) == logic.Lt && atom.value > 0 && args[0] == a && args[1] == b ||
			n.b.Op(atom.p) == logic.Le && atom.value < 0 && args[0] == b && args[1] == a)
	})
}

// nested proposes that (a÷b)÷c = a÷(b∗c).
func (n *nonlinear) nested() {
	n.opaque(logic.Div, func(t, q, c logic.Term) {
		if n.b.Op(q) == logic.Div {
			n.propose("div.again", n.b.Arg(q, 0), n.b.Arg(q, 1), c)
		}
	})
}

// split calls f for every way to write an active product as x∗rest with an opaque
// term x, if its value is not the product of theirs.
func (n *nonlinear) split(f func(m int32, term, rest logic.Term)) {
	for _, v := range n.active {
		fs := n.forms[v].poly[0].Factors
		if len(fs) < 2 {
			continue
		}
		for i, term := range fs {
			if i > 0 && fs[i-1] == term {
				continue
			}
			rest := slices.Delete(slices.Clone(fs), i, i+1)
			xv, ok1 := n.evalMonomial(fs[i : i+1])
			rv, ok2 := n.evalMonomial(rest)
			if ok1 && ok2 && n.vars[v].value.eq(xv.mul(rv)) {
				continue
			}
			right := rest[0]
			if len(rest) > 1 {
				right = n.b.App(logic.Times, rest...)
			}
			f(v, term, right)
			// x∗y and y∗x are the same split.
			if len(fs) == 2 {
				break
			}
		}
	}
}

// shifted returns the terms t−c and c−t.
func (n *nonlinear) shifted(t logic.Term, c rat) [2]logic.Term {
	if c.isZero() {
		return [2]logic.Term{t, n.b.App(logic.Neg, t)}
	}
	k := n.table.Int(c.num())
	return [2]logic.Term{n.b.App(logic.Minus, t, k), n.b.App(logic.Minus, k, t)}
}

// around proposes the signs of (x−a)∗(y−b) in the four quadrants.
func (n *nonlinear) around(x logic.Term, a rat, y logic.Term, b rat) {
	for _, p := range n.shifted(x, a) {
		for _, q := range n.shifted(y, b) {
			n.propose("times.sign", p, q)
		}
	}
}

// signs proposes the signs of products.
func (n *nonlinear) signs() {
	n.split(func(m int32, x, rest logic.Term) { n.around(x, zero, rest, zero) })
}

// units proposes bounds of products with factors near 1 and −1.
func (n *nonlinear) units() {
	n.split(func(m int32, x, rest logic.Term) {
		for _, a := range [2]rat{one, rint(-1)} {
			for _, b := range [2]rat{one, rint(-1)} {
				n.around(x, a, rest, b)
			}
		}
	})
}

// tangents proposes bounds of products at the present values of their factors.
func (n *nonlinear) tangents() {
	n.split(func(m int32, x, rest logic.Term) {
		a, ok1 := n.evalTerm(x)
		b, ok2 := n.evalTerm(rest)
		if ok1 && ok2 && a.isInt() && b.isInt() {
			n.around(x, a, rest, b)
		}
	})
}

// equations proposes to multiply asserted equations t = u where that concerns
// active products: t∗z = u∗z if a monomial of t−u times z is one, and all monomials
// of the result are known. Equations that come of this are not multiplied again.
func (n *nonlinear) equations() { n.multiples(false) }

// wideEquations is equations with new monomials of small degree allowed.
func (n *nonlinear) wideEquations() { n.multiples(true) }

// maxDegree bounds the products that wide equations introduce.
const maxDegree = 4

// multiples multiplies asserted equations p = q by terms t for which a monomial of p∗t is a product that occurs: the
// simplex can then eliminate that product. Wide ones may introduce further products, up to maxDegree.
func (n *nonlinear) multiples(wide bool) {
	active := make([][]logic.Term, len(n.active))
	for i, v := range n.active {
		active[i] = n.forms[v].poly[0].Factors
	}
	for _, i := range n.asserted {
		atom := &n.atoms[i]
		if atom.value < 0 || atom.rel != eq || atom.v < 0 || n.multiplied[atom.p] {
			continue
		}
		for _, m := range n.forms[atom.v].poly {
			n.Work += int64(len(active))
			for _, factors := range active {
				terms := quotient(factors, m.Factors)
				if len(terms) == 0 || n.full() {
					continue
				}
				n.multiply(atom.p, n.b.Arg(atom.p, 0), n.b.Arg(atom.p, 1), terms, wide)
			}
		}
	}
}

// multiply proposes t = u ⇒ t∗z = u∗z for the equation p.
func (n *nonlinear) multiply(predicate, t, u logic.Term, terms []logic.Term, wide bool) {
	app := func(t logic.Term) logic.Term { return n.b.App(logic.Times, append([]logic.Term{t}, terms...)...) }
	left, right := app(t), app(u)
	poly, err := n.polys.Of(n.b.App(logic.Minus, left, right))
	if err != nil || slices.ContainsFunc(poly, func(m kernel.Monomial) bool {
		return len(m.Factors) > maxDegree || !wide && len(m.Factors) > 0 && n.known(m.Factors) < 0
	}) {
		return
	}
	clause := kernel.Clause{kernel.Neg(predicate), kernel.LitOf(n.b, n.b.App(logic.Eq, left, right))}
	n.multiplied[clause[1].Atom()] = true
	n.offer(offer{name: "=", args: [3]logic.Term{left, right}}, &Lemma{clause, []kernel.Step{{Kind: kernel.Euf, Clause: clause}}})
}

// quotient returns the factors that remain of m without those of d, or nil if d
// does not divide m.
func quotient(m, d []logic.Term) []logic.Term {
	if len(d) > len(m) || !slices.Contains(m, d[0]) {
		return nil
	}
	rest := slices.Clone(m)
	for _, term := range d {
		i := slices.Index(rest, term)
		if i < 0 {
			return nil
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest
}

// products proposes the sign of the product of two asserted bounds, 0≤P and 0≤Q
// ⇒ 0≤P∗Q, one on x and the other on rest for an active product x∗rest, if all
// monomials of P∗Q are known already.
func (n *nonlinear) products() { n.boundProducts(false) }

// wideProducts is products without that restriction.
func (n *nonlinear) wideProducts() { n.boundProducts(true) }

// maxTries bounds the products that a call computes.
const maxTries = 400

func (n *nonlinear) boundProducts(wide bool) {
	tries := 0
	n.split(func(m int32, x, rest logic.Term) {
		for _, predicate := range n.boundsOn(x) {
			for _, q := range n.boundsOn(rest) {
				if tries++; tries > maxTries || n.full() {
					return
				}
				if n.negative(predicate, q) && (wide || n.closed(predicate, q)) {
					n.propose("times.sign", predicate, q)
				}
			}
		}
	})
}

// negative reports whether the values make p∗q negative. That costs much less to know than
// what the axiom says of p and q, and nearly all pairs of bounds end here.
func (n *nonlinear) negative(p, q logic.Term) bool {
	n.Work++
	value, known := n.evalTerm(n.b.App(logic.Times, p, q))
	return known && value.sign() < 0
}

// closed reports whether all monomials of p∗q have variables.
func (n *nonlinear) closed(predicate, term logic.Term) bool {
	poly, err := n.polys.Of(n.b.App(logic.Times, predicate, term))
	if err != nil {
		return false
	}
	for _, m := range poly {
		if len(m.Factors) > 0 && n.known(m.Factors) < 0 {
			return false
		}
	}
	return true
}

// maxBoundSize is the greatest number of monomials in a bound to multiply.
const maxBoundSize = 4

// boundsOn returns terms that asserted bounds make non-negative and in which the
// monomial t occurs.
func (n *nonlinear) boundsOn(term logic.Term) []logic.Term {
	fs := []logic.Term{term}
	if n.b.Op(term) == logic.Times {
		fs = n.b.Args(term)
	}
	var out []logic.Term
	n.Work += int64(len(n.vars))
	for v := range n.vars {
		variable, poly := &n.vars[v], n.forms[v].poly
		if !variable.lower.set() && !variable.upper.set() || len(poly) > maxBoundSize ||
			!slices.ContainsFunc(poly, func(m kernel.Monomial) bool { return slices.Equal(m.Factors, fs) }) {
			continue
		}
		form := n.term(poly)
		if variable.lower.set() {
			out = append(out, n.shifted(form, variable.lower.val)[0])
		}
		if variable.upper.set() {
			out = append(out, n.shifted(form, variable.upper.val)[1])
		}
	}
	return out
}

// offer adds m to the lemmas if the values violate it, it is new, and there is room.
func (n *nonlinear) offer(key offer, m *Lemma) {
	if !n.full() && !n.offered[key] && n.violated(m.Clause) {
		n.offered[key] = true
		n.lemmas = append(n.lemmas, m)
	}
}
