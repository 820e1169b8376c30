package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/project"
)

// projects finds, reads and checks what the arguments name: a first argument that
// is an existing path is the project, otherwise the nearest gradine.toml, or the
// directory itself. The other arguments select elements.
func (r *run) projects(args []string) (projects []*project.Project, selectors []string, err error) {
	return r.wanted(args, nil)
}

// wanted is projects for those machines of a gradine.toml alone that names says.
func (r *run) wanted(args []string, names func(*config.Config) []project.Target) (projects []*project.Project, selectors []string, err error) {
	at := r.dir
	if at == "" {
		at = "."
	}
	if len(args) > 0 {
		if _, err := os.Stat(r.path(args[0])); err == nil && !namesProject(at, r.path(args[0]), args[0]) {
			r.operand = args[0]
			at, args = r.path(args[0]), args[1:]
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return nil, nil, modelErrorf("%w", err)
		} else if err != nil && looksLikePath(args[0]) {
			return nil, nil, flags.Usagef("%s: no such file or directory", args[0])
		}
	}
	opener := project.Opener{Texts: r.texts, Context: r.ctx, Wanted: names, Recompile: r.recompile}
	if !r.noStore {
		opener.Store, _ = proofstore.DefaultStore() // without one, what is found is the same
	}
	projects, err = opener.Open(at)
	if err != nil {
		return nil, nil, modelError{err}
	}
	for _, opened := range projects {
		if opened.Problems.HasErrors() {
			r.fail(exitModel)
		}
		opened.Faulted(r.fault)
	}
	return projects, args, nil
}

// namesProject reports whether a word that is a path, too, is meant as the name of a
// project: the folder has no gradine.toml of its own, and that of the place where the
// command runs names a project so.
func namesProject(at, path, word string) bool {
	file := config.Find(at)
	if file == "" || config.Find(path) != file {
		return false
	}
	conf, err := config.Read(file)
	if err != nil {
		return false
	}
	_, ok := conf.Project[word]
	return ok
}

// looksLikePath tells a mistyped path from a selector such as m/evt/inv1/INV.
func looksLikePath(arg string) bool {
	switch strings.ToLower(filepath.Ext(arg)) {
	case ".eventb", ".cl", ".cu", ".zip", ".buc", ".bum", ".bucx", ".bumx", ".toml":
		return true
	}
	return strings.HasPrefix(arg, ".") || filepath.IsAbs(arg) || strings.HasSuffix(arg, "/")
}
