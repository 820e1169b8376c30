package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/internal/corpus"
)

// compiler is the clang that is installed; a test without one is skipped with a word.
func compiler(t testing.TB) clang.Compiler {
	c, err := clang.Find(context.Background(), os.Getenv("CLANG"))
	if errors.Is(err, clang.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestReadingModules is TestReading of what clang makes of the same kernels.
func TestReadingModules(t *testing.T) {
	c := compiler(t)
	for _, s := range spellings {
		t.Run(s.file, func(t *testing.T) {
			if _, err := exec.LookPath(s.tool); err != nil {
				t.Skip(s.tool + " is not installed")
			}
			s.module = func(t *testing.T, dir, file, src string) ([]byte, gpu.Options) {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(src), 0o600); err != nil {
					t.Fatal(err)
				}
				ir, opts, why := moduleOf(t, c, dir, file)
				if why != "" {
					t.Fatalf("%s\n%s", why, src)
				}
				return ir, gpu.Options{Launch: opts}
			}
			s.reads(t)
		})
	}
}

// TestCompiledFaults: what the headers say of functions of a toolkit must not be more than these promise. None
// of these kernels is safe in a grid of several groups.
func TestCompiledFaults(t *testing.T) {
	c := compiler(t)
	const state = "curandState *s = (curandState *)a; curandState l; "
	bodies := []string{
		state + "curand_init(1, threadIdx.x, 0, s);",
		state + "curand_init(1, threadIdx.x, 0, s + threadIdx.x); curand(s + (threadIdx.x ^ 1));",
		state + "a[16 * (threadIdx.x + blockIdx.x * blockDim.x)] = curand(s);",
		state + "curand_uniform(s + threadIdx.x / 2);",
		state + "curand_normal(s + blockIdx.x);",
		state + "curand_init(1, 2, 3, &l); a[curand(&l)] = threadIdx.x;",
		state + "l = s[threadIdx.x]; curand4(&l); s[threadIdx.x] = l;",
		`printf("%s", (char *)a); a[threadIdx.x + blockIdx.x * blockDim.x] = 1;`,
		`printf("%d%n", 1, a);`,
		"a[tex1Dfetch<int>((cudaTextureObject_t)7, (int)threadIdx.x)] = threadIdx.x;",
		"atomicAdd_block(a, 1);",
		"__scoped_atomic_fetch_add(a, 1, __ATOMIC_RELAXED, 2);",
		"__hip_atomic_fetch_add(a, 1, __ATOMIC_RELAXED, 2);",
		"atomicCAS_block(a, 0, 1);",
		"atomicExch_block((float *)a, 1.0f);",
		"atomicMax_block((unsigned long long *)a, 1ull);",
		"__shared__ int s[64]; s[threadIdx.x] = 1; __syncwarp(); a[threadIdx.x] = s[threadIdx.x ^ 1];",
		"__shared__ int s[64]; s[threadIdx.x] = 1; __threadfence_block(); a[threadIdx.x] = s[threadIdx.x ^ 1];",
		"if (__any_sync(~0u, threadIdx.x == 40)) __syncthreads();",
		"a[__shfl_sync(~0u, threadIdx.x, 0)] = threadIdx.x;",
		"sincosf(1.0f, (float *)a, (float *)a + 1);",
		"frexpf(1.0f, a);",
		"__stcg(a + threadIdx.x / 2, (int)threadIdx.x);",
	}
	// One compilation reads all but those that some compilers refuse.
	var together []string
	var compiled [][]string
	for _, body := range bodies {
		if strings.Contains(body, "_atomic_fetch_add(") {
			compiled = append(compiled, []string{body})
		} else {
			together = append(together, body)
		}
	}
	for _, bodies := range append(compiled, together) {
		dir := t.TempDir()
		src := "//--blockDim=64 --gridDim=4\n#include <curand_kernel.h>\n"
		for i, body := range bodies {
			src += fmt.Sprintf("__global__ void k%d(int *a) { %s }\n", i, body)
		}
		if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		ir, opts, why := moduleOf(t, c, dir, "k.cu")
		if why != "" {
			if len(bodies) > 1 || !strings.Contains(why, "has_no_scope") {
				t.Errorf("%s: %s", bodies[0], why)
			}
			continue
		}
		reports := gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts})
		if len(reports) != len(bodies) {
			t.Errorf("%d reports about %d kernels", len(reports), len(bodies))
		}
		for _, r := range reports {
			if r.Verdict == gpu.Safe {
				t.Errorf("%s: %v", r.Kernel, r)
			}
		}
	}
}

