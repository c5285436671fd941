#include "machines/block_sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

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

TEST(FillTimes, AreNotedWhenAsManyBlocksHaveEndedAsAreResident) {
  FillTimes fills;
  EXPECT_FALSE(fills.note(1, 60, Cycle{90}));
  EXPECT_TRUE(fills.note(60, 100, Cycle{100}));
  EXPECT_FALSE(fills.note(100, 160, Cycle{190}));
  EXPECT_TRUE(fills.note(125, 180, Cycle{200}));
  EXPECT_TRUE(fills.note(240, 300, Cycle{350}));
  ASSERT_EQ(fills.all().size(), 3u);
  EXPECT_EQ(fills.all()[1].ended, 125u);
  EXPECT_EQ(fills.all()[2].time, Cycle{350});
}

// Blocks of the same work end by 100, the fills so many cycles apart; the last blocks end 50 cycles behind the last fill.
SampledLaunch sampled(const std::vector<u64>& cyclesOfFills) {
  SampledLaunch sample;
  for (const u64 cycles : cyclesOfFills) {
    sample.cycles += cycles;
    sample.fills.push_back({Cycle{sample.cycles}, 100 * (sample.fills.size() + 1)});
  }
  sample.blocks = 100 * (sample.fills.size() + 1);
  sample.cycles += 50;
  return sample;
}

