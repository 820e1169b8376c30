package project_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gradine/gradine/project"
)

// TestStamp edits every file that a project is read from: each edit is noticed.
func TestStamp(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"gradine.toml": "[project.p]\nsources = [\"m\"]\n",
		"m/a.eventb":   "context a\nconstants c\naxioms\n  @c c = 1\nend\n",
		"m/a.hints":    "for a/c/WD\n  use c\n",
		"m/k.cl":       "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n",
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := project.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		before := project.Stamp(projects, nil)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if project.Stamp(projects, nil) == before {
			t.Errorf("an edit of %s is not noticed; the project is read from %v", name, projects[0].SourceFiles())
		}
	}
	before := project.Stamp(projects, nil)
	if err := os.WriteFile(filepath.Join(dir, "m/b.eventb"), []byte("context b\nend\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if project.Stamp(projects, nil) == before {
		t.Error("a new file is not noticed")
	}
}
