package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rules"
	"github.com/gradine/gradine/logic/text"
)

// development checks one text file.
func development(src string) (*model.Development, []diag.Diagnostic) {
	var list diag.List
	file := lang.Parse("m.eventb", []byte(src), &list)
	dev := check.Development("p", []*lang.File{file}, &list)
	return dev, list.Sorted()
}

// outline writes what there is of an event.
func outline(dev *model.Development, e *model.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s:", e.Convergence, e.Label)
	for _, a := range e.Refines {
		fmt.Fprintf(&b, " refines %s", a.Label)
	}
	for _, p := range e.Parameters {
		fmt.Fprintf(&b, " any %s", p.Name)
	}
	for _, g := range e.Guards {
		fmt.Fprintf(&b, " where %s", text.Term(dev.Bank, g.Term))
	}
	for _, w := range e.Witnesses {
		fmt.Fprintf(&b, " with %s: %s", text.Term(dev.Bank, w.Ident), text.Term(dev.Bank, w.Term))
	}
	for _, a := range e.Actions {
		fmt.Fprintf(&b, " then %s: %s", a.Label, assignmentText(dev.Bank, a))
	}
	return b.String()
}

const refinement = `
context C
sets S
constants k
axioms
  @axm1 k ⊆ S
end

machine A
sees C
variables v w
invariants
  v ⊆ S
  @inv2 w ∈ S
events
  event INITIALISATION
  then
    @act1 v ≔ ∅
    @act2 w :∈ S
  end
  event add
  any x
  where
    @grd1 x ∈ S ∖ v
  then
    @act1 v ≔ v ∪ {x}
    @act2 w :∣ w' ∈ v
  end
end

machine B
refines A
sees C
variables v u
invariants
  @glue u = {w}
events
  event INITIALISATION
  with
    @w' w' ∈ k
  then
    @act1 v, u ≔ ∅, ∅
  end
  event add
  extends add
  any y
  where
    y ∈ u
  end
  event put
  refines add
  where
    @grd1 k ≠ ∅
    theorem @grd2 w ∈ S
  with
    @x x ∈ k
    @w' w' = w'
  then
    @act1 v ≔ v ∪ k
  end
end
`

func TestRefinement(t *testing.T) {
	// An extended event inherits what it has; here w is gone, so add must go.
	dev, found := development(refinement)
	if len(found) != 2 || found[0].Code != "GR0110" || found[0].Element != "B/add" || found[1].Code != "GR0231" {
		t.Fatalf("found %v", found)
	}
	b := dev.Machine("B")
	var got []string
	for _, e := range b.Events {
		got = append(got, outline(dev, e))
	}
	want := []string{
		"ordinary INITIALISATION: refines INITIALISATION with w': w'∈k then act1: v,u≔∅ ⦂ ℙ(S),∅ ⦂ ℙ(S)",
		"ordinary put: refines add where k≠(∅ ⦂ ℙ(S)) where w∈S with x: x∈k with w': w'=w' then act1: v≔v∪k",
	}
	if !slices.Equal(got, want) {
		t.Errorf("events\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if b.Whole || !b.Accurate || !dev.Machine("A").Whole {
		t.Errorf("B whole %v, accurate %v; A whole %v", b.Whole, b.Accurate, dev.Machine("A").Whole)
	}
	var variables []string
	for _, v := range b.Variables {
		variables = append(variables, fmt.Sprintf("%s %t %t", v.Name, v.Abstract, v.Concrete))
	}
	if s := strings.Join(variables, ", "); s != "v true true, w true false, u false true" {
		t.Errorf("variables %s", s)
	}
	if l := dev.Machine("A").Invariants[0].Label; l != "inv1" {
		t.Errorf("the invariant without label is %s", l)
	}
	if o := b.Inherited[1].Origin; o.Component != "A" || o.Span.Line == 0 {
		t.Errorf("origin %+v", o)
	}
}

func TestExtendedEvent(t *testing.T) {
	dev, found := development(strings.Replace(refinement, "variables v u", "variables v w u", 1))
	e := dev.Machine("B").Events[1]
	want := "ordinary add: refines add any x any y where x∈S ∖ v where y∈u then act1: v≔v∪{x} then act2: w:∣w'∈v"
	if got := outline(dev, e); got != want {
		t.Errorf("got %s, want %s\n%v", got, want, found)
	}
}

func TestRepairs(t *testing.T) {
	dev, _ := development(`
machine M
variables v w
invariants
  @inv1 v ∈ ℤ ∧ w ∈ BOOL
events
  convergent event INITIALISATION
  then
    @GEN v ≔ 0
  end
end`)
	want := "ordinary INITIALISATION: then GEN: v≔0 then GEN1: w:∣⊤"
	if got := outline(dev, dev.Machines[0].Events[0]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if m := dev.Machines[0]; m.Whole || !m.Accurate || m.Events[0].Accurate {
		t.Error("the repairs are not visible")
	}
}

func TestCycles(t *testing.T) {
	dev, found := development(`
context A extends B end
context B extends C end
context C extends A end
context D extends C end
context E end
machine M refines M end
machine N sees D E end
`)
	var got []string
	for _, d := range found {
		got = append(got, d.Element+" "+d.Code)
	}
	want := []string{"A GR0161", "B GR0161", "C GR0161", "D GR0162", "M GR0161", "N GR0162"}
	if !slices.Equal(got, want) || len(dev.Contexts) != 1 || len(dev.Machines) != 0 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPlaces(t *testing.T) {
	_, found := development("context C\naxioms\n  @axm1 1 = 1 ∧\n    d > 0\nend")
	if len(found) != 1 || found[0].Span.String() != "m.eventb:4:5" || found[0].Element != "C/axm1" {
		t.Errorf("found %v", found)
	}
}

// Nothing that can be read makes the checker fail, and the result is the same each time.
func FuzzDevelopment(f *testing.F) {
	f.Add(refinement)
	for _, r := range rules.All() {
		if !strings.HasPrefix(r.Example, "-- ") {
			f.Add(r.Example)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		_, first := development(src)
		_, second := development(src)
		if !slices.EqualFunc(first, second, func(a, b diag.Diagnostic) bool { return a.Error() == b.Error() }) {
			t.Errorf("%v, and then %v", first, second)
		}
	})
}

// TestNamesEqualButCase: Foo and foo are two components, and share files on some
// systems; a pair is reported once.
func TestNamesEqualButCase(t *testing.T) {
	for src, want := range map[string]int{
		"context Foo end context foo end context bar end":                                 1,
		"context Foo end machine foo events event INITIALISATION end end":                 1,
		"context Foo end machine Foo events event INITIALISATION end end":                 1,
		"context Foo end context Fop end machine bar events event INITIALISATION end end": 0,
	} {
		_, list := development(src)
		n := 0
		for _, d := range list {
			if d.Code == "GR0159" {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d warnings, want %d: %v", src, n, want, list)
		}
	}
}
