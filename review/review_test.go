package review_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/review"
)

// parse reads a text model.
func parse(t *testing.T, text string) []*lang.File {
	t.Helper()
	var problems diag.List
	f := lang.Parse("m.eventb", []byte(text), &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	return []*lang.File{f}
}

// thousand is a machine of 1,000 obligations: 24 events and the initialisation
// each keep 40 invariants.
func thousand() string {
	const events, variables = 24, 40
	var w strings.Builder
	w.WriteString("machine m\nvariables")
	for i := range variables {
		fmt.Fprintf(&w, " v%d", i)
	}
	w.WriteString("\ninvariants\n")
	for i := range variables {
		fmt.Fprintf(&w, "  @inv%d v%d ∈ ℕ\n", i, i)
	}
	w.WriteString("events\n")
	for e := range events + 1 {
		if e == 0 {
			w.WriteString("  event INITIALISATION\n  then\n")
		} else {
			fmt.Fprintf(&w, "  event e%d\n  where\n    @grd v0 < %d\n  then\n", e, e)
		}
		for i := range variables {
			if e == 0 {
				fmt.Fprintf(&w, "    @act%d v%d ≔ 0\n", i, i)
			} else {
				fmt.Fprintf(&w, "    @act%d v%d ≔ v%d + %d\n", i, i, i, e)
			}
		}
		w.WriteString("  end\n")
	}
	w.WriteString("end\n")
	return w.String()
}

// TestOneGuardOfThousand changes one guard: only the obligations of its event have
// another sequent, and all keep their proof. What is said hangs neither on a store nor
// on a lock that lies.
func TestOneGuardOfThousand(t *testing.T) {
	store := proofstore.OpenStore(t.TempDir())
	text := thousand()
	for _, opts := range []discharge.Options{{}, {Store: store}, {Store: store}} {
		old := side(t, parse(t, text))
		if len(old.Obligations) != 1000 {
			t.Fatalf("%d obligations", len(old.Obligations))
		}
		now := side(t, parse(t, strings.Replace(text, "@grd v0 < 7", "@grd v0 < 8", 1)))
		now.Lock = proofstore.NewLock([]verdict.Result{{Obligation: now.Obligations[0], Outcome: verdict.Outcome{Verdict: verdict.Refuted}}})
		opts.Steps = 200_000
		start := time.Now()
		r := review.Compare(context.Background(), "p", old, now, never, review.Options{Discharge: opts})
		t.Logf("reviewed in %v", time.Since(start))
		count := map[review.Fate]int{}
		unconfirmed := 0
		for _, o := range r.Obligations {
			count[o.Fate]++
			if !o.Is.Proved() || o.Is.Recorded {
				t.Errorf("%s: %v", o.New.Name, o.Is)
			}
			if o.Unconfirmed {
				unconfirmed++
			}
		}
		if count[review.Kept] != 40 || count[review.Same] != 960 || unconfirmed != 1 {
			t.Errorf("%v, %d lines of the lock unconfirmed", count, unconfirmed)
		}
		if len(r.Changes) != 1 || r.Changes[0].Effect != review.Weaker {
			t.Errorf("changes %v", r.Changes)
		}
	}
}

// TestDiff compares formulas; the marks say what only one of them has.
func TestDiff(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"x = 1 ∧ y = 2", "x = 1 ∧ y = 3", "x = 1 ∧ y = -2-+3+"},
		{"x = 1", "x = 1 ∧ y = 3", "-x = 1-+x = 1 ∧ y = 3+"},
		{"x = 1 ∧ y = 2 ∧ x < y", "x = 1 ∧ x < y", "x = 1 ∧ -y = 2- ∧ x < y"},
		{"∀z·z ∈ s ⇒ z < x", "∀z·z ∈ s ⇒ z < x + z", "∀z·z ∈ s ⇒ z < -x-+x + z+"},
		{"∀z·z ∈ s ⇒ z < x", "∀u·u ∈ s ⇒ u < x", ""},
		{"x ∗ (y + 1) = 2", "x ∗ 3 = 2", "x ∗ -(y + 1)-+3+ = 2"},
		{"s ∪ {x} ⊆ s", "s ∪ {x} ∪ {y} ⊆ s", "s ∪ {x} ∪ +{y}+ ⊆ s"},
		{"x = 1 ⇒ y = 2", "x = 1 ⇒ (y = 2 ∨ y = 3)", "x = 1 ⇒ -y = 2-+y = 2 ∨ y = 3+"},
		{"{z ∣ z ∈ s ∧ z > 1} = s", "{z ∣ z ∈ s ∧ z > 2} = s", "{z·z ∈ s ∧ z > -1-+2+ ∣ z} = s"},
	} {
		model := func(p string) string {
			return "machine m\nvariables x y s\ninvariants\n  @x x ∈ ℤ\n  @y y ∈ ℤ\n  @s s ⊆ ℤ\n  @inv " + p +
				"\nevents\n  event INITIALISATION\n  then\n    @a x, y, s :∣ ⊤\n  end\nend\n"
		}
		r := review.Compare(context.Background(), "p", side(t, parse(t, model(c.old))), side(t, parse(t, model(c.now))), never,
			review.Options{Discharge: discharge.Options{Steps: 1000, RefuteSteps: 1000}})
		got := ""
		for _, x := range r.Changes {
			for _, p := range x.Diff {
				sign := strings.TrimSpace(string(p.Sign))
				got += sign + p.Text + sign
			}
		}
		if got != c.want {
			t.Errorf("%s → %s: %q, want %q", c.old, c.now, got, c.want)
		}
	}
}

// TestRenamed renames identifiers of all kinds: the obligations are the same, and
// proved under their new names as they were.
func TestRenamed(t *testing.T) {
	text := "context c\nsets S\nconstants k\naxioms\n  @k k ∈ S\nend\nmachine m sees c\nvariables f n\ninvariants\n  @f f ∈ S ⇸ ℕ\n  @n n ∈ ℕ\nevents\n" +
		"  event INITIALISATION\n  then\n    @f f ≔ ∅\n    @n n ≔ 1\n  end\n  event e any x\n  where\n    @x x ∈ S\n  then\n    @f f ≔ f\ue103{x ↦ n}\n    @n n ≔ n + 1\n  end\nend\n"
	text = strings.ReplaceAll(text, "\ue103", "<+")
	old := side(t, parse(t, text))
	words := strings.NewReplacer(" f ", " load ", "≔ f<", "≔ load<", "variables f n", "variables load n", " x ", " who ", "{x", "{who", "any x\n", "any who\n",
		" n ", " number ", "↦ n}", "↦ number}", "load n\n", "load number\n", "sets S", "sets TASK", " S\n", " TASK\n", " S ⇸", " TASK ⇸")
	renamed := words.Replace(words.Replace(text))
	now := side(t, parse(t, renamed))
	r := review.Compare(context.Background(), "p", old, now, never, review.Options{Discharge: discharge.Options{Steps: 200_000}})
	for _, o := range r.Obligations {
		if o.Fate != review.Same || !o.Is.Proved() {
			t.Errorf("%s: %s, %s", o.Obligation().Name, o.Fate, o.Is.Verdict)
		}
	}
	if len(now.Obligations) < 4 {
		t.Errorf("only %d obligations in\n%s", len(now.Obligations), renamed)
	}
}
