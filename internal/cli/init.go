package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine"
	"github.com/gradine/gradine/contexts"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/machines"
	"github.com/spf13/cobra"
)

func (r *run) initCommand() *cobra.Command {
	var gpu, ci bool
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Begin a project",
		Long: `Writes a small project that verifies into DIR (here, if none is given). With --gpu, writes the
GPU development instead. With --ci, also writes a job for continuous integration. Nothing that
exists is overwritten.`,
		Example: "  gradine init counter && gradine -C counter verify",
		Args:    oneAtMost("a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := r.dir
			if len(args) == 1 {
				dir = r.path(args[0])
			}
			files := map[string][]byte{}
			if gpu {
				files["gradine.toml"] = []byte(gradine.Config)
				if err := errors.Join(collect(files, "contexts", contexts.FS), collect(files, "machines", machines.FS)); err != nil {
					return err
				}
			} else {
				files["gradine.toml"] = []byte(starterConfig)
				files["models/counter.eventb"] = []byte(starterModel)
			}
			if ci {
				files[".github/workflows/verify.yml"] = []byte(strings.ReplaceAll(starterJob, "@VERSION", "@"+pinned()))
			}
			return r.writeNew(dir, files)
		},
	}
	c.Flags().BoolVar(&gpu, "gpu", false, "write out the GPU development")
	c.Flags().BoolVar(&ci, "ci", false, "write a job for continuous integration")
	return c
}

// pinned is the version that a job runs: this one, so that an upgrade is a
// commit of its own; the latest if this one was not built from a release.
func pinned() string {
	if v := version(); strings.HasPrefix(v, "v") && !strings.Contains(v, "+") {
		return v
	}
	return "latest"
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

const starterModel = `context limits
constants most
axioms
    @most most ∈ ℕ1
end

// A counter that may go up and down.
machine counter
variables n
invariants
    @type n ∈ ℕ
events
    event INITIALISATION
        then
            @n n ≔ 0
    end

    event up
        then
            @n n ≔ n + 1
    end

    event down
        where
            @positive n > 0
        then
            @n n ≔ n − 1
    end
end

// The same counter, which never passes a limit.
machine bounded
refines counter
sees limits
variables n
invariants
    @limit n ≤ most
events
    event INITIALISATION extends INITIALISATION
    end

    event up extends up
        where
            @below n < most
    end

    event down extends down
    end
end
`

const starterJob = `name: verify
on: [push, pull_request]
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-go@v5
        with:
          go-version: stable
      - uses: actions/cache@v4
        with:
          path: ~/.cache/gradine
          key: proofs-${{ github.sha }}
          restore-keys: proofs-
      - run: go run github.com/gradine/gradine/cmd/gradine@VERSION verify
      - if: github.event_name == 'pull_request'
        run: go run github.com/gradine/gradine/cmd/gradine@VERSION review --format github --fail-on lost-proof,refuted origin/${{ github.base_ref }}...HEAD
`
