package explore

import (
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/value"
)

// Most invariants are about few variables, whose values come again in very many states: those for which
// an invariant held are remembered, a few hundred for each.

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

// checkInvariants notes which invariants fail in the state of the frame.
func (w *worker) checkInvariants(id states.ID) {
	compiled := w.s.p
	if w.expanded++; w.expanded == memoAfter {
		w.memo = make([][]remembered, len(compiled.Invariants))
	}
	for i := range compiled.Invariants {
		k := &compiled.Invariants[i]
		entry, known := w.entry(i, k)
		if known {
			continue
		}
		switch ok, why := w.f.Try(k.Holds); {
		case why != "":
			w.o.found = append(w.o.found, found{NoValueOf, k.Label, why, id})
		case !ok:
			w.o.found = append(w.o.found, found{InvariantFails, k.Label, "", id})
		case entry != nil:
			for n, slot := range k.Reads {
				entry.values[n] = w.f.Slots[slot]
			}
			entry.holds = true
		}
	}
}

// entry returns the entry for the values that invariant number i reads, nil if there is none, and says
// whether it is known to hold for them.
func (w *worker) entry(i int, k *program.Property) (entry *remembered, known bool) {
	if w.memo == nil || len(k.Reads) > remembers {
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
