package discharge_test

import (
	"context"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// TestGuesses: a guess counts if it is a counterexample, and not otherwise. The question is another one than without
// guesses, and a job says so.
func TestGuesses(t *testing.T) {
	b := logic.NewBank()
	x := b.Free("x", logic.IntType)
	number := func(n int64) logic.Term { return b.Int64(n) }
	square := b.App(logic.Eq, b.App(logic.Times, x, x), number(1764))
	natural := b.App(logic.In, x, b.App(logic.Natural))
	for _, test := range []struct {
		goal    logic.Term
		guesses []int64
		want    verdict.Verdict
	}{
		{b.App(logic.Lt, x, number(42)), nil, verdict.Open},
		{b.App(logic.Lt, x, number(42)), []int64{-42, 41, 43}, verdict.Open},
		{b.App(logic.Lt, x, number(42)), []int64{41, 42}, verdict.Refuted},
		{b.App(logic.Ge, x, number(0)), []int64{-42, 42}, verdict.Proved},
	} {
		s := logic.Sequent{Bank: b, Hyps: []logic.Term{square, natural}, Goal: test.goal}
		questions := &asked{jobs: map[answer.Digest]*answer.Job{}}
		opts := discharge.Options{Steps: 400, RefuteSteps: 1, Sources: []discharge.Source{questions}, Guesses: func(context.Context, int) (out []discharge.Guess) {
			for _, n := range test.guesses {
				m := eval.NewModel()
				m.Values["x"] = m.Space.Int64(n)
				out = append(out, discharge.Guess{Model: m})
			}
			return out
		}}
		var got verdict.Outcome
		discharge.Run(t.Context(), 1, func(int) logic.Sequent { return s }, opts, func(_ int, o verdict.Outcome) { got = o })
		if got.Verdict != test.want {
			t.Errorf("%v: %s, want %s", test.guesses, got.Verdict, test.want)
		}
		for q, j := range questions.jobs {
			a, err := discharge.Do(t.Context(), j, key(t, "a"))
			if err != nil || a.Question != q || !j.Guesses {
				t.Errorf("job %+v: %v, of question %v, want %v", j, err, a.Question, q)
			}
			j.Guesses = false
			if a, err := discharge.Do(t.Context(), j, key(t, "a")); err != nil || a.Question == q {
				t.Errorf("without guesses it is the same question: %v", err)
			}
		}
	}
}
