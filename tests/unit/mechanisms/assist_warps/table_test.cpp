#include "mechanisms/assist_warps/table.hpp"

#include <gtest/gtest.h>

#include "mechanisms/assist_warps/throttle.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr u32 kInstructions = 6;

class Table : public ::testing::Test {
 protected:
  Table() {
    function_.begin = Pc{10};
    function_.end = Pc{10 + kInstructions};
    routine_.function = other_.function = &function_;
  }
  Entry& insert(u32 slot, Priority priority, const Routine* routine = nullptr) {
    Entry entry;
    entry.slot = SlotId{slot};
    entry.routine = routine != nullptr ? routine : &routine_;
    entry.priority = priority;
    entry.next = function_.begin;
    return table_.insert(std::move(entry));
  }
  // The slot of the next that is deployed, with an instruction that issues at once; 99: none may be.
  u32 deploy() {
    for (Entry* entry = table_.next(); entry != nullptr; entry = table_.next()) {
      const bool waited = entry->waits();
      stage(*entry);
      table_.issued(*entry);
      if (waited) return entry->slot;
      table_.isThrough(*entry);
    }
    return 99;
  }
  void stage(Entry& entry) {
    if (entry.waits()) table_.deployed(entry, nextHelper_++);
    table_.stage(entry);
  }
  // Slots of which an instruction is staged, one after the other, until nothing more can be.
  std::vector<u32> stageAll() {
    std::vector<u32> slots;
    while (Entry* entry = table_.next()) {
      stage(*entry);
      slots.push_back(entry->slot);
    }
    return slots;
  }

  AssistTable table_{{.entries = 4, .lowEntries = 2, .warpEntries = 2, .mostLive = 3}};
  Routine routine_, other_{.group = 1};

 private:
  isa::Function function_;
  u32 nextHelper_ = 0;
};

TEST_F(Table, HasOneInstanceOfARoutineForAWarp) {
  insert(3, Priority::low);
  EXPECT_TRUE(table_.isLive(SlotId{3}, routine_));
  EXPECT_FALSE(table_.isLive(SlotId{3}, other_));
  EXPECT_FALSE(table_.isLive(SlotId{4}, routine_));
}

TEST_F(Table, DeploysOneOfAGroupForAWarpAtATime) {
  insert(3, Priority::high);
  insert(3, Priority::high);
  insert(3, Priority::high, &other_);
  EXPECT_EQ(deploy(), 3u);
  EXPECT_EQ(deploy(), 3u) << "of another group, or of the same";
  EXPECT_EQ(deploy(), 99u);
  const bool isOther = table_.ofHelper(0)->routine == &other_;
  table_.free(*table_.ofHelper(isOther ? 1 : 0));
  EXPECT_EQ(table_.live(), 1u);
  EXPECT_EQ(deploy(), 3u);
}

TEST_F(Table, OfHighPriorityHoldsAllThatWait) {
  Entry& entry = insert(3, Priority::high);
  entry.held.insert(SlotId{5});
  EXPECT_TRUE(table_.holds(SlotId{5}));
  table_.free(entry);
  EXPECT_FALSE(table_.holds(SlotId{5}));
}

TEST_F(Table, AlwaysHasRoomForHighPriority) {
  for (u32 slot = 0; slot < 4; ++slot) {
    EXPECT_TRUE(table_.hasRoom(Priority::low));
    insert(slot, slot % 2 == 0 ? Priority::low : Priority::normal);
  }
  EXPECT_FALSE(table_.hasRoom(Priority::low));
  EXPECT_FALSE(table_.hasRoom(Priority::normal));
  EXPECT_TRUE(table_.hasRoom(Priority::high));
  insert(7, Priority::high);
  EXPECT_TRUE(table_.holds(SlotId{7}));
  EXPECT_FALSE(table_.holds(SlotId{0}));
}

TEST_F(Table, DeploysRoundRobin) {
  Entry& first = insert(0, Priority::normal);
  insert(1, Priority::normal);
  insert(2, Priority::normal);
  EXPECT_EQ(deploy(), 1u) << "behind the last, which is the first entry";
  EXPECT_EQ(deploy(), 2u);
  EXPECT_EQ(deploy(), 0u);
  table_.free(first);
  insert(5, Priority::normal);
  EXPECT_EQ(deploy(), 5u);
  EXPECT_EQ(deploy(), 99u) << "three are live";
}

TEST_F(Table, DeploysHigherPrioritiesFirst) {
  insert(0, Priority::low);
  insert(1, Priority::normal);
  insert(2, Priority::high);
  EXPECT_EQ(deploy(), 2u);
  EXPECT_EQ(deploy(), 1u);
  EXPECT_EQ(deploy(), 0u);
}

