package project

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang/rodin"
)

// elsewhere says what to do about a folder without models.
func elsewhere(dir string) string {
	found := foldersBelow(dir, func(string) bool { return true })
	if len(found) > 0 {
		return "; there are some in " + strings.Join(found[:min(3, len(found))], ", ")
	}
	return "; `gradine init` writes a first model"
}

// leavesOut warns of the models in folders below a source: they are not read, unless they are sources
// themselves or have a gradine.toml of their own.
func (p *Project) leavesOut(source string) {
	found := foldersBelow(source, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, config.Name))
		return err != nil && !p.isSource(dir)
	})
	for _, dir := range found {
		p.Problems.Add(diag.Diagnostic{
			Code: rodin.Foreigner, Severity: diag.Warning, Span: diag.Span{File: filepath.ToSlash(dir)},
			Message: "the models in this folder are skipped: a folder does not include its subfolders",
			Help:    "list the folder among the sources of a project in gradine.toml, or name it on the command line",
		})
	}
}

// isSource reports whether gradine.toml lists a folder, or a file in it, among the sources of a project.
func (p *Project) isSource(dir string) bool {
	if p.Config == nil {
		return false
	}
	for _, listed := range p.Config.Project {
		if slices.ContainsFunc(listed.Sources, func(source string) bool {
			at := filepath.Join(p.Config.Dir, source)
			return at == filepath.Clean(dir) || filepath.Dir(at) == filepath.Clean(dir)
		}) {
			return true
		}
	}
	return false
}

// foldersBelow lists the folders in dir that hold models, a few levels down, of those that are wanted; what
// is in one of them is not looked at.
func foldersBelow(dir string, wanted func(dir string) bool) (found []string) {
	const levels = 3
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		at := filepath.Join(dir, name)
		switch {
		case err == nil && (name == "." || !entry.IsDir()):
			return nil
		case err != nil || strings.Count(name, "/") >= levels || isHidden(entry.Name()) || !wanted(at):
			return fs.SkipDir
		}
		if files, _ := modelFiles(os.DirFS(at), ".", IsText, isRodin); len(files) == 0 {
			return nil
		}
		found = append(found, at)
		return fs.SkipDir
	})
	return found
}
