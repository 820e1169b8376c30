package reuse

import "slices"

// Index numbers keys, which are lists of words, in the order in which they come. The zero Index has none.
type Index struct {
	words []uint32 // all keys, one after the other
	ends  []int32  // by number: where the key ends
	slots []slot   // hash table, at most half full, its length a power of two
}

// slot is a place of the hash table: a number + 1, 0 for none, and the hash of its key.
type slot struct {
	n    int32
	hash uint32
}

// leastSlots is the length of the first hash table.
const leastSlots = 16

// Len returns how many keys there are.
func (x *Index) Len() int { return len(x.ends) }

// Find returns the number of key, and whether it has one.
func (x *Index) Find(key ...uint32) (n int, ok bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	at := x.place(key, hash(key))
	return int(x.slots[at].n) - 1, x.slots[at].n != 0
}

// Of returns the number of key, and whether it had one before.
func (x *Index) Of(key ...uint32) (n int, ok bool) {
	if 2*len(x.ends) >= len(x.slots) {
		x.grow()
	}
	h := hash(key)
	at := &x.slots[x.place(key, h)]
	if at.n != 0 {
		return int(at.n) - 1, true
	}
	x.words = append(x.words, key...)
	x.ends = append(x.ends, int32(len(x.words)))
	*at = slot{int32(len(x.ends)), h}
	return len(x.ends) - 1, false
}

// Reset forgets all keys. It takes time for those there are, however long the table.
func (x *Index) Reset() {
	for n := range x.ends {
		// What stands from here to the next gap was put there for keys that are all forgotten.
		for i := x.home(hash(x.key(n))); x.slots[i].n != 0; i = x.after(i) {
			x.slots[i] = slot{}
		}
	}
	x.words, x.ends = x.words[:0], x.ends[:0]
}

// key returns the key with number n.
func (x *Index) key(n int) []uint32 {
	if n == 0 {
		return x.words[:x.ends[0]]
	}
	return x.words[x.ends[n-1]:x.ends[n]]
}

func (x *Index) home(hash uint32) int { return int(hash) & (len(x.slots) - 1) }

func (x *Index) after(i int) int { return (i + 1) & (len(x.slots) - 1) }

// place returns where key, of that hash, stands or is to stand.
func (x *Index) place(key []uint32, hash uint32) int {
	i := x.home(hash)
	for ; x.slots[i].n != 0; i = x.after(i) {
		if x.slots[i].hash == hash && slices.Equal(x.key(int(x.slots[i].n)-1), key) {
			break
		}
	}
	return i
}

func (x *Index) grow() {
	before := x.slots
	x.slots = make([]slot, max(leastSlots, 2*len(before)))
	for _, s := range before {
		if s.n != 0 {
			i := x.home(s.hash)
			for x.slots[i].n != 0 {
				i = x.after(i)
			}
			x.slots[i] = s
		}
	}
}

func hash(key []uint32) uint32 {
	h := uint32(len(key))
	for _, w := range key {
		h = (h ^ w) * 0x9E3779B1
		h ^= h >> 15
	}
	return h
}
