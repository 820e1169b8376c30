// Cooperative groups. Ranks and sizes are arithmetic on the ids of a thread; a block
// and a tile of a warp meet at the barriers of the language. What has none, such as
// the whole grid, is declared and has no body.
#pragma once
#include "gradine.h"
namespace cooperative_groups {
#define CG __device__ inline
namespace details {
CG unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
CG unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
CG unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
struct multi_warp {};
}
class grid_group;
class multi_grid_group;

class thread_block {
public:
  static CG void sync() { __syncthreads(); }
  static CG unsigned thread_rank() { return details::rank(); }
  static CG unsigned size() { return details::size(); }
  static CG unsigned num_threads() { return details::size(); }
  static CG dim3 group_index() { return blockIdx; }
  static CG dim3 thread_index() { return threadIdx; }
  static CG dim3 group_dim() { return blockDim; }
  static CG dim3 dim_threads() { return blockDim; }
  struct arrival_token {};
  arrival_token __device__ barrier_arrive() const;
  void __device__ barrier_wait(arrival_token &&) const;
};
CG thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
  __device__ bool is_valid() const;
  __device__ void sync() const;
  CG unsigned long long size() const { return (unsigned long long)gridDim.z * gridDim.y * gridDim.x * details::size(); }
  CG unsigned long long num_threads() const { return size(); }
  CG unsigned long long num_blocks() const { return (unsigned long long)gridDim.z * gridDim.y * gridDim.x; }
  CG unsigned long long block_rank() const { return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  CG unsigned long long thread_rank() const { return block_rank() * details::size() + details::rank(); }
  CG dim3 group_dim() const { return gridDim; }
  CG dim3 dim_blocks() const { return gridDim; }
  CG dim3 block_index() const { return blockIdx; }
  struct arrival_token {};
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
};
CG grid_group this_grid() { return grid_group(); }

class multi_grid_group {
public:
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned int grid_rank() const;
  __device__ unsigned int num_grids() const;
};
__device__ multi_grid_group this_multi_grid();

class cluster_group {
public:
  __device__ static void sync();
  struct arrival_token {};
  __device__ static arrival_token barrier_arrive();
  __device__ static void barrier_wait();
  __device__ static void barrier_wait(arrival_token &&);
  __device__ static unsigned block_rank();
  __device__ static unsigned num_blocks();
  __device__ static unsigned thread_rank();
  __device__ static unsigned num_threads();
  __device__ static dim3 block_index();
  __device__ static dim3 dim_blocks();
  template <typename T> __device__ static T *map_shared_rank(T *, int);
};
CG cluster_group this_cluster() { return cluster_group(); }

// Any group of which the type says nothing.
class thread_group {
public:
  __device__ void sync() const;
  __device__ unsigned thread_rank() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ bool is_valid() const;
  __device__ thread_group(const thread_block &);
  thread_group() = default;
};

// A tile of at most a warp: lanes that follow each other.
template <unsigned N, typename P = void>
class thread_block_tile {
  CG static unsigned base() { return details::lane() & ~(N - 1); }
public:
  CG static unsigned gradine_mask() { return N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << base(); }
  CG static void sync() { __syncwarp(gradine_mask()); }
  CG static unsigned thread_rank() { return details::rank() & (N - 1); }
  static __host__ __device__ constexpr unsigned size() { return N; }
  static __host__ __device__ constexpr unsigned num_threads() { return N; }
  CG static unsigned meta_group_size() { return (details::size() + N - 1) / N; }
  CG static unsigned meta_group_rank() { return details::rank() / N; }
  CG static unsigned long long num_tiles() { return meta_group_size(); }
  template <typename T> CG T shfl(T v, int lane) const { return __shfl_sync(gradine_mask(), v, lane, N); }
  template <typename T> CG T shfl_up(T v, unsigned d) const { return __shfl_up_sync(gradine_mask(), v, d, N); }
  template <typename T> CG T shfl_down(T v, unsigned d) const { return __shfl_down_sync(gradine_mask(), v, d, N); }
  template <typename T> CG T shfl_xor(T v, unsigned d) const { return __shfl_xor_sync(gradine_mask(), v, d, N); }
  CG int any(int p) const { return __any_sync(gradine_mask(), p); }
  CG int all(int p) const { return __all_sync(gradine_mask(), p); }
  CG unsigned ballot(int p) const { return (__ballot_sync(gradine_mask(), p) & gradine_mask()) >> (N == 32 ? 0 : base()); }
  template <typename T> CG unsigned match_any(T v) const { return (__match_any_sync(gradine_mask(), v) & gradine_mask()) >> (N == 32 ? 0 : base()); }
  template <typename T> CG unsigned match_all(T v, int &p) const { return (__match_all_sync(gradine_mask(), v, &p) & gradine_mask()) >> (N == 32 ? 0 : base()); }
  __device__ operator thread_group() const;
};
// A tile of several warps meets at a barrier that the language does not have.
#define CG_WIDE(N)                                                  \
  template <typename P> class thread_block_tile<N, P> {             \
  public:                                                           \
    __device__ static void sync();                                  \
    CG static unsigned thread_rank() { return details::rank() & (N - 1); } \
    static constexpr unsigned size() { return N; }                  \
    static constexpr unsigned num_threads() { return N; }           \
    CG static unsigned meta_group_size() { return (details::size() + N - 1) / N; } \
    CG static unsigned meta_group_rank() { return details::rank() / N; } \
    template <typename T> __device__ T shfl(T, int) const;          \
    __device__ int any(int) const;                                  \
    __device__ int all(int) const;                                  \
  };
CG_WIDE(64) CG_WIDE(128) CG_WIDE(256) CG_WIDE(512) CG_WIDE(1024)
#undef CG_WIDE

// The lanes that are here together: nobody knows which.
class coalesced_group {
public:
  __device__ void sync() const;
  __device__ unsigned thread_rank() const;
  __device__ unsigned long long size() const;
  __device__ unsigned num_threads() const;
  __device__ unsigned meta_group_size() const;
  __device__ unsigned meta_group_rank() const;
  template <typename T> __device__ T shfl(T, int) const;
  template <typename T> __device__ T shfl_up(T, int) const;
  template <typename T> __device__ T shfl_down(T, int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned ballot(int) const;
  template <typename T> __device__ unsigned match_any(T) const;
  __device__ operator thread_group() const;
};
__device__ coalesced_group coalesced_threads();
template <typename G> __device__ coalesced_group binary_partition(const G &, bool);
template <typename G> __device__ coalesced_group labeled_partition(const G &, unsigned);

template <unsigned N> struct block_tile_memory { char reserved[(N + 31) / 32 * 8]; };
template <unsigned N> CG thread_block this_thread_block(block_tile_memory<N> &) { return thread_block(); }
template <unsigned N> CG thread_block_tile<N, thread_block> tiled_partition(const thread_block &) { return thread_block_tile<N, thread_block>(); }
template <unsigned N, unsigned M, typename P> CG thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P> &) { return thread_block_tile<N, thread_block_tile<M, P>>(); }
template <unsigned N> __device__ thread_block_tile<N> tiled_partition(const thread_group &);
__device__ thread_group tiled_partition(const thread_group &, unsigned);
__device__ thread_group tiled_partition(const thread_block &, unsigned);
__device__ coalesced_group tiled_partition(const coalesced_group &, unsigned);
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
template <unsigned N, typename P = void> using thread_block_tile = cooperative_groups::thread_block_tile<N, P>;
}

