package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// AckWait is how long the server waits for a sign of life of a worker before it delivers a job
	// to another one.
	AckWait = 30 * time.Second
	// fetchFor is how long a worker waits for jobs before it asks again.
	fetchFor = 5 * time.Second
	// ahead is for how long a worker has jobs in hand, as a request takes time.
	ahead = 100 * time.Millisecond
	// maxAhead bounds these jobs.
	maxAhead = 64
	// storing bounds the answers that wait to be stored, in addition to the jobs that are worked on.
	storing = 64
	// maxBackoff is the longest that a worker waits before it tries again to reach the server.
	maxBackoff = 10 * time.Second
)

// Handler answers jobs of one kind. Its error is told to the sender.
type Handler func(ctx context.Context, text []byte) ([]byte, error)

// Worker takes jobs from a queue, and answers them.
type Worker struct {
	Server   Server
	Search   string             // the version of the search
	Handlers map[string]Handler // by kind
	Slots    int                // jobs at a time
	Log      *slog.Logger
	// JobTimeout ends what neither a budget nor a limit of memory ends; 0 for never.
	JobTimeout time.Duration
	// AckWait is for tests, 0 for the usual one.
	AckWait time.Duration

	metrics Metrics
}

// Metrics count what a worker has done.
type Metrics struct {
	Done, Failed, Redelivered, Lost, Abandoned atomic.Int64
	Running                                    atomic.Int64
	Nanoseconds                                atomic.Int64 // of work
	Connected                                  atomic.Bool
}

// Metrics returns what was done so far.
func (w *Worker) Metrics() *Metrics { return &w.metrics }

// errAbandoned ends a worker whose slots are all held by jobs that do not end.
var errAbandoned = errors.New("jobs that do not end hold all slots of this worker")

// Serve works until ctx ends. Jobs in hand are given back then. An error says what is wrong with
// the URL or the credentials, or that this worker cannot go on.
func (w *Worker) Serve(ctx context.Context) error {
	if w.AckWait == 0 {
		w.AckWait = AckWait
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	nc, err := w.Server.connect("gradine worker", nats.ClosedHandler(func(nc *nats.Conn) {
		cancel(fmt.Errorf("workers at %v: %v", w.Server, why(nc.LastError())))
	}))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	h := newHand(ctx, w, nc, js, cancel)
	defer h.end()
	backoff := reconnectWait
	for ctx.Err() == nil {
		got, err := h.serve()
		// A connection that worked starts the waiting times again.
		if w.metrics.Connected.Swap(false) || got {
			backoff = reconnectWait
		}
		if ctx.Err() != nil {
			break
		}
		w.Log.Warn("no jobs", "server", w.Server.String(), "error", why(err))
		select {
		case <-time.After(backoff):
		case <-ctx.Done():
		}
		backoff = min(2*backoff, maxBackoff)
	}
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// hand is the jobs that a worker holds.
type hand struct {
	*Worker
	ctx     context.Context
	nc      *nats.Conn
	js      jetstream.JetStream
	cancel  context.CancelCauseFunc
	slots   chan struct{}
	storing chan struct{}
	work    sync.WaitGroup

	mu        sync.Mutex
	held      map[jetstream.Msg]bool
	mean      time.Duration // that a job takes
	freed     chan struct{} // gets a value when fewer jobs are held
	abandoned int
}

func newHand(ctx context.Context, w *Worker, nc *nats.Conn, js jetstream.JetStream, cancel context.CancelCauseFunc) *hand {
	h := &hand{Worker: w, ctx: ctx, nc: nc, js: js, cancel: cancel, slots: make(chan struct{}, w.Slots), storing: make(chan struct{}, storing), held: map[jetstream.Msg]bool{}, freed: make(chan struct{}, 1), mean: ahead}
	h.work.Go(h.heartbeat)
	return h
}

// end gives back what is held.
func (h *hand) end() {
	h.work.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	for m := range h.held {
		_ = m.Nak()
	}
	_ = h.nc.FlushTimeout(closeTimeout)
}

// heartbeat tells the server of the jobs that are held.
func (h *hand) heartbeat() {
	tick := time.NewTicker(h.AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-h.ctx.Done():
			return
		}
		h.mu.Lock()
		for m := range h.held {
			_ = m.InProgress() // without a connection the job is delivered again
		}
		h.mu.Unlock()
	}
}

// serve takes jobs until something fails; got says that there was one.
func (h *hand) serve() (got bool, err error) {
	if !h.nc.IsConnected() {
		if err := h.nc.LastError(); err != nil {
			return false, err
		}
		return false, nats.ErrNoServers
	}
	jobs, err := streams(h.ctx, h.js)
	if err != nil {
		return false, err
	}
	consumer, err := workers(h.ctx, jobs, h.Search, h.AckWait)
	if err != nil {
		return false, err
	}
	if !h.metrics.Connected.Swap(true) {
		h.Log.Info("waiting for jobs", "server", h.Server.String(), "search", h.Search, "slots", h.Slots)
	}
	// Fetch asks for as many jobs as can start at once. Jobs that wait here would be missing at other workers.
	for h.ctx.Err() == nil {
		n := h.room()
		if n == 0 {
			select {
			case <-h.freed:
			case <-h.ctx.Done():
			}
			continue
		}
		until, cancel := context.WithTimeout(h.ctx, fetchFor)
		batch, err := consumer.Fetch(n, jetstream.FetchContext(until))
		if err != nil {
			cancel()
			return got, err
		}
		for m := range batch.Messages() {
			got = true
			h.take(m)
		}
		cancel()
		// A fetch that finds no job ends with one of these errors, and is repeated.
		if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, jetstream.ErrNoMessages) {
			return got, err
		}
		if !h.nc.IsConnected() {
			return got, nats.ErrDisconnected
		}
	}
	return got, nil
}

