package states

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/value"
)

// Disk holds states in sorted runs, level by level: those that a level leads to are gathered, and compared with
// what is known when the level is done, in one pass over both (U. Stern, D. Dill, Using magnetic disk instead
// of main memory in the Murphi verifier, 1998). Runs that memory can hold stay there. The files are deleted as
// soon as they are open, where the system allows that: whatever ends the process, none is left.
type Disk struct {
	shapes []*value.Shape
	dir    string
	room   int // bytes that are gathered before they are sorted
	most   int // bytes of files; 0: no limit

	gathered []byte // records of a hash, that of the parent, and a state of whole words
	sorted   []*run // what was gathered before, of the same level
	front    *run   // the states that are to be expanded
	visited  []*run // those before, each run at least twice as long as the next
	reader   *cursor
	files    []*run // all that are open
	n        int
}

// largestRoom bounds what is gathered, so that to sort it takes no longer than a person waits for an interrupt.
const largestRoom = 1 << 28

// NewDisk keeps states of variables of some shapes in files of directory dir, of at most so many bytes (0: no
// limit), and takes also about twice room bytes of memory.
func NewDisk(shapes []*value.Shape, dir string, room, most int) *Disk {
	return &Disk{shapes: shapes, dir: dir, room: min(room, largestRoom), most: most, front: &run{layout: newLayout(len(shapes))}}
}

// Close deletes all files.
func (d *Disk) Close() {
	for len(d.files) > 0 {
		d.drop(d.files[0])
	}
}

// Len is the number of states.
func (d *Disk) Len() int { return d.n }

// Width is how many bytes a packed state takes at most.
func (d *Disk) Width() int {
	n := d.front.size()
	for _, r := range d.visited {
		n = max(n, r.size())
	}
	return n
}

// Memory is the room taken, in bytes; that of the files does not count.
func (d *Disk) Memory() int {
	n := cap(d.gathered) + len(d.front.data)
	for _, r := range slices.Concat(d.sorted, d.visited) {
		n += len(r.data)
	}
	return n
}

// Add gathers a state of the next level, and the hash of the one that led there.
func (d *Disk) Add(ctx context.Context, hash, parent uint64, state []byte) {
	d.gathered = binary.LittleEndian.AppendUint64(d.gathered, hash)
	d.gathered = binary.LittleEndian.AppendUint64(d.gathered, parent)
	d.gathered = append(d.gathered, state...)
	if len(d.gathered)+keyRoom*(len(d.gathered)/d.raw()) >= d.room {
		d.sorted = d.push(ctx, d.sorted, d.sort())
	}
}

// raw is how many bytes a gathered record takes.
func (d *Disk) raw() int { return header + 8*len(d.shapes) }

// Level ends a level: what was gathered and is not known becomes the next one. It returns the number of
// states there.
func (d *Disk) Level(ctx context.Context) int {
	d.sorted = append(d.sorted, d.sort())
	next := d.merge(ctx, d.sorted, append(slices.Clone(d.visited), d.front))
	for _, r := range d.sorted {
		d.drop(r)
	}
	d.sorted = d.sorted[:0]
	d.visited = d.push(ctx, d.visited, d.front)
	d.front, d.reader = next, d.cursor(next)
	d.n += next.n
	return next.n
}

// Round returns the next states of the level, at most so many, and their hashes.
func (d *Disk) Round(most int, states []byte, hashes []uint64) ([]byte, []uint64) {
	c := d.reader
	for ; c.at < c.run.n && len(hashes) < most; c.next() {
		hashes = append(hashes, c.hash())
		states = c.state(states)
	}
	return states, hashes
}

// Known is a state, and the hash of its parent.
type Known struct {
	State  []byte
	Parent uint64
}

// Find returns the states that have a hash.
func (d *Disk) Find(hash uint64) (out []Known) {
	for _, r := range append(slices.Clone(d.visited), d.front) {
		c := d.cursor(r)
		for c.seek(hash); c.at < r.n && c.hash() == hash; c.next() {
			out = append(out, Known{c.state(nil), c.parent()})
		}
	}
	return out
}

// key is a gathered record, while it is sorted.
type key struct {
	hash uint64
	at   int
}

const keyRoom = 16 // bytes of a key

