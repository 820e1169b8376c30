package worker_test

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/discharge/queue/embedded"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/logic"
	"github.com/nats-io/nats.go"
)

// The variables that make this program a worker or a server, to be killed.
const (
	workerAt = "GRADINE_TEST_WORKER"
	serverAt = "GRADINE_TEST_SERVER"
	// The files of the server's certificate and its key, "" for none.
	serverCertificate = "GRADINE_TEST_CERTIFICATE"
	serverSecret      = "GRADINE_TEST_CERTIFICATE_KEY"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(workerAt) != "":
		server, err := queue.ParseServer(os.Getenv(workerAt))
		if err != nil {
			panic(err)
		}
		k, err := answer.UserKey()
		if err != nil {
			panic(err)
		}
		w := &queue.Worker{Server: server, Search: discharge.SearchVersion(), Handlers: worker.Handlers(k, limits), Slots: 1, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), AckWait: time.Second}
		panic(w.Serve(context.Background()))
	case os.Getenv(serverAt) != "":
		if _, err := embedded.Start(os.Getenv(serverAt), os.Getenv(serverCertificate), os.Getenv(serverSecret)); err != nil {
			panic(err)
		}
		select {}
	}
	os.Exit(m.Run())
}

// process starts this program as something else.
func process(t *testing.T, variables ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), variables...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// storm is a server and workers in processes of their own, of which one after the other is killed.
type storm struct {
	t       *testing.T
	url     string
	secret  string
	server  *exec.Cmd
	workers []*exec.Cmd
	kills   int
}

func (s *storm) startServer() {
	s.server = process(s.t, serverAt+"=embedded"+strings.TrimPrefix(s.url, "nats"))
}

func (s *storm) startWorker(i int) {
	s.workers[i] = process(s.t, workerAt+"="+s.url, answer.KeyVariable+"="+s.secret)
}

// startStorm starts a server and n workers with a key.
func startStorm(t *testing.T, n int, secret string) *storm {
	s := &storm{t: t, url: freeAddress(t), secret: secret, workers: make([]*exec.Cmd, n)}
	s.startServer()
	for i := range s.workers {
		s.startWorker(i)
	}
	return s
}

// end kills all that is left.
func (s *storm) end() {
	for _, c := range append(s.workers, s.server) {
		kill(c)
	}
}

func kill(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// rage kills a random worker every so often, and the server twice, until ctx ends.
func (s *storm) rage(ctx context.Context, every time.Duration) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; ; n++ {
		select {
		case <-time.After(every):
		case <-ctx.Done():
			return
		}
		if s.kills++; n == 3 || n == 7 {
			kill(s.server)
			s.startServer()
			continue
		}
		i := r.IntN(len(s.workers))
		kill(s.workers[i])
		s.startWorker(i)
	}
}

// freeAddress is an address of this machine that nothing listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	s := start(t)
	at := s.Addr().String()
	s.Close()
	return "nats://" + at
}

// repeat sends every job and every answer again, twice, and late, until ctx ends.
func repeat(ctx context.Context, url string) {
	c, err := nats.Connect(url, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		return
	}
	defer c.Close()
	var mu sync.Mutex
	seen := map[string]int{}
	for _, subject := range []string{"gradine.done.v1.>", "gradine.job.v1.>"} {
		_, _ = c.Subscribe(subject, func(m *nats.Msg) {
			mu.Lock()
			name := m.Subject + m.Header.Get("Gradine-Digest")
			seen[name]++
			again := seen[name] < 3
			mu.Unlock()
			m.Header.Del(nats.MsgIdHdr) // by which the server would know that it has got it
			if again {
				time.AfterFunc(20*time.Millisecond, func() { _ = c.PublishMsg(&nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data}) })
			}
		})
	}
	<-ctx.Done()
}

// theStorm is how often something goes wrong, n obligations with a key, and what a run by itself finds of them. GRADINE_STORM
// makes it as many obligations, and something goes wrong every second.
func theStorm(t *testing.T, n int, every time.Duration) (time.Duration, []logic.Sequent, *answer.Key, result) {
	t.Helper()
	if text := os.Getenv("GRADINE_STORM"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		every = time.Second
	}
	list, k := sequents(n), key(t, "a")
	return every, list, k, collect(t.Context(), list, discharge.Options{Steps: steps, RefuteSteps: steps, Workers: 1, Key: k})
}

