#include "exec/cluster.hpp"

#include <utility>

#include "exec/block.hpp"
#include "exec/grid.hpp"

namespace warpwright::exec {
namespace {

Dim3 placeIn(u64 linear, const Dim3& extent) {
  return {static_cast<u32>(linear % extent.x), static_cast<u32>(linear / extent.x % extent.y),
          static_cast<u32>(linear / extent.x / extent.y)};
}

u64 numberIn(const Dim3& position, const Dim3& extent) { return position.x + u64{extent.x} * (position.y + u64{extent.y} * position.z); }

Dim3 operator/(const Dim3& a, const Dim3& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

template <class Visit>
void forEachBlock(Block& block, Visit visit) {
  if (!block.cluster) return visit(block);
  for (Block* const each : block.cluster->blocks)
    if (each) visit(*each);
}

}  // namespace

ClusterShape::ClusterShape(const Dim3& grid, const Dim3& cluster)
    : grid_(grid), cluster_(cluster), clusters_(grid / cluster), blocks_(static_cast<u32>(cluster.count())) {}

u64 ClusterShape::blockAt(u64 order) const {
  if (blocks_ == 1) return order;
  const Dim3 cluster = placeIn(order / blocks_, clusters_), within = placeIn(order % blocks_, cluster_);
  return numberIn({cluster.x * cluster_.x + within.x, cluster.y * cluster_.y + within.y, cluster.z * cluster_.z + within.z}, grid_);
}

Dim3 ClusterShape::clusterOf(const Dim3& block) const { return block / cluster_; }

Dim3 ClusterShape::positionInCluster(const Dim3& block) const { return {block.x % cluster_.x, block.y % cluster_.y, block.z % cluster_.z}; }

u32 ClusterShape::rankOf(const Dim3& block) const { return static_cast<u32>(numberIn(positionInCluster(block), cluster_)); }

std::optional<u64> rankNamedBy(SharedOffset address) {
  const u64 strides = address / isa::kClusterStride;
  if (strides == 0) return std::nullopt;
  return strides - 1;
}

SharedPlace placeOf(Grid& grid, Block& self, SharedOffset address) {
  const std::optional<u64> rank = rankNamedBy(address);
  const SharedOffset offset(address % isa::kClusterStride);
  if (!rank || *rank == self.rank) return {&self, offset};
  if (!self.cluster || *rank >= grid.clusters.blocks()) return {nullptr, offset};
  return {self.cluster->blocks[*rank], offset};
}

ClusterRaces& racesOf(Block& block) { return block.cluster ? block.cluster->races : block.races->alone(); }

bool hasClusterArrived(const Block& block) {
  if (!block.cluster) return block.arrivedAtCluster != 0 && block.arrivedAtCluster == block.liveThreads;
  u64 arrived = 0, live = 0;
  for (const Block* const each : block.cluster->blocks) {
    if (!each) continue;
    arrived += each->arrivedAtCluster;
    live += each->liveThreads;
  }
  return arrived != 0 && arrived == live;
}

void openClusterBarrier(Grid& grid, Block& block) {
  madeProgress(grid);
  block.arrivedAtCluster = 0;
  for (Warp& warp : block.warps) {
    warp.atCluster = {};
    bool opened = false;
    for (Path& path : warp.tree.paths()) {
      if (path.barrier != kClusterBarrier) continue;
      if (path.state == PathState::withWarp) path.state = PathState::ready;
      if (path.state != PathState::atBarrier) continue;
      opened = true;
      path.state = PathState::ready;
      path.polling = false;
      ++path.pc;
    }
    if (!opened) continue;
    warp.mayStore = false;
    if (block.races) block.races->passCluster(warp.index, racesOf(block));
    if (warp.tree.paths().size() > 1) warp.tree.mergeReady();
  }
}

bool takeClusterArrival(Block& block) {
  if (!hasClusterArrived(block)) return false;
  if (block.races) racesOf(block).opened = std::exchange(racesOf(block).arriving, {});
  return true;
}

void completeClusterBarrier(Grid& grid, Block& block) {
  if (!takeClusterArrival(block)) return;
  forEachBlock(block, [&](Block& each) { openClusterBarrier(grid, each); });
}

}  // namespace warpwright::exec
