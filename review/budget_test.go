package review_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/gate"
)

// hard is a machine with so many theorems that no search decides, and as many easy ones.
func hard(n int) string {
	var out strings.Builder
	out.WriteString("machine m\nvariables a b c n\ninvariants\n  @a a ∈ ℕ1\n  @b b ∈ ℕ1\n  @c c ∈ ℕ1\n  @n n ∈ ℕ\n")
	for i := range n {
		fmt.Fprintf(&out, "  theorem @hard%d n > %d ⇒ a ^ n + b ^ n ≠ c ^ n\n  theorem @easy%d a + %d > 0\n", i, n-i+2, i, i)
	}
	return out.String() + "events\n  event INITIALISATION\n  then\n    @i a, b, c, n ≔ 1, 1, 1, 1\n  end\nend\n"
}

// TestBudget reviews many obligations that no search decides. All searches of a review together end after about as many
// steps as one of gradine prove; what ended early is counted, with and without a store.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("searches some 30 million steps")
	}
	for _, opts := range []discharge.Options{{}, {Store: proofstore.OpenStore(t.TempDir())}} {
		opts.RefuteSteps = 20_000
		empty, now := side(t, nil), side(t, parse(t, hard(40)))
		r := review.Compare(context.Background(), "p", empty, now, never, review.Options{Discharge: opts, Budget: review.NewBudget(0)})
		var steps int64
		open := 0
		for _, o := range r.Obligations {
			name := o.New.Name
			switch {
			case strings.HasPrefix(name, "easy") && (!o.Is.Proved() || o.Brief != 0):
				t.Errorf("%s: %s, brief %d", name, o.Is.Verdict, o.Brief)
			case strings.HasPrefix(name, "hard") && strings.HasSuffix(name, "/THM"):
				open++
				if o.Is.Verdict != verdict.Open || o.Brief == 0 {
					t.Errorf("%s: %s, brief %d", name, o.Is.Verdict, o.Brief)
				}
			}
			steps += o.Is.Steps
		}
		touched, same := r.Brief()
		if open != 40 || touched != open || same != 0 {
			t.Errorf("%d open, %d and %d searched briefly", open, touched, same)
		}
		if steps > 2*prover.DefaultSteps {
			t.Errorf("%d steps in all", steps)
		}
	}
}

// TestBudgetOfSettings: the budget is that of one search of the project, whatever that is. What a lock claims is searched as
// long as gradine prove would, so that nothing looks unconfirmed because a search was brief.
func TestBudgetOfSettings(t *testing.T) {
	const steps = 30_000
	compare := func(lock bool, budget *review.Budget) *review.Review {
		empty, now := side(t, nil), side(t, parse(t, hard(4)))
		if now.Steps = steps; lock {
			var results []verdict.Result
			for _, o := range now.Obligations {
				if o.Name == "hard0/THM" {
					results = append(results, verdict.Result{Obligation: o, Outcome: verdict.Outcome{Verdict: verdict.Vacuous}})
				}
			}
			now.Lock = proofstore.NewLock(results)
		}
		return review.Compare(t.Context(), "p", empty, now, never, review.Options{Discharge: discharge.Options{RefuteSteps: 1_000}, Budget: budget})
	}
	briefly := func(r *review.Review) (out []string) {
		for _, o := range r.Obligations {
			if o.Brief > 0 {
				out = append(out, o.New.Name)
			}
		}
		return out
	}
	for _, x := range []struct {
		what   string
		lock   bool
		budget *review.Budget
		want   string
	}{
		{"share", false, review.NewBudget(steps), "hard0/THM hard1/THM hard2/THM hard3/THM"},
		{"enough for all", false, review.NewBudget(4 * steps), ""},
		{"thorough", false, review.ThoroughBudget(steps), ""},
		{"claimed", true, review.NewBudget(steps), "hard1/THM hard2/THM hard3/THM"},
	} {
		r := compare(x.lock, x.budget)
		if got := strings.Join(briefly(r), " "); got != x.want {
			t.Errorf("%s: searched briefly: %s, want %s", x.what, got, x.want)
		}
		if x.lock && r.Unconfirmed() != 1 {
			t.Errorf("%s: %d unconfirmed", x.what, r.Unconfirmed())
		}
	}
}

// TestBudgetOfContradictions: no search decides whether the invariants contradict each other. One that ends early is no answer,
// so that the gate does not pass, unless both revisions have the invariants.
func TestBudgetOfContradictions(t *testing.T) {
	machine := func(n int) string {
		return fmt.Sprintf("machine m\nvariables a b c n\ninvariants\n  @a a ∈ ℕ1\n  @b b ∈ ℕ1\n  @c c ∈ ℕ1\n  @n n > %d\n  @f a ^ n + b ^ n = c ^ n\n"+
			"events\n  event INITIALISATION\n  then\n    @i a, b, c, n :∣ a' = b'\n  end\nend\n", n)
	}
	gates, err := gate.Parse("contradiction")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what           string
		was            int
		steps          int64
		brief, besides string
	}{
		{"changed", 3, 8_000, "m", "m"},
		{"as before", 2, 8_000, "", "m"},
		{"copied", 2, 8_000, "copy", "m"}, // what it assumes is not new, but that it does so is
		{"enough", 3, prover.DefaultSteps, "", ""},
	} {
		text := machine(2)
		if x.what == "copied" {
			text += strings.Replace(text, "machine m", "machine copy", 1)
		}
		old, now := side(t, parse(t, machine(x.was))), side(t, parse(t, text))
		r := review.Compare(t.Context(), "p", old, now, never, review.Options{Discharge: discharge.Options{Steps: 1_000, RefuteSteps: 1_000}, Budget: review.NewBudget(x.steps)})
		if got := strings.Join(r.BriefAssumptions, " "); got != x.brief {
			t.Errorf("%s: searched briefly: %q, want %q", x.what, got, x.brief)
		}
		if got := strings.Join(r.BriefBefore, " "); got != x.besides {
			t.Errorf("%s: besides searched briefly: %q, want %q", x.what, got, x.besides)
		}
		if blind := gates[0].Blind(r) != ""; blind != (x.brief != "") {
			t.Errorf("%s: the gate is blind: %t", x.what, blind)
		}
	}
}

// TestOldContradictions: contradictions that the budget ended the search for at the old revision are not new at the other one,
// and each is told once.
func TestOldContradictions(t *testing.T) {
	machine := func(more string, names ...string) string {
		text := "machine m\nevents\n  event INITIALISATION\n  end\n"
		for i, name := range names {
			// Four pigeons in three holes.
			text += "  event " + name + " any p where\n    @f p ∈ 1‥4 → 1‥3\n    @i ∀x,y· x ∈ 1‥4 ∧ y ∈ 1‥4 ∧ x ≠ y ⇒ p(x) ≠ p(y)\n    @k " + fmt.Sprintf("%d = %[1]d", i) + more + "\n  end\n"
		}
		return text + "end\n"
	}
	old, now := side(t, parse(t, machine("", "one", "two", "three"))), side(t, parse(t, machine(" ∧ p(1) ≥ 1", "one", "two")))
	r := review.Compare(t.Context(), "p", old, now, never, review.Options{Budget: review.NewBudget(240_000)})
	if len(r.BriefBefore) == 0 {
		t.Fatal("the search at the old revision was not brief")
	}
	var got []string
	for _, c := range r.Contradictions {
		got = append(got, fmt.Sprint(c.Path(), " ", c.What))
	}
	if want := []string{"m/one as before", "m/two as before", "m/three gone"}; !slices.Equal(got, want) {
		t.Errorf("contradictions %q, want %q", got, want)
	}
}
