package kernel_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// instances returns argument lists for schema s: its sample, with type variables
// as they are and as integers, and operators with other numbers of arguments.
func instances(b *logic.Bank, s *kernel.Schema) (out [][]logic.Term) {
	sample := cert.Sample(b, s)
	out = append(out, sample)
	ints := map[string]logic.Type{"α": logic.IntType}
	if l, ok := retype(b, sample, ints); ok {
		out = append(out, l)
	}
	if s.Op == logic.Invalid {
		return out
	}
	last := sample[len(sample)-1]
	with := func(args ...logic.Term) {
		list := append([]logic.Term{}, sample...)
		list[len(list)-1] = b.App(s.Op, args...)
		out = append(out, list)
	}
	args := b.Args(last)
	switch {
	case s.Op == logic.FComp || s.Op == logic.BComp:
		α := b.GivenType("α")
		r := b.Free("r", b.RelType(α, α))
		q := b.Free("q", b.RelType(α, α))
		out = append(out, []logic.Term{b.Free("x", b.ProdType(α, α)), b.App(s.Op, r, q, r)})
	case s.Op.IsAssociative():
		with(args[0], args[1], args[0])
		with(args[0], args[1], b.Free("w", b.Type(args[0])))
	case logic.Rel <= s.Op && s.Op <= logic.TBij:
		with(b.TypeExpr(b.Elem(b.Type(args[0]))), b.TypeExpr(b.Elem(b.Type(args[1]))))
		with(args[0], b.TypeExpr(b.Elem(b.Type(args[1]))))
	case s.Op == logic.SetExt:
		with(args[0])
		with(args[0], args[1], b.Free("w", b.Type(args[0])))
	case s.Op == logic.Partition:
		with(args[0])
		with(args[0], args[1])
		with(args[0], args[1], args[2], b.Free("w", b.Type(args[0])))
	}
	if s.Member {
		out = append(out, []logic.Term{b.Free("v", b.Type(sample[0])), last})
	}
	return out
}

// retype copies terms with types for carrier sets.
func retype(b *logic.Bank, ts []logic.Term, types map[string]logic.Type) ([]logic.Term, bool) {
	src := logic.NewBank()
	im := logic.NewImporter(src, b, true)
	back := logic.NewImporter(b, src, true)
	changed := false
	var out []logic.Term
	for _, c := range random.Carriers(b, ts...) {
		if t, ok := types[c]; ok {
			back.PutType(src.GivenType(c), t)
			changed = true
		}
	}
	for _, t := range ts {
		out = append(out, back.Term(im.Term(t)))
	}
	return out, changed
}

func TestAxiomsHoldInSmallScopes(t *testing.T) {
	limit := corpus.Effort(300, 500, 3000)
	for _, s := range kernel.Axioms() {
		b := logic.NewBank()
		for _, args := range instances(b, s) {
			f, err := s.Formula(b, args...)
			if err != nil {
				t.Error(err)
				continue
			}
			yes, unknown := valid(t, s.Name, b, f, limit)
			if yes == 0 || testing.Verbose() && unknown > 0 {
				t.Logf("%s: true %d, unknown %d", s.Name, yes, unknown)
			}
			if yes == 0 {
				t.Errorf("%s: never true", s.Name)
			}
		}
	}
}

// What the rows of the table say is put to the test: of an implication the premise holds in some model, of an
// equivalence each side is true in one and false in another. So no row passes for want of cases. The
// evaluator does not decide that something holds of infinitely many integers: that it is not false is enough.
func TestAxiomsAreTested(t *testing.T) {
	for _, s := range kernel.Axioms() {
		b := logic.NewBank()
		f, err := s.Formula(b, cert.Sample(b, s)...)
		if err != nil {
			t.Fatal(err)
		}
		tested(t, s.Name, b, f)
	}
}

func TestLemmasAreTested(t *testing.T) {
	for _, name := range kernel.Lemmas() {
		l, err := kernel.FindLemma(name)
		if err != nil {
			t.Fatal(err)
		}
		b := logic.NewBank()
		tested(t, name, b, logic.NewImporter(b, l.Bank, true).Term(l.Statement))
	}
}

