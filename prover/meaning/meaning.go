// Package meaning turns the kernel's membership axioms into comprehensions. Evaluators and
// translators use it for operators without special code. No proof depends on it.
package meaning

import (
	"fmt"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Comprehension returns {x·P∣x} for set expression t, where P is what the membership
// axiom of t's operator says of x∈t; ok is false if there is no such axiom. Where the
// elements are pairs, x is x1↦x2, and so on: P speaks of the parts, not of projections.
// Variables that are bound around t stay what they are.
func Comprehension(bank *logic.Bank, t logic.Term) (u logic.Term, ok bool) {
	schema := kernel.Membership(bank.Op(t))
	if schema == nil {
		return 0, false
	}
	// Axioms speak of closed terms: identifiers take the place of the variables around t.
	around := dangling(bank, t)
	closed := bank.Instantiate(t, around)
	var decls []logic.Type
	var parts []logic.Term
	var element func(typ logic.Type) logic.Term
	element = func(typ logic.Type) logic.Term {
		if left, right := bank.Pair(typ); left != logic.NoType {
			x := element(left)
			return bank.App(logic.Maplet, x, element(right))
		}
		x := bank.Free(reserved(fmt.Sprint("x", len(parts))), typ)
		decls, parts = append(decls, typ), append(parts, x)
		return x
	}
	x := element(bank.Elem(bank.Type(t)))
	f, err := schema.Formula(bank, x, closed)
	if err != nil || bank.Op(f) != logic.Iff || bank.Arg(f, 0) != bank.App(logic.In, x, closed) {
		return 0, false
	}
	ids := append(around, parts...)
	return bank.Quant(logic.Compr, decls, nil, bank.Abstract(bank.Arg(f, 1), ids), bank.Abstract(x, parts)), true
}

// reserved makes a name that no identifier of a formula has.
func reserved(name string) string { return "\x00" + name }

// dangling returns an identifier for each variable around t, the innermost last.
func dangling(bank *logic.Bank, t logic.Term) []logic.Term {
	n := bank.Depth(t)
	ids := make([]logic.Term, n)
	// The type of a variable stands where it occurs; one that does not occur may have any.
	seen := map[[2]int]bool{}
	var walk func(t logic.Term, level int)
	walk = func(t logic.Term, level int) {
		if bank.Depth(t) <= level || seen[[2]int{int(t), level}] {
			return
		}
		seen[[2]int{int(t), level}] = true
		if bank.Op(t) == logic.Bound {
			i := n - 1 - (bank.Index(t) - level)
			ids[i] = bank.Free(reserved(fmt.Sprint(i)), bank.Type(t))
		}
		if bank.Op(t).IsBinder() {
			level += len(bank.Decls(t))
		}
		for _, a := range bank.Args(t) {
			walk(a, level)
		}
	}
	walk(t, 0)
	for i, id := range ids {
		if id == 0 {
			ids[i] = bank.Free(reserved(fmt.Sprint(i)), logic.IntType)
		}
	}
	return ids
}
