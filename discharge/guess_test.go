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

// TestGuesses: a guess counts if it is a counterexample, and not otherwise. What guesses follow from is part of the question.
// No other process is given such a question, as it would lack the guesses.
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
		var found []answer.Digest
		opts := discharge.Options{Steps: 400, RefuteSteps: 1, Sources: []discharge.Source{jobless{t}}, Found: func(a *answer.Answer) { found = append(found, a.Question) }}
		guesses := &discharge.Guesses{Models: func(context.Context) (out []discharge.Guess) {
			for _, n := range test.guesses {
				m := eval.NewModel()
				m.Values["x"] = m.Space.Int64(n)
				out = append(out, discharge.Guess{Model: m})
			}
			return out
		}}
		opts.Guesses = func(int) *discharge.Guesses { return guesses }
		var got verdict.Outcome
		discharge.Run(t.Context(), 1, func(int) logic.Sequent { return s }, opts, func(_ int, o verdict.Outcome) { got = o })
		if got.Verdict != test.want {
			t.Errorf("%v: %s, want %s", test.guesses, got.Verdict, test.want)
		}
		run := func() {
			discharge.Run(t.Context(), 1, func(int) logic.Sequent { return s }, opts, func(int, verdict.Outcome) {})
		}
		guesses.On[0]++
		run()
		opts.Guesses, opts.Sources = func(int) *discharge.Guesses { return nil }, nil
		run()
		if len(found) != 3 || found[0] == found[1] || found[0] == found[2] || found[1] == found[2] {
			t.Errorf("%v: questions %v: want three", test.guesses, found)
		}
	}
}

// jobless is a source that fails if it can make a job of a question.
type jobless struct{ t *testing.T }

func (x jobless) Answers(q answer.Question) []*answer.Answer {
	if j, err := q.Job(); err == nil {
		x.t.Errorf("a question with guesses is a job: %v", j)
	}
	return nil
}
func (jobless) Arrival(answer.Question) <-chan struct{}      { return nil }
func (jobless) Searching(answer.Digest)                      {}
func (jobless) Refused(a *answer.Answer, why answer.Refusal) {}
