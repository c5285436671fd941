// The CUDA runtime API of Warpwright: the functions that it carries out. What each does and does not do is listed in
// docs/api-functions.md; every call returns the error codes of the public API.
#pragma once
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"

// The API version that programs may rely on: 1000 * major + 10 * minor.
#ifndef CUDART_VERSION
#define CUDART_VERSION 11050
#endif

#ifdef __cplusplus
extern "C" {
#endif
#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif
#pragma GCC visibility push(default)

// ---- device management

cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* busId);
cudaError_t cudaDeviceGetPCIBusId(char* busId, int length, int device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int source, int destination);
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* properties);
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSynchronize(void);

// ---- peers

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);

// ---- errors

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// ---- streams

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags WARPWRIGHT_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData, unsigned int flags);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length WARPWRIGHT_DEFAULT(0),
                                     unsigned int flags WARPWRIGHT_DEFAULT(cudaMemAttachSingle));

// ---- events

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream WARPWRIGHT_DEFAULT(0),
                                     unsigned int flags WARPWRIGHT_DEFAULT(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// ---- kernels

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes,
                                        cudaStream_t stream);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* userData);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, enum cudaSharedMemConfig config);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaFuncSetAttribute(const void* kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetName(const char** name, const void* kernel);
cudaError_t cudaFuncGetParamInfo(const void* kernel, size_t index, size_t* offset, size_t* size);

// ---- occupancy

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int blockSize, size_t dynamicSharedBytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int blockSize,
                                                                   size_t dynamicSharedBytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks, int blockSize);
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel, const cudaLaunchConfig_t* config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel, const cudaLaunchConfig_t* config);

// ---- memory

cudaError_t cudaMalloc(void** pointer, size_t size);
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags WARPWRIGHT_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void** pointer, size_t size);
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemAdvise(const void* pointer, size_t count, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t count, struct cudaMemLocation location, unsigned int flags,
                                    cudaStream_t stream);
cudaError_t cudaMemAdvise_v2(const void* pointer, size_t count, enum cudaMemoryAdvise advice, struct cudaMemLocation location);

// ---- memory in stream order

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location, enum cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location, enum cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type, cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytesToKeep);

// ---- copies

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t count);
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, size_t count,
                                cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* parameters);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* parameters, cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset WARPWRIGHT_DEFAULT(0),
                               enum cudaMemcpyKind kind WARPWRIGHT_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset WARPWRIGHT_DEFAULT(0),
                                 enum cudaMemcpyKind kind WARPWRIGHT_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol);
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol);
cudaError_t cudaMemset(void* pointer, int value, size_t count);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream WARPWRIGHT_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream WARPWRIGHT_DEFAULT(0));

// ---- textures (see cuda_unsupported_api.h for the rest)

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind);

// ---- profiler control

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

// ---- what <<<...>>> becomes

// __cudaPushCallConfiguration is declared by cuda_runtime.h, with the default arguments that the compiler relies on.
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedBytes, void* stream);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "cuda_array_api.h"
#include "cuda_graph_api.h"
#include "cuda_legacy_api.h"
#include "cuda_library_api.h"
#include "cuda_unsupported_api.h"
#include "driver_functions.h"

#if defined(__cplusplus) && !defined(WARPWRIGHT_API_WITHOUT_OVERLOADS)
#include "cuda_runtime_templates.h"
#include "texture_templates.h"
#endif
