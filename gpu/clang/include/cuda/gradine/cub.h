// The primitives of CUB, as far as other threads see what they do: accesses, where threads meet, and any numbers as results.
// A kernel that calls one without a body is refused.
#pragma once
#include "gradine.h"
#include "gradine/any.h"
namespace cub {
struct Sum { template <typename __T> __host__ __device__ __T operator()(const __T &a, const __T &b) const { return a + b; } };
struct Max { template <typename __T> __host__ __device__ __T operator()(const __T &a, const __T &b) const { return b > a ? b : a; } };
struct Min { template <typename __T> __host__ __device__ __T operator()(const __T &a, const __T &b) const { return b < a ? b : a; } };
struct Equality { template <typename __T> __host__ __device__ bool operator()(const __T &a, const __T &b) const { return a == b; } };
struct Inequality { template <typename __T> __host__ __device__ bool operator()(const __T &a, const __T &b) const { return a != b; } };
struct NullType {};
template <typename __K, typename __V> struct KeyValuePair { __K key; __V value; KeyValuePair() = default; __host__ __device__ KeyValuePair(__K k, __V v) : key(k), value(v) {} };
struct ArgMax { template <typename __T> __host__ __device__ __T operator()(const __T &a, const __T &b) const { return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
struct ArgMin { template <typename __T> __host__ __device__ __T operator()(const __T &a, const __T &b) const { return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
}
namespace gradine {
template <> struct pure<cub::Sum> { static constexpr bool value = true; };
template <> struct pure<cub::Max> { static constexpr bool value = true; };
template <> struct pure<cub::Min> { static constexpr bool value = true; };
}
namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier __M, typename __T> __device__ __T ThreadLoad(__T *p) { return *p; }
template <CacheStoreModifier __M, typename __T> __device__ void ThreadStore(__T *p, __T v) { *p = v; }
__device__ inline unsigned LaneId() { return gradine::ofWarp<unsigned>() & 31; }
__device__ inline unsigned WarpId() { return gradine::ofWarp<unsigned>() & 31; }
template <typename __T> __device__ __T ShuffleIndex(__T, int, int = 32, unsigned = 0xffffffff) { return gradine::ofWarp<__T>(); }
template <int __N, typename __T> __device__ __T ShuffleIndex(__T, int, unsigned) { return gradine::ofWarp<__T>(); }
template <int __N, typename __T> __device__ __T ShuffleUp(__T, int, int, unsigned) { return gradine::ofWarp<__T>(); }
template <int __N, typename __T> __device__ __T ShuffleDown(__T, int, int, unsigned) { return gradine::ofWarp<__T>(); }

// What a primitive does to its temporary storage, of which other threads may be seen: all threads write to it, meet, and
// read it. Only a barrier of the kernel makes it free again. The values that come out are any. The storage is at least as large
// as that of CUB. It is for a block of one shape: in another one threads share their part of it, or have none, so that fails.
extern "C" __device__ void __gradine_scratch_write(void *, unsigned long long);
extern "C" __device__ void __gradine_scratch_meet();
extern "C" __device__ void __gradine_scratch_read(const void *, unsigned long long);
namespace details {
using gradine::any;
template <unsigned __B, int __X, int __Y, int __Z> struct Scratch { alignas(16) unsigned char reserved[__B]; };
template <unsigned __B, int __X, int __Y, int __Z> __device__ void together(Scratch<__B, __X, __Y, __Z> *s) {
  if (blockDim.x != __X || blockDim.y != __Y || blockDim.z != __Z) __assertfail("the block has the shape of the primitive", "cub", 0, "", sizeof(char));
  __gradine_scratch_write(s, __B);
  __gradine_scratch_meet();
  __gradine_scratch_read(s, __B);
}
template <int __N, typename __T> __device__ void forget(__T (&v)[__N]) { for (int k = 0; k < __N; ++k) v[k] = any<__T>(); }
template <typename __T> __device__ void forget(__T &v) { v = any<__T>(); }
template <int __X, int __Y, int __Z> __device__ int rank() {
  if constexpr (__Y == 1 && __Z == 1) return threadIdx.x;
  else return (threadIdx.z * __Y + threadIdx.y) * __X + threadIdx.x;
}
// Where item k of a thread is in memory, if an algorithm of loads and stores puts it there.
template <int __B, int __N, int __A> __device__ int place(int rank, int k) {
  if constexpr (__A == 0 || __A == 2) return rank * __N + k;
  else if constexpr (__A >= 4) return (rank / 32) * 32 * __N + rank % 32 + k * 32;
  else return rank + k * __B;
}
}
#define GRADINE_CUB_SCRATCH(__C, ...)                                                       \
public:                                                                                     \
  typedef details::Scratch<(__VA_ARGS__), __X, __Y, __Z> TempStorage;                       \
  __device__ __C(TempStorage &t) : temp(&t) {}                                              \
  __device__ __C() { __shared__ TempStorage own; temp = &own; }                             \
private:                                                                                    \
  TempStorage *temp;                                                                        \
public:
#define GRADINE_CUB_WARP(__C)                                                               \
public:                                                                                     \
  static_assert((__N & (__N - 1)) == 0, "a part of a warp that is no power of two is not supported"); \
  struct TempStorage {};                                                                    \
  __device__ __C(TempStorage &) {}                                                          \
  __device__ __C() {}
// A primitive without meaning: it has no body, so that kernels which call it are refused.
#define GRADINE_CUB_OPAQUE(__C)                             \
public:                                                     \
  struct TempStorage { unsigned long long reserved[144]; }; \
  __device__ __C(TempStorage &);                            \
  __device__ __C();
#define GRADINE_CUB(...) template <__VA_ARGS__> __device__
template <typename __T, int __X, BlockReduceAlgorithm __A = BLOCK_REDUCE_WARP_REDUCTIONS, int __Y = 1, int __Z = 1, int __P = 0>
class BlockReduce {
  GRADINE_CUB_SCRATCH(BlockReduce, sizeof(__T) * (__X * __Y * __Z + 64) + 64)
  GRADINE_CUB(typename __F) __T Reduce(__T, __F op) { details::together(temp); gradine::applied<__T>(op); return details::any<__T>(); }
  GRADINE_CUB(typename __F) __T Reduce(__T v, __F op, int) { return Reduce(v, op); }
  GRADINE_CUB(int __N, typename __F) __T Reduce(__T (&v)[__N], __F op) { return Reduce(v[0], op); }
  __device__ __T Sum(__T v) { return Reduce(v, cub::Sum()); }
  __device__ __T Sum(__T v, int) { return Reduce(v, cub::Sum()); }
  GRADINE_CUB(int __N) __T Sum(__T (&v)[__N]) { return Reduce(v[0], cub::Sum()); }
};
template <typename __T, int __N = 32, int __P = 0> class WarpReduce {
  GRADINE_CUB_WARP(WarpReduce)
  GRADINE_CUB(typename __F) __T Reduce(__T, __F op) { gradine::applied<__T>(op); return gradine::ofWarp<__T>(); }
  GRADINE_CUB(typename __F) __T Reduce(__T v, __F op, int) { return Reduce(v, op); }
  __device__ __T Sum(__T v) { return Reduce(v, cub::Sum()); }
  __device__ __T Sum(__T v, int) { return Reduce(v, cub::Sum()); }
  GRADINE_CUB(typename __B) __T HeadSegmentedSum(__T v, __B) { return Reduce(v, cub::Sum()); }
  GRADINE_CUB(typename __B) __T TailSegmentedSum(__T v, __B) { return Reduce(v, cub::Sum()); }
  GRADINE_CUB(typename __B, typename __F) __T HeadSegmentedReduce(__T v, __B, __F op) { return Reduce(v, op); }
  GRADINE_CUB(typename __B, typename __F) __T TailSegmentedReduce(__T v, __B, __F op) { return Reduce(v, op); }
};
// Prefix sums: what comes out is in the second argument, and the total may be in the last one.
#define GRADINE_CUB_SCANS                                                                                              \
  __device__ void InclusiveSum(__T, __T &out) { scanned(cub::Sum()); details::forget(out); }                           \
  __device__ void ExclusiveSum(__T, __T &out) { scanned(cub::Sum()); details::forget(out); }                           \
  __device__ void InclusiveSum(__T, __T &out, __T &all) { scanned(cub::Sum()); details::forget(out); details::forget(all); } \
  __device__ void ExclusiveSum(__T, __T &out, __T &all) { scanned(cub::Sum()); details::forget(out); details::forget(all); } \
  GRADINE_CUB(int __M) void InclusiveSum(__T (&)[__M], __T (&out)[__M]) { scanned(cub::Sum()); details::forget(out); } \
  GRADINE_CUB(int __M) void ExclusiveSum(__T (&)[__M], __T (&out)[__M]) { scanned(cub::Sum()); details::forget(out); } \
  GRADINE_CUB(int __M) void InclusiveSum(__T (&)[__M], __T (&out)[__M], __T &all) { scanned(cub::Sum()); details::forget(out); details::forget(all); } \
  GRADINE_CUB(int __M) void ExclusiveSum(__T (&)[__M], __T (&out)[__M], __T &all) { scanned(cub::Sum()); details::forget(out); details::forget(all); } \
  GRADINE_CUB(typename __F) void InclusiveScan(__T, __T &out, __F op) { scanned(op); details::forget(out); }           \
  GRADINE_CUB(typename __F) void InclusiveScan(__T, __T &out, __F op, __T &all) { scanned(op); details::forget(out); details::forget(all); } \
  GRADINE_CUB(int __M, typename __F) void InclusiveScan(__T (&)[__M], __T (&out)[__M], __F op) { scanned(op); details::forget(out); } \
  GRADINE_CUB(int __M, typename __F) void InclusiveScan(__T (&)[__M], __T (&out)[__M], __F op, __T &all) { scanned(op); details::forget(out); details::forget(all); } \
  GRADINE_CUB(typename __F) void ExclusiveScan(__T, __T &out, __F op) { scanned(op); details::forget(out); }           \
  GRADINE_CUB(typename __F) void ExclusiveScan(__T, __T &out, __T, __F op) { scanned(op); details::forget(out); }      \
  GRADINE_CUB(typename __F) void ExclusiveScan(__T, __T &out, __T, __F op, __T &all) { scanned(op); details::forget(out); details::forget(all); } \
  GRADINE_CUB(int __M, typename __F) void ExclusiveScan(__T (&)[__M], __T (&out)[__M], __T, __F op) { scanned(op); details::forget(out); } \
  GRADINE_CUB(int __M, typename __F) void ExclusiveScan(__T (&)[__M], __T (&out)[__M], __T, __F op, __T &all) { scanned(op); details::forget(out); details::forget(all); }
template <typename __T, int __X, BlockScanAlgorithm __A = BLOCK_SCAN_RAKING, int __Y = 1, int __Z = 1, int __P = 0> class BlockScan {
  GRADINE_CUB_SCRATCH(BlockScan, sizeof(__T) * (__X * __Y * __Z + 64))
  GRADINE_CUB(typename __F) void scanned(__F op) { details::together(temp); gradine::applied<__T>(op); }
  GRADINE_CUB_SCANS
};
template <typename __T, int __N = 32, int __P = 0> class WarpScan {
  GRADINE_CUB_WARP(WarpScan)
  GRADINE_CUB(typename __F) void scanned(__F op) { gradine::applied<__T>(op); gradine::ofWarp<int>(); }
  GRADINE_CUB_SCANS
  __device__ __T Broadcast(__T, unsigned) { return gradine::ofWarp<__T>(); }
};
template <typename __T, int __X, int __N, BlockLoadAlgorithm __A = BLOCK_LOAD_DIRECT, int __Y = 1, int __Z = 1, int __P = 0> class BlockLoad {
  GRADINE_CUB_SCRATCH(BlockLoad, sizeof(__T) * (__X * __Y * __Z * __N * 33 / 32 + 1) + 16)
  GRADINE_CUB(typename __I) void Load(__I from, __T (&items)[__N]) {
    for (int k = 0; k < __N; ++k) items[k] = from[at(k)];
    if constexpr (__A >= BLOCK_LOAD_TRANSPOSE) { details::together(temp); details::forget(items); }
  }
  GRADINE_CUB(typename __I) void Load(__I from, __T (&items)[__N], int valid) {
    for (int k = 0; k < __N; ++k) if (at(k) < valid) items[k] = from[at(k)];
    if constexpr (__A >= BLOCK_LOAD_TRANSPOSE) { details::together(temp); details::forget(items); }
  }
  GRADINE_CUB(typename __I, typename __D) void Load(__I from, __T (&items)[__N], int valid, __D other) {
    for (int k = 0; k < __N; ++k) items[k] = other;
    Load(from, items, valid);
  }
private:
  __device__ int at(int k) { return details::place<__X * __Y * __Z, __N, __A>(details::rank<__X, __Y, __Z>(), k); }
};
template <typename __T, int __X, int __N, BlockStoreAlgorithm __A = BLOCK_STORE_DIRECT, int __Y = 1, int __Z = 1, int __P = 0> class BlockStore {
  GRADINE_CUB_SCRATCH(BlockStore, sizeof(__T) * (__X * __Y * __Z * __N * 33 / 32 + 1) + 16)
  GRADINE_CUB(typename __O) void Store(__O to, __T (&items)[__N]) {
    if constexpr (__A >= BLOCK_STORE_TRANSPOSE) details::together(temp);
    for (int k = 0; k < __N; ++k) to[at(k)] = value(items[k]);
  }
  GRADINE_CUB(typename __O) void Store(__O to, __T (&items)[__N], int valid) {
    if constexpr (__A >= BLOCK_STORE_TRANSPOSE) details::together(temp);
    for (int k = 0; k < __N; ++k) if (at(k) < valid) to[at(k)] = value(items[k]);
  }
private:
  __device__ __T value(__T v) { if constexpr (__A >= BLOCK_STORE_TRANSPOSE) return details::any<__T>(); else return v; }
  __device__ int at(int k) { return details::place<__X * __Y * __Z, __N, __A>(details::rank<__X, __Y, __Z>(), k); }
};
template <typename __T, int __N, int __L = 32, int __A = 0, int __P = 0> class WarpLoad { GRADINE_CUB_OPAQUE(WarpLoad) GRADINE_CUB(typename... __B) void Load(__B &&...); };
template <typename __T, int __N, int __L = 32, int __A = 0, int __P = 0> class WarpStore { GRADINE_CUB_OPAQUE(WarpStore) GRADINE_CUB(typename... __B) void Store(__B &&...); };
#define GRADINE_CUB_SORT(__S)                                                                                          \
  __device__ void __S(__K (&keys)[__N], int = 0, int = 8 * sizeof(__K)) { details::together(temp); details::forget(keys); } \
  __device__ void __S(__K (&keys)[__N], __V (&values)[__N], int = 0, int = 8 * sizeof(__K)) { details::together(temp); details::forget(keys); details::forget(values); }
template <typename __K, int __X, int __N, typename __V = NullType, int __R = 4, bool __M = true, BlockScanAlgorithm __A = BLOCK_SCAN_WARP_SCANS, int __S = 0, int __Y = 1, int __Z = 1, int __P = 0> class BlockRadixSort {
  GRADINE_CUB_SCRATCH(BlockRadixSort, ((sizeof(__K) + sizeof(__V)) * __N * 33 / 32 + (2 << __R) + 16) * __X * __Y * __Z + 512)
  GRADINE_CUB_SORT(Sort)
  GRADINE_CUB_SORT(SortDescending)
  GRADINE_CUB_SORT(SortBlockedToStriped)
  GRADINE_CUB_SORT(SortDescendingBlockedToStriped)
};
#define GRADINE_CUB_MERGE(__S)                                                                                         \
  GRADINE_CUB(typename __F) void __S(__K (&keys)[__N], __F less) { details::together(temp); gradine::applied<__K>(less); details::forget(keys); } \
  GRADINE_CUB(typename __F) void __S(__K (&keys)[__N], __F less, int, __K) { __S(keys, less); }                        \
  GRADINE_CUB(typename __F) void __S(__K (&keys)[__N], __V (&values)[__N], __F less) { __S(keys, less); details::forget(values); } \
  GRADINE_CUB(typename __F) void __S(__K (&keys)[__N], __V (&values)[__N], __F less, int, __K) { __S(keys, less); details::forget(values); }
template <typename __K, int __X, int __N, typename __V = NullType, int __Y = 1, int __Z = 1> class BlockMergeSort {
  GRADINE_CUB_SCRATCH(BlockMergeSort, (sizeof(__K) + sizeof(__V)) * (__X * __Y * __Z * __N + 1))
  GRADINE_CUB_MERGE(Sort)
  GRADINE_CUB_MERGE(StableSort)
};
template <typename __K, int __N, int __L = 32, typename __V = NullType, int __P = 1> class WarpMergeSort { GRADINE_CUB_OPAQUE(WarpMergeSort) GRADINE_CUB(typename... __B) void Sort(__B &&...); GRADINE_CUB(typename... __B) void StableSort(__B &&...); };
template <typename __T, int __X, int __N, int __B, BlockHistogramAlgorithm __A = BLOCK_HISTO_SORT, int __Y = 1, int __Z = 1, int __P = 0> class BlockHistogram { GRADINE_CUB_OPAQUE(BlockHistogram) GRADINE_CUB(typename... __C) void InitHistogram(__C &&...); GRADINE_CUB(typename... __C) void Histogram(__C &&...); GRADINE_CUB(typename... __C) void Composite(__C &&...); };
#define GRADINE_CUB_EXCHANGE(__S)                                                                                      \
  __device__ void __S(__T (&items)[__N]) { details::together(temp); details::forget(items); }                          \
  GRADINE_CUB(typename __O) void __S(__T (&)[__N], __O (&out)[__N]) { details::together(temp); details::forget(out); }
#define GRADINE_CUB_SCATTER(__S)                                                                                       \
  GRADINE_CUB(typename __R) void __S(__T (&items)[__N], __R (&)[__N]) { details::together(temp); details::forget(items); }
template <typename __T, int __X, int __N, bool __W = false, int __Y = 1, int __Z = 1, int __P = 0> class BlockExchange {
  GRADINE_CUB_SCRATCH(BlockExchange, sizeof(__T) * (__X * __Y * __Z * __N * 33 / 32 + 1) + 16)
  GRADINE_CUB_EXCHANGE(StripedToBlocked)
  GRADINE_CUB_EXCHANGE(BlockedToStriped)
  GRADINE_CUB_SCATTER(ScatterToStriped)
  GRADINE_CUB_SCATTER(ScatterToBlocked)
};
template <typename __T, int __X, int __Y = 1, int __Z = 1, int __P = 0> class BlockDiscontinuity {
  GRADINE_CUB_SCRATCH(BlockDiscontinuity, sizeof(__T) * __X * __Y * __Z * 2)
  GRADINE_CUB(int __N, typename __O, typename __F) void FlagHeads(__O (&flags)[__N], __T (&)[__N], __F op) { details::together(temp); gradine::applied<__T>(op); details::forget(flags); }
  GRADINE_CUB(int __N, typename __O, typename __F) void FlagTails(__O (&flags)[__N], __T (&)[__N], __F op) { details::together(temp); gradine::applied<__T>(op); details::forget(flags); }
};
template <typename __T, int __X, int __Y = 1, int __Z = 1, int __P = 0> class BlockShuffle {
  GRADINE_CUB_SCRATCH(BlockShuffle, sizeof(__T) * __X * __Y * __Z * 2)
  __device__ void Offset(__T, __T &out, int = 1) { details::together(temp); details::forget(out); }
  __device__ void Rotate(__T, __T &out, unsigned = 1) { details::together(temp); details::forget(out); }
  GRADINE_CUB(int __N) void Up(__T (&)[__N], __T (&out)[__N]) { details::together(temp); details::forget(out); }
  GRADINE_CUB(int __N) void Down(__T (&)[__N], __T (&out)[__N]) { details::together(temp); details::forget(out); }
};
#undef GRADINE_CUB
#undef GRADINE_CUB_SCRATCH
#undef GRADINE_CUB_WARP
#undef GRADINE_CUB_OPAQUE
#undef GRADINE_CUB_SCANS
#undef GRADINE_CUB_SORT
#undef GRADINE_CUB_MERGE
#undef GRADINE_CUB_EXCHANGE
#undef GRADINE_CUB_SCATTER
template <int __N, typename... __A> __device__ void LoadDirectBlocked(__A &&...);
template <typename... __A> __device__ void LoadDirectStriped(__A &&...);
template <typename... __A> __device__ void StoreDirectBlocked(__A &&...);
template <typename __T> struct DoubleBuffer { __T *d_buffers[2]; int selector; DoubleBuffer(__T *a = 0, __T *b = 0); __T *Current(); __T *Alternate(); };
template <typename __V, typename __O = ptrdiff_t> struct CountingInputIterator { __V v; __host__ __device__ CountingInputIterator(__V v) : v(v) {} };
template <typename __V, typename __F, typename __I, typename __O = ptrdiff_t> struct TransformInputIterator { __I i; __F f; __host__ __device__ TransformInputIterator(__I i, __F f) : i(i), f(f) {} };
// Algorithms of the whole device are called by the host.
#define GRADINE_CUB_DEVICE(__C, ...) struct __C { __VA_ARGS__ };
#define GRADINE_CUB_HOST(__F) template <typename... __A> static cudaError_t __F(__A &&...);
GRADINE_CUB_DEVICE(DeviceReduce, GRADINE_CUB_HOST(Reduce) GRADINE_CUB_HOST(Sum) GRADINE_CUB_HOST(Min) GRADINE_CUB_HOST(Max) GRADINE_CUB_HOST(ArgMin) GRADINE_CUB_HOST(ArgMax) GRADINE_CUB_HOST(ReduceByKey) GRADINE_CUB_HOST(TransformReduce))
GRADINE_CUB_DEVICE(DeviceScan, GRADINE_CUB_HOST(ExclusiveSum) GRADINE_CUB_HOST(InclusiveSum) GRADINE_CUB_HOST(ExclusiveScan) GRADINE_CUB_HOST(InclusiveScan) GRADINE_CUB_HOST(ExclusiveSumByKey) GRADINE_CUB_HOST(InclusiveSumByKey))
GRADINE_CUB_DEVICE(DeviceRadixSort, GRADINE_CUB_HOST(SortPairs) GRADINE_CUB_HOST(SortPairsDescending) GRADINE_CUB_HOST(SortKeys) GRADINE_CUB_HOST(SortKeysDescending))
GRADINE_CUB_DEVICE(DeviceMergeSort, GRADINE_CUB_HOST(SortPairs) GRADINE_CUB_HOST(SortKeys) GRADINE_CUB_HOST(StableSortPairs) GRADINE_CUB_HOST(StableSortKeys))
GRADINE_CUB_DEVICE(DeviceSegmentedReduce, GRADINE_CUB_HOST(Reduce) GRADINE_CUB_HOST(Sum) GRADINE_CUB_HOST(Min) GRADINE_CUB_HOST(Max) GRADINE_CUB_HOST(ArgMin) GRADINE_CUB_HOST(ArgMax))
GRADINE_CUB_DEVICE(DeviceSegmentedRadixSort, GRADINE_CUB_HOST(SortPairs) GRADINE_CUB_HOST(SortPairsDescending) GRADINE_CUB_HOST(SortKeys) GRADINE_CUB_HOST(SortKeysDescending))
GRADINE_CUB_DEVICE(DeviceSegmentedSort, GRADINE_CUB_HOST(SortPairs) GRADINE_CUB_HOST(SortPairsDescending) GRADINE_CUB_HOST(SortKeys) GRADINE_CUB_HOST(StableSortPairs) GRADINE_CUB_HOST(StableSortPairsDescending) GRADINE_CUB_HOST(StableSortKeys))
GRADINE_CUB_DEVICE(DeviceSelect, GRADINE_CUB_HOST(Flagged) GRADINE_CUB_HOST(If) GRADINE_CUB_HOST(Unique) GRADINE_CUB_HOST(UniqueByKey))
GRADINE_CUB_DEVICE(DevicePartition, GRADINE_CUB_HOST(Flagged) GRADINE_CUB_HOST(If))
GRADINE_CUB_DEVICE(DeviceHistogram, GRADINE_CUB_HOST(HistogramEven) GRADINE_CUB_HOST(HistogramRange) GRADINE_CUB_HOST(MultiHistogramEven) GRADINE_CUB_HOST(MultiHistogramRange))
GRADINE_CUB_DEVICE(DeviceRunLengthEncode, GRADINE_CUB_HOST(Encode) GRADINE_CUB_HOST(NonTrivialRuns))
GRADINE_CUB_DEVICE(DeviceTopK, GRADINE_CUB_HOST(MaxPairs) GRADINE_CUB_HOST(MaxKeys) GRADINE_CUB_HOST(MinPairs) GRADINE_CUB_HOST(MinKeys))
GRADINE_CUB_DEVICE(DeviceSpmv, GRADINE_CUB_HOST(CsrMV))
GRADINE_CUB_DEVICE(DeviceFor, GRADINE_CUB_HOST(Bulk) GRADINE_CUB_HOST(ForEach) GRADINE_CUB_HOST(ForEachN))
#undef GRADINE_CUB_DEVICE
#undef GRADINE_CUB_HOST
}
