#include "profile/data/content.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "access/coalescer.hpp"

namespace warpwright::profile {
namespace {

using values::VectorClass;

constexpr u32 kWords = access::kLineBytes / 4;

template <class Value>
Content contentOf(Value value, u32 lines = 1) {
  Content content;
  for (u32 line = 0; line < lines; ++line) {
    std::array<u32, kWords> words;
    for (u32 i = 0; i < kWords; ++i) words[i] = value(line * kWords + i);
    content.add(std::as_bytes(std::span(words)));
  }
  return content;
}

TEST(Content, EveryLineIsOfOneKindAndOneClass) {
  const Content zero = contentOf([](u32) { return 0u; });
  EXPECT_EQ(zero.kinds[LineKind::zero], 1u);
  EXPECT_EQ(zero.classes[VectorClass::zero], 1u);
  const Content one = contentOf([](u32) { return 0x3f800000u; });
  EXPECT_EQ(one.kinds[LineKind::repeated], 1u);
  EXPECT_EQ(one.classes[VectorClass::uniform], 1u);
  const Content pairs = contentOf([](u32 i) { return i % 2; });
  EXPECT_EQ(pairs.kinds[LineKind::repeated], 1u);
  EXPECT_EQ(pairs.classes[VectorClass::generic], 1u);
  const Content offsets = contentOf([](u32 i) { return 100'000 + 16 * i; });
  EXPECT_EQ(offsets.kinds[LineKind::other], 1u);
  EXPECT_EQ(offsets.classes[VectorClass::affine], 1u);
  const Content narrow = contentOf([](u32 i) { return static_cast<u32>(static_cast<s32>(i * i) - 512); });
  EXPECT_EQ(narrow.kinds[LineKind::narrow], 1u);
}

TEST(Content, NarrowEndsAtSixteenBits) {
  const auto kind = [](u32 edge) { return contentOf([=](u32 i) { return i == 5 ? edge : i; }); };
  EXPECT_EQ(kind(0x7fff).kinds[LineKind::narrow], 1u);
  EXPECT_EQ(kind(0x8000).kinds[LineKind::other], 1u);
  EXPECT_EQ(kind(0xffff8000).kinds[LineKind::narrow], 1u);
  EXPECT_EQ(kind(0xffff7fff).kinds[LineKind::other], 1u);
}

// Small integers take two bursts of four, and offsets that grow by less than 2^15 three.
TEST(Content, RatiosAreOfBursts) {
  const Content small = contentOf([](u32 i) { return i * 7 % 100; }, 10);
  EXPECT_EQ(small.bdi.bytes, 10u * 41);
  EXPECT_EQ(small.bdi.bursts, 10u * 2);
  EXPECT_EQ(small.ratio(small.bdi), 2.0);
  EXPECT_EQ(small.bdiEncodings[compression::BdiEncoding::base4Delta1], 10u);
  const Content offsets = contentOf([](u32 i) { return 1'000'000 + 700 * i; }, 3);
  EXPECT_EQ(offsets.ratio(offsets.bdi), 4.0 / 3);
  EXPECT_EQ(offsets.ratio(offsets.cPack), 1.0);
}

TEST(Content, EntropyIsThatOfTheBytesOfAWord) {
  EXPECT_EQ(contentOf([](u32) { return 7u; }).values.entropy(), 0.0);
  EXPECT_DOUBLE_EQ(*contentOf([](u32 i) { return i % 2 == 0 ? 0u : 1u; }).values.entropy(), 1.0);
  EXPECT_DOUBLE_EQ(*contentOf([](u32 i) { return (i & 15) << 24 | (i & 1); }).values.entropy(), 5.0);
  EXPECT_DOUBLE_EQ(*contentOf([](u32 i) { return (i & 255) * 0x01010101u; }, 8).values.entropy(), 32.0);
  EXPECT_FALSE(Content{}.values.entropy());
}

TEST(Content, MergesIntoTheWhole) {
  Content sum = contentOf([](u32 i) { return i; }, 4);
  sum.merge(contentOf([](u32 i) { return i + 4 * kWords; }, 4));
  const Content whole = contentOf([](u32 i) { return i; }, 8);
  EXPECT_EQ(sum.lines, whole.lines);
  EXPECT_EQ(sum.kinds, whole.kinds);
  EXPECT_EQ(sum.classes, whole.classes);
  EXPECT_EQ(sum.bdi.bytes, whole.bdi.bytes);
  EXPECT_EQ(sum.values.at, whole.values.at);
}

}  // namespace
}  // namespace warpwright::profile
