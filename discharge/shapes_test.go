package discharge_test

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// unrefuted are the frozen shapes beside which nothing is refuted yet: no value of them is tried, or what they say of all
// sets is not proved.
var unrefuted = []string{
	"closure of an infinite relation", "fixed point of monotone functions",
}

// TestFrozenShapes refutes one false sequent beside each of the frozen shapes, and confirms the counterexample as
// whoever receives it does. It is the short form of TestFrozenContext and TestReserveContext.
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
			t.Errorf("%s: %s after %d steps", list[i].name, o.Verdict, o.Steps)
		}
		if x := o.Counterexample; x != nil && x.Confirmed(sequents[i]) == nil {
			t.Errorf("%s: the counterexample is not confirmed", list[i].name)
		}
	})
}
