package explore

import "math/bits"

// A relation between integers or elements of finite types that is a function
// from small numbers to small numbers is held in one word: the image of k, plus
// one, stands in the k-th slot, and 0 there says that k is not in the domain. The
// slots are as narrow as the greatest image allows, so equal functions are equal
// words. All other relations are interned.

// slotWidths are the widths of slots, by their code in the word.
var slotWidths = [8]uint{1, 2, 3, 4, 6, 8, 12, 19}

const (
	slotBits  = 59 // for slots; then come three for the code, and the mark small
	slotsMask = 1<<slotBits - 1
)

// upper is, for each code, the bits of slots that tell it from narrower ones.
var upper = func() (out [8]Value) {
	for code := 1; code < 8; code++ {
		w := slotWidths[code]
		top := (Value(1)<<w - 1) &^ (1<<slotWidths[code-1] - 1)
		for at := uint(0); at+w <= slotBits; at += w {
			out[code] |= top << at
		}
	}
	return out
}()

// dense reports whether relation v of shape s is held in slots.
func (s *shape) dense(v Value) bool { return s.kind == mapShape && v&small != 0 }

func codeOf(v Value) int { return int(v >> slotBits & 7) }

// image returns the image of k under dense function v, plus one, or 0.
func image(v, k Value) Value {
	w := slotWidths[codeOf(v)]
	if k >= Value(slotBits/w) {
		return 0
	}
	return v >> (uint(k) * w) & (1<<w - 1)
}

// eachSlot visits the pairs of dense function v until visit says false.
func eachSlot(v Value, visit func(k, x Value) bool) bool {
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
	eachSlot(v, func(_, _ Value) bool {
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
	if k < Value(slotBits/w) && x < 1<<w-1 {
		at := uint(k) * w
		v = v&^((1<<w-1)<<at) | (x+1)<<at
		if code == 0 || v&upper[code] != 0 {
			return v, true
		}
	}
	var images [slotBits]Value
	eachSlot(v, func(k, x Value) bool {
		images[k] = x + 1
		return true
	})
	if k >= slotBits || x >= 1<<19-1 {
		return 0, false
	}
	images[k] = x + 1
	return encode(images[:])
}

// encode returns the function that has the given images, plus one, and false if
// it is not dense.
func encode(images []Value) (Value, bool) {
	top, last := Value(0), 0
	for i, y := range images {
		if y != 0 {
			top, last = max(top, y), i
		}
	}
	for code, w := range slotWidths {
		if top < 1<<w {
			if uint(last) >= slotBits/w {
				return 0, false
			}
			v := small | Value(code)<<slotBits
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
func (u *space) toDense(s *shape, pairs []Value) (Value, bool) {
	v, ok := small, true
	for _, p := range pairs {
		x, y := u.split(s.elem, p)
		if x >= slotBits || image(v, x) != 0 {
			return 0, false
		}
		if v, ok = put(v, x, y); !ok {
			return 0, false
		}
	}
	return v, true
}

// with returns relation v after k has x as its only image.
func (u *space) with(s *shape, v, k, x Value) Value {
	switch {
	case s.kind == maskShape:
		n := Value(s.elem.r.size)
		return v&^((1<<n-1)<<(k*n)) | 1<<(k*n+x)
	case s.dense(v):
		if out, ok := put(v, k, x); ok {
			return out
		}
	}
	pair := u.pair(s.elem, k, x)
	var out []Value
	placed := false
	for _, p := range u.elems(s, v, nil) {
		a, _ := u.split(s.elem, p)
		if !placed && u.compare(s.elem.l, a, k) >= 0 {
			out, placed = append(out, pair), true
		}
		if a != k {
			out = append(out, p)
		}
	}
	if !placed {
		out = append(out, pair)
	}
	return u.sorted(s, out)
}
