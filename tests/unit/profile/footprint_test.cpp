#include "profile/footprint.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace warpwright::profile {
namespace {

TEST(Footprint, CountsDistinctSectorsAndRequests) {
  Footprint footprint;
  TouchedSectors all;
  footprint.touch(std::vector<u64>{0, 1, 2, 3}, true, false);
  footprint.touch(std::vector<u64>{3, 4}, false, true);
  footprint.touch(std::vector<u64>{3}, true, true);
  const FootprintCounters counters = footprint.take(all);
  EXPECT_EQ(counters.sectors, 5u);
  EXPECT_EQ(counters.sectorsLoaded, 4u);
  EXPECT_EQ(counters.sectorsStored, 2u);
  EXPECT_EQ(counters.lines, 2u);  // sectors 0 to 3 and 4 to 7
  EXPECT_EQ(counters.requests, 7u);
  EXPECT_EQ(counters.reuse.count(), 5u);
  EXPECT_EQ(counters.reuse[1], 4u);  // four sectors once
  EXPECT_EQ(counters.reuse[2], 1u);  // sector 3 three times
  EXPECT_EQ(counters.reuse.mean(), 7.0 / 5.0);
}

TEST(Footprint, StartsAnewAfterEachLaunch) {
  Footprint footprint;
  TouchedSectors all;
  footprint.touch(std::vector<u64>{0, 1}, true, false);
  footprint.take(all);
  footprint.touch(std::vector<u64>{1, 2}, true, false);
  const FootprintCounters second = footprint.take(all);
  EXPECT_EQ(second.sectors, 2u);
  EXPECT_EQ(second.reuse[1], 2u);
  EXPECT_EQ(countSectors(all), 3u);
  EXPECT_EQ(footprint.take(all).sectors, 0u);
}

TEST(Footprint, CountersOfASectorStopAtTheirLimit) {
  Footprint footprint;
  TouchedSectors all;
  for (int i = 0; i < 70'000; ++i) footprint.touch(std::vector<u64>{9}, true, false);
  const FootprintCounters counters = footprint.take(all);
  EXPECT_EQ(counters.requests, 70'000u);
  EXPECT_EQ(counters.reuse[16], 1u);  // 32768 and more
}

TEST(SectorMap, KeepsEachSectorOnce) {
  SectorMap map;
  map.touch(std::vector<u64>{5, 6, 5, 2048, 6});
  map.touch(std::vector<u64>{5, u64{1} << 40});
  EXPECT_EQ(countSectors(map.pages()), 4u);
  TouchedSectors sum;
  merge(sum, map.pages());
  merge(sum, map.pages());
  EXPECT_EQ(countSectors(sum), 4u);
}

TEST(Footprint, AgreesWithAMapOnRandomSectors) {
  std::mt19937_64 random(11);
  Footprint footprint;
  TouchedSectors all;
  struct Use {
    u64 requests = 0;
    bool loaded = false, stored = false;
  };
  std::map<u64, Use> expected;
  for (int i = 0; i < 50'000; ++i) {
    // Low memory, the heap of a 64-bit machine and the far end of the address space; neighbours and strangers.
    const u64 base = std::array<u64, 3>{0, 0x7f00'0000'0000 / 32, ~u64{0} / 32 - 100'000}[random() % 3];
    const u64 sector = base + (random() % 2 == 0 ? random() % 64 : random() % 100'000);
    const bool load = random() % 2 == 0;
    footprint.touch(std::vector<u64>{sector}, load, !load);
    Use& use = expected[sector];
    ++use.requests;
    (load ? use.loaded : use.stored) = true;
  }
  u64 loaded = 0, stored = 0, requests = 0;
  std::map<u64, int> lines;
  for (const auto& [sector, use] : expected) {
    loaded += use.loaded;
    stored += use.stored;
    requests += use.requests;
    ++lines[sector / 4];
  }
  const FootprintCounters counters = footprint.take(all);
  EXPECT_EQ(counters.sectors, expected.size());
  EXPECT_EQ(counters.sectorsLoaded, loaded);
  EXPECT_EQ(counters.sectorsStored, stored);
  EXPECT_EQ(counters.lines, lines.size());
  EXPECT_EQ(counters.requests, requests);
  EXPECT_EQ(counters.reuse.sum(), requests);
  EXPECT_EQ(countSectors(all), expected.size());
}

}  // namespace
}  // namespace warpwright::profile
