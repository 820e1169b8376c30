package atomic

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestMode: new files have the mode that any other program would give them, and
// old files keep theirs.
func TestMode(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil { // under the umask
		t.Fatal(err)
	}
	name := filepath.Join(dir, "a")
	modeOf := func(name string) fs.FileMode {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	for _, text := range []string{"one", "two"} {
		if err := Write(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
		if modeOf(name) != modeOf(plain) {
			t.Errorf("mode %v, want %v", modeOf(name), modeOf(plain))
		}
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, nil, 0o666); err != nil || modeOf(name) != 0o640 {
		t.Errorf("mode %v (%v): the old one is lost", modeOf(name), err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
	if err := Write(filepath.Join(dir, "no", "a"), nil, 0o666); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestPlaces: links stay links, and what is no file is written, not replaced.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, []byte("new"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "new" {
		t.Errorf("behind the link is %q, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if err := Write(os.DevNull, []byte("x"), 0o666); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v, %v", os.DevNull, info.Mode(), err)
	}
	if err := Write(dir, nil, 0o666); err == nil {
		t.Error("a folder was written")
	}
}