template <typename G> CG void sync(const G &g) { g.sync(); }
template <typename G> CG auto thread_rank(const G &g) { return g.thread_rank(); }
template <typename G> CG auto group_size(const G &g) { return g.size(); }
template <typename G> __device__ bool elect_one(const G &);
template <typename G, typename F> __device__ void invoke_one(const G &, F &&);

template <typename T> struct plus { CG T operator()(const T &a, const T &b) const { return a + b; } };
template <typename T> struct less { CG T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <typename T> struct greater { CG T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <typename T> struct bit_and { CG T operator()(const T &a, const T &b) const { return a & b; } };
template <typename T> struct bit_or { CG T operator()(const T &a, const T &b) const { return a | b; } };
template <typename T> struct bit_xor { CG T operator()(const T &a, const T &b) const { return a ^ b; } };
template <typename G, typename T, typename F> __device__ T reduce(const G &, T, F &&);
template <typename G, typename T, typename A, typename F> __device__ void reduce_update_async(const G &, A &, T &&, F &&);
template <typename G, typename T, typename A, typename F> __device__ void reduce_store_async(const G &, A *, T &&, F &&);
template <typename G, typename T, typename F> __device__ T inclusive_scan(const G &, T, F &&);
template <typename G, typename T> __device__ T inclusive_scan(const G &, T);
template <typename G, typename T, typename F> __device__ T exclusive_scan(const G &, T, F &&);
template <typename G, typename T> __device__ T exclusive_scan(const G &, T);
template <typename G, typename T, typename... A> __device__ void memcpy_async(const G &, T *, A...);
template <typename G> __device__ void wait(const G &);
template <unsigned N, typename G> __device__ void wait_prior(const G &);
#undef CG
}
