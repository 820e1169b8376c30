package prover

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// TestSchemes proves goals by the schemes that state something before the goal, and nothing that does not follow; where there is
// nothing to state, the scheme does not begin.
func TestSchemes(t *testing.T) {
	types := map[string]string{
		"S": "ℙ(S)", "T": "ℙ(T)", "f": "ℙ(ℤ×ℤ×ℤ)", "g": "ℙ(ℤ×ℤ)", "pick": "ℙ(ℙ(S)×S)", "r": "ℙ(S×S)", "m": "ℙ(ℤ×S)", "p": "ℙ(ℙ(S))",
		"Q": "ℙ(ℙ(ℤ×(ℤ×T)))", "q": "ℙ(S×ℙ(ℤ×(ℤ×T)))", "v": "ℙ(ℙ(ℤ×(ℤ×T))×ℤ)", "s": "S", "k": "ℤ",
	}
	power := []string{
		"f∈ℕ×ℕ→ℕ", "∀x·x∈ℕ⇒f(x↦0)=1", "∀x,n·x∈ℕ∧n≥0⇒f(x↦n+1)=x∗f(x↦n)", "∀x,n·x≥2∧n≥0⇒f(x↦n)>n",
		"∀i,j,x·x≥0∧i≥0∧j≥0⇒f(x↦i+j)=f(x↦i)∗f(x↦j)", "∀i,j,x·x≥2∧j≥0∧i>j⇒f(x↦i)>f(x↦j)",
	}
	chosen := []string{"pick∈ℙ1(S)→S", "∀s,x·s∈ℙ1(S)∧s↦x∈pick⇒x∈s∧(∀y·y∈s∖{x}⇒x↦y∈r)", "p⊆ℙ1(S)"}
	queues := []string{
		"Q={f·∃n·n≥0∧f∈1‥n→ℕ×T∣f}", "q∈S→Q", "∀x·x∈S⇒q(x)≠∅", "v∈Q→ℕ", "∀f,n,a,b·f∈1‥n→ℕ×T∧n↦(a↦b)∈f⇒v(f)=a+1",
	}
	for _, c := range []struct {
		name string
		by   scheme
		hyps []string
		goal string
		want bool
	}{
		{"powers are equal in one way", inOrder, power, "∀x,i,j,a,b·x≥2∧i∈ℕ∧j∈ℕ∧a∈1‥x−1∧b∈1‥x−1∧a∗f(x↦i)=b∗f(x↦j)⇒a=b∧i=j", true},
		{"not with larger factors", inOrder, power, "∀x,i,j,a,b·x≥2∧i∈ℕ∧j∈ℕ∧a∈1‥x∧b∈1‥x∧a∗f(x↦i)=b∗f(x↦j)⇒a=b∧i=j", false},
		{"a function that grows is injective", inOrder, []string{"g∈ℕ→ℤ", "∀i,j·i∈ℕ∧j∈ℕ∧i<j⇒g(i)<g(j)"}, "∀i,j·i∈ℕ∧j∈ℕ∧g(i)=g(j)⇒i=j", true},
		{"one that does not fall is not", inOrder, []string{"g∈ℕ→ℤ", "∀i,j·i∈ℕ∧j∈ℕ∧i<j⇒g(i)≤g(j)"}, "∀i,j·i∈ℕ∧j∈ℕ∧g(i)=g(j)⇒i=j", false},
		{"no numbers", inOrder, power, "∀x·x∈ℕ⇒f(x↦0)=1", false},
		{"what is picked is below the rest", fixing, chosen, "∀u,y·u∈p∧y∈u∧y≠pick(u)⇒pick(u)↦y∈r", true},
		{"and not the other way round", fixing, chosen, "∀u,y·u∈p∧y∈u∧y≠pick(u)⇒y↦pick(u)∈r", false},
		{"nothing quantified", fixing, chosen, "pick∈ℙ1(S)⇸S", false},
		{"values of queues that are not empty", shaping, queues, "∀x·x∈S⇒v(q(x))>0", true},
		{"their values are not larger", shaping, queues, "∀x·x∈S⇒v(q(x))>1", false},
		{"queues may be empty", shaping, append(queues[:2:2], queues[3:]...), "∀x·x∈S⇒v(q(x))>0", false},
		{"no set of functions", shaping, queues[1:], "∀x·x∈S⇒v(q(x))>0", false},
	} {
		s, err := check.ReadSequent(types, c.hyps, []int{0, 1, 2, 3, 4, 5}[:len(c.hyps)], c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r := begin(s)
		by, parts := r.ordered, compared
		switch c.by {
		case fixing:
			by, parts = r.fixed, valuations
		case shaping:
			by, parts = r.shaped, formed
		}
		if got := by(strategy{name: c.name, by: c.by, parts: parts}, Options{}, 1_200_000); got != c.want || r.Uncertified > 0 || (r.Verdict == Proved) != c.want {
			t.Errorf("%s: %v, %v after %d steps: %v", c.name, got, r.Verdict, r.Steps, r.Refusal)
		}
		t.Logf("%s: %d steps", c.name, r.Steps)
	}
}
