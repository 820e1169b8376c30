package queue

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/gradine/gradine/discharge/answer"
)

// Sequents is the kind of jobs whose text is an answer.Job and whose answer is an answer.Answer.
const Sequents = "sequent"

// Source is a queue as a source of answers to questions about sequents.
type Source struct {
	*Reader
	key  *answer.Key // of the reader: what cannot be checked counts if it has signed it
	only *answer.Key // nil to take answers that can be checked and are not signed, too

	mu      sync.Mutex
	refused recent[bool]             // what workers could not answer, or not truly
	given   recent[[]*answer.Answer] // what was offered

	unsigned int
	failed   int
	large    int
	errors   map[string]int
}

// NewSource returns the source that a reader with a key is. If only is that key, and not nil, only answers that are signed
// with it are offered: then what is found does not depend on which worker has answered.
func NewSource(r *Reader, key, only *answer.Key) *Source {
	return &Source{Reader: r, key: key, only: only, errors: map[string]int{}}
}

// Answers returns the answers to q that have arrived.
func (s *Source) Answers(q answer.Question) []*answer.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused.get(q.Digest) {
		return nil
	}
	if known := s.given.get(q.Digest); known != nil {
		return known
	}
	j := s.Find(q.Digest)
	if j == nil {
		return nil
	}
	var out []*answer.Answer
	size := 0
	for _, x := range j.Answers() {
		if x.Error != "" {
			s.says(x.Error)
			continue
		}
		// What a worker sends is data from a stranger: an answer to another question, or one that lacks the key where it
		// must have it, is counted and left out.
		switch a, err := answer.Decode(x.Data); {
		case err != nil || a.Question != q.Digest:
			s.failed++
		case s.only != nil && !a.Signed(s.only):
			s.unsigned++
		default:
			out, size = append(out, a), size+len(x.Data)
		}
	}
	switch {
	case len(out) > 0:
		s.given.put(q.Digest, out, size)
	// The job has ended and no answer of it is any good. The question is not waited for again.
	case isClosed(j.Arrived()):
		s.refused.put(q.Digest, true, 0)
	}
	return out
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// maxErrors bounds the different errors of workers that are told; maxErrorText is how much of one is.
const (
	maxErrors    = 8
	maxErrorText = 200
)

// says notes the error of a worker. The caller holds the lock.
func (s *Source) says(text string) {
	text = fmt.Sprintf("%.*q", maxErrorText, text) // it comes from a stranger
	if s.errors[text] == 0 && len(s.errors) == maxErrors {
		text = "other errors"
	}
	s.errors[text]++
}

// Arrival sends q to the workers, and returns a channel that is closed when an answer arrives.
func (s *Source) Arrival(q answer.Question) <-chan struct{} {
	s.mu.Lock()
	over := s.refused.get(q.Digest)
	s.mu.Unlock()
	if over {
		return nil
	}
	if j := s.Find(q.Digest); j != nil {
		return j.Arrived()
	}
	job, err := q.Job()
	if err != nil {
		return nil
	}
	text, err := job.Encode()
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.large++
		return nil
	}
	return s.Ask(Sequents, q.Digest, text).Arrived()
}

// Searching takes the job of q back.
func (s *Source) Searching(q answer.Digest) {
	if j := s.Find(q); j != nil {
		j.TakeBack()
	}
}

// Refused notes an answer that does not count: its question is searched here.
func (s *Source) Refused(a *answer.Answer, why answer.Refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused.put(a.Question, true, 0)
	if why == answer.Unsigned {
		s.unsigned++
	} else {
		s.failed++
	}
}

// Rejected is how many answers of workers did not count.
func (s *Source) Rejected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed + s.unsigned
}

// Notes say what was wrong with workers and their answers.
func (s *Source) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	note := func(n int, format string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("workers at %v: "+format, s.opts.Server, n))
		}
	}
	note(s.failed, "%d answers failed their check and do not count")
	note(s.unsigned, "%d answers are not signed with the key of this run and do not count. Give all workers the same "+answer.KeyVariable)
	note(s.Counts().GivenUp, "%d jobs ended or stopped every worker that took them, five times; they were answered here")
	note(s.large, "%d questions are too large for a job, so they were answered here")
	for _, text := range slices.Sorted(maps.Keys(s.errors)) {
		out = append(out, fmt.Sprintf("workers at %v: %d jobs failed: %s", s.opts.Server, s.errors[text], text))
	}
	return out
}
