package value

import (
	"math/rand/v2"
	"testing"
)

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
