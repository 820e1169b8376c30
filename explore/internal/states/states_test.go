package states

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/gradine/gradine/explore/internal/value"
)

// random makes states that come again, with values of all widths, and hashes that many of them share.
type random struct {
	*rand.Rand
	shapes []*value.Shape
	hashes uint64
}

func newRandom(seed uint64) *random {
	w := &random{Rand: rand.New(rand.NewPCG(seed, 9))}
	for range 1 + w.IntN(4) {
		w.shapes = append(w.shapes, &value.Shape{Kind: value.IntShape})
	}
	w.hashes = []uint64{1, 2, 40, 1 << 40}[w.IntN(4)]
	return w
}

func (w *random) state() (state []byte, hash uint64) {
	for range w.shapes {
		v := int64(w.IntN(3 + 4*w.IntN(3)))
		if w.IntN(200) == 0 {
			v = w.Int64N(1<<62) >> w.IntN(62) * int64(1-2*w.IntN(2))
		}
		state = binary.LittleEndian.AppendUint64(state, uint64(v))
	}
	return state, w.hash(state)
}

// hash has few values, or many; two of them stand at the upper end of the table of a shard.
func (w *random) hash(state []byte) (n uint64) {
	for i := 0; i < len(state); i += 8 {
		n = value.Mix(n, binary.LittleEndian.Uint64(state[i:]))
	}
	switch n %= w.hashes; w.hashes {
	case 2:
		return ^n
	case 40:
		return value.Mix(n, n)
	}
	return n
}

// The store knows exactly the states that it was given, whatever hashes they share. What it finds for many at once is true, and
// that is most of them unless they share hashes.
func TestStore(t *testing.T) {
	for seed := range uint64(24) {
		found, missed := 0, 0
		w := newRandom(seed)
		s, ids, parents := New(w.shapes), map[string]ID{}, map[ID]ID{}
		if seed%2 == 1 {
			s.narrow = 2 // so that parents become wide
		}
		last := None
		for range 2000 {
			state, hash := w.state()
			key := string(state)
			shard := ShardOf(hash)
			var values []value.Value
			for i := 0; i < len(state); i += 8 {
				values = append(values, value.Value(binary.LittleEndian.Uint64(state[i:])))
			}
			packed, fits := s.Pack(values, nil)
			if !fits {
				s.Widen(values)
				packed, fits = s.Pack(values, nil)
			}
			if !fits || len(packed) != s.Width() {
				t.Fatalf("seed %d: state %v is packed in %d bytes, of %d", seed, state, len(packed), s.Width())
			}
			var at [Together]ID
			other, _ := s.Pack(values, nil)
			s.Find(shard, append(other[:len(packed):len(packed)], packed...), []uint64{hash, hash}, &at)
			want, known := ids[key]
			switch {
			case at[0] != at[1] || at[0] != None && (!known || at[0] != want):
				t.Fatalf("seed %d: state %v is found at %d and %d; it was %d, known %v", seed, state, at[0], at[1], want, known)
			case at[0] != None:
				found++
			case known:
				missed++
			}
			s.Reserve(1)
			id, isNew := s.Insert(shard, packed, hash, last)
			if known == isNew || known && id != want {
				t.Fatalf("seed %d: state %v is %d, new %v; it was %d, known %v", seed, state, id, isNew, want, known)
			}
			if isNew {
				ids[key], parents[id] = id, last
			}
			last = id
		}
		if w.hashes == 1<<40 && (missed > 0 || found == 0) {
			t.Errorf("seed %d: %d states are found, %d are not", seed, found, missed)
		}
		if wide := s.parent == wideParent; wide != (seed%2 == 1) {
			t.Errorf("seed %d: parents of %d bytes", seed, s.parent)
		}
		if s.Len() != len(ids) {
			t.Errorf("seed %d: %d states, not %d", seed, s.Len(), len(ids))
		}
		for state, id := range ids {
			if string(s.At(id)) != state || s.Parent(id) != parents[id] {
				t.Fatalf("seed %d: state %d is %v from %d", seed, id, s.At(id), s.Parent(id))
			}
		}
		number := s.Numbers()
		for i, id := range s.IDs() {
			if number(id) != i {
				t.Fatalf("seed %d: state %d has number %d, not %d", seed, id, number(id), i)
			}
		}
	}
}

