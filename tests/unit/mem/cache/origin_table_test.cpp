// Counters by who asked.
#include "mem/origin_table.hpp"

#include <gtest/gtest.h>

#include "mem/traffic.hpp"
#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

TEST(OriginTable, KeepsLaunchesApartAndForgetsNothing) {
  OriginTable<CacheUse> table;
  table.begin(4);
  table.begin(5);
  table.of({.launch = 4, .pc = Pc{2}}).accesses = 10;
  table.of({.launch = 5, .pc = Pc{2}}).accesses = 1;
  table.of({}).accesses = 100;
  const auto ended = table.end(4);
  ASSERT_EQ(ended.size(), 3u);
  EXPECT_EQ(ended[2].accesses, 10u);
  table.of({.launch = 4, .pc = Pc{2}}).accesses += 1000;  // a line that it left dirty
  EXPECT_EQ(table.total().accesses, 1111u);
  EXPECT_EQ(table.end(5)[2].accesses, 1u);
  EXPECT_TRUE(table.end(4).empty());
  EXPECT_EQ(table.total().accesses, 1111u);
}

TEST(OriginTable, OfACacheCountsByInstruction) {
  CacheDriver driver(testCache());
  driver.cache.countByOrigin();
  driver.cache.origins()->begin(0);
  const auto loadAt = [](u32 pc, u64 address) {
    Request request = load(address);
    request.origin = {.launch = 0, .pc = Pc(pc)};
    return request;
  };
  driver.run(loadAt(1, 0));
  driver.run(loadAt(2, 0));
  driver.run(loadAt(2, 128));
  const auto uses = driver.cache.origins()->end(0);
  // Accesses and hits; sectors read, written and filled; MSHRs. A line has four sectors.
  EXPECT_EQ(uses[1], (CacheUse{1, 0, 0, 0, 4, 1}));
  EXPECT_EQ(uses[2], (CacheUse{2, 1, 4, 0, 4, 1}));
}

}  // namespace
}  // namespace warpwright::mem
