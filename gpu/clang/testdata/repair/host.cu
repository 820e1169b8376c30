// Host code that fails: launches instantiate their templates all the same.
#include "not/there.h"
#include <opencv2/opencv.hpp>
#define CHECK(x) do { if ((x) != cudaSuccess) { absent(#x); } } while (0)
template <int N> __global__ void tile(float *p) { p[threadIdx.x] = N; }
template <typename T> __global__ void scale(T *p, T k) { p[threadIdx.x] *= k; }
__global__ void plain(float *p) { p[0] = 1; }
template <typename F> __global__ void apply(float *p, F f) { p[threadIdx.x] = f(threadIdx.x); }

static int helper(Options &o) { return o.size(); }

struct Runner {
  float *p;
  void go() {
    unknown.start();
    tile<8><<<1, 8>>>(p);
    if (unknown.stop()) {
      tile<16><<<1, 16>>>(p);
    } else
      scale<double><<<1, 1>>>(nullptr, 2.0);
  }
};

int main(int argc, char **argv) {
  cv::Mat image = cv::imread(argv[1]);
  float *p;
  CHECK(cudaMalloc(&p, 4));
  for (int i = 0; i < image.rows; i++) {
    tile<32><<<1, 32>>>(p);
  }
  for (auto x : missing_list) scale<float><<<1, 1>>>(p, 2.0f);
#ifdef NEVER
  if (argc > 1) {
#else
  if (argc > 2) {
#endif
    tile<64><<<1, 64>>>(p);
    absent(1);
  }
  auto f = [=](int a) { absent(a); return a; };
  apply<<<1, 1>>>(p, [=] __device__(int i) { return i * 2.0f; });
  switch (argc) { case 1: absent(2); break; }
  do { absent(3); } while (absent(4));
  tile<128> << <1, 128 >> > (p);
  return absent(5);
}
