#include "exec/operations/cluster_access.hpp"

#include <fmt/format.h>

#include "exec/cluster.hpp"
#include "exec/operations/access.hpp"

namespace warpwright::exec {
namespace {

using isa::Space;

// No block of the cluster has the rank that the address names, or that one has ended.
void nobodyThere(Grid& grid, const Issue& issue, LaneId lane, u64 address, u64 rank) {
  if (!checksBounds(grid, issue)) return;
  const u32 blocks = grid.clusters.blocks();
  faultOrWarn(grid, issue.pc, LaunchStatus::illegalAddress, [&] {
    const bool hasEnded = rank < blocks;
    const std::string what = hasEnded ? fmt::format("shared memory of the block with rank {} of the cluster, which has ended", rank)
                                      : fmt::format("shared memory of a block with rank {} in a cluster of {}", rank, blocks);
    const char* const remedy = hasEnded ? "let blocks end together: put a barrier of the cluster (cluster.sync()) before their end"
                                        : "map addresses to ranks below the size of the cluster (mapa, map_shared_rank)";
    return Fault{LaunchStatus::illegalAddress, report(site(grid, issue), lane, what, {}, remedy), lane, address};
  });
}

// Whether the lane's bytes are there.
bool checkPlace(Grid& grid, const Issue& issue, LaneId lane, SharedOffset address) {
  const u64 limit = grid.shape.sharedBytes;  // of each block
  const u32 bytes = issue.op.accessBytes();
  const SharedPlace place = placeOf(grid, issue.block, address);
  const u64 rank = rankNamedBy(address).value_or(issue.block.rank);
  if (!place.block && rank < isa::kMostClusterBlocks && issue.block.cluster)
    nobodyThere(grid, issue, lane, address, rank);
  else if (!place.block)
    beyondLimit(grid, issue, Space::shared, lane, address, limit);
  else if (place.offset <= limit && bytes <= limit - place.offset)
    return true;
  else
    beyondLimit(grid, issue, Space::shared, lane, place.offset, limit);
  return false;
}

LaneMask checkPlaces(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  for (const LaneId lane : mask)
    if (!checkPlace(grid, issue, lane, SharedOffset(addresses.lane[lane]))) mask.erase(lane);
  return mask;
}

// Lanes that go to the same block, with their addresses in its shared memory.
struct Part {
  Block* home = nullptr;
  LaneMask lanes;
  LaneAddresses addresses;
};

Part takePart(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask& left) {
  Part part;
  for (const LaneId lane : left) {
    const SharedPlace place = placeOf(grid, issue.block, SharedOffset(addresses.lane[lane]));
    if (!part.home) part.home = place.block;
    if (place.block != part.home) continue;
    part.lanes.insert(lane);
    part.addresses.lane[lane] = place.offset;
  }
  summarise(part.addresses, part.lanes, issue.op.accessBytes());
  left -= part.lanes;
  return part;
}

}  // namespace

void accessCluster(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  LaneMask left = checkPlaces(grid, issue, addresses, mask);
  if (left != mask) readZero(grid, issue, mask - left);
  if (left.empty()) return;
  if (grid.request.observer) raiseMemory(grid, issue, Space::shared, addresses, left);
  while (left) {
    const Part part = takePart(grid, issue, addresses, left);
    accessShared(grid, issue, *part.home, part.addresses, part.lanes);
  }
}

}  // namespace warpwright::exec
