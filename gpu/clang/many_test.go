package clang

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/llvm"
)

// digestsOf are the digests of the kernels of a module, by configuration.
func digestsOf(t *testing.T, c Configured) map[int][]string {
	t.Helper()
	m, problem := llvm.Parse("k", c.IR)
	if problem != nil {
		t.Fatal(problem)
	}
	out := map[int][]string{}
	for _, f := range m.Functions {
		if f.Defined && m.IsKernel(f) {
			k := OfConfiguration(f.Name)
			if k < 0 {
				k = c.Of[0]
			}
			out[k] = append(out[k], Base(f.SourceName())+" "+m.Digest(f))
		}
	}
	for _, v := range out {
		slices.Sort(v)
	}
	return out
}

// Compiled together, configurations are what they are alone, and clang refuses the same ones.
func TestTogetherAsAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	const body = `{ __shared__ float s[N]; for (int i = threadIdx.x; i < N; i += M) s[i] = a[i] * N; __syncthreads(); a[threadIdx.x] = s[M]; }
`
	for name, x := range map[string]struct {
		files map[string]string
		runs  int // of clang for several, at most, in addition to those that compare: 0: none may be
	}{
		"plain":          {map[string]string{"k.cu": "__global__ void run(float *a) " + body}, 1},
		"extern C":       {map[string]string{"k.cu": "extern \"C\" __device__ int other() { return N; }\nextern \"C\" {\n__device__ int third() { return M; }\n__global__ void run(float *a) " + body + "}\nextern \"C\" __global__ void second(int *p) { *p = other() + third(); }\n"}, 1},
		"own macros":     {map[string]string{"k.cu": "#ifndef W\n#define W (N + M)\n#endif\n#if N > 2\n#define V 1\n#endif\n#ifdef V\n__device__ int v() { return 7; }\n#else\n__device__ int v() { return 8; }\n#endif\n__global__ void run(float *a) { a[v()] = W; }\n"}, 1},
		"header":         {map[string]string{"k.cu": "#include \"h.h\"\n__global__ void run(float *a) { a[f()] = 1; }\n", "h.h": "#ifndef H\n#define H\n__device__ int f() { return N; }\n#endif\n"}, 1},
		"pragma once":    {map[string]string{"k.cu": "#include \"h.h\"\n__global__ void run(float *a) { a[f()] = 1; }\n", "h.h": "#pragma once\n__device__ int f() { return N; }\n"}, 0},
		"far header":     {map[string]string{"k.cu": "#include \"../far/h.h\"\n__global__ void run(float *a) { a[f()] = 1; }\n", "../far/h.h": "#ifndef H\n#define H\n__device__ int f() { return N; }\n#endif\n"}, 0},
		"system macro":   {map[string]string{"k.cu": "#include <limits.h>\n#ifndef INT_MAX\n#define INT_MAX 5\n#endif\n__global__ void run(float *a) { a[N] = INT_MAX; }\n"}, 0},
		"template":       {map[string]string{"k.cu": "template <int N, class T> __global__ void run(T *a) " + body}, 1},
		"template fails": {map[string]string{"k.cu": "template <int N, class T> __global__ void run(T *a) { static_assert(N != 3, \"no three\"); int t[N - 4 == 0 ? -1 : 1]; a[N] = t[0]; }\n"}, 1},
		"failing":        {map[string]string{"k.cu": "#if N == 3\n#error no three\n#endif\n__global__ void run(float *a) { int t[N - 4 == 0 ? -1 : 1]; a[N] = t[0]; }\n"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "near")
			for file, text := range x.files {
				file = filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var all []Variant
			for _, n := range []int{1, 3, 4, 5} {
				v := Variant{Macros: []string{fmt.Sprint("N=", n), "M=2"}}
				if strings.HasPrefix(name, "template") {
					v = Variant{Macros: []string{"M=2"}, Instance: fmt.Sprintf("run<%d, float>", n)}
				}
				all = append(all, v)
			}
			src := Source{Dir: dir, File: "k.cu", Language: CUDA}
			for _, c := range installed(t)[:1] {
				var alone []map[int][]string
				var refused []bool
				for k, v := range all {
					one, err := c.alone(t.Context(), src, Options{}, "", v, k)
					if err != nil {
						t.Fatal(err)
					}
					refused = append(refused, one.Failed != nil)
					var digests map[int][]string
					if one.Failed == nil {
						digests = digestsOf(t, one)
					}
					alone = append(alone, digests)
				}
				seen, together := map[int]bool{}, 0
				err := c.Configurations(t.Context(), src, Options{}, "", all, func(together, one Configured) bool {
					return slices.Equal(digestsOf(t, together)[one.Of[0]], digestsOf(t, one)[one.Of[0]])
				}, func(got Configured) error {
					if len(got.Of) > 1 {
						together++
					}
					var digests map[int][]string
					if got.Failed == nil {
						digests = digestsOf(t, got)
					}
					for _, k := range got.Of {
						if seen[k] {
							t.Errorf("%s: configuration %d is told twice", c, k)
						}
						seen[k] = true
						switch {
						case refused[k] != (got.Failed != nil):
							t.Errorf("%s: configuration %d fails alone: %v; together: %v", c, k, refused[k], got.Failed)
						case got.Failed == nil && (len(digests[k]) == 0 || !slices.Equal(digests[k], alone[k][k])):
							t.Errorf("%s: configuration %d differs: %v, alone %v", c, k, digests[k], alone[k])
						}
					}
					return nil
				})
				if err != nil || len(seen) != len(all) || (together > 0) != (x.runs > 0) {
					t.Errorf("%s: %v, %d of %d configurations, %d runs for several", c, err, len(seen), len(all), together)
				}
			}
		})
	}
}

// Clang 14 fails at loads through the read-only cache, unless the headers of this package replace them.
func TestReadOnlyLoads(t *testing.T) {
	dir := t.TempDir()
	text := "__global__ void run(float *a, const float *b, const float4 *c, const int2 *d, const double *e) { a[0] = __ldg(b) + __ldg(c).x + __ldg(d).y + (float)__ldg(e); }\n"
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range installed(t) {
		u, err := c.Compile(t.Context(), Source{Dir: dir, File: "k.cu", Language: CUDA}, Options{})
		if err != nil || strings.Contains(u.Messages, "error") {
			t.Errorf("%s: %v\n%s", c, err, u.Messages)
		}
	}
}
