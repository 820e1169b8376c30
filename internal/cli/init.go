package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gradine/gradine"
	"github.com/gradine/gradine/contexts"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/machines"
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
			files := map[string][]byte{}
			if host != "" {
				job, ok := jobs[host]
				if !ok {
					return usagef("--ci %s: it must be one of %s", host, strings.Join(slices.Sorted(maps.Keys(jobs)), ", "))
				}
				files[job.file] = []byte(strings.ReplaceAll(job.text, "@VERSION", "@"+pinned()))
			}
			if agent {
				files["AGENTS.md"] = []byte(gradine.Agents)
			}
			switch {
			case (host != "" || agent) && !gpu && r.hasProject(dir):
				// The models that are here are what the job and the page are about.
			case gpu:
				files["gradine.toml"] = []byte(gradine.Config)
				if err := errors.Join(collect(files, "contexts", contexts.FS), collect(files, "machines", machines.FS)); err != nil {
					return err
				}
			default:
				files["gradine.toml"] = []byte(starterConfig)
				files["models/counter.eventb"] = []byte(gradine.Starter)
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

// pinned is the version that a job runs: this one, a release or a commit, so that
// an upgrade is a commit of its own; the latest if this one was built from neither.
func pinned() string {
	if v := version(); strings.HasPrefix(v, "v") && !strings.Contains(v, "+") {
		return v
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "latest"
	}
	revision, modified := "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if revision == "" || modified {
		return "latest"
	}
	return revision
}

// hasProject reports whether there is something in dir to verify: a gradine.toml,
// or models in it or below.
func (r *run) hasProject(dir string) bool {
	if dir == "" {
		dir = "."
	}
	found := false
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is no model
		case entry.IsDir() && name != dir && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && (entry.Name() == config.Name || project.IsModel(entry.Name())):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// collect adds the files of fsys to files, below dir.
func collect(files map[string][]byte, dir string, fsys embed.FS) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[dir+"/"+name], err = fsys.ReadFile(name)
		return err
	})
}

// writeNew writes files below dir, or nothing if one of them exists.
func (r *run) writeNew(dir string, files map[string][]byte) error {
	for name := range files {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return modelErrorf("%s exists; init overwrites nothing", filepath.Join(dir, name))
		}
	}
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return modelError{err}
		}
		if err := replaceFile(file, data); err != nil {
			return modelError{err}
		}
	}
	next := "gradine verify"
	if dir != "" && dir != "." {
		next = "gradine -C " + dir + " verify"
	}
	fmt.Fprintf(r.out, "%s written; now try: %s\n", report.Count(len(files), "file"), next)
	return nil
}

const starterConfig = `# What gradine verify looks at.
[project.counter]
sources = ["models"]

# Some event is always enabled.
[machine.bounded]
deadlock_free = true
`
