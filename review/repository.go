package review

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Repository is a Git repository with a working tree.
type Repository struct {
	Root string // of the working tree
	git  *git.Repository
}

// OpenRepository opens the repository that dir belongs to.
func OpenRepository(dir string) (*Repository, error) {
	r, err := git.PlainOpenWithOptions(dir, &git.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if errors.Is(err, git.ErrRepositoryNotExists) {
		return nil, fmt.Errorf("%s: no Git repository here or above", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	w, err := r.Worktree()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &Repository{Root: w.Filesystem.Root(), git: r}, nil
}

// Within returns the path of directory dir below the root, "." for the root.
func (r *Repository) Within(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	root, rerr := filepath.EvalSymlinks(r.Root)
	if err = errors.Join(err, rerr); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not in the working tree %s", dir, r.Root)
	}
	return filepath.ToSlash(rel), nil
}

// WorkTree returns the files as they lie on disk.
func (r *Repository) WorkTree() fs.FS { return os.DirFS(r.Root) }

// commit finds the commit that rev names.
func (r *Repository) commit(rev string) (*object.Commit, error) {
	h, err := r.git.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		if shallow, _ := r.git.Storer.Shallow(); len(shallow) > 0 {
			return nil, fmt.Errorf("revision %s is not in this shallow clone; get it with `git fetch --unshallow` (in CI: fetch-depth: 0)", rev)
		}
		return nil, fmt.Errorf("revision %s: %w", rev, err)
	}
	c, err := r.git.CommitObject(*h)
	if err != nil {
		return nil, r.damaged("commit", *h, err)
	}
	return c, nil
}

// damaged explains why an object cannot be read.
func (r *Repository) damaged(kind string, h plumbing.Hash, err error) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return fmt.Errorf("%s %s is not in this repository (a partial or shallow clone?); `git fsck` tells more", kind, h)
	}
	return fmt.Errorf("%s %s cannot be read: %w; `git fsck` tells more", kind, h, err)
}

// MergeBase returns the newest common ancestor of two revisions.
func (r *Repository) MergeBase(a, b string) (string, error) {
	x, err := r.commit(a)
	if err != nil {
		return "", err
	}
	y, err := r.commit(b)
	if err != nil {
		return "", err
	}
	bases, err := x.MergeBase(y)
	if err != nil {
		if shallow, _ := r.git.Storer.Shallow(); len(shallow) > 0 {
			return "", fmt.Errorf("the common ancestor of %s and %s is beyond this shallow clone; get it with `git fetch --unshallow`", a, b)
		}
		return "", fmt.Errorf("common ancestor of %s and %s: %w", a, b, err)
	}
	if len(bases) == 0 {
		return "", fmt.Errorf("%s and %s have no common ancestor", a, b)
	}
	slices.SortFunc(bases, func(p, q *object.Commit) int {
		if c := q.Committer.When.Compare(p.Committer.When); c != 0 {
			return c
		}
		return strings.Compare(p.Hash.String(), q.Hash.String())
	})
	return bases[0].Hash.String(), nil
}

// Files returns the files of a revision, read from Git's objects as they are
// asked for. Symbolic links and submodules are no files of it.
func (r *Repository) Files(rev string) (fs.FS, error) {
	c, err := r.commit(rev)
	if err != nil {
		return nil, err
	}
	return &tree{r, c.TreeHash}, nil
}

// tree is the file system of one tree object.
type tree struct {
	r    *Repository
	root plumbing.Hash
}

// entries returns the entries of the tree with hash h that are files or folders.
func (t *tree) entries(h plumbing.Hash) ([]object.TreeEntry, error) {
	x, err := t.r.git.TreeObject(h)
	if err != nil {
		return nil, t.r.damaged("tree", h, err)
	}
	return slices.DeleteFunc(slices.Clone(x.Entries), func(e object.TreeEntry) bool {
		return e.Mode == filemode.Submodule || e.Mode == filemode.Symlink
	}), nil
}

func (t *tree) find(name string) (object.TreeEntry, error) {
	at := object.TreeEntry{Name: ".", Mode: filemode.Dir, Hash: t.root}
	if name == "." {
		return at, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if at.Mode != filemode.Dir {
			return at, fs.ErrNotExist
		}
		entries, err := t.entries(at.Hash)
		if err != nil {
			return at, err
		}
		i := slices.IndexFunc(entries, func(e object.TreeEntry) bool { return e.Name == part })
		if i < 0 {
			return at, fs.ErrNotExist
		}
		at = entries[i]
	}
	return at, nil
}

// Open opens a file or folder.
func (t *tree) Open(name string) (fs.File, error) {
	f, err := t.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f, nil
}

func (t *tree) open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	e, err := t.find(name)
	if err != nil {
		return nil, err
	}
	f := &file{info: info{name: path.Base(name), dir: e.Mode == filemode.Dir}}
	if f.info.dir {
		entries, err := t.entries(e.Hash)
		if err != nil {
			return nil, err
		}
		for _, x := range entries {
			f.entries = append(f.entries, fs.FileInfoToDirEntry(info{name: x.Name, dir: x.Mode == filemode.Dir}))
		}
		slices.SortFunc(f.entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		return f, nil
	}
	data, err := t.blob(e.Hash)
	if err != nil {
		return nil, err
	}
	f.info.size = int64(len(data))
	f.Reader = bytes.NewReader(data)
	return f, nil
}

// maxBlob is the size of the largest file that is read.
const maxBlob = 64 << 20

// blob reads a file and checks that it is what its name says.
func (t *tree) blob(h plumbing.Hash) ([]byte, error) {
	b, err := t.r.git.BlobObject(h)
	if err != nil {
		return nil, t.r.damaged("blob", h, err)
	}
	if b.Size > maxBlob {
		return nil, fmt.Errorf("larger than %d MB", maxBlob>>20)
	}
	in, err := b.Reader()
	if err != nil {
		return nil, t.r.damaged("blob", h, err)
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err == nil && plumbing.ComputeHash(plumbing.BlobObject, data) != h {
		err = errors.New("its content has another hash")
	}
	if err != nil {
		return nil, t.r.damaged("blob", h, err)
	}
	return data, nil
}

// file is an open file or folder.
type file struct {
	*bytes.Reader
	info    info
	entries []fs.DirEntry
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// Read reads from a file.
func (f *file) Read(p []byte) (int, error) {
	if f.Reader == nil {
		return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: errors.New("is a folder")}
	}
	return f.Reader.Read(p)
}

// ReadDir reads a folder.
func (f *file) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.entries)
	} else if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	out := f.entries[:n]
	f.entries = f.entries[n:]
	return out, nil
}

// info describes a file of a tree, which has no time.
type info struct {
	name string
	size int64
	dir  bool
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return nil }

// Mode returns the permissions of what cannot be written.
func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
