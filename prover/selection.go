package prover

import (
	"math"
	"slices"

	"github.com/gradine/gradine/logic"
)

// neighbourhood measures how far hypotheses are from a start: two formulas are
// neighbours if they share a free identifier.
type neighbourhood struct {
	s       logic.Sequent
	ids     [][]logic.Term // by hypothesis
	goal    []logic.Term
	holds   map[logic.Term][]int
	binders []int8 // by hypothesis: 1 if a binder occurs in it, -1 if none does
	// Likewise, whether elements are counted, and whether there is a number for them.
	counting, telling []int8
	ranking           *ranking
}

func newNeighbourhood(s logic.Sequent) *neighbourhood {
	n := &neighbourhood{s: s, goal: s.Bank.FreeIdents(s.Goal), holds: map[logic.Term][]int{}}
	for i, h := range s.Hyps {
		ids := s.Bank.FreeIdents(h)
		n.ids = append(n.ids, ids)
		for _, x := range ids {
			n.holds[x] = append(n.holds[x], i)
		}
	}
	return n
}

// selection chooses hypotheses, the nearest to the goal first.
type selection func(n *neighbourhood) []int

// selected takes the hypotheses that the sequent marks as selected.
func selected(n *neighbourhood) []int {
	c := n.collect()
	c.takeSelected()
	return c.out
}

// none takes no hypothesis.
func none(*neighbourhood) []int { return nil }

// near takes the hypotheses up to a distance from the goal.
func near(distance int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		c.spread(n.goal, distance, all)
		return c.out
	}
}

// lasso takes the selected hypotheses and those up to a distance from them and the goal.
func lasso(distance int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		c.spread(c.takeSelected(), distance, all)
		return c.out
	}
}

// plain is lasso without quantified hypotheses, but for those that are selected.
func plain(distance int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		c.spread(c.takeSelected(), distance, func(_ logic.Term, i int) bool { return !n.quantified(i) })
		return c.out
	}
}

// enclosing takes what another selection takes, and what mentions nothing but identifiers of that and of the goal.
func enclosing(base selection) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		known := map[logic.Term]bool{}
		for _, term := range c.takeFrom(base) {
			known[term] = true
		}
		for i, ids := range n.ids {
			if !slices.ContainsFunc(ids, func(term logic.Term) bool { return !known[term] }) {
				c.take(i)
			}
		}
		return c.out
	}
}

// explained takes the definition of what the goal says something of, and, in its terms alone, what is said without ∀ and without
// lists: the types of what it is made of, where their own definitions would be too much.
func explained(n *neighbourhood) []int {
	definition := func(n *neighbourhood) []int {
		left, _ := n.sidesOf(n.s.Goal)
		term := named(n.s.Bank, left, false)
		for i, h := range n.s.Hyps {
			if term != 0 && n.s.Bank.Op(h) == logic.Eq && about(n, i) == term {
				return []int{i}
			}
		}
		return nil
	}
	if len(definition(n)) == 0 {
		return nil
	}
	return slices.DeleteFunc(withoutListings(enclosing(definition))(n), func(i int) bool { return n.s.Bank.Op(n.s.Hyps[i]) == logic.Forall })
}

// everything takes all hypotheses, the selected ones and the near ones first.
func everything(n *neighbourhood) []int {
	c := n.collect()
	c.spread(c.takeSelected(), -1, all)
	for i := range n.ids {
		c.take(i)
	}
	return c.out
}

// first takes the first max hypotheses: a component comes after all that it builds on.
func first(max int) selection {
	return func(n *neighbourhood) []int {
		var out []int
		for i := range n.ids[:min(max, len(n.ids))] {
			out = append(out, i)
		}
		return out
	}
}

// recent takes the last max hypotheses that share an identifier with the goal: each clause of a
// component is written with those just before it in mind.
func recent(max int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		for i := len(n.ids) - 1; i >= 0 && len(c.out) < max; i-- {
			if slices.ContainsFunc(n.ids[i], func(term logic.Term) bool { return slices.Contains(n.goal, term) }) {
				c.take(i)
			}
		}
		return c.out
	}
}

// latest takes the last max of the selected hypotheses, or of all where none is selected: of guards and premises, those that
// come last distinguish this case from others.
func latest(max int) selection {
	return func(n *neighbourhood) []int {
		chosen := selected(n)
		if len(chosen) == 0 {
			for i := range n.ids {
				chosen = append(chosen, i)
			}
		}
		return chosen[len(chosen)-min(max, len(chosen)):]
	}
}

