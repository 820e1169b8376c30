package guess

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// The rules about the accesses of two threads. They fire on what the reader of a kernel
// says in model.Threads, and on nothing else.

// pending adds that all accesses that a remembers satisfy p, at all times and at the
// heads of loops.
func (v *view) pending(a model.Access, p func(offset logic.Term) logic.Term) {
	var all logic.Term
	if a.Offsets != 0 {
		w := v.fresh("w", logic.IntType)
		all = v.forall([]logic.Term{w}, v.implies(v.in(w, a.Offsets), p(w)))
	} else {
		all = v.implies(a.Pending, p(a.Offset))
	}
	v.add(all)
	v.atHeads(all)
}

// none returns that a remembers no access.
func (v *view) none(a model.Access) logic.Term {
	if a.Offsets != 0 {
		return v.eq(a.Offsets, v.empties(a.Offsets))
	}
	return v.b.Not(a.Pending)
}

func (v *view) atHeads(p logic.Term) {
	for _, l := range v.threads.Loops {
		if l.Head != 0 {
			v.add(v.implies(l.Head, p))
		}
	}
}

// quotient returns e ÷ p.
func (v *view) quotient(e logic.Term, p product) logic.Term {
	if p.isOne() {
		return e
	}
	return v.b.App(logic.Div, e, v.term(p))
}

// component is a part of the identity of a thread in an offset: it occurs in one of its
// products, times stride.
type component struct {
	model.Identity
	stride product
}

// components finds them; ok is false if one of them occurs more than once.
func (v *view) components(thread int, sum []product) (out []component, ok bool) {
	for _, id := range v.threads.Identities {
		if id.Thread != thread {
			continue
		}
		// What occurs twice cannot be told from what it is multiplied with.
		found := 0
		for _, p := range sum {
			if i := slices.Index(p.factors, id.Term); i >= 0 && p.coefficient.Sign() > 0 {
				out = append(out, component{id, p.without(id.Term)})
				found++
				if slices.Contains(p.factors[i+1:], id.Term) {
					return nil, false
				}
			}
		}
		if found > 1 {
			return nil, false
		}
	}
	return out, true
}

// accessBreak is r0: an offset gives back the parts of the identity that it is made of.
func accessBreak(v *view) {
	for _, a := range v.threads.Accesses {
		if !v.oneOffset(a) {
			continue
		}
		found, ok := v.components(a.Thread, v.sum(a.Sites[0].Offset))
		if !ok {
			continue
		}
		// What is left of the offset without the other parts is this one, times its stride.
		for _, c := range found {
			v.pending(a, func(w logic.Term) logic.Term {
				e := v.quotient(w, c.stride)
				for _, d := range found {
					if d.Term == c.Term {
						continue
					}
					times, by := parts(d.stride, c.stride)
					times.factors = append(times.factors, d.Term)
					e = v.b.App(logic.Minus, e, v.quotient(v.term(times), by))
				}
				return v.eq(c.Term, e)
			})
			if c.Size != 0 {
				v.pending(a, func(w logic.Term) logic.Term {
					return v.eq(c.Term, v.mod(v.quotient(w, c.stride), c.Size))
				})
			}
		}
	}
}

// oneOffset reports whether all sites of a have one offset.
func (v *view) oneOffset(a model.Access) bool {
	return len(a.Sites) > 0 && !slices.ContainsFunc(a.Sites, func(s model.Site) bool { return s.Offset != a.Sites[0].Offset })
}

// varying splits an offset: what loops change, and what they do not.
func (v *view) varying(sum []product) (fixed, changed []product, by []logic.Term) {
	for _, p := range sum {
		i := slices.IndexFunc(p.factors, func(x logic.Term) bool {
			return slices.ContainsFunc(v.threads.Loops, func(l model.Loop) bool { return slices.Contains(l.Changed, x) })
		})
		if i < 0 {
			fixed = append(fixed, p)
		} else {
			changed, by = append(changed, p), append(by, p.factors[i])
		}
	}
	return fixed, changed, by
}

