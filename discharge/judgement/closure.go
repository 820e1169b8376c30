package judgement

import (
	"crypto/sha256"
	"fmt"
	"hash"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// closureOf is the digest of a machine and of all that it refines and sees: of everything in the model but for places,
// comments and names of bound variables. Machines with the same digest run alike.
func closureOf(dev *model.Development, m *model.Machine) answer.Digest {
	w := closure{sha256.New(), text.NewFingerprinter(dev.Bank)}
	for ; m != nil; m = m.Refines {
		w.machine(m)
	}
	return answer.Digest(w.Sum(nil))
}

// closure writes what is digested. Each list begins with its length, so that no two models write the same.
type closure struct {
	hash.Hash
	prints *text.Fingerprinter
}

func (w closure) put(values ...any) { fmt.Fprintf(w, "%q\n", values) }

func (w closure) terms(terms ...logic.Term) {
	w.put("terms", fmt.Sprint(len(terms)))
	for _, t := range terms {
		print := w.prints.Term(t)
		w.Write(print[:])
	}
}

// machine writes all that the meaning of a machine depends on.
func (w closure) machine(m *model.Machine) {
	w.put("machine", m.Name, fmt.Sprint(m.Accurate, m.Whole), m.Lost)
	w.contexts("sees", m.Sees)
	w.contexts("contexts", m.Contexts)
	for _, c := range m.Contexts {
		w.context(c)
	}
	w.put("variables", fmt.Sprint(len(m.Variables)))
	for _, v := range m.Variables {
		w.put(v.Name, fmt.Sprint(v.Abstract, v.Concrete))
		w.terms(v.Term)
	}
	w.predicates("inherited", m.Inherited)
	w.predicates("invariants", m.Invariants)
	w.put("variants", fmt.Sprint(len(m.Variants)))
	for _, v := range m.Variants {
		w.put(v.Label)
		w.terms(v.Term)
	}
	w.put("events", fmt.Sprint(len(m.Events)))
	for _, e := range m.Events {
		w.event(e)
	}
}

func (w closure) contexts(what string, list []*model.Context) {
	w.put(what, fmt.Sprint(len(list)))
	for _, c := range list {
		w.put(c.Name)
	}
}

func (w closure) context(c *model.Context) {
	w.put("context", c.Name, fmt.Sprint(c.Accurate, c.Whole), c.Lost)
	w.contexts("extends", c.Extends)
	w.contexts("ancestors", c.Ancestors)
	w.idents("sets", c.Sets)
	w.idents("constants", c.Constants)
	w.predicates("axioms", c.Axioms)
}

func (w closure) idents(what string, list []model.Ident) {
	w.put(what, fmt.Sprint(len(list)))
	for _, x := range list {
		w.put(x.Name)
		w.terms(x.Term)
	}
}

func (w closure) predicates(what string, list []*model.Predicate) {
	w.put(what, fmt.Sprint(len(list)))
	for _, p := range list {
		w.put(p.Label, fmt.Sprint(p.Theorem))
		w.terms(p.Term)
	}
}

// event writes all that the meaning of an event depends on.
func (w closure) event(e *model.Event) {
	w.put("event", e.Label, fmt.Sprint(e.Accurate, e.Extended, e.Path), e.Convergence.String())
	w.put("refines", fmt.Sprint(len(e.Refines)))
	for _, of := range e.Refines {
		w.put(of.Label)
	}
	w.idents("parameters", e.Parameters)
	w.predicates("guards", e.Guards)
	w.put("witnesses", fmt.Sprint(len(e.Witnesses)))
	for _, x := range e.Witnesses {
		w.put(x.Label)
		w.terms(x.Ident, x.Term)
	}
	w.put("actions", fmt.Sprint(len(e.Actions)))
	for _, x := range e.Actions {
		w.put(x.Label, fmt.Sprint(x.Kind))
		w.terms(x.Left...)
		w.terms(x.Right...)
	}
}
