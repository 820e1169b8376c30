// Package trigger chooses patterns for quantified formulas: terms of the body that,
// once matched, bind the variables of the quantifier.
package trigger

import (
	"math/bits"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/form"
)

// Trigger is a set of patterns that bind all variables, but for those that
// equations then define.
type Trigger struct {
	Patterns []Pattern
	Lets     []Let
	Open     int  // patterns that share no variable with those before them
	Late     bool // what it finds is not asked for, so that all else comes first
	Applied  bool // a pattern is x∈s for a variable s, and the body speaks of f(s)
}

// Use returns op if pattern i is x∈s for a variable s and another pattern is op(s).
func (t *Trigger) Use(i int) logic.Op {
	p := &t.Patterns[i]
	if !p.Lit || p.Root.Op != logic.In || p.Root.Args[1].Kind != Slot {
		return logic.Invalid
	}
	for _, other := range t.Patterns {
		r := &other.Root
		if !other.Lit && len(r.Args) == 1 && r.Args[0].Kind == Slot && r.Args[0].Slot == p.Root.Args[1].Slot {
			return r.Op
		}
	}
	return logic.Invalid
}

// Let defines a variable by a term over others.
type Let struct {
	Slot int
	Term logic.Term
}

// Pattern is a term to find. If Lit is set it is a predicate whose truth value
// must be Sign for an instance to be of use.
type Pattern struct {
	Root Node
	Lit  bool
	Sign int
}

// Set returns s if p looks for x∈s with ground s, and otherwise 0.
func (p *Pattern) Set() logic.Term {
	if p.Lit && p.Root.Op == logic.In && p.Root.Args[1].Kind == Ground {
		return p.Root.Args[1].Term
	}
	return 0
}

// Kind of a Node.
type Kind uint8

// Kinds of nodes.
const (
	Slot   Kind = iota // a variable
	Ground             // a closed term
	Sum                // a variable plus or minus closed terms
	App
)

// Node is a term of a pattern.
type Node struct {
	Kind Kind
	Slot int
	Term logic.Term
	Op   logic.Op
	Args []Node
}

// Chooser chooses triggers.
type Chooser struct {
	Bank   *logic.Bank
	Closed func(logic.Term) // is told of the closed terms that were met
	Sums   bool             // applications to a sum with one variable are patterns, too
}

// candidate is an atom of the body, seen as a part of a disjunction.
type candidate struct {
	atom logic.Term
	sign int // truth value of the atom that leaves work for the rest; 0 if either
	off  int // binders between it and the quantifier
}

// body collects the atoms of quantifier f.
func (ch *Chooser) body(f logic.Term, positive bool) []candidate {
	var out []candidate
	var walk func(t logic.Term, sign, off int)
	walk = func(t logic.Term, sign, off int) {
		args := ch.Bank.Args(t)
		switch op := ch.Bank.Op(t); op {
		case logic.True, logic.False:
		case logic.Not:
			walk(args[0], -sign, off)
		case logic.And, logic.Or:
			for _, a := range args {
				walk(a, sign, off)
			}
		case logic.Implies:
			walk(args[0], -sign, off)
			walk(args[1], sign, off)
		case logic.Iff:
			walk(args[0], 0, off)
			walk(args[1], 0, off)
		case logic.Forall, logic.Exists:
			walk(args[0], sign, off+len(ch.Bank.Decls(t)))
		case logic.Neq, logic.NotIn, logic.NotSubset, logic.NotSubsetEq, logic.Lt, logic.Gt, logic.Ge:
			out = append(out, candidate{t, sign, off})
		default:
			out = append(out, candidate{t, -sign, off})
		}
	}
	// The sign is that of the whole body, as a formula to be refuted: an atom under an even number
	// of negations leaves work if it is false.
	sign := 1
	if !positive {
		sign = -1
	}
	walk(ch.Bank.Arg(f, 0), sign, 0)
	return out
}

// compiler turns terms of a quantifier's body into patterns.
type compiler struct {
	*Chooser
	k    int // variables of the quantifier
	off  int
	wild int // first slot of inner variables
	mask uint64
	sums bool // compile sums with one variable
}

