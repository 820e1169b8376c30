package animation_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/project"
)

// animate compiles the machine of a name in a text.
func animate(t *testing.T, text, name string) (*animation.Animation, project.Scope, *explore.Instance) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "m.eventb")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	projects, err := project.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	p := projects[0]
	for _, d := range p.Problems.Sorted() {
		t.Log(d)
	}
	m := p.Dev.Machine(name)
	scope := p.Scope(m)
	setup, err := p.Setup(m, scope, project.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := explore.Solve(context.Background(), p.Dev, m, setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, err := animation.New(m, found[0])
	if err != nil {
		t.Fatal(err)
	}
	return a, scope, found[0]
}

// fire takes the steps of some events, each the first that is possible, and returns the last state.
func fire(t *testing.T, a *animation.Animation, events ...string) int {
	t.Helper()
	at := animation.Before
	for _, event := range append([]string{"INITIALISATION"}, events...) {
		all, _, err := a.Successors(context.Background(), at, 0)
		if err != nil {
			t.Fatal(err)
		}
		taken := false
		for _, s := range all {
			if s.Event == event && !taken {
				taken = true
				if at, err = a.Fire(context.Background(), at, s); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !taken {
			t.Fatalf("%s is not possible", event)
		}
	}
	return at
}

const twoLevels = `machine up
variables n set
invariants
@n n ∈ ℕ
@set set ⊆ 0‥3
events
event INITIALISATION
then
@a n ≔ 0
@b set ≔ ∅
end
event add
any x
where
@x x ∈ 0‥3
@new x ∉ set
then
@b set ≔ set ∪ {x}
@a n ≔ n + 1
end
end
machine down
refines up
variables n top
invariants
@top top ∈ −1‥3
@glue set = 0‥top
@few ∀i·i ∈ 0‥top ⇒ i < 2
@f (0‥top)×{n} ∈ 0‥top → ℕ
events
event INITIALISATION
then
@a n ≔ 0
@b top ≔ −1
end
event next refines add
where
@g top < 3
with
@x x = top + WITNESS
then
@b top ≔ top + 1
@a n ≔ n + 1
end
event look
any k j
where
@k k ∈ 0‥top
@j j ∈ 5‥6
@jk j < k
@n n > 100
then
@a n ≔ n
end
end
`

// The abstract machine follows, and the witness that fails is named.
func TestLevels(t *testing.T) {
	a, scope, _ := animate(t, strings.ReplaceAll(twoLevels, "WITNESS", "1"), "down")
	at := fire(t, a, "next", "next")
	state := a.State(at)
	if fmt.Sprint(state.Taken) != "[next add]" || len(state.Values) != 2 || state.Lost != "" {
		t.Errorf("two levels in step: %+v", state)
	}
	if got := string(a.Values()[state.Values[1][1]]); got != `{"s":["0","1"]}` {
		t.Errorf("the abstract set is %s", got)
	}
	if all, err := a.Invariants(context.Background(), at, 0); err != nil || fmt.Sprint(all) != "[t t t t]" {
		t.Errorf("invariants: %v, %v", all, err)
	}
	at = fire(t, a, "next", "next", "next")
	if all, err := a.Invariants(context.Background(), at, 0); err != nil || fmt.Sprint(all) != "[t t f t]" {
		t.Errorf("invariants after three steps: %v, %v", all, err)
	}
	why, err := a.Invariant(context.Background(), at, 0, 2)
	if err != nil || why.Truth != animation.False || fmt.Sprint(why.Given) != "[[i 2]]" || why.Parts[0].Parts[1].Truth != animation.False {
		t.Errorf("why: %+v, %v", why, err)
	}
	blocked, err := a.Blocks(context.Background(), at, a.Concrete().Event("look"), true)
	if err != nil || blocked.Guard != 2 || fmt.Sprint(blocked.Given) != "[[k 0] [j 5]]" || blocked.Reason.Truth != animation.False {
		t.Errorf("look is blocked by %+v, %v", blocked, err)
	}
	term, err := scope.Formula("n ÷ (top − 2) = 0 ∧ n > 5", lang.ParsePredicate)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := a.Evaluate(context.Background(), at, scope.Bank(), term); err != nil || x.Reason.Truth != animation.Undefined {
		t.Errorf("a division by zero: %+v, %v", x, err)
	}
	b, _, _ := animate(t, strings.ReplaceAll(twoLevels, "WITNESS", "9"), "down")
	lost := b.State(fire(t, b, "next"))
	if len(lost.Values) != 1 || lost.Lost != "witness x of next does not give a step of up/add" {
		t.Errorf("a wrong witness: %+v", lost)
	}
}

// A run is found again by the names of its steps, and searches end where they say.
func TestRuns(t *testing.T) {
	a, scope, _ := animate(t, strings.ReplaceAll(twoLevels, "WITNESS", "1"), "down")
	ctx := context.Background()
	path, err := a.Until(ctx, animation.Before, 1000, 0)
	if err != nil || len(path.Steps) != 4 {
		t.Errorf("until an invariant breaks: %+v, %v", path, err)
	}
	goal, err := scope.Formula("top = 7", lang.ParsePredicate)
	if err != nil {
		t.Fatal(err)
	}
	if path, err := a.Until(ctx, animation.Before, 1000, goal); err != nil || len(path.Steps) > 0 || path.Why != "" {
		t.Errorf("a goal that is never reached: %+v, %v", path, err)
	}
	one, err := a.Random(ctx, animation.Before, 10, 7)
	two, err2 := a.Random(ctx, animation.Before, 10, 7)
	if err != nil || err2 != nil || fmt.Sprint(one) != fmt.Sprint(two) || one.Why != "no event is enabled" {
		t.Errorf("random steps: %+v, %+v", one, two)
	}
	run, err := a.Trace(ctx, one.Steps)
	if err != nil {
		t.Fatal(err)
	}
	again, err := a.Run(ctx, run)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(one.Steps) {
		t.Errorf("the steps of a trace: %v, %v", again, err)
	}
	g, err := a.Graph(ctx, 100, 0)
	if err != nil || len(g.Nodes) != 5 || len(g.Edges) != 5 || g.Why != "" {
		t.Errorf("graph: %+v, %v", g, err)
	}
	view, err := scope.Formula("top mod 2", lang.ParseExpression)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = a.Graph(ctx, 100, view); err != nil || len(g.Nodes) != 3 { // −1 mod 2 is undefined
		t.Errorf("merged: %+v, %v", g, err)
	}
}

// TestStepOf: a value that is given is never dropped. One that does not belong to its type in the instance is an error, and
// one that no step has leaves no step.
func TestStepOf(t *testing.T) {
	const text = "machine m variables x invariants @i x ∈ 0‥9 events event INITIALISATION then @a x ≔ 0 end event add any k where @g k ∈ 1‥3 then @a x ≔ k end end\n"
	a, _, _ := animate(t, text, "m")
	at := fire(t, a)
	add := a.Concrete().Event("add")
	number := func(n int) any { return map[string]any{"#bigint": strconv.Itoa(n)} }
	for _, x := range []struct {
		name   string
		values map[string]any
		want   string
	}{
		{"nothing is given", map[string]any{}, "k=1"},
		{"a parameter", map[string]any{"k": number(2)}, "k=2"},
		{"a value after the step", map[string]any{"x'": number(3)}, "k=3"},
		{"no such step", map[string]any{"k": number(2), "x'": number(3)}, animation.ErrNoStep.Error()},
		{"not of the type", map[string]any{"k": true}, "the value of k: true does not belong to its type"},
	} {
		step, err := a.StepOf(t.Context(), at, add, x.values)
		got := fmt.Sprint(err)
		if err == nil && len(step.Params) == 1 {
			got = step.Params[0][0] + "=" + step.Params[0][1]
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// TestForeignTerms: a term that was read for another instance is refused, as its number is another formula here.
func TestForeignTerms(t *testing.T) {
	const text = "machine m variables x invariants @i x ∈ 0‥1 events event INITIALISATION then @a x ≔ 0 end end\n"
	a, scope, in := animate(t, text, "m")
	_, other, _ := animate(t, text, "m")
	led, err := animation.Begin(t.Context(), a.Concrete(), in)
	if err != nil {
		t.Fatal(err)
	}
	moves, _, err := led.Moves(1)
	if err != nil || len(moves) != 1 {
		t.Fatal(moves, err)
	}
	led.Take(moves[0])
	at := fire(t, a)
	for formula, parse := range map[string]func(string, lang.Dialect) (*lang.Formula, []lang.Problem){"1 ÷ 0": lang.ParseExpression, "x = 0": lang.ParsePredicate} {
		own, err := scope.Formula(formula, parse)
		if err != nil {
			t.Fatal(err)
		}
		foreign, err := other.Formula(formula, parse)
		if err != nil {
			t.Fatal(err)
		}
		const refused = "the formula was not parsed for this instance of the machine"
		if value, err := led.Value(other.Bank(), foreign); fmt.Sprint(err) != refused {
			t.Errorf("%s: %q, %v", formula, value, err)
		}
		if x, err := a.Evaluate(t.Context(), at, other.Bank(), foreign); fmt.Sprint(err) != refused {
			t.Errorf("%s: %+v, %v", formula, x, err)
		}
		if value, err := led.Value(scope.Bank(), own); value != "true" && fmt.Sprint(err) != "no value: division by zero" {
			t.Errorf("%s: %q, %v", formula, value, err)
		}
	}
}
