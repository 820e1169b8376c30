package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gradine/gradine/project"
)

// projects finds, reads and checks what the arguments name: a first argument that
// is an existing path is the project, otherwise the nearest gradine.toml, or the
// directory itself. The other arguments select elements.
func (r *run) projects(args []string) (projects []*project.Project, selectors []string, err error) {
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
	projects, err = project.Open(at)
	if err != nil {
		return nil, nil, modelError{err}
	}
	for _, opened := range projects {
		if opened.Problems.HasErrors() {
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
