package explore_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// solving is a machine that sees axioms about a and b.
func solving(t *testing.T, axioms string) (*model.Development, *model.Machine) {
	t.Helper()
	text := "context c\nconstants a b\naxioms\n" + axioms + "end\nmachine m sees c\nevents event INITIALISATION end\nend\n"
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(text), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems, text)
	}
	return dev, dev.Machine("m")
}

// TestAllSolutions holds Solve against all pairs of small numbers: which satisfy random axioms, and whether
// it says that there may be others.
func TestAllSolutions(t *testing.T) {
	conditions := []struct {
		text  string
		holds func(a, b int) bool
	}{
		{"a < b", func(a, b int) bool { return a < b }},
		{"a ≠ 2", func(a, _ int) bool { return a != 2 }},
		{"a + b = 4", func(a, b int) bool { return a+b == 4 }},
		{"a = 0 ∨ b = 1", func(a, b int) bool { return a == 0 || b == 1 }},
		{"b mod 2 = a mod 2", func(a, b int) bool { return b%2 == a%2 }},
		{"∃x· x ∈ 0‥3 ∧ a = 2∗x", func(a, _ int) bool { return a%2 == 0 && a <= 6 }},
		{"{a, b} ⊆ {1, 2, 3}", func(a, b int) bool { return 1 <= a && a <= 3 && 1 <= b && b <= 3 }},
	}
	rng := rand.New(rand.NewPCG(3, 4))
	several, none := 0, 0
	for range 150 {
		most := 1 + rng.IntN(4)
		asked := rng.Perm(len(conditions))[:rng.IntN(4)]
		axioms := fmt.Sprintf("  @a a ∈ 0‥%d\n  @b b ∈ 0‥%d\n", most, most)
		for _, i := range asked {
			axioms += fmt.Sprintf("  @c%d %s\n", i, conditions[i].text)
		}
		want := map[string]bool{}
		for a := range most + 1 {
			for b := range most + 1 {
				holds := true
				for _, i := range asked {
					holds = holds && conditions[i].holds(a, b)
				}
				if holds {
					want[fmt.Sprintf("%d %d", a, b)] = true
				}
			}
		}
		dev, machine := solving(t, axioms)
		for _, limit := range []int{0, 1, 1 + rng.IntN(5), len(want) + 1} {
			found, others, err := explore.Solve(t.Context(), dev, machine, explore.Setup{}, limit)
			if len(want) == 0 {
				none++
				if err == nil {
					t.Fatalf("%s: %d solutions, and there are none", axioms, len(found))
				}
				continue
			}
			several++
			seen := map[string]bool{}
			for _, in := range found {
				var values []string
				for _, binding := range in.Bindings(machine) {
					values = append(values, binding.Value)
				}
				seen[strings.Join(values, " ")] = true
			}
			for pair := range seen {
				if !want[pair] {
					t.Errorf("%s: %s is no solution", axioms, pair)
				}
			}
			n := len(want)
			if limit > 0 {
				n = min(n, limit)
			}
			if err != nil || len(found) != n || len(seen) != n || (others == "") != (limit == 0 || limit > len(want)) {
				t.Errorf("%slimit %d: %d solutions of %d, %q, %v", axioms, limit, len(found), len(want), others, err)
			}
		}
	}
	if several < 100 || none < 20 {
		t.Errorf("%d sets of axioms with solutions, %d without", several, none)
	}
}

// TestFurtherSolutions ends the search for further solutions, and never loses the first one.
func TestFurtherSolutions(t *testing.T) {
	dev, machine := solving(t, "  @a a ∈ 0‥3000\n  @b b ∈ 0‥3000\n  @far a + b = 0 ∨ a + b = 6000\n")
	for _, further := range []int{1, 1000} {
		found, others, err := explore.Solve(t.Context(), dev, machine, explore.Setup{MaxFurther: further}, 0)
		if err != nil || len(found) != 1 || !strings.Contains(others, "ended the search") {
			t.Errorf("%d values: %d solutions, %q, %v", further, len(found), others, err)
		}
	}
	if found, others, err := explore.Solve(t.Context(), dev, machine, explore.Setup{}, 0); err != nil || len(found) != 2 || others != "" {
		t.Errorf("%d solutions, %q, %v", len(found), others, err)
	}
}

// TestUnsized: a carrier set is one without a size where nothing says what its size is, in
// whatever words.
func TestUnsized(t *testing.T) {
	for _, test := range []struct {
		axioms, given string
		want          int
	}{
		{"@a finite(S)", "", 1},
		{"@a card(S) = 3", "", 0},
		{"@a 3 = card(S)", "", 0},
		{"@a card(S) = n @n n = k + 1 @k k = 2", "", 0},
		{"@a n ∈ 1‥3 ∧ card(S) = n", "", 1}, // of which n is one
		{"@a n ∈ 1‥3 ∧ card(S) = n", "n = 3", 0},
		{"@a card(S) ≤ 3", "", 1},
		{"@a n = card(S)", "", 1},
		{"@a card(S) = card(T) @b card(T) = 2", "", 1},
		{"@a ¬ card(S) = 3", "", 1},
		{"@a partition(S, {n}, {k})", "", 0},
	} {
		number := "@nn n ∈ ℤ @kk k ∈ 0‥3"
		if strings.Contains(test.axioms, "partition") {
			number = ""
		}
		text := "context c\nsets S T\nconstants n k\naxioms\n" + test.axioms + " " + number + "\nend\nmachine m sees c\nevents event INITIALISATION end\nend\n"
		var problems diag.List
		dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(text), &problems)}, &problems)
		if problems.HasErrors() {
			t.Fatal(problems, text)
		}
		s := explore.Setup{Bank: dev.Bank.Extend(), Sizes: map[string]int{"T": 2}, Bounds: map[string]explore.Bounds{"": {Low: 0, High: 4}}}
		if test.given != "" {
			var n logic.Term
			for _, c := range dev.Machine("m").Contexts[0].Constants {
				if c.Name == "n" {
					n = c.Term
				}
			}
			s.Given = []logic.Term{s.Bank.App(logic.Eq, n, s.Bank.Int64(3))}
		}
		found, _, err := explore.Solve(t.Context(), dev, dev.Machine("m"), s, 1)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", test.axioms, err)
		}
		if got := len(found[0].Unsized); got != test.want {
			t.Errorf("%s, given %q: without a size are %q", test.axioms, test.given, found[0].Unsized)
		}
	}
}
