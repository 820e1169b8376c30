package git

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Repository is a Git repository. The git command answers where it is installed,
// for only it knows every name of a revision, every layout of a repository, and
// how to fetch what a partial clone lacks. Elsewhere go-git does, and what it is
// known to get wrong is refused.
type Repository struct {
	Root string // of the working tree; "" if the repository is bare
	objects
}

// objects is how a repository is read.
type objects interface {
	// resolve returns the commit or tree that rev names.
	resolve(rev string) (hash string, err error)
	// mergeBase returns the newest common ancestor of two commits.
	mergeBase(a, b string) (hash string, err error)
	// list returns the regular files of a commit or tree; symbolic links and
	// submodules are left out.
	list(hash string) ([]entry, error)
	// present returns the regular files of the working tree by the same rule:
	// those that are tracked, and those that a plain `git add` would track.
	present() ([]entry, error)
	// blob reads a file of the repository.
	blob(hash string) ([]byte, error)
	// describe returns what is known of a commit; since the commits of a branch behind
	// one of them, the oldest first.
	describe(hash string) (Commit, error)
	since(from, to string) ([]Commit, error)
	close() error
}

// Close ends the processes that read the repository.
func (r *Repository) Close() error { return r.close() }

// Within returns the path of directory dir below the root, "." for the root.
func (r *Repository) Within(dir string) (string, error) {
	if r.Root == "" {
		return ".", nil
	}
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

// MergeBase returns the newest common ancestor of two revisions.
func (r *Repository) MergeBase(a, b string) (string, error) {
	x, err := r.resolve(a)
	if err != nil {
		return "", err
	}
	y, err := r.resolve(b)
	if err != nil {
		return "", err
	}
	return r.mergeBase(x, y)
}

// Revisions splits BASE, BASE..HEAD or BASE...HEAD. Without HEAD it is the
// working tree.
func (r *Repository) Revisions(arg string) (base, head string, err error) {
	if a, b, ok := strings.Cut(arg, "..."); ok {
		a, b = cmp.Or(a, "HEAD"), cmp.Or(b, "HEAD")
		base, err = r.MergeBase(a, b)
		return base, b, err
	}
	a, b, ok := strings.Cut(arg, "..")
	if ok {
		b = cmp.Or(b, "HEAD")
	}
	return cmp.Or(a, "HEAD"), b, nil
}

// Files returns the files of a revision, read from Git's objects as they are
// asked for. Symbolic links and submodules are left out.
func (r *Repository) Files(rev string) (fs.FS, error) {
	hash, err := r.resolve(rev)
	if err != nil {
		return nil, err
	}
	list, err := r.list(hash)
	if err != nil {
		return nil, err
	}
	return newSnapshot(list, r.read), nil
}

// WorkTree returns the files of the working tree: those that Git tracks, and
// those that it would track if they were added. Ignored files, symbolic links and
// submodules are left out, as they are in a revision. A file that a sparse
// checkout leaves out is read from the index.
func (r *Repository) WorkTree() (fs.FS, error) {
	if r.Root == "" {
		return nil, errors.New("the repository is bare and has no working tree: name both revisions, BASE..HEAD")
	}
	list, err := r.present()
	if err != nil {
		return nil, err
	}
	return newSnapshot(list, r.read), nil
}

// maxBlob is the size in bytes of the largest file that is read.
const maxBlob = 64 << 20

var errTooLarge = fmt.Errorf("larger than %d MB", maxBlob>>20)

// read returns the content of a file.
func (r *Repository) read(e entry) ([]byte, error) {
	data, err := r.content(e)
	if err == nil && isPointer(data) {
		err = errors.New("is a pointer of Git LFS, without its content: add the models to Git itself, or review a working tree after `git lfs pull`")
	}
	return data, err
}

// content is the content of a file, from its blob or from the working tree.
func (r *Repository) content(e entry) ([]byte, error) {
	if e.blob != "" {
		data, err := r.blob(e.blob)
		if err == nil && blobHash(data, len(e.blob)) != e.blob {
			err = unreadable("blob", e.blob, errors.New("its content has another hash"))
		}
		return data, err
	}
	name := filepath.Join(r.Root, filepath.FromSlash(e.path))
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBlob {
		return nil, errTooLarge
	}
	return os.ReadFile(name)
}

// blobHash is the name of a file in a repository whose names have the given
// length: SHA-1, or SHA-256. Git itself does not look at it when it reads.
func blobHash(data []byte, length int) string {
	object := append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)
	if length == 2*sha256.Size {
		return fmt.Sprintf("%x", sha256.Sum256(object))
	}
	return fmt.Sprintf("%x", sha1.Sum(object))
}

// isPointer reports whether a file is what Git LFS commits in place of another.
// The pointer file specification bounds its size at 1,024 bytes.
func isPointer(data []byte) bool {
	return len(data) < 1024 && bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/"))
}

// onDisk keeps the paths that are regular files in the working tree. Git lists
// submodules, symbolic links and deleted files as well.
func onDisk(root string, paths []string) []entry {
	var out []entry
	for _, p := range paths {
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(p))); err == nil && info.Mode().IsRegular() {
			out = append(out, entry{path: p})
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return cmp.Compare(a.path, b.path) })
	return out
}

// unreadable explains why an object cannot be read.
func unreadable(kind, hash string, err error) error {
	return fmt.Errorf("%s %s cannot be read: %s; `git fsck` tells more", kind, hash, strings.TrimSpace(err.Error()))
}

// absent explains a revision that a repository does not have.
func absent(rev string, shallow bool) error {
	if shallow {
		return fmt.Errorf("revision %s is not in this shallow clone; get it with `git fetch --unshallow` (in CI: fetch-depth: 0)", rev)
	}
	if strings.ContainsAny(rev, "~^") {
		return fmt.Errorf("revision %s does not exist; to review a first commit, compare it with the empty tree: %s..COMMIT", rev, emptyTree)
	}
	return fmt.Errorf("revision %s is not a branch, tag or commit; `git branch -a` and `git tag` list the names", rev)
}

// emptyTree is the name of the tree without files, which every repository has.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// Commit is one revision of a history.
type Commit struct {
	Hash    string
	Date    string // of the commit, as its author's clock had it: YYYY-MM-DD
	Subject string
}
