// What reports say of cycles that are extrapolated.
#include "machines/estimated_cycles.hpp"

#include <gtest/gtest.h>

#include "machines/timing_profile.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

TEST(EstimatedCycles, AsText) {
  EXPECT_EQ(estimateText({1234}), "1,234");
  // 1.96 standard errors of 10.
  EXPECT_EQ(estimateText({1000, 100}), "1,000 ± 1.96 %");
  EXPECT_EQ(estimateText({1000, stats::kEndless}), "1,000 (no interval: too little was timed)");
}

TEST(EstimatedCycles, AsData) {
  const stats::Json exact = estimateJson({1234});
  EXPECT_EQ(exact["cycles"], 1234.0);
  EXPECT_EQ(exact["extrapolated"], 0);
  EXPECT_EQ(exact["low"], 1234.0);
  EXPECT_EQ(exact["high"], 1234.0);
  const stats::Json estimated = estimateJson({1000, 100});
  EXPECT_EQ(estimated["extrapolated"], 1);
  EXPECT_NEAR(estimated["low"].get<double>(), 980.4, 0.001);
  EXPECT_NEAR(estimated["high"].get<double>(), 1019.6, 0.001);
  const stats::Json unknown = estimateJson({1000, stats::kEndless});
  EXPECT_TRUE(unknown["low"].is_null());
  EXPECT_TRUE(unknown["high"].is_null());
}

constexpr sampling::Sampled kSampled{.cycles = {1000, 100},
                                     .launches = 20,
                                     .timed = 5,
                                     .groups = 2,
                                     .unlike = 1,
                                     .besideOthers = 2,
                                     .warpInstructions = 400,
                                     .timedWarpInstructions = 100};

TEST(EstimatedCycles, SayWhatWasTimedAndWhyNotLess) {
  profile::TextPage page({});
  appendSampled(page, kSampled);
  const std::string text = page.take();
  EXPECT_NE(text.find("5 of 20 launches timed, in 2 groups; 25.0 % of the warp instructions"), std::string::npos) << text;
  EXPECT_NE(text.find("1 timed in full as they are like too few others"), std::string::npos) << text;
  EXPECT_NE(text.find("2 timed in full beside launches of other streams"), std::string::npos) << text;
  EXPECT_EQ(text.find("run again"), std::string::npos) << text;
  EXPECT_EQ(text.find("order"), std::string::npos) << text;
  const stats::Json data = sampledJson(kSampled);
  EXPECT_EQ(data["timed_launches"], 5);
  EXPECT_EQ(data["beside_others"], 2);
  EXPECT_EQ(data["not_replayable"], 0);
  EXPECT_EQ(data["executed_otherwise"], 0);
  EXPECT_NEAR(data["high"].get<double>(), 1019.6, 0.001);
}

TEST(EstimatedCycles, SayThatLaunchesDependOnTheOrderOfThreads) {
  sampling::Sampled sampled = kSampled;
  sampled.otherwise = 3;
  profile::TextPage page({});
  appendSampled(page, sampled);
  const std::string text = page.take();
  EXPECT_NE(text.find("3 executed other numbers of instructions when they were timed"), std::string::npos) << text;
  EXPECT_EQ(sampledJson(sampled)["executed_otherwise"], 3);
}

TEST(EstimatedCycles, OfAKernelAreThoseOfItsSample) {
  exec::LoadedProgram program;
  program.program.sourceName = "app.ptx";
  isa::Function kernel;
  kernel.name = "kernel";
  auto launch = std::make_shared<exec::Launch>();
  launch->program = &program;
  launch->kernel = &kernel;
  exec::LaunchRequest request;
  request.launch = launch;
  TimedResult timed;
  timed.cycles = 300;
  timed.estimate = {300};
  TimingProfile profile(config::loadMachine("gtx480"));
  profile.add(request, {}, timed, {});
  profile.addComputed(request, {310, 9});
  EXPECT_EQ(profile.sampled(), nullptr);
  profile.setSampled(request, kSampled, kSampled);
  const KernelTiming& timing = *profile.kernels().at(0);
  EXPECT_EQ(timing.counters.cycles, 300u);
  EXPECT_EQ(timing.counters.estimatedCycles, 1000u);
  EXPECT_EQ(timing.estimate.value, 1000);
  ASSERT_EQ(timing.computed.size(), 1u);
  EXPECT_EQ(timing.computed[0].number, 2u);
  ASSERT_NE(profile.sampled(), nullptr);
  EXPECT_EQ(profile.sampled()->launches, 20u);
  EXPECT_NE(profile.text(timing, nullptr, {}).find("ESTIMATED: 1,000 ± 1.96 % core cycles for 2 launches with all blocks"),
            std::string::npos);
}

// Without --sample it is the sum over launches of which blocks were left out.
TEST(EstimatedCycles, OfLaunchesAddUp) {
  exec::LoadedProgram program;
  isa::Function kernel;
  auto launch = std::make_shared<exec::Launch>();
  launch->program = &program;
  launch->kernel = &kernel;
  exec::LaunchRequest request;
  request.launch = launch;
  TimedResult timed;
  timed.estimate = {500, 8, 4};
  TimingProfile profile(config::loadMachine("gtx480"));
  for (int i = 0; i < 2; ++i) profile.add(request, {}, timed, {});
  const KernelTiming& timing = *profile.kernels().at(0);
  EXPECT_EQ(timing.estimate.value, 1000);
  EXPECT_EQ(timing.estimate.variance, 16);
  EXPECT_EQ(timing.estimate.degrees, 8);
  EXPECT_EQ(timing.counters.estimatedCycles, 1000u);
}

}  // namespace
}  // namespace warpwright::machines
