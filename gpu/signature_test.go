package gpu_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/internal/corpus"
)

// clangs are the compilers whose headers declare functions of the toolchains.
var clangs = []string{"clang", "clang-19", "clang-16", "clang-14"}

// clangTypes are the types that Clang gives calls, "" where it declares no form, or several.
func clangTypes(t *testing.T, cuda bool, parameters string, calls []string) []string {
	compiler := ""
	for _, c := range clangs {
		if path, err := exec.LookPath(c); err == nil {
			compiler = path
			break
		}
	}
	if compiler == "" {
		t.Skip("no Clang is installed: types are not compared")
	}
	var b strings.Builder
	args := []string{"-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-Xclang", "-cl-ext=+all"}
	form := "__typeof__(%[2]s) x%[1]d;\n"
	file := filepath.Join(t.TempDir(), "types.cl")
	if cuda {
		args = []string{"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudalib", "-nocudainc"}
		form, file = "auto x%d = %s;\n", filepath.Join(t.TempDir(), "types.cu")
		b.WriteString(`#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define CUDA_VERSION 11000
#define warpSize 32
#include <cmath>
#include <cstdlib>
#include <cstdint>
struct uint2 { unsigned x, y; }; struct uint3 {}; struct uint4 {}; struct int4 {}; struct dim3 {};
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
using namespace std;
__device__ `)
	}
	fmt.Fprintf(&b, "void types(%s) {\n", parameters)
	for i, c := range calls {
		fmt.Fprintf(&b, form, i, c)
	}
	b.WriteString("}\n")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	args = append(args, "-fsyntax-only", "-ferror-limit=0", "-w", "-Xclang", "-ast-dump", "-Xclang", "-ast-dump-filter=types", file)
	var said, wrong bytes.Buffer
	cmd := exec.Command(compiler, args...)
	cmd.Stdout, cmd.Stderr = &said, &wrong
	_ = cmd.Run() // it fails for what has no type
	out := make([]string, len(calls))
	found := 0
	for _, m := range regexp.MustCompile(`(?m)VarDecl \S+ <[^>]*> [\w:]+ x(\d+) '[^']*':'([^']*)'`).FindAllStringSubmatch(said.String(), -1) {
		var i int
		_, _ = fmt.Sscan(m[1], &i)
		out[i] = strings.TrimSpace(strings.ReplaceAll(m[2], "__private", ""))
		found++
	}
	if found < len(calls)/20 {
		t.Fatalf("%d of %d calls have a type: %.2000s", found, len(calls), wrong.String())
	}
	return out
}

// inClang is how Clang spells a type.
func inClang(t *ast.Ctype) string {
	switch t.Kind {
	case ast.VectorType:
		return fmt.Sprintf("%s  __attribute__((ext_vector_type(%d)))", inClang(t.Elem), t.N)
	case ast.FloatType:
		return t.Name
	}
	name := map[int]string{1: "bool", 8: "char", 16: "short", 32: "int", 64: "long"}[t.Bits]
	if !t.Signed && t.Bits > 1 {
		return "unsigned " + name
	}
	return name
}

// sameSpelling reports whether a type is the one that Clang names.
func sameSpelling(t *ast.Ctype, clang string) bool {
	plain := func(s string) string {
		s = strings.TrimPrefix(strings.ReplaceAll(s, "long long", "long"), "signed ")
		return strings.Join(strings.Fields(s), " ")
	}
	return plain(inClang(t)) == plain(clang)
}

// argumentTypes are types of arguments, by the names of variables of them.
func argumentTypes(cuda bool) (names []string, types map[string]*ast.Ctype, parameters string) {
	types = map[string]*ast.Ctype{}
	add := func(spelt string, t *ast.Ctype) {
		n := "v_" + strings.ReplaceAll(spelt, " ", "_")
		names, types[n] = append(names, n), t
		parameters += ", " + spelt + " " + n
	}
	for _, bits := range []int{8, 16, 32, 64} {
		for _, signed := range []bool{true, false} {
			t := ast.IntOf(bits, signed)
			spelt := inClang(t)
			add(spelt, t)
		}
	}
	add("bool", ast.TBool)
	add("float", ast.TFloat)
	add("double", ast.TDouble)
	if !cuda {
		for _, n := range strings.Fields("int2 uint2 char4 long3 int4 ushort8 float2 float3 float4 double2 double4") {
			add(n, ast.Named(n, false))
		}
	}
	return names, types, parameters[2:]
}

// knownDifference says why the type of a call is another one than Clang's.
func knownDifference(call string) string {
	switch {
	case strings.HasPrefix(call, "clock"):
		return "CUDA says clock_t, and long long"
	case strings.HasPrefix(call, "rsqrt(v_float"), strings.HasPrefix(call, "exp10(v_float"):
		return "CUDA has forms for floats"
	case regexp.MustCompile(`^(min|max)\(.*(float|double)`).MatchString(call):
		return "CUDA has forms for floats, which stand in a header of its own"
	}
	return ""
}

