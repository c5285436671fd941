// Launches that are executed first, and timed as far as that is needed: results, times and their intervals beside those of full runs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "runtime/device.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

// words[thread of the grid] is multiplied by itself `rounds` times, so that running a launch twice shows.
constexpr const char* kSquare = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry square(.param .u64 words, .param .u32 rounds)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [words];
  ld.param.u32 %r0, [rounds];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %d1, %r4, 4;
  add.u64 %d2, %d0, %d1;
  ld.global.u32 %r5, [%d2];
again:
  mad.lo.u32 %r5, %r5, %r5, %r4;
  sub.u32 %r0, %r0, 1;
  setp.ne.u32 %p, %r0, 0;
  @%p bra again;
  st.global.u32 [%d2], %r5;
  ret;
}
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 list);
.global .align 1 .b8 said[4] = {104, 105, 10, 0};
.visible .entry print(.param .u64 words, .param .u32 rounds)
{
  .reg .u32 %r<2>;
  .reg .u64 %d<4>;
  mov.u64 %d0, said;
  cvta.global.u64 %d1, %d0;
  {
    .param .b64 format;
    st.param.b64 [format], %d1;
    .param .b64 list;
    st.param.b64 [list], 0;
    .param .b32 result;
    call.uni (result), vprintf, (format, list);
    ld.param.b32 %r0, [result];
  }
  ret;
}
.extern .func (.param .b64 result) malloc (.param .b64 bytes);
.visible .entry allocate(.param .u64 words, .param .u32 rounds)
{
  .reg .u64 %d<4>;
  {
    .param .b64 bytes;
    st.param.b64 [bytes], 64;
    .param .b64 result;
    call.uni (result), malloc, (bytes);
    ld.param.b64 %d0, [result];
  }
  ret;
}
)";

constexpr u32 kThreads = 64, kMostBlocks = 2000;

struct Program {
  explicit Program(std::optional<double> error) {
    Settings settings;
    settings.machine = config::loadMachine("gtx480", std::vector<std::string>{"chip.multiprocessors=2"});
    settings.timing.emplace();
    settings.sampleError = error;
    settings.print = [this](std::string_view words) { printed += words; };
    device.emplace(settings);
    module = &device->loadModule(kSquare, "square.ptx");
    words = device->memory().allocate(kMostBlocks * kThreads * sizeof(u32), exec::AllocationKind::device).value();
    for (u32 i = 0; i < kMostBlocks * kThreads; ++i) data()[i] = 3 * i + 1;
  }

  u32* data() { return reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(words))); }
  std::vector<u32> result() { return {data(), data() + kMostBlocks * kThreads}; }

  Launch make(u32 blocks, u32 rounds, const std::string& kernel = "square", bool faulty = false) {
    Launch launch;
    launch.module = module;
    launch.kernel = module->loaded->program.findFunction(kernel);
    launch.grid = {blocks, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    const GlobalAddress at = faulty ? GlobalAddress{} : GlobalAddress(words);
    std::memcpy(launch.parameters.data(), &at, sizeof at);
    std::memcpy(launch.parameters.data() + launch.kernel->parameters[1].offset, &rounds, sizeof rounds);
    launch.startNanoseconds = end;
    return launch;
  }
  LaunchOutcome launch(u32 blocks, u32 rounds, const std::string& kernel = "square", bool faulty = false) {
    const LaunchOutcome outcome = device->launch(make(blocks, rounds, kernel, faulty));
    end = outcome.endNanoseconds;
    return outcome;
  }

  const machines::KernelTiming& timing(const char* kernel = "square") const { return *device->timing().find(kernel, "square.ptx"); }

  std::optional<Device> device;
  const Module* module = nullptr;
  u64 words = 0, end = 0;
  std::string printed;
};

TEST(SampledLaunches, ComputeEverythingAndTimeAPart) {
  Program whole(std::nullopt), sampled(0.03);
  for (Program* run : {&whole, &sampled})
    for (u32 i = 0; i < 30; ++i) EXPECT_EQ(run->launch(40, 20).status, exec::LaunchStatus::completed);
  EXPECT_EQ(sampled.result(), whole.result());
  const machines::KernelTiming& kernel = sampled.timing();
  ASSERT_TRUE(kernel.sampled);
  EXPECT_EQ(kernel.sampled->launches, 30u);
  EXPECT_EQ(kernel.sampled->groups, 1u);
  EXPECT_LT(kernel.sampled->timed, 12u);
  EXPECT_GE(kernel.sampled->timed, 6u);
  EXPECT_EQ(kernel.launches.size(), kernel.sampled->timed);
  EXPECT_EQ(kernel.launches.size() + kernel.computed.size(), 30u);
  const auto truth = static_cast<double>(whole.timing().counters.cycles);
  EXPECT_NEAR(kernel.estimate.value / truth, 1, 0.03);
  EXPECT_LE(kernel.estimate.relativeError(), 0.03);
  EXPECT_EQ(kernel.counters.estimatedCycles, static_cast<u64>(std::llround(kernel.estimate.value)));
  EXPECT_NEAR(static_cast<double>(sampled.end) / static_cast<double>(whole.end), 1, 0.03);
  EXPECT_TRUE(kernel.violations.empty()) << kernel.violations.front();
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
