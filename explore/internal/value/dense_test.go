package value

import (
	"math/rand/v2"
	"testing"
)

// Preimage finds the numbers whose images are wanted, and says false where one of them has none.
func TestPreimage(t *testing.T) {
	rng, found := rand.New(rand.NewPCG(3, 4)), 0
	for range 50_000 {
		images, most := make([]Value, 1+rng.IntN(12)), 1<<rng.IntN(9)
		for i := range images {
			if rng.IntN(16) > 0 {
				images[i] = Value(1 + rng.IntN(most))
			}
		}
		v, ok := Encode(images)
		if !ok {
			continue
		}
		numbers, wanted, beyond := rng.Uint64N(1<<len(images)), uint64(1)<<rng.IntN(64), false
		if rng.IntN(2) == 0 {
			numbers = 1<<rng.IntN(len(images)+2) - 1
		}
		if rng.IntN(4) == 0 {
			wanted, beyond = rng.Uint64(), rng.IntN(2) == 0
		}
		want, whole := uint64(0), true
		for k := range 64 {
			if numbers>>k&1 == 0 {
				continue
			}
			if whole = whole && k < len(images) && images[k] != 0; !whole {
				break
			}
			if y := images[k] - 1; y >= 64 && beyond || y < 64 && wanted>>y&1 == 1 {
				want |= 1 << k
			}
		}
		got, all := Preimage(v, numbers, wanted, beyond)
		if all != whole || whole && got != want {
			t.Fatalf("%v: of %b to %b (%v): %b, %v, not %b, %v", images, numbers, wanted, beyond, got, all, want, whole)
		}
		if got != 0 {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d are found", found)
	}
}

// Shift gives each number the image of the one that stands so far from it, and nothing where one has none.
func TestShift(t *testing.T) {
	rng, shifted := rand.New(rand.NewPCG(1, 2)), 0
	for range 20_000 {
		images := make([]Value, 1+rng.IntN(8))
		for i := range images {
			if rng.IntN(8) > 0 {
				images[i] = Value(1 + rng.Uint64N(1<<rng.IntN(12)))
			}
		}
		v, ok := Encode(images)
		if !ok {
			continue
		}
		first, last, by := Value(rng.IntN(7)), Value(rng.IntN(7)), rng.IntN(7)-3
		want, whole := make([]Value, last+1), true
		for k := first; k <= last; k++ {
			from := int(k) + by
			whole = whole && from >= 0 && from < len(images) && images[from] != 0
			if whole {
				want[k] = images[from]
			}
		}
		out, ok := Encode(want)
		switch got, may := Shift(v, first, last, by); {
		case may && (!whole || !ok || got != out):
			t.Fatalf("%v from %d to %d, by %d: %x, not %x (%v)", images, first, last, by, got, out, whole)
		case may && first <= last:
			shifted++
		}
	}
	if shifted < 1000 {
		t.Errorf("only %d are shifted", shifted)
	}
}
