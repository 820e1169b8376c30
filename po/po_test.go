package po_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// names returns the names of the obligations of a component.
func names(t *testing.T, os []*po.Obligation, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range os {
		out = append(out, o.Name)
	}
	return out
}

// TestSimulationBesideVanished is the case in which Rodin forgets evt/y/SIM.
func TestSimulationBesideVanished(t *testing.T) {
	d := parse(t, `
machine a
variables w x y
invariants
  @w w ∈ ℤ
  @x x ∈ ℤ
  @y y ∈ ℤ
events
  event INITIALISATION then @w w ≔ 0 @x x ≔ 0 @y y ≔ 0 end
  event evt then @w w ≔ 1 @x x ≔ 2 @y y ≔ 3 end
end
machine c refines a
variables x y
events
  event INITIALISATION then @x x ≔ 0 @y y ≔ 0 end
  event evt refines evt then @x x ≔ 2 @y y ≔ 4 end
end`)
	os, err := po.Generate(d, model.Component{Machine: d.Machine("c")}, po.Options{})
	want := []string{"INITIALISATION/x/SIM", "evt/x/SIM", "evt/y/SIM"}
	if d := cmp.Diff(want, names(t, os, err)); d != "" {
		t.Error(d)
	}
	for _, o := range os {
		if o.Name == "evt/y/SIM" && text.Term(o.Bank(), o.Goal) != "4=3" {
			t.Errorf("goal %s", text.Term(o.Bank(), o.Goal))
		}
	}
}

const traffic = `
context c
sets COLOUR
constants red
axioms @red red ∈ COLOUR
end
machine m sees c
variables n light
invariants
  @n n ∈ 0‥3
  @light light ∈ COLOUR
events
  event INITIALISATION then @n n ≔ 0 @light light ≔ red end
  event up any d where @d d ∈ 1‥2 @fits n + d ≤ 3 theorem @pos d > 0 then @n n ≔ n + d end
  event off where @off light ≠ red then @light light ≔ red end
end`

func TestRequested(t *testing.T) {
	d := parse(t, traffic)
	plain, err := po.Generate(d, model.Component{Machine: d.Machine("m")}, po.Options{})
	if err != nil {
		t.Fatal(err)
	}
	os, err := po.Generate(d, model.Component{Machine: d.Machine("m")}, po.Options{DeadlockFree: true, Enabled: []string{"off", "up"}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range os[len(plain):] {
		s := o.Sequent()
		if len(s.Hyps) != 3 || len(s.Selected) != 0 {
			t.Errorf("%s: %d hypotheses, selected %v", o.Name, len(s.Hyps), s.Selected)
		}
		b.WriteString(o.Name + ": " + text.Term(o.Bank(), o.Goal) + "\n")
	}
	const want = `DLF: (∃d⦂ℤ·d∈1 ‥ 2∧n+d≤3)∨light≠red
off/ENB: light≠red
up/ENB: ∃d⦂ℤ·d∈1 ‥ 2∧n+d≤3
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestMisuse(t *testing.T) {
	d := parse(t, traffic)
	for _, opts := range []po.Options{{Enabled: []string{"down"}}, {Enabled: []string{"INITIALISATION"}}} {
		if _, err := po.Generate(d, model.Component{Machine: d.Machine("m")}, opts); err == nil {
			t.Errorf("%v: no error", opts)
		}
	}
	if _, err := po.All(d, map[string]po.Options{"m": {Enabled: []string{"down"}}}); err == nil {
		t.Error("All: no error")
	}
}

// TestSame checks that obligations do not depend on when and where they are made.
func TestSame(t *testing.T) {
	d := parse(t, traffic)
	first, err := po.All(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := po.All(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(list(first), list(again)); d != "" {
			t.Fatal(d)
		}
		for i := range again {
			a, b := first[i].Sequent(), again[i].Sequent()
			if d := cmp.Diff([]any{a.Hyps, a.Selected, a.Goal}, []any{b.Hyps, b.Selected, b.Goal}); d != "" {
				t.Fatal(d)
			}
		}
	}
}