// facts takes those of the latest hypotheses that have no binder.
func facts(max int) selection {
	return func(n *neighbourhood) []int { return slices.DeleteFunc(latest(max)(n), n.quantified) }
}

// around is the neighbourhood with hypothesis i in place of the goal.
func (n *neighbourhood) around(i int) *neighbourhood {
	m := *n
	m.goal, m.ranking = n.ids[i], nil
	return &m
}

// joint takes the selected hypotheses and what another selection takes.
func joint(base selection) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		c.takeSelected()
		c.takeFrom(base)
		return c.out
	}
}

// founded takes, of the hypotheses about each identifier of the goal, the first max, then as many about each identifier in these,
// and so on up to a depth: types and definitions, without what is deduced from them later on.
func founded(max, depth int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		known := map[logic.Term]bool{}
		front := n.goal
		for range depth {
			for _, term := range front {
				known[term] = true
			}
			front = nil
			taken := map[logic.Term]int{}
			for i := range n.ids {
				if term := subject(n, i); known[term] && taken[term] < max {
					taken[term]++
					c.take(i)
					front = append(front, n.ids[i]...)
				}
			}
		}
		return c.out
	}
}

// both takes what two other selections take.
func both(one, other selection) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		c.takeFrom(one)
		c.takeFrom(other)
		return c.out
	}
}

// comparing takes the selected hypotheses, of those about each identifier in them the first max, and what compares numbers by
// nothing but identifiers of these: what is deduced from definitions otherwise is not needed to exclude that one is smaller.
func comparing(max int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		known, taken := map[logic.Term]bool{}, map[logic.Term]int{}
		for _, x := range c.takeSelected() {
			known[x] = true
		}
		for i := range n.ids {
			x := subject(n, i)
			founds := known[x] && taken[x] < max
			if founds {
				taken[x]++
			}
			if founds || len(n.ids[i]) > 0 && compares(n.s.Bank, n.s.Hyps[i]) && !slices.ContainsFunc(n.ids[i], func(y logic.Term) bool { return !known[y] }) {
				c.take(i)
			}
		}
		return c.out
	}
}

// valuing takes what another selection takes, and what says something of the functions applied there or in the goal by nothing but
// identifiers of these: what is known of a value is often a property that its function was chosen to have.
func valuing(base selection) selection {
	return telling(base, func(*logic.Bank, logic.Term) bool { return true })
}

// concluding is valuing for what concludes something of a value or of the type of a function.
func concluding(base selection) selection {
	return telling(base, func(b *logic.Bank, t logic.Term) bool {
		return hasTerm(b, conclusion(b, t), func(t logic.Term) bool { return b.Op(t) == logic.Apply })
	})
}

// telling is valuing for what is wanted of it.
func telling(base selection, wanted func(*logic.Bank, logic.Term) bool) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		known, functions := map[logic.Term]bool{}, map[logic.Term]bool{}
		for _, x := range c.takeFrom(base) {
			known[x] = true
		}
		for _, i := range c.out {
			n.applications(n.s.Hyps[i], functions)
		}
		n.applications(n.s.Goal, functions)
		for i, ids := range n.ids {
			if slices.ContainsFunc(ids, func(x logic.Term) bool { return functions[x] }) && !slices.ContainsFunc(ids, func(x logic.Term) bool { return !known[x] }) && wanted(n.s.Bank, n.s.Hyps[i]) {
				c.take(i)
			}
		}
		return c.out
	}
}

// applications adds the identifiers that are applied in t to functions.
func (n *neighbourhood) applications(t logic.Term, functions map[logic.Term]bool) {
	hasTerm(n.s.Bank, t, func(t logic.Term) bool {
		if n.s.Bank.Op(t) == logic.Apply && n.s.Bank.Op(n.s.Bank.Arg(t, 0)) == logic.Free {
			functions[n.s.Bank.Arg(t, 0)] = true
		}
		return false
	})
}

// compares reports whether t concludes that a value of a function is smaller or larger than something.
func compares(b *logic.Bank, t logic.Term) bool {
	t = conclusion(b, t)
	switch b.Op(t) {
	case logic.Lt, logic.Le, logic.Gt, logic.Ge:
		return hasTerm(b, t, func(t logic.Term) bool { return b.Op(t) == logic.Apply })
	}
	return false
}

