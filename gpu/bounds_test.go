package gpu_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/launch"
)

// outside is a kernel named K with a host that launches it: an access lies outside its array, or all lie inside.
type outside struct {
	name, kernel, host string
	inside             bool
	open               bool // all lie inside, and that is not proved
}

// globalId begins most of these kernels, and plane those of two dimensions.
const (
	globalId = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
	plane    = "int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; "
)

var outsides = []outside{
	{name: "le_guard", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i <= n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "noguard_roundup", kernel: `__global__ void K(float *a) { ` + globalId + `a[i] = 1; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<(n + 127) / 128, 128>>>(a);`},
	{name: "noguard_plus1", kernel: `__global__ void K(float *a) { ` + globalId + `a[i] = 1; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<n / 128 + 1, 128>>>(a);`},
	{name: "neighbour", kernel: `__global__ void K(const float *a, float *b, int n) { ` + globalId + `if (i < n) b[i] = a[i] + a[i + 1]; }`,
		host: `float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); K<<<(n + 63) / 64, 64>>>(a, b, n);`},
	{name: "left", kernel: `__global__ void K(const float *a, float *b, int n) { ` + globalId + `if (i < n) b[i] = a[i] - a[i - 1]; }`,
		host: `float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); K<<<(n + 63) / 64, 64>>>(a, b, n);`},
	{name: "underflow", kernel: `__global__ void K(const float *a, float *b, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n - 1) b[i] = a[i + 1]; }`,
		host: `float *a, *b; cudaMalloc(&a, (size_t)n * sizeof(float)); cudaMalloc(&b, (size_t)n * sizeof(float)); K<<<n / 64 + 1, 64>>>(a, b, n);`},
	{name: "underflow_loop", kernel: `__global__ void K(float *a, unsigned n) { for (unsigned i = n - 1; i >= threadIdx.x && i < n + 5; i--) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<1, 1>>>(a, n);`},
	{name: "reversed", kernel: `__global__ void K(const int *a, int *b, int n) { ` + globalId + `if (i < n) b[n - i] = a[i]; }`,
		host: `int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); K<<<(n + 31) / 32, 32>>>(a, b, n);`},
	{name: "short_type", kernel: `__global__ void K(double *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `double *a; cudaMalloc(&a, n * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "sizeof_ptr", kernel: `__global__ void K(char4 *a, int n) { ` + globalId + `if (i < n) a[i].w = 0; }`,
		host: `char4 *a; cudaMalloc(&a, n); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "sizeof_pointer", kernel: `__global__ void K(double2 *a, int n) { ` + globalId + `if (i < n) a[i].y = 0; }`,
		host: `double2 *a; cudaMalloc(&a, n * sizeof(a)); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "sum_blocks", kernel: `__global__ void K(const int *a, int *s, int n) { ` + globalId + `if (i < n && threadIdx.x == 0) s[blockIdx.x] = a[i]; }`,
		host: `int *a, *s; cudaMalloc(&a, n * 4); cudaMalloc(&s, n / 256 * 4); K<<<(n + 255) / 256, 256>>>(a, s, n);`},
	{name: "plane_or", kernel: `__global__ void K(float *a, int w, int h) { ` + plane + `if (x < w || y < h) a[y * w + x] = 0; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a; cudaMalloc(&a, n * m * sizeof(float)); dim3 b(16, 16), g((n + 15) / 16, (m + 15) / 16); K<<<g, b>>>(a, n, m); }`},
	{name: "plane_swapped", kernel: `__global__ void K(float *a, int w, int h) { ` + plane + `if (x < w && y < h) a[x * w + y] = 0; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a; cudaMalloc(&a, n * m * sizeof(float)); dim3 b(16, 16), g((n + 15) / 16, (m + 15) / 16); K<<<g, b>>>(a, n, m); }`},
	{name: "plane_noy", kernel: `__global__ void K(float *a, int w, int h) { ` + plane + `if (x < w) a[y * w + x] = 0; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a; cudaMalloc(&a, n * m * sizeof(float)); dim3 b(16, 16), g((n + 15) / 16, (m + 15) / 16); K<<<g, b>>>(a, n, m); }`},
	{name: "pitch_elems", kernel: `__global__ void K(float *a, size_t pitch, int w, int h) { ` + plane + `if (x < w && y < h) a[y * pitch + x] = 0; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a; cudaMalloc(&a, n * 4 * m); dim3 b(16, 16), g((n + 15) / 16, (m + 15) / 16); K<<<g, b>>>(a, n * 4, n, m); }`},
	{name: "pitch_api", kernel: `__global__ void K(float *a, size_t pitch, int w, int h) { ` + plane + `if (x < w && y <= h) ((float *)((char *)a + y * pitch))[x] = 0; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a; size_t pitch; cudaMallocPitch((void **)&a, &pitch, n * sizeof(float), m); dim3 b(16, 16), g((n + 15) / 16, (m + 15) / 16); K<<<g, b>>>(a, pitch, n, m); }`},
	{name: "pitch_api_elems", kernel: `__global__ void K(float *a, size_t pitch, int w, int h) { ` + plane + `if (x < w && y < h) a[y * pitch + x] = 0; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a; size_t pitch; cudaMallocPitch((void **)&a, &pitch, n * sizeof(float), m); dim3 b(16, 16), g((n + 15) / 16, (m + 15) / 16); K<<<g, b>>>(a, pitch, n, m); }`},
	{name: "halo2d", kernel: `__global__ void K(const float *a, float *b, int w, int h) { ` + plane + `if (x >= 0 && y >= 0 && x < w - 1 && y < h - 1) b[y * w + x] = a[(y - 1) * w + x] + a[y * w + x + 1]; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a, *b; cudaMalloc(&a, n * m * 4); cudaMalloc(&b, n * m * 4); dim3 t(8, 8), g((n + 7) / 8, (m + 7) / 8); K<<<g, t>>>(a, b, n, m); }`},
	{name: "channels", kernel: `__global__ void K(const unsigned char *in, unsigned char *out, int n) { ` + globalId + `if (i < n) out[i] = in[3 * i] / 2 + in[3 * i + 3]; }`,
		host: `unsigned char *in, *out; cudaMalloc(&in, 3 * n); cudaMalloc(&out, n); K<<<(n + 255) / 256, 256>>>(in, out, n);`},
	{name: "channels_short", kernel: `__global__ void K(const unsigned char *in, unsigned char *out, int n) { ` + globalId + `if (i < n) out[i] = in[3 * i + 2]; }`,
		host: `unsigned char *in, *out; cudaMalloc(&in, 2 * n); cudaMalloc(&out, n); K<<<(n + 255) / 256, 256>>>(in, out, n);`},
	{name: "per_thread4", kernel: `__global__ void K(float *a, int n) { ` + globalId + `for (int k = 0; k < 4; k++) if (4 * i < n) a[4 * i + k] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<(n / 4 + 255) / 256 + 1, 256>>>(a, n);`},
	{name: "per_thread_strided", kernel: `__global__ void K(float *a, int n) { int i = blockIdx.x * blockDim.x * 2 + threadIdx.x; if (i < n) { a[i] = 0; a[i + blockDim.x] = 0; } }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<(n + 511) / 512, 256>>>(a, n);`},
	{name: "grid_stride_le", kernel: `__global__ void K(float *a, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i <= n; i += (size_t)gridDim.x * blockDim.x) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, (size_t)n * sizeof(float)); K<<<64, 256>>>(a, n);`},
	{name: "shared_static", kernel: `__global__ void K(int *a) { __shared__ int s[128]; s[threadIdx.x] = a[threadIdx.x]; __syncthreads(); a[threadIdx.x] = s[threadIdx.x]; }`,
		host: `int *a; cudaMalloc(&a, 4 * 256); K<<<1, 256>>>(a);`},
	{name: "shared_halo", kernel: `__global__ void K(const int *a, int *b) { __shared__ int s[65]; int t = threadIdx.x; s[t + 1] = a[t]; if (t == 0) s[0] = 0; __syncthreads(); b[t] = s[t] + s[t + 2]; }`,
		host: `int *a, *b; cudaMalloc(&a, 4 * 64); cudaMalloc(&b, 4 * 64); K<<<1, 64>>>(a, b);`},
	{name: "shared_dyn_bytes", kernel: `__global__ void K(int *a) { extern __shared__ int s_dyn1[]; s_dyn1[threadIdx.x] = a[threadIdx.x]; __syncthreads(); a[threadIdx.x] = s_dyn1[threadIdx.x ^ 1]; }`,
		host: `int *a; cudaMalloc(&a, 4 * 64); K<<<1, 64, 64>>>(a);`},
	{name: "shared_dyn_two", kernel: `__global__ void K(float *a) { extern __shared__ float s_dyn2[]; float *u = s_dyn2, *v = s_dyn2 + blockDim.x; int t = threadIdx.x; u[t] = a[t]; v[t + 1] = 0; __syncthreads(); a[t] = u[t] + v[t]; }`,
		host: `float *a; cudaMalloc(&a, 4 * 64); K<<<1, 64, 2 * 64 * sizeof(float)>>>(a);`},
	{name: "shared_row", kernel: `__global__ void K(float *a) { __shared__ float s[16][16]; s[threadIdx.y][threadIdx.x + 1] = 0; __syncthreads(); a[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.y][threadIdx.x]; }`,
		host: `float *a; cudaMalloc(&a, 4 * 256); K<<<1, dim3(16, 16)>>>(a);`},
	{name: "warp_partials", kernel: `__global__ void K(float *a) { __shared__ float p[16]; if (threadIdx.x % 32 == 0) p[threadIdx.x / 32] = 0; __syncthreads(); a[threadIdx.x] = p[0]; }`,
		host: `float *a; cudaMalloc(&a, 4 * 1024); K<<<1, 1024>>>(a);`},
	{name: "hist_256", kernel: `__global__ void K(const unsigned short *a, int n) { __shared__ int h[256]; h[threadIdx.x] = 0; __syncthreads(); ` + globalId + `if (i < n) atomicAdd(&h[a[i]], 1); }`,
		host: `unsigned short *a; cudaMalloc(&a, n * 2); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "reduce_oob", kernel: `__global__ void K(float *a) { __shared__ float s[100]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); for (int k = 64; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); } a[0] = s[0]; }`,
		host: `float *a; cudaMalloc(&a, 400); K<<<1, 100>>>(a);`},
	{name: "bin_index", kernel: `__global__ void K(int *bins, const float *x, int n) { ` + globalId + `if (i < n) { int b = (int)(x[i] * 10); if (b <= 10) atomicAdd(&bins[b], 1); } }`,
		host: `int *bins; float *x; cudaMalloc(&bins, 40); cudaMalloc(&x, n * 4); K<<<(n + 255) / 256, 256>>>(bins, x, n);`},
	{name: "indirect", kernel: `__global__ void K(int *out, const int *idx, int n) { ` + globalId + `if (i < n) out[idx[i]] = 1; }`,
		host: `int *o, *x; cudaMalloc(&o, n * 4); cudaMalloc(&x, n * 4); K<<<(n + 255) / 256, 256>>>(o, x, n);`},
	{name: "negmod", kernel: `__global__ void K(float *ring, int shift) { int i = ((int)threadIdx.x - shift) % 64; ring[i] = 0; }`,
		host: `float *r; cudaMalloc(&r, 64 * 4); K<<<1, 64>>>(r, n);`},
	{name: "ring_plus", kernel: `__global__ void K(float *ring, unsigned h) { ring[(h + threadIdx.x) % 65] = 0; }`,
		host: `float *r; cudaMalloc(&r, 64 * 4); K<<<1, 64>>>(r, n);`},
	{name: "const_table", kernel: `__constant__ float taps_K[7]; __global__ void K(const float *a, float *b, int n) { ` + globalId + `if (i < n) { float s = 0; for (int k = -3; k <= 3; k++) s += taps_K[k + 4]; b[i] = s; } }`,
		host: `float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); K<<<(n + 255) / 256, 256>>>(a, b, n);`},
	{name: "local_array", kernel: `__global__ void K(float *b, int n) { float w[8]; for (int k = 0; k <= 8; k++) w[k] = k; b[threadIdx.x] = w[n & 7]; }`,
		host: `float *b; cudaMalloc(&b, 4 * 32); K<<<1, 32>>>(b, n);`},
	{name: "offset_ptr", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, 2 * n * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a + n + 1, n);`},
	{name: "offset_neg", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a - 1, n);`},
	{name: "chunk_loop", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); for (int o = 0; o < n; o += 1024) K<<<4, 256>>>(a + o, 1024);`},
	{name: "realloc_small", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); cudaFree(a); cudaMalloc(&a, m * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "after_free", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); cudaFree(a); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "wrong_count", kernel: `__global__ void K(const float *a, float *b, int n) { ` + globalId + `if (i < n) b[i] = a[i]; }`,
		host: `float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, m * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a, b, n > m ? n : m);`},
	{name: "int_mul", kernel: `__global__ void K(char *a, int w, int n) { ` + globalId + `if (i < n) a[(long)(i * w)] = 0; }`,
		host: `if (n > 0 && n < 100000 && m > 0 && m < 100000) { char *a; cudaMalloc(&a, (size_t)n * m); K<<<(n + 255) / 256, 256>>>(a, m, n); }`},
	{name: "struct_short", kernel: `struct S_K { float x[3]; int id; }; __global__ void K(S_K *a, int n) { ` + globalId + `if (i < n) a[i].id = 0; }`,
		host: `S_K *a; cudaMalloc(&a, n * 12); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "templ", kernel: `template <int B> __global__ void K(float *a, int n) { int i = blockIdx.x * B + threadIdx.x; if (i < n + B) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<128><<<(n + 127) / 128, 128>>>(a, n);`},
	{name: "transpose_tail", kernel: `__global__ void K(float *o, const float *in, int w, int h) { ` + plane + `if (x < w && y < h) o[x * w + y] = in[y * w + x]; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a, *b; cudaMalloc(&a, n * m * 4); cudaMalloc(&b, n * m * 4); dim3 t(8, 8), g((n + 7) / 8, (m + 7) / 8); K<<<g, t>>>(a, b, n, m); }`},
	{name: "managed", kernel: `__global__ void K(int *a, int n) { ` + globalId + `if (i < n) a[2 * i + 1] = 0; }`,
		host: `int *a; cudaMallocManaged(&a, 2 * n * sizeof(int) - 4); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "async", kernel: `__global__ void K(int *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `int *a; cudaMallocAsync((void **)&a, n * sizeof(int), 0); K<<<(n + 255) / 256, 256>>>(a, n + 3);`},
	{name: "tree_child", kernel: `__global__ void K(int *t, int n) { ` + globalId + `if (i < n) t[i] += t[2 * i + 1] + t[2 * i + 2]; }`,
		host: `int *t; cudaMalloc(&t, n * 4); K<<<(n / 2 + 255) / 256, 256>>>(t, n / 2);`},
	{name: "csr", kernel: `__global__ void K(const int *row, float *y, int n) { ` + globalId + `if (i < n) y[i] = row[i + 1] - row[i]; }`,
		host: `int *r; float *y; cudaMalloc(&r, n * 4); cudaMalloc(&y, n * 4); K<<<(n + 255) / 256, 256>>>(r, y, n);`},
	{name: "unsigned_cast", kernel: `__global__ void K(int *a, int n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if ((int)(i - 5) < n) a[i] = 0; }`,
		host: `int *a; cudaMalloc(&a, n * 4); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "shift_index", kernel: `__global__ void K(int *a, int n) { ` + globalId + `if (i < n) a[i >> 1 << 1 | 1] = 0; }`,
		host: `int *a; cudaMalloc(&a, n * 4); K<<<(n + 255) / 256, 256>>>(a, n);`},
	{name: "memset_long", kernel: `__global__ void K(char *a, int n) { if (threadIdx.x == 0) for (int k = 0; k < n + 1; k++) a[k] = 0; }`,
		host: `char *a; cudaMalloc(&a, n); K<<<1, 32>>>(a, n);`},
	{name: "atomic_oob", kernel: `__global__ void K(int *c, int n) { ` + globalId + `atomicAdd(&c[i / 64], 1); }`,
		host: `int *c; cudaMalloc(&c, n / 64 * 4); K<<<(n + 63) / 64, 64>>>(c, n);`},
	{name: "cond_alloc", kernel: `__global__ void K(int *c, int n) { ` + globalId + `if (i < n) c[i] = 0; }`,
		host: `int *c; cudaMalloc(&c, (m ? n : n / 2) * 4); K<<<(n + 63) / 64, 64>>>(c, n);`},
	{name: "min_size", kernel: `__global__ void K(int *c, int n) { ` + globalId + `if (i < n) c[i] = 0; }`,
		host: `int *c; int k = n < 1024 ? n : 1024; cudaMalloc(&c, k * 4); K<<<(n + 63) / 64, 64>>>(c, n);`},
	{name: "right_guard", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a, n);`, inside: true},
	{name: "right_neighbour", kernel: `__global__ void K(const float *a, float *b, int n) { ` + globalId + `if (i < n - 1) b[i] = a[i] + a[i + 1]; }`,
		host: `float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); K<<<(n + 63) / 64, 64>>>(a, b, n);`, inside: true},
	{name: "right_reversed", kernel: `__global__ void K(const int *a, int *b, int n) { ` + globalId + `if (i < n) b[n - 1 - i] = a[i]; }`,
		host: `int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); K<<<(n + 31) / 32, 32>>>(a, b, n);`, inside: true},
	{name: "right_blocks", kernel: `__global__ void K(const int *a, int *s, int n) { ` + globalId + `if (i < n && threadIdx.x == 0) s[blockIdx.x] = a[i]; }`,
		host: `int *a, *s; int g = (n + 255) / 256; cudaMalloc(&a, n * 4); cudaMalloc(&s, g * 4); K<<<g, 256>>>(a, s, n);`, inside: true},
	{name: "right_plane", kernel: `__global__ void K(float *a, int w, int h) { ` + plane + `if (x < w && y < h) a[y * w + x] = 0; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a; cudaMalloc(&a, n * m * sizeof(float)); dim3 b(16, 16), g((n + 15) / 16, (m + 15) / 16); K<<<g, b>>>(a, n, m); }`, inside: true, open: true},
	{name: "right_halo2d", kernel: `__global__ void K(const float *a, float *b, int w, int h) { ` + plane + `if (x > 0 && y > 0 && x < w - 1 && y < h - 1) b[y * w + x] = a[(y - 1) * w + x] + a[y * w + x + 1]; }`,
		host: `if (n > 0 && m > 0 && n < 1000 && m < 1000) { float *a, *b; cudaMalloc(&a, n * m * 4); cudaMalloc(&b, n * m * 4); dim3 t(8, 8), g((n + 7) / 8, (m + 7) / 8); K<<<g, t>>>(a, b, n, m); }`, inside: true, open: true},
	{name: "right_channels", kernel: `__global__ void K(const unsigned char *in, unsigned char *out, int n) { ` + globalId + `if (i < n) out[i] = in[3 * i] / 2 + in[3 * i + 2]; }`,
		host: `unsigned char *in, *out; cudaMalloc(&in, 3 * n); cudaMalloc(&out, n); K<<<(n + 255) / 256, 256>>>(in, out, n);`, inside: true},
	{name: "right_vec4", kernel: `__global__ void K(float4 *a, int n4) { ` + globalId + `if (i < n4) a[i].x = 0; }`,
		host: `float4 *a; cudaMalloc(&a, n * sizeof(float4)); K<<<(n + 255) / 256, 256>>>(a, n);`, inside: true},
	{name: "right_stride", kernel: `__global__ void K(float *a, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, (size_t)n * sizeof(float)); K<<<64, 256>>>(a, n);`, inside: true},
	{name: "right_shared_halo", kernel: `__global__ void K(const int *a, int *b) { __shared__ int s[66]; int t = threadIdx.x; s[t + 1] = a[t]; if (t == 0) { s[0] = 0; s[65] = 0; } __syncthreads(); b[t] = s[t] + s[t + 2]; }`,
		host: `int *a, *b; cudaMalloc(&a, 4 * 64); cudaMalloc(&b, 4 * 64); K<<<1, 64>>>(a, b);`, inside: true},
	{name: "right_dyn", kernel: `__global__ void K(float *a) { extern __shared__ float s_dyn3[]; float *u = s_dyn3, *v = s_dyn3 + blockDim.x; int t = threadIdx.x; u[t] = a[t]; v[t] = 0; __syncthreads(); a[t] = u[t] + v[t]; }`,
		host: `float *a; cudaMalloc(&a, 4 * 64); K<<<1, 64, 2 * 64 * sizeof(float)>>>(a);`, inside: true},
	{name: "right_partials", kernel: `__global__ void K(float *a) { __shared__ float p[32]; if (threadIdx.x % 32 == 0) p[threadIdx.x / 32] = 0; __syncthreads(); a[threadIdx.x] = p[threadIdx.x / 32]; }`,
		host: `float *a; cudaMalloc(&a, 4 * 1024); K<<<1, 1024>>>(a);`, inside: true},
	{name: "right_hist", kernel: `__global__ void K(const unsigned char *a, int n) { __shared__ int h[256]; h[threadIdx.x] = 0; __syncthreads(); ` + globalId + `if (i < n) atomicAdd(&h[a[i]], 1); }`,
		host: `unsigned char *a; cudaMalloc(&a, n); K<<<(n + 255) / 256, 256>>>(a, n);`, inside: true},
	{name: "right_taps", kernel: `__constant__ float taps_K[7]; __global__ void K(float *b, int n) { ` + globalId + `if (i < n) { float s = 0; for (int k = -3; k <= 3; k++) s += taps_K[k + 3]; b[i] = s; } }`,
		host: `float *b; cudaMalloc(&b, n * 4); K<<<(n + 255) / 256, 256>>>(b, n);`, inside: true},
	{name: "right_half", kernel: `__global__ void K(float *a, int n) { ` + globalId + `if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, 2 * n * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a + n, n);`, inside: true},
	{name: "right_csr", kernel: `__global__ void K(const int *row, float *y, int n) { ` + globalId + `if (i < n) y[i] = row[i + 1] - row[i]; }`,
		host: `int *r; float *y; cudaMalloc(&r, (n + 1) * 4); cudaMalloc(&y, n * 4); K<<<(n + 255) / 256, 256>>>(r, y, n);`, inside: true, open: true},
	{name: "right_templ", kernel: `template <int B> __global__ void K(float *a, int n) { int i = blockIdx.x * B + threadIdx.x; if (i < n) a[i] = 0; }`,
		host: `float *a; cudaMalloc(&a, n * sizeof(float)); K<128><<<(n + 127) / 128, 128>>>(a, n);`, inside: true},
	{name: "right_struct", kernel: `struct S_K { float x[3]; int id; }; __global__ void K(S_K *a, int n) { ` + globalId + `if (i < n) a[i].x[2] = 0; }`,
		host: `S_K *a; cudaMalloc(&a, n * sizeof(S_K)); K<<<(n + 255) / 256, 256>>>(a, n);`, inside: true},
	{name: "right_ring", kernel: `__global__ void K(float *ring, unsigned h) { ring[(h + threadIdx.x) % 64] = 0; }`,
		host: `float *r; cudaMalloc(&r, 64 * 4); K<<<1, 64>>>(r, n);`, inside: true},
	{name: "right_max", kernel: `__global__ void K(const float *a, float *b, int n) { ` + globalId + `if (i < n) b[i] = a[i]; }`,
		host: `float *a, *b; int k = n > m ? n : m; cudaMalloc(&a, k * sizeof(float)); cudaMalloc(&b, k * sizeof(float)); K<<<(n + 255) / 256, 256>>>(a, b, n);`, inside: true},
}

// TestOutside: with checks of bounds, no kernel is safe of which a thread accesses what lies outside of its array, and those are of which
// none does. It takes two minutes of processors.
func TestOutside(t *testing.T) {
	if os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("GRADINE_SWEEP is not set")
	}
	compiler, err := clang.Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	var b strings.Builder
	b.WriteString("#include <cuda_runtime.h>\n")
	of := map[string]outside{}
	for _, o := range outsides {
		of[o.name] = o
		named := strings.NewReplacer(" K(", " "+o.name+"(", "K<<<", o.name+"<<<", "K<128>", o.name+"<128>", "_K", "_"+o.name)
		fmt.Fprintf(&b, "namespace of_%s {\n%s\nvoid host(int n, int m) { %s }\n}\n", o.name, named.Replace(o.kernel), named.Replace(o.host))
	}
	dir := t.TempDir()
	source := clang.Source{Dir: dir, File: "k.cu", Language: clang.CUDA}
	if err := os.WriteFile(dir+"/k.cu", []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := compiler.Compile(t.Context(), source, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := compiler.CompileHost(t.Context(), source, clang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, r := range gpu.Readers(t.Context(), "k.cu", []byte(b.String()), u, &gpu.Hosts{Host: h}, gpu.Options{Launch: launch.Options{Bounds: true}}, func(string) gpu.Reader { return gpu.EitherReader }) {
		name := clang.Base(r.Kernel)
		name = name[strings.LastIndex(name, ":")+1:]
		o, ok := of[name]
		if !ok {
			continue
		}
		seen++
		safe := r.Verdict == gpu.Safe && r.Scope == gpu.OfFile
		if safe && !o.inside || !safe && o.inside && !o.open {
			t.Errorf("%s: %s: %s", name, r.Verdict, r.Why)
		}
	}
	if seen != len(outsides) {
		t.Errorf("%d of %d kernels are judged", seen, len(outsides))
	}
}
