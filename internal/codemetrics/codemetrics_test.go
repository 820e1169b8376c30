package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSmall measures a package whose numbers are plain to see.
func TestSmall(t *testing.T) {
	h, err := measure("testdata/small")
	if err != nil {
		t.Fatal(err)
	}
	f := h.figures()
	i := slices.IndexFunc(h.functions, func(x function) bool { return strings.HasSuffix(x.at, "T.long") })
	if i < 0 {
		t.Fatalf("functions %v", h.functions)
	}
	// for, if, &&, ||, case; sum, n, i; the comments of two lines.
	want := function{at: "a.go:13 T.long", lines: 12, comments: 2, cyclomatic: 6, locals: 3, short: 2}
	if h.functions[i] != want {
		t.Errorf("long is %+v, want %+v", h.functions[i], want)
	}
	if f.fields != 3 || f.largest != 26 || len(h.structs) != 2 {
		t.Errorf("%d fields, %d lines of code, structs %v", f.fields, f.largest, h.structs)
	}
	// a uses b, which uses a back and c: one of the first two runs up.
	if p := h.packages[0]; p.arrows != 3 || p.up != 1 {
		t.Errorf("%d arrows, %d up: %v", p.arrows, p.up, p.upward)
	}
}

// TestHouse measures this repository: the report is complete, and judges nothing.
func TestHouse(t *testing.T) {
	h, err := measure("../..")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	h.write(&out, 1)
	for _, f := range h.figures().shown() {
		if !strings.Contains(out.String(), f.name) {
			t.Errorf("the report lacks %q", f.name)
		}
	}
	t.Log(out.String())
}

// TestDocumentsNameFiles: the files that CONTRIBUTING.md and docs/architecture.md
// send a reader to are there.
func TestDocumentsNameFiles(t *testing.T) {
	path := regexp.MustCompile("`([\\w./-]*/[\\w./-]+)`")
	for _, name := range []string{"CONTRIBUTING.md", "docs/architecture.md"} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range path.FindAllStringSubmatch(string(data), -1) {
			if file := strings.TrimSuffix(m[1], "/..."); !strings.HasPrefix(file, "dist/") {
				found++
				if _, err := os.Stat("../../" + file); err != nil {
					t.Errorf("%s names %s: %v", name, file, err)
				}
			}
		}
		if found < 10 {
			t.Errorf("%s names only %d files", name, found)
		}
	}
}
