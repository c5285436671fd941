#include "mechanisms/conflict_aware/predictor.hpp"

#include <gtest/gtest.h>

#include "mechanisms/conflict_aware/hardware_cost.hpp"

namespace warpwright::mechanisms::conflict_aware {
namespace {

constexpr u32 kMost = 31;

std::unique_ptr<ConflictPredictor> make(Predictor kind, u32 sets = 256, u32 ways = 2) {
  Settings settings;
  settings.predictor = kind;
  settings.sets = sets;
  settings.ways = ways;
  return makePredictor(settings, kMost);
}

// How often it foresaw a sequence of one instruction exactly.
u32 hits(Predictor kind, const std::vector<u32>& sequence) {
  const auto predictor = make(kind);
  u32 exact = 0;
  for (const u32 cycles : sequence) {
    exact += predictor->predict(Pc{7}) == cycles ? 1 : 0;
    predictor->learn(Pc{7}, cycles);
  }
  return exact;
}

TEST(Predictors, KnowNothingAtFirst) {
  for (const Predictor kind : {Predictor::lastValue, Predictor::confidence, Predictor::mean, Predictor::twoLevel}) {
    const auto predictor = make(kind);
    EXPECT_EQ(predictor->predict(Pc{0}), std::nullopt);
    predictor->learn(Pc{0}, 5);
    EXPECT_EQ(predictor->predict(Pc{0}), 5u);
    predictor->clear();
    EXPECT_EQ(predictor->predict(Pc{0}), std::nullopt);
  }
}

TEST(Predictors, ForeseeWhatNeverChanges) {
  const std::vector<u32> steady(10, 12);
  for (const Predictor kind : {Predictor::lastValue, Predictor::confidence, Predictor::mean, Predictor::twoLevel})
    EXPECT_EQ(hits(kind, steady), 9u);
}

TEST(Predictors, LastValueIsTheLastExecutions) {
  const auto predictor = make(Predictor::lastValue);
  predictor->learn(Pc{3}, 4);
  predictor->learn(Pc{3}, 9);
  EXPECT_EQ(predictor->predict(Pc{3}), 9u);
  EXPECT_EQ(predictor->predict(Pc{4}), std::nullopt);
}

// 4 4 4 4 9 4 4 4 4 9 …: the last value is wrong twice a period, a confident one once.
TEST(Predictors, ConfidenceOutlastsExceptions) {
  std::vector<u32> sequence;
  for (u32 i = 0; i < 50; ++i) sequence.push_back(i % 5 == 4 ? 9 : 4);
  EXPECT_EQ(hits(Predictor::lastValue, sequence), 30u);
  EXPECT_EQ(hits(Predictor::confidence, sequence), 39u);
}

// The levels of a reduction: 0 1 3 7 0 1 3 7 …
TEST(Predictors, TwoLevelsLearnAPeriod) {
  std::vector<u32> sequence;
  for (u32 i = 0; i < 40; ++i) sequence.push_back((1u << i % 4) - 1);
  EXPECT_EQ(hits(Predictor::lastValue, sequence), 0u);
  EXPECT_GE(hits(Predictor::twoLevel, sequence), 32u);
}

TEST(Predictors, TheMeanStaysInTheMiddleOfWhatScatters) {
  const auto predictor = make(Predictor::mean);
  for (u32 i = 0; i < 40; ++i) predictor->learn(Pc{1}, i % 2 == 0 ? 8 : 12);
  EXPECT_NEAR(*predictor->predict(Pc{1}), 10, 1);
}

// Table 5.3: an entry has log2(warp size) bits.
TEST(Predictors, SaturateAtWhatAnEntryHolds) {
  const auto predictor = make(Predictor::lastValue);
  predictor->learn(Pc{1}, 60);
  EXPECT_EQ(predictor->predict(Pc{1}), kMost);
}

TEST(Predictors, DisplaceTheLeastRecentlyUsedOfASet) {
  const auto predictor = make(Predictor::lastValue, 4, 2);
  predictor->learn(Pc{0}, 1);
  predictor->learn(Pc{4}, 2);
  EXPECT_EQ(predictor->predict(Pc{0}), 1u);
  predictor->learn(Pc{8}, 3);  // 4 was used last before 0
  EXPECT_EQ(predictor->predict(Pc{4}), std::nullopt);
  EXPECT_EQ(predictor->predict(Pc{0}), 1u);
  EXPECT_EQ(predictor->predict(Pc{8}), 3u);
  EXPECT_EQ(predictor->predict(Pc{1}), std::nullopt);
}

TEST(Predictors, InstructionsBeyondThePcsBitsShareAnEntry) {
  const auto predictor = make(Predictor::lastValue);
  predictor->learn(Pc{5}, 6);
  EXPECT_EQ(predictor->predict(Pc{5 + (1 << 14)}), 6u);
}

TEST(Predictors, WithoutSetsKnowNothing) {
  const auto predictor = make(Predictor::lastValue, 0);
  predictor->learn(Pc{1}, 3);
  EXPECT_EQ(predictor->predict(Pc{1}), std::nullopt);
}

// Section 5.5.4: 704 bytes.
TEST(HardwareCost, OfTheHistoryCache) {
  EXPECT_EQ(hardwareCost({}, 32, 32).historyCacheBits, 704u * 8);
  EXPECT_EQ(hardwareCost({}, 32, 32).gates, 64u);
  EXPECT_EQ(hardwareCost({}, 32, 32).counterBits, 5u);
  Settings none;
  none.sets = 0;
  EXPECT_EQ(hardwareCost(none, 32, 32).historyCacheBits, 0u);
  none = {};
  none.predictor = Predictor::oracle;
  EXPECT_EQ(hardwareCost(none, 32, 32).historyCacheBits, 0u);
}

TEST(HardwareCost, OfBetterPredictors) {
  const auto bits = [](Predictor predictor) {
    Settings settings;
    settings.predictor = predictor;
    return hardwareCost(settings, 32, 32).historyCacheBits / 512;  // of an entry: six of its tag, five of a value
  };
  EXPECT_EQ(bits(Predictor::confidence), 6u + 5 + 2);
  EXPECT_EQ(bits(Predictor::mean), 6u + 5 + 2);
  EXPECT_EQ(bits(Predictor::twoLevel), 6u + 16 * 5 + 4);
}

}  // namespace
}  // namespace warpwright::mechanisms::conflict_aware
