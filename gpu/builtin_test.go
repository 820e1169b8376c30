package gpu_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/gpu/llvm"
)

// arguments are those that calls of functions of the toolchains are tried with.
var arguments = []string{"", "0", "1", "i", "u", "f", "i, i", "u, u", "f, f", "p, 1", "f, i", "p, i, i", "q, p, 4", "q, 0, 4", "i, i, i", "u, u, u", "f, f, f", "~0u, i", "~0u, i, 0", "\"x\"", "v, v", "v, v, v", "v, m", "v, v, m", "d", "d, d", "d, d, d"}

// readBoth says whether some call of a function is read as C, and whether a run of the kernel, too, knows what it means.
func readBoth(cuda bool, call string) (read, runs bool, why string) {
	file, src := "k.cl", "//--local_size=2 --num_groups=1\n__kernel void k(__global int *p, __global int *q, int i, uint u, float f, float4 d) { int4 v = (int4)(1); uint4 m = (uint4)(1); %s; }\n"
	if cuda {
		file, src = "k.cu", "//--blockDim=2 --gridDim=1\n__global__ void k(int *p, int *q, int i, unsigned u, float f) { int v = 1, m = 1; float d = 1; %s; }\n"
	}
	kernels, problem := encode.Read(file, fmt.Appendf(nil, src, call), encode.Options{})
	if problem == nil {
		problem = kernels[0].Problem
	}
	if problem != nil {
		return false, false, problem.Construct
	}
	_, why = kernels[0].Execute(1, [3]int64{2, 1, 1}, [3]int64{1, 1, 1}, map[string]int64{"i": 1, "u": 1}, nil, false, nil)
	return true, !strings.Contains(why, "function "), why
}

// TestBothMeanings: each name of source that has a row means something to the reader of C and to the interpreter of C,
// or nothing to either; what the row refuses is refused in its words.
func TestBothMeanings(t *testing.T) {
	count := map[bool]int{}
	for i := range builtin.Rows {
		row := &builtin.Rows[i]
		for _, cuda := range []bool{false, true} {
			names := row.Spell.OpenCL + " " + row.Spell.OpenCLText
			if cuda {
				names = row.Spell.CUDA + " " + row.Spell.CUDAText
			}
			for _, n := range strings.Fields(names) {
				n = strings.NewReplacer("{xyz}", "y", "convert_*", "convert_short", "as_*", "as_uint", "tex*", "tex1Dfetch", "surf*", "surf2Dread", "*", "x").Replace(n)
				if strings.HasSuffix(n, "<>") || strings.Contains(n, "__gradine_") {
					continue // of C++, or of the header that is brought
				}
				var read, runs bool
				var why, said string
				tries := arguments
				if strings.Contains(n, ".") {
					tries = []string{"."}
				}
				for _, args := range tries {
					if runs {
						break
					}
					call := n + "(" + args + ")"
					if args == "." {
						call = "i = " + n
					}
					reads, run, because := readBoth(cuda, call)
					read, runs = read || reads, runs || run
					if reads && !run {
						why = because
					} else if !reads {
						said += because + "\n"
					}
				}
				count[read]++
				switch {
				case read && !runs:
					t.Errorf("%s is read as C, and not run: %s", n, why)
				case row.Means == builtin.Opaque && (read || !strings.Contains(said, row.Doc)):
					t.Errorf("%s is not refused in the words of its row: %.300s", n, said)
				case !read && row.Gives != builtin.Undeclared:
					t.Errorf("%s has a type, and is not read: %.300s", n, said)
				}
			}
		}
	}
	if count[true] < 300 {
		t.Errorf("%d names are read", count[true])
	}
	t.Logf("%d names are read, %d are not", count[true], count[false])
}

