package discharge_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
)

// asked is a source that knows nothing and remembers what it was asked.
type asked struct {
	mu   sync.Mutex
	jobs map[answer.Digest]*answer.Job
}

func (x *asked) Answers(q answer.Question) []*answer.Answer {
	x.mu.Lock()
	defer x.mu.Unlock()
	j, err := q.Job()
	if err != nil {
		panic(err)
	}
	x.jobs[q.Digest] = j
	return nil
}

func (x *asked) Arrival(answer.Question) <-chan struct{}      { return nil }
func (x *asked) Searching(answer.Digest)                      {}
func (x *asked) Refused(a *answer.Answer, why answer.Refusal) {}

// TestJobs: each worker gives the answer that is found where the question was asked, to
// the byte.
func TestJobs(t *testing.T) {
	list := attacked(t)
	for i := range 100 {
		list = append(list, random.NewFormulas(logic.NewBank(), rand.New(rand.NewPCG(uint64(i), 3))).Sequent(3, 2))
	}
	k := key(t, "a")
	questions := &asked{jobs: map[answer.Digest]*answer.Job{}}
	var mu sync.Mutex
	found := map[answer.Digest]*answer.Answer{}
	run(t, list, discharge.Options{Steps: 5000, Key: k, Sources: []discharge.Source{questions}, Found: func(a *answer.Answer) {
		mu.Lock()
		defer mu.Unlock()
		found[a.Question] = a
	}})
	if len(questions.jobs) < 90 || len(found) != len(questions.jobs) {
		t.Fatalf("%d jobs, %d answers", len(questions.jobs), len(found))
	}
	for q, j := range questions.jobs {
		text, err := j.Encode()
		if err != nil {
			t.Fatal(err)
		}
		read, err := answer.DecodeJob(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := discharge.Do(context.Background(), read, k)
		if err != nil {
			t.Fatal(err)
		}
		is, err1 := got.Encode()
		want, err2 := found[q].Encode()
		if err1 != nil || err2 != nil || string(is) != string(want) {
			t.Errorf("%v\n%s\n%s", q, is, want)
		}
	}
	// Malformed jobs have an error, and no answer.
	some := questions.jobs[slices.MinFunc(slices.Collect(maps.Keys(questions.jobs)), func(a, b answer.Digest) int { return slices.Compare(a[:], b[:]) })]
	for name, change := range map[string]func(*answer.Job){
		"version":   func(j *answer.Job) { j.Search = "0" },
		"no budget": func(j *answer.Job) { j.Steps = 0 },
		"selected":  func(j *answer.Job) { j.Selected = []int{1 << 30} },
		"granted":   func(j *answer.Job) { n := -1; j.Granted = &n },
		"cut":       func(j *answer.Job) { j.Sequent = j.Sequent[:len(j.Sequent)/2] },
		"empty":     func(j *answer.Job) { j.Sequent = "" },
		"no step":   func(j *answer.Job) { j.Sequent = "gradine certificate 1\nterms\nsteps\nend\n" },
		"no terms":  func(j *answer.Job) { j.Sequent = strings.Replace(j.Sequent, "prop 0", "prop 0 0 0", 1) + "x" },
	} {
		j := *some
		change(&j)
		if a, err := discharge.Do(context.Background(), &j, k); err == nil {
			t.Errorf("%s: %v", name, a.Verdict)
		}
	}
}

// TestArrival: an answer that arrives while its question is searched ends the search, once it is
// checked; one that fails the check does not.
func TestArrival(t *testing.T) {
	hard := attacked(t)[4:]
	opts := discharge.Options{Steps: 300_000, Key: key(t, "a")}
	var answered *answer.Answer
	opts.Found = func(a *answer.Answer) { answered = a }
	want := outcomes(t, hard, opts)
	for name, test := range map[string]struct {
		change  func(*answer.Answer)
		refused bool
	}{
		"signed": {func(*answer.Answer) {}, false},
		"forged": {func(a *answer.Answer) { a.Steps++ }, true},
	} {
		a := *answered
		test.change(&a)
		late := &late{a: &a, arrived: make(chan struct{})}
		now := opts
		now.Found, now.Sources = nil, []discharge.Source{late}
		if got := outcomes(t, hard, now); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if late.asked < 2 || (late.refused > 0) != test.refused {
			t.Errorf("%s: asked %d times, refused %d times", name, late.asked, late.refused)
		}
	}
}

// late is a source whose answer arrives when the search has begun.
type late struct {
	a              *answer.Answer
	arrived        chan struct{}
	asked, refused int
}

func (x *late) Answers(answer.Question) []*answer.Answer {
	if x.asked++; x.asked == 1 {
		return nil
	}
	return []*answer.Answer{x.a}
}

func (x *late) Arrival(answer.Question) <-chan struct{} {
	if x.asked > 1 {
		return nil
	}
	return x.arrived
}

// Searching returns once somebody has heard of the arrival, and lets them go first: the search is not over before.
func (x *late) Searching(answer.Digest) {
	if x.asked == 1 {
		x.arrived <- struct{}{}
		runtime.Gosched()
	}
}

func (x *late) Refused(*answer.Answer, answer.Refusal) { x.refused++ }
