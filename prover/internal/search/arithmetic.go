package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/arith"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
)

func (a *arithmetic) reset() {
	a.s.Reset(a.e.table)
	a.s.Only = a.e.opts.Only
	*a = arithmetic{e: a.e, s: a.s, known: a.known[:0], by: a.by[:0], queue: a.queue[:0], shared: a.shared[:0], pairs: a.pairs[:0]}
}

// register tells the theory of atom t.
func (a *arithmetic) register(variable sat.Var, t logic.Term) {
	for len(a.known) <= int(variable) {
		a.known, a.by = append(a.known, false), append(a.by, false)
	}
	if !a.s.Atom(t) {
		return
	}
	a.known[variable] = true
	for _, x := range a.e.b.Args(t) {
		a.share(x)
	}
}

// share marks t, and the integer terms it is made of, as known to the theory.
func (a *arithmetic) share(t logic.Term) {
	n := a.e.node(t)
	for len(a.shared) < a.e.g.Len() {
		a.shared = append(a.shared, false)
	}
	if a.shared[n] {
		return
	}
	a.shared[n] = true
	a.e.each(n, func(m euf.Node) {
		if m != n && int(m) < len(a.shared) && a.shared[m] {
			a.pairs = append(a.pairs, [2]euf.Node{n, m})
		}
	})
	switch a.e.b.Op(t) {
	case logic.Plus, logic.Minus, logic.Neg, logic.Times:
		for _, x := range a.e.b.Args(t) {
			a.share(x)
		}
	}
}

// merge notes that two classes of integers are about to become one.
func (a *arithmetic) merge(x, y euf.Node) {
	first := func(n euf.Node) euf.Node {
		for m := n; ; {
			if int(m) < len(a.shared) && a.shared[m] {
				return m
			}
			if m = a.e.g.Next(m); m == n {
				return 0
			}
		}
	}
	if p, q := first(x), first(y); p != 0 && q != 0 {
		a.pairs = append(a.pairs, [2]euf.Node{p, q})
	}
}

func (a *arithmetic) assign(l sat.Lit) {
	if a.known[l.Var()] {
		a.queue = append(a.queue, l)
	}
}

// equate makes atoms of the equalities that congruence found, and reports whether there were any.
func (a *arithmetic) equate() bool {
	found := len(a.pairs) > 0
	for _, p := range a.pairs {
		if x, y := a.e.g.Term(p[0]), a.e.g.Term(p[1]); x != y {
			a.e.litOf(a.e.b.App(logic.Eq, x, y))
		}
	}
	a.pairs = a.pairs[:0]
	return found
}

// propagate tells the theory what is new and asks for its view.
func (a *arithmetic) propagate() sat.ID {
	for i, literal := range a.queue {
		a.changed = true
		if lemma := a.s.Assert(a.e.kernelLit(literal)); lemma != nil {
			a.queue = a.queue[i+1:]
			return a.lemma(lemma)
		}
	}
	a.queue = a.queue[:0]
	if !a.changed {
		return sat.NoID
	}
	a.changed = false
	// A check that takes longer is broken off and goes on at the next call: it must not starve the
	// rest of the search.
	budget := 2000
	switch st, lemma := a.s.Check(&budget); st {
	case arith.Conflicting:
		a.e.steps += int64(2000 - budget)
		return a.lemma(lemma)
	}
	a.e.steps += int64(2000-budget) + 5
	for _, k := range a.s.Propagate() {
		l := a.e.lit(k)
		switch a.e.sat.Value(l) {
		case 0:
			a.by[l.Var()] = true
			a.e.sat.Imply(l)
		case -1:
			return a.explain(l)
		}
	}
	return sat.NoID
}

// lemma adds a valid clause of the theory as a reason.
func (a *arithmetic) lemma(m *arith.Lemma) sat.ID {
	lits, _ := a.e.lits(m.Clause)
	return a.e.reason(lits, m.Steps...)
}

func (a *arithmetic) explain(l sat.Lit) sat.ID {
	return a.lemma(a.s.Explain(a.e.kernelLit(l)))
}

func (a *arithmetic) push() { a.s.Push() }

func (a *arithmetic) pop(n int) {
	a.s.Pop(n)
	a.queue = a.queue[:0]
}

