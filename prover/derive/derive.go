// Package derive splits sequents as proof hints request, and combines the proofs of the parts:
// cuts, cases, instances, witnesses, definitions and induction. A part is a sequent with more
// hypotheses, an easier goal, or both. Proofs of all parts give a proof of the whole, in steps
// of the proof kernel. So nothing here is trusted.
package derive

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/prover/kernel"
)

// Plan is a sequent with the way in which it is taken apart.
type Plan struct {
	writing  sync.Mutex  // of Bank: several may prove parts of a plan
	Bank     *logic.Bank // of all its terms
	Given    int         // so many hypotheses are those of the sequent itself
	selected []int
	goal     logic.Term // of the sequent
	Root     *Node
}

// New returns a plan for s that leaves it whole. Labels name its hypotheses.
func New(s logic.Sequent, labels []string) *Plan {
	b := logic.NewBank()
	im := logic.NewImporter(b, s.Bank, false)
	p := &Plan{Bank: b, Given: len(s.Hyps), selected: s.Selected}
	root := &Node{plan: p, wd: -1, Goal: im.Term(s.Goal)}
	p.goal, p.Root = root.Goal, root
	for i, h := range s.Hyps {
		root.Hyps = append(root.Hyps, Fact{Term: im.Term(h), Label: labels[i], from: -1})
	}
	return p
}

// GrantGoal grants that the goal of the sequent is well-defined, as it is for
// obligations.
func (p *Plan) GrantGoal() {
	b, root := p.Bank, p.Root
	if d := b.Bare(b.D(b.Bare(root.Goal))); b.Op(d) != logic.True {
		root.wd = len(root.Hyps)
		root.Hyps = append(root.Hyps, Fact{Term: d, Label: goalWD, from: -1})
	}
}

// definedness ends the label of the fact that another one is well-defined.
const definedness = "/WD"

// goalWD is the label of the fact that the goal is well-defined.
const goalWD = "goal/WD"

// Fact is a hypothesis: one of the sequent, or one that a rule has added.
type Fact struct {
	Term  logic.Term
	Label string

	from   int   // the hypothesis that it follows from; -1 if none
	hidden bool  // it is about identifiers that have another meaning here
	by     *Node // the cut that adds it; nil if none
}

// Node is a sequent of a plan. A rule says how it follows from others; without one, it
// has to be proved as it is.
type Node struct {
	plan *Plan
	Hyps []Fact
	Goal logic.Term
	Only []int // hypotheses to search with at first; nil for no preference
	wd   int   // the hypothesis that Goal is well-defined; -1 if there is none

	// hypothesis is the number of the premise of Goal that is an induction hypothesis, with
	// those behind it; 0 if there is none.
	hypothesis int

	rule   rule
	Parts  []*Node
	Needed bool         // what the rule adds is part of the proof that was found last
	local  []logic.Term // identifiers that stand for what rules have chosen
	Proof  *Proof       // of a node without rule

	spent   int64
	solving sync.Mutex
	solved  map[int64]bool // of the first part of a cut: by steps
	lost    bool           // the first part of a cut has no proof: the fact is left out
}

// rule is a way in which a node follows from its parts.
type rule struct {
	kind ruleKind
	at   int          // the hypothesis it is about
	fact logic.Term   // what it adds, or distinguishes; of induction, what it shows for all values
	goal logic.Term   // of induction: fact without the other identifiers bound
	vals []logic.Term // values, or new identifiers
	nums []int        // which of the variables have these values
}

type ruleKind uint8

const (
	whole     ruleKind = iota
	choose             // Goal is ∀x·P; the part has P, for new identifiers
	suppose            // Goal is P⇒Q; the part has P as hypothesis, and Q
	cut                // the first part proves a fact, the second one has it
	split              // the first part has a fact, the second one its negation
	instance           // the part has an instance of a hypothesis ∀x·P
	exhibit            // Goal is ∃x·P; the part has P for given values
	obtain             // the part has P of a hypothesis ∃x·P, for new identifiers
	replace            // the part has the goal with an identifier replaced by its definition
	induction          // the parts are base, step, and that the goal follows
)

// part adds a part to n that has what n has.
func (n *Node) part() *Node {
	m := &Node{plan: n.plan, Hyps: slices.Clip(n.Hyps), Goal: n.Goal, wd: n.wd, local: slices.Clip(n.local), Only: slices.Clip(n.Only)}
	n.Parts = append(n.Parts, m)
	return m
}

