package infer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
)

// guessed reads a development. The invariants of its last machine whose labels
// begin with C are taken out, as candidates whose rule is that label.
func guessed(t testing.TB, src string) (*model.Development, *model.Machine, []infer.Candidate) {
	t.Helper()
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(src), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	at := len(dev.Machines) - 1
	m := *dev.Machines[at]
	dev.Machines[at] = &m
	var candidates []infer.Candidate
	own := m.Invariants
	m.Invariants = nil
	for _, p := range own {
		if strings.HasPrefix(p.Label, "C") {
			candidates = append(candidates, infer.Candidate{Rule: p.Label, Term: p.Term})
		} else {
			m.Invariants = append(m.Invariants, p)
		}
	}
	return dev, &m, candidates
}

// outcome says what was kept, and what fell in which round.
func outcome(t testing.TB, src string, opts infer.Options) string {
	t.Helper()
	dev, m, candidates := guessed(t, src)
	r, err := infer.Check(context.Background(), dev, m, candidates, opts)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, k := range r.Kept {
		kept = append(kept, k.Rule)
	}
	rounds := make([][]string, r.Rounds)
	for _, k := range r.Killed {
		rounds[k.Round-1] = append(rounds[k.Round-1], k.Rule)
	}
	var b strings.Builder
	fmt.Fprintln(&b, "kept", strings.Join(kept, " "))
	for i, names := range rounds {
		slices.Sort(names)
		fmt.Fprintln(&b, i+1, strings.Join(names, " "))
	}
	for _, l := range r.Fallen {
		fmt.Fprintln(&b, "fallen", l)
	}
	for _, l := range r.Dead {
		fmt.Fprintln(&b, "dead", l)
	}
	return b.String()
}

// cycle is the program of figure 4 of Betts et al.
const cycle = `
machine cycle
variables i x y z
invariants
  @ti i ∈ ℤ
  @tx x ∈ ℤ
  @ty y ∈ ℤ
  @tz z ∈ ℤ
  @C0 i = 0
  @C1 i ≠ 0
  @C2 0 ≤ i
  @C3 0 < i
  @C4 i < 10000
  @C5 i ≤ 10000
  @C6 x ≠ y%s
events
  event INITIALISATION then @i i ≔ 0 @x x ≔ 1 @y y ≔ 2 @z z ≔ 3 end
  event body where @g i < 10000 then @x x ≔ y @y y ≔ z @z z ≔ x @i i ≔ i + 1 end
end`

// The candidates of figure 4 fall in the rounds in which they fall there.
func TestFigure4(t *testing.T) {
	want := "kept C2 C5\n1 C1 C3\n2 C0 C6\n3 C4\n4 \n"
	if diff := cmp.Diff(want, outcome(t, fmt.Sprintf(cycle, ""), infer.Options{})); diff != "" {
		t.Error(diff)
	}
	want = "kept C2 C5 C6 C7 C8\n1 C1 C3\n2 C0\n3 C4\n4 \n"
	if diff := cmp.Diff(want, outcome(t, fmt.Sprintf(cycle, "\n  @C7 x ≠ z\n  @C8 y ≠ z"), infer.Options{})); diff != "" {
		t.Error(diff)
	}
}

// An event whose guards contradict each other proves nothing, and one that a kept
// candidate rules out does.
func TestVacuity(t *testing.T) {
	src := `
machine m
variables x y
invariants
  @tx x ∈ ℤ
  @ty y ∈ ℤ
  @C1 y = 0
  @C2 x ≤ 3
  @C3 x ≥ 0
events
  event INITIALISATION then @x x ≔ 0 @y y ≔ 0 end
  event never where @a x > 5 @b x < 2 then @y y ≔ 1 end
  event up where @g x < 3 then @x x ≔ x + 1 end
  event over where @g x > 3 then @x x ≔ −1 end
end`
	want := "kept C2 C3\n1 C1\n2 \ndead never\n"
	if diff := cmp.Diff(want, outcome(t, src, infer.Options{})); diff != "" {
		t.Error(diff)
	}
}

// Nothing is kept that rests on an invariant that does not hold.
func TestFallenInvariant(t *testing.T) {
	src := `
machine m
variables x y
invariants
  @tx x ∈ ℤ
  @false x ≤ 1
  @C1 y ≤ 1
  @C2 y ∈ {0} ∪ {x}
  @C3 y ≥ 0
  @C4 x ≥ 0
events
  event INITIALISATION then @x x ≔ 0 @y y ≔ 0 end
  event up then @x x ≔ x + 1 @y y ≔ x end
end`
	want := "kept C3 C4\n1 C2\n2 C1\n3 \nfallen false\n"
	if diff := cmp.Diff(want, outcome(t, src, infer.Options{})); diff != "" {
		t.Error(diff)
	}
}

// What is kept is certified by the obligations of a machine that has it.
func TestCertificates(t *testing.T) {
	dev, m, candidates := guessed(t, fmt.Sprintf(cycle, ""))
	r, err := infer.Check(context.Background(), dev, m, candidates, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range r.Kept {
		got = append(got, fmt.Sprintf("%s %d %v", text.Readable(dev.Bank, k.Term), len(k.Certificates), k.Uses))
	}
	if diff := cmp.Diff([]string{"0 ≤ i 2 []", "i ≤ 10000 2 []"}, got); diff != "" {
		t.Error(diff)
	}
	for _, k := range r.Killed {
		if k.Why == "" || k.Obligation == nil {
			t.Errorf("%s fell for no reason", k.Rule)
		}
	}
}

// What an open theorem or ill-defined invariant of the machine lacks stands before it.
func TestBefore(t *testing.T) {
	for _, src := range []string{`
machine early variables x invariants @tx x ∈ ℤ theorem @low 0 ≤ x
events event INITIALISATION then @x x ≔ 0 end
event up then @x x ≔ x + 1 end end`, `
machine early variables f x invariants @tx x ∈ ℤ @tf f ∈ ℤ ↔ ℤ @low f = ∅ ∨ f(1) = x
events event INITIALISATION then @x x ≔ 0 @f f ≔ {1 ↦ 0} end
event up then @x x ≔ x + 1 @f f ≔ {1 ↦ x + 1} end end`} {
		dev, m, _ := guessed(t, src)
		r, err := infer.Infer(context.Background(), dev, m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		open := slices.ContainsFunc(r.Open, func(x infer.Target) bool { return !x.Closed })
		if r.Before == nil || r.Before.Label != "low" || open {
			t.Errorf("before %v: %v", r.Before, r.Open)
		}
	}
}
