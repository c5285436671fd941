#include "compression/bdi.hpp"

#include <gtest/gtest.h>

#include "unit/compression/lines.hpp"

namespace warpwright::compression {
namespace {

constexpr std::size_t kLine = 128;

TEST(Bdi, NamesTheEncodingThatMakesALineSmallest) {
  EXPECT_EQ(bdiEncodingOf(sequence<u64>(kLine, 0, 0)), BdiEncoding::zeros);
  EXPECT_EQ(bdiEncodingOf(sequence<u64>(kLine, 0x123456789abcdef0, 0)), BdiEncoding::repeated);
  EXPECT_EQ(bdiEncodingOf(sequence<u32>(kLine, 0x3f800000, 0)), BdiEncoding::repeated) << "words repeat too";
  EXPECT_EQ(bdiEncodingOf(sequence<u64>(kLine, 0x8001d000, 8)), BdiEncoding::base8Delta1);
  EXPECT_EQ(bdiEncodingOf(sequence<u32>(kLine, 0x70000000, 4)), BdiEncoding::base4Delta1);
  EXPECT_EQ(bdiEncodingOf(sequence<u64>(kLine, 0x7fff00001000, 0x100)), BdiEncoding::base8Delta2);
  EXPECT_EQ(bdiEncodingOf(sequence<u32>(kLine, 0x70000000, 0x200)), BdiEncoding::base4Delta2);
  EXPECT_EQ(bdiEncodingOf(sequence<u64>(kLine, 0x7fff00000000, 0x01000000)), BdiEncoding::base8Delta4);
  EXPECT_EQ(bdiEncodingOf(sequence<u16>(kLine, 0x4000, 1)), BdiEncoding::base2Delta1);
  EXPECT_EQ(bdiEncodingOf(sequence<u32>(kLine, 0x12345678, 0x01234567)), BdiEncoding::none);
}

TEST(Bdi, SizesAreMetadataBaseAndDifferences) {
  EXPECT_EQ(bdiBytes(BdiEncoding::zeros, kLine), 1u);
  EXPECT_EQ(bdiBytes(BdiEncoding::repeated, kLine), 1u + 8);
  EXPECT_EQ(bdiBytes(BdiEncoding::base8Delta1, kLine), 3u + 8 + 16);
  EXPECT_EQ(bdiBytes(BdiEncoding::base4Delta1, kLine), 5u + 4 + 32);
  EXPECT_EQ(bdiBytes(BdiEncoding::base8Delta2, kLine), 3u + 8 + 32);
  EXPECT_EQ(bdiBytes(BdiEncoding::base4Delta2, kLine), 5u + 4 + 64);
  EXPECT_EQ(bdiBytes(BdiEncoding::base8Delta4, kLine), 3u + 8 + 64);
  EXPECT_EQ(bdiBytes(BdiEncoding::base2Delta1, kLine), 9u + 2 + 64);
  EXPECT_EQ(bdiBytes(BdiEncoding::none, kLine), kLine);
}

// Figure 6 of the assist-warp paper: a line of page-view count, of pointers from 0x8001d000 on and small numbers. It prints 17 bytes, with
// one byte of metadata.
TEST(Bdi, LineOfTheFigureTakesOneByteMoreThanItPrints) {
  const Bytes line = lineOf<u64>({0x8001d000, 0x10, 0x8001d008, 0x20, 0x8001d010, 0x30, 0x8001d018, 0x40});
  EXPECT_EQ(bdiEncodingOf(line), BdiEncoding::base8Delta1);
  EXPECT_EQ(keptBytes(Codec::bdi, line), 17u + 1);
}

// With one byte of metadata whatever the values, as the paper counts, or with a bit for each value and four of encoding: a line takes the
// same bursts of 32 bytes.
TEST(Bdi, BurstsAreThoseOfThePapersMetadata) {
  const auto bursts = [](u32 bytes) { return (bytes + 31) / 32; };
  for (const u32 lineBytes : {64u, 128u}) {
    for (std::size_t i = 0; i + 1 < kBdiEncodings; ++i) {
      const BdiEncoding encoding = static_cast<BdiEncoding>(i);
      const u32 published = 1 + bdiValueBytes(encoding) + bdiDeltas(encoding, lineBytes) * bdiDeltaBytes(encoding);
      EXPECT_EQ(bursts(bdiBytes(encoding, lineBytes)), bursts(published)) << name(encoding) << ' ' << lineBytes;
    }
  }
}

TEST(Bdi, TakesTheFirstEncodingThatFits) {
  const Bytes zeros = sequence<u64>(kLine, 0, 0), words = sequence<u32>(kLine, 0x70000000, 4),
              none = sequence<u32>(kLine, 0x12345678, 0x01234567);
  const auto with = [](BdiEncoding first) { return Variants{.bdiFirst = first}; };
  EXPECT_EQ(bdiEncodingOf(zeros, with(BdiEncoding::base4Delta1)), BdiEncoding::base4Delta1) << "though it is larger";
  EXPECT_EQ(keptBytes(Codec::bdi, zeros, with(BdiEncoding::base4Delta1)), 5u + 4 + 32);
  EXPECT_EQ(bdiEncodingOf(words, with(BdiEncoding::base4Delta2)), BdiEncoding::base4Delta2);
  EXPECT_EQ(bdiEncodingOf(words, with(BdiEncoding::zeros)), BdiEncoding::base4Delta1) << "it does not fit: the smallest";
  EXPECT_EQ(bdiEncodingOf(words, with(BdiEncoding::none)), BdiEncoding::base4Delta1);
  EXPECT_EQ(bdiEncodingOf(none, with(BdiEncoding::base4Delta2)), BdiEncoding::none);
}

TEST(Bdi, DifferencesAreSigned) {
  EXPECT_EQ(bdiEncodingOf(lineOf<u64>({1000, 1127, 872, 1000, 1000, 127, static_cast<u64>(-128), 1000})), BdiEncoding::base8Delta1);
  EXPECT_NE(bdiEncodingOf(lineOf<u64>({1000, 1128, 1000, 1000, 1000, 1000, 1000, 1000})), BdiEncoding::base8Delta1);
  EXPECT_NE(bdiEncodingOf(lineOf<u64>({1000, 871, 1000, 1000, 1000, 1000, 1000, 1000})), BdiEncoding::base8Delta1);
  EXPECT_NE(bdiEncodingOf(lineOf<u64>({1000, 128, 1000, 1000, 1000, 1000, 1000, 1000})), BdiEncoding::base8Delta1);
}

// As numbers of their width: from the largest to zero is one step.
TEST(Bdi, DifferencesWrapAround) { EXPECT_EQ(bdiEncodingOf(sequence<u32>(kLine, 0x7ffffff0, 1)), BdiEncoding::base4Delta1); }

}  // namespace
}  // namespace warpwright::compression
