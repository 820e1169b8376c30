package worker_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// link is a long way to a server: what is sent arrives late, in its order. It can be held, so that nothing arrives, and cut, so that
// all connections end. It stands for netem, which not every kernel has.
type link struct {
	net.Listener
	to   string
	late time.Duration // of each direction
	work sync.WaitGroup

	mu    sync.Mutex
	held  chan struct{} // closed while it is not held
	conns map[net.Conn]bool
	bytes int // that have arrived
}

// newLink makes a link to an address, and returns it with the URL of its near end.
func newLink(t *testing.T, to string, late time.Duration) (*link, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x := &link{Listener: l, to: to, late: late, held: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(x.held)
	x.work.Go(x.accept)
	t.Cleanup(func() {
		l.Close()
		x.hold(false)
		x.cut()
		x.work.Wait()
	})
	return x, "nats://" + l.Addr().String()
}

func (x *link) accept() {
	for {
		near, err := x.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", x.to)
		if err != nil {
			near.Close()
			continue
		}
		x.mu.Lock()
		x.conns[near], x.conns[far] = true, true
		x.mu.Unlock()
		x.work.Go(func() { x.carry(near, far) })
		x.work.Go(func() { x.carry(far, near) })
	}
}

// carry carries what one end sends to the other one, until either ends.
func (x *link) carry(from, to net.Conn) {
	type packet struct {
		data []byte
		due  time.Time
	}
	way := make(chan packet, 1<<12)
	x.work.Go(func() {
		defer close(way)
		for {
			data := make([]byte, 1<<14)
			n, err := from.Read(data)
			if n > 0 {
				way <- packet{data[:n], time.Now().Add(x.late)}
			}
			if err != nil {
				return
			}
		}
	})
	for p := range way {
		time.Sleep(time.Until(p.due))
		x.mu.Lock()
		held := x.held
		x.bytes += len(p.data)
		x.mu.Unlock()
		<-held
		if _, err := to.Write(p.data); err != nil {
			break
		}
	}
	x.mu.Lock()
	delete(x.conns, from)
	delete(x.conns, to)
	x.mu.Unlock()
	from.Close()
	to.Close()
	for range way {
	}
}

// hold holds what is on the way, or lets it go.
func (x *link) hold(on bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	select {
	case <-x.held:
		if on {
			x.held = make(chan struct{})
		}
	default:
		if !on {
			close(x.held)
		}
	}
}

// cut ends all connections.
func (x *link) cut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for c := range x.conns {
		c.Close()
	}
}

// serve starts a worker that reaches its server at a URL. It ends with the test.
func serve(t *testing.T, url string, k *answer.Key) {
	t.Helper()
	server, err := queue.ParseServer(url)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &queue.Worker{Server: server, Search: discharge.SearchVersion(), Handlers: worker.Handlers(k, limits), Slots: 1, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), AckWait: time.Second}
	var done sync.WaitGroup
	done.Go(func() { _ = w.Serve(ctx) })
	t.Cleanup(func() { cancel(); done.Wait() })
}

// TestDistance: the run and two workers reach the server over links of 25 ms each way, of which one is held or cut every moment;
// jobs and answers come twice and late, and a worker forges. What is found is the same to the byte, and the same but for steps
// where no worker has the key. GRADINE_STORM=10000 makes it as many obligations.
func TestDistance(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for what is slow on purpose: the full form has it")
	}
	every, list, k, want := theStorm(t, 60, 100*time.Millisecond)
	for _, holds := range []bool{true, false} {
		t.Run(fmt.Sprintf("key %t", holds), func(t *testing.T) {
			at := start(t).Addr().String()
			theirs, only := k, k
			if !holds {
				theirs, only = key(t, "c"), nil
			}
			own, url := newLink(t, at, 25*time.Millisecond)
			links := []*link{own}
			for range 2 {
				l, url := newLink(t, at, 25*time.Millisecond)
				links = append(links, l)
				serve(t, url, theirs)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var raging sync.WaitGroup
			defer raging.Wait()
			defer cancel()
			raging.Go(func() { repeat(ctx, "nats://"+at) })
			forging := make(chan struct{})
			raging.Go(func() { forge(ctx, "nats://"+at, func() { close(forging) }) })
			<-forging
			held, cuts := 0, 0
			raging.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-time.After(every):
					case <-ctx.Done():
						return
					}
					l := links[i%len(links)]
					if i%2 == 0 {
						l.hold(true)
						time.Sleep(every)
						l.hold(false)
						held++
					} else {
						l.cut()
						cuts++
					}
				}
			})
			got := stormed(t, list, steps, url, k, only, short)
			cancel()
			raging.Wait()
			t.Logf("%d times held, %d times cut; %v; %q", held, cuts, got.counts, got.notes)
			unknown := compare(t, got, want, holds)
			if !holds && got.counts.Done > 0 && unknown == 0 {
				t.Error("all steps are known, though nobody counted them under the key")
			}
			own.mu.Lock()
			defer own.mu.Unlock()
			if held+cuts == 0 || own.bytes == 0 {
				t.Error("nothing was tried")
			}
		})
	}
}

