package git

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository makes one of two commits, with a file that is not committed, and one that is ignored.
func repository(t *testing.T) string {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.example"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=2026-01-02T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-02T00:00:00Z")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", "-b", "main")
	write("a.eventb", "one")
	write("folder/b.eventb", "two")
	write(".gitignore", "*.tmp\n")
	run("add", ".")
	run("commit", "-q", "-m", "first")
	write("a.eventb", "changed")
	run("commit", "-q", "-am", "second")
	write("new.eventb", "three")
	write("scratch.tmp", "four")
	return dir
}

// Both readers say the same of a repository.
func TestReaders(t *testing.T) {
	dir := repository(t)
	for name, open := range map[string]func(string) (*Repository, error){"the command": openCommand, "the library": openLibrary} {
		r, err := open(dir)
		if err != nil {
			t.Fatal(name, err)
		}
		list := func(files fs.FS, err error) string {
			if err != nil {
				return err.Error()
			}
			var out []string
			err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() && filepath.Base(path) != ".gitignore" {
					data, wrong := fs.ReadFile(files, path)
					out, err = append(out, path+"="+string(data)), wrong
				}
				return err
			})
			if err != nil {
				return err.Error()
			}
			return strings.Join(out, " ")
		}
		base, head, err := r.Revisions("main~1...main")
		if err != nil {
			t.Fatal(name, err)
		}
		was, err := r.resolve("main~1")
		if err != nil || base != was || head != "main" {
			t.Errorf("%s: main~1...main is %s, %s: %v", name, base, head, err)
		}
		commits, err := r.History("main~1", "main")
		said := fmt.Sprint(err)
		for _, c := range commits {
			said += " " + c.Date + " " + c.Subject
		}
		for _, x := range []struct{ what, got, want string }{
			{"before", list(r.Files("main~1")), "a.eventb=one folder/b.eventb=two"},
			{"now", list(r.Files("main")), "a.eventb=changed folder/b.eventb=two"},
			{"working tree", list(r.WorkTree()), "a.eventb=changed folder/b.eventb=two new.eventb=three"},
			{"no such", list(r.Files("other")), "revision other is not a branch, tag or commit; `git branch -a` and `git tag` list the names"},
			{"commits", said, "<nil> 2026-01-02 first 2026-01-02 second"},
		} {
			if x.got != x.want {
				t.Errorf("%s, %s: %s, not %s", name, x.what, x.got, x.want)
			}
		}
		if same, err := r.Holds("main", []string{filepath.Join(dir, "a.eventb")}); err != nil || !same {
			t.Errorf("%s: a.eventb is not as committed: %v", name, err)
		}
		if same, err := r.Holds("main~1", []string{filepath.Join(dir, "a.eventb")}); err != nil || same {
			t.Errorf("%s: a.eventb is as before: %v", name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(name, err)
		}
	}
}
