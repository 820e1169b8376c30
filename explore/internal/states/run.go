package states

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"os"
	"sort"

	"github.com/gradine/gradine/explore/internal/abort"
)

// run is a list of records in the order of their hashes, and of their states where hashes are equal.
type run struct {
	layout
	n       int
	data    []byte   // in memory, or
	file    *os.File // on disk
	named   bool     // the file has a name still
	written int      // bytes of the file
}

// header is the hash of a state and that of its parent, which stand before it.
const header = 16

// block is how many bytes are read and written at once.
const block = 1 << 16

// record is how many bytes a record takes.
func (r *run) record() int { return header + r.size() }

// compare orders records; at tells those of equal states apart.
func compare(hash uint64, state []byte, at int, hash2 uint64, state2 []byte, at2 int) int {
	return cmp.Or(cmp.Compare(hash, hash2), bytes.Compare(state, state2), cmp.Compare(at, at2))
}

// union is a layout that has room for what either has.
func (l layout) union(other layout) layout {
	for i, mask := range other.masks {
		if mask&^l.masks[i] != 0 {
			l = l.widened(i, mask)
		}
	}
	return l
}

// writer writes a run, record by record.
type writer struct {
	disk *Disk
	run  *run
	buf  []byte
}

func (w *writer) add(hash, parent uint64, state []byte) {
	r := w.run
	w.buf = binary.LittleEndian.AppendUint64(w.buf, hash)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, parent)
	at := len(w.buf)
	w.buf = append(w.buf, make([]byte, r.size()+slack)...)
	if tight, _ := r.pack(w.disk.shapes, state, w.buf[at:]); tight >= 0 {
		panic("a run is too narrow for its states")
	}
	w.buf = w.buf[:at+r.size()]
	r.n++
	if r.file != nil && len(w.buf) >= block {
		w.flush()
	}
}

func (w *writer) flush() {
	n, err := w.run.file.Write(w.buf)
	w.run.written += n
	w.buf = w.buf[:0]
	if err != nil {
		panic(abort.Limit{What: "the disk: " + err.Error()})
	}
	if w.disk.most > 0 && w.disk.onDisk() > w.disk.most {
		panic(abort.Limit{What: "the room on disk"})
	}
}

// end returns the run.
func (w *writer) end() *run {
	if w.run.file != nil {
		w.flush()
	} else {
		w.run.data = append(w.buf, make([]byte, slack)...)
	}
	return w.run
}

// cursor stands at a record of a run, or behind the last one.
type cursor struct {
	disk  *Disk
	run   *run
	at    int
	block []byte // records from first on
	first int
	here  []byte // the record, and what lies behind it
	words []byte // of its state, if it was compared
}

func (d *Disk) cursor(r *run) *cursor {
	c := &cursor{disk: d, run: r}
	if r.file == nil {
		c.block = r.data
	}
	c.to(0)
	return c
}

func (c *cursor) next() { c.to(c.at + 1) }

// to goes to a record.
func (c *cursor) to(at int) {
	c.at = at
	if at >= c.run.n {
		return
	}
	record := c.run.record()
	if c.run.file != nil {
		if in := (len(c.block) - slack) / record; c.block == nil || at < c.first || at >= c.first+in {
			c.read(at)
		}
	}
	c.here = c.block[(at-c.first)*record:]
}

// read fetches the block that begins with a record.
func (c *cursor) read(at int) {
	record := c.run.record()
	n := min(max(1, block/record), c.run.n-at)
	if need := n*record + slack; cap(c.block) < need {
		c.block = make([]byte, need)
	} else {
		c.block = c.block[:need]
	}
	c.first = at
	c.fetch(c.block[:n*record], at)
}

// fetch reads the file from a record on.
func (c *cursor) fetch(buf []byte, at int) {
	if _, err := c.run.file.ReadAt(buf, int64(at)*int64(c.run.record())); err != nil {
		panic(abort.Limit{What: "the disk: " + err.Error()})
	}
}

func (c *cursor) hash() uint64   { return binary.LittleEndian.Uint64(c.here) }
func (c *cursor) parent() uint64 { return binary.LittleEndian.Uint64(c.here[8:]) }

// peek is the state, until the next one is looked at.
func (c *cursor) peek() []byte {
	c.words = c.state(c.words[:0])
	return c.words
}

// state appends the state to buf.
func (c *cursor) state(buf []byte) []byte {
	return c.run.unpack(c.disk.shapes, c.here[header:], buf)
}

// seek goes on to the first record whose hash is not below.
func (c *cursor) seek(hash uint64) {
	if c.at >= c.run.n || c.hash() >= hash {
		return
	}
	// Steps get longer as long as they fall short, so that near and far records are both found by few looks.
	low, step := c.at, 1
	for low+step < c.run.n && c.hashAt(low+step) < hash {
		low += step
		step *= 2
	}
	n := min(low+step, c.run.n) - low
	c.to(low + sort.Search(n, func(k int) bool { return c.hashAt(low+k) >= hash }))
}

// hashAt is the hash of a record, which is not fetched for that.
func (c *cursor) hashAt(at int) uint64 {
	record := c.run.record()
	if offset := (at - c.first) * record; offset >= 0 && offset+record <= len(c.block) {
		return binary.LittleEndian.Uint64(c.block[offset:])
	}
	var hash [8]byte
	c.fetch(hash[:], at)
	return binary.LittleEndian.Uint64(hash[:])
}

// has goes on to a state and says whether it is there.
func (c *cursor) has(hash uint64, state []byte) bool {
	c.seek(hash)
	// Another state may have the same hash, and be sought next.
	at := c.at
	defer func() {
		if c.at != at {
			c.to(at)
		}
	}()
	for ; c.at < c.run.n && c.hash() == hash; c.next() {
		if bytes.Equal(c.peek(), state) {
			return true
		}
	}
	return false
}
