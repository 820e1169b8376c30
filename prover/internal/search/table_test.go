package search_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/instance"
	"github.com/gradine/gradine/prover/internal/search"
)

// TestTableChangesNothing makes several attempts, one after the other, at sequents that are made twice:
// with one table for all attempts, and with a new one for each. The outcomes are the same, down to
// the last step.
func TestTableChangesNothing(t *testing.T) {
	made := func(seed uint64) logic.Sequent {
		r := rand.New(rand.NewPCG(seed, 5))
		return random.NewFormulas(logic.NewBank(), r).Sequent(4, 4).Bare()
	}
	given := func(text string) func(uint64) logic.Sequent {
		return func(uint64) logic.Sequent { return sequent(t, text) }
	}
	directions := []search.Direction{
		{Start: 1, Gens: 6},
		{Start: 0, Gens: 6, Enumerate: true},
		{Start: 1, Gens: 4, Enumerate: true, Precede: true},
		{Start: 1, Gens: 4, Enumerate: true, Solve: true},
		{Start: 0, Gens: 6, Enumerate: true, Compute: true},
		{Start: 1, Gens: 6},
	}
	makers := []func(uint64) logic.Sequent{
		given("∀a·a∈i⇒a+m∈i ;; ∀a,b·a∈i∧b∈i∧a≠b⇒a+b∉1‥k ;; 2∗m+3∗n≤k∗m ;; i⊆1‥n ⊢ m∗n÷2∈i"),
		given("h∈S→ℕ ;; ∀a·a∈s⇒h(a)≤m ;; f∈S⇸T ;; f[s]=v0 ⊢ ∃a·a∈t∧h(a)<m∧f(a)∈v0"),
		given("e∈ℕ→ℤ ;; e(0)=0 ;; ∀a·a∈ℕ⇒e(a+1)=e(a)+2 ;; e(n)=k ;; 0<n ⊢ e(3)=6 ∧ e(n+2)=k+4 ∧ e(n−1)≠k"),
		given("i⊆ℕ ;; 0∈i ;; ∀a·a∈i⇒a+1∈i ⊢ m∗m+n∗n≥2∗m∗n ∧ k∗k∈i"),
	}
	for range 150 {
		makers = append(makers, made)
	}
	numbers := cmp.Comparer(func(x, y *big.Int) bool { return x == y || x != nil && y != nil && x.Cmp(y) == 0 })
	reused := 0
	for seed, make := range makers {
		shared, fresh := make(uint64(seed)), make(uint64(seed))
		table := instance.NewTable(shared.Bank)
		for i, direction := range directions {
			opts := search.Options{Hyps: all(shared), WDs: true, Steps: 20_000, Direction: direction, Table: table}
			got := search.Refute(shared, opts)
			opts.Table = nil
			want := search.Refute(fresh, opts)
			if diff := cmp.Diff(want, got, numbers); diff != "" {
				t.Fatalf("sequent %d, attempt %d: with a table that was used:\n%s", seed, i, diff)
			}
			if i > 0 && got.Instances > 0 {
				reused++
			}
		}
	}
	if reused < 100 {
		t.Errorf("of all attempts, %d after the first had instances", reused)
	}
}
