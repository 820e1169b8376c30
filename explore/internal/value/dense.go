package value

import "math/bits"

// A relation between integers or elements of finite types that is a function
// from small numbers to small numbers is held in one word: the image of k, plus
// one, stands in the k-th slot, and 0 there says that k is not in the domain. The
// slots are as narrow as the greatest image allows, so equal functions are equal
// words. All other relations are interned.

// slotWidths are the widths of slots, by their code in the word; slotCounts how many there are of each; and
// slotParts what a place in the word is multiplied by, to be divided by the width without a division.
var (
	slotWidths = [8]uint{1, 2, 3, 4, 6, 8, 12, 19}
	slotCounts = [8]Value{59, 29, 19, 14, 9, 7, 4, 3}
	slotParts  = [8]uint{4096, 2048, 1366, 1024, 683, 512, 342, 216}
)

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

func codeOf(v Value) uint { return uint(v >> SlotBits & 7) }

// Image returns the image of k under dense function v, plus one, or 0.
func Image(v, k Value) Value {
	code := codeOf(v)
	w := slotWidths[code]
	if k >= slotCounts[code] {
		return 0
	}
	return v >> (uint(k) * w & 63) & (1<<(w&63) - 1)
}

// Preimage returns those of some numbers below 64, by their bits, whose images under dense function v are among some others,
// and false if one has no image. beyond says whether images of 64 and more are among them.
func Preimage(v Value, numbers, images uint64, beyond bool) (left uint64, ok bool) {
	// Those that are mapped to one number are found in all slots at once, if they stand side by side.
	first := uint(bits.TrailingZeros64(numbers))
	if run := numbers >> (first & 63); run&(run+1) == 0 && images&(images-1) == 0 && images != 0 && !beyond {
		return mapped(v, first, uint(bits.Len64(run)), Value(bits.TrailingZeros64(images))+1)
	}
	w, count := slotWidths[codeOf(v)]&63, slotCounts[codeOf(v)]
	for m := numbers; m != 0; m &= m - 1 {
		k := Value(bits.TrailingZeros64(m))
		if k >= count {
			return 0, false
		}
		y := v >> (uint(k) * w & 63) & (1<<w - 1)
		switch {
		case y == 0:
			return 0, false
		case y > 64 && beyond, y <= 64 && images>>(y-1&63)&1 == 1:
			left |= 1 << k
		}
	}
	return left, true
}

// mapped is Preimage of an image, plus one, for n numbers from first on.
func mapped(v Value, first, n uint, image Value) (numbers uint64, ok bool) {
	code := codeOf(v)
	w, part := slotWidths[code]&63, slotParts[code]
	if n == 0 || first+n > uint(slotCounts[code]) {
		return 0, n == 0
	}
	all := (Value(1)<<(n*w&63) - 1) << (first * w & 63)
	slots, low := v&all, lowest[code]&all
	high := low << (w - 1)
	// The highest bit of a slot stays set when one is taken from the slot, unless there is nothing in it.
	switch {
	case ((slots|high)-low|slots)&high != high:
		return 0, false
	case image>>w != 0:
		return 0, true
	}
	others := slots ^ low*image
	for m := high &^ ((others | high) - low | others); m != 0; m &= m - 1 {
		numbers |= 1 << (uint(bits.TrailingZeros64(uint64(m))) * part >> 12)
	}
	return numbers, true
}

// Project returns, as bits, the left sides of the pairs of dense function v whose right sides are among the bits of some, or
// the other way round; and false if a number of these pairs is not below 62.
func Project(v, some Value, left bool) (sides Value, ok bool) {
	w, part := slotWidths[codeOf(v)]&63, slotParts[codeOf(v)]
	for m := v & slotsMask; m != 0; {
		k := uint(bits.TrailingZeros64(uint64(m))) * part >> 12
		slot := m >> (k * w & 63) & (1<<w - 1)
		m &^= slot << (k * w & 63)
		x, y := Value(k), slot-1
		if left {
			x, y = y, x
		}
		if x >= 62 || y >= 62 {
			return 0, false
		}
		sides |= some >> x & 1 << y
	}
	return sides, true
}

// lowest is, for each code, the lowest bit of every slot.
var lowest = func() (out [8]Value) {
	for code, w := range slotWidths {
		for k := range slotCounts[code] {
			out[code] |= 1 << (uint(k) * w)
		}
	}
	return out
}()

