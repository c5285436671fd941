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

TEST(BlockSampling, ASampleFillsTheMachineFourTimes) {
  EXPECT_EQ(blocksInDetail({}, 1000, 30), 1000u);
  EXPECT_EQ(blocksInDetail(parseBlockSample("130"), 1000, 30), 130u);
  EXPECT_EQ(blocksInDetail(parseBlockSample("10"), 1000, 30), 120u);
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

TEST(BlockSampling, TheRateIsThatOfTheLaterHalfOfTheFills) {
  FillTimes fills;
  const auto expectSteady = [&](u64 cycles, u64 ended) {
    EXPECT_EQ(fills.steady().cycles, cycles);
    EXPECT_EQ(fills.steady().ended, ended);
    EXPECT_EQ(fills.steady().resident, 60u);
  };
  fills.note(1, 60, Cycle{90});
  fills.note(60, 100, Cycle{100});
  expectSteady(0, 0);
  fills.note(100, 160, Cycle{190});
  fills.note(125, 180, Cycle{200});
  expectSteady(100, 65);
  fills.note(180, 240, Cycle{280});
  expectSteady(80, 55);
  fills.note(240, 300, Cycle{350});
  fills.note(300, 360, Cycle{420});
  expectSteady(140, 120);
}

TEST(BlockSampling, AShortSampleIsRepeated) {
  EXPECT_EQ(extrapolatedCycles(sample(2000, 100, {0, 0, 60}), 1000), 20'000u);
  EXPECT_EQ(extrapolatedCycles(sample(2000, 100, {10, 30, 60}), 1000), 20'000u);
}

}  // namespace
}  // namespace warpwright::machines
