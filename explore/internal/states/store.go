package states

import (
	"bytes"
	"encoding/binary"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/value"
)

// Reached states live in a fixed number of shards, chosen by their hash; a shard
// belongs to one goroutine at a time. Which states a shard holds, and in which
// order, is the same for any number of goroutines.
const (
	Shards    = 1 << shardBits // several for each core of a large machine
	shardBits = 6
	placeBits = 32
)

// ID names a reached state: its shard, and its place there.
type ID uint64

// None names no state: the parent of an initial one.
const None = ^ID(0)

// The parent behind a packed state is narrow, 4 bytes, until the places that it may have need more.
const (
	narrowParent = 4
	wideParent   = (shardBits + placeBits + 7) / 8
	narrowBits   = 8*narrowParent - shardBits // of a place
)

// page is the number of states that lie together; the last page of a shard is half empty. One less than a power of
// two leaves room for the slack: the allocator rounds up.
const page = 1<<10 - 1

// Store holds states in memory, each with the one that it was reached from first, in records that are as narrow as the
// values met so far allow.
type Store struct {
	shapes []*value.Shape // of the variables
	layout layout
	size   int // bytes of a packed state
	parent int // bytes of a parent
	narrow int // bits of a place in a narrow parent
	shards [Shards]shard
}

type shard struct {
	record int // bytes of a state and its parent
	pages  [][]byte
	n      int
	index  index

	fetched uint64 // so that it cannot be said that nothing is
}

// New is a store for states of variables of some shapes.
func New(shapes []*value.Shape) *Store {
	s := &Store{shapes: shapes, layout: newLayout(len(shapes)), parent: narrowParent, narrow: narrowBits}
	for i := range s.shards {
		s.shards[i].record = narrowParent
	}
	return s
}

// ShardOf is the shard of the states that have a hash.
func ShardOf(hash uint64) int { return int(hash >> (64 - shardBits)) }

// Split returns the shard of a state and its place there.
func (id ID) Split() (shard, place int) {
	return int(id >> placeBits), int(id & (1<<placeBits - 1))
}

func join(shard, place int) ID { return ID(shard)<<placeBits | ID(place) }

// at is the record of a state, and what lies behind it.
func (sh *shard) at(place int) []byte { return sh.pages[place/page][place%page*sh.record:] }

// Pack appends the values of a state to buf as the store holds them, Width bytes; it says false, and appends nothing, if
// one of them has no room.
func (s *Store) Pack(values []value.Value, buf []byte) (longer []byte, fits bool) {
	return s.layout.append(s.shapes, values, s.size, buf)
}

// Widen makes room for the values of a state. What was packed before is packed otherwise from then on.
func (s *Store) Widen(values []value.Value) {
	for i, shape := range s.shapes {
		code := shape.Encode(values[i])
		if code&^s.layout.masks[i] == 0 {
			continue
		}
		before, old := 0, int(s.layout.widths[i])
		for _, width := range s.layout.widths[:i] {
			before += int(width)
		}
		s.layout = s.layout.widened(i, code)
		more := int(s.layout.widths[i]) - old
		s.size += more
		for k := range s.shards {
			s.shards[k].widen(before+old, more)
		}
	}
}

// Read gives a state its values.
func (s *Store) Read(id ID, values []value.Value) {
	i, place := id.Split()
	s.layout.read(s.shapes, s.shards[i].at(place), values)
}

// At returns a state as the program packs it.
func (s *Store) At(id ID) []byte { return s.Load(id, nil) }

// Load appends a state to buf.
func (s *Store) Load(id ID, buf []byte) []byte {
	i, place := id.Split()
	sh := &s.shards[i]
	return s.layout.unpack(s.shapes, sh.at(place), buf)
}

// Parent is the state that a state was reached from first, None if it is initial.
func (s *Store) Parent(id ID) ID {
	i, place := id.Split()
	sh := &s.shards[i]
	return s.parentIn(sh.at(place)[sh.record-s.parent:])
}

