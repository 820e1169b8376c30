package queue

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// pollEvery is how often a reader asks whether workers wait.
	pollEvery = 250 * time.Millisecond
	// patience is how many attempts in a row may fail before the server is given up for the time
	// being, with one warning.
	patience = 4
	// ackTimeout is how long the server may take to store a job. One that it has not stored is sent
	// again.
	ackTimeout = 5 * time.Second
	// deleting bounds the requests at a time that take jobs back.
	deleting = 8
)

// Options say what a reader sends where.
type Options struct {
	Server Server
	Search string // the version of the search
	// Warn is told what is wrong with the server or its workers, each once.
	Warn func(string)
}

// Digest identifies a job of a run.
type Digest = [32]byte

// Reader sends jobs and receives their answers. Its table of open jobs is the truth: whatever
// becomes of the queue, a job that has no answer is still there for its reader. Jobs are sent
// while workers wait for some.
type Reader struct {
	opts  Options
	run   string // names this run, at random
	ctx   context.Context
	stop  context.CancelFunc
	nc    *nats.Conn
	js    jetstream.JetStream
	work  sync.WaitGroup
	slots chan struct{} // held by requests that take jobs back

	mu      sync.Mutex
	open    map[Digest]*Job
	over    recent[*Job] // those that are not open
	order   []*Job       // the unsent ones; answered ones are dropped late
	session jetstream.Stream
	sending bool // workers wait for jobs
	warned  map[string]bool
	idle    int // polls in a row that found no worker
	counts  Counts
}

// Job is a job of a reader.
type Job struct {
	reader   *Reader
	digest   Digest
	kind     string
	text     []byte // nil once it is not open any more
	sent     bool
	sequence uint64        // of the stored message, 0 if it is not known to be stored
	arrived  chan struct{} // closed when the first answer arrives
	answers  []Answer
}

// Answer is what a worker says. Nothing of it is checked.
type Answer struct {
	Data  []byte
	Error string // the cause, if the job has no answer
}

// Counts say what became of jobs.
type Counts struct {
	Sent        int
	Done        int // jobs with an answer
	Running     int // jobs that workers hold, those of other readers included
	Redelivered int // answers to jobs that had been delivered before
	TakenBack   int // jobs that were searched here after they had been sent
	Failed      int // jobs that workers could not answer
	GivenUp     int // jobs that no worker has answered in as many deliveries as the queue makes
	Waiting     bool
}

// NewReader returns a reader. An error says that the server's URL or its credentials are wrong;
// whether the server can be reached shows later.
func NewReader(ctx context.Context, opts Options) (*Reader, error) {
	var name [8]byte
	if _, err := rand.Read(name[:]); err != nil {
		return nil, err
	}
	r := &Reader{opts: opts, run: hex.EncodeToString(name[:]), open: map[Digest]*Job{}, warned: map[string]bool{}, slots: make(chan struct{}, deleting)}
	r.ctx, r.stop = context.WithCancel(ctx)
	nc, err := opts.Server.connect("gradine", nats.ClosedHandler(func(nc *nats.Conn) {
		if r.ctx.Err() == nil {
			r.warn("closed", fmt.Sprintf("%v; going on without workers", why(nc.LastError())))
		}
	}))
	if err != nil {
		r.stop()
		return nil, err
	}
	r.nc = nc
	if r.js, err = jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(maxJobs), jetstream.WithPublishAsyncTimeout(ackTimeout),
		jetstream.WithPublishAsyncAckHandler(r.stored), jetstream.WithPublishAsyncErrHandler(r.notStored)); err != nil {
		r.stop()
		nc.Close()
		return nil, err
	}
	r.work.Go(r.supervise)
	return r, nil
}

func why(err error) string {
	if err == nil {
		return "it ended the connection"
	}
	return err.Error()
}

func (r *Reader) warn(about, text string) {
	r.mu.Lock()
	before := r.warned[about]
	r.warned[about] = true
	r.mu.Unlock()
	if !before && r.opts.Warn != nil {
		r.opts.Warn(fmt.Sprintf("workers at %v: %s", r.opts.Server, text))
	}
}

