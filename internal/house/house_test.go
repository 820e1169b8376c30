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

// kept are the limits that the code keeps already; the others are goals.
var kept = []string{
	"bodies of 30 lines and more with a comment, %", "locals and parameters of one letter, %",
	"cyclomatic complexity of the worst function", "fields of the largest struct",
}

// TestHouse measures this repository.
func TestHouse(t *testing.T) {
	h, err := measure("../..")
	if err != nil {
		t.Fatal(err)
	}
	limits := h.figures().limits()
	for _, name := range kept {
		if !slices.ContainsFunc(limits, func(l limit) bool { return l.name == name }) {
			t.Errorf("there is no limit %q", name)
		}
	}
	for _, l := range limits {
		if slices.Contains(kept, l.name) && !l.holds() {
			t.Errorf("%s: %g, and the limit is %g; go run ./internal/house -worst 5 names the places", l.name, l.value, l.bound)
		}
	}
	if testing.Verbose() {
		h.write(os.Stdout, 0)
	}
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
