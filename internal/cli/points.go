package cli

import (
	"context"
	"iter"

	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// pointJobs is about how many jobs the points of an entry become: each carries the project's text.
const pointJobs = 256

// exploredBy lets the workers of --nats explore points of an entry, and this run those that no worker takes.
func (r *run) exploredBy(opened *project.Project, conf config.Tune, entry *tune.Entry, given []project.Assignment, opt tune.Options) tune.Explorer {
	parcel, err := opened.Parcel(entry.Machine)
	if err != nil {
		r.sayNotes([]string{"tune." + entry.Name + ": workers do not explore points: " + err.Error()})
		return nil
	}
	job := worker.Tuning{
		Project: parcel, Entry: entry.Name, Given: given, Objective: conf.Objective, Constraints: conf.Constraints, Criterion: conf.Criterion, Order: conf.Order,
		MaxPoints: opt.MaxPoints, MaxSteps: opt.MaxSteps, MaxMemory: opt.MaxMemory,
	}
	return func(ctx context.Context, points []int, here func(context.Context, int) tune.Exploration) iter.Seq2[int, tune.Exploration] {
		size := (len(points) + pointJobs - 1) / pointJobs
		group := func(i int) []int { return points[i*size : min((i+1)*size, len(points))] }
		parts := queue.Parts[[]tune.Exploration]{
			Source: r.workers, Kind: queue.Points, AtOnce: 1, // an exploration takes all cores
			Job: func(i int) ([]byte, error) { return job.Job(group(i)) },
			Do: func(ctx context.Context, i int) (out []tune.Exploration) {
				for _, point := range group(i) {
					out = append(out, here(ctx, point))
				}
				return out
			},
		}
		return func(yield func(int, tune.Exploration) bool) {
			if size == 0 {
				return
			}
			for i, found := range parts.InOrder(ctx, (len(points)+size-1)/size) {
				for k, point := range group(i) {
					if k >= len(found) || !yield(point, found[k]) {
						return
					}
				}
			}
		}
	}
}
