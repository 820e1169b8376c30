// Device code that fails costs what uses it, and nothing else.
#define DEV __device__ inline
#define CONST_FN constexpr
DEV float broken(float x) { return absent(x); }
DEV float caller(float x) { return broken(x) + 1; }
CONST_FN int folded(int x) { return absent_too(x); }

// A better overload whose declaration fails: a call must not fall to the other one.
__device__ float choose(int x, Absent = 0) { return 1; }
__device__ float choose(double x) { return 2; }

struct Holder { Absent a; int b; };
typedef struct { Missing m; } Named;
__device__ int size = sizeof(int);
using Word = Absent;

__global__ void good(float *p) { p[threadIdx.x] = size; }
__global__ void calls(float *p) { p[threadIdx.x] = caller(p[0]); }
__global__ void bad(float *p) { p[threadIdx.x] = absent(1); }
__global__ void overload(float *p) { p[threadIdx.x] = choose(1); }
__global__ void layout(float *p) { p[threadIdx.x] = sizeof(Holder); }
__global__ void aligned(float *p) {
  __shared__ alignas(16) float s[32];
  s[threadIdx.x] = p[threadIdx.x];
}
template <typename T> struct Op {
  T v;
  __device__ Op(T x) : v(absent(x)) {}
  __device__ T get() const { return v; }
};
__global__ void method(float *p) { p[0] = Op<float>(p[1]).get(); }
__global__ void lambda(float *p) {
  auto f = [&](int i) { return absent(i); };
  p[0] = f(1);
}
