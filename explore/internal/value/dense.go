package value

import "math/bits"

// A relation between integers or elements of finite types that is a function
// from small numbers to small numbers is held in one word: the image of k, plus
// one, stands in the k-th slot, and 0 there says that k is not in the domain. The
// slots are as narrow as the greatest image allows, so equal functions are equal
// words. All other relations are interned.

// slotWidths are the widths of slots, by their code in the word.
var slotWidths = [8]uint{1, 2, 3, 4, 6, 8, 12, 19}

const (
	SlotBits  = 59 // for slots; then come three for the code, and the mark small
	slotsMask = 1<<SlotBits - 1
)

// upper is, for each code, the bits of slots that tell it from narrower ones.
var upper = func() (out [8]Value) {
	for code := 1; code < 8; code++ {
		w := slotWidths[code]
		top := (Value(1)<<w - 1) &^ (1<<slotWidths[code-1] - 1)
		for at := uint(0); at+w <= SlotBits; at += w {
			out[code] |= top << at
		}
	}
	return out
}()

// Dense reports whether relation v of shape s is held in slots.
func (s *Shape) Dense(v Value) bool { return s.Kind == MapShape && v&Small != 0 }

func codeOf(v Value) int { return int(v >> SlotBits & 7) }

// Image returns the image of k under dense function v, plus one, or 0.
func Image(v, k Value) Value {
	w := slotWidths[codeOf(v)]
	if k >= Value(SlotBits/w) {
		return 0
	}
	return v >> (uint(k) * w) & (1<<w - 1)
}

// EachSlot visits the pairs of dense function v until visit says false.
func EachSlot(v Value, visit func(k, x Value) bool) bool {
	w := slotWidths[codeOf(v)]
	for m := v & slotsMask; m != 0; {
		k := uint(bits.TrailingZeros64(uint64(m))) / w
		slot := m >> (k * w) & (1<<w - 1)
		if !visit(Value(k), slot-1) {
			return false
		}
		m &^= slot << (k * w)
	}
	return true
}

func denseCard(v Value) int {
	n := 0
	EachSlot(v, func(_, _ Value) bool {
		n++
		return true
	})
	return n
}

// put returns dense function v with k ↦ x instead of what k had, and false if
// that is not dense.
func put(v, k, x Value) (Value, bool) {
	code := codeOf(v)
	w := slotWidths[code]
	if k < Value(SlotBits/w) && x < 1<<w-1 {
		at := uint(k) * w
		v = v&^((1<<w-1)<<at) | (x+1)<<at
		if code == 0 || v&upper[code] != 0 {
			return v, true
		}
	}
	var images [SlotBits]Value
	EachSlot(v, func(k, x Value) bool {
		images[k] = x + 1
		return true
	})
	if k >= SlotBits || x >= 1<<19-1 {
		return 0, false
	}
	images[k] = x + 1
	return Encode(images[:])
}

// Encode returns the function that has the given images, plus one, and false if
// it is not dense.
func Encode(images []Value) (Value, bool) {
	top, last := Value(0), 0
	for i, value := range images {
		if value != 0 {
			top, last = max(top, value), i
		}
	}
	for code, w := range slotWidths {
		if top < 1<<w {
			if uint(last) >= SlotBits/w {
				return 0, false
			}
			v := Small | Value(code)<<SlotBits
			for i, y := range images[:last+1] {
				v |= y << (uint(i) * w)
			}
			return v, true
		}
	}
	return 0, false
}

// toDense returns the relation of the given pairs in slots, and false if it has
// none.
func (u *Space) toDense(shape *Shape, pairs []Value) (Value, bool) {
	v, ok := Small, true
	for _, p := range pairs {
		x, y := u.Split(shape.Elem, p)
		if x >= SlotBits || Image(v, x) != 0 {
			return 0, false
		}
		if v, ok = put(v, x, y); !ok {
			return 0, false
		}
	}
	return v, true
}

// With returns relation v after k has x as its only image.
func (u *Space) With(shape *Shape, v, k, x Value) Value {
	switch {
	case shape.Kind == MaskShape:
		n := Value(shape.Elem.Right.Size)
		return v&^((1<<n-1)<<(k*n)) | 1<<(k*n+x)
	case shape.Dense(v):
		if out, ok := put(v, k, x); ok {
			return out
		}
	}
	pair := u.Pair(shape.Elem, k, x)
	var out []Value
	placed := false
	for _, p := range u.Elems(shape, v, nil) {
		a, _ := u.Split(shape.Elem, p)
		if !placed && u.Compare(shape.Elem.Left, a, k) >= 0 {
			out, placed = append(out, pair), true
		}
		if a != k {
			out = append(out, p)
		}
	}
	if !placed {
		out = append(out, pair)
	}
	return u.sorted(shape, out)
}

// Insert returns relation v with the pair k ↦ x besides.
func (u *Space) Insert(shape *Shape, v, k, x Value) Value {
	if shape.Dense(v) {
		// An integer has no image plus one that is 0, but for −1, which no slot holds.
		y := Image(v, k)
		if y != 0 && y-1 == x {
			return v
		}
		if out, ok := put(v, k, x); ok && y == 0 {
			return out
		}
	}
	return u.Union(shape, v, u.Set(shape, []Value{u.Pair(shape.Elem, k, x)}))
}

// Builder gathers the pairs of a relation, as long as it can be held in slots. It is
// used again and again, so that nothing is left behind.
type Builder struct {
	images [SlotBits]Value // plus one; 0: none
	n      int             // those from here on are 0
}

func (b *Builder) Reset() {
	clear(b.images[:b.n])
	b.n = 0
}

// Add says false if the relation with k ↦ x cannot be held in slots.
func (b *Builder) Add(k, x Value) bool {
	if k >= SlotBits || x >= 1<<19-1 {
		return false
	}
	b.n = max(b.n, int(k)+1)
	if b.images[k] == 0 {
		b.images[k] = x + 1
	}
	return b.images[k] == x+1
}

// Value returns the relation, and false if it cannot be held in slots.
func (b *Builder) Value() (Value, bool) { return Encode(b.images[:b.n]) }

// combineDense is combine for two functions in slots, and says false where it does not apply.
func combineDense(a, b Value, onlyA, both, onlyB bool) (Value, bool) {
	var out Builder
	ok := EachSlot(a, func(k, x Value) bool {
		in := Image(b, k) == x+1
		return in && !both || !in && !onlyA || out.Add(k, x)
	})
	ok = ok && (!onlyB || EachSlot(b, func(k, x Value) bool { return Image(a, k) == x+1 || out.Add(k, x) }))
	if !ok {
		return 0, false
	}
	return out.Value()
}

// Override returns a with the pairs of b in place of those that have the same left side, if both
// and the outcome are held in slots.
func (s *Shape) Override(a, b Value) (Value, bool) {
	if !s.Dense(a) || !s.Dense(b) {
		return 0, false
	}
	ok := EachSlot(b, func(k, x Value) (fits bool) {
		a, fits = put(a, k, x)
		return fits
	})
	return a, ok
}

// Sides appends the left and the right sides of the pairs of relation v, in order.
func (u *Space) Sides(shape *Shape, v Value, xs, ys []Value) (left, right []Value) {
	if shape.Dense(v) {
		EachSlot(v, func(k, x Value) bool {
			xs, ys = append(xs, k), append(ys, x)
			return true
		})
		return xs, ys
	}
	var buf [64]Value
	for _, p := range u.Elems(shape, v, buf[:]) {
		x, y := u.Split(shape.Elem, p)
		xs, ys = append(xs, x), append(ys, y)
	}
	return xs, ys
}
