// Launches that are executed first, and timed as far as that is needed: results, times and their intervals beside those of full runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "profile/profile.hpp"
#include "square_program.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

using testing::kMostBlocks;
using testing::kThreads;
using Program = testing::SquareProgram;

TEST(SampledLaunches, ComputeEverythingAndTimeAPart) {
  Program whole(std::nullopt), sampled(0.03);
  for (Program* run : {&whole, &sampled})
    for (u32 i = 0; i < 30; ++i) EXPECT_EQ(run->launch(40, 20).status, exec::LaunchStatus::completed);
  EXPECT_EQ(sampled.result(), whole.result());
  const machines::KernelTiming& kernel = sampled.timing();
  ASSERT_TRUE(kernel.sampled);
  EXPECT_EQ(kernel.sampled->launches, 30u);
  EXPECT_EQ(kernel.sampled->groups, 1u);
  EXPECT_LT(kernel.sampled->timed, 10u);
  EXPECT_GE(kernel.sampled->timed, 4u);
  EXPECT_EQ(kernel.launches.size(), kernel.sampled->timed);
  EXPECT_EQ(kernel.launches.size() + kernel.computed.size(), 30u);
  const auto truth = static_cast<double>(whole.timing().counters.cycles);
  EXPECT_NEAR(kernel.estimate.value / truth, 1, 0.03);
  EXPECT_LE(kernel.estimate.relativeError(), 0.03);
  EXPECT_EQ(kernel.counters.estimatedCycles, static_cast<u64>(std::llround(kernel.estimate.value)));
  EXPECT_NEAR(static_cast<double>(sampled.end) / static_cast<double>(whole.end), 1, 0.03);
  EXPECT_TRUE(kernel.violations.empty()) << kernel.violations.front();
}

// Launches of one block go to one SM after the other; each finds the code where such a block has run before, timed or not. It takes a
// fourth of a launch as small as this to bring it.
TEST(SampledLaunches, FindTheirCodeWhereBlocksHaveRun) {
  Program whole(std::nullopt, "", {}, 15), sampled(0.2, "", {}, 15);
  for (Program* run : {&whole, &sampled})
    for (u32 i = 0; i < 200; ++i) run->launch(1, 1);
  EXPECT_LT(sampled.timing().sampled->timed, 20u);
  EXPECT_NEAR(sampled.timing().estimate.value / static_cast<double>(whole.timing().counters.cycles), 1, 0.1);
}

TEST(SampledLaunches, TheProfileIsThatOfAllLaunches) {
  stats::Json whole, sampled;
  for (const bool samples : {false, true}) {
    Program run(samples ? std::optional(0.03) : std::nullopt);
    for (u32 i = 0; i < 6; ++i) run.launch(40, 20);
    (samples ? sampled : whole) = run.device->profile().data();
  }
  for (stats::Json* each : {&whole, &sampled}) (*each)["kernels"][0].erase("nanoseconds");
  EXPECT_EQ(sampled, whole);
}

TEST(SampledLaunches, ThoseLikeNoOtherAreTimedAsInAFullRun) {
  struct Outcome {
    u64 words, cycles, end;
    std::vector<u32> result;
  };
  // One after the other, so that the words of both lie at the same address, on which the DRAM's banks depend.
  const auto runWith = [](std::optional<double> error) {
    Program program(error);
    for (u32 rounds = 1; rounds < 100; rounds *= 3) program.launch(40, rounds);
    if (error) {
      EXPECT_EQ(program.timing().sampled->unlike, 5u);
      EXPECT_TRUE(program.timing().estimate.isExact());
    }
    return Outcome{program.words, program.timing().counters.cycles, program.end, program.result()};
  };
  const Outcome whole = runWith(std::nullopt), sampled = runWith(0.03);
  ASSERT_EQ(sampled.words, whole.words);
  EXPECT_EQ(sampled.cycles, whole.cycles);
  EXPECT_EQ(sampled.end, whole.end);
  EXPECT_EQ(sampled.result, whole.result);
}

TEST(SampledLaunches, OfALargeGridBlocksAreLeftOut) {
  Program whole(std::nullopt), sampled(0.05);
  for (Program* run : {&whole, &sampled}) run->launch(kMostBlocks, 20);
  EXPECT_EQ(sampled.result(), whole.result());
  const machines::KernelTiming& kernel = sampled.timing();
  EXPECT_EQ(kernel.counters.sampled, 1u);
  EXPECT_LT(kernel.counters.blocks, kMostBlocks / 2);
  const auto truth = static_cast<double>(whole.timing().counters.cycles);
  EXPECT_NEAR(kernel.estimate.value / truth, 1, 0.1);
  EXPECT_FALSE(kernel.estimate.isExact());
  EXPECT_LE(kernel.estimate.relativeError(), 0.06);
  EXPECT_LT(kernel.sampled->timedWarpInstructions, kernel.sampled->warpInstructions / 2);
  EXPECT_TRUE(kernel.violations.empty()) << kernel.violations.front();
}

