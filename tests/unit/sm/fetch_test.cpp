#include "sm/fetch.hpp"

#include <gtest/gtest.h>

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
    EXPECT_TRUE(unit.tick(now));
    const auto sent = wire.tick(now);
    ++now;
    return sent.at(0);
  }
  void arrive(const mem::Request& request) {
    const auto answers = wire.respond(request, now);
    ++now;
    ASSERT_EQ(answers.size(), 1u);
    ASSERT_TRUE(answers[0].isFetch);
    unit.arrived(answers[0].id, now);
  }

  config::Machine machine = bareMachine();
  Wire wire{machine};
  Heard heard;
  Events events;
  FetchUnit unit{machine.sm, wire.ports, events, &heard};
  Cycle now{};
};

TEST_F(Fetching, FillsTheBufferAndStops) {
  machine.sm.fetchWidth = machine.sm.instructionBuffer = 2;
  machine.sm.instructionBytes = 16;
  unit.start(SlotId{0}, GlobalAddress(4096));
  EXPECT_TRUE(unit.available().empty());
  const mem::Request request = fetch();
  EXPECT_EQ(request.address, 4096u);
  EXPECT_EQ(request.type, mem::AccessType::instructionRead);
  EXPECT_FALSE(unit.tick(now)) << "one fetch at a time for a warp";
  arrive(request);
  EXPECT_EQ(unit.available(), WarpSet::of(0));
  EXPECT_FALSE(unit.wantsToFetch());
  unit.consume(SlotId{0});
  EXPECT_EQ(unit.available(), WarpSet::of(0));
  unit.consume(SlotId{0});
  EXPECT_EQ(unit.available(), WarpSet{});
  EXPECT_EQ(fetch().sectors, 0b10u);  // the next two instructions, 32 B further
  EXPECT_EQ(unit.fetches(), 2u);
}

TEST_F(Fetching, AListenerHearsOfFetchesThatCount) {
  machine.sm.fetchWidth = machine.sm.instructionBuffer = 2;
  unit.start(SlotId{3}, GlobalAddress(4096));
  now = Cycle{10};
  const mem::Request late = fetch();
  unit.redirect(SlotId{3}, GlobalAddress(8192));
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
    unit.start(SlotId{0}, GlobalAddress(4096));
    for (u32 i = 0; i < 8; ++i) {
      const mem::Request request = fetch();
      const u32 at = i * 2 * bytes;
      EXPECT_EQ(request.address, 4096 + at / request.lineBytes * request.lineBytes) << bytes;
      EXPECT_EQ(request.sectors, 1u << at % request.lineBytes / mem::Request::kSectorBytes) << bytes;
      arrive(request);
      unit.consume(SlotId{0});
      unit.consume(SlotId{0});
    }
  }
}

TEST_F(Fetching, AFetchEndsWithItsAlignedPiece) {
  machine.sm.fetchWidth = 4;
  machine.sm.instructionBuffer = 8;
  unit.start(SlotId{0}, GlobalAddress(3 * machine.sm.instructionBytes));
  arrive(fetch());
  unit.consume(SlotId{0});
  EXPECT_EQ(unit.available(), WarpSet{}) << "one instruction up to the border of four";
  arrive(fetch());
  for (u32 i = 0; i < 4; ++i, unit.consume(SlotId{0})) EXPECT_EQ(unit.available(), WarpSet::of(0));
  EXPECT_EQ(unit.available(), WarpSet{});
}

TEST_F(Fetching, BringsNoMoreThanTheBufferHolds) {
  machine.sm.fetchWidth = 4;
  machine.sm.instructionBuffer = 3;
  unit.start(SlotId{0}, GlobalAddress(0));
  arrive(fetch());
  for (u32 i = 0; i < 3; ++i) unit.consume(SlotId{0});
  EXPECT_EQ(unit.available(), WarpSet{});
}

TEST_F(Fetching, WarpsTakeTurns) {
  for (const u32 slot : {5u, 0u, 3u}) unit.start(SlotId{slot}, GlobalAddress(u64{slot} * 4096));
  EXPECT_EQ(fetch().address, 0u);
  EXPECT_EQ(fetch().address, 3u * 4096);
  EXPECT_EQ(fetch().address, 5u * 4096);
  EXPECT_FALSE(unit.tick(now));
}

TEST_F(Fetching, SeveralWarpsFetchInACycle) {
  machine.sm.fetchesPerCycle = 2;
  for (const u32 slot : {5u, 0u, 3u}) unit.start(SlotId{slot}, GlobalAddress(u64{slot} * 4096));
  EXPECT_TRUE(unit.tick(now));
  EXPECT_EQ(unit.fetches(), 2u);
  EXPECT_TRUE(unit.tick(now + 1));
  EXPECT_EQ(unit.fetches(), 3u);
  EXPECT_FALSE(unit.tick(now + 2));
}

TEST_F(Fetching, AJumpDropsWhatIsBufferedAndWhatIsOnItsWay) {
  machine.sm.fetchWidth = 1;
  machine.sm.instructionBuffer = 2;
  unit.start(SlotId{0}, GlobalAddress(0));
  arrive(fetch());
  const mem::Request late = fetch();
  unit.redirect(SlotId{0}, GlobalAddress(8192));
  EXPECT_EQ(unit.available(), WarpSet{});
  arrive(late);
  EXPECT_EQ(unit.available(), WarpSet{});
  const mem::Request request = fetch();
  EXPECT_EQ(request.address, 8192u);
  arrive(request);
  EXPECT_EQ(unit.available(), WarpSet::of(0));
}

TEST_F(Fetching, AWarpThatEndedFetchesNothing) {
  unit.start(SlotId{0}, GlobalAddress(0));
  const mem::Request late = fetch();
  unit.stop(SlotId{0});
  arrive(late);
  EXPECT_EQ(unit.available(), WarpSet{});
  EXPECT_FALSE(unit.wantsToFetch());
}

}  // namespace
}  // namespace warpwright::sm
