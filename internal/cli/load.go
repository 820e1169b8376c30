package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/prover"
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

// projects finds, reads and checks what the arguments name: a first argument that
// is an existing path is the project, otherwise the nearest gradine.toml, or the
// directory itself. The other arguments select elements.
func (r *run) projects(args []string) (projects []*project, selectors []string, err error) {
	at := r.dir
	if at == "" {
		at = "."
	}
	if len(args) > 0 {
		if _, err := os.Stat(r.path(args[0])); err == nil {
			at, args = r.path(args[0]), args[1:]
		} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
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
		} else if len(p.dev.Contexts)+len(p.dev.Machines) == 0 {
			return nil, nil, modelErrorf("%s: there is no context and no machine in it", p.name)
		}
	}
	return projects, args, configured(projects)
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
	if errors.Is(err, rodin.ErrEmpty) {
		return nil, modelErrorf("%s: no Event-B component in it, neither text (.eventb) nor of Rodin (.buc, .bum)%s", at, elsewhere(at))
	}
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

// elsewhere says what to do about a folder without models.
func elsewhere(dir string) string {
	const most = 3 // folders that are named, and levels that are searched
	var found []string
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(found) == most || strings.Count(name, "/") > most || name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() && hasModels(filepath.Join(dir, name)):
			found = append(found, filepath.Join(dir, name))
			return fs.SkipDir
		}
		return nil
	})
	if len(found) > 0 {
		return "; there are some in " + strings.Join(found, ", ")
	}
	return "; `gradine init` writes a first model"
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

// configured wants what gradine.toml says of machines to be about machines and
// events that there are, as far as that can be known.
func configured(projects []*project) error {
	c := projects[0].config
	if c == nil || slices.ContainsFunc(projects, func(p *project) bool { return p.problems.HasErrors() }) {
		return nil
	}
	file := filepath.Join(c.Dir, config.Name)
	for _, name := range slices.Sorted(maps.Keys(c.Machine)) {
		var named []*model.Machine
		for _, p := range projects {
			if m := p.dev.Machine(name); m != nil {
				named = append(named, m)
			}
		}
		if len(named) == 0 {
			return modelErrorf("%s: machine.%s: no project has a machine %s; correct the name, or remove the entry", file, name, name)
		}
		for _, event := range c.Machine[name].Environment {
			if !slices.ContainsFunc(named, func(m *model.Machine) bool { return m.Event(event) != nil }) {
				return modelErrorf("%s: machine.%s.environment: machine %s has no event %s", file, name, name, event)
			}
		}
	}
	return nil
}

// budget is how many steps a search may take unless a flag says otherwise.
func (p *project) budget() int64 {
	if p.config != nil && p.config.Project[p.name].Steps > 0 {
		return p.config.Project[p.name].Steps
	}
	return prover.DefaultSteps
}

// certificates is the path of the proofs.certs beside the lock.
func (p *project) certificates() string {
	return strings.TrimSuffix(p.lock, discharge.LockName) + discharge.CertificatesName
}

// readLock reads what is committed of the proofs of p: both are nil if there is
// nothing. To be written again, files that conflicts of merges have spoilt are read as
// far as they can be.
func (p *project) readLock(spoilt bool) (*discharge.Lock, *discharge.Certificates, error) {
	if p.lock == "" {
		return nil, nil, nil
	}
	var lock *discharge.Lock
	var certificates *discharge.Certificates
	read := func(name string, decode func([]byte) error) error {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return modelError{err}
		}
		if err := decode(data); err != nil && !spoilt {
			return modelErrorf("%s: %w", name, err)
		}
		return nil
	}
	err := read(p.lock, func(data []byte) (err error) {
		lock, err = discharge.DecodeLock(data)
		return err
	})
	if err == nil {
		err = read(p.certificates(), func(data []byte) (err error) {
			certificates, err = discharge.DecodeCertificates(data)
			return err
		})
	}
	return lock, certificates, err
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

func isRodin(name string) bool { return path.Ext(name) == ".buc" || path.Ext(name) == ".bum" }

// modelFiles lists the models in a folder itself, in the order of the kinds.
func modelFiles(fsys fs.FS, dir string, kinds ...func(name string) bool) (names []string, err error) {
	entries, err := fs.ReadDir(fsys, dir)
	for _, kind := range kinds {
		for _, e := range entries {
			if !e.IsDir() && kind(e.Name()) {
				names = append(names, path.Join(dir, e.Name()))
			}
		}
	}
	return names, err
}

func hasText(dir string) bool {
	names, _ := modelFiles(os.DirFS(dir), ".", isText)
	return slices.ContainsFunc(names, func(name string) bool {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return true // the reader says why
		}
		defer f.Close()
		head := make([]byte, 256)
		n, _ := f.Read(head)
		return !rodin.IsPackage(head[:n])
	})
}

// hasModels reports whether dir holds text models, or Rodin components that may
// be one folder further down.
func hasModels(dir string) bool {
	fsys := os.DirFS(dir)
	if names, _ := modelFiles(fsys, ".", isText, isRodin); len(names) > 0 {
		return true
	}
	entries, _ := fs.ReadDir(fsys, ".")
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		names, _ := modelFiles(fsys, e.Name(), isRodin)
		return len(names) > 0
	})
}

// read adds the models of one source, a text file or a folder of them, or
// anything that Rodin's reader takes. In a folder with both, as CamilleX makes
// them, the text of a component is taken, and Rodin's file where it has none.
func (p *project) read(source string) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	names := []string{source}
	switch {
	case info.IsDir() && hasText(source):
		if names, err = modelFiles(os.DirFS(source), ".", isText, isRodin); err != nil {
			return err
		}
		for i := range names {
			names[i] = filepath.Join(source, names[i])
		}
		for _, d := range rodin.Foreign(os.DirFS(source), ".", filepath.ToSlash(source)) {
			p.problems.Add(d)
		}
	case !isText(source):
		return p.readRodin(source)
	}
	for _, f := range names {
		data, err := readLimited(f)
		if err != nil {
			return err
		}
		p.add(filepath.ToSlash(f), data)
	}
	return nil
}

// add adds a model file. A component of Rodin that p has the text of is passed
// over, as is a package of ProB.
func (p *project) add(name string, data []byte) {
	if isText(name) {
		if !rodin.IsPackage(data) {
			p.sources[name] = data
			p.files = append(p.files, lang.Parse(name, data, &p.problems))
		}
		return
	}
	kind := lang.ContextKind
	if path.Ext(name) == ".bum" {
		kind = lang.MachineKind
	}
	component := nameOf(name)
	if !slices.ContainsFunc(p.files, func(f *lang.File) bool {
		return slices.ContainsFunc(f.Components, func(c *lang.Component) bool { return c.Kind == kind && c.Name.Text == component })
	}) {
		if f := rodin.Parse(name, data, &p.problems); f != nil {
			p.files = append(p.files, f)
		}
	}
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
