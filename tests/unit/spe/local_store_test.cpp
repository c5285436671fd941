// The local store: layouts of arrays, what they keep apart, and what accesses cost.
#include "spe/local_store.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace warpwright::spe {
namespace {

std::vector<Family> families() {
  std::vector<Family> all{std::nullopt};
  for (u32 s = 0; s < 10; ++s) all.emplace_back(s);
  return all;
}

std::array<u32, 4> wordsFrom(u32 first, u32 stride) {
  std::array<u32, 4> words{};
  for (u32 i = 0; i < 4; ++i) words[i] = first + i * stride;
  return words;
}

TEST(LocalStore, TheFamilyOfAStrideIsItsTrailingZeros) {
  EXPECT_EQ(familyOf(1), 0u);
  EXPECT_EQ(familyOf(2), 1u);
  EXPECT_EQ(familyOf(3), 0u);   // vec3: log2 of table 4.4 holds for powers of two alone
  EXPECT_EQ(familyOf(9), 0u);   // matrix3
  EXPECT_EQ(familyOf(24), 3u);  // the spinor of Wilson-Dirac
}

TEST(LocalStore, EachLayoutKeepsEveryWord) {
  for (const Family family : families()) {
    LocalStore store;
    for (u32 word = 0; word < LocalStore::kWords; ++word) store.write(word, family, word);
    for (u32 word = 0; word < LocalStore::kWords; ++word) ASSERT_EQ(store.read(word, family), word);
    EXPECT_EQ(store.mismatches(), 0u);
  }
}

// Also where s > q, for which SAMS's own rows reach into the next line.
TEST(LocalStore, NeighboursInOtherLayoutsDoNotOverwriteEachOther) {
  constexpr u32 kLine = LocalStore::kLineWords;
  for (const Family first : families())
    for (const Family second : families()) {
      LocalStore store;
      for (u32 word = 0; word < kLine; ++word) store.write(4 * kLine + word, first, 100 + word);
      for (u32 word = 0; word < kLine; ++word) store.write(5 * kLine + word, second, 200 + word);
      for (u32 word = 0; word < kLine; ++word) ASSERT_EQ(store.read(4 * kLine + word, first), 100 + word);
      for (u32 word = 0; word < kLine; ++word) ASSERT_EQ(store.read(5 * kLine + word, second), 200 + word);
    }
}

TEST(LocalStore, AReadInAnotherLayoutGivesOtherWordsAndIsCounted) {
  LocalStore store;
  for (u32 word = 0; word < 8; ++word) store.write(word, Family(0), word);
  bool differs = false;
  for (u32 word = 0; word < 8; ++word) differs |= store.read(word, std::nullopt) != word;
  EXPECT_TRUE(differs);
  EXPECT_EQ(store.mismatches(), 8u);
}

// Gou, section 3.2: a layout serves unit stride and its own family without conflict, from any word on.
TEST(LocalStore, ALayoutServesItsFamilyAndUnitStride) {
  const LocalStore store;
  for (u32 s = 0; s <= 2; ++s)
    for (u32 first = 0; first < 64; ++first) {
      EXPECT_EQ(store.cyclesFor(wordsFrom(first, 1), Family(s)), 1u) << s << ' ' << first;
      for (const u32 odd : {1u, 3u, 5u}) EXPECT_EQ(store.cyclesFor(wordsFrom(first, odd << s), Family(s)), 1u) << s << ' ' << first;
    }
}

// Families above q: the strides themselves from any word on, unit stride where it crosses no multiple of 2^s words.
TEST(LocalStore, LargeFamiliesConflictOnlyWhereUnitStridesCross) {
  const LocalStore store;
  for (u32 s = 3; s <= 6; ++s)
    for (u32 first = 0; first < 128; ++first) {
      EXPECT_EQ(store.cyclesFor(wordsFrom(first, 1u << s), Family(s)), 1u) << s << ' ' << first;
      const bool crosses = first / (1u << s) != (first + 3) / (1u << s);
      EXPECT_LE(store.cyclesFor(wordsFrom(first, 1), Family(s)), crosses ? 2u : 1u) << s << ' ' << first;
    }
}

TEST(LocalStore, StridesOfAnotherFamilyConflict) {
  const LocalStore store;
  EXPECT_EQ(store.cyclesFor(wordsFrom(0, 8), std::nullopt), 4u);
  EXPECT_GT(store.cyclesFor(wordsFrom(0, 16), Family(1)), 1u);
}

}  // namespace
}  // namespace warpwright::spe