// compile makes a pattern of a term with bound variables; false if it has a form that no pattern has.
func (c *compiler) compile(t logic.Term) (Node, bool) {
	bank := c.Bank
	if bank.Depth(t) == 0 {
		c.Closed(t)
		return Node{Kind: Ground, Term: t}, true
	}
	op := bank.Op(t)
	if op == logic.Bound {
		i := bank.Index(t)
		if i < c.off {
			return Node{Kind: Slot, Slot: c.wild + i}, true
		}
		slot := c.k - 1 - (i - c.off)
		if slot < 0 {
			return Node{}, false
		}
		c.mask |= 1 << slot
		return Node{Kind: Slot, Slot: slot}, true
	}
	if (op == logic.Plus || op == logic.Minus) && c.sums {
		return c.sum(t)
	}
	// Sums are in normal form nowhere, so that a pattern x+y would hardly ever match; and inside a
	// binder there is nothing to match.
	if op.IsBinder() || form.IsConnective(op) || op == logic.Plus || op == logic.Minus || op == logic.Times {
		return Node{}, false
	}
	p := Node{Kind: App, Op: op}
	for _, a := range bank.Args(t) {
		q, ok := c.compile(a)
		if !ok {
			return Node{}, false
		}
		p.Args = append(p.Args, q)
	}
	return p, true
}

// sum compiles a sum, or a difference, of a variable and closed terms.
func (c *compiler) sum(t logic.Term) (Node, bool) {
	whole := Node{Kind: Sum, Op: c.Bank.Op(t)}
	variables := 0
	for _, part := range c.Bank.Args(t) {
		q, ok := c.compile(part)
		if !ok || q.Kind != Slot && q.Kind != Ground {
			return Node{}, false
		}
		if q.Kind == Slot {
			whole.Slot = q.Slot
			variables++
		}
		whole.Args = append(whole.Args, q)
	}
	return whole, variables == 1 && whole.Slot < c.k
}

// scored is a pattern with the variables it binds.
type scored struct {
	Pattern
	mask  uint64
	guard bool
}

// patterns are those that the atoms of a quantifier's body offer, by kind.
type patterns struct {
	atoms  []scored // memberships and the like
	ranges []scored // memberships in sets of integers given by bounds
	terms  []scored // that somebody asks for: applications, images, counts, …
	others []scored // operations on sets
	sums   []scored // applications to a sum with one variable
}

// patternsOf compiles what it can of the candidates and the terms in them.
func (ch *Chooser) patternsOf(cands []candidate, k int) patterns {
	var ps patterns
	wild := k
	for _, c := range cands {
		t := form.Positive(ch.Bank, c.atom)
		add := func(list *[]scored, u logic.Term, sums bool) *scored {
			comp := compiler{Chooser: ch, k: k, off: c.off, wild: wild, sums: sums}
			p, ok := comp.compile(u)
			if !ok || comp.mask == 0 {
				return nil
			}
			*list = append(*list, scored{Pattern: Pattern{Root: p}, mask: comp.mask})
			return &(*list)[len(*list)-1]
		}
		if op := ch.Bank.Op(t); op == logic.In && !ch.Bank.IsTypeExpr(ch.Bank.Arg(t, 1)) || op == logic.Finite {
			list := &ps.atoms
			if op == logic.In && isRange(ch.Bank.Op(ch.Bank.Arg(t, 1))) {
				list = &ps.ranges
			}
			if a := add(list, t, false); a != nil {
				a.Lit, a.Sign, a.guard = true, c.sign, c.sign > 0
			}
		}
		wild += c.off
		ch.subterms(t, func(u logic.Term) {
			switch ch.Bank.Op(u) {
			case logic.SubsetEq, logic.Subset, logic.Apply, logic.Image, logic.Card, logic.Min, logic.Max, logic.Dom, logic.Ran, logic.Div, logic.Mod, logic.Exp:
				// An application to x+1 is not a pattern itself; induction asks for those.
				if add(&ps.terms, u, false) == nil && ch.Sums && ch.Bank.Op(u) == logic.Apply {
					add(&ps.sums, u, true)
				}
			case logic.Union, logic.Inter, logic.Diff, logic.CProd, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.Ovr, logic.FComp, logic.BComp, logic.Converse:
				add(&ps.others, u, false)
			}
		})
	}
	return ps
}

// choice is what is chosen for one quantifier.
type choice struct {
	*Chooser
	k     int // its variables
	types []logic.Type
	cands []candidate
	list  []Trigger
}

