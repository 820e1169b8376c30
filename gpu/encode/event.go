package encode

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/gpu/preproc"
	"github.com/gradine/gradine/logic"
)

// events writes the events: a step for each path of a thread, and what makes the second thread follow the first.
func (w *writer) events() {
	w.seen = map[string]bool{}
	for i, p := range w.paths {
		w.pathEvent(i, p, "1")
	}
	if !w.two() {
		return
	}
	for _, s := range w.sites {
		w.logEvent(s)
	}
	w.begin("switch", "")
	w.guard("grd1", is("turn", 1))
	w.assign("act1", "turn", num(2))
	for i, p := range w.paths {
		w.pathEvent(i, p, "2")
	}
	if w.walk.Barriers {
		w.barrierEvents()
	}
}

// pathEvent is a thread's step from one cut point to the next.
func (w *writer) pathEvent(number int, p *paths.Path, thread string) {
	w.at = p.From.At
	w.step(fmt.Sprintf("t%s_%d", thread, number+1), thread, p, len(p.Free), func(pr reading) { w.steps(pr, p, thread) })
}

// steps are what is on a path, in order, and where it leads.
func (w *writer) steps(pr reading, p *paths.Path, thread string) {
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
			w.guard(fmt.Sprint("grd", guards), pr.predicate(it.E))
		case paths.Fit:
			// Thread 1 is any thread: what does not wrap for it does not for thread 2.
			if thread == "1" && w.once("fit", p, i) {
				w.prove(w.next("fit"), pr.predicate(it.E), &Claim{Kind: Fitting, Term: fitted(it.E)})
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
		w.leaves(p)
	}
	w.goOn(pr, p, thread)
}

// goOn are the actions of a thread that goes a path to its end.
func (w *writer) goOn(pr reading, p *paths.Path, thread string) {
	w.assign("pc", "pc"+thread, num(w.waitAt(p.To)))
	for k, v := range w.kept() {
		if !w.live[p.To][v] {
			continue
		}
		if e := p.Values[v]; e != nil && !(e.Op == ir.Local_ && e.V == v) {
			w.assign(fmt.Sprint("set", k+1), v.Name+"_"+thread, pr.term(e))
		}
	}
}

// remainders writes that a step by a number of threads that take turns leaves the remainder as
// it is. It follows from arithmetic alone, where the invariant has too much in its way.
func (w *writer) remainders(pr reading, p *paths.Path) {
	for _, k := range w.cands {
		if k.rule != Turned || k.dead || k.at != p.To || k.at != p.From || !k.e.Args[0].Args[1].IsNum() {
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
			w.prove(w.next("rest"), eq(pr.term(after), pr.term(before)), &Claim{Kind: Candidate, Guess: k.id})
		}
	}
}

// leaves claims that a path is never taken, of each loop that it leaves, or if it begins the kernel.
func (w *writer) leaves(p *paths.Path) {
	never := func(e Exit) {
		w.prove(w.next("exit"), operation(logic.False), &Claim{Kind: Leaving, Exit: e})
	}
	if p.From == w.p.Entry {
		never(Exit{Entry: true})
	}
	for k, l := range w.loops {
		if l.Nodes[p.From] && !l.Nodes[p.To] {
			never(Exit{Loop: k})
		}
	}
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

// checkItem writes the claim that a check of path p holds.
func (w *writer) checkItem(pr reading, p *paths.Path, i int, thread string) {
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
	holds := pr.predicate(it.E)
	if relational {
		holds = implies(w.distinct(), holds)
	}
	w.checked(l, c, holds)
}

// raceChecks writes what an access of thread 2 must not meet.
func (w *writer) raceChecks(pr reading, p *paths.Path, i int) {
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
		logged := all(slices.Concat([]formula{is("site", s.number)}, w.tickets(pr, s, p, it), w.partners(pr, s, p, it))...)
		// Equal values are tolerated: the order of such writes cannot be seen.
		if (kind == "race-ww" || kind == "race-rw") && it.Value != nil && s.item.Value != nil && !w.p.Opts.NoBenign {
			w.checked(l, c, implies(all(logged, eq(ident("off"), off)), eq(ident("val"), pr.term(it.Value))))
			continue
		}
		w.checked(l, c, implies(logged, neq(ident("off"), off)))
	}
}

