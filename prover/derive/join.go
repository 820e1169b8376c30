package derive

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/prover/kernel"
)

// Proof is a proof of a node: of a sequent with some of its hypotheses.
type Proof struct {
	Bank  *logic.Bank // of the terms of Steps
	Hyps  []int       // by hypothesis of the proof: its number at the node
	Steps *kernel.Proof
	Cost  int64 // steps of the search that found it
}

// Join puts the proofs of the parts below n together: it returns the bare sequent that
// n is, and a proof of it. Callers that rely on it ask the proof kernel.
func (n *Node) Join() (logic.Sequent, *kernel.Proof) {
	n.plan.writing.Lock()
	defer n.plan.writing.Unlock()
	b := n.plan.Bank
	j := &joiner{b: b}
	s := logic.Sequent{Bank: b, Goal: b.Bare(n.Goal), Selected: n.plan.selected}
	c := context{}
	for i, h := range n.Hyps {
		switch {
		case n == n.plan.Root && i >= n.plan.Given: // that the goal is well-defined
			c.hyps = append(c.hyps, j.state(kernel.Step{Kind: kernel.WDGoal}))
		case h.hidden:
			c.hyps = append(c.hyps, clause{})
		default:
			c.hyps = append(c.hyps, j.state(kernel.Step{Kind: kernel.Hyp, Index: len(s.Hyps)}))
			s.Hyps = append(s.Hyps, b.Bare(h.Term))
		}
	}
	c.denial = clause{j.proof.Add(kernel.Step{Kind: kernel.NegGoal}), nil}
	j.node(n, c)
	return s, &j.proof
}

// clause is one that a step of the proof states: what the context knows it for, or the
// negation of one of the assumptions on which it rests.
type clause struct {
	step  int // -1 if it is an assumption itself, which needs no step
	rests []kernel.Lit
}

// context is what holds at a node: its hypotheses, and that its goal is false. Values say
// what identifiers stand for.
type context struct {
	hyps   []clause
	denial clause
	values map[logic.Term]logic.Term
}

func (c context) with(fact clause) context {
	c.hyps = append(slices.Clip(c.hyps), fact)
	return c
}

func (c context) choosing(xs, ws []logic.Term) context {
	values := map[logic.Term]logic.Term{}
	for x, w := range c.values {
		values[x] = w
	}
	for i, x := range xs {
		values[x] = ws[i]
	}
	c.values = values
	return c
}

// joiner writes a proof. Where an assumption is made, nothing is: clauses that need it
// are stated with its negation, and the assumption is discharged by naming that.
type joiner struct {
	b     *logic.Bank
	proof kernel.Proof
}

// term is t, bare, with the values of the context.
func (j *joiner) term(c context, t logic.Term) logic.Term { return j.b.Subst(j.b.Bare(t), c.values) }

func (j *joiner) lit(c context, t logic.Term) kernel.Lit { return kernel.LitOf(j.b, j.term(c, t)) }

// state adds a step that the kernel grants without premises.
func (j *joiner) state(s kernel.Step) clause { return clause{j.proof.Add(s), nil} }

// follows states a clause that follows from others by unit propagation.
func (j *joiner) follows(lits []kernel.Lit, from ...clause) clause {
	out := clause{}
	var steps []int
	for _, f := range from {
		if f.step >= 0 {
			steps = append(steps, f.step)
		}
		out.rests = append(out.rests, f.rests...)
	}
	slices.Sort(out.rests)
	out.rests = slices.Compact(out.rests)
	for _, l := range slices.Concat(lits, out.rests) {
		if slices.Contains(out.rests, l.Not()) {
			return clause{-1, out.rests} // it holds by assumption alone
		}
	}
	out.step = j.proof.Add(kernel.Step{Kind: kernel.Rup, Clause: append(slices.Clone(lits), out.rests...), From: steps})
	return out
}

// assume assumes l.
func assume(l kernel.Lit) clause { return clause{-1, []kernel.Lit{l.Not()}} }

// without is what c states if l is what it is known for, and not something it rests on.
func (c clause) without(l kernel.Lit) (clause, bool) {
	i := slices.Index(c.rests, l)
	if i < 0 {
		return c, false
	}
	return clause{c.step, slices.Delete(slices.Clone(c.rests), i, i+1)}, true
}

