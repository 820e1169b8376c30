package gpu_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/internal/corpus"
)

// What hosts of OpenCL begin with: they are given a context, a device, a program, and two numbers.
const (
	clBegins  = "cl_int err; cl_command_queue q = clCreateCommandQueue(c, d, 0, &err); cl_kernel k = clCreateKernel(p, \"K\", &err); "
	clBuffer  = "clCreateBuffer(c, CL_MEM_READ_WRITE, "
	clEnqueue = " clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL); clFinish(q);"
)

func clPointer(n int, name string) string {
	return fmt.Sprintf("clSetKernelArg(k, %d, sizeof(cl_mem), &%s); ", n, name)
}

// clPrograms are kernels K of OpenCL, with a host that launches each rightly, and what makes one fact of it wrong.
var clPrograms = []launchProgram{
	{name: "guarded", kernel: "__kernel void K(__global float *a, int n) { int i = get_global_id(0); if (i < n) a[i] = 2 * a[i]; }",
		host: "size_t local = 64, global = (n + 63) / 64 * 64; cl_mem a = " + clBuffer + "n * sizeof(float), NULL, &err); " + clPointer(0, "a") + "clSetKernelArg(k, 1, sizeof(int), &n);" + clEnqueue,
		wrong: [][2]string{
			{"n * sizeof(float)", "n * sizeof(short)"}, {"n * sizeof(float)", "n"}, {"n * sizeof(float)", "(n - 1) * sizeof(float)"}, {"n * sizeof(float)", "m * sizeof(float)"},
			{"sizeof(int), &n);", "sizeof(int), &m);"}, {"sizeof(int), &n);", "sizeof(int), &n); n++; clSetKernelArg(k, 1, sizeof(int), &n);"},
			{"sizeof(int), &n);", "sizeof(int), &n); if (m) { int o = n + 1; clSetKernelArg(k, 1, sizeof(int), &o); }"},
			{"sizeof(int), &n);", "sizeof(int), &n); sets(k);"},
			{"&err); clSetKernelArg(k, 0", "&err); if (m > 3) a = " + clBuffer + "4, NULL, &err); clSetKernelArg(k, 0"},
			{clPointer(0, "a"), clPointer(0, "a") + "cl_buffer_region s = {0, 4}; cl_mem b = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &s, &err); " + clPointer(0, "b")},
		}},
	{name: "padded", kernel: "__kernel void K(__global int *a) { a[get_global_id(0)] = get_local_id(0); }",
		host: "size_t local = 128, global = 128 * 7; cl_mem a = " + clBuffer + "128 * 7 * sizeof(int), NULL, &err); " + clPointer(0, "a") + clEnqueue,
		wrong: [][2]string{
			{"global = 128 * 7", "global = 128 * 8"}, {"global = 128 * 7", "global = 128 * m"}, {"128 * 7 * sizeof(int)", "128 * 7"}, {"128 * 7 * sizeof(int)", "128 * 7 * sizeof(int) - 4"},
			{"NULL, &global", "&local, &global"}, {clPointer(0, "a") + " cl", clPointer(0, "a") + "global += 128; cl"}, {" clEnqueue", " other(&global); clEnqueue"},
		}},
	{name: "turned", kernel: "__kernel void K(__global const int *in, __global int *out, __local int *s) { int t = get_local_id(0); s[t] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = s[get_local_size(0) - 1 - t]; }",
		host:  "size_t local = 32, global = 32 * 4; cl_mem a = " + clBuffer + "512, NULL, &err), b = " + clBuffer + "512, NULL, &err); " + clPointer(0, "a") + clPointer(1, "b") + "clSetKernelArg(k, 2, 128, NULL);" + clEnqueue,
		wrong: [][2]string{{"2, 128, NULL", "2, 32, NULL"}, {"2, 128, NULL", "2, 124, NULL"}, {"local = 32", "local = 64"}, {"512, NULL, &err), b", "128, NULL, &err), b"}, {"global = 32 * 4", "global = 32 * 5"}},
	},
	{name: "blocks", kernel: "__kernel void K(__global int *sums) { __local int s; if (get_local_id(0) == 0) s = 1; barrier(CLK_LOCAL_MEM_FENCE); if (get_local_id(0) == 0) sums[get_group_id(0)] = s; }",
		host:  "size_t local = 16, global = 16 * 9; cl_mem a = " + clBuffer + "9 * 4, NULL, &err); " + clPointer(0, "a") + clEnqueue,
		wrong: [][2]string{{"local = 16", "local = 8"}, {"9 * 4", "9"}, {"9 * 4", "8 * 4"}, {"&local, 0", "NULL, 0"}, {"global = 16 * 9", "global = 16 * 9; if (m) global *= 2"}, {"local = 16", "local = m"}},
	},
	{name: "plane", kernel: "__kernel void K(__global int *a, int w) { int x = get_global_id(0), y = get_global_id(1); a[y * w + x] = x; }",
		host:  "size_t local[2] = {8, 8}, global[2] = {64, 32}; int w = 64; cl_mem a = " + clBuffer + "64 * 32 * sizeof(int), NULL, &err); " + clPointer(0, "a") + "clSetKernelArg(k, 1, sizeof(int), &w); clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, NULL);",
		wrong: [][2]string{{"w = 64", "w = 63"}, {"w = 64", "w = m"}, {"64 * 32 * sizeof(int)", "64 * 31 * sizeof(int)"}, {"{64, 32}", "{72, 32}"}, {"{64, 32}", "{64, 40}"}, {"k, 2, NULL", "k, 3, NULL"}, {"int w = 64", "int w = 64; global[1] = n"}},
	},
}

