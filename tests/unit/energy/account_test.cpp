#include "energy/account.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "energy/counted_events.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::energy {
namespace {

constexpr Energy kOne = picojoules(0.5, 1, 2);

Account sample(u64 scale) {
  Account account;
  account.add("pipe", "int_add", 10 * scale, kOne);
  account.add("pipe", "fp32_fma", 3 * scale, 10 * kOne);
  account.add("l2", "read", 2 * scale, 100 * kOne);
  return account;
}

// 10 x 1 + 3 x 10 = 40 pJ, and 2 x 100.
TEST(Account, AddsCountsTimesEnergies) {
  const Account account = sample(1);
  EXPECT_DOUBLE_EQ(account.of("pipe").value, 40e-12);
  EXPECT_DOUBLE_EQ(account.of("l2").value, 200e-12);
  EXPECT_DOUBLE_EQ(account.total().low, 120e-12);
  EXPECT_DOUBLE_EQ(account.total().value, 240e-12);
  EXPECT_DOUBLE_EQ(account.total().high, 480e-12);
  EXPECT_EQ(account.find("pipe", "fp32_fma")->count, 3u);
  EXPECT_EQ(account.find("pipe", "special"), nullptr);
  EXPECT_EQ(account.of("dram"), Energy{});
}

TEST(Account, KeepsOneLineAnEvent) {
  Account account = sample(1);
  account.merge(sample(4));
  ASSERT_EQ(account.lines().size(), 3u);
  EXPECT_EQ(account.lines()[0].event, "int_add");
  EXPECT_EQ(account.lines()[0].count, 50u);
  EXPECT_DOUBLE_EQ(account.total().value, 1200e-12);
}

TEST(Account, SumsAreThoseOfTheParts) {
  stats::Conservation laws;
  const Account parts[] = {sample(1), sample(2), sample(7)};
  sample(10).check(laws);
  checkParts(sample(10), parts, laws);
  EXPECT_TRUE(laws.holds());
}

TEST(Account, RestIsWhatPartsLeave) {
  stats::Conservation laws;
  std::vector<Account> parts = {sample(1), sample(2)};
  parts[0].add("l2", "read", 1, kOne);  // the same event for another energy
  const Account whole = sample(10);
  Account left = whole.rest(parts);
  EXPECT_EQ(left.find("pipe", "int_add")->count, 70u);
  EXPECT_EQ(left.find("l2", "read")->count, 13u) << "20 less 6 and 1";
  EXPECT_DOUBLE_EQ(left.of("l2").value, (2000 - 600 - 1) * 1e-12);
  left.check(laws);
  parts.push_back(left);
  checkParts(whole, parts, laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
  EXPECT_EQ(sample(1).rest(std::vector{sample(2)}).total(), Energy{}) << "never less than nothing";
}

TEST(Account, ToldApartWhereAPartIsMissing) {
  stats::Conservation laws;
  const Account parts[] = {sample(1), sample(2)};
  checkParts(sample(10), parts, laws);
  ASSERT_EQ(laws.violations().size(), 6u);
  EXPECT_EQ(laws.violations()[0], "events of pipe.int_add is that of the parts: 100 is not 30");
  EXPECT_EQ(laws.violations()[1], "energy of pipe.int_add is that of the parts in fJ: 100000 is not 30000");
}

TEST(Account, ToldApartWhereAPartHasMore) {
  stats::Conservation laws;
  Account more = sample(1);
  more.add("dram", "read", 5, kOne);
  const Account parts[] = {more};
  checkParts(sample(1), parts, laws);
  ASSERT_EQ(laws.violations().size(), 1u);
  EXPECT_EQ(laws.violations()[0], "events of dram.read is that of the parts: 0 is not 5");
}

// The same count at another energy: by a millionth of a picojoule.
TEST(Account, ToldApartBelowAFemtojoule) {
  stats::Conservation laws;
  Account whole, part;
  whole.add("pipe", "int_add", 1, picojoules(1, 1, 1));
  part.add("pipe", "int_add", 1, picojoules(1, 1.000001, 1.1));
  const Account parts[] = {part};
  checkParts(whole, parts, laws);
  EXPECT_EQ(laws.violations().size(), 1u);
}

// 240 pJ in 2 us: 120 uW, 480e-18 J s, 960e-24 J s2.
TEST(Account, GivesPowerAndProductsWithTime) {
  const Figures figures = figuresOf(sample(1), 2e-6);
  EXPECT_DOUBLE_EQ(figures.energy.value, 240e-12);
  EXPECT_DOUBLE_EQ(figures.power.value, 120e-6);
  EXPECT_DOUBLE_EQ(figures.power.high, 240e-6);
  EXPECT_DOUBLE_EQ(figures.energyDelay.value, 480e-18);
  EXPECT_DOUBLE_EQ(figures.energyDelay2.value, 960e-24);
}

struct State {
  u64 evictions = 0;
  static constexpr void fields(auto&& field) { field("evictions", "lines", "displaced", &State::evictions); }
};
struct Mechanism {
  u64 reads = 0;
  State state;
  static constexpr void fields(auto&& field) {
    field("reads", "accesses", "looked up", &Mechanism::reads);
    field("state", "", "changes", &Mechanism::state);
  }
};

TEST(CountedEvents, AreNumbersOfTheMechanismsStatistics) {
  stats::NamedStatistics statistics;
  statistics.add("avc", stats::Structure<Mechanism>({.reads = 5, .state = {.evictions = 2}}));
  const CountedEvent events[] = {{"avc", "look_up", "avc", "reads", kOne},
                                 {"avc", "eviction", "avc", "state.evictions", 10 * kOne},
                                 {"avc", "leakage", "avc", "", 100 * kOne},
                                 {"avc", "other", "what no launch counted", "reads", kOne}};
  Account account;
  addCounted(account, events, statistics, 3);
  EXPECT_DOUBLE_EQ(account.of("avc").value, 325e-12);
  EXPECT_EQ(account.find("avc", "leakage")->count, 3u);
  EXPECT_EQ(account.find("avc", "eviction")->count, 2u);
}

TEST(CountedEvents, RefuseWhatNothingCounts) {
  stats::NamedStatistics statistics;
  statistics.add("avc", stats::Structure<Mechanism>({}));
  const CountedEvent events[] = {{"avc", "eviction", "avc", "state.eviction", kOne}};
  Account account;
  try {
    addCounted(account, events, statistics, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "did you mean 'state.evictions'?");
  }
}

}  // namespace
}  // namespace warpwright::energy