// compare compares what a run found with what one without workers finds, and returns how many steps are unknown.
func compare(t *testing.T, got, want result, holds bool) (unknown int) {
	t.Helper()
	for i := range want.lines {
		if !same(got.lines[i], want.lines[i], holds) {
			t.Fatalf("key %t: %s\nwant %s", holds, got.lines[i], want.lines[i])
		}
		if strings.HasSuffix(strings.TrimSpace(got.lines[i]), " null") {
			unknown++
		}
	}
	if holds && (unknown > 0 || !slices.Equal(got.answers, want.answers)) {
		t.Errorf("the answers differ, or %d steps are unknown", unknown)
	}
	return unknown
}

// longJobs are two sequents for which a search takes as long as its budget lasts, and short ones. With GRADINE_STORM, the two take
// some twenty seconds each.
func longJobs(t *testing.T) (list []logic.Sequent, budget int64, storm bool) {
	t.Helper()
	budget = 1_000_000
	if storm = os.Getenv("GRADINE_STORM") != ""; storm {
		budget = 120_000_000
	}
	for i := range 2 {
		long, err := check.ReadSequent(map[string]string{"x": "ℤ", "y": "ℤ", "z": "ℤ"}, []string{"x>0", "y>0", "z>0", fmt.Sprintf("x∗x∗x+y∗y∗y=z∗z∗z+%d−%d", i, i)}, nil, "z=x+y")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, long)
	}
	return append(list, sequents(30)...), budget, storm
}

// TestLongJobs: jobs of ten milliseconds to many seconds, with a server that delivers a job again after a second without a sign of
// life. No job is lost or given up, nor delivered twice with GRADINE_STORM; the answer is the same to the byte.
func TestLongJobs(t *testing.T) {
	k := key(t, "a")
	list, budget, storm := longJobs(t)
	began := time.Now()
	want := collect(t.Context(), list, discharge.Options{Steps: budget, RefuteSteps: steps, Workers: 1, Key: k})
	t.Logf("alone: %v, %s", time.Since(began), strings.TrimSpace(want.lines[0]))
	at := start(t).Addr().String()
	for range 2 {
		serve(t, "nats://"+at, k)
	}
	got := stormed(t, list, budget, "nats://"+at, k, k, time.Hour)
	t.Logf("%v; %q", got.counts, got.notes)
	compare(t, got, want, true)
	if got.counts.Done < len(list) || storm && got.counts.Redelivered > 0 || got.counts.GivenUp > 0 || got.counts.Failed > 0 {
		t.Errorf("%v", got.counts)
	}
}

// TestKilledLongJobs: workers that are killed in the middle of long jobs, again and again, and the server with them. The jobs are
// delivered again, given up in the end or searched by the run; the answer is the same to the byte.
func TestKilledLongJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds: the full form has it")
	}
	k := key(t, "a")
	list, budget, storm := longJobs(t)
	every, patience := 100*time.Millisecond, short
	if storm {
		every, patience = time.Second, 30*time.Second
	}
	want := collect(t.Context(), list, discharge.Options{Steps: budget, RefuteSteps: steps, Workers: 1, Key: k})
	s := startStorm(t, 2, strings.Repeat("a", answer.MinKey))
	ctx, cancel := context.WithCancel(t.Context())
	var raging sync.WaitGroup
	raging.Go(func() { s.rage(ctx, every) })
	got := stormed(t, list, budget, s.url, k, k, patience)
	cancel()
	raging.Wait()
	s.end()
	t.Logf("%d kills; %v; %q", s.kills, got.counts, got.notes)
	compare(t, got, want, true)
	if s.kills == 0 || got.counts.Sent == 0 {
		t.Errorf("%d kills, %v: nothing was tried", s.kills, got.counts)
	}
}
