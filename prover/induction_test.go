package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// TestInductionOn proves what takes induction on the one variable on which a function is recursive,
// the first one of the goal.
func TestInductionOn(t *testing.T) {
	types := map[string]string{"p": "ℙ(ℤ×ℤ×ℤ)"}
	hyps := []string{"p∈ℤ×ℕ→ℕ", "∀x·p(x↦0)=1", "∀x,n·n≥0⇒p(x↦n+1)=2∗p(x↦n)"}
	s, err := check.ReadSequent(types, hyps, []int{0, 1, 2}, "∀n,x·n≥0∧x≥0⇒p(x↦n)>n")
	if err != nil {
		t.Fatal(err)
	}
	res := prover.Prove(s, prover.Options{Steps: 4_000_000})
	t.Logf("%v, %d steps", res.Verdict, res.Steps)
	if last := res.Tried[len(res.Tried)-1]; res.Verdict != prover.Proved || last.Strategy != "induction" {
		t.Errorf("%v by %s", res.Verdict, last.Strategy)
	}
}

// TestInductionOnProducts proves what unfolds a function in sums of two variables, and multiplies what is known of it.
func TestInductionOnProducts(t *testing.T) {
	types := map[string]string{"p": "ℙ(ℤ×ℤ×ℤ)"}
	hyps := []string{"p∈ℕ×ℕ→ℕ", "∀x·x∈ℕ⇒p(x↦0)=1", "∀x,n·x∈ℕ∧n≥0⇒p(x↦n+1)=x∗p(x↦n)"}
	s, err := check.ReadSequent(types, hyps, []int{0, 1, 2}, "∀i,j,x·x≥0∧i≥0∧j≥0⇒p(x↦i+j)=p(x↦i)∗p(x↦j)")
	if err != nil {
		t.Fatal(err)
	}
	if res := prover.Prove(s, prover.Options{}); res.Verdict != prover.Proved {
		t.Errorf("%v after %d steps", res.Verdict, res.Steps)
	}
}

