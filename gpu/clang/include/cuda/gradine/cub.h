// The primitives of CUB: declared, and without a body. What a block or warp does there
// is said nowhere in C++; a kernel that calls one is refused unless the reader of the
// IR knows it.
#pragma once
#include "gradine.h"
namespace cub {
struct Sum { template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; } };
struct Max { template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return b > a ? b : a; } };
struct Min { template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
struct Equality { template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; } };
struct Inequality { template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a != b; } };
struct NullType {};
template <typename K, typename V> struct KeyValuePair { K key; V value; KeyValuePair() = default; __host__ __device__ KeyValuePair(K k, V v) : key(k), value(v) {} };
struct ArgMax { template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
struct ArgMin { template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const { return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, typename T> __device__ T ThreadLoad(T *);
template <CacheStoreModifier M, typename T> __device__ void ThreadStore(T *, T);
__device__ unsigned LaneId();
__device__ unsigned WarpId();
template <typename T> __device__ T ShuffleIndex(T, int, int = 32, unsigned = 0xffffffff);
template <int N, typename T> __device__ T ShuffleIndex(T, int, unsigned);
template <int N, typename T> __device__ T ShuffleUp(T, int, int, unsigned);
template <int N, typename T> __device__ T ShuffleDown(T, int, int, unsigned);

#define CUB_STATE(C)                                        \
public:                                                     \
  struct TempStorage { unsigned long long reserved[144]; }; \
  __device__ C(TempStorage &);                              \
  __device__ C();
#define CUB(...) template <__VA_ARGS__> __device__
template <typename T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int P = 0>
class BlockReduce {
  CUB_STATE(BlockReduce)
  CUB(typename F) T Reduce(T, F);
  CUB(typename F) T Reduce(T, F, int);
  CUB(int N, typename F) T Reduce(T (&)[N], F);
  __device__ T Sum(T);
  __device__ T Sum(T, int);
  CUB(int N) T Sum(T (&)[N]);
};
template <typename T, int N = 32, int P = 0> class WarpReduce {
  CUB_STATE(WarpReduce)
  CUB(typename F) T Reduce(T, F);
  CUB(typename F) T Reduce(T, F, int);
  __device__ T Sum(T);
  __device__ T Sum(T, int);
  CUB(typename B) T HeadSegmentedSum(T, B);
  CUB(typename B) T TailSegmentedSum(T, B);
  CUB(typename B, typename F) T HeadSegmentedReduce(T, B, F);
  CUB(typename B, typename F) T TailSegmentedReduce(T, B, F);
};
#define CUB_SCANS                                             \
  CUB(typename... G) void InclusiveSum(G &&...);              \
  CUB(typename... G) void ExclusiveSum(G &&...);              \
  CUB(typename... G) void InclusiveScan(G &&...);             \
  CUB(typename... G) void ExclusiveScan(G &&...);             \
  CUB(typename... G) void Sum(G &&...);                       \
  CUB(typename... G) void Scan(G &&...);                      \
  CUB(typename V) V Broadcast(V, unsigned);
template <typename T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int P = 0> class BlockScan { CUB_STATE(BlockScan) CUB_SCANS };
template <typename T, int N = 32, int P = 0> class WarpScan { CUB_STATE(WarpScan) CUB_SCANS };
template <typename T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int P = 0> class BlockLoad { CUB_STATE(BlockLoad) CUB(typename... B) void Load(B &&...); };
template <typename T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int P = 0> class BlockStore { CUB_STATE(BlockStore) CUB(typename... B) void Store(B &&...); };
template <typename T, int N, int L = 32, int A = 0, int P = 0> class WarpLoad { CUB_STATE(WarpLoad) CUB(typename... B) void Load(B &&...); };
template <typename T, int N, int L = 32, int A = 0, int P = 0> class WarpStore { CUB_STATE(WarpStore) CUB(typename... B) void Store(B &&...); };
#define CUB_SORTS                                                          \
  CUB(typename... B) void Sort(B &&...);                                   \
  CUB(typename... B) void SortDescending(B &&...);                         \
  CUB(typename... B) void SortBlockedToStriped(B &&...);                   \
  CUB(typename... B) void SortDescendingBlockedToStriped(B &&...);
template <typename K, int X, int N, typename V = NullType, int R = 4, bool M = true, BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS, int S = 0, int Y = 1, int Z = 1, int P = 0> class BlockRadixSort { CUB_STATE(BlockRadixSort) CUB_SORTS };
template <typename K, int X, int N, typename V = NullType, int Y = 1, int Z = 1> class BlockMergeSort { CUB_STATE(BlockMergeSort) CUB(typename... B) void Sort(B &&...); CUB(typename... B) void StableSort(B &&...); };
template <typename K, int N, int L = 32, typename V = NullType, int P = 1> class WarpMergeSort { CUB_STATE(WarpMergeSort) CUB(typename... B) void Sort(B &&...); CUB(typename... B) void StableSort(B &&...); };
template <typename T, int X, int N, int B, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int P = 0> class BlockHistogram { CUB_STATE(BlockHistogram) CUB(typename... C) void InitHistogram(C &&...); CUB(typename... C) void Histogram(C &&...); CUB(typename... C) void Composite(C &&...); };
template <typename T, int X, int N, bool W = false, int Y = 1, int Z = 1, int P = 0> class BlockExchange { CUB_STATE(BlockExchange) CUB(typename... B) void StripedToBlocked(B &&...); CUB(typename... B) void BlockedToStriped(B &&...); CUB(typename... B) void ScatterToStriped(B &&...); CUB(typename... B) void ScatterToBlocked(B &&...); };
template <typename T, int X, int Y = 1, int Z = 1, int P = 0> class BlockDiscontinuity { CUB_STATE(BlockDiscontinuity) CUB(typename... B) void FlagHeads(B &&...); CUB(typename... B) void FlagTails(B &&...); };
template <typename T, int X, int Y = 1, int Z = 1, int P = 0> class BlockShuffle { CUB_STATE(BlockShuffle) CUB(typename... B) void Up(B &&...); CUB(typename... B) void Down(B &&...); CUB(typename... B) void Offset(B &&...); };
#undef CUB
#undef CUB_STATE
#undef CUB_SCANS
#undef CUB_SORTS
template <int N, typename... A> __device__ void LoadDirectBlocked(A &&...);
template <typename... A> __device__ void LoadDirectStriped(A &&...);
template <typename... A> __device__ void StoreDirectBlocked(A &&...);
template <typename T> struct DoubleBuffer { T *d_buffers[2]; int selector; DoubleBuffer(T *a = 0, T *b = 0); T *Current(); T *Alternate(); };
template <typename V, typename O = ptrdiff_t> struct CountingInputIterator { V v; __host__ __device__ CountingInputIterator(V v) : v(v) {} };
template <typename V, typename F, typename I, typename O = ptrdiff_t> struct TransformInputIterator { I i; F f; __host__ __device__ TransformInputIterator(I i, F f) : i(i), f(f) {} };
// Algorithms of the whole device are called by the host.
#define CUB_DEVICE(C, ...) struct C { __VA_ARGS__ };
#define CUB_HOST(F) template <typename... A> static cudaError_t F(A &&...);
CUB_DEVICE(DeviceReduce, CUB_HOST(Reduce) CUB_HOST(Sum) CUB_HOST(Min) CUB_HOST(Max) CUB_HOST(ArgMin) CUB_HOST(ArgMax) CUB_HOST(ReduceByKey) CUB_HOST(TransformReduce))
CUB_DEVICE(DeviceScan, CUB_HOST(ExclusiveSum) CUB_HOST(InclusiveSum) CUB_HOST(ExclusiveScan) CUB_HOST(InclusiveScan) CUB_HOST(ExclusiveSumByKey) CUB_HOST(InclusiveSumByKey))
CUB_DEVICE(DeviceRadixSort, CUB_HOST(SortPairs) CUB_HOST(SortPairsDescending) CUB_HOST(SortKeys) CUB_HOST(SortKeysDescending))
CUB_DEVICE(DeviceMergeSort, CUB_HOST(SortPairs) CUB_HOST(SortKeys) CUB_HOST(StableSortPairs) CUB_HOST(StableSortKeys))
CUB_DEVICE(DeviceSegmentedReduce, CUB_HOST(Reduce) CUB_HOST(Sum) CUB_HOST(Min) CUB_HOST(Max) CUB_HOST(ArgMin) CUB_HOST(ArgMax))
CUB_DEVICE(DeviceSegmentedRadixSort, CUB_HOST(SortPairs) CUB_HOST(SortPairsDescending) CUB_HOST(SortKeys) CUB_HOST(SortKeysDescending))
CUB_DEVICE(DeviceSegmentedSort, CUB_HOST(SortPairs) CUB_HOST(SortPairsDescending) CUB_HOST(SortKeys) CUB_HOST(StableSortPairs) CUB_HOST(StableSortPairsDescending) CUB_HOST(StableSortKeys))
CUB_DEVICE(DeviceSelect, CUB_HOST(Flagged) CUB_HOST(If) CUB_HOST(Unique) CUB_HOST(UniqueByKey))
CUB_DEVICE(DevicePartition, CUB_HOST(Flagged) CUB_HOST(If))
CUB_DEVICE(DeviceHistogram, CUB_HOST(HistogramEven) CUB_HOST(HistogramRange) CUB_HOST(MultiHistogramEven) CUB_HOST(MultiHistogramRange))
CUB_DEVICE(DeviceRunLengthEncode, CUB_HOST(Encode) CUB_HOST(NonTrivialRuns))
CUB_DEVICE(DeviceTopK, CUB_HOST(MaxPairs) CUB_HOST(MaxKeys) CUB_HOST(MinPairs) CUB_HOST(MinKeys))
CUB_DEVICE(DeviceSpmv, CUB_HOST(CsrMV))
CUB_DEVICE(DeviceFor, CUB_HOST(Bulk) CUB_HOST(ForEach) CUB_HOST(ForEachN))
#undef CUB_DEVICE
#undef CUB_HOST
}