// node adds the steps from the proofs below n to a contradiction, which is what the
// clause it returns states.
func (j *joiner) node(n *Node, c context) clause {
	r := n.rule
	part := func(i int, c context) clause { return j.node(n.Parts[i], c) }
	if (r.kind == instance || r.kind == obtain) && !n.usable(r.at) {
		return part(0, c.with(clause{})) // what it adds is not asked for
	}
	switch r.kind {
	case choose:
		goal := j.term(c, n.Goal)
		ws := kernel.Witnesses(j.b, goal)
		inner := c.choosing(r.vals, ws)
		chosen := j.state(kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{goal}})
		inner.denial = j.follows([]kernel.Lit{j.lit(inner, n.Parts[0].Goal).Not()}, c.denial, chosen)
		if len(n.Parts[0].Hyps) > len(n.Hyps) {
			d := j.term(c, n.Hyps[n.wd].Term)
			inst := j.state(kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{d}, ws...)})
			inner = inner.with(j.follows([]kernel.Lit{j.lit(inner, n.Parts[0].Hyps[len(n.Hyps)].Term)}, c.hyps[n.wd], inst))
		}
		return part(0, inner)
	case suppose:
		return part(0, j.suppose(n, c))
	case cut:
		return j.cut(n, c)
	case split:
		l := j.lit(c, r.fact)
		holds := part(0, c.with(assume(l)))
		not, ok := holds.without(l.Not())
		if !ok {
			return holds // the case does not matter
		}
		return part(1, c.with(not))
	case instance:
		return part(0, c.with(j.instance(n, c)))
	case exhibit:
		goal, next := j.term(c, n.Goal), j.term(c, n.Parts[0].Goal)
		c.denial = j.follows([]kernel.Lit{kernel.LitOf(j.b, next).Not()}, append([]clause{c.denial}, j.between(goal, next, j.values(c, r), r.nums)...)...)
		return part(0, c)
	case obtain:
		h := j.term(c, n.Hyps[r.at].Term)
		chosen := j.state(kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{h}})
		inner := c.choosing(r.vals, kernel.Witnesses(j.b, h))
		return part(0, inner.with(j.follows([]kernel.Lit{j.lit(inner, n.Parts[0].Hyps[len(n.Hyps)].Term)}, c.hyps[r.at], chosen)))
	case replace:
		x, by := j.term(c, r.vals[0]), j.term(c, r.vals[1])
		place := forAll(j.b, []logic.Term{r.vals[0]}, n.Goal)
		same := j.state(kernel.Step{Kind: kernel.Subst, Terms: []logic.Term{j.term(c, place), by, x}})
		c.denial = j.follows([]kernel.Lit{j.lit(c, n.Parts[0].Goal).Not()}, c.denial, c.hyps[r.at], same)
		return part(0, c)
	case induction:
		return j.induction(n, c)
	}
	return j.embed(n.Proof, c)
}

// values are those of a rule, in the context.
func (j *joiner) values(c context, r rule) []logic.Term {
	var out []logic.Term
	for _, v := range r.vals {
		out = append(out, j.term(c, v))
	}
	return out
}

// suppose takes the goal P⇒Q of n apart.
func (j *joiner) suppose(n *Node, c context) context {
	goal := j.term(c, n.Goal)
	inner := c
	premise := j.follows([]kernel.Lit{kernel.LitOf(j.b, j.b.Arg(goal, 0))}, c.denial, j.state(kernel.Step{Kind: kernel.Prop, Index: 0, Terms: []logic.Term{goal}}))
	inner.denial = j.follows([]kernel.Lit{j.lit(c, n.Parts[0].Goal).Not()}, c.denial, j.state(kernel.Step{Kind: kernel.Prop, Index: 1, Terms: []logic.Term{goal}}))
	apart := j.conjuncts(j.b.Arg(goal, 0))
	for _, p := range formula.Conjuncts(j.b, j.b.Arg(goal, 0)) {
		inner = inner.with(j.follows([]kernel.Lit{kernel.LitOf(j.b, p)}, append([]clause{premise}, apart...)...))
	}
	return inner
}

// conjuncts states that the conjuncts of t, at any depth, follow from t.
func (j *joiner) conjuncts(t logic.Term) (out []clause) {
	if j.b.Op(t) != logic.And {
		return nil
	}
	for i := range j.b.Args(t) {
		out = append(out, j.state(kernel.Step{Kind: kernel.Prop, Index: i, Terms: []logic.Term{t}}))
	}
	for _, a := range j.b.Args(t) {
		out = append(out, j.conjuncts(a)...)
	}
	return out
}

// cut proves the fact of n, and goes on with it.
func (j *joiner) cut(n *Node, c context) clause {
	l := j.lit(c, n.rule.fact)
	if n.lost {
		return j.node(n.Parts[1], c.with(clause{})) // it is not asked for
	}
	inner := c
	inner.denial = assume(l.Not())
	proved := j.node(n.Parts[0], inner)
	fact, ok := proved.without(l)
	if !ok {
		return proved // the hypotheses contradict each other
	}
	return j.node(n.Parts[1], c.with(fact))
}

// instance derives what the rule of n adds.
func (j *joiner) instance(n *Node, c context) clause {
	r := n.rule
	h, fact := j.term(c, n.Hyps[r.at].Term), j.term(c, n.Parts[0].Hyps[len(n.Hyps)].Term)
	return j.follows([]kernel.Lit{kernel.LitOf(j.b, fact)}, append([]clause{c.hyps[r.at]}, j.between(h, fact, j.values(c, r), r.nums)...)...)
}

