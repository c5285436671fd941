// A launch heard by one collector, and the same launch shared out over three: the profile must not differ.
#include <gtest/gtest.h>

#include "launch_builder.hpp"
#include "profile/profile.hpp"
#include "stats/json.hpp"

namespace warpwright::profile {
namespace {

using isa::Opcode;
using isa::Space;
using testing::access;
using testing::HandMadeKernel;
using testing::strided;

constexpr Geometry kMergedMachine{32, 32, 4};

// Accesses to overlapping sectors, so that the footprint of the whole is less than the sum of its parts.
stats::Json profileOf(u32 collectors) {
  HandMadeKernel kernel({access(Opcode::ld, Space::global, 1), access(Opcode::st, Space::global, 2), access(Opcode::ld, Space::shared, 3),
                         access(Opcode::atom, Space::global, 4), testing::operation(Opcode::bra, isa::DataType::u32, 5)});
  Profile profile(kMergedMachine);
  const auto observers = profile.beginLaunch(kernel.request, collectors);
  for (u32 i = 0; i < 12; ++i) {
    exec::Observer& observer = *observers[i % observers.size()];
    kernel.access(observer, 0, strided(0x10000 + 64 * i, 4));
    kernel.access(observer, 1, strided(0x10000, 4 + 4 * (i % 2)), 4, LaneMask::first(16));
    kernel.access(observer, 2, strided(0, 8));
    if (i % 3 == 1) kernel.access(observer, 3, strided(0x20000, 0));
    kernel.branch(observer, 4, LaneMask::first(32), LaneMask::first(i % 4 == 0 ? 8 : 0));
  }
  profile.endLaunch(kernel.request, kernel.result, 100);
  return profile.data();
}

TEST(Collectors, SharingOutALaunchChangesNothing) {
  const stats::Json one = profileOf(1);
  EXPECT_TRUE(one["kernels"][0]["violations"].empty()) << one["kernels"][0]["violations"];
  EXPECT_GT(one["kernels"][0]["footprint"]["sectors"], 0);
  EXPECT_EQ(one, profileOf(3));
  EXPECT_EQ(one, profileOf(12));
}

TEST(Collectors, OneLaunchLeavesNothingForTheNext) {
  HandMadeKernel kernel({access(Opcode::ld, Space::global, 1)});
  Profile profile(kMergedMachine);
  for (u32 collectors : {3, 2}) {
    const auto observers = profile.beginLaunch(kernel.request, collectors);
    for (exec::Observer* observer : observers) kernel.access(*observer, 0, strided(0x10000, 4));
    const Counters launch = profile.endLaunch(kernel.request, kernel.result, 100);
    EXPECT_EQ(launch.global.loads.requests, collectors);
    kernel.result.counts[0] = {};
    kernel.result.warpInstructions = kernel.result.threadInstructions = 0;
  }
}

}  // namespace
}  // namespace warpwright::profile
