// What a HIP source sees without ROCm: the vectors and words that CUDA sources see, ids and
// barriers as HIP has them, and enough of the host API for launches to be parsed.
#ifndef GRADINE_HIP_H
#define GRADINE_HIP_H

#define __HIPCC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#define HIP_VERSION_MAJOR 5
#define HIP_VERSION_MINOR 0
#define HIP_VERSION 50000000
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define __launch_bounds__(...) __attribute__((launch_bounds(GRADINE_TWO(__VA_ARGS__, 0))))
#define GRADINE_TWO(__A, ...) __A
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(__N) __attribute__((aligned(__N)))
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(__T, name) extern __shared__ __T name[];
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) (kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#define GRADINE_CONST __device__ __attribute__((const, nothrow))
#include <__clang_hip_runtime_wrapper.h>
#include <cfloat>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <assert.h>
#if __clang_major__ < 15
#include <memory>
#define __noinline__ __attribute__((noinline))
#endif
#include "gradine/vectors.h"
#include "gradine/words.h"

extern "C" GRADINE_CONST size_t __ockl_get_local_id(unsigned int);
extern "C" GRADINE_CONST size_t __ockl_get_group_id(unsigned int);
extern "C" GRADINE_CONST size_t __ockl_get_local_size(unsigned int);
extern "C" GRADINE_CONST size_t __ockl_get_num_groups(unsigned int);
#define GRADINE_IDS(name, f)                                                                            \
  struct gradine_##name {                                                                               \
    __declspec(property(get = __x)) unsigned int x;                                                     \
    __declspec(property(get = __y)) unsigned int y;                                                     \
    __declspec(property(get = __z)) unsigned int z;                                                     \
    static inline __device__ __attribute__((always_inline)) unsigned int __x() { return f(0); }         \
    static inline __device__ __attribute__((always_inline)) unsigned int __y() { return f(1); }         \
    static inline __device__ __attribute__((always_inline)) unsigned int __z() { return f(2); }         \
    __device__ operator dim3() const { return dim3(__x(), __y(), __z()); }                              \
  };                                                                                                    \
  extern const __device__ __attribute__((weak)) gradine_##name name;
GRADINE_IDS(threadIdx, __ockl_get_local_id)
GRADINE_IDS(blockIdx, __ockl_get_group_id)
GRADINE_IDS(blockDim, __ockl_get_local_size)
GRADINE_IDS(gridDim, __ockl_get_num_groups)
#undef GRADINE_IDS
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
static inline __device__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// Fences, votes and shuffles of a wave have no body here: their width is that of the device.
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
extern const __device__ int warpSize;
template <typename __T> __device__ __T __shfl(__T, int, int = 64);
template <typename __T> __device__ __T __shfl_up(__T, unsigned, int = 64);
template <typename __T> __device__ __T __shfl_down(__T, unsigned, int = 64);
template <typename __T> __device__ __T __shfl_xor(__T, int, int = 64);
__device__ int __all(int);
__device__ int __any(int);
__device__ unsigned long long __ballot(int);
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
template <typename __T> static inline __device__ __T __ldg(const __T *p) { return *p; }
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void __assert_fail(const char *, const char *, unsigned, const char *);

#include "gradine/atomics.h"