// add gives n a hypothesis.
func (n *Node) add(t logic.Term, label string, from int) {
	if n.Only != nil {
		n.Only = append(n.Only, len(n.Hyps))
	}
	n.Hyps = append(n.Hyps, Fact{Term: t, Label: label, from: from})
}

// number is the label of the next fact that a rule called word adds.
func (n *Node) number(word string) string {
	count := 1
	for _, h := range n.Hyps[n.plan.Given:] {
		if rest, ok := cutPrefix(h.Label, word); ok && !h.hidden && rest == strconv.Itoa(count) {
			count++
		}
	}
	return word + strconv.Itoa(count)
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix {
		return "", false
	}
	return s[len(prefix):], true
}

// fresh returns identifiers for variables that binder t declares: called as they are,
// with a number where the name is taken.
func (n *Node) fresh(t logic.Term) []logic.Term {
	b := n.plan.Bank
	taken := n.Identifiers()
	hint, _ := b.Hint(t)
	var out []logic.Term
	for i, typ := range b.Decls(t) {
		name := "x"
		if i < len(hint.Names) {
			name = hint.Names[i]
		}
		for base, k := name, 1; taken[name] != 0; k++ {
			name = base + strconv.Itoa(k)
		}
		taken[name] = b.Free(name, typ)
		out = append(out, taken[name])
	}
	return out
}

// Intro takes the goal apart while it is ∀ or ⇒: variables become identifiers,
// premises hypotheses. It returns the node to go on with.
func (n *Node) Intro() *Node {
	b := n.plan.Bank
	switch b.Op(n.Goal) {
	case logic.Forall:
		return n.choose().Intro()
	case logic.Implies:
		n.rule = rule{kind: suppose}
		m := n.part()
		m.Goal, m.wd = b.Arg(n.Goal, 1), -1
		for i, p := range formula.Conjuncts(b, b.Arg(n.Goal, 0)) {
			word := "premise"
			if n.hypothesis > 0 && i >= n.hypothesis {
				word = "induct"
			}
			m.add(p, m.number(word), -1)
		}
		return m.Intro()
	}
	return n
}

// choose replaces the variables of a goal ∀x·P.
func (n *Node) choose() *Node {
	b := n.plan.Bank
	xs := n.fresh(n.Goal)
	n.rule = rule{kind: choose, vals: xs}
	m := n.part()
	m.hypothesis = n.hypothesis
	m.local = append(m.local, xs...)
	m.Goal, m.wd = b.Instantiate(b.Arg(n.Goal, 0), xs), -1
	// D of ∀x·P is ∀x·D(P), unless that is ⊤ or P is something special.
	if n.wd >= 0 {
		if d := n.Hyps[n.wd].Term; b.Op(d) == logic.Forall && slices.Equal(b.Decls(d), b.Decls(n.Goal)) {
			m.wd = len(m.Hyps)
			m.add(b.Instantiate(b.Arg(d, 0), xs), goalWD, n.wd)
		}
	}
	return m
}

// Have cuts with fact p: the first node has it as goal, the second one as hypothesis. If
// p is not well-defined of its own, that is a cut before: wd is its first node, and nil
// otherwise.
func (n *Node) Have(p logic.Term) (wd, proof, rest *Node) {
	label := n.number("have")
	if d := n.plan.Bank.D(p); n.plan.Bank.Op(d) != logic.True {
		wd, n = n.cut(d, label+definedness)
	}
	proof, rest = n.cut(p, label)
	return wd, proof, rest
}

// Upto prepares complete induction on x: it cuts with the goal for all x up to a bound, for all bounds and all values of what
// rules have chosen. The first node has that as goal, to which induction on the bound applies; in the second one it is
// stated for x itself, with x as the bound. Hypotheses about these become premises, as they change along with them.
func (n *Node) Upto(x logic.Term) (proof, rest *Node) {
	b := n.plan.Bank
	bound := b.Free(n.unused("bound"), logic.IntType)
	xs := append([]logic.Term{bound}, n.local...)
	if !slices.Contains(xs, x) {
		xs = append(xs, x)
	}
	premises := []logic.Term{b.App(logic.Le, x, bound)}
	for _, h := range n.Hyps {
		if !h.hidden && slices.ContainsFunc(xs, func(y logic.Term) bool { return b.Occurs(y, h.Term) }) {
			premises = append(premises, h.Term)
		}
	}
	proof, rest = n.cut(forAll(b, xs, b.App(logic.Implies, b.And(premises...), n.Goal)), n.number("have"))
	proof.forget(xs)
	nums, vals := make([]int, len(xs)), slices.Clone(xs)
	for i := range xs {
		nums[i] = i
	}
	vals[0] = x
	if instance, err := rest.Inst(len(rest.Hyps)-1, nums, vals); err == nil {
		rest = instance
	}
	return proof, rest
}

