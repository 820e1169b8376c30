package animator_test

import (
	"path/filepath"
	"testing"

	"github.com/gradine/gradine/internal/animator"
)

// BenchmarkStep measures a step of the longest chain of the GPU development, from the question of the page to the whole answer:
// values, steps that are possible, why others are not, invariants of eight machines, the picture.
//
//	go test ./internal/animator -run '^$' -bench Step
func BenchmarkStep(b *testing.B) {
	root, _ := filepath.Abs("../..")
	constants := map[string]string{"launches": "1", "blocks": "16", "slots": "8", "threads": "32", "steps": "2", "ports": "4", "min_cost": "2", "max_cost": "3", "max_sync": "1"}
	url := serve(b, animator.Options{Open: opener(root, "timing", constants)})
	c := &client{TB: b, url: url}
	at := c.ask(map[string]any{"op": "model", "state": -1})
	b.ResetTimer()
	for i := range b.N {
		if len(at.Moves) == 0 {
			at = c.ask(map[string]any{"op": "state", "state": -1})
		}
		at = c.ask(map[string]any{"op": "fire", "state": at.Number, "step": at.Moves[i%len(at.Moves)]})
	}
}
