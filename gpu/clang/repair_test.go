package clang

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/llvm"
)

// defined are the names of the kernels of a unit.
func defined(u *Unit) string {
	var out []string
	for _, e := range u.Kernels {
		name, _, lambda := strings.Cut(e.Name, "<(lambda")
		if lambda {
			name += "<lambda>"
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func compiled(t *testing.T, c Compiler, file string) *Unit {
	t.Helper()
	u, err := c.Compile(t.Context(), Source{Dir: "testdata/repair", File: file, Language: LanguageOf(file)}, Options{})
	if err != nil {
		t.Fatalf("%v: %v\n%s", c, err, u.Messages)
	}
	return u
}

// TestHostErrors: statements of the host that fail are blanked, and every launch still
// instantiates its template.
func TestHostErrors(t *testing.T) {
	for _, c := range installed(t) {
		u := compiled(t, c, "host.cu")
		got := defined(u)
		want := "apply<lambda> plain scale<double> scale<float> tile<128> tile<16> tile<32> tile<64> tile<8>"
		if got != want {
			t.Errorf("%v: kernels %s, want %s\n%v\n%v", c, got, want, u.Blanked, u.Lost)
		}
		if !slices.Equal(u.Missing, []string{"not/there.h", "opencv2/opencv.hpp"}) {
			t.Errorf("%v: missing %q", c, u.Missing)
		}
		if len(u.Blanked) < 10 || u.Messages == "" {
			t.Errorf("%v: blanked %v", c, u.Blanked)
		}
	}
}

// TestUnroll: a loop that is to be unrolled 0 times, or fewer, keeps its kernel: it is asked nothing of, as nvcc does it.
func TestUnroll(t *testing.T) {
	count := regexp.MustCompile(`"llvm.loop.unroll.count", i32 (\d+)`)
	for _, c := range installed(t) {
		u := compiled(t, c, "unroll.cu")
		var counts []string
		for _, m := range count.FindAllStringSubmatch(string(u.IR), -1) {
			counts = append(counts, m[1])
		}
		slices.Sort(counts)
		none := strconv.Itoa(llvm.NoUnroll)
		if got := slices.Compact(counts); defined(u) != "instance<0> instance<8> plain" || !slices.Equal(got, []string{none, "4", "8"}) || len(u.Lost) > 0 {
			t.Errorf("%v: kernels %s, counts %v, lost %v\n%s", c, defined(u), got, u.Lost, u.Messages)
		}
	}
}

// TestDeviceErrors: a function of the device that fails has no body, so that whatever calls
// it can be refused; a name whose declaration fails takes with it what mentions it.
func TestDeviceErrors(t *testing.T) {
	for _, c := range installed(t) {
		u := compiled(t, c, "device.cu")
		got := defined(u)
		if want := "aligned calls good method"; got != want {
			t.Errorf("%v: kernels %s, want %s\n%v", c, got, want, u.Lost)
		}
		for _, f := range []string{`declare .*@_Z6brokenf`, `declare .*@_ZN2OpIfEC`} {
			if !regexp.MustCompile(f).Match(u.IR) {
				t.Errorf("%v: no %s in the IR", c, f)
			}
		}
		var names []string
		for _, l := range u.Lost {
			if l.Kernel {
				names = append(names, l.Name)
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != "bad lambda layout overload" {
			t.Errorf("%v: lost kernels %s\n%v", c, got, u.Lost)
		}
	}
}

// TestUntouched: the source itself is not written to, and nothing is left behind.
func TestUntouched(t *testing.T) {
	c := installed(t)[0]
	t.Setenv("TMPDIR", t.TempDir())
	before, err := os.ReadFile("testdata/repair/host.cu")
	if err != nil {
		t.Fatal(err)
	}
	compiled(t, c, "host.cu")
	if after, _ := os.ReadFile("testdata/repair/host.cu"); string(after) != string(before) {
		t.Error("the source was changed")
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSame: the IR of a source is the same bytes each time, wherever temporary files are.
func TestSame(t *testing.T) {
	c := installed(t)[0]
	first := compiled(t, c, "host.cu")
	t.Setenv("TMPDIR", t.TempDir())
	if second := compiled(t, c, "host.cu"); string(first.IR) != string(second.IR) {
		t.Error("the IR differs")
	}
}

// TestInstances: templates that nothing instantiates are named, and instances that are asked
// for are compiled; one that fails is said, and costs no other.
func TestInstances(t *testing.T) {
	for _, c := range installed(t) {
		src := Source{Dir: "testdata/repair", File: "template.cu", Language: CUDA}
		u, err := c.Compile(t.Context(), src, Options{})
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		if defined(u) != "" || len(u.Absent) != 1 || u.Absent[0].Name != "fill" || !strings.Contains(u.Absent[0].Why, "--instance 'fill<") {
			t.Errorf("%v: kernels %q, absent %v", c, defined(u), u.Absent)
		}
		u, err = c.Compile(t.Context(), src, Options{Instances: []string{"deep::fill<float, 4>", "deep::fill<Absent, 1>", "deep::fill<int, 8>"}})
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		if got := defined(u); got != "fill<float, 4> fill<int, 8>" {
			t.Errorf("%v: kernels %q", c, got)
		}
		if len(u.Lost) != 1 || u.Lost[0].Name != "deep::fill<Absent, 1>" {
			t.Errorf("%v: lost %v", c, u.Lost)
		}
	}
}

// TestRecord: what IR was made of is above it, and a change of any of it is noticed without
// a compiler.
func TestRecord(t *testing.T) {
	c := installed(t)[0]
	o := Options{Defines: []string{"DWIDTH=4"}}
	u, err := c.Compile(t.Context(), Source{Dir: "testdata/repair", File: "recorded.cu", Language: CUDA}, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ReadRecord(u.Text())
	if err != nil {
		t.Fatal(err)
	}
	if r.Compiler != c.String() || len(r.Files) != 2 || r.Files["sub/part.cuh"] == "" {
		t.Errorf("record %+v", r)
	}
	macros := strings.Join(r.Macros, " ")
	if want := "ABSENT is not defined WIDTH=4 __CUDA_ARCH__=800"; macros != want {
		t.Errorf("macros %s, want %s", macros, want)
	}
	files := map[string]string{}
	for name := range r.Files {
		text, err := os.ReadFile("testdata/repair/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	if why := r.Differs(o, read); why != "" {
		t.Error(why)
	}
	for _, other := range []Options{{}, {Defines: []string{"DWIDTH=8"}}, {Defines: o.Defines, Instances: []string{"k<1>"}}, {Defines: o.Defines, Arch: "sm_90"}} {
		if r.Differs(other, read) == "" {
			t.Errorf("%+v is not noticed", other)
		}
	}
	files["absent.h"] = ""
	if why := r.Differs(o, read); !strings.Contains(why, "absent.h exists now") {
		t.Error(why)
	}
	delete(files, "absent.h")
	files["sub/part.cuh"] += " "
	if why := r.Differs(o, read); !strings.Contains(why, "sub/part.cuh has changed") {
		t.Error(why)
	}
	delete(files, "sub/part.cuh")
	if why := r.Differs(o, read); !strings.Contains(why, "sub/part.cuh") {
		t.Error(why)
	}
	for _, tampered := range []string{strings.Replace(string(u.Text()), "define ", "define  ", 1), string(u.Text()) + "\n", strings.TrimSuffix(string(u.Text()), "\n")} {
		if _, err := ReadRecord([]byte(tampered)); err == nil || !strings.Contains(err.Error(), "its IR has changed") {
			t.Errorf("IR that was changed by hand: %v", err)
		}
	}
	for _, bad := range []string{"", "; ModuleID = 'x'\n", recordHead + recordLine + "{", recordHead + recordLine + "{\"x\": 1}\n"} {
		if _, err := ReadRecord([]byte(bad)); err == nil {
			t.Errorf("%q has a record", bad)
		}
	}
}

// TestStandards: OpenCL C is compiled as the oldest version that accepts it, which the record
// says, and no other flags count as a difference.
func TestStandards(t *testing.T) {
	c := installed(t)[0]
	for file, want := range map[string]string{"old.cl": "-cl-std=CL1.2", "new.cl": "-cl-std=CL2.0"} {
		u := compiled(t, c, file)
		if !slices.Contains(u.Flags, want) || len(u.Kernels) != 1 {
			t.Errorf("%s: %v %v", file, u.Flags, u.Kernels)
		}
		read := func(name string) ([]byte, error) { return os.ReadFile("testdata/repair/" + name) }
		if why := u.Differs(Options{}, read); why != "" {
			t.Errorf("%s: %s", file, why)
		}
		if u.Differs(Options{Std: "CL3.0"}, read) == "" {
			t.Errorf("%s: another standard is not noticed", file)
		}
	}
}

// TestHeadersFound: a header that flags do not lead to is the nearest file of the project with that name, or
// declarations of this package; the record says which. Where two that differ are as near, it is neither.
func TestHeadersFound(t *testing.T) {
	files := map[string]string{
		"src/k.cu": `#include "types.h"
#include <sub/more.h>
#include "..\win\Name.h"
#include "../../up.h"
#include <helper_cuda.h>
#include "helper_math.h"
#include "two.h"
#include "three.h"
#include "none.h"
using namespace nowhere;
__global__ void k(T *a, float3 *b) { a[threadIdx.x] = MORE + NAME + UP + THREE; b[threadIdx.x] = normalize(b[threadIdx.x]) * 2.0f; }
int main() { checkCudaErrors(cudaSetDevice(findCudaDevice(0, 0))); k<<<1, 1>>>(0, 0); }
`,
		"include/types.h":    "#include \"beside.h\"\n",
		"include/beside.h":   "typedef int T;\n",
		"far/off/types.h":    "typedef float *T;\n",
		"include/sub/more.h": "#define MORE 1\n",
		"other/more.h":       "#error\n",
		"win/name.h":         "#define NAME 1\n",
		"lib/up.h":           "#define UP 1\n",
		"a/two.h":            "#define TWO 1\n",
		"b/two.h":            "#define TWO 2\n",
		"a/three.h":          "#define THREE 3\n",
		"b/three.h":          "#define THREE 3\n",
		".hidden/none.h":     "#error\n",
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range installed(t) {
		u, err := c.Compile(t.Context(), Source{Dir: dir, File: "src/k.cu", Language: CUDA}, Options{})
		if err != nil || len(u.Lost) > 0 || defined(u) != "k" {
			t.Fatalf("%v: %v %v\n%s", c, err, u.Lost, u.Messages)
		}
		want := map[string]string{
			"types.h": "include/types.h", "sub/more.h": "include/sub/more.h", `..\win\Name.h`: "win/name.h", "../../up.h": "lib/up.h",
			"helper_cuda.h": "", "helper_math.h": "", "three.h": "a/three.h",
		}
		if !maps.Equal(u.Found, want) || !slices.Equal(u.Missing, []string{"two.h", "none.h"}) {
			t.Errorf("%v: found %q, missing %q", c, u.Found, u.Missing)
		}
		if u.Files["include/beside.h"] == "" || bytes.Contains(u.IR, []byte(dir)) {
			t.Errorf("%v: files %v, and the IR says where they stand", c, u.Files)
		}
		if assumed := strings.Join(u.Assumed(), "\n"); !strings.Contains(assumed, "types.h is not found in the include paths, so it is taken from include/types.h (-I include)") {
			t.Errorf("%v: %s", c, assumed)
		}
	}
}

// TestOverloadsOfKernels: of kernels with one name, those that are lost are told, and the others stay.
func TestOverloadsOfKernels(t *testing.T) {
	dir := t.TempDir()
	src := `void copy(int *a, unknown b);
__global__ void copy(int *a)
{ a[threadIdx.x] = 1; }
__global__ void copy(float *a) { a[threadIdx.x] = nothing; }
__global__ void copy(double *a, unknown b) { a[threadIdx.x] = 1; }
`
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range installed(t) {
		u, err := c.Compile(t.Context(), Source{Dir: dir, File: "k.cu", Language: CUDA}, Options{})
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		if len(u.Kernels) != 1 || len(u.Absent) != 2 || u.Absent[0].Line != 4 || u.Absent[1].Line != 5 {
			t.Errorf("%v: kernels %v, absent %v", c, u.Kernels, u.Absent)
		}
	}
}

// TestNewerLanguage: what a later version of C++ has is suggested as a flag, and reads with it.
func TestNewerLanguage(t *testing.T) {
	dir := t.TempDir()
	src := `template <typename T> concept Small = sizeof(T) < 4;
template <Small T> __device__ T half(T x) { return x / 2; }
__global__ void k(short *a)
{ a[threadIdx.x] = half(a[threadIdx.x]); }
`
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range installed(t) {
		said := ""
		u, err := c.Compile(t.Context(), Source{Dir: dir, File: "k.cu", Language: CUDA}, Options{})
		if err != nil {
			said = err.Error()
		} else if len(u.Absent) > 0 {
			said = u.Absent[0].Why
		}
		if !strings.Contains(said, "--std c++20") {
			t.Errorf("%v: %s", c, said)
		}
		u, err = c.Compile(t.Context(), Source{Dir: dir, File: "k.cu", Language: CUDA}, Options{Std: "c++20"})
		if err != nil || defined(u) != "k" {
			t.Errorf("%v: %v %v", c, err, u)
		}
	}
}
