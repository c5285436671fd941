// The reference prediction table, by hand.
#include "mechanisms/stride_prefetcher/stride_table.hpp"

#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "mechanisms/stride_prefetcher/hardware.hpp"

namespace warpwright::mechanisms::stride_prefetcher {
namespace {

TEST(StrideTable, PredictsWhenTheStrideWasRightOftenEnough) {
  StrideTable table(4, 2);
  EXPECT_FALSE(table.observe(1, 1000));
  EXPECT_FALSE(table.observe(1, 1100));  // the stride
  EXPECT_FALSE(table.observe(1, 1200));  // right once
  EXPECT_EQ(table.observe(1, 1300), 100);
  EXPECT_EQ(table.observe(1, 1350), std::nullopt) << "wrong once";
  EXPECT_EQ(table.observe(1, 1450), 100);
}

TEST(StrideTable, GoesBackwards) {
  StrideTable table(1, 1);
  table.observe(0, 1000);
  table.observe(0, 960);
  EXPECT_EQ(table.observe(0, 920), -40);
}

TEST(StrideTable, PredictsNothingForOneAddress) {
  StrideTable table(1, 1);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(table.observe(0, 64));
}

TEST(StrideTable, TellsKeysOfAnEntryApart) {
  StrideTable table(4, 1);
  table.observe(1, 0);
  table.observe(1, 8);
  table.observe(5, 8);  // takes the entry
  table.observe(1, 16);
  EXPECT_FALSE(table.observe(1, 24));
  EXPECT_EQ(table.observe(1, 32), 8);
}

TEST(StrideTable, LeavesOutStridesThatDoNotFit) {
  StrideTable table(1, 1);
  const u64 far = u64{1} << 31;
  for (u64 i = 0; i < 5; ++i) EXPECT_FALSE(table.observe(0, i * far));
  EXPECT_TRUE(fitsBits(-524288, 20) && fitsBits(524287, 20));
  EXPECT_FALSE(fitsBits(-524289, 20) || fitsBits(524288, 20));
}

TEST(StrideTable, TakesBitsOfTheChip) {
  const config::Machine machine = config::loadMachine("gtx480");  // 48 warps
  const Hardware parts = hardware(Settings{}, machine);
  EXPECT_EQ(parts.numbers.at(0).value, 32 + 6 + 40 + 32 + 2);
  EXPECT_EQ(parts.numbers.at(1).value, 512 * 112);
}

}  // namespace
}  // namespace warpwright::mechanisms::stride_prefetcher
