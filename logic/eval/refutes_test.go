package eval

import (
	"testing"

	"github.com/gradine/gradine/logic"
)

// What has elements that its carrier set lacks is no model, and refutes nothing.
func TestElementsOutsideOfTheirCarrierSet(t *testing.T) {
	b := logic.NewBank()
	s := b.GivenType("S")
	u := b.Free("U", b.PowType(s))
	empty := logic.Sequent{Bank: b, Goal: b.App(logic.Eq, u, b.EmptyExt(b.PowType(s)))}
	for number, want := range map[int]Truth{0: True, 1: True, 2: Unknown, -1: Unknown} {
		m := NewModel()
		m.Carriers["S"] = 2
		m.Values["U"] = m.Space.Set(m.Space.Element("S", number))
		if got := New(b, m, 1000).Refutes(empty); got != want {
			t.Errorf("with S#%d in U it refutes that U is empty: %v, want %v", number, got, want)
		}
	}
}
