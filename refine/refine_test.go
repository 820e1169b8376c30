package refine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/refine"
)

const src = `
machine a
variables kept gone
invariants
  @kept kept ∈ ℤ
  @gone gone ∈ ℤ
events
  event INITIALISATION then @act1 kept ≔ 0 @act2 gone ≔ 0 end
  event one any p q where @p p ∈ ℤ @q q ∈ ℤ then @act1 kept ≔ p @act2 gone :∈ {q} end
  event two any p r where @p p ∈ ℤ @r r ∈ ℤ then @act1 kept ≔ p end
  event three any p where @p p ∈ ℤ then @act1 kept ≔ p end
  event never then @act1 kept ≔ 0 end
end
machine c refines a
variables kept fresh
invariants
  @fresh fresh = gone
events
  event INITIALISATION then @act1 kept ≔ 0 @act2 fresh ≔ 0 end
  event one refines one any p where @p p ∈ ℤ with @q 1 = q @gone' gone' = p + 1 then @act1 kept ≔ p @act2 fresh ≔ p + 1 end
  event both refines two three any p where @p p ∈ ℤ with @r r = p then @act1 kept ≔ p end
  event idle then @act1 fresh ≔ fresh end
end`

func labels(es []*model.Event) string {
	var out []string
	for _, e := range es {
		out = append(out, e.Label)
	}
	return strings.Join(out, " ")
}

func TestPairs(t *testing.T) {
	var problems diag.List
	d := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(src), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	var b strings.Builder
	for _, m := range d.Machines {
		fmt.Fprintln(&b, m.Name)
		for _, p := range refine.Pairs(d.Bank, m) {
			fmt.Fprintf(&b, "  %s refines %s", p.Concrete.Label, labels(p.Abstract))
			for _, w := range p.Witnesses {
				fmt.Fprintf(&b, ", %s", w.Label)
				if w.Deterministic() {
					fmt.Fprintf(&b, " := %s", text.Term(d.Bank, w.Value))
				}
				if w.Primed {
					b.WriteString(" after")
				}
			}
			b.WriteString("\n")
		}
	}
	const want = `a
  INITIALISATION refines 
  one refines 
  two refines 
  three refines 
  never refines 
c
  INITIALISATION refines INITIALISATION
  one refines one, q, gone' := p+1 after
  both refines two three, r := p
  idle refines 
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}
