// Package scaffold writes the files around models: the first files of a project, CI jobs for
// code hosts, and Git's configuration for merging models by element. It overwrites nothing.
package scaffold

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gradine/gradine"
	"github.com/gradine/gradine/contexts"
	"github.com/gradine/gradine/internal/atomic"
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

// Write writes the files below dir, or nothing if one of them exists.
func (f Files) Write(dir string) error {
	for name := range f {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s exists; init overwrites nothing", filepath.Join(dir, name))
		}
	}
	for name, data := range f {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := atomic.Write(file, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
