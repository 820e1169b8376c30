package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sentinel is what the host program puts into outputs before a launch.
const sentinel = 1234567891

// launched is one launch of a kernel, and what it has to write.
type launched struct {
	kernel        string
	local, groups int
	last          int // the parameter TS or tiles
	in, want      []int32
}

func (l launched) String() string {
	return fmt.Sprintf("%s, %d groups of %d, last parameter %d", l.kernel, l.groups, l.local, l.last)
}

// leastOfGroups is what the kernel minimum has to find: the least of TS elements for each
// work item, over the work items of each group.
func leastOfGroups(in []int32, groups int) (out []int32) {
	each := len(in) / groups
	for g := range groups {
		out = append(out, slices.Min(in[g*each:(g+1)*each]))
	}
	return out
}

// sumForAll is what the kernel tiled has to find: in each work item the sum of all tiles.
func sumForAll(in []int32, threads int) []int32 {
	sum := int32(0)
	for _, x := range in {
		sum += x
	}
	return slices.Repeat([]int32{sum}, threads)
}

// launches of both kernels, for work-groups and grids of the sizes given.
func launches(locals, grids, lasts []int) (all []launched) {
	r := rand.New(rand.NewSource(1))
	values := func(n int) []int32 {
		in := make([]int32, n)
		for i := range in {
			in[i] = r.Int31n(1<<21) - 1<<20 // sums stay within int
		}
		return in
	}
	for _, local := range locals {
		for _, groups := range grids {
			for _, last := range lasts {
				in := values(local * last)
				all = append(all, launched{"tiled", local, groups, last, in, sumForAll(in, local*groups)})
				if last > 0 { // a work item of minimum has an element at least
					in = values(local * groups * last)
					all = append(all, launched{"minimum", local, groups, last, in, leastOfGroups(in, groups)})
				}
			}
		}
	}
	return all
}

// hostProgram compiles testdata/launch.c, or skips the test where OpenCL is not at hand.
func hostProgram(t *testing.T) string {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("a C compiler is not installed")
	}
	dir := t.TempDir()
	compile := func(name, source string) (string, error) {
		binary := filepath.Join(dir, name)
		out, err := exec.Command(compiler, "-o", binary, source, "-lOpenCL").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		return binary, err
	}
	// A program of one call tells what is not installed from what is wrong with ours.
	least := filepath.Join(dir, "least.c")
	const call = "#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0); }\n"
	if err := os.WriteFile(least, []byte(call), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := compile("least", least); err != nil {
		t.Skip("headers or loader of OpenCL are not installed")
	}
	host, err := compile("launch", filepath.Join("testdata", "launch.c"))
	if err != nil {
		t.Fatal(err)
	}
	return host
}

// TestKernelsRun: the kernels of the folder kernels/, which are proved safe for every size,
// compute what they should with pocl, and with oclgrind, which shows no race either.
// The short form does without optimization, which takes longer than all the rest.
func TestKernelsRun(t *testing.T) {
	host := hostProgram(t)
	options, all := "-cl-opt-disable", launches([]int{1, 7, 16}, []int{1, 3}, []int{0, 1, 3})
	if os.Getenv("GRADINE_SWEEP") != "" {
		options, all = "", launches([]int{1, 2, 7, 32, 64}, []int{1, 3, 8}, []int{0, 1, 2, 5})
	}
	for _, runner := range []struct {
		name    string
		command []string
	}{
		{"pocl", []string{host, "Portable Computing Language", options}},
		{"oclgrind", []string{"oclgrind", "--data-races", "--uninitialized", host, "Oclgrind", options}},
	} {
		t.Run(runner.name, func(t *testing.T) {
			if _, err := exec.LookPath(runner.command[0]); err != nil {
				t.Skip(runner.name + " is not installed")
			}
			outputs, errs := runLaunches(t, runner.command, all)
			if errs != "" {
				t.Errorf("%s says: %s", runner.name, errs[:min(len(errs), 2000)])
			}
			if len(outputs) != len(all) {
				t.Fatalf("%d launches ran, want %d", len(outputs), len(all))
			}
			for i, l := range all {
				want := strings.Trim(fmt.Sprint(append(l.want, sentinel)), "[]")
				if outputs[i] != want {
					t.Errorf("%s:\n%s\nwant:\n%s", l, outputs[i], want)
				}
			}
		})
	}
}

// runLaunches is what the host program prints, a line a launch, and what it complains of.
func runLaunches(t *testing.T, command []string, all []launched) (lines []string, errs string) {
	var in strings.Builder
	for _, l := range all {
		fmt.Fprintln(&in, l.kernel, l.local, l.groups, l.last, len(l.want), len(l.in), strings.Trim(fmt.Sprint(l.in), "[]"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), fuse)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], append(command[1:], "../kernels/tiled.cl", "../kernels/minimum.cl")...)
	// Code for all sizes of groups is compiled once, into a cache of this test alone; two
	// threads are enough for groups to run at the same time.
	c.Env = append(os.Environ(), "POCL_CACHE_DIR="+t.TempDir(), "POCL_WORK_GROUP_SPECIALIZATION=0",
		"POCL_DEVICES=pthread", "POCL_MAX_PTHREAD_COUNT=2")
	c.Stdin = strings.NewReader(in.String())
	var complaints strings.Builder
	c.Stderr = &complaints
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 77 {
		t.Skip("the loader of OpenCL does not find this platform")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), complaints.String()
}
