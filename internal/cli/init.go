package cli

import (
	"fmt"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/scaffold"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) initCommand() *cobra.Command {
	var gpu, agent bool
	var host string
	command := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Begin a project",
		Long: `Writes a small project that verifies into DIR (here, if none is given). With --gpu, writes the
GPU development instead. With --ci, writes a job for continuous integration: beside the models
that are in DIR, or with the small project if there are none. With --agent, likewise a page for
agents. Nothing that exists is overwritten.`,
		Example: "  gradine init counter && gradine -C counter verify\n  gradine init --ci=gitlab",
		Args:    oneAtMost("a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := r.dir
			if len(args) == 1 {
				dir = r.path(args[0])
			}
			files := scaffold.Files{}
			if host != "" {
				if err := files.Job(host, version()); err != nil {
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
	command.Flags().BoolVar(&gpu, "gpu", false, "write out the GPU development")
	command.Flags().BoolVar(&agent, "agent", false, "write AGENTS.md, a page for agents")
	command.Flags().StringVar(&host, "ci", "", "write a job for continuous integration: github or gitlab")
	command.Flags().Lookup("ci").NoOptDefVal = "github"
	return command
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
