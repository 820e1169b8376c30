package tune_test

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/tune"
)

// A machine that moves 12 items, tile by tile: which tile is best?
func ExampleSearch() {
	const text = `
context tiles
constants tile tiles
axioms
    @tile tile ∈ ℕ1
    @tiles tiles ∈ ℕ1
    @whole tile ∗ tiles = 12
    @fits tile ≤ 5
end
machine copy sees tiles
variables T_ev done
invariants
    @time T_ev ∈ ℕ
    @done done ∈ 0‥tiles
events
    event INITIALISATION
    then
        @a T_ev ≔ 0
        @b done ≔ 0
    end
    event move
    where
        @more done < tiles
    then
        @a T_ev ≔ T_ev + tile + 2
        @b done ≔ done + 1
    end
end`
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("copy.eventb", []byte(text), &problems)}, &problems)
	bank := dev.Bank.Extend()
	env := check.Env{"tile": logic.IntType, "tiles": logic.IntType, "done": logic.IntType}
	read := func(text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) logic.Term {
		f, _ := parse(text, lang.Text)
		t, _, _ := check.Formula(bank, env, f)
		return t
	}
	set := func(text string) logic.Term { return read(text, lang.ParseExpression) }
	answer, err := tune.Search(context.Background(), &tune.Entry{
		Name: "copy", Dev: dev, Machine: dev.Machine("copy"), Bank: bank,
		Shown: []tune.Parameter{{Name: "tile", Term: set("tile")}},
		Choices: []simulate.Choice{
			{Name: "tile", Type: logic.IntType, Set: set("1‥12")},
			{Name: "tiles", Type: logic.IntType, Set: set("{12 ÷ tile}")},
		},
		Objectives: []tune.Objective{{Text: "T_ev", Term: bank.Free("T_ev", logic.IntType)}},
		Final:      read("done = tiles", lang.ParsePredicate),
	}, tune.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range answer.Best {
		p := answer.Points[i]
		fmt.Println("tile", p.Values[0].Text, "T_ev", p.Ranges[0].High, "by", p.By)
	}
	fmt.Println("complete", answer.Complete)
	// Output:
	// tile 4 T_ev 18 by run
	// complete true
}
