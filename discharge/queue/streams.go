package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The streams and the first words of their subjects.
const (
	jobStream  = "GRADINE_JOBS"
	doneStream = "GRADINE_DONE"
	jobWord    = "gradine.job.v1"
	doneWord   = "gradine.done.v1"
)

const (
	// MaxJob bounds the text of a job in bytes.
	MaxJob = 256 << 10
	// maxAnswer bounds an answer in bytes: servers refuse messages of more than 1 MiB unless they
	// are configured otherwise.
	maxAnswer = 1<<20 - 4096
	// maxJobs bounds the jobs that wait in the queue; what it has no room for is searched elsewhere.
	maxJobs = 10_000
	// maxBytes bounds the size of each stream; a server reserves as much.
	maxBytes = 256 << 20
	// maxDeliver is how often a job is delivered. One that ends each of its workers is given up.
	maxDeliver = 5
	// maxPending bounds the jobs that workers of one version hold.
	maxPending = 4096
	// requestTimeout bounds a request to the server.
	requestTimeout = 5 * time.Second
)

// Headers of messages.
const (
	digestHeader    = "Gradine-Digest"
	errorHeader     = "Gradine-Error"     // of an answer that says why there is none
	deliveredHeader = "Gradine-Delivered" // how often the job had been delivered
	workerHeader    = "Gradine-Worker"
)

func jobSubject(search, kind, run string) string {
	return strings.Join([]string{jobWord, search, kind, run}, ".")
}

func doneSubject(run, digest string) string {
	return strings.Join([]string{doneWord, run, digest}, ".")
}

// durable names the consumer that the workers of one version share.
func durable(search string) string { return "work-" + search }

// streams returns the stream of jobs. It makes both streams if the server does not have them.
func streams(ctx context.Context, js jetstream.JetStream) (jobs jetstream.Stream, err error) {
	if jobs, err = stream(ctx, js, jetstream.StreamConfig{
		Name: jobStream, Subjects: []string{jobWord + ".>"}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew,
		MaxMsgs: maxJobs, MaxBytes: maxBytes, MaxAge: 24 * time.Hour, Storage: jetstream.FileStorage,
	}); err != nil {
		return nil, err
	}
	_, err = stream(ctx, js, jetstream.StreamConfig{
		Name: doneStream, Subjects: []string{doneWord + ".>"}, Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld,
		MaxBytes: maxBytes, MaxAge: time.Hour, Storage: jetstream.FileStorage,
	})
	return jobs, err
}

// stream returns a stream as the operator of the server has made it, or makes it.
func stream(ctx context.Context, js jetstream.JetStream, config jetstream.StreamConfig) (jetstream.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	s, err := js.Stream(ctx, config.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if s, err = js.CreateStream(ctx, config); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			s, err = js.Stream(ctx, config.Name) // somebody else has just made it
		}
	}
	if err != nil {
		return nil, err
	}
	if is := s.CachedInfo().Config; is.Retention != config.Retention {
		return nil, fmt.Errorf("the stream %s of the server has retention %v; it needs %v", config.Name, is.Retention, config.Retention)
	}
	return s, nil
}

// workers returns the consumer of the workers of one version, which it makes if there is none.
func workers(ctx context.Context, jobs jetstream.Stream, search string, ackWait time.Duration) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: durable(search), FilterSubject: jobSubject(search, "*", "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: ackWait, MaxDeliver: maxDeliver, MaxAckPending: maxPending, InactiveThreshold: 24 * time.Hour,
	})
}
