package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// TestContradictions finds hypotheses that contradict each other where nothing leads there from the goal, and none in hypotheses
// that say a little less.
func TestContradictions(t *testing.T) {
	types := map[string]string{"P": "ℙ(S×ℙ(T))", "C": "ℙ(ℙ(S×ℙ(T)))", "V": "ℙ(T)", "f": "ℙ(ℙ(S×ℙ(T))×S×ℙ(T))", "h": "ℙ(S×ℙ(T))", "m": "ℤ"}
	for _, c := range []struct {
		name string
		hyps []string
		want prover.Verdict
	}{
		{"values of all relations", []string{"P=S×ℙ(V)", "C=ℙ(P)", "∀s,t·t⊆h(s)⇒s↦t∈P", "∀s·h(s)≠∅", "∀c,s,t,p·c∈C∧p∈c∧p=s↦t⇒f(c↦s)=t"}, prover.Vacuous},
		{"values of functions", []string{"P=S×ℙ(V)", "C=S⇸ℙ(V)", "∀s,t·t⊆h(s)⇒s↦t∈P", "∀s·h(s)≠∅", "∀c,s,t,p·c∈C∧p∈c∧p=s↦t⇒f(c↦s)=t"}, prover.Open},
	} {
		s, err := check.ReadSequent(types, c.hyps, nil, "m>0")
		if err != nil {
			t.Fatal(err)
		}
		if r := prover.Prove(s, prover.Options{Steps: 4_000_000}); r.Verdict != c.want || r.Uncertified > 0 {
			t.Errorf("%s: %v after %d steps, %v", c.name, r.Verdict, r.Steps, r.Refusal)
		}
	}
}
