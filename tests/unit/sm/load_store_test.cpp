#include "sm/load_store.hpp"

#include <gtest/gtest.h>

#include "wire.hpp"

namespace warpwright::sm {
namespace {

using testing::bareMachine;
using testing::Wire;

class Listener final : public MemoryListener {
 public:
  bool expand(MemoryOperation&, Cycle) override { return true; }
  void memorySent(const MemoryOperation& operation, Cycle now) override { sent.emplace_back(operation.context.slot, now.ticks); }
  void memoryDone(const MemoryOperation& operation, Cycle time) override { done.emplace_back(operation.context.slot, time.ticks); }
  std::vector<std::pair<u32, u64>> sent, done;  // slot, cycle
};

using Events = std::vector<std::pair<u32, u64>>;

class LoadStore : public ::testing::Test {
 protected:
  LoadStoreUnit& unit() {
    if (!unit_) unit_ = std::make_unique<LoadStoreUnit>(machine, wire.ports, listener);
    return *unit_;
  }
  void shared(u32 slot, u32 passes, u64 enters) {
    MemoryOperation& operation = unit().prepare();
    operation.context.slot = SlotId{slot};
    operation.sharedPasses = passes;
    unit().accept(operation, {enters});
  }
  void stores(u32 slot, u32 requests, u64 enters) { access(slot, requests, enters, Route::network, mem::AccessType::globalWrite); }
  void loads(u32 slot, u32 requests, u64 enters, Route route = Route::network) {
    access(slot, requests, enters, route, mem::AccessType::globalRead);
  }
  void access(u32 slot, u32 requests, u64 enters, Route route, mem::AccessType type) {
    MemoryOperation& operation = unit().prepare();
    operation.context.slot = SlotId{slot};
    operation.isStore = mem::isWrite(type);
    for (u32 i = 0; i < requests; ++i) {
      RoutedRequest routed;
      routed.route = route;
      routed.request.address = GlobalAddress(u64{i} * 128);
      routed.request.lineBytes = 128;
      routed.request.sectors = 1;
      routed.request.type = type;
      operation.requests.push_back(routed);
    }
    unit().accept(operation, {enters});
  }
  // Of a lane stage, which owes it an answer; gives its entry.
  u32 awaits(u32 slot, u32 passes, u64 enters) {
    MemoryOperation& operation = unit().prepare();
    operation.context.slot = SlotId{slot};
    operation.sharedPasses = passes;
    operation.awaited = 1;
    unit().accept(operation, {enters});
    return operation.entry;
  }
  void tickFrom(u64 first, u64 last) {
    for (u64 now = first; now <= last; ++now) unit().tick({now});
  }

  config::Machine machine = bareMachine();
  Wire wire{machine};
  Listener listener;

