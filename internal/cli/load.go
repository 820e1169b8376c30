package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
)

// project is one project as far as it was understood.
type project struct {
	name     string
	config   *config.Config // nil for a bare directory, file or archive
	files    []*lang.File
	sources  map[string][]byte // text of the files shown in messages
	problems diag.List
	dev      *model.Development
	results  []discharge.Result      // once all of it has been proved, as far as it can be
	recorded map[string]rodin.Status // what Rodin recorded of the components
	lock     string                  // path of its proofs.lock; "" if there is no place for one
}

// projects finds, reads and checks what the arguments name: a lone argument
// that is an existing path is the project; otherwise arguments select elements
// of the projects of the nearest gradine.toml, or of the directory itself.
func (r *run) projects(args []string) (projects []*project, selectors []string, err error) {
	at := r.dir
	if at == "" {
		at = "."
	}
	if len(args) == 1 {
		if _, err := os.Stat(filepath.Join(r.dir, args[0])); err == nil {
			at, args = filepath.Join(r.dir, args[0]), nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, modelErrorf("%w", err)
		} else if looksLikePath(args[0]) {
			return nil, nil, modelErrorf("%s: no such file or directory", args[0])
		}
	}
	projects, err = r.open(at)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range projects {
		p.dev = check.Development(p.name, p.files, &p.problems)
		if p.problems.HasErrors() {
			r.fail(exitModel)
		}
	}
	return projects, args, nil
}

// looksLikePath tells a mistyped path from a selector such as m/evt/inv1/INV.
func looksLikePath(arg string) bool {
	switch strings.ToLower(filepath.Ext(arg)) {
	case ".eventb", ".zip", ".buc", ".bum", ".bucx", ".bumx", ".toml":
		return true
	}
	return strings.HasPrefix(arg, ".") || filepath.IsAbs(arg) || strings.HasSuffix(arg, "/")
}

func (r *run) open(at string) ([]*project, error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, modelErrorf("%w", err)
	}
	if file := filepath.Join(at, config.Name); info.IsDir() {
		if _, err := os.Stat(file); err == nil {
			return openConfig(file)
		}
		if !hasModels(at) {
			if file := config.Find(at); file != "" {
				return openConfig(file)
			}
		}
	} else if filepath.Base(at) == config.Name {
		return openConfig(at)
	}
	if info.IsDir() && hasText(at) || isText(at) {
		p := newProject(nameOf(at), nil)
		if info.IsDir() {
			p.lock = filepath.Join(at, discharge.LockName)
		}
		return []*project{p}, p.read(at)
	}
	var problems diag.List
	found, err := rodin.Read(at, &problems)
	if err != nil {
		return nil, modelErrorf("%w", err)
	}
	var out []*project
	for _, f := range found {
		p := newProject(f.Name, nil)
		p.files, p.recorded = f.Files, f.Recorded
		if info.IsDir() {
			p.lock = filepath.Join(f.Dir, discharge.LockName)
		}
		out = append(out, p)
	}
	out[0].problems.Append(&problems)
	return out, nil
}

func openConfig(file string) ([]*project, error) {
	c, err := config.Read(file)
	if err != nil {
		return nil, modelError{err}
	}
	var out []*project
	for _, name := range slices.Sorted(maps.Keys(c.Project)) {
		p := newProject(name, c)
		p.lock = filepath.Join(c.Dir, name+"."+discharge.LockName)
		for _, s := range c.Project[name].Sources {
			if err := p.read(filepath.Join(c.Dir, s)); err != nil {
				return nil, modelErrorf("%s: project %s: %w", file, name, err)
			}
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, modelErrorf("%s names no project; add [project.NAME] with sources = [\"folder\"]", file)
	}
	return out, nil
}

func newProject(name string, c *config.Config) *project {
	return &project{name: name, config: c, sources: map[string][]byte{}}
}

func nameOf(at string) string {
	if abs, err := filepath.Abs(at); err == nil {
		at = abs
	}
	base := filepath.Base(at)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

func isText(name string) bool {
	switch filepath.Ext(name) {
	case ".eventb", ".bucx", ".bumx":
		return true
	}
	return false
}

// textFiles lists the text models in directory dir, sorted.
func textFiles(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() && isText(e.Name()) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

func hasText(dir string) bool { return len(textFiles(dir)) > 0 }

// hasModels reports whether dir itself holds text models or Rodin components.
func hasModels(dir string) bool {
	if hasText(dir) {
		return true
	}
	for _, pattern := range []string{"*.buc", "*.bum", "*/*.buc", "*/*.bum"} {
		if found, err := filepath.Glob(filepath.Join(dir, pattern)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// read adds the models of one source, a text file or a folder of them, or
// anything that Rodin's reader takes.
func (p *project) read(source string) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	files := []string{source}
	if info.IsDir() {
		if files = textFiles(source); len(files) == 0 {
			return p.readRodin(source)
		}
	} else if !isText(source) {
		return p.readRodin(source)
	}
	for _, f := range files {
		data, err := readLimited(f)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(f)
		p.sources[name] = data
		p.files = append(p.files, lang.Parse(name, data, &p.problems))
	}
	return nil
}

func (p *project) readRodin(source string) error {
	found, err := rodin.Read(source, &p.problems)
	if err != nil {
		return err
	}
	for _, f := range found {
		p.files = append(p.files, f.Files...)
	}
	return nil
}

// maxSource is the size of the largest text file that is read.
const maxSource = 64 << 20

func readLimited(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSource {
		return nil, fmt.Errorf("%s: larger than %d MB", name, maxSource>>20)
	}
	return os.ReadFile(name)
}