// conclusion returns Q of ∀x·P⇒Q, and t of others.
func conclusion(b *logic.Bank, t logic.Term) logic.Term {
	switch b.Op(t) {
	case logic.Forall:
		return conclusion(b, b.Arg(t, 0))
	case logic.Implies:
		return conclusion(b, b.Arg(t, 1))
	}
	return t
}

// described takes what another selection takes, the types of the identifiers in that and in the goal, and
// their definitions up to a depth, but not the types of what these mention.
func described(base selection, depth int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		c.takeFrom(typed(base, about))
		c.takeFrom(defined(base, depth))
		return c.out
	}
}

// withoutListings applies base, minus equations with long set extensions: a search would try their elements one by one.
func withoutListings(base selection) selection {
	return func(n *neighbourhood) []int {
		b := n.s.Bank
		return slices.DeleteFunc(base(n), func(i int) bool {
			h := n.s.Hyps[i]
			return b.Op(h) == logic.Eq && b.Op(b.Arg(h, 1)) == logic.SetExt && len(b.Args(b.Arg(h, 1))) >= listed
		})
	}
}

// typed takes what another selection takes, and what gives the identifiers in that and in the goal
// a type or a definition, as subject says.
func typed(base selection, subject func(n *neighbourhood, i int) logic.Term) selection {
	return concerning(base, func(n *neighbourhood, i int) []logic.Term { return []logic.Term{subject(n, i)} })
}

// concerning takes what another selection takes, and what says something of the identifiers in that and in the goal, as subjects
// tells.
func concerning(base selection, subjects func(n *neighbourhood, i int) []logic.Term) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		known := map[logic.Term]bool{}
		for _, term := range c.takeFrom(base) {
			known[term] = true
		}
		for i := range n.ids {
			if slices.ContainsFunc(subjects(n, i), func(term logic.Term) bool { return known[term] }) {
				c.take(i)
			}
		}
		return c.out
	}
}

// defined takes what another selection takes, the definitions x=E of the identifiers in that and in
// the goal, those of the identifiers in these, and so on up to a depth, and the partitions
// that mention any of them.
func defined(base selection, depth int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		front := c.takeFrom(base)
		known := map[logic.Term]bool{}
		for d := 0; ; d++ {
			for _, term := range front {
				known[term] = true
			}
			if d == depth {
				break
			}
			var next []logic.Term
			// Equations alone are definitions here: with memberships all that has a type would come.
			for i, h := range n.s.Hyps {
				if !c.in[i] && n.s.Bank.Op(h) == logic.Eq && known[about(n, i)] {
					c.take(i)
					next = append(next, n.ids[i]...)
				}
			}
			front = next
		}
		for i, h := range n.s.Hyps {
			if n.s.Bank.Op(h) == logic.Partition && slices.ContainsFunc(n.ids[i], func(term logic.Term) bool { return known[term] }) {
				c.take(i)
			}
		}
		return c.out
	}
}

// part takes each of-th hypothesis of another selection, from place k on: few of those that seem
// relevant are needed, and the others are in the way.
func part(base selection, k, of int) selection {
	return func(n *neighbourhood) []int {
		var out []int
		for place, i := range base(n) {
			if place%of == k {
				out = append(out, i)
			}
		}
		return out
	}
}

// collection is a choice of hypotheses under way.
type collection struct {
	*neighbourhood
	in  []bool
	out []int
}

func (n *neighbourhood) collect() *collection {
	return &collection{neighbourhood: n, in: make([]bool, len(n.ids))}
}

func (c *collection) take(i int) {
	if !c.in[i] {
		c.in[i] = true
		c.out = append(c.out, i)
	}
}

// takeSelected takes the selected hypotheses and returns their identifiers after the goal's.
func (c *collection) takeSelected() []logic.Term {
	for _, i := range c.s.Selected {
		if i >= 0 && i < len(c.in) {
			c.take(i)
		}
	}
	front := slices.Clone(c.goal)
	for _, i := range c.out {
		front = append(front, c.ids[i]...)
	}
	return front
}

// takeFrom takes what another selection takes, and returns its identifiers after the goal's.
func (c *collection) takeFrom(base selection) []logic.Term {
	front := slices.Clone(c.goal)
	for _, i := range base(c.neighbourhood) {
		c.take(i)
		front = append(front, c.ids[i]...)
	}
	return front
}

// all wants every hypothesis.
func all(logic.Term, int) bool { return true }

