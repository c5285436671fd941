#include "machines/carve_outs.hpp"

#include <gtest/gtest.h>

#include "config/carve_outs.hpp"

namespace warpwright::machines {
namespace {

constexpr u64 kKilobyte = 1024;

TEST(CarveOuts, WithoutThemL1HasAllItsWays) { EXPECT_EQ(CarveOuts(config::loadMachine("v100")).waysBeside(96 * kKilobyte), 0u); }

// The least that holds what is needed, and the largest for what is more.
TEST(CarveOuts, L1HasWhatTheLeastOfThemLeaves) {
  config::Machine machine;
  machine.l1d = {.bytes = 64 * kKilobyte, .ways = 16};  // 4 KiB a way
  machine.sm.carveOuts = "0 8 32 62";
  machine.sm.unifiedBytes = 70 * kKilobyte;
  const CarveOuts carveOuts(machine);
  EXPECT_EQ(carveOuts.waysBeside(0), 16u) << "no more than there are";
  EXPECT_EQ(carveOuts.waysBeside(1), 15u);
  EXPECT_EQ(carveOuts.waysBeside(8 * kKilobyte), 15u);
  EXPECT_EQ(carveOuts.waysBeside(8 * kKilobyte + 1), 9u) << "38 KiB";
  EXPECT_EQ(carveOuts.waysBeside(32 * kKilobyte + 1), 2u);
  EXPECT_EQ(carveOuts.waysBeside(1000 * kKilobyte), 2u);
  machine.sm.unifiedBytes = 63 * kKilobyte;
  EXPECT_EQ(CarveOuts(machine).waysBeside(62 * kKilobyte), 1u) << "a cache has a way";
}

// data/hardware/h100/micro.csv: 189440 bytes, found by blocks of one warp with 8 bytes of shared memory and the 1024 of the system, of
// which 32 may be resident.
TEST(CarveOuts, GiveTheL1ThatWasMeasuredOnTheH100) {
  const config::Machine h100 = config::loadMachine("h100");
  const u64 bytesOfWay = h100.l1d.bytes / h100.l1d.ways;
  EXPECT_EQ(CarveOuts(h100).waysBeside(u64{32} * 1152) * bytesOfWay, 189440u);
}

TEST(CarveOuts, AreAListOfSizes) {
  EXPECT_EQ(config::carveOutsOf(""), std::vector<u64>());
  EXPECT_EQ(config::carveOutsOf(" 0 16  64"), (std::vector<u64>{0, 16 * kKilobyte, 64 * kKilobyte}));
  for (const char* wrong : {"16 16", "16 8", "x", "8k", "-1", "8,16", "8.5"})
    EXPECT_THROW(config::carveOutsOf(wrong), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace warpwright::machines
