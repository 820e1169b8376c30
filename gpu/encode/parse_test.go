package encode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/launch"
)

// TestRefused: what is not understood is refused at its place.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"deep", "__kernel void k() { int x = " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300) + "; }", "nested"},
		{"include", "#include \"/etc/passwd\"\n__kernel void k() {}", "#include"},
		{"bomb", "#define A(x) x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\n__kernel void k() { C(C(1;)) }", ""},
		{"recursion", "int f(int x) { return f(x); }\n__kernel void k(__global int *a) { a[0] = f(1); }", "recursion"},
		{"goto", "__kernel void k(int a) { if (a) goto l; while (a) { l: a--; } }", ""},
		{"long", "__kernel void k() {}" + strings.Repeat(" ", 2<<20), "bytes"},
		{"zero", "__kernel void k() {\x00}", "zero byte"},
		{"none", "int x;", "no kernel"},
		{"function", "__kernel void k() { f(); }", "not declared"},
		{"log in a variable", "__kernel void k(__local int *a) { a[get_local_id(0)] = 1; int w = __write(a); __assert(!w); }", "outside of an assertion"},
		{"case in a case", "__kernel void k(__global int *a, int n) { switch (n) { case 0: if (n == 5) { case 1: a[0] = get_local_id(0); } } }", "a case inside a nested statement"},
		{"switch without block", "__kernel void k(__global int *a, int n) { switch (n) case 1: a[0] = get_local_id(0); }", "a switch without block"},
		{"union", "union u { int a; float b; };\n__kernel void k() { union u x; x.a = 1; }", "union"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ks, p := Read("k.cl", []byte(c.src), launch.Options{})
			if p == nil {
				for _, k := range ks {
					p = k.Problem
				}
			}
			switch {
			case p == nil && c.want != "":
				t.Errorf("not refused; want %q", c.want)
			case p != nil && !strings.Contains(p.Construct, c.want):
				t.Errorf("refused for %q; want %q", p.Construct, c.want)
			case p != nil && p.Line == 0:
				t.Errorf("no place: %v", p)
			}
		})
	}
}

// FuzzRead: no input makes the reader panic.
func FuzzRead(f *testing.F) {
	f.Add("__kernel void k(__global int *a) { a[get_local_id(0)] = 1; }", false)
	f.Add("__global__ void k(int *a) { for (int i = 0; i < 9; i++) { __syncthreads(); a[threadIdx.x]++; } }", true)
	f.Fuzz(func(t *testing.T, src string, cuda bool) {
		name := "k.cl"
		if cuda {
			name = "k.cu"
		}
		ks, _ := Read(name, []byte(src), launch.Options{})
		for _, k := range ks {
			if k.Problem == nil {
				if s, p := k.Search(Group); p == nil {
					s.Pair()
				}
			}
		}
	})
}