// sort makes a run of what was gathered; of equal states the first one counts.
func (d *Disk) sort() *run {
	raw := d.raw()
	keys := make([]key, 0, len(d.gathered)/raw)
	l := newLayout(len(d.shapes))
	buf := make([]byte, raw+slack)
	for at := 0; at < len(d.gathered); at += raw {
		keys = append(keys, key{binary.LittleEndian.Uint64(d.gathered[at:]), at})
		for {
			tight, code := l.pack(d.shapes, d.gathered[at+header:], buf)
			if tight < 0 {
				break
			}
			l = l.widened(tight, code)
		}
	}
	of := func(k key) []byte { return d.gathered[k.at+header : k.at+raw] }
	slices.SortFunc(keys, func(a, b key) int { return compare(a.hash, of(a), a.at, b.hash, of(b), b.at) })
	w := d.writer(l, len(keys))
	for i, k := range keys {
		if i == 0 || keys[i-1].hash != k.hash || !bytes.Equal(of(keys[i-1]), of(k)) {
			w.add(k.hash, binary.LittleEndian.Uint64(d.gathered[k.at+8:]), of(k))
		}
	}
	d.gathered = d.gathered[:0]
	return w.end()
}

// push adds a run to a list in which each is at least twice as long as the next: runs that are about equal are
// merged. So each state is written again about as often as the number of all can be halved.
func (d *Disk) push(ctx context.Context, list []*run, r *run) []*run {
	if r.n == 0 {
		d.drop(r)
		return list
	}
	list = append(list, r)
	for k := len(list); k > 1 && list[k-2].n < 2*list[k-1].n; k = len(list) {
		both := d.merge(ctx, list[k-2:], nil)
		d.drop(list[k-2])
		d.drop(list[k-1])
		list = append(list[:k-2], both)
	}
	return list
}

// merge makes one run of several, without the states of known ones. Of equal states that of the first run
// counts.
func (d *Disk) merge(ctx context.Context, runs, known []*run) *run {
	wide, n := newLayout(len(d.shapes)), 0
	var from, besides []*cursor
	for _, r := range runs {
		wide, n = wide.union(r.layout), n+r.n
		from = append(from, d.cursor(r))
	}
	for _, r := range known {
		besides = append(besides, d.cursor(r))
	}
	w := d.writer(wide, n)
	var state, last []byte
	var hash uint64 // of the last one
	for count := 0; ; count++ {
		if count%(1<<12) == 0 {
			abort.Check(ctx)
		}
		c := least(from)
		if c == nil {
			return w.end()
		}
		state = c.state(state[:0])
		again := count > 0 && c.hash() == hash && bytes.Equal(state, last)
		if !again && !slices.ContainsFunc(besides, func(b *cursor) bool { return b.has(c.hash(), state) }) {
			w.add(c.hash(), c.parent(), state)
		}
		hash, last = c.hash(), append(last[:0], state...)
		c.next()
	}
}

// least is the cursor at the first record in the order of runs, nil if all are at their ends.
func least(cursors []*cursor) *cursor {
	var first *cursor
	for _, c := range cursors {
		// The states are looked at only where hashes are equal, which is rare.
		if c.at < c.run.n && (first == nil || c.hash() < first.hash() ||
			c.hash() == first.hash() && bytes.Compare(c.peek(), first.peek()) < 0) {
			first = c
		}
	}
	return first
}

// writer makes a run of at most n records, in memory if it is small compared with what may be gathered.
func (d *Disk) writer(l layout, n int) *writer {
	w := &writer{disk: d, run: &run{layout: l}}
	if n*w.run.record() <= d.room/8 {
		return w
	}
	file, err := os.CreateTemp(d.dir, "gradine-states-*")
	if err != nil {
		panic(abort.Limit{What: "the disk: " + err.Error()})
	}
	w.run.file = file
	// An open file lives on without its name; where it cannot, it is deleted at the end.
	w.run.named = os.Remove(file.Name()) != nil
	d.files = append(d.files, w.run)
	return w
}

// drop gives the room of a run back.
func (d *Disk) drop(r *run) {
	r.data = nil
	if r.file == nil {
		return
	}
	d.files = slices.DeleteFunc(d.files, func(x *run) bool { return x == r })
	_ = r.file.Close()
	if r.named {
		_ = os.Remove(r.file.Name())
	}
	r.file = nil
}

// onDisk is the room of all files.
func (d *Disk) onDisk() int {
	n := 0
	for _, r := range d.files {
		n += r.written
	}
	return n
}