// Within cuts with the goal for all numbers from 0 to x, an identifier that no rule has chosen, and for all values of what rules have
// chosen, under what is said of those, or of x alone, such as that it is positive: the first node has that as goal, and in the second one it is stated for x itself.
func (n *Node) Within(x logic.Term) (proof, rest *Node) {
	b := n.plan.Bank
	i := b.Free(n.unused("i"), logic.IntType)
	at := func(t logic.Term) logic.Term { return b.Subst(t, map[logic.Term]logic.Term{x: i}) }
	premises := []logic.Term{b.App(logic.Le, b.Int64(0), i), b.App(logic.Le, i, x)}
	for _, h := range n.Hyps {
		if !h.hidden && (n.aboutLocal(h.Term) || slices.Equal(b.FreeIdents(h.Term), []logic.Term{x})) {
			premises = append(premises, at(h.Term))
		}
	}
	xs := append([]logic.Term{i}, n.local...)
	proof, rest = n.cut(forAll(b, xs, b.App(logic.Implies, b.And(premises...), at(n.Goal))), n.number("have"))
	proof.forget(n.local)
	nums := make([]int, len(xs))
	for k := range nums {
		nums[k] = k
	}
	if instance, err := rest.Inst(len(rest.Hyps)-1, nums, append([]logic.Term{x}, n.local...)); err == nil {
		rest = instance
	}
	return proof, rest
}

// aboutLocal reports whether t mentions what rules have chosen.
func (n *Node) aboutLocal(t logic.Term) bool {
	return slices.ContainsFunc(n.local, func(y logic.Term) bool { return n.plan.Bank.Occurs(y, t) })
}

// forget hides what is known of xs: the goal is for all values of them.
func (n *Node) forget(xs []logic.Term) {
	n.Hyps = slices.Clone(n.Hyps)
	for i := range n.Hyps {
		h := &n.Hyps[i]
		h.hidden = h.hidden || slices.ContainsFunc(xs, func(y logic.Term) bool { return n.plan.Bank.Occurs(y, h.Term) })
	}
	n.Only, n.local = nil, nil
}

// State cuts with fact p, of which is not asked whether it is well-defined: the first node has it as goal, the second one as hypothesis.
func (n *Node) State(p logic.Term) (proof, rest *Node) { return n.cut(p, n.number("have")) }

// Members cuts with ∀x·x∈from⇒x∈into, which the first node has as its goal.
func (n *Node) Members(from, into logic.Term) (proof, rest *Node) {
	b := n.plan.Bank
	x := b.Free(n.unused("x"), b.Elem(b.Type(from)))
	fact := b.App(logic.Implies, b.App(logic.In, x, from), b.App(logic.In, x, into))
	return n.cut(forAll(b, []logic.Term{x}, fact), n.number("have"))
}

func (n *Node) cut(p logic.Term, label string) (proof, rest *Node) {
	n.rule = rule{kind: cut, fact: p}
	proof, rest = n.part(), n.part()
	proof.Goal, proof.wd = p, -1
	rest.add(p, label, -1)
	rest.Hyps[len(rest.Hyps)-1].by = n
	return proof, rest
}

// Cases distinguishes whether p holds.
func (n *Node) Cases(p logic.Term) (holds, rest *Node) {
	b := n.plan.Bank
	n.rule = rule{kind: split, fact: p}
	holds, rest = n.part(), n.part()
	holds.add(p, holds.number("case"), -1)
	rest.add(b.Not(p), rest.number("case"), -1)
	return holds, rest
}

// Inst adds the instance of hypothesis at for some of its variables, named by number.
func (n *Node) Inst(at int, nums []int, vals []logic.Term) (*Node, error) {
	b := n.plan.Bank
	h := n.Hyps[at].Term
	if b.Op(h) != logic.Forall {
		return nil, fmt.Errorf("it is not of the form ∀x·P")
	}
	n.rule = rule{kind: instance, at: at, nums: nums, vals: vals}
	m := n.part()
	m.add(partly(b, h, nums, vals), m.number("inst"), at)
	return m, nil
}

