package model_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
)

const source = `
context base
constants k
axioms
  @k k ∈ ℕ
end

context more extends base
axioms
  @big k > 3
end

machine abstract sees base
variables n
invariants
  @n n ∈ ℕ
events
  event INITIALISATION
  then
    @n n ≔ 0
  end
end

machine concrete refines abstract sees more
variables n
invariants
  @low n ≤ k
events
  event INITIALISATION
  then
    @n n ≔ 0
  end
end
`

// TestFacts: facts stand in the order in which obligations assume them, and
// names lead to what they name.
func TestFacts(t *testing.T) {
	var problems diag.List
	d := check.Development("p", []*lang.File{lang.Parse("m.eventb", []byte(source), &problems)}, &problems)
	if problems.Len() > 0 {
		t.Fatal(problems.Sorted())
	}
	labels := func(ps []*model.Predicate) string {
		var out []string
		for _, p := range ps {
			out = append(out, p.Label)
		}
		return strings.Join(out, " ")
	}
	m := d.Machine("concrete")
	if got := labels(m.Facts()); got != "k big n low" {
		t.Errorf("facts of the machine: %s", got)
	}
	if got := labels(d.Context("more").Facts()); got != "k big" {
		t.Errorf("facts of the context: %s", got)
	}
	if ts := model.Terms(m.Axioms()); len(ts) != 2 || ts[1] != d.Context("more").Axioms[0].Term {
		t.Errorf("terms %v", ts)
	}
	if m.Event("INITIALISATION") != m.Events[0] || m.Event("up") != nil || d.Machine("base") != nil || d.Context("concrete") != nil {
		t.Error("names lead astray")
	}
	if s := model.Ordinary.String() + model.Anticipated.String() + model.Convergent.String(); s != "ordinaryanticipatedconvergent" {
		t.Error(s)
	}
}
