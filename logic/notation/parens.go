package notation

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// Relation says how two neighbouring operators share the operand between them.
type Relation uint8

// The relations of l and r in a l b r c.
const (
	Incompatible Relation = iota // parentheses are required
	LeftFirst                    // (a l b) r c, for l binds tighter
	RightFirst                   // a l (b r c), for r binds tighter
	Compatible                   // (a l b) r c, for the table says so
)

// Relate returns the relation of l, on the left, and r.
func Relate(l, r logic.Op) Relation {
	switch gl, gr := table[l].Group, table[r].Group; {
	case gl.Tighter(gr):
		return LeftFirst
	case gr.Tighter(gl):
		return RightFirst
	case gl == gr && slices.Contains(table[l].Before, r):
		return Compatible
	}
	return Incompatible
}

// NeedsParens reports whether child must stand in parentheses as an operand of
// parent, on its right side or not. It concerns operands in the open: what stands
// inside brackets or after the · or ∣ of a binder needs none (see Open).
func NeedsParens(isRight bool, child, parent logic.Op) bool {
	if child == parent && child.IsAssociative() {
		return true // a node of its own, not part of the parent's row
	}
	switch Relate(parent, child) {
	case LeftFirst:
		return true
	case RightFirst:
		return false
	}
	return isRight || Relate(child, parent) != Compatible
}

// Open reports whether argument i of op stands in the open, next to a sign of
// op, and not between brackets or in the body of a binder.
func Open(op logic.Op, i int) bool {
	switch table[op].Shape {
	case Prefix, Postfix, Infix:
		return true
	case Function, Image:
		return i == 0
	}
	return false
}

// ChildNeedsParens reports whether child must stand in parentheses as argument i
// of parent. A negative literal is NegLit here.
func ChildNeedsParens(child, parent logic.Op, i int) bool {
	if parent == logic.Neg && child == logic.Int {
		return true // −(1) is not a literal
	}
	isRight := i > 0 || parent == logic.Neg
	return Open(parent, i) && NeedsParens(isRight, child, parent)
}
