package tune

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/explore/simulate"
)

// drawAnswers are answers with random values of some configurations, some of which are invalid.
func drawAnswers(r *rand.Rand, points, instances int, maximise bool) (out []*Answer) {
	for range instances {
		a := &Answer{Objectives: []Objective{{Maximise: maximise}}, Names: []string{"x"}, Complete: true}
		for i := range points {
			p := Point{Values: []simulate.Constant{{Text: fmt.Sprint(i)}}, SameAs: -1}
			if r.IntN(6) == 0 {
				p.Illegal = "no"
			} else {
				v := big.NewInt(1 + r.Int64N(20))
				p.Ranges = []Range{{v, v}}
			}
			a.Points = append(a.Points, p)
		}
		for i := range a.Points {
			if p := &a.Points[i]; p.Illegal == "" && (len(a.Best) == 0 || a.Cost(p, 0).Cmp(a.Cost(&a.Points[a.Best[0]], 0)) < 0) {
				a.Best = []int{i}
			}
		}
		out = append(out, a)
	}
	return out
}

// bruteForce is the least worst or mean regret of all sets of at most k points, nil if none serves all instances.
func bruteForce(answers []*Answer, k int, by RegretBy) (least *big.Rat) {
	points := len(answers[0].Points)
	for set := 1; set < 1<<points; set++ {
		var of []int
		for i := range points {
			if set>>i&1 == 1 {
				of = append(of, i)
			}
		}
		if len(of) > k {
			continue
		}
		total, served := new(big.Rat), true
		for _, a := range answers {
			best := a.Worth(&a.Points[a.Best[0]], 0)
			var here *big.Rat
			for _, i := range of {
				if p := &a.Points[i]; p.Illegal == "" {
					r := new(big.Rat).SetFrac(a.Worth(p, 0), best)
					if a.Objectives[0].Maximise {
						r.Inv(r)
					}
					if here == nil || r.Cmp(here) < 0 {
						here = r
					}
				}
			}
			if served = here != nil; !served {
				break
			}
			if by == MeanRegret {
				total.Add(total, new(big.Rat).Quo(here, new(big.Rat).SetInt64(int64(len(answers)))))
			} else if here.Cmp(total) > 0 {
				total = here
			}
		}
		if served && (least == nil || total.Cmp(least) < 0) {
			least = total
		}
	}
	return least
}

// TestOneForAll compares the chosen configurations with all sets of as many.
func TestOneForAll(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 3))
	none := 0
	for n := range 400 {
		points, instances, k := 1+r.IntN(8), 1+r.IntN(5), 1+r.IntN(3)
		answers := drawAnswers(r, points, instances, n%5 == 0)
		if slices.ContainsFunc(answers, func(a *Answer) bool { return len(a.Best) == 0 }) {
			if _, err := OneForAll(t.Context(), answers, k, WorstRegret); err == nil {
				t.Fatal("an instance without a valid point has an answer")
			}
			continue
		}
		for _, by := range []RegretBy{WorstRegret, MeanRegret} {
			want := bruteForce(answers, k, by)
			got, err := OneForAll(t.Context(), answers, k, by)
			if want == nil {
				if none++; err == nil {
					t.Fatalf("%v serve all instances, although none do", got.Chosen)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			worth := map[RegretBy]*big.Rat{WorstRegret: got.Worst, MeanRegret: got.Mean}[by]
			if worth.Cmp(want) != 0 || len(got.Chosen) > k {
				t.Fatalf("case %d: %s regret %v of %d, want %v of %d", n, by, worth, len(got.Chosen), want, k)
			}
			for i, a := range answers { // what it says of each instance is so
				p := &a.Points[slices.IndexFunc(a.Points, func(p Point) bool { return p.Values[0].Text == got.Chosen[got.Serves[i]][0].Text })]
				regret := new(big.Rat).SetFrac(a.Worth(p, 0), a.Worth(&a.Points[a.Best[0]], 0))
				if a.Objectives[0].Maximise {
					regret.Inv(regret)
				}
				if p.Illegal != "" || regret.Cmp(got.Regret[i]) != 0 {
					t.Fatalf("case %d, instance %d: regret %v, want %v", n, i, got.Regret[i], regret)
				}
			}
		}
	}
	if none < 5 {
		t.Errorf("only %d cases without an answer", none)
	}
}

// What would make the claim false is refused.
func TestOneForAllRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 4))
	whole := func() []*Answer {
		for {
			if a := drawAnswers(r, 6, 2, false); len(a[0].Best) > 0 && len(a[1].Best) > 0 {
				return a
			}
		}
	}
	for name, spoil := range map[string]func(a *Answer){
		"bounded": func(a *Answer) { a.Complete = false },
		"sample":  func(a *Answer) { a.Sample = true },
		"unknown": func(a *Answer) {
			a.Points = append(a.Points, Point{Values: []simulate.Constant{{Text: "u"}}, SameAs: -1})
		},
		"objectives": func(a *Answer) { a.Objectives = append(a.Objectives, Objective{}) },
		"parameters": func(a *Answer) { a.Names = []string{"y"} },
		"zero":       func(a *Answer) { a.Points[a.Best[0]].Ranges = []Range{{new(big.Int), new(big.Int)}} },
	} {
		answers := whole()
		spoil(answers[1])
		if _, err := OneForAll(t.Context(), answers, 2, WorstRegret); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
