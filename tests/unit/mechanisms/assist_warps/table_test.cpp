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
  table_.throttle(true);
  EXPECT_FALSE(table_.canStage());
  insert(2, Priority::high);
  EXPECT_EQ(deploy(), 2u);
  EXPECT_EQ(deploy(), 99u);
}

// Windows of ten cycles with two slots each: 15 of 20 are three quarters.
TEST(Throttle, IsOnBehindABusyWindow) {
  Throttle throttle(10, 75, 2);
  for (u64 i = 0; i < 15; ++i) throttle.issued(Cycle{i * 2 / 3});
  EXPECT_FALSE(throttle.isOn(Cycle{9})) << "the window is not over";
  EXPECT_TRUE(throttle.isOn(Cycle{10}));
  EXPECT_TRUE(throttle.isOn(Cycle{19}));
  EXPECT_FALSE(throttle.isOn(Cycle{20}));
  EXPECT_EQ(throttle.nextChange(Cycle{12}), Cycle{20});
  EXPECT_EQ(throttle.nextChange(Cycle{19}), Cycle{20});
}

TEST(Throttle, IsOffBehindAWindowThatIsNotBusyEnough) {
  Throttle throttle(10, 75, 2);
  for (u64 i = 0; i < 14; ++i) throttle.issued(Cycle{i / 2});
  EXPECT_FALSE(throttle.isOn(Cycle{10}));
}

// It was busy long ago.
TEST(Throttle, ForgetsWindowsBeforeTheLast) {
  Throttle throttle(10, 10, 1);
  throttle.issued(Cycle{5});
  EXPECT_TRUE(throttle.isOn(Cycle{10}));
  throttle.issued(Cycle{45});
  EXPECT_FALSE(throttle.isOn(Cycle{47}));
  EXPECT_TRUE(throttle.isOn(Cycle{50}));
}

TEST(Throttle, MayBeNone) {
  Throttle throttle(0, 1, 1);
  throttle.issued(Cycle{1});
  EXPECT_FALSE(throttle.isOn(Cycle{1}));
  EXPECT_EQ(throttle.nextChange(Cycle{1}), kNever);
}

}  // namespace
}  // namespace warpwright::mechanisms::assist_warps
