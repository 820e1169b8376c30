package clang

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/internal/corpus"
)

// installed are the compilers of this machine; tests that need one are skipped without.
func installed(t *testing.T) (out []Compiler) {
	for n := Oldest; n <= Newest; n++ {
		if c, err := Find(t.Context(), "clang-"+strconv.Itoa(n)); err == nil {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		c, err := Find(t.Context(), "")
		if err != nil {
			t.Skip(err)
		}
		out = append(out, c)
	}
	return out
}

// program writes an executable that runs a script, in a folder of its own.
func script(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "clang")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestFind(t *testing.T) {
	c, err := Find(t.Context(), script(t, "echo Debian clang version 16.0.6 '(15~deb12u1)'"))
	if err != nil || c.String() != "clang 16.0.6" || c.Major != 16 {
		t.Errorf("%v %v", c, err)
	}
	for text, want := range map[string]string{
		"echo clang version 13.0.1": "clang 13.0.1; gradine supports clang 14 to 21",
		"echo clang version 99.1.0": "clang 99.1.0; gradine supports clang 14 to 21",
		"echo gcc 12":               "is not clang",
	} {
		if _, err := Find(t.Context(), script(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(t.Context(), ""); !errors.Is(err, ErrNone) {
		t.Errorf("without clang: %v", err)
	}
	if _, err := Find(t.Context(), "clang-16"); err == nil || !strings.Contains(err.Error(), "--clang") {
		t.Errorf("a path that leads nowhere: %v", err)
	}
}

// TestCancelled: a run ends with its children when its context does.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	alive := filepath.Join(t.TempDir(), "alive")
	at := script(t, "(sleep 60; touch "+alive+") & echo started; sleep 60")
	done := make(chan error)
	go func() {
		_, err := run(ctx, "", t.TempDir(), at, nil)
		done <- err
	}()
	time.Sleep(50 * time.Millisecond) // the script may or may not have started: it ends in both cases
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	case <-time.After(corpus.Fuse):
		t.Fatal("the run goes on although it was cancelled")
	}
}

// TestTooLong: a compiler that does not end is ended with its children, and the answer says so; each process has 2 GiB of addresses.
func TestTooLong(t *testing.T) {
	defer func(was time.Duration) { mostTime = was }(mostTime)
	mostTime = 50 * time.Millisecond // whatever the machine, the script takes longer
	alive := filepath.Join(t.TempDir(), "alive")
	c := Compiler{Path: script(t, "(sleep 30; touch "+alive+") & sleep 60"), Version: "16.0.6", Major: 16}
	_, err := c.Compile(t.Context(), Source{Dir: "testdata", File: "headers.cu", Language: CUDA}, Options{})
	if err == nil || !strings.Contains(err.Error(), "was stopped after 50ms") {
		t.Errorf("%v", err)
	}
	mostTime = corpus.Fuse
	got, err := run(t.Context(), "", t.TempDir(), script(t, "ulimit -v"), nil)
	if err != nil || strings.TrimSpace(got.Stdout) != strconv.Itoa(mostMemory>>10) {
		t.Errorf("%v %q", err, got.Stdout)
	}
}

// TestEnvironment: what steers clang in the environment of the user does not reach it.
func TestEnvironment(t *testing.T) {
	t.Setenv("CPATH", "/elsewhere")
	t.Setenv("CCC_OVERRIDE_OPTIONS", "+-O3")
	got, err := run(t.Context(), "", t.TempDir(), script(t, "env"), nil)
	if err != nil || strings.Contains(got.Stdout, "CPATH") || strings.Contains(got.Stdout, "CCC_") {
		t.Errorf("%v\n%s", err, got.Stdout)
	}
}

// TestHeaders compiles a source that includes every header, with each clang that is installed.
func TestHeaders(t *testing.T) {
	for _, c := range installed(t) {
		u, err := c.Compile(t.Context(), Source{Dir: "testdata", File: "headers.cu", Language: CUDA}, Options{})
		if err != nil {
			t.Errorf("%v: %v\n%s", c, err, u.Messages)
			continue
		}
		if got := len(u.Kernels); got != 6 {
			t.Errorf("%v: the entries of %d kernels are in the IR, want 6", c, got)
		}
		// What has no meaning in C++ is declared, and stays so.
		for _, want := range []string{"@llvm.nvvm.barrier0()", "atomicrmw fadd ptr", "grid_group4syncEv", "BlockReduceIfLi128", "@__assertfail", "monotonic"} {
			if !strings.Contains(string(u.IR), want) {
				t.Errorf("%v: %s is not in the IR", c, want)
			}
		}
		for _, never := range []string{" seq_cst", os.TempDir()} {
			if strings.Contains(string(u.IR), never) {
				t.Errorf("%v: %s is in the IR", c, never)
			}
		}
	}
}

// TestOptions: nothing that passes through becomes another flag.
func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{Include: []string{"-pch"}}, {Forced: []string{"-pch"}}, {System: []string{""}}, {Defines: []string{"X"}}, {Defines: []string{"DA\nB"}},
		{Std: "c++17 -fplugin=x"}, {Arch: "sm_80 @file"}, {Instances: []string{"k<1>; int x"}}, {Instances: []string{"k"}}, {Forced: []string{"a\x00b"}},
	} {
		if o.Check() == nil {
			t.Errorf("%+v passes", o)
		}
	}
	args := strings.Fields("nvcc -O3 -Xclang -load -Xclang evil.so -fplugin=evil.so @rsp -DN=4 -D M -UX -Iinc -I /abs -isystem sys -include pre.h -std=c++20 --cuda-gpu-arch=sm_75 -o out.o -c k.cu")
	got := Arguments(args, "/build")
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	want := "-DN=4 -DM -UX -I/build/inc -I/abs -isystem/build/sys -include/build/pre.h"
	if s := strings.Join(got.passed(), " "); s != want || got.Std != "c++20" || got.Arch != "sm_75" {
		t.Errorf("%s %+v, want %s", s, got, want)
	}
}

// TestMacros: the names of parameters in the headers are no names that macros of users have.
func TestMacros(t *testing.T) {
	var o Options
	for c := 'A'; c <= 'Z'; c++ {
		o.Defines = append(o.Defines, "D"+string(c)+"=4", "D"+string(c)+"2=4")
	}
	for _, w := range strings.Fields("BOTH NAME CHECK FUNCTION COMPARE BINARY MAX MIN HALF WARP SIZE BLOCK STATE OTHER RAW TILE WIDTH CUB CG") {
		o.Defines = append(o.Defines, "D"+w+"=4")
	}
	for _, c := range installed(t) {
		u, err := c.Compile(t.Context(), Source{Dir: "testdata", File: "macros.cu", Language: CUDA}, o)
		if err != nil || len(u.Kernels) != 6 || len(u.Lost) > 0 {
			t.Errorf("%v: %v %v\n%s", c, err, u.Lost, u.Messages)
		}
	}
}

// TestHIP: HIP compiles without ROCm.
func TestHIP(t *testing.T) {
	for _, c := range installed(t) {
		u, err := c.Compile(t.Context(), Source{Dir: "testdata", File: "small.hip", Language: HIP}, Options{})
		if err != nil {
			t.Errorf("%v: %v\n%s", c, err, u.Messages)
			continue
		}
		if len(u.Kernels) != 2 || len(u.Blanked)+len(u.Lost) > 0 || !strings.Contains(string(u.IR), "@llvm.amdgcn.s.barrier()") {
			t.Errorf("%v: %v %v %v", c, u.Kernels, u.Blanked, u.Lost)
		}
	}
}
