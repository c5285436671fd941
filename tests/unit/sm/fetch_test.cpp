#include "sm/fetch.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "wire.hpp"

namespace warpwright::sm {
namespace {

using testing::bareMachine;
using testing::Wire;

// What a listener hears of fetches, in words.
class Heard final : public PipelineListener {
 public:
  void fetched(SlotId slot, u32 count, Cycle asked, Cycle now) override {
    text += "slot " + std::to_string(slot) + ": " + std::to_string(count) + " from " + std::to_string(asked.ticks) + " to " +
            std::to_string(now.ticks) + "; ";
  }
  void fetchDropped(SlotId slot) override { text += "slot " + std::to_string(slot) + " drops; "; }
  std::string text;
};

class Fetching : public ::testing::Test {
 protected:
  // One cycle in which a fetch begins; gives what it asks for.
  mem::Request fetch() {
    EXPECT_TRUE(unit->tick(now));
    const auto sent = wire.tick(now);
    ++now;
    return sent.at(0);
  }
  void arrive(const mem::Request& request) {
    const auto answers = wire.respond(request, now);
    ++now;
    ASSERT_EQ(answers.size(), 1u);
    ASSERT_TRUE(answers[0].isFetch);
    unit->arrived(answers[0].id, now);
  }

  // The unit of what the machine has become.
  void rebuild() { unit.emplace(machine, wire.ports, events, &heard); }

