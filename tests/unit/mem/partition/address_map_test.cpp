// The map is a bijection between addresses and (partition, local address), even and, where it hashes, spread.
#include "mem/partition/address_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace warpwright::mem {
namespace {

struct Shape {
  u32 partitions, slices;
  bool hashed;
};

class AddressMaps : public ::testing::TestWithParam<Shape> {};

TEST_P(AddressMaps, giveEachPieceItsOwnPlace) {
  const auto [partitions, slices, hashed] = GetParam();
  const AddressMap map(partitions, slices, 1, 256, hashed ? "true" : "false");
  constexpr u64 kRounds = 64;
  const u64 pieces = kRounds * partitions * slices;
  std::set<std::pair<PartitionId, ChannelAddress>> places;
  std::map<std::pair<PartitionId, SliceId>, u64> piecesOfSlice;
  for (u64 piece = 0; piece < pieces; ++piece) {
    const GlobalAddress address(piece * 256);
    ASSERT_LT(map.partition(address), partitions);
    ASSERT_LT(map.slice(address), slices);
    ASSERT_LT(map.local(address), pieces / partitions * 256) << "local addresses are dense";
    EXPECT_TRUE(places.emplace(map.partition(address), map.local(address)).second) << "two pieces in one place";
    ++piecesOfSlice[{map.partition(address), map.slice(address)}];
    // A piece stays together.
    EXPECT_EQ(map.partition(address + 255), map.partition(address));
    EXPECT_EQ(map.slice(address + 255), map.slice(address));
    EXPECT_EQ(map.local(address + 255), map.local(address) + 255);
  }
  ASSERT_EQ(piecesOfSlice.size(), partitions * slices);
  for (const auto& [slice, count] : piecesOfSlice) EXPECT_EQ(count, kRounds);
}

// Over what one slice sees, its lines are numbered without gaps: all of its sets are used.
TEST_P(AddressMaps, numberTheLinesOfASliceWithoutGaps) {
  const auto [partitions, slices, hashed] = GetParam();
  const AddressMap map(partitions, slices, 1, 256, hashed ? "true" : "false");
  config::Cache cache;
  cache.lineBytes = 128;
  const SetIndex index(cache, 64, map.sliceShare());
  std::map<std::pair<PartitionId, SliceId>, std::set<u64>> lines;
  for (GlobalAddress address; address < u64{256} * 32 * partitions * slices; address += 128) {
    EXPECT_TRUE(lines[std::make_pair(map.partition(address), map.slice(address))].insert(index.line(address)).second);
  }
  for (const auto& [slice, numbers] : lines) {
    EXPECT_EQ(numbers.size(), 64u);
    EXPECT_EQ(*numbers.rbegin(), 63u);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AddressMaps,
                         ::testing::Values(Shape{1, 1, false}, Shape{6, 2, false}, Shape{6, 2, true}, Shape{4, 1, false}, Shape{8, 2, true},
                                           Shape{32, 2, true}, Shape{5, 3, true}, Shape{1, 4, true}));

TEST(AddressMap, interleavesRoundRobinWithoutHashing) {
  const AddressMap map(6, 2, 1, 256, "false");
  EXPECT_EQ(map.partition(GlobalAddress(0)), 0u);
  EXPECT_EQ(map.partition(GlobalAddress(256 * 5)), 5u);
  EXPECT_EQ(map.partition(GlobalAddress(256 * 6)), 0u);
  EXPECT_EQ(map.slice(GlobalAddress(0)), 0u);
  EXPECT_EQ(map.slice(GlobalAddress(256 * 6)), 1u);
  EXPECT_EQ(map.slice(GlobalAddress(256 * 12)), 0u);
  EXPECT_EQ(map.local(GlobalAddress(256 * 13 + 7)), 256u * 2 + 7);
}

// Those of a partition follow one another; its slices share them in turn.
TEST(AddressMap, numbersThePortsOfPartitionAfterPartition) {
  for (const bool hashed : {false, true}) {
    const AddressMap map(4, 4, 2, 256, hashed ? "true" : "false");
    for (GlobalAddress address; address < u64{256} * 64; address += 256) {
      EXPECT_EQ(map.port(address), map.partition(address) * 2 + map.slice(address) % 2) << address;
    }
  }
  const AddressMap one(4, 4, 1, 256, "true");
  for (GlobalAddress address; address < u64{256} * 64; address += 256) EXPECT_EQ(one.port(address), one.partition(address));
}

// A stride of partitions x piece falls on one partition without hashing, on all with it.
TEST(AddressMap, hashingSpreadsPowerOfTwoStrides) {
  for (const bool hashed : {false, true}) {
    const AddressMap map(8, 1, 1, 256, hashed ? "true" : "false");
    std::set<u32> seen;
    for (u64 i = 0; i < 64; ++i) seen.insert(map.partition(GlobalAddress(i * 8 * 256)));
    EXPECT_EQ(seen.size(), hashed ? 8u : 1u);
  }
}

TEST(Divider, agreesWithDivision) {
  for (const u32 divisor : {1u, 2u, 3u, 5u, 6u, 7u, 12u, 24u, 255u, 4096u, 65535u, 65536u}) {
    const Divider divide(divisor);
    for (u32 shift = 0; shift <= 48; ++shift) {
      for (const u64 near : {u64{0}, u64{1}, u64{divisor} - 1, u64{divisor}}) {
        const u64 dividend = ((u64{1} << shift) - near) & ((u64{1} << 48) - 1);
        EXPECT_EQ(divide.quotient(dividend), dividend / divisor) << dividend << " / " << divisor;
        EXPECT_EQ(divide.remainder(dividend), dividend % divisor);
        const u64 multiple = dividend / divisor * divisor;
        EXPECT_EQ(divide.quotient(multiple), multiple / divisor);
      }
    }
  }
}

}  // namespace
}  // namespace warpwright::mem
