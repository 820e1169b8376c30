package states

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/value"
)

// SketchSize is how many hashes a sketch keeps. Its estimates are off by about 1/√SketchSize, 3 %.
const SketchSize = 1 << 10

// sketched mixes the hashes of states again: a sketch must not depend on the bits that a search gives them.
const sketched = 0x6A09E667F3BCC909

// Sketch keeps the least hashes of the states that were added (K. Beyer et al., On synopses for distinct-value
// estimation under multiset operations, 2007, §3): two sketches tell how many different states both searches met.
type Sketch struct {
	least []uint64 // in ascending order, each once
}

// Add adds a state by its hash.
func (k *Sketch) Add(hash uint64) {
	hash = value.Mix(value.Mix(sketched, hash), sketched)
	if n := len(k.least); n == SketchSize && hash >= k.least[n-1] {
		return
	}
	at, known := slices.BinarySearch(k.least, hash)
	if known {
		return
	}
	if len(k.least) == SketchSize {
		k.least = k.least[:SketchSize-1]
	}
	k.least = slices.Insert(k.least, at, hash)
}

// Least is what the sketch keeps, in ascending order.
func (k *Sketch) Least() []uint64 { return k.least }
