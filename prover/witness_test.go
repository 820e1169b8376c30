package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// TestWitness proves that sets and functions exist that the goal describes, and not that others do.
func TestWitness(t *testing.T) {
	types := map[string]string{"r": "ℙ(S×S)", "p": "ℙ(S×T)", "f": "ℙ(S×T)", "s": "ℙ(S)", "v": "ℙ(T)"}
	const least = "∀s·s≠(∅⦂ℙ(S))⇒(∃x·x∈s∧(∀y·y∈s⇒x↦y∈r))"
	for _, c := range []struct {
		hyps    []string
		goal    string
		theorem bool
	}{
		{nil, "∃t·∀x·x∈t⇔x↦x∈r", true},
		{nil, "∃t⦂ℙ(S)·∀x·x∈t⇔x∉t", false},
		{nil, "∃q·r⊆q∧q;q⊆q", true},
		{nil, "∃q·r⊆q∧q=q∼", true},
		{[]string{"f∈s⤖v"}, "∃g⦂ℙ(T×S)·g∈v⤖s", true},
		{[]string{"f∈s↣v"}, "∃g⦂ℙ(T×S)·g∈v⤖s", false},
		{[]string{"∀x·x∈s⇒(∃y·y∈v∧x↦y∈p)"}, "∃g·g∈s→v∧g⊆p", true},
		{[]string{"∀x·x∈s⇒(∃y·x↦y∈p)"}, "∃g·g∈s→v∧g⊆p", false},
		{[]string{least}, "∃m·m∈ℙ1(S)→S∧(∀s,y·s∈ℙ1(S)∧s↦y∈m⇒y∈s∧(∀x·x∈s⇒y↦x∈r))", true},
		{[]string{least}, "∃m·m∈ℙ(S)→S∧(∀s,y·s↦y∈m⇒y∈s)", false},
	} {
		s, err := check.ReadSequent(types, c.hyps, nil, c.goal)
		if err != nil {
			t.Errorf("%s: %v", c.goal, err)
			continue
		}
		options := prover.Options{}
		if !c.theorem {
			options.Steps = 500_000
		}
		if r := prover.Prove(s, options); r.Uncertified > 0 || (r.Verdict == prover.Proved) != c.theorem {
			t.Errorf("%s ⊢ %s: %v after %d steps, %d refused", c.hyps, c.goal, r.Verdict, r.Steps, r.Uncertified)
		}
	}
}