TEST_F(Table, StagesOneInstructionOfEachInTurn) {
  for (u32 slot = 0; slot < 3; ++slot) insert(slot, Priority::normal);
  EXPECT_EQ(stageAll(), (std::vector<u32>{1, 2, 0, 1, 2, 0})) << "two of each: the partitions of their warps";
  EXPECT_FALSE(table_.canStage());
  table_.issued(*table_.ofHelper(2));
  EXPECT_EQ(stageAll(), std::vector<u32>{0});
}

TEST_F(Table, SharesAWarpsPartitionAmongItsAssistWarps) {
  insert(3, Priority::normal);
  insert(3, Priority::high, &other_);
  EXPECT_EQ(stageAll(), (std::vector<u32>{3, 3}));
  EXPECT_EQ(table_.ofHelper(0)->staged, 2u);
  EXPECT_EQ(table_.live(), 1u) << "there is no room for the other";
  table_.issued(*table_.ofHelper(0));
  table_.isThrough(*table_.ofHelper(0));
  EXPECT_EQ(stageAll(), std::vector<u32>{3});
  EXPECT_EQ(table_.live(), 2u);
}

TEST_F(Table, SharesOnePartitionAmongAllOfLowPriority) {
  for (u32 slot = 0; slot < 3; ++slot) insert(slot, Priority::low);
  EXPECT_EQ(stageAll(), (std::vector<u32>{1, 2}));
  table_.issued(*table_.ofHelper(0));
  EXPECT_EQ(stageAll(), std::vector<u32>{0}) << "in turn, though the others go on";
  EXPECT_EQ(table_.live(), 3u);
  insert(7, Priority::high);
  EXPECT_EQ(stageAll(), (std::vector<u32>{7, 7})) << "has its own";
}

TEST_F(Table, StagesToTheEndOfTheRoutine) {
  Entry& entry = insert(0, Priority::high);
  u32 staged = 0;
  while (!stageAll().empty()) {
    while (entry.staged != 0) {
      table_.issued(entry);
      ++staged;
    }
    if (staged >= kInstructions) table_.isThrough(entry);
  }
  EXPECT_EQ(staged, kInstructions);
}

TEST_F(Table, GoesOnWhereItJumps) {
  Entry& entry = insert(0, Priority::high);
  stageAll();
  EXPECT_EQ(entry.next, Pc{12});
  table_.issued(entry);
  table_.flush(entry, Pc{10 + kInstructions});  // a function behind the routine
  EXPECT_EQ(entry.staged, 0u);
  EXPECT_FALSE(stageAll().empty());
}

TEST_F(Table, FlushesWhatIsKilled) {
  Entry& killed = insert(0, Priority::low);
  insert(1, Priority::low);
  insert(2, Priority::low);
  stageAll();
  table_.free(killed.helper ? killed : *table_.ofHelper(0));
  EXPECT_EQ(stageAll().size(), 1u);
}

TEST_F(Table, IsThrottledStatically) {
  for (u32 slot = 0; slot < 4; ++slot) insert(slot, Priority::normal);
  for (u32 i = 0; i < 3; ++i) EXPECT_NE(deploy(), 99u);
  EXPECT_EQ(deploy(), 99u) << "three are live";
  insert(9, Priority::high);
  EXPECT_EQ(deploy(), 9u);
  EXPECT_EQ(table_.live(), 4u);
}

TEST_F(Table, DeploysHighPriorityAloneWhileItIsThrottled) {
  insert(0, Priority::normal);
  insert(1, Priority::low);
  EXPECT_TRUE(table_.canStage());
  table_.throttle({.isBusy = true});
  EXPECT_FALSE(table_.canStage());
  insert(2, Priority::high);
  EXPECT_EQ(deploy(), 2u);
  EXPECT_EQ(deploy(), 99u);
}

TEST_F(Table, DeploysNothingThatUsesABusyUnit) {
  routine_.units.insert(static_cast<u32>(isa::Unit::sfu));
  insert(0, Priority::normal);
  insert(1, Priority::normal, &other_);
  insert(2, Priority::high);
  Throttled busy;
  busy.busyUnits.insert(static_cast<u32>(isa::Unit::sfu));
  table_.throttle(busy);
  EXPECT_EQ(deploy(), 2u);
  EXPECT_EQ(deploy(), 1u);
  EXPECT_EQ(deploy(), 99u);
  table_.throttle({});
  EXPECT_EQ(deploy(), 0u);
}

