package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/preproc"
)

// writer writes one model.
type writer struct {
	*builder
	*lines
	at      preproc.Place // in the C of what is written
	model   *Model
	label   int
	sites   []*site
	records map[string]bool // variables that records need
	order   []string
	seen    map[string]bool
	digit   []string // theorems about offsets of both threads, by ids and parameters
}

// lines are those of a text, with their places in the C.
type lines struct {
	text    strings.Builder
	origins []origin
}

func (l *lines) add(more *lines) {
	l.text.WriteString(more.text.String())
	l.origins = append(l.origins, more.origins...)
}

func (w *writer) line(indent int, format string, args ...any) {
	w.text.WriteString(strings.Repeat("    ", indent))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
	w.origins = append(w.origins, origin{at: w.at})
}

// claim writes a line that claims something, with its label.
func (w *writer) claim(indent int, c *Claim, label, format string, args ...any) {
	w.line(indent, format, args...)
	w.origins[len(w.origins)-1].claim = c
	w.model.claims[label] = c
}

// checked writes a theorem that is a check, with what it is about for people to read.
func (w *writer) checked(label string, c Check, format string, args ...any) {
	w.claim(2, &Claim{Check: c}, label, "theorem @%s %s // line %d: %s: %s", label, fmt.Sprintf(format, args...), c.Line, c.Kind, c.Why)
}

func (w *writer) next(prefix string) string {
	w.label++
	return fmt.Sprint(prefix, w.label)
}

func (w *writer) two() bool { return !w.alone && w.distinct() != "⊥" }

// matters reports whether races on a memory are looked for in this scope.
func (w *writer) matters(m *ir.Memory) bool {
	if !m.Written || m.Space == ast.Private || m.Space == ast.Constant || w.p.Opts.OnlyDivergence || w.alone {
		// No race is looked for there, but annotations may ask for the access.
		return w.p.Annotated && !w.alone && m.Space != ast.Private
	}
	return w.scope != Grid || m.Space == ast.Global
}

// hint writes a theorem that may lead to proofs of races. One that is not proved is left out.
func (w *writer) hint(indent int, kind, format string, args ...any) {
	l := w.next(kind)
	w.claim(indent, &Claim{Kind: Hint}, l, "theorem @%s %s", l, fmt.Sprintf(format, args...))
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

// recorded prints terms over what was recorded when a site was logged.
func (w *writer) recorded() printer {
	pr := w.printer("1")
	pr.local = func(v *ir.Variable) string { return w.record(v.Name) }
	pr.fresh = w.record
	return pr
}

// apartFrom is what f writes: it comes before the variables, which depend on it.
func (w *writer) apartFrom(f func()) *lines {
	keep := w.lines
	w.lines = new(lines)
	f()
	out := w.lines
	w.lines = keep
	return out
}

// event writes an event of a thread on a path. Its parameters are those of the first
// arbitrary values of the path, as many as frees says, that body mentions: it is written first.
func (w *writer) event(name, thread string, p *paths.Path, frees int, body func(printer)) {
	pr := w.printer(thread)
	mentioned := map[string]bool{}
	pr.fresh = func(h string) string {
		mentioned[h] = true
		return h
	}
	at := w.at
	rest := w.apartFrom(func() { body(pr) })
	var some []*paths.Free
	// Only what is mentioned: a parameter that nothing constrains makes proofs longer.
	for _, f := range p.Free[:frees] {
		if mentioned[f.Term.Name] {
			some = append(some, f)
		}
	}
	w.at = at
	w.header(name, thread, p, some)
	w.add(rest)
	w.line(1, "end")
}

// header writes the parameters of an event for a path, and the guards that say where
// the threads are.
func (w *writer) header(name, thread string, p *paths.Path, frees []*paths.Free) {
	var hs []string
	for _, f := range frees {
		hs = append(hs, f.Term.Name)
	}
	about := fmt.Sprintf("// thread %s, line %d", thread, w.at.Line)
	if len(hs) > 0 {
		w.line(1, "event %s any %s where %s", name, strings.Join(hs, " "), about)
	} else {
		w.line(1, "event %s when %s", name, about)
	}
	w.line(2, "@at pc%s = %d", thread, w.goAt(p.From))
	if w.two() {
		w.line(2, "@turn turn = %s", thread)
	}
	if thread == "2" {
		w.line(2, "@apart %s", w.distinct())
	}
	for i, f := range frees {
		if f.Type.Kind == ast.IntType {
			lo, hi := interval.Within(f.Type)
			w.line(2, "@low%d %s ≤ %s", i+1, integer(lo), f.Term.Name)
			w.line(2, "@high%d %s ≤ %s", i+1, f.Term.Name, integer(hi))
		} else {
			w.line(2, "@any%d %s ∈ ℤ", i+1, f.Term.Name)
		}
		if w.reads(f) {
			w.line(2, "@read%d %s = %s", i+1, f.Term.Name, sharedName(f.Shared))
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
