package eval_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// world is a model for the tests of operators.
const world = `{"carriers": {"S": 3, "T": 2, "N": "ℤ"}, "values": {
	"r": {"set": [["S#0", "T#0"], ["S#0", "T#1"], ["S#2", "T#1"]]},
	"f": {"set": [["S#0", "T#1"], ["S#1", "T#0"]]},
	"A": {"set": ["S#0", "S#1"]}, "x": "S#2", "y": "T#1", "n": 7, "m": -2,
	"U": {"set": [-1, 2, 5]}, "big": 100000000000000000000, "I": {"interval": [0, null]}, "p": "N#-4"}}`

var worldTypes = map[string]string{
	"r": "ℙ(S×T)", "f": "ℙ(S×T)", "A": "ℙ(S)", "x": "S", "y": "T", "n": "ℤ", "m": "ℤ",
	"U": "ℙ(ℤ)", "big": "ℤ", "I": "ℙ(N)", "p": "N",
}

func evaluate(t *testing.T, steps int, predicates map[string]eval.Truth) {
	t.Helper()
	b := logic.NewBank()
	env, err := new(check.Reader).Env(b, worldTypes)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range predicates {
		p, err := check.Predicate(b, env, text)
		if err != nil {
			t.Fatal(err)
		}
		p = b.Bare(p)
		m, err := eval.ReadModel(b, b.FreeIdents(p), []byte(world))
		if err != nil {
			t.Fatal(err)
		}
		if got := eval.New(b, m, steps).Pred(p); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestOperators(t *testing.T) {
	evaluate(t, 1<<18, map[string]eval.Truth{
		"n mod 4=3∧m ÷ 4=0∧(−7) ÷ 2=−3∧7 ÷ m=−3∧2 ^ 70>big": eval.True,
		"big+1>big∧big∗big>big":   eval.True,
		"m mod 2=0":               eval.Unknown,
		"n ÷ 0=0":                 eval.Unknown,
		"dom(r)=S ∖ {x}":          eval.False,
		"∃k⦂S·dom(r)=S ∖ {k}∧k∈A": eval.True,
		"ran(A ◁ r)={y,f(f∼(y))}∪T∧A ⩤ r={x ↦ y}∧(r ▷ {y})∪(r ⩥ {y})=r": eval.True,
		"f(x)=y":                              eval.Unknown,
		"r∼;r∈T ↔ T∧r∼;f=f∘r∼":                eval.True,
		"dom(f\ue103r)=S∧(f\ue103r)[{x}]={y}": eval.True,
		"f∈S ⤔ T∧f∉S → T∧f∈A ⤖ T∧r∉S ⇸ T∧r∈dom(r) \ue100 T":        eval.True,
		"card(ℙ(S))=8∧card(A ↔ T)=16∧card(A → T)=4∧card(S ⇸ T)=27": eval.True,
		"finite(ℕ)∨finite(ℤ × A)∨finite(I)∨¬finite(ℤ × (A ∖ A))":   eval.False,
		"ℕ1⊂ℕ∧ℕ⊂ℤ∧ℙ(ℕ)⊆ℙ(ℤ)∧ℕ≠ℕ1∧U⊈ℕ":                              eval.True,
		"p∈I∨I=N":  eval.False,
		"∃q⦂N·q∉I": eval.True,
		"(λk⦂ℤ·k∈ℕ ∣ k∗k)(n)=49∧succ(n)=8∧pred∼=succ":                  eval.True,
		"(λk⦂ℤ·k∈ℕ ∣ k∗k)(m)=4":                                        eval.Unknown,
		"{k⦂ℤ·k∈U∧k>0 ∣ k+1}={3,6}∧{k⦂ℤ·k>n ∣ k}∩U=(∅ ⦂ ℙ(ℤ))":         eval.True,
		"finite({k⦂ℤ·k≥m ∣ k ↦ 0})":                                    eval.False,
		"(⋃k⦂ℤ·k∈U ∣ {k,k+1})=union({{−1,0},{2,3},5 ‥ 6})":             eval.True,
		"(⋂k⦂ℤ·k∈1 ‥ 3 ∣ k ‥ 5)=3 ‥ 5∧inter({U,{2}})={2}":              eval.True,
		"min(U)=−1∧max(U)=5∧min(ℕ)=0∧min(U∪ℕ1)=−1":                     eval.Unknown,
		"∀k⦂ℤ·0≤k∧2∗k<11⇒k≤5":                                          eval.True,
		"∀k⦂ℤ·k∗k≥0":                                                   eval.Unknown,
		"∀k⦂ℤ·k<big":                                                   eval.False,
		"∃k⦂ℤ·∀l⦂ℤ·l∈U⇒k≤l":                                            eval.True,
		"∀k⦂S,l⦂T·k ↦ l∈f⇒k∈A":                                         eval.True,
		"∃g⦂ℙ(S×T)·g∈A ⤖ T∧g≠f":                                        eval.True,
		"partition(S,A,{x})∧¬partition(U,{2},{−1})":                    eval.True,
		"bool(A⊆S)=TRUE∧(prj2 ⦂ ℙ(S×T×T))(x ↦ y)=y∧(id ⦂ ℙ(S×S))(x)=x": eval.True,
	})
}

func TestSteps(t *testing.T) {
	evaluate(t, 10, map[string]eval.Truth{"∀k⦂ℤ·k∈1 ‥ 100⇒k∗k>0": eval.Unknown})
}

func TestModelText(t *testing.T) {
	b := logic.NewBank()
	env, err := new(check.Reader).Env(b, worldTypes)
	if err != nil {
		t.Fatal(err)
	}
	var ids []logic.Term
	for _, name := range []string{"r", "U", "big", "I", "p"} {
		ids = append(ids, b.Free(name, env[name]))
	}
	m, err := eval.ReadModel(b, ids, []byte(world))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := eval.ReadModel(b, ids, data)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		name := b.Name(id)
		if s, u := m.Space.String(m.Values[name]), again.Space.String(again.Values[name]); s != u {
			t.Errorf("%s is %s, and %s once written and read", name, s, u)
		}
	}
	if got, want := m.Space.String(m.Values["r"]), "{S#0 ↦ T#0, S#0 ↦ T#1, S#2 ↦ T#1}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, bad := range []string{
		`{"carriers": {"S": 2}, "values": {"x": "S#2"}}`, `{"carriers": {"S": 0}}`,
		`{"carriers": {"S": 2}, "values": {"x": 1}}`, `{"values": {"n": "1"}}`, `{"values": {"U": {"set": 3}}}`, `[`,
	} {
		if _, err := eval.ReadModel(b, []logic.Term{b.Free("x", env["x"]), b.Free("n", logic.IntType), b.Free("U", env["U"])}, []byte(bad)); err == nil {
			t.Errorf("%s is read as a model", bad)
		}
	}
}

func TestBoundIn(t *testing.T) {
	b := logic.NewBank()
	env, err := new(check.Reader).Env(b, worldTypes)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]int{
		"∀a,c,d·a>n∧(∃e·e=d+e)∧a>n∧c=n": {2, 0, 1},
		"∀a,c⦂ℤ·∀d·d=n∧(∃e·e=a∧e=n)":    {1},
		"∃a⦂ℤ·n=m∧(∀a·a=n)":             nil,
	} {
		p, err := check.Predicate(b, env, text)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i := range eval.BoundIn(b, b.Arg(p, 0)) {
			if !slices.Contains(got, i) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: variables %v of the body, want %v", text, got, want)
		}
		for range eval.BoundIn(b, b.Arg(p, 0)) {
			break
		}
	}
}
