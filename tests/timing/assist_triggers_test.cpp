// Assist warps on the timed machine: what triggers them and what they get and give, the same however they are simulated.
#include <gtest/gtest.h>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

// What the warp works with is what the routine has given back.
TEST(AssistWarps, GiveResultsBackToLoads) {
  const Ran without = run(fermi(2), kWork), with = run(withAssistWarps(fermi(2)), kWork + doubling());
  for (u32 i = 0; i < kRounds * kAll; ++i) {
    const u32 round = i / kAll, loaded = i * 7 % 11;
    ASSERT_EQ(without.memory[kRemainders + i], (loaded + round) % 3) << i;
    ASSERT_EQ(with.memory[kRemainders + i], (2 * loaded + round) % 3) << i;
  }
  EXPECT_EQ(with.counted.wordsOut, with.counted.deployedHigh);
}

TEST(AssistWarps, KnowTheAddressesOfLoads) {
  // The routine adds ten to what each load of the first launch has loaded, behind the warp's back.
  const Ran ran = run(withAssistWarps(fermi()), kWork + looping("assist on=atomic priority=high in=address", true));
  EXPECT_EQ(ran.counted.deployedHigh, kAll / 32);
}

// What the second level does not have is part of what the first level gets from there; the word that all warps load misses there once.
TEST(AssistWarps, OfTheSecondLevelAreToldOfItsMisses) {
  const auto ran = [](const char* trigger) {
    return run(withAssistWarps(fermi(2)), kWork + looping(std::string("assist priority=high in=address on=") + trigger, true));
  };
  const Ran first = ran("miss"), filled = ran("fill"), second = ran("miss:l2");
  const mem::CacheStats& cache = second.result.stats.memory.partition.l2;
  EXPECT_GT(second.counted.triggered, 0u);
  EXPECT_LE(second.counted.triggered, cache.misses[mem::AccessType::globalRead] + cache.merges[mem::AccessType::globalRead]);
  EXPECT_LT(second.counted.triggered, filled.counted.triggered);
  EXPECT_LE(filled.counted.triggered, first.counted.triggered);
}

class Annotations : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, Annotations,
                         ::testing::Values("on=load priority=high", "on=store priority=normal", "on=atomic priority=low",
                                           "on=miss priority=high", "on=miss:l2 priority=high", "on=miss:l2 priority=low",
                                           "on=miss priority=low", "on=fill priority=normal", "on=idle priority=low",
                                           "on=idle priority=high", "on=divergence priority=high", "on=launch priority=low",
                                           "on=timer:70 priority=normal", "on=timer:33 priority=high lanes=0xff", "on=line:21 priority=low",
                                           "on=load,store,miss,idle,timer:50 priority=low"));

// However many threads of the host there are, and whether cycles in which nothing happens are jumped over.
TEST_P(Annotations, AreTheSameHoweverTheyAreSimulated) {
  Machine machine = fermi(3);
  machine.schedulersPerSm = 2;
  const auto narrow = [](Settings& settings) {
    settings.width = 1;
    settings.mostLive = 3;
    settings.entries = 6;
    settings.window = 64;
    settings.busyPercent = 30;
    settings.unitPercent = 20;
    settings.idlePercent = 20;
  };
  machine = withAssistWarps(machine, narrow);
  const std::string code = kWork + looping(std::string("assist ") + GetParam());
  const Ran first = run(machine, code);
  EXPECT_EQ(first.memory, run(fermi(3), kWork).memory) << "the program's results";
  EXPECT_GT(first.counted.deployed(), 0u);
  EXPECT_LE(first.counted.deployedLow == 0 ? 0 : first.counted.mostLive.value, 3u);
  for (const u32 threads : {2u, 8u}) {
    machines::TimingOptions options;
    options.threads = threads;
    EXPECT_EQ(run(machine, code, options).all, first.all) << threads;
  }
  machines::TimingOptions each;
  each.skip = false;
  EXPECT_EQ(run(machine, code, each).all, first.all);
}

}  // namespace
}  // namespace warpwright::assist_tests
