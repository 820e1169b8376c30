package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/internal/scaffold"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/project"
)

// tuneKernel finds the best launch of a kernel from its source.
func (r *run) tuneKernel(name string, f flags.Tune) error {
	file := r.path(name)
	if _, err := os.Stat(file); err != nil {
		return flags.Usagef("%s: no such file", name)
	}
	table := strings.TrimSuffix(name, filepath.Ext(name)) + ".toml"
	if f.Table != "" {
		table = f.Table
	}
	source := project.KernelSource{File: file, Table: r.path(table), Device: f.Device, Clang: f.Clang}
	if opts, err := f.Prove.Options(); err == nil {
		source.Counts = project.CountStore{Store: opts.Store, Program: worker.Program()}
	}
	counted, err := source.Count(r.ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return flags.Usagef("%s: no such file: it says which parameters %s has; --table names another one", table, name)
	case errors.Is(err, clang.ErrNone):
		return modelErrorf("%s: %w", name, err)
	case err != nil:
		return modelError{err}
	}
	dir := f.Write
	if dir != "" {
		dir = r.path(dir)
	} else {
		if dir, err = os.MkdirTemp("", "gradine-tune-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	// The counts become a context in a folder of its own, and from here on the kernel is tuned like any other project. With
	// --write the folder is the user's.
	if err := scaffold.Files(counted.Text()).Write(dir); err != nil {
		return err
	}
	opener := project.Opener{Context: r.ctx}
	projects, err := opener.Open(dir)
	if err != nil {
		return modelError{err}
	}
	if p := projects[0]; p.Problems.HasErrors() {
		return fmt.Errorf("the context that was written is not accepted: %v", p.Problems)
	}
	if err := chosen(f.Instance, projects[0].Config.Tune[counted[0].Name], table); err != nil {
		return err
	}
	if f.Run.On {
		return r.runKernel(name, source, counted, projects, f)
	}
	r.counted = counted
	if err := r.tuneNamed(projects, []string{counted[0].Name}, f); err != nil {
		return err
	}
	if r.format != "jsonl" {
		figures.Counted(r.out, r.style(), counted)
	}
	return nil
}

// chosen is an error about an instance that a kernel does not have: its values come from the table.
func chosen(asked string, conf config.Tune, table string) error {
	all, err := project.Instances(conf)
	if asked == "" || err != nil {
		return err
	}
	asked, _, _ = strings.Cut(asked, ",")
	var names []string
	for _, in := range all {
		if in.Name == asked {
			return nil
		}
		names = append(names, strconv.Quote(in.Name))
	}
	return flags.Usagef("--instance %s: the instances of a kernel are those of its table, %s; in %s, arguments and problem_size state sizes, device and [figures] the device", asked, strings.Join(names, ", "), table)
}