// Choose returns triggers for a quantified formula: ∀ that holds or ∃ that does not.
// They are memberships that bind all variables each, or else applications that do,
// or else a combination. That an integer lies in an interval is rarely stated but
// often true: triggers of that kind are added to the others rather than taking their place; applications
// to x+1, if Sums is set, take the place of all others.
func (ch *Chooser) Choose(f logic.Term, holds bool) []Trigger {
	k := len(ch.Bank.Decls(f))
	if k > 60 { // masks have a bit for each variable
		return nil
	}
	chosen := choice{Chooser: ch, k: k, types: ch.Bank.Decls(f), cands: ch.body(f, holds)}
	lets, defined := ch.definitions(chosen.cands, k)
	ps := ch.patternsOf(chosen.cands, k)
	need := (uint64(1)<<k - 1) &^ defined
	single := func(list []scored) bool {
		found := false
		for _, p := range list {
			if p.mask&need == need {
				chosen.list = append(chosen.list, Trigger{Patterns: []Pattern{p.Pattern}, Lets: lets})
				found = true
			}
		}
		return found
	}
	// Memberships come first: they guard the body, and one that is false makes the instance true.
	// Where none has all variables, applications are next, as a term f(x) is there because somebody
	// asks for it; then several patterns together; set operations come last, for they occur in most
	// bodies and match what others have made. Intervals are rarely named in facts, so that other
	// patterns are tried, too.
	switch {
	case need == 0:
		chosen.list = []Trigger{{Lets: lets}}
	case single(ps.sums):
		// What f(x+1) is by f(x) is to unfold f, and not to go from f(x) to f(x+1) without end.
	case single(ps.atoms):
		// Where conclusions alone have all variables, nothing asks for them before they are shown.
		if !slices.ContainsFunc(ps.atoms, func(p scored) bool { return p.mask&need == need && !p.conclusion() }) {
			if !single(ps.terms) {
				early := len(chosen.list)
				single(slices.DeleteFunc(ps.ranges, func(p scored) bool { return !p.guard }))
				for i := range chosen.list[early:] {
					chosen.list[early+i].Late = true
				}
			}
		}
	default:
		found := single(ps.terms)
		if !found {
			if found = chosen.combine(slices.Concat(ps.atoms, ps.terms), need, lets); found {
				chosen.relate(slices.Concat(ps.atoms, ps.terms), need, lets)
			}
			// That f is a function from 1‥n is rarely stated of the terms for which it holds: what is said of f and of its
			// pairs is looked for without it, too.
			if loose := slices.DeleteFunc(slices.Clone(ps.atoms), ofFunctions); found && len(loose) < len(ps.atoms) {
				chosen.combine(slices.Concat(loose, ps.terms), need, lets)
			}
		}
		if !found && !holds {
			chosen.atEnds(slices.Concat(ps.atoms, ps.terms), need, lets)
		}
		if !single(ps.ranges) && !found && !chosen.combine(slices.Concat(ps.atoms, ps.ranges, ps.terms), need, lets) {
			single(ps.others)
		}
	}
	chosen.empty()
	for i := range chosen.list {
		t := &chosen.list[i]
		t.Applied = slices.ContainsFunc(t.Patterns, func(p Pattern) bool {
			return p.Lit && p.Root.Op == logic.In && p.Root.Args[1].Kind == Slot && slices.ContainsFunc(ps.terms, func(other scored) bool {
				return other.Root.Op == logic.Apply && other.Root.Args[1].Kind == Slot && other.Root.Args[1].Slot == p.Root.Args[1].Slot
			})
		})
	}
	return chosen.list
}

// empty makes, of a trigger that looks for functions f∈1‥n→s, one for the function that is ∅, as n = 0: that it is one of
// these is rarely stated.
func (c *choice) empty() {
	for _, t := range slices.Clone(c.list) {
		for i, p := range t.Patterns {
			if !p.Lit || p.Root.Op != logic.In || p.Root.Args[0].Kind != Slot || len(t.Patterns) < 2 {
				continue
			}
			f, set := p.Root.Args[0].Slot, &p.Root.Args[1]
			if set.Kind != App || set.Op != logic.TFun || set.Args[0].Kind != App || set.Args[0].Op != logic.UpTo {
				continue
			}
			from, to := &set.Args[0].Args[0], &set.Args[0].Args[1]
			if f >= c.k || from.Kind != Ground || from.Term != c.Bank.Int64(1) || to.Kind != Slot || to.Slot >= c.k {
				continue
			}
			none := c.Bank.Atom(logic.Empty, c.types[f])
			c.Closed(none)
			special := Trigger{Open: t.Open, Lets: append([]Let{{f, none}, {to.Slot, c.Bank.Int64(0)}}, t.Lets...)}
			for _, other := range slices.Delete(slices.Clone(t.Patterns), i, i+1) {
				other.Root = with(other.Root, f, none)
				special.Patterns = append(special.Patterns, other)
			}
			c.list = append(c.list, special)
		}
	}
}

