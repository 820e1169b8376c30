package animator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
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
	known := 0
	ask := func(q map[string]any) (state int, moves []json.RawMessage) {
		q["count"], q["known"] = 1, known
		data, _ := json.Marshal(q)
		r, _ := http.NewRequest("POST", url+"ask", strings.NewReader(string(data)))
		r.Header.Set("Origin", url[:strings.LastIndex(strings.TrimSuffix(url, "/"), "/")])
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		var out struct {
			State  int
			Values []json.RawMessage
			From   int
			States map[string]struct{ Moves []json.RawMessage }
			Error  string
		}
		if err := json.Unmarshal(body, &out); err != nil || out.Error != "" {
			b.Fatal(err, out.Error)
		}
		known = max(known, out.From+len(out.Values))
		return out.State, out.States[fmt.Sprint(out.State)].Moves
	}
	state, moves := ask(map[string]any{"op": "model", "state": -1})
	b.ResetTimer()
	for i := range b.N {
		if len(moves) == 0 {
			state, moves = ask(map[string]any{"op": "state", "state": -1})
		}
		state, moves = ask(map[string]any{"op": "fire", "state": state, "step": moves[i%len(moves)]})
	}
}
