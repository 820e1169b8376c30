package recheck

// A Library has the certificates of lemmas. Each is checked when it is first used.
type Library struct {
	certificates map[string][]byte
	lemmas       map[string]*lemma
}

// NewLibrary returns a library of the certificates given by the names of their lemmas.
func NewLibrary(certificates map[string][]byte) *Library {
	return &Library{certificates, map[string]*lemma{}}
}

// Result is what an accepted certificate shows.
type Result struct {
	Obligation string // that the text names
	Claim      string // the verdict that the text claims
	Vacuous    bool   // the certificate uses neither the goal nor D of it: the hypotheses contradict each other
	Granted    bool   // the certificate uses that hypotheses or the goal are well-defined
	Hyps       []bool // the hypotheses used, themselves or by their D
}

// Check checks an exported proof: a sequent and a certificate for it.
func (l *Library) Check(text []byte) (res Result, err error) {
	defer catch(&err)
	r := newReader(newStore(), text)
	c := checker{reader: r, library: l, normals: map[*Term]polynomial{}}
	r.expect("gradine sequent 1")
	r.entries("terms", func() {
		switch key := r.word(); key {
		case "obligation":
			res.Obligation = r.quoted()
		case "verdict":
			res.Claim = r.word()
		default:
			refuse("%q is unknown", key)
		}
	})
	r.entries("sequent", r.readTerm)
	r.entries("end", c.readFormula)
	// A certificate that never speaks of the goal would be accepted without one.
	need(c.goal != nil, "a sequent without goal")
	r.certificate()
	return c.check(res), nil
}

// readFormula reads a hypothesis or the goal.
func (c *checker) readFormula() {
	kind := c.word()
	t := c.formula(c.terms[c.natural(len(c.terms))])
	// The goal ends the sequent, so that no reader can take a hypothesis for it.
	need(c.goal == nil, "a formula after the goal")
	switch kind {
	case "hyp":
		c.hyps = append(c.hyps, t)
	case "goal":
		c.goal = t
	default:
		refuse("%q is neither hypothesis nor goal", kind)
	}
}

// A checker knows a sequent and the clauses of the steps so far.
type checker struct {
	*reader
	library *Library
	lemma   bool // the certificate is that of a lemma
	hyps    []*Term
	goal    *Term
	normals map[*Term]polynomial
	clauses []clause
}

// formula refuses t unless it is a closed predicate.
func (c *checker) formula(t *Term) *Term {
	need(t.open == 0 && t.typ == c.prop, "not a closed predicate")
	return t
}

// check goes through the steps up to the first one that states the empty clause.
func (c *checker) check(res Result) Result {
	for i, step := range c.steps {
		stated := c.stated(step)
		// What follows the empty clause shows nothing more, and is not looked at.
		if len(stated) == 0 {
			return c.uses(c.steps[:i+1], res)
		}
		c.clauses = append(c.clauses, stated)
	}
	refuse("no step states the empty clause")
	return res
}

// stated returns the clause that a step states.
func (c *checker) stated(step step) clause {
	for _, t := range step.terms {
		need(t.open == 0, "term with a variable that nothing binds")
	}
	given := make(clause, len(step.clause))
	// What a step states itself is a clause of any formulas: stating costs nothing, and below
	// it is refused unless the step shows it.
	for i, l := range step.clause {
		given[i] = c.canonical(literal{c.formula(l.t), l.not})
	}
	// No step has terms to spare: what it does not look at, a certificate could hide there.
	operands := map[string]int{"prop": 1, "choose": 1, "subst": 3}
	if n, ok := operands[step.kind]; ok {
		need(len(step.terms) == n, "%s takes %d terms", step.kind, n)
	}
	switch step.kind {
	case "hyp":
		return clause{c.literalOf(pick(c.hyps, step.index))}
	case "wd":
		return clause{c.literalOf(c.condition(pick(c.hyps, step.index)))}
	case "goal":
		// The proof is by contradiction: the goal stands negated.
		return clause{c.literalOf(c.goal).complement()}
	case "wdgoal":
		// An obligation is granted D of its goal, which is shown elsewhere; for a lemma it is not shown.
		need(!c.lemma, "a lemma is not granted to be well-defined")
		return clause{c.literalOf(c.condition(c.goal))}
	case "axiom":
		return pick(c.store.clauses(nil, c.axiom(step.name, step.terms)), step.index)
	case "lemma":
		return pick(c.store.clauses(nil, c.library.lemma(step.name).instance(c.store, step.terms)), step.index)
	case "prop":
		return pick(c.definition(step.terms[0]), step.index)
	case "inst":
		need(len(step.terms) > 1, "an instance takes a quantifier and values")
		return c.instance(step.terms[0], step.terms[1:])
	case "choose":
		return c.choice(step.terms[0])
	case "subst":
		return c.substitution(step.terms[0], step.terms[1], step.terms[2])
	// What these three state is written in the step; the check is that it follows.
	case "euf":
		c.equational(given)
	case "lin":
		// As written: canonical literals have their sides ordered, and multipliers are signed.
		c.linear(step.clause, step.multipliers)
	case "rup":
		c.propagate(given, step.from)
	}
	return given
}

// pick returns number i of the hypotheses, or of the clauses of a formula.
func pick[T any](all []T, i int) T {
	need(i < len(all), "no number %d of %d", i, len(all))
	return all[i]
}

// propagate refuses unless the clauses of the steps from, in their order, refute the
// negation of given by unit propagation.
func (c *checker) propagate(given clause, from []int) {
	false_ := map[literal]bool{}
	for _, l := range given {
		false_[l] = true
	}
	for _, i := range from {
		left := map[literal]bool{}
		for _, l := range c.clauses[i] {
			if !false_[l] {
				left[l] = true
			}
		}
		// Every literal is false: the contradiction.
		if len(left) == 0 {
			return
		}
		// A clause with more literals left says nothing yet; that is not a fault, it only does not help.
		for l := range left {
			if len(left) == 1 {
				false_[l.complement()] = true
			}
		}
	}
	refuse("unit propagation ends without a contradiction")
}

// uses reports what the last step rests on.
func (c *checker) uses(steps []step, res Result) Result {
	// From the end: what the empty clause does not rest on counts for nothing, whatever it mentions.
	needed := map[int]bool{len(steps) - 1: true}
	res.Vacuous, res.Hyps = true, make([]bool, len(c.hyps))
	// Backwards, as a step names only steps before it: what reads it has been seen.
	for i := len(steps) - 1; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, j := range steps[i].from {
			needed[j] = true
		}
		switch steps[i].kind {
		case "hyp", "wd":
			res.Hyps[steps[i].index] = true
		case "goal", "wdgoal":
			res.Vacuous = false
		}
		if kind := steps[i].kind; kind == "wd" || kind == "wdgoal" {
			res.Granted = true
		}
	}
	return res
}