// partly returns quantifier q with the variables nums replaced by closed vals.
func partly(b *logic.Bank, q logic.Term, nums []int, vals []logic.Term) logic.Term {
	decls := b.Decls(q)
	if len(nums) == len(decls) {
		return b.Instantiate(b.Arg(q, 0), inOrder(nums, vals))
	}
	// The others get identifiers that occur nowhere, and are bound again.
	hint, _ := b.Hint(q)
	var all, rest []logic.Term
	var types []logic.Type
	var names []string
	for i, typ := range decls {
		if k := slices.Index(nums, i); k >= 0 {
			all = append(all, vals[k])
			continue
		}
		x := b.Free("?"+strconv.Itoa(i), typ)
		all, rest, types = append(all, x), append(rest, x), append(types, typ)
		if i < len(hint.Names) {
			names = append(names, hint.Names[i])
		}
	}
	var h *logic.Hint
	if len(names) == len(types) {
		h = &logic.Hint{Names: names}
	}
	return b.Quant(b.Op(q), types, h, b.Abstract(b.Instantiate(b.Arg(q, 0), all), rest))
}

// inOrder sorts values by the numbers of their variables.
func inOrder(nums []int, vals []logic.Term) []logic.Term {
	out := make([]logic.Term, len(vals))
	for k, i := range nums {
		out[i] = vals[k]
	}
	return out
}

// Witness gives values for some variables of a goal ∃x·P.
func (n *Node) Witness(nums []int, vals []logic.Term) (*Node, error) {
	b := n.plan.Bank
	if b.Op(n.Goal) != logic.Exists {
		return nil, fmt.Errorf("the goal is not of the form ∃x·P")
	}
	n.rule = rule{kind: exhibit, nums: nums, vals: vals}
	m := n.part()
	m.Goal, m.wd = partly(b, n.Goal, nums, vals), -1
	return m, nil
}

// Obtain names values that hypothesis at, ∃x·P, says exist.
func (n *Node) Obtain(at int, names []string) (*Node, error) {
	b := n.plan.Bank
	h := n.Hyps[at].Term
	if b.Op(h) != logic.Exists {
		return nil, fmt.Errorf("it is not of the form ∃x·P")
	}
	decls := b.Decls(h)
	if len(names) != len(decls) {
		return nil, fmt.Errorf("the number of names must be the number of its variables, %d", len(decls))
	}
	taken := n.Identifiers()
	var xs []logic.Term
	for i, name := range names {
		if taken[name] != 0 || slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("the name %s is taken", name)
		}
		xs = append(xs, b.Free(name, decls[i]))
	}
	n.rule = rule{kind: obtain, at: at, vals: xs}
	m := n.part()
	m.local = append(m.local, xs...)
	m.add(b.Instantiate(b.Arg(h, 0), xs), m.number("witness"), at)
	return m, nil
}

// Identifiers returns those that formulas at n may use, by name.
func (n *Node) Identifiers() map[string]logic.Term {
	b := n.plan.Bank
	terms := []logic.Term{n.Goal}
	for _, h := range n.Hyps {
		if !h.hidden {
			terms = append(terms, h.Term)
		}
	}
	out := map[string]logic.Term{}
	for _, x := range append(b.FreeIdents(terms...), n.local...) {
		out[b.Name(x)] = x
	}
	return out
}

// Unfold replaces identifier x in the goal by what a hypothesis x=E says it is.
func (n *Node) Unfold(x logic.Term) (*Node, error) {
	b := n.plan.Bank
	if !b.Occurs(x, n.Goal) {
		return nil, fmt.Errorf("the goal does not mention it")
	}
	for i, h := range n.Hyps {
		if b.Op(h.Term) != logic.Eq {
			continue
		}
		l, r := b.Arg(h.Term, 0), b.Arg(h.Term, 1)
		if r == x {
			l, r = r, l
		}
		if l != x || b.Occurs(x, r) {
			continue
		}
		n.rule = rule{kind: replace, at: i, vals: []logic.Term{x, r}}
		m := n.part()
		m.Goal, m.wd = b.Subst(n.Goal, map[logic.Term]logic.Term{x: r}), -1
		return m, nil
	}
	return nil, fmt.Errorf("no hypothesis defines it by an equation")
}

