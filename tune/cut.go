package tune

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
)

// A cut is a literal that may end a set of values before its condition does: L in
// {d· d ∈ a‥L ∧ P ∣ E}, where P speaks of d, too. An author who writes 2‥62 next to 2^d < size
// means P to end the set, and L to be large enough.
type cut struct {
	name    string
	literal *big.Int
	beyond  func(simulate.Point) (simulate.Constant, error) // whether P holds of L + 1
	reads   []string                                        // names that this depends on
	grid    *simulate.Grid
	not     map[string]bool // their values at the point that was last found not to be cut
}

// cuts are the literals in the sets of the choices that may cut them.
func (e *Entry) cuts(grid *simulate.Grid) ([]cut, error) {
	bank := e.Bank
	var out []cut
	for _, choice := range e.Choices {
		if bank.Op(choice.Set) != logic.Compr {
			continue
		}
		body := formula.Conjuncts(bank, bank.Arg(choice.Set, 0))
		for i, p := range body {
			if bank.Op(p) != logic.In || bank.Op(bank.Arg(p, 0)) != logic.Bound || bank.Op(bank.Arg(p, 1)) != logic.UpTo {
				continue
			}
			variable, from, to := bank.Arg(p, 0), bank.Arg(bank.Arg(p, 1), 0), bank.Arg(bank.Arg(p, 1), 1)
			others := slices.Delete(slices.Clone(body), i, i+1)
			if bank.Op(to) != logic.Int || !slices.ContainsFunc(others, func(q logic.Term) bool { return speaks(bank, q, bank.Index(variable)) }) {
				continue
			}
			literal := bank.Value(to)
			// A literal bound cuts the search if the other conditions hold for the next value, too.
			next := bank.Int(new(big.Int).Add(literal, big.NewInt(1)))
			others = append([]logic.Term{bank.App(logic.Eq, variable, next), bank.App(logic.Le, from, next)}, others...)
			some := bank.Quant(logic.Exists, bank.Decls(choice.Set), nil, bank.And(others...))
			beyond, err := grid.Truth(some)
			if err != nil {
				return nil, fmt.Errorf("search: %s: %w", choice.Name, err)
			}
			x := cut{name: choice.Name, literal: literal, beyond: beyond, grid: grid, not: map[string]bool{}}
			for _, id := range bank.FreeIdents(some) {
				x.reads = append(x.reads, bank.Name(id))
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// at says whether the set is cut at a point; where something has no value it is not.
func (c cut) at(p simulate.Point) bool {
	key := c.grid.Key(p, c.reads)
	if c.not[key] {
		return false
	}
	value, err := c.beyond(p)
	if err != nil || value.Text == "TRUE" {
		return err == nil
	}
	clear(c.not)
	c.not[key] = true
	return false
}

func (c cut) String() string {
	return fmt.Sprintf("the literal %s in the set of %s, not the condition next to it", c.literal, c.name)
}

// speaks reports whether t mentions the bound variable of an index.
func speaks(bank *logic.Bank, t logic.Term, index int) bool {
	if bank.Op(t) == logic.Bound {
		return bank.Index(t) == index
	}
	if bank.Op(t).IsBinder() {
		index += len(bank.Decls(t))
	}
	return slices.ContainsFunc(bank.Args(t), func(arg logic.Term) bool { return speaks(bank, arg, index) })
}
