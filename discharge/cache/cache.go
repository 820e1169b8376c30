// Package cache shares answers through a server with the HTTP cache protocol of Bazel. The
// server is not trusted, and no search waits for it. Searches begin immediately; an answer
// that arrives during a search ends it as soon as the answer has been checked.
package cache

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/bundle"
	"github.com/gradine/gradine/internal/seam"
)

const (
	// Patience is how long a server may make no progress before it is given up.
	Patience = time.Second
	// singleAfter is how long a search runs before its answer is asked for by itself. Most
	// answers come with the bundle; a request takes longer than a short search.
	singleAfter = 50 * time.Millisecond
	// longSearch is from how many steps an answer is also written by itself.
	longSearch = 50_000
	// atOnce bounds the requests at a time.
	atOnce = 8
	// queued bounds the answers that wait to be written by themselves; more are left to the bundle.
	queued = 4096
	// perQuestion bounds the answers to one question in a bundle: users sign with different keys.
	perQuestion = 4
	// spare is how many answers that a run did not use a bundle keeps, for other branches.
	spare = 20_000
)

// Options say what is shared where.
type Options struct {
	Server
	Name     string // of the bundle: the projects
	Search   string // the version of the search
	ReadOnly bool
	// Warn is told once if the server is given up, and once if it cannot be written.
	Warn func(string)
	// patience is used instead of Patience, if it is not 0: tests of what arrives must not depend on how fast it does.
	patience time.Duration
}

// Cache is a server as a source of answers.
type Cache struct {
	opts   Options
	client *client
	ctx    context.Context
	stop   context.CancelFunc
	began  time.Time
	slots  chan struct{} // held by requests for single answers
	work   sync.WaitGroup

	hasBundle chan struct{} // closed when loaded is true
	puts      chan *answer.Answer

	mu       sync.Mutex
	off      bool // the server is given up
	closed   bool
	readOnly bool
	loaded   bool // the bundle has been asked for, whatever came of it
	order    []*answer.Answer
	known    map[answer.Digest][]*answer.Answer
	offered  map[answer.Digest]int // how many answers to a question have been handed out
	waiting  map[answer.Digest]*waiting
	found    map[answer.Digest]*answer.Answer
	counts   Counts
}

// waiting is a question that is being searched.
type waiting struct {
	arrived chan struct{}
	closed  bool
}

// Counts say what was found where.
type Counts struct {
	Used     int // answers of the cache that counted
	Others   int // answers that were found here: in the store, in other sources, or by search
	Unsigned int // answers that cannot be checked and that the reader's key has not signed
	Refused  int // answers that failed their check
}

// New returns the cache of a server and begins to read its bundle.
func New(ctx context.Context, opts Options) *Cache {
	opts.patience = cmp.Or(opts.patience, Patience)
	c := &Cache{
		opts: opts, client: newClient(opts.Server, opts.patience), began: time.Now(), slots: make(chan struct{}, atOnce), hasBundle: make(chan struct{}), puts: make(chan *answer.Answer, queued),
		readOnly: opts.ReadOnly, known: map[answer.Digest][]*answer.Answer{}, offered: map[answer.Digest]int{}, waiting: map[answer.Digest]*waiting{}, found: map[answer.Digest]*answer.Answer{},
	}
	c.ctx, c.stop = context.WithCancel(ctx)
	c.work.Go(c.load)
	if !c.readOnly {
		for range atOnce / 2 {
			c.work.Go(c.write)
		}
	}
	return c
}

