package git

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// snapshot is the file system of a list of files. Their content is read when
// they are opened.
type snapshot struct {
	read    func(entry) ([]byte, error)
	files   map[string]entry
	folders map[string][]fs.DirEntry // by name, sorted
}

func newSnapshot(list []entry, read func(entry) ([]byte, error)) *snapshot {
	s := &snapshot{read: read, files: map[string]entry{}, folders: map[string][]fs.DirEntry{".": nil}}
	for _, e := range list {
		if _, twice := s.files[e.path]; twice || !fs.ValidPath(e.path) {
			continue
		}
		s.files[e.path] = e
		s.enter(e.path, false)
	}
	for _, entries := range s.folders {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return s
}

// enter adds name to its folder, and the folder to its own where it is new.
func (s *snapshot) enter(name string, dir bool) {
	parent := path.Dir(name)
	if _, known := s.folders[parent]; !known {
		s.folders[parent] = nil
		s.enter(parent, true)
	}
	s.folders[parent] = append(s.folders[parent], fs.FileInfoToDirEntry(info{name: path.Base(name), dir: dir}))
}

// Open opens a file or folder.
func (s *snapshot) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if entries, ok := s.folders[name]; ok {
		return &file{info: info{name: path.Base(name), dir: true}, entries: entries}, nil
	}
	e, ok := s.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	data, err := s.read(e)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{Reader: bytes.NewReader(data), info: info{name: path.Base(name), size: int64(len(data))}}, nil
}

// Stat describes a file without reading it; its size is not known then.
func (s *snapshot) Stat(name string) (fs.FileInfo, error) {
	if _, ok := s.folders[name]; ok {
		return info{name: path.Base(name), dir: true}, nil
	}
	if _, ok := s.files[name]; ok {
		return info{name: path.Base(name)}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
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
		return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: fs.ErrInvalid}
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
	return slices.Clone(out), nil
}

// info describes a file of a snapshot, which has no time.
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

// entry is a file of a revision or of the working tree.
type entry struct {
	path string
	blob string // its content in the repository; "" for a file that is read from the working tree
}
