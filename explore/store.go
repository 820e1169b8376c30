package explore

import "bytes"

// Reached states live in a fixed number of shards, chosen by their hash; a shard
// belongs to one goroutine at a time. Which states a shard holds, and in which
// order, is the same for any number of goroutines.
const (
	shards    = 16
	shardBits = 4
	indexBits = 32 - shardBits
)

// stateID names a reached state: its shard, and its place there.
type stateID uint32

const noState = ^stateID(0)

type shard struct {
	width  int
	states []byte // packed, one behind the other
	parent []stateID
	event  []uint16 // event that led there from the parent; 0 is the initialisation
	slots  []uint32 // open-addressing hash table of places + 1
}

type store struct {
	width  int
	shards [shards]shard
}

func newStore(width int) *store {
	s := &store{width: width}
	for i := range s.shards {
		s.shards[i] = shard{width: width, slots: make([]uint32, 64)}
	}
	return s
}

func shardOf(hash uint64) int { return int(hash >> (64 - shardBits)) }

func (s *store) at(id stateID) []byte {
	sh := &s.shards[id>>indexBits]
	i := int(id&(1<<indexBits-1)) * s.width
	return sh.states[i : i+s.width]
}

func (s *store) parentOf(id stateID) (stateID, int) {
	sh := &s.shards[id>>indexBits]
	i := id & (1<<indexBits - 1)
	return sh.parent[i], int(sh.event[i])
}

func (s *store) len() int {
	n := 0
	for i := range s.shards {
		n += len(s.shards[i].parent)
	}
	return n
}

// memory is the room taken, in bytes.
func (s *store) memory() int {
	n := 0
	for i := range s.shards {
		sh := &s.shards[i]
		n += cap(sh.states) + 4*cap(sh.parent) + 2*cap(sh.event) + 4*cap(sh.slots)
	}
	return n
}

// insert adds a state unless it is there, and says whether it was new. Within
// the table the low bits of the hash count; the high ones chose the shard.
func (sh *shard) insert(state []byte, hash uint64, parent stateID, event uint16, hashOf func([]byte) uint64) (place int, isNew bool) {
	mask := uint64(len(sh.slots) - 1)
	i := hash & mask
	for ; sh.slots[i] != 0; i = (i + 1) & mask {
		at := int(sh.slots[i]-1) * sh.width
		if bytes.Equal(sh.states[at:at+sh.width], state) {
			return int(sh.slots[i] - 1), false
		}
	}
	place = len(sh.parent)
	if place == 1<<indexBits-1 {
		panic(limitReached{"more than 4 thousand million states"})
	}
	sh.states = append(sh.states, state...)
	sh.parent = append(sh.parent, parent)
	sh.event = append(sh.event, event)
	sh.slots[i] = uint32(place + 1)
	if 4*len(sh.parent) > 3*len(sh.slots) {
		sh.grow(hashOf)
	}
	return place, true
}

func (sh *shard) grow(hashOf func([]byte) uint64) {
	old := len(sh.parent)
	sh.slots = make([]uint32, 2*len(sh.slots))
	mask := uint64(len(sh.slots) - 1)
	for p := range old {
		i := hashOf(sh.states[p*sh.width:(p+1)*sh.width]) & mask
		for sh.slots[i] != 0 {
			i = (i + 1) & mask
		}
		sh.slots[i] = uint32(p + 1)
	}
}
