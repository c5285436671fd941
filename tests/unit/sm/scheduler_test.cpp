// The order in which each policy lets warps issue.
#include "sm/schedulers/scheduler.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "sm/memory_operation.hpp"

namespace warpwright::sm {
namespace {

class Schedule {
 public:
  explicit Schedule(const char* policy, u32 active = 2) {
    config::Machine machine;
    machine.sm.twoLevelActive = active;
    policy_ = schedulerList().make(policy, {machine, 0});
  }

  // Issues the warp that the policy picks of `ready`. Sets as bits.
  u32 next(u64 ready, u64 waiting = 0, u64 inFlight = 0, u64 resident = 0b1111) {
    const SlotId slot = policy_->pick({WarpSet(ready), WarpSet(resident), WarpSet(waiting), WarpSet(inFlight), {}, {}, age_});
    if (slot != kNoWarp) policy_->issued(slot);
    return slot;
  }
  std::vector<u32> nextFew(u32 count, u64 ready) {
    std::vector<u32> order;
    for (u32 i = 0; i < count; ++i) order.push_back(next(ready));
    return order;
  }

  // The instruction of the warp that has issued accesses memory.
  void accesses(u32 slot) {
    MemoryOperation operation;
    operation.context.slot = SlotId{slot};
    policy_->accessIssued(operation);
  }

 private:
  std::unique_ptr<WarpScheduler> policy_;
  std::vector<u64> age_{30, 10, 20, 40};  // slot 1 is the oldest, then 2, 0, 3
};

using Order = std::vector<u32>;

TEST(Schedulers, LooseRoundRobinTakesTurnsAndSkipsWhoIsNotReady) {
  Schedule schedule("loose_round_robin");
  EXPECT_EQ(schedule.nextFew(6, 0b1111), (Order{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(schedule.nextFew(4, 0b1001), (Order{3, 0, 3, 0}));
}

TEST(Schedulers, RelaxedBarrelTakesTurnsToo) { EXPECT_EQ(Schedule("relaxed_barrel").nextFew(5, 0b1011), (Order{0, 1, 3, 0, 1})); }

TEST(Schedulers, GreedyThenOldestStaysUntilItsWarpStalls) {
  Schedule schedule("greedy_then_oldest");
  EXPECT_EQ(schedule.nextFew(2, 0b1110), (Order{1, 1}));
  EXPECT_EQ(schedule.nextFew(2, 0b1101), (Order{2, 2}));  // 1 stalls: 2 is the oldest of the others
  EXPECT_EQ(schedule.next(0b1111), 2u);                   // and stays, though an older one is ready again
  EXPECT_EQ(schedule.next(0b1001), 0u);
}

TEST(Schedulers, OldestFirstTurnsBackAtOnce) {
  Schedule schedule("oldest_first");
  EXPECT_EQ(schedule.next(0b1101), 2u);
  EXPECT_EQ(schedule.next(0b1111), 1u);
  EXPECT_EQ(schedule.next(0b1001), 0u);
  EXPECT_EQ(schedule.next(0b1000), 3u);
}

TEST(Schedulers, CggtyStaysUntilItsWarpStallsAndTurnsToTheYoungest) {
  Schedule schedule("cggty");
  EXPECT_EQ(schedule.nextFew(2, 0b1111), (Order{3, 3}));
  EXPECT_EQ(schedule.nextFew(2, 0b0111), (Order{0, 0}));  // 3 stalls: 0 is the youngest of the others
  EXPECT_EQ(schedule.next(0b1111), 0u);                   // and stays, though a younger one is ready again
  EXPECT_EQ(schedule.next(0b1110), 3u);
  EXPECT_EQ(schedule.next(0b0110), 2u);
}

TEST(Schedulers, TwoLevelIssuesFromItsActiveSetAlone) {
  Schedule schedule("two_level", 2);
  EXPECT_EQ(schedule.nextFew(4, 0b1111), (Order{0, 1, 0, 1}));
  // Ready warps outside the set do not get in while its members merely wait for a pipe.
  EXPECT_EQ(schedule.next(0b1100), kNoWarp);
  // A member that waits for memory or at a barrier makes room for one that is ready.
  EXPECT_EQ(schedule.next(0b1100, 0b0001), 2u);
  EXPECT_EQ(schedule.nextFew(3, 0b1111), (Order{1, 2, 1}));
}

TEST(Schedulers, StrictBarrelLeavesOutWhoHasAnInstructionInFlight) {
  Schedule schedule("strict_barrel");
  EXPECT_EQ(schedule.next(0b1111), 0u);
  EXPECT_EQ(schedule.next(0b1111, 0, 0b0001), 1u);
  EXPECT_EQ(schedule.next(0b1111, 0, 0b0111), 3u);
  EXPECT_EQ(schedule.next(0b1111, 0, 0b1111), kNoWarp);
  EXPECT_EQ(schedule.next(0b1111, 0, 0b1110), 0u);
}

TEST(Schedulers, SwitchOnMemoryStaysUntilItsWarpAccessesMemory) {
  Schedule schedule("switch_on_memory");
  EXPECT_EQ(schedule.nextFew(3, 0b1111), (Order{0, 0, 0}));
  EXPECT_EQ(schedule.next(0b1110), kNoWarp) << "0 waits for an operand of its own";
  EXPECT_EQ(schedule.next(0b1111), 0u);
  schedule.accesses(0);
  EXPECT_EQ(schedule.nextFew(2, 0b1111), (Order{1, 1}));
  EXPECT_EQ(schedule.next(0b1101, 0b0010), 2u) << "1 is at a barrier";
  EXPECT_EQ(schedule.next(0b1111), 2u) << "which is over; it is not its turn again";
  EXPECT_EQ(schedule.next(0b1011, 0, 0, 0b1011), 3u) << "2 has come to its end";
  schedule.accesses(3);
  EXPECT_EQ(schedule.next(0b1010), 1u);
}

}  // namespace
}  // namespace warpwright::sm