// putParent writes a parent behind a state; all ones stand for none.
func (s *Store) putParent(b []byte, id ID) {
	if s.parent == narrowParent {
		i, place := id.Split()
		binary.LittleEndian.PutUint32(b, uint32(i)<<s.narrow|uint32(place))
		return
	}
	binary.LittleEndian.PutUint32(b, uint32(id))
	b[narrowParent] = byte(id >> placeBits)
}

func (s *Store) parentIn(b []byte) ID {
	low := binary.LittleEndian.Uint32(b)
	if s.parent == narrowParent {
		if low == 1<<32-1 {
			return None
		}
		return join(int(low>>s.narrow), int(low&(1<<s.narrow-1)))
	}
	if low == 1<<32-1 && b[narrowParent] == 1<<8-1 {
		return None
	}
	return ID(b[narrowParent])<<placeBits | ID(low)
}

// Reserve makes room for so many new states in any shard: where their places need it, parents become
// wide. It is called before states are inserted.
func (s *Store) Reserve(more int) {
	if s.parent == wideParent {
		return
	}
	most := 0
	for i := range s.shards {
		most = max(most, s.shards[i].n)
	}
	if most+more < 1<<s.narrow-1 {
		return
	}
	wide := *s
	wide.parent = wideParent
	for i := range s.shards {
		sh := &s.shards[i]
		sh.widen(s.size+narrowParent, wideParent-narrowParent)
		for place := range sh.n {
			b := sh.at(place)[s.size:]
			wide.putParent(b, s.parentIn(b))
		}
	}
	s.parent = wideParent
}

// Each visits all states, in the order of the store; a state is lent for the visit.
func (s *Store) Each(visit func(state []byte)) {
	var buf []byte
	for i := range s.shards {
		sh := &s.shards[i]
		for place := range sh.n {
			buf = s.layout.unpack(s.shapes, sh.at(place), buf[:0])
			visit(buf)
		}
	}
}

// IDs names all states, in the order of the store.
func (s *Store) IDs() []ID {
	ids := make([]ID, 0, s.Len())
	for i := range s.shards {
		for place := range s.shards[i].n {
			ids = append(ids, join(i, place))
		}
	}
	return ids
}

// Numbers numbers states in the order of the store, from 0.
func (s *Store) Numbers() func(ID) int {
	var first [Shards]int
	for i := range Shards - 1 {
		first[i+1] = first[i] + s.shards[i].n
	}
	return func(id ID) int {
		i, place := id.Split()
		return first[i] + place
	}
}

// Len is the number of states.
func (s *Store) Len() int {
	n := 0
	for i := range s.shards {
		n += s.shards[i].n
	}
	return n
}

// Mark is how many states each shard holds.
type Mark [Shards]int

// Mark is that of the present.
func (s *Store) Mark() (m Mark) {
	for i := range s.shards {
		m[i] = s.shards[i].n
	}
	return m
}

// Since are the states that came after a mark: they stand at the ends of the shards.
func (s *Store) Since(m Mark) (f Frontier) {
	for i := range s.shards {
		if n := s.shards[i].n - m[i]; n > 0 {
			f = append(f, span{join(i, m[i]), n})
		}
	}
	return f
}

// In is how many states shard i holds.
func (s *Store) In(i int) int { return s.shards[i].n }

// Behind appends the states of shard i from a place on.
func (s *Store) Behind(ids []ID, i, first int) []ID {
	for place := first; place < s.shards[i].n; place++ {
		ids = append(ids, join(i, place))
	}
	return ids
}

// Place is the state at a place of a shard.
func Place(shard, place int) ID { return join(shard, place) }

// Width is how many bytes a packed state takes.
func (s *Store) Width() int { return s.size }

// Memory is the room taken, in bytes.
func (s *Store) Memory() int {
	n := 0
	for i := range s.shards {
		sh := &s.shards[i]
		n += sh.index.memory() + 24*cap(sh.pages)
		if k := len(sh.pages); k > 0 {
			n += (k-1)*cap(sh.pages[0]) + cap(sh.pages[k-1])
		}
	}
	return n
}

