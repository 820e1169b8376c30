package scaffold

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// jobOf is the text of the job that Job adds.
func jobOf(t *testing.T, host, version string, shards int) string {
	t.Helper()
	files := Files{}
	if err := files.Job(host, version, shards); err != nil {
		t.Fatal(err)
	}
	for _, text := range files {
		return string(text)
	}
	t.Fatal("no job")
	return ""
}

// A job names a revision that exists, and only a job of several machines has the parts for shards.
func TestJob(t *testing.T) {
	for _, test := range []struct {
		host, version string
		shards        int
		has, lacks    []string
	}{
		{"github", "v1.2.3", 1, []string{"gradine/gradine@v1.2.3"}, []string{"@SHARDS", "matrix"}},
		{"github", "v1.2.3", 3, []string{"gradine/gradine@v1.2.3", "shard: [1, 2, 3]"}, []string{"@SHARDS", "@LIST", "@REF"}},
		{"gitlab", "v1.2.3", 1, []string{"v1.2.3"}, []string{"@SHARDS", "@RELEASE", "shards"}},
		{"gitlab", "v1.2.3", 4, []string{"v1.2.3", "shards: 4\n"}, []string{"@SHARDS", "@RELEASE"}},
		// A commit without a tag is a version for the Go command, but names nothing on a code host.
		{"github", "v0.0.0-20260101000000-0123456789ab", 1, []string{"gradine/gradine@main"}, []string{"0123456789ab\n    "}},
		// A build of changed sources is no revision at all.
		{"github", "v1.2.3+dirty", 1, []string{"gradine/gradine@main"}, []string{"+dirty"}},
	} {
		text := jobOf(t, test.host, test.version, test.shards)
		for _, want := range test.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s %s %d: no %q in\n%s", test.host, test.version, test.shards, want, text)
			}
		}
		for _, wrong := range test.lacks {
			if strings.Contains(text, wrong) {
				t.Errorf("%s %s %d: %q in\n%s", test.host, test.version, test.shards, wrong, text)
			}
		}
	}
	if err := (Files{}).Job("jenkins", "v1.2.3", 1); fmt.Sprint(err) != "it must be one of github, gitlab" {
		t.Error(err)
	}
}

// Write writes every file, and nothing at all where one of them exists.
func TestWrite(t *testing.T) {
	files := Files{}
	files.Starter()
	files.Agents()
	if got := fmt.Sprint(slices.Sorted(maps.Keys(files))); got != "[AGENTS.md gradine.toml models/counter.eventb]" {
		t.Error(got)
	}
	dir := t.TempDir()
	if err := files.Write(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v, %d bytes", name, err, len(got))
		}
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "AGENTS.md"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := files.Write(other); err == nil || !strings.HasSuffix(err.Error(), "AGENTS.md exists; init overwrites nothing") {
		t.Error(err)
	}
	if got := listed(t, other); got != "[AGENTS.md]" {
		t.Error("written beside a file that exists:", got)
	}
	gpu := Files{}
	gpu.GPU()
	var models int
	for name := range gpu {
		if strings.HasSuffix(name, ".eventb") && (strings.HasPrefix(name, "contexts/") || strings.HasPrefix(name, "machines/")) {
			models++
		}
	}
	if models < 20 || gpu["gradine.toml"] == nil {
		t.Errorf("%d models of the GPU development", models)
	}
}

func listed(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(names)
}

// Install keeps the attributes that a repository has, adds each of its own once, and configures the clone.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	c := Clone{Context: t.Context(), Dir: filepath.Join(dir, "models")}
	if err := os.Mkdir(c.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := c.Install(); err == nil || !strings.Contains(err.Error(), "git rev-parse: fatal: not a git repository") {
		t.Error("outside of a repository:", err)
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file := filepath.Join(dir, ".gitattributes")
	if err := os.WriteFile(file, []byte("*.png binary\n*.hints merge=gradine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Install(); err != nil {
			t.Fatal(err)
		}
	}
	text := string(mustRead(t, file))
	if !strings.HasPrefix(text, "*.png binary\n*.hints merge=gradine\n*.eventb merge=gradine\n") {
		t.Errorf("attributes that were there:\n%s", text)
	}
	for _, line := range attributes {
		if strings.Count("\n"+text, "\n"+line+"\n") != 1 {
			t.Errorf("%q is not there once:\n%s", line, text)
		}
	}
	if driver, err := c.git("config", "--local", "merge.gradine.driver"); err != nil || driver != "gradine git merge %O %A %B %P" {
		t.Error(driver, err)
	}
}

// InstallHooks writes hooks that can run, renews its own, and leaves those of others alone.
func TestInstallHooks(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := Clone{Context: t.Context(), Dir: dir}
	for range 2 {
		if err := c.InstallHooks(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pre-commit", "pre-merge-commit"} {
		file := filepath.Join(dir, ".git", "hooks", name)
		if info, err := os.Stat(file); err != nil || info.Mode()&0o100 == 0 || string(mustRead(t, file)) != hook {
			t.Errorf("%s: %v", name, err)
		}
	}
	theirs := filepath.Join(dir, ".git", "hooks", "pre-commit")
	// An earlier version wrote this one.
	earlier := `#!/bin/sh
# Written by gradine git install: no commit makes a proof worse, against none of the
# revisions that it joins. Git names those of a merge in its environment or its folder.
for revision in HEAD $(env | sed -n 's/^GITHEAD_\([0-9a-f]*\)=.*/\1/p') $(git rev-parse -q --verify MERGE_HEAD); do
	gradine review "$revision" --thorough --fail-on refuted,lost-proof || exit
done
`
	for _, x := range []struct{ old, want string }{
		{earlier, hook},
		{"#!/bin/sh\nmake\n", ""},
		{earlier + "make\n", ""},
		{strings.Replace(hook, "refuted,", "refuted,open,", 1), ""},
		{strings.Replace(earlier, "--fail-on", "# strict\n\t--fail-on", 1), ""},
		{strings.Replace(hook, "|| exit", "|| exit\n\tmake", 1), ""},
	} {
		if err := os.WriteFile(theirs, []byte(x.old), 0o777); err != nil {
			t.Fatal(err)
		}
		err := c.InstallHooks()
		if refused := err != nil && strings.Contains(err.Error(), "exists; add this line to it"); refused != (x.want == "") {
			t.Errorf("%q: %v", x.old, err)
		}
		if got := string(mustRead(t, theirs)); got != cmp.Or(x.want, x.old) {
			t.Errorf("%q is now %q", x.old, got)
		}
	}
}