// offsetsSatisfy is r1: offsets are constant, or keep their remainder from one turn of a
// loop to the next. For a machine without threads these are the elements of sets that
// come in in strides, which pointwise rules speak of.
func offsetsSatisfy(v *view) {
	for _, a := range v.threads.Accesses {
		if len(a.Sites) == 0 {
			continue
		}
		v.pending(a, func(w logic.Term) logic.Term { return v.le(v.int(0), w) })
		v.pending(a, func(w logic.Term) logic.Term {
			var sites []logic.Term
			for _, s := range a.Sites {
				fixed, changed, by := v.varying(v.sum(s.Offset))
				site := v.eq(w, s.Offset)
				if len(changed) == 1 {
					if m := changed[0].without(by[0]); !m.isOne() {
						site = v.eq(v.mod(w, v.term(m)), v.mod(v.total(fixed), v.term(m)))
					}
				}
				if !slices.Contains(sites, site) {
					sites = append(sites, site)
				}
			}
			return v.b.Or(sites...)
		})
	}
}

// blockBounds is r2 and r3: accesses of a group stay in the block of its own.
func blockBounds(v *view, upper bool) {
	for _, a := range v.threads.Accesses {
		for _, s := range a.Sites {
			fixed, _, _ := v.varying(v.sum(s.Offset))
			found, ok := v.components(a.Thread, fixed)
			groups := slices.DeleteFunc(found, func(c component) bool { return !c.Group })
			if !ok || len(groups) != 1 {
				continue
			}
			// The block of the next group begins where that of this one ends.
			low, id := v.total(fixed), groups[0].Term
			v.pending(a, func(w logic.Term) logic.Term {
				if upper {
					return v.b.App(logic.Lt, w, v.b.Subst(low, map[logic.Term]logic.Term{id: v.b.App(logic.Plus, id, v.int(1))}))
				}
				return v.le(low, w)
			})
		}
	}
}

func lowerBound(v *view) { blockBounds(v, false) }
func upperBound(v *view) { blockBounds(v, true) }

// disabled is r6: a thread that takes no part in a loop makes no access in it.
func disabled(v *view) {
	for _, l := range v.threads.Loops {
		for _, a := range v.threads.Accesses {
			for _, p := range append(slices.Clone(l.Under[a.Thread]), l.Enabled[a.Thread]) {
				if p != 0 {
					v.add(v.implies(l.Head, v.implies(v.b.Not(p), v.none(a))))
				}
			}
		}
	}
}

// sameCondition is r11: both threads see one value of the condition of a loop with a
// barrier.
func sameCondition(v *view) {
	for _, l := range v.threads.Loops {
		for _, p := range [][2]logic.Term{l.Guard, l.Enabled} {
			if !l.Barrier || p[0] == 0 || p[1] == 0 {
				continue
			}
			same := v.b.App(logic.Iff, p[0], p[1])
			v.add(v.implies(l.Head, same))
			v.grouped(l.Head, same)
		}
	}
}

// nothingPending is r12 and r13: at the head of a loop with a barrier no access of a
// kind is under way.
func nothingPending(v *view, kinds ...model.AccessKind) {
	for _, l := range v.threads.Loops {
		for _, a := range v.threads.Accesses {
			if l.Barrier && slices.Contains(kinds, a.Kind) {
				v.add(v.implies(l.Head, v.none(a)))
			}
		}
	}
}

func noRead(v *view)  { nothingPending(v, model.Read) }
func noWrite(v *view) { nothingPending(v, model.Write, model.Atomic) }

// sameWhereBoth is r16: a variable has one value in both threads where both take part.
func sameWhereBoth(v *view) {
	for _, l := range v.threads.Loops {
		for _, p := range v.threads.Pairs {
			if !l.Barrier || !slices.Contains(l.Changed, p.First) {
				continue
			}
			same := v.eq(p.First, p.Second)
			v.add(v.implies(l.Head, same))
			if l.Enabled[0] != 0 && l.Enabled[1] != 0 {
				v.add(v.implies(l.Head, v.implies(v.b.And(l.Enabled[0], l.Enabled[1]), same)))
			}
		}
	}
}

// sameWarp is r18: threads that run in lock step have no access under way.
func sameWarp(v *view) {
	if v.threads.SameWarp == 0 {
		return
	}
	together := v.threads.SameWarp
	if v.threads.SameGroup != 0 {
		together = v.b.And(v.threads.SameGroup, together)
	}
	for _, a := range v.threads.Accesses {
		v.add(v.implies(together, v.none(a)))
	}
}
