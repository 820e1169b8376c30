// Package atomic writes files atomically.
package atomic

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write makes data the content of file name, in a folder that exists: by a new
// file that takes its place. A file that exists keeps its mode; one that is made
// gets the given mode, less what the umask takes away. After an error the old
// file is as it was. A link stays one, and the file that it leads to is written;
// what is no regular file, such as a pipe or a device, takes the data as it comes.
func Write(name string, data []byte, mode os.FileMode) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, mode)
	}
	f, err := create(filepath.Dir(name), mode)
	if perr, ok := errors.AsType[*os.PathError](err); ok {
		return &os.PathError{Op: "write", Path: name, Err: perr.Err}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if info, serr := os.Stat(name); serr == nil {
		err = errors.Join(err, f.Chmod(info.Mode().Perm()))
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// create makes a new file in dir. It is os.CreateTemp but for the mode, which
// only the system can lessen by the umask, when it makes the file.
func create(dir string, mode os.FileMode) (*os.File, error) {
	for range 1000 {
		name := filepath.Join(dir, fmt.Sprintf(".gradine-%d", rand.Uint64()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, &os.PathError{Op: "create", Path: dir, Err: fs.ErrExist}
}
