package po

import (
	"runtime"
	"sync"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/wd"
)

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
