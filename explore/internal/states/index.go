package states

import "slices"

// index finds states by their tags: an open-addressing table in the order of the tags, so that a search
// that fails ends early, and the table grows in place, by an eighth, without a second one
// (O. Amble, D. Knuth, Ordered hash tables, 1974).
type index struct {
	pages    []*[entries]uint64 // a tag, and below it a place + 1; 0 is free
	n        int
	capacity uint64 // where tags are spread; what lies behind takes those that are pushed on
}

const (
	entries  = 1 << 9 // a page
	overhang = 32     // entries that lie behind the capacity, at least
)

func (x *index) get(at int) uint64        { return x.pages[at/entries][at%entries] }
func (x *index) set(at int, entry uint64) { x.pages[at/entries][at%entries] = entry }
func (x *index) len() int                 { return len(x.pages) * entries }
func (x *index) memory() int              { return 8*x.len() + 8*cap(x.pages) }

// start is where an entry stands if no other is in its way.
func (x *index) start(tag uint32) int { return int(uint64(tag) * x.capacity >> 32) }

// insert puts an entry at its place, and pushes those behind it on, as far as there is none free. The
// last entry of the table is always free.
func (x *index) insert(at int, entry uint64) {
	for entry != 0 {
		page := x.pages[at/entries][at%entries:]
		free := slices.Index(page, 0)
		last := uint64(0) // that the page has no room for
		if free < 0 {
			free = len(page) - 1
			last = page[free]
		}
		copy(page[1:], page[:free])
		page[0] = entry
		at, entry = at+free+1, last
	}
	if at == x.len() {
		x.pages = append(x.pages, new([entries]uint64))
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
		x.pages = append(x.pages, new([entries]uint64))
	}
	x.capacity = uint64(x.len() - overhang)
	to := x.raise(end)
	for to < 0 {
		// Very many tags are at the upper end: they get a longer overhang.
		end = x.len()
		x.pages = append(x.pages, new([entries]uint64))
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
		x.pages = append(x.pages, new([entries]uint64))
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
