package logic_test

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/refute"
	"github.com/gradine/gradine/prover/smtlib"
)

// The contract of an operator. Each is put through all that reads, types, prints,
// evaluates, explores, refutes, proves and translates formulas, in closed predicates
// about small numbers, pairs and sets: what is said of it must be the same everywhere.
// The message of a failure names the place that lacks the operator.

// sampler makes closed terms.
type sampler struct{ *logic.Bank }

// literal returns a value of type t, the k-th in some order.
func (b sampler) literal(t logic.Type, k int64) logic.Term {
	switch b.TypeKind(t) {
	case logic.KindInt:
		return b.Int64(k)
	case logic.KindBool:
		return b.App([]logic.Op{logic.TrueE, logic.FalseE}[k&1])
	case logic.KindProd:
		l, r := b.Pair(t)
		return b.App(logic.Maplet, b.literal(l, k), b.literal(r, k+1))
	case logic.KindPow:
		e := b.Elem(t)
		return b.App(logic.SetExt, b.literal(e, k), b.literal(e, k+1))
	}
	return b.App(logic.Le, b.Int64(k), b.Int64(2))
}

// terms returns terms of op over literals: with letters of its signature that are
// integers, and with some that are truth values.
func (b sampler) terms(op logic.Op) (out []logic.Term) {
	z := logic.IntType
	if op == logic.Int {
		return []logic.Term{b.Int64(1), b.Int64(-2), b.Int(new(big.Int).Lsh(big.NewInt(1), 70))}
	}
	rule := op.Signature()
	for _, letters := range []logic.Letters{{z, z, z, z}, {z, logic.BoolType, z, logic.BoolType}} {
		for k := range int64(3) {
			switch {
			case op.IsGeneric():
				out = append(out, b.Atom(op, b.Instance(rule.Result, &letters)))
			case op.IsBinder():
				x := b.Bound(0, z)
				args := []logic.Term{b.App(logic.In, x, b.App(logic.SetExt, b.Int64(k), b.Int64(k+1)))}
				if op.IsPredicate() {
					inner := map[logic.Op]logic.Op{logic.Forall: logic.Implies, logic.Exists: logic.And}[op]
					args[0] = b.App(inner, args[0], b.App(logic.Lt, x, b.Int64(2*k)))
				} else if rule.Args[1].Kind == logic.KindPow {
					args = append(args, b.App(logic.SetExt, b.Int64(k), x))
				} else {
					args = append(args, b.App(logic.Plus, x, b.Int64(k)))
				}
				out = append(out, b.Quant(op, []logic.Type{z}, nil, args...))
			default:
				var args []logic.Term
				for i, p := range rule.Args {
					// Neighbours overlap, and may be equal.
					args = append(args, b.literal(b.Instance(p, &letters), k%2+1+int64(i)*(k/2)))
				}
				if last := rule.Args; rule.More && last[0] == last[len(last)-1] {
					args = append(args, b.literal(b.Instance(last[0], &letters), k))
				}
				out = append(out, b.App(op, args...))
			}
		}
	}
	return out
}

// claims returns predicates about t.
func (b sampler) claims(t logic.Term) (out []logic.Term) {
	typ := b.Type(t)
	elem := b.Elem(typ)
	for k := int64(-2); k < 4; k++ {
		switch {
		case typ == logic.Prop:
			return []logic.Term{t, b.Not(t)}
		case elem == logic.NoType:
			out = append(out, b.App(logic.Eq, t, b.literal(typ, k)))
		default:
			out = append(out, b.App(logic.In, b.literal(elem, k), t))
			if l, r := b.Pair(elem); l != logic.NoType {
				for _, d := range []int64{-1, 0} {
					out = append(out, b.App(logic.In, b.App(logic.Maplet, b.literal(l, k), b.literal(r, k+d)), t))
				}
			}
		}
	}
	if elem != logic.NoType {
		out = append(out, b.App(logic.Eq, t, b.Atom(logic.Empty, typ)))
	}
	m := eval.NewModel()
	if v, ok := eval.New(b.Bank, m, 100_000).Expr(t); ok {
		out = append(out, b.App(logic.Eq, t, b.term(m.Space, typ, v)))
	}
	return out
}

// term returns a literal for value v of type typ.
func (b sampler) term(s *eval.Space, typ logic.Type, v eval.Value) logic.Term {
	switch b.TypeKind(typ) {
	case logic.KindInt:
		return b.Int(s.Big(v))
	case logic.KindBool:
		if s.IsTrue(v) {
			return b.App(logic.TrueE)
		}
		return b.App(logic.FalseE)
	case logic.KindProd:
		l, r := b.Pair(typ)
		return b.App(logic.Maplet, b.term(s, l, s.Parts(v)[0]), b.term(s, r, s.Parts(v)[1]))
	}
	var elems []logic.Term
	for _, x := range s.Parts(v) {
		elems = append(elems, b.term(s, b.Elem(typ), x))
	}
	if len(elems) == 0 {
		return b.Atom(logic.Empty, typ)
	}
	return b.App(logic.SetExt, elems...)
}

// written are the forms of text in which a predicate must be read again.
var written = []struct {
	options text.Options
	dialect lang.Dialect
}{
	{text.Options{}, lang.Stored}, {text.Options{Spaced: true}, lang.Text}, {text.Options{ASCII: true}, lang.Text},
	{text.Options{Spaced: true, Width: 20}, lang.Text},
}

func read(s string, dialect lang.Dialect) (*logic.Bank, logic.Term, error) {
	b := logic.NewBank()
	f, problems := lang.ParsePredicate(s, dialect)
	if len(problems) > 0 {
		return nil, 0, fmt.Errorf("%s", problems[0].Message)
	}
	u, _, found := check.Formula(b, check.Env{}, f)
	if len(found) > 0 {
		return nil, 0, fmt.Errorf("%s", found[0].Message)
	}
	return b, u, nil
}