// Shift returns the function that has, at each number from first to last, which are below 64, the image that dense
// function v has at that number plus by; and false if v has none at one of them, or it cannot be held in slots.
func Shift(v, first, last Value, by int) (Value, bool) {
	if first > last {
		return Small, true
	}
	code := codeOf(v)
	w, count, from := slotWidths[code]&63, int(slotCounts[code]), int(first)+by
	if from < 0 || int(last)+by >= count || int(last) >= count {
		return 0, false
	}
	some := Value(1)<<(uint(last-first+1)*w&63) - 1
	part := v >> (uint(from) * w & 63) & some
	// A slot has an image if its highest bit is set, or stays set when one is taken from the slot.
	low := lowest[code] & some
	high := low << (w - 1)
	if ((part|high)-low|part)&high != high {
		return 0, false
	}
	out := Small | Value(code)<<SlotBits | part<<(uint(first)*w&63)
	if code > 0 && out&upper[code] == 0 {
		return reslot(out, last, Image(out, last)-1)
	}
	return out, true
}

// EachSlot visits the pairs of dense function v until visit says false.
func EachSlot(v Value, visit func(k, x Value) bool) bool {
	w, part := slotWidths[codeOf(v)]&63, slotParts[codeOf(v)]
	for m := v & slotsMask; m != 0; {
		k := uint(bits.TrailingZeros64(uint64(m))) * part >> 12
		slot := m >> (k * w & 63) & (1<<w - 1)
		if !visit(Value(k), slot-1) {
			return false
		}
		m &^= slot << (k * w & 63)
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

// Put returns dense function v with k ↦ x instead of what k had, and false if
// that is not dense.
func Put(v, k, x Value) (Value, bool) {
	code := codeOf(v)
	w := slotWidths[code] & 63
	if k < slotCounts[code] && x < 1<<w-1 {
		at := uint(k) * w & 63
		v = v&^((1<<w-1)<<at) | (x+1)<<at
		if code == 0 || v&upper[code] != 0 {
			return v, true
		}
	}
	// The integer before 0 has no image plus one.
	if x >= 1<<slotWidths[7]-1 {
		return 0, false
	}
	return reslot(v, k, x)
}

// reslot is Put where the slots become wider or narrower.
func reslot(v, k, x Value) (Value, bool) {
	top, last := x+1, k
	EachSlot(v, func(j, y Value) bool {
		if j != k {
			top, last = max(top, y+1), max(last, j)
		}
		return true
	})
	code, ok := slotsFor(top, last)
	if !ok {
		return 0, false
	}
	w := slotWidths[code] & 63
	out := Small | Value(code)<<SlotBits | (x+1)<<(uint(k)*w&63)
	EachSlot(v, func(j, y Value) bool {
		if j != k {
			out |= (y + 1) << (uint(j) * w & 63)
		}
		return true
	})
	return out, true
}

// slotsFor is the code of the narrowest slots that hold image top, plus one, and false if they leave no room for
// number last.
func slotsFor(top, last Value) (code int, ok bool) {
	for code, w := range slotWidths {
		if top < 1<<w {
			return code, last < slotCounts[code]
		}
	}
	return 0, false
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
	code, ok := slotsFor(top, Value(last))
	if !ok {
		return 0, false
	}
	v := Small | Value(code)<<SlotBits
	for i, y := range images[:last+1] {
		v |= y << (uint(i) * slotWidths[code] & 63)
	}
	return v, true
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
		if v, ok = Put(v, x, y); !ok {
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
		if out, ok := Put(v, k, x); ok {
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

// Insert returns relation v with the additional pair k ↦ x.
func (u *Space) Insert(shape *Shape, v, k, x Value) Value {
	if shape.Dense(v) {
		// An integer has no image plus one that is 0, but for −1, which no slot holds.
		y := Image(v, k)
		if y != 0 && y-1 == x {
			return v
		}
		if out, ok := Put(v, k, x); ok && y == 0 {
			return out
		}
	}
	return u.Union(shape, v, u.Set(shape, []Value{u.Pair(shape.Elem, k, x)}))
}

// Extend returns dense relation v with the additional pair k ↦ x, and false if that cannot be held in slots.
func Extend(v, k, x Value) (Value, bool) {
	if y := Image(v, k); y != 0 {
		return v, y == x+1
	}
	return Put(v, k, x)
}

// combineDense is combine for two functions in slots, and says false where it does not apply.
func combineDense(a, b Value, onlyA, both, onlyB bool) (Value, bool) {
	out := Small
	add := func(k, x Value) (fits bool) {
		out, fits = Extend(out, k, x)
		return fits
	}
	ok := EachSlot(a, func(k, x Value) bool {
		in := Image(b, k) == x+1
		return in && !both || !in && !onlyA || add(k, x)
	})
	ok = ok && (!onlyB || EachSlot(b, func(k, x Value) bool { return Image(a, k) == x+1 || add(k, x) }))
	return out, ok
}

// Override returns a with the pairs of b in place of those that have the same left side, if both
// and the outcome are held in slots.
func (s *Shape) Override(a, b Value) (Value, bool) {
	if !s.Dense(a) || !s.Dense(b) {
		return 0, false
	}
	ok := EachSlot(b, func(k, x Value) (fits bool) {
		a, fits = Put(a, k, x)
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