TEST(BlockSampling, TheRestTakesTheRateOfTheFullMachine) {
  const SampledLaunch sample = sampled({800, 500, 510, 490, 500});
  const stats::Estimate whole = wholeCycles(sample, BlockWork::ofEqual(10'000, 100));
  // Four batches: the later two of 100 blocks each take 990 cycles. 9,400 blocks are left, and both tails are without a wait.
  EXPECT_NEAR(whole.value, 2850 + 94 * 495, 1e-6);
  EXPECT_EQ(whole.degrees, 1);
  // Their residuals are 5 and -5: a variance of 50 of a batch, and 94 x (94 + 2) / 2 times that of 94 batches beside two.
  EXPECT_NEAR(whole.variance, 50 * 94 * (1 + 94 / 2.0), 1e-6);
}

TEST(BlockSampling, AWholeLaunchTakesItsCycles) {
  SampledLaunch sample = sampled({800, 500});
  sample.blocks = 1000;
  const stats::Estimate whole = wholeCycles(sample, BlockWork::ofEqual(1000, 100));
  EXPECT_TRUE(whole.isExact());
  EXPECT_EQ(whole.value, 1350);
}

TEST(BlockSampling, AShortSampleIsRepeatedAndKnowsNoError) {
  const stats::Estimate whole = wholeCycles({{}, 2000, 100, {{Cycle{900}, 50}}}, BlockWork::ofEqual(1000, 60));
  EXPECT_DOUBLE_EQ(whole.value, 20'000);
  EXPECT_EQ(whole.error(), stats::kEndless);
}

TEST(BlockSampling, CyclesFollowTheWork) {
  // Blocks behind the 600 that were sampled do three times the work.
  std::vector<u64> work(1000, 10);
  std::fill(work.begin() + 600, work.end(), 30);
  const stats::Estimate whole = wholeCycles(sampled({500, 500, 500, 500, 500}), BlockWork(work, 100));
  EXPECT_NEAR(whole.value, 2550 + 4 * 3 * 500, 1e-6);
}

// One block more than fill the machine ten times: between no time and that of a fill, which is what its place takes for a block.
TEST(BlockSampling, TheTailIsSomewhereBetweenNothingAndABlock) {
  const stats::Estimate whole = wholeCycles(sampled({500, 500, 500, 500, 500}), BlockWork::ofEqual(1001, 100));
  const double tail = 0.99 * 500;
  EXPECT_NEAR(whole.value, 2550 + 4.01 * 500 + tail / 2, 1e-6);
  EXPECT_NEAR(whole.variance, tail * tail / 12, 1e-6);
}

TEST(BlockSampling, EndsWhereTheIntervalIsNarrowEnough) {
  const BlockWork work = BlockWork::ofEqual(100'000, 100);
  EXPECT_FALSE(isEnough(sampled({800, 500, 500}), work, 0.03)) << "too few batches";
  EXPECT_TRUE(isEnough(sampled({800, 510, 495, 500, 505, 500, 500}), work, 0.03));
  EXPECT_FALSE(isEnough(sampled({800, 600, 400, 500, 550, 400, 600}), work, 0.03));
  EXPECT_TRUE(isEnough(sampled({800, 600, 400, 500, 550, 400, 600}), work, 0.3));
  EXPECT_FALSE(isEnough(sampled({800, 510, 495, 500, 505, 500, 500}), BlockWork::ofEqual(800, 100), 0.03)) << "nothing is left";
}

TEST(BlockSampling, GoesOnWhereLessThanHalfIsLeft) {
  const SampledLaunch sample = sampled(std::vector<u64>(9, 500));
  EXPECT_TRUE(isEnough(sample, BlockWork::ofEqual(2 * sample.blocks, 100), 0.03));
  EXPECT_FALSE(isEnough(sample, BlockWork::ofEqual(2 * sample.blocks - 1, 100), 0.03));
  // By work and not by number.
  std::vector<u64> work(2 * sample.blocks + 100, 100);
  std::fill_n(work.begin(), sample.blocks, 108);
  EXPECT_TRUE(isEnough(sample, BlockWork(work, 100), 0.03));
  std::fill_n(work.begin(), sample.blocks, 100);
  work.resize(2 * sample.blocks);
  std::fill_n(work.begin(), sample.blocks, 101);
  EXPECT_FALSE(isEnough(sample, BlockWork(work, 100), 0.03));
}

TEST(BlockSampling, GoesOnWhereOtherBlocksAreUnlike) {
  std::vector<u64> work(6000, 100);
  for (std::size_t i = 1500; i < work.size(); ++i) work[i] = 300;
  const auto steady = [](u64 fills) { return sampled(std::vector<u64>(fills, 500)); };
  EXPECT_FALSE(isEnough(steady(9), BlockWork(work, 100), 0.5));
  EXPECT_TRUE(isEnough(steady(16), BlockWork(work, 100), 0.5));
}

TEST(BlockWork, AddsUp) {
  const BlockWork work({1, 2, 3, 4}, 2);
  EXPECT_EQ(work.blocks(), 4u);
  EXPECT_EQ(work.all(), 10u);
  EXPECT_EQ(work.upTo(0), 0u);
  EXPECT_EQ(work.upTo(3), 6u);
  EXPECT_EQ(work.behind(3), 4u);
}

TEST(BlockWork, KnowsHowManyShowWhatAllAreLike) {
  EXPECT_EQ(BlockWork::ofEqual(1000, 10).alikeFrom(), 1u);
  // A hundred blocks of 100, a hundred of 111, and so on.
  std::vector<u64> growing(1000);
  for (std::size_t i = 0; i < growing.size(); ++i) growing[i] = 100 + i / 100 * 11;
  // Blocks of 199 are within a tenth of 188, and those within a tenth of 177 are not enough.
  EXPECT_EQ(BlockWork(growing, 10).alikeFrom(), 801u);
  // Three small ones at the end are less than a hundredth of the work.
  std::vector<u64> ragged(1000, 100);
  std::fill(ragged.end() - 3, ragged.end(), 5);
  EXPECT_EQ(BlockWork(ragged, 10).alikeFrom(), 1u);
  // A large one is more than that.
  ragged.back() = 5000;
  EXPECT_EQ(BlockWork(ragged, 10).alikeFrom(), 1000u);
}

TEST(BlockWork, TheTailIsWhatPlacesWaitForTheLast) {
  EXPECT_DOUBLE_EQ(BlockWork::ofEqual(20, 10).tail(), 0);
  EXPECT_DOUBLE_EQ(BlockWork::ofEqual(21, 10).tail(), 0.9);
  EXPECT_DOUBLE_EQ(BlockWork::ofEqual(21, 10).tail(20), 0);
  EXPECT_DOUBLE_EQ(BlockWork::ofEqual(5, 10).tail(), 0.5);
  // One place has 4 and 1, the other 3 and 2; and one 4 alone, the other 3, 1 and 8.
  EXPECT_DOUBLE_EQ(BlockWork({4, 3, 2, 1}, 2).tail(), 5 - 5);
  EXPECT_DOUBLE_EQ(BlockWork({4, 3, 1, 8}, 2).tail(), 12 - 8);
}

}  // namespace
}  // namespace warpwright::machines
