// Table 1 of Huerta and others: when the memory instructions of one, two, three and four active sub-cores issue.
#include "sm/pipeline/memory_front.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

config::Machine fourSubCores() {
  config::Machine machine;
  machine.schedulersPerSm = 4;
  machine.sm.subCoreQueue = 5;
  return machine;
}

InstructionInfo loadInfo(u32 leaves = 11, u32 reads = 11) {
  InstructionInfo info;
  info.front = {leaves, reads, false};
  return info;
}

// By sub-core and instruction: each has one warp, whose instructions issue as soon as there is room, the first in cycle 2.
std::vector<std::vector<u64>> issueTimes(u32 active, u32 instructions) {
  MemoryFront front(fourSubCores());
  std::vector<std::vector<u64>> times(active);
  for (Cycle now{2}; times.back().size() < instructions; ++now) {
    for (u32 core = 0; core < active; ++core) {
      if (front.refused(now).contains(SlotId{core}) || times[core].size() == instructions) continue;
      front.pass(loadInfo(), SlotId{core}, now);
      times[core].push_back(now.ticks);
    }
  }
  return times;
}

using Times = std::vector<u64>;

TEST(MemoryFront, TableOne) {
  EXPECT_EQ(issueTimes(1, 10)[0], (Times{2, 3, 4, 5, 6, 13, 17, 21, 25, 29}));
  const auto two = issueTimes(2, 9);
  EXPECT_EQ(two[0], (Times{2, 3, 4, 5, 6, 13, 17, 21, 25}));
  EXPECT_EQ(two[1], (Times{2, 3, 4, 5, 6, 15, 19, 23, 27}));
  const auto three = issueTimes(3, 9);
  EXPECT_EQ(three[0], (Times{2, 3, 4, 5, 6, 13, 19, 25, 31}));
  EXPECT_EQ(three[1], (Times{2, 3, 4, 5, 6, 15, 21, 27, 33}));
  EXPECT_EQ(three[2], (Times{2, 3, 4, 5, 6, 17, 23, 29, 35}));
  const auto four = issueTimes(4, 9);
  EXPECT_EQ(four[0], (Times{2, 3, 4, 5, 6, 13, 21, 29, 37}));
  EXPECT_EQ(four[3], (Times{2, 3, 4, 5, 6, 19, 27, 35, 43}));
}

TEST(MemoryFront, OperandsAreReadLaterByWhatTheInstructionWaits) {
  MemoryFront front(fourSubCores());
  const InstructionInfo constant = loadInfo(11, 29);
  EXPECT_EQ(front.pass(constant, SlotId{0}, {10}).read, Cycle{39});
  const MemoryFront::Passage second = front.pass(constant, SlotId{0}, {11});
  EXPECT_EQ(second.enters, Cycle{25}) << "four cycles behind the first";
  EXPECT_EQ(second.read, Cycle{43});
}

TEST(MemoryFront, AStoreTakesItsDataAlong) {
  MemoryFront front(fourSubCores());
  InstructionInfo store = loadInfo(11, 16);
  store.front.carriesData = true;
  const MemoryFront::Passage passage = front.pass(store, SlotId{0}, {10});
  EXPECT_EQ(passage.enters, Cycle{26});
  EXPECT_EQ(passage.read, Cycle{26});
}

TEST(MemoryFront, SaysWhenAFullSubCoreHasRoom) {
  MemoryFront front(fourSubCores());
  for (u32 i = 0; i < 5; ++i) front.pass(loadInfo(), SlotId{4}, Cycle{2} + i);
  EXPECT_TRUE(front.refused({7}).contains(SlotId{4}));
  EXPECT_TRUE(front.refused({7}).contains(SlotId{0})) << "of the same sub-core";
  EXPECT_FALSE(front.refused({7}).contains(SlotId{5}));
  EXPECT_EQ(front.nextUseful({7}), Cycle{13});
  EXPECT_TRUE(front.refused({13}).empty());
  EXPECT_EQ(front.nextUseful({14}), kNever);
}

}  // namespace
}  // namespace warpwright::sm
