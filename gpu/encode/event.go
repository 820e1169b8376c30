package encode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/preproc"
)

func (w *writer) events() *lines { return w.apartFrom(w.writeEvents) }

func (w *writer) writeEvents() {
	w.seen = map[string]bool{}
	for i, p := range w.paths {
		w.pathEvent(i, p, "1")
	}
	if w.two() {
		for _, s := range w.sites {
			w.logEvent(s)
		}
		w.line(1, "event switch when")
		w.line(2, "@grd1 turn = 1")
		w.line(1, "then")
		w.line(2, "@act1 turn ≔ 2")
		w.line(1, "end")
		for i, p := range w.paths {
			w.pathEvent(i, p, "2")
		}
		if w.scope != Grid {
			w.barrierEvents()
		}
	}
}

// pathEvent is a thread's step from one cut point to the next.
func (w *writer) pathEvent(number int, p *paths.Path, thread string) {
	w.at = p.From.At
	w.event(fmt.Sprintf("t%s_%d", thread, number+1), thread, p, len(p.Free), func(pr printer) { w.steps(pr, p, thread) })
}

// steps are what is on a path, in order, and where it leads.
func (w *writer) steps(pr printer, p *paths.Path, thread string) {
	guards := 0
	for i, it := range p.Items {
		if it.At != (preproc.Place{}) {
			w.at = it.At
		}
		switch it.Kind {
		case paths.Guard:
			// The log is that of thread 1: a guard about it would keep thread 2 from its way.
			if thread == "2" && (w.logs(it.E)) {
				continue
			}
			guards++
			w.line(2, "@grd%d %s", guards, pr.predicate(it.E))
		case paths.Fit:
			// Thread 1 is any thread: what does not wrap for it does not for thread 2.
			if thread == "1" && w.once("fit", p, i) {
				l := w.next("fit")
				w.claim(2, &Claim{Kind: Fitting, Term: fitted(it.E)}, l, "theorem @%s %s", l, pr.predicate(it.E))
			}
		case paths.Check:
			w.checkItem(pr, p, i, thread)
		case paths.Access:
			if thread == "2" {
				w.raceChecks(pr, p, i)
			}
		}
	}
	w.remainders(pr, p)
	if w.exits {
		w.exit(p)
	}
	w.line(1, "then")
	w.line(2, "@pc pc%s ≔ %d", thread, w.waitAt(p.To))
	for k, v := range w.kept() {
		if !w.live[p.To][v] {
			continue
		}
		if e := p.Values[v]; e != nil && !(e.Op == ir.Local_ && e.V == v) {
			w.line(2, "@set%d %s_%s ≔ %s", k+1, v.Name, thread, pr.term(e))
		}
	}
}

// remainders writes that a step by a number of threads that take turns leaves the remainder as
// it is. It follows from arithmetic alone, where the invariant has too much in its way.
func (w *writer) remainders(pr printer, p *paths.Path) {
	for _, k := range w.cands {
		if k.rule != turn || k.dead || k.at != p.To || k.at != p.From || !k.e.Args[0].Args[1].IsNum() {
			continue
		}
		before := k.e.Args[0]
		after := ir.MapTerm(before, func(x *ir.Term) *ir.Term {
			if x.Op == ir.Local_ {
				return p.Values[x.V]
			}
			return nil
		})
		if after.Key() != before.Key() {
			l := w.next("rest")
			w.claim(2, &Claim{Kind: Candidate, Guess: k.id}, l, "theorem @%s %s = %s", l, pr.term(after), pr.term(before))
		}
	}
}

// exit claims that a path is never taken, if it leaves a loop or begins the kernel.
func (w *writer) exit(p *paths.Path) {
	loop := cfg.Innermost(w.p, p.From)
	if p.From != w.p.Entry && (loop == nil || loop[p.To]) {
		return
	}
	l := w.next("exit")
	w.claim(2, &Claim{Kind: Leaving, Exit: Exit{Entry: p.From == w.p.Entry, Line: p.From.At.Line}}, l, "theorem @%s ⊥", l)
}

// fitted is the term that a claim bounds.
func fitted(e *ir.Term) string {
	if e.Op == ir.PAnd {
		e = e.Args[0]
	}
	for _, a := range e.Args {
		if a.Op != ir.Num {
			return a.Key()
		}
	}
	return ""
}

func (w *writer) once(kind string, p *paths.Path, i int) bool {
	key := kind + prefixKey(p, i)
	if w.seen[key] {
		return false
	}
	w.seen[key] = true
	return true
}

func (w *writer) checkItem(pr printer, p *paths.Path, i int, thread string) {
	it := p.Items[i]
	// A check of one thread is made once, in the model of a group; of two threads, in both.
	relational := involvesOther(it.E)
	if thread != "1" || w.alone || w.scope != Group && !relational || !w.once("check", p, i) {
		return
	}
	if relational && !w.two() {
		return // there is no other thread
	}
	l := w.next("chk")
	c := Check{Kind: it.Check.Kind, Line: it.At.Line, Col: it.At.Col, Why: it.Check.Why}
	if relational {
		w.checked(l, c, "%s ⇒ (%s)", w.distinct(), pr.predicate(it.E))
		return
	}
	w.checked(l, c, "%s", pr.predicate(it.E))
}

