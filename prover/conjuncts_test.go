package prover

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// TestConjuncts proves goals part by part, and not if one part is false.
func TestConjuncts(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "f": "ℙ(S×ℤ)", "s": "ℙ(S)"}
	hyps := []string{"f∈s→ℤ", "∀x·x∈s⇒f(x)>2"}
	for _, c := range []struct {
		name, goal string
		want       bool
	}{
		{"two", "∀x·x∈s⇒x∈dom(f)∧f(x)≥3", true},
		{"each by the one before", "∀x·x∈s⇒f(x)≥3∧f(x)∗f(x)≥9∧(f(x)+1)∗f(x)≥12", true},
		{"nested", "s⊆dom(f)∧(∀x·x∈s⇒(f(x)≥0⇒f(x)≥1∧f(x)≠2))", true},
		{"sets apart", "∃t·partition(t,{x∣x∈s∧f(x)=3},{x∣x∈s∧f(x)>4},S∖s)", true},
		{"sets that meet", "∃t·partition(t,{x∣x∈s∧f(x)<6},{x∣x∈s∧f(x)>4},S∖s)", false},
		{"below premises", "∀x·x∈s⇒(x∈dom(f)∧f(x)≥3)∧(∀y·y∈s∧f(y)>f(x)⇒f(y)≥4∧f(y)∗f(x)≥12)", true},
		{"false below premises", "∀x·x∈s⇒x∈dom(f)∧(∀y·y∈s∧f(y)>f(x)⇒f(y)≥4∧f(x)∗f(y)≥13)", false},
		{"last is false", "∀x·x∈s⇒x∈dom(f)∧f(x)≥4", false},
		{"first is false", "f[s]⊆ℕ∧s≠∅", false},
		{"one", "∀x·x∈s⇒f(x)≥3", false},
	} {
		s, err := check.ReadSequent(types, hyps, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r := Result{Sequent: s.Bare()}
		if got := r.conjuncts(strategy{name: "conjuncts"}, Options{}, 300_000); got != c.want || r.Uncertified > 0 || (r.Verdict == Proved) != c.want {
			t.Errorf("%s: %v, %v after %d steps: %v", c.name, got, r.Verdict, r.Steps, r.Refusal)
		}
	}
}

// TestConjunctsOfParts grants no more of a part of a sequent than is known of the sequent: without
// x∈dom(f), nothing follows of f(x).
func TestConjunctsOfParts(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "f": "ℙ(S×ℤ)", "x": "S"}
	s, err := check.ReadSequent(types, []string{"f(x)>2"}, nil, "x∈dom(f)∧f(x)>1")
	if err != nil {
		t.Fatal(err)
	}
	for _, undefined := range []bool{false, true} {
		r := Result{Sequent: s.Bare()}
		if got := r.conjuncts(strategy{name: "conjuncts"}, Options{Undefined: func(int) bool { return undefined }}, 100_000); got == undefined || r.Uncertified > 0 {
			t.Errorf("not known to be well-defined %v: %v, %v", undefined, got, r.Refusal)
		}
	}
}
