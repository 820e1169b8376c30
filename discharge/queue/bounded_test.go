package queue

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
)

// TestBounded: what a reader remembers of jobs does not grow with their number, and no open one is forgotten.
func TestBounded(t *testing.T) {
	r := &Reader{open: map[Digest]*Job{}}
	s := NewSource(r, nil, nil)
	digest := func(i int) answer.Digest { return sha256.Sum256(fmt.Append(nil, i)) }
	question := func(i int) answer.Question {
		return answer.Question{Digest: digest(i), Job: func() (*answer.Job, error) { return &answer.Job{}, nil }}
	}
	open := s.Arrival(question(-1))
	for i := range 5 * keptJobs {
		q := question(i)
		s.Arrival(q)
		switch i % 3 {
		case 0: // it is searched here
			s.Searching(q.Digest)
			continue
		case 1: // a worker cannot answer it
			r.answered(q.Digest, Answer{Error: "too large"}, 1)
		case 2:
			text, err := json.Marshal(map[string]any{"question": q.Digest, "verdict": "proved", "steps": 1, "certificate": "x"})
			if err != nil {
				t.Fatal(err)
			}
			r.answered(q.Digest, Answer{Data: text}, 1)
		}
		if got := len(s.Answers(q)); got != i%3-1 {
			t.Fatalf("%d answers to job %d", got, i)
		}
		if again := len(s.Answers(q)); again != i%3-1 {
			t.Fatalf("%d answers to job %d, asked again", again, i)
		}
		if i%101 == 0 {
			r.unsent()
		}
	}
	for what, n := range map[string]int{"jobs": len(r.open) + len(r.over.of), "refused questions": len(s.refused.of), "given answers": len(s.given.of), "unsent jobs": len(r.order)} {
		if n > keptJobs+1 {
			t.Errorf("%d %s are kept; at most %d should be", n, what, keptJobs+1)
		}
	}
	if r.Find(digest(-1)) == nil || isClosed(open) {
		t.Error("an open job is forgotten")
	}
}

// TestBoundedBytes: nor does it grow with the size of answers, which strangers send.
func TestBoundedBytes(t *testing.T) {
	r := &Reader{open: map[Digest]*Job{}}
	s := NewSource(r, nil, nil)
	large := strings.Repeat("x", maxAnswer/2)
	for i := range keptBytes * 2 / 3 / maxAnswer {
		q := answer.Question{Digest: sha256.Sum256(fmt.Append(nil, i)), Job: func() (*answer.Job, error) { return &answer.Job{}, nil }}
		s.Arrival(q)
		for k := range maxAnswers + 1 {
			text, err := json.Marshal(map[string]any{"question": q.Digest, "verdict": "proved", "steps": k, "certificate": large})
			if err != nil {
				t.Fatal(err)
			}
			r.answered(q.Digest, Answer{Data: text}, 1)
		}
		if got := len(s.Answers(q)); got != maxAnswers {
			t.Fatalf("%d answers to job %d", got, i)
		}
	}
	kept := map[string]int{}
	for _, x := range r.over.of {
		for _, a := range x.value.answers {
			kept["jobs"] += len(a.Data)
		}
	}
	for _, x := range s.given.of {
		for _, a := range x.value {
			kept["given answers"] += len(a.Certificate)
		}
	}
	for what, n := range kept {
		if n > keptBytes || n < keptBytes/2 {
			t.Errorf("%s: %d bytes are kept; at most %d should be", what, n, keptBytes)
		}
	}
	if len(kept) != 2 {
		t.Errorf("%v: nothing was kept", kept)
	}
}
