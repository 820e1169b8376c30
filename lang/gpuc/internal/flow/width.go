package flow

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// Width says how many bits the types have whose width is that of pointers.
const Width = "size_t, ptrdiff_t and pointers have 64 bits"

// Such types are counted with 64 bits. These have what they hold on a target of 32.
var narrow = map[bool]Interval{false: TypeInterval(syntax.TUint), true: TypeInterval(syntax.TInt)}

// depends notes, where t is as wide as pointers, that its width decides on a value, if e is not
// one of 32 bits as well.
func (l *lowerer) depends(t *syntax.Ctype, e *Term) {
	if t.Pointerwide && !l.bounds(e).Inside(narrow[t.Signed]) {
		l.prog.Wide = true
	}
}

// compares notes that a comparison depends on the width of pointers: with a type of another
// width, or another sign, the narrower operand is converted on one target, and on the other
// that one.
func (l *lowerer) compares(a, b *value, x, y *Term) {
	if b.typ.Pointerwide {
		a, b, x, y = b, a, y, x
	}
	switch {
	case !a.typ.Pointerwide || b.typ.Pointerwide && a.typ.Signed == b.typ.Signed:
	case b.typ.Bits == 64, a.typ.Signed && !b.typ.Signed && b.typ.Bits == 32:
		if !l.bounds(y).Inside(narrow[true]) || y.Op != Num {
			l.prog.Wide = true
		}
	}
}

// hasWidth reports whether the size of a type depends on that of pointers.
func hasWidth(t *syntax.Ctype) bool {
	switch t.Kind {
	case syntax.PointerType:
		return true
	case syntax.ArrayType:
		return hasWidth(t.Elem)
	case syntax.StructType:
		for _, f := range t.Fields {
			if hasWidth(f.Typ) {
				return true
			}
		}
	}
	return t.Pointerwide
}

// bounds are those of an integer, from its form alone.
func (l *lowerer) bounds(e *Term) Interval {
	// The number of a thread in the grid has fewer bits than its form shows.
	for d := range 3 {
		if e.Key() == l.globalSize(d).Key() {
			return Interval{big.NewInt(0), narrow[true].Hi}
		}
		if id := l.globalID(d); e.Op == Add && id.Op == Add {
			rest := Minus(e, id)
			if len(summands(rest)) <= len(e.Args)-len(id.Args) {
				return l.bounds(rest).Plus(Interval{big.NewInt(0), narrow[true].Hi})
			}
		}
	}
	switch e.Op {
	case Num:
		return Point(e.Val)
	case Sym:
		if e.Own || size(e) { // ids and sizes of the launch
			return Interval{big.NewInt(0), l.most(e)}
		}
	case Local_:
		if e.V.Typ.Kind == syntax.IntType {
			return TypeInterval(e.V.Typ)
		}
	case Wrap:
		if in := l.bounds(e.Args[0]); in.Inside(TypeInterval(e.Typ)) {
			return in
		}
		return TypeInterval(e.Typ)
	case Add:
		sum := Point(new(big.Int))
		for _, a := range e.Args {
			sum = sum.Plus(l.bounds(a))
		}
		return sum
	case Mul:
		product := Point(big.NewInt(1))
		for _, a := range e.Args {
			product = product.Times(l.bounds(a))
		}
		return product
	case Quo, Rem, Modulo: // towards 0
		if in := l.bounds(e.Args[0]); in.NonNegative() && l.bounds(e.Args[1]).NonNegative() {
			return Interval{big.NewInt(0), in.Hi}
		}
	}
	return Interval{}
}

func summands(e *Term) []*Term {
	switch {
	case e.Op == Add:
		return e.Args
	case e.Is(0):
		return nil
	}
	return []*Term{e}
}

// most is the greatest value of an id or a size of the launch.
func (l *lowerer) most(e *Term) *big.Int {
	d := slices.Index([]string{"x", "y", "z"}, e.Name[len(e.Name)-1:])
	of := l.opts.Local
	if e.Name[:1] == "g" || e.Name[:1] == "n" {
		of = l.opts.Groups
	}
	if d >= 0 && of[d] > 0 {
		return big.NewInt(of[d])
	}
	return narrow[true].Hi
}
