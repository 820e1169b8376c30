package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// tickets are kernels in which threads find their places by atomic additions; those of ticketFaults share some.
var tickets = []string{
	"int p = atomicAdd(n, 1); out[p] = i;",
	"if (in[i] > 3) { int p = atomicAdd(&n[2], 1); out[p] = in[i]; }",
	"int p = atomicAdd(n, 2); out[p] = i; out[p + 1] = i + 1;",
	"int p = atomicAdd(n, 2); out[p + (in[i] & 1)] = i;",
	"if (i & 1) { int p = atomicAdd(n, 1); out[p] = i; } else { int p = atomicAdd(n, 3); out[p + 2] = 7 * i; }",
	"int p = atomicAdd(n, 1); out[p] += i;",
	"for (int k = 0; k < in[i]; k++) { int p = atomicAdd(n, 1); out[p] = k + i; }",
	"__shared__ int s[64]; int p = atomicAdd(n, 1); out[p] = i; s[threadIdx.x] = i; __syncthreads(); out[atomicAdd(n, 1)] = s[63 - threadIdx.x];",
}

var ticketFaults = []string{
	"int p = atomicAdd(n, 0); out[p] = i;",
	"int p = atomicAdd(n, -1); out[p & 7] = i;",
	"int p = atomicAdd(n, 1); out[p / 2] = i;",
	"int p = atomicAdd(n, 1); out[p] = i; out[p + 1] = i;",
	"int p = atomicAdd(n, 2); out[p + (in[i] & 3)] = i;",
	"int p = atomicAdd(&n[i & 1], 1); out[p] = i;",
	"int p = (i & 1) ? atomicAdd(n, 1) : atomicAdd(n + 1, 1); out[p] = i;",
	"int p = atomicAdd(n, in[i]); out[p] = i;",
	"int p = atomicMax(n, 1); out[p] = i;",
	"int p = atomicExch(n, i); out[p] = i;",
	"int p = atomicAdd(n, 1); out[p] = i; if (i == 0) atomicExch(n, 0);",
	"int p = atomicAdd(n, 1); out[p] = i; atomicSub(n, 1);",
	"int p = atomicAdd(n, 1); out[p] = i; if (i == 5) n[0] = 0;",
	"__shared__ int s[1]; if (threadIdx.x == 0) s[0] = 0; __syncthreads(); int p = atomicAdd(s, 1); out[p] = i;",
	"int p = atomicAdd(n, 1); out[p] = i; out[i] = p;",
	"int p = atomicAdd(n, 1); if (p == 3) out[in[i]] = 4; out[p] = i;",
	"int p = atomicInc((unsigned *)n, 7); out[p] = i;",
	"int p = atomicAdd(n, 1), q = atomicAdd(n + 1, 1); if (i & 1) out[p] = i; else out[q] = i;",
	"int p = atomicAdd((unsigned *)n, 4294967295u); out[p & 15] = i;",
	"int p = atomicAdd(n, 1); out[p] = i; atomicOr(&n[i - i], 3);",
	"unsigned p = atomicAdd((unsigned *)n, 268435456u); out[p >> 28] = i;", // comes round
	"unsigned p = atomicAdd((unsigned *)n, 16777216u) + (atomicAdd((unsigned *)n, 16777216u) & 0); out[p >> 24] = i;",
}

// TestTickets: numbers that atomic additions find are of one thread each, with what they add; with whatever else they are not.
// Both readers say so.
func TestTickets(t *testing.T) {
	const head = "//--blockDim=64 --gridDim=3\n"
	kernel := func(name, body string) string {
		return fmt.Sprintf("__global__ void %s(int *n, int *out, const int *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; %s }\n", name, body)
	}
	check := func(reader string, wrong bool, body string, v gpu.Verdict, why string) {
		if wrong && v == gpu.Safe || !wrong && v != gpu.Safe {
			t.Errorf("%s: %s is %s %s", reader, body, v, why)
		}
	}
	all := head
	for k, bodies := range [][]string{tickets, ticketFaults} {
		for n, body := range bodies {
			v, why := worst(gpu.File(context.Background(), "k.cu", []byte(head+kernel("k", body)), gpu.Options{}))
			check("c", k == 1, body, v, why)
			all += kernel(fmt.Sprintf("%s%d", []string{"right", "wrong"}[k], n), body)
		}
	}
	c := compiler(t)
	ir, opts := compiledText(t, c, "k.cu", all)
	reports := gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts})
	if len(reports) != len(tickets)+len(ticketFaults) {
		t.Errorf("%d reports", len(reports))
	}
	for _, r := range reports {
		if r.Kernel == "right6" && !strings.Contains(r.Why, "no atomic counter wraps") { // how often its loop comes round is not known
			t.Errorf("%s: %s", r.Kernel, r.Why)
		}
		check("llvm", strings.HasPrefix(r.Kernel, "wrong"), r.Kernel, r.Verdict, r.Why)
	}
}