// supervise holds a session with the server, and begins the next one whenever one ends.
func (r *Reader) supervise() {
	failed := 0
	for r.ctx.Err() == nil {
		held, err := r.hold()
		r.mu.Lock()
		r.session, r.sending, r.counts.Running = nil, false, 0
		r.mu.Unlock()
		if held {
			failed = 0
		}
		if failed++; failed == patience {
			r.warn("server", fmt.Sprintf("%v; going on without workers until it can be reached", why(err)))
		}
		r.pause(pollEvery)
	}
}

// pause waits, and reports whether the reader goes on.
func (r *Reader) pause(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-r.ctx.Done():
		return false
	}
}

// hold receives answers and sends jobs until something fails; held says that it got so far.
func (r *Reader) hold() (held bool, err error) {
	if !r.nc.IsConnected() {
		if err := r.nc.LastError(); err != nil {
			return false, err
		}
		return false, nats.ErrNoServers
	}
	jobs, err := streams(r.ctx, r.js)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(r.ctx, requestTimeout)
	defer cancel()
	// Whatever was answered before this session is delivered as well: an answer that arrives twice counts once.
	answers, err := r.js.OrderedConsumer(ctx, doneStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{doneSubject(r.run, "*")}})
	if err != nil {
		return false, err
	}
	lost := make(chan error, 1)
	consuming, err := answers.Consume(func(m jetstream.Msg) { r.receive(m) }, jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
		select {
		case lost <- err:
		default:
		}
	}))
	if err != nil {
		return false, err
	}
	defer consuming.Stop()
	// A server that keeps its advisories to itself costs what is told of such jobs, and nothing else.
	if given, err := r.nc.Subscribe(givenUpSubject, func(m *nats.Msg) { r.givenUp(m.Data) }); err == nil {
		defer func() { _ = given.Unsubscribe() }()
	}
	r.mu.Lock()
	r.session = jobs
	r.unsent()
	r.mu.Unlock()
	for {
		if err := r.poll(jobs); err != nil {
			return true, err
		}
		select {
		case err := <-lost:
			return true, err
		case <-time.After(pollEvery):
		case <-r.ctx.Done():
			return true, nil
		}
	}
}