enum hipError { hipSuccess = 0, hipErrorInvalidValue = 1, hipErrorMemoryAllocation = 2, hipErrorInitializationError = 3, hipErrorCudartUnloading = 4, hipErrorProfilerDisabled = 5, hipErrorInvalidConfiguration = 9, hipErrorInvalidPitchValue = 12, hipErrorInvalidSymbol = 13, hipErrorInvalidDevicePointer = 17, hipErrorInvalidTexture = 18, hipErrorInvalidMemcpyDirection = 21, hipErrorInsufficientDriver = 35, hipErrorDevicesUnavailable = 46, hipErrorInvalidDeviceFunction = 98, hipErrorNoDevice = 100, hipErrorInvalidDevice = 101, hipErrorInvalidKernelImage = 200, hipErrorPeerAccessUnsupported = 217, hipErrorInvalidResourceHandle = 400, hipErrorSymbolNotFound = 500, hipErrorNotReady = 600, hipErrorIllegalAddress = 700, hipErrorLaunchOutOfResources = 701, hipErrorLaunchTimeout = 702, hipErrorPeerAccessAlreadyEnabled = 704, hipErrorPeerAccessNotEnabled = 705, hipErrorAssert = 710, hipErrorTooManyPeers = 711, hipErrorHostMemoryAlreadyRegistered = 712, hipErrorHostMemoryNotRegistered = 713, hipErrorLaunchFailure = 719, hipErrorCooperativeLaunchTooLarge = 720, hipErrorNotPermitted = 800, hipErrorNotSupported = 801, hipErrorStreamCaptureUnsupported = 900, hipErrorStreamCaptureInvalidated = 901, hipErrorStreamCaptureIsolation = 905, hipErrorUnknown = 999 };
typedef hipError hipError_t;
enum hipMemcpyKind { hipMemcpyHostToHost = 0, hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2, hipMemcpyDeviceToDevice = 3, hipMemcpyDefault = 4 };
enum hipMemoryType { hipMemoryTypeUnregistered, hipMemoryTypeHost, hipMemoryTypeDevice, hipMemoryTypeManaged };
enum hipMemoryAdvise { hipMemAdviseSetReadMostly = 1, hipMemAdviseUnsetReadMostly, hipMemAdviseSetPreferredLocation, hipMemAdviseUnsetPreferredLocation, hipMemAdviseSetAccessedBy, hipMemAdviseUnsetAccessedBy };
enum hipLimit { hipLimitStackSize, hipLimitPrintfFifoSize, hipLimitMallocHeapSize, hipLimitDevRuntimeSyncDepth, hipLimitDevRuntimePendingLaunchCount, hipLimitMaxL2FetchGranularity, hipLimitPersistingL2CacheSize };
enum hipFuncCache { hipFuncCachePreferNone, hipFuncCachePreferShared, hipFuncCachePreferL1, hipFuncCachePreferEqual };
enum hipSharedMemConfig { hipSharedMemBankSizeDefault, hipSharedMemBankSizeFourByte, hipSharedMemBankSizeEightByte };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize = 8, hipFuncAttributePreferredSharedMemoryCarveout = 9, hipFuncAttributeClusterDimMustBeSet, hipFuncAttributeRequiredClusterWidth, hipFuncAttributeRequiredClusterHeight, hipFuncAttributeRequiredClusterDepth, hipFuncAttributeNonPortableClusterSizeAllowed };
enum hipSharedCarveout { hipSharedmemCarveoutDefault = -1, hipSharedmemCarveoutMaxShared = 100, hipSharedmemCarveoutMaxL1 = 0 };
enum hipComputeMode { hipComputeModeDefault, hipComputeModeExclusive, hipComputeModeProhibited, hipComputeModeExclusiveProcess };
enum hipStreamCaptureMode { hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed };
enum hipStreamCaptureStatus { hipStreamCaptureStatusNone, hipStreamCaptureStatusActive, hipStreamCaptureStatusInvalidated };
enum hipChannelFormatKind { hipChannelFormatKindSigned, hipChannelFormatKindUnsigned, hipChannelFormatKindFloat, hipChannelFormatKindNone };
enum hipTextureAddressMode { hipAddressModeWrap, hipAddressModeClamp, hipAddressModeMirror, hipAddressModeBorder };
enum hipTextureFilterMode { hipFilterModePoint, hipFilterModeLinear };
enum hipTextureReadMode { hipReadModeElementType, hipReadModeNormalizedFloat };
enum hipSurfaceBoundaryMode { hipBoundaryModeZero, hipBoundaryModeClamp, hipBoundaryModeTrap };
enum hipResourceType { hipResourceTypeArray, hipResourceTypeMipmappedArray, hipResourceTypeLinear, hipResourceTypePitch2D };
enum hipGraphNodeType { hipGraphNodeTypeKernel, hipGraphNodeTypeMemcpy, hipGraphNodeTypeMemset, hipGraphNodeTypeHost, hipGraphNodeTypeGraph, hipGraphNodeTypeEmpty };
enum hipGraphExecUpdateResult { hipGraphExecUpdateSuccess, hipGraphExecUpdateError };
enum hipMemPoolAttr { hipMemPoolReuseFollowEventDependencies = 1, hipMemPoolReuseAllowOpportunistic, hipMemPoolReuseAllowInternalDependencies, hipMemPoolAttrReleaseThreshold, hipMemPoolAttrReservedMemCurrent, hipMemPoolAttrReservedMemHigh, hipMemPoolAttrUsedMemCurrent, hipMemPoolAttrUsedMemHigh };
enum hipMemAllocationType { hipMemAllocationTypeInvalid, hipMemAllocationTypePinned };
enum hipMemAllocationHandleType { hipMemHandleTypeNone, hipMemHandleTypePosixFileDescriptor };
enum hipMemLocationType { hipMemLocationTypeInvalid, hipMemLocationTypeDevice };
enum hipMemAccessFlags { hipMemAccessFlagsProtNone, hipMemAccessFlagsProtRead, hipMemAccessFlagsProtReadWrite = 3 };
enum hipLaunchAttributeID { hipLaunchAttributeIgnore, hipLaunchAttributeAccessPolicyWindow, hipLaunchAttributeCooperative, hipLaunchAttributeSynchronizationPolicy, hipLaunchAttributeClusterDimension, hipLaunchAttributeClusterSchedulingPolicyPreference, hipLaunchAttributeProgrammaticStreamSerialization, hipLaunchAttributeProgrammaticEvent, hipLaunchAttributePriority, hipLaunchAttributeMemSyncDomainMap, hipLaunchAttributeMemSyncDomain };
enum hipAccessProperty { hipAccessPropertyNormal, hipAccessPropertyStreaming, hipAccessPropertyPersisting };
enum hipGraphicsRegisterFlags { hipGraphicsRegisterFlagsNone, hipGraphicsRegisterFlagsReadOnly, hipGraphicsRegisterFlagsWriteDiscard, hipGraphicsRegisterFlagsSurfaceLoadStore, hipGraphicsRegisterFlagsTextureGather };
enum hipGraphicsMapFlags { hipGraphicsMapFlagsNone, hipGraphicsMapFlagsReadOnly, hipGraphicsMapFlagsWriteDiscard };
enum hipDeviceAttr { hipDevAttrMaxThreadsPerBlock = 1, hipDevAttrMaxBlockDimX, hipDevAttrMaxBlockDimY, hipDevAttrMaxBlockDimZ, hipDevAttrMaxGridDimX, hipDevAttrMaxGridDimY, hipDevAttrMaxGridDimZ, hipDevAttrMaxSharedMemoryPerBlock, hipDevAttrTotalConstantMemory, hipDevAttrWarpSize, hipDevAttrMaxPitch, hipDevAttrMaxRegistersPerBlock, hipDevAttrClockRate, hipDevAttrTextureAlignment, hipDevAttrGpuOverlap, hipDevAttrMultiProcessorCount, hipDevAttrKernelExecTimeout, hipDevAttrIntegrated, hipDevAttrCanMapHostMemory, hipDevAttrComputeMode, hipDevAttrConcurrentKernels = 31, hipDevAttrEccEnabled, hipDevAttrPciBusId, hipDevAttrPciDeviceId, hipDevAttrMemoryClockRate = 36, hipDevAttrGlobalMemoryBusWidth, hipDevAttrL2CacheSize, hipDevAttrMaxThreadsPerMultiProcessor, hipDevAttrAsyncEngineCount, hipDevAttrUnifiedAddressing, hipDevAttrComputeCapabilityMajor = 75, hipDevAttrComputeCapabilityMinor, hipDevAttrStreamPrioritiesSupported, hipDevAttrMaxSharedMemoryPerMultiprocessor = 81, hipDevAttrMaxRegistersPerMultiprocessor, hipDevAttrManagedMemory, hipDevAttrIsMultiGpuBoard, hipDevAttrPageableMemoryAccess = 88, hipDevAttrConcurrentManagedAccess, hipDevAttrCooperativeLaunch = 95, hipDevAttrCooperativeMultiDeviceLaunch, hipDevAttrMaxSharedMemoryPerBlockOptin, hipDevAttrHostNativeAtomicSupported, hipDevAttrPageableMemoryAccessUsesHostPageTables, hipDevAttrMemoryPoolsSupported = 115, hipDevAttrHostRegisterSupported, hipDevAttrComputePreemptionSupported, hipDevAttrClusterLaunch = 120, hipDevAttrVirtualMemoryManagementSupported, hipDevAttrMemoryPoolSupportedHandleTypes, hipDevAttrDirectManagedMemAccessFromHost, hipDevAttrMaxBlocksPerMultiprocessor };
enum hipDeviceP2PAttr { hipDevP2PAttrPerformanceRank = 1, hipDevP2PAttrAccessSupported, hipDevP2PAttrNativeAtomicSupported, hipDevP2PAttrCudaArrayAccessSupported };
enum gradine_flags { hipEventDefault = 0, hipEventBlockingSync = 1, hipEventDisableTiming = 2, hipEventInterprocess = 4, hipEventRecordDefault = 0, hipEventWaitDefault = 0, hipStreamDefault = 0, hipStreamNonBlocking = 1, hipHostAllocDefault = 0, hipHostAllocPortable = 1, hipHostAllocMapped = 2, hipHostAllocWriteCombined = 4, hipHostRegisterDefault = 0, hipHostRegisterPortable = 1, hipHostRegisterMapped = 2, hipHostRegisterIoMemory = 4, hipHostRegisterReadOnly = 8, hipMemAttachGlobal = 1, hipMemAttachHost = 2, hipMemAttachSingle = 4, hipDeviceScheduleAuto = 0, hipDeviceScheduleSpin = 1, hipDeviceScheduleYield = 2, hipDeviceScheduleBlockingSync = 4, hipDeviceBlockingSync = 4, hipDeviceMapHost = 8, hipDeviceLmemResizeToMax = 16, hipArrayDefault = 0, hipArrayLayered = 1, hipArraySurfaceLoadStore = 2, hipArrayCubemap = 4, hipArrayTextureGather = 8, hipOccupancyDefault = 0, hipOccupancyDisableCachingOverride = 1, hipIpcMemLazyEnablePeerAccess = 1, hipCpuDeviceId = -1, hipInvalidDeviceId = -2, hipGraphInstantiateFlagAutoFreeOnLaunch = 1, hipGraphInstantiateFlagDeviceLaunch = 4, hipStreamCaptureToGraph = 0, hipEnableDefault = 0, hipEnablePerThreadDefaultStream = 2 };
typedef struct gradine_Stream *hipStream_t;
typedef struct gradine_Event *hipEvent_t;
typedef struct gradine_Graph *hipGraph_t;
typedef struct gradine_GraphExec *hipGraphExec_t;
typedef struct gradine_GraphNode *hipGraphNode_t;
typedef struct gradine_MemPool *hipMemPool_t;
typedef struct gradine_Array *hipArray_t;
typedef struct gradine_MipmappedArray *hipMipmappedArray_t;
typedef struct gradine_GraphicsResource *hipGraphicsResource_t;
typedef struct gradine_ExternalMemory *hipExternalMemory_t;
typedef struct gradine_ExternalSemaphore *hipExternalSemaphore_t;
typedef struct gradine_Function *hipFunction_t;
typedef struct gradine_UserObject *hipUserObject_t;
typedef struct gradine_Array const *hipArray_const_t;
typedef struct gradine_Array hipArray;
typedef struct gradine_GraphicsResource hipGraphicsResource;
typedef unsigned long long hipTextureObject_t, hipSurfaceObject_t, hipGraphConditionalHandle;
typedef void (*hipHostFn_t)(void *);
typedef void (*hipStreamCallback_t)(hipStream_t, hipError_t, void *);
#define hipStreamLegacy ((hipStream_t)1)
#define hipStreamPerThread ((hipStream_t)2)
#define hipTextureType1D 1
#define hipTextureType2D 2
#define hipTextureType3D 3
#define hipTextureTypeCubemap 12
#define hipTextureType1DLayered 241
#define hipTextureType2DLayered 242
#define hipTextureTypeCubemapLayered 252
#define hipSurfaceType1D 1
#define hipSurfaceType2D 2
#define hipSurfaceType3D 3
#define hipSurfaceType2DLayered 242