// Induct makes base and step of induction on x, which names a number or a set, and a
// third part: that the goal follows, where x is not negative, or is finite. Identifiers
// that rules have chosen, and what is said of these and of x, become part of what is
// shown, for all values.
func (n *Node) Induct(x logic.Term) (base, step, rest *Node, err error) {
	b := n.plan.Bank
	number := b.Type(x) == logic.IntType
	if !number && b.Elem(b.Type(x)) == logic.NoType {
		return nil, nil, nil, fmt.Errorf("it is neither a number nor a set")
	}
	// What hypotheses say of x, or of what rules have chosen, holds for these values alone: it moves into
	// the property, and base and step no longer see it.
	var premises []logic.Term
	hidden := map[int]bool{}
	others := slices.DeleteFunc(slices.Clone(n.local), func(y logic.Term) bool { return y == x })
	for i, h := range n.Hyps {
		if !h.hidden && slices.ContainsFunc(append(slices.Clip(others), x), func(y logic.Term) bool { return b.Occurs(y, h.Term) }) {
			premises = append(premises, h.Term)
			hidden[i] = true
		}
	}
	property := n.Goal
	if len(premises) > 0 {
		property = b.App(logic.Implies, b.And(premises...), property)
	}
	goal := property
	property = forAll(b, others, property)
	r := rule{kind: induction, fact: property, goal: goal, vals: append([]logic.Term{x}, others...)}
	// The kernel's own instance is asked now, so that a wrong property is told before any search.
	_, from, ok := n.plan.schema(r)
	if !ok {
		return nil, nil, nil, fmt.Errorf("the schema of induction does not fit it")
	}
	n.rule = r
	base, step, rest = n.part(), n.part(), n.part()
	for _, m := range []*Node{base, step} {
		// What they show is for all values: nothing is known of x there, nor of the others,
		// so that their names are free again.
		m.Hyps = slices.Clone(m.Hyps)
		for i := range m.Hyps {
			m.Hyps[i].hidden = m.Hyps[i].hidden || hidden[i]
		}
		m.wd, m.Only, m.local = -1, nil, nil
	}
	at := func(v logic.Term) logic.Term { return b.Subst(property, map[logic.Term]logic.Term{x: v}) }
	all := func(x []logic.Term, p ...logic.Term) logic.Term {
		return forAll(b, x, b.App(logic.Implies, b.And(p[:len(p)-1]...), p[len(p)-1]))
	}
	if number {
		zero, one := b.Int64(0), b.Int64(1)
		step.hypothesis = 1
		base.Goal = at(zero)
		step.Goal = all([]logic.Term{x}, b.App(logic.Le, zero, x), property, at(b.App(logic.Plus, x, one)))
	} else {
		e := b.Free(n.unused("e"), b.Elem(b.Type(x)))
		step.hypothesis = 2
		base.Goal = at(b.Atom(logic.Empty, b.Type(x)))
		step.Goal = all([]logic.Term{x, e}, b.App(logic.Finite, x), b.Not(b.App(logic.In, e, x)), property, at(b.App(logic.Union, x, b.App(logic.SetExt, e))))
	}
	if b.Bare(step.Goal) != from {
		return nil, nil, nil, fmt.Errorf("the schema of induction does not fit it")
	}
	rest.add(n.plan.conclusion(r), rest.number("induct"), -1)
	return base, step, rest, nil
}

// unused returns a name that nothing has, name or name with a number.
func (n *Node) unused(name string) string {
	taken := n.Identifiers()
	for base, k := name, 1; taken[name] != 0; k++ {
		name = base + strconv.Itoa(k)
	}
	return name
}

// schema returns the axiom that induction r rests on, and its step, bare.
func (p *Plan) schema(r rule) (axiom kernel.Step, step logic.Term, ok bool) {
	b := p.Bank
	axiom = kernel.Step{Kind: kernel.Axiom, Name: "induction", Terms: []logic.Term{b.Bare(forAll(b, r.vals[:1], r.fact))}}
	if b.Type(r.vals[0]) != logic.IntType {
		axiom.Name = "finite.induction"
	}
	c, err := kernel.ClauseOf(logic.Sequent{Bank: b, Goal: b.App(logic.False)}, axiom)
	if err != nil || len(c) < 2 {
		return axiom, 0, false
	}
	return axiom, c[len(c)-2].Atom(), true
}

