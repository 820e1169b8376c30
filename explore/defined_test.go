package explore

import (
	"testing"

	"github.com/gradine/gradine/logic/eval"
)

// What has no value is found where an evaluation need not come to it: exactly where
// the condition of well-definedness is false.
func TestDefinedAsWhole(t *testing.T) {
	for text, defined := range map[string]bool{
		"∃i·i ∈ 0‥3 ∧ 6 ÷ (3 − i) ≥ 2":           false,
		"¬(∀i·i ∈ 0‥3 ⇒ 6 ÷ (3 − i) > 2)":        false,
		"∀i·i ∈ 0‥3 ∧ i ≠ 3 ⇒ 6 ÷ (3 − i) ≥ 2":   true,
		"∃i·i ∈ 0‥3 ∧ (i = 3 ∨ 6 ÷ (3 − i) ≥ 2)": true,
		"1 ∈ {1, 6 ÷ x}":                                 false,
		"1 ∈ {1} ∪ {6 ÷ x}":                              false,
		"2 ∉ {1} ∖ {1, 6 ÷ x}":                           false,
		"5 ∉ 6‥6 ÷ x":                                    false,
		"{1} ⊆ {1, 6 ÷ x}":                               false,
		"¬({2, 6 ÷ x} ⊆ {1})":                            false,
		"¬((∅⦂ℙ(ℤ)) ⊂ {6 ÷ x} ∩ ∅)":                      false,
		"(∅⦂ℙ(ℤ×ℤ))[{6 ÷ x}] = ∅":                        false,
		"∅ = (∅⦂ℙ(ℤ×ℤ));{1 ↦ 6 ÷ x}":                     false,
		"(∅⦂ℙ(ℤ×ℤ)) ∈ {6 ÷ x} ⇸ {1}":                     false,
		"(∅⦂ℙ(ℤ)) ∈ ℙ({6 ÷ x})":                          false,
		"finite({6 ÷ x})":                                false,
		"¬partition({1}, {1}, {1}, {6 ÷ x})":             false,
		"card(∅ ∩ {6 ÷ x}) = 0":                          false,
		"2 ∈ {i·i ∈ 0‥3 ∧ 6 ÷ (3 − i) > 0 ∣ i}":          false,
		"2 ∈ {i·i ∈ 0‥2 ∧ 6 ÷ (3 − i) > 0 ∣ i}":          true,
		"(λi·i ∈ 0‥3 ∧ 6 ÷ (3 − i) > 0∣i)(1) = 1":        false,
		"∀i·i ∈ (∅⦂ℙ(ℤ×ℤ))[{6 ÷ x}] ⇒ i = 0":             false,
		"∀i·i ⊆ (∅⦂ℙ(ℤ×ℤ))[{6 ÷ x}] ⇒ i = ∅":             false,
		"∀i·i = (∅⦂ℙ(ℤ×ℤ))[{6 ÷ x}] ⇒ i = ∅":             false,
		"∀i·6 ÷ x ↦ i ∈ (∅⦂ℙ(ℤ×ℤ)) ⇒ i = 0":              false,
		"{1, 6 ÷ x} = {1}":                               false,
		"{1} ∪ {6 ÷ x} = {1}":                            false,
		"∅ ∩ {6 ÷ x} = ∅":                                false,
		"{1} ∖ {1, 6 ÷ x} = ∅":                           false,
		"ℕ ∩ {6 ÷ x} = ∅":                                false,
		"max({1, 6 ÷ x}) = 1":                            false,
		"max({1} ∪ {6 ÷ x}) = 1":                         false,
		"min({1, 2} ∖ {6 ÷ x}) = 1":                      false,
		"card({1, 6 ÷ x}) = 1":                           false,
		"{0 ↦ 2}\ue103{0 ↦ 6 ÷ x} = {0 ↦ 2}":             false,
		"{0 ↦ 6 ÷ x}\ue103{0 ↦ 2} = {0 ↦ 2}":             false,
		"{0 ↦ 2}\ue103{6 ÷ x ↦ 0} = {0 ↦ 2}":             false,
		"{0 ↦ 6 ÷ x, 1 ↦ 2} ∩ {1 ↦ 2} = {1 ↦ 2}":         false,
		"({0 ↦ 2}\ue103{1 ↦ 6 ÷ x})(0) = 2":              false,
		"max({1, 2 + card({6 ÷ x})}) = 3":                false,
		"{1, (λi·i ∈ 0‥3 ∧ 6 ÷ (3 − i) > 0∣i)(1)} = {1}": false,
		"x = 0 ∨ max({1, 6 ÷ x}) = 1":                    true,
		"x = 0 ∨ 1 ∈ {1, 6 ÷ x}":                         true,
		"(⋃i·i ∈ 0‥3 ∣ {6 ÷ (4 − i)}) ⊆ 0‥9 ∨ x > 0":     true,
		"1 ∈ (⋃i·i ∈ 0‥3 ∣ {1, 6 ÷ (3 − i)}) ∨ x ≥ 0":    false,
		"bool(1 ∈ {1, 6 ÷ x}) = TRUE":                    false,
		"∃i·i ∈ 1‥3 ∧ (∃j·j ∈ 0‥i ∧ 6 ÷ (3 − j) ≥ 2)":    false,
		"¬(∃i·i ∈ 1‥2 ∧ (∀j·j ∈ 0‥i ⇒ 6 ÷ (3 − j) > 9))": true,
	} {
		x := newBuilder(t, "m")
		x.variable("x", "ℤ")
		x.event("INITIALISATION", "", "", "x ≔ 0")
		x.invariant(text)
		r := x.run(Setup{}, Options{NoDeadlock: true})
		b := x.b.Extend()
		m := eval.NewModel()
		m.Values["x"] = m.Space.Int64(0)
		if got := eval.New(b, m, 1<<20).Pred(b.D(x.m.Invariants[0].Term)) == eval.True; got != defined {
			t.Errorf("%s: D is %t, want %t", text, got, defined)
		}
		if got := len(r.Findings) == 0 || r.Findings[0].Kind != NoValueOf; got != defined {
			t.Errorf("%s has a value: %t, want %t; %v", text, got, defined, r.Findings)
		}
	}
}
