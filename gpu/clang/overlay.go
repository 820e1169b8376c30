package clang

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// headers are what sources see without a toolkit.
//
//go:embed include
var headers embed.FS

// root is where the headers of this package are mounted, the same on every machine.
const root = "/gradine"

// overlay is a folder of temporary files that clang sees under other names.
type overlay struct {
	dir    string
	mounts map[string]string // from names that clang sees to files
}

// newOverlay mounts the headers for a language.
func newOverlay(l Language) (*overlay, error) {
	dir, err := os.MkdirTemp("", "gradine-clang-")
	if err != nil {
		return nil, err
	}
	o := &overlay{dir: dir, mounts: map[string]string{}}
	top := path.Join("include", string(l))
	files, err := headersOf(l)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err == nil && name != "names.txt" {
			err = o.mount(path.Join(root, name), files[name])
		}
	}
	if names, nerr := headers.ReadFile(path.Join(top, "names.txt")); err == nil && nerr == nil {
		o.alias(string(names))
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// headersOf are the headers for a language, by name. Those for HIP share some with CUDA.
func headersOf(l Language) (map[string][]byte, error) {
	out := map[string][]byte{}
	if l == CHost || l == CXXHost {
		l = "ochost"
	}
	top := path.Join("include", string(l))
	err := fs.WalkDir(headers, top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := headers.ReadFile(name)
		out[strings.TrimPrefix(name, top+"/")] = text
		return err
	})
	if known, kerr := fs.Glob(headers, "include/known/*"); l != OpenCL && l != "ochost" && err == nil {
		err = kerr
		for _, name := range known {
			if text, rerr := headers.ReadFile(name); rerr == nil {
				out[strings.TrimPrefix(name, "include/")] = text
			}
		}
	}
	if l == HIP && err == nil {
		for _, name := range []string{"gradine/vectors.h", "gradine/words.h", "gradine/atomics.h"} {
			if out[name], err = headers.ReadFile("include/cuda/" + name); err != nil {
				break
			}
		}
	}
	return out, err
}

// alias mounts headers under further names: lines of a header, a colon, and the names.
func (o *overlay) alias(names string) {
	for line := range strings.Lines(names) {
		header, others, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, name := range strings.Fields(others) {
			o.mounts[path.Join(root, name)] = o.mounts[path.Join(root, header)]
		}
	}
}

// mount makes clang see text under a name.
func (o *overlay) mount(name string, text []byte) error {
	file, ok := o.mounts[name]
	if !ok {
		file = filepath.Join(o.dir, fmt.Sprint("f", len(o.mounts)))
	}
	o.mounts[name] = file
	return os.WriteFile(file, text, 0o600)
}

// write writes the file that tells clang of the mounts, and returns its name.
func (o *overlay) write() (string, error) {
	type file struct {
		Name     string `json:"name"`
		Type     string `json:"type"`
		External string `json:"external-contents"`
	}
	var files []file
	for _, name := range slices.Sorted(maps.Keys(o.mounts)) {
		files = append(files, file{name, "file", o.mounts[name]})
	}
	text, err := json.Marshal(map[string]any{"version": 0, "case-sensitive": "true", "use-external-names": "false", "overlay-relative": "false", "roots": files})
	if err != nil {
		return "", err
	}
	at := filepath.Join(o.dir, fmt.Sprintf("overlay%d.json", len(files))) // another run may read that of fewer
	return at, os.WriteFile(at, text, 0o600)
}

func (o *overlay) close() { os.RemoveAll(o.dir) }
