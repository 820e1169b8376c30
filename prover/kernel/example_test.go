package kernel_test

import (
	"fmt"
	"math/big"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// From 1 < n follows 0 < n: the hypothesis and the negated goal contradict each other
// by arithmetic.
func ExampleCheck() {
	b := logic.NewBank()
	n := b.Free("n", logic.IntType)
	large, positive := b.App(logic.Lt, b.Int64(1), n), b.App(logic.Lt, b.Int64(0), n)
	s := logic.Sequent{Bank: b, Hyps: []logic.Term{large}, Goal: positive}

	var p kernel.Proof
	hyp := p.Add(kernel.Step{Kind: kernel.Hyp})
	goal := p.Add(kernel.Step{Kind: kernel.NegGoal})
	lin := p.Add(kernel.Step{Kind: kernel.Lin, Clause: kernel.Clause{kernel.Neg(large), kernel.Pos(positive)}, Coef: []*big.Int{big.NewInt(1), big.NewInt(1)}})
	p.Add(kernel.Step{Kind: kernel.Rup, From: []int{hyp, goal, lin}})

	result, err := kernel.Check(s, &p)
	fmt.Println(result.Hyps, result.Goal, err)
	// Output: [0] true <nil>
}
