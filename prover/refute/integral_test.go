package refute_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/refute"
)

// attack returns how many cases a test draws, and the seed: GRADINE_SWEEP makes them a hundred times as many, GRADINE_SEED is another
// seed.
func attack(t *testing.T, cases int) (n int, seed uint64) {
	n, seed = cases, 1
	if os.Getenv("GRADINE_SWEEP") != "" {
		n *= 100
	}
	if s := os.Getenv("GRADINE_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return n, seed
}

// within says of formulas what they say if carrier sets have no other elements than those of sets that stand for them.
type within struct {
	*logic.Bank
	ok bool // nothing was met that it does not know
}

// set is the set of all of typ.
func (w within) set(typ logic.Type) logic.Term {
	switch w.TypeKind(typ) {
	case logic.KindGiven:
		return w.Free("all"+w.GivenName(typ), w.PowType(typ))
	case logic.KindPow:
		return w.App(logic.Pow, w.set(w.Elem(typ)))
	case logic.KindProd:
		left, right := w.Pair(typ)
		return w.App(logic.CProd, w.set(left), w.set(right))
	}
	return w.TypeExpr(typ)
}

func (w *within) term(t logic.Term) logic.Term {
	var args []logic.Term
	for _, a := range w.Args(t) {
		args = append(args, w.term(a))
	}
	switch op := w.Op(t); {
	case op == logic.Given:
		return w.set(w.Elem(w.Type(t)))
	case op == logic.Id || op == logic.Prj1 || op == logic.Prj2:
		from, _ := w.RelPair(w.Type(t))
		return w.App(logic.DomRes, w.set(from), t)
	case op == logic.Eps:
		w.ok = false
		return t
	case op.IsBinder():
		decls := w.Decls(t)
		var guards []logic.Term
		for i, typ := range decls {
			guards = append(guards, w.App(logic.In, w.Bound(len(decls)-1-i, typ), w.set(typ)))
		}
		guard := w.And(guards...)
		if op == logic.Forall {
			args[0] = w.App(logic.Implies, guard, args[0])
		} else {
			args[0] = w.And(guard, args[0])
		}
		return w.Quant(op, decls, nil, args...)
	case len(args) > 0:
		return w.App(op, args...)
	}
	return t
}

// numbered returns v with numbers for the elements of carrier sets; not ok of infinite sets.
func numbered(from, to *eval.Space, v eval.Value) (eval.Value, bool) {
	var parts []eval.Value
	switch from.Kind(v) {
	case eval.Integer:
		return to.Int(from.Big(v)), true
	case eval.Boolean:
		return to.Bool(from.IsTrue(v)), true
	case eval.Element:
		_, i := from.Number(v)
		return to.Int64(int64(7*i - 3)), true
	case eval.Pair, eval.Set:
		for _, part := range from.Parts(v) {
			p, ok := numbered(from, to, part)
			if !ok {
				return 0, false
			}
			parts = append(parts, p)
		}
	default:
		return 0, false
	}
	if from.Kind(v) == eval.Pair {
		return to.Pair(parts[0], parts[1]), true
	}
	return to.Set(parts...), true
}

// TestIntegralByModels evaluates random formulas in models with small carrier sets, and with integers in their place: what is said of
// the elements of a finite set is true of as many integers if and only if it is true of these.
func TestIntegralByModels(t *testing.T) {
	n, seed := attack(t, 3_000)
	compared, truths := 0, [2]int{}
	for i := range n {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		bank := logic.NewBank()
		p := random.NewFormulas(bank, r).Pred(2 + r.IntN(2))
		carriers := random.Carriers(bank, p)
		if len(carriers) == 0 {
			continue
		}
		m := random.Model(bank, r, p)
		want := eval.New(bank, m, 50_000).Pred(p)
		w := &within{bank, true}
		bounded := w.term(p)
		whole := refute.Integral(logic.Sequent{Bank: bank, Goal: bounded}, carriers)
		if want == eval.Unknown || !w.ok {
			continue
		}
		model, known := eval.NewModel(), true
		for _, id := range bank.FreeIdents(p) {
			v, ok := numbered(m.Space, model.Space, m.Values[bank.Name(id)])
			known = known && ok
			model.Values[bank.Name(id)] = v
		}
		for _, name := range carriers {
			var all []eval.Value
			for k := range m.Carriers[name] {
				v, _ := numbered(m.Space, model.Space, m.Space.Element(name, k))
				all = append(all, v)
			}
			model.Values["all"+name] = model.Space.Set(all...)
		}
		if !known {
			continue
		}
		got := eval.New(whole.Bank, model.In(whole.Bank), 200_000).Pred(whole.Goal)
		if got == eval.Unknown {
			continue
		}
		compared++
		if want == eval.True {
			truths[1]++
		} else {
			truths[0]++
		}
		if got != want {
			data, _ := m.MarshalJSON()
			t.Errorf("seed %d, number %d: %v, but %v of integers: %s in %s", seed, i, want, got, text.Options{}.Term(bank, p), data)
		}
	}
	t.Logf("%d formulas: %d compared, %d true, %d false", n, compared, truths[1], truths[0])
	if compared < n/20 || min(truths[0], truths[1]) < n/100 {
		t.Errorf("only %d of %d formulas were compared", compared, n)
	}
}

// TestIntegralTheorems wants no theorem refuted with integers in place of its carrier sets: it is true of any sets.
func TestIntegralTheorems(t *testing.T) {
	n, seed := attack(t, 400)
	for i := range n {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		bank := logic.NewBank()
		s := random.Filled(random.Theorem(bank, r), r)
		whole := refute.Integral(s, random.Carriers(bank, append(s.Hyps, s.Goal)...))
		for range 20 {
			if m := random.Model(whole.Bank, r, append(whole.Hyps, whole.Goal)...); random.Refutes(whole, m) {
				data, _ := m.MarshalJSON()
				t.Errorf("seed %d, number %d: %s refutes a theorem: %s", seed, i, data, text.Options{}.Term(whole.Bank, whole.Goal))
			}
		}
	}
}
