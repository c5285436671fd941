#include "legacy_layouts.hpp"

namespace warpwright::cudart::dropin {

LegacyDeviceProp legacy(const cudaDeviceProp& properties) {
  LegacyDeviceProp result{};
#define WW_COPY(member) std::memcpy(&result.member, &properties.member, sizeof result.member)
  WW_COPY(name);
  WW_COPY(uuid);
  WW_COPY(luid);
  WW_COPY(luidDeviceNodeMask);
  WW_COPY(totalGlobalMem);
  WW_COPY(sharedMemPerBlock);
  WW_COPY(regsPerBlock);
  WW_COPY(warpSize);
  WW_COPY(memPitch);
  WW_COPY(maxThreadsPerBlock);
  WW_COPY(maxThreadsDim);
  WW_COPY(maxGridSize);
  WW_COPY(clockRate);
  WW_COPY(totalConstMem);
  WW_COPY(major);
  WW_COPY(minor);
  WW_COPY(textureAlignment);
  WW_COPY(texturePitchAlignment);
  WW_COPY(deviceOverlap);
  WW_COPY(multiProcessorCount);
  WW_COPY(kernelExecTimeoutEnabled);
  WW_COPY(integrated);
  WW_COPY(canMapHostMemory);
  WW_COPY(computeMode);
  WW_COPY(maxTexture1D);
  WW_COPY(maxTexture1DMipmap);
  WW_COPY(maxTexture1DLinear);
  WW_COPY(maxTexture2D);
  WW_COPY(maxTexture2DMipmap);
  WW_COPY(maxTexture2DLinear);
  WW_COPY(maxTexture2DGather);
  WW_COPY(maxTexture3D);
  WW_COPY(maxTexture3DAlt);
  WW_COPY(maxTextureCubemap);
  WW_COPY(maxTexture1DLayered);
  WW_COPY(maxTexture2DLayered);
  WW_COPY(maxTextureCubemapLayered);
  WW_COPY(maxSurface1D);
  WW_COPY(maxSurface2D);
  WW_COPY(maxSurface3D);
  WW_COPY(maxSurface1DLayered);
  WW_COPY(maxSurface2DLayered);
  WW_COPY(maxSurfaceCubemap);
  WW_COPY(maxSurfaceCubemapLayered);
  WW_COPY(surfaceAlignment);
  WW_COPY(concurrentKernels);
  WW_COPY(ECCEnabled);
  WW_COPY(pciBusID);
  WW_COPY(pciDeviceID);
  WW_COPY(pciDomainID);
  WW_COPY(tccDriver);
  WW_COPY(asyncEngineCount);
  WW_COPY(unifiedAddressing);
  WW_COPY(memoryClockRate);
  WW_COPY(memoryBusWidth);
  WW_COPY(l2CacheSize);
  WW_COPY(persistingL2CacheMaxSize);
  WW_COPY(maxThreadsPerMultiProcessor);
  WW_COPY(streamPrioritiesSupported);
  WW_COPY(globalL1CacheSupported);
  WW_COPY(localL1CacheSupported);
  WW_COPY(sharedMemPerMultiprocessor);
  WW_COPY(regsPerMultiprocessor);
  WW_COPY(managedMemory);
  WW_COPY(isMultiGpuBoard);
  WW_COPY(multiGpuBoardGroupID);
  WW_COPY(hostNativeAtomicSupported);
  WW_COPY(singleToDoublePrecisionPerfRatio);
  WW_COPY(pageableMemoryAccess);
  WW_COPY(concurrentManagedAccess);
  WW_COPY(computePreemptionSupported);
  WW_COPY(canUseHostPointerForRegisteredMem);
  WW_COPY(cooperativeLaunch);
  WW_COPY(cooperativeMultiDeviceLaunch);
  WW_COPY(sharedMemPerBlockOptin);
  WW_COPY(pageableMemoryAccessUsesHostPageTables);
  WW_COPY(directManagedMemAccessFromHost);
  WW_COPY(maxBlocksPerMultiProcessor);
  WW_COPY(accessPolicyMaxWindowSize);
  WW_COPY(reservedSharedMemPerBlock);
  WW_COPY(hostRegisterSupported);
  WW_COPY(sparseCudaArraySupported);
  WW_COPY(hostRegisterReadOnlySupported);
  WW_COPY(timelineSemaphoreInteropSupported);
  WW_COPY(memoryPoolsSupported);
  WW_COPY(gpuDirectRDMASupported);
  WW_COPY(gpuDirectRDMAFlushWritesOptions);
  WW_COPY(gpuDirectRDMAWritesOrdering);
  WW_COPY(memoryPoolSupportedHandleTypes);
  WW_COPY(deferredMappingCudaArraySupported);
  WW_COPY(ipcEventSupported);
  WW_COPY(clusterLaunch);
  WW_COPY(unifiedFunctionPointers);
#undef WW_COPY
  return result;
}

}  // namespace warpwright::cudart::dropin
