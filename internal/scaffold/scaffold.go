// Package scaffold writes the files around models: the first files of a project, CI jobs for
// code hosts, and Git's configuration for merging models by element. It overwrites nothing.
package scaffold

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine"
	"github.com/gradine/gradine/contexts"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/machines"
)

// Files are texts by their names, with slashes, in the folder where they belong.
type Files map[string][]byte

//go:embed starter
var starter embed.FS

// Starter adds a small project that verifies.
func (f Files) Starter() {
	f["gradine.toml"] = must(starter.ReadFile("starter/gradine.toml"))
	f["models/counter.eventb"] = must(starter.ReadFile("starter/counter.eventb"))
}

// GPU adds the GPU development.
func (f Files) GPU() {
	f["gradine.toml"] = []byte(gradine.Config)
	f.collect("contexts", contexts.FS)
	f.collect("machines", machines.FS)
}

// Agents adds the page for agents.
func (f Files) Agents() { f["AGENTS.md"] = []byte(gradine.Agents) }

// collect adds what is embedded in fsys, below dir.
func (f Files) collect(dir string, fsys embed.FS) {
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			f[dir+"/"+name] = must(fsys.ReadFile(name))
		}
		return err
	})
}

// must is for reading what is part of the program.
func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// Write writes the files below dir, or nothing if one of them exists or cannot be read again as what it is.
func (f Files) Write(dir string) error {
	// First everything is read again, then everything is written, so that a bad file leaves none of them behind.
	save := map[string]func(file string) error{}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s exists; init overwrites nothing", filepath.Join(dir, name))
		}
		data := f[name]
		save[name] = func(file string) error { return atomic.Write(file, data, 0o666) }
		switch {
		case path.Base(name) == config.Name:
			if _, err := config.Parse(file, data); err != nil {
				return err
			}
		case slices.Contains([]string{".eventb", hints.Ext, scenario.Ext}, path.Ext(name)):
			text, err := edit.Whole(file, data)
			if err != nil {
				return err
			}
			save[name] = text.Save
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := save[name](file); err != nil {
			return err
		}
	}
	return nil
}
