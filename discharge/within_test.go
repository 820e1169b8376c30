package discharge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
)

// found is what a search found.
type found struct {
	Verdict     verdict.Verdict
	End         verdict.End
	Steps       int64
	Certificate string
}

func runFound(t *testing.T, opts discharge.Options) (out []found) {
	for _, o := range run(t, sequents(t), opts) {
		out = append(out, found{o.Verdict, o.End, o.Steps, o.Certificate})
	}
	return out
}

// TestWithin ends searches early: what is found does not depend on whether a store has the answers of whole searches,
// and a proof that took fewer steps is found.
func TestWithin(t *testing.T) {
	whole := runFound(t, discharge.Options{})
	full := proofstore.OpenStore(t.TempDir())
	runFound(t, discharge.Options{Store: full})
	proved, open := 0, 0
	for _, steps := range []int64{1, 20, whole[0].Steps, whole[1].Steps, 1000} {
		within := &discharge.Within{Steps: steps}
		want := runFound(t, discharge.Options{Within: within})
		empty := proofstore.OpenStore(t.TempDir())
		for _, store := range []*proofstore.Store{full, empty, empty} {
			if diff := cmp.Diff(want, runFound(t, discharge.Options{Within: within, Store: store})); diff != "" {
				t.Errorf("%d steps: %s", steps, diff)
			}
		}
		for i, o := range want {
			switch early := whole[i].Verdict.Holds() && whole[i].Steps <= steps; {
			case early && !o.Verdict.Holds(), o.Verdict.Holds() && o != whole[i]:
				t.Errorf("within %d steps %v, and %v in all", steps, o, whole[i])
			case early:
				proved++
			case whole[i].Verdict == verdict.Refuted && o.Verdict == verdict.Open:
				open++
			}
		}
		// What was proved early is the answer of a whole search.
		again := runFound(t, discharge.Options{Store: empty})
		if diff := cmp.Diff(whole, again); diff != "" {
			t.Errorf("after %d steps: %s", steps, diff)
		}
	}
	if proved == 0 || open == 0 {
		t.Error("nothing is proved early, or nothing is left open")
	}
}
