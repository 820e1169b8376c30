package eval_test

import (
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// operandsOf are terms of a type for operands of a relation: one that can be listed and, where that type has them, some
// that cannot. Each relation of them has few images of an element.
func operandsOf(b *logic.Bank, typ logic.Type) (listed logic.Term, endless []logic.Term) {
	z := logic.IntType
	pair := func(k int64) logic.Term { return b.App(logic.Maplet, b.Int64(k), b.Int64(k+1)) }
	relation := b.PowType(b.ProdType(z, z))
	switch typ {
	case z:
		return b.Int64(1), nil
	case b.PowType(z):
		return b.App(logic.SetExt, b.Int64(1), b.Int64(2)), []logic.Term{b.App(logic.Natural)}
	case relation:
		return b.App(logic.SetExt, pair(1), pair(2)), []logic.Term{b.App(logic.Succ), b.Atom(logic.Id, relation)}
	case b.PowType(relation):
		return b.App(logic.SetExt, b.App(logic.SetExt, pair(1))), nil
	}
	return 0, nil
}

// TestImages: where the evaluator decides which pairs a relation has that it cannot list, it also finds the images of an
// element, for an application or an image needs them. An operator with a case in set.go has one in relation.go.
func TestImages(t *testing.T) {
	seen := 0
	for op := logic.Op(1); op < logic.NumOps; op++ {
		rule := op.Signature()
		if rule.Result == nil || rule.Result.Kind != logic.KindPow || op.IsBinder() || op.IsGeneric() {
			continue
		}
		b := logic.NewBank()
		members, images := 0, 0
		for _, r := range symbolicRelations(b, op) {
			has, finds := imagesOf(b, r)
			members, images = members+has, images+finds
		}
		if members > 0 {
			seen++
		}
		if members > 0 && images == 0 {
			t.Errorf("members of relations with %s are decided, but no image of an element is found: see images in logic/eval/relation.go", op)
		}
	}
	if seen < 10 {
		t.Errorf("only %d operators make relations whose members are decided", seen)
	}
}

// symbolicRelations are relations that op makes of operands of which one cannot be listed.
func symbolicRelations(b *logic.Bank, op logic.Op) (out []logic.Term) {
	rule := op.Signature()
	z := logic.IntType
	for _, letters := range []logic.Letters{{z, z, z, z}, {b.ProdType(z, z), z, z, z}} {
		result := b.Instance(rule.Result, &letters)
		if left, _ := b.Pair(b.Elem(result)); left == logic.NoType {
			continue
		}
		for at := range rule.Args {
			_, endless := operandsOf(b, b.Instance(rule.Args[at], &letters))
			for _, one := range endless {
				args := make([]logic.Term, len(rule.Args))
				whole := true
				for i, p := range rule.Args {
					args[i], _ = operandsOf(b, b.Instance(p, &letters))
					whole = whole && args[i] != 0
				}
				if args[at] = one; !whole {
					continue
				}
				// A relation that can be listed needs no case of its own.
				relation, m := b.App(op, args...), eval.NewModel()
				if v, ok := eval.New(b, m, 100_000).Value(relation); ok && m.Space.Kind(v) == eval.Symbolic {
					out = append(out, relation)
				}
			}
		}
	}
	return out
}

// imagesOf counts the small pairs that are decided to be in a relation, and those whose second part is found among the
// images of the first one.
func imagesOf(b *logic.Bank, relation logic.Term) (members, images int) {
	left, right := b.Pair(b.Elem(b.Type(relation)))
	holds := func(p logic.Term) bool { return eval.New(b, eval.NewModel(), 100_000).Pred(p) == eval.True }
	for _, x := range smallTerms(b, left) {
		for _, y := range smallTerms(b, right) {
			if !holds(b.App(logic.In, b.App(logic.Maplet, x, y), relation)) {
				continue
			}
			members++
			if holds(b.App(logic.In, y, b.App(logic.Image, relation, b.App(logic.SetExt, x)))) {
				images++
			}
		}
	}
	return members, images
}

// smallTerms are literals of integers from 0 to 3, and pairs of them.
func smallTerms(b *logic.Bank, typ logic.Type) (out []logic.Term) {
	left, right := b.Pair(typ)
	if left == logic.NoType {
		for k := range int64(4) {
			out = append(out, b.Int64(k))
		}
		return out
	}
	for _, x := range smallTerms(b, left) {
		for _, y := range smallTerms(b, right) {
			out = append(out, b.App(logic.Maplet, x, y))
		}
	}
	return out
}
