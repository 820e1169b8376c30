package explore

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
)

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

// origin is how a state was reached first.
type origin struct {
	parent stateID
	event  uint16 // 0 is the initialisation
}

// originBytes is the room of an origin behind a packed state.
const originBytes = 6

// page is the number of states that lie together; the last page of a shard is half empty.
const page = 1 << 10

// slack lies behind the states of a page, so that each field can be read and written as a word.
const slack = 8

type store struct {
	shapes []*value.Shape // of the variables
	shards [shards]shard
}

// shard holds states in records that are as narrow as the values met so far allow.
type shard struct {
	widths []uint8  // bytes of each variable
	masks  []uint64 // of a word, what belongs to the variable
	record int      // bytes of a state and its origin
	pages  [][]byte
	n      int
	index  index
	packed []byte // the state that is looked for
}

func newStore(compiled *program.Program) *store {
	s := &store{}
	for _, variable := range compiled.Variables {
		s.shapes = append(s.shapes, variable.Shape)
	}
	for i := range s.shards {
		sh := &s.shards[i]
		sh.widths, sh.masks = make([]uint8, len(s.shapes)), make([]uint64, len(s.shapes))
		sh.record = originBytes
		sh.packed = make([]byte, 8*len(s.shapes)+slack)
		sh.index.extend(1)
	}
	return s
}

func shardOf(hash uint64) int { return int(hash >> (64 - shardBits)) }

func shardAndPlace(id stateID) (shard, place int) {
	return int(id >> indexBits), int(id & (1<<indexBits - 1))
}

// at is the record of a state, and what lies behind it.
func (sh *shard) at(place int) []byte { return sh.pages[place/page][place%page*sh.record:] }

// at returns a state as the program packs it.
func (s *store) at(id stateID) []byte { return s.load(id, nil) }

// load appends a state to buf.
func (s *store) load(id stateID, buf []byte) []byte {
	i, place := shardAndPlace(id)
	return s.unpack(&s.shards[i], place, buf)
}

func (s *store) unpack(sh *shard, place int, buf []byte) []byte {
	record, at := sh.at(place), 0
	for i, width := range sh.widths {
		code := binary.LittleEndian.Uint64(record[at:]) & sh.masks[i]
		buf = binary.LittleEndian.AppendUint64(buf, uint64(s.shapes[i].Decode(code)))
		at += int(width)
	}
	return buf
}

func (s *store) parentOf(id stateID) (stateID, int) {
	i, place := shardAndPlace(id)
	sh := &s.shards[i]
	o := sh.at(place)[sh.record-originBytes:]
	return stateID(binary.LittleEndian.Uint32(o)), int(binary.LittleEndian.Uint16(o[4:]))
}

// each visits all states, in the order of the store; a state is lent for the visit.
func (s *store) each(visit func(state []byte)) {
	var buf []byte
	for i := range s.shards {
		sh := &s.shards[i]
		for place := range sh.n {
			buf = s.unpack(sh, place, buf[:0])
			visit(buf)
		}
	}
}

func (s *store) len() int {
	n := 0
	for i := range s.shards {
		n += s.shards[i].n
	}
	return n
}

// width is how many bytes a packed state takes at most.
func (s *store) width() int {
	n := 0
	for i := range s.shards {
		n = max(n, s.shards[i].record-originBytes)
	}
	return n
}

