// What a memory partition is put together from where machines differ. The baseline makes each part as the machine describes it; a mechanism
// puts another in its place, or something around it (src/mechanisms/mechanism.hpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/part.hpp"
#include "config/machine.hpp"
#include "mem/cache/placement.hpp"
#include "mem/dram/model.hpp"
#include "mem/dram_stage.hpp"
#include "mem/partition/address_map.hpp"
#include "mem/partition/model.hpp"

namespace warpwright::mem {

struct PartitionContext {
  // Without the latency that the channels from and to the networks stand for.
  const config::Partition& config;
  const PlacementPart& placement;
  PartitionId partition;
};

struct Parts {
  // As `machine` describes them; it and the map must outlive the parts. skip: see MemorySide.
  Parts(const config::Machine& machine, const AddressMap& map, bool skip);

  Part<PartitionModel, const PartitionContext&> partition;  // the L2 slices, with the last level
  // Where the lines of L2 slices lie. Nothing in the baseline: in sets of ways.
  PlacementPart placement;
  Part<DramModel> channel;
  // Nothing in the baseline. Each makes a stage between the partition and the channel: the first stands next to the partition.
  std::vector<std::function<std::unique_ptr<DramStage>()>> stages;
};

}  // namespace warpwright::mem
