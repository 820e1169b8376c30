// Cooperative groups. Ranks and sizes are arithmetic on the ids of a thread; a block
// and a tile of a warp meet at the barriers of the language. What has none, such as
// the whole grid, is declared and has no body.
#pragma once
#include "gradine.h"
#include "gradine/any.h"
namespace cooperative_groups {
#define GRADINE_CG __device__ inline
namespace details {
GRADINE_CG unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
GRADINE_CG unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
GRADINE_CG unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
struct multi_warp {};
}
class grid_group;
extern "C" __device__ void __gradine_grid_sync();
extern "C" __device__ void __gradine_tile_sync(unsigned);
class multi_grid_group;

class thread_block {
public:
  static GRADINE_CG void sync() { __syncthreads(); }
  static GRADINE_CG unsigned thread_rank() { return details::rank(); }
  static GRADINE_CG unsigned size() { return details::size(); }
  static GRADINE_CG unsigned num_threads() { return details::size(); }
  static GRADINE_CG dim3 group_index() { return blockIdx; }
  static GRADINE_CG dim3 thread_index() { return threadIdx; }
  static GRADINE_CG dim3 group_dim() { return blockDim; }
  static GRADINE_CG dim3 dim_threads() { return blockDim; }
  struct arrival_token {};
  arrival_token __device__ barrier_arrive() const;
  void __device__ barrier_wait(arrival_token &&) const;
};
GRADINE_CG thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
  __device__ bool is_valid() const;
  GRADINE_CG void sync() const { __gradine_grid_sync(); }
  GRADINE_CG unsigned long long size() const { return (unsigned long long)gridDim.z * gridDim.y * gridDim.x * details::size(); }
  GRADINE_CG unsigned long long num_threads() const { return size(); }
  GRADINE_CG unsigned long long num_blocks() const { return (unsigned long long)gridDim.z * gridDim.y * gridDim.x; }
  GRADINE_CG unsigned long long block_rank() const { return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  GRADINE_CG unsigned long long thread_rank() const { return block_rank() * details::size() + details::rank(); }
  GRADINE_CG dim3 group_dim() const { return gridDim; }
  GRADINE_CG dim3 dim_blocks() const { return gridDim; }
  GRADINE_CG dim3 block_index() const { return blockIdx; }
  struct arrival_token {};
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
};
GRADINE_CG grid_group this_grid() { return grid_group(); }

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
  template <typename __T> __device__ static __T *map_shared_rank(__T *, int);
};
GRADINE_CG cluster_group this_cluster() { return cluster_group(); }

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

template <unsigned __N, typename __P = void> class thread_block_tile;
namespace details {
// Which of the tiles of its parent a tile is, and how many there are: the type of the tile tells the parent, or else its value.
template <unsigned __N, typename __P> struct part;
template <unsigned __N> struct part<__N, thread_block> {
  GRADINE_CG static unsigned meta_group_size() { return (size() + __N - 1) / __N; }
  GRADINE_CG static unsigned meta_group_rank() { return rank() / __N; }
};
template <unsigned __N, unsigned __M, typename __P> struct part<__N, thread_block_tile<__M, __P>> {
  GRADINE_CG static unsigned meta_group_size() { return (__M + __N - 1) / __N; }
  GRADINE_CG static unsigned meta_group_rank() { return (rank() & (__M - 1)) / __N; }
};
template <unsigned __N> struct part<__N, void> {
  unsigned gradine_size, gradine_rank;
  part() = default;
  template <typename __P> __device__ part(const part<__N, __P> &p) : gradine_size(p.meta_group_size()), gradine_rank(p.meta_group_rank()) {}
  GRADINE_CG unsigned meta_group_size() const { return gradine_size; }
  GRADINE_CG unsigned meta_group_rank() const { return gradine_rank; }
};
}

