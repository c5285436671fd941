// Command streams of random requests are legal for every kind of DRAM; and the checker finds streams that are not.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "unit/mem/dram/legality_checker.hpp"
#include "unit/mem/dram/timing_sets.hpp"

namespace warpwright::mem::testing {
namespace {

using C = dram::Command;

// Sends random requests, some of them to neighbouring columns, as fast as the channel takes them or with pauses.
std::vector<LoggedCommand> randomStream(const config::Dram& dram, u32 seed, u32 requests) {
  DramChannel channel(dram);
  CommandLog log;
  channel.observe(&log);
  std::mt19937 random(seed);
  u64 piece = 0, now = 0;
  u32 sent = 0;
  const bool pauses = seed % 2 == 0;
  for (; sent < requests || !channel.idle(); ++now) {
    if (now > 1'000'000) throw std::runtime_error("stuck");
    if (sent < requests && channel.canAccept({}) && !(pauses && random() % 16 != 0)) {
      // Pieces of this channel: every `channels`-th one.
      piece = random() % 3 == 0 ? random() % 4096 : piece + random() % 2;
      Request request;
      request.lineBytes = 128;
      request.address = GlobalAddress(piece * dram.interleaveBytes * dram.channels + random() % (dram.interleaveBytes / 128) * 128);
      request.sectors = 1 + random() % 15;
      request.type = random() % 3 == 0 ? AccessType::globalWrite : AccessType::globalRead;
      request.wantsResponse = !isWrite(request.type);
      request.id = sent++;
      channel.accept(request, {now});
    }
    channel.tick({now});
    if (channel.peekResponse() != nullptr && random() % 4 != 0) channel.takeResponse();
  }
  stats::Conservation laws;
  check(channel.statistics({now}), dram, laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
  return log.entries;
}

TEST(DramLegality, machinesCoverEveryKind) {
  std::set<config::DramKind> kinds;
  for (const TimingSet& set : timingSets()) kinds.insert(set.dram.kind);
  EXPECT_EQ(kinds.size(), 4u);
}

TEST(DramLegality, randomStreamsOfEveryKindAreLegal) {
  for (const TimingSet& set : timingSetsWithVariants()) {
    for (const u32 seed : {1u, 2u}) {
      LegalityChecker checker(set.dram);
      const auto stream = randomStream(set.dram, seed, 250);
      EXPECT_GT(stream.size(), 250u) << set.name;
      checker.check(stream);
      EXPECT_TRUE(checker.violations().empty())
          << set.name << ", seed " << seed << ": " << checker.violations().size() << " violations, first " << checker.violations().front();
    }
  }
}

struct Step {
  C command;
  u64 tick;
  dram::Location location;
};

std::size_t violations(const config::Dram& dram, const std::vector<Step>& steps) {
  LegalityChecker checker(dram);
  std::vector<LoggedCommand> stream;
  for (const Step& step : steps) stream.push_back({step.tick, step.command, step.location});
  checker.check(stream);
  return checker.violations().size();
}

// Two commands that are legal at this distance and not one tick closer, after others that make their banks ready.
struct Edge {
  std::vector<Step> before;
  C first, second;
  dram::Location firstLocation, secondLocation;
  u64 distance;
};

TEST(DramLegality, checkerKnowsEachDistance) {
  config::Dram d;
  d.tRRDL = 7;
  d.tWTRL = 6;
  d.tRFC = 50;
  const dram::Location bank0{.row = 5}, bank1{.bank = 1, .row = 5}, otherGroup{.group = 1, .bank = 4, .row = 5};
  const std::vector<Step> open = {{C::activate, 0, bank0}, {C::activate, 20, bank1}, {C::activate, 40, otherGroup}};
  const std::vector<Step> openOne = {{C::activate, 0, bank0}};
  const std::vector<Edge> edges = {
      {{}, C::activate, C::activate, bank0, otherGroup, 6},
      {{}, C::activate, C::activate, bank0, bank1, 7},
      {{}, C::activate, C::read, bank0, bank0, 12},
      {{}, C::activate, C::write, bank0, bank0, 12},
      {{}, C::activate, C::precharge, bank0, bank0, 28},
      {{}, C::activate, C::prechargeAll, bank0, bank1, 28},
      {openOne, C::precharge, C::activate, bank0, bank0, 12},
      {openOne, C::precharge, C::refresh, bank0, bank0, 12},
      {openOne, C::prechargeAll, C::activate, bank0, bank1, 12},
      {{}, C::refresh, C::activate, bank0, bank1, 50},
      {open, C::read, C::read, bank0, otherGroup, 2},
      {open, C::read, C::read, bank0, bank1, 3},
      {open, C::write, C::write, bank0, otherGroup, 2},
      {open, C::write, C::write, bank0, bank1, 3},
      {open, C::write, C::read, bank0, otherGroup, 4 + 2 + 5},
      {open, C::write, C::read, bank0, bank1, 4 + 2 + 6},
      {open, C::read, C::write, bank0, otherGroup, 12 + 2 + 2 - 4},
      {open, C::read, C::precharge, bank0, bank0, 2},
      {open, C::write, C::precharge, bank0, bank0, 4 + 2 + 12},
      {openOne, C::readPrecharge, C::activate, bank0, bank0, 2 + 12},
      {openOne, C::writePrecharge, C::activate, bank0, bank0, 4 + 2 + 12 + 12},
      {openOne, C::writePrecharge, C::refresh, bank0, bank0, 4 + 2 + 12 + 12},
  };
  for (const Edge& edge : edges) {
    for (const u64 distance : {edge.distance, edge.distance - 1}) {
      auto steps = edge.before;
      steps.push_back({edge.first, 100, edge.firstLocation});
      steps.push_back({edge.second, 100 + distance, edge.secondLocation});
      EXPECT_EQ(violations(d, steps) == 0, distance == edge.distance)
          << name(edge.first) << " to " << name(edge.second) << ", distance " << distance;
    }
  }
}

TEST(DramLegality, checkerKnowsBankStatesAndBuses) {
  const config::Dram d;
  const dram::Location bank0{.row = 5}, wrongRow{.row = 6}, otherGroup{.group = 1, .bank = 4, .row = 5};
  EXPECT_EQ(violations(d, {{C::read, 50, bank0}}), 1u);
  EXPECT_EQ(violations(d, {{C::activate, 0, bank0}, {C::read, 50, wrongRow}}), 1u);
  EXPECT_EQ(violations(d, {{C::activate, 0, bank0}, {C::activate, 50, bank0}}), 1u);
  EXPECT_EQ(violations(d, {{C::activate, 0, bank0}, {C::refresh, 50, bank0}}), 1u);
  EXPECT_EQ(violations(d, {{C::activate, 0, bank0}, {C::readPrecharge, 50, bank0}, {C::read, 60, bank0}}), 1u);
  EXPECT_EQ(violations(d, {{C::activate, 0, bank0}, {C::activate, 50, otherGroup}, {C::read, 50, bank0}}), 1u);
  config::Dram hbm = d;
  hbm.kind = config::DramKind::hbm2;
  EXPECT_EQ(violations(hbm, {{C::activate, 0, bank0}, {C::activate, 50, otherGroup}, {C::read, 50, bank0}}), 0u);
}

TEST(DramLegality, checkerKnowsWindowRanksAndRefresh) {
  config::Dram d;
  d.tFAW = 60;
  std::vector<Step> steps;
  for (u32 i = 0; i < 5; ++i) steps.push_back({C::activate, i * 15, {.group = i % 4, .bank = i % 4 * 4 + i / 4}});
  EXPECT_EQ(violations(d, steps), 0u);
  steps.back().tick = 59;
  EXPECT_EQ(violations(d, steps), 1u);

  d.ranks = 2;
  d.tRTRS = 3;
  const dram::Location rank0{.row = 1}, rank1{.rank = 1, .group = 4, .bank = 16, .row = 1};
  EXPECT_EQ(violations(d, {{C::activate, 0, rank0}, {C::activate, 1, rank1}, {C::read, 20, rank0}, {C::read, 25, rank1}}), 0u);
  EXPECT_EQ(violations(d, {{C::activate, 0, rank0}, {C::activate, 1, rank1}, {C::read, 20, rank0}, {C::read, 24, rank1}}), 1u);

  config::Dram refreshed;
  refreshed.tREFI = 100;
  refreshed.tRFC = 20;
  EXPECT_EQ(violations(refreshed, {{C::activate, 450, rank0}}), 1u);
}

}  // namespace
}  // namespace warpwright::mem::testing