// poll asks whether workers wait, and sends what has not been sent if they do.
func (r *Reader) poll(jobs jetstream.Stream) error {
	if !r.nc.IsConnected() {
		return nats.ErrDisconnected
	}
	ctx, cancel := context.WithTimeout(r.ctx, requestTimeout)
	defer cancel()
	info, err := r.js.Consumer(ctx, jobStream, durable(r.opts.Search))
	waiting, running := false, 0
	switch {
	case isMissing(err):
		r.sayIdle(jobs)
	case err != nil:
		return err
	default:
		is := info.CachedInfo()
		waiting, running = is.NumWaiting > 0 || is.NumAckPending > 0, is.NumAckPending
		if !waiting {
			r.sayIdle(jobs)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.Running, r.counts.Waiting = running, r.counts.Waiting || waiting
	r.sending = waiting
	// Jobs without text have been sent or answered.
	r.order = slices.DeleteFunc(r.order, func(j *Job) bool { return j.text == nil })
	if waiting {
		// Sending puts a job back into the order if the queue has no room for it.
		unsent := r.order
		r.order = nil
		for _, j := range unsent {
			r.send(j)
		}
	}
	return nil
}

// sayIdle reports that no worker waits, and which versions of the search other workers have.
func (r *Reader) sayIdle(jobs jetstream.Stream) {
	r.mu.Lock()
	r.idle++
	over := r.idle != patience || r.counts.Waiting
	r.mu.Unlock()
	if over {
		return
	}
	ctx, cancel := context.WithTimeout(r.ctx, requestTimeout)
	defer cancel()
	var others []string
	list := jobs.ListConsumers(ctx)
	for c := range list.Info() {
		if c.NumWaiting > 0 && c.Name != durable(r.opts.Search) {
			others = append(others, fmt.Sprintf("%.40q", c.Name[min(len(c.Name), len(durable(""))):]))
		}
	}
	slices.Sort(others)
	text := fmt.Sprintf("no worker for version %s of the search waits yet; searching here meanwhile", r.opts.Search)
	if len(others) > 0 {
		text += fmt.Sprintf(". There are workers of version %s: start workers of this program", slices.Compact(others))
	}
	r.warn("no worker", text)
}

// unsent marks all open jobs as not sent. The caller holds the lock.
func (r *Reader) unsent() {
	r.order = r.order[:0]
	for _, j := range r.open {
		j.sent, j.sequence = false, 0
		r.order = append(r.order, j)
	}
	slices.SortFunc(r.order, func(a, b *Job) int { return slices.Compare(a.digest[:], b.digest[:]) })
}

// Ask makes a job of text, and sends it when workers wait. Asked again, it returns the same job.
func (r *Reader) Ask(kind string, digest Digest, text []byte) *Job {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := r.find(digest)
	if j == nil {
		j = &Job{reader: r, digest: digest, kind: kind, text: text, arrived: make(chan struct{})}
		r.open[digest] = j
		if r.sending {
			r.send(j)
		} else {
			r.order = append(r.order, j)
		}
	}
	return j
}

// Find returns the job with a digest, nil if there is none.
func (r *Reader) Find(digest Digest) *Job {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(digest)
}

// find is Find for a caller that holds the lock.
func (r *Reader) find(digest Digest) *Job {
	if j := r.open[digest]; j != nil {
		return j
	}
	return r.over.get(digest)
}

// id names a job for the server, which stores it once however often it is sent within two minutes.
func (r *Reader) id(j *Job) string { return r.run + "-" + hex.EncodeToString(j.digest[:]) }

// send sends a job. The caller holds the lock.
func (r *Reader) send(j *Job) {
	if j.sent || j.text == nil {
		return
	}
	m := nats.NewMsg(jobSubject(r.opts.Search, j.kind, r.run))
	m.Data = j.text
	m.Header.Set(digestHeader, hex.EncodeToString(j.digest[:]))
	m.Header.Set(jetstream.MsgIDHeader, r.id(j))
	if _, err := r.js.PublishMsgAsync(m); err != nil {
		r.order = append(r.order, j)
		return
	}
	j.sent = true
	r.counts.Sent++
}

// of returns the job of a message that this reader has sent. The caller holds the lock.
func (r *Reader) of(m *nats.Msg) *Job {
	var d Digest
	if !decodeDigest(&d, m.Header.Get(digestHeader)) {
		return nil
	}
	return r.find(d)
}

func decodeDigest(d *Digest, text string) bool {
	if len(text) != hex.EncodedLen(len(d)) {
		return false
	}
	_, err := hex.Decode(d[:], []byte(text))
	return err == nil
}

// stored notes that the server has stored a job.
func (r *Reader) stored(_ jetstream.JetStream, m *nats.Msg, ack *jetstream.PubAck) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j := r.of(m); j != nil {
		j.sequence = ack.Sequence
		if j.text == nil {
			r.remove(j)
		}
	}
}

// notStored has a job sent again that the server has not stored.
func (r *Reader) notStored(_ jetstream.JetStream, m *nats.Msg, _ error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j := r.of(m); j != nil && j.text != nil {
		j.sent = false
		r.counts.Sent--
		r.order = append(r.order, j)
	}
}

// receive takes an answer.
func (r *Reader) receive(m jetstream.Msg) {
	var d Digest
	if !decodeDigest(&d, m.Subject()[len(doneSubject(r.run, "")):]) {
		return
	}
	delivered, err := strconv.Atoi(m.Headers().Get(deliveredHeader))
	if err != nil {
		delivered = 1
	}
	r.answered(d, Answer{Data: m.Data(), Error: m.Headers().Get(errorHeader)}, delivered)
}

// answered takes an answer to a job that was delivered so often.
func (r *Reader) answered(d Digest, a Answer, delivered int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := r.find(d)
	if j == nil || len(j.answers) >= maxAnswers {
		return
	}
	if slices.ContainsFunc(j.answers, func(b Answer) bool { return b.Error == a.Error && slices.Equal(a.Data, b.Data) }) {
		return
	}
	j.answers = append(j.answers, a)
	if j.text == nil {
		r.keep(j)
	}
	if delivered > 1 {
		r.counts.Redelivered++
	}
	if a.Error != "" {
		r.counts.Failed++
	}
	if len(j.answers) == 1 {
		if j.text != nil {
			r.end(j)
		}
		j.sequence = 0
		r.counts.Done++
		close(j.arrived)
	}
}

// end notes that an open job is over. The caller holds the lock.
func (r *Reader) end(j *Job) {
	j.text = nil
	delete(r.open, j.digest)
	r.keep(j)
}

// keep remembers a job that is over, as it is now. The caller holds the lock.
func (r *Reader) keep(j *Job) {
	size := 0
	for _, a := range j.answers {
		size += len(a.Data) + len(a.Error)
	}
	r.over.put(j.digest, j, size)
}

// maxAnswers bounds the answers to one job that are kept.
const maxAnswers = 4

// Arrived is closed when there is an answer.
func (j *Job) Arrived() <-chan struct{} { return j.arrived }

// Answers returns the answers that have arrived.
func (j *Job) Answers() []Answer {
	j.reader.mu.Lock()
	defer j.reader.mu.Unlock()
	return slices.Clone(j.answers)
}

// TakeBack says that the reader works on the job by itself: a worker that has not got it does not
// get it any more.
func (j *Job) TakeBack() {
	r := j.reader
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.text == nil {
		return
	}
	r.end(j)
	if j.sent {
		r.counts.TakenBack++
		r.remove(j)
	}
}

// remove removes a stored job from the queue. The caller holds the lock.
func (r *Reader) remove(j *Job) {
	jobs, sequence := r.session, j.sequence
	if jobs == nil || sequence == 0 || len(j.answers) > 0 {
		return
	}
	j.sequence = 0
	r.work.Go(func() {
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
		case <-r.ctx.Done():
			return // Close removes all that is left
		}
		ctx, cancel := context.WithTimeout(r.ctx, requestTimeout)
		defer cancel()
		_ = jobs.DeleteMsg(ctx, sequence) // otherwise a worker answers it in vain
	})
}

