package discharge_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/refute"
)

// unrefuted are the frozen shapes next to which nothing is refuted yet: no value of them is tried, or what they say of all
// sets is not proved.
var unrefuted = []string{
	"fixed point of monotone functions",
}

// TestFrozenShapes refutes one false sequent next to each of the frozen shapes, and confirms the counterexample as
// its receiver does. It is the short form of TestFrozenContext and TestReserveContext.
func TestFrozenShapes(t *testing.T) {
	plain := falseSequent{Goal: "x+1∈0‥3", Types: map[string]string{"x": "ℤ", "a": "S", "S": "ℙ(S)"}, Hyps: []string{"x∈0‥3", "a∈S"}}
	list := slices.Concat(frozen(t, "first"), frozen(t, "reserve"))
	var sequents []logic.Sequent
	for _, s := range list {
		sequents = append(sequents, plain.read(t, new(check.Reader), s))
	}
	opts := discharge.Options{Steps: 400_000, RefuteSteps: 1_000_000}
	discharge.Run(t.Context(), len(sequents), func(i int) logic.Sequent { return sequents[i] }, opts, func(i int, o verdict.Outcome) {
		if want := !slices.Contains(unrefuted, list[i].name); (o.Verdict == verdict.Refuted) != want {
			t.Errorf("%s: %s after %d steps %s", list[i].name, o.Verdict, o.Steps, o.Fault)
		}
		if x := o.Counterexample; x != nil && x.Confirmed(sequents[i]) == nil {
			t.Errorf("%s: the counterexample is not confirmed", list[i].name)
		}
	})
}

// TestExtrema refutes false sequents whose hypotheses say of a set that it is the least or the greatest of a kind, linked to the
// goal or not, and no true ones. It confirms each counterexample once it has been written and read.
func TestExtrema(t *testing.T) {
	relations := map[string]string{"x": "ℤ", "r": "ℙ(ℤ×ℤ)", "c": "ℙ(ℤ×ℤ)"}
	sets := map[string]string{"x": "ℤ", "e": "ℙ(ℤ)"}
	closure := []string{"r={i·i∈ℕ ∣ i ↦ i+1}", "r⊆c", "c;c⊆c", "∀s·r⊆s∧s;s⊆s⇒c⊆s"}
	even := []string{"0∈e", "∀n·n∈e⇒n+2∈e", "∀s·0∈s⇒((∀n·n∈s⇒n+2∈s)⇒e⊆s)"}
	for _, test := range []struct {
		falseSequent
		refuted bool
	}{
		{falseSequent{Types: relations, Hyps: append(closure, "x∈0‥3"), Goal: "x+1∈0‥3"}, true},
		{falseSequent{Types: relations, Hyps: append(closure, "x∈0‥3", "r[{x}]≠∅"), Goal: "x+1∈0‥3"}, true},
		{falseSequent{Types: relations, Hyps: append([]string{"r∈ℤ ↔ ℤ"}, closure[1:]...), Goal: "x∈dom(r)"}, true},
		{falseSequent{Types: sets, Hyps: append(even, "x∈0‥3"), Goal: "x+1∈0‥3"}, true},
		{falseSequent{Types: sets, Hyps: []string{"e⊆ℕ", "∀s·s⊆ℕ∧(∀n·n∈s⇒n+2∈s)⇒s⊆e", "x∈0‥3"}, Goal: "x+1∈0‥3"}, true},
		// No set has what these say of one.
		{falseSequent{Types: sets, Hyps: []string{"∀s·0∈s⇒e⊆s", "1∈e"}, Goal: "x=0"}, false},
		{falseSequent{Types: sets, Hyps: []string{"∀s·s⊆ℕ⇒s⊆e", "7∉e"}, Goal: "x=0"}, false},
		{falseSequent{Types: sets, Hyps: append(even, "0‥1⊆e", "∀s·0∈s⇒e⊆s"), Goal: "x=0"}, false},
		{falseSequent{Types: relations, Hyps: append(closure, "0 ↦ 0∈c", "∀s·s⊆ℤ×ℤ∧(∀i,j·i ↦ j∈s⇒i<j)∧r⊆s⇒c⊆s"), Goal: "x=0"}, false},
	} {
		if testing.Short() && !test.refuted {
			continue
		}
		s := test.read(t, new(check.Reader), shape{})
		opts := discharge.Options{Steps: 50_000, RefuteSteps: 100_000}
		if test.refuted {
			opts.RefuteSteps = 1_000_000
		}
		discharge.Run(t.Context(), 1, func(int) logic.Sequent { return s }, opts, func(_ int, o verdict.Outcome) {
			if (o.Verdict == verdict.Refuted) != test.refuted || o.Fault != "" {
				t.Errorf("%q ⊢ %s: %s %s", test.Hyps, test.Goal, o.Verdict, o.Fault)
			}
			if o.Counterexample == nil {
				return
			}
			written, err := json.Marshal(o.Counterexample.Model)
			if err != nil {
				t.Fatal(err)
			}
			m, err := eval.ReadModel(s.Bank, s.Bank.FreeIdents(append(slices.Clone(s.Hyps), s.Goal)...), written)
			if err != nil || refute.Confirm(s, m, o.Counterexample.Claims...) == nil {
				t.Errorf("%q ⊢ %s: %s is not confirmed: %v", test.Hyps, test.Goal, written, err)
			}
		})
	}
}
