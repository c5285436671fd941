// The parts of the machines of configs/ can be built, each by itself.
#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "config/rules.hpp"
#include "mem/side/partition_section.hpp"

namespace warpwright::mem {
namespace {

TEST(Presets, haveCachesAndPartitionsThatCanBeBuilt) {
  u32 timed = 0;
  for (const config::Machine& machine : config::presetMachines()) {
    if (!machine.timed) continue;
    ++timed;
    SCOPED_TRACE(machine.name);
    EXPECT_NO_THROW(config::validate(machine.l1d, "l1d"));
    EXPECT_NO_THROW(config::validate(machine.l1i, "l1i"));
    EXPECT_NO_THROW(config::validate(machine.l1c, "l1c"));
    EXPECT_NO_THROW(config::validate(machine.l15c, "l15c"));
    EXPECT_NO_THROW(config::validate(machine.textureCache, "texture_cache"));
    constexpr std::string_view kSections[] = {"network", "partition", "l2", "llc", "dram"};
    EXPECT_NO_THROW(config::validateSections(machine, kSections));
  }
  EXPECT_GE(timed, 1u);
}

// As many responses as the bus can bring in the fixed latency are under way: one column access each, the bus never at rest.
TEST(Presets, theFixedLatencyBoundsNoBandwidth) {
  for (config::Machine machine : config::presetMachines()) {
    if (!machine.timed) continue;
    SCOPED_TRACE(machine.name);
    for (const u32 latency : {0u, 1u, 100u, 341u, 2000u, 100'000u}) {
      machine.dram.fixedLatency = latency;
      const double ticks = double(latency) * double(machine.dram.clockKhz) / double(machine.coreClockKhz);
      EXPECT_GE(mostReturning(machine), ticks / config::burstTicks(machine.dram)) << latency;
    }
  }
}

}  // namespace
}  // namespace warpwright::mem
