package project

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/review"
)

// Trial is a change of a project that stands in no file: texts that take the place of
// files, by path.
type Trial struct {
	root string // the folder that paths are relative to
	dir  string // the folder of the project below root
	fs.FS
	edited map[string][]byte
}

// NewTrial returns a trial of the project at a path with nothing changed.
func NewTrial(at string) (*Trial, error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	root := at
	if !info.IsDir() {
		root = filepath.Dir(at)
	}
	if file := config.Find(root); file != "" {
		root = filepath.Dir(file)
	}
	return &Trial{root: root, dir: ".", FS: os.DirFS(root), edited: map[string][]byte{}}, nil
}

// inside returns the path of a file as the trial reads it, relative to its root. Both are
// made absolute first: one of them may be relative to the working directory, as Git names
// files, and the other one found from there.
func (t *Trial) inside(file string) (string, error) {
	root, err := filepath.Abs(t.root)
	if err != nil {
		return "", fmt.Errorf("%w", err)
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", fmt.Errorf("%w", err)
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not below %s", file, root)
	}
	return filepath.ToSlash(rel), nil
}

// Put takes text for the file of a name, which is a path of the project, or the end of one
// that no other file shares.
func (t *Trial) Put(name string, text []byte) error {
	var found []string
	want := filepath.ToSlash(filepath.Clean(name))
	if inside, err := t.inside(name); err == nil {
		if _, err := fs.Stat(t.FS, inside); err == nil {
			t.edited[inside] = text
			return nil
		}
	}
	revisions, err := ReadRevision(t.FS, t.dir)
	if err != nil {
		return err
	}
	for _, x := range revisions {
		for file := range x.text {
			if (file == want || strings.HasSuffix(file, "/"+want) || path.Base(file) == path.Base(want)) && !slices.Contains(found, file) {
				found = append(found, file)
			}
		}
	}
	slices.Sort(found)
	switch len(found) {
	case 0:
		return fmt.Errorf("%s is not a file of the project; write PATH=%s, with the path that it will have", name, name)
	case 1:
		t.edited[found[0]] = text
		return nil
	}
	return fmt.Errorf("%s may be %s; write PATH=%s", name, strings.Join(found, " or "), name)
}

// Add takes text for the file of a path, which need not exist.
func (t *Trial) Add(name string, text []byte) { t.edited[path.Clean(filepath.ToSlash(name))] = text }

// Review says what the change means: for the obligations that it touches, and for problems.
func (t *Trial) Review(ctx context.Context, opts discharge.Options) ([]*review.Review, bool, error) {
	was, err := ReadRevision(t.FS, t.dir)
	if err != nil {
		return nil, false, err
	}
	is, err := ReadRevision(overlay{t.FS, t.edited}, t.dir)
	if err != nil {
		return nil, false, err
	}
	for _, file := range slices.Sorted(maps.Keys(t.edited)) {
		if !is.reads(file) && !was.reads(file) {
			return nil, false, fmt.Errorf("%s belongs to no project; write a path relative to %s, in a source of a project", file, t.root)
		}
	}
	return compare(ctx, was, is, review.Options{Discharge: opts, Touched: true})
}

// reads reports whether a project has a file.
func (r Revision) reads(file string) bool {
	for _, x := range r {
		if _, ok := x.text[file]; ok {
			return true
		}
	}
	return false
}

// overlay is a file system in which some files have other texts.
type overlay struct {
	fs.FS
	edited map[string][]byte
}

func (o overlay) ReadFile(name string) ([]byte, error) {
	if data, ok := o.edited[path.Clean(name)]; ok {
		return data, nil
	}
	return fs.ReadFile(o.FS, name)
}

func (o overlay) Stat(name string) (fs.FileInfo, error) {
	if data, ok := o.edited[path.Clean(name)]; ok {
		return memory{path.Base(name), int64(len(data))}, nil
	}
	return fs.Stat(o.FS, name)
}

func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	for file, data := range o.edited {
		at, base := path.Dir(file), path.Base(file)
		if at == path.Clean(name) && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == base }) {
			entries = append(entries, fs.FileInfoToDirEntry(memory{base, int64(len(data))}))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// memory describes a file that is a text in memory.
type memory struct {
	name string
	size int64
}

func (t memory) Name() string     { return t.name }
func (t memory) Size() int64      { return t.size }
func (memory) Mode() fs.FileMode  { return 0o444 }
func (memory) ModTime() time.Time { return time.Time{} }
func (memory) IsDir() bool        { return false }
func (memory) Sys() any           { return nil }
