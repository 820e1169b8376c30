package text

import (
	"math/big"
	"strings"
	"testing"

	"github.com/gradine/gradine/logic"
)

// a fixture of named terms over carrier sets S and T.
type fixture struct {
	*logic.Bank
	s, t logic.Type
}

func newFixture() fixture {
	b := logic.NewBank()
	return fixture{b, b.GivenType("S"), b.GivenType("T")}
}

func (f fixture) ints(names ...string) []logic.Term {
	ts := make([]logic.Term, len(names))
	for i, n := range names {
		ts[i] = f.Free(n, logic.IntType)
	}
	return ts
}

// bind quantifies args over the free identifiers ids, under their names.
func (f fixture) bind(op logic.Op, form logic.Form, ids []logic.Term, args ...logic.Term) logic.Term {
	hint := logic.Hint{Form: form}
	var decls []logic.Type
	for _, id := range ids {
		hint.Names = append(hint.Names, f.Name(id))
		decls = append(decls, f.Type(id))
	}
	out := make([]logic.Term, len(args))
	for i, a := range args {
		out[i] = f.Abstract(a, ids)
	}
	return f.Quant(op, decls, &hint, out...)
}

func TestTerm(t *testing.T) {
	f := newFixture()
	v := f.ints("a", "b", "c")
	a, b, c := v[0], v[1], v[2]
	r := f.Free("r", f.RelType(f.s, f.t))
	A, B := f.Free("A", f.PowType(f.s)), f.Free("B", f.PowType(f.t))
	empty := f.Atom(logic.Empty, f.PowType(f.s))
	x, y, z := f.Free("x", f.s), f.Free("y", f.t), f.Free("z", logic.IntType)
	top := f.App(logic.True)
	p, q := f.App(logic.Lt, a, b), f.App(logic.In, x, A)
	neg := f.Int64(-3)
	all := f.bind(logic.Forall, logic.Explicit, []logic.Term{x, y}, f.App(logic.In, f.App(logic.Maplet, x, y), r))
	fun := f.bind(logic.Compr, logic.Lambda, []logic.Term{x, y, z}, top,
		f.App(logic.Maplet, f.App(logic.Maplet, x, f.App(logic.Maplet, y, z)), f.App(logic.Plus, z, a)))
	set := f.bind(logic.Compr, logic.Implicit, []logic.Term{a, b}, p, f.App(logic.Maplet, a, b))
	for _, test := range []struct {
		t             logic.Term
		want, untyped string
	}{
		{f.App(logic.Minus, f.App(logic.Plus, a, b), f.App(logic.Minus, b, c)), "a+b − (b − c)", ""},
		{f.App(logic.Plus, f.App(logic.Minus, a, b), c), "a − b+c", ""},
		{f.App(logic.Plus, f.App(logic.Plus, a, b), c), "(a+b)+c", ""},
		{f.App(logic.Neg, f.App(logic.Times, a, b)), "−a∗b", ""},
		{f.App(logic.Times, f.App(logic.Neg, a), b), "(−a)∗b", ""},
		{f.App(logic.Neg, f.Int64(1)), "−(1)", ""},
		{f.App(logic.Minus, a, neg), "a − (−3)", ""},
		{f.App(logic.Lt, neg, a), "−3<a", ""},
		{f.App(logic.Eq, f.App(logic.Inter, A, f.App(logic.Diff, A, A)), empty), "A∩(A ∖ A)=(∅ ⦂ ℙ(S))", "A∩(A ∖ A)=∅"},
		{f.App(logic.Eq, f.App(logic.Diff, f.App(logic.Inter, A, A), A), A), "A∩A ∖ A=A", ""},
		{empty, "∅ ⦂ ℙ(S)", "∅"},
		{f.App(logic.Finite, empty), "finite(∅ ⦂ ℙ(S))", "finite(∅)"},
		{f.App(logic.Image, r, empty), "r[∅ ⦂ ℙ(S)]", "r[∅]"},
		{f.App(logic.Apply, r, x), "r(x)", ""},
		{f.App(logic.Dom, f.App(logic.Converse, f.App(logic.DomRes, A, r))), "dom((A ◁ r)∼)", ""},
		{f.App(logic.CProd, A, f.App(logic.CProd, A, B)), "A × (A × B)", ""},
		{f.App(logic.Apply, f.Atom(logic.Prj1, f.RelType(f.ProdType(f.s, f.t), f.s)), f.App(logic.Maplet, x, y)), "(prj1 ⦂ ℙ(S×T×S))(x ↦ y)", "prj1(x ↦ y)"},
		{f.App(logic.Or, f.App(logic.And, p, q), p), "(a<b∧x∈A)∨a<b", ""},
		{f.App(logic.Implies, f.App(logic.And, p, q), f.App(logic.Implies, p, q)), "a<b∧x∈A⇒(a<b⇒x∈A)", ""},
		{f.Not(f.Not(p)), "¬¬a<b", ""},
		{f.Not(f.App(logic.And, p, q)), "¬(a<b∧x∈A)", ""},
		{f.App(logic.And, p, all), "a<b∧(∀x⦂S,y⦂T·x ↦ y∈r)", "a<b∧(∀x,y·x ↦ y∈r)"},
		{fun, "λx⦂S ↦ (y⦂T ↦ z⦂ℤ)·⊤ ∣ z+a", "λx ↦ (y ↦ z)·⊤ ∣ z+a"},
		{f.App(logic.Dom, fun), "dom(λx⦂S ↦ (y⦂T ↦ z⦂ℤ)·⊤ ∣ z+a)", "dom(λx ↦ (y ↦ z)·⊤ ∣ z+a)"},
		{f.App(logic.Union, fun, fun), "(λx⦂S ↦ (y⦂T ↦ z⦂ℤ)·⊤ ∣ z+a)∪(λx⦂S ↦ (y⦂T ↦ z⦂ℤ)·⊤ ∣ z+a)", "(λx ↦ (y ↦ z)·⊤ ∣ z+a)∪(λx ↦ (y ↦ z)·⊤ ∣ z+a)"},
		{set, "{a⦂ℤ,b⦂ℤ·a<b ∣ a ↦ b}", "{a ↦ b ∣ a<b}"},
		{f.EmptyExt(f.PowType(f.s)), "{}", ""},
		{f.App(logic.Eq, f.App(logic.SetExt, empty, A), f.App(logic.SetExt, A)), "{∅ ⦂ ℙ(S),A}={A}", "{∅,A}={A}"},
		{f.Int(new(big.Int).Exp(big.NewInt(10), big.NewInt(20), nil)), "100000000000000000000", ""},
	} {
		untyped := test.untyped
		if untyped == "" {
			untyped = test.want
		}
		if got := Term(f.Bank, test.t); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
		if got := (Options{Untyped: true}).Term(f.Bank, test.t); got != untyped {
			t.Errorf("untyped: got %s, want %s", got, untyped)
		}
	}
}

