package simulate

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/logic"
)

const counting = `
context sizes
constants size step
axioms
    @size size ∈ 1‥4
    @step step ∈ 1‥4
    @fits step ≤ size
    @even theorem size ∗ step > 0
end
machine counting sees sizes
variables n cost
invariants
    @n n ∈ ℤ
    @cost cost ∈ ℤ
events
    event INITIALISATION
    then
        @n n ≔ 0
        @cost cost ≔ 0
    end
    event go
    where
        @more n < size
    then
        @n n ≔ n + step
        @cost cost ≔ cost + 2
    end
%s
end`

// point is the set-up at which size and step have these values.
func point(t *testing.T, x *loaded, size, step int) Point {
	t.Helper()
	sets := []Choice{{"size", logic.IntType, x.expression(fmt.Sprintf("{%d}", size))}, {"step", logic.IntType, x.expression(fmt.Sprintf("{%d}", step))}}
	g, err := NewGrid(x.machine, explore.Setup{Bank: x.bank}, nil, sets)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range g.Points(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	panic("a grid without points")
}

// The points of a grid are all choices, each with what is wrong about it.
func TestGrid(t *testing.T) {
	for _, c := range []struct{ size, step, want string }{
		{"1‥2", "1‥2", "size=1 step=1; size=1 step=2 breaks fits; size=2 step=1; size=2 step=2"},
		{"{3}", "{size − 2, 9}", "size=3 step=1; size=3 step=9 breaks step fits"},
		{"{2÷(step−1)}", "{1,2}", "step=1 without size; step=2 size=2"},
		{"{step}", "{size}", "the values of size, {step}, cannot be listed: they are without bound, or depend on each other in a circle; give a set such as 1‥9"},
		{"ℕ", "{1}", "the values of size, ℕ, cannot be listed: they are without bound, or depend on each other in a circle; give a set such as 1‥9"},
	} {
		x := load(t, fmt.Sprintf(counting, ""))
		sets := []Choice{{"size", logic.IntType, x.expression(c.size)}, {"step", logic.IntType, x.expression(c.step)}}
		g, err := NewGrid(x.machine, explore.Setup{Bank: x.bank}, nil, sets)
		var points []string
		if err == nil {
			for p, wrong := range g.Points(context.Background()) {
				text := p.String()
				if p.Without != "" {
					text += " without " + p.Without
				}
				for i, broken := range p.Broken {
					if i == 0 {
						text += " breaks"
					}
					text += " " + broken.Label
				}
				points, err = append(points, text), wrong
			}
		}
		got := strings.Join(points, "; ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("size ∈ %s, step ∈ %s:\n%s\nnot\n%s", c.size, c.step, got, c.want)
		}
	}
}

// Follow and AllEnds say how runs end, and what is read there.
func TestEnds(t *testing.T) {
	const (
		back  = "event back\nwhere\n @more n < size\n @much n > 0\nthen\n @n n ≔ n − 1\n @cost cost ≔ cost − 2\nend"
		worse = "event worse\nwhere\n @more n < size\nthen\n @n n ≔ n + step\n @cost cost ≔ cost + 5\nend"
		fork  = "event choose\nany d\nwhere\n @more n = size\n @d d ∈ 1‥2\nthen\n @n n ≔ n + 1\n @cost cost ≔ cost + d\nend"
		round = "event round\nwhere\n @more n = size\nthen\n @n n ≔ 0\n @cost cost ≔ 0\nend"
		none  = "event none\nwhere\n @more 1 ÷ (n − 1) > 0\nthen\n @n n ≔ 9\nend"
	)
	for _, c := range []struct {
		event, final, constraint string
		size, step               int
		most                     int64
		follow, all              string
	}{
		{"", "n ≥ size", "", 4, 1, 0, "final [8] 4", "8‥8"},
		{"", "n ≥ size", "", 3, 2, 0, "final [4] 2", "4‥4"},
		{"", "n = size", "", 3, 2, 0, "stuck [] 2", "stuck after 2"},
		{"", "n ≥ size", "n = size", 3, 2, 0, "violated [] 2", "violated after 2"},
		{"", "n ≥ size", "", 4, 1, 5, "exceeded [] 3", "8‥8"},
		{back, "n ≥ size", "", 2, 1, 0, "forked [] 1", "4‥4 cycle after 0"},
		{worse, "n ≥ size", "", 2, 1, 0, "forked [] 0", "4‥10"},
		{fork, "n > size", "", 2, 1, 0, "forked [] 2", "5‥6"},
		{round, "n > size", "", 2, 1, 0, "cycle [] 7", "cycle after 0"},
		{none, "n ≥ size", "", 2, 1, 0, "undefined [] 1 division by zero", "undefined"},
	} {
		x := load(t, fmt.Sprintf(counting, c.event))
		in := point(t, x, c.size, c.step).Instance()
		goal := Goal{Final: x.predicate(c.final), Objectives: []logic.Term{x.expression("cost")}}
		if c.constraint != "" {
			goal.Constraints = []logic.Term{x.predicate(c.constraint)}
		}
		if c.most > 0 {
			goal.AtMost = big.NewInt(c.most)
		}
		s, err := Follow(context.Background(), x.machine, in, goal)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(fmt.Sprint(s.End, " ", s.Values, " ", s.Steps, " ", s.Why)); got != c.follow {
			t.Errorf("%s to %s, size %d, step %d: %s, not %s", c.event, c.final, c.size, c.step, got, c.follow)
		}
		e, err := AllEnds(context.Background(), x.machine, in, goal, explore.Options{MaxStates: 1000})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if e.Least != nil {
			got = fmt.Sprint(e.Least[0], "‥", e.Greatest[0])
		}
		if e.Stop != nil {
			got = strings.TrimSpace(fmt.Sprintf("%s %s after %d", got, e.Stop.How, e.Stop.Steps))
		}
		for _, f := range e.Findings {
			got += f.Kind
		}
		if got != c.all {
			t.Errorf("%s to %s, size %d, step %d: all %s, not %s", c.event, c.final, c.size, c.step, got, c.all)
		}
	}
}
