package project_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/project"
)

// TestCountsRemembered: only what is new is compiled, and what is counted is the same with a store and without.
func TestCountsRemembered(t *testing.T) {
	if testing.Short() {
		t.Skip("clang takes seconds")
	}
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const kernel = `__global__ void scale(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += block_size_x * each) a[i] *= 2;
}
`
	const table = `problem_size = 4096
arguments = { n = 640 }
device = "rtx-a6000"
[tune_params]
block_size_x = [32, 64]
`
	wrapper := ""
	store := proofstore.OpenStore(t.TempDir())
	ask := func(store *proofstore.Store, program string) *project.Counted {
		t.Helper()
		c, err := (project.KernelSource{File: filepath.Join(dir, "k.cu"), Table: filepath.Join(dir, "k.toml"), Clang: wrapper, Counts: project.CountStore{Store: store, Program: program}}).Count(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c[0]
	}
	count := func(what string, compiled int) (is *project.Counted) {
		t.Helper()
		if is = ask(store, "a build"); is.Compiled != compiled {
			t.Errorf("%s: %d configurations are compiled, not %d", what, is.Compiled, compiled)
		}
		return is
	}
	compare := func(is *project.Counted) {
		t.Helper()
		was := ask(nil, "")
		if !reflect.DeepEqual(project.Counts{is}.Text(), project.Counts{was}.Text()) || is.Classes != was.Classes || !reflect.DeepEqual(is.Idle, was.Idle) || !reflect.DeepEqual(is.Parameters, was.Parameters) {
			t.Error("what is remembered is not what is counted")
		}
	}
	write("k.cu", kernel)
	write("k.toml", table+"each = [1, 2]\n")
	count("the first time", 4)
	count("again", 1) // the first configuration is always read
	write("k.toml", table+"each = [1, 2, 4]\n")
	compare(count("with a new value", 3))
	write("k.toml", table+"each = [1]\n")
	write("k.cu", kernel+"// changed\n")
	count("with another source", 2)
	key, err := answer.NewKey("0123456789abcdef0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	if other := ask(store.WithKey(key), "a build"); other.Compiled != 2 {
		t.Errorf("a reader with another key compiles %d", other.Compiled)
	}
	wrapper = filepath.Join(dir, "wrapper")
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\nexec '"+compiler.Path+"' \"$@\"\n"), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	for range 2 {
		count("by a script, which may give other options tomorrow", 2)
	}
	wrapper = ""
	write("more.h", "#define factor 2\n")
	for _, include := range []string{"#include", "#inc\\ \nlude"} { // blanks may stand between the backslash and the line break
		write("k.cu", include+" \"more.h\"\n"+kernel)
		for range 2 {
			count("a source with other files", 2)
		}
	}
}