// Windows of ten cycles with two slots each.
class Throttling : public ::testing::Test {
 protected:
  Throttling() {
    machine_.schedulersPerSm = 2;
    settings_.window = 10;
  }
  // An instruction of a warp every other slot or so, `count` in all.
  static void issue(Throttle& throttle, u32 count) {
    for (u64 i = 0; i < count; ++i) throttle.warpIssued(isa::Unit::control, 0, Cycle{i * 10 / count});
  }
  Throttle throttle() const { return {settings_, machine_}; }
  static bool isBusy(const Throttled& throttled, isa::Unit unit) { return throttled.busyUnits.contains(static_cast<u32>(unit)); }

  config::Machine machine_;
  Settings settings_;
};

// 15 of 20 are three quarters.
TEST_F(Throttling, IsOnBehindABusyWindow) {
  settings_.busyPercent = 75;
  Throttle busy = throttle(), almost = throttle();
  issue(busy, 15);
  issue(almost, 14);
  EXPECT_FALSE(busy.at(Cycle{9}).isBusy) << "the window is not over";
  EXPECT_EQ(busy.windowEnd(), Cycle{10});
  EXPECT_TRUE(busy.at(Cycle{10}).isBusy);
  EXPECT_TRUE(busy.at(Cycle{19}).isBusy);
  EXPECT_EQ(busy.windowEnd(), Cycle{20});
  EXPECT_FALSE(busy.at(Cycle{20}).isBusy);
  EXPECT_FALSE(almost.at(Cycle{10}).isBusy);
}

// It was busy long ago.
TEST_F(Throttling, ForgetsWindowsBeforeTheLast) {
  settings_.busyPercent = 5;
  Throttle each = throttle();
  each.warpIssued(isa::Unit::integer, 1, Cycle{5});
  EXPECT_TRUE(each.at(Cycle{10}).isBusy);
  each.warpIssued(isa::Unit::integer, 1, Cycle{45});
  EXPECT_FALSE(each.at(Cycle{47}).isBusy);
  EXPECT_TRUE(each.at(Cycle{50}).isBusy);
}

// Whoever occupies them: eight of ten cycles.
TEST_F(Throttling, WatchesUnits) {
  settings_.unitPercent = 80;
  machine_.sm.sfu.count = 1;
  machine_.sm.fp64.count = 2;
  machine_.sm.integerOnFp32 = true;
  machine_.sm.fp32.count = 1;
  Throttle each = throttle();
  each.warpIssued(isa::Unit::sfu, 4, Cycle{0});
  each.assistIssued(isa::Unit::sfu, 4, Cycle{1});
  each.warpIssued(isa::Unit::fp64, 8, Cycle{2});
  each.warpIssued(isa::Unit::fp32, 8, Cycle{2});
  const Throttled after = each.at(Cycle{10});
  EXPECT_FALSE(after.isBusy);
  EXPECT_TRUE(isBusy(after, isa::Unit::sfu));
  EXPECT_FALSE(isBusy(after, isa::Unit::fp64)) << "there are two";
  EXPECT_TRUE(isBusy(after, isa::Unit::fp32));
  EXPECT_TRUE(isBusy(after, isa::Unit::integer)) << "in the same pipes";
}

TEST_F(Throttling, WatchesTheLoadStoreUnit) {
  settings_.unitPercent = 50;
  Throttle each = throttle();
  each.loadStoreUsed(4, Cycle{9});
  each.loadStoreUsed(9, Cycle{10});
  EXPECT_FALSE(isBusy(each.at(Cycle{10}), isa::Unit::load_store));
  EXPECT_TRUE(isBusy(each.at(Cycle{20}), isa::Unit::load_store));
}

// Eleven of twenty slots are taken.
TEST_F(Throttling, WatchesIdleness) {
  settings_.idlePercent = 50;
  Throttle each = throttle();
  issue(each, 8);
  for (u32 i = 0; i < 3; ++i) each.assistIssued(isa::Unit::control, 0, Cycle{9});
  const Throttled after = each.at(Cycle{10});
  EXPECT_TRUE(after.stops({}, Priority::low));
  EXPECT_FALSE(after.stops({}, Priority::normal));
  EXPECT_FALSE(each.at(Cycle{20}).stops({}, Priority::low));
}

TEST_F(Throttling, MayBeNone) {
  settings_.window = 0;
  settings_.busyPercent = 1;
  Throttle each = throttle();
  issue(each, 20);
  EXPECT_EQ(each.at(Cycle{1000}), Throttled{});
  EXPECT_EQ(each.windowEnd(), kNever);
}

}  // namespace
}  // namespace warpwright::mechanisms::assist_warps
