package prover

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover/kernel"
)

// TestBackward counts the instances of hypotheses that conclude a goal, and proves the goals that
// follow from one: over sets, functions and variables that no term of a premise mentions.
func TestBackward(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "a": "ℙ(S)", "b": "ℙ(S)", "r": "ℙ(S×S)", "c": "ℙ(ℙ(S))", "f": "ℙ(ℤ×ℤ)"}
	for _, c := range []struct {
		hyp, goal string
		found     int
		proved    bool
	}{
		{"∀X⦂ℙ(S)·r[X]⊆X⇒a⊆X", "r[b]⊆b⇒a⊆b", 1, true},
		{"∀X⦂ℙ(S)·r[X]⊆X⇒a⊆X", "r[{x·x∈a∧x∈b∣x}]⊆{x·x∈a∧x∈b∣x}⇒a⊆{x·x∈a∧x∈b∣x}", 1, true},
		{"∀X⦂ℙ(S)·X∈c⇒(∀Y⦂ℙ(S)·Y⊆X⇒X∖Y∈c)", "∀u⦂ℙ(S),v⦂ℙ(S)·u∈c∧v⊆u⇒u∖v∈c", 1, true},
		{"∀X⦂ℙ(S)·X∈c⇒X∪a∈c∧X∩a∈c", "b∈c⇒b∩a∈c∧b∪a∈c", 2, true},
		{"∀x,y·x>y⇒f(x)>0", "f(1)>0", 0, true},
		{"∀x·x>0⇒{y·y>x∣y}=f[{x}]", "∀z·{y·y>z∣y}=f[{z}]", 1, false},
		{"∀x·x>0⇒f(x)=0", "∀y·{z·f(z)=y∣z}={z·f(z)=0∣z}", 0, false},
	} {
		s, err := check.ReadSequent(types, []string{c.hyp}, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		s = s.Bare()
		steps := backward(s)
		found := 0
		for _, step := range steps {
			if _, err := kernel.ClauseOf(s, step); err != nil {
				t.Errorf("%s: %v", c.goal, err)
			}
			if step.Kind == kernel.Hyp {
				found++
			}
		}
		if found != c.found {
			t.Errorf("%s: %d instances, want %d", c.goal, found, c.found)
		}
		if r := Prove(s, Options{Steps: 1_000_000}); (r.Verdict != Open) != c.proved {
			t.Errorf("%s: %v after %d steps", c.goal, r.Verdict, r.Steps)
		}
	}
}

// TestSupporting proves a goal that a hypothesis concludes once a definition is read, among hypotheses about the same identifiers
// that do not help: those are found that say of the same what its premises say.
func TestSupporting(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "size": "ℙ(S×ℤ)", "area": "ℙ(S×ℙ(ℤ))", "mine": "ℙ(ℤ)", "p": "S", "q": "S", "least": "ℤ", "next": "ℙ(S×S)", "used": "ℙ(S)"}
	s, err := check.ReadSequent(types, []string{
		0: "∀x,y·x∈used∧y∈used∧size(x)+size(y)≤least⇒area(x)∩area(y)=∅",
		1: "size∈S→ℤ",
		2: "area∈S→ℙ(ℤ)",
		3: "∀x·x∈S⇒size(x)+size(next(x))≤least",
		4: "next∈S→S",
		5: "mine=area(p)",
		6: "q=next(p)",
		7: "p∈used",
		8: "q∈used",
		9: "least≥0",
	}, nil, "mine∩area(q)=∅")
	if err != nil {
		t.Fatal(err)
	}
	s = s.Bare()
	if got, want := supporting(newNeighbourhood(s)), []int{0, 7, 8, 3}; !slices.Equal(got, want) {
		t.Errorf("supporting: %v, want %v", got, want)
	}
	if r := Prove(s, Options{Steps: 1_000_000}); r.Verdict != Proved {
		t.Errorf("%v after %d steps", r.Verdict, r.Steps)
	}
}
