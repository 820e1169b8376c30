package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
)

// findSites numbers the accesses that thread 1 may log: each once, however many paths it is on.
func (w *writer) findSites() {
	if !w.two() {
		return
	}
	// Thread 1 may stop at an access only if every barrier ends the interval for it: behind
	// one that does not order it, the access still races.
	stops := func(a paths.Item) bool {
		return !w.walk.Barriers || !slices.ContainsFunc(w.cuts, func(c *ir.Node) bool { return c.IsBarrier() && !orders(c, a) })
	}
	seen := map[string]bool{}
	meets := func(a paths.Item) bool {
		for _, p := range w.paths {
			for _, b := range p.Items {
				if b.Kind == paths.Access && a.Conflict(b) != "" {
					return true
				}
			}
		}
		return false
	}
	for _, p := range w.paths {
		for i, it := range p.Items {
			// What no access can conflict with need not be logged, unless annotations ask.
			if it.Kind != paths.Access || !w.matters(it.Mem) || !w.p.Annotated && !meets(it) {
				continue
			}
			key := prefixKey(p, i)
			if w.p.Annotated {
				key += fmt.Sprint(" of ", p.From.Id, " to ", p.To.Id, " ", prefixKey(p, len(p.Items)-1)) // thread 1 goes on with its log
			}
			if seen[key] {
				continue
			}
			seen[key] = true
			s := &site{number: len(w.sites) + 1, path: p, item: it, guards: p.Guards(i), stops: stops(it) && !w.p.Annotated}
			// Arbitrary values that the access depends on: without them the record could not say
			// where it was.
			s.keeps = ir.FreeIn(it.Off)
			if it.Value != nil {
				for _, h := range ir.FreeIn(it.Value) {
					if !slices.Contains(s.keeps, h) {
						s.keeps = append(s.keeps, h)
					}
				}
			}
			keepBits(s)
			if s.stops {
				w.keepShared(s)
			}
			w.sites = append(w.sites, s)
		}
	}
}

// keepBits records what operations on bits have given, of which a guard speaks before an access.
func keepBits(s *site) {
	for _, f := range s.path.Free[:s.item.Free] {
		mentions := func(g *ir.Term) bool { return slices.Contains(ir.FreeIn(g), f.Term.Name) }
		if f.OfBits() && !slices.Contains(s.keeps, f.Term.Name) && slices.ContainsFunc(s.guards, mentions) {
			s.keeps = append(s.keeps, f.Term.Name)
		}
	}
}

// keepShared records of what a guard says before an access what other threads read, too.
func (w *writer) keepShared(s *site) {
	for _, f := range s.path.Free[:s.item.Free] {
		mentions := func(g *ir.Term) bool { return slices.Contains(ir.FreeIn(g), f.Term.Name) }
		if w.reads(f) && !slices.Contains(s.keeps, f.Term.Name) && slices.ContainsFunc(s.guards, mentions) {
			s.keeps = append(s.keeps, f.Term.Name)
		}
	}
}

// prefixKey tells what comes up to item i of a path.
func prefixKey(p *paths.Path, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", p.From.Id)
	for _, it := range p.Items[:i+1] {
		fmt.Fprintf(&b, ";%d", it.Kind)
		if it.E != nil {
			b.WriteString(it.E.Key())
		}
		if it.Mem != nil {
			fmt.Fprintf(&b, "m%d %s %d %v", it.Mem.Id, it.Off.Key(), it.What, it.At)
			if it.Value != nil {
				b.WriteString(it.Value.Key())
			}
		}
		if it.Check != nil {
			fmt.Fprintf(&b, "%v%s", it.At, it.Check.Kind)
		}
	}
	return b.String()
}

// logEvent is thread 1 at an access that is logged.
func (w *writer) logEvent(s *site) {
	w.at = s.item.At
	frees := s.item.Free
	if !s.stops {
		frees = len(s.path.Free)
	}
	w.step(fmt.Sprint("log_", s.number), "1", s.path, frees, func(pr reading) { w.logging(pr, s) })
}

// logging is what a thread does that is logged: it remembers the access, and stops, or
// goes on to the end of the path.
func (w *writer) logging(pr reading, s *site) {
	w.guard("none", is("site", 0))
	// A thread that stops needs what leads to its access alone; one that goes on, the whole path.
	guards := s.guards
	if !s.stops {
		guards = s.path.Guards(len(s.path.Items))
	}
	k := 0
	for _, g := range guards {
		// Without the guard more is logged, which only adds races to look for.
		if w.logs(g) {
			continue
		}
		k++
		w.guard(fmt.Sprint("grd", k), pr.predicate(g))
	}
	w.assign("site", "site", num(s.number))
	w.assign("off", "off", pr.term(s.item.Off))
	if s.item.Value != nil {
		w.assign("val", "val", pr.term(s.item.Value))
	}
	if w.p.Annotated {
		w.assign("acc", "acc", num(ir.AccessCode(s.item.Mem, s.item.What)))
	}
	for _, v := range w.startVariables(s) {
		w.assign("rec_"+v.Name, w.record(v.Name), ident(v.Name+"_1"))
	}
	for _, h := range s.keeps {
		w.assign("rec_"+h, w.record(h), ident(pr.fresh(h)))
	}
	if s.stops {
		w.assign("pc", "pc1", num(pcStopped))
		w.assign("turn2", "turn", num(2))
	} else {
		w.goOn(pr, s.path, "1")
	}
}

// startVariables are the variables that what is known at a site is about: those
// live at the start of its path.
func (w *writer) startVariables(s *site) []*ir.Variable {
	if s.path.From == w.p.Entry {
		return nil
	}
	var out []*ir.Variable
	for _, v := range w.kept() {
		if w.live[s.path.From][v] {
			out = append(out, v)
		}
	}
	return out
}

