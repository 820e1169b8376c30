package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/worker"
	"github.com/spf13/cobra"
)

type workerFlags struct {
	nats    string
	metrics string
	slots   int
	steps   int64
	memory  int64 // MB of each job
	timeout time.Duration
	verbose bool
}

func (r *run) workerCommand() *cobra.Command {
	var f workerFlags
	command := &cobra.Command{
		Use:   "worker --nats URL",
		Short: "Answer the jobs of a work queue",
		Long: `Answers the jobs of a NATS JetStream work queue, until interrupted. Workers are not trusted: the command that
sent a job checks every proof and every counterexample. Failed searches and step counts cannot be checked. The
command accepts them only from workers that have its key (GRADINE_KEY, or the user's key file). A worker answers
only jobs of a gradine with the same search version.

Credentials come from the URL or from the environment variables of NATS: NATS_CREDS, NATS_NKEY, NATS_USER and
NATS_PASSWORD, NATS_TOKEN, NATS_CA, NATS_CERT and NATS_KEY.`,
		Example: "  gradine worker --nats nats://queue.example:4222\n  gradine worker --nats tls://queue.example --metrics :9090",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return r.work(f) },
	}
	set := command.Flags()
	set.StringVar(&f.nats, "nats", "", "`URL` of the server, such as nats://host:4222")
	set.StringVar(&f.metrics, "metrics", "", "serve metrics for Prometheus at `ADDRESS`, such as :9090, under /metrics")
	set.IntVar(&f.slots, "workers", 0, "number of parallel jobs (0: one per core)")
	set.Int64Var(&f.steps, "steps", 1_000_000_000, "maximum budget of a job, in steps")
	set.Int64Var(&f.memory, "memory", 1024, "memory per parallel job in MB; all jobs share the total as one pool")
	set.DurationVar(&f.timeout, "timeout", 10*time.Minute, "maximum time of a job; needed for work that the budget does not limit")
	set.BoolVarP(&f.verbose, "verbose", "v", false, "log every job")
	return command
}

// work answers jobs until the program is interrupted.
func (r *run) work(f workerFlags) error {
	switch {
	case f.nats == "":
		return flags.Usagef("worker needs --nats URL")
	case f.slots < 0 || f.steps < 1 || f.memory < 1 || f.timeout <= 0:
		return flags.Usagef("--workers cannot be negative, and --steps, --memory and --timeout must be positive")
	}
	server, err := queue.ParseServer(f.nats)
	if err != nil {
		return flags.UsageOf(fmt.Errorf("--nats: %w", err))
	}
	key, err := answer.UserKey()
	if err != nil {
		return err
	}
	slots := f.slots
	if slots == 0 {
		slots = runtime.GOMAXPROCS(0)
	}
	level := slog.LevelInfo
	if f.verbose {
		level = slog.LevelDebug
	}
	w := &queue.Worker{
		Server: server, Search: discharge.SearchVersion(), Slots: slots, JobTimeout: f.timeout,
		// The limit of memory is for one job, and all slots can have one at the same time.
		Handlers: worker.Handlers(key, worker.Limits{Steps: f.steps, Memory: f.memory << 20 * int64(slots)}),
		Log:      slog.New(slog.NewTextHandler(r.err, &slog.HandlerOptions{Level: level})),
	}
	if f.metrics != "" {
		end, err := serveMetrics(f.metrics, w)
		if err != nil {
			return flags.UsageOf(fmt.Errorf("--metrics: %w", err))
		}
		defer end()
	}
	return w.Serve(r.ctx)
}

// serveMetrics serves what a worker has done until the function that it returns is called.
func serveMetrics(address string, w *queue.Worker) (end func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: worker.MetricsHandler(w.Metrics()), ReadHeaderTimeout: time.Second}
	w.Log.Info("metrics", "address", listener.Addr().String())
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			w.Log.Error("metrics", "error", err.Error())
		}
	}()
	return func() { server.Close() }, nil
}
