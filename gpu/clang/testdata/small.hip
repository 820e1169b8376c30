#include <hip/hip_runtime.h>
template <typename T> __global__ void scale(T *p, T k, int n) {
  __shared__ T s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? p[i] : T(0);
  __syncthreads();
  if (i < n) p[i] = k * s[63 - threadIdx.x] + sqrtf(k);
  atomicAdd(p, T(1));
}
int main() {
  float *p;
  hipMalloc(&p, 256);
  hipLaunchKernelGGL(scale<float>, dim3(4), dim3(64), 0, 0, p, 2.0f, 256);
  scale<double><<<1, 64>>>(nullptr, 2.0, 64);
  return hipDeviceSynchronize() != hipSuccess;
}
