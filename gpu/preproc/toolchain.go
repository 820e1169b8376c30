package preproc

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// OpenCL is what its toolchains declare by themselves: types, address spaces, constants.
// An address space is a number of _Nonnull, a qualifier that may stand wherever
// they may and that do not occur in kernels.
const OpenCL = `
#define __global _Nonnull
#define global _Nonnull
#define __local _Nonnull _Nonnull
#define local _Nonnull _Nonnull
#define __constant _Nonnull _Nonnull _Nonnull
#define constant _Nonnull _Nonnull _Nonnull
#define __private
#define __kernel __attribute__((gpu_kernel))
#define kernel __attribute__((gpu_kernel))
#define __read_only
#define __write_only
#define read_only
#define write_only
#define bool _Bool
#define true 1
#define false 0
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define __OPENCL_VERSION__ 120
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define __ENDIAN_LITTLE__ 1
`

// CUDA is what its toolchain declares by itself.
const CUDA = `
#define __global__ __attribute__((gpu_kernel))
#define __device__ _Nonnull
#define __shared__ _Nonnull _Nonnull
#define __constant__ _Nonnull _Nonnull _Nonnull
#define __host__ __attribute__((gpu_host))
#define __noinline__
#define __forceinline__
#define __inline__ inline
#define __restrict__ restrict
#define __launch_bounds__(...) __attribute__((gpu_bounds(__VA_ARGS__)))
#define __align__(n)
#define __CUDA_ARCH__ 700
#define __CUDACC__ 1
#define __NVCC__ 1
#define __cplusplus 201703
#define __ldg(p) (*(p))
#define warpSize 32
#define constexpr const
#define nullptr ((void*)0)
#define static_assert(...)
#define noexcept
#define thread_local _Thread_local
#define and &&
#define or ||
#define not !
#define bool _Bool
#define true (!0)
#define false (!1)
`

// AxiomName is what __axiom(e) declares: a variable of which only the initial value counts.
const AxiomName = "__axiom__"

// Common is what all toolchains declare.
const Common = `
int __predefined_declarator;
#define __axiom(e) int __axiom__ = (e)
#define NULL ((void*)0)
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-127-1)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-127-1)
#define SHRT_MAX 32767
#define SHRT_MIN (-32767-1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647-1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L-1)
#define ULONG_MAX 18446744073709551615ul
#define FLT_MAX 3.402823466e38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.1920929e-7f
#define INFINITY 1e400f
#define MAXFLOAT 3.402823466e38f
#define M_PI 3.14159265358979323846
#define M_PI_F 3.14159274f
#define RAND_MAX 2147483647
#define CUDART_INF_F 1e400f
`

// Headers are those of the toolchains: what they declare is known here, so their text
// is not read. All others have to lie in the project.
var Headers = regexp.MustCompile(`^(cuda|cuda_.*|cutil.*|curand.*|device_.*|vector_.*|math_.*|sm_.*|call_kernel|helper_.*|builtin_types|texture_.*|opencl.*|cl|assert|stdio|stdlib|stddef|stdint|string|math|time|limits|float|memory|sys/time|unistd|ctype|stdbool)(\.h|\.cuh)?$|^c(stdio|stdlib|time|string|math|assert|float|limits|stdint)$|^iostream$`)

var (
	quoted      = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"`)
	conditional = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]|\\\r?\n)*(?:if|ifdef|ifndef|elif)\b((?:[^\\\n]|\\\r?\n|\\)*)`)
	definition  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]*([^\n]*)`)
	ofTarget    = regexp.MustCompile(`\b(__OPENCL_VERSION__|__OPENCL_C_VERSION__|__ENDIAN_LITTLE__|__CUDA_ARCH__|warpSize)\b`)
	longs       = regexp.MustCompile(`\blong(\s+(int|unsigned|signed|long)\b)*|\b\d[\da-fA-FxX]*[uU]?[lL]+[uU]?\b`)
	chars       = regexp.MustCompile(`\b((un)?signed\s+)?char\b`)
)

