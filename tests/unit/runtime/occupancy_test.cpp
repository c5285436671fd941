// Expected values by hand from the allocation rules; the Volta ones agree with NVIDIA's occupancy tables for compute capability 7.0.
#include "runtime/occupancy.hpp"

#include <gtest/gtest.h>

namespace warpwright::runtime {
namespace {

config::Machine volta() {
  config::Machine machine;
  machine.warpSize = 32;
  machine.warpsPerSm = 64;
  machine.blocksPerSm = 32;
  machine.registersPerSm = 65536;
  machine.registerAllocationUnit = 256;
  machine.schedulersPerSm = 4;
  machine.sharedBytesPerSm = 96 * 1024;
  machine.sharedBytesPerBlock = 96 * 1024;
  machine.sharedAllocationUnit = 256;
  return machine;
}

void expectOccupancy(const BlockNeeds& needs, u32 blocks, const std::string& limiter) {
  const Occupancy occupancy = occupancyOf(volta(), needs);
  EXPECT_EQ(occupancy.blocksPerSm, blocks);
  EXPECT_EQ(occupancy.limiter, limiter);
}

TEST(Occupancy, WarpsLimitLeanKernels) { expectOccupancy({256, 16, 0}, 8, "warps"); }

TEST(Occupancy, BlocksLimitTinyBlocks) { expectOccupancy({32, 16, 0}, 32, "blocks"); }

// 37 registers: 1184 a warp, rounded up to 1280; 16384 / 1280 = 12 warps a scheduler, 48 in all, 6 blocks of 8.
TEST(Occupancy, RegistersComeInUnits) { expectOccupancy({256, 37, 0}, 6, "registers"); }

// 168 registers: 5376 a warp; 3 fit in a scheduler's 16384 although 65536 would hold 12.2 in all: 12 warps, 3 blocks of 4.
TEST(Occupancy, RegistersBelongToSchedulers) { expectOccupancy({128, 168, 0}, 3, "registers"); }

TEST(Occupancy, ABlockThatDoesNotFit) { expectOccupancy({1024, 255, 0}, 0, "registers"); }

// 10000 bytes are 10240 in units of 256; 98304 / 10240 = 9.6.
TEST(Occupancy, SharedMemoryComesInUnits) { expectOccupancy({64, 16, 10000}, 9, "shared memory"); }

// 1024 bytes more a block are 9216 in units of 256 for 8000; 98304 / 9216 = 10.7. Without shared memory 96 blocks have room for those
// alone.
TEST(Occupancy, TheSystemTakesSharedMemoryForEachBlock) {
  config::Machine machine = volta();
  machine.sharedReservedBytes = 1024;
  EXPECT_EQ(occupancyOf(machine, {64, 16, 8000}).blocksPerSm, 10u);
  EXPECT_EQ(occupancyOf(machine, {64, 16, 8000}).limiter, "shared memory");
  EXPECT_EQ(shareOf(machine, {64, 16, 8000}).sharedBytes, 9216u);
  EXPECT_EQ(shareOf(machine, {64, 16, 0}).sharedBytes, 1024u);
  machine.sharedBytesPerSm = 30 * 1024;
  EXPECT_EQ(occupancyOf(machine, {32, 16, 0}).blocksPerSm, 30u);
}

// 33 threads need two warps.
TEST(Occupancy, PartialWarpsCount) {
  config::Machine machine = volta();
  machine.blocksPerSm = 64;
  EXPECT_EQ(occupancyOf(machine, {33, 16, 0}).blocksPerSm, 32u);
}

}  // namespace
}  // namespace warpwright::runtime
