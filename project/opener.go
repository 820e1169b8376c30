package project

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/po"
)

// Opener opens projects again and again, as an editor does: texts that are not saved
// stand above the files, a text that is as it was is not parsed again, and a component whose
// text is as it was, with all that it builds on, is not checked again. The zero Opener reads what
// is saved. It is for one goroutine at a time.
type Opener struct {
	// Texts are by absolute path.
	Texts map[string][]byte

	// Context ends the search for the invariants of kernels, which takes a while; nil for
	// one that does not end it. Store saves the search what was found before.
	Context context.Context
	Store   *proofstore.Store

	// Wanted names the machines of a gradine.toml that are opened, by what it says, with all
	// that they build on; nil, or no name, for everything.
	Wanted func(*config.Config) []Target

	// Recompile compiles again what gradine.toml names IR of, and wants the same.
	Recompile bool

	parsed  map[string]*parsed // by path
	kernels map[string]kernels // likewise
	last    map[string]*last   // by name of the project
}

// last is what is remembered of a project.
type last struct {
	model       check.Memory
	obligations po.Memory
}

// remembered is what x remembers of the project of a name.
func (x *Opener) remembered(name string) *last {
	if x.last == nil {
		x.last = map[string]*last{}
	}
	if x.last[name] == nil {
		x.last[name] = &last{}
	}
	return x.last[name]
}

// Obligations is p.Obligations of a project that x has opened last; those of components that are as they were are not made
// again.
func (x *Opener) Obligations(p *Project) ([]*po.Obligation, error) {
	return p.obligations(&x.remembered(p.Name).obligations)
}

// Work is how many components were checked when x opened the project of a name last, and how many obligations were made of it.
func (x *Opener) Work(name string) (checked, made int) {
	l := x.remembered(name)
	return l.model.Checked, l.obligations.Made
}

// Target is a machine of a project of a gradine.toml, by name.
type Target struct{ Project, Machine string }

type parsed struct {
	text     []byte
	file     *lang.File // without a component after a fault
	whole    bool       // no fault has left it unread
	problems diag.List
}

func (x *Opener) context() context.Context {
	if x.Context == nil {
		return context.Background()
	}
	return x.Context
}

func (x *Opener) project(name string, c *config.Config) *Project {
	return &Project{Name: name, Config: c, sources: map[string][]byte{}, opener: x}
}

// unsaved returns the text that stands above a file.
func (x *Opener) unsaved(file string) ([]byte, bool) {
	if len(x.Texts) == 0 {
		return nil, false
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, false
	}
	data, ok := x.Texts[abs]
	return data, ok
}

func (x *Opener) text(file string) ([]byte, error) {
	if data, ok := x.unsaved(file); ok {
		return data, nil
	}
	return ReadText(file)
}

func (x *Opener) config(file string) (*config.Config, error) {
	return seam.Read(file, func() (*config.Config, error) {
		if data, ok := x.unsaved(file); ok {
			return config.Parse(file, data)
		}
		return config.Read(file)
	})
}

// withNew adds to the files of some kind in a folder those that are not saved yet.
func (x *Opener) withNew(dir string, names []string, kind func(name string) bool) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return names
	}
	for _, file := range slices.Sorted(maps.Keys(x.Texts)) {
		name := filepath.Join(dir, filepath.Base(file))
		if filepath.Dir(file) == abs && kind(file) && !isHidden(filepath.Base(file)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// stat is os.Stat, for which a text that is not saved yet is a file.
func (x *Opener) stat(name string) (isDir bool, err error) {
	info, err := os.Stat(name)
	if err == nil {
		return info.IsDir(), nil
	}
	if _, ok := x.unsaved(name); ok {
		return false, nil
	}
	return false, err
}

// parse parses a text, or returns what came of it when it was parsed last.
func (x *Opener) parse(name string, data []byte, problems *diag.List) *lang.File {
	last, ok := x.parsed[name]
	if !ok || !bytes.Equal(last.text, data) {
		x.parseAll([]textFile{{name, data}})
		last = x.parsed[name]
	}
	problems.Append(&last.problems)
	return last.file
}

// parseAll parses the texts that are not as they were, on all cores: a project has dozens,
// and to parse them takes as long as all else that opening it does.
func (x *Opener) parseAll(sources []textFile) {
	sources = slices.DeleteFunc(sources, func(s textFile) bool {
		last, ok := x.parsed[s.name]
		return ok && bytes.Equal(last.text, s.text) && last.whole
	})
	if x.parsed == nil {
		x.parsed = map[string]*parsed{}
	}
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, s := range sources {
		made := &parsed{text: s.text}
		x.parsed[s.name] = made
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			made.whole = lang.Understand(s.name, &made.problems, func(problems *diag.List) { made.file = lang.Parse(s.name, s.text, problems) })
			if !made.whole {
				made.file = &lang.File{Path: s.name}
			}
		})
	}
	wait.Wait()
}

// Faulted tells of each file of p that a fault has left unread.
func (p *Project) Faulted(tell func(file, why string)) {
	for _, problem := range p.Problems.Sorted() {
		if problem.Code == lang.FaultCode {
			tell(problem.Span.File, problem.Message)
		}
	}
}

// IsConfig reports whether a file of this name is the configuration of projects.
func IsConfig(name string) bool { return filepath.Base(name) == config.Name }

// ConfigKeys lists the keys that a table of gradine.toml may have.
func ConfigKeys(table ...string) []config.Key { return config.Keys(table...) }

// Home is the path at which to open the project that a file belongs to: the nearest
// gradine.toml, if the file is that, one of its sources or a file next to them, or
// else the file's folder, or the file itself in a folder that stands for other sources.
func (x *Opener) Home(file string) string {
	dir := filepath.Dir(file)
	found := config.Find(dir)
	if found == "" || found == file {
		return cmp.Or(found, dir)
	}
	c, err := x.config(found)
	if err != nil {
		return found // opening it says why
	}
	for name, p := range c.Project {
		lock := filepath.Join(c.Dir, name+"."+proofstore.LockName)
		if file == lock || file == proofstore.CertificatesBeside(lock) {
			return found
		}
		for _, source := range p.Sources {
			at := filepath.Join(c.Dir, source)
			if at == dir || at == file || (IsHints(file) || IsScenario(file)) && strings.TrimSuffix(at, filepath.Ext(at)) == strings.TrimSuffix(file, filepath.Ext(file)) {
				return found
			}
		}
	}
	// A folder with a gradine.toml is opened as what that says, in which the file is not.
	if dir == c.Dir && IsText(file) {
		return file
	}
	return dir
}

// hasText reports whether there are models as text in dir, saved or not.
func (x *Opener) hasText(dir string) bool {
	return len(x.withNew(dir, nil, IsText)) > 0 || hasText(dir)
}
