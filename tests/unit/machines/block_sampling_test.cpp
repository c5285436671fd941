#include "machines/block_sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

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

TEST(FillTimes, KnowWhenTheBlocksOfTheLastFillEnded) {
  FillTimes fills(60);
  for (const auto& [ended, now] : {std::pair{1, 90}, {1, 98}, {40, 100}, {61, 130}, {62, 150}, {121, 170}, {122, 180}})
    fills.note(static_cast<u64>(ended), 500, Cycle{static_cast<u64>(now)});
  std::vector<std::pair<u64, u64>> endings;
  for (const Fill& each : fills.endings()) endings.push_back({each.time.ticks, each.ended});
  EXPECT_EQ(endings, (std::vector<std::pair<u64, u64>>{{150, 62}, {170, 121}, {180, 122}}));
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

// Where blocks end one after the other, a tail is as long wherever it begins.
TEST(BlockSampling, TheTailIsThatOfPlacesAsTheyAreOutOfStep) {
  SampledLaunch sample = sampled({500, 500, 500, 500, 500});
  for (u64 ended = 400; ended <= 500; ++ended) sample.endings.push_back({Cycle{2000 + (ended - 400) * 5}, ended});
  for (const u64 blocks : {1000, 1001, 1050, 1099}) {
    const stats::Estimate whole = wholeCycles(sample, BlockWork::ofEqual(blocks, 100));
    EXPECT_NEAR(whole.value, 2550 + static_cast<double>(blocks - 600) * 5, 1e-6);
    EXPECT_NEAR(whole.error(), 0, 1e-6);
    EXPECT_FALSE(whole.isExact());
  }
  // All at the end of the fill: in step.
  sample.endings = {{Cycle{2000}, 400}, {Cycle{2500}, 500}};
  EXPECT_NEAR(wholeCycles(sample, BlockWork::ofEqual(1001, 100)).value, 2550 + 4.01 * 500 + 0.99 * 500 / 2, 1e-6);
}

// Behind a first fill, twelve that take these shares of 500 cycles in turn.
SampledLaunch settled(const std::vector<double>& shares) {
  std::vector<u64> cycles{800};
  while (cycles.size() < 13) cycles.push_back(static_cast<u64>(500 * shares[cycles.size() % shares.size()]));
  return sampled(cycles);
}

TEST(BlockSampling, EndsWhereTheIntervalIsNarrowEnough) {
  const BlockWork work = BlockWork::ofEqual(100'000, 100);
  EXPECT_FALSE(isEnough(sampled(std::vector<u64>(kLeastFills - 1, 500)), work, 0.03)) << "too few fills";
  EXPECT_TRUE(isEnough(sampled(std::vector<u64>(kLeastFills, 500)), work, 0.03));
  EXPECT_TRUE(isEnough(settled({1, 1.02, 0.99, 1.01}), work, 0.03));
  EXPECT_FALSE(isEnough(settled({1, 1.2, 0.8, 1.1}), work, 0.03));
  EXPECT_TRUE(isEnough(settled({1, 1.2, 0.8, 1.1}), work, 0.3));
  EXPECT_FALSE(isEnough(settled({1}), BlockWork::ofEqual(1400, 100), 0.03)) << "nothing is left";
}

// Caches fill, and rows of DRAM come apart: the first fills take longer. Of how many launches that settle so, each timed until its interval
// is narrow enough, that holds the truth: of 20 it should be 19.
TEST(BlockSampling, TheIntervalHoldsTheTruthWhereTheRateSettles) {
  constexpr u64 kFills = 44, kLaunches = 400;
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.015);
  std::uniform_real_distribution<double> most(0.02, 0.1);
  const BlockWork work = BlockWork::ofEqual(kFills * 100, 100);
  u64 sampledOnes = 0, holding = 0;
  for (u64 launch = 0; launch < kLaunches; ++launch) {
    const double slowest = most(random);
    std::vector<u64> cycles;
    for (u64 fill = 0; fill < kFills; ++fill)
      cycles.push_back(static_cast<u64>(10'000 * (1 + slowest * std::max(0.0, 1 - static_cast<double>(fill) / 6) + noise(random))));
    const double truth = static_cast<double>(std::accumulate(cycles.begin(), cycles.end(), u64{0}));
    for (u64 fills = 1; fills < kFills; ++fills) {
      SampledLaunch sample = sampled({cycles.begin(), cycles.begin() + static_cast<std::ptrdiff_t>(fills)});
      if (!isEnough(sample, work, 0.03)) continue;
      sample.cycles = std::accumulate(cycles.begin(), cycles.begin() + static_cast<std::ptrdiff_t>(fills) + 1, u64{0});
      const stats::Interval interval = wholeCycles(sample, work).interval();
      ++sampledOnes;
      holding += interval.low <= truth && truth <= interval.high;
      break;
    }
  }
  EXPECT_GT(sampledOnes, kLaunches * 9 / 10);
  // Three standard errors of such a count.
  const auto all = static_cast<double>(sampledOnes);
  EXPECT_GE(static_cast<double>(holding) / all, 0.95 - 3 * std::sqrt(0.95 * 0.05 / all));
}

TEST(BlockSampling, GoesOnWhereLessThanAThirdIsLeft) {
  const SampledLaunch sample = sampled(std::vector<u64>(13, 500));  // of 1400 blocks
  EXPECT_TRUE(isEnough(sample, BlockWork::ofEqual(2100, 100), 0.03));
  EXPECT_FALSE(isEnough(sample, BlockWork::ofEqual(2099, 100), 0.03));
  // By work and not by number.
  std::vector<u64> work(2200, 100);
  std::fill_n(work.begin(), sample.blocks, 108);
  EXPECT_TRUE(isEnough(sample, BlockWork(work, 100), 0.03));
  work.resize(2100);
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
  const std::vector<double> starts{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
  for (const u64 blocks : {20, 21, 29}) EXPECT_NEAR(BlockWork::ofEqual(blocks, 10).tail(starts), 0.45, 1e-9);
  // One place has 4 and 1, the other 3 and 2; and one 4 alone, the other 3, 1 and 8.
  EXPECT_DOUBLE_EQ(BlockWork({4, 3, 2, 1}, 2).tail(), 5 - 5);
  EXPECT_DOUBLE_EQ(BlockWork({4, 3, 1, 8}, 2).tail(), 12 - 8);
}

}  // namespace
}  // namespace warpwright::machines