// spread takes hypotheses that share an identifier with the front, then those that share one with
// these, up to a distance, or without end if that is negative; of them those that are wanted for the
// identifier x that leads to them.
func (c *collection) spread(front []logic.Term, distance int, wanted func(term logic.Term, i int) bool) {
	seen := map[logic.Term]bool{}
	for d := 0; d != distance && len(front) > 0; d++ {
		var next []logic.Term
		for _, term := range front {
			if seen[term] {
				continue
			}
			seen[term] = true
			for _, i := range c.holds[term] {
				if !c.in[i] && wanted(term, i) {
					c.take(i)
					next = append(next, c.ids[i]...)
				}
			}
		}
		front = next
	}
}

// quantified reports whether a binder occurs in hypothesis i.
func (n *neighbourhood) quantified(i int) bool {
	return n.has(&n.binders, i, func(t logic.Term) bool { return n.s.Bank.Op(t).IsBinder() })
}

// countsAside reports whether some of the chosen hypotheses count elements, but the goal does not, and none says how many there are
// in numbers: card(s)≤1 is about elements, while n+card(s)=m mostly is about n and m.
func (n *neighbourhood) countsAside(chosen []int) bool {
	b := n.s.Bank
	counts := func(t logic.Term) bool { return b.Op(t) == logic.Card }
	tells := func(t logic.Term) bool {
		args := b.Args(t)
		return len(args) == 2 && slices.ContainsFunc(args, counts) && slices.ContainsFunc(args, func(a logic.Term) bool { return b.Op(a) == logic.Int })
	}
	asks := func(t logic.Term) bool { return counts(t) || b.Op(t) == logic.Finite }
	if !slices.ContainsFunc(chosen, func(i int) bool { return n.has(&n.counting, i, counts) }) {
		return false
	}
	return !hasTerm(b, n.s.Goal, asks) && !slices.ContainsFunc(chosen, func(i int) bool { return n.has(&n.telling, i, tells) })
}

// has reports whether a term of some kind occurs in hypothesis i, and remembers it.
func (n *neighbourhood) has(known *[]int8, i int, kind func(logic.Term) bool) bool {
	if *known == nil {
		*known = make([]int8, len(n.ids))
	}
	if (*known)[i] == 0 {
		(*known)[i] = -1
		if hasTerm(n.s.Bank, n.s.Hyps[i], kind) {
			(*known)[i] = 1
		}
	}
	return (*known)[i] > 0
}

// hasTerm reports whether a term of some kind occurs in t.
func hasTerm(b *logic.Bank, t logic.Term, kind func(logic.Term) bool) bool {
	return kind(t) || slices.ContainsFunc(b.Args(t), func(a logic.Term) bool { return hasTerm(b, a, kind) })
}

// triggered takes what the rarest identifiers of a formula lead to, in steps from the goal: an
// identifier triggers a hypothesis that mentions it if no other identifier of that is much rarer (after
// Hoder and Voronkov, "Sine qua non for large theory reasoning").
func triggered(tolerance float64, depth int) selection {
	return func(n *neighbourhood) []int {
		c := n.collect()
		c.spread(n.goal, depth, func(x logic.Term, i int) bool {
			rarest := len(n.ids) + 1
			for _, y := range n.ids[i] {
				rarest = min(rarest, len(n.holds[y]))
			}
			return float64(len(n.holds[x])) <= tolerance*float64(rarest)
		})
		return c.out
	}
}

// fading is the share of its relevance that a hypothesis passes on to its identifiers. With less, the
// definitions of definitions come after all that shares a common name with the goal; with
// 1, distance would not count at all.
const fading = 0.8

// relevant takes at most max hypotheses, the most relevant to the goal first.
// The fewer hypotheses mention an identifier, the more it weighs. Those of the goal are fully
// relevant, those of a chosen hypothesis nearly as much as it was. The relevance of a
// hypothesis is the mean of its identifiers', or that of the identifier which it defines (after Meng and Paulson,
// "Lightweight relevance filtering for machine-generated resolution problems").
func relevant(max int) selection {
	return func(n *neighbourhood) []int { return n.relevant(max) }
}

// relevant is asked for by many attempts with different max: what comes first does not
// depend on how many come, so that the ranking is made once, as far as it is asked for.
func (n *neighbourhood) relevant(max int) []int {
	if n.ranking == nil {
		n.ranking = newRanking(n)
	}
	for len(n.ranking.out) < max && n.ranking.next() {
	}
	return slices.Clone(n.ranking.out[:min(max, len(n.ranking.out))])
}

// ranking orders hypotheses by relevance.
type ranking struct {
	*neighbourhood
	degree map[logic.Term]float64
	score  []float64 // by hypothesis
	in     []bool
	out    []int
}