// memory is the room taken, in bytes.
func (s *store) memory() int {
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

// insert adds a state unless it is there, and says whether it was new. The high bits of the hash chose
// the shard, the low ones are the tag.
func (s *store) insert(i int, state []byte, hash uint64, from origin) (place int, isNew bool) {
	sh := &s.shards[i]
	s.pack(sh, state)
	packed := sh.packed[:sh.record-originBytes]
	tag := uint32(hash)
	at := sh.index.start(tag)
	for ; ; at++ {
		entry := sh.index.get(at)
		if entry == 0 || uint32(entry>>32) > tag {
			break
		}
		if uint32(entry>>32) == tag {
			if place := int(uint32(entry) - 1); bytes.Equal(sh.at(place)[:len(packed)], packed) {
				return place, false
			}
		}
	}
	place = sh.n
	if place == 1<<indexBits-1 {
		panic(unwind.Limit{What: "more than 4 thousand million states"})
	}
	record := sh.add()
	copy(record, packed)
	binary.LittleEndian.PutUint32(record[len(packed):], uint32(from.parent))
	binary.LittleEndian.PutUint16(record[len(packed)+4:], from.event)
	sh.index.insert(at, uint64(tag)<<32|uint64(place+1))
	return place, true
}

// pack writes a state as sh holds it, wider than before if it must.
func (s *store) pack(sh *shard, state []byte) {
	at := 0
	for i, shape := range s.shapes {
		code := shape.Encode(value.Value(binary.LittleEndian.Uint64(state[8*i:])))
		if code&^sh.masks[i] != 0 {
			s.widen(sh, i, code)
			s.pack(sh, state)
			return
		}
		binary.LittleEndian.PutUint64(sh.packed[at:], code)
		at += int(sh.widths[i])
	}
}

// widen makes room for a value of variable i in all records of a shard.
func (s *store) widen(sh *shard, i int, code uint64) {
	old := *sh
	sh.widths, sh.masks = bytes.Clone(old.widths), append([]uint64(nil), old.masks...)
	sh.widths[i] = uint8((bits.Len64(code) + 7) / 8)
	sh.masks[i] = ^uint64(0) >> (64 - 8*sh.widths[i])
	before := 0
	for _, width := range old.widths[:i] {
		before += int(width)
	}
	more := int(sh.widths[i] - old.widths[i])
	sh.record += more
	sh.pages, sh.n = nil, 0
	for place := range old.n {
		was, now := old.at(place), sh.add()
		end := before + int(old.widths[i])
		copy(now, was[:end])
		copy(now[end+more:sh.record], was[end:old.record])
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

// index finds states by their tags: an open-addressing table in the order of the tags, so that a search
// that fails ends early, and the table grows in place, by an eighth, without a second one
// (O. Amble, D. Knuth, Ordered hash tables, 1974).
type index struct {
	pages    [][]uint64 // entries: a tag, and below it a place + 1; 0 is free
	n        int
	capacity uint64 // where tags are spread; what lies behind takes those that are pushed on
}

const (
	entries  = 1 << 7 // a page
	overhang = 32     // entries that lie behind the capacity, at least
)

func (x *index) get(at int) uint64        { return x.pages[at/entries][at%entries] }
func (x *index) set(at int, entry uint64) { x.pages[at/entries][at%entries] = entry }
func (x *index) len() int                 { return len(x.pages) * entries }
func (x *index) memory() int              { return 8*x.len() + 24*cap(x.pages) }

// start is where an entry stands if no other is in its way.
func (x *index) start(tag uint32) int { return int(uint64(tag) * x.capacity >> 32) }

// insert puts an entry at its place, and pushes those behind it on, as far as there is none free. The
// last entry of the table is always free.
func (x *index) insert(at int, entry uint64) {
	for entry != 0 {
		before := x.get(at)
		x.set(at, entry)
		entry = before
		at++
	}
	if at == x.len() {
		x.pages = append(x.pages, make([]uint64, entries))
	}
	if x.n++; uint64(8*x.n) > 7*x.capacity {
		x.extend(max(1, len(x.pages)/8))
	}
}

// extend makes the table some pages longer and spreads its entries again: all are moved to the end, then
// each to its place, which never lies behind where it is then.
func (x *index) extend(more int) {
	end := x.len()
	for range more {
		x.pages = append(x.pages, make([]uint64, entries))
	}
	x.capacity = uint64(x.len() - overhang)
	to := x.raise(end)
	for to < 0 {
		// Very many tags are at the upper end: they get a longer overhang.
		end = x.len()
		x.pages = append(x.pages, make([]uint64, entries))
		to = x.raise(end)
	}
	next := 0
	for from := to; from < x.len(); from++ {
		entry := x.get(from)
		x.set(from, 0)
		next = max(next, x.start(uint32(entry>>32)))
		x.set(next, entry)
		next++
	}
	if next == x.len() {
		x.pages = append(x.pages, make([]uint64, entries))
	}
}

// raise moves all entries, which lie before end, to the end of the table and returns where they begin
// there, or −1 if one would have to go further on from there.
func (x *index) raise(end int) int {
	to, fits := x.len(), true
	for from := end - 1; from >= 0; from-- {
		if entry := x.get(from); entry != 0 {
			to--
			x.set(from, 0)
			x.set(to, entry)
			fits = fits && x.start(uint32(entry>>32)) <= to
		}
	}
	if !fits {
		return -1
	}
	return to
}
