// nvcc ignores #pragma unroll with a number that is not positive.
#define NONE 0
#define SOME 4

__global__ void plain(int *a) {
#pragma unroll NONE
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma unroll SOME // times
  for (int i = 0; i < 100; i++) a[i] += i;
# pragma unroll (-1)
  for (int i = 0; i < 100; i++) a[i] -= i;
}

template <int N> __global__ void instance(int *a) {
#pragma unroll N
  for (int i = 0; i < 100; i++) a[i] = i;
}

template __global__ void instance<0>(int *);
template __global__ void instance<8>(int *);
