#include "mechanisms/assist_warps/table.hpp"

#include <gtest/gtest.h>

#include "mechanisms/assist_warps/throttle.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

class Table : public ::testing::Test {
 protected:
  Entry& insert(u32 slot, Priority priority, const Routine* routine = nullptr) {
    Entry entry;
    entry.slot = SlotId{slot};
    entry.routine = routine != nullptr ? routine : &routine_;
    entry.priority = priority;
    return table_.insert(std::move(entry));
  }
  // The slot of the next, which is deployed; 99: none may be.
  u32 deploy(bool isThrottled = false) {
    Entry* entry = table_.next(isThrottled);
    if (entry == nullptr) return 99;
    table_.deployed(*entry, nextHelper_++);
    return entry->slot;
  }

  AssistTable table_{{.entries = 4, .lowEntries = 2, .mostLive = 3}};
  Routine routine_, other_{.group = 1};

 private:
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
  EXPECT_EQ(deploy(), 99u);
}

TEST_F(Table, DeploysHigherPrioritiesFirst) {
  insert(0, Priority::low);
  insert(1, Priority::normal);
  insert(2, Priority::high);
  EXPECT_EQ(deploy(), 2u);
  EXPECT_EQ(deploy(), 1u);
  EXPECT_EQ(deploy(), 0u);
}

TEST_F(Table, DeploysAsManyOfLowPriorityAsTheBufferHolds) {
  for (u32 slot = 0; slot < 3; ++slot) insert(slot, Priority::low);
  deploy();
  deploy();
  EXPECT_EQ(deploy(), 99u);
  EXPECT_TRUE(table_.anyWaits());
  table_.free(*table_.ofHelper(0));
  EXPECT_NE(deploy(), 99u);
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
  EXPECT_FALSE(table_.canDeploy(true));
  EXPECT_TRUE(table_.canDeploy(false));
  insert(2, Priority::high);
  EXPECT_EQ(deploy(true), 2u);
  EXPECT_EQ(deploy(true), 99u);
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