// The same on disk, in runs of few states, whose hashes are equal or far apart: a level is what was gathered and is
// not known, and each state has a parent with which it was gathered in the level that it was new in.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	for seed := range uint64(24) {
		w := newRandom(seed)
		d := NewDisk(w.shapes, dir, 100+w.IntN(20_000), 0)
		known, parents := map[string]bool{}, map[string]map[uint64]bool{}
		for range 12 {
			fresh := map[string]bool{}
			for range w.IntN(600) {
				state, hash := w.state()
				parent := w.Uint64N(5)
				d.Add(t.Context(), hash, parent, state)
				if !known[string(state)] {
					if !fresh[string(state)] {
						parents[string(state)] = map[uint64]bool{}
					}
					fresh[string(state)] = true
					parents[string(state)][parent] = true
				}
			}
			if n := d.Level(t.Context()); n != len(fresh) {
				t.Fatalf("seed %d: %d new states, not %d", seed, n, len(fresh))
			}
			for n := 0; ; {
				states, hashes := d.Round(1+w.IntN(100), nil, nil)
				if n += len(hashes); len(hashes) == 0 {
					if n != len(fresh) {
						t.Fatalf("seed %d: %d states are read, not %d", seed, n, len(fresh))
					}
					break
				}
				for i, hash := range hashes {
					state := states[i*8*len(w.shapes) : (i+1)*8*len(w.shapes)]
					if !fresh[string(state)] || known[string(state)] || hash != w.hash(state) {
						t.Fatalf("seed %d: state %v is read", seed, state)
					}
					known[string(state)] = true
				}
			}
		}
		for i, state := range slices.Sorted(maps.Keys(known)) {
			if i == 40 {
				break
			}
			found := 0
			for _, x := range d.Find(w.hash([]byte(state))) {
				if string(x.State) == state && parents[state][x.Parent] {
					found++
				}
			}
			if found != 1 {
				t.Fatalf("seed %d: state %v is found %d times", seed, []byte(state), found)
			}
		}
		d.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Fatalf("files are left: %v, %v", left, err)
		}
	}
}

// TestManyStates starts the counter of a shard just below 2³², and that of narrow parents just below its end: states behind that
// are named, found and remembered as parents like any other; where no more can be named, the search ends.
func TestManyStates(t *testing.T) {
	shapes := []*value.Shape{{Kind: value.IntShape}}
	for _, start := range []int{1<<narrowBits - 4, 1<<placeBits - 5} {
		s := New(shapes)
		s.Widen([]value.Value{1 << 20})
		const i = Shards - 1
		sh := &s.shards[i]
		if start > 1<<narrowBits {
			s.Reserve(start)
		}
		// Nothing reads the states before: they have no pages.
		sh.n, sh.pages = start, make([][]byte, start/page+1)
		sh.pages[start/page] = make([]byte, page*sh.record+slack)
		last := None
		insert := func(k int) (ID, bool) {
			packed, _ := s.Pack([]value.Value{value.Value(k)}, nil)
			return s.Insert(i, packed, uint64(i)<<(64-shardBits)|uint64(k), last)
		}
		for k := range 4 {
			id, isNew := insert(k)
			if shard, place := id.Split(); !isNew || shard != i || place != start+k {
				t.Fatalf("state %d of %d is %d in shard %d, new %v", k, start, place, shard, isNew)
			}
			if again, isNew := insert(k); again != id || isNew {
				t.Fatalf("state %d of %d is %d, and then %d", k, start, id, again)
			}
			if s.Parent(id) != last {
				t.Fatalf("state %d of %d comes from %d, not %d", k, start, s.Parent(id), last)
			}
			if last = id; id < 1<<32 {
				t.Fatalf("state %d of %d has a number of 32 bits", k, start)
			}
			if start < 1<<narrowBits && k == 2 {
				break // one more needs room
			}
		}
		func() {
			defer func() {
				if r := recover(); r == nil {
					t.Errorf("from %d on there is room for ever", start)
				}
			}()
			insert(4)
		}()
	}
}
