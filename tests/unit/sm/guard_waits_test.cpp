#include "sm/guard_waits.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

constexpr u64 kFirst = 1, kThird = 4;

TEST(GuardWaits, APredicateWaitsUntilItIsSeen) {
  GuardWaits waits;
  EXPECT_FALSE(waits.awaits(kFirst));
  waits.set(kFirst | kThird);
  EXPECT_TRUE(waits.awaits(kFirst));
  EXPECT_TRUE(waits.awaits(kThird));
  EXPECT_FALSE(waits.awaits(2));
  EXPECT_FALSE(waits.awaits(0)) << "an instruction without a guard";
  waits.seen(kFirst);
  EXPECT_FALSE(waits.awaits(kFirst));
  EXPECT_TRUE(waits.awaits(kThird));
}

TEST(GuardWaits, EverySettingHasToBeSeen) {
  GuardWaits waits;
  waits.set(kFirst);
  waits.set(kFirst);
  waits.seen(kFirst);
  EXPECT_TRUE(waits.awaits(kFirst));
  waits.seen(kFirst);
  EXPECT_FALSE(waits.awaits(kFirst));
}

}  // namespace
}  // namespace warpwright::sm
