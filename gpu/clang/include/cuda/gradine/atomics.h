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

// Functions that are atomic in a block alone: other blocks may break in. They have no body, for clang writes
// the scoped atomics of C for this target with the scope of the whole system, which is more than they promise.
#define GRADINE_BLOCK(__N, __T) __device__ __T atomic##__N##_block(__T *p, __T v);
#define GRADINE_BLOCKS(__N)                                                                                          \
  GRADINE_BLOCK(__N, int) GRADINE_BLOCK(__N, unsigned int) GRADINE_BLOCK(__N, long) GRADINE_BLOCK(__N, unsigned long) \
  GRADINE_BLOCK(__N, long long) GRADINE_BLOCK(__N, unsigned long long)
GRADINE_BLOCKS(Add) GRADINE_BLOCKS(Min) GRADINE_BLOCKS(Max) GRADINE_BLOCKS(And) GRADINE_BLOCKS(Or) GRADINE_BLOCKS(Xor) GRADINE_BLOCKS(Exch)
GRADINE_BLOCK(Add, float) GRADINE_BLOCK(Add, double) GRADINE_BLOCK(Exch, float) GRADINE_BLOCK(Exch, double)
GRADINE_BLOCK(Sub, int) GRADINE_BLOCK(Sub, unsigned int) GRADINE_BLOCK(Inc, unsigned int) GRADINE_BLOCK(Dec, unsigned int)
#undef GRADINE_BLOCK
#undef GRADINE_BLOCKS
#define GRADINE_BLOCK(__T) __device__ __T atomicCAS_block(__T *p, __T e, __T v);
GRADINE_BLOCK(int) GRADINE_BLOCK(unsigned int) GRADINE_BLOCK(long) GRADINE_BLOCK(unsigned long) GRADINE_BLOCK(long long) GRADINE_BLOCK(unsigned long long)
GRADINE_BLOCK(unsigned short)
#undef GRADINE_BLOCK
#ifndef __HIP__
// For the same reason a source that asks for a scope itself does not compile.
#define __scoped_atomic_load __scoped_atomic_load_has_no_scope_for_nvptx64
#define __scoped_atomic_load_n __scoped_atomic_load_n_has_no_scope_for_nvptx64
#define __scoped_atomic_store __scoped_atomic_store_has_no_scope_for_nvptx64
#define __scoped_atomic_store_n __scoped_atomic_store_n_has_no_scope_for_nvptx64
#define __scoped_atomic_exchange __scoped_atomic_exchange_has_no_scope_for_nvptx64
#define __scoped_atomic_exchange_n __scoped_atomic_exchange_n_has_no_scope_for_nvptx64
#define __scoped_atomic_compare_exchange __scoped_atomic_compare_exchange_has_no_scope_for_nvptx64
#define __scoped_atomic_compare_exchange_n __scoped_atomic_compare_exchange_n_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_add __scoped_atomic_fetch_add_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_sub __scoped_atomic_fetch_sub_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_and __scoped_atomic_fetch_and_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_or __scoped_atomic_fetch_or_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_xor __scoped_atomic_fetch_xor_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_nand __scoped_atomic_fetch_nand_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_min __scoped_atomic_fetch_min_has_no_scope_for_nvptx64
#define __scoped_atomic_fetch_max __scoped_atomic_fetch_max_has_no_scope_for_nvptx64
#define __scoped_atomic_add_fetch __scoped_atomic_add_fetch_has_no_scope_for_nvptx64
#define __scoped_atomic_sub_fetch __scoped_atomic_sub_fetch_has_no_scope_for_nvptx64
#define __scoped_atomic_and_fetch __scoped_atomic_and_fetch_has_no_scope_for_nvptx64
#define __scoped_atomic_or_fetch __scoped_atomic_or_fetch_has_no_scope_for_nvptx64
#define __scoped_atomic_xor_fetch __scoped_atomic_xor_fetch_has_no_scope_for_nvptx64
#define __scoped_atomic_nand_fetch __scoped_atomic_nand_fetch_has_no_scope_for_nvptx64
#define __scoped_atomic_min_fetch __scoped_atomic_min_fetch_has_no_scope_for_nvptx64
#define __scoped_atomic_max_fetch __scoped_atomic_max_fetch_has_no_scope_for_nvptx64
#define __hip_atomic_load __hip_atomic_load_has_no_scope_for_nvptx64
#define __hip_atomic_store __hip_atomic_store_has_no_scope_for_nvptx64
#define __hip_atomic_exchange __hip_atomic_exchange_has_no_scope_for_nvptx64
#define __hip_atomic_compare_exchange_weak __hip_atomic_compare_exchange_weak_has_no_scope_for_nvptx64
#define __hip_atomic_compare_exchange_strong __hip_atomic_compare_exchange_strong_has_no_scope_for_nvptx64
#define __hip_atomic_fetch_add __hip_atomic_fetch_add_has_no_scope_for_nvptx64
#define __hip_atomic_fetch_sub __hip_atomic_fetch_sub_has_no_scope_for_nvptx64
#define __hip_atomic_fetch_and __hip_atomic_fetch_and_has_no_scope_for_nvptx64
#define __hip_atomic_fetch_or __hip_atomic_fetch_or_has_no_scope_for_nvptx64
#define __hip_atomic_fetch_xor __hip_atomic_fetch_xor_has_no_scope_for_nvptx64
#define __hip_atomic_fetch_min __hip_atomic_fetch_min_has_no_scope_for_nvptx64
#define __hip_atomic_fetch_max __hip_atomic_fetch_max_has_no_scope_for_nvptx64
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