// with returns p with closed term t for a variable.
func with(p Node, slot int, t logic.Term) Node {
	if p.Kind == Slot && p.Slot == slot {
		return Node{Kind: Ground, Term: t}
	}
	p.Args = slices.Clone(p.Args)
	for i := range p.Args {
		p.Args[i] = with(p.Args[i], slot, t)
	}
	return p
}

// atEnds makes triggers for variables of ∃ that no pattern binds but an interval does:
// they take the values of its ends.
func (c *choice) atEnds(ps []scored, need uint64, lets []Let) {
	rest := need
	for _, p := range ps {
		rest &^= p.mask
	}
	var ends [2][]Let
	for i := range c.k {
		if rest&(1<<i) == 0 {
			continue
		}
		from, to := c.ends(c.cands, c.k, i, need&^rest)
		if from == 0 {
			return
		}
		ends[0], ends[1] = append(ends[0], Let{i, from}), append(ends[1], Let{i, to})
	}
	for _, l := range ends {
		c.combine(slices.Clone(ps), need&^rest, append(l, lets...))
	}
}

// ends returns the ends of an interval that is to contain variable slot of k, terms
// over the variables in known; 0 if there is none.
func (ch *Chooser) ends(cands []candidate, k, slot int, known uint64) (from, to logic.Term) {
	bank := ch.Bank
	for _, c := range cands {
		t := form.Positive(ch.Bank, c.atom)
		if c.sign <= 0 || c.off != 0 || bank.Op(t) != logic.In {
			continue
		}
		x, set := bank.Arg(t, 0), bank.Arg(t, 1)
		if bank.Op(x) != logic.Bound || bank.Index(x) != k-1-slot || ch.variables(set, k)&^known != 0 {
			continue
		}
		switch bank.Op(set) {
		case logic.UpTo:
			return bank.Arg(set, 0), bank.Arg(set, 1)
		case logic.Natural:
			return bank.Int64(0), bank.Int64(0)
		case logic.Natural1:
			return bank.Int64(1), bank.Int64(1)
		}
	}
	return 0, 0
}

// conclusion reports whether p is a membership of values that the formula concludes, not that of an argument in a domain.
func (p scored) conclusion() bool {
	return p.Sign < 0 && p.Root.Op == logic.In && p.Root.Args[1].Op != logic.Dom
}

// ofFunctions reports whether p is a membership in a set of functions that variables give.
func ofFunctions(p scored) bool {
	set := &p.Root.Args[len(p.Root.Args)-1]
	return p.Root.Op == logic.In && set.Kind == App && set.Op >= logic.PFun && set.Op <= logic.TBij
}

// isRange reports whether the sets of op are given by bounds of integers.
func isRange(op logic.Op) bool {
	return op == logic.UpTo || op == logic.Natural || op == logic.Natural1
}

// combine makes one trigger of several patterns, guards first. It reports whether
// they bind all variables.
func (c *choice) combine(ps []scored, need uint64, lets []Let) bool {
	slices.SortStableFunc(ps, func(a, b scored) int {
		switch {
		case a.guard && !b.guard:
			return -1
		case b.guard && !a.guard:
			return 1
		}
		return 0
	})
	var t Trigger
	var bound uint64
	for _, p := range ps {
		if p.mask&need != 0 {
			// A pattern that shares no variable multiplies the matches; instances of such triggers are
			// limited.
			if bound != 0 && p.mask&bound == 0 {
				t.Open++
			}
			t.Patterns = append(t.Patterns, p.Pattern)
			need &^= p.mask
			bound |= p.mask
		}
	}
	if need == 0 {
		t.Lets = lets
		c.list = append(c.list, t)
	}
	return need == 0
}