// TestHIP: shuffles, votes and fences of HIP give any value, and order nothing.
func TestHIP(t *testing.T) {
	c := compiler(t)
	for body, want := range map[string]gpu.Verdict{
		"a[i] = __shfl_down(i, 1);":                                gpu.Safe,
		"a[i] = __shfl_xor((float)i, 1) + __any(i) + __ballot(i);": gpu.Safe,
		"a[__shfl(i, 0)] = i;":                                     gpu.Possible,
		"if (__all(i > 3)) a[i] = 1; else a[0] = i;":               gpu.Possible,
		"a[i] = 1; __threadfence(); a[i ^ 1] = 2;":                 gpu.Unsafe,
		"if (__any(i > 3)) __syncthreads();":                       gpu.Possible,
	} {
		dir := t.TempDir()
		src := "//--blockDim=64 --gridDim=4\n#include <hip/hip_runtime.h>\n__global__ void k(int *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; " + body + " }\n"
		if err := os.WriteFile(filepath.Join(dir, "k.hip"), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		ir, opts, why := moduleOf(t, c, dir, "k.hip")
		if why != "" {
			t.Errorf("%s: %s", body, why)
			continue
		}
		reports := gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts})
		if len(reports) != 1 || reports[0].Verdict != want {
			t.Errorf("%s: %v", body, reports)
		}
	}
}

// compiledText is the module of a text, compiled as a file of that name, and the options in its first line.
func compiledText(t testing.TB, c clang.Compiler, name, text string) (ir []byte, opts launch.Options) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ir, opts, why := moduleOf(t, c, dir, name)
	if why != "" {
		t.Fatal(why)
	}
	return ir, opts
}

// moduleOf is what clang makes of a file of the corpus, and how its header says that it is launched.
func moduleOf(t testing.TB, c clang.Compiler, dir, path string) (ir []byte, opts launch.Options, why string) {
	src, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		t.Fatal(err)
	}
	opts, unknown := launch.HeaderOptions(src)
	if unknown != "" {
		return nil, opts, unknown
	}
	var defines []string
	for _, d := range opts.Defines {
		defines = append(defines, "D"+d)
	}
	u, err := c.Compile(context.Background(), clang.Source{Dir: dir, File: path, Language: clang.LanguageOf(path)}, clang.Options{Defines: defines})
	if err != nil {
		return nil, opts, err.Error()
	}
	return u.IR, opts, ""
}

var labelsHost = regexp.MustCompile(`\bmain\s*\(`)

// TestLabelledModules judges the labelled kernels as clang compiles them: no kernel that is labelled as
// failing may be safe. It takes what TestLabelledKernels takes; READERS=1 judges each as C, too, and prints
// where the two differ.
func TestLabelledModules(t *testing.T) {
	dir := corpus.Path(t, "kernels")
	c := compiler(t)
	tiers, only := os.Getenv("KERNELS"), os.Getenv("KERNELS_ONLY")
	step := 1
	if tiers == "" && only == "" {
		tiers, step = "1", 4
	}
	table := map[string]map[string]int{}
	refused := map[string]int{}
	n := 0
	for _, k := range readIndex(t, dir) {
		if !strings.Contains(k.path, only) || tiers != "" && !strings.Contains(tiers, k.tier) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, k.path))
		if err != nil {
			t.Fatal(err)
		}
		if labelsHost.Match(src) { // its label is about the host as well
			continue
		}
		if n++; n%step != 0 {
			continue
		}
		if table[k.tier] == nil {
			table[k.tier] = map[string]int{}
		}
		row := table[k.tier]
		ir, opts, why := moduleOf(t, c, dir, k.path)
		if why != "" {
			row["not compiled"]++
			t.Logf("tier %s %s: not compiled: %s", k.tier, k.path, why)
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), fuse)
		verdict, why := worst(gpu.File(ctx, k.path+".ll", ir, gpu.Options{Launch: opts}))
		cancel()
		what := string(verdict)
		switch {
		case verdict == gpu.Unsupported:
			refused[why]++
		case verdict == gpu.Open:
		case (k.expected == "pass") == (verdict == gpu.Safe):
			what = "right"
		case verdict == gpu.Safe && k.tier != "X":
			what = "safe though failing"
			t.Errorf("%s is safe, but labelled as failing", k.path)
		default:
			what = "wrong"
		}
		row[what]++
		if what == "right" && os.Getenv("READERS") == "" {
			continue
		}
		other := ""
		if os.Getenv("READERS") != "" {
			v, why := worst(gpu.File(context.Background(), k.path, src, gpu.Options{}))
			if v == verdict {
				continue
			}
			other = fmt.Sprintf("; as C %s:%.300s", v, why)
		}
		t.Logf("tier %s %s: %s, labelled %s:%.300s%s", k.tier, k.path, verdict, k.expected, why, other)
	}
	for _, tier := range slices.Sorted(maps.Keys(table)) {
		t.Logf("tier %s: %v", tier, table[tier])
	}
	for _, why := range slices.SortedFunc(maps.Keys(refused), func(a, b string) int { return refused[b] - refused[a] }) {
		t.Logf("refused %d: %s", refused[why], why)
	}
}
