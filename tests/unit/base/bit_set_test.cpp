#include "base/bit_set.hpp"

#include <gtest/gtest.h>

#include <set>
#include <type_traits>
#include <vector>

namespace warpwright {
namespace {

using Set = BitSet<struct Number>;

std::vector<u32> membersOf(Set set) {
  std::vector<u32> members;
  for (const u32 member : set) members.push_back(member);
  return members;
}

TEST(BitSet, MembersInAscendingOrder) {
  EXPECT_TRUE(membersOf({}).empty());
  EXPECT_EQ(membersOf(Set(0b1010'0001)), (std::vector<u32>{0, 5, 7}));
  EXPECT_EQ(membersOf(Set::of(63) | Set::of(0)), (std::vector<u32>{0, 63}));
  EXPECT_EQ(membersOf(Set::range(62, 2)), (std::vector<u32>{62, 63}));
  EXPECT_EQ(Set::first(64).size(), 64u);
  EXPECT_EQ(Set::first(0), Set{});
}

TEST(BitSet, ChangingASetThatIsIterated) {
  Set set = Set::first(5);
  std::vector<u32> seen;
  for (const u32 member : set) {
    set.clear();
    seen.push_back(member);
  }
  EXPECT_EQ(seen, (std::vector<u32>{0, 1, 2, 3, 4}));
}

// Every operation as std::set has it, on all sets of a few numbers that lie at both ends.
TEST(BitSet, AsASetOfNumbers) {
  constexpr u32 kNumbers[] = {0, 1, 31, 32, 62, 63};
  for (u32 choice = 0; choice < 64; ++choice) {
    Set set;
    std::set<u32> model;
    for (u32 i = 0; i < 6; ++i) {
      if ((choice >> i & 1) == 0) continue;
      set.insert(kNumbers[i]);
      model.insert(kNumbers[i]);
    }
    EXPECT_EQ(membersOf(set), std::vector<u32>(model.begin(), model.end()));
    EXPECT_EQ(set.empty(), model.empty());
    EXPECT_EQ(static_cast<bool>(set), !model.empty());
    EXPECT_EQ(set.size(), model.size());
    EXPECT_EQ(set.hasOne(), model.size() == 1);
    for (u32 number = 0; number < 64; ++number) {
      EXPECT_EQ(set.contains(number), model.contains(number));
      EXPECT_EQ(membersOf(set.from(number)), std::vector<u32>(model.lower_bound(number), model.end()));
      EXPECT_EQ(membersOf(set.below(number)), std::vector<u32>(model.begin(), model.lower_bound(number)));
      if (model.empty()) continue;
      const auto next = model.lower_bound(number);
      EXPECT_EQ(set.nextFrom(number), next == model.end() ? *model.begin() : *next);
    }
    if (model.empty()) continue;
    EXPECT_EQ(set.least(), *model.begin());
    EXPECT_EQ(set.greatest(), *model.rbegin());
    EXPECT_EQ(set.takeLeast(), *model.begin());
    EXPECT_EQ(membersOf(set), std::vector<u32>(std::next(model.begin()), model.end()));
  }
}

TEST(BitSet, Operators) {
  const Set a(0b1100), b(0b1010);
  EXPECT_EQ(a | b, Set(0b1110));
  EXPECT_EQ(a & b, Set(0b1000));
  EXPECT_EQ(a ^ b, Set(0b0110));
  EXPECT_EQ(a - b, Set(0b0100));
  EXPECT_EQ(~a & b, b - a);
  EXPECT_TRUE(a.meets(b));
  EXPECT_FALSE(a.containsAll(b));
  EXPECT_TRUE(a.containsAll(a & b));
  Set c = a;
  c.set(2, false);
  c.set(0, true);
  c.erase(7);
  EXPECT_EQ(c, Set(0b1001));
  c ^= b;
  c |= a;
  c -= Set::of(1);
  c &= ~Set::of(3);
  EXPECT_EQ(c, Set(0b0101));
}

template <class A, class B>
concept Mixable = requires(A a, B b) {
  a | b;
};
static_assert(Mixable<Set, Set> && !Mixable<Set, BitSet<struct Other>> && !Mixable<Set, u64>, "sets of different kinds do not mix");
static_assert(sizeof(Set) == sizeof(u64));

// What takes an id of one kind takes no id of another, and a plain number only where that is written.
using NumberId = Id<struct Number>;
using OtherId = Id<struct Other>;
template <class To, class From>
concept Takes = requires(void (*take)(To), From from) {
  take(from);
};
template <class S, class Member>
concept Holds = requires(S set, Member member) {
  set.contains(member), set.insert(member), set.erase(member), S::of(member);
};
static_assert(Takes<NumberId, NumberId> && !Takes<NumberId, OtherId> && !Takes<NumberId, u32> &&
                  !std::is_constructible_v<NumberId, OtherId>,
              "ids of different kinds do not mix");
static_assert(Takes<u32, NumberId>, "an id indexes and computes");
static_assert(Holds<Set, NumberId> && Holds<Set, u32> && !Holds<Set, OtherId>, "a set has members of its own kind");
static_assert(std::is_same_v<decltype(*Set().begin()), NumberId> && std::is_same_v<decltype(Set().least()), NumberId>);
static_assert(sizeof(NumberId) == sizeof(u32));

}  // namespace
}  // namespace warpwright
