#include "config/sm_groups.hpp"

#include <gtest/gtest.h>

#include "config/machine.hpp"

namespace warpwright::config {
namespace {

std::vector<u32> sizes(u32 sms, u32 most) {
  Machine machine;
  machine.multiprocessors = sms;
  machine.clusterMultiprocessors = most;
  std::vector<u32> result;
  u32 first = 0;
  for (const SmGroup& group : smGroups(machine)) {
    EXPECT_EQ(group.first, first);
    first += group.count;
    result.push_back(group.count);
  }
  EXPECT_TRUE(result.empty() || first == sms);
  return result;
}

TEST(SmGroups, ThereAreNoneWithoutClusters) { EXPECT_TRUE(sizes(80, 0).empty()); }

TEST(SmGroups, AreEqualButForAPair) {
  EXPECT_EQ(sizes(10, 4), (std::vector<u32>{4, 4, 2}));
  EXPECT_EQ(sizes(16, 16), (std::vector<u32>{16}));
  EXPECT_EQ(sizes(17, 16), (std::vector<u32>{8, 9}));
  EXPECT_EQ(sizes(5, 3), (std::vector<u32>{3, 2}));
  EXPECT_EQ(sizes(3, 1), (std::vector<u32>{1, 1, 1}));
}

// NVIDIA's whitepaper: GPCs of up to 18 SMs, of which 132 SMs leave eight, of 16 or 18.
TEST(SmGroups, OfTheH100AreItsGpcs) {
  const Machine h100 = loadMachine("h100");
  EXPECT_EQ(sizes(h100.multiprocessors, h100.clusterMultiprocessors), (std::vector<u32>{18, 18, 16, 16, 16, 16, 16, 16}));
}

TEST(SmGroups, AreNeverLargerThanAllowed) {
  for (u32 sms = 1; sms < 70; ++sms)
    for (u32 most = 1; most < 20; ++most)
      for (const u32 size : sizes(sms, most)) EXPECT_LE(size, most) << sms << " SMs";
}

}  // namespace
}  // namespace warpwright::config
