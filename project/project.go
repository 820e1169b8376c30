// Package project opens projects. It reads models, gradine.toml, committed proofs, scopes and
// instances of machines, and tuning entries. It is the entry point of the toolkit: the command
// line and other programs open a project, and ask it for obligations, verdicts, statuses and
// instances.
package project

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/lang/scenario"
)

// Project is one project as far as it was understood.
type Project struct {
	Name      string
	Config    *config.Config // the gradine.toml that names it; nil for a bare folder, file or archive
	Files     []*lang.File
	Hints     []*hints.File
	Scenarios []*scenario.File
	Kernels   []*encode.Model // that Files have the machines of
	Dev       *model.Development
	Problems  diag.List               // of the files and of the model
	Recorded  map[string]rodin.Status // what Rodin recorded of the components
	Lock      string                  // path of its proofs.lock; "" if there is no place for one
	Results   []verdict.Result        // of all its obligations, once somebody has asked for all

	kernels []textFile        // whose machines belong to Files, see readKernels
	planned *plans            // what Hints say of the obligations; nil before anybody has asked
	sources map[string][]byte // text of the files shown in messages
	part    map[string]bool   // the text models that are read, by path; nil for all
	opener  *Opener           // of the texts above the files; never nil
}

// Read finds and reads the projects at a path, and checks nothing.
func Read(at string) ([]*Project, error) { return new(Opener).read(at) }

// missingSource says that a source of a project does not exist, and what to do.
func missingSource(project, source string) string {
	return fmt.Sprintf("project.%s.sources: %s does not exist; fix the path, or remove it", project, source)
}

func nothingIn(at string) string {
	return at + ": no Event-B component in it, neither text (.eventb) nor of Rodin (.buc, .bum)"
}

// Open reads and checks the projects at a path: those of the nearest gradine.toml, or
// the one that a folder, a file of text, a project of Rodin or an archive of it is.
// Errors of the models are not errors of Open: they are the Problems of the projects.
func Open(at string) ([]*Project, error) { return new(Opener).Open(at) }

// Open is Open, above whose files the texts of x stand.
func (x *Opener) Open(at string) ([]*Project, error) {
	projects, err := x.read(at)
	if err != nil {
		return nil, err
	}
	for i, opened := range projects {
		if err := opened.check(); err != nil {
			return nil, err
		}
		// What is wrong with a part may be that it is one.
		if opened.part != nil && opened.Problems.HasErrors() {
			if projects[i], err = x.ofConfig(opened.Name, opened.Config, nil); err != nil {
				return nil, err
			}
			if err := projects[i].check(); err != nil {
				return nil, err
			}
		}
	}
	return projects, configured(projects)
}

// check makes the development of what was read, and reports what is wrong with it.
func (p *Project) check() error {
	if err := p.readKernels(p.opener.context(), p.opener.Store); err != nil {
		return err
	}
	p.Dev = p.opener.remembered(p.Name).model.Development(p.Name, p.Files, &p.Problems)
	p.checkScenarios()
	p.checkPictures()
	if err := p.checkHints(); err != nil {
		return err
	}
	if len(p.Dev.Contexts)+len(p.Dev.Machines) == 0 && !p.Problems.HasErrors() {
		return fmt.Errorf("%s: contains no context or machine", p.Name)
	}
	return nil
}

