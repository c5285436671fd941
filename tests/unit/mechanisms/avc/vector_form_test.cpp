#include "mechanisms/avc/vector_form.hpp"

#include <gtest/gtest.h>

#include "unit/mechanisms/avc/words.hpp"

namespace warpwright::mechanisms::avc {
namespace {

// Addresses of a block that is 16 threads wide: two rows.
std::array<u32, kWordsPerVector> rows(u32 first, u32 second, u32 stride = 4) {
  std::array<u32, kWordsPerVector> words;
  for (u32 word = 0; word < kWordsPerVector; ++word) words[word] = (word < 16 ? first : second) + word % 16 * stride;
  return words;
}

VectorEncoding encoded(u32 subVectors, const std::array<u32, kWordsPerVector>& words, WordMask mask = kAll) {
  return VectorEncoder(3, subVectors).encode(words.data(), mask);
}

TEST(VectorForm, TwoRowsAreTwoSubVectors) {
  const auto words = rows(0x100, 0x900);
  EXPECT_FALSE(encoded(1, words).succeeded);
  for (const u32 subVectors : {2u, 4u}) {
    const VectorEncoding encoding = encoded(subVectors, words);
    ASSERT_TRUE(encoding.succeeded);
    for (u32 word = 0; word < kWordsPerVector; ++word) EXPECT_EQ(encoding.form.at(word), words[word]) << word;
  }
}

TEST(VectorForm, AllSubVectorsOfTheMaskHaveToBeEncoded) {
  auto words = rows(0, 0);
  words[20] = 12345;
  EXPECT_FALSE(encoded(2, words).succeeded);
  EXPECT_TRUE(encoded(2, words, kLow).succeeded);
  EXPECT_FALSE(encoded(4, words, kLow | 1u << 20 | 1u << 21).succeeded);
  EXPECT_TRUE(encoded(4, words, kAll & ~0xff'0000u).succeeded);
}

TEST(VectorForm, MasksOfSubVectorsMayBeSparse) {
  const VectorEncoding encoding = encoded(2, rows(0, 64), kLow | 1u << 16 | 1u << 18);
  EXPECT_FALSE(encoding.succeeded);
  EXPECT_TRUE(encoding.isSparse);
}

TEST(VectorForm, PartsThatTheMaskDoesNotTouchDoNotDiffer) {
  const VectorForm one = encoded(2, rows(0, 0x400)).form, other = encoded(2, rows(0, 0x800)).form;
  EXPECT_EQ(one.differing(other, kAll), kHigh);
  EXPECT_EQ(one.differing(other, 0xff), 0u);
  VectorForm taken = one;
  taken.take(other, 1u << 31);
  EXPECT_EQ(taken, other);
}

TEST(VectorForm, OnlyTheSubVectorThatChangesConflicts) {
  AffineVectorCache cache({.bytes = 4096, .ways = 1, .subVectors = 2});
  Evictions out;
  const GlobalAddress vector{};
  const auto write = [&](WordMask mask, u32 first, u32 second) {
    EXPECT_TRUE(cache.write(vector, mask, encoded(2, rows(first, second), mask), out));
  };
  write(kAll, 0, 0x400);
  write(kHigh, 0, 0x800);  // a whole sub-vector
  EXPECT_EQ(cache.stats().writeConflicts, 0u);
  EXPECT_EQ(cache.vector(vector).valid, kAll);
  EXPECT_EQ(cache.vector(vector).form, encoded(2, rows(0, 0x800)).form);
  write(0xff, 0x40, 0);  // half a one
  EXPECT_EQ(cache.stats().writeConflicts, 1u);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].valid, kAll & ~0xffu);
  EXPECT_EQ(cache.vector(vector).valid, 0xffu);
}

}  // namespace
}  // namespace warpwright::mechanisms::avc
