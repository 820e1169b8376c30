// The host part of the CUDA runtime: enough for launches to be parsed. Nothing of
// it is run.
#ifndef GRADINE_RUNTIME_H
#define GRADINE_RUNTIME_H

enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3, cudaErrorCudartUnloading = 4, cudaErrorProfilerDisabled = 5, cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12, cudaErrorInvalidSymbol = 13, cudaErrorInvalidDevicePointer = 17, cudaErrorInvalidTexture = 18, cudaErrorInvalidMemcpyDirection = 21, cudaErrorInsufficientDriver = 35, cudaErrorDevicesUnavailable = 46, cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101, cudaErrorInvalidKernelImage = 200, cudaErrorPeerAccessUnsupported = 217, cudaErrorInvalidResourceHandle = 400, cudaErrorSymbolNotFound = 500, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700, cudaErrorLaunchOutOfResources = 701, cudaErrorLaunchTimeout = 702, cudaErrorPeerAccessAlreadyEnabled = 704, cudaErrorPeerAccessNotEnabled = 705, cudaErrorAssert = 710, cudaErrorTooManyPeers = 711, cudaErrorHostMemoryAlreadyRegistered = 712, cudaErrorHostMemoryNotRegistered = 713, cudaErrorLaunchFailure = 719, cudaErrorCooperativeLaunchTooLarge = 720, cudaErrorNotPermitted = 800, cudaErrorNotSupported = 801, cudaErrorStreamCaptureUnsupported = 900, cudaErrorStreamCaptureInvalidated = 901, cudaErrorStreamCaptureIsolation = 905, cudaErrorUnknown = 999 };
typedef cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost = 0, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3, cudaMemcpyDefault = 4 };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncAttributeClusterDimMustBeSet, cudaFuncAttributeRequiredClusterWidth, cudaFuncAttributeRequiredClusterHeight, cudaFuncAttributeRequiredClusterDepth, cudaFuncAttributeNonPortableClusterSizeAllowed };
enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0 };
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated };
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaGraphNodeType { cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost, cudaGraphNodeTypeGraph, cudaGraphNodeTypeEmpty };
enum cudaGraphExecUpdateResult { cudaGraphExecUpdateSuccess, cudaGraphExecUpdateError };
enum cudaMemPoolAttr { cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic, cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh };
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone, cudaMemHandleTypePosixFileDescriptor };
enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice };
enum cudaMemAccessFlags { cudaMemAccessFlagsProtNone, cudaMemAccessFlagsProtRead, cudaMemAccessFlagsProtReadWrite = 3 };
enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative, cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension, cudaLaunchAttributeClusterSchedulingPolicyPreference, cudaLaunchAttributeProgrammaticStreamSerialization, cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributePriority, cudaLaunchAttributeMemSyncDomainMap, cudaLaunchAttributeMemSyncDomain };
enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
enum cudaGraphicsRegisterFlags { cudaGraphicsRegisterFlagsNone, cudaGraphicsRegisterFlagsReadOnly, cudaGraphicsRegisterFlagsWriteDiscard, cudaGraphicsRegisterFlagsSurfaceLoadStore, cudaGraphicsRegisterFlagsTextureGather };
enum cudaGraphicsMapFlags { cudaGraphicsMapFlagsNone, cudaGraphicsMapFlagsReadOnly, cudaGraphicsMapFlagsWriteDiscard };
enum cudaDeviceAttr { cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ, cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ, cudaDevAttrMaxSharedMemoryPerBlock, cudaDevAttrTotalConstantMemory, cudaDevAttrWarpSize, cudaDevAttrMaxPitch, cudaDevAttrMaxRegistersPerBlock, cudaDevAttrClockRate, cudaDevAttrTextureAlignment, cudaDevAttrGpuOverlap, cudaDevAttrMultiProcessorCount, cudaDevAttrKernelExecTimeout, cudaDevAttrIntegrated, cudaDevAttrCanMapHostMemory, cudaDevAttrComputeMode, cudaDevAttrConcurrentKernels = 31, cudaDevAttrEccEnabled, cudaDevAttrPciBusId, cudaDevAttrPciDeviceId, cudaDevAttrMemoryClockRate = 36, cudaDevAttrGlobalMemoryBusWidth, cudaDevAttrL2CacheSize, cudaDevAttrMaxThreadsPerMultiProcessor, cudaDevAttrAsyncEngineCount, cudaDevAttrUnifiedAddressing, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor, cudaDevAttrStreamPrioritiesSupported, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrMaxRegistersPerMultiprocessor, cudaDevAttrManagedMemory, cudaDevAttrIsMultiGpuBoard, cudaDevAttrPageableMemoryAccess = 88, cudaDevAttrConcurrentManagedAccess, cudaDevAttrCooperativeLaunch = 95, cudaDevAttrCooperativeMultiDeviceLaunch, cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrHostNativeAtomicSupported, cudaDevAttrPageableMemoryAccessUsesHostPageTables, cudaDevAttrMemoryPoolsSupported = 115, cudaDevAttrHostRegisterSupported, cudaDevAttrComputePreemptionSupported, cudaDevAttrClusterLaunch = 120, cudaDevAttrVirtualMemoryManagementSupported, cudaDevAttrMemoryPoolSupportedHandleTypes, cudaDevAttrDirectManagedMemAccessFromHost, cudaDevAttrMaxBlocksPerMultiprocessor };
enum cudaDeviceP2PAttr { cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported, cudaDevP2PAttrNativeAtomicSupported, cudaDevP2PAttrCudaArrayAccessSupported };
enum gradine_flags { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4, cudaEventRecordDefault = 0, cudaEventWaitDefault = 0, cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4, cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2, cudaHostRegisterIoMemory = 4, cudaHostRegisterReadOnly = 8, cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4, cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2, cudaDeviceScheduleBlockingSync = 4, cudaDeviceBlockingSync = 4, cudaDeviceMapHost = 8, cudaDeviceLmemResizeToMax = 16, cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayCubemap = 4, cudaArrayTextureGather = 8, cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1, cudaIpcMemLazyEnablePeerAccess = 1, cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2, cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, cudaGraphInstantiateFlagDeviceLaunch = 4, cudaStreamCaptureToGraph = 0, cudaEnableDefault = 0, cudaEnablePerThreadDefaultStream = 2 };
typedef struct gradine_Stream *cudaStream_t;
typedef struct gradine_Event *cudaEvent_t;
typedef struct gradine_Graph *cudaGraph_t;
typedef struct gradine_GraphExec *cudaGraphExec_t;
typedef struct gradine_GraphNode *cudaGraphNode_t;
typedef struct gradine_MemPool *cudaMemPool_t;
typedef struct gradine_Array *cudaArray_t;
typedef struct gradine_MipmappedArray *cudaMipmappedArray_t;
typedef struct gradine_GraphicsResource *cudaGraphicsResource_t;
typedef struct gradine_ExternalMemory *cudaExternalMemory_t;
typedef struct gradine_ExternalSemaphore *cudaExternalSemaphore_t;
typedef struct gradine_Function *cudaFunction_t;
typedef struct gradine_UserObject *cudaUserObject_t;
typedef struct gradine_Array const *cudaArray_const_t;
typedef struct gradine_Array cudaArray;
typedef struct gradine_GraphicsResource cudaGraphicsResource;
typedef struct gradine_Stream *CUstream;
typedef struct gradine_Event *CUevent;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t, cudaGraphConditionalHandle;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 12
#define cudaTextureType1DLayered 241
#define cudaTextureType2DLayered 242
#define cudaTextureTypeCubemapLayered 252
#define cudaSurfaceType1D 1
#define cudaSurfaceType2D 2
#define cudaSurfaceType3D 3
#define cudaSurfaceType2DLayered 242

