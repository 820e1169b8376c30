package worker

import (
	"fmt"
	"net/http"

	"github.com/gradine/gradine/discharge/queue"
)

// MetricsHandler serves what a worker has done, in the text format of Prometheus.
func MetricsHandler(m *queue.Metrics) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		put := func(name, kind, help string, value float64) {
			fmt.Fprintf(w, "# HELP gradine_worker_%s %s\n# TYPE gradine_worker_%s %s\ngradine_worker_%s %g\n", name, help, name, kind, name, value)
		}
		connected := 0.0
		if m.Connected.Load() {
			connected = 1
		}
		put("connected", "gauge", "Whether the worker waits for jobs of the server.", connected)
		put("jobs_running", "gauge", "Jobs that are worked on.", float64(m.Running.Load()))
		put("jobs_done_total", "counter", "Jobs with an answer that the server has stored.", float64(m.Done.Load()))
		put("jobs_failed_total", "counter", "Jobs that were answered with an error.", float64(m.Failed.Load()))
		put("jobs_redelivered_total", "counter", "Jobs that had been delivered before.", float64(m.Redelivered.Load()))
		put("answers_lost_total", "counter", "Answers that the server has not stored.", float64(m.Lost.Load()))
		put("jobs_abandoned_total", "counter", "Jobs that did not end in time.", float64(m.Abandoned.Load()))
		put("busy_seconds_total", "counter", "Time spent on jobs.", float64(m.Nanoseconds.Load())/1e9)
	})
	return mux
}
