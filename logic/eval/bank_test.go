package eval

import (
	"testing"

	"github.com/gradine/gradine/logic"
)

// A value that speaks of a term says the same in a model for terms of another bank, in which the
// term has another number.
func TestModelsOfOtherBanks(t *testing.T) {
	// {n·n>x∣n} for x = 3, in a bank where it comes first and in one where much comes before.
	build := func(before int) (b *logic.Bank, f, x, set logic.Term) {
		b = logic.NewBank()
		for i := range before {
			b.App(logic.Plus, b.Int64(int64(i)), b.Free("y", logic.IntType))
		}
		x, f = b.Free("x", logic.IntType), b.Free("f", b.PowType(logic.IntType))
		n := b.Free("n", logic.IntType)
		body := []logic.Term{b.App(logic.Gt, n, x), n}
		for i, part := range body {
			body[i] = b.Abstract(part, []logic.Term{n})
		}
		return b, f, x, b.Quant(logic.Compr, []logic.Type{logic.IntType}, nil, body...)
	}
	b, _, _, set := build(0)
	m := NewModel()
	m.Values["x"] = m.Space.Int64(3)
	value, ok := New(b, m, 1000).Value(set)
	if !ok {
		t.Fatal("no value")
	}
	m.Define(b, "f", value)
	m.Values["p"] = m.Space.Pair(m.Space.Bool(true), m.Space.Element("S", 2))

	other, f, x, _ := build(50)
	for n, want := range map[int64]Truth{3: False, 4: True, 100: True} {
		if got := New(other, m, 1000).Pred(other.App(logic.In, other.Int64(n), f)); got != want {
			t.Errorf("%d ∈ f is %v", n, got)
		}
	}
	if got := New(other, m, 1000).Pred(other.App(logic.Eq, x, other.Int64(3))); got != True {
		t.Errorf("x = 3 is %v", got)
	}
	moved := m.In(other)
	if moved == m || m.In(b) != m || moved.In(other) != moved {
		t.Error("a model is moved where its terms are not those of the bank, and nowhere else")
	}
	if s := moved.Space.String(moved.Values["p"]); s != m.Space.String(m.Values["p"]) {
		t.Errorf("a pair becomes %s", s)
	}
}
