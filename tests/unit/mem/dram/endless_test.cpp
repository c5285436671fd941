#include <gtest/gtest.h>

#include "config/dram.hpp"
#include "mem/dram/endless_dram.hpp"
#include "stats/conservation.hpp"

namespace warpwright::mem {
namespace {

Request request(u32 id, AccessType type = AccessType::globalRead) {
  Request result;
  result.lineBytes = 64;
  result.sectors = 3;
  result.type = type;
  result.wantsResponse = type == AccessType::globalRead;
  result.id = id;
  return result;
}

TEST(EndlessDram, AnswersAsManyAsComeAfterItsLatency) {
  EndlessDram dram(7);
  for (u32 id = 0; id < 1000; ++id) {
    ASSERT_TRUE(dram.canAccept(request(id)));
    dram.accept(request(id), {3});
  }
  EXPECT_EQ(dram.nextUseful({3}).ticks, 10u);
  EXPECT_FALSE(dram.tick({9}));
  EXPECT_EQ(dram.peekResponse(), nullptr);
  EXPECT_TRUE(dram.tick({10}));
  for (u32 id = 0; id < 1000; ++id) {
    ASSERT_NE(dram.peekResponse(), nullptr);
    EXPECT_TRUE(dram.peekResponse()->isResponse);
    EXPECT_EQ(dram.takeResponse().id, id);
  }
  EXPECT_TRUE(dram.idle());
}

TEST(EndlessDram, KeepsTheLawsOfAChannel) {
  EndlessDram dram(2);
  dram.accept(request(0, AccessType::globalWrite), {0});
  dram.accept(request(1), {1});
  dram.accept(request(2, AccessType::globalWrite), {1});
  for (u64 tick = 2; tick < 6; ++tick) dram.tick({tick});
  EXPECT_EQ(dram.takeResponse().id, 1u);
  EXPECT_TRUE(dram.idle());
  const DramStats& stats = dram.statistics({10});
  EXPECT_EQ(stats.finishedReads, 1u);
  EXPECT_EQ(stats.finishedWrites, 2u);
  EXPECT_EQ(stats.readLatency.sum(), 2u);
  EXPECT_EQ(stats.ticks, 10u);
  stats::Conservation laws;
  check(stats, config::Dram{}, laws);
  EXPECT_TRUE(laws.violations().empty());
}

}  // namespace
}  // namespace warpwright::mem