// final decides what integrality, disequalities and the sharing of terms with
// the other theories still need. It accepts if that is nothing.
func (a *arithmetic) final() (sat.Step, sat.Lit) {
	if a.paused() {
		return sat.Accept, sat.NoLit
	}
	lemma, k := a.s.Split()
	a.e.steps += 20
	if lemma != nil || k != 0 {
		a.splits++
	}
	switch {
	case lemma != nil:
		lits, ok := a.e.lits(lemma.Clause)
		if !ok {
			break
		}
		id := a.e.addLits(lits, lemma.Steps...)
		a.e.frontier.await(id)
		return sat.Continue, sat.NoLit
	case k != 0:
		if l := a.e.lit(k); a.e.sat.Value(l) == 0 {
			return sat.Decide, l
		}
		return sat.Continue, sat.NoLit
	}
	// Terms of equal value are guessed to be equal, for congruence to look at; a wrong guess is
	// undone.
	for _, terms := range a.s.Classes() {
		for i, term := range terms[1:] {
			a.e.steps++
			if a.e.g.Equal(a.e.node(terms[i]), a.e.node(term)) {
				continue
			}
			if l := a.e.litOf(a.e.b.App(logic.Eq, terms[i], term)); a.e.sat.Value(l) == 0 {
				return sat.Decide, l
			}
		}
	}
	return sat.Accept, sat.NoLit
}

// firstSplits bounds the cuts and branches in a row that lead to no conflict, at first. Where a value has
// no bound they need not end, and all else would wait for them.
const firstSplits = 32

// paused reports whether other resorts have their turn before the next cut or branch.
func (a *arithmetic) paused() bool {
	if a.conflicts != a.e.sat.Conflicts {
		a.conflicts, a.splits = a.e.sat.Conflicts, 0
	}
	return a.splits >= firstSplits<<a.pauses
}

// resume goes on with cuts and branches where they were paused, for longer each time, and reports
// whether they were.
func (a *arithmetic) resume() bool {
	paused := a.paused()
	if paused {
		a.splits = 0
		a.pauses = min(a.pauses+1, 20)
	}
	return paused
}

// lemmaQuota bounds the nonlinear lemmas while only the first generation is let in: each brings new
// products, and these new lemmas, without end. It doubles with each generation, so that what waits
// for the next one, such as the step of an induction, need not wait for all lemmas about this one.
const lemmaQuota = 8

// nonlinear adds lemmas on products, ÷, mod and powers that the present values
// violate, and reports whether there were any.
func (a *arithmetic) nonlinear() bool {
	room := lemmaQuota<<a.e.limit - a.lemmas
	if room <= 0 || a.ahead() {
		return false
	}
	// What functions are by recursion is to be known before their products are estimated.
	simple := a.e.opts.Precede && int(a.e.limit) < min(a.e.opts.Start+2, a.e.opts.Gens)
	ms := a.s.Lemmas(min(room, 6), simple)
	a.lemmas += len(ms)
	a.e.steps += 20 + 20*int64(len(ms))
	for _, lemma := range ms {
		if lits, ok := a.e.lits(lemma.Clause); ok {
			a.e.frontier.await(a.e.addLits(lits, lemma.Steps...))
		}
	}
	return len(ms) > 0
}

// Lemmas on products wait while arithmetic has worked more than this, and than so many times what all else has: a product that
// an equation merely mentions would be estimated at length before the next generation is let in.
const (
	aheadWork  = 10_000
	aheadShare = 4
)

// ahead reports whether all else has its turn before the next nonlinear lemma: where nothing is said for all values, there is
// hardly anything else.
func (a *arithmetic) ahead() bool {
	others := a.e.work() - a.s.Work
	return len(a.e.instances.quantOf) > 0 && a.s.Work > max(aheadWork, aheadShare*others)<<a.patience
}

// insist goes on with nonlinear lemmas that had to wait, for longer each time, and reports whether there were any.
func (a *arithmetic) insist() bool {
	if !a.ahead() {
		return false
	}
	for a.ahead() {
		a.patience++
	}
	return a.nonlinear()
}

// use shares integer argument n of a term of another theory.
func (a *arithmetic) use(n euf.Node) {
	if int(n) < len(a.shared) && a.shared[n] {
		a.s.Share(a.e.g.Term(n))
	} else {
		a.share(a.e.g.Term(n))
		a.s.Share(a.e.g.Term(n))
	}
}
