package stubborn

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// Sets has what is known of the instances of one program, node by node.
type Sets struct {
	Verified bool
	visible  bitset // nodes of events that assign a variable of a property
	vague    []bool // by event: of a node that is enabled, other instances may become so unforeseen

	N      int     // nodes
	Event  []int   // by node
	args   [][]int // by event: the parameters that tell its nodes apart
	nodes  []map[string]int
	Values [][]value.Value // by node: of these parameters

	// By node that is enabled: those that it is not known to commute with, and what
	// might enable those of its instances that are not.
	Dependent []bitset
	Exclusive []bitset      // by node: those that cannot happen where it can
	One       []bool        // by node: its instances commute, and have one transition each
	Guards    [][]*Conjunct // by event
}

// Conjunct is a conjunct of the guards of an event.
type Conjunct struct {
	Holds    formula.Pred   // nil if it depends on other parameters than those of nodes
	Slots    []int          // of these
	Enablers map[int]bitset // by node of the event: what might make it true
}

// maxNodes bounds the nodes of a machine. Where an event has more than its share,
// all its instances are one node.
const maxNodes = 2048

// bitset is a set of nodes.
type bitset []uint64

func (t *Sets) set() bitset      { return make(bitset, (t.N+63)/64) }
func (s bitset) add(i int)       { s[i/64] |= 1 << (i % 64) }
func (s bitset) remove(i int)    { s[i/64] &^= 1 << (i % 64) }
func (s bitset) Has(i int) bool  { return s[i/64]>>(i%64)&1 == 1 }
func (s bitset) addAll(u bitset) { s.each(u, func(a, b uint64) uint64 { return a | b }) }
func (s bitset) keepIn(u bitset) { s.each(u, func(a, b uint64) uint64 { return a & b }) }
func (s bitset) each(u bitset, f func(a, b uint64) uint64) {
	for i := range s {
		s[i] = f(s[i], u[i])
	}
}

// Preserve lets the search keep a property over the variables of ts, not only
// deadlocks.
func (t *Sets) Preserve(p *program.Program, ts ...logic.Term) {
	for n := range t.N {
		for _, a := range p.Events[t.Event[n]].Model.Actions {
			for _, v := range a.Left {
				if slices.ContainsFunc(ts, func(u logic.Term) bool { return p.Compiler.Bank.Occurs(v, u) }) {
					t.visible.add(n)
				}
			}
		}
	}
}

// Chooser finds, state by state, which of the enabled nodes to follow.
type Chooser struct {
	*Sets
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

	Moves []Transition
	After []byte // packed after-states of moves
}

// Transition is one that the present state has.
type Transition struct {
	Node    int // -1 for an instance that has none
	Event   int
	Hash    uint64
	Changed program.Changes
	Beyond  int // the limit that its after-state exceeds, or -1
}

// Chooser returns what chooses for one worker: it has memory of its own.
func (t *Sets) Chooser() *Chooser {
	return &Chooser{Sets: t, enabled: t.set(), trial: t.set(), excluded: t.set(), states: make([]int, t.N), first: make([]int, t.N), enabling: make([]bitset, t.N), found: make([]bool, t.N)}
}

// Begin forgets the last state.
func (c *Chooser) Begin() {
	clear(c.enabled)
	clear(c.states)
	clear(c.found)
	c.Moves, c.After = c.Moves[:0], c.After[:0]
}

// Drop forgets all transitions but the first n.
func (c *Chooser) Drop(n, width int) {
	c.Moves, c.After = c.Moves[:n], c.After[:n*width]
}

// Node returns the node of the instance of event i whose parameters f has.
func (c *Chooser) Node(i int, e *program.Event, f *formula.Frame) int {
	c.key = c.key[:0]
	for _, k := range c.args[i] {
		c.key = binary.LittleEndian.AppendUint64(c.key, uint64(f.Slots[e.Params[k].Slot]))
	}
	if n, ok := c.nodes[i][string(c.key)]; ok {
		return n
	}
	return -1
}

