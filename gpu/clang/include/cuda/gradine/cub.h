// The primitives of CUB: declared, and without a body. What a block or warp does there
// is said nowhere in C++; a kernel that calls one is refused unless the reader of the
// IR knows it.
#pragma once
#include "gradine.h"
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
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier __M, typename __T> __device__ __T ThreadLoad(__T *);
template <CacheStoreModifier __M, typename __T> __device__ void ThreadStore(__T *, __T);
__device__ unsigned LaneId();
__device__ unsigned WarpId();
template <typename __T> __device__ __T ShuffleIndex(__T, int, int = 32, unsigned = 0xffffffff);
template <int __N, typename __T> __device__ __T ShuffleIndex(__T, int, unsigned);
template <int __N, typename __T> __device__ __T ShuffleUp(__T, int, int, unsigned);
template <int __N, typename __T> __device__ __T ShuffleDown(__T, int, int, unsigned);

#define GRADINE_CUB_STATE(__C)                                        \
public:                                                     \
  struct TempStorage { unsigned long long reserved[144]; }; \
  __device__ __C(TempStorage &);                              \
  __device__ __C();
#define GRADINE_CUB(...) template <__VA_ARGS__> __device__
template <typename __T, int __X, BlockReduceAlgorithm __A = BLOCK_REDUCE_WARP_REDUCTIONS, int __Y = 1, int __Z = 1, int __P = 0>
class BlockReduce {
  GRADINE_CUB_STATE(BlockReduce)
  GRADINE_CUB(typename __F) __T Reduce(__T, __F);
  GRADINE_CUB(typename __F) __T Reduce(__T, __F, int);
  GRADINE_CUB(int __N, typename __F) __T Reduce(__T (&)[__N], __F);
  __device__ __T Sum(__T);
  __device__ __T Sum(__T, int);
  GRADINE_CUB(int __N) __T Sum(__T (&)[__N]);
};
template <typename __T, int __N = 32, int __P = 0> class WarpReduce {
  GRADINE_CUB_STATE(WarpReduce)
  GRADINE_CUB(typename __F) __T Reduce(__T, __F);
  GRADINE_CUB(typename __F) __T Reduce(__T, __F, int);
  __device__ __T Sum(__T);
  __device__ __T Sum(__T, int);
  GRADINE_CUB(typename __B) __T HeadSegmentedSum(__T, __B);
  GRADINE_CUB(typename __B) __T TailSegmentedSum(__T, __B);
  GRADINE_CUB(typename __B, typename __F) __T HeadSegmentedReduce(__T, __B, __F);
  GRADINE_CUB(typename __B, typename __F) __T TailSegmentedReduce(__T, __B, __F);
};
#define GRADINE_CUB_SCANS                                             \
  GRADINE_CUB(typename... __G) void InclusiveSum(__G &&...);              \
  GRADINE_CUB(typename... __G) void ExclusiveSum(__G &&...);              \
  GRADINE_CUB(typename... __G) void InclusiveScan(__G &&...);             \
  GRADINE_CUB(typename... __G) void ExclusiveScan(__G &&...);             \
  GRADINE_CUB(typename... __G) void Sum(__G &&...);                       \
  GRADINE_CUB(typename... __G) void Scan(__G &&...);                      \
  GRADINE_CUB(typename __V) __V Broadcast(__V, unsigned);