// read finds and reads the projects at a path.
func (x *Opener) read(at string) ([]*Project, error) {
	isDir, err := x.stat(at)
	if err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	// A folder with models of its own is meant itself, not the project that it may lie
	// in: that has a gradine.toml to be named by.
	if file := filepath.Join(at, config.Name); isDir {
		if _, err := os.Stat(file); err == nil {
			return x.openConfig(file)
		}
		// A folder deep inside a project stands for the whole of it, unless it holds
		// models of its own.
		if !hasModels(at) && !x.hasText(at) {
			if file := config.Find(at); file != "" {
				return x.openConfig(file)
			}
		}
	} else if filepath.Base(at) == config.Name {
		return x.openConfig(at)
	}
	if isDir && x.hasText(at) || IsText(at) || IsKernel(at) {
		opened := x.project(NameOf(at), nil)
		if isDir {
			opened.Lock = filepath.Join(at, proofstore.LockName)
		}
		return []*Project{opened}, opened.read(at)
	}
	var problems diag.List
	found, err := rodin.Read(at, &problems)
	if errors.Is(err, rodin.ErrEmpty) {
		return nil, fmt.Errorf("%s%s", nothingIn(at), elsewhere(at))
	}
	if err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	var out []*Project
	for _, f := range found {
		opened := x.project(f.Name, nil)
		opened.Files, opened.Recorded = f.Files, f.Recorded
		if isDir {
			opened.Lock = filepath.Join(f.Dir, proofstore.LockName)
		}
		out = append(out, opened)
	}
	out[0].Problems.Append(&problems)
	return out, nil
}

// openConfig opens the projects of a gradine.toml, or those that are wanted.
func (x *Opener) openConfig(file string) ([]*Project, error) {
	c, err := x.config(file)
	if err != nil {
		return nil, err
	}
	var wanted []Target
	if x.Wanted != nil {
		wanted = x.Wanted(c)
	}
	var out []*Project
	for _, name := range slices.Sorted(maps.Keys(c.Project)) {
		var machines []string
		for _, target := range wanted {
			if target.Project == name {
				machines = append(machines, target.Machine)
			}
		}
		if len(wanted) > 0 && len(machines) == 0 {
			continue
		}
		opened, err := x.ofConfig(name, c, machines)
		if err != nil {
			return nil, err
		}
		out = append(out, opened)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s names no project; add [project.NAME] with sources = [\"folder\"]", file)
	}
	return out, nil
}

// ofConfig reads a project of gradine.toml: what some machines build on, or without any all of it.
func (x *Opener) ofConfig(name string, c *config.Config, machines []string) (*Project, error) {
	opened := x.project(name, c)
	opened.Lock = filepath.Join(c.Dir, name+"."+proofstore.LockName)
	if len(machines) > 0 {
		opened.part = opened.below(machines)
	}
	for _, s := range c.Project[name].Sources {
		err := opened.read(filepath.Join(c.Dir, s))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %s", filepath.Join(c.Dir, config.Name), missingSource(name, s))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: project %s: %w", filepath.Join(c.Dir, config.Name), name, err)
		}
	}
	return opened, nil
}

func newProject(name string, c *config.Config) *Project {
	return new(Opener).project(name, c)
}

