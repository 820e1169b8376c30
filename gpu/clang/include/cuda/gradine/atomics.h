// Atomic functions promise no order: relaxed, in the scope that the name says.
#ifndef GRADINE_ATOMICS_H
#define GRADINE_ATOMICS_H

#define GRADINE_RMW(__F, p, v, __S) __atomic_##__F(p, v, __ATOMIC_RELAXED)
#define GRADINE_CAS(p, e, v, __S) __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)

// The device and the system are one scope where one grid is looked at.
#define GRADINE_SCOPES(__M, ...) __M(, , __VA_ARGS__) __M(_system, , __VA_ARGS__)
#define GRADINE_FETCH(__X, __S, __N, __F, __T) \
  static inline __device__ __T atomic##__N##__X(__T *p, __T v) { return GRADINE_RMW(fetch_##__F, p, v, __S); }
#define GRADINE_INTEGERS(__N, __F)                            \
  GRADINE_SCOPES(GRADINE_FETCH, __N, __F, int)                \
  GRADINE_SCOPES(GRADINE_FETCH, __N, __F, unsigned int)       \
  GRADINE_SCOPES(GRADINE_FETCH, __N, __F, long)               \
  GRADINE_SCOPES(GRADINE_FETCH, __N, __F, unsigned long)      \
  GRADINE_SCOPES(GRADINE_FETCH, __N, __F, long long)          \
  GRADINE_SCOPES(GRADINE_FETCH, __N, __F, unsigned long long)
GRADINE_INTEGERS(Add, add)
GRADINE_INTEGERS(Min, min)
GRADINE_INTEGERS(Max, max)
GRADINE_INTEGERS(And, and)
GRADINE_INTEGERS(Or, or)
GRADINE_INTEGERS(Xor, xor)
GRADINE_SCOPES(GRADINE_FETCH, Add, add, float)
GRADINE_SCOPES(GRADINE_FETCH, Add, add, double)
GRADINE_SCOPES(GRADINE_FETCH, Sub, sub, int)
GRADINE_SCOPES(GRADINE_FETCH, Sub, sub, unsigned int)

#define GRADINE_EXCHANGE(__X, __S, __T, __U)                                                             \
  static inline __device__ __T atomicExch##__X(__T *p, __T v) {                                          \
    __U u; __builtin_memcpy(&u, &v, sizeof u);                                                     \
    u = GRADINE_RMW(exchange_n, (__U *)p, u, __S);                                                   \
    __builtin_memcpy(&v, &u, sizeof v); return v;                                                \
  }
GRADINE_SCOPES(GRADINE_EXCHANGE, int, int)
GRADINE_SCOPES(GRADINE_EXCHANGE, unsigned int, unsigned int)
GRADINE_SCOPES(GRADINE_EXCHANGE, long, long)
GRADINE_SCOPES(GRADINE_EXCHANGE, unsigned long, unsigned long)
GRADINE_SCOPES(GRADINE_EXCHANGE, long long, long long)
GRADINE_SCOPES(GRADINE_EXCHANGE, unsigned long long, unsigned long long)
GRADINE_SCOPES(GRADINE_EXCHANGE, float, unsigned int)
GRADINE_SCOPES(GRADINE_EXCHANGE, double, unsigned long long)

#define GRADINE_SWAP(__X, __S, __T) \
  static inline __device__ __T atomicCAS##__X(__T *p, __T e, __T v) { GRADINE_CAS(p, &e, v, __S); return e; }
GRADINE_SCOPES(GRADINE_SWAP, int)
GRADINE_SCOPES(GRADINE_SWAP, unsigned int)
GRADINE_SCOPES(GRADINE_SWAP, long)
GRADINE_SCOPES(GRADINE_SWAP, unsigned long)
GRADINE_SCOPES(GRADINE_SWAP, long long)
GRADINE_SCOPES(GRADINE_SWAP, unsigned long long)
GRADINE_SCOPES(GRADINE_SWAP, unsigned short)

// Functions that are atomic in a block alone: other blocks may break in. Without a scope
// in the IR they have no body, for the scope of a whole system is more than they promise.
#if __has_builtin(__scoped_atomic_fetch_add)
#undef GRADINE_SCOPES
#undef GRADINE_RMW
#undef GRADINE_CAS
#define GRADINE_SCOPES(__M, ...) __M(_block, , __VA_ARGS__)
#define GRADINE_RMW(__F, p, v, __S) __scoped_atomic_##__F(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define GRADINE_CAS(p, e, v, __S) __scoped_atomic_compare_exchange_n(p, e, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
GRADINE_INTEGERS(Add, add)
GRADINE_INTEGERS(Min, min)
GRADINE_INTEGERS(Max, max)
GRADINE_INTEGERS(And, and)
GRADINE_INTEGERS(Or, or)
GRADINE_INTEGERS(Xor, xor)
GRADINE_SCOPES(GRADINE_FETCH, Add, add, float)
GRADINE_SCOPES(GRADINE_FETCH, Add, add, double)
GRADINE_SCOPES(GRADINE_FETCH, Sub, sub, int)
GRADINE_SCOPES(GRADINE_FETCH, Sub, sub, unsigned int)
GRADINE_SCOPES(GRADINE_SWAP, int)
GRADINE_SCOPES(GRADINE_SWAP, unsigned int)
GRADINE_SCOPES(GRADINE_SWAP, unsigned long long)
GRADINE_SCOPES(GRADINE_EXCHANGE, int, int)
GRADINE_SCOPES(GRADINE_EXCHANGE, unsigned int, unsigned int)
GRADINE_SCOPES(GRADINE_EXCHANGE, float, unsigned int)
#else
#define GRADINE_OPAQUE(__N) template <typename __T, typename __V> __device__ __T atomic##__N##_block(__T *p, __V v);
GRADINE_OPAQUE(Add) GRADINE_OPAQUE(Sub) GRADINE_OPAQUE(Min) GRADINE_OPAQUE(Max) GRADINE_OPAQUE(And)
GRADINE_OPAQUE(Or) GRADINE_OPAQUE(Xor) GRADINE_OPAQUE(Exch)
template <typename __T, typename __E, typename __V> __device__ __T atomicCAS_block(__T *p, __E e, __V v);
#undef GRADINE_OPAQUE
#endif

// Counters that wrap at a bound. From clang 20 on its builtins promise an order.
#if __clang_major__ < 20 && !defined(__HIP__)
static inline __device__ unsigned int atomicInc(unsigned int *p, unsigned int bound) { return __nvvm_atom_inc_gen_ui(p, bound); }
static inline __device__ unsigned int atomicDec(unsigned int *p, unsigned int bound) { return __nvvm_atom_dec_gen_ui(p, bound); }
#else
__device__ unsigned int atomicInc(unsigned int *p, unsigned int bound);
__device__ unsigned int atomicDec(unsigned int *p, unsigned int bound);
#endif
static inline __device__ unsigned int atomicInc_system(unsigned int *p, unsigned int bound) { return atomicInc(p, bound); }
static inline __device__ unsigned int atomicDec_system(unsigned int *p, unsigned int bound) { return atomicDec(p, bound); }

#undef GRADINE_SCOPES
#undef GRADINE_FETCH
#undef GRADINE_INTEGERS
#undef GRADINE_EXCHANGE
#undef GRADINE_SWAP
#endif
