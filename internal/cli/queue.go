package cli

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/discharge/queue/embedded"
	"github.com/gradine/gradine/internal/cli/flags"
)

// questionsAhead is how many questions wait for workers at a time.
const questionsAhead = 512

// openQueue makes the workers at the server of --nats a source of answers. The function that it returns
// ends their work for this run, and says what was wrong with their answers.
func (r *run) openQueue(asked flags.Prove, opts *discharge.Options) (end func(), err error) {
	none := func() {}
	if asked.NATS == "" {
		return none, nil
	}
	server, endServer, err := r.queueServer(asked.NATS)
	if err != nil {
		return none, err
	}
	if opts.Key, err = answer.UserKey(); err != nil {
		endServer()
		return none, err
	}
	reader, err := queue.NewReader(r.ctx, queue.Options{
		Server: server, Search: discharge.SearchVersion(), Warn: func(text string) { fmt.Fprintf(r.err, "gradine: %s\n", text) },
	})
	if err != nil {
		endServer()
		return none, flags.UsageOf(fmt.Errorf("--nats: %w", err))
	}
	source := queue.NewSource(reader)
	opts.Sources = append(opts.Sources, source)
	opts.Ahead = questionsAhead
	r.workers = source
	return func() {
		reader.Close()
		endServer()
		r.sayNotes(source.Notes())
		if asked.Timing {
			fmt.Fprintf(r.err, "gradine: workers at %v: %v, %d rejected\n", server, reader.Counts(), source.Rejected())
		}
	}, nil
}

// queueServer returns the server that a URL names, which it starts if it is to be a part of this process.
func (r *run) queueServer(url string) (server queue.Server, end func(), err error) {
	if url != "embedded" && !strings.HasPrefix(url, "embedded://") {
		if server, err = queue.ParseServer(url); err != nil {
			return server, nil, flags.UsageOf(fmt.Errorf("--nats: %w", err))
		}
		return server, func() {}, nil
	}
	started, err := embedded.Start(url)
	if err != nil {
		return server, nil, flags.UsageOf(fmt.Errorf("--nats: %w", err))
	}
	address := "nats://" + started.Addr().String()
	fmt.Fprintf(r.err, "gradine: workers may join: gradine worker --nats %s\n", address)
	return queue.InProcess(started, address, started.User, started.Password), started.Close, nil
}
