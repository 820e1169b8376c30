package review_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/review"
)

// hard is a machine with so many theorems that no search decides, and as many easy ones.
func hard(n int) string {
	var out strings.Builder
	out.WriteString("machine m\nvariables a b c n\ninvariants\n  @a a ∈ ℕ1\n  @b b ∈ ℕ1\n  @c c ∈ ℕ1\n  @n n ∈ ℕ\n")
	for i := range n {
		fmt.Fprintf(&out, "  theorem @hard%d n > %d ⇒ a ^ n + b ^ n ≠ c ^ n\n  theorem @easy%d a + %d > 0\n", i, n-i+2, i, i)
	}
	return out.String() + "events\n  event INITIALISATION\n  then\n    @i a, b, c, n ≔ 1, 1, 1, 1\n  end\nend\n"
}

// TestBudget reviews many obligations that no search decides. All searches of a review together end after about as many
// steps as one of gradine prove; what ended early is counted, with and without a store.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("searches some 30 million steps")
	}
	for _, opts := range []discharge.Options{{}, {Store: proofstore.OpenStore(t.TempDir())}} {
		opts.RefuteSteps = 20_000
		empty, now := side(t, nil), side(t, parse(t, hard(40)))
		r := review.Compare(context.Background(), "p", empty, now, never, review.Options{Discharge: opts, Budget: review.NewBudget()})
		var steps int64
		open := 0
		for _, o := range r.Obligations {
			name := o.New.Name
			switch {
			case strings.HasPrefix(name, "easy") && (!o.Is.Proved() || o.Brief != 0):
				t.Errorf("%s: %s, brief %d", name, o.Is.Verdict, o.Brief)
			case strings.HasPrefix(name, "hard") && strings.HasSuffix(name, "/THM"):
				open++
				if o.Is.Verdict != verdict.Open || o.Brief == 0 {
					t.Errorf("%s: %s, brief %d", name, o.Is.Verdict, o.Brief)
				}
			}
			steps += o.Is.Steps
		}
		touched, same := r.Brief()
		if open != 40 || touched != open || same != 0 {
			t.Errorf("%d open, %d and %d searched briefly", open, touched, same)
		}
		if steps > 2*prover.DefaultSteps {
			t.Errorf("%d steps in all", steps)
		}
	}
}
