package po

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
	"github.com/gradine/gradine/refine"
)

// Generate returns the obligations of one component of d. It is an error if opts
// names an event that the machine does not have.
func Generate(d *model.Development, c model.Component, opts Options) ([]*Obligation, error) {
	if c.Machine != nil {
		return ofMachine(d, c.Machine, opts)
	}
	return ofContext(d, c.Context), nil
}

// Ways returns for each claim of opts that states lead to others, in the order of machines, that no
// state is on the way: the hypotheses are what is known of such a state, the goal is ⊥. These are
// not obligations. A claim of which it is proved says nothing.
func Ways(dev *model.Development, opts map[string]Options) (out []*Obligation, err error) {
	for _, m := range dev.Machines {
		g := newMachine(dev, m)
		for _, claim := range opts[m.Name].LeadsTo {
			l, err := g.readLeadsTo(claim)
			if err != nil {
				return nil, err
			}
			out = append(out, l.way())
		}
		g.done()
	}
	return out, nil
}

// All returns the obligations of all components of d, contexts first; opts are by
// the name of a machine. Components are worked on in parallel; the result does not
// depend on that. A fault of the program costs the obligations of one component: those of the
// others are returned with an error that seam.Split takes apart.
func All(dev *model.Development, opts map[string]Options) ([]*Obligation, error) {
	return Of(dev, dev.Components(), opts)
}

// About names a component in a fault: a context and a machine may have the same name.
func About(c model.Component) string {
	if c.Machine != nil {
		return "machine " + c.Name()
	}
	return "context " + c.Name()
}

// Of is All for some of the components.
func Of(dev *model.Development, components []model.Component, opts map[string]Options) ([]*Obligation, error) {
	results, faults, err := each(dev, components, opts)
	if err != nil {
		return nil, err
	}
	return slices.Concat(results...), errors.Join(faults...)
}

// each returns the obligations of each component, and the fault of each that has one, unless opts are wrong.
func each(dev *model.Development, components []model.Component, opts map[string]Options) (results [][]*Obligation, faults []error, err error) {
	results, faults = make([][]*Obligation, len(components)), make([]error, len(components))
	errs := make([]error, len(components))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, c := range components {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			fault := seam.Contain(context.Background(), seam.Component, About(c), func(context.Context) {
				results[i], errs[i] = Generate(dev, c, opts[c.Name()])
			})
			if fault != nil {
				results[i], errs[i], faults[i] = nil, nil, fault
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, nil, err
		}
	}
	return results, faults, nil
}

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

// newMachine returns what makes the obligations of m, and has made none.
func newMachine(dev *model.Development, m *model.Machine) *machine {
	g := &machine{
		generator: newGenerator(dev, m.Name, m.Accurate), m: m,
		mentioning: map[logic.Term][]int{}, primed: map[logic.Term]logic.Term{}, unprimed: map[logic.Term]logic.Term{}, byTerm: map[logic.Term]*model.Variable{},
	}
	g.generator.machine = m
	g.hyps = model.Terms(m.Axioms())
	g.axioms = len(g.hyps)
	g.hyps = append(g.hyps, model.Terms(m.Inherited)...)
	g.inherited = len(g.hyps)
	g.hyps = append(g.hyps, model.Terms(m.Invariants)...)
	for i := range m.Variables {
		v := &m.Variables[i]
		g.byTerm[v.Term] = v
		g.primed[v.Term] = g.b.Free(v.Name+"'", g.b.Type(v.Term))
		g.unprimed[g.primed[v.Term]] = v.Term
	}
	for i, predicate := range m.Invariants {
		for _, term := range g.b.FreeIdents(predicate.Term) {
			g.mentioning[term] = append(g.mentioning[term], i)
		}
	}
	return g
}

func ofMachine(dev *model.Development, m *model.Machine, opts Options) ([]*Obligation, error) {
	g := newMachine(dev, m)
	// The order is Rodin's: invariants, variants, events as they stand; what is asked for
	// an additional obligation comes last, so that it changes the place of nothing else (see ID).
	g.predicates("invariant", "Invariant", m.Invariants, g.inherited)
	for _, variant := range m.Variants {
		g.variant(variant)
	}
	for _, p := range refine.Pairs(dev.Bank, m) {
		newEvent(g, p).obligations()
	}
	if err := g.requested(opts); err != nil {
		return nil, err
	}
	return g.done(), nil
}