// givenUpSubject is where the server tells of messages that it delivers no more.
const givenUpSubject = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + jobStream + ".*"

// givenUp notes that the server delivers a job no more. It stays in the queue until this run ends or takes it back.
func (r *Reader) givenUp(advisory []byte) {
	var about struct {
		Sequence uint64 `json:"stream_seq"`
	}
	if json.Unmarshal(advisory, &about) != nil || about.Sequence == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.open {
		if j.sequence == about.Sequence {
			r.counts.GivenUp++
			return
		}
	}
}

// Counts returns what became of jobs so far.
func (r *Reader) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts
}

// Close takes back what is left in the queue, and ends the connection.
func (r *Reader) Close() {
	r.mu.Lock()
	jobs, sent := r.session, r.counts.Sent > 0
	r.mu.Unlock()
	if jobs != nil && sent && r.nc.IsConnected() {
		// The run may have been interrupted: what it has asked for is removed all the same.
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		_ = jobs.Purge(ctx, jetstream.WithPurgeSubject(jobSubject("*", "*", r.run)))
		cancel()
	}
	r.stop()
	r.work.Wait()
	r.nc.Close()
}

// closeTimeout bounds what a run waits for at its end.
const closeTimeout = 500 * time.Millisecond

// String says what became of jobs, for people.
func (c Counts) String() string {
	text := fmt.Sprintf("%d jobs done, %d running, %d redelivered, %d withdrawn, %d failed", c.Done, c.Running, c.Redelivered, c.TakenBack, c.Failed)
	if c.GivenUp > 0 {
		text += fmt.Sprintf(", %d given up", c.GivenUp)
	}
	return text
}

func isMissing(err error) bool {
	return err == jetstream.ErrConsumerNotFound
}
