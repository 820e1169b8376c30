package discharge

import (
	"context"
	"slices"
	"sync"
)

// slots bound the searches at a time, while more questions wait for answers of others. A free slot
// goes to the question that began to wait last: others begin with the first.
type slots struct {
	mu      sync.Mutex
	free    int
	waiting []chan struct{} // closed when it gets a slot
}

// take waits for a slot. It reports false, and holds none, if ctx ends before.
func (s *slots) take(ctx context.Context) bool {
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return true
	}
	mine := make(chan struct{})
	s.waiting = append(s.waiting, mine)
	s.mu.Unlock()
	select {
	case <-mine:
		return true
	case <-ctx.Done():
	}
	s.mu.Lock()
	at := slices.Index(s.waiting, mine)
	if at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 {
		s.give() // it was granted meanwhile
	}
	return false
}

// give returns a slot.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.waiting); n > 0 {
		close(s.waiting[n-1])
		s.waiting = s.waiting[:n-1]
		return
	}
	s.free++
}