// A tile of at most a warp: lanes that follow each other.
template <unsigned __N, typename __P>
class thread_block_tile : public details::part<__N, __P> {
  GRADINE_CG static unsigned base() { return details::lane() & ~(__N - 1); }
public:
  thread_block_tile() = default;
  template <typename __Q> __device__ thread_block_tile(const thread_block_tile<__N, __Q> &t) : details::part<__N, __P>(t) {}
  GRADINE_CG static unsigned gradine_mask() { return __N == 32 ? 0xffffffffu : ((1u << (__N & 31)) - 1) << base(); }
  GRADINE_CG static void sync() { if constexpr (__N == 32) __syncwarp(gradine_mask()); else __gradine_tile_sync(__N); }
  GRADINE_CG static unsigned thread_rank() { return details::rank() & (__N - 1); }
  static __host__ __device__ constexpr unsigned size() { return __N; }
  static __host__ __device__ constexpr unsigned num_threads() { return __N; }
  GRADINE_CG unsigned long long num_tiles() const { return this->meta_group_size(); }
  template <typename __T> GRADINE_CG __T shfl(__T v, int lane) const { return __shfl_sync(gradine_mask(), v, lane, __N); }
  template <typename __T> GRADINE_CG __T shfl_up(__T v, unsigned d) const { return __shfl_up_sync(gradine_mask(), v, d, __N); }
  template <typename __T> GRADINE_CG __T shfl_down(__T v, unsigned d) const { return __shfl_down_sync(gradine_mask(), v, d, __N); }
  template <typename __T> GRADINE_CG __T shfl_xor(__T v, unsigned d) const { return __shfl_xor_sync(gradine_mask(), v, d, __N); }
  GRADINE_CG int any(int p) const { return __any_sync(gradine_mask(), p); }
  GRADINE_CG int all(int p) const { return __all_sync(gradine_mask(), p); }
  GRADINE_CG unsigned ballot(int p) const { return (__ballot_sync(gradine_mask(), p) & gradine_mask()) >> (__N == 32 ? 0 : base()); }
  template <typename __T> GRADINE_CG unsigned match_any(__T v) const { return (__match_any_sync(gradine_mask(), v) & gradine_mask()) >> (__N == 32 ? 0 : base()); }
  template <typename __T> GRADINE_CG unsigned match_all(__T v, int &p) const { return (__match_all_sync(gradine_mask(), v, &p) & gradine_mask()) >> (__N == 32 ? 0 : base()); }
  __device__ operator thread_group() const;
};
// A tile of several warps meets at a barrier that the language does not have.
#define GRADINE_CG_WIDE(__N)                                                  \
  template <typename __P> class thread_block_tile<__N, __P> : public details::part<__N, __P> { \
  public:                                                           \
    __device__ static void sync();                                  \
    GRADINE_CG static unsigned thread_rank() { return details::rank() & (__N - 1); } \
    static constexpr unsigned size() { return __N; }                  \
    static constexpr unsigned num_threads() { return __N; }           \
    template <typename __T> __device__ __T shfl(__T, int) const;          \
    __device__ int any(int) const;                                  \
    __device__ int all(int) const;                                  \
  };
GRADINE_CG_WIDE(64) GRADINE_CG_WIDE(128) GRADINE_CG_WIDE(256) GRADINE_CG_WIDE(512) GRADINE_CG_WIDE(1024)
#undef GRADINE_CG_WIDE

// The lanes that are here together: nobody knows which.
class coalesced_group {
public:
  GRADINE_CG void sync() const { gradine::ofWarp<int>(); } // orders nothing that is relied on
  GRADINE_CG unsigned thread_rank() const { return gradine::ofWarp<unsigned>() & 31; }
  GRADINE_CG unsigned long long size() const { return (gradine::ofWarp<unsigned>() & 31) + 1; }
  GRADINE_CG unsigned num_threads() const { return size(); }
  GRADINE_CG unsigned meta_group_size() const { return gradine::ofWarp<unsigned>(); }
  GRADINE_CG unsigned meta_group_rank() const { return gradine::ofWarp<unsigned>(); }
  template <typename __T> GRADINE_CG __T shfl(__T, int) const { return gradine::ofWarp<__T>(); }
  template <typename __T> GRADINE_CG __T shfl_up(__T, int) const { return gradine::ofWarp<__T>(); }
  template <typename __T> GRADINE_CG __T shfl_down(__T, int) const { return gradine::ofWarp<__T>(); }
  GRADINE_CG int any(int) const { return gradine::ofWarp<int>(); }
  GRADINE_CG int all(int) const { return gradine::ofWarp<int>(); }
  GRADINE_CG unsigned ballot(int) const { return gradine::ofWarp<unsigned>(); }
  template <typename __T> GRADINE_CG unsigned match_any(__T) const { return gradine::ofWarp<unsigned>(); }
  __device__ operator thread_group() const;
};
GRADINE_CG coalesced_group coalesced_threads() { return coalesced_group(); }
template <typename __G> GRADINE_CG coalesced_group binary_partition(const __G &, bool) { return coalesced_group(); }
template <typename __G> GRADINE_CG coalesced_group labeled_partition(const __G &, unsigned) { return coalesced_group(); }

