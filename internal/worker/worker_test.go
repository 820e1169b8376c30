package worker_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/discharge/queue/embedded"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

const steps = 3000

func sequents(n int) []logic.Sequent {
	var out []logic.Sequent
	for i := range n {
		out = append(out, random.NewFormulas(logic.NewBank(), rand.New(rand.NewPCG(uint64(i), 7))).Sequent(3, 2))
	}
	return out
}

func key(t *testing.T, letter string) *answer.Key {
	t.Helper()
	k, err := answer.NewKey(strings.Repeat(letter, answer.MinKey))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func start(t *testing.T) *embedded.Server {
	t.Helper()
	s, err := embedded.Start("embedded://127.0.0.1:0", "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// help starts a worker, which ends with the test.
func help(t *testing.T, s *embedded.Server, handlers map[string]queue.Handler) *queue.Worker {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &queue.Worker{Server: queue.InProcess(s, "test", "", ""), Search: discharge.SearchVersion(), Handlers: handlers, Slots: 2, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), AckWait: time.Second}
	var done sync.WaitGroup
	done.Go(func() {
		if err := w.Serve(ctx); err != nil {
			t.Errorf("worker: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); done.Wait() })
	return w
}

var limits = worker.Limits{Steps: 1 << 40, Memory: 1 << 40}

// patient is a queue that is waited for: nothing is searched here that a worker answers.
type patient struct {
	*queue.Source
	ctx context.Context
}

func (p patient) Answers(q answer.Question) []*answer.Answer {
	if more := p.Arrival(q); more != nil {
		select {
		case <-more:
		case <-p.ctx.Done():
		}
	}
	return p.Source.Answers(q)
}

// result is what a run found: outcomes without times, and the answers for other readers.
type result struct {
	lines   []string
	answers []string
	counts  queue.Counts
	notes   []string
}

// prove proves list with the help of the workers at s, or alone. If wait is set, it searches nothing
// by itself that a worker may answer. With only, it takes nothing from workers that is not signed with it.
func prove(t *testing.T, list []logic.Sequent, s *embedded.Server, k, only *answer.Key, wait bool) (x result) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), corpus.Fuse)
	defer cancel()
	opts := discharge.Options{Steps: steps, RefuteSteps: steps, Workers: 1, Key: k, Foreign: true}
	if s != nil {
		r, err := queue.NewReader(ctx, queue.Options{Server: queue.InProcess(s, "test", "", ""), Search: discharge.SearchVersion()})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		source := queue.NewSource(r, only, only)
		defer func() { x.counts, x.notes = r.Counts(), source.Notes() }()
		opts.Sources, opts.Ahead = []discharge.Source{source}, 64
		if wait {
			opts.Sources = []discharge.Source{patient{source, ctx}}
		}
	}
	x = collect(ctx, list, opts)
	if n := len(x.lines); n != len(list) {
		t.Fatalf("%d of %d", n, len(list))
	}
	return x
}

// collect is what a run with these options finds.
func collect(ctx context.Context, list []logic.Sequent, opts discharge.Options) (x result) {
	var mu sync.Mutex
	opts.Found = func(a *answer.Answer) {
		text, err := a.Encode()
		mu.Lock()
		defer mu.Unlock()
		x.answers = append(x.answers, fmt.Sprintf("%s %v", text, err))
	}
	discharge.Run(ctx, len(list), func(i int) logic.Sequent { return list[i] }, opts, func(i int, o verdict.Outcome) {
		x.lines = append(x.lines, line(i, o))
	})
	slices.Sort(x.answers)
	x.answers = slices.Compact(x.answers)
	return x
}

// line is what is compared of an outcome; its steps stand at the end.
func line(i int, o verdict.Outcome) string {
	steps := fmt.Sprint(o.Steps)
	if o.Uncounted {
		steps = "null"
	}
	return fmt.Sprintln(i, o.Verdict, o.Certificate, o.Used, o.Fault, steps)
}

// TestAnyNumberOfWorkers: what is found is the same to the byte with 0, 1 and 4 workers that have
// the key, whether the reader searches as well or only waits.
func TestAnyNumberOfWorkers(t *testing.T) {
	list, k := sequents(150), key(t, "a")
	want := prove(t, list, nil, k, nil, false)
	for _, workers := range []int{0, 1, 4} {
		s := start(t)
		for range workers {
			help(t, s, worker.Handlers(k, limits))
		}
		for _, wait := range []bool{false, true} {
			if wait && workers == 0 {
				continue
			}
			got := prove(t, list, s, k, nil, wait)
			if !slices.Equal(got.lines, want.lines) || !slices.Equal(got.answers, want.answers) {
				t.Errorf("%d workers, wait %t: what is found differs", workers, wait)
			}
			if workers == 0 && got.counts.Sent > 0 || wait && got.counts.Done < len(want.answers) || len(got.notes) > 0 {
				t.Errorf("%d workers, wait %t: %v %v", workers, wait, got.counts, got.notes)
			}
		}
	}
}

// TestForgingWorkers: whatever a worker without the key answers, what is found is the same, to
// the byte where other answers are signed, and but for steps where none is.
func TestForgingWorkers(t *testing.T) {
	list, k, other := sequents(120), key(t, "a"), key(t, "b")
	want := prove(t, list, nil, k, nil, false)
	honest := worker.Handlers(other, limits)[queue.Sequents]
	var turn atomic.Int64
	change := func(do func(*answer.Answer, int64)) queue.Handler {
		return func(ctx context.Context, text []byte) ([]byte, error) {
			data, err := honest(ctx, text)
			if err != nil {
				return nil, err
			}
			a, err := answer.Decode(data)
			if err != nil {
				return nil, err
			}
			do(a, turn.Add(1))
			return a.Encode()
		}
	}
	var last atomic.Pointer[answer.Answer]
	for name, test := range map[string]struct {
		handler queue.Handler
		exact   bool // nothing of it counts
		note    string
	}{
		"open": {change(func(a *answer.Answer, _ int64) {
			a.Verdict, a.Certificate, a.Core, a.Counterexample = "open", nil, nil, nil
		}), true, "not signed"},
		"steps":       {change(func(a *answer.Answer, _ int64) { a.Steps += 99 }), false, "not signed"},
		"verdict":     {change(func(a *answer.Answer, _ int64) { a.Verdict = "vacuous" }), false, "failed their check"},
		"certificate": {change(func(a *answer.Answer, i int64) { flip(a.Certificate, i); flip(a.Counterexample, i) }), false, "failed their check"},
		"question":    {change(func(a *answer.Answer, _ int64) { a.Question[0]++ }), true, "failed their check"},
		"another": {change(func(a *answer.Answer, _ int64) {
			if before := last.Swap(a); before != nil {
				q := a.Question
				*a = *before
				a.Question = q
			}
		}), false, ""},
		"no answer": {func(context.Context, []byte) ([]byte, error) { return []byte("{"), nil }, true, "failed their check"},
		"error": {func(context.Context, []byte) ([]byte, error) {
			return nil, fmt.Errorf("no\x1b[2Jtime\r\n%s", strings.Repeat("x", 1000))
		}, true, "jobs failed"},
	} {
		s := start(t)
		help(t, s, map[string]queue.Handler{queue.Sequents: test.handler})
		if signed := prove(t, list, s, k, k, true); !slices.Equal(signed.lines, want.lines) || !slices.Equal(signed.answers, want.answers) {
			t.Errorf("%s, with signed answers only: what is found differs", name)
		}
		got := prove(t, list, s, k, nil, true)
		if test.exact && !slices.Equal(got.lines, want.lines) {
			t.Errorf("%s: what is found differs", name)
		}
		for i := range want.lines {
			if is := strings.Fields(got.lines[i]); is[len(is)-1] == "null" {
				// Another certificate that the kernel accepts is a proof all the same: then the verdict is.
				last := len(is) - 1
				if name == "certificate" {
					last = 2
				}
				if w := strings.Fields(want.lines[i]); !slices.Equal(is[:last], w[:last]) {
					t.Errorf("%s: %s\nwant %s", name, got.lines[i], want.lines[i])
				}
			} else if got.lines[i] != want.lines[i] {
				t.Errorf("%s: %s\nwant %s", name, got.lines[i], want.lines[i])
			}
		}
		if notes := strings.Join(got.notes, "\n"); !strings.Contains(notes, test.note) || strings.ContainsAny(notes, "\x1b\r") || len(notes) > 2000 {
			t.Errorf("%s: %q", name, notes)
		}
	}
}

// TestFaults: a fault of a worker costs one answer, which is searched by the run that asks.
func TestFaults(t *testing.T) {
	list, k := sequents(30), key(t, "a")
	want := prove(t, list, nil, k, nil, false)
	for s, note := range map[seam.Seam]string{seam.Job: "internal error"} {
		for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
			server := start(t)
			help(t, server, worker.Handlers(k, limits))
			var n atomic.Int64
			end := seam.Inject(func(x seam.Seam, _ string) seam.Kind {
				if x == s && n.Add(1) == 3 {
					return kind
				}
				return seam.None
			})
			got := prove(t, list, server, k, nil, true)
			end()
			if !slices.Equal(got.lines, want.lines) || got.counts.Failed != 1 || !strings.Contains(strings.Join(got.notes, ""), note) {
				t.Errorf("kind %d: %v %q", kind, got.counts, got.notes)
			}
		}
	}
}

func flip(data []byte, i int64) {
	if len(data) > 0 {
		data[i%int64(len(data))] ^= 1
	}
}

// TestLimits: a job that is more than a worker allows has an error that names the cause.
func TestLimits(t *testing.T) {
	list, k := sequents(3), key(t, "a")
	for name, test := range map[string]struct {
		limits worker.Limits
		note   string
	}{
		"steps": {worker.Limits{Steps: steps - 1, Memory: 1 << 40}, "a budget of 3000 steps; this worker allows 2999"},
	} {
		s := start(t)
		help(t, s, worker.Handlers(k, test.limits))
		if got := prove(t, list, s, k, nil, true); len(got.notes) != 1 || !strings.Contains(got.notes[0], test.note) {
			t.Errorf("%s: %q", name, got.notes)
		}
	}
}

// asker is a source without answers that is told of jobs.
type asker struct{ told func(*answer.Job) }

func (x asker) Answers(q answer.Question) []*answer.Answer {
	if j, err := q.Job(); err == nil {
		x.told(j)
	}
	return nil
}

func (asker) Arrival(answer.Question) <-chan struct{} { return nil }
func (asker) Searching(answer.Digest)                 {}
func (asker) Refused(*answer.Answer, answer.Refusal)  {}

// TestMemory: a job that takes more memory than a worker allows ends, with an error that names the limit, and the worker
// does the next one. Here the job keeps taking memory until it is told to stop.
func TestMemory(t *testing.T) {
	const limit = 1 << 30
	long, err := check.ReadSequent(map[string]string{"x": "ℤ", "y": "ℤ", "z": "ℤ"}, []string{"x>0", "y>0", "z>0", "x∗x∗x+y∗y∗y=z∗z∗z"}, nil, "z=x+y")
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	ctx, cancel := context.WithCancel(t.Context())
	source := asker{func(j *answer.Job) { text, err = j.Encode(); cancel() }}
	opts := discharge.Options{Steps: 9_000_000, RefuteSteps: steps, Workers: 1, Sources: []discharge.Source{source}}
	discharge.Run(ctx, 1, func(int) logic.Sequent { return long }, opts, func(int, verdict.Outcome) {})
	if err != nil || text == nil {
		t.Fatalf("no job: %v", err)
	}
	held := make([]byte, limit+limit/8) // whatever takes it: all jobs of a worker share its memory
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	do := worker.Handlers(key(t, "a"), worker.Limits{Steps: 1 << 40, Memory: limit})[queue.Sequents]
	if _, err := do(t.Context(), text); err == nil || !strings.Contains(err.Error(), "this worker allows 1024 MB") {
		t.Errorf("%v", err)
	}
	runtime.KeepAlive(held)
	held = nil
	runtime.GC()
	list := sequents(20)
	s := start(t)
	help(t, s, worker.Handlers(key(t, "a"), worker.Limits{Steps: 1 << 40, Memory: limit}))
	if got := prove(t, list, s, key(t, "a"), nil, true); len(got.notes) > 0 || got.counts.Done == 0 {
		t.Errorf("afterwards: %v, %q", got.counts, got.notes)
	}
}
