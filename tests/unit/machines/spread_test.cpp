#include "machines/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "machines/block_sampling.hpp"

namespace warpwright::machines {
namespace {

constexpr u64 kPlaces = 10, kBlocks = 4003;

TEST(SpreadOrder, HasEachBlockOnce) {
  for (const u64 blocks : {kFillsOfSpreadGrids * kPlaces, kFillsOfSpreadGrids * kPlaces + 29, kBlocks, u64{100'000}}) {
    const exec::BlockOrder order = spreadOrder(blocks, kPlaces);
    std::vector<u64> numbers;
    for (u64 position = 0; position < blocks; ++position) numbers.push_back(order.at(position));
    for (u64 position = 0; position < kHeadFills * kPlaces; ++position) EXPECT_EQ(numbers[position], position);
    std::ranges::sort(numbers);
    for (u64 block = 0; block < blocks; ++block) ASSERT_EQ(numbers[block], block) << blocks;
  }
}

// Of n points on a circle that are placed so, none is further from the next than (1 + 2 / √5) / n of it; stretches lie on whole slots.
TEST(SpreadOrder, LiesAllOverTheGridWhereverItStops) {
  const exec::BlockOrder order = spreadOrder(kBlocks, kPlaces);
  const u64 head = kHeadFills * kPlaces, slots = (kBlocks - head) / (kStretchFills * kPlaces);
  std::vector<u64> begun;
  for (u64 i = 1; i <= slots / 2; ++i) {
    begun.push_back((order.stretches()[i].first - head) / (kStretchFills * kPlaces));
    std::vector<u64> sorted = begun;
    std::ranges::sort(sorted);
    sorted.push_back(sorted.front() + slots);
    u64 most = 0;
    for (std::size_t j = 1; j < sorted.size(); ++j) most = std::max(most, sorted[j] - sorted[j - 1]);
    EXPECT_LE(static_cast<double>(most), 1.9 * static_cast<double>(slots) / static_cast<double>(i) + 2) << i;
  }
}

// A launch in that order of which each fill takes what `cyclesOf` says of the block in its middle; it stops with the fill that has that
// number, and takes 50 cycles to its end.
template <class CyclesOf>
SampledLaunch spread(const exec::BlockOrder& order, u64 fills, CyclesOf cyclesOf) {
  SampledLaunch sample;
  sample.isSpread = true;
  for (u64 number = 1; number <= fills; ++number) {
    sample.cycles += static_cast<u64>(cyclesOf(order.at(number * kPlaces - kPlaces / 2)));
    sample.fills.push_back({Cycle{sample.cycles}, number * kPlaces});
  }
  sample.blocks = (fills + 1) * kPlaces;
  sample.cycles += 50;
  return sample;
}

BlockWork equalWork(const exec::BlockOrder& order) { return {std::vector<u64>(kBlocks, 1), kPlaces, &order}; }

// Fills 1 to 4 are the head, 5 to 9 the first stretch. That in which it begins and the one behind it are not measured, nor those of the
// next.
TEST(MeasuredStretches, LeaveOutTheFillsBetween) {
  const exec::BlockOrder order = spreadOrder(kBlocks, kPlaces);
  SampledLaunch sample = spread(order, 13, [](u64) { return 0; });
  const std::vector<u64> times{100, 200, 300, 600, 700, 900, 1000, 1100, 1500, 2000, 2100, 2200, 2500};
  for (std::size_t i = 0; i < times.size(); ++i) sample.fills[i].time = Cycle{times[i]};
  const MeasuredParts parts = measuredStretches(sample.fills, equalWork(order));
  ASSERT_EQ(parts.parts.size(), 2u);
  EXPECT_EQ(parts.parts[0].value.value, 1100 - 700);
  EXPECT_EQ(parts.parts[0].size, 3 * kPlaces);
  EXPECT_EQ(parts.parts[1].value.value, 2500 - 2000);
  ASSERT_EQ(parts.pieces.size(), 6u);
  EXPECT_EQ(parts.pieces[1].value.value, 1000 - 900);
  EXPECT_EQ(parts.cyclesBetween, (700 - 300) + (2000 - 1100));
  EXPECT_EQ(parts.workBetween, 4 * kPlaces);
}

// Pairs of 400 and 600 have no spread, their halves have; pairs of 500 and pairs of 600 have more than their halves.
TEST(MeasuredStretches, TheWiderOfTheIntervalsOfStretchesAndOfFillsHolds) {
  const auto partsOf = [](const std::vector<double>& cycles) {
    MeasuredParts parts;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      parts.pieces.push_back({1, {cycles[i]}});
      if (i % 2 == 1) parts.parts.push_back({2, {cycles[i - 1] + cycles[i]}});
    }
    return parts;
  };
  const MeasuredParts alike = partsOf({400, 600, 600, 400, 400, 600}), unlike = partsOf({500, 500, 600, 600, 500, 500});
  EXPECT_EQ(alike.predictRest(100).error(), stats::predictRest(alike.pieces, 100).error());
  EXPECT_GT(alike.predictRest(100).error(), 1000);
  EXPECT_EQ(unlike.predictRest(100).error(), stats::predictRest(unlike.parts, 100).error());
  EXPECT_GT(unlike.predictRest(100).error(), stats::predictRest(unlike.pieces, 100).error());
}

TEST(MeasuredStretches, AreOnlyThoseWhoseFillsWereSeen) {
  const exec::BlockOrder order = spreadOrder(kBlocks, kPlaces);
  SampledLaunch sample = spread(order, 18, [](u64) { return 100; });
  // The first stretch's end was passed within one quantum.
  sample.fills.erase(sample.fills.begin() + 7);
  const MeasuredParts parts = measuredStretches(sample.fills, equalWork(order));
  EXPECT_EQ(parts.parts.size(), 2u);
  EXPECT_TRUE(measuredStretches({}, equalWork(order)).parts.empty());
}

// What a block takes rises by half from one end of the grid to the other, and waves on the way: from the first blocks that cannot be known.
TEST(Spread, AGridThatDriftsIsKnownFromStretches) {
  const auto cyclesOf = [](u64 block) {
    const double place = static_cast<double>(block) / kBlocks;
    return 1000 * (1 + place / 2 + 0.05 * std::sin(place * 12));
  };
  double truth = 0;
  for (u64 block = 0; block < kBlocks; ++block) truth += cyclesOf(block) / kPlaces;
  const exec::BlockOrder order = spreadOrder(kBlocks, kPlaces);
  const BlockWork work = equalWork(order);
  u64 fills = 1;
  while (!isEnough(spread(order, fills, cyclesOf), work, 0.05)) ASSERT_LT(++fills, kBlocks / kPlaces / 2);
  const stats::Estimate whole = wholeCycles(spread(order, fills, cyclesOf), work);
  EXPECT_NEAR(whole.value, truth, whole.error());
  EXPECT_NEAR(whole.value / truth, 1, 0.04);
  EXPECT_LE(whole.relativeError(), 0.06);
  // The first blocks seem to be enough, and are not.
  const std::vector<exec::BlockOrder::Stretch> all{{0, kBlocks}};
  SampledLaunch first = spread(exec::BlockOrder(all), 12, cyclesOf);
  first.isSpread = false;
  ASSERT_TRUE(isEnough(first, BlockWork::ofEqual(kBlocks, kPlaces), 0.05));
  EXPECT_LT(wholeCycles(first, BlockWork::ofEqual(kBlocks, kPlaces)).value / truth, 0.9);
}

TEST(Spread, EndsWithTheFewestStretchesWhereAllAreAlike) {
  const exec::BlockOrder order = spreadOrder(kBlocks, kPlaces);
  const auto steady = [](u64) { return 1000; };
  const u64 fewest = kHeadFills + (kLeastStretches - 1) * kStretchFills + kStretchFills - 1;
  EXPECT_FALSE(isEnough(spread(order, fewest - 1, steady), equalWork(order), 0.03));
  EXPECT_TRUE(isEnough(spread(order, fewest, steady), equalWork(order), 0.03));
  // The smallest grid that is spread shows them.
  const u64 blocks = kFillsOfSpreadGrids * kPlaces;
  const exec::BlockOrder least = spreadOrder(blocks, kPlaces);
  EXPECT_TRUE(isEnough(spread(least, fewest, steady), BlockWork(std::vector<u64>(blocks, 1), kPlaces, &least), 0.03));
}

// It ran in another order than the GPU has, with fills between stretches: its cycles are an estimate.
TEST(Spread, AWholeGridIsPredicted) {
  const exec::BlockOrder order = spreadOrder(kBlocks, kPlaces);
  SampledLaunch sample = spread(order, kBlocks / kPlaces, [](u64 block) { return 1000 + block % 7; });
  sample.blocks = kBlocks;
  const stats::Estimate whole = wholeCycles(sample, equalWork(order));
  EXPECT_TRUE(whole.isPredicted);
  EXPECT_NEAR(whole.value / static_cast<double>(sample.cycles), 1, 0.003);
  EXPECT_GT(whole.error(), 0);
}

// In the order of numbers the block of 3 begins beside others and ends alone; in that of the sample it comes first.
TEST(BlockWork, AddsUpInTheOrderOfTheSample) {
  const exec::BlockOrder order({{3, 1}, {0, 3}});
  const BlockWork work({1, 1, 1, 3}, 2, &order);
  EXPECT_EQ(work.upTo(2), 4u);
  EXPECT_EQ(work.behind(2), 2u);
  EXPECT_DOUBLE_EQ(work.tail(2), 3 - 4 / 2.0);
  EXPECT_DOUBLE_EQ(work.tail(4), 0);
  EXPECT_DOUBLE_EQ(work.tail(), 4 - 6 / 2.0);
}

}  // namespace
}  // namespace warpwright::machines
