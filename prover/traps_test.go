package prover_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/refute"
)

// TestTraps looks at meanings that are easily got wrong. What is true is proved; what is false is refuted with a
// confirmed counterexample, or stays open where only infinite sets are one.
func TestTraps(t *testing.T) {
	types := map[string]string{
		"m": "ℤ", "n": "ℤ", "i": "ℙ(ℤ)", "j": "ℙ(ℤ)", "s": "ℙ(S)", "t": "ℙ(S)", "x": "S", "y": "S", "c": "ℙ(ℙ(S))", "f": "ℙ(S×T)", "g": "ℙ(S×S)", "h": "ℙ(ℤ×ℤ)", "v": "T",
	}
	for _, c := range []struct {
		sequent string
		verdict string
	}{
		// ÷ truncates toward zero; mod is of what is not negative.
		{"⊢ (−7)÷2=−3 ∧ 7÷(−2)=−3 ∧ (−7)÷(−2)=3", "proved"},
		{"⊢ (−7)÷2=−4", "refuted"},
		{"⊢ (−7)÷(−2)=4", "refuted"},
		{"n<0 ⊢ n÷2<0", "refuted"},
		{"⊢ n÷2∗2≤n", "refuted"},
		{"0≤n ⊢ n÷2∗2≤n", "proved"},
		{"m≤n ⊢ m÷3≤n÷3", "proved"},
		{"m≤n ⊢ n÷(−3)≤m÷(−3)", "proved"},
		{"m<n ⊢ m÷3<n÷3", "refuted"},
		{"0≤m ;; 0<n ⊢ m mod n<n", "proved"},
		{"0≤m ;; 0<n ⊢ m mod n<n−1", "refuted"},
		{"0≤m ;; m<n ⊢ m mod n=m", "proved"},
		{"0≤m ;; 0<n ⊢ (m+1) mod n=m mod n+1", "refuted"},
		{"⊢ n^2≥0 ∧ 0^0=1", "proved"},
		{"0≤n ⊢ n^2>n", "refuted"},
		// Numbers have no greatest.
		{"⊢ 9223372036854775807+1=9223372036854775808", "proved"},
		{"⊢ 9223372036854775807+1=−9223372036854775808", "refuted"},
		{"⊢ (−9223372036854775808)÷(−1)=9223372036854775808", "proved"},
		{"⊢ −(−9223372036854775808)=−9223372036854775808", "refuted"},
		{"n≤9223372036854775807 ⊢ n+1≤9223372036854775807", "refuted"},
		{"⊢ 4294967296∗4294967296=18446744073709551616 ∧ 2^64=18446744073709551616", "proved"},
		{"⊢ 4294967296∗4294967296=0", "refuted"},
		{"⊢ 18446744073709551616 mod 4294967296=0 ∧ 18446744073709551615÷4294967296=4294967295", "proved"},
		{"m∗n=0 ⊢ m=0 ∨ n=0", "proved"},
		{"m=4294967296 ⊢ m∗m<m", "refuted"},
		// Sets without elements, and without end.
		{"finite(s) ⊢ card(s)>0", "refuted"},
		{"finite(s) ;; card(s)=0 ⊢ s=∅", "proved"},
		{"s≠∅ ⊢ card({k·k∈1‥n∣k})=n", "refuted"},
		{"0≤n ⊢ card(1‥n)=n", "proved"},
		{"⊢ finite(i) ∨ finite(ℤ∖i)", "open"},
		{"⊢ ¬finite(ℕ) ∧ ¬finite(ℤ)", "proved"},
		{"i≠∅ ⊢ ∃b·∀k·k∈i⇒b≤k", "open"},
		{"i≠∅ ;; i⊆ℕ ⊢ ∃b·∀k·k∈i⇒b≤k", "proved"},
		{"⊢ min({m,n})=m", "refuted"},
		{"m≤n ⊢ min({m,n})=m ∧ max({m,n})=n", "proved"},
		{"m≤n ⊢ max(m‥n)=n", "proved"},
		{"i⊆j ;; i≠∅ ;; finite(j) ⊢ max(i)≤max(j)", "proved"},
		{"i⊆j ;; i≠∅ ;; finite(j) ⊢ min(i)≤min(j)", "refuted"},
		{"c≠∅ ⊢ inter(c)≠∅", "refuted"},
		{"c≠∅ ⊢ inter(c)⊆union(c)", "proved"},
		{"union(c)=∅ ⊢ c=∅", "refuted"},
		{"⊢ union((∅⦂ℙ(ℙ(S))))=∅", "proved"},
		// Carrier sets have an element, perhaps no other.
		{"⊢ ∃a⦂S·a∈S", "proved"},
		{"⊢ ∃a,b⦂S·a≠b", "refuted"},
		{"⊢ s≠∅", "refuted"},
		{"⊢ ∃a⦂ℙ(S),b·a≠b", "proved"},
		// Application, where there is an image, or more than one.
		{"f∈s⇸T ;; x∈s ⊢ x∈dom(f)", "refuted"},
		{"x↦v∈f ;; f∈S↔T ⊢ f[{x}]={v}", "refuted"},
		{"f∈S⇸T ;; x↦v∈f ⊢ f[{x}]={v}", "proved"},
		{"f∈S⇸T ;; x∈dom(f) ;; y∈dom(f) ;; f(x)=f(y) ⊢ x=y", "refuted"},
		{"f∈S⤔T ;; x∈dom(f) ;; y∈dom(f) ;; f(x)=f(y) ⊢ x=y", "proved"},
		{"g∈S⇸S ⊢ g;g∼⊆id", "refuted"},
		{"g∈S⇸S ⊢ g∼;g⊆id", "proved"},
		{"g∈S⇸S ;; x∈dom(g) ⊢ g(x)∈dom(g)", "refuted"},
		// Variables of the same name, and of none.
		{"∀a⦂S·∃b⦂S·a≠b ⊢ ⊥", "refuted"},
		{"∀a⦂S·∃b⦂S·a=b ⊢ ∃b⦂S·∀a⦂S·a=b", "refuted"},
		{"∃b⦂S·∀a⦂S·a=b ⊢ x=y", "proved"},
		{"∀a·a∈i⇒(∃b·b∈j∧a<b) ;; m∈i ⊢ ∃a·a∈j∧m<a", "proved"},
		{"∀a·a∈i⇒(∃b·b∈j∧a<b) ⊢ ∃b·b∈j∧(∀a·a∈i⇒a<b)", "refuted"},
		{"⊢ ∀k·(λa·a∈ℤ∣a+k)(k)=2∗k", "proved"},
		{"⊢ ∀k·(λa·a∈ℤ∣a+k)(m)=2∗k", "open"},
		{"⊢ {a⦂ℤ,b·a=b∣a↦b}=id", "proved"},
		{"⊢ {a·a∈0‥n∣a∗a}={b·b∈0‥n∧(∃a·a∈0‥n∧b=a∗a)∣b}", "refuted"},
	} {
		left, goal, _ := strings.Cut(c.sequent, "⊢")
		var hyps []string
		for h := range strings.SplitSeq(left, ";;") {
			if h = strings.TrimSpace(h); h != "" {
				hyps = append(hyps, h)
			}
		}
		s, err := check.ReadSequent(types, hyps, nil, strings.TrimSpace(goal))
		if err != nil {
			t.Errorf("%s: %v", c.sequent, err)
			continue
		}
		got := prover.Prove(s, prover.Options{Steps: 2_000_000}).Verdict.String()
		if x, _ := refute.Find(s, 500_000); x != nil {
			if got != "open" {
				t.Errorf("%s: both %s and refuted", c.sequent, got)
			}
			got = "refuted"
		}
		if got != c.verdict {
			t.Errorf("%s: %s, want %s", c.sequent, got, c.verdict)
		}
	}
}
