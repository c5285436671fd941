// Elastic MSHRs with their queues and ports: as a memory agent, beside the MSHRs of a cache without bytes, and where accesses wait.
#include "mechanisms/elastic_mshr/stage.hpp"

#include <gtest/gtest.h>

#include <map>

#include "stages/stage_adapter.hpp"
#include "unit/mechanisms/elastic_mshr/load_requests.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

using mem::AccessType;
using mem::conformance::Traffic;
using warpwright::testing::StageAdapter;

config::Machine machineOf(u32 mshrs = 8, u32 merges = 2) {
  config::Machine machine;
  machine.l1d.bytes = 0;
  machine.l1d.lineBytes = machine.l1d.sectorBytes = 32;
  machine.l1d.mshrs = mshrs;
  machine.l1d.mergesPerMshr = merges;
  machine.l1d.missQueue = 4;
  return machine;
}

Traffic trafficOf(u64 seed) {
  return {.seed = seed,
          .bytes = 8 * 1024,
          .lineBytes = 32,
          .types = {AccessType::globalRead, AccessType::globalRead, AccessType::localRead, AccessType::globalWrite, AccessType::localWrite,
                    AccessType::prefetch}};
}

// --- as a memory agent

struct StageCase {
  const char* name;
  config::Machine machine = machineOf();
  Settings settings{};
  std::vector<u16> bytes = {32, 64, 128, 256};  // by pc, of which the traffic has four
};

std::vector<StageCase> stageCases() {
  std::vector<StageCase> all = {{"as it is"},
                                {"of 256 bytes", machineOf(), {}, {256, 256, 256, 256}},
                                {"in sets", machineOf(16), {.ways = 4}},
                                {"table 6.2", machineOf(64)},
                                {"one MSHR", machineOf(1, 1)},
                                {"predicted", machineOf(16), {.granularity = Choice::predicted, .predictorEntries = 4}},
                                {"with combined stores", machineOf(64), {.combineStores = true, .storeEntries = 4, .storeWait = 20}},
                                {"with one combined store", machineOf(64), {.combineStores = true, .storeEntries = 1, .storeWait = 500}},
                                {"two ports, slow"}};
  config::Cache& slow = all.back().machine.l1d;
  slow.ports = 2;
  slow.missLatency = 5;
  slow.fillBytesPerTick = 64;
  slow.missQueue = 1;
  return all;
}

TEST(ElasticMshrStage, IsAMemoryAgent) {
  for (const StageCase& each : stageCases()) {
    SCOPED_TRACE(each.name);
    const PlanOf plan(each.bytes);
    Statistics statistics;
    const auto make = [&](const sm::StageContext&) {
      statistics = {};
      return std::make_unique<Stage>(each.settings, each.machine, statistics);
    };
    const auto count = [&](const Stage&) { return stats::toJson(statistics); };
    for (u64 seed = 1; seed <= 4; ++seed) {
      conform([&] { return StageAdapter<Stage>(each.machine.l1d, make, count, plan.get()); }, trafficOf(seed));
      stats::Conservation laws;
      checkAtRest(statistics, 32, laws);
      EXPECT_TRUE(laws.holds()) << laws.violations().front();
      EXPECT_GT(statistics.loads, 500u);
      EXPECT_GT(statistics.stores, 300u);
      EXPECT_EQ(statistics.falsePrimaries != 0, each.settings.ways != 0);
      EXPECT_EQ(statistics.combined.joined != 0, each.settings.combineStores);
      if (each.machine.l1d.mshrs == 1 || each.settings.granularity == Choice::predicted) continue;
      EXPECT_GT(statistics.reservations, 5u);
      EXPECT_GT(statistics.bytesDropped, 0u);
    }
  }
}

// --- beside the MSHRs of a cache without bytes

// Takes nothing: the cache behind it does the work.
class Absent final : public sm::LineStage {
 public:
  bool takes(const sm::LineAccess&) const override { return false; }
  bool canAccept(const sm::LineAccess&) const override { return true; }
  void accept(const sm::LineAccess&, Cycle) override {}
};

// What crossed the border, without the numbers that requests to the memory below have.
std::vector<mem::conformance::Event> eventsOf(mem::conformance::Outcome outcome) {
  for (auto& event : outcome.events) {
    event.request.wasMissed = false;  // which the stage does not tell
    if (event.crossing == mem::conformance::Crossing::sentDown) event.request.id = 0;
  }
  return outcome.events;
}

