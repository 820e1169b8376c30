// Package git reads the files of a repository's revisions and of its working tree from Git's
// objects. It runs the git command if it is installed, and uses go-git otherwise; no other
// package imports go-git. It needs no checkout and writes nothing.
package git

import "errors"

// Open opens the repository that dir belongs to.
func Open(dir string) (*Repository, error) {
	if r, err := openCommand(dir); !errors.Is(err, errNoCommand) {
		return r, err
	}
	return openLibrary(dir)
}
