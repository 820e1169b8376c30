package review

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// The effects. Unknown says that the prover decided neither direction, or that
// the question has no meaning: a side is not known to be well-defined, or an
// identifier has another type.
const (
	Unknown    Effect = ""
	Stronger   Effect = "strengthened" // the new one implies the old one, and not conversely as far as the prover sees
	Weaker     Effect = "weakened"
	Equivalent Effect = "equivalent"
	// Implied is of an added or removed predicate: it follows from the predicates
	// of the other revision. A split invariant is one that is removed and several
	// that are added, all of them implied.
	Implied Effect = "implied"
	// Replaced is of a predicate that says less now, where those that were added next to
	// it say the rest.
	Replaced Effect = "weakened, made up for by others"
)

// The steps that a question about two versions of a formula has at most, for a proof and for a counterexample, and those
// after which a counterexample is looked for: of most questions, one direction is false.
const (
	effectMost   = 1_000_000
	effectRefute = 30_000
	effectShort  = 1_500
)

// question asks for the effect of changes. It is settled by what is proved of the sequents.
type question struct {
	sequents  []logic.Sequent
	settle    func(proved []bool)
	firstAsks int // index of its first sequent among all
}

// effects asks the prover what changes of predicates and actions mean, under
// hypotheses that both revisions have.
func (r *Review) effects(ctx context.Context, p *pairing, old, now *Side, is []*component, stable map[*Element]bool, opts Options) {
	b := bank{p.bank.Extend()}
	a := asking{bank: b, dev: now.Dev, is: is, stable: stable, idents: map[logic.Term][]logic.Term{}}
	var questions []*question
	var sequents []logic.Sequent
	ask := func(q *question) {
		if q != nil {
			q.firstAsks = len(sequents)
			questions = append(questions, q)
			sequents = append(sequents, q.sequents...)
		}
	}
	for _, change := range r.Changes {
		ask(a.question(change, r.Changes))
	}
	for _, c := range p.conducts(r.Changes, old) {
		ask(a.doesNoMore(c))
	}
	b.Freeze()
	proved := decide(ctx, sequents, opts)
	for _, q := range questions {
		q.settle(proved[q.firstAsks : q.firstAsks+len(q.sequents)])
	}
}

// decide reports which sequents are proved.
func decide(ctx context.Context, sequents []logic.Sequent, opts Options) []bool {
	proved := make([]bool, len(sequents))
	d := opts.Discharge
	d.Steps, d.RefuteSteps, d.Short, d.Purse = effectMost, effectRefute, effectShort, opts.Budget.effects
	discharge.Run(ctx, len(sequents), func(i int) logic.Sequent { return sequents[i] }, d, func(i int, outcome verdict.Outcome) {
		proved[i] = outcome.Verdict == verdict.Proved
	})
	return proved
}

// asking makes questions in one bank.
type asking struct {
	bank
	dev    *model.Development
	is     []*component
	stable map[*Element]bool // elements of the new revision that say what they said before
	idents map[logic.Term][]logic.Term
}

// question returns the question about a change; nil if there is none to ask.
func (a asking) question(change *Change, all []*Change) *question {
	element := change.Element()
	switch element.Kind {
	case "axiom", "invariant", "guard", "action":
	default:
		return nil
	}
	switch change.What {
	case Changed:
		return a.compareVersions(change, all)
	case Added, Removed:
		if element.Kind != "action" && element.head == "" && len(element.terms) == 1 {
			return a.follows(change, all)
		}
	}
	return nil
}

// implications are what the prover finds of two versions of a formula.
type implications struct {
	newToOld, oldToNew bool // under what both versions stand under
	wdOld, wdNew       bool // each is well-defined where both stand
	jointly            bool // the old one follows from the new one and what was added next to it
}

