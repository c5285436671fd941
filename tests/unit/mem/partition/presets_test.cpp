// The machines of configs/ can be built.
#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "mem/cache/validate.hpp"
#include "mem/partition/partition.hpp"

namespace warpwright::mem {
namespace {

TEST(Presets, haveCachesAndPartitionsThatCanBeBuilt) {
  u32 timed = 0;
  for (const config::Machine& machine : config::presetMachines()) {
    if (!machine.timed) continue;
    ++timed;
    SCOPED_TRACE(machine.name);
    EXPECT_NO_THROW(validate(machine.l1d, "l1d"));
    EXPECT_NO_THROW(validate(machine.l1i, "l1i"));
    EXPECT_NO_THROW(validate(machine.l1c, "l1c"));
    EXPECT_NO_THROW(validate(machine.textureCache, "texture_cache"));
    EXPECT_NO_THROW(validatePartition(machine.partition, machine.l2, machine.llc, machine.dram.interleaveBytes));
  }
  EXPECT_GE(timed, 1u);
}

}  // namespace
}  // namespace warpwright::mem
