package builtin_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/builtin"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name    string
		columns []builtin.Language
		want    builtin.Meaning
		dim     int
	}{
		{"_Z13get_global_idj", []builtin.Language{builtin.OpenCL}, builtin.GlobalID, -1},
		{"_Z7barrierj", []builtin.Language{builtin.OpenCL}, builtin.BarrierFlags, -1},
		{"_Z10atomic_addPU3AS1Vii", []builtin.Language{builtin.OpenCL}, builtin.Atomic, -1},
		{"_Z12convert_int4Dv4_f", []builtin.Language{builtin.OpenCL}, builtin.Convert, -1},
		{"llvm.nvvm.read.ptx.sreg.ctaid.z", []builtin.Language{builtin.LLVM, builtin.NVPTX}, builtin.GroupID, 2},
		{"llvm.nvvm.shfl.sync.down.f32", []builtin.Language{builtin.LLVM, builtin.NVPTX}, builtin.Warp, -1},
		{"llvm.fmuladd.v4f32", []builtin.Language{builtin.LLVM}, builtin.AnyNumber, -1},
		{"llvm.memcpy.p0.p3.i64", []builtin.Language{builtin.LLVM}, builtin.CopyMemory, -1},
		{"_Z10tex1DfetchIfET_yi", []builtin.Language{builtin.CUDA}, builtin.Texel, -1},
		{"__nv_sqrtf", []builtin.Language{builtin.NVPTX}, builtin.AnyNumber, -1},
	} {
		got := builtin.Find(c.name, c.columns...)
		if got == nil || got.Means != c.want || got.Dim != c.dim {
			t.Errorf("%s is %+v", c.name, got)
		}
	}
	for _, name := range []string{"llvm.nvvm.frobnicate", "_Z10frobnicatei", "_ZN3foo7barrierEj", "barrierx", "_Z7barrierIjEvT_", "_Z8convert_IjEvT_", "_Z10tex1Dfetchyi", "_Z99barrierj", "_Z0", "_Z"} {
		if got := builtin.Find(name, builtin.LLVM, builtin.OpenCL, builtin.NVPTX, builtin.CUDA, builtin.AMDGPU); got != nil {
			t.Errorf("%s is %+v", name, got.Row)
		}
	}
}

func TestSigns(t *testing.T) {
	for name, want := range map[string][2]bool{"_Z3minii": {false, true}, "_Z3minjj": {true, true}, "_Z3minDv4_jS_": {true, true}, "_Z3minff": {false, false}, "_Z3absc": {false, true}} {
		if _, unsigned, said := builtin.Demangle(name); unsigned != want[0] || said != want[1] {
			t.Errorf("%s: %t %t", name, unsigned, said)
		}
	}
}

// TestRows: each meaning says what it is, and has a spelling.
func TestRows(t *testing.T) {
	for _, r := range builtin.Rows {
		if r.Doc == "" || r.Spell == (builtin.Spelling{}) {
			t.Errorf("%+v", r)
		}
	}
}

// TestWordsOfAuthors: each word that authors may claim something with has a row that says what it means, or none, so that its
// kernel is refused. None is passed over, but guesses of other tools.
func TestWordsOfAuthors(t *testing.T) {
	meant := map[string]builtin.Meaning{
		"__requires": builtin.Require, "__global_requires": builtin.Require, "__assume": builtin.Assume, "__global_assume": builtin.Assume,
		"__assert": builtin.Assert, "__global_assert": builtin.Assert, "__invariant": builtin.Invariant, "__global_invariant": builtin.Invariant, "__implies": builtin.Implies,
	}
	text, err := os.ReadFile("../clang/include/opencl/gradine.h")
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^__attribute__\(\(overloadable\)\).*?\b(__\w+)\(`).FindAllStringSubmatch(strings.ReplaceAll(string(text), "__attribute__((overloadable)) ", "__attribute__((overloadable))"), -1) {
		name := m[1]
		row := builtin.Find("_Z"+strconv.Itoa(len(name))+name+"b", builtin.LLVM, builtin.SPIR, builtin.OpenCL)
		switch want, ok := meant[name]; {
		case strings.HasPrefix(name, "__candidate"):
		case row == nil && !ok:
			refused[name] = true
		case row == nil || !ok || row.Means != want:
			t.Errorf("%s: %+v", name, row)
		}
	}
	for _, name := range []string{"__enabled", "__other_int", "__read", "__write", "__old_int", "__ensures", "__function_wide_invariant", "__barrier_invariant_1", "__all", "__uniform_int", "__distinct_int"} {
		if !refused[name] {
			t.Errorf("%s is not refused, or not declared", name)
		}
	}
}

// TestReadable: messages name functions as the source does.
func TestReadable(t *testing.T) {
	for name, want := range map[string]string{
		"_ZN6nvcuda4wmma13fill_fragmentINS0_8fragmentIfEEEEvRT_T0_": "nvcuda::wmma::fill_fragment",
		"_ZNK3Box4sizeEv": "Box::size", "_Z5scalePf": "scale", "_Z5scaleIfEvPf": "scale<>", "cosf": "cosf", "_ZN": "_ZN", "_ZN9x": "_ZN9x", "_ZN0E": "_ZN0E",
	} {
		if got := builtin.Readable(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
