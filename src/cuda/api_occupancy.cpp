// Occupancy.
#include <algorithm>

#include "function.hpp"
#include "isa/address_space.hpp"
#include "runtime/launch_check.hpp"
#include "runtime/occupancy.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

CUresult maxActiveBlocks(int* blocks, CUfunction function, int blockSize, size_t sharedBytes) {
  return withFunction(function, blocks && blockSize > 0, [&](Driver& driver) {
    const auto threads = static_cast<u32>(blockSize);
    const bool launchable = threads <= driver.access.machine().threadsPerBlock;
    *blocks =
        launchable
            ? static_cast<int>(driver.access.blocksPerMultiprocessor(function->module->device, *function->function, threads, sharedBytes))
            : 0;
    return CUDA_SUCCESS;
  });
}

// The block size with the most resident threads; of equals the largest.
CUresult bestBlock(Driver& driver, CUfunction function, CUoccupancyB2DSize sharedOf, size_t sharedBytes, int limit, int* grid, int* block) {
  const config::Machine& machine = driver.access.machine();
  const u32 most = limit > 0 ? std::min(maxThreads(driver, *function), static_cast<u32>(limit)) : maxThreads(driver, *function);
  u32 bestResident = 0;
  for (u32 threads = most; threads > 0; threads = threads > machine.warpSize ? (threads - 1) / machine.warpSize * machine.warpSize : 0) {
    const u64 shared = sharedOf ? sharedOf(static_cast<int>(threads)) : sharedBytes;
    const u32 blocks = driver.access.blocksPerMultiprocessor(function->module->device, *function->function, threads, shared);
    if (blocks * threads <= bestResident) continue;
    bestResident = blocks * threads;
    *block = static_cast<int>(threads);
    *grid = static_cast<int>(blocks * machine.multiprocessors);
  }
  return bestResident > 0 ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

u32 blocksPerSm(Driver& driver, CUfunction function, const exec::LaunchShape& shape) {
  const u64 threads = shape.block.count();
  if (threads == 0 || threads > driver.access.machine().threadsPerBlock) return 0;
  return driver.access.blocksPerMultiprocessor(function->module->device, *function->function, static_cast<u32>(threads),
                                               shape.dynamicSharedBytes);
}

bool isConfiguration(const CUlaunchConfig* config) { return config && (config->numAttrs == 0 || config->attrs); }

u32 mostClusterBlocks(CUfunction function) {
  return function->clusters.nonPortable ? isa::kMostClusterBlocks : runtime::kPortableClusterBlocks;
}

}  // namespace

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int blockSize, size_t sharedBytes) {
  return maxActiveBlocks(blocks, function, blockSize, sharedBytes);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int blockSize, size_t sharedBytes,
                                                              unsigned int flags) {
  if (flags & ~static_cast<unsigned int>(CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)) return CUDA_ERROR_INVALID_VALUE;
  return maxActiveBlocks(blocks, function, blockSize, sharedBytes);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction function, CUoccupancyB2DSize sharedOf,
                                          size_t sharedBytes, int blockSizeLimit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, sharedOf, sharedBytes, blockSizeLimit, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction function, CUoccupancyB2DSize sharedOf,
                                                   size_t sharedBytes, int blockSizeLimit, unsigned int flags) {
  if (flags & ~static_cast<unsigned int>(CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)) return CUDA_ERROR_INVALID_VALUE;
  return withFunction(function, minGridSize && blockSize && blockSizeLimit >= 0, [&](Driver& driver) {
    return bestBlock(driver, function, sharedOf, sharedBytes, blockSizeLimit, minGridSize, blockSize);
  });
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks, int blockSize) {
  return withFunction(function, bytes && blocks > 0 && blockSize > 0, [&](Driver& driver) {
    const config::Machine& machine = driver.access.machine();
    const u64 unit = std::max<u64>(1, machine.sharedAllocationUnit);
    const u64 share = std::min<u64>(machine.sharedBytesPerSm / static_cast<u64>(blocks) / unit * unit,
                                    machine.sharedBytesPerBlockOptin + machine.sharedReservedBytes);
    const u64 staticBytes = function->function->sharedBytes + machine.sharedReservedBytes;
    *bytes = share > staticBytes ? share - staticBytes : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config) {
  return withFunction(function, clusters && isConfiguration(config), [&](Driver& driver) {
    const exec::LaunchShape shape = shapeOf(*config);
    const Dim3 required = cudart::requiredCluster(*function->function, function->clusters);
    const u64 blocks = shape.cluster ? shape.cluster->count() : required.count() > 0 ? required.count() : 1;
    if (blocks == 0 || blocks > mostClusterBlocks(function)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    *clusters = static_cast<int>(runtime::residentClusters(driver.access.machine(), blocks, blocksPerSm(driver, function, shape)));
    return CUDA_SUCCESS;
  });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
  return withFunction(function, size && isConfiguration(config), [&](Driver& driver) {
    const u32 blocks = blocksPerSm(driver, function, shapeOf(*config));
    *size = static_cast<int>(runtime::largestCluster(driver.access.machine(), blocks, mostClusterBlocks(function)));
    return CUDA_SUCCESS;
  });
}
