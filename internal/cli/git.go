package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review/merge"
	"github.com/spf13/cobra"
)

func (r *run) gitCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "git",
		Short:   "Teach Git to merge models by element and to show Rodin's files as text",
		Args:    cobra.NoArgs,
		Example: "  gradine git install",
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(r.gitInstallCommand(), r.gitMergeCommand(), r.gitTextCommand())
	return c
}

// attributes are the lines of .gitattributes that gradine git install writes.
var attributes = []string{
	"*.eventb merge=gradine",
	"proofs.lock merge=gradine",
	"*.proofs.lock merge=gradine",
	"proofs.certs merge=gradine",
	"*.proofs.certs merge=gradine",
	"*.buc diff=gradine",
	"*.bum diff=gradine",
}

// settingsOfGit are what gradine git install configures in a clone.
var settingsOfGit = [][2]string{
	{"merge.gradine.name", "gradine: models by element, locks by line"},
	{"merge.gradine.driver", "gradine git merge %O %A %B %P"},
	{"diff.gradine.textconv", "gradine git text"},
	{"diff.gradine.cachetextconv", "true"},
}

// hook is what runs before a commit, and before the commit of a merge.
const hook = `#!/bin/sh
# Written by gradine git install: no commit makes a proof worse, against none of the
# revisions that it joins. Git names those of a merge in its environment or its folder.
for revision in HEAD $(env | sed -n 's/^GITHEAD_\([0-9a-f]*\)=.*/\1/p') $(git rev-parse -q --verify MERGE_HEAD); do
	gradine review "$revision" --fail-on refuted,lost-proof || exit
done
`

func (r *run) gitInstallCommand() *cobra.Command {
	var hooks bool
	command := &cobra.Command{
		Use:   "install",
		Short: "Write .gitattributes, and configure this clone",
		Long: `Adds lines to .gitattributes, which everybody shares who commits it, and configures this clone to
run gradine: to merge *.eventb by element and proofs.lock by itself, and to show what changed in
Rodin's files as text. With --hooks, a review runs before each commit. Every clone needs it once.`,
		Example: "  gradine git install --hooks",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return r.gitInstall(hooks) },
	}
	command.Flags().BoolVar(&hooks, "hooks", false, "review the working tree before each commit")
	return command
}

// git runs a git command in the project's folder and returns what it prints.
func (r *run) git(args ...string) (string, error) {
	c := exec.CommandContext(r.ctx, "git", args...)
	c.Dir = r.dir
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", modelErrorf("git %s: %s", args[0], bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return "", modelErrorf("git is needed for this: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func (r *run) gitInstall(hooks bool) error {
	top, err := r.git("rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if err := addLines(filepath.Join(top, ".gitattributes"), attributes); err != nil {
		return modelError{err}
	}
	for _, kv := range settingsOfGit {
		if _, err := r.git("config", "--local", kv[0], kv[1]); err != nil {
			return err
		}
	}
	fmt.Fprintln(r.out, "Git merges models by element here and shows Rodin's files as text; commit .gitattributes")
	if !hooks {
		return nil
	}
	for _, name := range []string{"pre-commit", "pre-merge-commit"} {
		file, err := r.git("rev-parse", "--git-path", "hooks/"+name)
		if err != nil {
			return err
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(r.dir, file)
		}
		// A hook of somebody else stays: only who wrote it knows how to join the two.
		if old, err := os.ReadFile(file); err == nil && string(old) != hook {
			return modelErrorf("%s exists; add this line to it: gradine review HEAD --fail-on refuted,lost-proof", file)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return modelError{err}
		}
		if err := os.WriteFile(file, []byte(hook), 0o755); err != nil {
			return modelError{err}
		}
	}
	fmt.Fprintln(r.out, "a review runs before each commit; git commit --no-verify passes it over")
	return nil
}

// addLines appends the lines that a file lacks.
func addLines(file string, lines []string) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := string(old)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	has := strings.Split(text, "\n")
	for _, l := range lines {
		if !slices.Contains(has, l) {
			text += l + "\n"
		}
	}
	if text == string(old) {
		return nil
	}
	return replaceFile(file, []byte(text))
}