TEST(ElasticMshrStage, TakesTheCyclesOfTheBaselineWithNormalBlocks) {
  const PlanOf plan({32, 32, 32, 32});
  for (StageCase& each : stageCases()) {
    if (each.settings.ways != 0 || each.settings.granularity == Choice::predicted) continue;  // which are the mechanism's own
    SCOPED_TRACE(each.name);
    Statistics statistics;
    const auto make = [&](const sm::StageContext&) { return std::make_unique<Stage>(each.settings, each.machine, statistics); };
    const auto nothing = [](const auto&) { return stats::Json(); };
    const auto absent = [](const sm::StageContext&) { return std::make_unique<Absent>(); };
    for (u64 seed = 1; seed <= 6; ++seed) {
      StageAdapter<Stage> elastic(each.machine.l1d, make, nothing, plan.get());
      StageAdapter<Absent> baseline(each.machine.l1d, absent, nothing);
      const auto mine = eventsOf(drive(elastic, trafficOf(seed), true)), theirs = eventsOf(drive(baseline, trafficOf(seed), true));
      ASSERT_EQ(mine.size(), theirs.size());
      for (std::size_t i = 0; i < mine.size(); ++i) {
        ASSERT_TRUE(mine[i] == theirs[i]) << "event " << i << " at tick " << mine[i].time << " and " << theirs[i].time;
      }
    }
  }
}

// --- one access at a time

class ElasticMshrRig : public ::testing::Test {
 protected:
  Stage& stage() {
    if (!stage_) stage_ = std::make_unique<Stage>(settings, machine, statistics);
    return *stage_;
  }
  void send(u64 block, u16 bytes, AccessType type = AccessType::globalRead, const sm::LaunchPlan* of = nullptr) {
    mem::Request request = requestFor(block, next_++, bytes == 32 ? 0 : bytes == 64 ? 1 : bytes == 128 ? 2 : 3, type);
    if (mem::isWrite(type)) request.wholeSectors = 1;
    words_.bytes = {0xf};
    const sm::LineAccess access{request, sm::Route::l1Data, &words_, of ? of : plan_.get()};
    ASSERT_TRUE(stage().takes(access));
    ASSERT_TRUE(stage().canAccept(access));
    stage().accept(access, now);
  }
  // Requests stay in the stage's queue while `takes` is false.
  void run(u64 cycles, bool takes = true) {
    for (u64 i = 0; i < cycles; ++i) {
      now = now + 1;
      stage().tick(now);
      while (stage().peekResponse()) answers[stage().takeResponse().id] = now.ticks;
      while (takes && stage().peekMiss()) sent.push_back(stage().takeMiss());
    }
  }
  void respond(std::size_t which) {
    mem::Request response = sent.at(which);
    response.isResponse = true;
    ASSERT_TRUE(stage().canFill(response));
    stage().fill(response, now);
  }

  config::Machine machine = machineOf();
  Settings settings;
  Statistics statistics;
  Cycle now{};
  std::map<u32, u64> answers;  // cycle by id
  std::vector<mem::Request> sent;

 private:
  PlanOf plan_{{32, 64, 128, 256}};
  mem::WordAccess words_;
  std::unique_ptr<Stage> stage_;
  u32 next_ = 0;
};

TEST_F(ElasticMshrRig, AHyperBlockIsOneRequest) {
  send(13, 256);
  run(5);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].address, 8u * 32);
  EXPECT_EQ(sent[0].lineBytes, 256u);
  EXPECT_EQ(sent[0].sectors, 0xffu);
  EXPECT_EQ(sent[0].dataBytes(), 256u);
  send(9, 32);
  run(5);
  EXPECT_EQ(sent.size(), 1u);
  EXPECT_EQ(statistics.reservations, 1u);
}

// The packet's 256 bytes pass the port in eight cycles; both loads are answered in the next one.
TEST_F(ElasticMshrRig, APacketTakesItsTimeAtThePort) {
  send(8, 256);
  send(11, 256);
  run(5);
  respond(0);
  const u64 came = now.ticks;
  EXPECT_FALSE(stage().canFill(sent[0]));
  run(20);
  EXPECT_EQ(answers, (std::map<u32, u64>{{0, came + 8}, {1, came + 8}}));
  EXPECT_TRUE(stage().quiescent());
  EXPECT_EQ(statistics.bytesLoaded, 256u);
  EXPECT_EQ(statistics.bytesKept, 64u);
  EXPECT_EQ(statistics.bytesDropped, 192u);
  EXPECT_EQ(statistics.bytesTouched, 8u);
}

