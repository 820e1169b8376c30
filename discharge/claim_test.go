package discharge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/refute"
)

var claimTypes = map[string]string{
	"S": "ℙ(S)", "x": "ℤ", "v": "ℤ", "w": "ℤ", "a": "S", "A": "ℙ(S)", "U": "ℙ(ℤ)", "f": "ℙ(ℤ×ℤ)", "g": "ℙ(ℤ×ℤ)",
	"h": "ℙ(ℙ(ℤ)×ℤ)", "k": "ℙ(ℙ(S×ℤ)×ℤ)", "q": "ℙ(ℤ×ℙ(ℤ×ℤ))", "e": "ℙ(ℤ×ℙ(ℤ))",
	"T": "ℙ(T)", "z": "T", "p": "ℙ(T×T)",
}

func searchFor(t *testing.T, goal string, hyps ...string) (logic.Sequent, verdict.Outcome) {
	t.Helper()
	s, err := check.ReadSequent(claimTypes, hyps, nil, goal)
	if err != nil {
		t.Fatal(goal, err)
	}
	var out verdict.Outcome
	Run(context.Background(), 1, func(int) logic.Sequent { return s }, Options{Steps: 200_000, RefuteSteps: 1_000_000}, func(_ int, o verdict.Outcome) { out = o })
	return s, out
}