// NameOf is the name of what stands at a path: that of the file without its ending.
func NameOf(at string) string {
	if abs, err := filepath.Abs(at); err == nil {
		at = abs
	}
	base := filepath.Base(at)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// IsText reports whether a file of this name is a model as text, by its ending.
func IsText(name string) bool {
	switch filepath.Ext(name) {
	case ".eventb", ".bucx", ".bumx":
		return true
	}
	return false
}

func isRodin(name string) bool { return path.Ext(name) == ".buc" || path.Ext(name) == ".bum" }

// isHidden reports whether a file or folder is hidden by its name. None of those is a
// source: editors keep locks and copies next to a file, as Emacs does in .#m.eventb.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// modelFiles lists the models in a folder itself, in the order of the kinds, but for
// hidden ones.
func modelFiles(fsys fs.FS, dir string, kinds ...func(name string) bool) (names []string, err error) {
	entries, err := fs.ReadDir(fsys, dir)
	for _, kind := range kinds {
		for _, e := range entries {
			if !kind(e.Name()) || isHidden(e.Name()) {
				continue
			}
			name := path.Join(dir, e.Name())
			switch info, broken := fs.Stat(fsys, name); {
			case broken != nil:
				err = cmp.Or(err, fmt.Errorf("%s cannot be read: a broken link, or missing permission", name))
			case info.Mode().IsRegular():
				names = append(names, name)
			case !info.IsDir(): // to open a pipe waits for who writes to it
				err = cmp.Or(err, fmt.Errorf("%s is neither a file nor a folder", name))
			}
		}
	}
	return names, err
}

func hasText(dir string) bool {
	names, _ := modelFiles(os.DirFS(dir), ".", IsText)
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
	if names, _ := modelFiles(fsys, ".", IsText, isRodin); len(names) > 0 {
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
func (p *Project) read(source string) error {
	isDir, err := p.opener.stat(source)
	if err != nil {
		return err
	}
	if IsHints(source) {
		return p.readHints([]string{source})
	}
	// Hints and scenarios lie next to the models, and belong to them even if only a single file is named.
	if err := p.readHints(p.opener.filesBeside(source, isDir, IsHints, hints.Ext)); err != nil {
		return err
	}
	if IsScenario(source) {
		return p.readScenarios([]string{source})
	}
	if err := p.readScenarios(p.opener.filesBeside(source, isDir, IsScenario, scenario.Ext)); err != nil {
		return err
	}
	names := []string{source}
	switch {
	case isDir && (p.opener.hasText(source) || p.hasKernels(source)):
		if names, err = modelFiles(os.DirFS(source), ".", p.kinds()...); err != nil {
			return err
		}
		for i := range names {
			names[i] = filepath.Join(source, names[i])
		}
		// Editors have files that are not saved yet. They count as if they stood in the folder.
		names = p.opener.withNew(source, names, func(name string) bool {
			return slices.ContainsFunc(p.kinds(), func(kind func(string) bool) bool { return kind(name) })
		})
		for _, problem := range rodin.Foreign(os.DirFS(source), ".", filepath.ToSlash(source)) {
			p.Problems.Add(problem)
		}
		p.leavesOut(source)
	case !IsText(source) && !IsKernel(source):
		return p.readRodin(source)
	}
	var sources []textFile
	for _, name := range names {
		if p.part != nil && !p.part[name] {
			continue
		}
		data, err := p.opener.text(name)
		if err != nil {
			return err
		}
		sources = append(sources, textFile{filepath.ToSlash(name), data})
	}
	// Texts are parsed in parallel and then added in order.
	p.opener.parseAll(slices.DeleteFunc(slices.Clone(sources), func(s textFile) bool { return !IsText(s.name) || rodin.IsPackage(s.text) }))
	for _, s := range sources {
		p.add(s.name, s.text)
	}
	return nil
}

// TextFiles lists the text models, the hints and the scenarios in a folder itself, none if there are only those
// that are packages of other tools.
func TextFiles(dir string) ([]string, error) {
	if !hasText(dir) {
		return nil, nil
	}
	names, err := modelFiles(os.DirFS(dir), ".", IsText, IsHints, IsScenario)
	for i := range names {
		names[i] = filepath.Join(dir, names[i])
	}
	return names, err
}

// TextsAt lists the text models, the hints and the scenarios that a path means: a file, or a folder that
// holds some. A folder without any is an error, for one that is misspelt would pass.
func TextsAt(name string) ([]string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []string{name}, nil
	}
	names, err := TextFiles(name)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s: no text model (.eventb) in it", name)
	}
	return names, err
}

// Texts lists the text models, the hints and the scenarios of projects, each once.
func Texts(projects []*Project) []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, p := range projects {
		for _, file := range p.Files {
			if IsText(file.Path) {
				add(file.Path)
			}
		}
		for _, file := range p.Hints {
			add(file.Path)
		}
		for _, file := range p.Scenarios {
			add(file.Path)
		}
	}
	return out
}

// IsModel reports whether a file of this name is a model, by its ending.
func IsModel(name string) bool { return IsText(name) || isRodin(name) }

