package gpu_test

import (
	"context"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// TestSharedReads: what all threads of a group read between the same two barriers is one value, unless some thread writes there, or it is not
// known whether one does; what is never written is one value in all of the launch.
func TestSharedReads(t *testing.T) {
	const flags = "//--local_size=64 --num_groups=4\n"
	for _, c := range []struct {
		src  string
		safe bool
	}{
		{flags + `__kernel void k(__local int *f) { int t = get_local_id(0); if (t == 0) *f = 3; barrier(1); if (*f > 2) barrier(1); }`, true},
		{flags + `__kernel void k(__local int *f) { int t = get_local_id(0); if (t == 0) *f = 3; if (*f > 2) barrier(1); }`, false},
		{flags + `__kernel void k(__local int *f) { int t = get_local_id(0); *f = t; if (*f > 2) barrier(1); }`, false},
		{flags + `__kernel void k(__local int *f) { atomic_inc(f); if (*f > 2) barrier(1); }`, false},
		{flags + `__kernel void k(__local int *f, __local int *g) { int t = get_local_id(0); if (t == 0) { int a = *f; *f = a + 1; g[t] = 1; if (*f == a) g[t] = 0; } barrier(1); if (t == 1 && g[0] == 1) barrier(1); }`, false},
		{flags + `__kernel void k(__local int *f) { int t = get_local_id(0); if (t == 0) { int a = *f; for (int i = 0; i < 2; i++) *f = a + i; if (*f != a) barrier(1); } }`, false},
		{flags + `__kernel void k(__local int *f, __global int *g) { int t = get_local_id(0); if (t == 0) *f = g[0]; barrier(1); int a = *f; barrier(1); if (t == 0) *f = g[1]; barrier(1); if (a == *f) barrier(1); }`, true},
		{flags + `__kernel void k(__local int *f, __global int *g) { int t = get_local_id(0); if (t == 0) *f = g[0]; barrier(1); int a = *f; barrier(1); if (t == 0) *f = g[1]; barrier(1); if (t == 0 ? a == *f : a != *f) barrier(1); }`, false},
		{flags + `__kernel void k(__local int *f, __global int *g) { int t = get_local_id(0); f[t] = g[t]; barrier(1); for (int i = 0; i < 64; i++) { barrier(1); if (f[(i + t) % 64] > 3) barrier(1); } }`, false},
		{flags + `__kernel void k(__local int *f, __local int *s) { int t = get_local_id(0); if (*f > 0) s[t] = t; else s[63 - t] = t; }`, true},
		{flags + `__kernel void k(__local int *f, __local int *s) { int t = get_local_id(0); if (s[63] > 0) s[t] = t; else s[63 - t] = t; }`, false},
		{flags + `__kernel void k(__global int *g, __global int *s) { int t = get_global_id(0); if (g[0] > 0) s[t] = t; else s[255 - t] = t; }`, true},
		{flags + `__kernel void k(__global int *g, __global int *s) { int t = get_global_id(0); if (g[get_group_id(0)] > 0) s[t] = t; else s[255 - t] = t; }`, false},
		{flags + `__kernel void k(__global int *g, __global int *s) { int t = get_global_id(0); if (g[0] > 0) s[t] = t; else s[255 - t] = t; if (t == 9) g[t] = 1; }`, true},
		{flags + `__kernel void k(__global int *g, __global int *s) { int t = get_global_id(0); if (g[9] > 0) s[t] = t; else s[255 - t] = t; if (t == 9) g[t] = 1; }`, false},
		{"//--local_size=64 --num_groups=4 --only-divergence\n" + `__kernel void k(__local int *f) { int t = get_local_id(0); *f = t; barrier(1); if (t == 0) *f = 3; if (*f > 2) barrier(1); }`, false},
		{"//--local_size=64 --num_groups=4 --only-intra-group\n" + `__kernel void k(__global int *f) { int t = get_local_id(0); if (get_global_id(0) == 0) *f = 3; barrier(3); if (*f > 2) barrier(1); }`, false},
		{"//--local_size=64 --num_groups=4 --only-divergence\n" + `__kernel void k(__global int *f) { if (*f > 2) barrier(1); }`, true},
		{flags + `__kernel void k(__global int *f) { int t = get_local_id(0); for (int i = 0; i < 2; i++) { if (t == i) barrier(1); if (f[i] > 3) barrier(1); } }`, false},
	} {
		r := gpu.File(context.Background(), "k.cl", []byte(c.src), gpu.Options{})[0]
		if (r.Verdict == gpu.Safe) != c.safe || r.Verdict == gpu.Unsupported {
			t.Errorf("%s\n%s: %s %+v", c.src, r.Verdict, r.Why, r.Checks)
		}
	}
}
