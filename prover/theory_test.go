package prover_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// TestTheory proves the sequents of testdata/theory.txt.
func TestTheory(t *testing.T) {
	file, err := os.ReadFile("testdata/theory.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		// Rodin has a private character for <+.
		if line = strings.ReplaceAll(strings.TrimSpace(line), "<+", "\ue103"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		typing, sequent, _ := strings.Cut(line, " | ")
		left, goal, ok := strings.Cut(sequent, "⊢")
		if !ok {
			t.Fatalf("no ⊢: %s", line)
		}
		t.Run(goal, func(t *testing.T) {
			types := map[string]string{}
			for _, group := range strings.Fields(typing) {
				names, typ, _ := strings.Cut(group, ":")
				for _, name := range strings.Split(names, ",") {
					types[name] = typ
				}
			}
			var hyps []string
			if left = strings.TrimSpace(left); left != "" {
				hyps = strings.Split(left, " ; ")
			}
			var selected []int
			for i := range hyps {
				selected = append(selected, i)
			}
			s, err := check.ReadSequent(types, hyps, selected, strings.TrimSpace(goal))
			if err != nil {
				t.Fatal(err)
			}
			r := prover.Prove(s, prover.Options{})
			if r.Verdict != prover.Proved || r.Uncertified > 0 {
				t.Errorf("%v after %d steps, refused %d: %v", r.Verdict, r.Steps, r.Uncertified, r.Refusal)
			}
		})
	}
}