// Taken says which macros of the toolchains, and of the build of the kernel, decide what is
// read of a text: other targets, and builds with other definitions, compile other code.
func Taken(header string, defines []string, src []byte) (out []string) {
	code := CodeOnly(src)
	known := map[string]string{}
	for _, m := range definition.FindAllStringSubmatch(header, -1) {
		known[m[1]] = m[2]
	}
	here := map[string]int{"defined": 0} // where the text itself defines a name
	for _, d := range defines {
		name, _, _ := strings.Cut(d, "=")
		here[name] = 0
	}
	for _, m := range definition.FindAllSubmatchIndex(code, -1) {
		name := string(code[m[2]:m[3]])
		if _, before := here[name]; !before {
			here[name] = m[0]
		}
	}
	add := func(name string, where int) {
		if at, ok := here[name]; ok && at <= where {
			return
		}
		value, ok := known[name]
		said := name + " is not defined"
		if ok {
			said = name + " is " + value
		}
		if said += ": code for other builds is not checked"; !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	for _, m := range conditional.FindAllSubmatchIndex(code, -1) {
		for _, w := range Identifier.FindAllIndex(code[m[2]:m[3]], -1) {
			add(string(code[m[2]+w[0]:m[2]+w[1]]), m[0])
		}
	}
	for _, m := range ofTarget.FindAllIndex(code, -1) {
		add(string(code[m[0]:m[1]]), m[0])
	}
	for _, m := range quoted.FindAllSubmatch(src, -1) {
		out = append(out, fmt.Sprintf("declarations of %q are not read: it is treated as a toolchain header", m[1]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	// reservedWord are names that toolchains keep for themselves, and extensions.
	reservedWord = regexp.MustCompile(`^(__\w*|cl_\w*)$`)
	// elsewhere are defined by toolchains for other systems or devices alone.
	elsewhere = regexp.MustCompile(`^(__APPLE__|__MINGW\w*|__CYGWIN__|__ANDROID__|__\w+BSD__|__HIP\w*|__SYCL\w*|__DEVICE_EMULATION__)$`)
	// predefined are what toolchains say of themselves, whatever a text defines.
	predefined = regexp.MustCompile(`^__(STDC\w*|GNU\w*|clang\w*|llvm__|VERSION__|OPTIMIZE\w*|SIZEOF\w*|\w+_(MAX|TYPE|WIDTH|DIG|EPSILON)__|BYTE_ORDER__|ORDER\w*|has_\w*|is_\w*|building\w*|linux\w*|unix\w*|x86_64\w*|amd64\w*|SPIR\w*|NVPTX\w*|PTX\w*|AMD\w*|OPENCL_\w*|opencl_\w*|CUDA\w*|NVCC\w*|IMAGE_SUPPORT__|FAST_RELAXED_MATH__|FILE__|DATE__|TIME\w*|COUNTER__|BASE_FILE__|INCLUDE_LEVEL__)$`)
)

// defined are the bodies of macros, which conditions may name.
var defined = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]|\\\r?\n)*define(?:[ \t]|\\\r?\n)+\w+((?:[^\\\n]|\\\r?\n|\\)*)`)

// ofThePlace are macros of a place or a time, which messages use.
var ofThePlace = regexp.MustCompile(`^__(FILE|BASE_FILE|DATE|TIME\w*|COUNTER)__$`)

// Unknown is the first name in a condition, or in a macro, that toolchains define, each as it is or in its own way, and whose value is not
// known here: what would be read is code that is not compiled. Its offset is −1 where there is none.
func Unknown(header string, defines []string, src []byte) (name string, at int) {
	// Names that the header or the file defines are known.
	code := CodeOnly(src)
	known := map[string]bool{"__LINE__": true}
	for _, m := range definition.FindAllStringSubmatch(header, -1) {
		known[m[1]] = true
	}
	for _, d := range defines {
		known[FirstWord.FindString(d)] = true
	}
	for _, m := range redefined.FindAllSubmatch(code, -1) {
		if n := string(m[1]); !predefined.MatchString(n) {
			known[n] = true
		}
	}
	// First conditions, then the texts of macros.
	for _, m := range conditional.FindAllSubmatchIndex(code, -1) {
		for _, w := range Identifier.FindAllIndex(code[m[2]:m[3]], -1) {
			n := string(code[m[2]+w[0] : m[2]+w[1]])
			if reservedWord.MatchString(n) && !known[n] && !elsewhere.MatchString(n) {
				return n, m[2] + w[0]
			}
		}
	}
	for _, m := range defined.FindAllSubmatchIndex(code, -1) {
		for _, w := range Identifier.FindAllIndex(code[m[2]:m[3]], -1) {
			n := string(code[m[2]+w[0] : m[2]+w[1]])
			if (predefined.MatchString(n) && !ofThePlace.MatchString(n) || strings.HasPrefix(n, "cl_khr_")) && !known[n] {
				return n, m[2] + w[0]
			}
		}
	}
	return "", -1
}

// OfHost says which types of CUDA have the width, and the sign, that the compiler of the
// host gives them.
func OfHost(code []byte) (out []string) {
	for _, m := range longs.FindAll(code, -1) {
		if text := strings.ToLower(string(m)); strings.Count(text, "long") == 1 || strings.Count(text, "l") == 1 {
			out = append(out, "long has 64 bits")
			break
		}
	}
	for _, m := range chars.FindAll(code, -1) {
		if string(m) == "char" {
			return append(out, "char is signed")
		}
	}
	return out
}
