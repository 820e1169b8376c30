package gpu_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/internal/corpus"
)

// launchProgram is a kernel with a function of the host that launches it rightly, and what makes one fact of it wrong each: texts, and
// what stands for them.
type launchProgram struct {
	name, kernel, host string
	wrong              [][2]string
	open               bool // what is right is not proved to be so
	folded             bool // newer compilers drop a condition that its proof needs
	cuda               bool // HIP has no table row for what it calls
}

// launchPrograms take n and m from their callers.
var launchPrograms = []launchProgram{
	{name: "guarded", kernel: `__global__ void guarded(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2 * a[i]; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); guarded<<<(n + 255) / 256, 256>>>(a, n);`,
		wrong: [][2]string{
			{"n * sizeof(float)", "n * sizeof(short)"}, {"n * sizeof(float)", "n"}, {"n * sizeof(float)", "(n - 1) * sizeof(float)"},
			{"n * sizeof(float)", "n / 256 * 256 * sizeof(float)"}, {"(a, n)", "(a, n + 1)"}, {"(a, n)", "(a, 2 * n)"}, {"(a, n)", "(a + 1, n)"},
			{"n * sizeof(float)", "m * sizeof(float)"}, {"(a, n);", "(a, n); n = n + 7; guarded<<<(n + 255) / 256, 256>>>(a, n);"},
			{"(n + 255) / 256, 256", "dim3((n + 255) / 256, 2), 256"}, {"(n + 255) / 256, 256", "(n + 255) / 256, dim3(256, 2)"},
			{"guarded<<<", "other(&n); guarded<<<"}, {"guarded<<<", "float *q = a; cudaFree(q); guarded<<<"}, {"guarded<<<", "cudaFree(a); guarded<<<"}, {"cudaMalloc(&a, n * sizeof(float));", "cudaMalloc(&a, n * sizeof(float)); if (m > 3) cudaMalloc(&a, 4);"},
		}},
	{name: "padded", kernel: `__global__ void padded(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }`,
		host: `int blocks = (n + 127) / 128; int *a; cudaMalloc((void **)&a, blocks * 128 * sizeof(int)); dim3 grid(blocks), block(128); padded<<<grid, block>>>(a);`,
		wrong: [][2]string{
			{"grid(blocks)", "grid(blocks + 1)"}, {"block(128)", "block(256)"}, {"blocks * 128 * sizeof(int)", "n * sizeof(int)"},
			{"padded<<<", "grid.x = blocks + 1; padded<<<"}, {"padded<<<", "block.x *= 2; padded<<<"}, {"blocks * 128 * sizeof(int)", "n / 128 * 128 * sizeof(int)"},
		}},
	{name: "tile", kernel: `__global__ void tile(const int *a, int *out) { __shared__ int s[64]; int t = threadIdx.x; s[t % 64] = t; __syncthreads(); out[blockIdx.x * blockDim.x + t] = s[(t + 1) % 64] + a[blockIdx.x]; }`,
		host:  `int *a, *out; cudaMalloc(&a, n * 4); cudaMalloc(&out, n * 64 * 4); tile<<<n, 64>>>(a, out);`,
		wrong: [][2]string{{"n, 64>>>", "n, 128>>>"}, {"(a, out);", "(a, out); tile<<<n / 2, 128>>>(a, out);"}, {"n, 64>>>", "n + 1, 64>>>"}, {"n * 64 * 4", "n * 64"}, {"(a, out)", "(out, out)"}}},
	{name: "blocks", kernel: `__global__ void blocks(const int *a, int *sums, int n) { if (threadIdx.x == 0) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; sums[blockIdx.x] = s; } }`,
		host:  `int *a, *sums; int g = (n + 31) / 32; cudaMalloc(&a, n * 4); cudaMalloc(&sums, g * 4); blocks<<<g, 32>>>(a, sums, n);`,
		wrong: [][2]string{{"g * 4", "n / 32 * 4"}, {"<<<g, 32", "<<<g + 1, 32"}, {"sums, n)", "sums, n + 1)"}, {"(a, sums", "(sums, sums"}, {"g * 4", "g * 2"}}},
	{name: "shift", kernel: `__global__ void shift(const int *in, int *out, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i + 1 < n) out[i] = in[i + 1]; }`,
		host:  `int *a, *b; cudaMalloc(&a, n * sizeof(int)); cudaMalloc(&b, n * sizeof(int)); shift<<<(n + 63) / 64, 64>>>(a, b, n);`,
		wrong: [][2]string{{"(a, b, n)", "(a, a, n)"}, {"shift<<<", "int *q = a; b = q; shift<<<"}, {"(a, b, n)", "(a, a + 2, n - 2)"}, {"(n + 63) / 64, 64>>>", "(n + 63) / 64, 128>>>"}}},
	{name: "helper", kernel: `__global__ void helper(const int *in, int *out, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i + 1 < n) out[i] = in[i + 1]; }
static void by(int *x, int *y, int k) { helper<<<(k + 63) / 64, 64>>>(x, y, k); }`,
		host:  `int *a, *b; cudaMalloc(&a, n * sizeof(int)); cudaMalloc(&b, n * sizeof(int)); by(a, b, n);`,
		wrong: [][2]string{{"by(a, b, n)", "by(a, a, n)"}, {"by(a, b, n)", "by(a, b, n + 1)"}, {"by(a, b, n)", "by(a, b, n); by(b, b, n)"}}},
	{name: "stride", kernel: `__global__ void stride(int *a, int s) { a[threadIdx.x * s] += threadIdx.x; }`,
		host:  `int *a; cudaMalloc(&a, 1024 * sizeof(int)); stride<<<1, 256>>>(a, 4);`,
		wrong: [][2]string{{"(a, 4)", "(a, 0)"}, {"(a, 4)", "(a, 5)"}, {"<<<1, 256", "<<<1, 257"}, {"<<<1, 256", "<<<2, 256"}, {"(a, 4)", "(a, m)"}, {"<<<1, 256", "<<<m, 256"}, {"1024 * sizeof(int)", "1024"}}},
	{name: "dynamic", kernel: `__global__ void dynamic(int *a) { extern __shared__ int d[]; d[threadIdx.x] = a[threadIdx.x]; __syncthreads(); a[threadIdx.x] = d[blockDim.x - 1 - threadIdx.x]; }`,
		host:  `int *a; cudaMalloc(&a, 192 * sizeof(int)); dynamic<<<1, 192, 192 * sizeof(int)>>>(a);`,
		wrong: [][2]string{{"<<<1, 192, 192 * sizeof(int)", "<<<1, 192, 192"}, {"<<<1, 192, 192 * sizeof(int)", "<<<1, 192"}, {"<<<1, 192,", "<<<2, 192,"}, {"<<<1, 192,", "<<<1, 256,"}}},
	{name: "barrier", kernel: `__global__ void barrier(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int x = a[i]; __syncthreads(); a[i] = x + 1; }`,
		host:  `int *a; cudaMalloc(&a, 64 * sizeof(int)); barrier<<<1, 64>>>(a, 64);`,
		wrong: [][2]string{{"(a, 64)", "(a, 63)"}, {"<<<1, 64", "<<<1, 96"}, {"<<<1, 64", "<<<2, 48"}, {"(a, 64)", "(a, n)"}}, open: true},
	{name: "direct", kernel: `__global__ void direct(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += i; }`,
		host:  `int *a; cudaMalloc(&a, n * sizeof(int)); void *args[] = {&a, &n}; cudaLaunchKernel((const void *)direct, dim3((n + 31) / 32), dim3(32), args, 0, 0);`,
		wrong: [][2]string{{"n * sizeof(int)", "n"}, {"dim3(32), args", "dim3(32, 2), args"}, {"&a, &n}", "&a, &m}"}}},
	{name: "meets", kernel: `extern "C" __device__ void __gradine_grid_sync();
__global__ void meets(int *a, int *b) { int i = blockIdx.x * 64 + threadIdx.x; a[i] = i; __gradine_grid_sync(); b[i] = a[gridDim.x * 64 - 1 - i]; }`,
		host:  `int *a, *b; cudaMalloc(&a, 256 * sizeof(int)); cudaMalloc(&b, 256 * sizeof(int)); void *args[] = {&a, &b}; cudaLaunchCooperativeKernel((const void *)meets, dim3(4), dim3(64), args, 0, 0);`,
		wrong: [][2]string{{"cudaLaunchCooperativeKernel", "cudaLaunchKernel"}, {"&a, &b}", "&a, &a}"}, {"dim3(4)", "dim3(5)"}, {"dim3(64)", "dim3(65)"}}, cuda: true},
	{name: "halving", kernel: `__global__ void halving(int *a, int s) { int i = threadIdx.x; a[i] += a[i + s]; }`,
		host:  `int *a; cudaMalloc(&a, 256 * sizeof(int)); for (int s = 128; s > 0; s /= 2) if (s <= 128) halving<<<1, s>>>(a, s);`,
		wrong: [][2]string{{"<<<1, s>>>", "<<<1, s + 1>>>"}, {"<<<1, s>>>(a, s)", "<<<1, 2 * s>>>(a, s)"}, {"(a, s)", "(a, s / 2)"}}, folded: true},
}