  config::Machine machine = bareMachine();
  Wire wire{machine};
  Heard heard;
  Events events;
  std::optional<FetchUnit> unit{std::in_place, machine, wire.ports, events, &heard};
  Cycle now{};
};

TEST_F(Fetching, FillsTheBufferAndStops) {
  machine.sm.fetchWidth = machine.sm.instructionBuffer = 2;
  machine.sm.instructionBytes = 16;
  rebuild();
  unit->start(SlotId{0}, GlobalAddress(4096));
  EXPECT_TRUE(unit->available().empty());
  const mem::Request request = fetch();
  EXPECT_EQ(request.address, 4096u);
  EXPECT_EQ(request.type, mem::AccessType::instructionRead);
  EXPECT_FALSE(unit->tick(now)) << "one fetch at a time for a warp";
  arrive(request);
  EXPECT_EQ(unit->available(), WarpSet::of(0));
  EXPECT_FALSE(unit->wantsToFetch());
  unit->consume(SlotId{0});
  EXPECT_EQ(unit->available(), WarpSet::of(0));
  unit->consume(SlotId{0});
  EXPECT_EQ(unit->available(), WarpSet{});
  EXPECT_EQ(fetch().sectors, 0b10u);  // the next two instructions, 32 B further
  EXPECT_EQ(unit->fetches(), 2u);
}

TEST_F(Fetching, AListenerHearsOfFetchesThatCount) {
  machine.sm.fetchWidth = machine.sm.instructionBuffer = 2;
  rebuild();
  unit->start(SlotId{3}, GlobalAddress(4096));
  now = Cycle{10};
  const mem::Request late = fetch();
  unit->redirect(SlotId{3}, GlobalAddress(8192));
  arrive(late);
  EXPECT_EQ(heard.text, "slot 3 drops; slot 3 drops; ") << "what arrives for the place left is no instruction of the buffer";
  heard.text.clear();
  const u64 began = now.ticks;
  arrive(fetch());
  EXPECT_EQ(heard.text, "slot 3: 2 from " + std::to_string(began) + " to " + std::to_string(now.ticks) + "; ");
}

// Sectors have 32 B: a fetch of two lies in a new one each time, or every other time.
TEST_F(Fetching, GoesOnByTheSizeOfAnInstruction) {
  for (const u32 bytes : {8u, 16u, 32u}) {
    machine.sm.fetchWidth = machine.sm.instructionBuffer = 2;
    machine.sm.instructionBytes = bytes;
    rebuild();
    unit->start(SlotId{0}, GlobalAddress(4096));
    for (u32 i = 0; i < 8; ++i) {
      const mem::Request request = fetch();
      const u32 at = i * 2 * bytes;
      EXPECT_EQ(request.address, 4096 + at / request.lineBytes * request.lineBytes) << bytes;
      EXPECT_EQ(request.sectors, 1u << at % request.lineBytes / mem::Request::kSectorBytes) << bytes;
      arrive(request);
      unit->consume(SlotId{0});
      unit->consume(SlotId{0});
    }
  }
}

TEST_F(Fetching, AFetchEndsWithItsAlignedPiece) {
  machine.sm.fetchWidth = 4;
  machine.sm.instructionBuffer = 8;
  rebuild();
  unit->start(SlotId{0}, GlobalAddress(3 * machine.sm.instructionBytes));
  arrive(fetch());
  unit->consume(SlotId{0});
  EXPECT_EQ(unit->available(), WarpSet{}) << "one instruction up to the border of four";
  arrive(fetch());
  for (u32 i = 0; i < 4; ++i, unit->consume(SlotId{0})) EXPECT_EQ(unit->available(), WarpSet::of(0));
  EXPECT_EQ(unit->available(), WarpSet{});
}

TEST_F(Fetching, BringsNoMoreThanTheBufferHolds) {
  machine.sm.fetchWidth = 4;
  machine.sm.instructionBuffer = 3;
  rebuild();
  unit->start(SlotId{0}, GlobalAddress(0));
  arrive(fetch());
  for (u32 i = 0; i < 3; ++i) unit->consume(SlotId{0});
  EXPECT_EQ(unit->available(), WarpSet{});
}

TEST_F(Fetching, WarpsTakeTurns) {
  for (const u32 slot : {5u, 0u, 3u}) unit->start(SlotId{slot}, GlobalAddress(u64{slot} * 4096));
  EXPECT_EQ(fetch().address, 0u);
  EXPECT_EQ(fetch().address, 3u * 4096);
  EXPECT_EQ(fetch().address, 5u * 4096);
  EXPECT_FALSE(unit->tick(now));
}

TEST_F(Fetching, SeveralWarpsFetchInACycle) {
  machine.sm.fetchesPerCycle = 2;
  rebuild();
  for (const u32 slot : {5u, 0u, 3u}) unit->start(SlotId{slot}, GlobalAddress(u64{slot} * 4096));
  EXPECT_TRUE(unit->tick(now));
  EXPECT_EQ(unit->fetches(), 2u);
  EXPECT_TRUE(unit->tick(now + 1));
  EXPECT_EQ(unit->fetches(), 3u);
  EXPECT_FALSE(unit->tick(now + 2));
}

TEST_F(Fetching, AJumpDropsWhatIsBufferedAndWhatIsOnItsWay) {
  machine.sm.fetchWidth = 1;
  machine.sm.instructionBuffer = 2;
  rebuild();
  unit->start(SlotId{0}, GlobalAddress(0));
  arrive(fetch());
  const mem::Request late = fetch();
  unit->redirect(SlotId{0}, GlobalAddress(8192));
  EXPECT_EQ(unit->available(), WarpSet{});
  arrive(late);
  EXPECT_EQ(unit->available(), WarpSet{});
  const mem::Request request = fetch();
  EXPECT_EQ(request.address, 8192u);
  arrive(request);
  EXPECT_EQ(unit->available(), WarpSet::of(0));
}

TEST_F(Fetching, AWarpThatEndedFetchesNothing) {
  unit->start(SlotId{0}, GlobalAddress(0));
  const mem::Request late = fetch();
  unit->stop(SlotId{0});
  arrive(late);
  EXPECT_EQ(unit->available(), WarpSet{});
  EXPECT_FALSE(unit->wantsToFetch());
}

// --- greedy, then the youngest, in two sub-cores; what is fetched is there at once

class GreedyFetching : public ::testing::Test {
 protected:
  static config::Machine described() {
    config::Machine greedy = bareMachine();
    greedy.schedulersPerSm = 2;
    greedy.warpsPerSm = 8;
    greedy.sm.perfectFetch = true;
    greedy.sm.fetchOrder = config::FetchOrder::greedyThenYoungest;
    greedy.sm.fetchWidth = 1;
    greedy.sm.instructionBuffer = 3;
    greedy.sm.fetchesPerCycle = 2;
    greedy.sm.decodeLatency = 2;
    return greedy;
  }
  // A cycle in which instructions arrive and fetches begin; gives the fetches.
  u64 cycle() {
    events.take(now, [&](const Event& event) { unit.arrived(event.fetch(), now); });
    const u64 before = unit.fetches();
    unit.tick(now);
    ++now;
    return unit.fetches() - before;
  }