struct cudaUUID_t { char bytes[16]; };
struct cudaIpcMemHandle_t { char reserved[64]; };
struct cudaIpcEventHandle_t { char reserved[64]; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaChannelFormatDesc { int x, y, z, w; cudaChannelFormatKind f; };
struct cudaMemcpy3DParms { cudaArray_t srcArray; cudaPos srcPos; cudaPitchedPtr srcPtr; cudaArray_t dstArray; cudaPos dstPos; cudaPitchedPtr dstPtr; cudaExtent extent; cudaMemcpyKind kind; };
struct cudaMemcpy3DPeerParms { cudaArray_t srcArray; cudaPos srcPos; cudaPitchedPtr srcPtr; int srcDevice; cudaArray_t dstArray; cudaPos dstPos; cudaPitchedPtr dstPtr; int dstDevice; cudaExtent extent; };
struct cudaResourceDesc { cudaResourceType resType; union { struct { cudaArray_t array; } array; struct { cudaMipmappedArray_t mipmap; } mipmap; struct { void *devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear; struct { void *devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D; } res; };
struct cudaTextureDesc { cudaTextureAddressMode addressMode[3]; cudaTextureFilterMode filterMode; cudaTextureReadMode readMode; int sRGB; float borderColor[4]; int normalizedCoords; unsigned maxAnisotropy; cudaTextureFilterMode mipmapFilterMode; float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp; };
struct cudaResourceViewDesc { int format; size_t width, height, depth; unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer; };
struct textureReference { int normalized; cudaTextureFilterMode filterMode; cudaTextureAddressMode addressMode[3]; cudaChannelFormatDesc channelDesc; int sRGB; unsigned maxAnisotropy; cudaTextureFilterMode mipmapFilterMode; float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp; };
struct surfaceReference { cudaChannelFormatDesc channelDesc; };
struct cudaFuncAttributes { size_t sharedSizeBytes, constSizeBytes, localSizeBytes; int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout; };
struct cudaPointerAttributes { cudaMemoryType type, memoryType; int device; void *devicePointer, *hostPointer; };
struct cudaMemLocation { cudaMemLocationType type; int id; };
struct cudaMemPoolProps { cudaMemAllocationType allocType; cudaMemAllocationHandleType handleTypes; cudaMemLocation location; void *win32SecurityAttributes; size_t maxSize; unsigned char reserved[56]; };
struct cudaMemAccessDesc { cudaMemLocation location; cudaMemAccessFlags flags; };
struct cudaMemPoolPtrExportData { unsigned char reserved[64]; };
struct cudaAccessPolicyWindow { void *base_ptr; size_t num_bytes; float hitRatio; cudaAccessProperty hitProp, missProp; };
union cudaLaunchAttributeValue { cudaAccessPolicyWindow accessPolicyWindow; int cooperative; struct { unsigned x, y, z; } clusterDim; int programmaticStreamSerializationAllowed, priority; };
typedef cudaLaunchAttributeValue cudaStreamAttrValue, cudaKernelNodeAttrValue;
typedef cudaLaunchAttributeID cudaStreamAttrID, cudaKernelNodeAttrID;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
struct cudaLaunchAttribute { cudaLaunchAttributeID id; cudaLaunchAttributeValue val; };
struct cudaLaunchConfig_t { dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; cudaLaunchAttribute *attrs; unsigned numAttrs; };
struct cudaLaunchParams { void *func; dim3 gridDim, blockDim; void **args; size_t sharedMem; cudaStream_t stream; };
struct cudaKernelNodeParams { void *func; dim3 gridDim, blockDim; unsigned sharedMemBytes; void **kernelParams, **extra; };
struct cudaMemsetParams { void *dst; size_t pitch; unsigned value, elementSize; size_t width, height; };
struct cudaHostNodeParams { cudaHostFn_t fn; void *userData; };
struct cudaMemAllocNodeParams { cudaMemPoolProps poolProps; const cudaMemAccessDesc *accessDescs; size_t accessDescCount, bytesize; void *dptr; };
struct cudaGraphExecUpdateResultInfo { cudaGraphExecUpdateResult result; cudaGraphNode_t errorNode, errorFromNode; };
struct cudaExternalMemoryHandleDesc { int type; union { int fd; struct { void *handle; const void *name; } win32; } handle; unsigned long long size; unsigned flags; };
struct cudaExternalSemaphoreHandleDesc { int type; union { int fd; struct { void *handle; const void *name; } win32; } handle; unsigned flags; };
struct cudaDeviceProp {
  char name[256]; cudaUUID_t uuid; size_t totalGlobalMem, sharedMemPerBlock; int regsPerBlock, warpSize; size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate; size_t totalConstMem; int major, minor; size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, maxTexture1D, maxTexture1DLinear, maxTexture2D[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
  size_t surfaceAlignment; int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor; int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin; int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize; size_t reservedSharedMemPerBlock; int hostRegisterSupported, memoryPoolsSupported, clusterLaunch, unifiedFunctionPointers; char gcnArchName[256];
};

extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);

#define GRADINE_API(__F) template <typename... __A> __host__ cudaError_t cuda##__F(__A &&...);
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
GRADINE_API(GLSetGLDevice)
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
GRADINE_API(GraphicsGLRegisterBuffer)
GRADINE_API(GraphicsGLRegisterImage)
GRADINE_API(GraphicsMapResources)
GRADINE_API(GraphicsUnmapResources)
GRADINE_API(GraphicsResourceGetMappedPointer)
GRADINE_API(GraphicsResourceGetMappedMipmappedArray)
GRADINE_API(GraphicsSubResourceGetMappedArray)
GRADINE_API(GraphicsUnregisterResource)
GRADINE_API(GraphicsResourceSetMapFlags)
GRADINE_API(GraphicsD3D11RegisterResource)
GRADINE_API(GraphicsD3D10RegisterResource)
GRADINE_API(GraphicsD3D9RegisterResource)
GRADINE_API(GLMapBufferObject)
GRADINE_API(GLUnmapBufferObject)
GRADINE_API(GLRegisterBufferObject)
GRADINE_API(GLUnregisterBufferObject)
GRADINE_API(D3D11GetDevice)
GRADINE_API(D3D11SetDirect3DDevice)
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
#undef GRADINE_API
template <typename... __A> __host__ __device__ cudaError_t cudaGetLastError(__A &&...);
template <typename... __A> __host__ __device__ cudaError_t cudaPeekAtLastError(__A &&...);
__host__ __device__ const char *cudaGetErrorString(cudaError_t);
__host__ __device__ const char *cudaGetErrorName(cudaError_t);
// Passing kernels by name: a template argument may say which overload is meant.
template <typename... __P> __host__ cudaError_t cudaFuncSetAttribute(void (*)(__P...), cudaFuncAttribute, int);
template <typename... __P> __host__ cudaError_t cudaFuncSetCacheConfig(void (*)(__P...), cudaFuncCache);
template <typename... __P, typename... __A> __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(__P...), __A &&...);
static inline __host__ cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
static inline __host__ cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
static inline __host__ cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) { return {p, pitch, x, y}; }
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) { return {x, y, z, w, f}; }
template <typename __T> __host__ cudaChannelFormatDesc cudaCreateChannelDesc();
cudaChannelFormatDesc cudaCreateChannelDescHalf();
#endif
