package po

import (
	"runtime"
	"sync"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
)

// Options asks for obligations of a machine that Rodin does not have.
type Options struct {
	DeadlockFree bool     // DLF: some event is always enabled
	Enabled      []string // ENB: each of these events is always enabled
	LeadsTo      []LeadsTo
}

// Generate returns the obligations of one component of d. It is an error if opts
// names an event that the machine does not have.
func Generate(d *model.Development, c model.Component, opts Options) ([]*Obligation, error) {
	if c.Machine != nil {
		return ofMachine(d, c.Machine, opts)
	}
	return ofContext(d, c.Context), nil
}

// All returns the obligations of all components of d, contexts first; opts are by
// the name of a machine. Components are worked on in parallel; the result does not
// depend on that.
func All(dev *model.Development, opts map[string]Options) ([]*Obligation, error) {
	return Of(dev, dev.Components(), opts)
}

// Of is All for some of the components.
func Of(dev *model.Development, components []model.Component, opts map[string]Options) ([]*Obligation, error) {
	results := make([][]*Obligation, len(components))
	errs := make([]error, len(components))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, c := range components {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i], errs[i] = Generate(dev, c, opts[c.Name()])
		})
	}
	wg.Wait()
	var out []*Obligation
	for i := range components {
		if errs[i] != nil {
			return nil, errs[i]
		}
		out = append(out, results[i]...)
	}
	return out, nil
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

func ofContext(d *model.Development, c *model.Context) []*Obligation {
	g := newGenerator(d, c.Name, c.Accurate)
	g.context = c
	g.hyps = model.Terms(c.Facts())
	inherited := len(g.hyps) - len(c.Axioms)
	g.predicates("axiom", "Axiom", c.Axioms, inherited)
	return g.done()
}

// predicates makes WD and THM of own axioms or invariants, which are hypotheses
// from index first on.
func (g *generator) predicates(element, nature string, ps []*model.Predicate, first int) {
	for i, predicate := range ps {
		o := Obligation{
			Predicate: predicate,
			Sources:   []Source{{Default, element, predicate.Label, predicate.Origin}},
			hyps:      hypotheses{component: g.hyps[:first+i], from: first, to: first + i, also: -1},
		}
		o.Name, o.Kind, o.Nature, o.Goal = predicate.Label+"/WD", WD, "Well-definedness of "+nature, wd.Lemma(g.b, predicate.Term)
		if predicate.Theorem {
			o.Nature = "Well-definedness of Theorem"
		}
		g.emit(o)
		if predicate.Theorem {
			o.Name, o.Kind, o.Nature, o.Goal = predicate.Label+"/THM", THM, "Theorem", predicate.Term
			g.emit(o)
		}
	}
}