// What is infinite, or true of all integers, does not keep a sequent from being refuted. What is
// found is found again once it has been written and read.
func TestCounterexamplesInAnyContext(t *testing.T) {
	for _, c := range []struct {
		by   verdict.By
		goal string
		hyps []string
	}{
		{verdict.ByEvaluation, "x>0", []string{"x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"∀a·a∈ℤ⇒a∗a≥0", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"∀a,b·a∈ℤ∧b∈ℕ1⇒(a+b)−b=a", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"∀s·s⊆ℕ∧0∈s∧(∀n·n∈s⇒n+1∈s)⇒ℕ⊆s", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"∀s·s⊆ℕ∧s≠∅⇒(∃m·m∈s∧(∀k·k∈s⇒m≤k))", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"finite(S)", "∀s·s⊆S⇒card(s)≤card(S)", "∀f,g·f∈ℤ↔ℤ∧g∈ℤ↔ℤ∧f⊆g⇒dom(f)⊆dom(g)", "x∈ℕ"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"f∈ℕ→ℕ", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"f∈ℕ→ℕ", "f(0)=1", "f(3)=2", "x∈0‥3"}},
		{verdict.ByEvaluation, "f(x)≤x", []string{"f∈ℕ→ℕ", "x∈ℕ"}},
		{verdict.ByEvaluation, "f(x)≠f(v)", []string{"f∈ℤ→ℕ", "x<v"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"f∈ℕ↣ℕ", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"f∈ℤ⤖ℤ", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"h∈ℙ(ℕ)→ℕ", "h(∅)=7", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"k∈(S⇸ℕ)→ℕ", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"q∈ℕ→(ℕ→ℕ)", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"q∈0‥3→(ℕ→ℕ)", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"e∈ℕ→ℙ1(ℕ)", "x∈0‥3"}},
		{verdict.ByCertificate, "x+1∈0‥3", []string{"f∈ℕ→ℕ", "∀n·n∈ℕ⇒f(n)≤5", "x∈0‥3"}},
		{verdict.ByCertificate, "x+1∈0‥3", []string{"f∈ℕ→ℕ", "f=(λn·n∈ℕ∣n)", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈0‥3", []string{"f=(λn·n∈ℕ∣n÷2)", "x∈0‥3"}},
		{verdict.ByEvaluation, "x+1∈1‥1000", []string{"f={i,j·i∈1‥250∧j∈1‥250∣i↦j}", "x∈1‥1000"}},
		// What stands aside has values that calculate, and orders.
		{verdict.ByCertificate, "x>0", []string{"f∈ℤ→ℤ", "∀n·n∈ℤ⇒f(n+1)=f(n)+1", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"g⊆ℤ×ℤ", "g∩id=∅", "∀i,j,k·i↦j∈g∧j↦k∈g⇒i↦k∈g", "∀i,j·i∈ℤ∧j∈ℤ∧i≠j⇒i↦j∈g∨j↦i∈g", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"e∈ℕ→ℙ(ℕ)", "∀k·k∈ℕ⇒e(k)⊆0‥k∧e(k)≠∅", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"¬finite(S)", "∀s·s⊆S∧finite(s)⇒(∃y·y∈S∧y∉s)", "x∈ℕ"}},
		// What stands aside may need an infinite carrier set: the integers stand for it.
		{verdict.ByCertificate, "x>0", []string{"p∈T↣T", "z∉ran(p)", "x∈ℕ"}},
		{verdict.ByCertificate, "x>0", []string{"¬finite(T)", "id⊆p", "p∩p∼⊆id", "p;p⊆p", "p∪p∼=T×T", "x∈ℕ"}},
		{verdict.ByCertificate, "A=S", []string{"∀n·n∈ℤ⇒n∗n≥0", "A⊆S", "∃y·y∈S∧y∉A"}},
	} {
		s, o := searchFor(t, c.goal, c.hyps...)
		if o.Verdict != verdict.Refuted || o.By() != c.by {
			t.Errorf("%s ⊢ %s: %s by %q", strings.Join(c.hyps, ", "), c.goal, o.Verdict, o.By())
			continue
		}
		a, ok := o.Answer(answer.Digest{})
		if !ok {
			t.Fatal("an answer that cannot be written")
		}
		again, why := verdict.NewProblem(s).Accept(s, a.Question, a, answer.ProcessKey())
		if why != "" || len(again.Counterexample.Claims) != len(o.Counterexample.Claims) {
			t.Errorf("%s ⊢ %s: written and read, %s is not a counterexample", strings.Join(c.hyps, ", "), c.goal, a.Counterexample)
		}
	}
}

// What no model satisfies, or what is not defined in any, has no counterexample, however little the
// evaluator can say of it.
func TestNoCounterexampleOfContradictions(t *testing.T) {
	for _, hyps := range [][]string{
		{"f∈ℕ→1‥0"},
		{"f∈ℕ→ℕ", "f(−1)=0"},
		{"f∈ℕ→ℕ", "∀n·n∈ℕ⇒f(n)>f(n+1)"},
		{"f∈ℕ→ℕ", "∀n·n∈ℕ⇒f(n)=x", "f(3)≠x"},
		{"f∈ℕ→ℕ", "f=(λn·n∈ℕ∣−1)"},
		{"f∈ℕ→ℕ", "g=(λn·n∈ℕ∣f(n)−1)", "g∈ℕ→ℕ", "f(2)=0"},
		{"f∈ℕ↣1‥3"},
		{"f∈ℕ↠ℕ", "∀n·n∈ℕ⇒f(n)=0"},
		{"v=1÷0"},
		{"v=1÷w", "w=0"},
		{"v=min(U)", "U=∅"},
		{"v=f(5)", "f∈1‥3→ℕ"},
		{"v=f(w)", "f=(λn·n∈ℕ∣n)", "w<0"},
		{"v=card(U)", "ℕ⊆U"},
		{"f={i,j·i∈1‥250∧j∈1‥250∣i↦j÷0}"},
		{"f=(λn·n∈ℕ∣1÷n)"},
		{"h∈ℙ(ℕ)→ℕ", "∀s·s⊆ℕ⇒h(s)=card(s)"},
		{"k∈(S⇸ℕ)→1‥0"},
		{"∀s·s⊆ℤ∧0∈s∧(∀n·n∈s⇒n+1∈s)⇒ℤ⊆s"},
		{"∀a·a∈ℤ⇒a∗a>0"},
		{"∀a·a∈ℤ⇒a÷a=1"},
		{"∀s·s⊆ℤ⇒card(s)≥0"},
		{"∀s·s⊆ℤ⇒finite(s)"},
		{"finite(S)", "∀s·s⊆S⇒card(s)<card(S)"},
		{"f∈ℤ→ℤ", "∀i,j·i∈ℤ∧j∈ℤ∧i<j⇒f(i)<f(j)", "f(0)=0", "f(5)=3"},
		{"f∈ℤ→ℤ", "∀n·n∈ℤ⇒f(n+1)=f(n)+1", "f(0)=0", "f(1)=2"},
		{"g⊆ℤ×ℤ", "g∩id=∅", "g≠∅", "∀i,j·i↦j∈g⇒i↦i∈g"},
		{"¬finite(S)", "S={a}"},
		{"¬finite(S)", "∀s·s⊆S⇒finite(s)"},
		{"finite(S)", "∀s·s⊆S∧finite(s)⇒(∃y·y∈S∧y∉s)"},
		{"e∈ℕ→ℙ(ℕ)", "∀k·k∈ℕ⇒e(k)⊆0‥k∧k+1∈e(k)"},
		{"1=2"},
		{"a∈S", "S=∅"},
		{"finite(T)", "p∈T↣T", "z∉ran(p)"},
		{"¬finite(T)", "∀y·y∈T⇒y=z"},
		{"p∈T↣T", "z∉ran(p)", "T⊆{z}"},
		{"¬finite(T)", "p∈T↔T", "p=∅", "id⊆p"},
		{"¬finite(T)", "p∈T→T", "ran(p)={z}", "p∈T↣T"},
	} {
		for _, goal := range []string{"x>0", "⊥"} {
			if _, o := searchFor(t, goal, hyps...); o.Verdict == verdict.Refuted || o.Fault != "" {
				t.Errorf("%s ⊢ %s: %s %s", strings.Join(hyps, ", "), goal, o.Verdict, o.Fault)
			}
		}
	}
}

// A counterexample is rejected if its claims lack a certificate, have a wrong one, or have one that uses assumptions that are not
// allowed. It is also rejected if its claims are about a changed model.
func TestForgedClaims(t *testing.T) {
	s, o := searchFor(t, "x>0", "∀n·n∈ℤ⇒n∗n≥0", "f∈ℕ→ℕ", "∀n·n∈ℕ⇒f(n)≤5", "x∈ℕ")
	x := o.Counterexample
	if o.By() != verdict.ByCertificate || len(x.Claims) < 2 {
		t.Fatalf("%s by %q, %d claims", o.Verdict, o.By(), len(x.Claims))
	}
	text, _ := x.Model.MarshalJSON()
	bare := s.Bare()
	confirmed := func(text string, claims ...refute.Claim) bool {
		m, err := eval.ReadModel(bare.Bank, bare.Bank.FreeIdents(append(bare.Hyps, bare.Goal)...), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return refute.Confirm(s, m, claims...) != nil
	}
	if !confirmed(string(text), x.Claims...) {
		t.Fatal("the counterexample itself is not confirmed")
	}
	swapped := slices.Clone(x.Claims)
	swapped[0].Certificate, swapped[1].Certificate = swapped[1].Certificate, swapped[0].Certificate
	granted := slices.Clone(x.Claims)
	goal := "gradine certificate 1\nterms\nfalse\nsteps\nwdgoal\nrup : 0\nend\n"
	granted[0].Certificate = []byte(goal)
	for name, claims := range map[string][]refute.Claim{"none": nil, "one": x.Claims[:1], "swapped": swapped, "granted": granted} {
		if confirmed(string(text), claims...) {
			t.Errorf("confirmed with forged claims: %s", name)
		}
	}
	for _, value := range []string{`{"product":[{"interval":[0,null]},{"set":[6]}]}`, `{"product":[{"interval":[1,null]},{"set":[5]}]}`, `{"set":[]}`, `{"pow":[{"set":[]}]}`} {
		m := fmt.Sprintf(`{"carriers":{},"values":{"x":0,"f":%s}}`, value)
		if mm, err := eval.ReadModel(bare.Bank, bare.Bank.FreeIdents(append(bare.Hyps, bare.Goal)...), []byte(m)); err == nil && refute.Confirm(s, mm, x.Claims...) != nil {
			t.Errorf("confirmed with f = %s", value)
		}
	}
}