// siteInvariant is what is known of a logged access: where it was, what was written,
// and what held before it, over what was recorded.
func (w *writer) siteInvariant(s *site) {
	pr := w.recorded()
	w.at = s.item.At
	var facts []formula
	known := func(e *ir.Term) bool {
		for _, h := range ir.FreeIn(e) {
			if !slices.Contains(s.keeps, h) {
				return false
			}
		}
		return !w.logs(e)
	}
	for _, f := range s.path.Free[:s.item.Free] {
		if slices.Contains(s.keeps, f.Term.Name) && f.Type.Kind == ast.IntType {
			lo, hi := interval.Within(f.Type)
			n := ident(w.record(f.Term.Name))
			facts = append(facts, within(lo, n, hi)...)
			if s.stops && w.reads(f) { // it ends before the threads meet again
				facts = append(facts, eq(n, ident(sharedName(f.Shared))))
			}
		}
	}
	for _, k := range w.cands {
		if k.at == s.path.From && !k.dead {
			// They held of thread 1 where its path began, and so of what was recorded there.
			facts = append(facts, pr.predicate(k.e))
		}
	}
	for _, i := range s.path.From.Code {
		if i.Op != ir.DoInvariant {
			break
		}
		st := w.walk.Begin()
		if e := w.walk.Formula(st, i.E, s.path.From, ir.Falsity); !w.logs(e) && !involvesOther(e) {
			facts = append(facts, pr.predicate(e))
		}
	}
	for _, g := range s.guards {
		if known(g) {
			facts = append(facts, pr.predicate(g))
		}
	}
	// What makes the terms well-defined stands before them.
	facts = append(facts, eq(ident("off"), pr.term(s.item.Off)))
	if s.item.Value != nil {
		facts = append(facts, eq(ident("val"), pr.term(s.item.Value)))
	}
	p := w.predicate(fmt.Sprint("site_", s.number), implies(is("site", s.number), all(facts...)))
	p.Doc = fmt.Sprintf("line %d: one thread %s %s", s.item.At.Line, ir.Doing[s.item.What], ir.Describe(s.item.Mem))
	w.put(&w.machine.Invariants, p)
}

// logInvariants says what annotations may rest on: which accesses can have been logged
// where thread 1 stands, and which one a logged site is.
func (w *writer) logInvariants() {
	if !w.p.Annotated {
		if w.two() && slices.ContainsFunc(w.cuts, func(c *ir.Node) bool { return c.IsBarrier() && c.Code[0].Inner }) {
			w.loggedWhere()
			w.loggedBehind()
		}
		return
	}
	if !w.two() {
		w.invariant("nolog", is("acc", 0))
		return
	}
	w.invariant("nolog", implies(is("site", 0), is("acc", 0)))
	for _, s := range w.sites {
		w.invariant(fmt.Sprint("acc_", s.number), implies(is("site", s.number), is("acc", ir.AccessCode(s.item.Mem, s.item.What))))
	}
	w.loggedWhere()
}

// loggedWhere says which accesses can have been logged where thread 1 stands.
func (w *writer) loggedWhere() {
	logged := w.loggedAt()
	for _, c := range w.cuts {
		at := func(pc int, survives func(*site) bool) {
			where := []formula{is("site", 0)}
			for _, s := range w.sites {
				if logged[c][s.number] && survives(s) {
					where = append(where, is("site", s.number))
				}
			}
			w.invariant(fmt.Sprint("logged_", pc), implies(is("pc1", pc), either(where...)))
		}
		if w.goAt(c) == w.waitAt(c) {
			at(w.goAt(c), func(*site) bool { return true })
		} else if c.IsBarrier() {
			at(w.waitAt(c), func(*site) bool { return true })
			at(w.goAt(c), func(s *site) bool { return !orders(c, s.item) })
		}
	}
}

// loggedBehind says which accesses can have been logged where thread 1 has stopped, and where it has ended.
func (w *writer) loggedBehind() {
	stopped, done := []formula{is("site", 0)}, []formula{is("site", 0)}
	logged := w.loggedAt()
	for _, s := range w.sites {
		if s.stops {
			stopped = append(stopped, is("site", s.number))
		}
		if slices.ContainsFunc(w.cuts, func(c *ir.Node) bool { return w.waitAt(c) == pcDone && logged[c][s.number] }) {
			done = append(done, is("site", s.number))
		}
	}
	w.invariant("stopped", implies(is("pc1", pcStopped), either(stopped...)))
	w.invariant("ended", implies(is("pc1", pcDone), either(done...)))
}

// orders reports whether the barrier at c ends executions in which the access a was logged.
func orders(c *ir.Node, a paths.Item) bool {
	i, sp := c.Code[0], a.Mem.Space
	return sp == ast.Local && i.Local || sp == ast.Global && i.Glob || i.Inner && a.Inner
}

// loggedAt is which sites can have been logged when thread 1 comes to a cut point.
func (w *writer) loggedAt() map[*ir.Node]map[int]bool {
	out := map[*ir.Node]map[int]bool{}
	for _, c := range w.cuts {
		out[c] = map[int]bool{}
	}
	for changed := true; changed; {
		changed = false
		add := func(c *ir.Node, s *site) {
			if !out[c][s.number] {
				out[c][s.number], changed = true, true
			}
		}
		for _, s := range w.sites {
			add(s.path.To, s)
			for _, p := range w.paths {
				if out[p.From][s.number] && !(w.walk.Barriers && p.From.IsBarrier() && orders(p.From, s.item)) {
					add(p.To, s)
				}
			}
		}
	}
	return out
}
