package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/scaffold"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) gitCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "git",
		Short:   "Configure Git to merge models by element and show Rodin files as text",
		Args:    cobra.NoArgs,
		Example: "  gradine git install",
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(r.gitInstallCommand(), r.gitMergeCommand(), r.gitTextCommand())
	return c
}

func (r *run) gitInstallCommand() *cobra.Command {
	var hooks bool
	command := &cobra.Command{
		Use:   "install",
		Short: "Write .gitattributes, and configure this clone",
		Long: `Writes .gitattributes (commit the file to share it) and configures this clone to use gradine for merges and
diffs. Models are merged by element, .hints files and scenarios by block, Rodin's proofs (.bpr) by obligation,
gradine.toml by key, and proofs.lock by line. Git itself merges the files that Rodin regenerates (.bcc, .bcm,
.bpo, .bps). After installation, git diff shows Rodin files as text. With --hooks, a review runs before each
commit. Run the command once per clone.`,
		Example: "  gradine git install --hooks",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return r.gitInstall(hooks) },
	}
	command.Flags().BoolVar(&hooks, "hooks", false, "run a review before each commit")
	return command
}

func (r *run) gitInstall(hooks bool) error {
	clone := scaffold.Clone{Context: r.ctx, Dir: r.dir}
	if err := clone.Install(); err != nil {
		return modelError{err}
	}
	fmt.Fprintln(r.out, "Git merges models by element here and shows Rodin's files as text; commit .gitattributes")
	if !hooks {
		return nil
	}
	if err := clone.InstallHooks(); err != nil {
		return modelError{err}
	}
	fmt.Fprintln(r.out, "a review runs before each commit; git commit --no-verify skips it")
	return nil
}

func (r *run) gitMergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge BASE OURS THEIRS PATH",
		Short: "Merge one file (merge driver of Git)",
		Long: `Merges OURS and THEIRS, which share the ancestor BASE, and writes the result to OURS. Models are merged by
element, and renamed elements and identifiers are recognised. If both sides change an element differently,
conflict markers enclose the whole element. .hints files and scenarios are merged by block, Rodin's proofs by
obligation, gradine.toml by key. The merged lockfile has every line that neither side removed. Files with errors
are merged by line, as git merge-file does.

Two changes of different elements can also conflict. The merged model may have an error that neither side has,
or leave an obligation unproved that neither side leaves unproved. gradine reports both cases as conflicts. The
exit code is 1 if there are conflicts.`,
		Example: "  gradine git merge %O %A %B %P",
		Args:    cobra.ExactArgs(4),
		RunE: func(_ *cobra.Command, args []string) error {
			var sides [3][]byte
			for i := range sides {
				data, err := project.ReadText(args[i])
				if err != nil {
					return modelError{err}
				}
				sides[i] = data
			}
			out, err := project.Merge(args[3], sides[0], sides[1], sides[2])
			if err != nil {
				fmt.Fprintf(r.err, "gradine: %s; merged line by line\n", err)
				return r.mergeLines(args, sides)
			}
			for _, names := range out.Followed {
				fmt.Fprintf(r.err, "gradine: %s: one side renamed an identifier; changes of the other side now use %s\n", args[3], names)
			}
			for _, c := range out.Conflicts {
				fmt.Fprintf(r.err, "gradine: %s: both sides changed %s\n", args[3], c)
				r.fail(exitNo)
			}
			for _, e := range out.Together {
				fmt.Fprintf(r.err, "gradine: %s: neither side has this error, but the merged text has: %s\n", args[3], e)
				r.fail(exitNo)
			}
			if len(out.Conflicts)+len(out.Together) == 0 && project.IsModel(args[3]) {
				r.lostTogether(args[3], sides[1], sides[2], out.Text)
			}
			return replaceFile(args[1], out.Text)
		},
	}
}

// lostTogether names what two sides lose only together, each of which is a conflict. So is
// a comparison that cannot be made: a merge passes because nothing is lost, never because
// nothing was searched.
func (r *run) lostTogether(name string, ours, theirs, joined []byte) {
	if bytes.Equal(joined, ours) || bytes.Equal(joined, theirs) {
		return
	}
	opts, err := flags.Prove{}.Options()
	opts.Faulted = func(why string) { r.fault("what is compared", why) }
	var found project.Together
	if err == nil {
		found, err = project.LostTogether(r.ctx, r.path(name), ours, theirs, joined, opts)
	}
	for _, what := range found.Lost {
		fmt.Fprintf(r.err, "gradine: %s: the merged model has a problem that neither side has: %s\n", name, what)
		r.fail(exitNo)
	}
	if found.Unclear > 0 {
		// Files that the merge has still to change make such errors, so that this is no conflict.
		fmt.Fprintf(r.err, "gradine: %s: %s below errors not compared; run `gradine verify` when the merge is complete\n", name, report.Count(found.Unclear, "obligation"))
	}
	if err != nil {
		fmt.Fprintf(r.err, "gradine: %s: cannot compare the proofs of the merged text with those of both sides: %s; correct this and merge again, or run `gradine verify` and `git add` the file\n", name, err)
		r.fail(exitNoVerdict)
	}
}

// mergeLines lets git merge a file by line, where it cannot be merged by element. The
// result is compared with both sides, as any other.
func (r *run) mergeLines(args []string, sides [3][]byte) error {
	err := exec.CommandContext(r.ctx, "git", "merge-file", "-L", "ours", "-L", "base", "-L", "theirs", args[1], args[0], args[2]).Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 && exit.ExitCode() < 128 {
		r.fail(exitNo)
		return nil
	}
	if err != nil {
		return modelErrorf("git merge-file: %w", err)
	}
	if !project.IsModel(args[3]) {
		return nil
	}
	joined, err := project.ReadText(args[1])
	if err != nil {
		return modelError{err}
	}
	r.lostTogether(args[3], sides[1], sides[2], joined)
	return nil
}

func (r *run) gitTextCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "text FILE",
		Short: "Print a Rodin file as text (diff driver of Git)",
		Long: `Prints a Rodin context or machine as a text model. Other files are printed unchanged. Git runs this command
for git diff after gradine git install.`,
		Example: "  gradine git text m0.bum",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := project.ReadText(r.path(args[0]))
			if err != nil {
				return modelError{err}
			}
			var problems diag.List
			file := rodin.ParseRenamed(args[0], data, &problems)
			if file == nil {
				_, err = r.out.Write(data) // Git shows what it is
				return err
			}
			_, err = r.out.Write(lang.Format(file, lang.Options{}))
			return err
		},
	}
}
