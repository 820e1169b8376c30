package lsp

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/po"
)

// refuteSteps is the budget of a search for a counterexample, that of gradine prove.
const refuteSteps = 1_000_000

// often is how often what proofs have found is shown while they run.
const often = 150 * time.Millisecond

// prove finds the answers that snap needs and that are unknown, in the background, until the
// next change.
func (s *server) prove(h *home, snap *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.snap != snap || h.taken != h.generation || s.ctx.Err() != nil {
		return
	}
	missing := h.missing(snap)
	if len(missing) == 0 {
		return
	}
	ctx := h.present
	s.running.Go(func() { s.search(ctx, h, missing) })
}

// missing lists the obligations without an answer: first those of what was edited, then
// those of its component, then the others.
func (h *home) missing(snap *snapshot) []*asked {
	var component, event string
	if file, _ := snap.file(h.edited.path); file != nil {
		c, e := names.ComponentAt(file, h.edited.at)
		if c != nil {
			component = c.Name.Text
		}
		if e != nil {
			event = e.Label.Text
		}
	}
	rank := func(a *asked) int {
		switch {
		case a.Component != component:
			return 2
		case event == "" || a.Event == nil || a.Event.Label != event:
			return 1
		}
		return 0
	}
	// Equal obligations are one question. The order among those of one rank is that of the text.
	var out []*asked
	seen := map[question]bool{}
	for _, a := range snap.asked {
		if h.known[a.question] == nil && !seen[a.question] {
			seen[a.question] = true
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b *asked) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// search asks the prover, and shows what it finds from time to time.
func (s *server) search(ctx context.Context, h *home, missing []*asked) {
	// Unbuffered: a search that begins is the most urgent one at that moment, and none waits in
	// a queue that a change would have to empty.
	next := make(chan *asked)
	// One token is enough: the goroutine that shows what was found shows all of it.
	found := make(chan struct{}, 1)
	var wg sync.WaitGroup
	for range s.workers() {
		wg.Go(func() {
			for a := range next {
				var known *answer
				if fault := seam.Contain(ctx, seam.Obligation, a.Name, func(ctx context.Context) { known = s.ask(ctx, h, a) }); fault != nil {
					known = &answer{verdict: verdict.Open, fault: fault.Error()}
				}
				if s.answered(ctx, h, a, known) {
					select {
					case found <- struct{}{}:
					default:
					}
				}
			}
		})
	}
	go func() {
		defer close(found)
		defer wg.Wait()
		defer close(next)
		for _, a := range missing {
			select {
			case next <- a:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range found {
		s.announce(h)
		select {
		case <-time.After(often):
		case <-ctx.Done():
		}
	}
	if ctx.Err() == nil {
		s.announce(h)
	}
}

// workers is the number of searches at a time.
func (s *server) workers() int {
	if s.opts.Workers > 0 {
		return s.opts.Workers
	}
	return max(1, runtime.GOMAXPROCS(0)-1) // one core answers the editor
}

// answered keeps an answer, unless a change has made an end to what it rests on.
func (s *server) answered(ctx context.Context, h *home, a *asked, known *answer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known == nil || ctx.Err() != nil {
		return false
	}
	known.last = h.generation
	h.known[a.question] = known
	return true
}

// ask puts one question to the prover, as gradine prove does. It returns nil if it was
// interrupted, or what is committed cannot be read.
func (s *server) ask(ctx context.Context, h *home, a *asked) *answer {
	results, err := a.project.Prove(ctx, []*po.Obligation{a.Obligation}, s.proving(), nil)
	if err != nil && ctx.Err() == nil {
		s.mu.Lock()
		h.trouble = err
		s.mu.Unlock()
	}
	if err != nil || len(results) == 0 || ctx.Err() != nil {
		return nil
	}
	result := results[0]
	return &answer{
		verdict: result.Verdict, end: result.End, steps: result.Steps, used: result.Used, usedWD: result.UsedWD, certificate: result.Certificate, committed: result.Committed,
		violation: explain.Lift(result), fault: result.Fault,
	}
}

// proving are the options of gradine prove, one search at a time.
func (s *server) proving() discharge.Options {
	return discharge.Options{Workers: 1, Store: s.opts.Store, RefuteSteps: refuteSteps}
}
