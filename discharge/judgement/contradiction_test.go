package judgement_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/scaled"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// The models that spare searches change no answer: what is found of several developments
// together is what a search of each assumption by itself finds.
func TestContradictions(t *testing.T) {
	const text = `context c
constants k
axioms
  @k k ∈ 2 ‥ 4
end

machine m sees c
variables n
invariants
  @n n ∈ 0 ‥ 5
events
  event INITIALISATION
  then
    @n n ≔ 0
  end

  event up
  where
    @g n < k
  then
    @n n ≔ n + 1
  end

  event never
  where
    @g n > k + 3
  then
    @n n ≔ 0
  end
end

machine r refines m sees c
variables n p
invariants
  @p p ∈ BOOL
  @q p = TRUE ⇒ n = 0
events
  event INITIALISATION extends INITIALISATION
  then
    @p p ≔ TRUE
  end

  event up extends up
  where
    @more p = FALSE
  end

  event lost extends up
  where
    @more p = TRUE ∧ n > 0
  end
end
`
	var devs []*model.Development
	for _, change := range [][2]string{{"", ""}, {"n > k + 3", "n > 4"}, {"k ∈ 2 ‥ 4", "k ∈ 4 ‥ 2"}, {"@q p = TRUE ⇒ n = 0", "@q n < 0"}, {"n < k", "n < k ∧ 1 = 2"}} {
		var problems diag.List
		source := text
		if change[0] != "" {
			source = strings.Replace(text, change[0], change[1], 1)
		}
		devs = append(devs, check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(source), &problems)}, &problems))
		if problems.HasErrors() {
			t.Fatal(problems.Sorted())
		}
	}
	every := func(model.Component) bool { return true }
	var premises []judgement.Premises
	for _, dev := range devs {
		premises = append(premises, judgement.Premises{Dev: dev})
	}
	together := judgement.ContradictionsOf(context.Background(), premises, every, discharge.Options{})
	found := 0
	for i, dev := range devs {
		whole := map[model.Component]bool{}
		want := ""
		all := judgement.Assumptions(judgement.Premises{Dev: dev})
		discharge.Run(context.Background(), len(all), func(i int) logic.Sequent { return all[i].Sequent }, discharge.Options{Steps: 200_000}, func(i int, o verdict.Outcome) {
			if o.Verdict.Holds() && !whole[all[i].Of] {
				whole[all[i].Of] = all[i].Event == nil
				want += judgement.Contradiction{Assumption: all[i]}.Path() + " "
			}
		})
		got := ""
		for _, c := range together[i] {
			got += c.Path() + " "
			found++
		}
		alone := ""
		for _, c := range judgement.Contradictions(context.Background(), judgement.Premises{Dev: dev}, every, discharge.Options{}) {
			alone += c.Path() + " "
		}
		if got != want || alone != want {
			t.Errorf("development %d: together %q, alone %q, want %q", i, got, alone, want)
		}
	}
	if found < 5 {
		t.Errorf("%d contradictions: the test sees too few", found)
	}
}

// TestModelsSpareSearches: only what nothing builds on is searched. Its models are models of the
// rest, which is compared with few of them, so that the work grows as the components do.
func TestModelsSpareSearches(t *testing.T) {
	for _, shape := range scaled.Shapes {
		var searched, made []int
		for _, n := range []int{45, 90, 180} {
			var problems diag.List
			var files []*lang.File
			for _, f := range scaled.Files(shape, n) {
				files = append(files, lang.Parse(f.Name, []byte(f.Text), &problems))
			}
			premises := judgement.Premises{Dev: check.Development("p", files, &problems)}
			if problems.HasErrors() {
				t.Fatal(problems.Sorted())
			}
			var count atomic.Int64
			opts := discharge.Options{Found: func(*answer.Answer) { count.Add(1) }}
			if found := judgement.Contradictions(context.Background(), premises, func(model.Component) bool { return true }, opts); len(found) > 0 {
				t.Errorf("%s: %s contradicts itself", shape, found[0].Path())
			}
			searched, made = append(searched, int(count.Load())), append(made, len(judgement.Assumptions(premises)))
		}
		t.Logf("%s: %d assumptions, %d searched", shape, made, searched)
		for i := range searched {
			if last := 3*i + 1; shape != scaled.Hub && searched[i] > made[i]/2+last {
				t.Errorf("%s: %d of %d assumptions were searched", shape, searched[i], made[i])
			}
			if i > 0 && searched[i] > 2*searched[i-1]+3 {
				t.Errorf("%s: twice the components need %d searches, not twice %d", shape, searched[i], searched[i-1])
			}
		}
	}
}

// TestCore finds the predicates that contradict each other, and no other ones.
func TestCore(t *testing.T) {
	const source = `context fleet
constants trucks drivers shifts depots
axioms
  @a1 trucks ∈ 1‥40
  @a2 drivers ∈ 1‥60
  @a3 shifts = 3
  @a4 depots ∈ 1‥5
  @a5 drivers = trucks∗shifts
  @a6 trucks > 20
end
machine m
variables x y
invariants
  @x x ∈ 0‥9
  @y y ∈ 0‥9
  @big x + y > 5
events
  event INITIALISATION
  then
    @a x, y ≔ 3, 3
  end
  event never
  where
    @one x = 1
    @two y = 2
    @idle 1 = 1
  end
end
`
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(source), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	want := map[string]string{"fleet": "a2 a3 a5 a6", "m/never": "big one two"}
	for _, c := range judgement.Contradictions(t.Context(), judgement.Premises{Dev: dev}, func(model.Component) bool { return true }, discharge.Options{}) {
		var got []string
		for _, p := range c.Core {
			got = append(got, p.Label)
		}
		if strings.Join(got, " ") != want[c.Path()] {
			t.Errorf("%s: %v, want %s", c.Path(), got, want[c.Path()])
		}
		delete(want, c.Path())
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
