#include "exec/operations/cluster_access.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/bulk_transfer.hpp"
#include "exec/cluster.hpp"
#include "exec/dispatch.hpp"
#include "exec/operations/access.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

using isa::Space;

// Whether the lane's bytes are there, or may be: whether a block on another SM has ended is known between quanta alone.
bool checkPlace(Grid& grid, const Issue& issue, LaneId lane, SharedOffset address, bool isLater) {
  const u64 limit = grid.shape.sharedBytes;  // of each block
  const u32 bytes = issue.op.accessBytes();
  const u64 rank = rankNamedBy(address).value_or(issue.block.rank);
  const bool isThere = isLater ? rank < grid.clusters.blocks() : placeOf(grid, issue.block, address).block != nullptr;
  const u64 offset = address % isa::kClusterStride;
  if (isThere && offset <= limit && bytes <= limit - offset) return true;
  if (!isThere && rank < isa::kMostClusterBlocks && issue.block.cluster)
    reportNobodyThere(grid, issue, lane, address);
  else
    beyondLimit(grid, issue, Space::shared, lane, isThere ? offset : u64{address}, limit);
  return false;
}

LaneMask checkPlaces(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask, LaneMask later) {
  for (const LaneId lane : mask)
    if (!checkPlace(grid, issue, lane, SharedOffset(addresses.lane[lane]), later.contains(lane))) mask.erase(lane);
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

// Lanes whose bytes lie in another block of the cluster.
LaneMask elsewhere(const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  for (const LaneId lane : mask)
    if (rankNamedBy(SharedOffset(addresses.lane[lane])).value_or(issue.block.rank) == issue.block.rank) mask.erase(lane);
  return mask;
}

// They take effect between quanta.
void putOff(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  StepRecord& record = grid.separate->recorder->record();
  record.isRemote = true;
  record.remoteLanes = {};
  for (const LaneId lane : mask) ++record.remoteLanes[*rankNamedBy(SharedOffset(addresses.lane[lane]))];
  RemoteAccess& access = grid.separate->remote.add();
  access.op = &issue.op;
  access.pc = issue.pc;
  access.block = &issue.block;
  access.warp = &issue.warp;
  access.issued = issue.now;
  access.mask = mask;
  access.addresses = addresses;
  // The count of an mbarrier operation is a word.
  const std::size_t words = std::size_t{grid.lanes} * (op.handler == Handler::mbarrier ? 1 : (op.accessBytes() + 3) / 4);
  if (op.handler != Handler::load && op.sources[1].present) std::copy_n(source(issue.warp, op.sources[1]), words, access.b.begin());
  if (op.sources[2].present) std::copy_n(source(issue.warp, op.sources[2]), words, access.c.begin());
  ++issue.warp.deferred;
}

void accessParts(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask left, const KeptSources* kept) {
  while (left) {
    const Part part = takePart(grid, issue, addresses, left);
    accessShared(grid, issue, *part.home, part.addresses, part.lanes, kept);
  }
}

}  // namespace

void reportNobodyThere(Grid& grid, const Issue& issue, LaneId lane, SharedOffset address) {
  if (!checksBounds(grid, issue)) return;
  const u64 rank = rankNamedBy(address).value_or(issue.block.rank);
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

void accessCluster(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  LaneMask later;
  if (grid.separate && issue.block.cluster) later = elsewhere(issue, addresses, mask);
  const LaneMask reached = checkPlaces(grid, issue, addresses, mask, later);
  if (reached != mask) readZero(grid, issue, mask - reached);
  if (reached.empty()) return;
  if (later & reached) putOff(grid, issue, addresses, later & reached);
  if (grid.request.observer) raiseMemory(grid, issue, Space::shared, addresses, reached);
  accessParts(grid, issue, addresses, reached - later, nullptr);
}

LaneMask putOffLanes(const Grid& grid) {
  if (!grid.separate || !grid.separate->recorder->record().isRemote) return {};
  return grid.separate->remote[grid.separate->remote.size() - 1].mask;
}

void performRemote(Grid& grid, u32 number) {
  RemoteAccess& access = grid.separate->remote[number];
  if (access.bulk) return finishBulk(grid, *access.bulk);
  Path nowhere;
  const Issue issue{*access.block, *access.warp, nowhere, *access.op, access.pc, access.mask, access.mask, access.issued};
  --access.warp->deferred;
  const LaneMask reached = checkPlaces(grid, issue, access.addresses, access.mask, {});
  if (reached != access.mask) readZero(grid, issue, access.mask - reached);
  accessParts(grid, issue, access.addresses, reached, &access);
  if (access.op->polls && access.op->handler != Handler::mbarrier)
    notePoll(grid, access.block->index, *access.warp, *access.op, access.mask, access.addresses);
  if (grid.issueEvents) raiseResult(grid, access.block->index, *access.warp, *access.op, access.pc, access.mask);
}

}  // namespace warpwright::exec