// TestStorm: workers and the server are killed, one worker forges, and answers come twice and late.
// What is found is the same to the byte where the other workers hold the key, and the same but for steps
// where none does. GRADINE_STORM=10000 makes it as many obligations.
func TestStorm(t *testing.T) {
	every, list, k, want := theStorm(t, 150, 150*time.Millisecond)
	for _, holds := range []bool{true, false} {
		secret, only := strings.Repeat("c", answer.MinKey), (*answer.Key)(nil)
		if holds {
			secret, only = strings.Repeat("a", answer.MinKey), k
		}
		s := startStorm(t, 4, secret)
		ctx, cancel := context.WithCancel(t.Context())
		var raging sync.WaitGroup
		forging := make(chan struct{})
		raging.Go(func() { repeat(ctx, s.url) })
		raging.Go(func() { forge(ctx, s.url, func() { close(forging) }) })
		<-forging
		raging.Go(func() { s.rage(ctx, every) })
		got := stormed(t, list, steps, s.url, k, only, short)
		cancel()
		raging.Wait()
		s.end()
		t.Logf("key %t: %d kills; %v; %q", holds, s.kills, got.counts, got.notes)
		if unknown := compare(t, got, want, holds); !holds && unknown == 0 {
			t.Error("all steps are known, though nobody counted them under the key")
		}
		if len(got.notes) == 0 {
			t.Errorf("key %t: no answer of the forger came", holds)
		}
		if got.counts.Done == 0 || s.kills == 0 {
			t.Errorf("key %t: %d kills, %v: nothing was tried", holds, s.kills, got.counts)
		}
	}
}

// same compares lines. Unless all steps are counted, those of the first may be unknown.
func same(is, want string, counted bool) bool {
	x, y := strings.Fields(is), strings.Fields(want)
	if last := len(y) - 1; !counted && len(x) == len(y) && x[last] == "null" {
		x, y = x[:last], y[:last]
	}
	return slices.Equal(x, y)
}

// stormed is prove with a budget and with workers at a URL. It waits some time for each answer before it searches by
// itself: the workers are to do most of it.
func stormed(t *testing.T, list []logic.Sequent, budget int64, url string, k, only *answer.Key, patience time.Duration) (x result) {
	t.Helper()
	server, err := queue.ParseServer(url)
	if err != nil {
		t.Fatal(err)
	}
	r, err := queue.NewReader(t.Context(), queue.Options{Server: server, Search: discharge.SearchVersion()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	source := queue.NewSource(r, only, only)
	x = collect(t.Context(), list, discharge.Options{
		Steps: budget, RefuteSteps: steps, Workers: 1, Key: k, Foreign: true, Ahead: 64, Sources: []discharge.Source{hesitant{source, patience}},
	})
	x.counts, x.notes = r.Counts(), source.Notes()
	return x
}

// hesitant is a queue whose answers are waited for, but not for ever.
type hesitant struct {
	*queue.Source
	patience time.Duration
}

// short is how long a run waits for an answer that a worker finds at once.
const short = 3 * time.Second

func (h hesitant) Answers(q answer.Question) []*answer.Answer {
	if more := h.Arrival(q); more != nil {
		select {
		case <-more:
		case <-time.After(h.patience):
		}
	}
	return h.Source.Answers(q)
}

// forge answers jobs with forged steps, verdicts and certificates until ctx ends.
func forge(ctx context.Context, url string, ready func()) {
	server, err := queue.ParseServer(url)
	if err != nil {
		return
	}
	mine, err := answer.NewKey(strings.Repeat("f", answer.MinKey))
	if err != nil {
		return
	}
	honest := worker.Handlers(mine, limits)[queue.Sequents]
	n := 0
	w := &queue.Worker{Server: server, Search: discharge.SearchVersion(), Slots: 1, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), AckWait: time.Second, Handlers: map[string]queue.Handler{queue.Sequents: func(ctx context.Context, text []byte) ([]byte, error) {
		data, err := honest(ctx, text)
		if err != nil {
			return nil, err
		}
		a, err := answer.Decode(data)
		if err != nil {
			return nil, err
		}
		switch n++; n % 4 {
		case 0:
			a.Verdict, a.Certificate, a.Core, a.Counterexample = "open", nil, nil, nil
		case 1:
			a.Steps += int64(n)
		case 2:
			a.Certificate, a.Counterexample = nil, nil
		case 3:
			a.Verdict = "vacuous"
		}
		a.Sign(mine)
		return a.Encode()
	}}}
	go func() {
		for !w.Metrics().Connected.Load() && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		ready()
	}()
	_ = w.Serve(ctx)
}