// TestBeyondC: what C++ has beyond C is refused by its name, with how to get it read.
func TestBeyondC(t *testing.T) {
	const clang = "which the C reader does not support; clang does (--reader llvm)"
	const perhaps = "; if it is C++, use clang (--reader llvm)"
	for _, c := range []struct{ src, want string }{
		{"template <typename T> __global__ void k(T *a) { a[0] = 1; }", "C++ (template), " + clang},
		{"template <typename T> struct p { T x; }; __global__ void k(int *a, p<int> b) { a[0] = b.x; }", "p, which cannot be read: line 1: C++ (template), " + clang},
		{"template <int N> __device__ int f(int x) { return N; } __global__ void k(int *a) { a[0] = f<1>(1); }", "C++ (template), " + clang},
		{"__device__ int f(int x) { return 1; } __device__ int f(float x) { return 2; } __global__ void k(int *a, short s) { a[0] = f(s); }", "overloaded function f: C++, " + clang},
		{"__device__ int f(int x); __device__ int f(float x) { return 2; } __global__ void k(int *a, short s) { a[0] = f(s); }", "overloaded function f: C++"},
		{"__device__ float max(float x, float y) { return x; } __global__ void k(int *a) { a[0] = max(1, 2); }", "which CUDA also declares for other types"},
		{"namespace x { __device__ int f(int x) { return 1; } } __global__ void k(int *a) { a[0] = x::f(1u); }", "C++ (namespace), " + clang},
		{"__device__ void f(int &x) { x = 1; } __global__ void k(int *a, int s) { f(s); a[0] = s; }", "unexpected '&', expected"},
		{"__device__ int &f(int *x) { return x[0]; } __global__ void k(int *a) { f(a) = 1; }", "unexpected '&', expected"},
		{"__global__ void k(int *a, short s) { const int &r = s; s = 3; a[0] = r; }", perhaps},
		{"__device__ int f(int x = 1) { return x; } __global__ void k(int *a) { a[0] = f(); }", perhaps},
		{"__global__ void k(const pair *p, int *a) { a[0] = 1; }", "the undeclared type pair"},
		{"__global__ void k(int *a) { pair p; a[0] = 1; }", "the undeclared type pair"},
		{"__global__ void k(int *a) { for (int x : {1, 2}) a[x] = 0; }", perhaps},
		{"__global__ void k(int *a) { auto f = [=](int x) { return x; }; a[f(0)] = 0; }", "C++ (auto), " + clang},
		{"__global__ void k(int *a) { auto f = 3; a[f] = 0; }", "auto"},
		{"struct p { int x; }; using q = p; __global__ void k(int *a, q v) { a[v.x] = 0; }", "C++ (using), " + clang},
		{"__device__ int g(int (*f)(int)); __global__ void k(int *a) { a[0] = g([](int x) { return x; }); }", perhaps},
		{"texture<float, 2> t; __global__ void k(float *a) { a[0] = tex2D(t, 0, 0); }", "t, which cannot be read: line 1: C++ (texture)"},
		{"__global__ void k(int *a) { a[0] = std::min(1, 2); }", "C++ (::), " + clang},
		{"__global__ void k(int *a) { a[0] = tex1Dfetch(0, 1); }", "use an array"},
		{"__global__ void k(int *a, float f) { a[threadIdx.x] = static_cast<int>(f) + static_cast<int>(1 + 2); }", "C++ (static_cast), " + clang},
		{"__global__ void k(float *a, float f) { a[threadIdx.x] = int(f); }", perhaps},
		{"__axiom(blockDim.x == 64); __global__ void k(int *a) { a[threadIdx.x] = 0; }", ""},
		{"constexpr int n = 4; __global__ void k(int *a) { a[threadIdx.x * n + warpSize] = __ldg(a); }", ""},
		{"struct p { int x; }; __global__ void k(int *a, p v) { bool b = v.x > 0 and not false; a[threadIdx.x] = b; }", ""},
		{"__global__ void k(int *a) { int v = __shfl_down_sync(0xffffffff, a[threadIdx.x], 1); __syncwarp(); a[threadIdx.x] = v; }", ""},
	} {
		kernels, problem := Read("k.cu", []byte(c.src), launch.Options{})
		for _, k := range kernels {
			if problem == nil {
				problem = k.Problem
			}
		}
		switch {
		case problem == nil && c.want != "":
			t.Errorf("%s: not refused; want %q", c.src, c.want)
		case problem != nil && (c.want == "" || !strings.Contains(problem.Construct, c.want)):
			t.Errorf("%s: refused for %q; want %q", c.src, problem.Construct, c.want)
		}
	}
}