// hosts gives the right host of p, unless it is open, and every so many of the wrong ones, beginning with another one for each k.
func (p launchProgram) hosts(k, every int, add func(host string, right bool)) {
	if !p.open {
		add(p.host, true)
	}
	for i, w := range p.wrong {
		if (i+k)%every != 0 {
			continue
		}
		host := strings.Replace(p.host, w[0], w[1], 1)
		if host == p.host {
			panic(p.name + ": " + w[0] + " does not stand there")
		}
		add(host, false)
	}
}

// launchesFile is one source of all programs, right and wrong: each in a namespace, with its number. Of what is wrong it has
// every so many ones, beginning elsewhere in each program, so that kinds of wrong facts that several programs have stay.
func launchesFile(every int, l clang.Language) (text string, right []bool) {
	var b strings.Builder
	b.WriteString("#include <cuda_runtime.h>\nvoid other(int *);\n")
	add := func(p launchProgram, host string, ok bool) {
		name := fmt.Sprintf("%s_%d", p.name, len(right))
		rename := func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, p.name+"(", name+"("), p.name+"<<<", name+"<<<")
		}
		host = strings.ReplaceAll(rename(host), "*)"+p.name+",", "*)"+name+",")
		fmt.Fprintf(&b, "namespace n%d {\n%s\nvoid run(int n, int m) { %s }\n}\n", len(right), rename(p.kernel), host)
		right = append(right, ok)
	}
	for k, p := range launchPrograms {
		if p.cuda && l == clang.HIP {
			continue
		}
		p.hosts(k, every, func(host string, ok bool) { add(p, host, ok) })
	}
	if l == clang.HIP {
		return inHIP(b.String()), right
	}
	return b.String(), right
}

