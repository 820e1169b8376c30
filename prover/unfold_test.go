package prover

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// TestUnfolded proves of relations what follows from their definitions, and nothing that does not.
func TestUnfolded(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "T": "ℙ(T)", "r": "ℙ(S×S)", "q": "ℙ(T×T)", "o": "ℙ(S×T×(S×T))", "F": "ℙ(ℙ(ℤ×S))", "w": "ℙ(ℙ(ℤ×S)×ℙ(ℤ×S))"}
	const (
		order = "r∈S↔S"
		total = "S×S⊆r∪r∼∪id"
		pairs = "∀a,b,c,d·a↦b↦(c↦d)∈o⇔a↦c∈r∨(a=c∧b↦d∈q)"
		step  = "∀a,b,c,d,e,f·a↦b↦(c↦d)∈o∧c↦d↦(e↦f)∈o⇒a↦b↦(e↦f)∈o"
		words = "F={f·∃n·n≥0∧f∈1‥n→S∣f}"
		first = "∀f,n,g,m·f∈1‥n→S∧g∈1‥m→S⇒(f↦g∈w⇔(f⊈g⇒(∃i·i∈dom(f)∧i∈dom(g)∧(∀j·j∈1‥i−1⇒f(j)=g(j))∧f(i)↦g(i)∈r)))"
	)
	for _, c := range []struct {
		name string
		hyps []string
		goal string
		want bool
	}{
		{"pairs, transitive", []string{order, "r;r⊆r", "q;q⊆q", pairs}, step, true},
		{"pairs, not transitive", []string{order, "q;q⊆q", pairs}, step, false},
		{"pairs, total", []string{order, total, "T×T⊆q∪q∼∪id", pairs}, "∀x,y·x∈S×T∧y∈S×T∧x≠y⇒x↦y∈o∨y↦x∈o", true},
		{"pairs, not total", []string{order, total, pairs}, "∀x,y·x∈S×T∧y∈S×T∧x≠y⇒x↦y∈o∨y↦x∈o", false},
		{"words, total", []string{order, total, words, "w∈F↔F", first}, "F×F⊆w∪w∼", true},
		{"words, not total", []string{order, words, "w∈F↔F", first}, "F×F⊆w∪w∼", false},
		{"no definition", []string{order, "r;r⊆r"}, "r;r;r⊆r", false},
	} {
		s, err := check.ReadSequent(types, c.hyps, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r := begin(s)
		by := strategy{name: "unfolded", by: unfolding, parts: meanings}
		if got := r.unfolded(by, Options{}, 800_000); got != c.want || r.Uncertified > 0 || (r.Verdict == Proved) != c.want {
			t.Errorf("%s: %v, %v after %d steps: %v", c.name, got, r.Verdict, r.Steps, r.Refusal)
		}
	}
}
