package refute

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// What does not matter gets the simplest value, and what does stays a
// counterexample.
func TestSimplify(t *testing.T) {
	var reader check.Reader
	s, err := reader.Sequent(map[string]string{"x": "ℤ", "y": "ℤ", "b": "BOOL", "r": "ℙ(ℤ×ℤ)"},
		[]string{"x ∈ 5‥40", "r ∈ 1‥2 → 3‥9", "y ∈ ℤ", "b ∈ BOOL"}, nil, "x + 1 ≤ 20")
	if err != nil {
		t.Fatal(err)
	}
	x, _ := Find(s, 1_000_000)
	if x == nil {
		t.Fatal("no counterexample")
	}
	x.Model.Values["y"], x.Model.Values["b"] = x.Model.Space.Int64(-77), x.Model.Space.Bool(true)
	x = Confirm(s, x.Model)
	simple := Simplify(s, x, 100_000)
	values := map[string]string{}
	for name, v := range simple.Model.Values {
		values[name] = simple.Model.Space.String(v)
	}
	if values["y"] != "0" || values["b"] != "FALSE" || Confirm(s, simple.Model) == nil {
		t.Errorf("values %v", values)
	}
	if same := Simplify(s, x, 0); same != x && Confirm(s, same.Model) == nil {
		t.Error("without a budget the counterexample is lost")
	}
}
