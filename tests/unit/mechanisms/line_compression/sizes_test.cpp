// Sizes of lines, and where metadata lies and is cached.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "mechanisms/line_compression/line_sizes.hpp"
#include "mechanisms/line_compression/metadata.hpp"
#include "unit/mechanisms/line_compression/lines.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

TEST(LineSizes, AreThoseOfTheValuesWhenALineIsWritten) {
  Values memory;
  LineSizes sizes({}, kLine, memory.reader());
  const GlobalAddress line{0x1000};
  memory.set(line, kLine, zeros);
  EXPECT_EQ(sizes.formOf(line).pieces, 1u);
  // What SMs have stored since is not what DRAM holds.
  memory.set(line, kLine, noise);
  EXPECT_EQ(sizes.formOf(line).pieces, 1u);
  EXPECT_EQ(sizes.compress(line).pieces, 4u);
  EXPECT_EQ(sizes.formOf(line).pieces, 4u);
  // 4 + 32 bits, a base of 4 bytes and 32 differences of one: 41 bytes.
  memory.set(line, kLine, smallWords);
  EXPECT_EQ(sizes.compress(line).pieces, 2u);
}

TEST(LineSizes, OfWhatIsNotInGlobalMemoryAreWhole) {
  Values memory;
  LineSizes sizes({}, kLine, memory.reader());
  EXPECT_FALSE(sizes.isKnown(GlobalAddress{0x1000}));
  EXPECT_EQ(sizes.formOf(GlobalAddress{0x1000}).pieces, 4u);
  EXPECT_EQ(sizes.compress(GlobalAddress{0x1000}).pieces, 4u);
}

TEST(LineSizes, CopiesLieAsTheyAreIfTheSettingSaysSo) {
  Values memory;
  LineSizes sizes({.copiesToo = false}, kLine, memory.reader());
  const GlobalAddress line{0x2000};
  memory.set(line, kLine, zeros);
  EXPECT_EQ(sizes.formOf(line).pieces, 4u);
  EXPECT_EQ(sizes.compress(line).pieces, 1u);
}

TEST(LineSizes, AreForgottenLineByLineWhereTheHostHasWritten) {
  Values memory;
  LineSizes sizes({}, kLine, memory.reader());
  constexpr u64 kLines = 3 * 4096;  // pages of the table
  for (u64 number = 0; number < kLines; ++number) {
    memory.set(GlobalAddress(number * kLine), kLine, zeros);
    EXPECT_EQ(sizes.formOf(GlobalAddress(number * kLine)).pieces, 1u);
  }
  for (u64 number = 0; number < kLines; ++number) memory.set(GlobalAddress(number * kLine), kLine, noise);
  // From the last byte of line 10 to the first of line 8999.
  sizes.forget(GlobalAddress(11 * kLine - 1), (8999 - 11) * kLine + 2);
  for (u64 number = 0; number < kLines; ++number) {
    const bool isForgotten = number >= 10 && number <= 8999;
    ASSERT_EQ(sizes.formOf(GlobalAddress(number * kLine)).pieces, isForgotten ? 4u : 1u) << number;
  }
}

TEST(LineSizes, TheBestCodecIsThatOfTheLine) {
  std::mt19937_64 random(7);
  Values memory;
  for (u32 i = 0; i < 2000; ++i) {
    const GlobalAddress line(u64{i} * kLine);
    memory.set(line, kLine, [&](u32 word) {
      const u32 kind = i % 4;
      return kind == 0   ? static_cast<u32>(random() & 15)
             : kind == 1 ? word % 3
             : kind == 2 ? static_cast<u32>(random())
                         : 0x40000000 + word;
    });
    u8 least = 4;
    for (const Choice choice : {Choice::bdi, Choice::fpc, Choice::cPack})
      least = std::min(least, LineSizes({.codec = choice}, kLine, memory.reader()).compress(line).pieces);
    ASSERT_EQ(LineSizes({.codec = Choice::best}, kLine, memory.reader()).compress(line).pieces, least) << i;
  }
}

// Each block in the channel of its lines, no two in one place, none among data; 128 neighbouring lines of a channel share one.
TEST(MetadataAddresses, LieInTheChannelOfTheirLines) {
  for (const char* hash : {"false", "true"}) {
    for (const u32 channels : {1u, 6u, 8u}) {
      const mem::AddressMap map(channels, 2, 1, 256, hash);
      std::map<u64, std::pair<u32, BlockId>> seen;
      for (u64 piece = 0; piece < 3 * channels * 64 * 8; piece += 7) {
        const GlobalAddress line(u64{1} << 40 | piece * 256);
        const PartitionId partition = map.partition(line);
        const MetadataAddresses addresses(map, partition, kLine);
        const BlockId block = addresses.blockOf(line);
        EXPECT_EQ(block, map.local(line) / (128 * kLine));
        const GlobalAddress address = addresses.addressOf(block);
        ASSERT_EQ(map.partition(address), partition) << hash << ' ' << channels;
        ASSERT_GT(address, GlobalAddress{u64{1} << 47});
        ASSERT_LT(address, GlobalAddress{u64{1} << 48});
        const auto [found, isNew] = seen.insert({address, {partition, block}});
        if (!isNew) {
          ASSERT_EQ(found->second, std::make_pair(u32{partition}, block));
        }
      }
      EXPECT_GE(seen.size(), channels);
    }
  }
}

// Two sets of two ways.
TEST(MetadataCache, KeepsWhatWasUsedLast) {
  MetadataCache cache(4 * kMetadataBlockBytes, 2);
  EXPECT_FALSE(cache.holds(0));
  EXPECT_EQ(cache.fill(0), std::nullopt);
  EXPECT_EQ(cache.fill(2), std::nullopt);
  EXPECT_EQ(cache.fill(1), std::nullopt);
  cache.change(2);
  EXPECT_TRUE(cache.holds(0));
  EXPECT_EQ(cache.fill(4), std::optional<BlockId>{2});  // changed: it is written
  EXPECT_FALSE(cache.holds(2));
  EXPECT_TRUE(cache.holds(0));
  EXPECT_TRUE(cache.holds(1));
  EXPECT_EQ(cache.fill(2), std::nullopt);  // 4, unchanged, makes room
  EXPECT_FALSE(cache.holds(4));
}

TEST(MetadataCache, OfNoBytesHoldsAll) {
  MetadataCache cache(0, 4);
  EXPECT_TRUE(cache.holds(123));
  cache.change(123);
}

}  // namespace
}  // namespace warpwright::mechanisms::line_compression
