package encode

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/launch"
)

// copies writes a module of so many kernels, each of which copies that often, as clang writes them: with variables in memory, and a
// place in the source for each instruction. It returns how many instructions these are.
func copies(kernels, times int) (text string, instructions int) {
	var b, nodes strings.Builder
	node := 100
	put := func(format string, args ...any) int {
		fmt.Fprintf(&nodes, "!%d = "+format+"\n", append([]any{node}, args...)...)
		node++
		return node - 1
	}
	b.WriteString("target triple = \"nvptx64-nvidia-cuda\"\n")
	for k := range kernels {
		of := put(`distinct !DISubprogram(name: "k%d", scope: !1, file: !1, line: %d, type: !3, unit: !0)`, k, 100*k+1)
		at := of
		code := func(format string, args ...any) {
			fmt.Fprintf(&b, "  "+format+", !dbg !%d\n", append(args, at)...)
			instructions++
		}
		line := func(n int) { at = put("!DILocation(line: %d, scope: !%d)", 100*k+n, of) }
		fmt.Fprintf(&b, "define ptx_kernel void @k%d(ptr noundef %%a, ptr noundef %%b) #0 !dbg !%d {\nentry:\n", k, of)
		line(2)
		code("%%a.addr = alloca ptr, align 8")
		code("%%i = alloca i32, align 4")
		code("store ptr %%a, ptr %%a.addr, align 8")
		code("call void @llvm.dbg.declare(metadata ptr %%i, metadata !%d, metadata !DIExpression())", put(`!DILocalVariable(name: "i", scope: !%d, file: !1, line: 2, type: !5)`, of))
		line(3)
		code("%%t = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1")
		code("store i32 %%t, ptr %%i, align 4")
		for n := range times {
			line(4 + n)
			code("%%w%d = load i32, ptr %%i, align 4", n)
			code("%%s%d = sext i32 %%w%[1]d to i64", n)
			code("%%p%d = getelementptr inbounds float, ptr %%b, i64 %%s%[1]d", n)
			code("%%v%d = load float, ptr %%p%[1]d, align 4", n)
			code("%%f%d = fadd contract float %%v%[1]d, 1.0", n)
			code("%%x%d = load ptr, ptr %%a.addr, align 8", n)
			code("%%q%d = getelementptr inbounds float, ptr %%x%[1]d, i64 %%s%[1]d", n)
			code("store float %%f%d, ptr %%q%[1]d, align 4", n)
		}
		code("ret void")
		b.WriteString("}\n")
	}
	b.WriteString(`declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1
attributes #0 = { convergent mustprogress norecurse nounwind "target-cpu"="sm_80" "target-features"="+ptx75,+sm_80" }
attributes #1 = { nounwind readnone }
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang version 16.0.6", emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: "/")
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
`)
	return b.String() + nodes.String(), instructions
}

// heldBy is how many bytes are in use when the last kernel of a module has been loaded, beyond those in use before.
func heldBy(t *testing.T, src []byte) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kernels, problem := ReadModule("k.ll", src, launch.Options{}, launch.Options{})
	if problem != nil {
		t.Fatal(problem)
	}
	var last *Kernel
	for _, k := range kernels {
		if last = k.Loaded(); last.Problem != nil {
			t.Fatal(last.Problem)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(last)
	runtime.KeepAlive(kernels)
	runtime.KeepAlive(src)
	return int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// TestModuleMemory: what is held while the kernels of a module are read, one after the other, is a copy of its text and little more,
// however many kernels there are.
func TestModuleMemory(t *testing.T) {
	perInstruction := func(kernels int) float64 {
		text, n := copies(kernels, 20)
		return (float64(heldBy(t, []byte(text))) - float64(len(text))) / float64(n)
	}
	perInstruction(1) // tables that are made once
	few, many := perInstruction(50), perInstruction(200)
	t.Logf("%.0f and %.0f bytes an instruction besides the text", few, many)
	if few > 150 || many > 75 {
		t.Errorf("%.0f and %.0f bytes an instruction besides the text", few, many)
	}
}

// TestLargeModule reads all kernels of a module of 10⁶ instructions in 64 MiB, and says how much memory the process took at most.
func TestLargeModule(t *testing.T) {
	if os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("GRADINE_SWEEP is not set")
	}
	text, n := copies(6100, 20)
	t.Log(highest(), "before")
	t.Logf("%d instructions in %d MiB: %d MiB are held", n, len(text)>>20, heldBy(t, []byte(text))>>20)
	t.Log(highest())
}

// highest is how much memory this process has taken at most, as Linux says it.
func highest() string {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM") {
			return strings.TrimSpace(line)
		}
	}
	return "not known"
}
