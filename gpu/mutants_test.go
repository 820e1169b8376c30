package gpu_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
)

// safeKernels are kernels that are safe, and what to change in them.
var safeKernels = []struct {
	name, src string
	mutants   [][2]string // what, by what
}{
	{"neighbour", `//--local_size=8 --num_groups=2
__kernel void k(__global int *out, __local int *a) {
    int t = get_local_id(0);
    a[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[(t + 1) % 8];
}`, [][2]string{
		{"barrier(CLK_LOCAL_MEM_FENCE);", ""},
		{"CLK_LOCAL", "CLK_GLOBAL"},
		{"a[t] = t", "a[t / 2] = t"},
		{"get_global_id(0)]", "get_local_id(0)]"},
		{"barrier(", "if (t < 4) barrier("},
	}},
	{"stride", `//--local_size=8 --num_groups=1
__kernel void k(__global int *a) {
    for (int i = get_local_id(0); i < 32; i += 8)
        a[i] = i + get_local_id(0);
}`, [][2]string{
		{"i += 8", "i += 4"},
		{"a[i]", "a[i / 2]"},
		{"a[i]", "a[i + (i == 7)]"},
	}},
	{"guarded", `//--local_size=8 --num_groups=1
__kernel void k(__local int *a) {
    int t = get_local_id(0);
    if (t < 4) a[t] += a[t + 4];
}`, [][2]string{
		{"t < 4", "t <= 4"},
		{"t < 4", "t < 5"},
		{"t + 4", "t + 3"},
	}},
	{"mask", `//--local_size=16 --num_groups=1
__kernel void k(__local unsigned *a) {
    unsigned t = get_local_id(0);
    a[(t & 3) * 4 + (t >> 2)] = t;
}`, [][2]string{
		{"& 3", "& 2"},
		{">> 2", ">> 3"},
		{"* 4", "* 3"},
	}},
}

// TestMutants: what is safe is judged so, and no mutant that fails in a run of a
// small grid is.
func TestMutants(t *testing.T) {
	judge := func(src string) gpu.Verdict {
		return gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{})[0].Verdict
	}
	fails := func(src string) bool {
		ks, p := encode.Read("k.cl", []byte(src), encode.Options{})
		if p != nil {
			t.Fatal(p)
		}
		local, groups := ks[0].Launch()
		fault, why := ks[0].Execute(0, local, groups, nil, nil, false, nil)
		if why != "" {
			t.Logf("not decided: %s", why)
		}
		return fault != nil
	}
	faulty, unsafe := 0, 0
	for _, k := range safeKernels {
		if fails(k.src) {
			t.Errorf("%s fails in a run", k.name)
		}
		if v := judge(k.src); v != gpu.Safe {
			t.Errorf("%s is %s, want safe", k.name, v)
		}
		for _, m := range k.mutants {
			src := strings.Replace(k.src, m[0], m[1], 1)
			if !fails(src) {
				continue
			}
			faulty++
			switch v := judge(src); v {
			case gpu.Safe:
				t.Errorf("%s with %q for %q is safe, but fails in a run", k.name, m[1], m[0])
			case gpu.Unsafe:
				unsafe++
			default:
				t.Logf("%s with %q for %q is %s", k.name, m[1], m[0], v)
			}
		}
	}
	if faulty < 10 {
		t.Errorf("only %d mutants fail", faulty)
	}
	t.Logf("%d mutants fail, %d are unsafe", faulty, unsafe)
}

// TestSizes: a kernel whose threads differ only where it does not ask is told so.
func TestSizes(t *testing.T) {
	const src = "__kernel void k(__global int *a, int n) { int i = get_global_id(0); a[i] = n * a[i]; }"
	r := gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{})[0]
	if r.Verdict != gpu.Safe || !strings.Contains(r.Why, "one-dimensional launches") {
		t.Errorf("%s: %s", r.Verdict, r.Why)
	}
	const other = "__kernel void k(__global int *a, int n) { int i = get_global_id(0); if (get_num_groups(1) > 1) a[i] = n * a[i]; }"
	if r := gpu.File(context.Background(), "k.cl", []byte(other), gpu.Options{})[0]; r.Verdict == gpu.Safe {
		t.Errorf("a kernel that asks for sizes in y is safe: %s", r.Why)
	}
	r = gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{AnyDimension: true})[0]
	if r.Verdict != gpu.Unsafe || !strings.Contains(r.Why, "uses no ids in y and z") || !strings.HasSuffix(r.Why, "(--local-size '*,1,1' --num-groups '*,1,1') it is safe") {
		t.Errorf("%s: %s", r.Verdict, r.Why)
	}
	var launch encode.Options
	if err := launch.Set("--local_size=*,1,1"); err != nil {
		t.Fatal(err)
	}
	if err := launch.Set("--num_groups=*,1,1"); err != nil {
		t.Fatal(err)
	}
	if r := gpu.File(context.Background(), "k.cl", []byte(src), gpu.Options{Launch: launch})[0]; r.Verdict != gpu.Safe {
		t.Errorf("of one dimension it is %s: %s", r.Verdict, r.Why)
	}
}

// TestOwnKernels: the kernels of this repository are safe for every size.
func TestOwnKernels(t *testing.T) {
	if os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("GRADINE_SWEEP is not set")
	}
	var launch encode.Options
	for _, f := range []string{"--local_size=*,1,1", "--num_groups=*,1,1"} {
		if err := launch.Set(f); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"minimum", "tiled"} {
		src, err := os.ReadFile("../kernels/" + name + ".cl")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range gpu.File(context.Background(), name+".cl", src, gpu.Options{Launch: launch}) {
			if r.Verdict != gpu.Safe {
				t.Errorf("%s is %s: %s", name, r.Verdict, r.Why)
			}
		}
	}
}