template <typename __T, int __X, BlockScanAlgorithm __A = BLOCK_SCAN_RAKING, int __Y = 1, int __Z = 1, int __P = 0> class BlockScan { GRADINE_CUB_STATE(BlockScan) GRADINE_CUB_SCANS };
template <typename __T, int __N = 32, int __P = 0> class WarpScan { GRADINE_CUB_STATE(WarpScan) GRADINE_CUB_SCANS };
template <typename __T, int __X, int __N, BlockLoadAlgorithm __A = BLOCK_LOAD_DIRECT, int __Y = 1, int __Z = 1, int __P = 0> class BlockLoad { GRADINE_CUB_STATE(BlockLoad) GRADINE_CUB(typename... __B) void Load(__B &&...); };
template <typename __T, int __X, int __N, BlockStoreAlgorithm __A = BLOCK_STORE_DIRECT, int __Y = 1, int __Z = 1, int __P = 0> class BlockStore { GRADINE_CUB_STATE(BlockStore) GRADINE_CUB(typename... __B) void Store(__B &&...); };
template <typename __T, int __N, int __L = 32, int __A = 0, int __P = 0> class WarpLoad { GRADINE_CUB_STATE(WarpLoad) GRADINE_CUB(typename... __B) void Load(__B &&...); };
template <typename __T, int __N, int __L = 32, int __A = 0, int __P = 0> class WarpStore { GRADINE_CUB_STATE(WarpStore) GRADINE_CUB(typename... __B) void Store(__B &&...); };
#define GRADINE_CUB_SORTS                                                          \
  GRADINE_CUB(typename... __B) void Sort(__B &&...);                                   \
  GRADINE_CUB(typename... __B) void SortDescending(__B &&...);                         \
  GRADINE_CUB(typename... __B) void SortBlockedToStriped(__B &&...);                   \
  GRADINE_CUB(typename... __B) void SortDescendingBlockedToStriped(__B &&...);
template <typename __K, int __X, int __N, typename __V = NullType, int __R = 4, bool __M = true, BlockScanAlgorithm __A = BLOCK_SCAN_WARP_SCANS, int __S = 0, int __Y = 1, int __Z = 1, int __P = 0> class BlockRadixSort { GRADINE_CUB_STATE(BlockRadixSort) GRADINE_CUB_SORTS };
template <typename __K, int __X, int __N, typename __V = NullType, int __Y = 1, int __Z = 1> class BlockMergeSort { GRADINE_CUB_STATE(BlockMergeSort) GRADINE_CUB(typename... __B) void Sort(__B &&...); GRADINE_CUB(typename... __B) void StableSort(__B &&...); };
template <typename __K, int __N, int __L = 32, typename __V = NullType, int __P = 1> class WarpMergeSort { GRADINE_CUB_STATE(WarpMergeSort) GRADINE_CUB(typename... __B) void Sort(__B &&...); GRADINE_CUB(typename... __B) void StableSort(__B &&...); };
template <typename __T, int __X, int __N, int __B, BlockHistogramAlgorithm __A = BLOCK_HISTO_SORT, int __Y = 1, int __Z = 1, int __P = 0> class BlockHistogram { GRADINE_CUB_STATE(BlockHistogram) GRADINE_CUB(typename... __C) void InitHistogram(__C &&...); GRADINE_CUB(typename... __C) void Histogram(__C &&...); GRADINE_CUB(typename... __C) void Composite(__C &&...); };
template <typename __T, int __X, int __N, bool __W = false, int __Y = 1, int __Z = 1, int __P = 0> class BlockExchange { GRADINE_CUB_STATE(BlockExchange) GRADINE_CUB(typename... __B) void StripedToBlocked(__B &&...); GRADINE_CUB(typename... __B) void BlockedToStriped(__B &&...); GRADINE_CUB(typename... __B) void ScatterToStriped(__B &&...); GRADINE_CUB(typename... __B) void ScatterToBlocked(__B &&...); };
template <typename __T, int __X, int __Y = 1, int __Z = 1, int __P = 0> class BlockDiscontinuity { GRADINE_CUB_STATE(BlockDiscontinuity) GRADINE_CUB(typename... __B) void FlagHeads(__B &&...); GRADINE_CUB(typename... __B) void FlagTails(__B &&...); };
template <typename __T, int __X, int __Y = 1, int __Z = 1, int __P = 0> class BlockShuffle { GRADINE_CUB_STATE(BlockShuffle) GRADINE_CUB(typename... __B) void Up(__B &&...); GRADINE_CUB(typename... __B) void Down(__B &&...); GRADINE_CUB(typename... __B) void Offset(__B &&...); };
#undef GRADINE_CUB
#undef GRADINE_CUB_STATE
#undef GRADINE_CUB_SCANS
#undef GRADINE_CUB_SORTS
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