// The later half of the blocks waits for memory longer. The first blocks do not show it: their work, by accesses and branches, is the same.
// As there are two kinds of blocks, an interval is wide until much of the grid is timed.
TEST(SampledLaunches, OfALargeGridBlocksAllOverItAreTimed) {
  Program whole(std::nullopt), sampled(0.5);
  for (Program* run : {&whole, &sampled}) run->launch(kMostBlocks, kMostBlocks / 2, "drift");
  const machines::KernelTiming& kernel = sampled.timing("drift");
  const auto truth = static_cast<double>(whole.timing("drift").counters.cycles);
  EXPECT_EQ(kernel.counters.sampled, 1u);
  EXPECT_LT(kernel.counters.blocks, kMostBlocks / 2);
  EXPECT_NEAR(kernel.estimate.value, truth, kernel.estimate.error());
  EXPECT_LE(kernel.estimate.relativeError(), 0.55);
}

// Spread over the grid, it would never end.
TEST(SampledLaunches, BlocksThatWaitForOthersRunInTheirOrder) {
  Program run(0.03);
  EXPECT_EQ(run.launch(kMostBlocks, 1, "chain").status, exec::LaunchStatus::completed);
  EXPECT_TRUE(std::all_of(run.data(), run.data() + kMostBlocks, [](u32 word) { return word == 1; }));
}

TEST(SampledLaunches, PrintOnce) {
  Program run(0.03);
  for (u32 i = 0; i < 5; ++i) run.launch(1, 1, "print");
  std::string expected;
  for (u32 i = 0; i < 5 * kThreads; ++i) expected += "hi\n";
  EXPECT_EQ(run.printed, expected);
}

TEST(SampledLaunches, FailAsTheyWould) {
  Program run(0.03);
  run.launch(40, 20);
  const LaunchOutcome outcome = run.launch(40, 20, "square", true);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::illegalAddress);
  EXPECT_FALSE(outcome.message.empty());
  EXPECT_EQ(run.launch(40, 20).status, exec::LaunchStatus::completed);
}

TEST(SampledLaunches, WhatCannotBePutBackIsTimedInFull) {
  Program run(0.03);
  for (u32 i = 0; i < 8; ++i) run.launch(1, 1, "allocate");
  const machines::KernelTiming& kernel = run.timing("allocate");
  EXPECT_EQ(kernel.sampled->notReplayable, 8u);
  EXPECT_EQ(kernel.sampled->timed, 8u);
  EXPECT_TRUE(kernel.estimate.isExact());
  EXPECT_EQ(run.device->timing().sampled()->notReplayable, 8u);
}

TEST(SampledLaunches, SideBySideTheyAreTimedInFull) {
  Program run(0.03);
  for (u32 round = 0; round < 6; ++round) {
    for (u32 i = 0; i < 2; ++i) {
      Launch launch = run.make(1, 200);
      run.device->announce(launch);
      run.device->submit(launch, [&](const LaunchOutcome& outcome) { run.end = std::max(run.end, outcome.endNanoseconds); });
    }
    run.device->run();
  }
  EXPECT_EQ(run.timing().sampled->besideOthers, 12u);
  EXPECT_EQ(run.timing().counters.besideOthers, 12u);
}

TEST(SampledLaunches, TheReportSaysWhatIsExtrapolated) {
  Program run(0.03);
  for (u32 i = 0; i < 12; ++i) run.launch(40, 20);
  const machines::KernelTiming& kernel = run.timing();
  const std::string table = run.device->timing().text(kernel, nullptr, {});
  EXPECT_NE(table.find("ESTIMATED: "), std::string::npos) << table;
  EXPECT_NE(table.find("core cycles for 12 launches with all blocks"), std::string::npos) << table;
  EXPECT_NE(table.find(" of 12 launches timed, in 1 groups"), std::string::npos) << table;
  stats::Json report = run.device->profile().data();
  run.device->timing().addTo(report, run.device->profile());
  const stats::Json& timing = report["kernels"][0]["timing"];
  EXPECT_EQ(timing["sampled"]["launches"], 12);
  EXPECT_EQ(timing["sampled"]["timed_launches"], kernel.launches.size());
  EXPECT_EQ(timing["computed_launches"].size(), kernel.computed.size());
  EXPECT_EQ(timing["estimate"]["extrapolated"], 1);
  EXPECT_LE(timing["estimate"]["low"], timing["estimate"]["cycles"]);
  EXPECT_GE(timing["estimate"]["high"], timing["estimate"]["cycles"]);
  EXPECT_EQ(report["sampled"]["cycles"], timing["estimate"]["cycles"]);
}

}  // namespace
}  // namespace warpwright::runtime
