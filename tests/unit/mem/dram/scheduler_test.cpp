// The order of service, pages, and the figures derived from the counters.
#include <gtest/gtest.h>

#include "unit/mem/dram/probe.hpp"

namespace warpwright::mem::testing {
namespace {

using dram::Command;

config::Dram oneChannel(std::string_view scheduler = "fr_fcfs") {
  config::Dram config;
  config.channels = 1;
  config.scheduler = scheduler;
  return config;
}

TEST(DramScheduler, firstReadyServesRowHitsBeforeOlderConflicts) {
  Probe probe(oneChannel());
  const u32 opener = probe.send(0, Target{.row = 1}.address());
  const u32 conflict = probe.send(0, Target{.row = 2}.address());
  const u32 hit = probe.send(0, Target{.row = 1, .column = 3}.address());
  EXPECT_LT(probe.ready(opener), probe.ready(hit));
  EXPECT_LT(probe.ready(hit), probe.ready(conflict));
  EXPECT_EQ(probe.channel().statistics({1000}).rowHits, 1u);
}

TEST(DramScheduler, firstComeServesInOrder) {
  Probe probe(oneChannel("fcfs"));
  const u32 opener = probe.send(0, Target{.row = 1}.address());
  const u32 conflict = probe.send(0, Target{.row = 2}.address());
  const u32 hit = probe.send(0, Target{.row = 1, .column = 3}.address());
  const u32 otherBank = probe.send(0, Target{.group = 1}.address());
  EXPECT_LT(probe.ready(opener), probe.ready(conflict));
  EXPECT_LT(probe.ready(conflict), probe.ready(hit));
  EXPECT_LT(probe.ready(hit), probe.ready(otherBank));
  EXPECT_EQ(probe.channel().statistics({1000}).rowConflicts, 2u);
}

TEST(DramScheduler, firstReadyOverlapsBanks) {
  for (const std::string_view scheduler : {"fr_fcfs", "fcfs"}) {
    Probe probe(oneChannel(scheduler));
    probe.send(0, Target{.group = 0}.address());
    probe.send(0, Target{.group = 1}.address());
    probe.runUntil(100);
    // The second activation comes tRRD after the first, or after the first access's read.
    const u64 second = scheduler == "fr_fcfs" ? 7 : 14;
    EXPECT_EQ(probe.ticksOf(Command::activate), (std::vector<u64>{1, second}));
  }
}

// In tick 101 the command bus has room for one: the younger request's read comes before the older one's activation.
TEST(DramScheduler, columnsGoBeforeRowsAndOlderBeforeYounger) {
  Probe probe(oneChannel());
  probe.send(0, Target{.group = 1}.address());
  probe.send(0, Target{.group = 2}.address());
  probe.send(100, Target{.group = 0}.address());
  probe.send(100, Target{.group = 2, .column = 1}.address());
  probe.send(100, Target{.group = 1, .column = 1}.address());
  probe.runUntil(200);
  std::vector<std::pair<u64, u32>> reads;  // tick, group
  for (const LoggedCommand& entry : probe.log().entries) {
    if (entry.command == Command::read && entry.tick > 100) reads.emplace_back(entry.tick, entry.location.group);
  }
  EXPECT_EQ(probe.ticksOf(Command::activate).back(), 102u);
  EXPECT_EQ(reads, (std::vector<std::pair<u64, u32>>{{101, 2}, {103, 1}, {102 + 12, 0}}));
}

TEST(DramScheduler, returnsThatNobodyTakesHoldReadsButNotTheWritesOfOtherBanks) {
  config::Dram config = oneChannel();
  config.returnQueue = 2;
  DramChannel channel(config);
  CommandLog log;
  channel.observe(&log);
  for (u32 i = 0; i < 6; ++i) {
    Request request;
    request.address = GlobalAddress(Target{.group = i / 4, .column = i}.address());
    request.lineBytes = 64;
    request.sectors = 3;
    request.type = i < 4 ? AccessType::globalRead : AccessType::globalWrite;
    request.wantsResponse = i < 4;
    channel.accept(request, {0});
  }
  for (u64 now = 0; now < 200; ++now) channel.tick({now});
  const auto issued = [&](Command command) { return channel.statistics({200}).commands[command]; };
  EXPECT_EQ(issued(Command::read), 2u);
  EXPECT_EQ(issued(Command::write), 2u);
  channel.takeResponse();
  EXPECT_EQ(channel.nextUseful({199}).ticks, 200u);
  for (u64 now = 200; now < 400; ++now) channel.tick({now});
  EXPECT_EQ(channel.statistics({400}).commands[Command::read], 3u);
}

// One read of a closed bank in an otherwise idle channel: 2 of the ticks from acceptance to the last data carry data.
TEST(DramFigures, efficiencyCountsActiveTicksAndUtilisationAllTicks) {
  Probe probe(oneChannel());
  probe.send(0, 0);
  probe.runUntil(100);
  const DramStats& stats = probe.channel().statistics({100});
  EXPECT_EQ(stats.busTransactions, 8u);
  EXPECT_EQ(stats.busyTicks, 2u);
  EXPECT_EQ(stats.activeTicks, 27u);  // accepted in tick 0, the data's last tick is 26
  EXPECT_EQ(stats.ticks, 100u);
  EXPECT_DOUBLE_EQ(*dramEfficiency(stats, 4), 8.0 / (4 * 27));
  EXPECT_DOUBLE_EQ(*bandwidthUtilisation(stats, 4), 8.0 / (4 * 100));
  EXPECT_EQ(stats.queue.count(), 100u);
  EXPECT_EQ(stats.queue.sum(), 13u);  // in the queue from tick 0 until its read in tick 13
  EXPECT_EQ(stats.readLatency.sum(), 27u);
  EXPECT_FALSE(dramEfficiency(DramStats{}, 4).has_value());
}

// Row hits alternating between two bank groups follow each other every tCCD = burst ticks: the bus is never idle.
TEST(DramFigures, aStreamOfRowHitsFillsTheBus) {
  config::Dram config = oneChannel();
  DramChannel channel(config);
  u64 now = 0;
  u32 sent = 0;
  for (; sent < 2000 || !channel.idle(); ++now) {
    while (sent < 2000 && channel.canAccept({})) {
      Request request;
      request.lineBytes = 64;
      request.sectors = 3;
      request.address = GlobalAddress(Target{.group = sent % 2, .column = sent / 2 % 32}.address());
      channel.accept(request, {now});
      ++sent;
    }
    channel.tick({now});
    while (channel.peekResponse() != nullptr) channel.takeResponse();
  }
  const DramStats& stats = channel.statistics({now});
  EXPECT_EQ(stats.busyTicks, 4000u);
  // Before the first data: acceptance, the second group's activation in tick 7 … and the first read's data, tRCD + tCL after tick 1.
  EXPECT_LE(stats.activeTicks, 4000u + 1 + 12 + 12 + 8);
  EXPECT_GT(*dramEfficiency(stats, config.dataRate), 0.99);
  EXPECT_EQ(stats.rowHits, 1998u);
}

}  // namespace
}  // namespace warpwright::mem::testing
