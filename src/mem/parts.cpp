#include "mem/parts.hpp"

#include "mem/dram/channel.hpp"
#include "mem/dram/endless_dram.hpp"
#include "mem/partition/partition.hpp"

namespace warpwright::mem {
namespace {

std::unique_ptr<DramModel> makeChannel(const config::Dram& dram, bool skip) {
  if (dram.perfectLatency != 0) return std::make_unique<EndlessDram>(dram.perfectLatency);
  return std::make_unique<DramChannel>(dram, skip);
}

}  // namespace

Parts::Parts(const config::Machine& machine, const AddressMap& map, bool skip)
    : partition("the memory partition",
                [&machine, &map, skip](const PartitionContext& context) {
                  return std::make_unique<Partition>(context.config, machine.l2, machine.llc, map, skip, context.placement,
                                                     context.partition);
                }),
      placement(kPlacementOfL2),
      channel("the DRAM channel", [&machine, skip] { return makeChannel(machine.dram, skip); }) {}

}  // namespace warpwright::mem
