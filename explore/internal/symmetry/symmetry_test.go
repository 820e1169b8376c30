package symmetry_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/sample"
	"github.com/gradine/gradine/explore/internal/symmetry"
	"github.com/gradine/gradine/lang/check"
)

const procs = `context c
sets P
constants boss
axioms
  @size card(P) = 3
  @boss boss ∈ P
end

machine m sees c
variables at n
invariants @at at ∈ P → 0‥2 @n n ∈ 0‥2
events
  event INITIALISATION then @at at ≔ P × {0} @n n ≔ 0 end
  event go any p where @p p ∈ P @low at(p) < 2 then @at at(p) ≔ at(p) + 1 end
  event tell when @boss BOSS then @n n ≔ 1 end
end`

const lanes = `machine lanes
variables busy
invariants @busy busy ⊆ 1‥4
events
  event INITIALISATION then @busy busy ≔ ∅ end
  event take any l where @l l ∈ 1‥4 @free l ∉ busy then @busy busy ≔ busy ∪ {l} end
  event only when @two TWO then @busy busy ≔ ∅ end
end`

// There are 104 digraphs with loops on three nodes (OEIS A000595).
const graphs = `context c
sets P
axioms
  @size card(P) = 3
end

machine graphs sees c
variables r
invariants @r r ∈ P ↔ P
events
  event INITIALISATION then @r r ≔ ∅ end
  event add any p q where @p p ∈ P @q q ∈ P then @r r ≔ r ∪ {p ↦ q} end
end`

// Identifiers are in one block where no formula tells them apart; what tells threads apart is
// named.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ text, threads, want string }{
		{strings.Replace(procs, "BOSS", "n = 0", 1), "", "boss P2 P3: 20 of 54"},
		{strings.Replace(procs, "BOSS", "at(boss) = 2", 1), "", "P2 P3: 24 of 36"},
		{graphs, "", "P1 P2 P3: 104 of 512"},
		{strings.Replace(lanes, "TWO", "1 = 1", 1), "", " of 16"},
		{strings.Replace(lanes, "TWO", "1 = 1", 1), "1‥4", "1 2 3 4: 5 of 16"},
		{strings.Replace(lanes, "TWO", "2 ∈ busy", 1), "1‥4", "1 3 4: 8 of 16"},
		{strings.Replace(lanes, "TWO", "∃i·i ∈ busy ∧ i > 2", 1), "1‥4", "threads 1‥4: > compares them in ∃i·i ∈ busy ∧ i > 2, guard two of event only"},
		{strings.Replace(lanes, "TWO", "card(busy) = 2", 1), "{5}", "threads {5}: there is only one"},
	} {
		p := sample.Program(t, c.text)
		if got := grouped(t, p, c.threads); got != c.want {
			t.Errorf("%s with threads %q: %q, want %q", p.Machine.Name, c.threads, got, c.want)
		}
	}
}

// grouped prints the blocks, and how many states stand for how many.
func grouped(t *testing.T, p *program.Program, threads string) string {
	var ask symmetry.Question
	ask.Invariants = true
	if threads != "" {
		term, err := check.Predicate(p.Setting.Bank, nil, threads+" = "+threads)
		if err != nil {
			t.Fatal(err)
		}
		ask.Threads = []symmetry.Threads{{Name: threads, Set: p.Setting.Bank.Arg(term, 0)}}
	}
	group, err := symmetry.Of(context.Background(), p, p.Machine, ask)
	if err != nil {
		return err.Error()
	}
	if len(group.Notes) > 0 {
		return strings.Join(group.Notes, "; ")
	}
	var blocks []string
	for _, b := range group.Blocks {
		for _, v := range b.Elems {
			if threads != "" {
				blocks = append(blocks, fmt.Sprint(v))
			} else {
				blocks = append(blocks, p.Space.Carrier("P")[v])
			}
		}
	}
	states := sample.Reached(p)
	if len(blocks) == 0 {
		return fmt.Sprintf(" of %d", len(states))
	}
	stand := map[string]bool{}
	r := group.Reducer(p)
	f := p.Frame(context.Background())
	for _, s := range states {
		p.Unpack(f, s)
		p.SetAfter(f, slices.Clone(p.Before(f)))
		r.Reduce(f)
		stand[string(p.Pack(nil, f))] = true
	}
	return fmt.Sprintf("%s: %d of %d", strings.Join(blocks, " "), len(stand), len(states))
}

// The state that stands for an orbit is one of the orbit, and the same for all of it.
func TestOrbits(t *testing.T) {
	p := sample.Program(t, strings.Replace(procs, "BOSS", "n = 0", 1))
	group, err := symmetry.Of(context.Background(), p, p.Machine, symmetry.Question{Invariants: true})
	if err != nil {
		t.Fatal(err)
	}
	r := group.Reducer(p)
	f := p.Frame(context.Background())
	sizes := map[string]int{}
	for _, s := range sample.Reached(p) {
		p.Unpack(f, s)
		before := slices.Clone(p.Before(f))
		p.SetAfter(f, before)
		if was := r.Reduce(f); !slices.Equal(was, before) {
			t.Error("what was there is not given back")
		}
		stands := sample.State(p, p.Pack(nil, f))
		sizes[stands]++
		if levels(stands) != levels(sample.State(p, s)) {
			t.Errorf("%s stands for %s", stands, sample.State(p, s))
		}
	}
	var got []int
	for _, n := range sizes {
		got = append(got, n)
	}
	slices.Sort(got)
	// Three processes at levels 0, 1 and 2, with n that is 0 or 1: 3 orbits of one state, 6 of three and one of six, twice.
	if want := []int{1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6, 6}; !slices.Equal(got, want) {
		t.Error(got)
	}
}

// levels are the numbers in a printed state, in order; those in names do not count.
func levels(state string) string {
	var digits []string
	for _, part := range strings.FieldsFunc(state, func(r rune) bool { return r == '↦' || r == '=' }) {
		if part[0] >= '0' && part[0] <= '9' {
			digits = append(digits, part[:1])
		}
	}
	slices.Sort(digits)
	return strings.Join(digits, "")
}
