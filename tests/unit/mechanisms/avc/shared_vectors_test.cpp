#include "mechanisms/avc/shared_vectors.hpp"

#include <gtest/gtest.h>

#include <random>

namespace warpwright::mechanisms::avc {
namespace {

constexpr LaneMask kAllLanes = LaneMask::first(32), kLowLanes = LaneMask::first(16), kHighLanes = LaneMask::range(16, 16);
constexpr u64 kRow = kVectorBytes;

sm::LaneAccess sharedAccess(LaneMask lanes, u32 bytes, bool isStore, const u64* offsets, const u32* values) {
  sm::LaneAccess access;
  access.space = isa::Space::shared;
  access.isStore = isStore;
  access.bytes = bytes;
  access.addresses = offsets;
  access.values = values;
  access.valueLanes = 32;
  access.asked = access.lanes = lanes;
  return access;
}

// What an access leaves to the banks.
struct Served {
  LaneMask lanes;  // need no banks
  u32 passes = 0, bankPasses = 0, delay = 0;
};

// Shared memory of two blocks, and the vectors beside it.
class Shared : public ::testing::Test {
 protected:
  Shared() {
    for (const u32 each : {0, 5}) vectors.blockBegins(SlotId{each}, kBytes);
  }

  // Lane l at `first` + l * `step` bytes.
  void at(u64 first, u64 step) {
    for (u32 lane = 0; lane < 32; ++lane) offsets_[lane] = first + lane * step;
  }
  Served store(LaneMask lanes, u32 base, u32 stride, u32 bytes = 4) {
    for (u32 lane = 0; lane < 32; ++lane) values_[lane] = values_[32 + lane] = base + lane * stride;
    return access(lanes, bytes, true, false, bytes < 4 ? nullptr : values_.data());
  }
  Served storeGeneric(LaneMask lanes) {
    for (u32 lane = 0; lane < 32; ++lane) values_[lane] = lane * lane * 7 + 3;
    return access(lanes, 4, true, false, values_.data());
  }
  Served atomic(LaneMask lanes) { return access(lanes, 4, true, true, nullptr); }
  // What it finds is what `store` was given.
  Served load(LaneMask lanes, u32 base, u32 stride, u32 bytes = 4) {
    for (u32 lane = 0; lane < 32; ++lane) values_[lane] = values_[32 + lane] = base + lane * stride;
    return access(lanes, bytes, false, false, bytes < 4 ? nullptr : values_.data());
  }

  static constexpr u64 kBytes = 4096;
  SharedVectors vectors{{.extraLatency = 3}};
  u32 block = 0;

 private:
  Served access(LaneMask lanes, u32 bytes, bool isStore, bool isAtomic, const u32* values) {
    sm::LaneAccess access = sharedAccess(lanes, bytes, isStore, offsets_.data(), values);
    access.firstSlot = SlotId{block};
    access.isAtomic = isAtomic;
    sm::MemoryOperation operation;
    vectors.access(access, operation, {});
    return {lanes & ~access.lanes, access.passesBeside, access.bankPasses, access.delay};
  }

