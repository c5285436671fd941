// The theorems of appendix B, by exhaustion: all places, all strides, all stride families around p and q.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <vector>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/schemes.hpp>
#include <warpwright/parallel_memory/two_dsmm.hpp>

namespace warpwright::parallel_memory {
namespace {

using Families = TwoDsmm::Families;
using BankAt = std::function<std::uint32_t(Address i, Address j)>;

// The vertical function of section 3.4.2; the horizontal one is that of section 3.3.
std::uint32_t bankOfSection342(const TwoDsmm::Size& size, Families families, Address i, Address j) {
  const auto [p, q, rows, columns] = size;
  const Address mask = (Address{1} << p) - 1;
  const Address alpha = (j >> (q + families.hs)) & mask;
  const Address beta = ((j >> q) << (p - std::min(p, families.hs))) & mask;
  return harperBank(i + ((alpha + beta) << families.vs), p, families.vs) << q | harperBank(j, q, families.hs);
}

// One period of the banks in both directions, 2^(p+vs) x 2^(p+q+hs) (appendix B.2), so that addresses may wrap around.
TwoDsmm::Size periodOf(std::uint32_t p, std::uint32_t q, Families families) {
  return {p, q, Address{1} << (p + families.vs), Address{1} << (p + q + families.hs)};
}

class Period {
 public:
  Period(TwoDsmm::Size size, const BankAt& bankAt) : size_(size) {
    for (Address i = 0; i < size.rows; ++i)
      for (Address j = 0; j < size.columns; ++j) banks_.push_back(static_cast<std::uint8_t>(bankAt(i, j)));
  }

  std::uint32_t lanes() const { return 1u << (size_.p + size_.q); }
  std::uint8_t at(Address i, Address j) const { return banks_[(i & (size_.rows - 1)) * size_.columns + (j & (size_.columns - 1))]; }
  const TwoDsmm::Size& size() const { return size_; }

 private:
  TwoDsmm::Size size_;
  std::vector<std::uint8_t> banks_;
};

// How many lanes have a bank that another has, too.
class Counter {
 public:
  void enter(std::uint8_t bank) { twice_ += lanes_[bank]++ != 0 ? 1 : 0; }
  void leave(std::uint8_t bank) { twice_ -= --lanes_[bank] != 0 ? 1 : 0; }
  bool isConflictFree() const { return twice_ == 0; }

