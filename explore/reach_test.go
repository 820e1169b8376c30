package explore

import (
	"testing"

	"github.com/gradine/gradine/logic/eval"
)

// A state that satisfies an invariant may still be out of reach.
func TestReaches(t *testing.T) {
	x := newBuilder(t, "m")
	x.set("S")
	x.constant("a", "S")
	x.constant("b", "S")
	x.axiom("partition(S, {a}, {b})")
	x.variable("n", "ℤ")
	x.variable("who", "ℙ(S)")
	x.invariant("n ≤ 6")
	x.event("INITIALISATION", "", "", "n ≔ 0;;who ≔ ∅")
	x.event("up", "", "n < 6", "n ≔ n + 2;;who ≔ {b}")
	dev := x.development()
	at := func(n int64, who int) *eval.Model {
		m := eval.NewModel()
		m.Carriers["S"] = 2
		// The counterexample numbers the elements its own way.
		m.Values["a"], m.Values["b"] = m.Space.Element("S", 1), m.Space.Element("S", 0)
		m.Values["n"], m.Values["who"] = m.Space.Int64(n), m.Space.Set(m.Space.Element("S", who))
		return m
	}
	for _, c := range []struct {
		n       int64
		who     int
		reached bool
	}{{4, 0, true}, {4, 1, false}, {5, 0, false}} {
		r, err := Reaches(t.Context(), dev, x.m, at(c.n, c.who), 100)
		if err != nil {
			t.Fatal(err)
		}
		if r.Reached != c.reached || r.Complete == c.reached || !c.reached && r.States != 4 || c.reached != (r.Trace != nil) {
			t.Errorf("n = %d, who = {S#%d}: %+v", c.n, c.who, r)
		}
	}
	big := at(4, 0)
	big.Carriers["S"] = eval.Infinite
	if _, err := Reaches(t.Context(), dev, x.m, big, 100); err == nil {
		t.Error("an infinite carrier set is not a small set-up")
	}
}
