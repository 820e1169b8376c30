package explore

import (
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/value"
)

// Most invariants are about few variables, whose values come again in very many states: those for which
// an invariant held are remembered, a few hundred for each, where that is faster than to evaluate it.

// remembered are values of the variables that an invariant reads, for which it holds.
type remembered struct {
	values [remembers]value.Value
	holds  bool
}

const (
	remembers = 4       // variables of an invariant that is remembered
	memoBits  = 8       // of the number of an entry
	memoAfter = 1 << 10 // states, before it is worth while
)

// checkInvariants notes which invariants fail in the state of the frame. Those that are not about what changed in it
// say what they said of the state that it was found from: if they failed there, that was noted before.
func (w *worker) checkInvariants(id states.ID, changed program.Changes) {
	compiled := w.s.p
	if w.expanded++; w.expanded == memoAfter {
		w.memo = make([][]remembered, len(compiled.Invariants))
	}
	for i := range compiled.Invariants {
		k := &compiled.Invariants[i]
		if k.About&changed == 0 && changed != program.Anything {
			continue
		}
		entry, known := w.entry(i, k)
		if known {
			continue
		}
		if k.Total && k.Holds(w.f) {
			w.remember(entry, k)
			continue
		}
		switch ok, why := w.f.Try(k.Holds); {
		case why != "":
			w.o.found = append(w.o.found, found{NoValueOf, k.Label, why, id})
		case !ok:
			w.o.found = append(w.o.found, found{InvariantFails, k.Label, "", id})
		default:
			w.remember(entry, k)
		}
	}
}

// remember notes that an invariant holds for the values in the frame.
func (w *worker) remember(entry *remembered, k *program.Property) {
	if entry != nil {
		for n, slot := range k.Reads {
			entry.values[n] = w.f.Slots[slot]
		}
		entry.holds = true
	}
}

// entry returns the entry for the values that invariant number i reads, nil if there is none, and says
// whether it is known to hold for them.
func (w *worker) entry(i int, k *program.Property) (entry *remembered, known bool) {
	if w.memo == nil || k.Brief || len(k.Reads) > remembers {
		return nil, false
	}
	if w.memo[i] == nil {
		w.memo[i] = make([]remembered, 1<<memoBits)
	}
	hash := uint64(0)
	for _, slot := range k.Reads {
		hash = value.Mix(hash, uint64(w.f.Slots[slot]))
	}
	entry = &w.memo[i][hash>>(64-memoBits)]
	known = entry.holds
	for n, slot := range k.Reads {
		known = known && entry.values[n] == w.f.Slots[slot]
	}
	return entry, known
}

// differences say, of the states that were found in one level of a search, in which variables each differs from the one that
// it was found from.
type differences struct {
	kept    bool
	first   states.Mark // how many states each shard held before
	changed [states.Shards][]program.Changes
}

// from empties d for the states that are found from now on.
func (d differences) from(m states.Mark) differences {
	for i := range d.changed {
		d.changed[i] = d.changed[i][:0]
	}
	d.kept, d.first = true, m
	return d
}

// note notes a new state of shard i.
func (d *differences) note(i int, h head) {
	switch {
	case !d.kept:
	case h.from.parent == states.None:
		d.changed[i] = append(d.changed[i], program.Anything)
	default:
		d.changed[i] = append(d.changed[i], h.changed)
	}
}

// of are the variables in which a state differs; of one that was not noted, it may be anything.
func (d *differences) of(id states.ID) program.Changes {
	if !d.kept {
		return program.Anything
	}
	shard, place := id.Split()
	if place -= d.first[shard]; place < 0 || place >= len(d.changed[shard]) {
		return program.Anything
	}
	return d.changed[shard][place]
}

func (d *differences) memory() int {
	n := 0
	for i := range d.changed {
		n += 4 * cap(d.changed[i])
	}
	return n
}
