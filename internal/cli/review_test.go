package cli

import (
	"bytes"
	"testing"

	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/gate"
)

// TestBriefReviews: no gate passes with what was searched only briefly and changed; without gates nothing passes anyway.
func TestBriefReviews(t *testing.T) {
	brief := func(fate review.Fate) *review.Review {
		return &review.Review{Obligations: []*review.ObligationChange{{New: &po.Obligation{}, Fate: fate, Is: review.State{Verdict: "open"}, Brief: 1}}}
	}
	for _, x := range []struct {
		what, gates string
		review      *review.Review
		want        int
	}{
		{"changed obligation", "lost-proof", brief(review.Unproved), exitNoVerdict},
		{"unchanged obligation", "lost-proof", brief(review.Same), 0},
		{"no gate", "none", brief(review.Unproved), 0},
		{"changed event", "default", &review.Review{BriefAssumptions: []string{"m/e"}}, exitNoVerdict},
		{"changed event, another gate", "lost-proof", &review.Review{BriefAssumptions: []string{"m/e"}}, 0},
		{"unchanged event", "default", &review.Review{BriefBefore: []string{"m/e"}}, 0},
	} {
		gates, err := gate.Parse(x.gates)
		if err != nil {
			t.Fatal(err)
		}
		var told bytes.Buffer
		r := &run{ctx: t.Context(), err: &told}
		r.judgeReview(x.review, gates, false)
		if r.code != x.want {
			t.Errorf("%s: exit code %d, want %d\n%s", x.what, r.code, x.want, &told)
		}
	}
}
