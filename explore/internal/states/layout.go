package states

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/explore/internal/value"
)

// layout packs states as narrowly as the values met so far allow.
type layout struct {
	widths []uint8  // bytes of each variable
	masks  []uint64 // of a word, what belongs to the variable
}

// slack lies behind packed states, so that each field can be read and written as a word.
const slack = 8

func newLayout(variables int) layout {
	return layout{make([]uint8, variables), make([]uint64, variables)}
}

// size is how many bytes a state takes.
func (l layout) size() int {
	n := 0
	for _, width := range l.widths {
		n += int(width)
	}
	return n
}

// widened is l with room for a code of variable i.
func (l layout) widened(i int, code uint64) layout {
	wider := layout{append([]uint8(nil), l.widths...), append([]uint64(nil), l.masks...)}
	wider.widths[i] = uint8((bits.Len64(code) + 7) / 8)
	wider.masks[i] = ^uint64(0) >> (64 - 8*wider.widths[i])
	return wider
}

// pack writes a state, a word for each variable, to buf, or returns the first variable that it has no room for,
// and its code; −1 if there is room.
func (l layout) pack(shapes []*value.Shape, state, buf []byte) (tight int, code uint64) {
	at := 0
	for i, shape := range shapes {
		code := shape.Encode(value.Value(binary.LittleEndian.Uint64(state[8*i:])))
		if code&^l.masks[i] != 0 {
			return i, code
		}
		binary.LittleEndian.PutUint64(buf[at:], code)
		at += int(l.widths[i])
	}
	return -1, 0
}

// append appends the values of a state to buf, and says false, and appends nothing, if there is no room for one of them.
// Behind a state lies slack, so far as buf has it.
func (l layout) append(shapes []*value.Shape, values []value.Value, size int, buf []byte) (longer []byte, fits bool) {
	at, before := len(buf), len(buf)
	if end := at + size + slack; end > cap(buf) {
		buf = slices.Grow(buf, end-at)
	}
	buf = buf[:at+size+slack]
	for i, shape := range shapes {
		code := shape.Encode(values[i])
		if code&^l.masks[i] != 0 {
			return buf[:before], false
		}
		binary.LittleEndian.PutUint64(buf[at:], code)
		at += int(l.widths[i])
	}
	return buf[:at], true
}

// read gives a state the values that it has in packed form.
func (l layout) read(shapes []*value.Shape, packed []byte, values []value.Value) {
	at := 0
	for i, width := range l.widths {
		values[i] = shapes[i].Decode(binary.LittleEndian.Uint64(packed[at:]) & l.masks[i])
		at += int(width)
	}
}

// unpack appends a packed state to buf, a word for each variable.
func (l layout) unpack(shapes []*value.Shape, packed, buf []byte) []byte {
	at := 0
	for i, width := range l.widths {
		code := binary.LittleEndian.Uint64(packed[at:]) & l.masks[i]
		buf = binary.LittleEndian.AppendUint64(buf, uint64(shapes[i].Decode(code)))
		at += int(width)
	}
	return buf
}
