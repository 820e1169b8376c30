package swarm

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/states"
)

// members sees n states each of a machine with so many.
func members(count, n, all int, g *rand.Rand) []Share {
	hashes := make([]uint64, all)
	for i := range hashes {
		hashes[i] = g.Uint64()
	}
	var out []Share
	for range count {
		var k states.Sketch
		for range n {
			k.Add(hashes[g.IntN(all)])
		}
		out = append(out, Share{Why: explore.BitStateHashing, Sketch: slices.Clone(k.Least())})
	}
	return out
}

// TestEstimated: of random samples of a known number of states, the estimates are near what is true.
func TestEstimated(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ count, n, all int }{{4, 20_000, 100_000}, {8, 30_000, 100_000}, {6, 5_000, 40_000}, {3, 200_000, 100_000}} {
		e := Estimated(members(c.count, c.n, c.all, g))
		missed := 1.0
		for range c.count * c.n {
			missed *= 1 - 1/float64(c.all)
		}
		met := float64(c.all) * (1 - missed)
		if off := float64(e.Met)/met - 1; off < -0.12 || off > 0.12 {
			t.Errorf("%+v: met %d, expected %.0f", c, e.Met, met)
		}
		if off := float64(e.Reachable)/float64(c.all) - 1; off < -0.2 || off > 0.2 || e.Reachable < e.Met {
			t.Errorf("%+v: reachable %d", c, e.Reachable)
		}
	}
}

// TestFew: a few states are counted, and what all members saw lets expect nothing more.
func TestFew(t *testing.T) {
	var k states.Sketch
	for i := range uint64(100) {
		k.Add(i)
		k.Add(i)
	}
	same := Share{Why: explore.BitStateHashing, Sketch: k.Least(), Fired: map[string]int{"e": 2}, Growing: []string{"v"}}
	if e := Estimated([]Share{same, same, same}); e != (Estimate{100, 100}) {
		t.Errorf("%+v", e)
	}
	if e := Estimated([]Share{same}); e != (Estimate{100, 100}) {
		t.Errorf("one member: %+v", e)
	}
	early := same
	early.Why = "number of states"
	r := Joined("m", []Share{same, early, same})
	if r.Verdict != explore.Bounded || r.States != 100 || r.Fired["e"] != 6 || !slices.Equal(r.Growing, []string{"v"}) || !strings.HasSuffix(r.Why, "; 1 of them ended early: number of states") {
		t.Errorf("%+v", r)
	}
}

// TestOptions: members differ in number and depth, and in nothing else.
func TestOptions(t *testing.T) {
	var depths []int
	for k := 1; k <= 4; k++ {
		opt := Options(explore.Options{MaxDepth: 100, Workers: 7}, k)
		if opt.Member != uint64(k) || opt.Workers != 1 {
			t.Errorf("%+v", opt)
		}
		depths = append(depths, opt.MaxDepth)
	}
	if !slices.Equal(depths, []int{100, 50, 25, 100}) {
		t.Errorf("depths %v", depths)
	}
	if opt := Options(explore.Options{}, 2); opt.MaxDepth != 0 {
		t.Errorf("a bound out of nothing: %d", opt.MaxDepth)
	}
}
