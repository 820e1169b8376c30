package encode

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/preproc"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// writer writes one model.
type writer struct {
	*builder
	at      preproc.Place // in the source of the kernel, of what is written
	model   *Model
	context *lang.Component
	machine *lang.Component
	event   *lang.Event // that is written
	label   int
	sites   []*site
	records map[string]bool // variables that records need
	order   []string
	seen    map[string]bool
	digit   []formula // theorems about offsets of both threads, by ids and parameters
}

// span is where w.at is: bytes of the line are counted, see Model.File.
func (w *writer) span() diag.Span { return diag.Span{Line: w.at.Line, Col: w.at.Col} }

func (w *writer) name(n string) lang.Name { return lang.Name{Text: n, Span: w.span()} }

func (w *writer) predicate(label string, f formula) *lang.Predicate {
	return &lang.Predicate{Label: w.name(label), Source: lang.Source{Span: w.span()}, Formula: f}
}

// claim is a predicate that claims something.
func (w *writer) claim(label string, f formula, c *Claim) *lang.Predicate {
	p := w.predicate(label, f)
	if c != nil {
		w.model.claims[label] = c
	}
	return p
}

// theorem is a claim that the facts before it imply.
func (w *writer) theorem(label string, f formula, c *Claim) *lang.Predicate {
	p := w.claim(label, f, c)
	p.Theorem = true
	return p
}

func (w *writer) put(to *[]*lang.Predicate, p *lang.Predicate) { *to = append(*to, p) }

func (w *writer) invariant(label string, f formula) {
	w.put(&w.machine.Invariants, w.predicate(label, f))
}

func (w *writer) guard(label string, f formula) { w.put(&w.event.Guards, w.predicate(label, f)) }

// prove adds a theorem to the event that is written.
func (w *writer) prove(label string, f formula, c *Claim) {
	w.put(&w.event.Guards, w.theorem(label, f, c))
}

// checked is a theorem that is a check, with what it is about for people to read.
func (w *writer) checked(label string, c Check, f formula) {
	p := w.theorem(label, f, &Claim{Check: c})
	p.Doc = fmt.Sprintf("line %d: %s: %s", c.Line, c.Kind, c.Why)
	w.put(&w.event.Guards, p)
}

// hint is a theorem that may lead to proofs of races. One that is not proved is left out.
func (w *writer) hint(kind string, f formula) { w.prove(w.next(kind), f, &Claim{Kind: Hint}) }

func (w *writer) assign(label, variable string, value formula) {
	w.act(label, lang.Assignment{Kind: lang.BecomesEqual, Left: []formula{ident(variable)}, Right: []formula{value}})
}

// forget gives a variable any number.
func (w *writer) forget(label, variable string) {
	w.act(label, lang.Assignment{Kind: lang.BecomesIn, Left: []formula{ident(variable)}, Right: []formula{operation(logic.Integer)}})
}

func (w *writer) act(label string, a lang.Assignment) {
	w.event.Actions = append(w.event.Actions, &lang.Action{Label: w.name(label), Source: lang.Source{Span: w.span()}, Assignment: &a})
}

func (w *writer) next(prefix string) string {
	w.label++
	return fmt.Sprint(prefix, w.label)
}

func (w *writer) two() bool { return !w.alone && w.distinct() != nil }

// matters reports whether races on a memory are looked for in this scope.
func (w *writer) matters(m *ir.Memory) bool {
	if !m.Written || m.Space == ast.Private || m.Space == ast.Constant || w.p.Opts.OnlyDivergence || w.alone {
		// No race is looked for there, but annotations may ask for the access.
		return w.p.Annotated && !w.alone && m.Space != ast.Private
	}
	return w.scope != Grid || m.Space == ast.Global
}

// site is an access of thread 1 that may be logged.
type site struct {
	number int
	path   *paths.Path
	item   paths.Item
	guards []*ir.Term
	stops  bool
	keeps  []string // fresh values that are recorded
}

// record notes that a variable or value is recorded.
func (w *writer) record(n string) string {
	n = "r_" + n
	if !w.records[n] {
		w.records[n] = true
		w.order = append(w.order, n)
	}
	return n
}

// recorded makes formulas of what was recorded when a site was logged.
func (w *writer) recorded() reading {
	r := w.reading("1")
	r.local = func(v *ir.Variable) string { return w.record(v.Name) }
	r.fresh = w.record
	return r
}

// begin adds an event to the machine: what is written after it goes there.
func (w *writer) begin(name, about string) {
	w.event = &lang.Event{Label: w.name(name), Span: w.span(), Doc: about, Path: name != lang.Initialisation}
	w.machine.Events = append(w.machine.Events, w.event)
}

// step writes an event of a thread on a path. Its parameters are those of the first
// arbitrary values of the path, as many as frees says, that body mentions: it is written first.
func (w *writer) step(name, thread string, p *paths.Path, frees int, body func(reading)) {
	w.begin(name, fmt.Sprintf("thread %s, line %d", thread, w.at.Line))
	r := w.reading(thread)
	mentioned := map[string]bool{}
	r.fresh = func(h string) string {
		mentioned[h] = true
		return h
	}
	at := w.at
	body(r)
	var some []*paths.Free
	// Only what is mentioned: a parameter that nothing constrains makes proofs longer.
	for _, f := range p.Free[:frees] {
		if mentioned[f.Term.Name] {
			some = append(some, f)
		}
	}
	w.at = at
	rest := w.event.Guards
	w.event.Guards = nil
	w.header(thread, p, some)
	w.event.Guards = append(w.event.Guards, rest...)
}

// header writes the parameters of an event for a path, and the guards that say where
// the threads are.
func (w *writer) header(thread string, p *paths.Path, frees []*paths.Free) {
	for _, f := range frees {
		w.event.Parameters = append(w.event.Parameters, w.name(f.Term.Name))
	}
	w.guard("at", is("pc"+thread, w.goAt(p.From)))
	if w.two() {
		w.guard("turn", eq(ident("turn"), &lang.Formula{Op: logic.Int, Name: thread}))
	}
	if thread == "2" {
		w.guard("apart", w.distinct())
	}
	for i, f := range frees {
		value := ident(f.Term.Name)
		label := func(kind string) string { return fmt.Sprint(kind, i+1) }
		if f.Type.Kind == ast.IntType {
			lo, hi := interval.Within(f.Type)
			w.guard(label("low"), le(literal(lo), value))
			w.guard(label("high"), le(value, literal(hi)))
		} else {
			w.guard(label("any"), integer(value))
		}
		if w.reads(f) {
			w.guard(label("read"), eq(value, ident(sharedName(f.Shared))))
		}
	}
}

// reads reports whether a value is known to be what other threads read, too.
func (w *writer) reads(f *paths.Free) bool { return f.Shared > 0 && len(w.sharedNames()) > 0 }

func involvesOther(t *ir.Term) bool {
	if t.Op == ir.Other || t.Op == ir.PSame {
		return true
	}
	return slices.ContainsFunc(t.Args, involvesOther)
}

func (w *writer) logs(t *ir.Term) bool {
	found := false
	ir.Leaves(t, func(x *ir.Term) { found = found || x.Op == ir.Local_ && (x.V == w.p.Accessed || x.V == w.p.Offset) })
	return found
}
