package project

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
)

// Opener opens projects again and again, as an editor does: texts that are not saved
// stand above the files, and a text that is as it was is not parsed again. The zero
// Opener reads what is saved. It is for one goroutine at a time.
type Opener struct {
	// Texts are by absolute path.
	Texts map[string][]byte

	// Context ends the search for the invariants of kernels, which takes a while; nil for
	// one that does not end it. Store saves the search what was found before.
	Context context.Context
	Store   *discharge.Store

	parsed  map[string]parsed  // by path
	kernels map[string]kernels // likewise
}

type parsed struct {
	text     []byte
	file     *lang.File
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
	if data, ok := x.unsaved(file); ok {
		return config.Parse(file, data)
	}
	return config.Read(file)
}

// withNew adds to the models in a folder those that nobody has saved yet.
func (x *Opener) withNew(dir string, names []string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return names
	}
	for _, file := range slices.Sorted(maps.Keys(x.Texts)) {
		name := filepath.Join(dir, filepath.Base(file))
		if filepath.Dir(file) == abs && IsText(file) && !isHidden(filepath.Base(file)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// parse parses a text, or returns what came of it when it was parsed last.
func (x *Opener) parse(name string, data []byte, problems *diag.List) *lang.File {
	last, ok := x.parsed[name]
	if !ok || !bytes.Equal(last.text, data) {
		last = parsed{text: data}
		last.file = lang.Parse(name, data, &last.problems)
		if x.parsed == nil {
			x.parsed = map[string]parsed{}
		}
		x.parsed[name] = last
	}
	problems.Append(&last.problems)
	return last.file
}

// Home is the path at which to open the project that a file belongs to: the nearest
// gradine.toml, if the file is that or one of its sources, or else the file's folder.
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
	for _, p := range c.Project {
		for _, source := range p.Sources {
			if at := filepath.Join(c.Dir, source); at == dir || at == file {
				return found
			}
		}
	}
	return dir
}

// hasText reports whether there are models as text in dir, saved or not.
func (x *Opener) hasText(dir string) bool { return len(x.withNew(dir, nil)) > 0 || hasText(dir) }
