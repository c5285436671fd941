// Launches that the timed machine runs side by side.
#include <gtest/gtest.h>

#include <cstring>

#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "runtime/device.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

// out[thread] = a chain of `rounds` dependent operations; a null `out` is a fault at the end.
constexpr const char* kSpin = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry spin(.param .u64 out, .param .u32 rounds)
{
  .reg .u32 %r<4>;
  .reg .u64 %d<4>;
  .reg .pred %p;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [rounds];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d2, %d0, %d1;
again:
  mad.lo.u32 %r1, %r1, %r1, %r0;
  sub.u32 %r0, %r0, 1;
  setp.ne.u32 %p, %r0, 0;
  @%p bra again;
  st.global.u32 [%d2], %r1;
  ret;
}
)";

constexpr u32 kSideThreads = 32, kRounds = 500;

class SideBySide : public ::testing::Test {
 protected:
  static Settings settings(const std::vector<std::string>& changes, machines::TimingOptions options = {}) {
    Settings settings;
    settings.machine = config::loadMachine("gtx480", changes);
    settings.timing = options;
    return settings;
  }

  void start(const Settings& settings) {
    device.emplace(settings);
    module = &device->loadModule(kSpin, "spin.ptx");
  }

  Launch launch(u32 blocks = 1, u32 rounds = kRounds, bool faulty = false) {
    Launch launch;
    launch.module = module;
    launch.kernel = module->loaded->program.findFunction("spin");
    launch.grid = {blocks, 1, 1};
    launch.block = {kSideThreads, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    const GlobalAddress out =
        faulty ? GlobalAddress{} : device->memory().allocate(kSideThreads * sizeof(u32), exec::AllocationKind::device).value();
    std::memcpy(launch.parameters.data(), &out, sizeof out);
    std::memcpy(launch.parameters.data() + launch.kernel->parameters[1].offset, &rounds, sizeof rounds);
    device->announce(launch);
    return launch;
  }

  // Adds to `ends` at its own end, and then submits the next `more` launches one after the other.
  void submit(const Launch& first, u32 more = 0) {
    device->submit(first, [this, more](const LaunchOutcome& outcome) {
      outcomes.push_back(outcome);
      if (more == 0) return;
      Launch next = launch();
      next.startNanoseconds = outcome.endNanoseconds;
      submit(next, more - 1);
    });
  }

  u64 aloneNanoseconds() {
    start(settings({"chip.multiprocessors=4"}));
    return device->launch(launch()).nanoseconds;
  }

  std::optional<Device> device;
  const Module* module = nullptr;
  std::vector<LaunchOutcome> outcomes;  // in the order of their ends
};

TEST_F(SideBySide, AsManyLaunchesAsSmsTakeTheTimeOfOne) {
  const u64 alone = aloneNanoseconds();
  start(settings({"chip.multiprocessors=4"}));
  for (u32 i = 0; i < 4; ++i) submit(launch());
  device->run();
  ASSERT_EQ(outcomes.size(), 4u);
  for (const LaunchOutcome& outcome : outcomes) EXPECT_LT(outcome.endNanoseconds, alone * 11 / 10);
  for (const machines::LaunchTiming& each : device->timing().kernels().at(0)->launches) EXPECT_EQ(each.counters.besideOthers, 1u);
  EXPECT_TRUE(device->timing().kernels().at(0)->violations.empty());
}

TEST_F(SideBySide, OneAfterTheOtherTheyTakeAsManyTimes) {
  const u64 alone = aloneNanoseconds();
  start(settings({"chip.multiprocessors=4"}));
  submit(launch(), 3);
  device->run();
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_GT(outcomes.back().endNanoseconds, 3 * alone);
  EXPECT_LT(outcomes.back().endNanoseconds, 4 * alone + 4);
  for (const machines::LaunchTiming& each : device->timing().kernels().at(0)->launches) EXPECT_EQ(each.counters.besideOthers, 0u);
}

TEST_F(SideBySide, AChainIsTheSameHoweverItIsSubmitted) {
  start(settings({"chip.multiprocessors=4"}));
  submit(launch(), 2);
  device->run();
  std::vector<u64> ends;
  for (const LaunchOutcome& outcome : outcomes) ends.push_back(outcome.endNanoseconds);
  start(settings({"chip.multiprocessors=4"}));
  u64 end = 0;
  for (const u64 expected : ends) {
    Launch next = launch();
    next.startNanoseconds = end;
    submit(next);
    device->run();
    end = outcomes.back().endNanoseconds;
    EXPECT_EQ(end, expected);
  }
}

TEST_F(SideBySide, TheNextOfAStreamBeginsWhileOthersRun) {
  start(settings({"chip.multiprocessors=2"}));
  submit(launch(1, 10 * kRounds));
  submit(launch(), 2);
  device->run();
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_LT(outcomes[2].endNanoseconds, outcomes[3].endNanoseconds / 2) << "the three short ones end long before the long one";
}

TEST_F(SideBySide, ALaunchDoesNotBeginBeforeItsTime) {
  const u64 alone = aloneNanoseconds();
  start(settings({"chip.multiprocessors=2"}));
  Launch later = launch();
  later.startNanoseconds = 100'000;
  submit(later);
  submit(launch());
  device->run();
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_LT(outcomes[0].endNanoseconds, alone + 2);
  EXPECT_GE(outcomes[1].endNanoseconds, 100'000 + alone * 9 / 10) << "its code is in the caches by then";
  EXPECT_LT(outcomes[1].endNanoseconds, 100'100 + alone);
}

TEST_F(SideBySide, BlocksOfHigherPriorityGoFirst) {
  start(settings({"chip.multiprocessors=1", "sm.blocks=1"}));
  submit(launch(20));
  Launch urgent = launch(2);
  urgent.priority = -1;
  submit(urgent);
  device->run();
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].blocksDone, 2u);
  EXPECT_EQ(outcomes[1].blocksDone, 20u);
}

TEST_F(SideBySide, AFaultEndsThemAll) {
  start(settings({"chip.multiprocessors=2"}));
  submit(launch(1, 100 * kRounds));
  submit(launch(1, kRounds, true));
  device->run();
  ASSERT_EQ(outcomes.size(), 2u);
  for (const LaunchOutcome& outcome : outcomes) EXPECT_EQ(outcome.status, exec::LaunchStatus::illegalAddress) << outcome.message;
  outcomes.clear();
  submit(launch());
  device->run();
  EXPECT_EQ(outcomes.at(0).status, exec::LaunchStatus::completed);
}

TEST_F(SideBySide, ASampledLaunchComputesAllOfItsBlocksAndIsEstimated) {
  start(settings({"chip.multiprocessors=2"}));
  const LaunchOutcome whole = device->launch(launch(400));
  Settings sampled = settings({"chip.multiprocessors=2"});
  sampled.sample = machines::parseBlockSample("25%");
  start(sampled);
  const Launch part = launch(400);
  u64 out = 0;
  std::memcpy(&out, part.parameters.data(), sizeof out);
  const LaunchOutcome outcome = device->launch(part);
  EXPECT_EQ(outcome.blocksDone, 400u);
  EXPECT_EQ(outcome.threadInstructions, whole.threadInstructions);
  EXPECT_NEAR(static_cast<double>(outcome.nanoseconds) / static_cast<double>(whole.nanoseconds), 1, 0.03);
  const machines::TimingCounters& counters = device->timing().kernels().at(0)->counters;
  EXPECT_EQ(counters.sampled, 1u);
  EXPECT_EQ(counters.blocks, 100u);
  EXPECT_EQ(counters.gridBlocks, 400u);
  EXPECT_LT(counters.cycles * 3, counters.estimatedCycles);
  EXPECT_NE(device->timing().text(*device->timing().kernels().at(0), nullptr, {}).find("ESTIMATED"), std::string::npos);
  EXPECT_NE(*reinterpret_cast<const u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(out))), 0u);
}

TEST_F(SideBySide, TheSameBitsHoweverTheyAreSimulated) {
  std::vector<std::string> reports;
  for (const auto& [threads, skip] : {std::pair{1u, true}, {3u, true}, {2u, false}}) {
    machines::TimingOptions options;
    options.threads = threads;
    options.skip = skip;
    start(settings({"chip.multiprocessors=3"}, options));
    submit(launch(7), 2);
    submit(launch(2), 3);
    device->run();
    stats::Json report = device->profile().data();
    device->timing().addTo(report, device->profile());
    reports.push_back(report.dump());
  }
  EXPECT_EQ(reports[1], reports[0]);
  EXPECT_EQ(reports[2], reports[0]);
}

}  // namespace
}  // namespace warpwright::runtime