// Four buffers: the fifth primary waits, takes no MSHR, and holds what is behind it.
TEST_F(ElasticMshrRig, APrimaryWithoutABufferWaitsAndTakesNothing) {
  for (u64 block = 0; block < 5; ++block) send(block * 8, 64);
  send(0, 32);
  run(20, false);
  EXPECT_EQ(statistics.primaries, 4u);
  EXPECT_EQ(statistics.entriesUsed.value, 4u);
  EXPECT_EQ(statistics.secondaries, 0u);
  run(1);
  EXPECT_EQ(sent.size(), 4u);
  run(2);
  EXPECT_EQ(statistics.primaries, 5u);
  EXPECT_EQ(statistics.secondaries, 1u);
  // Taken up in cycle 5, and with the first buffers free in cycle 22.
  EXPECT_EQ(statistics.stalls.buffers, 22u - 5);
}

// What needs no buffer goes on without one.
TEST_F(ElasticMshrRig, AReservationNeedsNoBuffer) {
  for (u64 block = 0; block < 4; ++block) send(block * 8, 64);
  send(1, 64);
  run(20, false);
  EXPECT_EQ(statistics.reservations, 1u);
  EXPECT_EQ(statistics.stalls.buffers, 0u);
}

TEST_F(ElasticMshrRig, WithoutAnMshrThePipelineIsBlocked) {
  machine = machineOf(2);
  send(0, 32);
  send(8, 32);
  send(16, 32);
  send(0, 32);  // would join the first
  run(10);
  EXPECT_EQ(sent.size(), 2u);
  EXPECT_EQ(statistics.secondaries, 0u);
  respond(0);
  run(5);
  EXPECT_EQ(sent.size(), 3u);
  EXPECT_EQ(answers.count(0), 1u);
  EXPECT_GT(statistics.stalls.entries, 0u);
  EXPECT_EQ(statistics.stalls.secondaries, 0u);
}

TEST_F(ElasticMshrRig, AThirdLoadOfABlockBlocksThePipeline) {
  for (u32 i = 0; i < 3; ++i) send(4, 32);
  send(40, 32);
  run(10);
  EXPECT_EQ(sent.size(), 1u);
  respond(0);
  run(5);
  EXPECT_EQ(sent.size(), 3u);
  EXPECT_GT(statistics.stalls.secondaries, 0u);
}

TEST_F(ElasticMshrRig, StoresAreSentOnAsTheyAre) {
  send(7, 256, AccessType::globalWrite);
  run(5);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].address, 7u * 32);
  EXPECT_EQ(sent[0].lineBytes, 32u);
  EXPECT_EQ(sent[0].id, 0u);
  respond(0);
  run(3);
  EXPECT_EQ(answers.count(0), 1u);
  EXPECT_EQ(statistics.entriesUsed.value, 0u);
}

// --- stores that go on together

class ElasticMshrStores : public ElasticMshrRig {
 protected:
  ElasticMshrStores() { settings = {.combineStores = true, .storeEntries = 2, .storeWait = 50}; }
  void store(u64 block, u16 bytes) { send(block, bytes, AccessType::globalWrite); }
};

TEST_F(ElasticMshrStores, GoOnAsOneWriteWhenItIsComplete) {
  store(9, 64);
  run(10);
  EXPECT_EQ(sent.size(), 0u);
  store(8, 64);
  run(5);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].address, 8u * 32);
  EXPECT_EQ(sent[0].lineBytes, 64u);
  EXPECT_EQ(sent[0].sectors, 3u);
  EXPECT_EQ(sent[0].wholeSectors, 3u);
  respond(0);
  const u64 came = now.ticks;
  run(3);
  EXPECT_EQ(answers, (std::map<u32, u64>{{0, came + 1}, {1, came + 1}}));
  EXPECT_TRUE(stage().quiescent());
  EXPECT_EQ(statistics.combined.writes, 1u);
  EXPECT_EQ(statistics.combined.bytes, 64u);
}

TEST_F(ElasticMshrStores, WithoutALargerSizeGoOnByThemselves) {
  store(9, 32);
  run(3);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].lineBytes, 32u);
  EXPECT_EQ(statistics.combined.opened, 0u);
}

// Accepted in cycle 0 and taken up in cycle 1: it has waited for long enough in cycle 51.
TEST_F(ElasticMshrStores, GoOnIncompleteAfterATime) {
  store(8, 256);
  run(50);
  EXPECT_EQ(statistics.combined.writes, 0u);
  run(1);
  EXPECT_EQ(statistics.combined.writes, 1u);
  EXPECT_EQ(statistics.combined.timedOut, 1u);
  run(machine.l1d.missLatency);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].sectors, 1u);
  EXPECT_EQ(sent[0].dataBytes(), 32u);
}

