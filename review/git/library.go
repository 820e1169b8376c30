package git

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// library reads a repository by go-git, where there is no git command.
type library struct {
	root string
	git  *git.Repository
}

func openLibrary(dir string) (*Repository, error) {
	r, err := git.PlainOpenWithOptions(dir, &git.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if errors.Is(err, git.ErrRepositoryNotExists) {
		return nil, fmt.Errorf("%s: no Git repository here or above", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; with git installed it can be read", dir, err)
	}
	l := &library{git: r}
	if w, err := r.Worktree(); err == nil {
		l.root = w.Filesystem.Root()
	} else if !errors.Is(err, git.ErrIsBareRepository) {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &Repository{Root: l.root, objects: l}, nil
}

func (l *library) close() error { return nil }

func (l *library) shallow() bool {
	commits, err := l.git.Storer.Shallow()
	return err == nil && len(commits) > 0
}

func (l *library) resolve(rev string) (string, error) {
	// go-git reads @{…} as the branch itself: a wrong answer without an error.
	if strings.Contains(rev, "@{") || strings.HasPrefix(rev, ":") {
		return "", fmt.Errorf("revision %s: only the git command knows such names; install it, or write the commit", rev)
	}
	if rev == emptyTree {
		return rev, nil
	}
	h, err := l.git.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		return "", absent(rev, l.shallow())
	}
	return h.String(), nil
}

func (l *library) commit(hash string) (*object.Commit, error) {
	c, err := l.git.CommitObject(plumbing.NewHash(hash))
	if err != nil {
		return nil, l.damaged("commit", hash, err)
	}
	return c, nil
}

// damaged explains why an object cannot be read.
func (l *library) damaged(kind, hash string, err error) error {
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		err = errors.New("it is not in this repository (a partial or shallow clone?)")
	}
	return unreadable(kind, hash, err)
}

// mergeBase is the common ancestor of two commits.
func (l *library) mergeBase(a, b string) (string, error) {
	x, err := l.commit(a)
	if err != nil {
		return "", err
	}
	y, err := l.commit(b)
	if err != nil {
		return "", err
	}
	bases, err := x.MergeBase(y)
	if err != nil {
		if l.shallow() {
			return "", fmt.Errorf("the common ancestor of %s and %s is beyond this shallow clone; get it with `git fetch --unshallow`", a, b)
		}
		return "", fmt.Errorf("common ancestor of %s and %s: %w", a, b, err)
	}
	if len(bases) == 0 {
		return "", fmt.Errorf("%s and %s have no common ancestor", a, b)
	}
	// Criss-cross merges have several; the git command takes the newest, and the hash decides between
	// two of one second.
	slices.SortFunc(bases, func(p, q *object.Commit) int {
		if c := q.Committer.When.Compare(p.Committer.When); c != 0 {
			return c
		}
		return strings.Compare(p.Hash.String(), q.Hash.String())
	})
	return bases[0].Hash.String(), nil
}

func (l *library) list(hash string) ([]entry, error) {
	if hash == emptyTree {
		return nil, nil
	}
	tree := plumbing.NewHash(hash)
	if c, err := l.git.CommitObject(tree); err == nil {
		tree = c.TreeHash
	}
	var out []entry
	err := l.walk(tree, "", &out)
	return out, err
}

// walk adds the regular files of a tree to out.
func (l *library) walk(tree plumbing.Hash, prefix string, out *[]entry) error {
	x, err := l.git.TreeObject(tree)
	if err != nil {
		return l.damaged("tree", tree.String(), err)
	}
	for _, e := range x.Entries {
		switch e.Mode {
		case filemode.Dir:
			if err := l.walk(e.Hash, prefix+e.Name+"/", out); err != nil {
				return err
			}
		case filemode.Regular, filemode.Executable, filemode.Deprecated:
			*out = append(*out, entry{path: prefix + e.Name, blob: e.Hash.String()})
		}
	}
	return nil
}

// present lists the files of the working tree that Git tracks, or would if they were added.
func (l *library) present() ([]entry, error) {
	index, err := l.git.Storer.Index()
	if err != nil {
		return nil, err
	}
	tracked := map[string]bool{}
	var paths []string
	for _, e := range index.Entries {
		if e.SkipWorktree {
			return nil, errors.New("the working tree is a sparse checkout, which only the git command can read; install it")
		}
		tracked[e.Name] = true
		paths = append(paths, e.Name)
	}
	w, err := l.git.Worktree()
	if err != nil {
		return nil, err
	}
	patterns, err := gitignore.ReadPatterns(w.Filesystem, nil)
	if err != nil {
		return nil, err
	}
	ignored := gitignore.NewMatcher(patterns)
	var walk func(dir []string) error
	walk = func(dir []string) error {
		infos, err := w.Filesystem.ReadDir(strings.Join(dir, "/"))
		if err != nil {
			return err
		}
		for _, i := range infos {
			path := append(dir[:len(dir):len(dir)], i.Name())
			name := strings.Join(path, "/")
			if i.Name() == ".git" || ignored.Match(path, i.IsDir()) {
				continue
			}
			if !i.IsDir() {
				if !tracked[name] {
					paths = append(paths, name)
				}
				continue
			}
			// A folder with a .git of its own is another repository.
			if _, err := w.Filesystem.Lstat(name + "/.git"); err != nil {
				if err := walk(path); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := walk(nil); err != nil {
		return nil, err
	}
	return onDisk(l.root, paths), nil
}

// blob is the content of a file.
func (l *library) blob(hash string) ([]byte, error) {
	h := plumbing.NewHash(hash)
	b, err := l.git.BlobObject(h)
	if err != nil {
		return nil, l.damaged("blob", hash, err)
	}
	if b.Size > maxBlob {
		return nil, errTooLarge
	}
	in, err := b.Reader()
	if err != nil {
		return nil, l.damaged("blob", hash, err)
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, l.damaged("blob", hash, err)
	}
	return data, nil
}