// tickets says of the numbers that two threads have found by atomic additions at one place that the ranges which these add differ:
// of two additions one is the first.
func (w *writer) tickets(pr reading, s *site, p *paths.Path, it paths.Item) (out []formula) {
	for _, f := range s.path.Free[:s.item.Free] {
		if f.Ticket == nil || !slices.Contains(s.keeps, f.Term.Name) {
			continue
		}
		for _, g := range p.Free[:it.Free] {
			if t := g.Ticket; t == nil || t.Mem != f.Ticket.Mem || w.scope == Grid && t.Mem.Space != ast.Global || t.Off.Key() != f.Ticket.Off.Key() || !w.shared(t.Off) {
				continue
			}
			one, two := ident(w.record(f.Term.Name)), ident(pr.fresh(g.Term.Name))
			out = append(out, either(le(plus(one, literal(f.Ticket.Adds.Val)), two), le(plus(two, literal(g.Ticket.Adds.Val)), one)))
		}
	}
	return out
}

// partners says of two threads that take an exclusive or with one number what follows from its being its own inverse: if
// one finds what the other began with, so does the other one, and they find the same where they began with the same. That
// is so of values of the type that the operation has.
func (w *writer) partners(pr reading, s *site, p *paths.Path, it paths.Item) (out []formula) {
	kept := func(t *ir.Term) bool {
		return !slices.ContainsFunc(ir.FreeIn(t), func(n string) bool { return !slices.Contains(s.keeps, n) })
	}
	log := w.recorded()
	for _, f := range s.path.Free[:s.item.Free] {
		if f.Xor == nil || !kept(f.Term) || !kept(f.Xor[0]) || !kept(f.Xor[1]) {
			continue
		}
		for _, g := range p.Free[:it.Free] {
			if g.Xor == nil || g.Type.Bits != f.Type.Bits || g.Type.Signed != f.Type.Signed {
				continue
			}
			for k := range 2 {
				with, own := f.Xor[k], f.Xor[1-k]
				if with.Key() != g.Xor[k].Key() || !common(with) {
					continue
				}
				began, finds := log.term(own), log.term(f.Term)
				other, finds2 := pr.term(g.Xor[1-k]), pr.term(g.Term)
				lo, hi := interval.Within(f.Type)
				alike := slices.Concat(within(lo, began, hi), within(lo, other, hi), []formula{eq(log.term(with), pr.term(with))})
				out = append(out, implies(all(alike...), all(
					operation(logic.Iff, eq(finds, other), eq(finds2, began)),
					operation(logic.Iff, eq(finds, finds2), eq(began, other)))))
			}
		}
	}
	return out
}

// common reports whether t has no part that each thread has for itself: of variables that is not known.
func common(t *ir.Term) bool {
	ok := true
	ir.Leaves(t, func(x *ir.Term) { ok = ok && !x.IsFree() && (x.Op != ir.Sym || !x.Own) })
	return ok
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
	w.begin(fmt.Sprint("meet_", k), "")
	w.atBarrier(b, begin)
	w.guard("at2", is("pc2", w.waitAt(b)))
	for _, s := range w.sites {
		if orders(b, s.item) {
			w.guard(fmt.Sprint("not", s.number), neq(ident("site"), num(s.number)))
		}
	}
	w.assign("turn1", "turn", num(1))
	for _, t := range []string{"1", "2", "0"} {
		w.assign("go"+t, "pc"+t, num(w.goAt(b)))
	}
	for _, v := range w.remembered() {
		if w.live[b][v] {
			w.assign("keep_"+v.Name, v.Name+"_0", ident(v.Name+"_1"))
		}
	}
	for _, n := range w.sharedNames() {
		w.forget(n, n)
	}
}

// parting checks that thread 2 does not wait elsewhere, and has not ended, while thread 1
// waits at b.
func (w *writer) parting(k int, b, begin *ir.Node, waits []*ir.Node) {
	at := b.Code[0].At
	w.begin(fmt.Sprint("part_", k), "")
	w.atBarrier(b, begin)
	var elsewhere []formula
	for _, o := range waits {
		if o != b {
			elsewhere = append(elsewhere, neq(ident("pc2"), num(w.waitAt(o))))
		}
	}
	elsewhere = append(elsewhere, neq(ident("pc2"), num(pcDone)))
	c := Check{Kind: "divergence", Line: at.Line, Col: at.Col, Why: "one thread waits at this barrier, another of its " + w.scope.of() + " does not come to it"}
	w.checked(w.next("div"), c, all(elsewhere...))
}

// atBarrier are the guards that thread 1 waits at b and it is the turn of thread 2.
func (w *writer) atBarrier(b, begin *ir.Node) {
	w.guard("turn", is("turn", 2))
	w.guard("apart", w.distinct())
	w.guard("at1", is("pc1", w.waitAt(b)))
	if begin != nil {
		w.guard("begin", is("pc0", w.goAt(begin)))
	}
}