// explored returns whether a search finds that invariant p holds; p is in a bank of its own.
func explored(b *logic.Bank, p logic.Term) (eval.Truth, error) {
	v := model.Ident{Name: "v", Term: b.Free("v", logic.BoolType)}
	start := &model.Event{Label: "INITIALISATION", Accurate: true, Actions: []*model.Action{
		{Label: "act", Kind: model.BecomesEqual, Left: []logic.Term{v.Term}, Right: []logic.Term{b.App(logic.TrueE)}},
	}}
	c := &model.Context{Name: "c", Accurate: true, Whole: true}
	m := &model.Machine{Name: "m", Accurate: true, Whole: true, Contexts: []*model.Context{c}, Variables: []model.Variable{{Ident: v, Concrete: true}},
		Invariants: []*model.Predicate{{Label: "inv", Term: p}}, Events: []*model.Event{start}}
	b.Freeze()
	dev := &model.Development{Project: "p", Bank: b, Contexts: []*model.Context{c}, Machines: []*model.Machine{m}}
	in, _, err := explore.Solve(context.Background(), dev, m, explore.Setup{}, 1)
	if err != nil {
		return eval.Unknown, err
	}
	r, err := explore.Run(context.Background(), m, in[0], explore.Options{NoDeadlock: true})
	switch {
	case err != nil:
		return eval.Unknown, err
	case len(r.Unchecked) > 0:
		return eval.Unknown, fmt.Errorf("%s", r.Unchecked[0])
	case len(r.Findings) > 0 && r.Findings[0].Kind == "invariant":
		return eval.False, nil
	case r.Verdict == explore.Complete:
		return eval.True, nil
	}
	return eval.Unknown, fmt.Errorf("%s %s", r.Verdict, r.Why)
}

// TestContract puts every operator through all that knows operators.
func TestContract(t *testing.T) {
	// Identifiers and carrier sets have no value of their own; a choice term has no text,
	// and occurs in proofs only.
	exempt := []logic.Op{logic.Free, logic.Given, logic.Bound, logic.Eps}
	for op := logic.Op(1); op < logic.NumOps; op++ {
		if slices.Contains(exempt, op) {
			continue
		}
		if op.String() == "" || op.Signature().Result == nil && op != logic.Int {
			t.Errorf("operator %d has no row, or no signature: see logic/op.go", op)
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			count := map[string]int{}
			b := sampler{logic.NewBank()}
			seen := map[logic.Term]bool{}
			for _, u := range b.terms(op) {
				for _, q := range b.claims(u) {
					if !seen[q] {
						claim(t, b.Bank, q, count)
					}
					seen[q] = true
				}
			}
			// In this order, as what comes later needs what comes first.
			for _, need := range []struct{ what, place string }{
				{"translated", "prover/smtlib"}, {"evaluated true", "logic/eval"}, {"evaluated false", "logic/eval"},
				{"explored", "explore"}, {"refuted", "prover/refute"}, {"proved", "prover/kernel/axioms.go, then prover/internal/search"},
			} {
				if count[need.what] == 0 {
					t.Fatalf("no formula with %s was %s: see %s", op, need.what, need.place)
				}
			}
		})
	}
}

// claim puts one closed predicate through everything, and counts what knows it.
func claim(t *testing.T, b *logic.Bank, q logic.Term, count map[string]int) {
	in := text.Term(b, q)
	for _, w := range written {
		s := w.options.Term(b, q)
		again, u, err := read(s, w.dialect)
		if err != nil {
			t.Fatalf("%q is not read again: %v (lang/grammar, logic/notation, lang/check)", s, err)
		}
		if text.TermFingerprint(again, u) != text.TermFingerprint(b, q) {
			t.Fatalf("%q is read as %s", s, text.Term(again, u))
		}
	}
	var w bytes.Buffer
	if err := smtlib.Write(&w, logic.Sequent{Bank: b, Goal: q}); err != nil {
		t.Fatalf("%s: %v (prover/smtlib)", in, err)
	}
	count["translated"]++

	truth := eval.New(b, eval.NewModel(), 100_000).Pred(q)
	if truth == eval.Unknown {
		return
	}
	count["evaluated "+truth.String()]++
	valid, opposite := q, b.Not(q)
	if truth == eval.False {
		valid, opposite = opposite, valid
	}

	own, u, _ := read(text.Term(b, q), lang.Stored)
	if got, err := explored(own, u); err == nil {
		count["explored"]++
		if got != truth {
			t.Errorf("%s is %s for the evaluator, %s for a search of states", in, truth, got)
		}
	}
	// What takes longest is done for some predicates of each operator and truth value.
	const each = 3
	if count["evaluated "+truth.String()] > each {
		return
	}
	if x, _ := refute.Find(logic.Sequent{Bank: b, Goal: opposite}, 100_000); x != nil {
		count["refuted"]++
	}
	if x, _ := refute.Find(logic.Sequent{Bank: b, Goal: valid}, 20_000); x != nil {
		t.Errorf("%s is %s, and refuted", in, truth)
	}
	res := prover.Prove(logic.Sequent{Bank: b, Goal: valid}, prover.Options{Steps: 300_000})
	if res.Verdict == prover.Open {
		return
	}
	count["proved"]++
	fresh := logic.Sequent{Bank: b, Goal: valid}.Bare()
	proof, err := kernel.Decode(fresh.Bank, cert.Encode(res.Sequent.Bank, res.Proof))
	if err == nil {
		_, err = kernel.Check(fresh, proof)
	}
	if err != nil {
		t.Errorf("%s: its certificate is refused: %v", in, err)
	}
}
