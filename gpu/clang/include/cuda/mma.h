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
template <typename __T> struct gradine_element { typedef __T type; };
template <> struct gradine_element<precision::tf32> { typedef float type; };
template <typename __U, int __M, int __N, int __K, typename __T, typename __L = void> struct fragment {
  typedef typename gradine_element<__T>::type element_type;
  enum { num_elements = __M * __N * __K >= 4096 ? 16 : 8 };
  element_type x[num_elements];
  typedef element_type storage_element_type;
};
template <typename __F, typename __V> __device__ void fill_fragment(__F &, __V);
template <typename __F, typename __T> __device__ void load_matrix_sync(__F &, const __T *, unsigned);
template <typename __F, typename __T> __device__ void load_matrix_sync(__F &, const __T *, unsigned, layout_t);
template <typename __T, typename __F> __device__ void store_matrix_sync(__T *, const __F &, unsigned, layout_t);
template <typename __D, typename __A, typename __B, typename __C> __device__ void mma_sync(__D &, const __A &, const __B &, const __C &, bool = false);
template <typename __D, typename __A, typename __B, typename __C> __device__ void bmma_sync(__D &, const __A &, const __B &, const __C &, experimental::bmmaBitOp = experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);
GRADINE_CONST float __float_to_tf32(float);
}
}
