package review

import "errors"

// OpenRepository opens the repository that dir belongs to.
func OpenRepository(dir string) (*Repository, error) {
	if r, err := openCommand(dir); !errors.Is(err, errNoCommand) {
		return r, err
	}
	return openLibrary(dir)
}
