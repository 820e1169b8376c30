package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/internal/corpus"
)

// wrappers are ways in which C++ stores VALUE at place AT of an array ARRAY.
var wrappers = []struct{ name, store string }{
	{"plain", "ARRAY[AT] = VALUE;"},
	{"template", "put<int>(ARRAY, AT, VALUE);"},
	{"template of a number", "chosen<true>(ARRAY, AT, VALUE);"},
	{"lambda", "[&](long long at) { ARRAY[at] = VALUE; }(AT);"},
	{"lambda that is handed on", "applied([=](int *to) { to[AT] = VALUE; }, ARRAY);"},
	{"method", "View{ARRAY}.set(AT, VALUE);"},
	{"operator", "View{ARRAY}[AT] = VALUE;"},
	{"reference", "{ int &r = ARRAY[AT]; r = VALUE; }"},
	{"reference of a function", "at(ARRAY, AT) = VALUE;"},
	{"pointer", "*(ARRAY + (AT)) = VALUE;"},
	{"pointer by reference", "{ int *p = nullptr; aimed(p, ARRAY); p[AT] = VALUE; }"},
	{"pointers of an array", "{ int *both[2] = {ARRAY, ARRAY}; both[n & 1][AT] = VALUE; }"},
	{"cast", "reinterpret_cast<unsigned *>(ARRAY)[AT] = (unsigned)(VALUE);"},
	{"halves", "{ short *h = (short *)(ARRAY + (AT)); h[0] = (short)(VALUE); h[1] = 0; }"},
	{"structure", "reinterpret_cast<Two *>(ARRAY)[(AT) / 2].part[(AT) % 2] = VALUE;"},
	{"union", "reinterpret_cast<Bits *>(ARRAY)[AT].whole = VALUE;"},
	{"overload", "stored(ARRAY, (long long)(AT), VALUE);"},
	{"base class", "{ Derived d; d.to = ARRAY; d.set(AT, VALUE); }"},
	{"iterator", "for (int *p = ARRAY + (AT), *e = p + 1; p != e; ++p) *p = VALUE;"},
}

// wrappings are kernels with a fault each, in which STORE(array, place, value) is one of the wrappers: a has places for all threads.
var wrappings = []struct{ name, body string }{
	{"two threads a place", "STORE(a, i / 2, i)"},
	{"one place", "STORE(a, 0, i)"},
	{"group left out", "STORE(a, (int)threadIdx.x, (int)blockIdx.x)"},
	{"place that wraps", "STORE(a, (unsigned char)(4 * i), i)"},
	{"neighbour", "a[i] = i; STORE(a, i ^ 1, -i)"},
	{"neighbour that is read", "int x = a[i + 1]; STORE(a, i, x + 1)"},
	{"remainder", "STORE(a, i % 100, i)"},
	{"strides that overlap", "for (int k = 0; k < 4; k++) { STORE(a, 3 * i + k, i) }"},
	{"barrier of some", "if (threadIdx.x < 32) { STORE(a, i, 1) __syncthreads(); }"},
	{"atomic and plain", "atomicAdd(a + i / 2, 1); STORE(a, i, 2)"},
	{"missing barrier", "__shared__ int s[64]; STORE(s, (int)threadIdx.x, i) a[i] = s[63 - threadIdx.x];"},
	{"on one way", "if (n == 7) { STORE(a, 0, i) }"},
}

const wrapperTypes = `//--blockDim=64 --gridDim=4
struct Two { int part[2]; };
union Bits { int whole; short half[2]; };
struct View { int *to; __device__ void set(int at, int v) { to[at] = v; } __device__ int &operator[](int at) { return to[at]; } };
struct Base { int *to; __device__ void set(int at, int v) { this->to[at] = v; } };
struct Derived : Base { int other; };
template <typename T> __device__ void put(T *to, long long at, T v) { to[at] = v; }
template <bool B> __device__ void chosen(int *to, int at, int v) { if constexpr (B) to[at] = v; }
template <typename F> __device__ void applied(F f, int *to) { f(to); }
__device__ int &at(int *to, int k) { return to[k]; }
__device__ void aimed(int *&p, int *to) { p = to; }
__device__ void stored(int *, int, int) {}
__device__ void stored(int *to, long long at, int v) { to[at] = v; }
`

// TestWrappedFaults: no kernel with a fault is safe in whatever way C++ says it, and nearly all are unsafe. It takes some of them, or with
// GRADINE_SWEEP all.
func TestWrappedFaults(t *testing.T) {
	step := corpus.Effort(0, 23, 1)
	if step == 0 {
		t.Skip("faults in C++ are compiled in the long form of the tests")
	}
	c := compiler(t)
	var names, bodies []string
	for k := 0; k < len(wrappers)*len(wrappings); k += step {
		w, f := wrappers[k%len(wrappers)], wrappings[k/len(wrappers)]
		body := f.body
		for from := strings.Index(body, "STORE("); from >= 0; from = strings.Index(body, "STORE(") {
			to := strings.Index(body[from:], ") ")
			if to < 0 {
				to = len(body) - 1 - from
			}
			parts := strings.SplitN(body[from+len("STORE("):from+to], ", ", 3)
			body = body[:from] + strings.NewReplacer("ARRAY", parts[0], "AT", parts[1], "VALUE", parts[2]).Replace(w.store) + body[from+to+1:]
		}
		names = append(names, f.name+", "+w.name)
		bodies = append(bodies, body)
	}
	src := wrapperTypes
	for k, body := range bodies {
		src += fmt.Sprintf("__global__ void k%d(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; %s }\n", k, body)
	}
	ir, opts := compiledText(t, c, "k.cu", src)
	got := map[string]gpu.Report{}
	for _, r := range gpu.File(context.Background(), "k.ll", ir, gpu.Options{Launch: opts}) {
		got[r.Kernel] = r
	}
	unsafe := 0
	for k, name := range names {
		switch r, ok := got[fmt.Sprint("k", k)]; {
		case !ok || r.Verdict == gpu.Safe || r.Verdict == gpu.Unsupported:
			t.Errorf("%s: %s %s\n%s", name, r.Verdict, r.Why, bodies[k])
		case r.Verdict == gpu.Unsafe:
			unsafe++
		default:
			t.Logf("%s: %s\n%s", name, r.Verdict, bodies[k])
		}
	}
	t.Logf("%d kernels, %d unsafe", len(names), unsafe)
	if 100*unsafe < 95*len(names) {
		t.Errorf("%d of %d are unsafe", unsafe, len(names))
	}
}