TEST_F(ElasticMshrStores, GoOnBeforeALoadOfTheirBlocks) {
  store(8, 256);
  send(11, 32);
  run(10);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_TRUE(mem::isWrite(sent[0].type));
  EXPECT_EQ(sent[1].type, AccessType::globalRead);
  EXPECT_EQ(statistics.combined.forOthers, 1u);
  EXPECT_GT(statistics.stalls.stores, 0u);
}

// Else what was stored before would be written after it.
TEST_F(ElasticMshrStores, GoOnBeforeAStoreThatGoesByItself) {
  store(8, 256);
  store(11, 32);
  run(10);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].lineBytes, 256u);
  EXPECT_EQ(sent[1].lineBytes, 32u);
  EXPECT_EQ(statistics.combined.forOthers, 1u);
}

// Two entries: the one that was opened first makes room, once it has been acknowledged.
TEST_F(ElasticMshrStores, GoOnWhereAnotherNeedsTheirPlace) {
  store(8, 256);
  store(16, 256);
  store(24, 256);
  run(10);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].address, 8u * 32);
  EXPECT_EQ(statistics.combined.opened, 2u);
  respond(0);
  run(2);
  EXPECT_EQ(statistics.combined.opened, 3u);
  EXPECT_EQ(statistics.combined.forRoom, 1u);
}

TEST_F(ElasticMshrStores, OfOneBlockAreOneSector) {
  for (u32 i = 0; i < StoreBuffer::kMostStores; ++i) {
    store(8, 256);
    run(1);
  }
  run(10);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].dataBytes(), 32u);
  EXPECT_EQ(statistics.combined.joined, StoreBuffer::kMostStores - 1);
}

// --- sizes that are guessed

class ElasticMshrGuesses : public ElasticMshrRig {
 protected:
  ElasticMshrGuesses() { settings.granularity = Choice::predicted; }
};

// Blocks beside one another, all in flight: each of the primaries 1, 3, 5 finds its neighbour, and the third of them has the counter above
// three, so from then on the instruction asks for two blocks at once.
TEST_F(ElasticMshrGuesses, GrowWithNeighboursInFlight) {
  for (u64 block = 0; block < 6; ++block) {
    send(block, 32);
    run(1);
  }
  EXPECT_EQ(statistics.fired1, 6u);
  send(100, 32);
  run(5);
  EXPECT_EQ(statistics.fired2, 1u);
}

// --- launches

TEST_F(ElasticMshrRig, EachLaunchHasItsOwnSizes) {
  const PlanOf other({64, 64, 64, 64}, 1);
  send(0, 256);
  send(8, 256, AccessType::globalRead, other.get());
  send(16, 256);
  run(10);
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_EQ(sent[0].lineBytes, 256u);
  EXPECT_EQ(sent[1].lineBytes, 64u);
  EXPECT_EQ(sent[2].lineBytes, 256u);
}

// --- sizes and settings

std::string problemWith(const Settings& settings, const std::function<void(config::Machine&)>& change = {}) {
  config::Machine machine = config::loadMachine("gt200-granularity");
  if (change) change(machine);
  return problem(settings, machine).value_or("");
}

TEST(ElasticMshrSettings, WhatDoesNotGoTogetherIsExplained) {
  EXPECT_EQ(problemWith({}), "");
  EXPECT_EQ(problemWith({.ways = 8}), "");
  EXPECT_NE(problemWith({.ways = 3}).find("l1d.mshrs = 64"), std::string::npos);
  EXPECT_EQ(problemWith({.granularity = Choice::byPattern, .bytes = 16}), "") << "bytes are those of `fixed`";
  EXPECT_NE(problemWith({}, [](auto& m) { m.l1d.bytes = 16384; }).find("l1d.bytes = 16384"), std::string::npos);
  EXPECT_NE(problemWith({}, [](auto& m) { m.l1d.banks = 2; }).find("l1d.banks = 2"), std::string::npos);
  EXPECT_NE(problemWith({}, [](auto& m) { m.l1d.lineBytes = 64; }).find("l1d.line_bytes = 64"), std::string::npos);
  EXPECT_NE(problemWith({}, [](auto& m) { m.sm.coalescing = config::Coalescing::lines; }).find("sub_warp_blocks"), std::string::npos);
  EXPECT_NE(problemWith({}, [](auto& m) { m.dram.interleaveBytes = 128; }).find("bytes = 256"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::mechanisms::elastic_mshr
