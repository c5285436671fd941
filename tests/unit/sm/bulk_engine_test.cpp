// The copy engine: how fast it asks, how much it has under way, and when a copy is complete.
#include "sm/ports/bulk_engine.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "wire.hpp"

namespace warpwright::sm {
namespace {

using testing::Wire;

config::Machine engineMachine() {
  config::Machine machine = testing::bareMachine();
  machine.l1d.lineBytes = 128;
  machine.sm.bulkLatency = 10;
  machine.sm.bulkBytesPerCycle = machine.sm.bulkReadBytes = machine.sm.remoteSharedBytes = 64;
  machine.sm.bulkReadLatency = 20;
  machine.sm.remoteSharedLatency = 30;
  machine.sm.bulkBytesInFlight = 1024;
  return machine;
}

// A memory that answers every request so many cycles after it was sent.
class BulkEngineTest : public ::testing::Test {
 protected:
  void begin(bool isStore, u32 bytes, std::vector<exec::GlobalRun> runs, u64 now) {
    runs_.push_back(std::move(runs));
    // What touches no global memory goes to another block.
    wire_.ports.bulkEngine().begin({0, isStore, runs_.back().empty(), bytes, runs_.back()}, {}, Cycle{now});
  }
  void runUntil(u64 end) {
    for (; now_ < end; ++now_) {
      if (!answers_.empty() && answers_.front().first <= now_) {
        wire_.respond(answers_.front().second, Cycle{now_ - 1});
        answers_.pop_front();
      }
      for (const mem::Request& request : wire_.tick(Cycle{now_})) {
        sent_.push_back({now_, request});
        answers_.push_back({now_ + latency_, request});
      }
      for (const BulkEngine::News& news : wire_.ports.bulkEngine().takeNews()) news_.push_back(news);
    }
  }
  static exec::GlobalRun run(u64 address, u32 bytes, u32 at = 0) { return {GlobalAddress(address), bytes, at}; }

  Wire wire_{engineMachine()};
  u64 latency_ = 50, now_ = 1;
  std::deque<std::vector<exec::GlobalRun>> runs_;
  std::deque<std::pair<u64, mem::Request>> answers_;
  std::vector<std::pair<u64, mem::Request>> sent_;
  std::vector<BulkEngine::News> news_;
};

TEST_F(BulkEngineTest, AsksForLinesAtItsRateAfterItsLatency) {
  begin(false, 512, {run(0x1000, 512)}, 1);
  runUntil(200);
  ASSERT_EQ(sent_.size(), 4u);
  for (u32 i = 0; i < 4; ++i) {
    EXPECT_EQ(sent_[i].second.address, GlobalAddress(0x1000 + 128 * i));
    EXPECT_EQ(sent_[i].second.sectors, 0xfu);
    EXPECT_EQ(sent_[i].second.type, mem::AccessType::globalRead);
    EXPECT_EQ(sent_[i].first - sent_[0].first, 2u * i) << "128 bytes at 64 a cycle";
  }
  EXPECT_GE(sent_[0].first, 11u);
  EXPECT_LE(sent_[0].first, 13u);
  ASSERT_EQ(news_.size(), 1u);
  EXPECT_FALSE(news_[0].isRead);
  EXPECT_GE(news_[0].time, Cycle{sent_[3].first + latency_});
  EXPECT_TRUE(wire_.ports.bulkEngine().quiescent());
}

TEST_F(BulkEngineTest, BoundsWhatIsUnderWay) {
  begin(false, 4096, {run(0x1000, 4096)}, 1);
  runUntil(40);
  EXPECT_EQ(sent_.size(), 8u) << "1024 bytes";
  runUntil(600);
  EXPECT_EQ(sent_.size(), 32u);
  ASSERT_EQ(news_.size(), 1u);
}

// Rows of 48 bytes, the second of which begins in the line of the first.
TEST_F(BulkEngineTest, AsksForTheSectorsOfItsRuns) {
  begin(false, 96, {run(0x1010, 48), run(0x1060, 48, 48)}, 1);
  runUntil(100);
  ASSERT_EQ(sent_.size(), 2u);
  EXPECT_EQ(sent_[0].second.sectors, 0b1011u);
  EXPECT_EQ(sent_[1].second.address, GlobalAddress(0x1080));
  EXPECT_EQ(sent_[1].second.sectors, 0b0001u);
}

TEST_F(BulkEngineTest, TellsWhenAStoreHasReadItsSource) {
  begin(true, 160, {run(0x1010, 160)}, 1);
  runUntil(200);
  ASSERT_EQ(sent_.size(), 2u);
  EXPECT_EQ(sent_[0].second.type, mem::AccessType::globalWrite);
  EXPECT_EQ(sent_[0].second.wholeSectors, 0b1110u);
  EXPECT_EQ(sent_[0].second.written[0], 0xffff'0000u);
  EXPECT_EQ(sent_[1].second.wholeSectors, 0b0001u);
  EXPECT_EQ(sent_[1].second.written[1], 0x0000'ffffu);
  ASSERT_EQ(news_.size(), 2u);
  EXPECT_TRUE(news_[0].isRead);
  EXPECT_FALSE(news_[1].isRead);
  EXPECT_EQ(news_[0].time, Cycle{1 + 20 + 2 + 1}) << "two lines, 112 and 48 bytes";
  EXPECT_EQ(news_[1].time, news_[0].time + 1) << "whenever memory answers";
}

// It takes one after the other; between blocks bytes pass without requests.
TEST_F(BulkEngineTest, CarriesOutOneCopyAfterTheOther) {
  begin(false, 256, {}, 1);
  begin(false, 128, {run(0x1000, 128)}, 1);
  runUntil(200);
  ASSERT_EQ(news_.size(), 2u);
  EXPECT_EQ(news_[0].time, Cycle{1 + 20 + 256 / 64 + 30 / 2});
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_GE(sent_[0].first, 1u + 20 + 256 / 64);
}

}  // namespace
}  // namespace warpwright::sm
