// Package git reads the files of the revisions of a repository, and of its working tree,
// from Git's objects: by the git command where it is installed, by go-git elsewhere (it is
// the only importer). It needs no checkout, writes nothing, and knows nothing of models.
package git

import "errors"

// Open opens the repository that dir belongs to.
func Open(dir string) (*Repository, error) {
	if r, err := openCommand(dir); !errors.Is(err, errNoCommand) {
		return r, err
	}
	return openLibrary(dir)
}
