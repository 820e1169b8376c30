package discharge_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
)

// TestPurse: what searches that share a purse find does not depend on the store, is what whole searches find, and is marked
// where it is less. With steps enough for all nothing is marked.
func TestPurse(t *testing.T) {
	type shared struct {
		Verdict verdict.Verdict
		Steps   int64
		Brief   int64
	}
	all := sequents(t)
	ask := func(opts discharge.Options) (out []shared) {
		for _, o := range run(t, all, opts) {
			out = append(out, shared{o.Verdict, o.Steps, o.Brief})
		}
		return out
	}
	base := discharge.Options{Steps: 60_000, RefuteSteps: 30_000}
	whole := ask(base)
	full := proofstore.OpenStore(t.TempDir())
	filled := base
	filled.Store = full
	ask(filled)
	empty := proofstore.OpenStore(t.TempDir())
	brief := 0
	for _, steps := range []int64{0, 50_000, 1 << 40} {
		sharing := func(store *proofstore.Store) []shared {
			opts := base
			opts.Store, opts.Purse = store, discharge.NewPurse(steps)
			return ask(opts)
		}
		want := sharing(nil)
		for _, store := range []*proofstore.Store{full, empty, empty} {
			if diff := cmp.Diff(want, sharing(store)); diff != "" {
				t.Errorf("%d steps: %s", steps, diff)
			}
		}
		for i, x := range want {
			switch {
			case x.Brief > 0 && (x.Verdict != verdict.Open || steps == 1<<40):
				t.Errorf("%d steps: %v is marked as brief", steps, x)
			case x.Brief > 0:
				brief++
			case x.Verdict != whole[i].Verdict:
				t.Errorf("%d steps: %v, and %v of a whole search", steps, x, whole[i])
			}
		}
	}
	if brief == 0 {
		t.Error("no search was brief")
	}
	// A budget below what a first round has, and no time at all.
	if got := ask(discharge.Options{Steps: 100, RefuteSteps: 1_000, Purse: discharge.NewPurse(0)}); got[0].Brief != 0 {
		t.Errorf("100 steps: %v", got[0])
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if n := discharge.Run(ended, len(all), func(i int) logic.Sequent { return all[i] }, discharge.Options{Purse: discharge.NewPurse(1)}, func(int, verdict.Outcome) { t.Error("an outcome") }); n != 0 {
		t.Errorf("%d outcomes", n)
	}
}
