#include "runtime/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "isa/address_space.hpp"
#include "runtime/occupancy.hpp"

namespace warpwright::runtime {
namespace {

std::string text(const Dim3& extent) { return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z); }

bool within(const Dim3& extent, const Dim3& most) {
  return extent.count() > 0 && extent.x <= most.x && extent.y <= most.y && extent.z <= most.z;
}

LaunchProblem checkExtents(const config::Machine& machine, const isa::Function& kernel, const exec::LaunchShape& shape) {
  if (!within(shape.grid, kMaxGrid))
    return {LaunchFault::configuration, fmt::format("kernel '{}': a grid of {} blocks", demangled(kernel.name), text(shape.grid)),
            fmt::format("every extent must be at least 1 and at most {}", text(kMaxGrid))};
  const Dim3 mostThreads{machine.threadsPerBlock, machine.threadsPerBlock, kMaxBlockZ};
  if (!within(shape.block, mostThreads) || shape.block.count() > machine.threadsPerBlock)
    return {
        LaunchFault::configuration, fmt::format("kernel '{}': a block of {} threads", demangled(kernel.name), text(shape.block)),
        fmt::format("machine '{}' allows {} threads in a block, {} of them along z", machine.name, machine.threadsPerBlock, kMaxBlockZ)};
  if (kernel.requiredThreads.count() > 0 && !(kernel.requiredThreads == shape.block))
    return {LaunchFault::configuration, fmt::format("kernel '{}': a block of {} threads", demangled(kernel.name), text(shape.block)),
            fmt::format("it was compiled for blocks of exactly {} threads (.reqntid)", text(kernel.requiredThreads))};
  if (kernel.maxThreads.count() > 0 && shape.block.count() > kernel.maxThreads.count())
    return {LaunchFault::configuration, fmt::format("kernel '{}': {} threads in a block", demangled(kernel.name), shape.block.count()),
            fmt::format("it was compiled for at most {} (__launch_bounds__, .maxntid)", kernel.maxThreads.count())};
  return {};
}

LaunchProblem checkCluster(const config::Machine& machine, const isa::Function& kernel, const exec::LaunchShape& shape, u32 blocksPerSm) {
  const Dim3 cluster = exec::clusterOf(kernel, shape), &required = kernel.requiredCluster;
  const auto problem = [&](LaunchFault fault, const std::string& remedy) {
    return LaunchProblem{
        fault, fmt::format("kernel '{}': clusters of {} blocks in a grid of {}", demangled(kernel.name), text(cluster), text(shape.grid)),
        remedy};
  };
  if (kernel.explicitCluster && !shape.cluster && required.count() == 0)
    return problem(LaunchFault::cluster, "it was compiled for launches that say the cluster's dimensions (.explicitcluster)");
  if (required.count() > 0 && !(cluster == required))
    return problem(LaunchFault::cluster,
                   fmt::format("it was compiled for clusters of {} blocks (__cluster_dims__, .reqnctapercluster)", text(required)));
  const u64 blocks = cluster.count();
  if (blocks == 1) return {};
  if (machine.clusterMultiprocessors == 0)
    return problem(LaunchFault::noClusters,
                   fmt::format("machine '{}' has none of several blocks (chip.cluster_multiprocessors): choose one of compute capability "
                               "9.0 or later, such as h100",
                               machine.name));
  const u64 most = kernel.maxClusterRank > 0 ? std::min(kernel.maxClusterRank, isa::kMostClusterBlocks) : isa::kMostClusterBlocks;
  if (blocks == 0 || blocks > most) return problem(LaunchFault::cluster, fmt::format("a cluster of this kernel has 1 to {} blocks", most));
  if (shape.grid.x % cluster.x != 0 || shape.grid.y % cluster.y != 0 || shape.grid.z % cluster.z != 0)
    return problem(LaunchFault::cluster, "every extent of the grid must be a multiple of the cluster's");
  if (residentClusters(machine, blocks, blocksPerSm) == 0)
    return problem(LaunchFault::cluster, fmt::format("the SMs of machine '{}' that a cluster may be on hold at most {} of these blocks",
                                                     machine.name, largestCluster(machine, blocksPerSm, isa::kMostClusterBlocks)));
  return {};
}

}  // namespace

LaunchProblem checkLaunch(const config::Machine& machine, const isa::Function& kernel, const exec::LaunchShape& shape,
                          const mechanisms::BlockNeeds& added) {
  if (auto problem = checkExtents(machine, kernel, shape); problem.fault != LaunchFault::none) return problem;

  const u64 shared = kernel.dynamicSharedOffset > 0 && shape.dynamicSharedBytes > 0
                         ? std::max(kernel.sharedBytes, kernel.dynamicSharedOffset + shape.dynamicSharedBytes)
                         : kernel.sharedBytes + shape.dynamicSharedBytes;
  const auto threads = static_cast<u32>(shape.block.count());
  const u64 addedShared = added.sharedBytesFor(warpsOf(machine, threads));
  if (shared + addedShared > machine.sharedBytesPerBlockOptin)
    return {LaunchFault::sharedMemory,
            fmt::format("kernel '{}' needs {} bytes of shared memory a block ({} static, {} dynamic{})", demangled(kernel.name),
                        shared + addedShared, kernel.sharedBytes, shape.dynamicSharedBytes,
                        addedShared == 0 ? "" : fmt::format(", {} of mechanisms", addedShared)),
            fmt::format("machine '{}' has {} bytes for a block", machine.name, machine.sharedBytesPerBlockOptin)};

  // No instruction of the kernel names those of mechanisms: the register file alone bounds them, and not what a thread may have.
  const u32 registers = kernel.registers + added.registers;
  const Occupancy occupancy = occupancyOf(machine, {threads, registers, shared + addedShared});
  if (occupancy.blocksPerSm == 0)
    return {LaunchFault::resources,
            fmt::format("kernel '{}': no block of {} threads with {} registers each{} fits on an SM, for lack of {}",
                        demangled(kernel.name), threads, registers,
                        added.registers == 0 ? "" : fmt::format(" ({} of them for mechanisms)", added.registers), occupancy.limiter),
            "launch smaller blocks, or bound the registers: --max-registers (max_registers in an experiment), -maxrregcount, "
            "__launch_bounds__"};

  if (auto problem = checkCluster(machine, kernel, shape, occupancy.blocksPerSm); problem.fault != LaunchFault::none) return problem;
  const u64 blocksPerCluster = exec::clusterOf(kernel, shape).count();
  const u64 resident = residentClusters(machine, blocksPerCluster, occupancy.blocksPerSm) * blocksPerCluster;
  if (shape.cooperative && shape.grid.count() > resident)
    return {LaunchFault::cooperative,
            fmt::format("kernel '{}': a cooperative grid of {} blocks, but {} fit on machine '{}' at once", demangled(kernel.name),
                        shape.grid.count(), resident, machine.name),
            "launch at most blocks per SM (cudaOccupancyMaxActiveBlocksPerMultiprocessor) times SMs"};
  return {};
}

}  // namespace warpwright::runtime