 private:
  std::array<std::uint16_t, 64> lanes_{};
  std::uint32_t twice_ = 0;
};

// Lanes at (i + k di, j + k dj), from every place: along each line in this direction, which closes in itself, one lane enters and one
// leaves.
bool linesAreFree(const Period& period, Address di, Address dj) {
  const auto [p, q, rows, columns] = period.size();
  std::vector<bool> seen(rows * columns);
  for (Address start = 0; start < rows * columns; ++start) {
    Counter counter;
    Address i = start / columns, j = start % columns, endI = i, endJ = j;
    const auto step = [&, rows = rows, columns = columns](Address& a, Address& b) {
      a = (a + di) & (rows - 1), b = (b + dj) & (columns - 1);
    };
    if (seen[start]) continue;
    for (std::uint32_t lane = 0; lane < period.lanes(); ++lane, step(endI, endJ)) counter.enter(period.at(endI, endJ));
    for (; !seen[i * columns + j]; step(i, j), step(endI, endJ)) {
      seen[i * columns + j] = true;
      if (!counter.isConflictFree()) return false;
      counter.leave(period.at(i, j));
      counter.enter(period.at(endI, endJ));
    }
  }
  return true;
}

// Blocks of 2^p x 2^q lanes at (i + k VS, j + l HS), from every place: along a row, columns of the block enter and leave.
bool blocksAreFree(const Period& period, Address vs, Address hs) {
  const auto [p, q, rows, columns] = period.size();
  std::vector<bool> seen(rows * columns);
  for (Address start = 0; start < rows * columns; ++start) {
    const Address i = start / columns;
    Address j = start % columns, end = j;
    if (seen[start]) continue;
    Counter counter;
    const auto column = [&, p = p](Address at, auto change) {
      for (Address k = 0; k >> p == 0; ++k) change(period.at(i + k * vs, at));
    };
    const auto enter = [&](std::uint8_t bank) { counter.enter(bank); };
    for (Address l = 0; l >> q == 0; ++l, end += hs) column(end, enter);
    for (; !seen[i * columns + j]; j = (j + hs) & (columns - 1), end += hs) {
      seen[i * columns + j] = true;
      if (!counter.isConflictFree()) return false;
      column(j, [&](std::uint8_t bank) { counter.leave(bank); });
      column(end, enter);
    }
  }
  return true;
}

bool continuousRowsAreFree(const Period& period, Families families) {
  const auto [p, q, rows, columns] = period.size();
  for (Address i = 0; i < rows; ++i) {
    for (Address j = 0; j < columns; j += Address{1} << (q + std::min(p, families.hs))) {
      Counter counter;
      for (std::uint32_t lane = 0; lane < period.lanes(); ++lane) counter.enter(period.at(i, j + lane));
      if (!counter.isConflictFree()) return false;
    }
  }
  return true;
}

bool continuousBlocksAreFree(const Period& period, Families families) {
  const auto [p, q, rows, columns] = period.size();
  for (Address i = 0; i < rows; i += Address{1} << std::min(p, families.vs)) {
    for (Address j = 0; j < columns; j += Address{1} << std::min(q, families.hs)) {
      Counter counter;
      for (std::uint32_t lane = 0; lane < period.lanes(); ++lane) counter.enter(period.at(i + (lane >> q), j + (lane & ((1u << q) - 1))));
      if (!counter.isConflictFree()) return false;
    }
  }
  return true;
}

// Backward diagonals are forward ones with HS' = columns - HS, which is among the strides.
void checkPatterns(const Period& period, Families families, const std::string& what) {
  const auto [p, q, rows, columns] = period.size();
  EXPECT_TRUE(continuousRowsAreFree(period, families)) << what;
  EXPECT_TRUE(continuousBlocksAreFree(period, families)) << what;
  for (Address hs = Address{1} << families.hs; hs < columns; hs += Address{2} << families.hs) {
    EXPECT_TRUE(linesAreFree(period, 0, hs)) << what << ": row, HS = " << hs;
    for (Address vs = Address{1} << families.vs; vs < std::max<Address>(rows, 2); vs += Address{2} << families.vs) {
      EXPECT_TRUE(linesAreFree(period, vs, hs)) << what << ": diagonal, VS = " << vs << ", HS = " << hs;
      EXPECT_TRUE(blocksAreFree(period, vs, hs)) << what << ": block, VS = " << vs << ", HS = " << hs;
    }
  }
}

template <class Visit>
void forEachScheme(std::uint32_t mostAboveP, Visit visit) {
  for (std::uint32_t q = 1; q <= 3; ++q)
    for (std::uint32_t p = 1; p <= q; ++p)
      for (std::uint32_t vs = 0; vs <= p + mostAboveP; ++vs)
        for (std::uint32_t hs = 0; hs <= q + mostAboveP; ++hs)
          visit(p, q, Families{vs, hs}, "p q vs hs = " + std::to_string(p) + std::to_string(q) + std::to_string(vs) + std::to_string(hs));
}

TEST(TwoDsmm, SixPatternsFindNoConflict) {
  forEachScheme(1, [](std::uint32_t p, std::uint32_t q, Families families, const std::string& what) {
    const TwoDsmm::Size size = periodOf(p, q, families);
    const TwoDsmm map(size, families);
    checkPatterns(Period(size, [&](Address i, Address j) { return map.cellAt(i, j).bank; }), families, what);
  });
}

TEST(TwoDsmm, TheVerticalFunctionOfSection342FindsNoConflictEither) {
  forEachScheme(0, [](std::uint32_t p, std::uint32_t q, Families families, const std::string& what) {
    const TwoDsmm::Size size = periodOf(p, q, families);
    const TwoDsmm map(size, families, TwoDsmm::Vertical::section342);
    for (Address i = 0; i < size.rows; ++i)
      for (Address j = 0; j < size.columns; ++j) ASSERT_EQ(map.cellAt(i, j).bank, bankOfSection342(size, families, i, j)) << what;
    checkPatterns(Period(size, [&](Address i, Address j) { return map.cellAt(i, j).bank; }), families, what);
  });
}

TEST(TwoDsmm, TheVerticalFunctionIsAParameterOfTheScheme) {
  const auto map = makeBankMap("2dsmm:q=3,p=1,vs=1,hs=1,columns=32,n=10,vertical=342", {});
  const TwoDsmm::Size size{1, 2, 32, 32};
  for (Address a = 0; a < map->words(); ++a) ASSERT_EQ(map->cellOf(a).bank, bankOfSection342(size, {1, 1}, a / 32, a % 32)) << a;
  EXPECT_THROW(makeBankMap("2dsmm:vertical=2", {3, 10}), std::invalid_argument);
  EXPECT_THROW(makeBankMap("2dsmm:vertical=342,vs=64", {3, 10}), std::invalid_argument);
}

TEST(TwoDsmm, BothVerticalFunctionsAreBijections) {
  forEachScheme(1, [](std::uint32_t p, std::uint32_t q, Families families, const std::string& what) {
    const TwoDsmm::Size size = periodOf(p, q, families);
    const TwoDsmm map(size, families);
    std::set<std::pair<std::uint32_t, Address>> first, second;
    for (Address i = 0; i < size.rows; ++i) {
      for (Address j = 0; j < size.columns; ++j) {
        const Cell cell = map.cellAt(i, j);
        first.insert({cell.bank, cell.row});
        second.insert({bankOfSection342(size, families, i, j), cell.row});
      }
    }
    EXPECT_EQ(first.size(), map.words()) << what;
    EXPECT_EQ(second.size(), map.words()) << what;
  });
}

// Figure 3.6: N = 16, 2^p = 2, 2^q = 4, 2^vs = 2, 2^hs = 2.
TEST(TwoDsmm, TheFirstRowsOfFigure36) {
  const TwoDsmm map({1, 2, 16, 16}, {1, 1});
  const std::vector<std::vector<std::uint32_t>> figure = {{0, 1, 2, 3, 5, 4, 7, 6, 4, 5, 6, 7, 1, 0, 3, 2},
                                                          {4, 5, 6, 7, 1, 0, 3, 2, 0, 1, 2, 3, 5, 4, 7, 6},
                                                          {4, 5, 6, 7, 1, 0, 3, 2, 0, 1, 2, 3, 5, 4, 7, 6},
                                                          {0, 1, 2, 3, 5, 4, 7, 6, 4, 5, 6, 7, 1, 0, 3, 2}};
  for (Address i = 0; i < figure.size(); ++i)
    for (Address j = 0; j < 16; ++j) EXPECT_EQ(map.cellAt(i, j).bank, figure[i][j]) << i << ' ' << j;
}

TEST(TwoDsmm, StridesOfOtherFamiliesConflict) {
  const TwoDsmm::Size size = periodOf(1, 2, {1, 1});
  const TwoDsmm map(size, {1, 1});
  const Period period(size, [&](Address i, Address j) { return map.cellAt(i, j).bank; });
  EXPECT_FALSE(linesAreFree(period, 0, 4));
  EXPECT_FALSE(blocksAreFree(period, 4, 2));
}

// As `warpwright banks` asks for them.
TEST(TwoDsmm, PatternsOfTheArrayFindNoConflict) {
  const BankTable table(*makeBankMap("2dsmm:q=3,p=1,vs=1,hs=1,columns=32,n=10", {}));
  for (const char* text :
       {"block:2x4@32,2x2", "block:2x4@32,6x2", "diagonal@32,2x2", "antidiagonal@32,2x2", "stride:1/8", "block:2x4@32/2"}) {
    const Pattern pattern = parsePatterns(text, 8)[0];
    const Degrees degrees = degreesOf(table, pattern);
    EXPECT_GT(degrees.bases, 0u) << text;
    EXPECT_EQ(degrees.worst, text == std::string("block:2x4@32/2") ? 2u : 1u) << text;  // not from odd rows
  }
}

TEST(TwoDsmm, StrideFamiliesChangeAtRunTime) {
  TwoDsmm map({1, 2, 16, 64}, {0, 0});
  map.configure({1, 1});
  EXPECT_EQ(map.cellAt(0, 5).bank, TwoDsmm({1, 2, 16, 64}, {1, 1}).cellAt(0, 5).bank);
}

}  // namespace
}  // namespace warpwright::parallel_memory