// SourceFiles lists what p was read from, in order: models, kernels, hints, gradine.toml.
func (p *Project) SourceFiles() []string {
	names := slices.Collect(maps.Keys(p.sources))
	for _, file := range p.Files {
		names = append(names, file.Path)
	}
	if p.Config != nil {
		names = append(names, filepath.Join(p.Config.Dir, config.Name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Named returns the projects of the given names, or all.
func Named(projects []*Project, names []string) ([]*Project, error) {
	if len(names) == 0 {
		return projects, nil
	}
	var out []*Project
	for _, name := range names {
		i := slices.IndexFunc(projects, func(opened *Project) bool { return opened.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s is neither a path nor a project", name)
		}
		out = append(out, projects[i])
	}
	return out, nil
}

// Stamp describes the state of all source files of projects, and of texts by absolute path that stand above them; it changes
// if one of them does.
func Stamp(projects []*Project, texts map[string][]byte) string {
	var w strings.Builder
	stat := func(name string) {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintf(&w, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	for _, p := range projects {
		for _, name := range p.SourceFiles() {
			if text, ok := textAbove(texts, name); ok {
				fmt.Fprintf(&w, "%s %x %t\n", name, sha256.Sum256(text), saved(name, text))
			} else {
				stat(name)
			}
			stat(filepath.Dir(name)) // files that come and go
		}
		p.pictureStamp(stat)
	}
	return w.String()
}

// Unsaved lists the source files of p whose text, among those above the files, is another than that of the file.
func (p *Project) Unsaved(texts map[string][]byte) (names []string) {
	for _, name := range p.SourceFiles() {
		if text, ok := textAbove(texts, name); ok && !saved(name, text) {
			names = append(names, name)
		}
	}
	return names
}

// textAbove is the text that stands above a file.
func textAbove(texts map[string][]byte, name string) (text []byte, ok bool) {
	if len(texts) == 0 {
		return nil, false
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, false
	}
	text, ok = texts[abs]
	return text, ok
}

// saved reports whether a file has this text.
func saved(name string, text []byte) bool {
	data, err := door.File(name)
	return err == nil && bytes.Equal(data, text)
}

// HasModels reports whether there is something in dir to verify: a gradine.toml, or
// models in it or below.
func HasModels(dir string) bool {
	if dir == "" {
		dir = "."
	}
	found := false
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read holds no model
		case entry.IsDir() && name != dir && isHidden(entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && !isHidden(entry.Name()) && (entry.Name() == config.Name || IsModel(entry.Name())):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// add adds a model file. A component of Rodin that p has the text of is passed
// over, as is a package of ProB.
func (p *Project) add(name string, data []byte) {
	if IsKernel(name) {
		p.sources[name] = data
		p.kernels = append(p.kernels, textFile{name, data})
		return
	}
	if IsText(name) {
		if !rodin.IsPackage(data) {
			p.sources[name] = data
			p.Files = append(p.Files, p.opener.parse(name, data, &p.Problems))
		}
		return
	}
	kind := lang.ContextKind
	if path.Ext(name) == ".bum" {
		kind = lang.MachineKind
	}
	component := NameOf(name)
	if !slices.ContainsFunc(p.Files, func(file *lang.File) bool {
		return slices.ContainsFunc(file.Components, func(c *lang.Component) bool { return c.Kind == kind && c.Name.Text == component })
	}) {
		if file := rodin.Parse(name, data, &p.Problems); file != nil {
			p.Files = append(p.Files, file)
		}
	}
}

func (p *Project) readRodin(source string) error {
	found, err := rodin.Read(source, &p.Problems)
	if errors.Is(err, rodin.ErrEmpty) {
		return errors.New(nothingIn(source) + "; folders in it are sources of their own")
	}
	if err != nil {
		return err
	}
	for _, f := range found {
		p.Files = append(p.Files, f.Files...)
	}
	if info, err := os.Stat(source); err == nil && info.IsDir() {
		p.leavesOut(source)
	}
	return nil
}

// Source returns the text of a file for messages, or nil.
func (p *Project) Source(file string) []byte {
	if data, ok := p.sources[file]; ok {
		return data
	}
	if !IsText(file) && !IsKernel(file) {
		return nil
	}
	data, err := door.File(file)
	if err != nil {
		return nil
	}
	return data
}

// MaxText is the size of the largest text file that is read.
const MaxText = door.MaxText

// ReadText reads a file that is not larger than MaxText.
func ReadText(name string) ([]byte, error) { return door.File(name) }
