package queue_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/discharge/queue/embedded"
)

// begin starts a server and returns a reader, and a function that starts workers.
func begin(t testing.TB, slots int, handler queue.Handler) (r *queue.Reader, join func(workers int)) {
	t.Helper()
	s, err := embedded.Start("embedded://127.0.0.1:0", "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	at, err := queue.ParseServer("nats://" + s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	join = func(workers int) {
		for range workers {
			w := &queue.Worker{Server: at, Search: "v", Slots: slots, Handlers: map[string]queue.Handler{"echo": handler}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), JobTimeout: time.Second}
			done.Go(func() { _ = w.Serve(ctx) })
		}
	}
	t.Cleanup(func() { cancel(); done.Wait() })
	r, err = queue.NewReader(ctx, queue.Options{Server: at, Search: "v"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, join
}

// BenchmarkQueue measures the overhead of a job, with jobs of 2 kB and answers of
// 1 kB, as obligations have, and 512 jobs at a time. ns/op is wall time; processor time is that of
// reader, server and workers together, which run in this process.
func BenchmarkQueue(b *testing.B) {
	for _, workers := range []int{1, 4} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			r, join := begin(b, 4, func(_ context.Context, text []byte) ([]byte, error) { return text[:1000], nil })
			atOnce := make(chan struct{}, 512)
			var open sync.WaitGroup
			text := bytes.Repeat([]byte("x"), 2000)
			join(workers)
			b.ResetTimer()
			spent := processorTime(b)
			for i := range b.N {
				atOnce <- struct{}{}
				j := r.Ask("echo", sha256.Sum256(fmt.Append(nil, i)), text)
				open.Go(func() {
					<-j.Arrived()
					<-atOnce
				})
			}
			open.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			b.ReportMetric(float64((processorTime(b)-spent).Microseconds())/float64(b.N), "cpu-µs/job")
		})
	}
}

// processorTime is that of this process so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestGivenUp: a job that no worker answers is delivered five times, and the run is told.
func TestGivenUp(t *testing.T) {
	s, err := embedded.Start("embedded://127.0.0.1:0", "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	at, err := queue.ParseServer("nats://" + s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	r, err := queue.NewReader(t.Context(), queue.Options{Server: at, Search: "v"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	source := queue.NewSource(r, nil, nil)
	r.Ask("fatal", sha256.Sum256(nil), []byte("x"))
	// Workers that take a job and are gone.
	var taken atomic.Int64
	for deaths := 0; r.Counts().GivenUp == 0; deaths++ {
		if deaths > 50 {
			t.Fatalf("%d workers took the job, and the run is not told: %v", taken.Load(), r.Counts())
		}
		ctx, die := context.WithCancel(t.Context())
		w := &queue.Worker{Server: at, Search: "v", Slots: 1, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), AckWait: 100 * time.Millisecond, Handlers: map[string]queue.Handler{"fatal": func(ctx context.Context, _ []byte) ([]byte, error) {
			taken.Add(1)
			die()
			<-ctx.Done()
			return nil, ctx.Err()
		}}}
		time.AfterFunc(2*time.Second, die)
		_ = w.Serve(ctx)
	}
	if taken.Load() != 5 {
		t.Errorf("%d workers took the job; want 5", taken.Load())
	}
	if notes := source.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "1 jobs ended or stopped every worker that took them") {
		t.Errorf("%q", notes)
	}
}

// TestErrors: what a worker cannot do has an answer that names the cause.
func TestErrors(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	r, join := begin(t, 4, func(ctx context.Context, text []byte) ([]byte, error) {
		switch string(text) {
		case "much":
			return make([]byte, 2<<20), nil
		case "long":
			<-ctx.Done()
			return nil, ctx.Err()
		case "stuck":
			<-stuck
		}
		return text, nil
	})
	join(1)
	for i, test := range []struct{ kind, text, want string }{
		{"echo", "well", ""},
		{"echo", "much", "an answer of 2097152 bytes; the limit is 1044480"},
		{"echo", "long", "a job that took longer than 1s"},
		{"echo", "stuck", "a job that took longer than 1s"},
		{"other", "well", `this worker has no answer to jobs of kind "other"`},
		{"echo", string(bytes.Repeat([]byte("x"), queue.MaxJob+1)), "a job of 262145 bytes; the limit is 262144"},
	} {
		j := r.Ask(test.kind, sha256.Sum256([]byte{byte(i)}), []byte(test.text))
		<-j.Arrived()
		a := j.Answers()[0]
		if a.Error != test.want || test.want == "" && string(a.Data) != test.text {
			t.Errorf("%s %.10s: %q %q", test.kind, test.text, a.Error, a.Data)
		}
	}
}

// TestTakeBack: no worker gets a job that was taken back before it was sent, and what a run leaves behind
// is removed from the queue.
func TestTakeBack(t *testing.T) {
	var mu sync.Mutex
	var got []string
	r, join := begin(t, 1, func(_ context.Context, text []byte) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, string(text))
		return text, nil
	})
	first := r.Ask("echo", [32]byte{1}, []byte("first"))
	first.TakeBack()
	join(1)
	second := r.Ask("echo", [32]byte{2}, []byte("second"))
	<-second.Arrived()
	mu.Lock()
	defer mu.Unlock()
	if len(got) != 1 || got[0] != "second" {
		t.Errorf("the worker got %q", got)
	}
	if c := r.Counts(); c.Sent != 1 || c.Done != 1 {
		t.Errorf("%v", c)
	}
}
