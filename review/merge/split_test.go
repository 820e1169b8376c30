package merge_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/review/merge"
)

// TestSplits distributes the content of events differently on one side, and adds a guard to one of them on the other. Who
// cannot say which event has the guard now has a conflict, whichever side comes first.
func TestSplits(t *testing.T) {
	const load = "  event load\n  any p\n  where\n    @a p ∈ 1 ‥ x\n    @b x < 7\n    @c y > 2\n  then\n    @t x ≔ x + p\n  end\n\n"
	const leave = "  event leave\n  where\n    @d x > 3\n    @e y ≠ 5\n  then\n    @t y ≔ 0\n  end\n\n"
	const frame = "machine m\nvariables x y\ninvariants\n  @x x ∈ ℤ\n  @y y ∈ ℤ\nevents\n  event INITIALISATION\n  then\n    @x x ≔ 0\n    @y y ≔ 0\n  end\n\n"
	const base = frame + load + leave + "end\n"
	rule := func(text string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(text, pairs[i]) {
				t.Fatalf("%q is not there", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(text)
	}
	first := rule(load, "event load", "event load_first", "    @a", "    @h y = 0\n    @a")
	second := rule(load, "event load", "event load_more", "    @a", "    @h y ≠ 0\n    @a")
	both := rule(load, "    @a", "    @h y = 0\n    @a")
	guard := rule(base, "    @c y", "    @n x ≠ 4\n    @c y")
	for _, test := range []struct {
		name, ours, theirs string
		conflict           bool
	}{
		{"two halves", rule(base, load, first+second), guard, true},
		{"one lost guards", rule(base, load, first+rule(second, "    @b x < 7\n    @c y > 2\n", "")), guard, true},
		{"both lost guards", rule(base, load, rule(first, "    @b x < 7\n    @c y > 2\n", "")+rule(second, "    @a p ∈ 1 ‥ x\n    @b x < 7\n", "")), guard, true},
		{"one has the action alone", rule(base, load, first+"  event load_more\n  any p\n  then\n    @t x ≔ x + p\n  end\n\n"), guard, true},
		{"one lost the action", rule(base, load, first+rule(second, "  then\n    @t x ≔ x + p\n", "")), guard, true},
		{"one has another parameter", rule(base, load, first+rule(second, "any p", "any q", "p ∈", "q ∈", "+ p", "+ q")), guard, true},
		{"each has another parameter", rule(base, load, rule(first, "any p", "any r", "p ∈", "r ∈", "+ p", "+ r")+rule(second, "any p", "any q", "p ∈", "q ∈", "+ p", "+ q")), guard, true},
		{"one lost its parameter", rule(base, load, first+rule(second, "  any p\n", "", "    @a p ∈ 1 ‥ x\n", "", "x + p", "x + 1")), guard, true},
		{"one has the old name", rule(base, load, both+second), guard, true},
		{"one has the old name, and lost guards", rule(base, load, rule(both, "    @b x < 7\n", "")+second), guard, true},
		{"three", rule(base, load, first+second+rule(second, "load_more", "load_last", "y ≠ 0", "y > 9", "    @b x < 7\n", "")), guard, true},
		{"the other event is changed", rule(base, load, first+second), rule(base, "    @e", "    @n x ≠ 4\n    @e"), false},
		{"two halves on both sides", rule(base, load, first+second), rule(base, load, first+second), false},
		{"two other halves on the other side", rule(base, load, first+second), rule(base, load, rule(first, "load_first", "one")+rule(second, "load_more", "two")), true},
		{"two halves, and one changed", rule(base, load, first+second), rule(base, load, first+rule(second, "x < 7", "x < 8")), true},
		{"two are one", rule(base, load+leave, rule(load, "event load", "event both", "    @t", "    @u y ≔ 0\n    @t", "    @a", "    @d x > 3\n    @a")), guard, true},
		{"two are one of an old name", rule(base, load+leave, rule(load, "    @t", "    @u y ≔ 0\n    @t", "    @a", "    @d x > 3\n    @a")), guard, true},
		{"renamed", rule(base, "event load", "event pack"), guard, false},
		{"renamed, and the other one too", rule(base, "event load", "event pack", "event leave", "event go"), guard, false},
		{"renamed, and another one added", rule(base, load, rule(load, "event load", "event pack")+"  event audit\n  where\n    @a x > 0\n  end\n\n"), guard, false},
		{"renamed, and the other one copied", rule(base, load, rule(load, "event load", "event pack")+rule(leave, "event leave", "event go")), guard, false},
		{"copied", rule(base, load, load+second), guard, false},
		{"changed, and another one added", rule(base, load, both+"  event audit\n  where\n    @a x > 0\n  end\n\n"), guard, false},
		{"a guard moved", rule(base, "    @d x > 3\n", "", "    @a", "    @d x > 3\n    @a"), guard, false},
	} {
		for i, sides := range [][2]string{{test.ours, test.theirs}, {test.theirs, test.ours}} {
			r, err := merge.Text("m.eventb", []byte(base), []byte(sides[0]), []byte(sides[1]))
			if err != nil || (len(r.Conflicts) > 0) != test.conflict {
				t.Errorf("%s %d: %v, conflicts %q\n%s", test.name, i, err, r.Conflicts, r.Text)
			}
		}
	}
}

// TestSplitMachines divides a machine between two new ones on one side.
func TestSplitMachines(t *testing.T) {
	machine := func(name, more, inv string) string {
		return "machine " + name + "\n" + more + "variables x y\ninvariants\n  @x x ∈ ℤ\n  @y y ∈ ℤ\n" + inv + "  @s x < y\nevents\n  event INITIALISATION\n  then\n    @x x ≔ 0\n    @y y ≔ 1\n  end\nend\n\n"
	}
	base := machine("m", "", "  @h x ≠ 5\n")
	theirs := machine("m", "", "  @h x ≠ 6\n")
	for _, test := range []struct {
		name, ours string
		conflict   bool
	}{
		{"two halves", machine("a", "", "  @h x ≠ 5\n") + machine("b", "", "  @h x ≠ 5\n  @k y ≠ 7\n"), true},
		{"renamed", machine("a", "", "  @h x ≠ 5\n"), false},
		{"renamed, and refined", machine("a", "", "  @h x ≠ 5\n") + machine("b", "refines a\n", "  @k y ≠ 7\n"), false},
	} {
		for i, sides := range [][2]string{{test.ours, theirs}, {theirs, test.ours}} {
			r, err := merge.Text("m.eventb", []byte(base), []byte(sides[0]), []byte(sides[1]))
			if err != nil || (len(r.Conflicts) > 0) != test.conflict {
				t.Errorf("%s %d: %v, conflicts %q\n%s", test.name, i, err, r.Conflicts, r.Text)
			}
		}
	}
}
