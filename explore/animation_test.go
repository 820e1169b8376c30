package explore_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/lang/model"
)

// lead takes every step of every state by hand: the steps and the violated invariants are
// those found by force.
func (r *brute) lead(fail func(string, ...any), machine *model.Machine, in *explore.Instance) {
	animation, err := animation.Begin(context.Background(), machine, in)
	if err != nil {
		fail("led by hand: %v", err)
		return
	}
	got, want, broken := map[string]bool{}, map[string]bool{}, map[string]bool{}
	seen := map[int]bool{}
	var from func(number int)
	from = func(number int) {
		labels, err := animation.Broken()
		if err != nil {
			fail("led by hand: %v", err)
		}
		for _, label := range labels {
			name, _, undefined := strings.Cut(label, " has no value")
			broken[map[bool]string{true: "undefined ", false: "invariant "}[undefined]+name] = true
		}
		moves, _, err := animation.Moves(1 << 20)
		if err != nil {
			fail("led by hand: %v", err)
		}
		for _, move := range moves {
			to, ok := r.states[r.keyOf(move.State)]
			if !ok {
				fail("led by hand: %s leads to %v", move.Event, move.State)
				return
			}
			if number >= 0 {
				got[fmt.Sprint(number, move.Event, to)] = true
			}
			if !seen[to] {
				seen[to] = true
				animation.Take(move)
				from(to)
				animation.Back(1)
			}
		}
	}
	from(-1)
	for at, steps := range r.steps {
		for _, s := range steps {
			want[fmt.Sprint(at, s.event, s.to)] = true
		}
	}
	maps.DeleteFunc(broken, func(what string, _ bool) bool { return r.failed[what] })
	if !maps.Equal(got, want) || len(seen) != len(r.values) || len(broken) > 0 {
		fail("led by hand: steps %v, violated besides %v; by force %v", keys(got), slices.Sorted(maps.Keys(broken)), keys(want))
	}
}
