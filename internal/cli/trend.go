package cli

import (
	"cmp"
	"io"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report/chart"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review/git"
	"github.com/gradine/gradine/tune"
)

// trend finds how the projects stood over the commits since one of them.
func (r *run) trend(since string, f reportFlags) (*project.Trend, error) {
	repo, err := git.Open(cmp.Or(r.dir, "."))
	if err != nil {
		return nil, modelError{err}
	}
	defer repo.Close()
	commits, err := repo.History(since, "HEAD")
	if err != nil {
		return nil, modelError{err}
	}
	dir, err := repo.Within(cmp.Or(r.dir, "."))
	if err != nil {
		return nil, modelError{err}
	}
	opts, err := f.Options()
	if err != nil {
		return nil, err
	}
	read := func(hash string) (project.Revision, error) {
		files, err := repo.Files(hash)
		if err != nil {
			return nil, err
		}
		return project.ReadRevision(files, dir)
	}
	bar := r.progress(len(commits), "looking at commits")
	defer bar.finish()
	// There are many commits: none may take as long as one run of tune.
	bounds := tune.Options{MaxPoints: flags.MaxPoints, MaxSteps: flags.MaxSteps / 20, MaxMemory: flags.LimitMemory(flags.MaxMemory)}
	t, err := project.TrendOf(r.ctx, commits, read, opts, bounds, bar.add)
	if err != nil {
		return nil, modelError{err}
	}
	return t, nil
}

// writeTrend writes a trend by itself.
func writeTrend(w io.Writer, format string, t *project.Trend) error {
	switch format {
	case "jsonl":
		return figures.TrendJSON(w, t)
	case "svg":
		_, err := io.WriteString(w, chart.Alone(chart.Stack(figures.TrendCharts(t))))
		return err
	}
	figures.TrendTable(w, t)
	return nil
}
