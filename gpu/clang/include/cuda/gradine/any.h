// Values that only the hardware, or another thread, knows.
#pragma once
namespace gradine {
// Any value of a type, without a constructor: what memory holds that nobody has set.
template <typename __T> __device__ __T any() {
  union __U { char none; __T v; __device__ __U() {} __device__ ~__U() {} } u;
  return u.v;
}
// A value that depends on other lanes of the warp.
template <typename __T> __device__ __T ofWarp() { (void)__nvvm_read_ptx_sreg_laneid(); return any<__T>(); }
// Operations that touch no memory, where their arguments are numbers.
template <typename __F> struct pure { static constexpr bool value = false; };
// What a primitive does with an operation that it is given: it applies it, any number of times, to any values.
template <typename __T, typename __F> __device__ void applied(__F &op) {
  if constexpr (!pure<__F>::value || !__is_arithmetic(__T))
    while (any<int>() != 0) { __T a = any<__T>(), b = any<__T>(); op(a, b); }
}
}
