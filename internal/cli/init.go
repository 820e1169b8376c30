package cli

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge/shard"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/scaffold"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) initCommand() *cobra.Command {
	var gpu, agent bool
	var host string
	var shards int
	command := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Create a project",
		Long: `Writes a small verified project to DIR (default: the current folder). Existing files are never overwritten.

With --gpu, writes the GPU development instead. With --ci, writes a job for continuous integration. With
--agent, writes AGENTS.md, instructions for agents. With --ci or --agent, the small project is also written if
DIR has no models. If proofs.lock records long searches, --ci writes several jobs that search one shard each,
and one job that judges the results. See docs/scale.md.`,
		Example: "  gradine init counter && gradine -C counter verify\n  gradine init --ci=gitlab",
		Args:    oneAtMost("a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := r.dir
			if len(args) == 1 {
				// A flag with an optional value takes none after a space: a host there would become a folder.
				if host != "" && slices.Contains(scaffold.Hosts(), args[0]) {
					return flags.Usagef("write --ci=%s, or ./%[1]s for a folder of this name", args[0])
				}
				dir = r.path(args[0])
			}
			files := scaffold.Files{}
			if shards < 0 || shards > shard.MaxParts || shards > 0 && host == "" {
				return flags.Usagef("--shards N is for --ci, with N from 1 to %d", shard.MaxParts)
			}
			if host != "" {
				if err := files.Job(host, version(), shardsFor(dir, shards)); err != nil {
					return flags.Usagef("--ci %s: %w", host, err)
				}
			}
			if agent {
				files.Agents()
			}
			switch {
			case (host != "" || agent) && !gpu && project.HasModels(dir):
				// The models that are here are what the job and the page are about.
			case gpu:
				files.GPU()
			default:
				files.Starter()
			}
			return r.writeNew(dir, files)
		},
	}
	command.Flags().BoolVar(&gpu, "gpu", false, "write the GPU development")
	command.Flags().BoolVar(&agent, "agent", false, "write AGENTS.md, instructions for agents")
	command.Flags().StringVar(&host, "ci", "", "write a job for continuous integration: github or gitlab")
	command.Flags().Lookup("ci").NoOptDefVal = "github"
	command.Flags().IntVar(&shards, "shards", 0, "with --ci: split the work into at most `N` jobs (0: as many as proofs.lock suggests)")
	return command
}

// shardsFor is the number of jobs among which the work of the project in dir is split: at most as many
// as asked, and no more than make the longest job shorter.
func shardsFor(dir string, asked int) int {
	if dir == "" {
		dir = "."
	}
	projects, err := project.Open(dir)
	if err != nil {
		return max(asked, 1)
	}
	total, longest := project.RecordedSteps(projects)
	if total == 0 {
		return max(asked, 1)
	}
	const (
		most = 20            // jobs, by default
		job  = 1_000_000_000 // steps that take about as long as to start a job
	)
	if asked == 0 {
		asked = int(min(most, total/job))
	}
	return max(1, int(min(int64(asked), total/longest)))
}

// writeNew writes files below dir and says what to do with them.
func (r *run) writeNew(dir string, files scaffold.Files) error {
	if err := files.Write(dir); err != nil {
		return modelError{err}
	}
	next := "gradine verify"
	if dir != "" && dir != "." {
		next = "gradine -C " + dir + " verify"
	}
	fmt.Fprintf(r.out, "%s written; now try: %s\n", report.Count(len(files), "file"), next)
	return nil
}
