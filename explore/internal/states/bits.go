package states

import (
	"math"

	"github.com/gradine/gradine/explore/internal/value"
)

// Bits knows states by a few bits of one large array each (G. Holzmann, An analysis of bitstate hashing, 1998):
// a new state whose bits happen to be set by others is taken for known.
type Bits struct {
	words  []uint64
	salt   uint64 // tells the hash functions of several searches apart; 0: none
	n      int
	set    int     // bits
	missed float64 // new states that were taken for known, as is to be expected
}

// hashes is how many bits a state has.
const hashes = 3

// NewBits has so many bytes, at least a word. Which bits a state has depends on the salt.
func NewBits(bytes int, salt uint64) *Bits {
	return &Bits{words: make([]uint64, max(1, bytes/8)), salt: salt}
}

// Add sets the bits of a state, and says whether one was free: then the state is new.
func (b *Bits) Add(hash uint64) bool {
	size := uint64(len(b.words)) * 64
	isNew := false
	if b.salt != 0 {
		hash = value.Mix(b.salt, hash)
	}
	taken := math.Pow(float64(b.set)/float64(size), hashes)
	for k := range uint64(hashes) {
		hash = value.Mix(k+1, hash)
		bit := hash % size
		if mask := uint64(1) << (bit % 64); b.words[bit/64]&mask == 0 {
			b.words[bit/64] |= mask
			b.set++
			isNew = true
		}
	}
	if isNew {
		b.n++
		// For each that is found to be new, so many were not.
		b.missed += taken / (1 - taken)
	}
	return isNew
}

// Len is the number of states.
func (b *Bits) Len() int { return b.n }

// Memory is the room taken, in bytes.
func (b *Bits) Memory() int { return 8 * len(b.words) }

// Missed estimates the share of the states met that were taken for others.
func (b *Bits) Missed() float64 { return b.missed / max(1, b.missed+float64(b.n)) }