// TestLost: a declaration that is not read costs those alone that mention what it declares, whatever way they find to do
// so. Kernel k mentions it, and is refused; kernel other does not, and is read.
func TestLost(t *testing.T) {
	const other = "\n__global__ void other(int *a) { a[threadIdx.x] = 1; }"
	for _, c := range []struct{ src, want string }{
		{"__device__ void f(int *a) { auto g = [=](int x) { return x; }; a[0] = g(1); }\n__global__ void k(int *a) { f(a); }", "f, which cannot be read: line 1: C++ (auto)"},
		{"__device__ int f(int *a);\n__device__ int f(int *a) { auto g = [=](int x) { return x; }; a[0] = g(1); }\n__global__ void k(int *a) { f(a); }", "f, which cannot be read"},
		{"__device__ int f(int a) { return a; }\n__device__ int f(float a) { auto g = [=](int x) { return x; }; return g(1); }\n__global__ void k(int *a) { a[f(1.0f)] = 1; }", "f, which cannot be read"},
		{"__device__ int f(int a);\n__device__ int g(int a) { return f(a); }\n__device__ int f(int a) { asm(\"x\"); return a; }\n__global__ void k(int *a) { a[g(1)] = 1; }", "g, which cannot be read"},
		{"#define CALL(x) my_##x\n__device__ int my_f(int a);\n__device__ int my_f(int a) { asm(\"x\"); return a; }\n__global__ void k(int *a) { a[CALL(f)(1)] = 1; }", "my_f, which cannot be read"},
		{"__device__ void __syncthreads() { asm(\"x\"); }\n__global__ void k(int *a) { __syncthreads(); }", "__syncthreads, which cannot be read"},
		{"__device__ int min(int a, int b) { asm(\"x\"); return a; }\n__global__ void k(int *a) { a[min(1, 2)] = 1; }", "min, which cannot be read"},
		{"class float3 { int x; };\n__global__ void k(int *a) { float3 x; x.x = 1; a[(int)x.x] = 1; }", "float3, which cannot be read"},
		{"typedef unsigned char uint4;\n__global__ void k(int *a) { uint4 x = 256; a[x] = 1; }", "uint4, which cannot be read"},
		{"union U { int i; float f; };\n__global__ void k(int *a) { union U x; a[x.i] = 1; }", "U, which cannot be read"},
		{"enum E { A = 1, B = sizeof(std::string) };\n__global__ void k(int *a) { a[A] = 1; }", "A, which cannot be read"},
		{"__constant__ std::array<int, 3> v = {1}, w[2];\n__global__ void k(int *a) { a[w[0]] = 1; }", "w, which cannot be read"},
		{"__device__ uint4 operator+(uint4 a, uint4 b) { return a; }\n__global__ void k(int *a, uint4 x) { x = x + x; a[x.x] = 1; }", "operator, which cannot be read"},
		{"__device__ void operator+=(uint4 &a, uint4 b) { }\n__global__ void k(int *a, uint4 x) { x += x; a[x.x] = 1; }", "operator, which cannot be read"},
		{"#define F f\n__device__ int F(int a) { asm(\"x\"); return a; }\n__global__ void k(int *a) { a[f(1)] = 1; }", "f, which cannot be read"},
		{"#define PRE \\\n  __device__ int f(int z) { return z; }\nPRE __device__ int g(int a) { asm(\"x\"); return a; }\n__device__ int f(int a);\n__global__ void k(int *a) { a[f(1)] = 1; }", "f, which cannot be read"},
		{"template <int N> __device__ int f() { return N; }\ntemplate <> __device__ int f<3>() { return 4; }\n__global__ void k(int *a) { a[f<3>()] = 1; }", "f, which cannot be read"},
		{"__device__ int g(std::string x), f(int x);\n__device__ int f(int x) { return x; }\n__global__ void k(int *a) { a[f(1)] = 1; }", "f, which cannot be read"},
		{"template <class T> struct F { friend __device__ int g(int x) { return x; } };\n__device__ int g(int x);\n__global__ void k(int *a) { a[g(1)] = 1; }", "g, which cannot be read"},
	} {
		kernels, problem := Read("k.cu", []byte(c.src+other), launch.Options{})
		if problem != nil {
			t.Errorf("%s\nrefused: %v", c.src, problem)
			continue
		}
		said := map[string]string{}
		for _, k := range kernels {
			if k.Problem != nil {
				said[k.Name] = k.Problem.Construct
			} else {
				said[k.Name] = "read"
			}
		}
		if !strings.Contains(said["k"], c.want) || said["other"] != "read" {
			t.Errorf("%s\n%v; want %q", c.src, said, c.want)
		}
	}
	for _, src := range []string{ // it is not known what they declare
		"#define CAT(a, b) a##b\n__device__ int CAT(f, g)(int a) { asm(\"x\"); return a; }\n__global__ void k(int *a) { a[fg(1)] = 1; }",
	} {
		if kernels, problem := Read("k.cu", []byte(src+other), launch.Options{}); problem == nil {
			t.Errorf("%s\n%d kernels are read", src, len(kernels))
		}
	}
}

