package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// env is x : ℤ, S a carrier set, s ⊆ S, r : S ↔ ℤ.
func testEnv(t testing.TB, b *logic.Bank) check.Env {
	env, err := new(check.Reader).Env(b, map[string]string{"x": "ℤ", "S": "ℙ(S)", "s": "ℙ(S)", "r": "ℙ(S×ℤ)"})
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func TestFormula(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"x > 1", "x>1"},
		{"y ∈ dom(r)", "y∈dom(r) where y:S"},
		{"{a ∣ a ↦ x ∈ r} = s", "{a⦂S·a ↦ x∈r ∣ a}=s"},
		{"r = (λ k↦n · k∈s ∧ n∈ℕ ∣ n)[{∅}]", "GR0100 GR0100"},
		{"∀a,b·a ↦ b ∈ r ⇒ (∃a·a∈s)", "∀a⦂S,b⦂ℤ·a ↦ b∈r⇒(∃a⦂S·a∈s)"},
		{"∅ = s", "(∅ ⦂ ℙ(S))=s"},
		{"{} = s", "{}=s"},
		{"finite(∅)", "GR0101"},
		{"y = z", "GR0101 GR0101"},
		{"a ∈ b ∧ b ∈ a", "GR0102"},
		{"s − s = s", "GR0103"},
		{"s ∗ s = s", "GR0104"},
		{"finite(∅⦂ℙ(x))", "GR0105"},
		{"∃q⦂S·q=x", "GR0100"},
		{"$P", "GR0106"},
		{"∃S·S = x", "∃S⦂ℤ·S=x"},
		{"card(s;r) = x", "GR0100"},
		{"x = TRUE", "GR0100"},
	} {
		b := logic.NewBank()
		f, problems := lang.ParsePredicate(c.in, lang.Stored)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", c.in, problems)
		}
		u, inferred, found := check.Formula(b, testEnv(t, b), f)
		var got []string
		for _, d := range found {
			got = append(got, d.Code)
		}
		if len(found) == 0 {
			got = append(got, text.Term(b, u))
			for _, i := range inferred {
				got = append(got, fmt.Sprintf("where %s:%s", i.Name, text.Type(b, i.Type)))
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: got %s, want %s", c.in, s, c.want)
		}
	}
}

// Types may be exponentially larger than the formula that has them.
func TestLargeTypes(t *testing.T) {
	var b strings.Builder
	b.WriteString("x0 = 1")
	for i := range 64 {
		fmt.Fprintf(&b, " ∧ x%d = x%d ↦ x%d", i+1, i, i)
	}
	f, problems := lang.ParsePredicate(b.String(), lang.Stored)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, _, found := check.Formula(logic.NewBank(), nil, f); len(found) != 1 || found[0].Code != "GR0107" {
		t.Errorf("got %v", found)
	}
}

func TestReadSequent(t *testing.T) {
	types := map[string]string{"f": "ℙ(S×ℤ)", "y": "S"}
	s, err := check.ReadSequent(types, []string{"f∈S ⇸ ℤ", "y∈dom(f)"}, []int{1}, "f(y)∈ℤ")
	if err != nil {
		t.Fatal(err)
	}
	if got := text.Term(s.Bank, s.Hyps[0]); got != "f∈S ⇸ ℤ" || len(s.Hyps) != 2 || s.Goal == 0 {
		t.Errorf("read %s", got)
	}
	for _, bad := range []string{"", "z=1", "f=1", "f("} {
		if _, err := check.ReadSequent(types, nil, nil, bad); err == nil {
			t.Errorf("goal %q is accepted", bad)
		}
	}
	if _, err := check.ReadSequent(map[string]string{"S": "ℤ", "y": "S"}, nil, nil, "⊤"); err == nil {
		t.Error("a carrier set that is an integer is accepted")
	}
	if _, err := check.ReadSequent(types, nil, []int{0}, "⊤"); err == nil {
		t.Error("a selected hypothesis that does not exist is accepted")
	}
}
