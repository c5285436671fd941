// Launches in all forms, kernel attributes and occupancy.
#include <algorithm>
#include <vector>

#include "cuda_runtime_api.h"
#include "launch.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

Dim3 toDim3(const dim3& extent) { return {extent.x, extent.y, extent.z}; }

cudaError_t launch(const KernelLaunch& given) {
  return call([&](Context& context) { return launchKernel(context, given); });
}

// Body: cudaError_t(Context&, const LoadedKernel&).
template <typename Body>
cudaError_t withKernel(const void* host, Body&& body) {
  return call([&](Context& context) {
    const LoadedKernel loaded = loadKernel(context, host);
    return loaded.status == cudaSuccess ? body(context, loaded) : loaded.status;
  });
}

// The largest block that the kernel can be launched with: the machine's limit, launch bounds, and registers.
int maxThreads(Context& context, const isa::Function& function) {
  const config::Machine& machine = context.machine();
  u32 threads = machine.threadsPerBlock;
  if (function.maxThreads.count() > 0) threads = std::min<u32>(threads, static_cast<u32>(function.maxThreads.count()));
  while (threads > machine.warpSize && context.device().occupancy(function, threads, 0).blocksPerSm == 0) threads -= machine.warpSize;
  return static_cast<int>(threads);
}

cudaError_t occupancy(int* blocks, const void* host, int blockSize, size_t sharedBytes) {
  return withKernel(host, [&](Context& context, const LoadedKernel& loaded) {
    if (!blocks || blockSize <= 0) return cudaErrorInvalidValue;
    const auto threads = static_cast<u32>(blockSize);
    const bool launchable = threads <= context.machine().threadsPerBlock;
    *blocks = launchable ? static_cast<int>(context.device().occupancy(*loaded.function, threads, sharedBytes).blocksPerSm) : 0;
    return cudaSuccess;
  });
}

struct CallConfiguration {
  dim3 grid, block;
  size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
};

// Between <<<...>>> and the kernel's stub; a stack, because the arguments of one launch may contain another.
thread_local std::vector<CallConfiguration> callConfigurations;

}  // namespace

extern "C" __attribute__((visibility("default"))) unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                                                                           cudaStream_t stream) {
  callConfigurations.push_back({grid, block, sharedBytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedBytes, void* stream) {
  if (callConfigurations.empty()) return record(cudaErrorMissingConfiguration);
  const CallConfiguration configuration = callConfigurations.back();
  callConfigurations.pop_back();
  *grid = configuration.grid;
  *block = configuration.block;
  *sharedBytes = configuration.sharedBytes;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes, cudaStream_t stream) {
  return launch({kernel, {toDim3(grid), toDim3(block), sharedBytes}, arguments, stream});
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes,
                                        cudaStream_t stream) {
  return launch({kernel, {toDim3(grid), toDim3(block), sharedBytes, true}, arguments, stream});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (!config || (config->numAttrs > 0 && !config->attrs)) return record(cudaErrorInvalidValue);
  return launch({kernel, shapeOf(*config), arguments, config->stream});
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return withKernel(host, [&](Context& context, const LoadedKernel& loaded) {
    if (!attributes) return cudaErrorInvalidValue;
    const isa::Function& function = *loaded.function;
    const isa::Program& program = loaded.module->loaded->program;
    const config::Machine& machine = context.machine();
    *attributes = {};
    attributes->sharedSizeBytes = function.sharedBytes;
    attributes->constSizeBytes = program.constantBytes;
    attributes->localSizeBytes = function.localBytes;
    attributes->maxThreadsPerBlock = maxThreads(context, function);
    attributes->numRegs = static_cast<int>(function.registers);
    attributes->ptxVersion = static_cast<int>(program.smVersion);
    attributes->binaryVersion = static_cast<int>(machine.computeMajor * 10 + machine.computeMinor);
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(maxDynamicShared(context, loaded));
    attributes->preferredShmemCarveout = loaded.kernel->sharedCarveout;
    const Dim3 cluster = requiredCluster(function, loaded.kernel->clusters);
    attributes->clusterDimMustBeSet = function.explicitCluster ? 1 : 0;
    attributes->requiredClusterWidth = static_cast<int>(cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(cluster.z);
    attributes->nonPortableClusterSizeAllowed = loaded.kernel->clusters.nonPortable ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  return withKernel(host, [&](Context& context, const LoadedKernel& loaded) {
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) return cudaErrorInvalidValue;
      loaded.kernel->sharedCarveout = value;
      return cudaSuccess;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
      const auto ofCluster = static_cast<ClusterAttribute>(attribute);
      return setAttribute(*loaded.function, loaded.kernel->clusters, ofCluster, value) ? cudaSuccess : cudaErrorInvalidValue;
    }
    const u64 most = context.machine().sharedBytesPerBlockOptin;
    if (value < 0 || static_cast<u64>(value) + loaded.function->sharedBytes > most) return cudaErrorInvalidValue;
    loaded.kernel->maxDynamicSharedBytes = static_cast<u64>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* host) {
  return withKernel(host, [&](Context&, const LoadedKernel& loaded) {
    if (!name) return cudaErrorInvalidValue;
    *name = loaded.kernel->name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* host, size_t index, size_t* offset, size_t* size) {
  return withKernel(host, [&](Context&, const LoadedKernel& loaded) {
    const auto& parameters = loaded.function->parameters;
    if (!offset || index >= parameters.size()) return cudaErrorInvalidValue;
    *offset = parameters[index].offset;
    if (size) *size = parameters[index].size;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* host, cudaFuncCache config) {
  return call([&](Context& context) {
    Kernel* const kernel = context.registry.kernel(host);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    kernel->cacheConfig = config;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* host, cudaSharedMemConfig config) {
  return call([&](Context& context) {
    if (!context.registry.kernel(host)) return cudaErrorInvalidDeviceFunction;
    return config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int blockSize, size_t sharedBytes) {
  return occupancy(blocks, host, blockSize, sharedBytes);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host, int blockSize, size_t sharedBytes,
                                                                   unsigned int flags) {
  if (flags & ~cudaOccupancyDisableCachingOverride) return record(cudaErrorInvalidValue);
  return occupancy(blocks, host, blockSize, sharedBytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* host, int blocks, int blockSize) {
  return withKernel(host, [&](Context& context, const LoadedKernel& loaded) -> cudaError_t {
    if (!bytes || blocks <= 0 || blockSize <= 0) return cudaErrorInvalidValue;
    const config::Machine& machine = context.machine();
    const u64 unit = std::max<u64>(1, machine.sharedAllocationUnit);
    const u64 share = std::min(machine.sharedBytesPerSm / static_cast<u64>(blocks) / unit * unit,
                               machine.sharedBytesPerBlockOptin + machine.sharedReservedBytes);
    const u64 staticBytes = loaded.function->sharedBytes + machine.sharedReservedBytes;
    *bytes = share > staticBytes ? share - staticBytes : 0;
    return cudaSuccess;
  });
}