// conclusion is what induction r tells of the identifiers that it is about.
func (p *Plan) conclusion(r rule) logic.Term {
	b, x := p.Bank, r.vals[0]
	if b.Type(x) == logic.IntType {
		return b.App(logic.Implies, b.App(logic.Le, b.Int64(0), x), r.goal)
	}
	return b.App(logic.Implies, b.App(logic.Finite, x), r.goal)
}

// forAll returns ∀xs·p for free identifiers xs, which give the variables their names.
func forAll(b *logic.Bank, xs []logic.Term, p logic.Term) logic.Term {
	if len(xs) == 0 {
		return p
	}
	var types []logic.Type
	h := &logic.Hint{}
	for _, x := range xs {
		types, h.Names = append(types, b.Type(x)), append(h.Names, b.Name(x))
	}
	return b.Quant(logic.Forall, types, h, b.Abstract(p, xs))
}

// Bank is that of the terms of n.
func (n *Node) Bank() *logic.Bank { return n.plan.Bank }

// Labelled returns the number of the last hypothesis of a label, or -1.
func (n *Node) Labelled(label string) int {
	for i, h := range slices.Backward(n.Hyps) {
		if h.Label == label && label != "" && !h.hidden {
			return i
		}
	}
	return -1
}

// ForgetWD hides that the goal is well-defined for what rules have chosen: it is known for all values, and would be one premise
// more of what an induction shows.
func (n *Node) ForgetWD() {
	n.Hyps = slices.Clone(n.Hyps)
	for i := range n.Hyps {
		n.Hyps[i].hidden = n.Hyps[i].hidden || n.Hyps[i].Label == goalWD && n.Hyps[i].from >= 0
	}
}

// InstWD adds that the goal of the sequent, ∀x·P, is well-defined for the given values of x, if that is known. The values may be
// more than x: P can go on to quantify.
func (n *Node) InstWD(vals []logic.Term) *Node {
	root := n.plan.Root
	if root.wd < 0 {
		return n
	}
	b := n.plan.Bank
	if d := n.Hyps[root.wd].Term; b.Op(d) == logic.Forall && slices.Equal(b.Decls(d), b.Decls(root.Goal)) {
		nums := make([]int, len(b.Decls(d)))
		for i := range nums {
			nums[i] = i
		}
		if m, err := n.Inst(root.wd, nums, vals[:len(nums)]); err == nil {
			return m
		}
	}
	return n
}

// Selected reports whether hypothesis i is among those that the author of the sequent has
// selected.
func (n *Node) Selected(i int) bool { return slices.Contains(n.plan.selected, i) }

// Use restricts what a search has at first to hypotheses only, and to what rules have
// added and add.
func (n *Node) Use(only []int) {
	for i := n.plan.Given; i < len(n.Hyps); i++ {
		if !slices.Contains(only, i) {
			only = append(only, i)
		}
	}
	n.Only = only
}

// CarrierSets returns the types whose sets the hypotheses and the goal speak of.
func (n *Node) CarrierSets() []logic.Type {
	b := n.plan.Bank
	// Terms and types share their parts: each is looked at once.
	types, terms := map[logic.Type]bool{}, map[logic.Term]bool{}
	var out []logic.Type
	var typ func(t logic.Type)
	typ = func(t logic.Type) {
		if types[t] {
			return
		}
		types[t] = true
		switch b.TypeKind(t) {
		case logic.KindGiven:
			out = append(out, t)
		case logic.KindPow:
			typ(b.Elem(t))
		case logic.KindProd:
			l, r := b.Pair(t)
			typ(l)
			typ(r)
		}
	}
	var term func(t logic.Term)
	term = func(t logic.Term) {
		if terms[t] {
			return
		}
		terms[t] = true
		typ(b.Type(t))
		if b.Op(t).IsBinder() {
			for _, d := range b.Decls(t) {
				typ(d)
			}
		}
		for _, a := range b.Args(t) {
			term(a)
		}
	}
	term(n.Goal)
	for _, h := range n.Hyps {
		term(h.Term)
	}
	return out
}

// Facts returns the hypotheses that are about what identifiers mean here.
func (n *Node) Facts() []Fact {
	return slices.DeleteFunc(slices.Clone(n.Hyps), func(h Fact) bool { return h.hidden })
}

// Local returns the identifiers that rules have chosen.
func (n *Node) Local() []logic.Term { return n.local }
