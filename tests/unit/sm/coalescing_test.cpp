// Transactions of warp-wide accesses. The expected ones follow from the rules and figures of the CUDA C Programming Guide, "Global Memory"
// of compute capabilities 1.2 (half-warps and segments), 2.x (lines) and 5.x (sectors).
#include "sm/coalescing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace warpwright::sm {
namespace {

using config::Coalescing;
using Addresses = std::array<u64, kMaxWarpSize>;

constexpr u64 kBase = 0x7000'0000;

struct Piece {
  u64 address;  // of the first sector, relative to kBase
  u32 sectors;
  bool operator==(const Piece&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Piece& piece) { return out << piece.sectors << " sectors from " << piece.address; }

std::vector<Piece> pieces(std::span<const Transaction> transactions) {
  std::vector<Piece> result;
  for (const Transaction& each : transactions)
    result.push_back({each.address - kBase + u64(std::countr_zero(each.sectors)) * 32, u32(std::popcount(each.sectors))});
  return result;
}

Addresses lanes(const std::function<u64(u32)>& offset) {
  Addresses addresses{};
  for (u32 lane = 0; lane < kMaxWarpSize; ++lane) addresses[lane] = kBase + offset(lane);
  return addresses;
}

std::vector<Piece> coalesce(Coalescing rules, const std::function<u64(u32)>& offset, u32 bytes = 4, bool cached = false,
                            LaneMask mask = LaneMask::first(32)) {
  CoalescingUnit unit(rules, 32, 128, 8);
  const Addresses addresses = lanes(offset);
  return pieces(unit.access(addresses.data(), mask, bytes, cached));
}

u64 consecutive(u32 lane) { return lane * 4; }
u64 misaligned(u32 lane) { return lane * 4 + 4; }

// --- 1.2: each half-warp on its own; segments shrink to what is used

TEST(HalfWarpSegments, ConsecutiveWordsAreTwoSegmentsOf64Bytes) {
  EXPECT_EQ(coalesce(Coalescing::halfWarpSegments, consecutive), (std::vector<Piece>{{0, 2}, {64, 2}}));
}

TEST(HalfWarpSegments, AMisalignedHalfWithinALineTakesTheWholeLine) {
  // Words 1 … 16 lie in both halves of the first 128 B; 17 … 32 in the upper half and in the 32 B behind it.
  EXPECT_EQ(coalesce(Coalescing::halfWarpSegments, misaligned), (std::vector<Piece>{{0, 4}, {64, 2}, {128, 1}}));
}

TEST(HalfWarpSegments, AHalfThatCrossesALineTakesPartsOfTwo) {
  // Bytes 96 … 159: the last 32 of one line, the first 32 of the next; then 160 … 223 of that: its two upper sectors of the lower half.
  EXPECT_EQ(coalesce(Coalescing::halfWarpSegments, [](u32 lane) { return lane * 4 + 96; }),
            (std::vector<Piece>{{96, 1}, {128, 1}, {128, 4}}));
}

TEST(HalfWarpSegments, NarrowAccessesHaveNarrowSegments) {
  EXPECT_EQ(coalesce(
                Coalescing::halfWarpSegments, [](u32 lane) { return lane; }, 1),
            (std::vector<Piece>{{0, 1}, {0, 1}}));
  EXPECT_EQ(coalesce(
                Coalescing::halfWarpSegments, [](u32 lane) { return lane * 2; }, 2),
            (std::vector<Piece>{{0, 1}, {32, 1}}));
  // Bytes 31 and 32 lie in different segments of 32 B; halves 31 and 32 in one of 64 B.
  EXPECT_EQ(coalesce(
                Coalescing::halfWarpSegments, [](u32 lane) { return 31 + lane % 2; }, 1, false, LaneMask(0b11)),
            (std::vector<Piece>{{0, 1}, {32, 1}}));
  EXPECT_EQ(coalesce(
                Coalescing::halfWarpSegments, [](u32 lane) { return 30 + lane % 2 * 2; }, 2, false, LaneMask(0b11)),
            (std::vector<Piece>{{0, 2}}));
}

TEST(HalfWarpSegments, WideWordsTakeALineEach) {
  EXPECT_EQ(coalesce(
                Coalescing::halfWarpSegments, [](u32 lane) { return lane * 8; }, 8),
            (std::vector<Piece>{{0, 4}, {128, 4}}));
  EXPECT_EQ(coalesce(
                Coalescing::halfWarpSegments, [](u32 lane) { return lane * 16; }, 16),
            (std::vector<Piece>{{0, 4}, {128, 4}, {256, 4}, {384, 4}}));
}

TEST(HalfWarpSegments, ScatteredLanesTakeASectorEach) {
  const std::vector<Piece> result = coalesce(Coalescing::halfWarpSegments, [](u32 lane) { return lane * 256; });
  ASSERT_EQ(result.size(), 32u);
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(result[i], (Piece{i * 256, 1}));
}

TEST(HalfWarpSegments, TheSegmentOfTheLowestLaneComesFirst) {
  EXPECT_EQ(coalesce(
                Coalescing::halfWarpSegments, [](u32 lane) { return lane == 0   ? 512
                                                                    : lane == 1 ? 0
                                                                                : 516; }, 4, false, LaneMask(0b111)),
            (std::vector<Piece>{{512, 1}, {0, 1}}));
}

TEST(HalfWarpSegments, NoActiveLaneNoTransaction) {
  EXPECT_TRUE(coalesce(Coalescing::halfWarpSegments, consecutive, 4, false, {}).empty());
  EXPECT_EQ(coalesce(Coalescing::halfWarpSegments, consecutive, 4, false, LaneMask(0xffff'0000)), (std::vector<Piece>{{64, 2}}));
}

// --- 2.x: lines of 128 B through L1, 32 B segments beside it

TEST(Lines, CachedAccessesTakeWholeLines) {
  EXPECT_EQ(coalesce(Coalescing::lines, consecutive, 4, true), (std::vector<Piece>{{0, 4}}));
  EXPECT_EQ(coalesce(Coalescing::lines, misaligned, 4, true), (std::vector<Piece>{{0, 4}, {128, 4}}));
  EXPECT_EQ(coalesce(
                Coalescing::lines, [](u32) { return 0; }, 4, true),
            (std::vector<Piece>{{0, 4}}));
  EXPECT_EQ(coalesce(
                Coalescing::lines, [](u32 lane) { return (31 - lane) * 4; }, 4, true),
            (std::vector<Piece>{{0, 4}}));
  EXPECT_EQ(coalesce(
                Coalescing::lines, [](u32 lane) { return lane * 128; }, 4, true)
                .size(),
            32u);
}

TEST(Lines, UncachedAccessesTakeSegmentsOf32Bytes) {
  EXPECT_EQ(coalesce(Coalescing::lines, consecutive), (std::vector<Piece>{{0, 4}}));
  EXPECT_EQ(coalesce(Coalescing::lines, misaligned), (std::vector<Piece>{{0, 4}, {128, 1}}));
  EXPECT_EQ(coalesce(Coalescing::lines, [](u32) { return 100; }), (std::vector<Piece>{{96, 1}}));
}

// "If the size of the words accessed by each thread is more than 4 bytes, a memory request by a warp is first split": two of half a warp
// for 8 B, four of a quarter for 16 B.
TEST(Lines, WideWordsAreSplit) {
  EXPECT_EQ(coalesce(
                Coalescing::lines, [](u32 lane) { return lane * 8; }, 8, true),
            (std::vector<Piece>{{0, 4}, {128, 4}}));
  EXPECT_EQ(coalesce(
                Coalescing::lines, [](u32) { return 0; }, 8, true)
                .size(),
            2u);
  EXPECT_EQ(coalesce(
                Coalescing::lines, [](u32) { return 0; }, 16, true)
                .size(),
            4u);
  EXPECT_EQ(coalesce(
                Coalescing::lines, [](u32 lane) { return lane * 16; }, 16, true)
                .size(),
            4u);
}

// --- sub-warps of 8 lanes and blocks of 32 B (Gou, section 6.4.1)

TEST(SubWarpBlocks, ConsecutiveWordsAreABlockForEachSubWarp) {
  EXPECT_EQ(coalesce(Coalescing::subWarpBlocks, consecutive), (std::vector<Piece>{{0, 1}, {32, 1}, {64, 1}, {96, 1}}));
}

// Words 1 to 8 lie in two blocks: a vector that is split.
TEST(SubWarpBlocks, AMisalignedSubWarpIsSplit) {
  EXPECT_EQ(coalesce(Coalescing::subWarpBlocks, misaligned),
            (std::vector<Piece>{{0, 1}, {32, 1}, {32, 1}, {64, 1}, {64, 1}, {96, 1}, {96, 1}, {128, 1}}));
}

TEST(SubWarpBlocks, EachSubWarpAsksForItself) {
  EXPECT_EQ(coalesce(Coalescing::subWarpBlocks, [](u32) { return 100; }), (std::vector<Piece>{{96, 1}, {96, 1}, {96, 1}, {96, 1}}));
  EXPECT_EQ(coalesce(Coalescing::subWarpBlocks, consecutive, 4, false, LaneMask(0x0000'0101)), (std::vector<Piece>{{0, 1}, {32, 1}}));
  EXPECT_TRUE(coalesce(Coalescing::subWarpBlocks, consecutive, 4, false, {}).empty());
}

// 8 lanes of 16 B are four blocks of two lanes; of 1 B a quarter of one.
TEST(SubWarpBlocks, WideAndNarrowWords) {
  const auto wide = coalesce(
      Coalescing::subWarpBlocks, [](u32 lane) { return lane * 16; }, 16);
  ASSERT_EQ(wide.size(), 16u);
  for (u32 i = 0; i < 16; ++i) EXPECT_EQ(wide[i], (Piece{i * 32, 1}));
  EXPECT_EQ(coalesce(
                Coalescing::subWarpBlocks, [](u32 lane) { return lane; }, 1),
            (std::vector<Piece>{{0, 1}, {0, 1}, {0, 1}, {0, 1}}));
}

TEST(SubWarpBlocks, TheBlockOfTheLowestLaneComesFirst) {
  EXPECT_EQ(coalesce(
                Coalescing::subWarpBlocks, [](u32 lane) { return lane == 0 ? 64 : lane * 4; }, 4, false, LaneMask::first(8)),
            (std::vector<Piece>{{64, 1}, {0, 1}}));
}

TEST(SubWarpBlocks, ABlockKnowsItsLanesAndBytes) {
  CoalescingUnit unit(Coalescing::subWarpBlocks, 32, 128, 8);
  const Addresses addresses = lanes(misaligned);
  const auto transactions = unit.access(addresses.data(), LaneMask::first(8), 4, true);
  ASSERT_EQ(transactions.size(), 2u);
  EXPECT_EQ(transactions[0].address, kBase);  // of the line
  EXPECT_EQ(transactions[1].address, kBase);
  EXPECT_EQ(transactions[0].lanes, 7u);
  EXPECT_EQ(transactions[1].lanes, 1u);
  EXPECT_EQ(transactions[0].written, (mem::SectorBytes{0xffff'fff0}));
  EXPECT_EQ(transactions[1].written, (mem::SectorBytes{0, 0xf}));
  EXPECT_EQ(transactions[0].wholeSectors | transactions[1].wholeSectors, 0u);
  const Addresses all = lanes(consecutive);
  EXPECT_EQ(unit.access(all.data(), LaneMask::range(8, 8), 4, true)[0].wholeSectors, 0b10u);
}

// --- sectors

TEST(Sectors, OnlySectorsTouchedAreMoved) {
  EXPECT_EQ(coalesce(Coalescing::sectors, misaligned, 4, true), (std::vector<Piece>{{0, 4}, {128, 1}}));
  EXPECT_EQ(coalesce(
                Coalescing::sectors, [](u32 lane) { return lane % 8 * 4; }, 4, true),
            (std::vector<Piece>{{0, 1}}));
}

TEST(Sectors, WholeSectorsAreThoseOfWhichEveryByteIsCovered) {
  CoalescingUnit unit(Coalescing::sectors, 32, 128, 8);
  const Addresses addresses = lanes(misaligned);
  const auto transactions = unit.access(addresses.data(), LaneMask::first(32), 4, false);
  ASSERT_EQ(transactions.size(), 2u);
  EXPECT_EQ(transactions[0].wholeSectors, 0b1110u);  // byte 0 … 3 are not written
  EXPECT_EQ(transactions[1].wholeSectors, 0u);       // one word alone
  EXPECT_EQ(transactions[0].written, (mem::SectorBytes{0xffff'fff0}));
  EXPECT_EQ(transactions[1].written, (mem::SectorBytes{0xf}));
  EXPECT_EQ(transactions[0].lanes, 31u);
  EXPECT_EQ(transactions[1].lanes, 1u);
}

// --- any access: the sectors moved are those that hold a byte of a lane, each once a group of lanes

TEST(Sectors, RandomAccessesMoveExactlyTheSectorsTouched) {
  std::mt19937_64 random(3);
  for (u32 round = 0; round < 2000; ++round) {
    const u32 bytes = 1u << random() % 5;
    const u32 range = 1u << random() % 12;
    const LaneMask mask = LaneMask(random() & random()) & LaneMask::first(32);
    const Addresses addresses = lanes([&](u32) { return random() % range * bytes; });
    const u32 group = bytes <= 4 ? 32 : 128 / bytes;  // lanes
    std::map<u64, u32> expected;                      // sector → times
    for (u32 first = 0; first < 32; first += group) {
      std::set<u64> touched;
      for (u32 lane = first; lane < first + group; ++lane)
        for (u64 byte = 0; byte < bytes && mask.contains(lane); ++byte) touched.insert((addresses[lane] + byte) / 32);
      for (const u64 sector : touched) ++expected[sector];
    }
    CoalescingUnit unit(Coalescing::sectors, 32, 128, 8);
    std::map<u64, u32> moved;
    u32 served = 0;
    for (const Transaction& each : unit.access(addresses.data(), mask, bytes, false)) {
      for (u32 sectors = each.sectors; sectors; sectors &= sectors - 1) ++moved[each.address / 32 + u32(std::countr_zero(sectors))];
      served += each.lanes;
    }
    ASSERT_EQ(moved, expected) << "round " << round;
    ASSERT_EQ(served, mask.size());
  }
}

TEST(SubWarpBlocks, RandomAccessesMoveExactlyTheBlocksTouchedByEachSubWarp) {
  std::mt19937_64 random(5);
  for (u32 round = 0; round < 2000; ++round) {
    const u32 bytes = 1u << random() % 5, range = 1u << random() % 12, subWarp = 1u << random() % 6;
    const LaneMask mask = LaneMask(random() & random()) & LaneMask::first(32);
    const Addresses addresses = lanes([&](u32) { return random() % range * bytes; });
    std::map<u64, u32> expected, moved;  // block → times
    for (u32 first = 0; first < 32; first += subWarp) {
      std::set<u64> touched;
      for (const LaneId lane : mask& LaneMask::range(first, subWarp)) touched.insert(addresses[lane] / 32);
      for (const u64 block : touched) ++expected[block];
    }
    CoalescingUnit unit(Coalescing::subWarpBlocks, 32, 32u << random() % 4, subWarp);
    u32 served = 0;
    for (const Transaction& each : unit.access(addresses.data(), mask, bytes, true)) {
      ASSERT_TRUE(std::has_single_bit(each.sectors));
      ++moved[each.address / 32 + u64(std::countr_zero(each.sectors))];
      served += each.lanes;
    }
    ASSERT_EQ(moved, expected) << "round " << round;
    ASSERT_EQ(served, mask.size());
  }
}

TEST(HalfWarpSegments, RandomAccessesCoverEveryByteOfTheirHalf) {
  std::mt19937_64 random(4);
  for (u32 round = 0; round < 2000; ++round) {
    const u32 bytes = 1u << random() % 5;
    const u32 range = 1u << random() % 12;
    const LaneMask mask(0xffffu & random());  // of one half
    const Addresses addresses = lanes([&](u32) { return random() % range * bytes; });
    CoalescingUnit unit(Coalescing::halfWarpSegments, 32, 128, 8);
    std::set<u64> moved;
    u32 served = 0;
    for (const Transaction& each : unit.access(addresses.data(), mask, bytes, false)) {
      const auto size = static_cast<u32>(std::popcount(each.sectors));
      const auto first = static_cast<u32>(std::countr_zero(each.sectors));
      ASSERT_EQ(each.sectors, ((1u << size) - 1) << first);  // contiguous
      ASSERT_TRUE(std::has_single_bit(size) && first % size == 0) << "32, 64 or 128 bytes, aligned";
      for (u32 sector = first; sector < first + size; ++sector) moved.insert(each.address / 32 + sector);
      served += each.lanes;
    }
    for (const LaneId lane : mask) {
      const u64 address = addresses[lane];
      ASSERT_TRUE(moved.contains(address / 32) && moved.contains((address + bytes - 1) / 32));
    }
    ASSERT_EQ(served, mask.size());
  }
}

TEST(Texels, AnyListBecomesLinesOrSectors) {
  const std::vector<u64> addresses{kBase, kBase + 4, kBase + 64, kBase + 4096};
  CoalescingUnit lines(Coalescing::lines, 32, 128, 8), sectors(Coalescing::sectors, 32, 128, 8);
  EXPECT_EQ(pieces(lines.list(addresses, 4)), (std::vector<Piece>{{0, 4}, {4096, 4}}));
  const auto moved = sectors.list(addresses, 4);
  ASSERT_EQ(moved.size(), 2u);
  EXPECT_EQ(moved[0].sectors, 0b101u);
  EXPECT_EQ(moved[1].sectors, 0b1u);
}

}  // namespace
}  // namespace warpwright::sm
