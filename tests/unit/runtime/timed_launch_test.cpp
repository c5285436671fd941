// Launches of a timed device: time, profile, laws.
#include <gtest/gtest.h>

#include <cstring>

#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "runtime/device.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

// out[i] = %globaltimer, for every thread i of the grid.
constexpr const char* kTimes = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry times(.param .u64 out)
{
  .reg .u32 %r<4>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %d1, %r3, 8;
  add.u64 %d2, %d0, %d1;
  mov.u64 %d3, %globaltimer;
  st.global.u64 [%d2], %d3;
  ret;
}
)";

constexpr u32 kTimedBlocks = 40, kTimedThreads = 64;

struct Prepared {
  explicit Prepared(u32 threads, bool timed = true) : device(settings(threads, timed)) {
    out = device.memory().allocate(kTimedBlocks * kTimedThreads * sizeof(u64), exec::AllocationKind::device).value();
    launch.module = &device.loadModule(kTimes, "times.ptx");
    launch.kernel = launch.module->loaded->program.findFunction("times");
    launch.grid = {kTimedBlocks, 1, 1};
    launch.block = {kTimedThreads, 1, 1};
    launch.parameters.resize(launch.kernel->parameterBytes);
    std::memcpy(launch.parameters.data(), &out, sizeof out);
  }

  static Settings settings(u32 threads, bool timed) {
    Settings settings;
    settings.machine = config::loadMachine("gtx480");
    if (!timed) return settings;
    settings.timing.emplace();
    settings.timing->threads = threads;
    return settings;
  }

  Device device;
  Launch launch;
  u64 out = 0;
};

TEST(TimedLaunch, TakesItsCyclesAndKeepsTheLaws) {
  Prepared run(1);
  const LaunchOutcome outcome = run.device.launch(run.launch);
  ASSERT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
  const machines::KernelTiming& kernel = *run.device.timing().kernels().at(0);
  EXPECT_TRUE(kernel.violations.empty()) << kernel.violations.front();
  EXPECT_EQ(outcome.nanoseconds, kernel.counters.cycles * 1'000'000 / 700'000);
  EXPECT_EQ(kernel.counters.blocks, kTimedBlocks);
  EXPECT_EQ(kernel.counters.gpu.sm.warpInstructions, outcome.warpInstructions);
}

TEST(TimedLaunch, GlobalTimerRunsFromTheLaunch) {
  Prepared run(1);
  for (const u64 start : {u64{0}, u64{5'000'000}}) {
    run.launch.startNanoseconds = start;
    const LaunchOutcome outcome = run.device.launch(run.launch);
    const auto* times = reinterpret_cast<const u64*>(exec::GlobalMemory::hostPointer(GlobalAddress(run.out)));
    for (u32 i = 0; i < kTimedBlocks * kTimedThreads; ++i) {
      ASSERT_GE(times[i] + 2, start);  // rounded down to whole nanoseconds, twice
      ASSERT_LE(times[i], start + outcome.nanoseconds);
    }
  }
}

TEST(TimedLaunch, ProfileIsThatOfTheFunctionalMachine) {
  stats::Json functional, parallel;
  for (const bool timed : {false, true}) {
    Prepared run(3, timed);
    run.device.launch(run.launch);
    (timed ? parallel : functional) = run.device.profile().data();
  }
  for (stats::Json* each : {&functional, &parallel}) (*each)["kernels"][0].erase("nanoseconds");
  EXPECT_EQ(functional, parallel);
}

}  // namespace
}  // namespace warpwright::runtime
