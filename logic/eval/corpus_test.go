package eval_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
)

// refuted is a sequent that is no theorem.
type refuted struct {
	ID           string
	Types        map[string]string
	Hyps         []string
	Goal         string
	Countermodel json.RawMessage
}

// rewriting is a rewrite of one of Rodin's simplifiers.
type rewriting struct {
	Env     map[string]string
	In, Out string
}

// TestCountermodels evaluates the countermodels of sequents that are no theorems.
func TestCountermodels(t *testing.T) {
	for _, file := range []string{"dev-mutants", "generated", "dev-refuted"} {
		t.Run(file, func(t *testing.T) {
			r := new(check.Reader)
			counts := map[eval.Truth]int{}
			for _, d := range corpus.Lines[refuted](t, "mutants/"+file+".jsonl.gz", corpus.Step(1, 40)) {
				s, err := r.Sequent(d.Types, d.Hyps, nil, d.Goal)
				if err != nil {
					t.Fatal(d.ID, err)
				}
				s = s.Bare()
				m, err := eval.ReadModel(s.Bank, s.Bank.FreeIdents(append(s.Hyps, s.Goal)...), d.Countermodel)
				if err != nil {
					t.Fatal(d.ID, err)
				}
				e := eval.New(s.Bank, m, 1<<21)
				res := e.Refutes(s)
				counts[res]++
				if res == eval.False {
					t.Errorf("%s: no counterexample", d.ID)
					explain(t, e, s)
				}
			}
			if counts[eval.Unknown] > 2 {
				t.Errorf("%d of %d undecided", counts[eval.Unknown], counts[eval.True])
			}
		})
	}
}

// TestRewrites evaluates rewrites of Rodin's simplifiers in small random models.
func TestRewrites(t *testing.T) {
	r := new(check.Reader)
	decided := 0
	for i, d := range corpus.Lines[rewriting](t, "conformance/rewrite.jsonl.gz", 1) {
		b := logic.NewBank()
		in, out, ok := rewrite(b, r, d.Env, d.In, d.Out)
		if !ok {
			continue
		}
		wd := b.Bare(b.D(in))
		var claim logic.Term
		if b.Type(in) == logic.Prop {
			claim = b.App(logic.Iff, in, out)
		} else {
			claim = b.App(logic.Eq, in, out)
		}
		rnd := rand.New(rand.NewPCG(1, uint64(i)))
		for range corpus.Step(40, 4) {
			m := randomModel(rnd, b, claim)
			e := eval.New(b, m, 1<<18)
			if e.Pred(wd) != eval.True {
				continue
			}
			switch e.Pred(claim) {
			case eval.False:
				data, _ := m.MarshalJSON()
				t.Errorf("%s is not %s in %s", d.In, d.Out, data)
			case eval.True:
				decided++
			}
		}
	}
	if decided < 1000 {
		t.Errorf("only %d evaluations decided", decided)
	}
}

// rewrite reads both sides of a rewrite, predicates or expressions.
func rewrite(b *logic.Bank, r *check.Reader, types map[string]string, in, out string) (t, u logic.Term, ok bool) {
	env, err := r.Env(b, types)
	if err != nil {
		return 0, 0, false
	}
	for _, parse := range []func(string, lang.Dialect) (*lang.Formula, []lang.Problem){lang.ParsePredicate, lang.ParseExpression} {
		// Both sides are read as one formula, so that they share their types.
		sides := make([]logic.Term, 2)
		ok = true
		for i, text := range []string{in, out} {
			f, problems := parse(text, lang.Stored)
			if len(problems) > 0 {
				ok = false
				break
			}
			u, inferred, found := check.Formula(b, env, f)
			if len(found) > 0 || len(inferred) > 0 {
				ok = false
				break
			}
			sides[i] = b.Bare(u)
		}
		if ok && b.Type(sides[0]) == b.Type(sides[1]) {
			return sides[0], sides[1], true
		}
	}
	return 0, 0, false
}

// explain logs the parts of s that do not evaluate as in a counterexample.
func explain(t *testing.T, e *eval.Evaluator, s logic.Sequent) {
	for _, h := range s.Hyps {
		if res := e.Pred(h); res != eval.True {
			t.Logf("  hypothesis %v: %s", res, text.Term(s.Bank, h))
		}
		if res := e.Pred(s.Bank.D(h)); res != eval.True {
			t.Logf("  well-definedness %v: %s", res, text.Term(s.Bank, s.Bank.D(h)))
		}
	}
	if res := e.Pred(s.Goal); res != eval.False {
		t.Logf("  goal %v: %s", res, text.Term(s.Bank, s.Goal))
	}
	if res := e.Pred(s.Bank.D(s.Goal)); res != eval.True {
		t.Logf("  well-definedness of goal %v: %s", res, text.Term(s.Bank, s.Bank.D(s.Goal)))
	}
}

// randomModel returns a model for the identifiers of t.
func randomModel(r *rand.Rand, b *logic.Bank, t logic.Term) *eval.Model {
	m := eval.NewModel()
	for _, name := range carriers(b, t) {
		m.Carriers[name] = 1 + r.IntN(3)
	}
	for _, id := range b.FreeIdents(t) {
		m.Values[b.Name(id)] = randomValue(r, b, m, b.Type(id))
	}
	return m
}

func randomValue(r *rand.Rand, b *logic.Bank, m *eval.Model, t logic.Type) eval.Value {
	switch b.TypeKind(t) {
	case logic.KindInt:
		return m.Space.Int64(int64(r.IntN(8) - 3))
	case logic.KindBool:
		return m.Space.Bool(r.IntN(2) == 0)
	case logic.KindGiven:
		return m.Space.Element(b.GivenName(t), r.IntN(m.Carriers[b.GivenName(t)]))
	case logic.KindProd:
		x, y := b.Pair(t)
		return m.Space.Pair(randomValue(r, b, m, x), randomValue(r, b, m, y))
	}
	vs := make([]eval.Value, r.IntN(4))
	for i := range vs {
		vs[i] = randomValue(r, b, m, b.Elem(t))
	}
	return m.Space.Set(vs...)
}

// carriers returns the carrier sets in the types of t's subterms.
func carriers(b *logic.Bank, t logic.Term) []string {
	found := map[string]bool{}
	var inType func(logic.Type)
	inType = func(u logic.Type) {
		switch b.TypeKind(u) {
		case logic.KindGiven:
			found[b.GivenName(u)] = true
		case logic.KindPow:
			inType(b.Elem(u))
		case logic.KindProd:
			x, y := b.Pair(u)
			inType(x)
			inType(y)
		}
	}
	var inTerm func(logic.Term)
	inTerm = func(u logic.Term) {
		inType(b.Type(u))
		if b.Op(u).IsBinder() {
			for _, d := range b.Decls(u) {
				inType(d)
			}
		}
		for _, a := range b.Args(u) {
			inTerm(a)
		}
	}
	inTerm(t)
	return slices.Sorted(maps.Keys(found))
}
