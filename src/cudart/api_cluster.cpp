// Occupancy of clusters.
#include "cuda_runtime_api.h"
#include "isa/address_space.hpp"
#include "launch.hpp"
#include "runtime/occupancy.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// Body: cudaError_t(Context&, const LoadedKernel&, const exec::LaunchShape&).
template <typename Body>
cudaError_t withLaunch(const void* host, const cudaLaunchConfig_t* config, bool isValid, Body&& body) {
  return call([&](Context& context) {
    if (!isValid || !config || (config->numAttrs > 0 && !config->attrs)) return cudaErrorInvalidValue;
    const LoadedKernel loaded = loadKernel(context, host);
    return loaded.status == cudaSuccess ? body(context, loaded, shapeOf(*config)) : loaded.status;
  });
}

u32 blocksPerSm(Context& context, const LoadedKernel& loaded, const exec::LaunchShape& shape) {
  const u64 threads = shape.block.count();
  if (threads == 0 || threads > context.machine().threadsPerBlock) return 0;
  return context.device().occupancy(*loaded.function, static_cast<u32>(threads), shape.dynamicSharedBytes).blocksPerSm;
}

}  // namespace

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel, const cudaLaunchConfig_t* config) {
  return withLaunch(kernel, config, clusters, [&](Context& context, const LoadedKernel& loaded, const exec::LaunchShape& shape) {
    const Dim3 required = requiredCluster(*loaded.function, loaded.kernel->clusters);
    const u64 blocks = shape.cluster ? shape.cluster->count() : required.count() > 0 ? required.count() : 1;
    const u32 most = loaded.kernel->clusters.nonPortable ? isa::kMostClusterBlocks : runtime::kPortableClusterBlocks;
    if (blocks == 0 || blocks > most) return cudaErrorInvalidClusterSize;
    *clusters = static_cast<int>(runtime::residentClusters(context.machine(), blocks, blocksPerSm(context, loaded, shape)));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel, const cudaLaunchConfig_t* config) {
  return withLaunch(kernel, config, size, [&](Context& context, const LoadedKernel& loaded, const exec::LaunchShape& shape) {
    const u32 most = loaded.kernel->clusters.nonPortable ? isa::kMostClusterBlocks : runtime::kPortableClusterBlocks;
    *size = static_cast<int>(runtime::largestCluster(context.machine(), blocksPerSm(context, loaded, shape), most));
    return cudaSuccess;
  });
}