// TestMeaningsOfModules: what has a spelling in modules means something to the reader of modules and to their interpreter.
func TestMeaningsOfModules(t *testing.T) {
	lower, run := named(t, "lower/call.go"), named(t, "run/step.go")
	for i := range builtin.Rows {
		row := &builtin.Rows[i]
		if row.Spell.NVPTX+row.Spell.AMDGPU+row.Spell.SPIR+row.Spell.LLVM+row.Spell.OpenCL == "" {
			continue
		}
		name := meaningNames(t)[row.Means]
		if !slices.Contains(lower, name) {
			t.Errorf("%s (%s) has no meaning in gpu/lower", name, row.Doc)
		}
		refused := []string{"Opaque", "BarrierBare", "AtomicBlock"} // the run says that it does not decide
		if !slices.Contains(run, name) && !slices.Contains(refused, name) {
			t.Errorf("%s (%s) has no meaning in gpu/run", name, row.Doc)
		}
	}
}

var update = flag.Bool("update", false, "write the table of docs/kernel-functions.md")

// TestFunctions: the table of docs/kernel-functions.md is that of the program.
func TestFunctions(t *testing.T) {
	const name = "../docs/kernel-functions.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| meaning | OpenCL C | CUDA |\n|---|---|---|\n")
	for _, r := range builtin.Rows {
		spelt := func(names string) string {
			list := strings.Fields(names)
			list = slices.DeleteFunc(list, func(n string) bool { return strings.Contains(n, "__gradine_") })
			if len(list) == 0 {
				return ""
			}
			return "`" + strings.Join(list, " ") + "`"
		}
		openCL, cuda := spelt(r.Spell.OpenCL+" "+r.Spell.OpenCLText), spelt(r.Spell.CUDA+" "+r.Spell.CUDAText)
		if openCL+cuda != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.Doc, openCL, cuda)
		}
	}
	const begin, end = "<!-- functions -->\n", "<!-- end of functions -->"
	before, rest, ok1 := strings.Cut(string(data), begin)
	_, after, ok2 := strings.Cut(rest, end)
	want := before + begin + b.String() + end + after
	switch {
	case !ok1 || !ok2:
		t.Fatal("docs/kernel-functions.md has no place for the table")
	case want == string(data):
	case !*update:
		t.Fatal("docs/kernel-functions.md is not what the program says; run go test ./gpu -run Functions -update")
	default:
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInstructionsMean: each instruction of LLVM means something to the reader of modules and to their interpreter, or is refused by
// both. That the instructions are those of the language reference is tested where they are read.
func TestInstructionsMean(t *testing.T) {
	refused := strings.Fields("indirectbr invoke callbr resume catchswitch catchret cleanupret va_arg landingpad catchpad cleanuppad")
	declared := namesIn(t, "llvm/op.go", "IndirectBr", "const (\n\tRet Op = iota")
	for _, folder := range []string{"lower", "run"} {
		var known []string
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(err, len(files))
		}
		for _, f := range files {
			known = append(known, selected(t, f, "llvm")...)
		}
		for i, name := range declared[:len(declared)-1] { // without their number
			op := llvm.Op(i)
			if slices.Contains(known, name) == slices.Contains(refused, op.String()) {
				t.Errorf("gpu/%s: %s is refused %v, and named %v", folder, op, slices.Contains(refused, op.String()), slices.Contains(known, name))
			}
		}
	}
}

// named are the meanings that a file names.
func named(t *testing.T, path string) []string { return selected(t, path, "builtin") }

// selected are the names of a package that a file uses.
func selected(t *testing.T, path, of string) (out []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == of {
				out = append(out, s.Sel.Name)
			}
		}
		return true
	})
	return out
}

// meaningNames are the names of meanings, as the package declares them.
func meaningNames(t *testing.T) []string {
	return namesIn(t, "builtin/builtin.go", "LocalID", "const (\n\tAnyNumber")
}

// namesIn are the constants of a block of a file that begins with some text, in order; one of them is known.
func namesIn(t *testing.T, path, one, begin string) (out []string) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(src), begin)
	block, _, _ := strings.Cut(strings.TrimPrefix(begin, "const (\n")+rest, "\n)")
	for _, line := range strings.Split(block, "\n") {
		if f := strings.Fields(line); len(f) > 0 && !strings.HasPrefix(f[0], "//") {
			out = append(out, f[0])
		}
	}
	if !slices.Contains(out, one) {
		t.Fatalf("%s does not declare %s: %v", path, one, out)
	}
	return out
}
