// Package atomic owns the writing of a file at once or not at all. It knows
// nothing of what the files hold.
package atomic

import (
	"errors"
	"os"
	"path/filepath"
)

// Write makes data the content of file name, in a folder that exists: by a new
// file with the given mode that takes its place. After an error the old file is
// as it was.
func Write(name string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".gradine-*")
	if perr, ok := errors.AsType[*os.PathError](err); ok {
		return &os.PathError{Op: "write", Path: name, Err: perr.Err}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
