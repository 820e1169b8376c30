package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/scaled"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// TestMemory changes texts at random, now and then so that they are wrong, doubled or gone, and compares what is remembered with
// what a check from the beginning finds: problems, components, obligations with their sequents.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(20261128, 1))
	changes := [][2]string{
		{"most ∈ ℕ1", "most ∈ 1‥9"}, {"most ∈ ℕ1", "most ∈ ℕ1 ∧"}, {"finite(ITEM)", "finite(IT)"}, {"extends base", "extends bass"}, {"extends base", ""},
		{"cap0 > 0", "cap0 > TRUE"}, {"cap1 > 0", "cap1 ≥ 1"}, {"constants", "constants\n  extra"}, {"sees c0", "sees c1"}, {"sees c1", "sees c1 c0"},
		{"refines m0", "refines m1"}, {"held1 ⊆ ITEM", "held1 ∈ ℙ(ITEM)"}, {"machine m1", "machine m0"}, {"context c1", "context c0"}, {"n0 > 0", "n0 ≥ 1"}, {"end\n", "en\n"},
	}
	const steps = 80 // more than share terms
	for range corpus.Effort(1, 2, 60) {
		var memory check.Memory
		var obligations po.Memory
		files := scaled.Files(scaled.Families, 10)
		parsed := make([]*lang.File, len(files))
		problems := make([]diag.List, len(files))
		for i := range parsed {
			parsed[i] = lang.Parse(files[i].Name, []byte(files[i].Text), &problems[i])
		}
		seldom := 0
		for step := range steps {
			i, c := r.IntN(len(files)), changes[r.IntN(len(changes))]
			changed := strings.Replace(files[i].Text, c[0], c[1], 1)
			if step%3 == 2 { // and back
				changed = scaled.Files(scaled.Families, 10)[i].Text
			}
			if changed != files[i].Text {
				files[i].Text, problems[i] = changed, diag.List{}
				parsed[i] = lang.Parse(files[i].Name, []byte(changed), &problems[i])
			}
			given := slices.Clone(parsed)
			if step%5 == 4 {
				given = slices.Delete(given, i, i+1) // a file that is gone
			}
			var found, fresh diag.List
			dev, again := memory.Development("p", given, &found), check.Development("p", given, &fresh)
			kept, err := obligations.All(dev, nil)
			made, err2 := po.All(again, nil)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if memory.Checked < len(given) {
				seldom++
			}
			got, want := spelled(&found, kept), spelled(&fresh, made)
			if got != want {
				t.Fatalf("%s: %q for %q: remembered\n%s\nnew\n%s", files[i].Name, c[1], c[0], got, want)
			}
			for _, o := range kept {
				if o.Development != dev {
					t.Fatal("an obligation of another development")
				}
			}
		}
		if seldom < steps/4 {
			t.Errorf("only %d checks remembered anything", seldom)
		}
	}
}

func spelled(problems *diag.List, obligations []*po.Obligation) string {
	var out strings.Builder
	for _, problem := range problems.Sorted() {
		fmt.Fprintln(&out, problem)
	}
	for _, o := range obligations {
		s := o.Sequent()
		fmt.Fprintln(&out, o.Path(), o.Nature, o.Accurate, o.Of().Whole(), s.Selected)
		for _, h := range append(s.Hyps, s.Goal) {
			fmt.Fprintln(&out, text.Options{}.Term(s.Bank, h))
		}
	}
	return out.String()
}
