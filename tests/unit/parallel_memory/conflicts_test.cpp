#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/interleaving.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/schemes.hpp>
#include <warpwright/parallel_memory/xor_map.hpp>

namespace warpwright::parallel_memory {
namespace {

// The sliding window against the definition.
TEST(Degrees, AgreeWithTheDegreeOfEveryBase) {
  for (const Scheme& scheme : schemes()) {
    const auto map = makeBankMap(std::string(scheme.name), {4, 11});
    const BankTable table(*map);
    for (const char* text : {"stride:1", "stride:7", "stride:12", "stride:16", "block:4x4@16", "block:2x8@32/4", "diagonal@16",
                             "stride:3/3", "block:4x4@16,2x3", "diagonal@48,2x3", "antidiagonal@48,1x2"}) {
      const Pattern pattern = parsePatterns(text, 16).at(0);
      const Degrees found = degreesOf(table, pattern);
      std::uint64_t sum = 0, bases = 0, free = 0;
      std::uint32_t worst = 0;
      const Address last = *std::max_element(pattern.offsets.begin(), pattern.offsets.end());
      for (Address base = 0; base + last < map->words(); base += pattern.alignment) {
        if (!pattern.mayBeginAt(base)) continue;
        std::vector<Address> lanes = pattern.offsets;
        for (Address& lane : lanes) lane += base;
        const std::uint32_t degree = conflictDegree(*map, lanes);
        sum += degree, ++bases, free += degree == 1 ? 1 : 0, worst = std::max(worst, degree);
      }
      ASSERT_GT(bases, 0u) << text;
      EXPECT_EQ(found.worst, worst) << scheme.name << ' ' << text;
      EXPECT_EQ(found.bases, bases) << scheme.name << ' ' << text;
      EXPECT_EQ(found.conflictFreeBases, free) << scheme.name << ' ' << text;
      EXPECT_DOUBLE_EQ(found.mean, static_cast<double>(sum) / static_cast<double>(bases)) << scheme.name << ' ' << text;
    }
  }
}

TEST(Degrees, APatternThatDoesNotFitHasNoBase) { EXPECT_EQ(degreesOf(BankTable(LowOrder(4, 16)), stridedPattern(8, 4)).bases, 0u); }

TEST(Degrees, LanesThatWantOneWordAreServedTogether) {
  EXPECT_EQ(conflictDegree(LowOrder(4, 64), std::vector<Address>{4, 4, 4, 4}), 1u);
  EXPECT_EQ(conflictDegree(LowOrder(4, 64), std::vector<Address>{4, 4, 8, 12}), 3u);
}

TEST(Degrees, WordsOfOneRowAreServedTogether) {
  EXPECT_EQ(conflictDegree(NotAStride(2, 64), std::vector<Address>{0, 1, 2, 3}), 1u);
  EXPECT_EQ(conflictDegree(NotAStride(2, 64), std::vector<Address>{0, 8, 16, 24}), 4u);
}

TEST(Patterns, Texts) {
  EXPECT_EQ(parsePatterns("family:2", 8).size(), 4u);
  EXPECT_EQ(parsePatterns("family:2", 8)[1].offsets[1], 12u);
  EXPECT_EQ(parsePatterns("block:2x2@10", 8)[0].offsets, (std::vector<Address>{0, 1, 10, 11}));
  EXPECT_EQ(parsePatterns("antidiagonal@8/2", 2)[0].offsets, (std::vector<Address>{0, 7}));
  EXPECT_EQ(parsePatterns("antidiagonal@8/2", 2)[0].alignment, 2u);
  EXPECT_EQ(parsePatterns("block:2x2@10,3x4", 8)[0].offsets, (std::vector<Address>{0, 4, 30, 34}));
  EXPECT_EQ(parsePatterns("diagonal@10,2x3/5", 3)[0].offsets, (std::vector<Address>{0, 23, 46}));
  EXPECT_EQ(parsePatterns("antidiagonal@10,1x2", 3)[0].offsets, (std::vector<Address>{0, 8, 16}));
  for (const char* wrong :
       {"block:4294967296x4294967296@1", "block:33x32@64", "block:2x2@8,1", "block:2x2@8,0x1", "stride:2,1x1", "antidiagonal@2,1x2", "",
        "stride", "stride:", "stride:0", "stride:x", "stride:4x", "block:4x4", "family:99", "row", "stride:99999999999999999999"})
    EXPECT_THROW(parsePatterns(wrong, 8), std::invalid_argument) << wrong;
}

// Lanes of a block or a diagonal do not go on in the next row.
TEST(Patterns, StayInsideTheArray) {
  const auto columnsOf = [](const char* text) {
    const Pattern pattern = parsePatterns(text, 4)[0];
    std::vector<Address> columns;
    for (Address base = 0; base < 20; ++base)
      if (pattern.mayBeginAt(base)) columns.push_back(base);
    return columns;
  };
  EXPECT_EQ(columnsOf("block:2x8@10"), (std::vector<Address>{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(columnsOf("block:2x4@10,1x3/2"), (std::vector<Address>{0, 10}));
  EXPECT_EQ(columnsOf("diagonal@10,1x2"), (std::vector<Address>{0, 1, 2, 3, 10, 11, 12, 13}));
  EXPECT_EQ(columnsOf("antidiagonal@10,1x2"), (std::vector<Address>{6, 7, 8, 9, 16, 17, 18, 19}));
  EXPECT_EQ(degreesOf(BankTable(LowOrder(4, 64)), parsePatterns("block:2x8@4", 4)[0]).bases, 0u);
}

TEST(XorMap, HarperAndSamsAreMatrices) {
  for (std::uint32_t q = 1; q <= 4; ++q) {
    for (std::uint32_t s = 0; s <= q + 2; ++s) {
      const std::uint32_t n = q + s + 2;
      const HarperXor harper(q, s, Address{1} << n);
      const auto matrix = matrixOf(harper);
      ASSERT_TRUE(matrix);
      EXPECT_EQ(xorGates(*matrix), std::min(q, s));
      const XorMap again(*matrix, n);
      for (Address a = 0; a < harper.words(); ++a) EXPECT_EQ(again.cellOf(a), harper.cellOf(a)) << q << ' ' << s << ' ' << a;
      if (s == 0 || s > q) continue;
      const Sams sams(q, s, n);
      auto wide = matrixOf(sams);
      ASSERT_TRUE(wide);
      EXPECT_EQ(xorGates(*wide), s - 1);
      wide->linePartner = Address{1} << (s - 1);
      const XorMap same(*wide, n);
      for (Address a = 0; a < sams.words(); ++a) EXPECT_EQ(same.cellOf(a), sams.cellOf(a)) << q << ' ' << s << ' ' << a;
    }
  }
}

TEST(XorMap, CheapestKeepsTheConflictsAndLosesGates) {
  const XorMatrix dear{{0b0111, 0b1110}, 0};  // their sum has two bits
  const XorMatrix cheap = cheapest(dear);
  EXPECT_EQ(xorGates(dear), 4u);
  EXPECT_EQ(xorGates(cheap), 3u);
  const BankTable before(XorMap(dear, 8)), after(XorMap(cheap, 8));
  for (Address stride = 1; stride < 16; ++stride) {
    const Pattern pattern = stridedPattern(stride, 4);
    EXPECT_EQ(degreesOf(before, pattern).mean, degreesOf(after, pattern).mean);
  }
}

TEST(XorMap, RefusesWhatIsNoMemory) {
  EXPECT_THROW(XorMap({{3, 3}, 0}, 8), std::invalid_argument);
  EXPECT_THROW(XorMap({{1, 2}, 1}, 8), std::invalid_argument);
}

TEST(XorMap, MapsWithDivisionsAreNoMatrices) {
  EXPECT_FALSE(matrixOf(*makeBankMap("prime", {2, 8})));
  EXPECT_FALSE(matrixOf(*makeBankMap("skewing", {2, 8})));
}

TEST(BankTable, RowsMayLieFarApart) {
  const BankTable table(*makeBankMap("padding:columns=1,pad=4294967295", {2, 8}));  // word a at a 2^32: all in bank 0
  EXPECT_LE(table.lines(), table.words());
  EXPECT_EQ(degreesOf(table, stridedPattern(1, 4)).worst, 4u);
  const std::string file = ::testing::TempDir() + "/far.map";
  std::ofstream(file) << "4 1\n0 0 0\n0 4294967295 0\n1 4294967295 0\n";
  EXPECT_EQ(degreesOf(BankTable(TableMap::read(file)), stridedPattern(1, 2)).worst, 2u);
  std::remove(file.c_str());
}

TEST(TableMap, WhatIsWrittenIsRead) {
  const std::string file = ::testing::TempDir() + "/sams.map";
  const Sams map(3, 2, 8);
  writeTable(map, 256, file);
  const TableMap read = TableMap::read(file);
  EXPECT_EQ(read.banks(), 8u);
  EXPECT_EQ(read.lineWords(), 2u);
  EXPECT_EQ(read.words(), 256u);
  for (Address a = 0; a < 256; ++a) EXPECT_EQ(read.cellOf(a), map.cellOf(a));
  std::remove(file.c_str());
}

TEST(TableMap, ExplainsWhatIsWrong) {
  const std::string file = ::testing::TempDir() + "/wrong.map";
  const auto complaint = [&](const std::string& text) -> std::string {
    std::ofstream(file) << text;
    try {
      TableMap::read(file);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint("4 1\n0 0 0\n1 0 0\n"), "none");
  EXPECT_NE(complaint("").find(":1: error: expected 'banks line_words'"), std::string::npos);
  EXPECT_NE(complaint("4 1\n0 0\n").find(":2: error: expected 'bank row offset'"), std::string::npos);
  EXPECT_NE(complaint("4 1\n0 0 0\n4 0 0\n").find(":3: error: there is no such bank"), std::string::npos);
  EXPECT_NE(complaint("4 1\n0 0 0\n0 0 0\n").find(":3: error: an earlier address has this cell"), std::string::npos);
  EXPECT_NE(complaint("4 1\n0 0 0\n1 4294967296 0\n").find(":3: error: rows are numbered from 0"), std::string::npos);
  EXPECT_NE(complaint("4 1\n0 -1 0\n").find(":2: error"), std::string::npos);
  EXPECT_NE(complaint("-4 1\n0 0 0\n").find(":1: error: there are at most 1024 banks"), std::string::npos);
  EXPECT_NE(complaint("4 1\n").find(":2: error: the map has no address"), std::string::npos);
  std::remove(file.c_str());
  EXPECT_THROW(TableMap::read("/nowhere.map"), std::invalid_argument);
}

// Sections 3.4.1 and 4.4.1; tables 3.2 and 3.3.
TEST(HardwareCost, IsThatOfTheFormulas) {
  const auto sizes = [](const char* text) {
    std::vector<std::uint64_t> sizes;
    for (const HardwarePart& part : hardwareCostOf(*makeBankMap(text, {}))) sizes.push_back(part.size);
    return sizes;
  };
  EXPECT_EQ(sizes("sams:q=3,n=16"), (std::vector<std::uint64_t>{3, 14, 13, 13, 8 * 16, 16 * 8}));
  // Figure 3.12: 1024 rows of 256 words, 2 x 4 modules.
  EXPECT_EQ(sizes("2dsmm:q=3,p=1,n=18,columns=256"), (std::vector<std::uint64_t>{10, 8 * 18, 18 - 3, 2 + 4, 8 * 3}));
  EXPECT_TRUE(sizes("harper").empty());
}

TEST(Schemes, MistakesAreExplained) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      makeBankMap(text, {3, 10});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(complaint("sam").find("there is no scheme 'sam'; there are low_order"), std::string::npos);
  EXPECT_NE(complaint("sams:p=3").find("'sams' has no parameter 'p'; it has q, n, s"), std::string::npos);
  EXPECT_NE(complaint("sams:s").find("'s' is not NAME=NUMBER"), std::string::npos);
  EXPECT_NE(complaint("sams:q=11").find("q must not be above 10"), std::string::npos);
  EXPECT_NE(complaint("sams:n=2").find("between q and"), std::string::npos);
  EXPECT_NE(complaint("linear:lambda2=2").find("shares a divisor"), std::string::npos);
  EXPECT_NE(complaint("latin").find("no perfect Latin square of order 8"), std::string::npos);
  EXPECT_NE(complaint("2dsmm:p=2").find("p must not be above q"), std::string::npos);
  EXPECT_NE(complaint("matrix:3,3").find("not linearly independent"), std::string::npos);
  EXPECT_NE(complaint("matrix:0x400").find("no mask of 10 address bits"), std::string::npos);
  EXPECT_NE(complaint("swizzle:base=4294967295").find("bits beyond 63"), std::string::npos);
  EXPECT_NE(complaint("prime:p=8").find("p = 8 is no prime; the next is 11"), std::string::npos);
  EXPECT_NE(complaint("prime:p=0").find("p must be between"), std::string::npos);
  EXPECT_EQ(complaint("sams:s=2,q=4,n=9"), "none");
}

}  // namespace
}  // namespace warpwright::parallel_memory
