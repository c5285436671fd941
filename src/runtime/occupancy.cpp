#include "runtime/occupancy.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "config/sm_groups.hpp"

namespace warpwright::runtime {
namespace {

u64 roundUp(u64 value, u64 unit) { return unit == 0 ? value : (value + unit - 1) / unit * unit; }

u64 warpsByRegisters(const config::Machine& machine, u32 registersPerThread) {
  const u64 perWarp = roundUp(u64{registersPerThread} * machine.warpSize, machine.registerAllocationUnit);
  const u64 schedulers = std::max(1u, machine.schedulersPerSm);
  return machine.registersPerSm / schedulers / perWarp * schedulers;
}

u64 sharedOf(const config::Machine& machine, const BlockNeeds& needs) {
  return roundUp(needs.sharedBytes + machine.sharedReservedBytes, machine.sharedAllocationUnit);
}

}  // namespace

u64 warpsOf(const config::Machine& machine, u32 threads) { return std::max<u64>(1, roundUp(threads, machine.warpSize) / machine.warpSize); }

BlockShare shareOf(const config::Machine& machine, const BlockNeeds& needs) {
  const u64 warps = warpsOf(machine, needs.threads);
  const u64 perWarp = roundUp(u64{needs.registersPerThread} * machine.warpSize, machine.registerAllocationUnit);
  return {static_cast<u32>(warps), static_cast<u32>(warps * perWarp), sharedOf(machine, needs)};
}

Occupancy occupancyOf(const config::Machine& machine, const BlockNeeds& needs) {
  const u64 warps = warpsOf(machine, needs.threads);
  std::array<std::pair<u64, const char*>, 4> limits{{
      {machine.blocksPerSm, "blocks"},
      {machine.warpsPerSm / warps, "warps"},
      {~u64{0}, "registers"},
      {~u64{0}, "shared memory"},
  }};
  if (needs.registersPerThread > 0) limits[2].first = warpsByRegisters(machine, needs.registersPerThread) / warps;
  const u64 shared = sharedOf(machine, needs);
  if (shared > 0) limits[3].first = machine.sharedBytesPerSm / shared;

  const auto& tightest = *std::min_element(limits.begin(), limits.end(), [](auto& a, auto& b) { return a.first < b.first; });
  return {static_cast<u32>(tightest.first), tightest.second};
}

u64 residentClusters(const config::Machine& machine, u64 blocks, u32 blocksPerSm) {
  if (blocks == 1) return u64{machine.multiprocessors} * blocksPerSm;
  u64 clusters = 0;
  for (const config::SmGroup& group : config::smGroups(machine)) clusters += u64{group.count} * blocksPerSm / blocks;
  return clusters;
}

u32 largestCluster(const config::Machine& machine, u32 blocksPerSm, u32 most) {
  u64 largest = std::min(1u, blocksPerSm);
  for (const config::SmGroup& group : config::smGroups(machine)) largest = std::max(largest, u64{group.count} * blocksPerSm);
  return static_cast<u32>(std::min<u64>(largest, most));
}

}  // namespace warpwright::runtime
