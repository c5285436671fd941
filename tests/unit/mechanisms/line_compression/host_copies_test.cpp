// Bytes of copies that the host's software has compressed.
#include "mechanisms/line_compression/host_copies.hpp"

#include <gtest/gtest.h>

#include "unit/mechanisms/line_compression/lines.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

constexpr GlobalAddress kFirst{0x4000};

// A line of zeros, one of small words, one of noise: 1, 2 and 4 pieces.
Values threeLines() {
  Values memory;
  memory.set(kFirst, kLine, zeros);
  memory.set(kFirst + kLine, kLine, smallWords);
  memory.set(kFirst + 2 * kLine, kLine, noise);
  return memory;
}

TEST(HostCopies, BringWholeLinesInTheirPieces) {
  const Values memory = threeLines();
  HostCopies copies({}, kLine, memory.reader());
  copies.add(kFirst, 3 * kLine);
  EXPECT_EQ(copies.statistics().hostCopiedBytes, 3u * kLine);
  EXPECT_EQ(copies.statistics().hostCopiedCompressedBytes, (1u + 2 + 4) * 32);
}

TEST(HostCopies, BringPartsOfLinesAsTheyAre) {
  const Values memory = threeLines();
  const auto compressed = [&](GlobalAddress begin, u64 bytes) {
    HostCopies copies({}, kLine, memory.reader());
    copies.add(begin, bytes);
    EXPECT_EQ(copies.statistics().hostCopiedBytes, bytes);
    return copies.statistics().hostCopiedCompressedBytes;
  };
  EXPECT_EQ(compressed(kFirst, kLine - 1), kLine - 1u);
  EXPECT_EQ(compressed(kFirst + 1, kLine - 1), kLine - 1u);
  EXPECT_EQ(compressed(kFirst + 4, 8), 8u);
  EXPECT_EQ(compressed(kFirst + 4, 0), 0u);
  EXPECT_EQ(compressed(kFirst + 8, 2 * kLine), kLine - 8u + 2 * 32 + 8) << "the second line is whole";
  EXPECT_EQ(compressed(kFirst + 3 * kLine, kLine), u64{kLine}) << "its values are not known";
}

TEST(HostCopies, OfSoftwareThatCompressesNothingAreAsTheyAre) {
  const Values memory = threeLines();
  HostCopies copies({.copiesToo = false}, kLine, memory.reader());
  copies.add(kFirst, 3 * kLine);
  EXPECT_EQ(copies.statistics().hostCopiedBytes, 3u * kLine);
  EXPECT_EQ(copies.statistics().hostCopiedCompressedBytes, 3u * kLine);
}

}  // namespace
}  // namespace warpwright::mechanisms::line_compression