// relate puts a trigger whose patterns bind as many variables each as they can before the last one, which becomes a late one, if fewer
// of them share no variable with those before: where x∈s stands in a formula for each of its variables, all combinations of
// elements match, while x↦y∈r says which of them belong together, unless it is what the formula distinguishes cases by.
func (c *choice) relate(ps []scored, need uint64, lets []Let) {
	t := Trigger{Lets: lets}
	var bound uint64
	for need != 0 {
		next := slices.MaxFunc(ps, func(a, b scored) int {
			if d := bits.OnesCount64(a.mask&need) - bits.OnesCount64(b.mask&need); d != 0 {
				return d
			}
			return bits.OnesCount64(a.mask&bound) - bits.OnesCount64(b.mask&bound)
		})
		if bound != 0 && next.mask&bound == 0 {
			t.Open++
		}
		t.Patterns = append(t.Patterns, next.Pattern)
		need &^= next.mask
		bound |= next.mask
	}
	if last := len(c.list) - 1; t.Open < c.list[last].Open {
		c.list[last].Late = true
		c.list = slices.Insert(c.list, last, t)
	}
}

// subterms calls f for the subterms of t outside binders.
func (ch *Chooser) subterms(t logic.Term, f func(logic.Term)) {
	f(t)
	if ch.Bank.Op(t).IsBinder() {
		return
	}
	for _, a := range ch.Bank.Args(t) {
		ch.subterms(a, f)
	}
}

// definitions finds equations x=t among the premises that define variables by
// others: the one-point rule. An equation between pairs is one for each component.
func (ch *Chooser) definitions(cands []candidate, k int) ([]Let, uint64) {
	var lets []Let
	var defined, used uint64
	define := func(x, u logic.Term) bool {
		slot := k - 1 - ch.Bank.Index(x)
		if slot < 0 {
			return false
		}
		m := ch.variables(u, k)
		// A definition must not be circular: neither may its term mention a defined variable, nor may
		// its variable occur in the term of another definition.
		if bit := uint64(1) << slot; m&bit == 0 && defined&bit == 0 && used&bit == 0 && m&defined == 0 {
			defined |= bit
			used |= m
			lets = append(lets, Let{slot, u})
			return true
		}
		return false
	}
	var equate func(x, u logic.Term)
	equate = func(x, u logic.Term) {
		for range 2 {
			switch ch.Bank.Op(x) {
			case logic.Bound:
				if define(x, u) {
					return
				}
			case logic.Maplet:
				if ch.Bank.Depth(x) > 0 {
					equate(ch.Bank.Arg(x, 0), form.Component(ch.Bank, u, 0))
					equate(ch.Bank.Arg(x, 1), form.Component(ch.Bank, u, 1))
					return
				}
			}
			x, u = u, x
		}
	}
	for _, c := range cands {
		if term := ch.equation(form.Positive(ch.Bank, c.atom)); ch.Bank.Op(term) == logic.Eq && c.sign > 0 && c.off == 0 {
			equate(ch.Bank.Arg(term, 0), ch.Bank.Arg(term, 1))
		}
	}
	return lets, defined
}

// equation returns t, or the equation that says of which sets s is the union, if t is
// partition(s,…).
func (ch *Chooser) equation(term logic.Term) logic.Term {
	args := ch.Bank.Args(term)
	if ch.Bank.Op(term) != logic.Partition {
		return term
	}
	union := ch.Bank.Atom(logic.Empty, ch.Bank.Type(args[0]))
	switch len(args) {
	case 1:
	case 2:
		union = args[1]
	default:
		union = ch.Bank.App(logic.Union, args[1:]...)
	}
	return ch.Bank.App(logic.Eq, args[0], union)
}

// variables returns the set of the k variables of a binder that t mentions.
func (ch *Chooser) variables(t logic.Term, k int) uint64 {
	var mask uint64
	var walk func(t logic.Term, level int)
	walk = func(t logic.Term, level int) {
		if ch.Bank.Depth(t) <= level {
			return
		}
		op := ch.Bank.Op(t)
		if op == logic.Bound {
			if i := ch.Bank.Index(t) - level; i < k {
				mask |= 1 << (k - 1 - i)
			}
			return
		}
		if op.IsBinder() {
			level += len(ch.Bank.Decls(t))
		}
		for _, a := range ch.Bank.Args(t) {
			walk(a, level)
		}
	}
	walk(t, 0)
	return mask
}
