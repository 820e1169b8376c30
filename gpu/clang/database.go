package clang

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
)

// mostDatabase bounds the bytes of a compilation database.
const mostDatabase = 256 << 20

// Database returns the options that a compilation database (compile_commands.json) has for a
// file, named by its absolute path. Of the arguments there only those that Options hold are
// used: the database may come from strangers. Folders in it that are not absolute are relative to dir, where the database is.
func Database(data []byte, dir, file string) (Options, error) {
	if len(data) > mostDatabase {
		return Options{}, fmt.Errorf("the compilation database is larger than %d MiB", mostDatabase>>20)
	}
	var entries []struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Command   string   `json:"command"`
		Arguments []string `json:"arguments"`
	}
	if err := json.Unmarshal(data, &entries); err != nil {
		return Options{}, fmt.Errorf("the compilation database cannot be read: %w", err)
	}
	// The first entry of a file counts: a database may have one for each target of the build.
	for _, e := range entries {
		if !filepath.IsAbs(e.Directory) {
			e.Directory = filepath.Join(dir, e.Directory)
		}
		name := e.File
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.Directory, name)
		}
		if filepath.Clean(name) != filepath.Clean(file) {
			continue
		}
		args := e.Arguments
		if args == nil {
			args = shellWords(e.Command)
		}
		return Arguments(args, filepath.ToSlash(e.Directory)), nil
	}
	return Options{}, fmt.Errorf("the compilation database does not name %s", file)
}

// shellWords splits a command as a POSIX shell does, without expanding anything: build systems write commands that they have
// expanded already.
func shellWords(command string) (out []string) {
	var b strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				out = append(out, b.String())
				b.Reset()
				open = false
			}
			continue
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, true
			continue
		case c == quote:
			quote = 0
			continue
		case c == '\\' && quote != '\'' && i+1 < len(command):
			i++
			c = command[i]
		}
		b.WriteByte(c)
		open = true
	}
	if open {
		out = append(out, b.String())
	}
	return out
}

// Relative are options whose paths within a folder are relative to it, so that they are the
// same wherever the folder is.
func (o Options) Relative(dir string) Options {
	for _, paths := range []*[]string{&o.Include, &o.System, &o.Forced} {
		var out []string
		for _, p := range *paths {
			if rel, err := filepath.Rel(dir, p); err == nil && filepath.IsAbs(p) && filepath.IsLocal(rel) {
				p = filepath.ToSlash(rel)
			}
			out = append(out, p)
		}
		*paths = out
	}
	return o
}
