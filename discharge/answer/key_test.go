package answer

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestFileKey makes one key, readable by its owner alone, however many ask at once.
func TestFileKey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config", "gradine", "key")
	keys := make([]*Key, 16)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			k, err := FileKey(name)
			if err != nil {
				t.Error(err)
			}
			keys[i] = k
		})
	}
	all.Wait()
	for _, k := range keys {
		if k == nil || *k != *keys[0] || *k == *ProcessKey() {
			t.Fatal("several keys")
		}
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for text, wrong := range map[string]string{
		"":                             "0 characters",
		string(data[:20]):              "20 characters",
		strings.Repeat("\n", 64) + "x": "1 characters",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if k, err := FileKey(name); err == nil || k != nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, mode := range []os.FileMode{0o644, 0o660, 0o602} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		if k, err := FileKey(name); err == nil || k != nil || !strings.Contains(err.Error(), "other users") {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
}

// TestNoPlace: where no key can be made, that of the process serves.
func TestNoPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if k, err := FileKey(filepath.Join(file, "key")); err != nil || k != ProcessKey() {
		t.Errorf("%v, %v", k, err)
	}
}

// TestUserKey: $GRADINE_KEY comes before the file, and errors do not print it.
func TestUserKey(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv(KeyVariable, "")
	file, err := UserKey()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(KeyVariable, strings.Repeat("k", MinKey))
	k, err := UserKey()
	if err != nil || *k == *file {
		t.Errorf("the key of the environment does not count: %v", err)
	}
	t.Setenv(KeyVariable, "secret")
	if k, err := UserKey(); k != nil || err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}