var launchOfCUDA = regexp.MustCompile(`(\w+)<<<((?:[^<>]|<[^<])*?)>>>\(`)

// inHIP writes a source of CUDA in HIP: the functions of the host API have names of their own, and launches are calls of a macro.
func inHIP(text string) string {
	text = launchOfCUDA.ReplaceAllStringFunc(text, func(launch string) string {
		m := launchOfCUDA.FindStringSubmatch(launch)
		given, depth := []string{""}, 0 // grid, block, and perhaps shared memory
		for _, c := range m[2] {
			if depth += strings.Count("(", string(c)) - strings.Count(")", string(c)); c == ',' && depth == 0 {
				given = append(given, "")
				continue
			}
			given[len(given)-1] += string(c)
		}
		for len(given) < 4 {
			given = append(given, "0")
		}
		return fmt.Sprintf("hipLaunchKernelGGL(%s, %s, ", m[1], strings.Join(given, ","))
	})
	return strings.ReplaceAll(strings.ReplaceAll(text, "<cuda_runtime.h>", "<hip/hip_runtime.h>"), "cuda", "hip")
}

// TestLaunchesWithWrongFacts judges programs of which one fact is wrong each: none is safe, and what is right is. A third of the
// wrong ones are judged without GRADINE_SWEEP.
func TestLaunchesWithWrongFacts(t *testing.T) {
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	wrongFacts(t, compiler, clang.CUDA, corpus.Effort(6, 5, 1))
}

