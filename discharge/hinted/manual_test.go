package hinted

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/rodin"
)

// randomProof makes a proof that no prover has made: its steps say anything of anything.
func randomProof(r *rand.Rand, depth int) *rodin.Step {
	predicates := []string{"a<b", "x0∈ℕ", "∀x⦂ℤ,y⦂ℤ·x<y⇒f(x)<f(y)", "∃z⦂ℤ·f(z)=a", "f(a)=b", "a∈S", "", "x∧", "⊤", "z=a∨z=b", "b>0"}
	expressions := []string{"a", "b+1", "", "x0", "z", "S", "f(", "f(z)"}
	reasoners := []string{"cut", "doCase", "disjE", "allD", "allmpD", "allmtD", "exI", "exF", "exE", "allI", "ae", "contr", "contrL1", "conj", "mngHyp", "hyp", "xyz"}
	some := func(list []string, most int) (out []string) {
		for range r.IntN(most + 1) {
			out = append(out, list[r.IntN(len(list))])
		}
		return out
	}
	s := &rodin.Step{Reasoner: reasoners[r.IntN(len(reasoners))], Hyps: some(predicates, 2), Preds: some(predicates, 2), Exprs: some(expressions, 3)}
	branches := r.IntN(4)
	if r.IntN(2) == 0 { // what a prover could have made
		s.Reasoner, branches = []string{"allD", "exI", "exF"}[r.IntN(3)], 2
		s.Hyps, s.Preds, s.Exprs = []string{"∀x⦂ℤ,y⦂ℤ·x<y⇒f(x)<f(y)"}, nil, []string{"a", "b+1"}
	}
	if depth == 0 {
		return s
	}
	for range branches {
		b := rodin.Branch{Hyps: some(predicates, 2), New: some([]string{"x0", "z", "q"}, 2), Selects: r.IntN(2) == 0}
		if r.IntN(2) == 0 {
			b.Goal = predicates[r.IntN(len(predicates))]
		}
		if r.IntN(3) == 0 {
			b.Inferred = []rodin.Inference{{From: some(predicates, 2), To: some(predicates, 2), New: some([]string{"z", "w"}, 2)}}
		}
		if r.IntN(4) > 0 {
			b.Next = randomProof(r, depth-1)
		}
		s.Branches = append(s.Branches, b)
	}
	return s
}

// Whatever a file of proofs says, what comes of it are hints that fit the sequent.
func TestManualOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	types := map[string]string{"a": "ℤ", "b": "ℤ", "f": "ℙ(ℤ×ℤ)", "S": "ℙ(ℤ)"}
	goals := []string{"a<b", "∀x·x∈ℕ⇒f(x)∈S", "∃z·f(z)=a", "a∈S∧b∈S"}
	hyps := []string{"f∈ℤ→ℤ", "∀x,y·x<y⇒f(x)<f(y)", "∃z·f(z)=a", "a∈ℕ", "b>0"}
	var reader check.Reader
	kinds := map[string]int{}
	for range 800 {
		s, err := reader.Sequent(types, hyps, nil, goals[r.IntN(len(goals))])
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]string, len(hyps))
		for i := range labels {
			labels[i] = "h" + strconv.Itoa(i)
		}
		proof := rodin.Proof{Hyps: []string{"a∈ℕ", "b>0", "x∧"}, Root: randomProof(r, 3)}
		lines, _ := Manual(s, labels, proof)
		if len(lines) > 0 && !fits(s, labels, lines) {
			t.Fatalf("these do not fit:\n%s", strings.Join(lines, "\n"))
		}
		for _, line := range lines {
			kinds[strings.Fields(line)[0]]++
		}
	}
	for _, kind := range []string{"have", "inst", "cases", "witness", "use"} {
		if kinds[kind] < 20 {
			t.Errorf("%d times %s", kinds[kind], kind)
		}
	}
}
