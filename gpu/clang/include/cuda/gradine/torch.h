// PyTorch, as extensions use it around their launches: tensors are opaque, and what is
// dispatched by type is dispatched to one, float.
#pragma once
#include "gradine.h"
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 1
namespace c10 {
struct Half {
  unsigned short x;
  Half() = default;
  __host__ __device__ Half(float f) : x(__half_as_ushort(__float2half(f))) {}
  __host__ __device__ Half(const __half &h) : x(__half_as_ushort(h)) {}
  __host__ __device__ operator float() const { return __half2float(__ushort_as_half(x)); }
  __host__ __device__ operator __half() const { return __ushort_as_half(x); }
};
struct BFloat16 {
  unsigned short x;
  BFloat16() = default;
  __host__ __device__ BFloat16(float f) : x(__bfloat16_as_ushort(__float2bfloat16(f))) {}
  __host__ __device__ BFloat16(const __nv_bfloat16 &h) : x(__bfloat16_as_ushort(h)) {}
  __host__ __device__ operator float() const { return __bfloat162float(__ushort_as_bfloat16(x)); }
  __host__ __device__ operator __nv_bfloat16() const { return __ushort_as_bfloat16(x); }
};
struct Float8_e4m3fn { unsigned char x; };
struct Float8_e5m2 { unsigned char x; };
template <typename T> struct complex { T re, im; __host__ __device__ complex(T r = 0, T i = 0) : re(r), im(i) {} __host__ __device__ T real() const { return re; } __host__ __device__ T imag() const { return im; } };
enum class ScalarType : signed char { Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, Float8_e5m2 = 23, Float8_e4m3fn, Undefined };
enum class DeviceType : signed char { CPU, CUDA, HIP = 6 };
enum class Layout : signed char { Strided, Sparse };
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
struct Any { template <typename T> Any(T &&); Any(); };
struct Device { Device(DeviceType, int = -1); Device(const std::string &); DeviceType type() const; int index() const; bool is_cuda() const; bool is_cpu() const; bool operator==(const Device &) const; bool operator!=(const Device &) const; };
struct TypeMeta { bool operator==(ScalarType) const; bool operator!=(ScalarType) const; bool operator==(TypeMeta) const; bool operator!=(TypeMeta) const; size_t itemsize() const; operator ScalarType() const; const char *name() const; };
struct Scalar { template <typename T> Scalar(T); template <typename T> T to() const; float toFloat() const; double toDouble() const; int toInt() const; long toLong() const; };
struct TensorOptions { TensorOptions(); TensorOptions(ScalarType); TensorOptions(DeviceType); TensorOptions(Device); TensorOptions(TypeMeta); TensorOptions dtype(ScalarType) const; TensorOptions dtype(TypeMeta) const; TensorOptions device(Device) const; TensorOptions device(DeviceType, int = -1) const; TensorOptions layout(Layout) const; TensorOptions requires_grad(bool) const; TensorOptions memory_format(MemoryFormat) const; TensorOptions pinned_memory(bool) const; ScalarType dtype() const; Device device() const; };
template <typename T> struct ArrayRef { ArrayRef(); ArrayRef(std::initializer_list<T>); ArrayRef(const std::vector<T> &); ArrayRef(const T *, size_t); ArrayRef(const T &); template <size_t N> ArrayRef(const T (&)[N]); const T *data() const; size_t size() const; const T &operator[](size_t) const; const T *begin() const; const T *end() const; std::vector<T> vec() const; bool equals(ArrayRef) const; bool operator==(ArrayRef) const; bool operator!=(ArrayRef) const; bool empty() const; const T &front() const; const T &back() const; };
using IntArrayRef = ArrayRef<int64_t>;
template <typename T> using optional = std::optional<T>;
inline constexpr std::nullopt_t nullopt = std::nullopt;
using string_view = std::string;
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
#define TORCH_KIND(T) constexpr ScalarType k##T = ScalarType::T;
#define TORCH_KINDS TORCH_KIND(Byte) TORCH_KIND(Char) TORCH_KIND(Short) TORCH_KIND(Int) TORCH_KIND(Long) TORCH_KIND(Half) TORCH_KIND(Float) TORCH_KIND(Double) TORCH_KIND(Bool) TORCH_KIND(BFloat16) TORCH_KIND(Float8_e4m3fn) TORCH_KIND(Float8_e5m2) TORCH_KIND(ComplexFloat) TORCH_KIND(ComplexDouble)
TORCH_KINDS
constexpr ScalarType kUInt8 = ScalarType::Byte, kInt8 = ScalarType::Char, kInt16 = ScalarType::Short, kInt32 = ScalarType::Int, kInt64 = ScalarType::Long, kFloat16 = ScalarType::Half, kFloat32 = ScalarType::Float, kFloat64 = ScalarType::Double;
const char *toString(ScalarType);
size_t elementSize(ScalarType);
ScalarType typeMetaToScalarType(TypeMeta);
TensorOptions dtype(ScalarType);
struct Error : std::exception { template <typename... A> Error(A &&...); };
namespace cuda {
struct CUDAStream { operator cudaStream_t() const; cudaStream_t stream() const; void synchronize() const; int device_index() const; };
CUDAStream getCurrentCUDAStream(int = -1);
CUDAStream getDefaultCUDAStream(int = -1);
CUDAStream getStreamFromPool(bool = false, int = -1);
struct CUDAGuard { template <typename T> explicit CUDAGuard(T); };
struct OptionalCUDAGuard { OptionalCUDAGuard(); template <typename T> explicit OptionalCUDAGuard(T); };
struct CUDAStreamGuard { template <typename T> explicit CUDAStreamGuard(T); };
int current_device();
int device_count();
void set_device(int);
}
struct DeviceGuard { template <typename T> explicit DeviceGuard(T); };
struct OptionalDeviceGuard { template <typename T> explicit OptionalDeviceGuard(T); };
}
namespace at {
using namespace c10;
using c10::ScalarType; using c10::Half; using c10::BFloat16;
template <typename T, size_t N> struct TensorAccessor { __host__ __device__ TensorAccessor<T, N - 1> operator[](int64_t) const; __host__ __device__ int64_t size(int64_t) const; __host__ __device__ int64_t stride(int64_t) const; __host__ __device__ T *data() const; };
template <typename T> struct TensorAccessor<T, 1> { __host__ __device__ T &operator[](int64_t) const; __host__ __device__ int64_t size(int64_t) const; __host__ __device__ int64_t stride(int64_t) const; __host__ __device__ T *data() const; };
template <typename T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };
template <typename T> struct DefaultPtrTraits { typedef T *PtrType; };
// A tensor as kernels take it: a pointer, sizes and strides.
template <typename T, size_t N, template <typename U> class P, typename I> struct gradine_view {
  __host__ __device__ gradine_view(T *p, const I *n, const I *s) : p(p), n(n), s(s) {}
  typename P<T>::PtrType p; const I *n, *s;
  __host__ __device__ gradine_view<T, N - 1, P, I> operator[](I i) const { return gradine_view<T, N - 1, P, I>(p + s[0] * i, n + 1, s + 1); }
  __host__ __device__ I size(int i) const { return n[i]; }
  __host__ __device__ I stride(int i) const { return s[i]; }
  __host__ __device__ T *data() const { return p; }
};
template <typename T, template <typename U> class P, typename I> struct gradine_view<T, 1, P, I> {
  __host__ __device__ gradine_view(T *p, const I *n, const I *s) : p(p), n(n), s(s) {}
  typename P<T>::PtrType p; const I *n, *s;
  __host__ __device__ T &operator[](I i) const { return p[s[0] * i]; }
  __host__ __device__ I size(int i) const { return n[i]; }
  __host__ __device__ I stride(int i) const { return s[i]; }
  __host__ __device__ T *data() const { return p; }
};
template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits, typename I = int64_t> struct GenericPackedTensorAccessor {
  typename P<T>::PtrType data_; I sizes_[N], strides_[N];
  __host__ __device__ gradine_view<T, N - 1, P, I> operator[](I i) const { return gradine_view<T, N - 1, P, I>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1); }
  __host__ __device__ I size(int i) const { return sizes_[i]; }
  __host__ __device__ I stride(int i) const { return strides_[i]; }
  __host__ __device__ T *data() const { return data_; }
};
template <typename T, template <typename U> class P, typename I> struct GenericPackedTensorAccessor<T, 1, P, I> {
  typename P<T>::PtrType data_; I sizes_[1], strides_[1];
  __host__ __device__ T &operator[](I i) const { return data_[strides_[0] * i]; }
  __host__ __device__ I size(int i) const { return sizes_[i]; }
  __host__ __device__ I stride(int i) const { return strides_[i]; }
  __host__ __device__ T *data() const { return data_; }
};
template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits> using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int32_t>;
template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits> using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;
template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits, typename I = int64_t> using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;
struct Generator;
struct Tensor {
  template <typename T> T *data_ptr() const; void *data_ptr() const; template <typename T> T *mutable_data_ptr() const; template <typename T> const T *const_data_ptr() const; template <typename T> T *data() const; const void *const_data_ptr() const; void *mutable_data_ptr() const;
  int64_t size(int64_t) const; int64_t stride(int64_t) const; IntArrayRef sizes() const; IntArrayRef strides() const; int64_t dim() const; int64_t ndimension() const; int64_t numel() const; int64_t nbytes() const; int64_t element_size() const; size_t itemsize() const; int64_t storage_offset() const; int64_t get_device() const;
  ScalarType scalar_type() const; TypeMeta dtype() const; Device device() const; TensorOptions options() const; ScalarType type() const;
  bool is_cuda() const; bool is_cpu() const; bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const; bool defined() const; bool requires_grad() const; bool is_floating_point() const; bool is_same(const Tensor &) const; bool has_value() const; bool is_sparse() const; bool is_non_overlapping_and_dense() const;
  template <typename T> T item() const; Scalar item() const;
  template <typename T, size_t N> TensorAccessor<T, N> accessor() const;
  template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits> PackedTensorAccessor32<T, N, P> packed_accessor32() const;
  template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits> PackedTensorAccessor64<T, N, P> packed_accessor64() const;
  template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits, typename I = int64_t> GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const;
#define TORCH_METHOD(F) template <typename... A> Tensor F(A &&...) const; Tensor F(std::initializer_list<int64_t>) const;
  TORCH_METHOD(contiguous) TORCH_METHOD(view) TORCH_METHOD(reshape) TORCH_METHOD(transpose) TORCH_METHOD(permute) TORCH_METHOD(t) TORCH_METHOD(to) TORCH_METHOD(cuda) TORCH_METHOD(cpu) TORCH_METHOD(clone) TORCH_METHOD(detach) TORCH_METHOD(flatten) TORCH_METHOD(squeeze) TORCH_METHOD(unsqueeze) TORCH_METHOD(expand) TORCH_METHOD(slice) TORCH_METHOD(select) TORCH_METHOD(narrow) TORCH_METHOD(index) TORCH_METHOD(index_select) TORCH_METHOD(sum) TORCH_METHOD(mean) TORCH_METHOD(max) TORCH_METHOD(min) TORCH_METHOD(mul) TORCH_METHOD(mul_) TORCH_METHOD(add) TORCH_METHOD(add_) TORCH_METHOD(sub) TORCH_METHOD(div) TORCH_METHOD(div_) TORCH_METHOD(matmul) TORCH_METHOD(mm) TORCH_METHOD(zero_) TORCH_METHOD(fill_) TORCH_METHOD(copy_) TORCH_METHOD(resize_) TORCH_METHOD(abs) TORCH_METHOD(sqrt) TORCH_METHOD(exp) TORCH_METHOD(log) TORCH_METHOD(pow) TORCH_METHOD(sort) TORCH_METHOD(cumsum) TORCH_METHOD(repeat) TORCH_METHOD(toType) TORCH_METHOD(set_requires_grad) TORCH_METHOD(new_empty) TORCH_METHOD(new_zeros) TORCH_METHOD(data_) TORCH_METHOD(grad) TORCH_METHOD(view_as) TORCH_METHOD(expand_as) TORCH_METHOD(masked_fill) TORCH_METHOD(pin_memory) TORCH_METHOD(is) TORCH_METHOD(argsort) TORCH_METHOD(round) TORCH_METHOD(clamp) TORCH_METHOD(value) TORCH_METHOD(movedim) TORCH_METHOD(swapaxes) TORCH_METHOD(unfold) TORCH_METHOD(roll) TORCH_METHOD(any) TORCH_METHOD(all) TORCH_METHOD(nonzero) TORCH_METHOD(eq) TORCH_METHOD(ne) TORCH_METHOD(gt) TORCH_METHOD(lt) TORCH_METHOD(float_power) TORCH_METHOD(diagonal) TORCH_METHOD(bmm)
#undef TORCH_METHOD
  std::vector<Tensor> split(int64_t, int64_t = 0) const; std::vector<Tensor> chunk(int64_t, int64_t = 0) const;
  Tensor operator[](int64_t) const; void backward() const;
};
#define TORCH_BINARY(op) template <typename A> Tensor operator op(const Tensor &, const A &); inline Tensor operator op(float, const Tensor &);
TORCH_BINARY(+) TORCH_BINARY(-) TORCH_BINARY(*) TORCH_BINARY(/) TORCH_BINARY(==) TORCH_BINARY(!=) TORCH_BINARY(<) TORCH_BINARY(>) TORCH_BINARY(<=) TORCH_BINARY(>=)
#undef TORCH_BINARY
template <typename A> Tensor &operator+=(Tensor &, const A &);
template <typename A> Tensor &operator*=(Tensor &, const A &);
#define TORCH_FUNCTION(F) template <typename... A> Tensor F(A &&...); Tensor F(std::initializer_list<int64_t>, TensorOptions = {}); template <typename T> Tensor F(Tensor, std::initializer_list<T>, TensorOptions = {});
TORCH_FUNCTION(empty) TORCH_FUNCTION(zeros) TORCH_FUNCTION(ones) TORCH_FUNCTION(full) Tensor full(std::initializer_list<int64_t>, Scalar, TensorOptions = {}); TORCH_FUNCTION(rand) TORCH_FUNCTION(randn) TORCH_FUNCTION(randint) TORCH_FUNCTION(arange) TORCH_FUNCTION(linspace) TORCH_FUNCTION(eye) TORCH_FUNCTION(tensor) TORCH_FUNCTION(from_blob) TORCH_FUNCTION(empty_like) TORCH_FUNCTION(zeros_like) TORCH_FUNCTION(ones_like) TORCH_FUNCTION(full_like) TORCH_FUNCTION(rand_like) TORCH_FUNCTION(randn_like) TORCH_FUNCTION(empty_strided) TORCH_FUNCTION(cat) TORCH_FUNCTION(stack) TORCH_FUNCTION(matmul) TORCH_FUNCTION(mm) TORCH_FUNCTION(bmm) TORCH_FUNCTION(addmm) TORCH_FUNCTION(sum) TORCH_FUNCTION(mean) TORCH_FUNCTION(exp) TORCH_FUNCTION(log) TORCH_FUNCTION(sqrt) TORCH_FUNCTION(sigmoid) TORCH_FUNCTION(tanh) TORCH_FUNCTION(relu) TORCH_FUNCTION(softmax) TORCH_FUNCTION(abs) TORCH_FUNCTION(max) TORCH_FUNCTION(min) TORCH_FUNCTION(where) TORCH_FUNCTION(cumsum) TORCH_FUNCTION(conv2d) TORCH_FUNCTION(linear) TORCH_FUNCTION(layer_norm) TORCH_FUNCTION(argsort) TORCH_FUNCTION(einsum) TORCH_FUNCTION(transpose) TORCH_FUNCTION(reshape) TORCH_FUNCTION(scalar_tensor) TORCH_FUNCTION(logical_and) TORCH_FUNCTION(bitwise_and) TORCH_FUNCTION(pow) TORCH_FUNCTION(clamp) TORCH_FUNCTION(gelu) TORCH_FUNCTION(silu) TORCH_FUNCTION(constant_pad_nd)
#undef TORCH_FUNCTION
template <typename... A> bool allclose(A &&...);
template <typename... A> void manual_seed(A &&...);
struct PhiloxCudaState { uint64_t seed_, offset_; };
template <typename T> struct OpMathType { typedef T type; };
template <> struct OpMathType<c10::Half> { typedef float type; };
template <> struct OpMathType<c10::BFloat16> { typedef float type; };
template <typename T> using opmath_type = typename OpMathType<T>::type;
template <typename T, bool C> struct AccumulateType { typedef T type; };
template <> struct AccumulateType<c10::Half, true> { typedef float type; };
template <> struct AccumulateType<c10::BFloat16, true> { typedef float type; };
template <typename T, bool C> using acc_type = typename AccumulateType<T, C>::type;
template <typename T> __host__ __device__ T ceil_div(T a, T b) { return (a + b - 1) / b; }
struct IntDivider { template <typename... A> IntDivider(A &&...); };
namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(int);
struct gradine_blas; gradine_blas *getCurrentCUDABlasHandle();
int warp_size();
namespace detail { Generator *getDefaultCUDAGenerator(int = -1); struct TensorInfoBase; }
namespace philox { __device__ std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState); }
template <typename T> __device__ T *gradine_shared();
}
namespace native { using namespace at; }
}
template <typename T> static inline __device__ void gpuAtomicAdd(T *p, T v) { atomicAdd(p, v); }
template <typename T> static inline __device__ void gpuAtomicAddNoReturn(T *p, T v) { atomicAdd(p, v); }
template <typename T> static inline __device__ T WARP_SHFL_DOWN(T v, unsigned d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_down_sync(m, v, d, w); }
template <typename T> static inline __device__ T WARP_SHFL_XOR(T v, int d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_xor_sync(m, v, d, w); }
template <typename T> static inline __device__ T WARP_SHFL_UP(T v, unsigned d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_up_sync(m, v, d, w); }
template <typename T> static inline __device__ T WARP_SHFL(T v, int d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_sync(m, v, d, w); }
namespace torch {
using namespace at;
using at::Tensor; using at::empty; using at::zeros;
using TensorList = std::vector<Tensor>;
using Dtype = at::ScalarType;
TORCH_KINDS
namespace indexing { using c10::Any; struct Slice { template <typename... A> Slice(A &&...); }; struct None_ {}; extern None_ None; extern None_ Ellipsis; }
namespace autograd { struct AutogradContext { template <typename... A> void save_for_backward(A &&...); std::vector<Tensor> get_saved_variables(); std::unordered_map<std::string, c10::Scalar> saved_data; }; using tensor_list = std::vector<Tensor>; using variable_list = std::vector<Tensor>; using Variable = Tensor; template <typename T> struct Function { template <typename... A> static Tensor apply(A &&...); }; }
namespace cuda { using namespace at::cuda; bool is_available(); int device_count(); void synchronize(int = -1); }
namespace nn { namespace functional { template <typename... A> at::Tensor relu(A &&...); template <typename... A> at::Tensor softmax(A &&...); template <typename... A> at::Tensor pad(A &&...); } }
struct Library { template <typename... A> Library &def(A &&...); template <typename... A> Library &impl(A &&...); };
template <typename... A> void gradine_check(A &&...);
struct NoGradGuard { NoGradGuard(); };
using InferenceMode = NoGradGuard;
}
#undef TORCH_KIND
#undef TORCH_KINDS
namespace pybind11 { struct module_ { template <typename... A> module_ &def(A &&...); template <typename... A> module_ &attr(A &&...); template <typename T> module_ &operator=(T &&); module_ def_submodule(const char *); const char *doc(); }; typedef module_ module; struct arg { arg(const char *); template <typename T> arg &operator=(T &&); arg &none(); }; struct object { template <typename T> T cast() const; }; struct none {}; struct tuple {}; struct list {}; struct dict {}; template <typename T, typename... O> struct class_ { template <typename... A> class_(A &&...); template <typename... A> class_ &def(A &&...); template <typename... A> class_ &def_readwrite(A &&...); template <typename... A> class_ &def_readonly(A &&...); template <typename... A> class_ &def_static(A &&...); }; template <typename... A> struct init {}; template <typename T> struct call_guard {}; struct gil_scoped_release {}; template <typename T, int F = 0> struct array_t { T *mutable_data() const; const T *data() const; size_t size() const; struct info { void *ptr; std::vector<ssize_t> shape, strides; size_t size; int ndim; }; info request() const; array_t(size_t); array_t(); template <typename S> array_t(S); }; struct array { enum { c_style, forcecast }; }; typedef array_t<char>::info buffer_info; inline arg operator""_a(const char *, size_t); namespace literals { using pybind11::operator""_a; } }
namespace py = pybind11;
#define TORCH_EXTENSION_NAME gradine_extension
#define PYBIND11_MODULE(name, m) GRADINE_MODULE(name, m)
#define GRADINE_MODULE(name, m) static void gradine_module_##name(pybind11::module_ &m)
#define TORCH_LIBRARY(name, m) static void gradine_library_##name(torch::Library &m)
#define TORCH_LIBRARY_FRAGMENT(name, m) static void gradine_fragment_##name(torch::Library &m)
#define TORCH_LIBRARY_IMPL(name, k, m) static void gradine_library_##name##_##k(torch::Library &m)
#define TORCH_LIBRARY_EXPAND(name, m) TORCH_LIBRARY(name, m)
#define TORCH_CHECK(...) torch::gradine_check(__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(...) torch::gradine_check(__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) torch::gradine_check((a) == (b))
#define TORCH_CHECK_LE(a, b) torch::gradine_check((a) <= (b))
#define TORCH_INTERNAL_ASSERT(...) torch::gradine_check(__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) torch::gradine_check(__VA_ARGS__)
#define TORCH_WARN(...) torch::gradine_check(__VA_ARGS__)
#define TORCH_WARN_ONCE(...) torch::gradine_check(__VA_ARGS__)
#define AT_ASSERTM(...) torch::gradine_check(__VA_ARGS__)
#define AT_ASSERT(...) torch::gradine_check(__VA_ARGS__)
#define AT_ERROR(...) torch::gradine_check(__VA_ARGS__)
#define AT_CUDA_CHECK(x) torch::gradine_check(x)
#define C10_CUDA_CHECK(x) torch::gradine_check(x)
#define TORCH_CUDABLAS_CHECK(x) torch::gradine_check(x)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() torch::gradine_check()
#define CUDA_KERNEL_ASSERT(x) assert(x)
#define CUDA_KERNEL_LOOP(i, n) for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (int64_t)blockDim.x * gridDim.x)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LAUNCH_BOUNDS_1(n) __launch_bounds__(n)
#define C10_LAUNCH_BOUNDS_2(n, m) __launch_bounds__(n, m)
#define C10_WARP_SIZE 32
#define C10_UNUSED __attribute__((unused))
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_RESTRICT __restrict__
#define C10_LIKELY(x) (x)
#define C10_UNLIKELY(x) (x)
#define TORCH_API
#define AT_CUDA_API
// One type for all: what is dispatched is compiled for float.
#define GRADINE_DISPATCH(T, ...) [&] { using scalar_t [[maybe_unused]] = T; using index_t [[maybe_unused]] = T; return (__VA_ARGS__)(); }()
#define AT_DISPATCH_FLOATING_TYPES(t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(x, t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(x, y, t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(t, n, ...) GRADINE_DISPATCH(c10::Half, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(x, t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(x, y, t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(x, y, z, t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_HALF(t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(t, n, ...) GRADINE_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(t, n, ...) GRADINE_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(t, n, ...) GRADINE_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_CASE(e, ...) (__VA_ARGS__)();
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) (__VA_ARGS__)();
#define AT_DISPATCH_SWITCH(t, n, ...) [&] { using scalar_t [[maybe_unused]] = float; __VA_ARGS__ }()
