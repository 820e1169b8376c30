package judgement_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
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