// TestLaunchesOfHIP judges the same programs in HIP.
func TestLaunchesOfHIP(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	wrongFacts(t, compilerOfHIP(t), clang.HIP, corpus.Effort(12, 18, 1))
}

// compilerOfHIP is a clang that compiles the host part of HIP.
func compilerOfHIP(t *testing.T) clang.Compiler {
	t.Helper()
	for _, name := range []string{"", "clang-16", "clang-19"} {
		if c, err := clang.Find(t.Context(), name); err == nil && c.Major >= 15 {
			return c
		}
	}
	t.Skip("no clang compiles the host part of HIP")
	return clang.Compiler{}
}

func wrongFacts(t *testing.T, compiler clang.Compiler, l clang.Language, every int) {
	t.Helper()
	text, right := launchesFile(every, l)
	reports := launchedReports(t, compiler, text, l)
	seen := map[int]bool{}
	for _, r := range reports {
		var k int
		at := strings.LastIndex(r.Kernel, "_")
		if _, err := fmt.Sscan(r.Kernel[at+1:], &k); err != nil {
			t.Errorf("a kernel %s", r.Kernel)
			continue
		}
		seen[k] = true
		safe := r.Verdict == gpu.Safe
		switch {
		case right[k] && (!safe || r.Scope != gpu.OfFile):
			if compiler.Major < 16 || !slices.ContainsFunc(launchPrograms, func(p launchProgram) bool { return p.folded && p.name == r.Kernel[:at] }) {
				t.Errorf("%s: %s: %s", r.Kernel, r.Verdict, r.Why)
			}
		case !right[k] && safe && r.Scope == gpu.OfFile:
			t.Errorf("%s, which is wrong, is safe: %s", r.Kernel, r.Why)
		}
	}
	if len(seen) != len(right) || len(right)*every < 60 {
		t.Errorf("%d of %d programs are judged", len(seen), len(right))
	}
}