// between states what leads between quantifier q and an instance of it for some of its
// variables: that ∀ implies it, or that it implies ∃.
func (j *joiner) between(q, instance logic.Term, vals []logic.Term, nums []int) []clause {
	decls := j.b.Decls(q)
	if len(nums) == len(decls) {
		return []clause{j.state(kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{q}, inOrder(nums, vals)...)})}
	}
	chosen := kernel.Witnesses(j.b, instance)
	all := []logic.Term{q}
	for i := range decls {
		if k := slices.Index(nums, i); k >= 0 {
			all = append(all, vals[k])
		} else {
			all, chosen = append(all, chosen[0]), chosen[1:]
		}
	}
	return []clause{j.state(kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{instance}}), j.state(kernel.Step{Kind: kernel.Inst, Terms: all})}
}

// induction joins base, step, and what follows from them.
func (j *joiner) induction(n *Node, c context) clause {
	r := n.rule
	// The context gives no value to what induction is about: its schema speaks of all.
	outer := c
	c.values = map[logic.Term]logic.Term{}
	for x, w := range outer.values {
		if !slices.Contains(r.vals, x) {
			c.values[x] = w
		}
	}
	// Base and step: each denies its own goal and ends in a clause without that denial, unless the
	// context alone was contradictory.
	var shown []clause
	for i := range 2 {
		l := j.lit(c, n.Parts[i].Goal)
		inner := c
		inner.denial = assume(l.Not())
		proved := j.node(n.Parts[i], inner)
		fact, ok := proved.without(l)
		if !ok {
			return proved
		}
		shown = append(shown, fact)
	}
	b := j.b
	axiom := kernel.Step{Kind: kernel.Axiom, Name: "induction", Terms: []logic.Term{j.term(c, forAll(b, r.vals[:1], r.fact))}}
	if b.Type(r.vals[0]) != logic.IntType {
		axiom.Name = "finite.induction"
	}
	stated, err := kernel.ClauseOf(logic.Sequent{Bank: b, Goal: b.App(logic.False)}, axiom)
	if err != nil {
		return clause{} // the kernel will say so
	}
	all := stated[len(stated)-1]
	from := append(shown, j.conjuncts(j.term(c, n.Parts[0].Goal))...)
	universal := j.follows([]kernel.Lit{all}, append(from, j.state(axiom))...)

	// From ∀x·bound⇒property to bound⇒goal for the identifiers themselves.
	x := j.term(outer, r.vals[0])
	conclusion := j.term(outer, n.Parts[2].Hyps[len(n.Hyps)].Term)
	of := b.Instantiate(b.Arg(all.Atom(), 0), []logic.Term{x})
	chain := []clause{universal,
		j.state(kernel.Step{Kind: kernel.Inst, Terms: []logic.Term{all.Atom(), x}}),
		j.state(kernel.Step{Kind: kernel.Prop, Index: 0, Terms: []logic.Term{conclusion}}),
		j.state(kernel.Step{Kind: kernel.Prop, Index: 1, Terms: []logic.Term{conclusion}}),
		j.state(kernel.Step{Kind: kernel.Prop, Index: 2, Terms: []logic.Term{of}}),
	}
	if len(r.vals) > 1 {
		terms := []logic.Term{b.Arg(of, 1)}
		for _, y := range r.vals[1:] {
			terms = append(terms, j.term(outer, y))
		}
		chain = append(chain, j.state(kernel.Step{Kind: kernel.Inst, Terms: terms}))
	}
	return j.node(n.Parts[2], outer.with(j.follows([]kernel.Lit{kernel.LitOf(b, conclusion)}, chain...)))
}

// embed adds the steps of a proof in a context: its hypotheses are those of the context,
// and clauses that rest on assumptions name them.
func (j *joiner) embed(p *Proof, c context) clause {
	// The proof was found in a bank of its own; identifiers that stand for witnesses get these here.
	im := logic.NewImporter(j.b, p.Bank, true)
	term := func(t logic.Term) logic.Term { return j.b.Subst(im.Term(t), c.values) }
	at := make([]clause, len(p.Steps.Steps))
	for i, s := range p.Steps.Steps {
		switch s.Kind {
		case kernel.Hyp:
			at[i] = c.hyps[p.Hyps[s.Index]]
			continue
		case kernel.NegGoal:
			at[i] = c.denial
			continue
		case kernel.WD:
			s.Index = p.Hyps[s.Index]
		}
		terms := make([]logic.Term, len(s.Terms))
		for k, t := range s.Terms {
			terms[k] = term(t)
		}
		lits := make(kernel.Clause, len(s.Clause))
		for k, l := range s.Clause {
			lits[k] = kernel.Pos(term(l.Atom())) | l&1
		}
		s.Terms, s.Clause = terms, lits
		// Learned clauses alone depend on others: these may have grown by assumptions of the context.
		if s.Kind != kernel.Rup {
			at[i] = j.state(s)
			continue
		}
		var from []clause
		for _, k := range s.From {
			from = append(from, at[k])
		}
		at[i] = j.follows(lits, from...)
	}
	return at[len(at)-1]
}
