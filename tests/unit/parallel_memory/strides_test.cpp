// The stride families that each scheme claims, from every base address.
#include <gtest/gtest.h>

#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/interleaving.hpp>
#include <warpwright/parallel_memory/latin_square.hpp>
#include <warpwright/parallel_memory/prime.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

namespace warpwright::parallel_memory {
namespace {

// Stride family s: strides that differ by the period of the banks, a multiple of 2^(q+s), are one.
template <class Visit>
void forEachStrideOf(std::uint32_t q, std::uint32_t s, Visit visit) {
  for (Address sigma = 1; sigma < (Address{1} << q); sigma += 2) visit(sigma << s);
}

std::uint32_t enoughBits(std::uint32_t q, std::uint32_t s) { return 2 * q + s + 2; }  // for every base within a period, and all lanes

Degrees degrees(const BankTable& table, std::uint32_t q, Address stride) { return degreesOf(table, stridedPattern(stride, 1u << q)); }

// Theorem 2 of appendix A.
TEST(Sams, UnitStrideAndItsStrideFamilyFindNoConflict) {
  for (std::uint32_t q = 0; q <= 5; ++q) {
    for (std::uint32_t s = 0; s <= q + 3; ++s) {
      const BankTable table(Sams(q, s, enoughBits(q, s)));
      const Degrees unit = degrees(table, q, 1);
      EXPECT_TRUE(unit.isConflictFree()) << q << ' ' << s;
      EXPECT_EQ(unit.bases, table.words() - ((Address{1} << q) - 1));
      forEachStrideOf(q, s, [&](Address stride) {
        const Degrees found = degrees(table, q, stride);
        EXPECT_TRUE(found.banksDiffer && found.bases >= Address{1} << (q + s)) << q << ' ' << s << ' ' << stride;
      });
    }
  }
}

// Corollary 1.
TEST(Sams, MatchedSamsAlsoServesSmallerPowersOfTwo) {
  for (std::uint32_t q = 1; q <= 5; ++q) {
    const BankTable table(matchedSams(q, enoughBits(q, q)));
    for (std::uint32_t v = 0; v < q; ++v) EXPECT_TRUE(degrees(table, q, Address{1} << v).isConflictFree()) << q << ' ' << v;
  }
}

TEST(Sams, OtherOddStridesDoConflict) {
  for (std::uint32_t q = 2; q <= 5; ++q) {
    for (std::uint32_t s = 1; s <= q; ++s) {
      const BankTable table(Sams(q, s, enoughBits(q, s)));
      std::uint32_t conflicting = 0;
      for (Address stride = 3; stride < (Address{1} << q); stride += 2) conflicting += degrees(table, q, stride).isConflictFree() ? 0 : 1;
      EXPECT_GT(conflicting, 0u) << q << ' ' << s;
    }
  }
}

// The example of section 3.2.4.
TEST(Sams, MatchedSamsWithFourModules) {
  const Sams map = matchedSams(2, 6);
  for (std::uint32_t a = 0; a < 64; ++a) {
    const auto bit = [&](std::uint32_t number) { return a >> number & 1; };
    EXPECT_EQ(map.cellOf(a), (Cell{bit(2) << 1 | (bit(3) ^ bit(0)), a >> 3, bit(1)})) << a;
  }
  for (const std::vector<Address>& lanes : {std::vector<Address>{1, 2, 3, 4}, {1, 3, 5, 7}, {1, 5, 9, 13}})
    EXPECT_EQ(conflictDegree(map, lanes), 1u);
}

// Figure 3.4 (2): q = 2, s = 3. Rows are shifted by half a line, and the last half line of the address space wraps around.
TEST(Sams, RowsAndOffsetsAboveQ) {
  const Sams map(2, 3, 6);
  EXPECT_EQ(map.cellOf(0), (Cell{0, 0, 1}));
  EXPECT_EQ(map.cellOf(4), (Cell{0, 1, 0}));
  EXPECT_EQ(map.cellOf(8), (Cell{1, 1, 1}));
  EXPECT_EQ(map.cellOf(12), (Cell{1, 2, 0}));
  EXPECT_EQ(map.cellOf(63), (Cell{3 ^ 3, 0, 0}));
}

TEST(Harper, ItsStrideFamilyFindsNoConflict) {
  for (std::uint32_t q = 0; q <= 5; ++q) {
    for (std::uint32_t s = 0; s <= q + 3; ++s) {
      const BankTable table(HarperXor(q, s, Address{1} << enoughBits(q, s)));
      forEachStrideOf(q, s, [&](Address stride) { EXPECT_TRUE(degrees(table, q, stride).banksDiffer) << q << ' ' << s << ' ' << stride; });
      // Property 2 of appendix B: unit stride from multiples of 2^min(q, s).
      Pattern aligned = stridedPattern(1, 1u << q);
      aligned.alignment = Address{1} << std::min(q, s);
      EXPECT_TRUE(degreesOf(table, aligned).isConflictFree()) << q << ' ' << s;
    }
  }
}

TEST(Harper, UnitStrideConflictsAtOtherBases) {
  EXPECT_EQ(degrees(BankTable(HarperXor(2, 2, 256)), 2, 1).worst, 2u);  // 1 2 3 4: 0 and 3 meet
}

TEST(NotAStride, AlignedNeighboursFillTheLines) {
  for (std::uint32_t q = 0; q <= 5; ++q) {
    const BankTable table(NotAStride(q, Address{1} << (q + 4)));
    Pattern lines = stridedPattern(1, 2u << q);
    lines.alignment = Address{2} << q;
    EXPECT_TRUE(degreesOf(table, lines).isConflictFree()) << q;
  }
}

TEST(LowOrder, OddStridesFindNoConflictAndEvenOnesTheirDivisor) {
  const BankTable table(LowOrder(16, 4096));
  for (Address stride = 1; stride <= 64; ++stride) {
    const Degrees found = degrees(table, 4, stride);
    EXPECT_EQ(found.worst, std::min<Address>(16, stride & (~stride + 1))) << stride;
    EXPECT_EQ(found.mean, found.worst) << stride;
  }
}

TEST(Prime, OnlyMultiplesOfThePrimeConflict) {
  for (const std::uint32_t q : {1u, 2u, 4u}) {  // 2^q + 1 is prime
    const std::uint32_t prime = (1u << q) + 1;
    const PrimeBanks plain(prime, 4096);
    const PrimeWithUnusedCells unused(q, 4096);
    const PrimeByRemainders remainders(prime, 12 - q);
    for (const BankMap* map :
         {static_cast<const BankMap*>(&plain), static_cast<const BankMap*>(&unused), static_cast<const BankMap*>(&remainders)}) {
      const BankTable table(*map);
      for (Address stride = 1; stride <= 4 * prime; ++stride)
        EXPECT_EQ(degrees(table, q, stride).worst, stride % prime == 0 ? 1u << q : 1u) << prime << ' ' << stride;
    }
  }
}

// Section 2.1: four rows of figure 2.2.
TEST(Prime, FigureOfTheBurroughsMachine) {
  const PrimeWithUnusedCells map(2, 16);
  EXPECT_EQ(map.cellOf(3), (Cell{3, 0, 0}));
  EXPECT_EQ(map.cellOf(4), (Cell{4, 1, 0}));
  EXPECT_EQ(map.cellOf(8), (Cell{3, 2, 0}));
}

TEST(Skewing, StrideTwoOfFigure21) {
  EXPECT_EQ(conflictDegree(LowOrder(4, 32), std::vector<Address>{0, 2, 4, 6}), 2u);
  EXPECT_EQ(conflictDegree(Skewing(4, 32), std::vector<Address>{0, 2, 4, 6}), 1u);
  EXPECT_EQ(conflictDegree(PrimeBanks(5, 32), std::vector<Address>{0, 2, 4, 6}), 1u);
}

// Columns of an array with as many columns as banks, for every odd lambda1 + 0; rows for every odd lambda2; the diagonal for an odd sum.
TEST(Skewing, LinearSkewingServesRowsColumnsAndDiagonals) {
  for (std::uint32_t lambda1 = 1; lambda1 < 8; ++lambda1) {
    for (std::uint32_t lambda2 = 1; lambda2 < 8; lambda2 += 2) {
      const BankTable table(LinearSkewing(8, 512, {lambda1, lambda2, 16}));
      Pattern row = stridedPattern(1, 8);
      row.alignment = 8;
      EXPECT_TRUE(degreesOf(table, row).isConflictFree());
      EXPECT_EQ(degreesOf(table, stridedPattern(16, 8)).isConflictFree(), lambda1 % 2 == 1) << lambda1 << ' ' << lambda2;
    }
  }
}

TEST(PerfectLatinSquare, RowsColumnsDiagonalsAndSquaresForEveryRoot) {
  for (std::uint32_t root = 1; root <= 9; ++root) {
    const std::uint32_t order = root * root;
    const PerfectLatinSquare map(order, Address{order} * order);
    const auto at = [&](Address i, Address j) { return i * order + j; };
    for (Address k = 0; k < order; ++k) {
      std::vector<Address> row, column, diagonal, antidiagonal, square;
      for (Address l = 0; l < order; ++l) {
        row.push_back(at(k, l));
        column.push_back(at(l, k));
        diagonal.push_back(at(l, l));
        antidiagonal.push_back(at(l, order - 1 - l));
        square.push_back(at(k / root * root + l / root, k % root * root + l % root));
      }
      for (const auto* lanes : {&row, &column, &diagonal, &antidiagonal, &square})
        EXPECT_EQ(conflictDegree(map, *lanes), 1u) << order << ' ' << k;
    }
  }
}

TEST(PerfectLatinSquare, ThereIsNoneOfOtherOrders) {
  for (const std::uint32_t order : {2u, 3u, 8u, 32u}) EXPECT_THROW(PerfectLatinSquare(order, 1024), std::invalid_argument);
}

TEST(Software, SwizzleAndPaddingMakeColumnsOfATileFree) {
  for (const char* text : {"swizzle", "padding"}) {
    const BankTable table(*makeBankMap(text, {5, 12}));
    Pattern row = stridedPattern(1, 32);
    row.alignment = 32;
    EXPECT_TRUE(degreesOf(table, row).isConflictFree()) << text;
    Pattern column = stridedPattern(32, 32);
    EXPECT_TRUE(degreesOf(table, column).isConflictFree()) << text;
  }
}

}  // namespace
}  // namespace warpwright::parallel_memory
