package queue

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/gradine/gradine/discharge/answer"
)

// The kinds of jobs whose answer is an answer.Claim. Such an answer cannot be checked, so it counts only under the
// key of the run.
const (
	Members = "member" // of a swarm of explorations
	Points  = "points" // of a tuning entry
)

// Parts is work in independent parts. This run and the workers of a queue share them. This run does each part for
// which no worker gives an answer that counts.
type Parts[T any] struct {
	Source *Source // nil: all parts are done here
	Kind   string
	Job    func(i int) ([]byte, error)        // the text of part i; an error leaves it to this run
	Do     func(ctx context.Context, i int) T // does part i here; its result does not count once ctx has ended
	AtOnce int                                // parts at a time that are done here
}

// InOrder does parts 0 … n-1, and yields their results in this order.
func (p Parts[T]) InOrder(ctx context.Context, n int) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		ctx, cancel := context.WithCancel(ctx)
		r := &parts[T]{Parts: p, done: make([]chan struct{}, n), results: make([]T, n), faults: make([]any, n), taken: make([]bool, n), jobs: make([]*Job, n)}
		for i := range n {
			r.done[i] = make(chan struct{})
		}
		defer r.work.Wait()
		defer cancel()
		r.ask(ctx)
		for range min(max(1, p.AtOnce), n) {
			r.work.Go(func() { r.here(ctx) })
		}
		for i := range n {
			<-r.done[i]
			if r.faults[i] != nil {
				r.enough.Store(true)
				panic(r.faults[i]) // which broke off the part here
			}
			if !yield(i, r.results[i]) {
				r.enough.Store(true)
				return
			}
		}
	}
}

type parts[T any] struct {
	Parts[T]
	jobs []*Job // nil where no worker is asked
	done []chan struct{}
	work sync.WaitGroup

	enough atomic.Bool // the caller wants no more results

	mu      sync.Mutex
	results []T
	faults  []any  // what parts that were done here panicked with
	taken   []bool // done here, or being done
}

// ask sends the jobs.
func (r *parts[T]) ask(ctx context.Context) {
	if r.Source == nil {
		return
	}
	for i := range r.jobs {
		text, err := r.Job(i)
		if err != nil || len(text) > MaxJob {
			r.Source.tooLarge()
			continue
		}
		digest := answer.Digest(sha256.Sum256(text))
		job := r.Source.Ask(r.Kind, digest, text)
		r.jobs[i] = job
		r.work.Go(func() {
			select {
			case <-job.Arrived():
				var result T
				if r.Source.claimed(job, digest, &result) {
					r.settle(i, result, nil)
				}
			case <-r.done[i]:
			case <-ctx.Done():
			}
		})
	}
}

// settle notes the result of a part, unless it has one. Those of both ways are the same.
func (r *parts[T]) settle(i int, result T, fault any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.done[i]:
	default:
		r.results[i], r.faults[i] = result, fault
		close(r.done[i])
	}
}

// here does parts until all are taken.
func (r *parts[T]) here(ctx context.Context) {
	for {
		i := r.take()
		if i < 0 || r.enough.Load() {
			return
		}
		if r.jobs[i] != nil {
			r.jobs[i].TakeBack()
		}
		result, fault := r.do(ctx, i)
		r.settle(i, result, fault)
	}
}

// do does a part here, until a worker has done it. A panic is handed to the goroutine that waits.
func (r *parts[T]) do(ctx context.Context, i int) (result T, fault any) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.work.Go(func() {
		select {
		case <-r.done[i]:
			cancel()
		case <-ctx.Done():
		}
	})
	defer func() { fault = recover() }()
	return r.Do(ctx, i), nil
}

// take returns the next part to do here, or -1 if none is left. Workers take the first parts first, so this run takes
// the last ones as soon as a worker waits.
func (r *parts[T]) take() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.Source != nil && r.Source.Counts().Waiting
	found := -1
	for i := range r.taken {
		select {
		case <-r.done[i]:
			continue
		default:
		}
		if !r.taken[i] && (found < 0 || last) {
			found = i
		}
	}
	if found >= 0 {
		r.taken[found] = true
	}
	return found
}

// claimed reads what workers claim about a job, and reports whether one of the claims counts.
func (s *Source) claimed(job *Job, question answer.Digest, says any) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range job.Answers() {
		if x.Error != "" {
			s.says(x.Error)
			continue
		}
		var c answer.Claim
		err := json.Unmarshal(x.Data, &c)
		signed := false
		if err == nil {
			signed, err = c.Read(question, says, s.key)
		}
		switch {
		case err != nil:
			s.failed++
		case !signed:
			s.unsigned++
		default:
			return true
		}
	}
	return false
}

// tooLarge notes a question that fits into no job.
func (s *Source) tooLarge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.large++
}
