package explain

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// TestMembers compares how many elements a set may have, by its form, with those that the
// evaluator lists.
func TestMembers(t *testing.T) {
	bank := logic.NewBank()
	model := eval.NewModel()
	given := bank.GivenType("S")
	model.Carriers["S"] = 2
	n := bank.Free("n", logic.IntType)
	model.Values["n"] = model.Space.Int64(2)
	c := &breadth{bank: bank, model: model}
	draw := rand.New(rand.NewPCG(1, 2))
	arrows := []logic.Op{logic.Rel, logic.PFun, logic.TFun, logic.TInj, logic.TSur}
	var set func(depth int) logic.Term
	set = func(depth int) logic.Term {
		if depth == 0 || draw.IntN(3) == 0 {
			switch draw.IntN(3) {
			case 0:
				return bank.App(logic.UpTo, bank.Int64(draw.Int64N(3)), n)
			case 1:
				return bank.App(logic.Bool)
			}
			return bank.TypeExpr(given)
		}
		switch draw.IntN(4) {
		case 0:
			return bank.App(logic.Pow, set(depth-1))
		case 1:
			return bank.App(logic.CProd, set(depth-1), set(depth-1))
		}
		return bank.App(arrows[draw.IntN(len(arrows))], set(depth-1), set(depth-1))
	}
	listed, exact := 0, 0
	for range 400 {
		s := set(2)
		v, ok := eval.New(bank, model, 1<<14).Expr(s)
		if !ok {
			continue // too many to list
		}
		listed++
		bits, found := c.members(s), math.Log2(float64(len(model.Space.Members(v))))
		if found > bits+1e-6 {
			t.Errorf("2^%g elements, counted as 2^%g", found, bits)
		}
		if bits-found < 0.5 {
			exact++
		}
	}
	if listed < 100 || exact < listed/2 {
		t.Errorf("%d sets listed, of which %d are counted closely", listed, exact)
	}
}
