package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// warpKernels meet in warps. Where «a¦b¦c» stands in one, a is right, and with any one of the others it has a fault.
var warpKernels = []struct{ name, block, body string }{
	{"sum", "128", `__shared__ int s[128]; int t = threadIdx.x, lane = t % 32, base = t / 32 * 32; s[t] = a[128 * blockIdx.x + t]; «__syncwarp();¦»
		for (int d = 16; d > 0; d /= 2) { int x = lane < d ? s[base + lane + d] : 0; «__syncwarp();¦__syncwarp(0xffff);» if (lane < d) s[t] += x; «__syncwarp();¦if (lane < d) __syncwarp();» }
		if (lane == 0) a[128 * blockIdx.x + t] = s[«t¦(t + 32) % 128»];`},
	{"tail", "64", `__shared__ int s[64]; int t = threadIdx.x; s[t] = a[64 * blockIdx.x + t]; «__syncthreads();¦__syncwarp();¦»
		if («t < 32¦t < 33») { int x = s[t] + s[t + 32]; «__syncwarp();¦__syncwarp();__syncwarp(1);» s[t] = x; «__syncwarp();¦__syncwarp(0x7fffffff);¦» if (t < 16) a[64 * blockIdx.x + t] = s[t] + s[t + 16]; }`},
	{"turn", "[32,4]", `__shared__ int s[4][32]; int x = threadIdx.x, y = threadIdx.y; s[y][x] = a[(4 * blockIdx.x + y) * 32 + x]; «__syncwarp();¦»
		int v = s[«y¦3 - y»][31 - x]; «__syncwarp(0xffffffffu);¦__syncwarp(1u << x);» s[y][x] = v + 1; __syncwarp(); a[(4 * blockIdx.x + y) * 32 + x] = s[y][(x + 1) % 32];`},
	{"scan", "32", `__shared__ int s[32]; int t = threadIdx.x; s[t] = a[32 * blockIdx.x + t]; __syncwarp();
		for (int d = 1; d < 32; d *= 2) { int x = t >= d ? s[t - d] : 0; «__syncwarp();¦» s[t] += x; «__syncwarp();¦» } a[32 * blockIdx.x + t] = s[t];`},
	{"voice", "64", `__shared__ int s[2]; int t = threadIdx.x, w = t / 32; for (int k = 0; k < n; k++) { if (t % 32 == 0) s[w] = a[64 * blockIdx.x + t] + k; «__syncwarp();¦»
		int v = s[«w¦1 - w»]; «__syncwarp();¦if (v) __syncwarp();» a[64 * blockIdx.x + t] += v; }`},
}

// TestWarps: what the lanes of a warp do on both sides of a barrier of theirs is ordered, between them alone. Without it, where a mask
// leaves lanes out, where some do not come to it, or between warps, it is not.
func TestWarps(t *testing.T) {
	head := "//--blockDim=%s --gridDim=64\n"
	twins := 0
	both := map[string]string{} // by block, the right kernels and the twins for the other reader
	for k, w := range warpKernels {
		right, wrong := twinsOf(w.body)
		twins += len(wrong)
		if corpus.Effort(0, 0, 1) == 0 && k != 1 && k != 2 { // loops take long
			continue
		}
		for n, body := range append([]string{right}, wrong...) {
			if n > 1 && corpus.Effort(0, 0, 1) == 0 {
				continue
			}
			name := fmt.Sprintf("%s_%d", w.name, n)
			text := fmt.Sprintf("__global__ void %s(int *a, int n) { %s }\n", name, body)
			both[w.block] += text
			v, why := worst(gpu.File(context.Background(), "k.cu", []byte(fmt.Sprintf(head, w.block)+text), gpu.Options{}))
			t.Logf("%s: %s", name, v)
			if n == 0 && v != gpu.Safe || n > 0 && v == gpu.Safe {
				t.Errorf("%s: %s %s", body, v, why)
			}
		}
	}
	if twins < 16 {
		t.Errorf("%d twins", twins)
	}
	if corpus.Effort(0, 0, 1) == 0 {
		return
	}
	c := compiler(t)
	for block, text := range both {
		ir, opts := compiledText(t, c, "k.cu", fmt.Sprintf(head, block)+text)
		for _, r := range gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts}) {
			if right := strings.HasSuffix(r.Kernel, "_0"); right != (r.Verdict == gpu.Safe) {
				t.Errorf("%s: %s %s", r.Kernel, r.Verdict, r.Why)
			}
			t.Log(r.Kernel, r.Verdict)
		}
	}
}
