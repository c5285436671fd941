// Structures as CUDA 11 and 12 have them. A program of theirs passes one of this size, so not a byte more may be written.
#pragma once

#include <cstddef>
#include <cstring>

#include "versioned_api.hpp"

namespace warpwright::cudart::dropin {

// cudaDeviceProp of CUDA 12. That of CUDA 11 is the same up to reservedSharedMemPerBlock.
struct LegacyDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  int sparseCudaArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int reserved[63];
};
static_assert(sizeof(LegacyDeviceProp) == 1032);

inline constexpr size_t kDevicePropBytes12 = sizeof(LegacyDeviceProp);
inline constexpr size_t kDevicePropBytes11 = offsetof(LegacyDeviceProp, hostRegisterSupported);
// Without the reserved tail of CUDA 13.
inline constexpr size_t kPointerAttributesBytes = offsetof(cudaPointerAttributes, reserved);
// Without what is about clusters.
inline constexpr size_t kFuncAttributesBytes11 = (offsetof(cudaFuncAttributes, clusterDimMustBeSet) + 7) / 8 * 8;

LegacyDeviceProp legacy(const cudaDeviceProp& properties);

inline cudaError_t getDeviceProperties(void* result, size_t bytes, int device) {
  cudaDeviceProp current;
  const cudaError_t status = __warpwrightGetDeviceProperties(result ? &current : nullptr, device);
  if (status != cudaSuccess) return status;
  const LegacyDeviceProp properties = legacy(current);
  std::memcpy(result, &properties, bytes);
  return cudaSuccess;
}

inline cudaError_t getPointerAttributes(void* result, const void* pointer) {
  cudaPointerAttributes current;
  const cudaError_t status = __warpwrightPointerGetAttributes(result ? &current : nullptr, pointer);
  if (status == cudaSuccess) std::memcpy(result, &current, kPointerAttributesBytes);
  return status;
}

inline cudaError_t getFuncAttributes(void* result, size_t bytes, const void* function) {
  cudaFuncAttributes current;
  const cudaError_t status = __warpwrightFuncGetAttributes(result ? &current : nullptr, function);
  if (status == cudaSuccess) std::memcpy(result, &current, bytes);
  return status;
}

}  // namespace warpwright::cudart::dropin