func tested(t *testing.T, name string, b *logic.Bank, f logic.Term) {
	t.Helper()
	// wanted are the parts that have to take each of these values.
	wanted := map[logic.Term][]eval.Truth{f: {eval.True}}
	for g := f; b.Op(g) == logic.Implies || b.Op(g) == logic.Iff; g = b.Arg(g, 1) {
		if b.Op(g) == logic.Implies {
			wanted[b.Arg(g, 0)] = []eval.Truth{eval.True}
			continue
		}
		for _, side := range b.Args(g) {
			wanted[side] = []eval.Truth{eval.True, eval.False}
			if b.Op(b.Arg(g, 1)) == logic.False {
				wanted[side] = []eval.Truth{eval.False}
			}
		}
	}
	seen := map[logic.Term]map[eval.Truth]bool{}
	for p := range wanted {
		seen[p] = map[eval.Truth]bool{}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range sizes {
		newScope(b, r, size, random.Carriers(b, f)).each(b.FreeIdents(f), 2000, func(m *eval.Model) {
			e := eval.New(b, m, 20000)
			for p := range wanted {
				seen[p][e.Pred(p)] = true
			}
		})
	}
	for p, values := range wanted {
		for _, v := range values {
			infinite := v == eval.True && seen[p][eval.Unknown] && quantified(b, p)
			if !seen[p][v] && !infinite {
				t.Errorf("%s: %s is never %v", name, text.Options{}.Term(b, p), v)
			}
		}
	}
}

// quantified reports whether ∀ over integers occurs in t.
func quantified(b *logic.Bank, t logic.Term) bool {
	if b.Op(t) == logic.Forall && slices.Contains(b.Decls(t), logic.IntType) {
		return true
	}
	return slices.ContainsFunc(b.Args(t), func(a logic.Term) bool { return quantified(b, a) })
}

// Sets without bound, and numbers where ÷, mod and ^ go astray.
func TestAxiomsHoldOfTraps(t *testing.T) {
	b := logic.NewBank()
	z := logic.IntType
	num := func(vs ...int64) (ts []logic.Term) {
		for _, v := range vs {
			ts = append(ts, b.Int64(v))
		}
		return ts
	}
	sets := []logic.Term{b.App(logic.Integer), b.App(logic.Natural), b.App(logic.Natural1), b.Atom(logic.Empty, b.PowType(z)),
		b.App(logic.UpTo, b.Int64(3), b.Int64(-1)), b.App(logic.SetExt, num(-2, 5)...)}
	nums := num(-7, -2, -1, 0, 1, 2, 7, 1<<62, -1<<63)
	for _, name := range []string{"min.member", "min.least", "max.member", "max.greatest"} {
		for _, s := range sets {
			for _, x := range num(-2, 0, 3, 5) {
				holds(t, b, name, s, x)
			}
		}
	}
	for _, name := range []string{"finite.insert", "card.insert"} {
		for _, s := range sets {
			holds(t, b, name, s, b.Int64(3))
		}
	}
	for _, name := range []string{"div.pos.pos", "div.neg.pos", "div.pos.neg", "div.neg.neg", "mod", "times.sign", "le.antisymmetric"} {
		for _, x := range nums {
			for _, y := range nums {
				holds(t, b, name, x, y)
			}
		}
	}
	for _, x := range num(-3, -1, 0, 1, 2, 1<<40) {
		for _, y := range num(-2, 0, 1, 5) {
			holds(t, b, "power.next", x, y)
		}
	}
}

func holds(t *testing.T, b *logic.Bank, name string, args ...logic.Term) {
	t.Helper()
	f, err := kernel.Lookup(name).Formula(b, args...)
	if err != nil {
		t.Fatal(err)
	}
	valid(t, name, b, f, 1)
}

// A slip in an axiom would be seen: of each axiom, changed in one place, some
// variant is false in a small scope, and of all such variants, most are.
func TestWrongAxiomsAreSeen(t *testing.T) {
	all, seen := 0, 0
	for _, s := range kernel.Axioms() {
		b := logic.NewBank()
		f, err := s.Formula(b, cert.Sample(b, s)...)
		if err != nil {
			t.Fatal(err)
		}
		some := false
		for _, g := range variants(b, f) {
			all++
			if falseSomewhere(b, g) {
				seen++
				some = true
			}
		}
		if !some {
			t.Errorf("%s: no wrong variant is seen", s.Name)
		}
	}
	t.Logf("%d of %d variants are false somewhere", seen, all)
	if seen < all*2/3 {
		t.Error("most slips pass")
	}
}

// variants returns t with one operator, or its arguments' order, changed.
func variants(b *logic.Bank, t logic.Term) (out []logic.Term) {
	other := map[logic.Op][]logic.Op{
		logic.And: {logic.Or}, logic.Or: {logic.And}, logic.Implies: {logic.Iff}, logic.Iff: {logic.Implies},
		logic.Le: {logic.Lt}, logic.Lt: {logic.Le}, logic.Plus: {logic.Minus}, logic.Minus: {logic.Plus}, logic.Union: {logic.Diff},
		logic.Dom: {logic.Ran}, logic.Ran: {logic.Dom}, logic.Min: {logic.Max}, logic.Max: {logic.Min}, logic.PFun: {logic.Rel},
		logic.TFun: {logic.PFun}, logic.PInj: {logic.PFun}, logic.TInj: {logic.PInj}, logic.Rel: {logic.PFun}, logic.Times: {logic.Plus},
	}
	args := b.Args(t)
	op := b.Op(t)
	if b.Type(t) == logic.Prop {
		out = append(out, b.Not(t))
	}
	if op.IsBinder() {
		for _, v := range variants(b, args[0]) {
			if op == logic.Forall || op == logic.Exists {
				out = append(out, b.Quant(op, b.Decls(t), nil, v))
			}
		}
		return out
	}
	for _, o := range other[op] {
		if u, err := b.TryApp(o, args...); err == nil && b.Type(u) == b.Type(t) {
			out = append(out, u)
		}
	}
	if len(args) == 2 && (op == logic.Implies || op == logic.Le || op == logic.Lt || op == logic.Diff || op == logic.SubsetEq || op == logic.Maplet) {
		if u, err := b.TryApp(op, args[1], args[0]); err == nil && b.Type(u) == b.Type(t) {
			out = append(out, u)
		}
	}
	for i, a := range args {
		for _, v := range variants(b, a) {
			list := append([]logic.Term{}, args...)
			list[i] = v
			if u, err := b.TryApp(op, list...); err == nil {
				out = append(out, u)
			}
		}
	}
	return out
}

func falseSomewhere(b *logic.Bank, f logic.Term) (found bool) {
	r := rand.New(rand.NewPCG(1, 2))
	for size := 2; size <= 3 && !found; size++ {
		s := newScope(b, r, size, random.Carriers(b, f))
		s.each(b.FreeIdents(f), 250, func(m *eval.Model) {
			found = found || eval.New(b, m, 20000).Pred(f) == eval.False
		})
	}
	return found
}
