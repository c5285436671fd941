// No two addresses have one cell, and every cell is a place in the memory: without that a bank map is no memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>
#include <warpwright/parallel_memory/bank_table.hpp>
#include <warpwright/parallel_memory/prime.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

namespace warpwright::parallel_memory {
namespace {

// The number of rows that the map uses; 0: not a bijection.
Address rowsOf(const BankMap& map) {
  std::vector<Address> cells;
  Address rows = 0;
  for (Address address = 0; address < map.words(); ++address) {
    const Cell cell = map.cellOf(address);
    if (cell.bank >= map.banks() || cell.offset >= map.lineWords()) return 0;
    cells.push_back((cell.row * map.lineWords() + cell.offset) * map.banks() + cell.bank);
    rows = std::max(rows, cell.row + 1);
  }
  std::sort(cells.begin(), cells.end());
  return std::adjacent_find(cells.begin(), cells.end()) == cells.end() ? rows : 0;
}

bool fillsMemory(const BankMap& map) { return rowsOf(map) * map.banks() * map.lineWords() == map.words(); }

TEST(Bijection, SamsForEveryQAndS) {
  for (std::uint32_t q = 0; q <= 5; ++q)
    for (std::uint32_t s = 0; s <= q + 3; ++s)
      for (std::uint32_t n = q + 1; n <= q + s + 3; ++n) EXPECT_TRUE(fillsMemory(Sams(q, s, n))) << q << ' ' << s << ' ' << n;
}

TEST(Bijection, HarperForEveryQAndS) {
  for (std::uint32_t q = 0; q <= 5; ++q)
    for (std::uint32_t s = 0; s <= q + 3; ++s) EXPECT_TRUE(fillsMemory(HarperXor(q, s, Address{1} << (q + s + 3)))) << q << ' ' << s;
}

TEST(Bijection, EverySchemeWithItsDefaults) {
  for (const Scheme& scheme : schemes()) {
    for (std::uint32_t q = 0; q <= 6; ++q) {
      if ((scheme.name == "latin" || scheme.name == "bi_base") && q % 2 != 0) continue;  // no square number of banks
      const auto map = makeBankMap(std::string(scheme.name), {q, 12});
      const Address rows = rowsOf(*map);
      EXPECT_GT(rows, 0u) << scheme.name << ' ' << q;
      EXPECT_GE(map->words(), 1u << 12) << scheme.name;
      const bool hasEmptyCells =
          scheme.name == "prime" || scheme.name == "prime_unused" || scheme.name == "padding" || scheme.name == "fibonacci";
      EXPECT_TRUE(hasEmptyCells || fillsMemory(*map)) << scheme.name << ' ' << q;
    }
  }
}

TEST(Bijection, OtherParameters) {
  for (const char* text : {"linear:lambda1=3,lambda2=5,columns=48",
                           "linear:lambda1=2,columns=20",
                           "prime:p=13",
                           "prime_remainder:p=9",
                           "swizzle:bits=2,base=1,shift=3",
                           "padding:columns=10,pad=3",
                           "fibonacci:p=21,columns=50",
                           "latin:q=4,columns=64",
                           "2dsmm:p=2,q=5,vs=1,hs=3",
                           "2dsmm:p=0,columns=64",
                           "nas:q=3",
                           "harper:s=64",
                           "sams:s=100",
                           "2dsmm:vs=64,hs=4294967295",
                           "semi_linear:columns=20",
                           "bi_base:q=4,columns=50",
                           "clustered:c=1,s=5,at=4",
                           "clustered:c=0,s=40,at=40",
                           "clustered:c=3,s=0,at=0",
                           "linear:lambda1=4294967295",
                           "padding:columns=1,pad=4294967295",
                           "matrix:0x21,0x42,0x84",
                           "matrix:0x9,0x12,0x4/0x1b"})
    EXPECT_GT(rowsOf(*makeBankMap(text, {3, 11})), 0u) << text;
}

TEST(Bijection, ChineseRemaindersLoseNoCell) {
  for (const std::uint32_t banks : {3u, 5u, 7u, 9u, 17u, 37u}) EXPECT_TRUE(fillsMemory(PrimeByRemainders(banks, 6))) << banks;
}

// Gao's condition: the rows' number and the banks' must have no common divisor.
TEST(Bijection, OneCellInEveryPrimeIsUnusedInTheBurroughsMachine) {
  const PrimeWithUnusedCells map(2, 80);
  const Address rows = rowsOf(map);
  EXPECT_EQ(rows, 20u);
  EXPECT_EQ(rows * map.banks() - map.words(), rows);  // one a row
}

TEST(Bijection, TheFunctionOfThisTestFindsACollision) {
  class Broken final : public BankMap {
   public:
    Broken() : BankMap({4, 1, 8}) {}
    Cell cellOf(Address address) const override { return {static_cast<std::uint32_t>(address & 3 & ~1u), address / 4, 0}; }
  };
  EXPECT_EQ(rowsOf(Broken()), 0u);
}

}  // namespace
}  // namespace warpwright::parallel_memory
