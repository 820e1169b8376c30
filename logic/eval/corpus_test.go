package eval_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
)

// refuted is a sequent that is not a theorem.
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

// TestCountermodels evaluates the countermodels of sequents that are not theorems.
func TestCountermodels(t *testing.T) {
	for _, file := range []string{"dev-mutants", "generated", "dev-refuted"} {
		t.Run(file, func(t *testing.T) {
			r := new(check.Reader)
			counts := map[eval.Truth]int{}
			for _, d := range corpus.Lines[refuted](t, "mutants/"+file+".jsonl.gz", corpus.Effort(40, 1, 1)) {
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
		for range corpus.Effort(4, 40, 40) {
			m := random.Model(b, rnd, claim)
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
