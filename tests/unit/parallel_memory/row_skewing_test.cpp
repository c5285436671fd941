// Semi-linear and bi-base skewing: the properties that Gou's section 2.1 states, at every place where they hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>
#include <warpwright/parallel_memory/row_skewing.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

namespace warpwright::parallel_memory {
namespace {

struct Place {
  Address i = 0, j = 0;
};

// Of an array with 4 x banks columns.
bool isConflictFree(const RowSkewing& map, const std::vector<Place>& places) {
  std::set<std::uint32_t> banks;
  for (const Place& place : places)
    if (!banks.insert(map.cellOf(place.i * 4 * map.banks() + place.j).bank).second) return false;
  return true;
}

// `count` elements from (top, left), one step of (down, right) after another.
std::vector<Place> line(Address top, Address left, Address down, Address right, Address count) {
  std::vector<Place> places;
  for (Address k = 0; k < count; ++k) places.push_back({top + k * down, left + k * right});
  return places;
}

std::vector<Place> block(Address top, Address left, Address rows, Address columns) {
  std::vector<Place> places;
  for (Address i = 0; i < rows; ++i)
    for (Address j = 0; j < columns; ++j) places.push_back({top + i, left + j});
  return places;
}

RowSkewing skewingOf(std::uint32_t banks, std::vector<std::uint32_t> shifts) {
  const Address columns = 4 * Address{banks};
  return {banks, columns * 3 * banks, columns, std::move(shifts)};
}

// Rows and columns anywhere, forward diagonals from rows that are multiples of banks - 1.
void expectLines(const RowSkewing& map) {
  const Address side = map.banks() - 1;
  for (Address top = 0; top < side; ++top) {
    EXPECT_TRUE(isConflictFree(map, line(top, 3, 0, 1, map.banks()))) << "row " << top;
    EXPECT_TRUE(isConflictFree(map, line(top, 1, 1, 0, side))) << "column from " << top;
  }
  for (Address left = 0; left <= map.banks(); ++left) {
    EXPECT_TRUE(isConflictFree(map, line(0, left, 1, 1, side))) << "diagonal from column " << left;
    EXPECT_TRUE(isConflictFree(map, line(side, left, 1, 1, side))) << "diagonal of the second tile from column " << left;
  }
}

TEST(RowSkewing, SemiLinearServesRowsColumnsAndForwardDiagonals) {
  for (const std::uint32_t banks : {1u, 2u, 4u, 5u, 6u, 7u, 8u, 12u, 16u, 32u, 64u}) {
    SCOPED_TRACE(banks);
    expectLines(skewingOf(banks, semiLinearShifts(banks)));
  }
}

TEST(RowSkewing, BiBaseServesSubmatricesToo) {
  for (std::uint32_t root = 2; root <= 8; ++root) {
    SCOPED_TRACE(root);
    const RowSkewing map = skewingOf(root * root, biBaseShifts(root * root));
    expectLines(map);
    for (Address top = 0; top + root <= map.banks() - 1; top += root)
      for (Address left = 0; left < 2 * root; ++left) EXPECT_TRUE(isConflictFree(map, block(top, left, root, root))) << top << ' ' << left;
  }
}

// Why one row less than banks: with all rows no table of a power of two serves the diagonals.
TEST(RowSkewing, NoTableServesAllRowsOfAnEvenNumber) {
  std::vector<std::uint32_t> shifts = {0, 1, 2, 3};
  do {
    EXPECT_FALSE(isConflictFree(skewingOf(4, shifts), line(0, 0, 1, 1, 4)));
  } while (std::next_permutation(shifts.begin(), shifts.end()));
}

TEST(RowSkewing, WhatHasNoTableIsRefused) {
  EXPECT_THROW(semiLinearShifts(0), std::invalid_argument);
  EXPECT_THROW(biBaseShifts(32), std::invalid_argument);
  EXPECT_THROW(biBaseShifts(256), std::invalid_argument);
  EXPECT_THROW(RowSkewing(4, 64, 0, {}), std::invalid_argument);
  EXPECT_EQ(makeBankMap("bi_base", {4, 10})->banks(), 16u);
}

}  // namespace
}  // namespace warpwright::parallel_memory
