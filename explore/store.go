package explore

import (
	"bytes"
	"github.com/gradine/gradine/explore/internal/unwind"
) // Reached states live in a fixed number of shards, chosen by their hash; a shard
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
	states [][]byte // packed, a page after the other
	moves  [][]origin
	n      int
	slots  []uint64 // open-addressing hash table: place + 1, and above it 32 bits of the hash
}

// origin is how a state was reached first.
type origin struct {
	parent stateID
	event  uint16 // 0 is the initialisation
}

// page is the number of states that lie together.
const page = 1 << 12

type store struct {
	width  int
	shards [shards]shard
}

func newStore(width int) *store {
	s := &store{width: width}
	for i := range s.shards {
		s.shards[i] = shard{width: width, slots: make([]uint64, 64)}
	}
	return s
}

func shardOf(hash uint64) int { return int(hash >> (64 - shardBits)) }

func (sh *shard) at(place int) []byte {
	i := place % page * sh.width
	return sh.states[place/page][i : i+sh.width]
}

func (s *store) at(id stateID) []byte {
	return s.shards[id>>indexBits].at(int(id & (1<<indexBits - 1)))
}

func (s *store) parentOf(id stateID) (stateID, int) {
	place := id & (1<<indexBits - 1)
	o := s.shards[id>>indexBits].moves[place/page][place%page]
	return o.parent, int(o.event)
}

func (s *store) len() int {
	n := 0
	for i := range s.shards {
		n += s.shards[i].n
	}
	return n
}

// memory is the room taken, in bytes.
func (s *store) memory() int {
	n := 0
	for i := range s.shards {
		sh := &s.shards[i]
		n += 8 * cap(sh.slots)
		for j := range sh.states {
			n += cap(sh.states[j]) + 8*cap(sh.moves[j]) + 48
		}
	}
	return n
}

// insert adds a state unless it is there, and says whether it was new. Within
// the table the low bits of the hash count; the high ones chose the shard.
func (sh *shard) insert(state []byte, hash uint64, from origin) (place int, isNew bool) {
	mask := uint64(len(sh.slots) - 1)
	tag := hash << 32
	i := hash & mask
	for ; sh.slots[i] != 0; i = (i + 1) & mask {
		if slot := sh.slots[i]; slot&^(1<<32-1) == tag && bytes.Equal(sh.at(int(uint32(slot)-1)), state) {
			return int(uint32(slot) - 1), false
		}
	}
	place = sh.n
	if place == 1<<indexBits-1 {
		panic(unwind.Limit{What: "more than 4 thousand million states"})
	}
	if place%page == 0 {
		sh.states, sh.moves = append(sh.states, nil), append(sh.moves, nil)
	}
	last := len(sh.states) - 1
	sh.states[last] = append(sh.states[last], state...)
	sh.moves[last] = append(sh.moves[last], from)
	sh.slots[i] = tag | uint64(place+1)
	if sh.n++; 4*sh.n > 3*len(sh.slots) {
		sh.grow()
	}
	return place, true
}

// grow doubles the table. The bits of the hash in the slots say where they go.
func (sh *shard) grow() {
	old := sh.slots
	sh.slots = make([]uint64, 2*len(old))
	mask := uint64(len(sh.slots) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := slot >> 32 & mask
		for sh.slots[i] != 0 {
			i = (i + 1) & mask
		}
		sh.slots[i] = slot
	}
}