// TestIncluded: files that a file includes are read where the #include stands. What stands in them is shown with their
// name, and the lines of the file stay what they are.
func TestIncluded(t *testing.T) {
	files := map[string]string{
		"lib/twice.h":  "#ifndef T\n#define T\n#include \"../one.h\"\n\n__device__ int twice(int x) { return x + x * ONE; }\n#endif",
		"one.h":        "#pragma once\n#define ONE 1\n",
		"plain.h":      "#define PLAIN 1\nstruct p { int x; };\n",
		"lambda.h":     "\n\n__device__ int f(int x) { auto g = [=](int y) { return y; }; return g(x); }\n",
		"syntax.h":     "__device__ int f(int x) {\n  return x +;\n}",
		"comment.h":    "int a; /* and",
		"condition.h":  "#ifdef A\n",
		"carried.h":    "#define A \\\n",
		"itself.h":     "#include \"itself.h\"\n",
		"override.h":   "#define __syncthreads()\n",
		"undefined.cu": "__device__ int f(int x) { return x + later; }\n",
	}
	const k = "__global__ void k(int *a) { a[threadIdx.x] = 0; }"
	for _, c := range []struct{ src, want string }{
		{"#include \"lib/twice.h\"\n#include \"one.h\"\n#include \"lib/twice.h\"\n__global__ void k(int *a) { a[twice(1)] = ONE; }", "4 read"},
		{"__device__ int once(int x) { return x; }\n#include \"lib/twice.h\"\n__device__ int thrice(int x) { return x; }\n__global__ void k(int *a) { a[twice(once(thrice(1)))] = ONE; }", "4 read"},
		{"// #include \"plain.h\"\n/*\n#include \"plain.h\"\n*/\n" + k, "5 read"},
		{"#include \"plain.h\"\n#include \"plain.h\"\n__global__ void k(int *a, struct p b) { a[b.x] = 0; }", "p, which cannot be read: line 2 of plain.h: tag p, which is declared twice"},
		{"#include \"lambda.h\"\n__global__ void k(int *a) { a[f(1)] = 0; }", "k.cu:2: f, which cannot be read: line 3 of lambda.h: C++ (auto)"},
		{"#include \"syntax.h\"\n__global__ void k(int *a) { a[f(1)] = 0; }", "k.cu:2: f, which cannot be read: line 2 of syntax.h: unexpected"},
		{"#include \"undefined.cu\"\n__global__ void k(int *a) { a[f(1)] = 0; }", "undefined.cu:1: name later, which is not declared"},
		{"#if A\n#include \"one.h\"\n#endif\n#include \"one.h\"\n__global__ void k(int *a) { a[ONE] = 0; }", "included twice, once under a condition"},
		{"#include \"comment.h\"\n" + k, "ends inside a comment"},
		{"#include \"condition.h\"\n" + k, "ends inside a comment"},
		{"#include \"carried.h\"\n" + k, "ends inside a comment"},
		{"#include \"itself.h\"\n" + k, "which includes itself"},
		{"namespace n {\n#include \"plain.h\"\n}\n" + k, "inside brackets"},
		{"#include \"nowhere.h\"\n" + k, "k.cu:1: #include of \"nowhere.h\""},
	} {
		include := func(path string) []byte {
			if text, ok := files[path]; ok {
				return []byte(text)
			}
			return nil
		}
		said := ""
		kernels, problem := Read("k.cu", []byte(c.src), launch.Options{Include: include})
		if problem != nil {
			said = fmt.Sprintf("%s:%d: %s", problem.File, problem.Line, problem.Construct)
		}
		for _, k := range kernels {
			if p := k.Shown(k.Problem); k.Name == "k" && p != nil {
				said = fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Construct)
			} else if k.Name == "k" {
				said = fmt.Sprint(k.Line, " read")
			}
		}
		if !strings.Contains(said, c.want) {
			t.Errorf("%s\n%s; want %q", c.src, said, c.want)
		}
	}
}

