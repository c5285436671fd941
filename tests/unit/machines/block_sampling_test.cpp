#include "machines/block_sampling.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "machines/gpu.hpp"

namespace warpwright::machines {
namespace {

TEST(BlockSampling, ReadsNumbersAndShares) {
  EXPECT_EQ(parseBlockSample("128").blocks, 128u);
  EXPECT_DOUBLE_EQ(parseBlockSample("2.5%").share, 0.025);
  for (const char* text : {"", "%", "0", "0%", "101%", "-1", "-1%", "12x", "x", "1 %", "nan%"})
    EXPECT_THROW(parseBlockSample(text), Error) << text;
}

TEST(BlockSampling, ASampleFillsTheMachineThreeTimes) {
  EXPECT_EQ(blocksInDetail({}, 1000, 30), 1000u);
  EXPECT_EQ(blocksInDetail(parseBlockSample("100"), 1000, 30), 100u);
  EXPECT_EQ(blocksInDetail(parseBlockSample("10"), 1000, 30), 90u);
  EXPECT_EQ(blocksInDetail(parseBlockSample("10"), 40, 30), 40u);
  EXPECT_EQ(blocksInDetail(parseBlockSample("15%"), 1001, 30), 151u);
}

TimedResult sample(u64 cycles, u64 blocks, FullMachine full) {
  TimedResult result;
  result.cycles = cycles;
  result.functional.blocksDone = blocks;
  result.full = full;
  return result;
}

TEST(BlockSampling, TheRestTakesTheRateOfTheFullMachine) {
  // 100 blocks in 500 cycles while full: 5 cycles each.
  EXPECT_EQ(extrapolatedCycles(sample(2000, 300, {500, 100, 60}), 1300), 2000u + 5000u);
  EXPECT_EQ(extrapolatedCycles(sample(2000, 300, {500, 100, 60}), 300), 2000u);
}

TEST(BlockSampling, AShortSampleIsRepeated) {
  EXPECT_EQ(extrapolatedCycles(sample(2000, 100, {0, 0, 60}), 1000), 20'000u);
  EXPECT_EQ(extrapolatedCycles(sample(2000, 100, {10, 30, 60}), 1000), 20'000u);
}

}  // namespace
}  // namespace warpwright::machines