template <unsigned __N> struct block_tile_memory { char reserved[(__N + 31) / 32 * 8]; };
template <unsigned __N> GRADINE_CG thread_block this_thread_block(block_tile_memory<__N> &) { return thread_block(); }
template <unsigned __N> GRADINE_CG thread_block_tile<__N, thread_block> tiled_partition(const thread_block &) { return thread_block_tile<__N, thread_block>(); }
template <unsigned __N, unsigned __M, typename __P> GRADINE_CG thread_block_tile<__N, thread_block_tile<__M, __P>> tiled_partition(const thread_block_tile<__M, __P> &) { return thread_block_tile<__N, thread_block_tile<__M, __P>>(); }
template <unsigned __N> __device__ thread_block_tile<__N> tiled_partition(const thread_group &);
__device__ thread_group tiled_partition(const thread_group &, unsigned);
__device__ thread_group tiled_partition(const thread_block &, unsigned);
__device__ coalesced_group tiled_partition(const coalesced_group &, unsigned);
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
template <unsigned __N, typename __P = void> using thread_block_tile = cooperative_groups::thread_block_tile<__N, __P>;
}

template <typename __G> GRADINE_CG void sync(const __G &g) { g.sync(); }
template <typename __G> GRADINE_CG auto thread_rank(const __G &g) { return g.thread_rank(); }
template <typename __G> GRADINE_CG auto group_size(const __G &g) { return g.size(); }
template <typename __G> __device__ bool elect_one(const __G &);
template <typename __G, typename __F> __device__ void invoke_one(const __G &, __F &&);

template <typename __T> struct plus { GRADINE_CG __T operator()(const __T &a, const __T &b) const { return a + b; } };
template <typename __T> struct less { GRADINE_CG __T operator()(const __T &a, const __T &b) const { return b < a ? b : a; } };
template <typename __T> struct greater { GRADINE_CG __T operator()(const __T &a, const __T &b) const { return a < b ? b : a; } };
template <typename __T> struct bit_and { GRADINE_CG __T operator()(const __T &a, const __T &b) const { return a & b; } };
template <typename __T> struct bit_or { GRADINE_CG __T operator()(const __T &a, const __T &b) const { return a | b; } };
template <typename __T> struct bit_xor { GRADINE_CG __T operator()(const __T &a, const __T &b) const { return a ^ b; } };
}
namespace gradine {
template <typename __T> struct pure<cooperative_groups::plus<__T>> { static constexpr bool value = true; };
template <typename __T> struct pure<cooperative_groups::less<__T>> { static constexpr bool value = true; };
template <typename __T> struct pure<cooperative_groups::greater<__T>> { static constexpr bool value = true; };
template <typename __T> struct pure<cooperative_groups::bit_and<__T>> { static constexpr bool value = true; };
template <typename __T> struct pure<cooperative_groups::bit_or<__T>> { static constexpr bool value = true; };
template <typename __T> struct pure<cooperative_groups::bit_xor<__T>> { static constexpr bool value = true; };
}
namespace cooperative_groups {
namespace details {
template <typename __G> struct lanes { static constexpr bool only = false; };
template <unsigned __N, typename __P> struct lanes<thread_block_tile<__N, __P>> { static constexpr bool only = __N <= 32; };
template <> struct lanes<coalesced_group> { static constexpr bool only = true; };
template <typename __T, typename __F> GRADINE_CG __T combined(__F &op) { gradine::applied<__T>(op); return gradine::ofWarp<__T>(); }
template <typename __G, typename __T> __device__ __T wider(const __G &, __T); // groups of several warps
}
template <typename __G, typename __T, typename __F> __device__ __T reduce(const __G &g, __T v, __F &&op) {
  if constexpr (details::lanes<__G>::only) return details::combined<__T>(op);
  else return details::wider(g, v);
}
template <typename __G, typename __T, typename __A, typename __F> __device__ void reduce_update_async(const __G &, __A &, __T &&, __F &&);
template <typename __G, typename __T, typename __A, typename __F> __device__ void reduce_store_async(const __G &, __A *, __T &&, __F &&);
template <typename __G, typename __T, typename __F> __device__ __T inclusive_scan(const __G &g, __T v, __F &&op) { return reduce(g, v, op); }
template <typename __G, typename __T> __device__ __T inclusive_scan(const __G &g, __T v) { return reduce(g, v, plus<__T>()); }
template <typename __G, typename __T, typename __F> __device__ __T exclusive_scan(const __G &g, __T v, __F &&op) { return reduce(g, v, op); }
template <typename __G, typename __T> __device__ __T exclusive_scan(const __G &g, __T v) { return reduce(g, v, plus<__T>()); }
template <typename __G, typename __T, typename... __A> __device__ void memcpy_async(const __G &, __T *, __A...);
template <typename __G> __device__ void wait(const __G &);
template <unsigned __N, typename __G> __device__ void wait_prior(const __G &);
#undef GRADINE_CG
}
