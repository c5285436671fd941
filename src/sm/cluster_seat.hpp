// Where the blocks of a resident cluster are. Written between quanta, while no SM runs.
#pragma once

#include <array>

#include "exec/cluster.hpp"
#include "sm/launch_plan.hpp"

namespace warpwright::sm {

struct ClusterSeat {
  exec::Cluster cluster;  // a block leaves it when it ends
  const LaunchPlan* plan = nullptr;
  std::array<SmId, isa::kMostClusterBlocks> sms;  // by rank
  std::array<BlockSlotId, isa::kMostClusterBlocks> slots;
  Cycle opens = kNever;  // the barrier of the cluster, the last time; never: it has not yet

  // Its blocks have ended, or none has begun.
  bool isFree() const {
    for (const exec::Block* block : cluster.blocks)
      if (block) return false;
    return true;
  }
};

}  // namespace warpwright::sm
