package explore

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Partial-order reduction: in a state, a search need not follow all instances of
// events that are enabled. A set T of instances, enabled or not, is stubborn in
// a state if
//
//   - some instance in T is enabled;
//   - for each enabled one, T has all that it is not known to commute with;
//   - for each disabled one, T has all that might make some guard true that is
//     false in the state.
//
// T may lack what cannot happen in any state in which an enabled one of T can.
// On a path whose instances lie outside of T nothing in T becomes enabled that
// was not, and what is enabled in T stays so, and commutes with the path. So
// the instances enabled in T are persistent, and to follow them alone keeps all
// deadlocks (P. Godefroid, Partial-Order Methods for the Verification of
// Concurrent Systems, 1996, ch. 4; stubborn sets are A. Valmari's).
//
// Other properties are predicates over variables. Then, with an enabled instance
// that assigns one of these, T has all that do. And nothing may be put off for
// ever, which could happen on cycles: every strongly connected component of the
// reduced graph that cannot be left has a state at which all is followed. (Both are
// conditions of A. Valmari, The State Explosion Problem, 1998; compare C2 and C3 of
// E. Clarke, O. Grumberg, D. Peled, Model Checking, 1999, ch. 10.) For let a path
// lead to a state where the property fails. If an instance on it is followed now,
// the first such commutes to the front, and the rest is shorter. If not, and what
// is followed assigns no variable of the property, then that leaves the whole path
// possible, with an end that the property does not tell from the first, until at
// last a state is met at which an instance on it is followed. If what is followed
// does assign one, no instance on the path does, and the property fails right
// here. So the search first goes without care for cycles, then follows all at one
// state of each such component, and goes on from there.
//
// Traces need not be the shortest.
//
// Instances are taken together in nodes: those of an event whose parameters have
// the same values as far as some known fact depends on them. Where those of a
// node commute with each other, and nothing else in T needs the node, T may have
// just one of them, which is enabled: it commutes with the others, and with those
// that are not enabled once they are.
type stubborn struct {
	verified bool
	visible  bitset // nodes of events that assign a variable of a property
	vague    []bool // by event: of a node that is enabled, other instances may become so unforeseen

	n      int     // nodes
	event  []int   // by node
	args   [][]int // by event: the parameters that tell its nodes apart
	nodes  []map[string]int
	values [][]value.Value // by node: of these parameters

	// By node that is enabled: those that it is not known to commute with, and what
	// might enable those of its instances that are not.
	dependent []bitset
	exclusive []bitset      // by node: those that cannot happen where it can
	one       []bool        // by node: its instances commute, and have one transition each
	guards    [][]*conjunct // by event
}

// conjunct is a conjunct of the guards of an event.
type conjunct struct {
	holds    formula.Pred   // nil if it depends on other parameters than those of nodes
	slots    []int          // of these
	enablers map[int]bitset // by node of the event: what might make it true
}

// maxNodes bounds the nodes of a machine. Where an event has more than its share,
// all its instances are one node.
const maxNodes = 2048

// bitset is a set of nodes.
type bitset []uint64

func (t *stubborn) set() bitset  { return make(bitset, (t.n+63)/64) }
func (s bitset) add(i int)       { s[i/64] |= 1 << (i % 64) }
func (s bitset) remove(i int)    { s[i/64] &^= 1 << (i % 64) }
func (s bitset) has(i int) bool  { return s[i/64]>>(i%64)&1 == 1 }
func (s bitset) addAll(u bitset) { s.each(u, func(a, b uint64) uint64 { return a | b }) }
func (s bitset) keepIn(u bitset) { s.each(u, func(a, b uint64) uint64 { return a & b }) }
func (s bitset) each(u bitset, f func(a, b uint64) uint64) {
	for i := range s {
		s[i] = f(s[i], u[i])
	}
}

// preserve lets the search keep a property over the variables of ts, not only
// deadlocks.
func (t *stubborn) preserve(p *program.Program, ts ...logic.Term) {
	for n := range t.n {
		for _, a := range p.Events[t.event[n]].Model.Actions {
			for _, v := range a.Left {
				if slices.ContainsFunc(ts, func(u logic.Term) bool { return p.Compiler.Bank.Occurs(v, u) }) {
					t.visible.add(n)
				}
			}
		}
	}
}