struct hipUUID_t { char bytes[16]; };
struct hipIpcMemHandle_t { char reserved[64]; };
struct hipIpcEventHandle_t { char reserved[64]; };
struct hipExtent { size_t width, height, depth; };
struct hipPos { size_t x, y, z; };
struct hipPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct hipChannelFormatDesc { int x, y, z, w; hipChannelFormatKind f; };
struct hipMemcpy3DParms { hipArray_t srcArray; hipPos srcPos; hipPitchedPtr srcPtr; hipArray_t dstArray; hipPos dstPos; hipPitchedPtr dstPtr; hipExtent extent; hipMemcpyKind kind; };
struct hipMemcpy3DPeerParms { hipArray_t srcArray; hipPos srcPos; hipPitchedPtr srcPtr; int srcDevice; hipArray_t dstArray; hipPos dstPos; hipPitchedPtr dstPtr; int dstDevice; hipExtent extent; };
struct hipResourceDesc { hipResourceType resType; union { struct { hipArray_t array; } array; struct { hipMipmappedArray_t mipmap; } mipmap; struct { void *devPtr; hipChannelFormatDesc desc; size_t sizeInBytes; } linear; struct { void *devPtr; hipChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D; } res; };
struct hipTextureDesc { hipTextureAddressMode addressMode[3]; hipTextureFilterMode filterMode; hipTextureReadMode readMode; int sRGB; float borderColor[4]; int normalizedCoords; unsigned maxAnisotropy; hipTextureFilterMode mipmapFilterMode; float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp; };
struct hipResourceViewDesc { int format; size_t width, height, depth; unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer; };
struct textureReference { int normalized; hipTextureFilterMode filterMode; hipTextureAddressMode addressMode[3]; hipChannelFormatDesc channelDesc; int sRGB; unsigned maxAnisotropy; hipTextureFilterMode mipmapFilterMode; float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp; };
struct surfaceReference { hipChannelFormatDesc channelDesc; };
struct hipFuncAttributes { size_t sharedSizeBytes, constSizeBytes, localSizeBytes; int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout; };
struct hipPointerAttributes { hipMemoryType type, memoryType; int device; void *devicePointer, *hostPointer; };
struct hipMemLocation { hipMemLocationType type; int id; };
struct hipMemPoolProps { hipMemAllocationType allocType; hipMemAllocationHandleType handleTypes; hipMemLocation location; void *win32SecurityAttributes; size_t maxSize; unsigned char reserved[56]; };
struct hipMemAccessDesc { hipMemLocation location; hipMemAccessFlags flags; };
struct hipMemPoolPtrExportData { unsigned char reserved[64]; };
struct hipAccessPolicyWindow { void *base_ptr; size_t num_bytes; float hitRatio; hipAccessProperty hitProp, missProp; };
union hipLaunchAttributeValue { hipAccessPolicyWindow accessPolicyWindow; int cooperative; struct { unsigned x, y, z; } clusterDim; int programmaticStreamSerializationAllowed, priority; };
typedef hipLaunchAttributeValue hipStreamAttrValue, hipKernelNodeAttrValue;
typedef hipLaunchAttributeID hipStreamAttrID, hipKernelNodeAttrID;
#define hipStreamAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define hipKernelNodeAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
struct hipLaunchAttribute { hipLaunchAttributeID id; hipLaunchAttributeValue val; };
struct hipLaunchConfig_t { dim3 gridDim, blockDim; size_t dynamicSmemBytes; hipStream_t stream; hipLaunchAttribute *attrs; unsigned numAttrs; };
struct hipLaunchParams { void *func; dim3 gridDim, blockDim; void **args; size_t sharedMem; hipStream_t stream; };
struct hipKernelNodeParams { void *func; dim3 gridDim, blockDim; unsigned sharedMemBytes; void **kernelParams, **extra; };
struct hipMemsetParams { void *dst; size_t pitch; unsigned value, elementSize; size_t width, height; };
struct hipHostNodeParams { hipHostFn_t fn; void *userData; };
struct hipMemAllocNodeParams { hipMemPoolProps poolProps; const hipMemAccessDesc *accessDescs; size_t accessDescCount, bytesize; void *dptr; };
struct hipGraphExecUpdateResultInfo { hipGraphExecUpdateResult result; hipGraphNode_t errorNode, errorFromNode; };
struct hipExternalMemoryHandleDesc { int type; union { int fd; struct { void *handle; const void *name; } win32; } handle; unsigned long long size; unsigned flags; };
struct hipExternalSemaphoreHandleDesc { int type; union { int fd; struct { void *handle; const void *name; } win32; } handle; unsigned flags; };
struct hipDeviceProp {
  char name[256]; hipUUID_t uuid; size_t totalGlobalMem, sharedMemPerBlock; int regsPerBlock, warpSize; size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate; size_t totalConstMem; int major, minor; size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, maxTexture1D, maxTexture1DLinear, maxTexture2D[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
  size_t surfaceAlignment; int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor; int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin; int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize; size_t reservedSharedMemPerBlock; int hostRegisterSupported, memoryPoolsSupported, clusterLaunch, unifiedFunctionPointers; char gcnArchName[256];
};

extern "C" hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);
extern "C" hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);