// raceChecks writes what an access of thread 2 must not meet.
func (w *writer) raceChecks(pr printer, p *paths.Path, i int) {
	it := p.Items[i]
	if !w.matters(it.Mem) || !it.Mem.Written || w.p.Opts.OnlyDivergence || !w.once("race", p, i) {
		return
	}
	if w.scope == Grid && it.Mem.Space != ast.Global {
		return
	}
	for _, s := range w.sites {
		kind := s.item.Conflict(it)
		if kind == "" {
			continue
		}
		l := w.next("race")
		why := fmt.Sprintf("one thread %s %s here, another %s it in line %d", ir.Doing[it.What], ir.Describe(it.Mem), ir.Doing[s.item.What], s.item.At.Line)
		c := Check{Kind: kind, Line: it.At.Line, Col: it.At.Col, Why: why}
		off := pr.term(it.Off)
		w.digits(pr, s, p, i)
		// Equal values are tolerated: the order of such writes cannot be seen.
		if (kind == "race-ww" || kind == "race-rw") && it.Value != nil && s.item.Value != nil && !w.p.Opts.NoBenign {
			w.checked(l, c, "site = %d%s ∧ off = %s ⇒ val = %s", s.number, w.tickets(pr, s, p, it), off, pr.term(it.Value))
			continue
		}
		w.checked(l, c, "site = %d%s ⇒ off ≠ %s", s.number, w.tickets(pr, s, p, it), off)
	}
}

// tickets says of the numbers that two threads have found by atomic additions at one place that the ranges which these add differ:
// of two additions one is the first.
func (w *writer) tickets(pr printer, s *site, p *paths.Path, it paths.Item) (out string) {
	for _, f := range s.path.Free[:s.item.Free] {
		if f.Ticket == nil || !slices.Contains(s.keeps, f.Term.Name) {
			continue
		}
		for _, g := range p.Free[:it.Free] {
			if t := g.Ticket; t == nil || t.Mem != f.Ticket.Mem || w.scope == Grid && t.Mem.Space != ast.Global || t.Off.Key() != f.Ticket.Off.Key() || !w.shared(t.Off) {
				continue
			}
			one, two := w.record(f.Term.Name), pr.fresh(g.Term.Name)
			out += fmt.Sprintf(" ∧ (%s + %s ≤ %s ∨ %s + %s ≤ %s)", one, f.Ticket.Adds.Val, two, two, g.Ticket.Adds.Val, one)
		}
	}
	return out
}

// barrierEvents are the meeting of the threads at each barrier, and the check that
// they never stand at different ones.
func (w *writer) barrierEvents() {
	var waits []*ir.Node
	for _, c := range w.cuts {
		if c.IsBarrier() {
			waits = append(waits, c)
		}
	}
	// An event for each barrier where the interval may have begun: what relations say of it
	// is then at hand, and no proof begins with that many cases. That there are no other
	// beginnings is what @starts and @since claim.
	k := 0
	for _, b := range waits {
		for _, begin := range w.beginnings(b) {
			k++
			w.meeting(k, b, begin)
			w.parting(k, b, begin, waits)
		}
	}
}

// beginnings are the places where the interval that ends at a barrier may have begun; one
// that is nil stands for all.
func (w *writer) beginnings(b *ir.Node) (out []*ir.Node) {
	if w.shadow == nil || !w.two() {
		return []*ir.Node{nil}
	}
	for _, c := range w.cuts {
		if (c == w.p.Entry || c.IsBarrier()) && slices.Contains(w.reach[c], b) {
			out = append(out, c)
		}
	}
	return out
}

// meeting is that both threads wait at b, and go on.
func (w *writer) meeting(k int, b, begin *ir.Node) {
	w.at = b.Code[0].At
	w.line(1, "event meet_%d when", k)
	w.atBarrier(b, begin)
	w.line(2, "@at2 pc2 = %d", w.waitAt(b))
	for _, s := range w.sites {
		if orders(b, s.item) {
			w.line(2, "@not%d site ≠ %d", s.number, s.number)
		}
	}
	w.line(1, "then")
	w.line(2, "@turn1 turn ≔ 1")
	w.line(2, "@go1 pc1 ≔ %d", w.goAt(b))
	w.line(2, "@go2 pc2 ≔ %d", w.goAt(b))
	w.line(2, "@go0 pc0 ≔ %d", w.goAt(b))
	for _, v := range w.remembered() {
		if w.live[b][v] {
			w.line(2, "@keep_%s %s_0 ≔ %s_1", v.Name, v.Name, v.Name)
		}
	}
	for _, n := range w.sharedNames() {
		w.line(2, "@%s %s :∈ ℤ", n, n)
	}
	w.line(1, "end")
}

// parting checks that thread 2 does not wait elsewhere, and has not ended, while thread 1
// waits at b.
func (w *writer) parting(k int, b, begin *ir.Node, waits []*ir.Node) {
	at := b.Code[0].At
	w.line(1, "event part_%d when", k)
	w.atBarrier(b, begin)
	var elsewhere []string
	for _, o := range waits {
		if o != b {
			elsewhere = append(elsewhere, fmt.Sprintf("pc2 ≠ %d", w.waitAt(o)))
		}
	}
	elsewhere = append(elsewhere, fmt.Sprintf("pc2 ≠ %d", pcDone))
	of := "group"
	if w.scope == Warp {
		of = "warp"
	}
	c := Check{Kind: "divergence", Line: at.Line, Col: at.Col, Why: "one thread waits at this barrier, another of its " + of + " does not come to it"}
	w.checked(w.next("div"), c, "%s", strings.Join(elsewhere, " ∧ "))
	w.line(1, "end")
}

// atBarrier are the guards that thread 1 waits at b and it is the turn of thread 2.
func (w *writer) atBarrier(b, begin *ir.Node) {
	w.line(2, "@turn turn = 2")
	w.line(2, "@apart %s", w.distinct())
	w.line(2, "@at1 pc1 = %d", w.waitAt(b))
	if begin != nil {
		w.line(2, "@begin pc0 = %d", w.goAt(begin))
	}
}