// Insert adds a packed state to shard i unless it is there, and says whether it was new. The high bits of the hash
// chose the shard, the low ones are the tag.
func (s *Store) Insert(i int, packed []byte, hash uint64, parent ID) (id ID, isNew bool) {
	sh := &s.shards[i]
	if sh.index.len() == 0 {
		sh.index.extend(1)
	}
	tag := uint32(hash)
	at := sh.index.start(tag)
	for ; ; at++ {
		// Entries stand in the order of their tags: behind a greater one, the state is not there.
		entry := sh.index.get(at)
		if entry == 0 || uint32(entry>>32) > tag {
			break
		}
		if uint32(entry>>32) == tag && sh.is(entry, packed) {
			return join(i, place(entry)), false
		}
	}
	n := sh.n
	if n == 1<<placeBits-1 {
		panic(abort.Limit{What: "about 270 thousand million states"})
	}
	if s.parent == narrowParent && n >= 1<<s.narrow-1 {
		panic("states: no room was reserved")
	}
	record := sh.add()
	copy(record, packed)
	s.putParent(record[len(packed):], parent)
	sh.index.insert(at, uint64(tag)<<32|uint64(n+1)) // n + 1, as an entry of 0 is free
	return join(i, n), true
}

// place is where the state of an entry of the index stands.
func place(entry uint64) int { return int(uint32(entry)) - 1 }

// is reports whether the state of an entry is a packed one.
func (sh *shard) is(entry uint64, packed []byte) bool {
	return bytes.Equal(sh.at(place(entry))[:len(packed)], packed)
}

// Together is how many states are looked up at the same time, at most.
const Together = 32

// Find looks for packed states of some hashes in shard i: it gives each the state that is equal, or None, which says
// nothing. What a look-up meets is not in the caches of the processor: it is fetched for all of the states at once, not for one
// after the other.
func (s *Store) Find(i int, packed []byte, hashes []uint64, ids *[Together]ID) {
	sh := &s.shards[i]
	if sh.index.len() == 0 {
		for k := range hashes {
			ids[k] = None
		}
		return
	}
	// First all entries are fetched, then all are compared: the processor waits for memory once, not once a state.
	var found [Together]uint64
	for k, hash := range hashes {
		found[k] = sh.index.get(sh.index.start(uint32(hash)))
	}
	for k, hash := range hashes {
		tag := uint32(hash)
		entry := found[k]
		// Entries are in the order of their tags, so the first one that is not smaller ends the probe.
		for at := sh.index.start(tag); entry != 0 && uint32(entry>>32) < tag; {
			at++
			entry = sh.index.get(at)
		}
		found[k] = 0
		if entry != 0 && uint32(entry>>32) == tag {
			found[k] = entry
			sh.fetched += uint64(sh.at(place(entry))[0])
		}
	}
	for k, entry := range found[:len(hashes)] {
		ids[k] = None
		if entry != 0 && sh.is(entry, packed[k*s.size:][:s.size]) {
			ids[k] = join(i, place(entry))
		}
	}
}

// widen puts more bytes behind the first ones of all records.
func (sh *shard) widen(first, more int) {
	old := *sh
	sh.record += more
	sh.pages, sh.n = nil, 0
	for place := range old.n {
		was, now := old.at(place), sh.add()
		copy(now, was[:first])
		copy(now[first+more:sh.record], was[first:old.record])
		// A page that was copied is given back at once.
		if place%page == page-1 {
			old.pages[place/page] = nil
		}
	}
}

// add makes room for one more record. The first page grows with its states: most searches are small.
func (sh *shard) add() []byte {
	k := sh.n / page
	if k == len(sh.pages) {
		size := page
		if k == 0 {
			size = 16
		}
		sh.pages = append(sh.pages, make([]byte, size*sh.record+slack))
	}
	if need := (sh.n%page+1)*sh.record + slack; need > len(sh.pages[k]) {
		wider := make([]byte, 2*(need-slack)+slack)
		copy(wider, sh.pages[k])
		sh.pages[k] = wider
	}
	sh.n++
	return sh.at(sh.n - 1)
}
