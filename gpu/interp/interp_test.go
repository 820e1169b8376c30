package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/interp"
	"github.com/gradine/gradine/gpu/sample"
)

// A run of a kernel by two threads in each group finds the fault that is there, says which threads
// show it, or why it cannot decide.
func TestExecute(t *testing.T) {
	for _, c := range []struct {
		body   string
		groups int64
		want   string
	}{
		{"p[t] = t;", 1, "none"},
		{"p[t] = b;", 2, "race-ww: thread 2 writes p[0] here, thread 0 writes it in line 1 [{[0 0 0] [1 0 0]} {[0 0 0] [0 0 0]}]"},
		{"p[0] = t;", 1, "race-ww: thread 1 writes p[0] here, thread 0 writes it in line 1 [{[1 0 0] [0 0 0]} {[0 0 0] [0 0 0]}]"},
		{"p[0] = 7;", 1, "none"},
		{"atomic_add(p, 1);", 1, "none"},
		{"s[t] = t; if (s[1 - t] == 9) p[t] = 0;", 1, "race-rw: thread 1 writes s[1] here, thread 0 reads it in line 1 [{[1 0 0] [0 0 0]} {[0 0 0] [0 0 0]}]"},
		{"s[t] = t; barrier(CLK_LOCAL_MEM_FENCE); p[t] = s[1 - t];", 1, "none"},
		{"if (t == 0) barrier(CLK_LOCAL_MEM_FENCE);", 1, "divergence: a thread waits at this barrier, another of its group has ended [{[0 0 0] [0 0 0]} {[1 0 0] [0 0 0]}]"},
		{"p[t] = 1 / t;", 1, "division: division by zero [{[0 0 0] [0 0 0]}]"},
		{"s[t + 3] = 1;", 1, "bounds: index 4 into s of 4 elements [{[1 0 0] [0 0 0]}]"},
		{"p[t] = n + 2147483647;", 1, "overflow: signed overflow [{[0 0 0] [0 0 0]}]"},
		{"while (n) ;", 1, "undecided: line 1: the budget of steps for runs is exhausted"},
		{"unsigned char c = 200; c += 100; __assert(c == 44); p[t] = c;", 1, "none"},
		{"short h = (short)40000; __assert(h == -25536); __assert((h >> 1) == -12768); __assert((unsigned short)h / 2 == 20000);", 1, "none"},
		{"int4 v = (int4)(1, 2, 3, 4); __assert(v.yx.x + v.w == 6);", 1, "none"},
		{"int a = 1; { int a = a; p[t] = a; }", 1, "none"},
		{"__assert(n == 2);", 1, "assert: assertion [{[0 0 0] [0 0 0]}]"},
	} {
		u := sample.Unit(t, "__kernel void k(__global int *p, int n) { __local int s[4]; int t = get_local_id(0); int b = get_group_id(0); "+c.body+" }")
		f := u.Function("k")
		if f == nil {
			t.Errorf("%s: %s", c.body, sample.Problem(u.Unread[0].Problem))
			continue
		}
		fault, why := interp.Execute(0, interp.Checks{Overflow: true}, u, f, [3]int64{2, 1, 1}, [3]int64{c.groups, 1, 1}, map[string]int64{"n": 1}, nil, nil)
		if got := said(fault, why); got != c.want {
			t.Errorf("%s\n\t%q", c.body, got)
		}
	}
}

func said(fault *interp.Fault, why string) string {
	switch {
	case why != "":
		return "undecided: " + why
	case fault != nil:
		return fmt.Sprintf("%s: %s %v", fault.Kind, fault.Why, fault.Threads)
	}
	return "none"
}

// A host program is run unchanged: its launches are found with their sizes and arguments, and its
// assertions are checked.
func TestRunProgram(t *testing.T) {
	const kernel = "#include <cuda.h>\n#include <assert.h>\n#include <stdlib.h>\n__global__ void k(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x] += n; }\n"
	for _, c := range []struct{ host, want string }{
		{"int a[4]; int *d; cudaMalloc((void **)&d, sizeof a); for (int i = 0; i < 4; i++) a[i] = i; cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice); k<<<1, 4>>>(d, 3); cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost); assert(a[2] == 5); assert(a[3] == 3); cudaFree(d);", "k [1 1 1] [4 1 1] (3); none"},
		{"int *d; cudaMalloc((void **)&d, 8); k<<<1, 4>>>(d, 4); cudaFree(d);", "k [1 1 1] [4 1 1] (4); bounds: index 2 into allocation in line 5 of 2 elements [{[2 0 0] [0 0 0]}]"},
		{"int a[4]; int *d; cudaMalloc((void **)&d, sizeof a); for (int i = 0; i < 4; i++) a[i] = i; cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice); k<<<1, 4>>>(d, 3); cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost); assert(a[2] == 2); cudaFree(d);", "k [1 1 1] [4 1 1] (3); assert: assertion []"},
		{"int *d; cudaMalloc((void **)&d, 16); cudaFree(d); k<<<1, 4>>>(d, 4);", "k [1 1 1] [4 1 1] (4); bounds: allocation in line 5 is used after it was freed, or its block was left [{[0 0 0] [0 0 0]}]"},
		{"mystery();", "undecided: line 5: function mystery, which is not declared"},
	} {
		u := sample.Unit(t, kernel+"int main() { "+c.host+" return 0; }\n")
		launches, fault, why := interp.RunProgram(u, interp.Checks{}, 0)
		var out []string
		for _, l := range launches {
			out = append(out, fmt.Sprintf("%s %v %v (%s)", l.Kernel, l.Groups, l.Local, strings.Join(l.Arguments, ",")))
		}
		if got := strings.Join(append(out, said(fault, why)), "; "); got != c.want {
			t.Errorf("%s\n\t%q", c.host, got)
		}
	}
}
