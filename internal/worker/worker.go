// Package worker answers jobs of a queue: it calls the handler for each kind of job.
package worker

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/metrics"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/internal/seam"
)

// Limits bound each job.
type Limits struct {
	Steps  int64 // of a search
	Memory int64 // of all jobs at a time, in bytes
}

// Handlers answer jobs. Answers are signed with key.
func Handlers(key *answer.Key, limits Limits) map[string]queue.Handler {
	claims := func(do func(context.Context, []byte, Limits) (any, error)) queue.Handler {
		return limits.contained(func(ctx context.Context, text []byte) ([]byte, error) {
			says, err := do(ctx, text, limits)
			if err != nil {
				return nil, err
			}
			claim, err := answer.NewClaim(sha256.Sum256(text), says, key)
			if err != nil {
				return nil, err
			}
			return json.Marshal(claim)
		})
	}
	return map[string]queue.Handler{
		queue.Sequents: limits.contained(func(ctx context.Context, text []byte) ([]byte, error) { return sequent(ctx, text, key, limits) }),
		queue.Members:  claims(explored),
		queue.Points:   claims(tuned),
	}
}

// sequent searches for a proof or a counterexample.
func sequent(ctx context.Context, text []byte, key *answer.Key, limits Limits) ([]byte, error) {
	j, err := answer.DecodeJob(text)
	if err != nil {
		return nil, err
	}
	if j.Steps > limits.Steps || int64(j.Refute) > limits.Steps {
		return nil, fmt.Errorf("a budget of %d steps; this worker allows %d", max(j.Steps, int64(j.Refute)), limits.Steps)
	}
	a, err := discharge.Do(ctx, j, key)
	if err != nil {
		return nil, err
	}
	return a.Encode()
}

// memoryEvery is how often a worker looks at the memory that its jobs use.
const memoryEvery = 100 * time.Millisecond

// contained is do, but that a panic is an error, and so is too much memory.
func (l Limits) contained(do queue.Handler) queue.Handler {
	return func(ctx context.Context, text []byte) (answer []byte, err error) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		go l.watch(ctx, cancel)
		if fault := seam.Contain(ctx, seam.Job, "", func(ctx context.Context) { answer, err = do(ctx, text) }); fault != nil {
			return nil, fmt.Errorf("internal error: %w", fault)
		}
		if cause := context.Cause(ctx); errors.As(cause, new(seam.Exceeded)) {
			return nil, fmt.Errorf("%w: this worker allows %d MB", cause, l.Memory>>20)
		}
		return answer, err
	}
}

// watch ends a job when all jobs together use too much memory. Which job it is cannot be told, so all
// of them end, and the run that asked does the search itself.
func (l Limits) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if metrics.Read(used); used[0].Value.Uint64() > uint64(l.Memory) {
				cancel(seam.Exceeded{What: "memory"})
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
