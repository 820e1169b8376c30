package count_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/gpu/llvm"
)

// compiled are the kernels of a source, by name, as functions that count them.
func compiled(t *testing.T, source string) map[string]func(count.Launch) *count.Block {
	t.Helper()
	c, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := c.Compile(t.Context(), clang.Source{Dir: dir, File: "k.cu", Language: clang.CUDA}, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, problem := llvm.Parse("k.ll", u.IR)
	if problem != nil {
		t.Fatal(problem)
	}
	out := map[string]func(count.Launch) *count.Block{}
	for _, f := range m.Functions {
		if m.IsKernel(f) {
			out[clang.Base(f.SourceName())] = func(l count.Launch) *count.Block {
				b, err := count.Kernel(m, f, l, [3]int64{})
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
		}
	}
	return out
}

const rows = `__global__ void run(const float *a, float *b) {
  float sum[4] = {};
#pragma unroll
  for (int i = 0; i < 15; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      sum[j] += a[threadIdx.x + 32 * (i + j)];
#pragma unroll
  for (int j = 0; j < 4; j++) b[threadIdx.x + 32 * j] = sum[j];
}`

// CUDA starts no block of more than 64 threads in z, and no grid of more than 65,535 blocks in y or z.
func TestLaunchesThatCUDAHasNot(t *testing.T) {
	m, problem := llvm.Parse("k.ll", []byte(`target triple = "nvptx64-nvidia-cuda"
define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
`))
	if problem != nil {
		t.Fatal(problem)
	}
	for _, test := range []struct {
		block, grid [3]int64
		why         string
	}{
		{[3]int64{1, 1, 64}, [3]int64{1<<31 - 1, 65535, 65535}, ""},
		{[3]int64{1, 1, 65}, [3]int64{1, 1, 1}, "blocks of 65 threads in z: CUDA has 64 at most"},
		{[3]int64{1, 1, 1}, [3]int64{1, 65536, 1}, "a grid of 65536 blocks in y: CUDA has 65535 at most"},
		{[3]int64{1, 1, 1}, [3]int64{1, 1, 65536}, "a grid of 65536 blocks in z: CUDA has 65535 at most"},
		{[3]int64{1, 1, 1}, [3]int64{1 << 31, 1, 1}, "a grid of 2147483648 blocks in x: CUDA has 2147483647 at most"},
	} {
		_, err := count.Kernel(m, m.Functions[0], count.Launch{Block: test.block, Grid: test.grid}, [3]int64{})
		if got := fmt.Sprint(err); test.why == "" && err != nil || !strings.Contains(got, test.why) {
			t.Errorf("%v %v: %v, not %q", test.grid, test.block, err, test.why)
		}
	}
}

// A compiler that does not unroll a loop reads again what its rounds have in common.
func TestUnrolledOnlyIfSmall(t *testing.T) {
	launch := count.Launch{Block: [3]int64{32, 1, 1}, Grid: [3]int64{1, 1, 1}}
	kernel := compiled(t, rows)["run"]
	for limit, want := range map[int64]int64{0: 18, 10_000: 18, 400: 60, 20: 60} {
		launch.Unroll = limit
		b := kernel(launch)
		needed := int64(0)
		for _, a := range b.Accesses {
			if a.Object == "a" {
				needed += a.Needed.High
			}
		}
		if needed != want {
			t.Errorf("at most %d instructions: %d loads, want %d", limit, needed, want)
		}
	}
}

// A warp waits for loads in a branch of their own, once for each time that it comes there; loads that always happen,
// and stores, are none of these.
func TestWaits(t *testing.T) {
	launch := count.Launch{Block: [3]int64{64, 1, 1}, Grid: [3]int64{1, 1, 1}, Args: map[string]int64{"n": 40}}
	bodies := []struct {
		text string
		want int64
	}{
		{"b[x] = a[x];", 0},
		{"if (x < n) b[x] = 1;", 0},
		{"if (x < n) b[x] = a[x] + a[x + 1];", 2},
		{"if (x < 20) b[x] = a[x];", 1},
		{"float s = 0; for (int i = 0; i < 5; i++) if (x + i < n) s += a[x + i]; b[x] = s;", 10},
		{"float s = 0; for (int i = 0; i < 5; i++) s += a[x + i]; b[x] = s;", 0},
	}
	var source strings.Builder
	for i, body := range bodies {
		fmt.Fprintf(&source, "__global__ void k%d(const float *a, float *b, int n) { int x = threadIdx.x; %s }\n", i, body.text)
	}
	kernels := compiled(t, source.String())
	for i, body := range bodies {
		b := kernels[fmt.Sprint("k", i)](launch)
		if got := b.Waits[0] + b.Waits[1]; got != body.want {
			t.Errorf("%s: %d, want %d", body.text, got, body.want)
		}
	}
}

// What is said of AMD's compiler is what it does: a load in a branch is waited for there, loads that always happen are in
// flight together, and a loop with a pragma is unrolled completely while it is small.
func TestCompilerOfAMD(t *testing.T) {
	source := `__kernel void run(__global const float *a, __global float *b, int n, int m) {
  int x = get_local_id(0);
  float s = 0;
#pragma unroll
  for (int i = 0; i < ROUNDS; i++) BRANCH s = s * a[m * i] + a[x + 37 * i * i];
  b[x] = s;
}`
	file := filepath.Join(t.TempDir(), "k.cl")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	compile := func(args ...string) string {
		args = append([]string{"--target=amdgcn-amd-amdhsa", "-mcpu=gfx1032", "-nogpulib", "-Xclang", "-finclude-default-header", "-O3", "-S", "-o", "-", file}, args...)
		out, err := exec.CommandContext(t.Context(), "clang", args...).CombinedOutput()
		if err != nil {
			t.Skipf("clang without AMD's target: %v", err)
		}
		return string(out)
	}
	if n := strings.Count(compile("-DROUNDS=6", "-DBRANCH=if (x + 5 * i * i < n)"), "s_waitcnt vmcnt(0)"); n != 6 {
		t.Errorf("6 loads in branches, %d waits for all loads", n)
	}
	if n := strings.Count(compile("-DROUNDS=6", "-DBRANCH="), "s_waitcnt vmcnt(0)"); n != 1 {
		t.Errorf("6 loads without branches, %d waits for all loads", n)
	}
	for rounds, want := range map[string]string{"300": "completely unrolled loop with 300", "2500": "unrolled loop by a factor of"} {
		said := compile("-DROUNDS="+rounds, "-DBRANCH=", "-emit-llvm", "-Rpass=loop-unroll")
		if !strings.Contains(said, want) {
			t.Errorf("%s rounds: not %s", rounds, want)
		}
	}
}