// TestTypesOfBuiltins compares the types of calls of all functions of the table, with arguments of all types, with Clang's.
func TestTypesOfBuiltins(t *testing.T) {
	for _, cuda := range []bool{false, true} {
		t.Run(map[bool]string{false: "OpenCL", true: "CUDA"}[cuda], func(t *testing.T) {
			names, types, parameters := argumentTypes(cuda)
			rng := rand.New(rand.NewPCG(7, 7))
			var calls []string
			var given [][]*ast.Ctype
			call := func(f string, args ...string) {
				var ts []*ast.Ctype
				for _, a := range args {
					if a == "~0u" {
						ts = append(ts, ast.TUint)
						continue
					}
					ts = append(ts, types[a])
				}
				calls, given = append(calls, f+"("+strings.Join(args, ", ")+")"), append(given, ts)
			}
			any := func() string { return names[rng.IntN(len(names))] }
			for _, f := range builtin.Typed(cuda) {
				if strings.HasPrefix(f, "curand") || f == "rand_float" || f == "saturate" || f == "int_as_float" || f == "float_as_int" {
					continue // of a library, or of old samples
				}
				for _, a := range names {
					switch {
					case strings.HasSuffix(f, "_sync"):
						call(f, "~0u", a)
						call(f, "~0u", a, "v_int")
					default:
						call(f, a)
						call(f, a, a)
						call(f, a, a, a)
						if corpus.Effort(0, 0, 1) == 0 && rng.IntN(3) > 0 {
							continue
						}
						call(f, a, "v_int")
						call(f, a, any())
						call(f, any(), a, a)
						call(f, a, a, any())
					}
				}
				call(f)
			}
			is := clangTypes(t, cuda, parameters, calls)
			compared, refused, none := 0, 0, 0
			seen := map[string]bool{}
			for i, c := range calls {
				ours, why := ast.Result(builtin.Source(c[:strings.IndexByte(c, '(')], cuda), cuda, given[i])
				switch {
				case is[i] == "":
					none++ // it is not compiled
				case why != "", ours.Unsettled:
					refused++
				case sameSpelling(ours, is[i]):
					compared++
					seen[c[:strings.IndexByte(c, '(')]] = true
				case knownDifference(c) == "":
					t.Errorf("%s is %s, and for Clang %s", c, inClang(ours), is[i])
				}
			}
			t.Logf("%d calls of %d functions have the type that Clang says, %d are refused, %d have none", compared, len(seen), refused, none)
			if compared < 5*len(seen) || len(seen) < len(builtin.Typed(cuda))/2 {
				t.Errorf("too few are compared: %d of %d functions", compared, len(seen))
			}
		})
	}
}

// TestSizesOfCalls: kernels whose threads meet if a call has the size, or the sign, that Clang says are not safe.
func TestSizesOfCalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(corpus.Effort(1, 2, 3)), 9))
	for _, cuda := range []bool{false, true} {
		names, _, parameters := argumentTypes(cuda)
		var calls []string
		functions := append(builtin.Typed(cuda), "min", "max", "abs", "mul24", "mad24", "clamp", "select", "abs_diff", "shuffle", "__mul24", "__umul24", "convert_int4", "as_int2", "convert_uchar_sat")
		functions = slices.DeleteFunc(functions, func(n string) bool {
			return strings.HasPrefix(n, "curand") || strings.Contains(n, "sub_group") || slices.Contains([]string{"rand_float", "saturate", "clock", "clock64", "int_as_float", "float_as_int"}, n)
		})
		any := func() string { return names[rng.IntN(len(names))] }
		for range corpus.Effort(2000, 4000, 16000) {
			f, a := functions[rng.IntN(len(functions))], any()
			switch args := []string{a, a + ", " + a, a + ", " + a + ", " + a, a + ", " + any(), a + ", " + a + ", v_int"}[rng.IntN(5)]; {
			case strings.HasSuffix(f, "_sync"):
				calls = append(calls, f+"(~0u, "+args+")")
			default:
				calls = append(calls, f+"("+args+")")
			}
		}
		is := clangTypes(t, cuda, parameters, calls)
		judged := 0
		for i, c := range calls {
			if is[i] == "" || knownDifference(c) != "" {
				continue
			}
			if judged++; judged > corpus.Effort(25, 30, 600) {
				break
			}
			size := sizeInClang(is[i])
			test := fmt.Sprintf("(sizeof(%s) != %d)", c, size)
			if strings.HasPrefix(is[i], "unsigned int") && !strings.Contains(is[i], "vector") || strings.HasPrefix(is[i], "unsigned long") && !strings.Contains(is[i], "vector") {
				test = fmt.Sprintf("((%s) * 0 - 1 < 0)", c)
			}
			file, src := "k.cl", fmt.Sprintf("//--local_size=4 --num_groups=1\n__kernel void k(__global int *a, %s) { a[get_local_id(0) * %s] = get_local_id(0); }", parameters, test)
			if cuda {
				file, src = "k.cu", fmt.Sprintf("//--blockDim=4 --gridDim=1\n__global__ void k(int *a, %s) { a[threadIdx.x * %s] = threadIdx.x; }", parameters, test)
			}
			if verdict, _ := worst(gpu.File(context.Background(), file, []byte(src), gpu.Options{})); verdict == gpu.Safe {
				t.Errorf("%s is %s for Clang; this is safe: %s", c, is[i], src)
			}
		}
		if judged < 25 {
			t.Errorf("%d calls were judged", judged)
		}
	}
}

// sizeInClang is the size of a type that Clang spells.
func sizeInClang(spelt string) int {
	lanes := 1
	if _, n, ok := strings.Cut(spelt, "ext_vector_type("); ok {
		_, _ = fmt.Sscan(n, &lanes)
		if lanes == 3 {
			lanes = 4
		}
	}
	for _, s := range []struct {
		word string
		size int
	}{{"bool", 1}, {"char", 1}, {"short", 2}, {"int", 4}, {"long", 8}, {"float", 4}, {"double", 8}} {
		if strings.Contains(strings.TrimPrefix(spelt, "unsigned "), s.word) {
			return s.size * lanes
		}
	}
	return 0
}