// TestInduction proves what needs induction on a variable of the goal, and not what is false of
// its last step only.
func TestInduction(t *testing.T) {
	types := map[string]string{"f": "ℙ(ℤ×ℤ)", "m": "ℤ", "c0": "ℤ", "S": "ℙ(S)", "g": "ℙ(ℙ(S)×ℤ)", "c": "ℙ(ℙ(S))", "p": "ℙ(ℤ×ℤ×ℤ)", "a": "ℙ(ℤ)", "h": "ℙ(ℤ×S)", "t": "ℙ(S)", "w": "ℙ(S×ℤ)", "q": "ℙ(ℤ×ℙ(S))", "u": "ℙ(S)"}
	for _, c := range []struct {
		name string
		hyps []string
		goal string
		want prover.Verdict
	}{
		{"constant", []string{"f∈ℕ→ℤ", "f(0)=3", "∀n·n∈ℕ⇒f(n+1)=f(n)"}, "∀n·n≥0⇒f(n)=3", prover.Proved},
		{"sums", []string{"f∈ℕ→ℕ", "f(0)=0", "∀n·n∈ℕ⇒f(n+1)=f(n)+n+1"}, "∀n·n∈ℕ⇒2∗f(n)=n∗(n+1)", prover.Proved},
		{"increasing", []string{"m∈ℕ", "f∈0‥m→ℤ", "∀i·i∈0‥m−1⇒f(i)≤f(i+1)"}, "∀j·j∈0‥m⇒f(0)≤f(j)", prover.Proved},
		{"all before", []string{"f∈ℕ→ℕ", "f(0)=0", "∀n·n≥1⇒f(n)=f(n÷2)+1"}, "∀n·n≥0⇒f(n)≤n", prover.Proved},
		{"sets", []string{"(∅⦂ℙ(S))∈c", "∀s,x·s∈c⇒s∪{x}∈c"}, "∀s·finite(s)⇒s∈c", prover.Proved},
		{"sums over sets", []string{"g∈ℙ(S)→ℤ", "g(∅⦂ℙ(S))=0", "∀s,x·x∉s⇒g(s∪{x})=g(s)+2"}, "∀s·finite(s)⇒g(s)=2∗card(s)", prover.Proved},
		{"products", []string{"p∈ℕ×ℕ→ℕ", "∀x·x∈ℕ⇒p(x↦0)=1", "∀x,n·x∈ℕ∧n≥0⇒p(x↦n+1)=x∗p(x↦n)"}, "∀x,n·x≥2∧n≥0⇒p(x↦n)>n", prover.Proved},
		{"one step back", []string{"p∈ℕ×ℕ→ℕ", "∀x,n·x∈ℕ∧n≥0⇒p(x↦n+1)=x∗p(x↦n)", "m≥1", "c0≥1"}, "p(c0↦m) mod c0=0", prover.Proved},
		{"constants", []string{"m∈ℕ", "0∈a", "∀i·i∈a⇒i+1∈a"}, "m∈a", prover.Proved},
		{"constants that functions end at", []string{"m∈ℕ", "h∈0‥m→S", "h(0)∈t", "∀i·i∈0‥m−1∧h(i)∈t⇒h(i+1)∈t"}, "h(m)∈t", prover.Proved},
		{"two of three variables", []string{"m∈ℕ", "f∈0‥m→ℕ", "∀i·i∈0‥m−1⇒f(i)<f(i+1)"}, "∀i,j·i∈0‥m∧j∈0‥m∧i<j⇒f(i)<f(j)", prover.Proved},
		{"removed from a sum", []string{"g∈ℙ(S)→ℤ", "w∈S→ℕ", "g(∅⦂ℙ(S))=0", "∀s,x·finite(s)∧x∉s⇒g(s∪{x})=g(s)+w(x)"}, "∀s,x·finite(s)∧x∈s⇒g(s)≥w(x)", prover.Proved},
		{"all numbers", nil, "∀s·s⊆ℕ∧0∈s∧(∀n·n∈s⇒n+1∈s)⇒ℕ⊆s", prover.Proved},
		{"a set of numbers", []string{"a⊆ℕ", "0∈a", "∀i·i∈a⇒i+1∈a"}, "a=ℕ", prover.Proved},
		{"numbers up to m", []string{"m∈ℕ", "0∈a", "∀i·i∈a∧i<m⇒i+1∈a"}, "0‥m⊆a", prover.Proved},
		{"quantifiers in the goal", []string{"q∈ℕ⇸ℙ(S)", "∀y·y∈q(0)⇒y∈t", "∀n·n∈ℕ⇒q(n+1)⊆q(n)∪u"}, "∀i·i∈ℕ⇒(∀y·y∈q(i)⇒y∈t)", prover.Open},
		{"all but one number", []string{"a⊆ℕ", "1∈a", "∀i·i∈a⇒i+1∈a"}, "a=ℕ", prover.Open},
		{"last number too far", []string{"m∈ℕ", "0∈a", "∀i·i∈a∧i<m−1⇒i+1∈a"}, "m∈a", prover.Open},
		{"infinite sets", []string{"(∅⦂ℙ(S))∈c", "∀s,x·s∈c⇒s∪{x}∈c"}, "∀s·s∈c", prover.Open},
		{"false step", []string{"m∈ℕ", "f∈0‥m→ℤ", "∀i·i∈0‥m−2⇒f(i)≤f(i+1)"}, "∀j·j∈0‥m⇒f(0)≤f(j)", prover.Open},
	} {
		s, err := check.ReadSequent(types, c.hyps, []int{0, 1}[:min(2, len(c.hyps))], c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		res := prover.Prove(s, prover.Options{Steps: 6_000_000})
		t.Logf("%s: %v, %d steps", c.name, res.Verdict, res.Steps)
		if res.Verdict != c.want || res.Uncertified > 0 {
			t.Errorf("%s: %v, %v", c.name, res.Verdict, res.Refusal)
		}
	}
}
