package explore

import (
	"context"
	"testing"

	"github.com/gradine/gradine/lang/model"
)

// refined is a counter that counts in twos, refined by one that counts in ones
// and takes turns with a flag; the step in the abstract machine is by.
func refined(t *testing.T, by string) (*builder, *model.Machine) {
	x := newBuilder(t, "abstract")
	x.variable("n", "ℤ")
	x.event("INITIALISATION", "", "", "n ≔ 0")
	x.event("inc", "d:ℤ", "d ∈ 1‥2;;n + d ≤ 4", "n ≔ n + "+by)
	abstract := x.m
	x.m = &model.Machine{Name: "concrete", Accurate: true, Whole: true, Contexts: abstract.Contexts, Refines: abstract}
	v := abstract.Variables[0]
	v.Abstract, v.Concrete = true, false
	x.variable("a", "ℤ")
	x.variable("b", "ℤ")
	x.m.Variables = append([]model.Variable{v}, x.m.Variables...)
	x.invariant("n = a + b")
	x.event("INITIALISATION", "", "", "a ≔ 0;;b ≔ 0")
	x.event("inc", "", "a + b < 4", "a ≔ a + 1")
	x.event("swap", "", "a > b", "a ≔ b;;b ≔ a")
	x.env["d"] = x.typ("ℤ")
	w := x.predicate("d = 1")
	inc := x.m.Events[1]
	inc.Refines = []*model.Event{abstract.Events[1]}
	inc.Witnesses = []*model.Witness{{Label: "d", Ident: abstract.Events[1].Parameters[0].Term, Term: w.Term}}
	return x, x.m
}

func TestRefinement(t *testing.T) {
	for by, kind := range map[string]string{"d": "", "2∗d": InvariantFails} {
		x, m := refined(t, by)
		x.b.Freeze()
		ins, _, err := Solve(context.Background(), &model.Development{Bank: x.b}, m, Setup{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), m, ins[0], Options{Refinement: true, NoDeadlock: true})
		if err != nil {
			t.Fatal(err)
		}
		if kind == "" && r.Verdict != Complete || kind != "" && (len(r.Findings) == 0 || r.Findings[0].Kind != kind) {
			t.Errorf("n + %s: got %+v", by, r)
		}
	}
}

func TestGuardIsNotRefined(t *testing.T) {
	x, m := refined(t, "d")
	m.Events[1].Guards = []*model.Predicate{x.predicate("a + b < 5")}
	x.b.Freeze()
	ins, _, err := Solve(context.Background(), &model.Development{Bank: x.b}, m, Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), m, ins[0], Options{Refinement: true, NoDeadlock: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Kind != NotRefined || r.Findings[0].Label != "inc" || len(r.Findings[0].Trace.Steps) != 5 {
		t.Errorf("got %+v", r)
	}
}

func TestReplayOnRefinement(t *testing.T) {
	x, m := refined(t, "d")
	x.b.Freeze()
	dev := &model.Development{Bank: x.b}
	solve := func(m *model.Machine) *Instance {
		ins, _, err := Solve(context.Background(), dev, m, Setup{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return ins[0]
	}
	// The machines share no variable: the events alone must agree.
	abstract := m.Refines
	abstract.Variables[0].Concrete = true
	r, err := Run(context.Background(), abstract, solve(abstract), Options{})
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("want a deadlock at 4, got %+v, %v", r, err)
	}
	data, err := r.Findings[0].Trace.ITF()
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []*model.Machine{abstract, m} {
		got, err := Replay(context.Background(), on, solve(on), data, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got.Steps != 3 || got.Of != 3 {
			t.Errorf("%s follows %d of %d states", on.Name, got.Steps, got.Of)
		}
	}
}
