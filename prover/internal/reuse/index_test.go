package reuse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/prover/internal/reuse"
)

// TestIndex compares an index, used again and again, with a map.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var index reuse.Index
	for range 50 {
		index.Reset()
		want := map[string]int{}
		for range random.IntN(2000) {
			key := make([]uint32, random.IntN(4))
			for i := range key {
				key[i] = random.Uint32N(20)
			}
			n, known := want[fmt.Sprint(key)]
			if got, ok := index.Find(key...); ok != known || ok && got != n {
				t.Fatalf("found %v at %d, %v; it is at %d, %v", key, got, ok, n, known)
			}
			if random.IntN(2) == 0 {
				continue
			}
			if !known {
				n = len(want)
				want[fmt.Sprint(key)] = n
			}
			if got, ok := index.Of(key...); ok != known || got != n {
				t.Fatalf("%v has number %d, %v, not %d, %v", key, got, ok, n, known)
			}
		}
		if index.Len() != len(want) {
			t.Fatalf("%d keys, not %d", index.Len(), len(want))
		}
	}
}
