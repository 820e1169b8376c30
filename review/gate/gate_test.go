package gate_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/gate"
)

// A gate fails of what it names, and of nothing else.
func TestGates(t *testing.T) {
	obligation := func(fate review.Fate, was, is review.State) *review.ObligationChange {
		return &review.ObligationChange{New: &po.Obligation{}, Fate: fate, Was: was, Is: is}
	}
	proved := func(steps int64) review.State { return review.State{Verdict: verdict.Proved, Steps: steps} }
	of := func(v verdict.Verdict) review.State { return review.State{Verdict: v} }
	one := review.Contradiction{What: review.OnlyNow}
	one.Of = model.Component{Context: &model.Context{Name: "c"}}
	for _, c := range []struct {
		name string
		x    review.Review
		want string // what of all gates and cost+10% fails
	}{
		{"nothing changed", review.Review{Obligations: []*review.ObligationChange{obligation(review.Same, of(verdict.Open), of(verdict.Open))}}, ""},
		{"lost and open", review.Review{Obligations: []*review.ObligationChange{obligation(review.Lost, proved(5), of(verdict.Open))}},
			"lost-proof: 1 affected obligation; open: 1 affected obligation; worse: 1 affected obligation"},
		{"expected", review.Review{Obligations: []*review.ObligationChange{{New: &po.Obligation{}, Fate: review.Appeared, Is: of(verdict.Refuted), Expected: &verdict.Expectation{}}}}, ""},
		{"gone with its machine", review.Review{Obligations: []*review.ObligationChange{{Old: &po.Obligation{}, Fate: review.Vanished, Was: proved(5)}}}, ""},
		{"new and refuted", review.Review{Obligations: []*review.ObligationChange{obligation(review.Appeared, review.State{}, of(verdict.Refuted))}},
			"refuted: 1 affected obligation; worse: 1 affected obligation"},
		{"dearer", review.Review{Obligations: []*review.ObligationChange{obligation(review.Reproved, proved(100), proved(111))}}, "cost+10%: proofs take 111 steps, and took 100"},
		{"hardly dearer", review.Review{Obligations: []*review.ObligationChange{obligation(review.Reproved, proved(100), proved(110))}}, ""},
		{"unknown cost", review.Review{Obligations: []*review.ObligationChange{obligation(review.Kept, proved(0), proved(9))}},
			"cost+10%: the earlier cost of kept proofs (1) is unknown; commit a proofs.lock, which `gradine prove --lock` writes"},
		{"claims", review.Review{Claims: []review.Claim{{Loss: review.Weakened}, {Loss: review.Assumed}, {Loss: review.Assumed}}}, "weakened-claim: 1 claim was weakened; new-assumption: 2 new assumptions"},
		{"contradictions", review.Review{Contradictions: []review.Contradiction{one, {What: review.Both}, {What: review.OnlyBefore}}},
			"contradiction: 1 new contradiction"},
		{"intended contradiction", review.Review{Contradictions: []review.Contradiction{one}, Judgement: judgement.Judgement{Met: []judgement.Contradiction{one.Contradiction}}}, ""},
	} {
		all, err := gate.Parse(gate.Names() + ", cost+10%")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range all {
			for _, why := range []string{g.Failing(&c.x, false), g.Blind(&c.x)} {
				if why != "" {
					got = append(got, why)
				}
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s\nnot %s", c.name, text, c.want)
		}
	}
	for _, wrong := range []string{"lost", "cost+x%", "cost+-1%", "cost+5"} {
		if _, err := gate.Parse(wrong); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}