// clFiles are the kernels and the hosts of all programs, right and wrong, as launchesFile has them for CUDA.
func clFiles(every int) (kernels, hosts string, right []bool) {
	var k, h strings.Builder
	h.WriteString("#include <CL/cl.h>\nvoid other(size_t *); void sets(cl_kernel);\n")
	add := func(p launchProgram, host string, ok bool) {
		name := fmt.Sprintf("%s_%d", p.name, len(right))
		k.WriteString(strings.Replace(p.kernel, " K(", " "+name+"(", 1) + "\n")
		fmt.Fprintf(&h, "void run%d(cl_context c, cl_device_id d, cl_program p, int n, int m) { %s }\n", len(right), strings.Replace(clBegins, `"K"`, `"`+name+`"`, 1)+host)
		right = append(right, ok)
	}
	for i, p := range clPrograms {
		p.hosts(i, every, func(host string, ok bool) { add(p, host, ok) })
	}
	return k.String(), h.String(), right
}

// clReports judges the kernels of a text as a host launches them.
func clReports(t *testing.T, kernels, host, name string) []gpu.Report {
	t.Helper()
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for file, text := range map[string]string{"k.cl": kernels, name: host} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	u, err := compiler.Compile(t.Context(), clang.Source{Dir: dir, File: "k.cl", Language: clang.OpenCL}, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := compiler.CompileHost(t.Context(), clang.Source{Dir: dir, File: name, Language: clang.HostLanguageOf(name)}, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return gpu.OfKernels(gpu.Readers(context.Background(), "k.cl", []byte(kernels), u, &gpu.Hosts{Host: h}, gpu.Options{}, func(string) gpu.Reader { return gpu.EitherReader }))
}

// TestHostsOfOpenCL judges hosts of which one fact is wrong each: no kernel is safe as they launch it, and each is where all is right. A
// third of the wrong ones are judged without GRADINE_SWEEP.
func TestHostsOfOpenCL(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	every := corpus.Effort(5, 6, 1)
	kernels, hosts, right := clFiles(every)
	seen := map[int]bool{}
	for _, r := range clReports(t, kernels, hosts, "h.c") {
		var k int
		if _, err := fmt.Sscan(r.Kernel[strings.LastIndex(r.Kernel, "_")+1:], &k); err != nil {
			t.Errorf("a kernel %s", r.Kernel)
			continue
		}
		seen[k] = true
		safe := r.Verdict == gpu.Safe && r.Scope == gpu.OfFile
		switch {
		case right[k] && !safe:
			t.Errorf("%s: %s: %s", r.Kernel, r.Verdict, r.Why)
		case !right[k] && safe:
			t.Errorf("%s, which is wrong, is safe: %s", r.Kernel, r.Why)
		}
	}
	if len(seen) != len(right) || len(right)*every < 40 {
		t.Errorf("%d of %d programs are judged", len(seen), len(right))
	}
}

// TestHostsOfOpenCLNotUnderstood: what cannot be read of a host of OpenCL is named.
func TestHostsOfOpenCLNotUnderstood(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	const kernel = "__kernel void k(__global int *a) { a[get_local_id(0)] = 1; }\n"
	const set = "clSetKernelArg(k, 0, sizeof(cl_mem), &a); size_t n = 64; "
	for i, c := range []struct{ host, says string }{
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "safe for the launch in line 2 of h.cpp (block 64, grid 1)"},
		{"void run(cl_command_queue q, cl_kernel k, cl_mem a) { " + set + "clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "the kernel that it launches is unknown"},
		{"void run(cl_command_queue q, cl_program p, const char *s) { cl_kernel k = clCreateKernel(p, s, 0); size_t n = 64; clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "the kernel that it launches is unknown"},
		{"void run(cl_command_queue q, cl_program p) { cl_kernel k = clCreateKernel(p, \"k\", 0); clEnqueueTask(q, k, 0, 0, 0); }", "its configuration is passed in an unsupported way"},
		{"void run(cl_command_queue q, cl_program p, size_t *o) { cl_kernel k = clCreateKernel(p, \"k\", 0); size_t n = 64; clEnqueueNDRangeKernel(q, k, 1, o, &n, &n, 0, 0, 0); }", "its ids may begin above 0"},
		{"void run(cl_command_queue q, cl_program p) { cl_kernel k = clCreateKernel(p, \"k\", 0); size_t n = 64, l = 48; clEnqueueNDRangeKernel(q, k, 1, 0, &n, &l, 0, 0, 0); }", "its threads do not fill its groups"},
		{"void run(cl_command_queue q, cl_program p) { cl_kernel k = clCreateKernel(p, \"k\", 0); size_t n = 64; clBuildProgram(p, 0, 0, \"-DN=4\", 0, 0); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "builds its program with options"},
		{"void run(cl_context c, cl_device_id d, cl_program p) { cl_kernel k = clCreateKernel(p, \"k\", 0); size_t n = 64; cl_command_queue q = clCreateCommandQueue(c, d, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "may not keep the order"},
		{"template <class T> void run(cl_command_queue q, T k) { size_t n = 64; clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "not in what clang compiles"},
		{"auto f = clEnqueueNDRangeKernel;", "not in what clang compiles"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "nowhere(); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "not in what clang compiles"},
		{"void run(cl_command_queue q, cl_command_queue o, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0);\nclEnqueueNDRangeKernel(o, k, 1, 0, &n, &n, 0, 0, 0); }", "in another stream, and both use one array"},
		{"void run(cl_command_queue q, cl_command_queue o, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); clFinish(q);\nclEnqueueNDRangeKernel(o, k, 1, 0, &n, &n, 0, 0, 0); }", "safe for the launches in line 2 of h.cpp (block 64, grid 1) and in line 3"},
		{"extern \"C\" void clset(cl_kernel); void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clset(k); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "arguments are set in a way that is not followed"},
		{"extern \"C\" cl_int clSetKernelArgSVMPointer(cl_kernel, cl_uint, const void *); void run(cl_command_queue q, cl_program p, cl_mem a, void *s) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clSetKernelArgSVMPointer(k, 0, s); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "arguments are set in a way that is not followed"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a, cl_mem b, int m) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clSetKernelArg(k, 0, sizeof(cl_mem), m ? &a : &b); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "arguments are set in a way that is not followed"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a, cl_mem b, int m) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "cl_mem *v[2] = {&a, &b}; clSetKernelArg(k, 0, sizeof(cl_mem), v[m & 1]); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "arguments are set in a way that is not followed"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clSetKernelArg(k, 0, sizeof(cl_mem), 0); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "parameter a is given a null pointer"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clBuildProgram(p, 0, 0, \"-cl-std=CL2.0\", 0, 0); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "builds its program with options"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clBuildProgram(p, 0, 0, \"-cl-fast-relaxed-math\", 0, 0); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "builds its program with options"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clBuildProgram(p, 0, 0, \"-cl-std=CL1.2 -cl-mad-enable\", 0, 0); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "safe for the launch in line 2 of h.cpp (block 64, grid 1)"},
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { cl_kernel k = clCreateKernel(p, \"k\", 0); " + set + "clReleaseMemObject(a); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }", "the host may release a before the launch"},
		{"void run(cl_context c, cl_command_queue q, cl_program p) { cl_kernel k = clCreateKernel(p, \"k\", 0); cl_mem a = clCreateBuffer(c, 0, 256, 0, 0), b = a; " + set + "for (int i = 0; i < 2; i++) { clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); clReleaseMemObject(b); } }", "the host may release"},
		{"void run(cl_context c, cl_command_queue q, cl_program p) { cl_kernel k = clCreateKernel(p, \"k\", 0); for (int i = 0; i < 2; i++) { cl_mem a = clCreateBuffer(c, 0, 256, 0, 0); " + set + "clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); clReleaseMemObject(a); } }", "safe for the launch in line 2 of h.cpp (block 64, grid 1)"},
	} {
		if i%corpus.Effort(1, 2, 1) != 0 {
			continue
		}
		for _, r := range clReports(t, kernel, "#include <CL/cl.h>\n"+c.host+"\n", "h.cpp") {
			if !strings.Contains(r.Why, c.says) {
				t.Errorf("%s: %s: %s", c.host, r.Verdict, r.Why)
			}
		}
	}
}

// TestMadeElsewhere: a launch says what it assumes of a queue and a program that its function does not make.
func TestMadeElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	const launch = `cl_kernel k = clCreateKernel(p, "k", 0); clSetKernelArg(k, 0, sizeof(cl_mem), &a); size_t n = 64; clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }`
	for i, c := range []struct {
		begins string
		says   []string
	}{
		{"void run(cl_command_queue q, cl_program p, cl_mem a) { ", []string{"the queue of the launch is made elsewhere", "the program of the launch is built elsewhere"}},
		{"cl_program make(void); void run(cl_context c, cl_device_id d, cl_mem a) { cl_program p = make(); cl_command_queue q = clCreateCommandQueue(c, d, 0, 0); clBuildProgram(p, 0, 0, 0, 0, 0); ", []string{"the program of the launch is built elsewhere"}},
		{"void run(cl_context c, cl_device_id d, const char *s, cl_mem a) { cl_program p = clCreateProgramWithSource(c, 1, &s, 0, 0); cl_command_queue q = clCreateCommandQueue(c, d, 0, 0); clBuildProgram(p, 0, 0, 0, 0, 0); ", nil},
	} {
		for _, r := range clReports(t, "__kernel void k(__global int *a) { a[get_local_id(0)] = 1; }\n", "#include <CL/cl.h>\n"+c.begins+launch+"\n", "h.c") {
			if len(r.Launches) != 1 {
				t.Fatalf("%d: %d launches: %s", i, len(r.Launches), r.Why)
			}
			text := strings.Join(r.Launches[0].Assumed, "; ")
			if strings.Count(text, "of the launch is") != len(c.says) || slices.ContainsFunc(c.says, func(s string) bool { return !strings.Contains(text, s) }) {
				t.Errorf("%d: assumed %s, want %v", i, text, c.says)
			}
		}
	}
}

// TestLaunchesNotUnderstoodHideNone: what is known of one launch counts where another is not understood.
func TestLaunchesNotUnderstoodHideNone(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	const kernel = "__kernel void k(__global int *a, __global const int *b) { a[get_global_id(0)] = b[0]; }\n"
	const host = "#include <CL/cl.h>\nvoid run(cl_command_queue q, cl_command_queue o, cl_program p, cl_mem a, cl_mem b, cl_mem c) { cl_kernel k = clCreateKernel(p, \"k\", 0); size_t n = 64; " +
		"clSetKernelArg(k, 0, sizeof(cl_mem), &a); clSetKernelArg(k, 1, sizeof(cl_mem), &b); clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0);\n" +
		"clSetKernelArg(k, 0, sizeof(cl_mem), &b); clSetKernelArg(k, 1, sizeof(cl_mem), &c); clEnqueueNDRangeKernel(o, k, 1, 0, &n, &n, 0, 0, 0); }\n"
	for _, more := range []string{"", "void again(cl_command_queue q, cl_kernel k) { size_t n = 64; clEnqueueNDRangeKernel(q, k, 1, 0, &n, &n, 0, 0, 0); }\n"} {
		for _, r := range clReports(t, kernel, host+more, "h.cpp") {
			if r.Verdict != gpu.Open || !strings.Contains(r.Why, "in another stream, and both use one array") {
				t.Errorf("%q: %s: %s", more, r.Verdict, r.Why)
			}
		}
	}
}
