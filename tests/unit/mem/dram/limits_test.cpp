// Every DRAM channel that a machine file may describe can be built, and answers: drawn at random, at the limits of its structure too.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "config/rules.hpp"
#include "probe.hpp"
#include "property/random.hpp"

namespace warpwright::mem::testing {
namespace {

using warpwright::testing::Random;

u32 oneOf(Random& random, std::initializer_list<u32> values) { return values.begin()[random.below(static_cast<u32>(values.size()))]; }

// Valid or not.
config::Dram randomDram(Random& random) {
  config::Dram dram;
  const auto maybe = [&](u32& value, std::initializer_list<u32> values) {
    if (random.chance(30)) value = oneOf(random, values);
  };
  dram.kind = static_cast<config::DramKind>(random.below(4));
  dram.page = random.chance(50) ? config::PagePolicy::open : config::PagePolicy::closed;
  dram.scheduler = random.chance(50) ? "fr_fcfs" : "fcfs";
  maybe(dram.channels, {0, 1, 2, 256, 257});
  maybe(dram.busBytes, {0, 1, 4, 16, 128, 256});
  maybe(dram.dataRate, {0, 1, 2, 8, 16, 32});
  maybe(dram.burstLength, {1, 2, 4, 16, 64, 128});
  maybe(dram.ranks, {0, 1, 2, 4, 8, 16});
  maybe(dram.bankGroups, {0, 1, 2, 8, 16, 32});
  maybe(dram.banks, {1, 2, 8, 32, 64, 128});
  maybe(dram.rowBytes, {128, 256, 4096, 65'536});
  maybe(dram.interleaveBytes, {16, 32, 64, 128, 4096, 65'536});
  maybe(dram.requestQueue, {0, 1, 2, 256, 65'534, 65'535, 65'536});
  maybe(dram.returnQueue, {0, 1, 65'536});
  for (u32* time : {&dram.tCL, &dram.tWL, &dram.tRCD, &dram.tRP, &dram.tRAS, &dram.tRC, &dram.tRRD, &dram.tCCD, &dram.tCCDL, &dram.tRTP,
                    &dram.tWTR, &dram.tWR}) {
    if (random.chance(5)) *time = oneOf(random, {0, 1, 2, 100});
  }
  maybe(dram.tRTW, {0, 1, 20, 1000});
  maybe(dram.tFAW, {0, 1, 40, 1000});
  if (random.chance(20)) dram.tREFI = oneOf(random, {0, 10, 2000}), dram.tRFC = oneOf(random, {0, 5, 200});
  return dram;
}

bool isAccepted(const config::Dram& dram) {
  try {
    config::validate(dram);
  } catch (const Error&) {
    return false;
  }
  return true;
}

TEST(DramLimits, WhatAMachineFileMayDescribeCanBeBuilt) {
  Random random(5);
  u32 built = 0, refused = 0;
  for (u32 i = 0; built < 200; ++i) {
    ASSERT_LT(i, 1'000'000u);
    const config::Dram dram = randomDram(random);
    if (!isAccepted(dram)) {
      ++refused;
      continue;
    }
    ++built;
    SCOPED_TRACE(::testing::Message() << dram.ranks << " ranks of " << dram.banks << " banks, " << dram.bankGroups << " groups, rows of "
                                      << dram.rowBytes << ", columns of " << config::columnBytes(dram) << ", queue of "
                                      << dram.requestQueue);
    Probe probe(dram);
    const u32 first = probe.send(0, 0);
    EXPECT_NE(probe.ready(first), ~u64{0});
    const u32 second = probe.send(probe.now(), u64{dram.rowBytes} * 64);
    EXPECT_NE(probe.ready(second), ~u64{0});
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace warpwright::mem::testing