// classify names the effect. Strength is compared only where both versions are
// well-defined: of terms without value "stronger" says nothing.
func (p implications) classify() Effect {
	switch {
	case !p.wdOld || !p.wdNew:
		return Unknown
	case p.newToOld && p.oldToNew:
		return Equivalent
	case p.newToOld:
		return Stronger
	case p.oldToNew && p.jointly:
		return Replaced
	case p.oldToNew:
		return Weaker
	}
	return Unknown
}

// compareVersions asks what two versions of a formula imply.
func (a asking) compareVersions(c *Change, all []*Change) *question {
	before, after := a.predicate(c.Old), a.predicate(c.New)
	// Actions are compared if they assign the same, whatever their operator; a theorem that becomes an
	// invariant is compared, too.
	if before == 0 || after == 0 || c.New.Kind == "action" && !sameItems(c.Old.left, c.New.left) || !a.sameTypes(before, after) {
		return nil
	}
	hyps := a.hypotheses(c.New)
	given := hyps
	if c.New.head != "" && c.New.Kind != "action" {
		// Every theorem follows from the rest. It is there for what it says, to people and to
		// those that cite it.
		given = a.axioms(c.New)
	}
	// What was one predicate may be several now.
	besides := []logic.Term{after}
	for _, d := range all {
		if d.What == Added && c.New.Kind != "action" && d.New.standsBeside(c.New) && a.sameTypes(before, d.New.terms[0]) {
			besides = append(besides, d.New.terms[0])
		}
	}
	return &question{sequents: []logic.Sequent{
		a.sequent(given, before, after), a.sequent(given, after, before),
		a.sequent(hyps, a.D(before)), a.sequent(hyps, a.D(after)),
		a.sequent(slices.Concat(hyps, besides), before),
	}, settle: func(proved []bool) {
		c.Effect = implications{proved[0], proved[1], proved[2], proved[3], proved[4] && len(besides) > 1}.classify()
	}}
}

// sameItems reports whether two lists have the same items, in any order.
func sameItems(x, y []logic.Term) bool {
	return len(x) == len(y) && !slices.ContainsFunc(x, func(t logic.Term) bool { return !slices.Contains(y, t) })
}

// standsBeside reports whether e is a predicate of the same kind and place as another.
func (e *Element) standsBeside(other *Element) bool {
	return e.Kind == other.Kind && e.head == "" && len(e.terms) == 1 && e.Event == other.Event && e.Component == other.Component
}

// follows asks whether a removed predicate follows from those that replace it, or
// an added one from those that it replaces: changes of its component's predicates
// of the same kind.
func (a asking) follows(c *Change, all []*Change) *question {
	e := c.Element()
	hyps := a.hypotheses(e)
	other := false
	for _, d := range all {
		x := d.New
		if c.What == Added {
			x = d.Old
		}
		replaces := d != c && x != nil && (d.What == Changed || d.What == Added || d.What == Removed) && x.standsBeside(e)
		if replaces && a.sameTypes(e.terms[0], x.terms[0]) {
			hyps = append(hyps, x.terms[0])
			other = true
		}
	}
	if !other && len(hyps) == 0 {
		return nil
	}
	goal := e.terms[0]
	return &question{sequents: []logic.Sequent{a.sequent(hyps, goal), a.sequent(hyps, a.D(goal))},
		settle: func(proved []bool) {
			if proved[0] && proved[1] {
				c.Effect = Implied
			}
		}}
}

// sequent is hyps and last ⊢ goal; the last hypothesis is selected. A hypothesis is left out in which an
// identifier has another type: what is asked may be of the revision before.
func (a asking) sequent(hyps []logic.Term, goal logic.Term, last ...logic.Term) logic.Sequent {
	types := map[string]logic.Type{}
	for _, x := range a.FreeIdents(append(slices.Clone(last), goal)...) {
		types[a.Name(x)] = a.Type(x)
	}
	s := logic.Sequent{Bank: a.Bank, Goal: goal}
	for _, h := range hyps {
		if !slices.ContainsFunc(a.free(h), func(x logic.Term) bool { t, ok := types[a.Name(x)]; return ok && t != a.Type(x) }) {
			s.Hyps = append(s.Hyps, h)
		}
	}
	if len(last) > 0 {
		s.Selected = []int{len(s.Hyps)}
	}
	s.Hyps = append(s.Hyps, last...)
	return s
}

