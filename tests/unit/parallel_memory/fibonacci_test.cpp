// Fibonacci lattices: rectangles of every shape and place.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>
#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/fibonacci.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

namespace warpwright::parallel_memory {
namespace {

// Of `rows` x `width` elements, at every place of an array with as many rows and columns as twice the banks.
bool isConflictFree(const FibonacciLattice& map, Address side, Address rows, Address width) {
  for (Address top = 0; top + rows <= side; ++top) {
    for (Address left = 0; left + width <= side; ++left) {
      std::vector<bool> taken(map.banks());
      for (Address i = top; i < top + rows; ++i) {
        for (Address j = left; j < left + width; ++j) {
          const std::uint32_t bank = map.cellOf(i * side + j).bank;
          if (taken[bank]) return false;
          taken[bank] = true;
        }
      }
    }
  }
  return true;
}

TEST(FibonacciLattice, EveryRectangleOfItsAreaAtEveryPlace) {
  for (const std::uint32_t banks : {1u, 2u, 3u, 5u, 8u, 13u, 21u, 34u, 55u}) {
    const Address side = 2 * banks;
    const FibonacciLattice map(banks, side * side, side);
    for (Address rows = 1; rows <= banks; ++rows)
      for (Address width = 1; 5 * rows * width * rows * width <= Address{banks} * banks; ++width)  // area <= banks / sqrt(5)
        EXPECT_TRUE(isConflictFree(map, side, rows, width)) << banks << ": " << rows << " x " << width;
  }
}

// The equation, of 8 banks: F_5 = 5 for a step down, 1 for a step right.
TEST(FibonacciLattice, BanksOfEight) {
  const FibonacciLattice map(8, 64);
  EXPECT_EQ(map.cellOf(1).bank, 1u);
  EXPECT_EQ(map.cellOf(8).bank, 5u);
  EXPECT_EQ(map.cellOf(16).bank, 2u);
  EXPECT_EQ(map.cellOf(17).row, 2u);
}

TEST(FibonacciLattice, OtherNumbersOfBanksAreRefused) {
  EXPECT_THROW(FibonacciLattice(32, 1024), std::invalid_argument);
  EXPECT_THROW(makeBankMap("fibonacci:p=0", {5, 12}), std::invalid_argument);
  EXPECT_EQ(makeBankMap("fibonacci", {5, 12})->banks(), 34u);
}

}  // namespace
}  // namespace warpwright::parallel_memory