// keyOf is the name of an entry on the server.
func keyOf(kind string, parts ...string) string {
	h := sha256.New()
	fmt.Fprintf(h, "gradine %s", kind)
	for _, p := range parts {
		fmt.Fprintf(h, "\n%q", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (c *Cache) bundleKey() string { return keyOf("bundle", c.opts.Search, c.opts.Name) }

func singleKey(q answer.Digest) string { return keyOf("answer", q.String()) }

// load reads the bundle, and offers its answers to those who wait.
func (c *Cache) load() {
	answers, damage, err := c.read(c.bundleKey(), bundle.MaxBytes)
	if damage != nil {
		c.warn(fmt.Sprintf("the bundle is %v; missing answers are searched for here", damage))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loaded, c.order = true, answers
	defer close(c.hasBundle)
	for _, a := range answers {
		c.known[a.Question] = append(c.known[a.Question], a)
	}
	for q, w := range c.waiting {
		if len(c.known[q]) > 0 {
			w.close()
		} else {
			c.ask(q)
		}
	}
	c.failed(err)
}

// read returns the answers of an entry, and what is damaged of it. A fault costs what the server is
// asked for, and it is given up.
func (c *Cache) read(key string, limit int) (answers []*answer.Answer, damage, err error) {
	fault := seam.Contain(c.ctx, seam.StoreRead, "", func(ctx context.Context) {
		var data []byte
		if data, err = c.client.get(ctx, key, limit); err == nil && data != nil {
			answers, damage = bundle.Decode(c.opts.Search, data)
		}
	})
	if fault != nil {
		return nil, nil, fault
	}
	return answers, damage, err
}

// put writes an entry.
func (c *Cache) put(key string, answers []*answer.Answer) {
	var err error
	fault := seam.Contain(c.ctx, seam.StoreWrite, "", func(ctx context.Context) {
		var data []byte
		if data, err = bundle.Encode(c.opts.Search, answers); err != nil {
			err = nil // too large to be shared
			return
		}
		err = c.client.put(ctx, key, data)
	})
	if fault != nil {
		err = fault
	}
	c.wrote(err)
}

func (w *waiting) close() {
	if !w.closed {
		w.closed = true
		close(w.arrived)
	}
}

// failed switches the server off after an error. The caller holds the lock.
func (c *Cache) failed(err error) {
	if err == nil || c.off || c.ctx.Err() != nil {
		return
	}
	c.off = true
	c.warn(fmt.Sprintf("%v; going on without it", err))
}

func (c *Cache) warn(text string) {
	if c.opts.Warn != nil {
		c.opts.Warn(fmt.Sprintf("cache %s: %s", c.opts.URL.Redacted(), text))
	}
}

// Answers returns the answers to question q that have arrived.
func (c *Cache) Answers(q answer.Question) []*answer.Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.known[q.Digest]
	c.offered[q.Digest] = len(list)
	return slices.Clone(list)
}

// Arrival returns a channel that is closed when an answer to q arrives that was not offered yet.
func (c *Cache) Arrival(q answer.Question) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.off && c.loaded {
		return nil
	}
	w := &waiting{arrived: make(chan struct{})}
	if len(c.known[q.Digest]) > c.offered[q.Digest] { // it has arrived since Answers
		w.close()
		return w.arrived
	}
	if c.offered[q.Digest] > 0 {
		return nil // what the server has failed its check
	}
	c.waiting[q.Digest] = w
	if c.loaded {
		c.ask(q.Digest)
	}
	return w.arrived
}

// ask asks for a single answer if its search has not ended after a while. The caller holds the lock.
func (c *Cache) ask(q answer.Digest) {
	time.AfterFunc(singleAfter, func() {
		select {
		case c.slots <- struct{}{}:
			defer func() { <-c.slots }()
		case <-c.ctx.Done():
			return
		}
		c.mu.Lock()
		over := c.off || c.waiting[q] == nil
		c.mu.Unlock()
		if over {
			return
		}
		answers, _, err := c.read(singleKey(q), answer.MaxLine) // what is damaged is searched
		c.mu.Lock()
		defer c.mu.Unlock()
		c.failed(err)
		for _, a := range answers {
			if a.Question == q {
				c.known[q] = append(c.known[q], a)
			}
		}
		if w := c.waiting[q]; w != nil && len(c.known[q]) > 0 {
			w.close()
		}
	})
}

// Searching does nothing: the answer is asked for all the same.
func (c *Cache) Searching(answer.Digest) {}

// Refused counts an answer that does not count.
func (c *Cache) Refused(_ *answer.Answer, why answer.Refusal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if why == answer.Unsigned {
		c.counts.Unsigned++
	} else {
		c.counts.Refused++
	}
}

// Found takes the answer to a question, to share it.
func (c *Cache) Found(a *answer.Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	searched := c.waiting[a.Question] != nil
	delete(c.waiting, a.Question)
	if c.found[a.Question] != nil {
		return
	}
	c.found[a.Question] = a
	if slices.Contains(c.known[a.Question], a) {
		c.counts.Used++
		return
	}
	c.counts.Others++
	if searched && a.Steps >= longSearch && !c.off && !c.readOnly && !c.closed {
		select {
		case c.puts <- a:
		default: // the bundle has it, too
		}
	}
}

// write writes single answers.
func (c *Cache) write() {
	for {
		select {
		case a, ok := <-c.puts:
			if !ok {
				return
			}
			// What outran the bundle may be in it.
			select {
			case <-c.hasBundle:
			case <-c.ctx.Done():
				return
			}
			c.mu.Lock()
			over := c.off || c.readOnly || c.knows(a)
			c.mu.Unlock()
			if !over {
				c.put(singleKey(a.Question), []*answer.Answer{a})
			}
		case <-c.ctx.Done():
			return
		}
	}
}

// wrote notes what became of a write.
func (c *Cache) wrote(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if refusal, ok := err.(refusedWrite); ok {
		if !c.readOnly {
			c.readOnly = true
			c.warn(refusal.Error() + "; it is only read from now on")
		}
		return
	}
	c.failed(err)
}

// Close writes the bundle, if this run has found what it lacks, and ends all requests. It may
// take a tenth of the time since New, or Patience/4 if that is more.
func (c *Cache) Close() {
	limit := time.AfterFunc(max(time.Since(c.began)/10, c.opts.patience/4), c.stop)
	defer func() {
		c.work.Wait()
		c.stop()
		limit.Stop()
	}()
	c.mu.Lock()
	merged, news := c.merged()
	if c.off || !c.loaded {
		c.stop()
	}
	over := c.off || c.readOnly || !c.loaded || !news
	c.closed = true
	close(c.puts)
	c.mu.Unlock()
	if over {
		return
	}
	c.put(c.bundleKey(), merged)
}

// merged returns the answers of the next bundle, and whether it has any that the last one lacks:
// those of this run, in the order of their questions, then those of the last bundle that this run
// had no use for. The caller holds the lock.
func (c *Cache) merged() (out []*answer.Answer, news bool) {
	for _, a := range c.found {
		out = append(out, a)
		news = news || !c.knows(a)
	}
	slices.SortFunc(out, func(a, b *answer.Answer) int { return bytes.Compare(a.Question[:], b.Question[:]) })
	count := map[answer.Digest]int{}
	left := spare
	for _, a := range c.order {
		mine := c.found[a.Question]
		if mine != nil && (same(mine, a) || mine.Verdict != a.Verdict) || count[a.Question] >= perQuestion-1 {
			continue // one and the same, or what failed its check
		}
		count[a.Question]++
		if mine == nil {
			if left--; left < 0 {
				continue
			}
		}
		out = append(out, a)
	}
	return out, news
}

// knows reports whether the server has sent an answer that equals a. The caller holds the lock.
func (c *Cache) knows(a *answer.Answer) bool {
	return slices.ContainsFunc(c.known[a.Question], func(b *answer.Answer) bool { return same(a, b) })
}

// same reports whether two answers are equal, with their signatures.
func same(a, b *answer.Answer) bool {
	return a == b || a.Question == b.Question && a.Verdict == b.Verdict && a.Steps == b.Steps && bytes.Equal(a.MAC, b.MAC) &&
		slices.Equal(a.Core, b.Core) && bytes.Equal(a.Certificate, b.Certificate) && bytes.Equal(a.Counterexample, b.Counterexample)
}

// Counts returns what was found where so far.
func (c *Cache) Counts() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

// Notes say what was wrong with answers of the cache.
func (c *Cache) Notes() []string {
	n := c.Counts()
	if n.Refused == 0 {
		return nil
	}
	return []string{fmt.Sprintf("cache %s: %d answers failed their check; they were searched here", c.opts.URL.Redacted(), n.Refused)}
}

// String says what was found where, for people.
func (n Counts) String() string {
	return fmt.Sprintf("%d answers from the cache, %d searched for, %d not signed with the key of this run, %d rejected", n.Used, n.Others, n.Unsigned, n.Refused)
}
