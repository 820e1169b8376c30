package count_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/gpu/llvm"
)

// The reference: clang compiles the kernel for the host and traces it; see testdata/runtime.cpp.

//go:embed testdata/runtime.cpp
var hostRuntime []byte

//go:embed testdata/host.h
var hostHeader []byte

// host runs kernels on this machine, as clang has instrumented them.
type host struct {
	clangxx, dir string
}

func newHost(t *testing.T) (host, clang.Compiler) {
	t.Helper()
	c, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	path, err := exec.LookPath(c.Path + "++")
	if err != nil {
		t.Skip("no clang++ that can trace")
	}
	h := host{path, t.TempDir()}
	for name, text := range map[string][]byte{"runtime.cpp": hostRuntime, "host.h": hostHeader} {
		if err := os.WriteFile(filepath.Join(h.dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.must(t, h.clangxx, "-std=c++17", "-O1", "-c", "runtime.cpp", "-o", "runtime.o")
	return h, c
}

func (h host) must(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	var stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Stderr = h.dir, &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return out
}

// hosted is a kernel and its launch.
type hosted struct {
	name        string
	source      string // for both
	call        string // of the kernel, on the host: run(a, b, 5)
	arrays      string // of the host: variables that the call mentions
	block, grid [3]int64
	args        map[string]int64
	warp        int64
}

func (k hosted) at() [3]int64 { return [3]int64{k.grid[0] / 2, k.grid[1] / 2, k.grid[2] / 2} }

// total is what accesses of one kind come to: threads, warps, and sectors and lines or passes.
type total [5]int64

var units = [...]string{"threads", "warps", "sectors", "lines", "passes"}

// runs are what the blocks of kernels do, as they are traced: by space and kind of access, and barriers.
func (h host) runs(t *testing.T, all []hosted) (out []map[string]total) {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include \"host.h\"\n")
	for i, k := range all {
		fmt.Fprintf(&b, "namespace k%d {\n#line 1\n%s\n%s\n}\n", i, k.source, k.arrays)
	}
	b.WriteString("#include <cstdlib>\nint main(int, char **v) {\n  switch (atoi(v[1])) {\n")
	for i, k := range all {
		at := k.at()
		fmt.Fprintf(&b, "  case %d: { using namespace k%d; blockDim = {%d, %d, %d}; gridDim = {%d, %d, %d}; blockIdx = {%d, %d, %d};\n    gradine_block(%d, %d, %d, %d, gradine_ids, [] { %s; }); break; }\n", i, i,
			k.block[0], k.block[1], k.block[2], k.grid[0], k.grid[1], k.grid[2], at[0], at[1], at[2], k.block[0], k.block[1], k.block[2], max(k.warp, 32*(1-min(k.warp, 1))), k.call)
	}
	b.WriteString("  }\n}\n")
	if err := os.WriteFile(filepath.Join(h.dir, "all.cpp"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must(t, h.clangxx, "-std=c++17", "-O0", "-w", "-fsanitize-coverage=trace-pc,no-prune,trace-loads,trace-stores", "-c", "all.cpp", "-o", "all.o")
	h.must(t, h.clangxx, "all.o", "runtime.o", "-o", "all")
	for i := range all {
		sums := map[string]total{}
		for line := range strings.Lines(string(h.must(t, filepath.Join(h.dir, "all"), fmt.Sprint(i)))) {
			var space, kind string
			var s total
			if n, _ := fmt.Sscanf(line, "barriers %d", &s[0]); n == 1 {
				sums["barriers"] = s
				continue
			}
			if _, err := fmt.Sscan(line, &space, &kind, &s[0], &s[1], &s[2], &s[3], &s[4]); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			sums[space+" "+kind] = s
		}
		out = append(out, sums)
	}
	return out
}

// counted is the same as count reads it off the IR: at least and at most.
func counted(b *count.Block) (low, high map[string]total) {
	low, high = map[string]total{}, map[string]total{}
	for _, a := range b.Accesses {
		if a.Space == count.Local {
			continue
		}
		key := map[count.Space]string{count.Global: "g", count.Any: "g", count.Shared: "s", count.Constant: "c"}[a.Space]
		switch {
		case a.Atomic:
			key += " A"
		case a.Store:
			key += " S"
		default:
			key += " L"
		}
		l, h := low[key], high[key]
		for i, r := range []count.Range{a.Threads, a.Warps, a.Sectors, a.Lines, a.Passes} {
			l[i] += r.Low
			h[i] += r.High
		}
		low[key], high[key] = l, h
	}
	low["barriers"], high["barriers"] = total{b.Barriers.Low}, total{b.Barriers.High}
	return low, high
}

// outcome of a comparison.
type outcome int

const (
	equal outcome = iota
	bounded
	refused
)

// compare holds the counts of a kernel against its run.
func compare(t *testing.T, k hosted, run map[string]total, b *count.Block, err error) outcome {
	t.Helper()
	if err != nil {
		if r, ok := err.(*count.Refusal); !ok || r.At.Line == 0 || r.Why == "" {
			t.Errorf("%s: refused without a line: %v\n%s", k.name, err, k.source)
		}
		return refused
	}
	out := equal
	low, high := counted(b)
	keys := maps.Clone(high)
	maps.Copy(keys, run)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		for i, unit := range units {
			l, h, was := low[key][i], high[key][i], run[key][i]
			if was < l || was > h {
				t.Errorf("%s: %s of %s: counted %d to %d, but there are %d, in blocks of %v, grid %v, arguments %v, notes %v\n%s", k.name, unit, key, l, h, was, k.block, k.grid, k.args, b.Notes, k.source)
				return bounded
			}
			if l != h {
				out = bounded
			}
		}
	}
	if out == bounded && len(b.Notes) == 0 {
		t.Errorf("%s: bounds without a note\n%s", k.name, k.source)
	}
	return out
}

// blocks counts kernels from the IR of one file.
func blocks(t *testing.T, c clang.Compiler, all []hosted) (out []*count.Block, errs []error) {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	for i, k := range all {
		fmt.Fprintf(&b, "namespace k%d {\n#line 1\n%s\n}\n", i, k.source)
	}
	if err := os.WriteFile(filepath.Join(dir, "all.cu"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := c.Compile(t.Context(), clang.Source{Dir: dir, File: "all.cu", Language: clang.CUDA}, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, problem := llvm.Parse("all.ll", u.IR)
	if problem != nil {
		t.Fatal(problem)
	}
	kernels := map[string]*llvm.Function{}
	for _, f := range m.Functions {
		if m.IsKernel(f) && strings.Contains(f.Name, "3run") {
			space, _, _ := strings.Cut(f.Name[strings.Index(f.Name, "k"):], "3run")
			kernels[space] = f
		}
	}
	for i, k := range all {
		f := kernels[fmt.Sprintf("k%d", i)]
		if f == nil {
			t.Fatalf("no kernel k%d", i)
		}
		block, err := count.Kernel(m, f, count.Launch{Block: k.block, Grid: k.grid, Args: k.args, Warp: k.warp}, k.at())
		out, errs = append(out, block), append(errs, err)
	}
	return out, errs
}

func TestCountsAgainstRuns(t *testing.T) {
	h, c := newHost(t)
	total := 100
	if testing.Short() {
		total = 50
	}
	if n := os.Getenv("GRADINE_COUNTED"); n != "" {
		fmt.Sscan(n, &total)
	}
	first := 0 // another one makes other kernels
	if s := os.Getenv("GRADINE_SEED"); s != "" {
		fmt.Sscan(s, &first)
	}
	const together = 50
	var tally [3]int
	for from := 0; from < total; from += together {
		var all []hosted
		for seed := from; seed < min(from+together, total); seed++ {
			all = append(all, randomKernel(uint64(first+seed)))
		}
		runs := h.runs(t, all)
		bs, errs := blocks(t, c, all)
		for i, k := range all {
			tally[compare(t, k, runs[i], bs[i], errs[i])]++
		}
	}
	t.Logf("%d kernels: %d equal, %d within bounds that are named, %d refused with a line", total, tally[equal], tally[bounded], tally[refused])
	if tally[equal] < total/2 {
		t.Errorf("only %d of %d kernels are counted exactly", tally[equal], total)
	}
}

// TestStartsAgainstRuns: where data move the places of a warp together, the count is that of places side by side, and one more
// part at most; where they move its threads apart, any number. What warps share is not assumed.
func TestStartsAgainstRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles for the host: the full form has it")
	}
	h, c := newHost(t)
	const source = `__global__ void run(float *a, const int *s, const float *b) {
  int y = threadIdx.y, x = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; k++) sum += b[x + s[k * 64 + y] + 4096 * k];
  a[y * blockDim.x + x] = sum;
}`
	const arrays = `#define HARNESS static __attribute__((section("gharness")))
HARNESS float *a0 = (float *)gradine_array(4 << 20), *b0 = (float *)gradine_array(4 << 20);
HARNESS int *s0 = [] { int *s = (int *)gradine_array(1024); for (int i = 0; i < 256; i++) s[i] = i * 37 % 1024; return s; }();`
	var all []hosted
	for _, block := range [][3]int64{{32, 8, 1}, {64, 4, 1}, {8, 32, 1}, {96, 2, 1}, {40, 4, 1}} {
		all = append(all, hosted{name: fmt.Sprint(block), source: source, arrays: arrays, call: "run(a0, s0, b0)", block: block, grid: [3]int64{1, 1, 1}})
	}
	rows := len(all)
	for _, index := range []string{"s[1] * x", "x * s[1]", "s[1] << (x & 3)", "(s[0] + x) * s[1]", "(s[0] + x) * 3", "s[2] - x + s[1] * 2"} {
		text := "__global__ void run(float *a, const int *s, const float *b) {\n  int x = threadIdx.x;\n  a[x] = b[" + index + "];\n}"
		all = append(all, hosted{name: index, source: text, arrays: arrays, call: "run(a0, s0, b0)", block: [3]int64{64, 1, 1}, grid: [3]int64{1, 1, 1}})
	}
	runs := h.runs(t, all)
	bs, errs := blocks(t, c, all)
	for i, k := range all {
		if compare(t, k, runs[i], bs[i], errs[i]) != bounded {
			t.Fatalf("%s: %v", k.name, errs[i])
		}
		if i >= rows {
			continue
		}
		x, y := k.block[0], k.block[1]
		for _, a := range bs[i].Accesses {
			if a.Object != "b" {
				continue
			}
			// A row of whole warps takes one line more at most; a warp of several rows may take one for each thread.
			most := 4 * bs[i].Warps * 2
			if x%32 != 0 {
				most = 4 * x * y
			}
			if a.Lines.High != most {
				t.Errorf("%s: %d lines at most, want %d", k.name, a.Lines.High, most)
			}
		}
		// The rows of different y may lie anywhere, so all of them are exchanged.
		if read := bs[i].Read[1]; read < 4*4*x*y {
			t.Errorf("%s: %d bytes are read, but there may be %d", k.name, read, 4*4*x*y)
		}
	}
}

// The measured kernel of the development, in configurations of its public space.
func TestConvolutionAgainstRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	h, c := newHost(t)
	text, err := os.ReadFile("../../bench/gpu/convolution.cu")
	if err != nil {
		t.Fatal(err)
	}
	source := regexp.MustCompile(`(?m)^__device__ (int|long long) \w+\[.*\n|extern "C" `).ReplaceAllString(string(text), "")
	w := rand.New(rand.NewPCG(4096, 15))
	var all []hosted
	for len(all) < 24 {
		x, y := int64(16+16*w.IntN(16)), int64(1)<<w.IntN(5)
		if x*y > 256 && len(all)%4 != 0 || x*y > 1024 {
			continue
		}
		p := map[string]int64{"BLOCK_SIZE_X": x, "BLOCK_SIZE_Y": y, "TILE_SIZE_X": int64(1 + w.IntN(4)), "TILE_SIZE_Y": int64(1 + w.IntN(4)), "READ_ONLY": int64(w.IntN(2)), "USE_PADDING": int64(w.IntN(2)), "USE_SHMEM": int64(w.IntN(2))}
		if tall := y*p["TILE_SIZE_Y"] + 14; tall*(x*p["TILE_SIZE_X"]+14)*4 > 49152 {
			continue
		}
		var b strings.Builder
		for _, name := range append(slices.Sorted(maps.Keys(p)), "element") {
			fmt.Fprintf(&b, "#undef %s\n", name)
			if v, ok := p[name]; ok {
				fmt.Fprintf(&b, "#define %s %d\n", name, v)
			}
		}
		b.WriteString(source)
		grid := func(tile int64) int64 { return (4096 + tile - 1) / tile }
		all = append(all, hosted{
			name: fmt.Sprint(p), source: b.String(), block: [3]int64{x, y, 1}, grid: [3]int64{grid(x * p["TILE_SIZE_X"]), grid(y * p["TILE_SIZE_Y"]), 1},
			arrays: "static __attribute__((section(\"gharness\"))) float *a0 = (float *)gradine_array(4110LL * 4110 * 4), *b0 = (float *)gradine_array(4096LL * 4096 * 4);", call: "run(a0, b0)",
		})
	}
	runs := h.runs(t, all)
	bs, errs := blocks(t, c, all)
	for i, k := range all {
		if compare(t, k, runs[i], bs[i], errs[i]) != equal {
			t.Errorf("%s: not counted exactly: %v", k.name, errs[i])
		}
	}
}
