package cli

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// bestRun is the run of a tuning entry at a point, which a page begins with.
type bestRun struct {
	conf  config.Tune
	itf   []byte
	about string
}

// animated is the machine of the run, in projects that were opened again.
func (b *bestRun) animated(projects []*project.Project) (animated, error) {
	p, err := project.Tuned(projects, b.conf)
	if err != nil {
		return animated{}, err
	}
	return animated{target: target{p, p.Dev.Machine(b.conf.Machine)}}, nil
}

// best searches an entry, and runs its machine at the best point, or at that of --point.
func (r *run) best(projects []*project.Project, f animateFlags) (*bestRun, error) {
	conf := projects[0].Config
	if conf == nil || len(conf.Tune) == 0 {
		return nil, flags.Usagef("--tune %s: gradine.toml has no [tune.NAME] entry", f.tune)
	}
	names, err := project.EntriesNamed(conf, []string{f.tune})
	if err != nil {
		return nil, flags.Usagef("--tune: %w", err)
	}
	if len(names) != 1 {
		return nil, flags.Usagef("--tune %s names %d entries; name one", f.tune, len(names))
	}
	out := &bestRun{conf: conf.Tune[names[0]]}
	found, err := out.animated(projects)
	if err != nil {
		return nil, modelErrorf("tune.%s: %w", names[0], err)
	}
	given, err := oneInstance(out.conf, f.instance)
	if err != nil {
		return nil, err
	}
	var prove flags.Prove
	proofs, err := r.proofs(found.p, found.m, prove)
	if err != nil {
		return nil, err
	}
	tuner, _, err := found.p.Tuner(r.ctx, names[0], out.conf, given, proofs, "auto")
	if err != nil {
		return nil, modelErrorf("tune.%s: %w", names[0], err)
	}
	entry, opt, err := tuner.Entry(given, tune.Options{MaxPoints: flags.MaxPoints, MaxSteps: flags.MaxSteps, MaxMemory: flags.LimitMemory(flags.MaxMemory)})
	if err != nil {
		return nil, modelErrorf("tune.%s: %w", names[0], err)
	}
	answer, err := tune.Search(r.ctx, entry, opt)
	if err != nil {
		return nil, modelErrorf("tune.%s: %w", names[0], err)
	}
	point, err := pointOf(answer, f.point)
	if err != nil {
		return nil, err
	}
	opt.MaxSteps = 0 // the bound of a trace
	trace, err := entry.Witness(r.ctx, point, opt)
	if err != nil {
		return nil, modelErrorf("tune.%s: %w", names[0], err)
	}
	if out.itf, err = trace.ITF(); err != nil {
		return nil, err
	}
	var values []string
	for i, name := range answer.Names {
		values = append(values, fmt.Sprintf("%s = %s", name, point.Values[i].Text))
	}
	what := "the best schedule"
	switch {
	case f.point != "":
		what = "the schedule"
	case !answer.Complete:
		what = "the best schedule found"
	}
	out.about = fmt.Sprintf("%s of %s: %s", what, names[0], strings.Join(values, ", "))
	return out, nil
}

// oneInstance is the one instance of an entry that is meant.
func oneInstance(conf config.Tune, asked string) ([]project.Assignment, error) {
	instances, err := instancesOf(conf, asked)
	if err != nil {
		return nil, err
	}
	if len(instances) > 1 {
		return nil, flags.Usagef("the entry has %d instances; name one with --instance", len(instances))
	}
	return instances[0].Given, nil
}