// free are the free identifiers of a hypothesis, which many questions have.
func (a asking) free(h logic.Term) []logic.Term {
	out, ok := a.idents[h]
	if !ok {
		out = a.FreeIdents(h)
		a.idents[h] = out
	}
	return out
}

// predicate is what e says as one predicate: a predicate itself, or the
// before-after predicate of an action; 0 if it has errors.
func (a asking) predicate(element *Element) logic.Term {
	if element.Kind != "action" {
		if len(element.terms) != 1 {
			return 0
		}
		return element.terms[0]
	}
	if len(element.terms) == 0 {
		return 0
	}
	var parts []logic.Term
	switch element.head {
	case signBecomesSuch:
		return element.terms[0]
	case signBecomesIn:
		parts = append(parts, a.App(logic.In, a.primed(element.left[0]), element.terms[0]))
	default:
		for i, term := range element.left {
			parts = append(parts, a.App(logic.Eq, a.primed(term), element.terms[i]))
		}
	}
	return a.And(parts...)
}

func (a asking) primed(x logic.Term) logic.Term { return a.Free(a.Name(x)+"'", a.Type(x)) }

// sameTypes reports whether no identifier has one type in s and another in t.
func (b bank) sameTypes(s, t logic.Term) bool {
	types := map[string]logic.Type{}
	for _, x := range b.FreeIdents(s, t) {
		if u, ok := types[b.Name(x)]; ok && u != b.Type(x) {
			return false
		}
		types[b.Name(x)] = b.Type(x)
	}
	return true
}

// hypotheses returns the predicates that hold where e stands and say what they said
// before: axioms and invariants that its component sees, other guards of its
// event. Theorems are left out, for they may follow from e.
func (a asking) hypotheses(e *Element) []logic.Term {
	return a.stated(e, func(x *Element) bool { return holdsAt(x, e) })
}

// axioms returns those that hold where theorem e stands, unless it follows from axioms alone.
func (a asking) axioms(e *Element) []logic.Term {
	return a.stated(e, func(x *Element) bool { return x.Kind == "axiom" && e.Kind != "axiom" })
}

func (a asking) stated(e *Element, which func(*Element) bool) []logic.Term {
	visible := visibleFrom(a.dev, e)
	var out []logic.Term
	for _, component := range a.is {
		if !visible[component.Component] {
			continue
		}
		for _, x := range component.elements {
			if x != e && a.stable[x] && x.head == "" && x.typed() && which(x) {
				out = append(out, x.terms...)
			}
		}
	}
	return out
}

// holdsAt reports whether predicate x, of a component that e sees, may be assumed
// of e. An axiom rests on no invariant, and an invariant on no guard.
func holdsAt(x, e *Element) bool {
	switch x.Kind {
	case "axiom":
		return true
	case "invariant":
		return e.Kind != "axiom" && !(e.Kind == "action" && e.Event == model.InitLabel) // which begins from nothing
	case "guard":
		return x.Component == e.Component && x.Event == e.Event && (e.Kind == "guard" || e.Kind == "action")
	}
	return false
}

// visibleFrom returns the components whose axioms and invariants hold where e stands.
func visibleFrom(dev *model.Development, element *Element) map[string]bool {
	visible := map[string]bool{element.Component: true}
	if c := dev.Context(element.Component); c != nil {
		for _, a := range c.Ancestors {
			visible[a.Name] = true
		}
	}
	for machine := dev.Machine(element.Component); machine != nil; machine = machine.Refines {
		visible[machine.Name] = true
		for _, c := range machine.Contexts {
			visible[c.Name] = true
		}
	}
	return visible
}
