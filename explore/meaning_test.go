package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/logic"
)

// What the compiler has no code for means what its membership axiom says: without its
// code for an operator, a search finds the same states, or says what it cannot bound.
func TestMeaning(t *testing.T) {
	all, same := formula.Compiled, 0
	defer func() { formula.Compiled = all }()
	for op, set := range map[logic.Op]string{
		logic.Union: "n ‥ 2 ∪ {5}", logic.Inter: "n ‥ 4 ∩ {1,3,5}", logic.Diff: "n ‥ 4 ∖ {1,3}", logic.UpTo: "n ‥ 3",
		logic.Dom: "dom({n ↦ TRUE, 3 ↦ FALSE})", logic.Ran: "ran({TRUE ↦ n, FALSE ↦ 2})", logic.Image: "{n ↦ 2, 1 ↦ 3}[{0,1}]",
		logic.DomRes: "ran({0} ◁ {0 ↦ n, 1 ↦ 3})", logic.RanSub: "dom({0 ↦ n, 1 ↦ 3} ⩥ {3})", logic.Converse: "dom({0 ↦ n, 1 ↦ 3}∼)",
		logic.BComp: "ran({0 ↦ n, 1 ↦ 3} circ {0 ↦ 1, 2 ↦ 0})", logic.SetExt: "{n, 3}", logic.CProd: "dom({n, 2} × BOOL)",
		logic.Ovr: "ran({0 ↦ n, 1 ↦ 3}\ue103{1 ↦ 2})", logic.GUnion: "union({{n}, {2,3}})",
	} {
		states := func() string {
			x := newBuilder(t, "m")
			x.variable("n", "ℤ")
			x.event("INITIALISATION", "", "", "n ≔ 0")
			x.event("e", "p:ℤ", "p ∈ 0‥6;;p ∈ "+set, "n ≔ p")
			ins, _, err := Solve(context.Background(), x.development(), x.m, Setup{}, 1)
			if err != nil {
				t.Fatal(err)
			}
			res, err := Run(context.Background(), x.m, ins[0], Options{})
			if err != nil {
				return err.Error()
			}
			return fmt.Sprint(res.States, res.Transitions, res.Verdict)
		}
		formula.Compiled = all
		want := states()
		formula.Compiled = slices.DeleteFunc(slices.Clone(all), func(o logic.Op) bool { return o == op })
		switch got := states(); {
		case got == want:
			same++
		case !strings.Contains(got, "no bound for"):
			t.Errorf("%s (%s): %s by its axiom, %s by code", op, set, got, want)
		}
	}
	if same < 13 {
		t.Errorf("only %d operators are explored by their axioms", same)
	}
}

// A part of a sequence is shifted as one word; written so that it is not, it leads to the same states, and has no value in
// the same ones.
func TestShiftedSequence(t *testing.T) {
	for n, by := range []string{"", " + 1", " − 2", " + 3"} {
		explored := func(part string) string {
			x := newBuilder(t, "m")
			x.variable("f", "ℙ(ℤ×ℤ)")
			x.event("INITIALISATION", "", "", "f ≔ {1 ↦ 2, 2 ↦ 0, 3 ↦ 40}")
			x.event("put", "k:ℤ", "k ∈ {0,1,3,900,70000};;card(f) < 3", "f(card(f) + 1) ≔ k")
			x.event("cut", "a:ℤ b:ℤ", "a ∈ −1 ‥ 3;;b ∈ −1 ‥ 4;;a"+by+" ‥ b"+by+" ⊆ dom(f)", "f ≔ "+part)
			x.event("any", "a:ℤ b:ℤ", "a ∈ 0 ‥ 3;;b ∈ a ‥ 3;;f(1) = 3", "f ≔ "+part)
			res := x.run(Setup{}, Options{KeepGoing: true, NoDeadlock: true})
			text := fmt.Sprint(res.States, res.Transitions, res.Fired, res.Verdict)
			for _, f := range res.Findings {
				text += fmt.Sprint(f.Kind, f.Label, f.Why)
			}
			return text
		}
		fast, slow := explored("(λi·i ∈ a ‥ b ∣ f(i"+by+"))"), explored("{i,j·i ∈ a ‥ b ∧ j = i"+by+" ∣ i ↦ f(j)}")
		if fast != slow {
			t.Errorf("%d: %s; written otherwise %s", n, fast, slow)
		}
	}
}

// The least integer that is held as a word has a quotient by −1 that is not.
func TestQuotientBeyondWords(t *testing.T) {
	x := newBuilder(t, "m")
	x.variable("n", "ℤ")
	x.variable("q", "ℤ")
	x.invariant("q ∈ ℕ ∧ (q > 0 ⇒ q − 1 = 4611686018427387903)")
	x.event("INITIALISATION", "", "", "n ≔ −1;;q ≔ 0")
	x.event("e", "", "", "q ≔ −4611686018427387904 ÷ n")
	if r := x.run(Setup{}, Options{}); r.Verdict != Complete || r.States != 2 {
		t.Errorf("%s with %d states: %v", r.Verdict, r.States, r.Findings)
	}
}