// launchedReports judges the kernels of a text as its host launches them.
func launchedReports(t *testing.T, c clang.Compiler, text string, l clang.Language) []gpu.Report {
	t.Helper()
	dir, name := t.TempDir(), "k.cu"
	if l == clang.HIP {
		name = "k.hip"
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	src := clang.Source{Dir: dir, File: name, Language: l}
	u, err := c.Compile(context.Background(), src, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := c.CompileHost(context.Background(), src, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reports := gpu.Readers(context.Background(), name, []byte(text), u, &gpu.Hosts{Host: h}, gpu.Options{}, func(string) gpu.Reader { return gpu.LLVMReader })
	return gpu.OfKernels(reports)
}

// TestLaunchesAlone: a kernel that waits for the whole grid is safe where its launch is cooperative alone.
func TestLaunchesAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	const kernel = "#include <cooperative_groups.h>\n__global__ void KERNEL(int *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 1; cooperative_groups::this_grid().sync(); a[i] += 2; }\n"
	const host = "void runKERNEL() { int *a; cudaMalloc(&a, 256 * sizeof(int)); void *args[] = {&a}; LAUNCH; }\n"
	text := ""
	for name, launch := range map[string]string{
		"together": "cudaLaunchCooperativeKernel((const void *)together, dim3(4), dim3(64), args, 0, 0)",
		"alone":    "cudaLaunchKernel((const void *)alone, dim3(4), dim3(64), args, 0, 0)",
		"arrows":   "arrows<<<4, 64>>>(a)",
	} {
		text += strings.NewReplacer("KERNEL", name, "LAUNCH", launch).Replace(kernel + host)
	}
	reports := launchedReports(t, compiler, text, clang.CUDA)
	if len(reports) != 3 {
		t.Fatal(reports)
	}
	for _, r := range reports {
		if want := map[bool]gpu.Verdict{true: gpu.Safe, false: gpu.Open}[r.Kernel == "together"]; r.Verdict != want || want == gpu.Open && !strings.Contains(r.Why, "needs a cooperative launch") {
			t.Errorf("%s: %s: %s", r.Kernel, r.Verdict, r.Why)
		}
	}
}

// TestLaunchesNotUnderstood: what cannot be read of a host is named, or arbitrary, and never makes a kernel safe.
func TestLaunchesNotUnderstood(t *testing.T) {
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	const body = "{ a[threadIdx.x % 64] = threadIdx.x; }\n"
	text := "#include <functional>\n"
	for k := range 7 {
		text += fmt.Sprintf("__global__ void k%d(int *a) %s", k, body)
	}
	text += `template <class T> void never(T *a) { k0<<<1, 128>>>((int *)a); }
void r0(int *a) { k0<<<1, 64>>>(a); }
typedef void (*kernel)(int *);
void r1(int *a) { k1<<<1, 64>>>(a); kernel f = k1; f<<<1, 128>>>(a); }
void r2(int *a, int m) { int b = 64; auto g = [&] { b = m; }; std::function<void()> h = g; h(); k2<<<1, b>>>(a); }
#define LAUNCH(k, b) k<<<1, b>>>(a)
void r3(int *a, int c) { LAUNCH(k3, 64); if (c) LAUNCH(k3, 128); }
void r4(int *a) { k4<<<1, 64>>>(a); nowhere::declared(128); k4<<<1, 128>>>(a); }
void elsewhere(kernel);
void r5(int *a) { k5<<<1, 64>>>(a); elsewhere(k5); }
void r6(int *a) { k6<<<1, 64>>>(a); }
`
	for _, r := range launchedReports(t, compiler, text, clang.CUDA) {
		switch safe := r.Verdict == gpu.Safe; {
		case r.Kernel == "k6" && (!safe || r.Scope != gpu.OfFile):
			t.Errorf("%s: %s: %s", r.Kernel, r.Verdict, r.Why)
		case r.Kernel != "k6" && safe:
			t.Errorf("%s is safe: %s", r.Kernel, r.Why)
		}
	}
}

// TestLaunchesOfPointersThatMayBeOne: a pointer that may lead where another argument does is not taken to lead elsewhere, however the
// host comes by it.
func TestLaunchesOfPointersThatMayBeOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	const kernel = "#include <cuda_runtime.h>\n__global__ void k(int *a, const int *b) { a[threadIdx.x] = b[threadIdx.x + 1]; }\n" +
		"struct P { int *a; const int *b; };\n__global__ void s(P p) { p.a[threadIdx.x] = p.b[threadIdx.x + 1]; }\n" +
		"__device__ int g[65];\n__global__ void of(int *a) { a[threadIdx.x] = g[threadIdx.x + 1]; }\n"
	for _, c := range []struct {
		host string
		safe bool
	}{
		{"int *d, *e; void run() { k<<<1, 64>>>(d, e); }", true},
		{"struct S { int *p, *q; }; void run(S *s) { k<<<1, 64>>>(s->p, s->q); }", true},
		{"int *f(void *); void run(void *x, void *y) { k<<<1, 64>>>(f(x), f(y)); }", true},
		{"void run(int *x, int *y) { P p = {x, y}; s<<<1, 64>>>(p); }", true},
		{"void run(int *x) { of<<<1, 64>>>(x); }", true},
		{"int *d; void other(); void run() { int *x = d; other(); k<<<1, 64>>>(d, x); }", false},
		{"struct S { int *p, *q; }; void run(S *s) { s->q = s->p + 1; k<<<1, 64>>>(s->p, s->q); }", false},
		{"struct S { int *p; void other(); void run() { int *x = p; other(); k<<<1, 64>>>(p, x); } }; void go(S *s) { s->run(); }", false},
		{"void run(int *x, int *y, bool c) { k<<<1, 64>>>(x, c ? x : y); }", false},
		{"void run(int *x, int *y, bool c) { int *z = y; if (c) z = x; k<<<1, 64>>>(x, z); }", false},
		{"void run(bool c) { int *x, *y; cudaMalloc(&x, 260); cudaMalloc(&y, 260); k<<<1, 64>>>(x, c ? x : y); }", false},
		{"int *f(void *); void run(void *x) { k<<<1, 64>>>(f(x), f(x)); }", false},
		{"int *f(void *); void run(int *x) { k<<<1, 64>>>(x, f(x)); }", false},
		{"void run(int *x) { k<<<1, 64>>>(x, (int *)((unsigned long)x + 4)); }", false},
		{"void run(int *x) { P p = {x, x}; s<<<1, 64>>>(p); }", false},
		{"void run() { int *x; cudaGetSymbolAddress((void **)&x, g); of<<<1, 64>>>(x); }", false},
		{"void may(); void run(int *x, int *y) { try { may(); } catch (...) { y = x; } k<<<1, 64>>>(x, y); }", false},
		{"void run(int **x, int c) { k<<<1, 64>>>(x[c], x[1 - c]); k<<<1, 64>>>(x[c ^ 1], x[c]); k<<<1, 64>>>(x[c], x[c + 1]); }", true},
		{"void run(int **x, int j) { k<<<1, 64>>>(x[0], x[j]); }", false},
		{"void run(int **x, int i, int j) { k<<<1, 64>>>(x[i], x[j - 1]); }", false},
		{"struct S { int *p, *q; }; void run(S *s, int j) { k<<<1, 64>>>(s[0].p, s[j].p); }", false},
		{"struct S { int *p, *q; }; void run(S *s, int j) { k<<<1, 64>>>(s[0].p, s[j].q); }", true},
		{"void may(); void run(int *x, int *y) { may(); /* catch */ k<<<1, 64>>>(x, y); }", true},
	} {
		for _, r := range launchedReports(t, compiler, kernel+c.host+"\n", clang.CUDA) {
			if len(r.Launches) > 0 && (r.Verdict == gpu.Safe) != c.safe {
				t.Errorf("%s: %s: %s", c.host, r.Verdict, r.Why)
			}
		}
	}
}

// TestLaunchTexts: a launch is told, and judged, with the numbers that the host has, negative ones and halves of pairs included.
func TestLaunchTexts(t *testing.T) {
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	const kernel = "#include <cuda_runtime.h>\n__global__ void k(int *a) { a[blockIdx.x] = 1; }\n"
	for _, c := range []struct {
		host, says string
		verdict    gpu.Verdict
	}{
		{"void run(int n) { int *a; cudaMalloc(&a, n * 4); n++; if (n > 0) k<<<n, 1>>>(a); }", "grid n+1, n > -1", gpu.Unsafe},
		{"void run(int n) { int *a; cudaMalloc(&a, n * 4); n++; if (n > 1) k<<<n - 1, 1>>>(a); }", "grid n", gpu.Safe},
		{"void run(int q) { int *a; cudaMalloc(&a, 8); dim3 g(1); if (q) g.x = 2; k<<<g, 1>>>(a); }", "grid (q == 0 ? 1 : 2)", gpu.Safe},
		{"void run(int q) { int *a; cudaMalloc(&a, 4); dim3 g(1); if (q) g.x = 2; k<<<g, 1>>>(a); }", "grid (q == 0 ? 1 : 2)", gpu.Unsafe},
	} {
		for _, r := range launchedReports(t, compiler, kernel+c.host+"\n", clang.CUDA) {
			if r.Verdict != c.verdict || !strings.Contains(r.Why, c.says) {
				t.Errorf("%s: %s: %s", c.host, r.Verdict, r.Why)
			}
		}
	}
}

// TestStreams: launches in different streams, which nothing orders, and an array that one of them writes and both use, are not safe.
func TestStreams(t *testing.T) {
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	const made = "int *a, *b, *d; cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMalloc(&d, 256); "
	const two = "int *a; cudaStream_t u[2]; cudaMalloc(&a, 256); cudaStreamCreate(&u[0]); cudaStreamCreate(&u[1]); "
	text := "#include <cuda_runtime.h>\n"
	cases := []struct {
		host string
		safe bool
	}{
		{made + "w<<<1, 64, 0, s>>>(a); w<<<1, 64, 0, s>>>(a);", true},
		{made + "w<<<1, 64, 0, s>>>(a); cudaStreamSynchronize(s); w<<<1, 64, 0, t>>>(a);", true},
		{made + "w<<<1, 64, 0, s>>>(a); cudaDeviceSynchronize(); w<<<1, 64, 0, t>>>(a);", true},
		{made + "cudaEvent_t e; cudaEventCreate(&e); w<<<1, 64, 0, s>>>(a); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); w<<<1, 64, 0, t>>>(a);", true},
		{made + "c<<<1, 64, 0, s>>>(a, d); c<<<1, 64, 0, t>>>(b, d);", true},
		{made + "w<<<1, 64, 0, s>>>(a); w<<<1, 64>>>(a);", true}, // the default stream waits
		{made + "w<<<1, 64, 0, s>>>(a); w<<<1, 64, 0, t>>>(a);", false},
		{made + "w<<<1, 64, 0, s>>>(a); cudaStreamSynchronize(t); w<<<1, 64, 0, t>>>(a);", false},
		{made + "cudaEvent_t e; cudaEventCreate(&e); w<<<1, 64, 0, s>>>(a); cudaEventRecord(e, t); cudaStreamWaitEvent(t, e, 0); w<<<1, 64, 0, t>>>(a);", false},
		{made + "w<<<1, 64, 0, s>>>(a); if (n) cudaDeviceSynchronize(); w<<<1, 64, 0, t>>>(a);", false},
		{made + "c<<<1, 64, 0, s>>>(a, d); c<<<1, 64, 0, t>>>(b, a);", false},
		// An event that is recorded too early, in another stream, again, or on some paths.
		{made + "cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); w<<<1, 64, 0, s>>>(a); cudaStreamWaitEvent(t, e, 0); w<<<1, 64, 0, t>>>(a);", false},
		{made + "cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); w<<<1, 64, 0, s>>>(a); cudaEventRecord(e, s); cudaEventRecord(f, t); cudaStreamWaitEvent(t, f, 0); w<<<1, 64, 0, t>>>(a);", false},
		{made + "cudaEvent_t e; cudaEventCreate(&e); w<<<1, 64, 0, s>>>(a); cudaEventRecord(e, s); cudaEventRecord(e, t); cudaEventSynchronize(e); w<<<1, 64, 0, t>>>(a);", false},
		{made + "cudaEvent_t e; cudaEventCreate(&e); w<<<1, 64, 0, s>>>(a); if (n) cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); w<<<1, 64, 0, t>>>(a);", false},
		{made + "cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); w<<<1, 64, 0, s>>>(a); cudaEventRecord(e, s); cudaEventRecord(f, t); cudaStreamWaitEvent(t, e, 0); w<<<1, 64, 0, t>>>(a);", true},
		// One variable that holds different streams, and streams of which it is not known how they were made.
		{made + "w<<<1, 64, 0, s>>>(a); cudaStreamCreate(&s); w<<<1, 64, 0, s>>>(a);", false},
		{made + "for (int i = 0; i < n; i++) { w<<<1, 64, 0, s>>>(a); cudaStream_t x = s; s = t; t = x; }", false},
		{made + "for (int i = 0; i < n; i++) { cudaStreamCreate(&s); w<<<1, 64, 0, s>>>(a); }", false},
		{made + "for (int i = 0; i < n; i++) w<<<1, 64, 0, s>>>(a);", true},
		{made + "w<<<1, 64, 0, s>>>(a); w<<<1, 64, 0, cudaStreamPerThread>>>(a);", false},
		// What the API sets is no longer what it was: neither stream nor number.
		{made + "int m = 1; cudaGetDeviceCount(&m); o<<<m, 64>>>(a);", false},
		{made + "int m = 1; o<<<m, 64>>>(a);", true},
		{made + "w<<<1, 64, 0, *q>>>(a); w<<<1, 64>>>(a);", false},
		{made + "w<<<1, 64, 0, *q>>>(a); other(); w<<<1, 64, 0, *q>>>(a);", false},
		{"int *a; cudaStream_t s[4]; cudaMalloc(&a, 256); for (int i = 0; i < n; i++) cudaStreamCreate(&s[i]); for (int i = 0; i < n; i++) w<<<1, 64, 0, s[i]>>>(a);", false},
		// Elements of arrays, and what functions return, are one stream only where they are made in one way of the same values.
		{two + "w<<<1, 64, 0, u[n & 1]>>>(a); w<<<1, 64, 0, u[(n + 1) & 1]>>>(a);", false},
		{two + "w<<<1, 64, 0, u[n & 1]>>>(a); cudaStreamSynchronize(u[p[0]]); w<<<1, 64, 0, u[p[0]]>>>(a);", false},
		{two + "w<<<1, 64, 0, u[n & 1]>>>(a); w<<<1, 64, 0, u[n & 1]>>>(a);", true},
		{made + "cudaStream_t x = n ? s : t, y = n ? t : s; w<<<1, 64, 0, x>>>(a); w<<<1, 64, 0, y>>>(a);", false},
		{made + "cudaStream_t x = n ? s : t; w<<<1, 64, 0, x>>>(a); w<<<1, 64, 0, x>>>(a);", true},
		{made + "w<<<1, 64, 0, q[p[0]]>>>(a); w<<<1, 64, 0, q[p[1]]>>>(a);", false},
		{made + "w<<<1, 64, 0, q[n]>>>(a); n++; w<<<1, 64, 0, q[n]>>>(a);", false},
		{made + "w<<<1, 64, 0, next(n)>>>(a); w<<<1, 64, 0, next(n)>>>(a);", false},
		{made + "cudaStream_t x = next(n); w<<<1, 64, 0, x>>>(a); w<<<1, 64, 0, x>>>(a);", true},
		{made + "for (int i = 0; i < n; i++) w<<<1, 64, 0, next(i)>>>(a);", false},
		{made + "cudaEvent_t e; cudaEventCreate(&e); w<<<1, 64, 0, s>>>(a); cudaEventRecord(e, s); cudaEvent_t f = e; cudaEventRecord(f, t); cudaEventSynchronize(e); w<<<1, 64, 0, t>>>(a);", false},
	}
	for k, c := range cases {
		text += fmt.Sprintf("namespace n%d { __global__ void w(int *a) { a[threadIdx.x] = 1; } __global__ void c(int *a, const int *b) { a[threadIdx.x] = b[threadIdx.x]; } __global__ void o(int *a) { a[threadIdx.x] = blockIdx.x; }\n#line %d\nvoid other(); cudaStream_t next(int); void run(int n, cudaStream_t *q, int *p) { %s } }\n", k, 100*(k+1), c.host)
	}
	seen := map[int]bool{}
	for _, r := range launchedReports(t, compiler, text, clang.CUDA) {
		for _, l := range r.Launches {
			k := l.Line/100 - 1
			seen[k] = true
			if (l.Verdict == gpu.Safe) != cases[k].safe {
				t.Errorf("%s: %s: %s", cases[k].host, l.Verdict, l.Why)
			}
		}
	}
	if len(seen) != len(cases) {
		t.Errorf("%d of %d hosts have launches", len(seen), len(cases))
	}
}