#define GRADINE_API(__F) template <typename... __A> __host__ hipError_t hip##__F(__A &&...);
GRADINE_API(__F)
GRADINE_API(Malloc)
GRADINE_API(MallocHost)
GRADINE_API(MallocManaged)
GRADINE_API(MallocPitch)
GRADINE_API(MallocArray)
GRADINE_API(Malloc3D)
GRADINE_API(Malloc3DArray)
GRADINE_API(MallocAsync)
GRADINE_API(MallocFromPoolAsync)
GRADINE_API(MallocMipmappedArray)
GRADINE_API(Free)
GRADINE_API(FreeHost)
GRADINE_API(FreeArray)
GRADINE_API(FreeAsync)
GRADINE_API(FreeMipmappedArray)
GRADINE_API(HostAlloc)
GRADINE_API(HostRegister)
GRADINE_API(HostUnregister)
GRADINE_API(HostGetDevicePointer)
GRADINE_API(HostGetFlags)
GRADINE_API(Memcpy)
GRADINE_API(MemcpyAsync)
GRADINE_API(Memcpy2D)
GRADINE_API(Memcpy2DAsync)
GRADINE_API(Memcpy2DToArray)
GRADINE_API(Memcpy2DFromArray)
GRADINE_API(Memcpy2DArrayToArray)
GRADINE_API(Memcpy2DToArrayAsync)
GRADINE_API(Memcpy2DFromArrayAsync)
GRADINE_API(Memcpy3D)
GRADINE_API(Memcpy3DAsync)
GRADINE_API(Memcpy3DPeer)
GRADINE_API(Memcpy3DPeerAsync)
GRADINE_API(MemcpyPeer)
GRADINE_API(MemcpyPeerAsync)
GRADINE_API(MemcpyToSymbol)
GRADINE_API(MemcpyToSymbolAsync)
GRADINE_API(MemcpyFromSymbol)
GRADINE_API(MemcpyFromSymbolAsync)
GRADINE_API(MemcpyToArray)
GRADINE_API(MemcpyToArrayAsync)
GRADINE_API(MemcpyFromArray)
GRADINE_API(MemcpyArrayToArray)
GRADINE_API(Memset)
GRADINE_API(MemsetAsync)
GRADINE_API(Memset2D)
GRADINE_API(Memset2DAsync)
GRADINE_API(Memset3D)
GRADINE_API(Memset3DAsync)
GRADINE_API(MemGetInfo)
GRADINE_API(MemPrefetchAsync)
GRADINE_API(MemAdvise)
GRADINE_API(MemRangeGetAttribute)
GRADINE_API(MemPoolCreate)
GRADINE_API(MemPoolDestroy)
GRADINE_API(MemPoolSetAttribute)
GRADINE_API(MemPoolGetAttribute)
GRADINE_API(MemPoolTrimTo)
GRADINE_API(MemPoolSetAccess)
GRADINE_API(MemPoolExportToShareableHandle)
GRADINE_API(MemPoolImportFromShareableHandle)
GRADINE_API(MemPoolExportPointer)
GRADINE_API(MemPoolImportPointer)
GRADINE_API(DeviceSynchronize)
GRADINE_API(DeviceReset)
GRADINE_API(DeviceSetLimit)
GRADINE_API(DeviceGetLimit)
GRADINE_API(DeviceGetAttribute)
GRADINE_API(DeviceCanAccessPeer)
GRADINE_API(DeviceEnablePeerAccess)
GRADINE_API(DeviceDisablePeerAccess)
GRADINE_API(DeviceSetCacheConfig)
GRADINE_API(DeviceGetCacheConfig)
GRADINE_API(DeviceSetSharedMemConfig)
GRADINE_API(DeviceGetSharedMemConfig)
GRADINE_API(DeviceGetDefaultMemPool)
GRADINE_API(DeviceGetMemPool)
GRADINE_API(DeviceSetMemPool)
GRADINE_API(DeviceGetStreamPriorityRange)
GRADINE_API(DeviceGetByPCIBusId)
GRADINE_API(DeviceGetPCIBusId)
GRADINE_API(DeviceGetP2PAttribute)
GRADINE_API(DeviceFlushGPUDirectRDMAWrites)
GRADINE_API(ThreadSynchronize)
GRADINE_API(ThreadExit)
GRADINE_API(SetDevice)
GRADINE_API(GetDevice)
GRADINE_API(GetDeviceCount)
GRADINE_API(GetDeviceProperties)
GRADINE_API(GetDeviceProperties_v2)
GRADINE_API(ChooseDevice)
GRADINE_API(SetDeviceFlags)
GRADINE_API(GetDeviceFlags)
GRADINE_API(SetValidDevices)
GRADINE_API(InitDevice)
GRADINE_API(StreamCreate)
GRADINE_API(StreamCreateWithFlags)
GRADINE_API(StreamCreateWithPriority)
GRADINE_API(StreamDestroy)
GRADINE_API(StreamSynchronize)
GRADINE_API(StreamQuery)
GRADINE_API(StreamWaitEvent)
GRADINE_API(StreamAddCallback)
GRADINE_API(StreamAttachMemAsync)
GRADINE_API(StreamBeginCapture)
GRADINE_API(StreamEndCapture)
GRADINE_API(StreamIsCapturing)
GRADINE_API(StreamGetCaptureInfo)
GRADINE_API(StreamGetPriority)
GRADINE_API(StreamGetFlags)
GRADINE_API(StreamSetAttribute)
GRADINE_API(StreamGetAttribute)
GRADINE_API(StreamGetDevice)
GRADINE_API(StreamBeginCaptureToGraph)
GRADINE_API(StreamUpdateCaptureDependencies)
GRADINE_API(StreamCopyAttributes)
GRADINE_API(ThreadExchangeStreamCaptureMode)
GRADINE_API(LaunchHostFunc)
GRADINE_API(CtxResetPersistingL2Cache)
GRADINE_API(EventCreate)
GRADINE_API(EventCreateWithFlags)
GRADINE_API(EventDestroy)
GRADINE_API(EventRecord)
GRADINE_API(EventRecordWithFlags)
GRADINE_API(EventSynchronize)
GRADINE_API(EventElapsedTime)
GRADINE_API(EventQuery)
GRADINE_API(GraphCreate)
GRADINE_API(GraphDestroy)
GRADINE_API(GraphInstantiate)
GRADINE_API(GraphInstantiateWithFlags)
GRADINE_API(GraphLaunch)
GRADINE_API(GraphExecDestroy)
GRADINE_API(GraphExecUpdate)
GRADINE_API(GraphAddKernelNode)
GRADINE_API(GraphAddMemcpyNode)
GRADINE_API(GraphAddMemsetNode)
GRADINE_API(GraphAddHostNode)
GRADINE_API(GraphAddEmptyNode)
GRADINE_API(GraphAddChildGraphNode)
GRADINE_API(GraphAddDependencies)
GRADINE_API(GraphAddMemAllocNode)
GRADINE_API(GraphAddMemFreeNode)
GRADINE_API(GraphAddNode)
GRADINE_API(GraphClone)
GRADINE_API(GraphGetNodes)
GRADINE_API(GraphGetRootNodes)
GRADINE_API(GraphGetEdges)
GRADINE_API(GraphUpload)
GRADINE_API(GraphExecKernelNodeSetParams)
GRADINE_API(GraphKernelNodeGetParams)
GRADINE_API(GraphKernelNodeSetParams)
GRADINE_API(GraphNodeGetType)
GRADINE_API(GraphNodeGetDependencies)
GRADINE_API(GraphKernelNodeSetAttribute)
GRADINE_API(GraphKernelNodeGetAttribute)
GRADINE_API(GraphExecMemcpyNodeSetParams)
GRADINE_API(GraphConditionalHandleCreate)
GRADINE_API(DeviceGraphMemTrim)
GRADINE_API(DeviceGetGraphMemAttribute)
GRADINE_API(DeviceSetGraphMemAttribute)
GRADINE_API(GraphDebugDotPrint)
GRADINE_API(UserObjectCreate)
GRADINE_API(GraphRetainUserObject)
GRADINE_API(FuncSetAttribute)
GRADINE_API(FuncGetAttributes)
GRADINE_API(FuncSetCacheConfig)
GRADINE_API(FuncSetSharedMemConfig)
GRADINE_API(FuncGetName)
GRADINE_API(GetFuncBySymbol)
GRADINE_API(OccupancyMaxActiveBlocksPerMultiprocessor)
GRADINE_API(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
GRADINE_API(OccupancyMaxPotentialBlockSize)
GRADINE_API(OccupancyMaxPotentialBlockSizeVariableSMem)
GRADINE_API(OccupancyMaxPotentialBlockSizeWithFlags)
GRADINE_API(OccupancyAvailableDynamicSMemPerBlock)
GRADINE_API(OccupancyMaxActiveClusters)
GRADINE_API(OccupancyMaxPotentialClusterSize)
GRADINE_API(LaunchKernel)
GRADINE_API(LaunchKernelEx)
GRADINE_API(LaunchKernelExC)
GRADINE_API(LaunchCooperativeKernel)
GRADINE_API(LaunchCooperativeKernelMultiDevice)
GRADINE_API(CreateTextureObject)
GRADINE_API(DestroyTextureObject)
GRADINE_API(CreateSurfaceObject)
GRADINE_API(DestroySurfaceObject)
GRADINE_API(BindTexture)
GRADINE_API(BindTexture2D)
GRADINE_API(BindTextureToArray)
GRADINE_API(BindTextureToMipmappedArray)
GRADINE_API(BindSurfaceToArray)
GRADINE_API(UnbindTexture)
GRADINE_API(GetTextureReference)
GRADINE_API(GetTextureAlignmentOffset)
GRADINE_API(GetTextureObjectResourceDesc)
GRADINE_API(GetTextureObjectTextureDesc)
GRADINE_API(GetChannelDesc)
GRADINE_API(ArrayGetInfo)
GRADINE_API(ArrayGetPlane)
GRADINE_API(GetMipmappedArrayLevel)
GRADINE_API(GetSymbolAddress)
GRADINE_API(GetSymbolSize)
GRADINE_API(PointerGetAttributes)
GRADINE_API(Graphics)
GRADINE_API(GraphicsMapResources)
GRADINE_API(GraphicsUnmapResources)
GRADINE_API(GraphicsResourceGetMappedPointer)
GRADINE_API(GraphicsResourceGetMappedMipmappedArray)
GRADINE_API(GraphicsSubResourceGetMappedArray)
GRADINE_API(GraphicsUnregisterResource)
GRADINE_API(GraphicsResourceSetMapFlags)
GRADINE_API(ImportExternalMemory)
GRADINE_API(ImportExternalSemaphore)
GRADINE_API(DestroyExternalMemory)
GRADINE_API(DestroyExternalSemaphore)
GRADINE_API(SignalExternalSemaphoresAsync)
GRADINE_API(WaitExternalSemaphoresAsync)
GRADINE_API(ExternalMemoryGetMappedBuffer)
GRADINE_API(ExternalMemoryGetMappedMipmappedArray)
GRADINE_API(IpcGetMemHandle)
GRADINE_API(IpcOpenMemHandle)
GRADINE_API(IpcCloseMemHandle)
GRADINE_API(IpcGetEventHandle)
GRADINE_API(IpcOpenEventHandle)
GRADINE_API(DriverGetVersion)
GRADINE_API(RuntimeGetVersion)
GRADINE_API(ProfilerStart)
GRADINE_API(ProfilerStop)
GRADINE_API(ProfilerInitialize)
GRADINE_API(GetDriverEntryPoint)
GRADINE_API(GetLastError) GRADINE_API(PeekAtLastError) GRADINE_API(ModuleLoad) GRADINE_API(ModuleGetFunction) GRADINE_API(ModuleLaunchKernel)
#undef GRADINE_API
typedef hipDeviceProp hipDeviceProp_t;
__host__ const char *hipGetErrorString(hipError_t);
__host__ const char *hipGetErrorName(hipError_t);
#endif