func TestNames(t *testing.T) {
	f := newFixture()
	x, x0, y, xp := f.Free("x", f.s), f.Free("x0", f.s), f.Free("y", f.s), f.Free("x'", f.s)
	eq := func(l, r logic.Term) logic.Term { return f.App(logic.Eq, l, r) }
	exists := func(id, p logic.Term) logic.Term {
		return f.bind(logic.Exists, logic.Explicit, []logic.Term{id}, p)
	}
	// ∃x·x=y with x for y afterwards: the bound x must give way.
	capture := func(id, by logic.Term) logic.Term {
		return f.Subst(exists(id, eq(id, y)), map[logic.Term]logic.Term{y: by})
	}
	for _, test := range []struct {
		t    logic.Term
		want string
	}{
		{capture(x, x), "∃x0⦂S·x0=x"},
		{capture(x0, x0), "∃x1⦂S·x1=x0"},
		{capture(xp, xp), "∃x0'⦂S·x0'=x'"},
		{exists(x, exists(x, eq(x, x))), "∃x⦂S·∃x⦂S·x=x"},
		{f.bind(logic.Exists, logic.Explicit, []logic.Term{x}, capture(x, x)), "∃x⦂S·∃x0⦂S·x0=x"},
		{f.Bare(exists(y, capture(x, x))), "∃y⦂S·∃z⦂S·z=x"},
		{f.Bare(exists(y, exists(x, eq(x, y)))), "∃x⦂S·∃y⦂S·y=x"},
	} {
		if got := Term(f.Bank, test.t); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestOptions(t *testing.T) {
	f := newFixture()
	v := f.ints("a", "b")
	p := f.App(logic.Lt, v[0], v[1])
	all := f.bind(logic.Forall, logic.Explicit, v, f.App(logic.Implies, p, f.Or(f.Not(p), p)))
	if got, want := (Options{ASCII: true, Untyped: true}).Term(f.Bank, all), "!a,b. a < b => not a < b or a < b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	or := f.App(logic.Lt, f.Free("or", logic.IntType), v[0])
	if got, want := (Options{ASCII: true}).Term(f.Bank, or), "`or` < a"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	wide := f.And(all, p, p)
	if got := (Options{Width: 30}).Term(f.Bank, wide); !strings.Contains(got, "\n∧ a<b\n∧ a<b") {
		t.Errorf("got\n%s", got)
	}
	if got, want := (Options{ASCII: true}).Type(f.Bank, f.RelType(f.s, f.ProdType(logic.IntType, logic.BoolType))), "POW(S**(INT**BOOL))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFingerprint(t *testing.T) {
	f, g := newFixture(), newFixture()
	g.ints("p", "q", "r") // so that indices differ
	build := func(f fixture, names ...string) logic.Term {
		v := f.ints(names...)
		return f.bind(logic.Forall, logic.Explicit, v[:1], f.App(logic.Lt, v[0], v[1]))
	}
	one := TermFingerprint(f.Bank, build(f, "a", "c"))
	if one != TermFingerprint(g.Bank, build(g, "b", "c")) {
		t.Error("α-equal predicates of two banks have different fingerprints")
	}
	if one == TermFingerprint(f.Bank, build(f, "a", "d")) {
		t.Error("different identifiers, same fingerprint")
	}
	if TermFingerprint(f.Bank, f.Free("x", f.s)) == TermFingerprint(f.Bank, f.Free("x", f.t)) {
		t.Error("different types, same fingerprint")
	}
	p, q := build(f, "a", "c"), build(f, "a", "d")
	s1 := logic.Sequent{Bank: f.Bank, Hyps: []logic.Term{p, q, p}, Goal: q}
	s2 := logic.Sequent{Bank: f.Bank, Hyps: []logic.Term{q, p}, Goal: q}
	s3 := logic.Sequent{Bank: f.Bank, Hyps: []logic.Term{p}, Goal: q}
	if SequentFingerprint(s1) != SequentFingerprint(s2) {
		t.Error("order and repetition of hypotheses count")
	}
	if SequentFingerprint(s1) == SequentFingerprint(s3) {
		t.Error("a hypothesis does not count")
	}
}
