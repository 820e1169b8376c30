package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/swarm"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
)

// swarmed is what one member of a swarm found out.
type swarmed struct {
	swarm.Share
	err error
}

// swarm explores a machine by a swarm of searches, here and at the workers of --nats. What is found is that of the
// first member, by number, that finds something: it does not depend on who is faster.
func (r *run) swarm(ctx context.Context, opened *project.Project, machine *model.Machine, f flags.Explore, instance int, opt explore.Options, again func(explore.Options) (*explore.Result, error)) (*explore.Result, error) {
	job, err := swarmJob(opened, machine, f, instance, opt)
	if err != nil {
		return nil, err
	}
	end, err := r.openQueue(flags.Prove{NATS: f.NATS}, &discharge.Options{})
	if err != nil {
		return nil, err
	}
	defer end()
	bar := r.progress(f.Swarm, "exploring "+machine.Name)
	defer bar.finish()
	number := func(i int) int { return int(f.Seed) + i }
	parts := queue.Parts[swarmed]{
		Source: r.workers, Kind: queue.Members, AtOnce: max(1, min(runtime.GOMAXPROCS(0), opt.MaxMemory/max(1, opt.BitState))),
		Job: func(i int) ([]byte, error) { return job.Job(number(i)) },
		Do: func(ctx context.Context, i int) (x swarmed) {
			x.Share, x.err = job.Member(ctx, number(i))
			return x
		},
	}
	var shares []swarm.Share
	for i, x := range parts.InOrder(ctx, f.Swarm) {
		bar.set(i + 1)
		switch {
		case x.err != nil:
			return nil, x.err
		// A share has no trace. The member that found something runs again here, which also confirms the finding.
		case x.Found:
			return again(swarm.Options(opt, number(i)))
		}
		shares = append(shares, x.Share)
	}
	return swarm.Joined(machine.Name, shares), nil
}

// swarmJob is what the members of a swarm explore.
func swarmJob(opened *project.Project, machine *model.Machine, f flags.Explore, instance int, opt explore.Options) (*worker.Exploration, error) {
	if f.Seed > math.MaxInt32 {
		return nil, flags.Usagef("--seed %d: the searches of a swarm have numbers up to %d", f.Seed, math.MaxInt32)
	}
	parcel, err := opened.Parcel(machine)
	if err != nil {
		return nil, flags.UsageOf(fmt.Errorf("--swarm: %w", err))
	}
	with, err := project.ParseOverrides(f.Sizes, f.Consts, f.Integers)
	if err != nil {
		return nil, errors.New("flags that were read before")
	}
	return &worker.Exploration{
		Project: parcel, Machine: machine.Name, With: with, Instance: instance, Goal: f.Goal, Ends: f.Ends,
		NoDeadlock: opt.NoDeadlock, KeepGoing: opt.KeepGoing, Refinement: opt.Refinement, Symmetry: opt.Symmetry,
		MaxStates: opt.MaxStates, MaxDepth: opt.MaxDepth, MaxMemory: opt.MaxMemory, BitState: opt.BitState,
	}, nil
}
