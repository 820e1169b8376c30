package cli

import (
	"fmt"
	"os"
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
	// Who gives all workers a key wants what it makes equal. Without it, proofs count once they are checked.
	var only *answer.Key
	if os.Getenv(answer.KeyVariable) != "" {
		only = opts.Key
	}
	source := queue.NewSource(reader, opts.Key, only)
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
	certificate, key := os.Getenv(queue.CertificateVariable), os.Getenv(queue.KeyVariable)
	started, err := embedded.Start(url, certificate, key)
	if err != nil {
		return server, nil, flags.UsageOf(fmt.Errorf("--nats: %w (set the certificate files in %s and %s)", err, queue.CertificateVariable, queue.KeyVariable))
	}
	address := "nats://" + started.Addr().String()
	if certificate != "" {
		address = "tls" + strings.TrimPrefix(address, "nats")
	}
	fmt.Fprintf(r.err, "gradine: workers may join: gradine worker --nats %s\n", address)
	return queue.InProcess(started, address, started.User, started.Password), started.Close, nil
}
