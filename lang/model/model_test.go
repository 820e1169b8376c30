package model_test

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/model"
)

// development is a small one by hand: B extends A; M sees B; N refines M and sees B
// and C. A context and a machine are both called M.
func development() *model.Development {
	a := &model.Context{Name: "A", Whole: true}
	b := &model.Context{Name: "B", Whole: true, Extends: []*model.Context{a}, Ancestors: []*model.Context{a}}
	c := &model.Context{Name: "M", Lost: "axiom x is missing"}
	m := &model.Machine{Name: "M", Whole: true, Contexts: []*model.Context{a, b}}
	n := &model.Machine{Name: "N", Refines: m, Contexts: []*model.Context{a, b, c}}
	return &model.Development{Project: "p", Contexts: []*model.Context{a, b, c}, Machines: []*model.Machine{m, n}}
}

func names(cs []model.Component) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Kind()+" "+c.Name())
	}
	return out
}

// Every component comes behind all that it builds on, and each is told apart from one
// of the same name.
func TestComponents(t *testing.T) {
	d := development()
	all := d.Components()
	if got, want := names(all), []string{"context A", "context B", "context M", "machine M", "machine N"}; !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i, c := range all {
		for _, on := range c.BuildsOn() {
			if j := slices.Index(all, on); j < 0 || j >= i {
				t.Errorf("%s builds on number %d, and is number %d", c.Name(), j, i)
			}
		}
	}
	if got, want := names(all[4].BuildsOn()), []string{"machine M", "context A", "context B", "context M"}; !slices.Equal(got, want) {
		t.Errorf("N builds on %q, want %q", got, want)
	}
	seen := map[model.Component]bool{}
	for _, c := range slices.Concat(all, d.Components()) {
		seen[c] = true
	}
	if len(seen) != len(all) {
		t.Errorf("%d components of %d", len(seen), len(all))
	}
}

func TestWholeAndLost(t *testing.T) {
	d := development()
	for _, c := range d.Components() {
		whole, lost := c.Name() != "N" && c != model.Component{Context: d.Context("M")}, ""
		if c.Context != nil && c.Name() == "M" {
			lost = "axiom x is missing"
		}
		if c.Whole() != whole || c.Lost() != lost {
			t.Errorf("%s %s: whole %t, lost %q", c.Kind(), c.Name(), c.Whole(), c.Lost())
		}
	}
}

// Contexts and machines are looked up each among their own kind.
func TestLookUp(t *testing.T) {
	d := development()
	if d.Context("M") != d.Contexts[2] || d.Machine("M") != d.Machines[0] {
		t.Error("M is not found as a context and as a machine")
	}
	if d.Context("N") != nil || d.Machine("A") != nil {
		t.Error("something is found among the wrong kind")
	}
}

func TestInitialisation(t *testing.T) {
	for label, want := range map[string]bool{"INITIALISATION": true, "Initialisation": false, "INITIALIZATION": false, "": false} {
		if e := (&model.Event{Label: label}); e.IsInit() != want {
			t.Errorf("%q: %t", label, e.IsInit())
		}
	}
	for c, want := range map[model.Convergence]string{model.Ordinary: "ordinary", model.Anticipated: "anticipated", model.Convergent: "convergent"} {
		if c.String() != want {
			t.Errorf("%v, want %s", c, want)
		}
	}
	if !(model.Ordinary < model.Anticipated && model.Anticipated < model.Convergent) {
		t.Error("the weakest status does not come first")
	}
}
