package po

import (
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
	"github.com/gradine/gradine/refine"
)

// Options asks for obligations of a machine that Rodin does not have.
type Options struct {
	DeadlockFree bool     // DLF: some event is always enabled
	Enabled      []string // ENB: each of these events is always enabled
	LeadsTo      []LeadsTo
}

// LeadsTo claims that a state in which From holds is followed by one in which To does.
// Runs go on as long as an event can happen. Events of Fair are weakly fair: one that stays
// enabled happens in the end. Those of Strong are strongly fair: one that is enabled again and
// again happens again and again. Some of them, the helpful ones, bring To nearer; no other
// event takes it away. If no event is helpful, every event that happens on the way has to bring
// it nearer; or other claims lead all the way, those of Through.
//
// The rule is that of ensures for one step and, with By, that of the variant for any number
// of them: while From holds and To does not, By is a natural number or a finite set; a helpful
// event, or any if none is fair, is enabled; it reaches To or leaves From true and makes By
// smaller; any other event reaches To or leaves From true and makes By smaller, or leaves it
// as it is and every weakly fair helpful event enabled that was. So in the end By stays as it
// is; if then a weakly fair helpful event is ever enabled it stays so, and happens; if not,
// one of the strongly fair ones is enabled again and again, and happens. It makes By smaller,
// which it cannot.
//
// Helpful events need not be enabled at once where Through names claims: these lead there.
// Each ends where one is enabled or a claim behind it begins.
type LeadsTo struct {
	Name string
	Bank *logic.Bank // of the terms
	// Any says of identifiers that are neither constants nor variables what is known of them;
	// the claim is made for all their values. 0 if there are none.
	Any                   logic.Term
	From, To              logic.Term
	By                    logic.Term // 0: one helpful event reaches To
	Helpful, Fair, Strong []string   // events
	Through               []string   // claims that stand before this one
}

// generator makes the obligations of one component.
type generator struct {
	b         *logic.Bank
	dev       *model.Development
	component string
	accurate  bool
	context   *model.Context
	machine   *model.Machine
	hyps      []logic.Term // of the component: axioms, abstract invariants, invariants
	out       []*Obligation
	frees     map[logic.Term]map[logic.Term]bool
}

func newGenerator(d *model.Development, component string, accurate bool) *generator {
	return &generator{
		b: d.Bank.Extend(), dev: d, component: component, accurate: accurate,
		frees: map[logic.Term]map[logic.Term]bool{},
	}
}

// emit adds o unless its goal is trivial.
func (g *generator) emit(o Obligation) {
	if !g.trivial(o.Goal) {
		g.add(o)
	}
}

func (g *generator) add(o Obligation) {
	o.Development, o.Project, o.Component, o.Context, o.Machine, o.bank = g.dev, g.dev.Project, g.component, g.context, g.machine, g.b
	o.Accurate = g.accurate
	if o.Event != nil {
		o.Accurate = g.accurate && o.Event.Accurate
		o.Abstract = o.Event.Refines
		for _, event := range o.Abstract {
			o.Accurate = o.Accurate && event.Accurate
		}
	}
	g.out = append(g.out, &o)
	o.number = len(g.out)
}

func (g *generator) done() []*Obligation {
	g.b.Freeze()
	return g.out
}

// trivial reports whether p is ⊤, or E ∈ T or E ⊆ T with a type expression T.
func (g *generator) trivial(p logic.Term) bool {
	switch g.b.Op(p) {
	case logic.True:
		return true
	case logic.In, logic.SubsetEq:
		return g.b.IsTypeExpr(g.b.Arg(p, 1))
	}
	return false
}

// free returns the set of free identifiers of t.
func (g *generator) free(t logic.Term) map[logic.Term]bool {
	if s, ok := g.frees[t]; ok {
		return s
	}
	s := map[logic.Term]bool{}
	for _, x := range g.b.FreeIdents(t) {
		s[x] = true
	}
	g.frees[t] = s
	return s
}

// same reports whether s and t are equal but for the names of bound variables.
func (g *generator) same(s, t logic.Term) bool { return g.b.Bare(s) == g.b.Bare(t) }

// exists returns ∃ids·p, flattened: ids that p lacks are not declared.
func (g *generator) exists(ids []logic.Term, p logic.Term) logic.Term {
	if len(ids) == 0 {
		return p
	}
	return wd.Flatten(g.b, g.bind(logic.Exists, ids, p))
}

// bind quantifies p over the free identifiers ids.
func (g *generator) bind(op logic.Op, ids []logic.Term, p logic.Term) logic.Term {
	decls := make([]logic.Type, len(ids))
	names := make([]string, len(ids))
	for i, x := range ids {
		decls[i], names[i] = g.b.Type(x), g.b.Name(x)
	}
	return g.b.Quant(op, decls, &logic.Hint{Names: names}, g.b.Abstract(p, ids))
}

// machine makes the obligations of one machine.
type machine struct {
	*generator
	m          *model.Machine
	axioms     int                       // hypotheses that are axioms
	inherited  int                       // hypotheses that are axioms or abstract invariants
	mentioning map[logic.Term][]int      // variable: indices of the own invariants with it
	primed     map[logic.Term]logic.Term // variable: its after-value
	unprimed   map[logic.Term]logic.Term // after-value: its variable
	byTerm     map[logic.Term]*model.Variable
}

// event makes the obligations of one event. Its substitutions carry the names
// of docs/obligations.md.
type event struct {
	*machine
	pair   *refine.Pair
	e      *model.Event
	first  *model.Event // whose actions e refines, or nil
	hyps   []logic.Term // of the component: none of the invariants for the initialisation
	guards []logic.Term

	delta   subst // variable assigned := its after-value
	gluing  subst // delta, and vanished variable := its after-value, given by witness or abstract action
	params  subst // abstract parameter := value of its witness
	simul   subst // params, and after-value of vanished variable := value of its witness
	effect  subst // after-value := value, or variable if not assigned
	choices []choice
	vague   []refine.Witness // non-deterministic
}

type subst = map[logic.Term]logic.Term

// choice is the before-after predicate of a non-deterministic action.
type choice struct {
	action *model.Action
	pred   logic.Term
}