// TestDevicePart: where the host part of a file cannot be read, its kernels are, and what is left out is
// said. A host that asserts, or gives constants other values, is not left out.
func TestDevicePart(t *testing.T) {
	const kernel = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"
	for _, c := range []struct{ src, want string }{
		{"#include <vector>\n" + kernel, "declarations of <vector> are not read"},
		{"#include <map>\nint main(void) {\n#define N 2\n}\n__global__ void k(int *a) { a[threadIdx.x] = N; }", "the host part is ignored (line 1: #include"},
		{"template <class T> T twice(T x) { return x.size(); }\nstd::map m;\n" + kernel, "the host part is ignored (line 1: C++ (template)"},
		{"extern \"C\" {\nstatic std::string name;\nconst int n = (1 + 2), m = 4;\nvoid f(std::string s) { }\n__global__ void k(int *a) { a[n * threadIdx.x] = m; }\n}", "line 2: C++ (::)"},
		{"typedef struct { int x; } pair;\nclass c { int y; };\n__device__ int get(pair p) { return p.x; }\n__global__ void k(int *a, pair p) { a[threadIdx.x] = get(p); }", "the host part is ignored"},
		{"using std::max;\nvoid check(int x) { assert(x == 1); }\n" + kernel, "check: its assertions are not checked"},
		{"using std::max;\n__axiom(1 == 2);\n" + kernel, "refused: C++ (using)"},
		{"#define KERNEL __global__ \\\n  void\nusing std::max;\nKERNEL k(int *a) { a[threadIdx.x] = 1; }\n", "the host part is ignored"},
		{"#define IN(x) __##x##__\nusing std::max;\nIN(global) void l(int *a) { a[0] = threadIdx.x; }\n" + kernel, "refused: C++ (using)"},
		{"#define BEGIN {\n#define END }\nusing std::max;\nvoid f() BEGIN END\n" + kernel, "refused: C++ (using)"},
		{"using std::max;\n__constant__ int n = 1;\nvoid set(int *m) { cudaMemcpyToSymbol(n, m, 4); }\n__global__ void k(int *a) { if (n == 2) a[0] = threadIdx.x; }", "refused: C++ (using)"},
		{"using std::max;\nvoid f() {\n#if A\n{\n#endif\n}\n" + kernel, "refused: C++ (using)"},
		{"#include <vector>\n__global__ void k(int *a) { std::sort(a); }", "refused: C++ (::)"},
		{"#include <vector>\n#include \"../../secret.h\"\n" + kernel, "refused: #include of \"../../secret.h\""},
	} {
		said := ""
		kernels, problem := Read("k.cu", []byte(c.src), launch.Options{})
		if problem != nil {
			said = "refused: " + problem.Construct
		}
		for _, k := range kernels {
			switch {
			case k.Problem != nil:
				said += "refused: " + k.Problem.Construct
			case k.Unchecked != "":
				said += k.Name + ": " + k.Unchecked
				kernels = kernels[1:]
			default:
				said += strings.Join(k.Assumed, "; ")
			}
		}
		if len(kernels) > 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s\n%d kernels: %s; want %q", c.src, len(kernels), said, c.want)
		}
	}
}
