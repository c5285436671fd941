// Cache-conscious scheduling, event by event.
#include "sm/schedulers/ccws.hpp"

#include <gtest/gtest.h>

#include "sm/memory_operation.hpp"

namespace warpwright::sm {
namespace {

constexpr u32 kLoad = 10, kAdd = 11;

TEST(VictimTags, KeepTheLastOfEachSetUntilTheyAreFound) {
  VictimTags tags(4, 2, 128);  // two sets
  for (const u64 line : {0u, 2u, 4u, 1u}) tags.insert(GlobalAddress(line * 128));
  EXPECT_FALSE(tags.take(GlobalAddress(0))) << "pushed out by line 4";
  EXPECT_TRUE(tags.take(GlobalAddress(2 * 128 + 32))) << "any byte of the line";
  EXPECT_FALSE(tags.take(GlobalAddress(2 * 128))) << "once";
  EXPECT_TRUE(tags.take(GlobalAddress(4 * 128)));
  EXPECT_TRUE(tags.take(GlobalAddress(1 * 128)));
}

class CcwsTest : public ::testing::Test {
 protected:
  CcwsTest() {
    for (u32 slot = 0; slot < 4; ++slot) next[slot] = origin(slot, kLoad);
    MemoryOperation load;
    load.origin = origin(0, kLoad);
    load.requests.push_back({{}, Route::l1Data});
    policy.accessIssued(load);
    pick(0);
  }
  static mem::Origin origin(u32 slot, u32 pc) { return {.launch = 0, .pc = Pc(pc), .block = 5, .slot = static_cast<u16>(slot)}; }
  static mem::Request access(u32 slot, u64 address) {
    mem::Request request;
    request.address = GlobalAddress(address);
    request.origin = origin(slot, kLoad);
    return request;
  }
  // The warp brings a line, loses it, and asks for it again.
  void loseLocality(u32 slot, u64 now) {
    policy.cacheAccessed(access(slot, 0), false, Cycle{now});
    policy.lineEvicted(GlobalAddress(0), origin(slot, kLoad), Cycle{now});
    policy.cacheAccessed(access(slot, 0), false, Cycle{now});
  }
  // `ready` as bits.
  SlotId pick(u64 now, u64 ready = 0b1111) {
    constexpr WarpSet kAll = WarpSet::first(4);
    return policy.pick({WarpSet(ready), kAll, {}, {}, kAll, Cycle{now}, age, next});
  }

  // Four warps: the cutoff is 400.
  Ccws policy{{}, 128};
  std::vector<u64> age{3, 0, 1, 2};
  std::vector<mem::Origin> next = std::vector<mem::Origin>(64);
};

TEST_F(CcwsTest, WithoutLostLocalityItIsGreedyThenOldest) {
  EXPECT_EQ(pick(1), 0u) << "as before";
  policy.issued(SlotId{2});
  EXPECT_EQ(pick(2), 2u);
  EXPECT_EQ(pick(3, 0b1001), 3u) << "the oldest of those";
  EXPECT_EQ(policy.heldBack(), WarpSet(0));
}

// Eight times one hit, over 32 instructions, times 400: a score of 100, the base. Over 20: 160; the warps above stand at 260, 360 and 460.
TEST_F(CcwsTest, AMissThatWouldHaveBeenAHitGivesAScoreThatFades) {
  for (u32 i = 0; i < 20; ++i) policy.issued(SlotId{0});
  loseLocality(2, 1000);
  EXPECT_EQ(policy.score(SlotId{2}, Cycle{1000}), 160u);
  EXPECT_EQ(policy.score(SlotId{0}, Cycle{1000}), 100u);
  EXPECT_EQ(policy.throttled(Cycle{1000}), WarpSet(0b1000));
  EXPECT_EQ(policy.score(SlotId{2}, Cycle{1059}), 101u);
  EXPECT_EQ(policy.throttled(Cycle{1059}), WarpSet(0b1000)) << "401";
  EXPECT_EQ(policy.throttled(Cycle{1060}), WarpSet(0));
}

TEST_F(CcwsTest, LoadsOfTheOthersAreHeldBackUntilTheScoreHasFaded) {
  policy.issued(SlotId{3});
  loseLocality(3, 1000);  // 8 x 400: the warp stands alone
  EXPECT_EQ(policy.throttled(Cycle{1000}), WarpSet(0b0111));
  EXPECT_EQ(pick(1001), 3u);
  EXPECT_EQ(policy.heldBack(), WarpSet(0)) << "another could issue";
  EXPECT_EQ(pick(1002, 0b0101), kNoWarp);
  EXPECT_EQ(policy.heldBack(), WarpSet(0b0101));
  // Warp 0 comes first above: it may go when 3 has 300.
  EXPECT_EQ(policy.nextUseful(Cycle{1003}), Cycle{1000 + 3200 - 300});
  next[2].pc = Pc{kAdd};
  EXPECT_EQ(pick(1004, 0b0101), 2u) << "what is no load goes on";
}

TEST_F(CcwsTest, OnlyItsOwnLinesCountForAWarp) {
  policy.cacheAccessed(access(1, 0), false, Cycle{10});
  policy.lineEvicted(GlobalAddress(0), origin(1, kLoad), Cycle{11});
  policy.cacheAccessed(access(2, 0), false, Cycle{12});
  EXPECT_EQ(policy.throttled(Cycle{12}), WarpSet(0));
  mem::Request later = access(1, 0);
  later.origin.block = 6;  // the slot has another warp
  policy.cacheAccessed(later, false, Cycle{13});
  EXPECT_EQ(policy.throttled(Cycle{13}), WarpSet(0));
}

TEST_F(CcwsTest, HitsAndStoresAreNoLoss) {
  policy.cacheAccessed(access(1, 0), false, Cycle{10});
  policy.lineEvicted(GlobalAddress(0), origin(1, kLoad), Cycle{11});
  policy.cacheAccessed(access(1, 0), true, Cycle{12});
  mem::Request store = access(1, 0);
  store.type = mem::AccessType::globalWrite;
  policy.cacheAccessed(store, false, Cycle{12});
  EXPECT_EQ(policy.throttled(Cycle{12}), WarpSet(0));
}

}  // namespace
}  // namespace warpwright::sm
