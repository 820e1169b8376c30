package project_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// modulus is how many values each of the two variables of a random machine has.
const modulus = 3

// valued is a state: the values of x and y. n is that of the identifier of the claim.
type valued struct{ x, y, n int }

// formula is a text and what it means.
type formula[T any] struct {
	text string
	of   func(valued) T
}

// step is an event: it happens where its guard holds.
type step struct {
	guard formula[bool]
	x, y  formula[int]
}

func (s step) after(p valued) valued { return valued{s.x.of(p), s.y.of(p), p.n} }

func term(r *rand.Rand) formula[int] {
	k := r.IntN(modulus)
	return []formula[int]{
		{"x", func(p valued) int { return p.x }},
		{"y", func(p valued) int { return p.y }},
		{fmt.Sprint(k), func(valued) int { return k }},
		{"(x+1) mod 3", func(p valued) int { return (p.x + 1) % modulus }},
		{"(y+1) mod 3", func(p valued) int { return (p.y + 1) % modulus }},
		{"2−x", func(p valued) int { return 2 - p.x }},
	}[r.IntN(6)]
}

func condition(r *rand.Rand, withN bool) formula[bool] {
	a, b := term(r), term(r)
	if withN && r.IntN(3) == 0 {
		b = formula[int]{"n", func(p valued) int { return p.n }}
	}
	return []formula[bool]{
		{a.text + " < " + b.text, func(p valued) bool { return a.of(p) < b.of(p) }},
		{a.text + " = " + b.text, func(p valued) bool { return a.of(p) == b.of(p) }},
		{a.text + " ≠ " + b.text, func(p valued) bool { return a.of(p) != b.of(p) }},
		{"⊤", func(valued) bool { return true }},
	}[r.IntN(4)]
}

// TestLeadsTo proves random claims about random machines. What is proved holds in the
// graph of their states, where each run is looked at that is fair.
func TestLeadsTo(t *testing.T) {
	proved := map[string]int{}
	for seed := range corpus.Effort(40, 60, 2_000) {
		r := rand.New(rand.NewPCG(uint64(seed), 31))
		var steps []step
		for range 1 + r.IntN(3) {
			steps = append(steps, step{condition(r, false), term(r), term(r)})
		}
		from, to := condition(r, true), condition(r, true)
		var helpful, fair []string
		for k := range steps {
			if r.IntN(2) == 0 {
				fair = append(fair, fmt.Sprintf("%q", name(k)))
				if len(helpful) == 0 || r.IntN(2) == 0 {
					helpful = append(helpful, fmt.Sprintf("%q", name(k)))
				}
			}
		}
		by := []string{"", "2−x", "x", "y+1", "4−x−y", "(3−x)∗3+y", "x ‥ 2", "{y,3}"}[r.IntN(8)]
		p := hintedProject(t, claimed(steps, from, to, by, helpful, fair))
		all, err := p.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		if !proves(slices.DeleteFunc(all, func(o *po.Obligation) bool { return o.Kind != po.LTO && o.Kind != po.INV })) {
			continue
		}
		kind := fmt.Sprintf("variant %t, fair %t", by != "", len(fair) > 0)
		proved[kind]++
		isFair := func(k int) bool { return slices.Contains(fair, fmt.Sprintf("%q", name(k))) }
		for n := range modulus {
			if stays := avoids(steps, from, to, isFair, n); stays != "" {
				t.Fatalf("seed %d, n = %d: all is proved, but %s\n%s", seed, n, stays, claimed(steps, from, to, by, helpful, fair))
			}
		}
	}
	t.Logf("claims proved: %v", proved)
	if len(proved) < 2 {
		t.Errorf("too few kinds of claims are proved: %v", proved)
	}
}

func name(k int) string { return "abc"[k : k+1] }

