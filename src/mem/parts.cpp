#include "mem/parts.hpp"

#include "mem/dram/channel.hpp"
#include "mem/partition/partition.hpp"

namespace warpwright::mem {

Parts::Parts(const config::Machine& machine, const AddressMap& map, bool skip)
    : partition("the memory partition",
                [&machine, &map, skip](const PartitionContext& context) {
                  return std::make_unique<Partition>(context.config, machine.l2, machine.llc, map, skip, context.placement);
                }),
      placement(kPlacementOfL2),
      channel("the DRAM channel", [&machine, skip] { return std::make_unique<DramChannel>(machine.dram, skip); }) {}

}  // namespace warpwright::mem