// chooser finds, state by state, which of the enabled nodes to follow.
type chooser struct {
	*stubborn
	enabled  bitset
	states   []int    // by node: transitions in the present state
	first    []int    // by node: the first of its transitions, in any order of enumeration
	lone     int      // the node of which one transition is followed, or -1
	needed   bool     // all of the node that the trial began with is, not one transition
	trial    bitset   // the stubborn set under construction
	excluded bitset   // what cannot happen while its enabled nodes are so
	open     [2][]int // its nodes that were not looked at yet: disabled, enabled
	enabling []bitset // by node: what might enable it; nil if not known yet
	found    []bool   // by node: enabling is known
	key      []byte

	moves []transition
	after []byte // packed after-states of moves
}

// transition is one that the present state has.
type transition struct {
	node   int // -1 for an instance that has none
	event  int
	hash   uint64
	beyond int // the limit that its after-state exceeds, or -1
}

func (t *stubborn) chooser() *chooser {
	return &chooser{stubborn: t, enabled: t.set(), trial: t.set(), excluded: t.set(), states: make([]int, t.n), first: make([]int, t.n), enabling: make([]bitset, t.n), found: make([]bool, t.n)}
}

// begin forgets the last state.
func (c *chooser) begin() {
	clear(c.enabled)
	clear(c.states)
	clear(c.found)
	c.moves, c.after = c.moves[:0], c.after[:0]
}

// drop forgets all transitions but the first n.
func (c *chooser) drop(n, width int) {
	c.moves, c.after = c.moves[:n], c.after[:n*width]
}

// node returns the node of the instance of event i whose parameters f has.
func (c *chooser) node(i int, e *program.Event, f *formula.Frame) int {
	c.key = c.key[:0]
	for _, k := range c.args[i] {
		c.key = binary.LittleEndian.AppendUint64(c.key, uint64(f.Slots[e.Params[k].Slot]))
	}
	if n, ok := c.nodes[i][string(c.key)]; ok {
		return n
	}
	return -1
}

// choose returns the nodes whose transitions are to be followed, nil for all.
func (c *chooser) choose(f *formula.Frame) bitset {
	for k, m := range c.moves {
		n := m.node
		switch {
		case n < 0:
			return nil
		case !c.enabled.has(n):
			c.enabled.add(n)
			c.states[n], c.first[n] = 1, k
			continue
		case m.hash < c.moves[c.first[n]].hash:
			c.first[n] = k
		}
		c.states[n]++
	}
	var best bitset
	least := len(c.moves)
	for n := range c.n {
		if !c.enabled.has(n) {
			continue
		}
		if size := c.grow(f, n, least); size < least {
			least, best, c.lone = size, append(best[:0], c.trial...), -1
			if !c.needed {
				c.lone = n
			}
		}
	}
	return best
}

// follows reports whether the k-th transition is one of those chosen.
func (c *chooser) follows(chosen bitset, k int) bool {
	n := c.moves[k].node
	return chosen.has(n) && (n != c.lone || c.first[n] == k)
}

// grow makes trial the enabled part of a stubborn set that has node n, and counts
// its transitions; it gives up when they are limit.
func (c *chooser) grow(f *formula.Frame, n, limit int) int {
	clear(c.trial)
	clear(c.excluded)
	c.open = [2][]int{c.open[0][:0], append(c.open[1][:0], n)}
	c.trial.add(n)
	seed := n
	c.needed = !c.one[n] || c.visible.has(n)
	size := 0
	for len(c.open[0])+len(c.open[1]) > 0 {
		n, enabled := c.next()
		var more bitset
		switch {
		case enabled && c.vague[c.event[n]]:
		case enabled:
			size += c.states[n]
			if n == seed && !c.needed {
				size = 1
			}
			more = c.dependent[n]
			c.excluded.addAll(c.exclusive[n])
			if c.visible.has(n) {
				c.add(c.visible)
			}
		case c.excluded.has(n):
			continue
		default:
			more = c.enablers(f, n)
		}
		if more != nil && n != seed && !c.needed && more.has(seed) {
			c.needed = true
			size += c.states[seed] - 1
		}
		if size >= limit || more == nil {
			return limit
		}
		c.add(more)
	}
	c.trial.keepIn(c.enabled)
	return size
}

// add adds nodes to the trial, but for excluded ones.
func (c *chooser) add(more bitset) {
	for i, w := range more {
		for fresh := w &^ c.trial[i] &^ c.excluded[i]; fresh != 0; fresh &= fresh - 1 {
			k := 64*i + bits.TrailingZeros64(fresh)
			c.trial.add(k)
			if c.enabled.has(k) {
				c.open[1] = append(c.open[1], k)
			} else {
				c.open[0] = append(c.open[0], k)
			}
		}
	}
}