// room is how many more jobs to ask for.
func (h *hand) room() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	few := int64(maxAhead)
	if h.mean > 0 {
		few = min(few, int64(ahead/h.mean)*int64(h.Slots))
	}
	return max(0, h.Slots-h.abandoned+int(few)-len(h.held))
}

// take holds a job and works on it as soon as a slot is free.
func (h *hand) take(m jetstream.Msg) {
	h.mu.Lock()
	h.held[m] = true
	h.mu.Unlock()
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered > 1 {
		h.metrics.Redelivered.Add(1)
	}
	h.work.Go(func() {
		select {
		case h.slots <- struct{}{}:
		case <-h.ctx.Done():
			return
		}
		reply := h.answer(m)
		if h.ctx.Err() != nil {
			return // what was cut short says nothing
		}
		h.store(m, reply)
		h.drop(m)
	})
}

// drop lets a job go.
func (h *hand) drop(m jetstream.Msg) {
	h.mu.Lock()
	delete(h.held, m)
	h.mu.Unlock()
	select {
	case h.freed <- struct{}{}:
	default:
	}
}

// answer works on a job and frees its slot. It returns the message that answers it.
func (h *hand) answer(m jetstream.Msg) *nats.Msg {
	began := time.Now()
	h.metrics.Running.Add(1)
	defer h.metrics.Running.Add(-1)
	words := strings.Split(m.Subject(), ".")
	kind, run, digest := words[len(words)-2], words[len(words)-1], m.Headers().Get(digestHeader)
	reply := nats.NewMsg(doneSubject(run, digest))
	reply.Header.Set(digestHeader, digest)
	if meta, err := m.Metadata(); err == nil {
		reply.Header.Set(deliveredHeader, strconv.FormatUint(meta.NumDelivered, 10))
	}
	var d Digest
	if !decodeDigest(&d, digest) {
		<-h.slots
		h.Log.Warn("a job without a digest", "run", run)
		h.metrics.Failed.Add(1)
		return nil // its sender cannot be told
	}
	data, err := h.do(kind, m.Data())
	if err == nil && len(data) > maxAnswer {
		err = fmt.Errorf("an answer of %d bytes; the limit is %d", len(data), maxAnswer)
	}
	took := time.Since(began)
	h.metrics.Nanoseconds.Add(int64(took))
	h.mu.Lock()
	h.mean += (took - h.mean) / 8
	h.mu.Unlock()
	log := h.Log.With("run", run, "job", digest[:16], "kind", kind, "ms", took.Milliseconds())
	if err != nil {
		h.metrics.Failed.Add(1)
		log.Warn("no answer", "error", err.Error())
		reply.Header.Set(errorHeader, strings.Map(printable, fmt.Sprintf("%.*s", maxErrorText, err.Error())))
		return reply
	}
	reply.Data = data
	log.Debug("answered", "bytes", len(data))
	return reply
}

// printable replaces what a header cannot contain.
func printable(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

// do answers the text of a job. It holds a slot, and frees it when the work ends; what does not end in
// time is an error, and its slot is lost.
func (h *hand) do(kind string, text []byte) ([]byte, error) {
	handler := h.Handlers[kind]
	if handler == nil || len(text) > MaxJob {
		<-h.slots
		if handler == nil {
			return nil, fmt.Errorf("this worker has no answer to jobs of kind %.40q", kind)
		}
		return nil, fmt.Errorf("a job of %d bytes; the limit is %d", len(text), MaxJob)
	}
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := handler(ctx, text)
		done <- result{data, err}
	}()
	var fuse <-chan time.Time
	if h.JobTimeout > 0 {
		fuse = time.After(h.JobTimeout)
	}
	select {
	case x := <-done:
		<-h.slots
		return x.data, x.err
	case <-fuse:
	}
	cancel()
	err := fmt.Errorf("a job that took longer than %v", h.JobTimeout)
	select {
	case <-done:
		<-h.slots
		return nil, err
	case <-time.After(h.JobTimeout / 10):
	}
	h.metrics.Abandoned.Add(1)
	h.mu.Lock()
	h.abandoned++
	all := h.abandoned == h.Slots
	h.mu.Unlock()
	if all {
		time.AfterFunc(closeTimeout, func() { h.cancel(errAbandoned) }) // after the answer is stored
	}
	return nil, err
}

// store stores an answer, and then acknowledges the job: without an answer it is delivered again.
func (h *hand) store(m jetstream.Msg, reply *nats.Msg) {
	h.storing <- struct{}{}
	defer func() { <-h.storing }()
	ctx, cancel := context.WithTimeout(h.ctx, requestTimeout)
	defer cancel()
	if reply != nil {
		if _, err := h.js.PublishMsg(ctx, reply); err != nil {
			h.metrics.Lost.Add(1)
			h.Log.Warn("the answer is not stored; the job is delivered again", "error", err.Error())
			_ = m.Nak()
			return
		}
	}
	if reply != nil && reply.Header.Get(errorHeader) == "" {
		h.metrics.Done.Add(1)
	}
	if err := m.DoubleAck(ctx); err != nil {
		h.Log.Warn("the job is not acknowledged; it may be delivered again", "error", err.Error())
	}
}
