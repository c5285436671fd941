#include "access/coalescer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "access/access_pattern.hpp"

namespace warpwright::access {
namespace {

using Addresses = std::array<u64, kMaxWarpSize>;

Addresses strided(u64 first, s64 stride) {
  Addresses addresses{};
  for (u32 lane = 0; lane < kMaxWarpSize; ++lane) addresses[lane] = first + static_cast<u64>(stride * s64{lane});
  return addresses;
}

struct Expected {
  u32 sectors, lines, bytesUsed;
  s64 stride;
};

void expectGlobal(const Addresses& addresses, LaneMask mask, u32 bytes, const Expected& expected) {
  Coalescer coalescer;
  coalescer.global(addresses.data(), mask, bytes);
  EXPECT_EQ(coalescer.sectors().size(), expected.sectors);
  EXPECT_EQ(coalescer.lines(), expected.lines);
  EXPECT_EQ(coalescer.bytesUsed(), expected.bytesUsed);
  EXPECT_EQ(coalescer.stride(), expected.stride);
}

constexpr LaneMask kWarp = LaneMask::first(32);

TEST(Coalescer, UnitStrideFillsOneLine) { expectGlobal(strided(0x1000, 4), kWarp, 4, {4, 1, 128, 4}); }

TEST(Coalescer, WideLanesFillSeveralLines) {
  expectGlobal(strided(0x1000, 8), kWarp, 8, {8, 2, 256, 8});
  expectGlobal(strided(0x1000, 16), kWarp, 16, {16, 4, 512, 16});
  expectGlobal(strided(0x1000, 1), kWarp, 1, {1, 1, 32, 1});
}

TEST(Coalescer, MisalignmentTouchesOneMore) {
  expectGlobal(strided(0x1004, 4), kWarp, 4, {5, 2, 128, 4});
  expectGlobal(strided(0x1020, 4), kWarp, 4, {4, 2, 128, 4});  // on a sector's boundary, not on a line's
}

TEST(Coalescer, AWordALineMovesASectorEach) { expectGlobal(strided(0x1000, 128), kWarp, 4, {32, 32, 128, 128}); }

TEST(Coalescer, StrideTwoUsesHalf) { expectGlobal(strided(0x1000, 8), kWarp, 4, {8, 2, 128, 8}); }

TEST(Coalescer, ABroadcastMovesOneSector) { expectGlobal(strided(0x1010, 0), kWarp, 4, {1, 1, 4, 0}); }

TEST(Coalescer, DescendingAddressesCoalesceToo) { expectGlobal(strided(0x1000 + 124, -4), kWarp, 4, {4, 1, 128, -4}); }

TEST(Coalescer, OnlyActiveLanesCount) {
  expectGlobal(strided(0x1000, 4), LaneMask::first(8), 4, {1, 1, 32, 4});
  expectGlobal(strided(0x1000, 4), LaneMask(0xff00), 4, {1, 1, 32, 4});
  expectGlobal(strided(0x1000, 4), LaneMask(0x5555'5555), 4, {4, 1, 64, 8});
  expectGlobal(strided(0x1000, 4), LaneMask::of(31), 4, {1, 1, 4, 0});
  expectGlobal(strided(0x1000, 4), LaneMask(0x8000'0001), 4, {2, 1, 8, 124});
}

TEST(Coalescer, WarpsOfOtherSizes) {
  expectGlobal(strided(0x1000, 4), LaneMask::first(4), 4, {1, 1, 16, 4});
  expectGlobal(strided(0x1000, 4), LaneMask::first(64), 4, {8, 2, 256, 4});
  expectGlobal(strided(0x1000, 256), LaneMask::first(64), 16, {64, 64, 1024, 256});
}

TEST(Coalescer, OverlappingLanesUseAByteOnce) {
  expectGlobal(strided(0x1000, 4), kWarp, 8, {5, 2, 132, 4});  // 0x1000 to 0x1083
}

TEST(Coalescer, HighAddressesDoNotWrap) { expectGlobal(strided(~u64{0} - 127, 4), kWarp, 4, {4, 1, 128, 4}); }

void expectSets(Coalescer& coalescer, const Addresses& addresses, LaneMask mask, u32 bytes) {
  std::set<u64> used, sectors, lines;
  for (const LaneId lane : mask) {
    for (u32 byte = 0; byte < bytes; ++byte) {
      used.insert(addresses[lane] + byte);
      sectors.insert((addresses[lane] + byte) / 32);
      lines.insert((addresses[lane] + byte) / 128);
    }
  }
  coalescer.global(addresses.data(), mask, bytes);
  ASSERT_EQ(coalescer.sectors().size(), sectors.size());  // none twice
  ASSERT_EQ(std::set<u64>(coalescer.sectors().begin(), coalescer.sectors().end()), sectors);
  ASSERT_EQ(coalescer.lines(), lines.size());
  ASSERT_EQ(coalescer.bytesUsed(), used.size());
  ASSERT_EQ(coalescer.stride(), strideOf(addresses.data(), mask));
}

// A third of them evenly spaced, closer and wider than an access, a sector and a line; each comes several times, somewhere else.
TEST(Coalescer, AgreesWithSetsOnRandomAddresses) {
  std::mt19937_64 random(20240229);
  Coalescer coalescer;
  for (int round = 0; round < 20'000; ++round) {
    const u32 bytes = 1u << random() % 6;
    const u64 range = u64{64} << random() % 12;
    const bool aligned = random() % 4 != 0;
    const LaneMask mask = LaneMask(round % 3 == 0 ? ~u64{0} : random()) & LaneMask::first(4u << random() % 5);
    if (mask.empty()) continue;
    const auto offset = [&] { return aligned ? random() % range / bytes * bytes : random() % range; };
    Addresses addresses;
    for (u64& address : addresses) address = 0x10'0000 + offset();
    if (random() % 3 == 0) addresses = strided(addresses[0], static_cast<s64>(offset()));
    for (u64 time = random() % 4; time != 4; ++time) {
      for (u64& address : addresses) address += aligned ? 0x40 * bytes : 0x41;
      expectSets(coalescer, addresses, mask, bytes);
      expectSets(coalescer, addresses, mask, bytes == 32 ? 1 : 2 * bytes);
    }
  }
}

// Local memory: word w of lane l lies at word w * warpSize + l of the warp's memory.
TEST(CoalescerLocal, TheSameWordOfAllLanesIsOneLine) {
  Coalescer coalescer;
  coalescer.local(strided(8, 0).data(), kWarp, 4, 32);
  EXPECT_EQ((std::vector<u64>(coalescer.sectors().begin(), coalescer.sectors().end())), (std::vector<u64>{8, 9, 10, 11}));
  EXPECT_EQ(coalescer.lines(), 1u);
  EXPECT_EQ(coalescer.bytesUsed(), 128u);
}

TEST(CoalescerLocal, WideAccessesTakeARowAWord) {
  Coalescer coalescer;
  coalescer.local(strided(0, 0).data(), kWarp, 8, 32);
  EXPECT_EQ(coalescer.sectors().size(), 8u);
  EXPECT_EQ(coalescer.lines(), 2u);
  coalescer.local(strided(0, 0).data(), kWarp, 16, 32);
  EXPECT_EQ(coalescer.sectors().size(), 16u);
  EXPECT_EQ(coalescer.lines(), 4u);
}

TEST(CoalescerLocal, LanesAtDifferentOffsetsSpreadOverRows) {
  Coalescer coalescer;
  coalescer.local(strided(0, 4).data(), kWarp, 4, 32);  // lane l reads word l: 32 rows, one word of each
  EXPECT_EQ(coalescer.sectors().size(), 32u);
  EXPECT_EQ(coalescer.lines(), 32u);
  EXPECT_EQ(coalescer.bytesUsed(), 128u);
}

TEST(CoalescerLocal, BytesOfOneWordShareIt) {
  Coalescer coalescer;
  coalescer.local(strided(2, 0).data(), kWarp, 1, 32);
  EXPECT_EQ(coalescer.sectors().size(), 4u);
  EXPECT_EQ(coalescer.bytesUsed(), 32u);
}

TEST(CoalescerLocal, OtherWarpSizesHaveOtherRows) {
  Coalescer coalescer;
  coalescer.local(strided(4, 0).data(), LaneMask::first(4), 4, 4);  // row 1 of 16 B rows: bytes 16 to 31
  EXPECT_EQ((std::vector<u64>(coalescer.sectors().begin(), coalescer.sectors().end())), (std::vector<u64>{0}));
  coalescer.local(strided(4, 0).data(), LaneMask::first(64), 4, 64);
  EXPECT_EQ(coalescer.sectors().size(), 8u);
  EXPECT_EQ(coalescer.sectors()[0], 8u);
  EXPECT_EQ(coalescer.lines(), 2u);
}

TEST(CoalescerLocal, AgreesWithSetsOnRandomOffsets) {
  std::mt19937_64 random(5);
  Coalescer coalescer;
  for (int round = 0; round < 5'000; ++round) {
    const u32 warpSize = 4u << random() % 5, bytes = 1u << random() % 5;
    const LaneMask mask = LaneMask(round % 3 == 0 ? ~u64{0} : random()) & LaneMask::first(warpSize);
    if (mask.empty()) continue;
    Addresses offsets;
    for (u64& offset : offsets) offset = round % 2 == 0 ? bytes * 3 : random() % 256 / bytes * bytes;
    std::set<u64> used, sectors, lines;
    for (u32 lane = 0; lane < warpSize; ++lane) {
      for (u32 byte = 0; mask.contains(lane) && byte < bytes; ++byte) {
        const u64 offset = offsets[lane] + byte;
        const u64 physical = (offset / 4 * warpSize + lane) * 4 + offset % 4;
        used.insert(physical);
        sectors.insert(physical / 32);
        lines.insert(physical / 128);
      }
    }
    coalescer.local(offsets.data(), mask, bytes, warpSize);
    ASSERT_EQ(coalescer.sectors().size(), sectors.size());
    ASSERT_EQ(std::set<u64>(coalescer.sectors().begin(), coalescer.sectors().end()), sectors);
    ASSERT_EQ(coalescer.lines(), lines.size());
    ASSERT_EQ(coalescer.bytesUsed(), used.size());
  }
}

TEST(CoalescerLocal, OnlyActiveLanesCount) {
  Coalescer coalescer;
  coalescer.local(strided(0, 0).data(), LaneMask(0x0000'0100), 4, 32);
  EXPECT_EQ((std::vector<u64>(coalescer.sectors().begin(), coalescer.sectors().end())), (std::vector<u64>{1}));
  EXPECT_EQ(coalescer.bytesUsed(), 4u);
}

TEST(StrideOf, ToleratesTheEndsOfRows) {
  Addresses rows{};
  for (u32 lane = 0; lane < 32; ++lane) rows[lane] = lane % 16 * 1024 + lane / 16 * 4;
  EXPECT_EQ(strideOf(rows.data(), kWarp), 1024);
  for (u32 lane = 0; lane < 32; ++lane) rows[lane] = lane % 4 * 1024 + lane / 4 * 4;  // 24 of 31 pairs
  EXPECT_EQ(strideOf(rows.data(), kWarp), 1024);
  for (u32 lane = 0; lane < 32; ++lane) rows[lane] = lane % 3 * 1024 + lane / 3 * 4;  // 21 of 31
  EXPECT_EQ(strideOf(rows.data(), kWarp), kIrregular);
  for (u32 lane = 0; lane < 32; ++lane) rows[lane] = lane * lane;
  EXPECT_EQ(strideOf(rows.data(), kWarp), kIrregular);
  EXPECT_EQ(strideOf(rows.data(), LaneMask(0x10)), 0);
}

// Three quarters of the steps, counted: evenly spaced lanes of which some, alone or side by side, are elsewhere, of all masks.
TEST(StrideOf, AgreesWithTheDefinitionOnRandomAddresses) {
  std::mt19937_64 random(11);
  const auto below = [&](u64 end) { return random() % end; };
  u32 prevailing = 0;
  for (u32 round = 0; round < 20'000; ++round) {
    Addresses addresses = strided(4096, 8);
    for (u64 moved = below(9); moved != 0; --moved) {
      const u64 first = below(32), lanes = 1 + below(3);
      for (u64 lane = first; lane < std::min<u64>(32, first + lanes); ++lane) addresses[lane] = 4096 + below(64) * 8;
    }
    const LaneMask mask = below(2) != 0 ? kWarp : LaneMask(1 + below(0xffff'ffff));
    std::map<s64, u32> counts;
    u32 pairs = 0, before = mask.least();
    for (const LaneId lane : mask.withoutLeast()) {
      ++counts[static_cast<s64>(addresses[lane] - addresses[before])];
      ++pairs;
      before = lane;
    }
    s64 expected = pairs == 0 ? 0 : kIrregular;
    for (const auto& [stride, count] : counts)
      if (4 * count >= 3 * pairs) expected = stride;
    prevailing += expected != kIrregular;
    ASSERT_EQ(strideOf(addresses.data(), mask), expected) << round;
  }
  EXPECT_GT(prevailing, 2000u);
  EXPECT_LT(prevailing, 18'000u);
}

TEST(DominantStride, FindsTheMajority) {
  DominantStride strides;
  EXPECT_FALSE(strides.known());
  for (const s64 stride : std::initializer_list<s64>{4, 128, 128, kIrregular, 128, 4, 128}) strides.add(stride);
  EXPECT_TRUE(strides.known());
  EXPECT_EQ(strides.stride(), 128);
}

}  // namespace
}  // namespace warpwright::access
