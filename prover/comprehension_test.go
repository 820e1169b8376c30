package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// TestComprehension proves goals by the principles of induction that hypotheses state over sets, and none where these
// do not apply.
func TestComprehension(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "r": "ℙ(S×S)", "q": "ℙ(S×S)", "t": "ℙ(S)", "c": "S", "h": "ℙ(S×ℤ)", "d": "S", "e": "S", "g": "ℙ(ℙ(S)×ℙ(S))", "u": "ℙ(S)"}
	const (
		founded   = "∀s·s⊆r[s]⇒s=(∅⦂ℙ(S))"
		reachable = "∀s·c∈s∧r[s]⊆s⇒S⊆s"
		least     = "∀p·r⊆p∧p;r⊆p⇒q⊆p"
		monotone  = "∀x,y·x⊆y⇒g(x)⊆g(y)"
	)
	for _, c := range []struct {
		hyps    []string
		goal    string
		theorem bool
	}{
		{[]string{founded}, "∀x·x↦x∉r", true},
		{[]string{founded}, "∀x,y·x↦y∈r⇒y↦x∉r", true},
		{[]string{founded}, "∀x,y·x↦y∉r", false},
		{[]string{founded, "∀x·(∀y·y↦x∈r⇒y∈t)⇒x∈t"}, "∀x·x∈t", true},
		{[]string{founded, "∀x·(∀y·x↦y∈r⇒y∈t)⇒x∈t"}, "∀x·x∈t", false},
		{[]string{reachable, "h∈S→ℤ", "h(c)=0", "∀y,z·y↦z∈r⇒h(z)=h(y)+1"}, "∀z·h(z)≥0", true},
		{[]string{reachable, "h∈S→ℤ", "h(c)=0", "∀y,z·y↦z∈r⇒h(z)=h(y)−1"}, "∀z·h(z)≥0", false},
		{[]string{least}, "ran(q)⊆ran(r)", true},
		{[]string{least, "r[t]⊆t"}, "q[t]⊆t", true},
		{[]string{least}, "q⊆r", false},
		{[]string{least, "r⊆q", "q;r⊆q"}, "q;q⊆q", true},
		{[]string{least, "r[t]⊆t", "u⊆t"}, "q[u]⊆t", true},
		{[]string{least, "r[t]⊆t", "t⊆u"}, "q[u]⊆t", false},
		{[]string{founded, "c↦d∈r", "d↦e∈r"}, "e↦c∉r", true},
		{[]string{founded, "c↦d∈r", "d↦e∈r"}, "c↦e∉r", false},
		{[]string{"g∈ℙ(S)→ℙ(S)", monotone, "t=(⋂x·g(x)⊆x∣x)"}, "g(t)=t", true},
		{[]string{"g∈ℙ(S)→ℙ(S)", monotone, "t=union({x∣x⊆g(x)})"}, "g(t)=t", true},
		{[]string{"g∈ℙ(S)→ℙ(S)", "t=(⋂x·g(x)⊆x∣x)"}, "g(t)⊆t", false},
		{[]string{"g∈ℙ(S)→ℙ(S)", monotone, "g(t)=t", "g(u)=u"}, "t=u", false},
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
