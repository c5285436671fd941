#include "properties.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "runtime/launch_check.hpp"

namespace warpwright::cudart {
namespace {

constexpr int kMaxInt = std::numeric_limits<int>::max();
// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr size_t kConstantBytes = 64 * 1024;
constexpr size_t kAlignment = 512;
constexpr size_t kPitchAlignment = 32;

int asInt(u64 value) { return static_cast<int>(std::min<u64>(value, kMaxInt)); }

// fp32 rate over fp64 rate, from the throughput table of the guide: 2 for the compute chips, 32 or 64 for the others.
int singleToDoubleRatio(const config::Machine& machine) {
  const u32 capability = machine.computeMajor * 10 + machine.computeMinor;
  if (capability == 20 || capability == 60 || capability == 70 || capability == 80 || capability == 90) return 2;
  if (capability == 13) return 8;
  if (capability == 35) return 3;
  return capability >= 86 ? 64 : 32;
}

void setMemory(cudaDeviceProp& p, const config::Machine& machine) {
  p.totalGlobalMem = machine.globalMemoryBytes;
  p.totalConstMem = kConstantBytes;
  p.memPitch = kMaxInt;
  p.textureAlignment = kAlignment;
  p.texturePitchAlignment = kPitchAlignment;
  p.surfaceAlignment = kAlignment;
  p.memoryBusWidth = asInt(machine.memoryBusBits);
  p.memoryClockRate = asInt(machine.memoryClockKhz);
  p.l2CacheSize = asInt(machine.l2CacheBytes);
  p.canMapHostMemory = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 0;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
}

void setMultiprocessor(cudaDeviceProp& p, const config::Machine& machine) {
  p.multiProcessorCount = asInt(machine.multiprocessors);
  p.clockRate = asInt(machine.coreClockKhz);
  p.warpSize = asInt(machine.warpSize);
  p.sharedMemPerBlock = machine.sharedBytesPerBlock;
  p.sharedMemPerBlockOptin = machine.sharedBytesPerBlockOptin;
  p.sharedMemPerMultiprocessor = machine.sharedBytesPerSm;
  p.reservedSharedMemPerBlock = machine.sharedReservedBytes;
  p.regsPerBlock = asInt(machine.registersPerSm);
  p.regsPerMultiprocessor = asInt(machine.registersPerSm);
  p.maxThreadsPerMultiProcessor = asInt(u64{machine.warpsPerSm} * machine.warpSize);
  p.maxBlocksPerMultiProcessor = asInt(machine.blocksPerSm);
  p.singleToDoublePrecisionPerfRatio = singleToDoubleRatio(machine);
}

void setGrid(cudaDeviceProp& p, const config::Machine& machine) {
  p.maxThreadsPerBlock = asInt(machine.threadsPerBlock);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = asInt(machine.threadsPerBlock);
  p.maxThreadsDim[2] = asInt(runtime::kMaxBlockZ);
  p.maxGridSize[0] = asInt(runtime::kMaxGrid.x);
  p.maxGridSize[1] = asInt(runtime::kMaxGrid.y);
  p.maxGridSize[2] = asInt(runtime::kMaxGrid.z);
  p.cooperativeLaunch = 1;
  p.clusterLaunch = machine.clusterMultiprocessors > 0 ? 1 : 0;
}

using Reader = int (*)(const cudaDeviceProp&);
struct Attribute {
  cudaDeviceAttr id;
  Reader read;
};

#define WW_ATTRIBUTE(attribute, member)                                                               \
  Attribute {                                                                                         \
    cudaDevAttr##attribute, [](const cudaDeviceProp& p) { return asInt(static_cast<u64>(p.member)); } \
  }
constexpr Attribute kAttributes[] = {
    WW_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock),
    WW_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0]),
    WW_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1]),
    WW_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2]),
    WW_ATTRIBUTE(MaxGridDimX, maxGridSize[0]),
    WW_ATTRIBUTE(MaxGridDimY, maxGridSize[1]),
    WW_ATTRIBUTE(MaxGridDimZ, maxGridSize[2]),
    WW_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    WW_ATTRIBUTE(TotalConstantMemory, totalConstMem),
    WW_ATTRIBUTE(WarpSize, warpSize),
    WW_ATTRIBUTE(MaxPitch, memPitch),
    WW_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock),
    WW_ATTRIBUTE(ClockRate, clockRate),
    WW_ATTRIBUTE(TextureAlignment, textureAlignment),
    WW_ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment),
    WW_ATTRIBUTE(SurfaceAlignment, surfaceAlignment),
    WW_ATTRIBUTE(GpuOverlap, deviceOverlap),
    WW_ATTRIBUTE(MultiProcessorCount, multiProcessorCount),
    WW_ATTRIBUTE(KernelExecTimeout, kernelExecTimeoutEnabled),
    WW_ATTRIBUTE(Integrated, integrated),
    WW_ATTRIBUTE(CanMapHostMemory, canMapHostMemory),
    WW_ATTRIBUTE(ComputeMode, computeMode),
    WW_ATTRIBUTE(ConcurrentKernels, concurrentKernels),
    WW_ATTRIBUTE(EccEnabled, ECCEnabled),
    WW_ATTRIBUTE(PciBusId, pciBusID),
    WW_ATTRIBUTE(PciDeviceId, pciDeviceID),
    WW_ATTRIBUTE(PciDomainId, pciDomainID),
    WW_ATTRIBUTE(TccDriver, tccDriver),
    WW_ATTRIBUTE(MemoryClockRate, memoryClockRate),
    WW_ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth),
    WW_ATTRIBUTE(L2CacheSize, l2CacheSize),
    WW_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    WW_ATTRIBUTE(AsyncEngineCount, asyncEngineCount),
    WW_ATTRIBUTE(UnifiedAddressing, unifiedAddressing),
    WW_ATTRIBUTE(ComputeCapabilityMajor, major),
    WW_ATTRIBUTE(ComputeCapabilityMinor, minor),
    WW_ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported),
    WW_ATTRIBUTE(GlobalL1CacheSupported, globalL1CacheSupported),
    WW_ATTRIBUTE(LocalL1CacheSupported, localL1CacheSupported),
    WW_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    WW_ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    WW_ATTRIBUTE(ManagedMemory, managedMemory),
    WW_ATTRIBUTE(IsMultiGpuBoard, isMultiGpuBoard),
    WW_ATTRIBUTE(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    WW_ATTRIBUTE(HostNativeAtomicSupported, hostNativeAtomicSupported),
    WW_ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    WW_ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess),
    WW_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess),
    WW_ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported),
    WW_ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    WW_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch),
    WW_ATTRIBUTE(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    WW_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    WW_ATTRIBUTE(HostRegisterSupported, hostRegisterSupported),
    WW_ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    WW_ATTRIBUTE(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    WW_ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    WW_ATTRIBUTE(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    WW_ATTRIBUTE(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    WW_ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    WW_ATTRIBUTE(SparseCudaArraySupported, sparseCudaArraySupported),
    WW_ATTRIBUTE(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    WW_ATTRIBUTE(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    WW_ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported),
    WW_ATTRIBUTE(GPUDirectRDMASupported, gpuDirectRDMASupported),
    WW_ATTRIBUTE(ClusterLaunch, clusterLaunch),
    WW_ATTRIBUTE(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
    WW_ATTRIBUTE(IpcEventSupport, ipcEventSupported),
};
#undef WW_ATTRIBUTE

}  // namespace

cudaDeviceProp propertiesOf(const config::Machine& machine, u32 ordinal) {
  cudaDeviceProp p{};
  const std::string name = "Warpwright " + machine.name;
  std::strncpy(p.name, name.c_str(), sizeof p.name - 1);
  std::memcpy(p.uuid.bytes, "Warpwright gpu 0", sizeof p.uuid.bytes);
  p.uuid.bytes[sizeof p.uuid.bytes - 1] = static_cast<char>("0123456789abcdef"[ordinal]);
  p.pciDeviceID = asInt(ordinal);
  p.major = asInt(machine.computeMajor);
  p.minor = asInt(machine.computeMinor);
  p.concurrentKernels = 1;
  p.asyncEngineCount = 2;
  p.deviceOverlap = 1;
  p.streamPrioritiesSupported = 1;
  p.computeMode = cudaComputeModeDefault;
  setMemory(p, machine);
  setMultiprocessor(p, machine);
  setGrid(p, machine);
  return p;
}

std::optional<int> attributeOf(const cudaDeviceProp& properties, cudaDeviceAttr attribute) {
  for (const Attribute& known : kAttributes)
    if (known.id == attribute) return known.read(properties);
  // What is left describes textures, surfaces and links, of which this device has none.
  const bool exists = attribute >= cudaDevAttrMaxThreadsPerBlock && attribute <= cudaDevAttrOnlyPartialHostNativeAtomicSupported;
  return exists ? std::optional(0) : std::nullopt;
}

}  // namespace warpwright::cudart
