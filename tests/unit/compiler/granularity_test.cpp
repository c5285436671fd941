// Algorithm 6.1 with figures of the chapter.
#include "compiler/patterns/granularity.hpp"

#include <gtest/gtest.h>

namespace warpwright::compiler {
namespace {

using Skewed = GranularityRules::Skewed;

LaunchPattern regular(IndexSum y) {
  LaunchPattern pattern;
  pattern.y = y;
  return pattern;
}

constexpr GranularityLimits kGddr3{32, 256};
constexpr GranularityRules kLiteral{}, kRelaxed{.blocksContinueRows = false};

u32 chosen(const LaunchPattern& pattern, u32 bytes, u32 width, const GranularityRules& rules) {
  return granularityOf(pattern, bytes, width, kGddr3, rules);
}

// Figure 6.1: blocks of 4 x 4 threads, words, (a … f) = (0, 192, 48, 16, 4, 0). The text fetches 16 bytes, which are less than the 32 of
// GDDR3.
TEST(Granularity, OfTheWorkedExample) {
  const LaunchPattern example = regular({0, 192, 48, 16, 4, 0});
  EXPECT_EQ(granularityOf(example, 4, 4, {8, 256}, kLiteral), 16U);
  EXPECT_EQ(chosen(example, 4, 4, kLiteral), 32U);
}

// A[row K + i] and B[i N + column] of a product by tiles of 16 x 16: table 6.4 has both at 64 bytes, the first of which no ctaid.x moves.
TEST(Granularity, OfTheMatrixProduct) {
  const LaunchPattern a = regular({0, 64 * 1024, 4096, 0, 4, 0}), b = regular({0, 0, 4096, 64, 4, 0});
  EXPECT_EQ(chosen(a, 4, 16, kRelaxed), 64U);
  EXPECT_EQ(chosen(b, 4, 16, kRelaxed), 64U);
  EXPECT_EQ(chosen(a, 4, 16, kLiteral), 32U);
  EXPECT_EQ(chosen(b, 4, 16, kLiteral), 64U);
}

TEST(Granularity, RowsAreClampedAndMustBeContiguous) {
  EXPECT_EQ(chosen(regular({0, 0, 0, 1024, 4, 0}), 4, 256, kLiteral), 256U);
  EXPECT_EQ(chosen(regular({0, 0, 0, 2048, 8, 0}), 4, 256, kLiteral), 32U) << "every other word";
  EXPECT_EQ(chosen(regular({0, 0, 0, 4096, 16, 0}), 16, 256, kLiteral), 256U) << "vectors of four words";
  EXPECT_EQ(chosen(regular({0, 0, 0, 1024, -4, 0}), 4, 256, kRelaxed), 32U);
  LaunchPattern unknown = regular({0, 0, 0, 1024, 4, 0});
  unknown.failure = PatternFailure::loaded;
  EXPECT_EQ(chosen(unknown, 4, 256, kLiteral), 32U);
}

// 48 words are 192 bytes.
TEST(Granularity, RowsThatAreNoPowerOfTwoLongAreRoundedDown) {
  const LaunchPattern row = regular({0, 0, 0, 192, 4, 0});
  EXPECT_EQ(chosen(row, 4, 48, kLiteral), 128U);
  EXPECT_EQ(chosen(row, 4, 48, {.roundsDown = false}), 192U);
}

// The lower element of a butterfly of stride 2^K and radix 4 over words: y[h : K] << K + 2 | y[K - 1 : 0], times 4.
LaunchPattern butterfly(u32 k) {
  LaunchPattern pattern = regular({0, 0, 0, 256, 1, 0});
  pattern.sections = {{k - 1, 0, 0}, {16, k, k + 2}};
  pattern.alpha = 4;
  return pattern;
}

// An index is no multiple of the words' bytes; 2^(K - 1) elements and 2^(K + 1) bytes are more than 256 from K = 10 and K = 8 on.
TEST(Granularity, OfButterfliesByWhatIsCounted) {
  const auto all = [](Skewed skewed) {
    std::vector<u32> bytes;
    for (const u32 k : {3u, 8u, 11u}) bytes.push_back(chosen(butterfly(k), 4, 256, {.skewed = skewed}));
    return bytes;
  };
  EXPECT_EQ(all(Skewed::index), (std::vector<u32>{32, 32, 32}));
  EXPECT_EQ(all(Skewed::scaledStep), (std::vector<u32>{32, 32, 256}));
  EXPECT_EQ(all(Skewed::bytes), (std::vector<u32>{32, 256, 256}));
}

TEST(Granularity, OfOneSectionIsTheLeast) {
  LaunchPattern pattern = butterfly(11);
  pattern.sections.pop_back();
  EXPECT_EQ(chosen(pattern, 4, 256, kRelaxed), 32U);
}

// A word of each of 32 lanes is 128 bytes, in a block of 16 threads 64.
TEST(Granularity, OfPrivateMemoryIsThatOfAWarp) {
  AccessPattern code;
  code.space = isa::Space::local;
  const auto bytesOf = [&](const LaunchPattern& pattern, Dim3 block, bool privateToo) {
    return granularityOf(code, pattern, block, 32, kGddr3, {.privateToo = privateToo});
  };
  const LaunchPattern same = regular({0, 0, 0, 0, 0, 64}), ofTheThread = regular({0, 0, 0, 0, 4, 0});
  EXPECT_EQ(bytesOf(same, {256, 1, 1}, true), 128U);
  EXPECT_EQ(bytesOf(same, {16, 1, 1}, true), 64U);
  EXPECT_EQ(bytesOf(ofTheThread, {256, 1, 1}, true), 32U);
  EXPECT_EQ(bytesOf(same, {256, 1, 1}, false), 32U);
}

}  // namespace
}  // namespace warpwright::compiler
