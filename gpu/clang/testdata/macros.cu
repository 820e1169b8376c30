// The source headers.cu without names that a macro might have.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand_kernel.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <math_constants.h>
#include <mma.h>
#include <nccl.h>
#include <nvToolsExt.h>
#include <nvml.h>
#include <nvrtc.h>
#include <thrust/device_vector.h>
#include <torch/extension.h>

namespace cg = cooperative_groups;

template <typename Number> __global__ void generic(Number *p, unsigned n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i] = max(p[i], Number(0)) + sin(p[i]);
    atomicAdd(p, Number(1));
  }
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  auto tile = cg::tiled_partition<32>(block);
  p[i] = tile.shfl_down(p[i], 1) + min(3, n) + __shfl_xor_sync(0xffffffff, p[i], 1);
}
__global__ void small(__half *p, __nv_bfloat16 *q, __nv_fp8_e4m3 *r) {
  __shared__ __nv_bfloat16 s[4];
  int i = threadIdx.x;
  p[i] = p[i] * __half(2.0f) + hexp(p[i]);
  s[i % 4] = q[i] + q[i + 1];
  r[i] = __nv_fp8_e4m3((float)s[0]);
  assert(p);
  printf("%d\n", i);
}
__global__ void reduce(float *p) {
  typedef cub::BlockReduce<float, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(p[threadIdx.x]);
  if (threadIdx.x == 0) p[0] = sum;
}
__global__ void whole(float *p) {
  cg::this_grid().sync();
  p[0] = atomicCAS((int *)p, 0, 1);
}
texture<float, 2, cudaReadModeElementType> plane;
__global__ void lookup(float *p, cudaTextureObject_t t) { p[0] = tex2D(plane, 1.0f, 2.0f) + tex2D<float>(t, 0.0f, 0.0f); }

int main() {
  float *p;
  cudaMalloc(&p, 128);
  generic<float><<<1, 2>>>(p, 3);
  generic<double><<<dim3(1), dim3(2)>>>(nullptr, 3);
  small<<<1, 2, 0, cudaStreamPerThread>>>(0, 0, 0);
  cudaDeviceSynchronize();
  torch::Tensor x = torch::empty({1, 2}, torch::kFloat32);
  return cudaGetLastError() != cudaSuccess;
}