  config::Machine machine = described();
  Wire wire{machine};
  Events events;
  FetchUnit unit{machine, wire.ports, events};
  Cycle now{1};
};

TEST_F(GreedyFetching, SeveralFetchesOfAWarpMayBeUnderWay) {
  unit.start(SlotId{0}, GlobalAddress(4096));
  EXPECT_EQ(cycle(), 1u);
  EXPECT_EQ(cycle(), 1u) << "before the first has been decoded";
  EXPECT_EQ(cycle(), 1u);
  EXPECT_EQ(unit.available(), WarpSet::of(0));
  EXPECT_EQ(cycle(), 0u) << "the buffer has no room for more than three";
  for (u32 i = 0; i < 10; ++i) {
    unit.consume(SlotId{0});
    EXPECT_EQ(cycle(), 1u);
    EXPECT_EQ(unit.available(), WarpSet::of(0)) << "an instruction each cycle";
  }
}

TEST_F(GreedyFetching, TheYoungestComesFirstAndThenWhoIssues) {
  for (const u32 slot : {0u, 2u, 4u, 1u}) unit.start(SlotId{slot}, GlobalAddress(u64{slot} * 4096));
  for (u32 i = 0; i < 3; ++i) EXPECT_EQ(cycle(), 2u);
  EXPECT_EQ(unit.available(), WarpSet::of(4) | WarpSet::of(1)) << "the youngest of each sub-core";
  EXPECT_EQ(cycle(), 1u);
  cycle();
  cycle();
  EXPECT_TRUE(unit.available().contains(SlotId{2}));
  EXPECT_FALSE(unit.available().contains(SlotId{0}));
  for (u32 i = 0; i < 6; ++i) cycle();
  unit.consume(SlotId{0});
  unit.consume(SlotId{4});
  unit.consume(SlotId{0});
  EXPECT_EQ(cycle(), 1u);
  cycle();
  unit.consume(SlotId{0});
  EXPECT_FALSE(unit.available().contains(SlotId{0})) << "the one in cycle 13 was for warp 0, and is not decoded";
  cycle();
  EXPECT_TRUE(unit.available().contains(SlotId{0}));
}

// The second of two fetches is here first.
TEST_F(GreedyFetching, InstructionsComeInTheOrderOfTheCode) {
  unit.start(SlotId{0}, GlobalAddress(4096));
  unit.tick(now);
  unit.tick(now + 1);
  std::vector<u32> fetches;
  for (u64 cycles = 0; cycles < 4; ++cycles) events.take(now + cycles, [&](const Event& event) { fetches.push_back(event.fetch()); });
  ASSERT_EQ(fetches.size(), 2u);
  unit.arrived(fetches[1], now + 4);
  EXPECT_TRUE(unit.available().empty());
  unit.arrived(fetches[0], now + 5);
  unit.consume(SlotId{0});
  EXPECT_EQ(unit.available(), WarpSet::of(0)) << "both are there";
}

}  // namespace
}  // namespace warpwright::sm