  std::array<u64, 32> offsets_{};
  std::array<u32, 64> values_{};
};

TEST_F(Shared, AnAffineRowNeedsNoBanks) {
  at(kRow, 4);
  const auto stored = store(kAllLanes, 100, 4);
  EXPECT_EQ(stored.lanes, kAllLanes);
  EXPECT_EQ(stored.passes, 1u);
  EXPECT_EQ(stored.bankPasses, 0u);
  EXPECT_EQ(stored.delay, 0u);
  const auto loaded = load(kAllLanes, 100, 4);
  EXPECT_EQ(loaded.lanes, kAllLanes);
  EXPECT_EQ(loaded.passes, 1u);
  EXPECT_EQ(loaded.delay, 3u);
  EXPECT_EQ(vectors.stats().hits, 1u);
  EXPECT_EQ(vectors.stats().wordsRead, 32u);
  EXPECT_EQ(vectors.stats().wordsWritten, 32u);
  EXPECT_EQ(vectors.stats().wrongWords, 0u);
}

TEST_F(Shared, OtherValuesThanTheProgramsAreTold) {
  at(0, 4);
  store(kAllLanes, 100, 4);
  load(kLowLanes, 101, 4);
  EXPECT_EQ(vectors.stats().wrongWords, 16u);
}

TEST_F(Shared, AWordThatAllLanesLoadCountsOnce) {
  at(0, 4);
  store(kAllLanes, 9, 0);
  at(8, 0);
  EXPECT_EQ(load(kAllLanes, 9, 0).lanes, kAllLanes);
  EXPECT_EQ(vectors.stats().wordsRead, 1u);
}

TEST_F(Shared, WhatIsStoredElsewhereIsNoLongerHere) {
  at(0, 4);
  store(kAllLanes, 100, 4);
  const auto generic = storeGeneric(kHighLanes);
  EXPECT_EQ(generic.lanes, LaneMask{});
  EXPECT_EQ(generic.passes, 1u);
  EXPECT_EQ(generic.bankPasses, 0u);
  EXPECT_EQ(load(kAllLanes, 100, 4).lanes, kLowLanes);
  EXPECT_EQ(vectors.stats().partialHits, 1u);
}

TEST_F(Shared, AnotherBaseMovesTheOtherWordsToTheBanks) {
  at(0, 4);
  store(LaneMask::first(8), 100, 4);
  const auto stored = store(kHighLanes, 500, 4);
  EXPECT_EQ(stored.lanes, kHighLanes);
  EXPECT_EQ(stored.bankPasses, 1u);
  EXPECT_EQ(load(kAllLanes, 500, 4).lanes, kHighLanes);
  EXPECT_EQ(vectors.stats().conflicts, 1u);
  EXPECT_EQ(vectors.stats().wordsMoved, 8u);
  EXPECT_EQ(vectors.stats().wrongWords, 0u);
  // What is overwritten need not be moved.
  EXPECT_EQ(store(kAllLanes, 7, 0).bankPasses, 0u);
  EXPECT_EQ(vectors.stats().conflicts, 1u);
}

TEST_F(Shared, FewerWordsWithAnotherBaseGoToTheBanks) {
  at(0, 4);
  store(kAllLanes, 100, 4);
  const auto stored = store(LaneMask(0b1), 7, 0);
  EXPECT_EQ(stored.lanes, LaneMask{});
  EXPECT_EQ(stored.bankPasses, 0u);
  EXPECT_EQ(load(kAllLanes, 100, 4).lanes, kAllLanes - LaneMask::of(0));
}

TEST_F(Shared, PartsOfWordsAndAtomicsMoveTheirWordsFirst) {
  at(0, 4);
  store(kAllLanes, 100, 4);
  EXPECT_EQ(store(kLowLanes, 0, 0, 1).bankPasses, 1u);
  EXPECT_EQ(atomic(LaneMask(0xff0000)).bankPasses, 1u);
  EXPECT_EQ(atomic(LaneMask(0xff0000)).bankPasses, 0u);
  EXPECT_EQ(vectors.stats().wordsMoved, 24u);
  EXPECT_EQ(load(kAllLanes, 100, 4).lanes, LaneMask(0xff00'0000));
  // Parts of words can be loaded from here.
  EXPECT_EQ(load(LaneMask(0xff00'0000), 100, 4, 2).lanes, LaneMask(0xff00'0000));
}

TEST_F(Shared, EachRowIsAPass) {
  for (const u32 row : {0, 1, 2}) at(row * kRow, 4), store(kAllLanes, row, 0);
  at(0, kRow);  // a column
  EXPECT_EQ(load(LaneMask(0b1111), 0, 1).passes, 3u);
  EXPECT_EQ(load(LaneMask(0b1111), 0, 1).lanes, LaneMask(0b111));
  EXPECT_EQ(storeGeneric(LaneMask(0b11)).passes, 2u);
  at(0, 4);
  EXPECT_EQ(load(kAllLanes, 0, 0).lanes, kAllLanes - LaneMask::of(0));
  EXPECT_EQ(vectors.stats().wrongWords, 0u);
}

TEST_F(Shared, AStoreOfSeveralRowsGoesToTheBanks) {
  at(64, 4);
  EXPECT_EQ(store(kAllLanes, 5, 0).lanes, LaneMask{});
  EXPECT_EQ(store(kLowLanes, 5, 0).lanes, kLowLanes);
}

TEST_F(Shared, LanesOfTwoWordsNeedBoth) {
  at(0, 8);
  EXPECT_EQ(store(kLowLanes, 5, 0, 8).lanes, kLowLanes);
  EXPECT_EQ(vectors.stats().wordsWritten, 32u);
  at(4, 8);
  storeGeneric(LaneMask(1));
  at(0, 8);
  EXPECT_EQ(load(kLowLanes, 5, 0, 8).lanes, kLowLanes - LaneMask::of(0));
}

TEST_F(Shared, BlocksHaveTheirOwn) {
  at(0, 4);
  store(kAllLanes, 1, 0);
  block = 5;
  EXPECT_EQ(load(kAllLanes, 0, 0).lanes, LaneMask{});
  block = 0;
  vectors.blockBegins(SlotId{0}, kBytes);
  EXPECT_EQ(load(kAllLanes, 0, 0).lanes, LaneMask{});
}

// Whatever is stored where: a load finds the value, or is left to the banks.
TEST(SharedProperty, WordsAreThePrograms) {
  SharedVectors vectors({});
  vectors.blockBegins(SlotId{0}, 1024);
  std::array<u32, 256> flat{};
  std::mt19937 random(3);
  std::array<u64, 32> offsets{};
  std::array<u32, 128> values{};
  sm::MemoryOperation operation;
  for (u32 step = 0; step < 100'000; ++step) {
    const u32 words = 1u << random() % 3, bytes = 4 * words;
    const u32 base = random() % 4 * 32, stride = random() % 3 == 0 ? 0 : 1 + random() % 2, spread = random() % 4 == 0 ? 2 : 1;
    const LaneMask lanes = random() % 3 == 0 ? kAllLanes : LaneMask::first(1 + random() % 31).raised(random() % 4) & kAllLanes;
    for (u32 lane = 0; lane < 32; ++lane)
      offsets[lane] = (u64{base} * 4 + lane * spread * 4) / bytes * bytes % (1024 - bytes) / bytes * bytes;
    sm::LaneAccess access = sharedAccess(lanes, bytes, random() % 2 == 0, offsets.data(), values.data());
    access.isAtomic = access.isStore && random() % 8 == 0;
    for (u32 lane = 0; lane < 32; ++lane) {
      if (!lanes.contains(lane)) continue;
      for (u32 piece = 0; piece < words; ++piece) {
        u32& word = flat[offsets[lane] / 4 + piece];
        if (access.isStore) word = base + static_cast<u32>(offsets[lane] / 4) * stride + (random() % 64 == 0 ? 1 : 0);
        values[piece * 32 + lane] = word;
      }
    }
    // A later lane's value stays, for all that stored to its word.
    for (u32 lane = 0; access.isStore && lane < 32; ++lane) {
      for (u32 piece = 0; piece < words && lanes.contains(lane); ++piece) values[piece * 32 + lane] = flat[offsets[lane] / 4 + piece];
    }
    if (access.isAtomic) access.values = nullptr;
    vectors.access(access, operation, {});
    ASSERT_EQ(vectors.stats().wrongWords, 0u) << "step " << step;
  }
  EXPECT_GT(vectors.stats().hits, 1000u);
  EXPECT_GT(vectors.stats().conflicts, 100u);
  const SharedStats& stats = vectors.stats();
  EXPECT_EQ(stats.reads, stats.hits + stats.partialHits + stats.bankReads);
  EXPECT_EQ(stats.writes, stats.writesHere + stats.bankWrites);
}

}  // namespace
}  // namespace warpwright::mechanisms::avc