func (r *run) gitMergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge BASE OURS THEIRS PATH",
		Short: "Merge one file, as Git asks a merge driver to",
		Long: `Joins OURS and THEIRS, which both began from BASE, and writes the result to OURS. A model is merged
by element: what one side changed is taken, and what both changed differently stands between
conflict markers. An error that only both changes together make is a conflict, too, and so is an
obligation that each side by itself proves, or does not have, and both together leave unproved. In
a lock every line is kept that no side removed. A model with errors is merged by line, as git
merge-file does. Exits with 1 if there are conflicts.`,
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
			out, err := r.merge(args[3], sides[0], sides[1], sides[2])
			if err != nil {
				fmt.Fprintf(r.err, "gradine: %s; merged line by line\n", err)
				return r.mergeLines(args)
			}
			for _, c := range out.Conflicts {
				fmt.Fprintf(r.err, "gradine: %s: both sides changed %s\n", args[3], c)
				r.fail(exitNo)
			}
			for _, e := range out.Together {
				fmt.Fprintf(r.err, "gradine: %s: each side by itself is without this error, but together: %s\n", args[3], e)
				r.fail(exitNo)
			}
			if len(out.Conflicts)+len(out.Together) == 0 && project.IsText(args[3]) {
				r.lostTogether(args[3], sides[1], sides[2], out.Text)
			}
			return replaceFile(args[1], out.Text)
		},
	}
}

// lostTogether names what two sides lose only together, each of which is a conflict.
func (r *run) lostTogether(name string, ours, theirs, joined []byte) {
	if bytes.Equal(joined, ours) || bytes.Equal(joined, theirs) {
		return
	}
	opts, err := proveFlags{}.options()
	var lost []string
	if err == nil {
		lost, err = project.LostTogether(r.ctx, r.path(name), ours, theirs, joined, opts)
	}
	for _, what := range lost {
		fmt.Fprintf(r.err, "gradine: %s: neither side by itself loses this, but together %s\n", name, what)
		r.fail(exitNo)
	}
	if err != nil {
		fmt.Fprintf(r.err, "gradine: %s: merged, and nobody looked whether proofs are lost: %s\n", name, err)
	}
}

func (r *run) merge(name string, base, ours, theirs []byte) (merge.Result, error) {
	if strings.HasSuffix(name, "proofs.lock") || strings.HasSuffix(name, "proofs.certs") {
		return merge.Result{Text: merge.Lock(base, ours, theirs)}, nil
	}
	return merge.Text(name, base, ours, theirs)
}

// mergeLines lets git merge a file by line, where it cannot be merged by element.
func (r *run) mergeLines(args []string) error {
	err := exec.CommandContext(r.ctx, "git", "merge-file", "-L", "ours", "-L", "base", "-L", "theirs", args[1], args[0], args[2]).Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 && exit.ExitCode() < 128 {
		r.fail(exitNo)
		return nil
	}
	if err != nil {
		return modelErrorf("git merge-file: %w", err)
	}
	return nil
}

func (r *run) gitTextCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "text FILE",
		Short: "Print one of Rodin's files as text, as Git asks a diff driver to",
		Long: `Prints a context or a machine of Rodin as a text model. A file that is none is printed as it is.
Git runs this for git diff, once git install has configured it.`,
		Example: "  gradine git text m0.bum",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := project.ReadText(r.path(args[0]))
			if err != nil {
				return modelError{err}
			}
			var problems diag.List
			file := rodinFile(args[0], data, &problems)
			if file == nil {
				_, err = r.out.Write(data) // Git shows what it is
				return err
			}
			_, err = r.out.Write(lang.Format(file, lang.Options{}))
			return err
		},
	}
}

// rodinFile reads one of Rodin's files. Git hands over a temporary file whose name
// ends like that of the file it shows; its kind stands in the text as well.
func rodinFile(name string, data []byte, problems *diag.List) *lang.File {
	ext := ".buc"
	if bytes.Contains(data, []byte("org.eventb.core.machineFile")) {
		ext = ".bum"
	}
	name = strings.TrimSuffix(path.Base(filepath.ToSlash(name)), path.Ext(name)) + ext
	return rodin.Parse(name, data, problems)
}
