#pragma once
#include "gradine.h"
#include <cuda_fp16.h>
#include <cuda_bf16.h>
// Products of matrices by a warp: opaque.
namespace nvcuda {
namespace wmma {
struct matrix_a {}; struct matrix_b {}; struct accumulator {}; struct row_major {}; struct col_major {};
namespace precision { struct tf32 {}; struct u4 {}; struct s4 {}; struct b1 {}; }
namespace experimental { namespace precision { using namespace wmma::precision; } enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 }; enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 }; }
enum layout_t { mem_row_major, mem_col_major };
template <typename T> struct gradine_element { typedef T type; };
template <> struct gradine_element<precision::tf32> { typedef float type; };
template <typename U, int M, int N, int K, typename T, typename L = void> struct fragment {
  typedef typename gradine_element<T>::type element_type;
  enum { num_elements = M * N * K >= 4096 ? 16 : 8 };
  element_type x[num_elements];
  typedef element_type storage_element_type;
};
template <typename F, typename V> __device__ void fill_fragment(F &, V);
template <typename F, typename T> __device__ void load_matrix_sync(F &, const T *, unsigned);
template <typename F, typename T> __device__ void load_matrix_sync(F &, const T *, unsigned, layout_t);
template <typename T, typename F> __device__ void store_matrix_sync(T *, const F &, unsigned, layout_t);
template <typename D, typename A, typename B, typename C> __device__ void mma_sync(D &, const A &, const B &, const C &, bool = false);
template <typename D, typename A, typename B, typename C> __device__ void bmma_sync(D &, const A &, const B &, const C &, experimental::bmmaBitOp = experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);
GRADINE_CONST float __float_to_tf32(float);
}
}
