#include "sm/register_set.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

RegisterSet of(std::initializer_list<u32> registers, std::initializer_list<u32> predicates = {}) {
  RegisterSet set;
  for (const u32 number : registers) set.addRegister(number);
  for (const u32 number : predicates) set.addPredicate(number);
  return set;
}

TEST(RegisterSet, RegistersAndPredicatesOfOneNumberDiffer) {
  EXPECT_FALSE(of({0, 63, 64, 254}).intersects(of({}, {0, 62})));
  EXPECT_FALSE(of({}, {5}).intersects(of({5, 64 + 5, 128 + 5, 192 + 5})));
  EXPECT_TRUE(of({}, {62}).intersects(of({}, {62})));
}

TEST(RegisterSet, EveryRegisterIsAMemberOfItsOwn) {
  for (u32 a = 0; a < RegisterSet::kRegisters; ++a)
    for (u32 b = 0; b < RegisterSet::kRegisters; ++b) ASSERT_EQ(of({a}).intersects(of({b})), a == b) << a << " " << b;
}

TEST(RegisterSet, UnionAndDifference) {
  RegisterSet set = of({1, 100}, {3});
  set |= of({200}, {4});
  EXPECT_EQ(set, of({1, 100, 200}, {3, 4}));
  set -= of({100, 7}, {3});
  EXPECT_EQ(set, of({1, 200}, {4}));
  set -= set;
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(of({}, {0}).empty());
}

}  // namespace
}  // namespace warpwright::sm
