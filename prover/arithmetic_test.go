package prover_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
)

// TestArithmetic proves the facts of testdata/arithmetic.txt.
func TestArithmetic(t *testing.T) {
	file, err := os.ReadFile("testdata/arithmetic.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		t.Run(name, func(t *testing.T) {
			left, goal, ok := strings.Cut(rest, "⊢")
			if !ok {
				t.Fatal("no ⊢")
			}
			var hyps []string
			if left = strings.TrimSpace(left); left != "" {
				hyps = strings.Split(left, ", ")
			}
			types := map[string]string{}
			for _, x := range strings.Fields("a b c d e i j k l m n size ts w wg x y") {
				types[x] = "ℤ"
			}
			s, err := check.ReadSequent(types, hyps, nil, strings.TrimSpace(goal))
			if err != nil {
				t.Fatal(err)
			}
			r := prover.Prove(s, prover.Options{Steps: 300_000})
			if r.Verdict != prover.Proved {
				t.Errorf("%v after %d steps, refused %d: %v", r.Verdict, r.Steps, r.Uncertified, r.Refusal)
				for _, a := range r.Tried {
					t.Log(a.Strategy, a.Saturated, a.Counters)
					for _, l := range a.Model {
						t.Log("  ", l.Negated(), text.Options{Untyped: true}.Term(r.Sequent.Bank, l.Atom()))
					}
				}
				return
			}
			t.Logf("%d steps of search, %d of proof", r.Steps, r.Checked.Steps)
		})
	}
}