func newRanking(n *neighbourhood) *ranking {
	r := &ranking{neighbourhood: n, degree: map[logic.Term]float64{}, score: make([]float64, len(n.ids)), in: make([]bool, len(n.ids))}
	for _, term := range n.goal {
		r.degree[term] = 1
	}
	for i := range n.ids {
		r.score[i] = r.relevance(i)
	}
	return r
}

// relevance is that of hypothesis i, as things stand.
func (r *ranking) relevance(i int) float64 {
	if term := about(r.neighbourhood, i); term != 0 {
		return r.degree[term]
	}
	var sum, all float64
	for _, term := range r.ids[i] {
		weight := 1 + 2/math.Log(1+float64(len(r.holds[term])))
		sum += weight * r.degree[term]
		all += weight
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// next takes one more hypothesis, since each makes others relevant, and reports whether
// there was one.
func (r *ranking) next() bool {
	best, most := -1, 0.0
	for i, score := range r.score {
		if !r.in[i] && score > most {
			best, most = i, score
		}
	}
	if best < 0 {
		return false
	}
	r.in[best] = true
	r.out = append(r.out, best)
	for _, term := range r.ids[best] {
		// Those alone change that mention an identifier which has become more relevant.
		if degree := fading * most; degree > r.degree[term] {
			r.degree[term] = degree
			for _, i := range r.holds[term] {
				if !r.in[i] {
					r.score[i] = r.relevance(i)
				}
			}
		}
	}
	return true
}

// about returns the identifier that hypothesis i defines or gives a type: x if it is x=E,
// x∈E or x⊆E.
func about(n *neighbourhood, i int) logic.Term {
	b, h := n.s.Bank, n.s.Hyps[i]
	switch b.Op(h) {
	case logic.Eq, logic.In, logic.SubsetEq:
		if x := b.Arg(h, 0); b.Op(x) == logic.Free {
			return x
		}
	}
	return 0
}

// listed is the number of elements from which on a listed set says more than a search can use.
const listed = 4

// subject returns the identifier that hypothesis i says something of, in a wider sense than about: x
// also where it is x(y), x∼, dom(x) or ran(x) that gets a type or a value, be it for all y
// under a premise, but not where the value is a list.
func subject(n *neighbourhood, i int) logic.Term {
	left, _ := n.sides(i)
	return named(n.s.Bank, left, false)
}

// subjects returns the identifiers that hypothesis i says something of in a still wider sense: also where an image or a restriction
// of x gets a type or a value, and of both sides of an equation.
func subjects(n *neighbourhood, i int) []logic.Term {
	left, right := n.sides(i)
	return []logic.Term{named(n.s.Bank, left, true), named(n.s.Bank, right, true)}
}

// sides is sidesOf for hypothesis i.
func (n *neighbourhood) sides(i int) (left, right logic.Term) { return n.sidesOf(n.s.Hyps[i]) }

// sidesOf returns what gets a type or a value by formula t, and that value where both are equal; 0 for what there is not.
func (n *neighbourhood) sidesOf(t logic.Term) (left, right logic.Term) {
	// The conclusion counts, whatever the premises are: they are mostly memberships of the variables.
	b := n.s.Bank
	for b.Op(t) == logic.Forall || b.Op(t) == logic.Implies {
		t = b.Arg(t, len(b.Args(t))-1)
	}
	op := b.Op(t)
	if op != logic.Eq && op != logic.In && op != logic.SubsetEq {
		return 0, 0
	}
	left, right = b.Arg(t, 0), b.Arg(t, 1)
	if b.Op(right) == logic.SetExt && len(b.Args(right)) >= listed {
		return 0, 0
	}
	if op != logic.Eq {
		right = 0
	}
	return left, right
}

// named returns the identifier that t is made from by application, converse, domain and range, or, in a wide sense, also by image
// and restriction; 0 if there is none.
func named(b *logic.Bank, t logic.Term, wide bool) logic.Term {
	for t != 0 && b.Op(t) != logic.Free {
		switch op := b.Op(t); {
		case op == logic.Apply || op == logic.Converse || op == logic.Dom || op == logic.Ran || wide && (op == logic.Image || op == logic.RanRes || op == logic.RanSub):
			t = b.Arg(t, 0)
		case wide && (op == logic.DomRes || op == logic.DomSub):
			t = b.Arg(t, 1)
		default:
			return 0
		}
	}
	return t
}