// next takes a node that was not looked at yet, an enabled one if there is any.
func (c *chooser) next() (n int, enabled bool) {
	k := 1
	if len(c.open[1]) == 0 {
		k = 0
	}
	last := len(c.open[k]) - 1
	n, c.open[k] = c.open[k][last], c.open[k][:last]
	return n, k == 1
}

// enablers returns a set that has what happens before disabled node n is enabled,
// nil if none is known.
func (c *chooser) enablers(f *formula.Frame, n int) bitset {
	if c.found[n] {
		return c.enabling[n]
	}
	c.found[n], c.enabling[n] = true, nil
	least := c.n + 1
	for _, k := range c.guards[c.event[n]] {
		if k.holds == nil {
			continue
		}
		for i, v := range c.values[n] {
			f.Slots[k.slots[i]] = v
		}
		if ok, why := f.Try(k.holds); !ok && why == "" {
			if size := k.enablers[n].count(); size < least {
				least, c.enabling[n] = size, k.enablers[n]
			}
		}
	}
	if c.enabling[n] == nil && c.verified {
		// Some guard is false, as all have values; it depends on other parameters.
		s := c.set()
		for _, k := range c.guards[c.event[n]] {
			s.addAll(k.enablers[n])
		}
		c.enabling[n] = s
	}
	return c.enabling[n]
}

func (s bitset) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// partialOrder prepares the search to follow some transitions only, if that is
// asked for.
func (s *search) partialOrder() {
	if s.opt.Independence == nil || s.opt.Random > 0 {
		return
	}
	if s.stubborn = newStubborn(s.ctx, s.p, s.opt.Independence); s.stubborn == nil {
		return
	}
	s.result.Independence = s.opt.Independence
	if s.stubborn.verified {
		return
	}
	// Invariants, and that guards and actions have values, are properties to keep.
	if !s.opt.NoInvariants {
		for _, k := range s.p.Invariants {
			s.preserve(k.Term)
		}
	}
	for _, e := range s.p.Events {
		ts := program.Terms(e.Model.Guards)
		for _, a := range e.Model.Actions {
			ts = append(ts, a.Right...)
		}
		claims := s.p.Theorems && slices.ContainsFunc(e.Model.Guards, func(g *model.Predicate) bool { return g.Theorem })
		if claims || slices.ContainsFunc(ts, func(u logic.Term) bool { return !s.p.Compiler.Total(u) }) {
			s.preserve(ts...)
		}
	}
}

// preserve lets a reduced search keep whether a state with given values of the
// variables of ts is reached.
func (s *search) preserve(ts ...logic.Term) {
	if s.stubborn != nil {
		s.stubborn.preserve(s.p, ts...)
		s.steps = &stepGraph{}
		s.reduced = &reducedGraph{partial: map[stateID]bool{}, whole: map[stateID]bool{}}
	}
}

// expandSome computes those successors of a state that are to be followed: at
// first those chosen; the others, if all is to be followed after all.
func (w *worker) expandSome(id stateID) {
	s, p, f, o, c := w.s, w.s.p, w.f, w.o, w.chooser
	c.begin()
	w.leaf = w.gather
	for i, e := range p.Events {
		w.fire(e, i+1, id)
	}
	chosen := c.choose(f)
	again := s.reduced != nil && s.reduced.whole[id]
	if chosen != nil && !again {
		o.partial = append(o.partial, id)
	}
	o.enabled += len(c.moves)
	for k, m := range c.moves {
		switch {
		case chosen != nil && c.follows(chosen, k) == again:
		case m.beyond >= 0:
			o.cut |= 1 << m.beyond
		default:
			sh := shardOf(m.hash)
			o.transitions++
			o.fired[m.event]++
			o.states[sh] = append(o.states[sh], c.after[k*p.Width:(k+1)*p.Width]...)
			o.heads[sh] = append(o.heads[sh], head{m.hash, origin{id, uint16(m.event)}, false})
		}
	}
}

// gather takes note of the after-state in the frame as a transition of the
// present state.
func (w *worker) gather(f *formula.Frame) bool {
	p, c := w.s.p, w.chooser
	number := int(w.from.event)
	m := transition{event: number, beyond: p.Beyond(f), node: c.node(number-1, p.Events[number-1], f)}
	var was []value.Value
	if w.sym != nil {
		was = w.sym.reduce(f)
	}
	m.hash = p.Hash(f)
	c.after = p.Pack(c.after, f)
	c.moves = append(c.moves, m)
	if was != nil {
		p.SetAfter(f, was)
	}
	return true
}
