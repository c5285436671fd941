// The C++ side of the CUDA runtime API: the same calls with typed pointers, kernels and symbols.
#pragma once

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"

#ifdef __cplusplus

// ---- memory

template <typename T>
inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc(reinterpret_cast<void**>(pointer), size);
}

template <typename T>
inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}

inline cudaError_t cudaMallocHost(void** pointer, size_t size, unsigned int flags) { return ::cudaHostAlloc(pointer, size, flags); }

template <typename T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}

template <typename T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <typename T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(pointer), size, flags);
}

template <typename T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), size, stream);
}

inline cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, size, pool, stream);
}

template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream);
}

template <typename T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream);
}

template <typename T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t length = 0, unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), length, flags);
}

// The forms of CUDA 13.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                        cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}

inline cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return ::cudaMemAdvise_v2(pointer, count, advice, location);
}

// ---- symbols: variables in device or constant memory, given by name

template <typename T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, static_cast<const void*>(&symbol));
}

template <typename P, typename T>
inline cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(reinterpret_cast<void**>(pointer), static_cast<const void*>(&symbol));
}

template <typename T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, static_cast<const void*>(&symbol));
}

template <typename T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, count, offset, kind);
}

template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t count, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, count, offset, kind, stream);
}

template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), count, offset, kind);
}

template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t count, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), count, offset, kind, stream);
}

// ---- events

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return ::cudaEventCreateWithFlags(event, flags); }

// ---- kernels

template <typename T>
inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, sharedBytes, stream);
}

template <typename T>
inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes = 0,
                                               cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, sharedBytes, stream);
}

inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  return ::cudaLaunchKernelExC(config, kernel, arguments);
}

// Arguments are converted to the kernel's parameter types, as in a call.
template <typename... Parameters, typename... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  return [&](Parameters... converted) {
    void* pointers[sizeof...(Parameters) + 1] = {const_cast<void*>(static_cast<const volatile void*>(&converted))..., nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
  }(static_cast<Arguments&&>(arguments)...);
}

template <typename T>
inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}

template <typename T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}

template <typename T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}

template <typename T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}

template <typename T>
inline cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(kernel));
}

// ---- occupancy

template <typename T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int blockSize, size_t dynamicSharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), blockSize, dynamicSharedBytes);
}

template <typename T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int blockSize, size_t dynamicSharedBytes,
                                                                          unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel), blockSize,
                                                                  dynamicSharedBytes, flags);
}

template <typename T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T kernel, int blocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(kernel), blocks, blockSize);
}

template <typename T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T kernel, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}

template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T kernel, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, reinterpret_cast<const void*>(kernel), config);
}

// The block size with the most resident threads (the largest such size), and the smallest grid that then fills the device.
// sharedBytesOf(blockSize) gives the dynamic shared memory of a block.
template <typename SharedBytesOf, typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize, int* blockSize, T kernel,
                                                                           SharedBytesOf sharedBytesOf, int blockSizeLimit = 0,
                                                                           unsigned int flags = cudaOccupancyDefault) {
  if (!minGridSize || !blockSize) return cudaErrorInvalidValue;
  int device = 0, processors = 0, warp = 0;
  cudaFuncAttributes attributes;
  cudaError_t status = ::cudaGetDevice(&device);
  if (status == cudaSuccess) status = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (status == cudaSuccess) status = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (status == cudaSuccess) status = ::cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
  if (status != cudaSuccess) return status;

  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
  int mostThreads = 0, bestSize = 0, bestBlocks = 0;
  for (int rounded = (limit + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    const int size = rounded < limit ? rounded : limit;
    int blocks = 0;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, size, sharedBytesOf(size), flags);
    if (status != cudaSuccess) return status;
    if (blocks * size <= mostThreads) continue;
    mostThreads = blocks * size;
    bestSize = size;
    bestBlocks = blocks;
  }
  *blockSize = bestSize;
  *minGridSize = bestBlocks * processors;
  return cudaSuccess;
}

template <typename SharedBytesOf, typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T kernel, SharedBytesOf sharedBytesOf,
                                                                  int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, kernel, sharedBytesOf, blockSizeLimit);
}

namespace warpwright_detail {
struct SameSharedBytes {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};
}  // namespace warpwright_detail

template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T kernel, size_t dynamicSharedBytes = 0,
                                                      int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, kernel,
                                                                 warpwright_detail::SameSharedBytes{dynamicSharedBytes}, blockSizeLimit);
}

template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, T kernel, size_t dynamicSharedBytes = 0,
                                                               int blockSizeLimit = 0, unsigned int flags = cudaOccupancyDefault) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, warpwright_detail::SameSharedBytes{dynamicSharedBytes}, blockSizeLimit, flags);
}

#endif
