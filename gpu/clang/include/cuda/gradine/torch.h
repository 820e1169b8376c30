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
template <typename __T> struct complex { __T re, im; __host__ __device__ complex(__T r = 0, __T i = 0) : re(r), im(i) {} __host__ __device__ __T real() const { return re; } __host__ __device__ __T imag() const { return im; } };
enum class ScalarType : signed char { Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, Float8_e5m2 = 23, Float8_e4m3fn, Undefined };
enum class DeviceType : signed char { CPU, CUDA, HIP = 6 };
enum class Layout : signed char { Strided, Sparse };
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
struct Any { template <typename __T> Any(__T &&); Any(); };
struct Device { Device(DeviceType, int = -1); Device(const std::string &); DeviceType type() const; int index() const; bool is_cuda() const; bool is_cpu() const; bool operator==(const Device &) const; bool operator!=(const Device &) const; };
struct TypeMeta { bool operator==(ScalarType) const; bool operator!=(ScalarType) const; bool operator==(TypeMeta) const; bool operator!=(TypeMeta) const; size_t itemsize() const; operator ScalarType() const; const char *name() const; };
struct Scalar { template <typename __T> Scalar(__T); template <typename __T> __T to() const; float toFloat() const; double toDouble() const; int toInt() const; long toLong() const; };
struct TensorOptions { TensorOptions(); TensorOptions(ScalarType); TensorOptions(DeviceType); TensorOptions(Device); TensorOptions(TypeMeta); TensorOptions dtype(ScalarType) const; TensorOptions dtype(TypeMeta) const; TensorOptions device(Device) const; TensorOptions device(DeviceType, int = -1) const; TensorOptions layout(Layout) const; TensorOptions requires_grad(bool) const; TensorOptions memory_format(MemoryFormat) const; TensorOptions pinned_memory(bool) const; ScalarType dtype() const; Device device() const; };
template <typename __T> struct ArrayRef { ArrayRef(); ArrayRef(std::initializer_list<__T>); ArrayRef(const std::vector<__T> &); ArrayRef(const __T *, size_t); ArrayRef(const __T &); template <size_t __N> ArrayRef(const __T (&)[__N]); const __T *data() const; size_t size() const; const __T &operator[](size_t) const; const __T *begin() const; const __T *end() const; std::vector<__T> vec() const; bool equals(ArrayRef) const; bool operator==(ArrayRef) const; bool operator!=(ArrayRef) const; bool empty() const; const __T &front() const; const __T &back() const; };
using IntArrayRef = ArrayRef<int64_t>;
template <typename __T> using optional = std::optional<__T>;
inline constexpr std::nullopt_t nullopt = std::nullopt;
using string_view = std::string;
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
#define GRADINE_TORCH_KIND(__T) constexpr ScalarType k##__T = ScalarType::__T;
#define GRADINE_TORCH_KINDS GRADINE_TORCH_KIND(Byte) GRADINE_TORCH_KIND(Char) GRADINE_TORCH_KIND(Short) GRADINE_TORCH_KIND(Int) GRADINE_TORCH_KIND(Long) GRADINE_TORCH_KIND(Half) GRADINE_TORCH_KIND(Float) GRADINE_TORCH_KIND(Double) GRADINE_TORCH_KIND(Bool) GRADINE_TORCH_KIND(BFloat16) GRADINE_TORCH_KIND(Float8_e4m3fn) GRADINE_TORCH_KIND(Float8_e5m2) GRADINE_TORCH_KIND(ComplexFloat) GRADINE_TORCH_KIND(ComplexDouble)
GRADINE_TORCH_KINDS
constexpr ScalarType kUInt8 = ScalarType::Byte, kInt8 = ScalarType::Char, kInt16 = ScalarType::Short, kInt32 = ScalarType::Int, kInt64 = ScalarType::Long, kFloat16 = ScalarType::Half, kFloat32 = ScalarType::Float, kFloat64 = ScalarType::Double;
const char *toString(ScalarType);
size_t elementSize(ScalarType);
ScalarType typeMetaToScalarType(TypeMeta);
TensorOptions dtype(ScalarType);
struct Error : std::exception { template <typename... __A> Error(__A &&...); };
namespace cuda {
struct CUDAStream { operator cudaStream_t() const; cudaStream_t stream() const; void synchronize() const; int device_index() const; };
CUDAStream getCurrentCUDAStream(int = -1);
CUDAStream getDefaultCUDAStream(int = -1);
CUDAStream getStreamFromPool(bool = false, int = -1);
struct CUDAGuard { template <typename __T> explicit CUDAGuard(__T); };
struct OptionalCUDAGuard { OptionalCUDAGuard(); template <typename __T> explicit OptionalCUDAGuard(__T); };
struct CUDAStreamGuard { template <typename __T> explicit CUDAStreamGuard(__T); };
int current_device();
int device_count();
void set_device(int);
}
struct DeviceGuard { template <typename __T> explicit DeviceGuard(__T); };
struct OptionalDeviceGuard { template <typename __T> explicit OptionalDeviceGuard(__T); };
}
namespace at {
using namespace c10;
using c10::ScalarType; using c10::Half; using c10::BFloat16;
template <typename __T, size_t __N> struct TensorAccessor { __host__ __device__ TensorAccessor<__T, __N - 1> operator[](int64_t) const; __host__ __device__ int64_t size(int64_t) const; __host__ __device__ int64_t stride(int64_t) const; __host__ __device__ __T *data() const; };
template <typename __T> struct TensorAccessor<__T, 1> { __host__ __device__ __T &operator[](int64_t) const; __host__ __device__ int64_t size(int64_t) const; __host__ __device__ int64_t stride(int64_t) const; __host__ __device__ __T *data() const; };
template <typename __T> struct RestrictPtrTraits { typedef __T *__restrict__ PtrType; };
template <typename __T> struct DefaultPtrTraits { typedef __T *PtrType; };
// A tensor as kernels take it: a pointer, sizes and strides.
template <typename __T, size_t __N, template <typename __U> class __P, typename __I> struct gradine_view {
  __host__ __device__ gradine_view(__T *p, const __I *n, const __I *s) : p(p), n(n), s(s) {}
  typename __P<__T>::PtrType p; const __I *n, *s;
  __host__ __device__ gradine_view<__T, __N - 1, __P, __I> operator[](__I i) const { return gradine_view<__T, __N - 1, __P, __I>(p + s[0] * i, n + 1, s + 1); }
  __host__ __device__ __I size(int i) const { return n[i]; }
  __host__ __device__ __I stride(int i) const { return s[i]; }
  __host__ __device__ __T *data() const { return p; }
};
template <typename __T, template <typename __U> class __P, typename __I> struct gradine_view<__T, 1, __P, __I> {
  __host__ __device__ gradine_view(__T *p, const __I *n, const __I *s) : p(p), n(n), s(s) {}
  typename __P<__T>::PtrType p; const __I *n, *s;
  __host__ __device__ __T &operator[](__I i) const { return p[s[0] * i]; }
  __host__ __device__ __I size(int i) const { return n[i]; }
  __host__ __device__ __I stride(int i) const { return s[i]; }
  __host__ __device__ __T *data() const { return p; }
};
template <typename __T, size_t __N, template <typename __U> class __P = DefaultPtrTraits, typename __I = int64_t> struct GenericPackedTensorAccessor {
  typename __P<__T>::PtrType data_; __I sizes_[__N], strides_[__N];
  __host__ __device__ gradine_view<__T, __N - 1, __P, __I> operator[](__I i) const { return gradine_view<__T, __N - 1, __P, __I>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1); }
  __host__ __device__ __I size(int i) const { return sizes_[i]; }
  __host__ __device__ __I stride(int i) const { return strides_[i]; }
  __host__ __device__ __T *data() const { return data_; }
};
template <typename __T, template <typename __U> class __P, typename __I> struct GenericPackedTensorAccessor<__T, 1, __P, __I> {
  typename __P<__T>::PtrType data_; __I sizes_[1], strides_[1];
  __host__ __device__ __T &operator[](__I i) const { return data_[strides_[0] * i]; }
  __host__ __device__ __I size(int i) const { return sizes_[i]; }
  __host__ __device__ __I stride(int i) const { return strides_[i]; }
  __host__ __device__ __T *data() const { return data_; }
};
template <typename __T, size_t __N, template <typename __U> class __P = DefaultPtrTraits> using PackedTensorAccessor32 = GenericPackedTensorAccessor<__T, __N, __P, int32_t>;
template <typename __T, size_t __N, template <typename __U> class __P = DefaultPtrTraits> using PackedTensorAccessor64 = GenericPackedTensorAccessor<__T, __N, __P, int64_t>;
template <typename __T, size_t __N, template <typename __U> class __P = DefaultPtrTraits, typename __I = int64_t> using PackedTensorAccessor = GenericPackedTensorAccessor<__T, __N, __P, __I>;
struct Generator;
struct Tensor {
  template <typename __T> __T *data_ptr() const; void *data_ptr() const; template <typename __T> __T *mutable_data_ptr() const; template <typename __T> const __T *const_data_ptr() const; template <typename __T> __T *data() const; const void *const_data_ptr() const; void *mutable_data_ptr() const;
  int64_t size(int64_t) const; int64_t stride(int64_t) const; IntArrayRef sizes() const; IntArrayRef strides() const; int64_t dim() const; int64_t ndimension() const; int64_t numel() const; int64_t nbytes() const; int64_t element_size() const; size_t itemsize() const; int64_t storage_offset() const; int64_t get_device() const;
  ScalarType scalar_type() const; TypeMeta dtype() const; Device device() const; TensorOptions options() const; ScalarType type() const;
  bool is_cuda() const; bool is_cpu() const; bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const; bool defined() const; bool requires_grad() const; bool is_floating_point() const; bool is_same(const Tensor &) const; bool has_value() const; bool is_sparse() const; bool is_non_overlapping_and_dense() const;
  template <typename __T> __T item() const; Scalar item() const;
  template <typename __T, size_t __N> TensorAccessor<__T, __N> accessor() const;
  template <typename __T, size_t __N, template <typename __U> class __P = DefaultPtrTraits> PackedTensorAccessor32<__T, __N, __P> packed_accessor32() const;
  template <typename __T, size_t __N, template <typename __U> class __P = DefaultPtrTraits> PackedTensorAccessor64<__T, __N, __P> packed_accessor64() const;
  template <typename __T, size_t __N, template <typename __U> class __P = DefaultPtrTraits, typename __I = int64_t> GenericPackedTensorAccessor<__T, __N, __P, __I> packed_accessor() const;
#define GRADINE_TORCH_METHOD(__F) template <typename... __A> Tensor __F(__A &&...) const; Tensor __F(std::initializer_list<int64_t>) const;
  GRADINE_TORCH_METHOD(contiguous) GRADINE_TORCH_METHOD(view) GRADINE_TORCH_METHOD(reshape) GRADINE_TORCH_METHOD(transpose) GRADINE_TORCH_METHOD(permute) GRADINE_TORCH_METHOD(t) GRADINE_TORCH_METHOD(to) GRADINE_TORCH_METHOD(cuda) GRADINE_TORCH_METHOD(cpu) GRADINE_TORCH_METHOD(clone) GRADINE_TORCH_METHOD(detach) GRADINE_TORCH_METHOD(flatten) GRADINE_TORCH_METHOD(squeeze) GRADINE_TORCH_METHOD(unsqueeze) GRADINE_TORCH_METHOD(expand) GRADINE_TORCH_METHOD(slice) GRADINE_TORCH_METHOD(select) GRADINE_TORCH_METHOD(narrow) GRADINE_TORCH_METHOD(index) GRADINE_TORCH_METHOD(index_select) GRADINE_TORCH_METHOD(sum) GRADINE_TORCH_METHOD(mean) GRADINE_TORCH_METHOD(max) GRADINE_TORCH_METHOD(min) GRADINE_TORCH_METHOD(mul) GRADINE_TORCH_METHOD(mul_) GRADINE_TORCH_METHOD(add) GRADINE_TORCH_METHOD(add_) GRADINE_TORCH_METHOD(sub) GRADINE_TORCH_METHOD(div) GRADINE_TORCH_METHOD(div_) GRADINE_TORCH_METHOD(matmul) GRADINE_TORCH_METHOD(mm) GRADINE_TORCH_METHOD(zero_) GRADINE_TORCH_METHOD(fill_) GRADINE_TORCH_METHOD(copy_) GRADINE_TORCH_METHOD(resize_) GRADINE_TORCH_METHOD(abs) GRADINE_TORCH_METHOD(sqrt) GRADINE_TORCH_METHOD(exp) GRADINE_TORCH_METHOD(log) GRADINE_TORCH_METHOD(pow) GRADINE_TORCH_METHOD(sort) GRADINE_TORCH_METHOD(cumsum) GRADINE_TORCH_METHOD(repeat) GRADINE_TORCH_METHOD(toType) GRADINE_TORCH_METHOD(set_requires_grad) GRADINE_TORCH_METHOD(new_empty) GRADINE_TORCH_METHOD(new_zeros) GRADINE_TORCH_METHOD(data_) GRADINE_TORCH_METHOD(grad) GRADINE_TORCH_METHOD(view_as) GRADINE_TORCH_METHOD(expand_as) GRADINE_TORCH_METHOD(masked_fill) GRADINE_TORCH_METHOD(pin_memory) GRADINE_TORCH_METHOD(is) GRADINE_TORCH_METHOD(argsort) GRADINE_TORCH_METHOD(round) GRADINE_TORCH_METHOD(clamp) GRADINE_TORCH_METHOD(value) GRADINE_TORCH_METHOD(movedim) GRADINE_TORCH_METHOD(swapaxes) GRADINE_TORCH_METHOD(unfold) GRADINE_TORCH_METHOD(roll) GRADINE_TORCH_METHOD(any) GRADINE_TORCH_METHOD(all) GRADINE_TORCH_METHOD(nonzero) GRADINE_TORCH_METHOD(eq) GRADINE_TORCH_METHOD(ne) GRADINE_TORCH_METHOD(gt) GRADINE_TORCH_METHOD(lt) GRADINE_TORCH_METHOD(float_power) GRADINE_TORCH_METHOD(diagonal) GRADINE_TORCH_METHOD(bmm)
#undef GRADINE_TORCH_METHOD
  std::vector<Tensor> split(int64_t, int64_t = 0) const; std::vector<Tensor> chunk(int64_t, int64_t = 0) const;
  Tensor operator[](int64_t) const; void backward() const;
};
#define GRADINE_TORCH_BINARY(op) template <typename __A> Tensor operator op(const Tensor &, const __A &); inline Tensor operator op(float, const Tensor &);
GRADINE_TORCH_BINARY(+) GRADINE_TORCH_BINARY(-) GRADINE_TORCH_BINARY(*) GRADINE_TORCH_BINARY(/) GRADINE_TORCH_BINARY(==) GRADINE_TORCH_BINARY(!=) GRADINE_TORCH_BINARY(<) GRADINE_TORCH_BINARY(>) GRADINE_TORCH_BINARY(<=) GRADINE_TORCH_BINARY(>=)
#undef GRADINE_TORCH_BINARY
template <typename __A> Tensor &operator+=(Tensor &, const __A &);
template <typename __A> Tensor &operator*=(Tensor &, const __A &);
#define GRADINE_TORCH_FUNCTION(__F) template <typename... __A> Tensor __F(__A &&...); Tensor __F(std::initializer_list<int64_t>, TensorOptions = {}); template <typename __T> Tensor __F(Tensor, std::initializer_list<__T>, TensorOptions = {});
GRADINE_TORCH_FUNCTION(empty) GRADINE_TORCH_FUNCTION(zeros) GRADINE_TORCH_FUNCTION(ones) GRADINE_TORCH_FUNCTION(full) Tensor full(std::initializer_list<int64_t>, Scalar, TensorOptions = {}); GRADINE_TORCH_FUNCTION(rand) GRADINE_TORCH_FUNCTION(randn) GRADINE_TORCH_FUNCTION(randint) GRADINE_TORCH_FUNCTION(arange) GRADINE_TORCH_FUNCTION(linspace) GRADINE_TORCH_FUNCTION(eye) GRADINE_TORCH_FUNCTION(tensor) GRADINE_TORCH_FUNCTION(from_blob) GRADINE_TORCH_FUNCTION(empty_like) GRADINE_TORCH_FUNCTION(zeros_like) GRADINE_TORCH_FUNCTION(ones_like) GRADINE_TORCH_FUNCTION(full_like) GRADINE_TORCH_FUNCTION(rand_like) GRADINE_TORCH_FUNCTION(randn_like) GRADINE_TORCH_FUNCTION(empty_strided) GRADINE_TORCH_FUNCTION(cat) GRADINE_TORCH_FUNCTION(stack) GRADINE_TORCH_FUNCTION(matmul) GRADINE_TORCH_FUNCTION(mm) GRADINE_TORCH_FUNCTION(bmm) GRADINE_TORCH_FUNCTION(addmm) GRADINE_TORCH_FUNCTION(sum) GRADINE_TORCH_FUNCTION(mean) GRADINE_TORCH_FUNCTION(exp) GRADINE_TORCH_FUNCTION(log) GRADINE_TORCH_FUNCTION(sqrt) GRADINE_TORCH_FUNCTION(sigmoid) GRADINE_TORCH_FUNCTION(tanh) GRADINE_TORCH_FUNCTION(relu) GRADINE_TORCH_FUNCTION(softmax) GRADINE_TORCH_FUNCTION(abs) GRADINE_TORCH_FUNCTION(max) GRADINE_TORCH_FUNCTION(min) GRADINE_TORCH_FUNCTION(where) GRADINE_TORCH_FUNCTION(cumsum) GRADINE_TORCH_FUNCTION(conv2d) GRADINE_TORCH_FUNCTION(linear) GRADINE_TORCH_FUNCTION(layer_norm) GRADINE_TORCH_FUNCTION(argsort) GRADINE_TORCH_FUNCTION(einsum) GRADINE_TORCH_FUNCTION(transpose) GRADINE_TORCH_FUNCTION(reshape) GRADINE_TORCH_FUNCTION(scalar_tensor) GRADINE_TORCH_FUNCTION(logical_and) GRADINE_TORCH_FUNCTION(bitwise_and) GRADINE_TORCH_FUNCTION(pow) GRADINE_TORCH_FUNCTION(clamp) GRADINE_TORCH_FUNCTION(gelu) GRADINE_TORCH_FUNCTION(silu) GRADINE_TORCH_FUNCTION(constant_pad_nd)
#undef GRADINE_TORCH_FUNCTION
template <typename... __A> bool allclose(__A &&...);
template <typename... __A> void manual_seed(__A &&...);
struct PhiloxCudaState { uint64_t seed_, offset_; };
template <typename __T> struct OpMathType { typedef __T type; };
template <> struct OpMathType<c10::Half> { typedef float type; };
template <> struct OpMathType<c10::BFloat16> { typedef float type; };
template <typename __T> using opmath_type = typename OpMathType<__T>::type;
template <typename __T, bool __C> struct AccumulateType { typedef __T type; };
template <> struct AccumulateType<c10::Half, true> { typedef float type; };
template <> struct AccumulateType<c10::BFloat16, true> { typedef float type; };
template <typename __T, bool __C> using acc_type = typename AccumulateType<__T, __C>::type;
template <typename __T> __host__ __device__ __T ceil_div(__T a, __T b) { return (a + b - 1) / b; }
struct IntDivider { template <typename... __A> IntDivider(__A &&...); };
namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(int);
struct gradine_blas; gradine_blas *getCurrentCUDABlasHandle();
int warp_size();
namespace detail { Generator *getDefaultCUDAGenerator(int = -1); struct TensorInfoBase; }
namespace philox { __device__ std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState); }
template <typename __T> __device__ __T *gradine_shared();
}
namespace native { using namespace at; }
}
template <typename __T> static inline __device__ void gpuAtomicAdd(__T *p, __T v) { atomicAdd(p, v); }
template <typename __T> static inline __device__ void gpuAtomicAddNoReturn(__T *p, __T v) { atomicAdd(p, v); }
template <typename __T> static inline __device__ __T WARP_SHFL_DOWN(__T v, unsigned d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_down_sync(m, v, d, w); }
template <typename __T> static inline __device__ __T WARP_SHFL_XOR(__T v, int d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_xor_sync(m, v, d, w); }
template <typename __T> static inline __device__ __T WARP_SHFL_UP(__T v, unsigned d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_up_sync(m, v, d, w); }
template <typename __T> static inline __device__ __T WARP_SHFL(__T v, int d, int w = warpSize, unsigned m = 0xffffffff) { return __shfl_sync(m, v, d, w); }
namespace torch {
using namespace at;
using at::Tensor; using at::empty; using at::zeros;
using TensorList = std::vector<Tensor>;
using Dtype = at::ScalarType;
GRADINE_TORCH_KINDS
namespace indexing { using c10::Any; struct Slice { template <typename... __A> Slice(__A &&...); }; struct None_ {}; extern None_ None; extern None_ Ellipsis; }
namespace autograd { struct AutogradContext { template <typename... __A> void save_for_backward(__A &&...); std::vector<Tensor> get_saved_variables(); std::unordered_map<std::string, c10::Scalar> saved_data; }; using tensor_list = std::vector<Tensor>; using variable_list = std::vector<Tensor>; using Variable = Tensor; template <typename __T> struct Function { template <typename... __A> static Tensor apply(__A &&...); }; }
namespace cuda { using namespace at::cuda; bool is_available(); int device_count(); void synchronize(int = -1); }
namespace nn { namespace functional { template <typename... __A> at::Tensor relu(__A &&...); template <typename... __A> at::Tensor softmax(__A &&...); template <typename... __A> at::Tensor pad(__A &&...); } }
struct Library { template <typename... __A> Library &def(__A &&...); template <typename... __A> Library &impl(__A &&...); };
template <typename... __A> void gradine_check(__A &&...);
struct NoGradGuard { NoGradGuard(); };
using InferenceMode = NoGradGuard;
}
#undef GRADINE_TORCH_KIND
#undef GRADINE_TORCH_KINDS
namespace pybind11 { struct module_ { template <typename... __A> module_ &def(__A &&...); template <typename... __A> module_ &attr(__A &&...); template <typename __T> module_ &operator=(__T &&); module_ def_submodule(const char *); const char *doc(); }; typedef module_ module; struct arg { arg(const char *); template <typename __T> arg &operator=(__T &&); arg &none(); }; struct object { template <typename __T> __T cast() const; }; struct none {}; struct tuple {}; struct list {}; struct dict {}; template <typename __T, typename... __O> struct class_ { template <typename... __A> class_(__A &&...); template <typename... __A> class_ &def(__A &&...); template <typename... __A> class_ &def_readwrite(__A &&...); template <typename... __A> class_ &def_readonly(__A &&...); template <typename... __A> class_ &def_static(__A &&...); }; template <typename... __A> struct init {}; template <typename __T> struct call_guard {}; struct gil_scoped_release {}; template <typename __T, int __F = 0> struct array_t { __T *mutable_data() const; const __T *data() const; size_t size() const; struct info { void *ptr; std::vector<ssize_t> shape, strides; size_t size; int ndim; }; info request() const; array_t(size_t); array_t(); template <typename __S> array_t(__S); }; struct array { enum { c_style, forcecast }; }; typedef array_t<char>::info buffer_info; inline arg operator""_a(const char *, size_t); namespace literals { using pybind11::operator""_a; } }
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
#define GRADINE_DISPATCH(__T, ...) [&] { using scalar_t [[maybe_unused]] = __T; using index_t [[maybe_unused]] = __T; return (__VA_ARGS__)(); }()
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
