// Vectors and dim3, structures without operators as in CUDA.
#ifndef GRADINE_VECTORS_H
#define GRADINE_VECTORS_H

#define GRADINE_VECTOR(__T, __E, __A2, __A4)                                                     \
  struct __T##1 { __E x; };                                                                  \
  struct __attribute__((aligned(__A2))) __T##2 { __E x, y; };                                  \
  struct __T##3 { __E x, y, z; };                                                            \
  struct __attribute__((aligned(__A4))) __T##4 { __E x, y, z, w; };                            \
  static inline __host__ __device__ constexpr __T##1 make_##__T##1(__E x) { return {x}; }                \
  static inline __host__ __device__ constexpr __T##2 make_##__T##2(__E x, __E y) { return {x, y}; }        \
  static inline __host__ __device__ constexpr __T##3 make_##__T##3(__E x, __E y, __E z) { return {x, y, z}; } \
  static inline __host__ __device__ constexpr __T##4 make_##__T##4(__E x, __E y, __E z, __E w) { return {x, y, z, w}; }

GRADINE_VECTOR(char, signed char, 2, 4)
GRADINE_VECTOR(uchar, unsigned char, 2, 4)
GRADINE_VECTOR(short, short, 4, 8)
GRADINE_VECTOR(ushort, unsigned short, 4, 8)
GRADINE_VECTOR(int, int, 8, 16)
GRADINE_VECTOR(uint, unsigned int, 8, 16)
GRADINE_VECTOR(long, long, 16, 16)
GRADINE_VECTOR(ulong, unsigned long, 16, 16)
GRADINE_VECTOR(longlong, long long, 16, 16)
GRADINE_VECTOR(ulonglong, unsigned long long, 16, 16)
GRADINE_VECTOR(float, float, 8, 16)
GRADINE_VECTOR(double, double, 16, 16)
#undef GRADINE_VECTOR

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
#endif
