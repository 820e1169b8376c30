package cli

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/project"
)

// exploreExpected runs the explorations of gradine.toml, and compares what they find with what it expects.
func (r *run) exploreExpected(projects []*project.Project) error {
	all, err := project.Explorations(projects)
	if err != nil {
		return modelError{err}
	}
	for _, x := range all {
		about := "explore." + x.Name
		r.contain(seam.Exploration, about, func(ctx context.Context) {
			is, err := r.explored(ctx, x)
			if err != nil {
				fmt.Fprintf(r.err, "gradine: %s: %v\n", about, err)
				r.fail(exitModel)
				return
			}
			switch {
			case len(x.Unmet(is)) > 0 && is.Open == "":
				r.fail(exitNo)
			case is.Open != "":
				r.fail(exitNoVerdict)
			}
			report.Expected(r.out, r.style(), x, is)
		})
	}
	return nil
}

// explored runs one exploration under all set-ups, to the end of each.
func (r *run) explored(ctx context.Context, x *project.Exploration) (*project.Explored, error) {
	f := flags.Explore{KeepGoing: true}
	f.Settle()
	s := x.Of.Scope(x.Machine)
	setup, err := x.Setup(s)
	if err != nil {
		return nil, err
	}
	opt, err := f.Options(x.Of, s, x.Machine)
	if err != nil {
		return nil, err
	}
	found, err := r.solve(ctx, x.Of, x.Machine, setup, f)
	if err != nil {
		return nil, err
	}
	is := &project.Explored{}
	for _, in := range found.instances {
		result, err := explore.Run(ctx, x.Machine, in, opt)
		if err != nil {
			return nil, err
		}
		is.Add(in, result)
	}
	if found.others != "" && is.Open == "" {
		is.Open = "not all solutions of the axioms were explored: " + found.others
	}
	return is, nil
}