func claimed(steps []step, from, to formula[bool], by string, helpful, fair []string) string {
	var out strings.Builder
	out.WriteString("-- m.eventb --\nmachine m\nvariables x y\ninvariants\n    @x x ∈ 0‥2\n    @y y ∈ 0‥2\nevents\n    event INITIALISATION\n    then\n        @x x :∈ 0‥2\n        @y y :∈ 0‥2\n    end\n")
	for k, s := range steps {
		fmt.Fprintf(&out, "    event %s\n    where\n        @g %s\n    then\n        @x x ≔ %s\n        @y y ≔ %s\n    end\n", name(k), s.guard.text, s.x.text, s.y.text)
	}
	fmt.Fprintf(&out, "end\n-- gradine.toml --\n[project.p]\nsources = [\".\"]\n[[machine.m.leads_to]]\nname = \"claim\"\nany = \"n ∈ 0‥2\"\nfrom = \"%s\"\nto = \"%s\"\nby = \"%s\"\nhelpful = [%s]\nfair = [%s]\n",
		from.text, to.text, by, strings.Join(helpful, ", "), strings.Join(fair, ", "))
	return out.String()
}

// proves tries the obligations of a claim one by one, until one is not proved.
func proves(all []*po.Obligation) bool {
	for _, o := range all {
		holds := false
		discharge.Run(context.Background(), 1, func(int) logic.Sequent { return o.Sequent() }, discharge.Options{Steps: 100_000, RefuteSteps: 20_000}, func(_ int, x discharge.Outcome) { holds = x.Verdict.Holds() })
		if !holds {
			return false
		}
	}
	return true
}

// avoids looks for a run that never reaches to after a state with from: one that stops, or one
// that goes round for ever and is fair. Every state is reached, by the initialisation.
func avoids(steps []step, from, to formula[bool], isFair func(int) bool, n int) string {
	reach := map[valued]map[valued]bool{} // within the states without to
	var states []valued
	for i := range modulus * modulus {
		if p := (valued{i / modulus, i % modulus, n}); !to.of(p) {
			states = append(states, p)
		}
	}
	for _, p := range states {
		reach[p] = map[valued]bool{p: true}
		for todo := []valued{p}; len(todo) > 0; todo = todo[1:] {
			for _, s := range steps {
				if q := s.after(todo[0]); s.guard.of(todo[0]) && !to.of(q) && !reach[p][q] {
					reach[p][q] = true
					todo = append(todo, q)
				}
			}
		}
	}
	for _, p := range states {
		if !from.of(p) {
			continue
		}
		for q := range reach[p] {
			if !slices.ContainsFunc(steps, func(s step) bool { return s.guard.of(q) }) {
				return fmt.Sprintf("the run from %v stops at %v", p, q)
			}
			if goesRound(steps, reach, isFair, q) {
				return fmt.Sprintf("a fair run from %v goes round through %v", p, q)
			}
		}
	}
	return ""
}

// goesRound reports whether a fair run visits state p again and again: it may go through all
// states that reach p and are reached from it, and do what leads from one of these to
// another. An event that is enabled in all of them has to be among that, if it is fair.
func goesRound(steps []step, reach map[valued]map[valued]bool, isFair func(int) bool, p valued) bool {
	within := func(q valued) bool { return reach[p][q] && reach[q][p] }
	moves := false
	for k, s := range steps {
		always, happens := true, false
		for q := range reach[p] {
			if !within(q) {
				continue
			}
			always = always && s.guard.of(q)
			happens = happens || s.guard.of(q) && within(s.after(q))
		}
		moves = moves || happens
		if isFair(k) && always && !happens {
			return false
		}
	}
	return moves
}

// What is known of the identifiers of a claim holds for good, so that it names no variable: one
// might make it false on the way, and nothing be claimed of the state that is left.
func TestLeadsToOfVariables(t *testing.T) {
	p := hintedProject(t, `-- m.eventb --
machine m
variables x y
invariants
    @x x ∈ 0‥1
    @y y ∈ 0‥1
events
    event INITIALISATION
    then
        @x x ≔ 0
        @y y ≔ 0
    end
    event a
    where
        @g x = 0
    then
        @x x ≔ 1
    end
end
-- gradine.toml --
[project.p]
sources = ["."]
[[machine.m.leads_to]]
name = "wrong"
any = "n ∈ 0‥5 ∧ x = 0"
from = "y = 0"
to = "y = 1"
by = "1 − x"
`)
	if _, err := p.Obligations(); err == nil || !strings.Contains(err.Error(), "variable x") {
		t.Errorf("the claim is taken: %v", err)
	}
}