 private:
  std::unique_ptr<LoadStoreUnit> unit_;
};

TEST_F(LoadStore, SharedMemoryTakesItsLatencyAndACycleForEachFurtherPass) {
  machine.sm.sharedLatency = 26;
  shared(0, 1, 5);
  shared(1, 3, 6);
  shared(2, 1, 7);
  EXPECT_FALSE(unit().tick({4}));
  EXPECT_EQ(unit().nextUseful({4}), Cycle{5});
  tickFrom(5, 12);
  // Passes begin in 5; 6, 7, 8; 9.
  EXPECT_EQ(listener.done, (Events{{0, 5 + 26}, {1, 8 + 26}, {2, 9 + 26}}));
  EXPECT_EQ(unit().stats().sharedPasses, 5u);
  EXPECT_EQ(unit().stats().sharedAccesses, 3u);
  EXPECT_TRUE(unit().idle());
}

TEST_F(LoadStore, FurtherPassesMayTakeLongerThanTheBanksDo) {
  machine.sm.sharedLatency = 20;
  machine.sm.passLatency = 2;
  shared(0, 3, 5);
  shared(1, 1, 5);
  tickFrom(5, 12);
  // Passes begin in 5, 6, 7; 8.
  EXPECT_EQ(listener.done, (Events{{0, 5 + 20 + 2 * 2}, {1, 8 + 20}}));
}

TEST_F(LoadStore, OperationsOfSeveralQueuesComeByTheirTimes) {
  machine.sm.sharedLatency = 10;
  for (const auto& [slot, enters] : {std::pair{0u, u64{5}}, {1u, u64{9}}, {2u, u64{7}}, {3u, u64{9}}}) {
    MemoryOperation& operation = unit().prepare();
    operation.context.slot = SlotId{slot};
    operation.sharedPasses = 1;
    unit().acceptByTime(operation, {enters});
  }
  tickFrom(5, 12);
  EXPECT_EQ(listener.done, (Events{{0, 5 + 10}, {2, 7 + 10}, {1, 9 + 10}, {3, 10 + 10}}));
}

TEST_F(LoadStore, TwoPortsTakeTwoPassesACycle) {
  machine.sm.sharedLatency = 10;
  machine.sm.sharedPorts = 2;
  shared(0, 5, 5);
  shared(1, 1, 5);
  tickFrom(5, 12);
  // Five passes begin in 5, 6 and 7.
  EXPECT_EQ(listener.done, (Events{{0, 7 + 10}, {1, 8 + 10}}));
}

TEST_F(LoadStore, ALoadIsDoneWithItsLastAnswer) {
  loads(3, 2, 1);
  EXPECT_TRUE(unit().tick({1}));
  EXPECT_EQ(listener.sent, (Events{{3, 1}}));
  const auto first = wire.tick({1}), second = wire.tick({2});  // one request a cycle
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  for (const mem::Request& request : {second[0], first[0]}) {
    EXPECT_TRUE(listener.done.empty());
    const auto answers = wire.respond(request, {9});
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_FALSE(answers[0].isFetch);
    unit().respond(answers[0].id, {10});
  }
  EXPECT_EQ(listener.done, (Events{{3, 10}}));
}

TEST_F(LoadStore, WaitsWhereNothingIsAccepted) {
  loads(0, 10, 1);  // the queue to the network holds eight
  EXPECT_TRUE(unit().tick({1}));
  EXPECT_FALSE(unit().tick({2}));
  EXPECT_EQ(unit().stats().blocked, 2u);
  EXPECT_TRUE(listener.sent.empty());
  wire.tick({2});
  wire.tick({3});
  EXPECT_TRUE(unit().tick({4}));
  EXPECT_EQ(listener.sent, (Events{{0, 4}}));
  EXPECT_EQ(unit().stats().transactions, 10u);
}

TEST_F(LoadStore, InstructionsKeepTheirOrder) {
  loads(0, 9, 1);
  shared(1, 1, 2);
  tickFrom(1, 3);
  EXPECT_TRUE(listener.done.empty()) << "the shared access waits behind the load";
  wire.tick({3});
  tickFrom(4, 5);
  EXPECT_EQ(listener.sent, (Events{{0, 4}, {1, 5}}));
}

TEST_F(LoadStore, StoresWaitForTheAcknowledgementOfAsManyLines) {
  machine.sm.storesInFlight = 3;
  stores(0, 2, 1);
  stores(1, 4, 1);
  tickFrom(1, 9);
  EXPECT_EQ(listener.sent, (Events{{0, 1}}));
  EXPECT_EQ(unit().stats().blocked, 8u) << "from the second cycle on, in which one line of the second store went";
  std::vector<mem::Request> lines;
  for (u64 now = 9; now < 12; ++now) {
    for (const mem::Request& line : wire.tick({now})) lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 3u);
  const auto acknowledge = [&](u32 line, u64 now) { unit().respond(wire.respond(lines[line], {now - 1}).at(0).id, {now}); };
  acknowledge(0, 12);
  tickFrom(12, 13);
  EXPECT_TRUE(listener.done.empty()) << "the first store has a line left";
  acknowledge(1, 14);
  acknowledge(2, 15);
  tickFrom(15, 15);
  EXPECT_EQ(listener.done, (Events{{0, 14}}));
  EXPECT_EQ(listener.sent, (Events{{0, 1}, {1, 15}}));
}

TEST_F(LoadStore, StoresInFlightDoNotHoldLoadsBack) {
  machine.sm.storesInFlight = 1;
  for (u64 now = 1; now <= 40; ++now) {
    ASSERT_TRUE(unit().canAccept()) << now;
    loads(0, 1, now);
    unit().tick({now});
    wire.tick({now});
  }
  EXPECT_EQ(listener.sent.size(), 40u);
}

// --- answers of lane stages, which need nothing of the unit and may come at any time

TEST_F(LoadStore, AnAnswerDoesNotEndWhatHasYetToReachTheBanks) {
  machine.sm.sharedLatency = 10;
  shared(0, 4, 1);
  const u32 entry = awaits(1, 1, 1);
  tickFrom(1, 2);
  unit().respond(entry, {2});  // the banks are taken until 5
  EXPECT_EQ(listener.done, (Events{{0, 1 + 3 + 10}}));
  EXPECT_FALSE(unit().idle());
  tickFrom(3, 5);
  EXPECT_EQ(listener.done, (Events{{0, 1 + 3 + 10}, {1, 5 + 10}}));
  EXPECT_TRUE(unit().idle());
}

// As an in-order pipeline hands it over: its way to the banks is not the unit's.
TEST_F(LoadStore, AnAnswerDoesNotEndWhatWaitsForItsTurn) {
  loads(0, 10, 1);  // the queue to the network holds eight
  const u32 entry = awaits(1, 2, 1);
  unit().operation(entry).sharedDone = {1};
  tickFrom(1, 2);
  unit().respond(entry, {2});
  EXPECT_TRUE(listener.done.empty());
  wire.tick({2});
  wire.tick({3});
  tickFrom(4, 5);
  EXPECT_EQ(listener.sent, (Events{{0, 4}, {1, 5}}));
  EXPECT_EQ(listener.done, (Events{{1, 5}}));
}

TEST_F(LoadStore, AcceptsWhatItsQueueHolds) {
  machine.sm.memoryQueue = 2;
  shared(0, 1, 1);
  EXPECT_TRUE(unit().canAccept());
  shared(1, 1, 1);
  EXPECT_FALSE(unit().canAccept());
  unit().tick({1});
  EXPECT_TRUE(unit().canAccept());
}

}  // namespace
}  // namespace warpwright::sm