// Choose returns the nodes whose transitions are to be followed, nil for all.
func (c *Chooser) Choose(frame *formula.Frame) bitset {
	for k, m := range c.Moves {
		n := m.Node
		switch {
		// A transition that belongs to no node: nothing is known of it, so all are followed.
		case n < 0:
			return nil
		case !c.enabled.Has(n):
			c.enabled.add(n)
			c.states[n], c.first[n] = 1, k
			continue
		case m.Hash < c.Moves[c.first[n]].Hash:
			c.first[n] = k
		}
		c.states[n]++
	}
	var best bitset
	least := len(c.Moves)
	for n := range c.N {
		if !c.enabled.Has(n) {
			continue
		}
		// Smallest first is a heuristic; any stubborn set is sound. Ties keep the lowest node, so that
		// the choice is the same everywhere.
		if size := c.grow(frame, n, least); size < least {
			least, best, c.lone = size, append(best[:0], c.trial...), -1
			if !c.needed {
				c.lone = n
			}
		}
	}
	return best
}

// Follows reports whether the k-th transition is one of those chosen.
func (c *Chooser) Follows(chosen bitset, k int) bool {
	n := c.Moves[k].Node
	return chosen.Has(n) && (n != c.lone || c.first[n] == k)
}

// grow makes trial the enabled part of a stubborn set that has node n, and counts
// its transitions; it gives up when they are limit.
func (c *Chooser) grow(frame *formula.Frame, n, limit int) int {
	clear(c.trial)
	clear(c.excluded)
	c.open = [2][]int{c.open[0][:0], append(c.open[1][:0], n)}
	c.trial.add(n)
	// Disabled nodes are looked at last: what is enabled may exclude them before.
	seed := n
	c.needed = !c.One[n] || c.visible.Has(n)
	size := 0
	for len(c.open[0])+len(c.open[1]) > 0 {
		n, enabled := c.next()
		var more bitset
		switch {
		case enabled && c.vague[c.Event[n]]:
		case enabled:
			size += c.states[n]
			if n == seed && !c.needed {
				size = 1
			}
			more = c.Dependent[n]
			c.excluded.addAll(c.Exclusive[n])
			if c.visible.Has(n) {
				c.add(c.visible)
			}
		case c.excluded.Has(n):
			continue
		default:
			more = c.enablers(frame, n)
		}
		if more != nil && n != seed && !c.needed && more.Has(seed) {
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
func (c *Chooser) add(more bitset) {
	for i, w := range more {
		for fresh := w &^ c.trial[i] &^ c.excluded[i]; fresh != 0; fresh &= fresh - 1 {
			k := 64*i + bits.TrailingZeros64(fresh)
			c.trial.add(k)
			if c.enabled.Has(k) {
				c.open[1] = append(c.open[1], k)
			} else {
				c.open[0] = append(c.open[0], k)
			}
		}
	}
}

// next takes a node that was not looked at yet, an enabled one if there is any.
func (c *Chooser) next() (n int, enabled bool) {
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
func (c *Chooser) enablers(frame *formula.Frame, n int) bitset {
	if c.found[n] {
		return c.enabling[n]
	}
	c.found[n], c.enabling[n] = true, nil
	least := c.N + 1
	for _, k := range c.Guards[c.Event[n]] {
		if k.Holds == nil {
			continue
		}
		for i, v := range c.Values[n] {
			frame.Slots[k.Slots[i]] = v
		}
		if ok, why := frame.Try(k.Holds); !ok && why == "" {
			if size := k.Enablers[n].count(); size < least {
				least, c.enabling[n] = size, k.Enablers[n]
			}
		}
	}
	if c.enabling[n] == nil && c.Verified {
		// Some guard is false, as all have values; it depends on other parameters.
		s := c.set()
		for _, k := range c.Guards[c.Event[n]] {
			s.addAll(k.Enablers[n])
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
