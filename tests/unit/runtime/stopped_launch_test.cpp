// Launches that the timed machine stops, and what it says of them.
#include <gtest/gtest.h>

#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "runtime/device.hpp"

namespace warpwright::runtime {
namespace {

// wait: the first warp waits at a barrier for 64 threads, and the second has exited. spin: for ever. end: at once.
constexpr const char* kStoppedKernels = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry wait()
{
  .reg .u32 %r;
  .reg .pred %p;
  mov.u32 %r, %tid.x;
  setp.ge.u32 %p, %r, 32;
  @%p ret;
  bar.sync 1, 64;
  ret;
}
.visible .entry spin()
{
again:
  bra again;
}
.visible .entry end() { ret; }
)";

class StoppedLaunch : public ::testing::Test {
 protected:
  LaunchOutcome run(const std::string& kernel, const machines::TimingOptions& options) {
    Settings settings;
    settings.machine = config::loadMachine("gtx480", std::vector<std::string>{"chip.multiprocessors=2", "dram.t_refi=0", "dram.t_rfc=0"});
    settings.timing = options;
    device.emplace(settings);
    module = &device->loadModule(kStoppedKernels, "kernels.ptx");
    return launch(kernel);
  }

  LaunchOutcome launch(const std::string& kernel) {
    Launch launch;
    launch.module = module;
    launch.kernel = module->loaded->program.findFunction(kernel);
    launch.grid = {3, 1, 1};
    launch.block = {64, 1, 1};
    return device->launch(launch);
  }

  std::optional<Device> device;
  const Module* module = nullptr;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(StoppedLaunch, AfterAsManyCyclesAsItMayTake) {
  machines::TimingOptions options;
  options.most = Cycle{10'000};
  const LaunchOutcome outcome = run("spin", options);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::stopped);
  EXPECT_TRUE(contains(outcome.message, "stopped after 10000 cycles, as --max-cycles asks")) << outcome.message;
  const machines::TimingCounters& counters = device->timing().kernels().at(0)->counters;
  EXPECT_EQ(counters.failed, 1u);
  EXPECT_GE(counters.cycles, 10'000u);
  EXPECT_LT(counters.cycles, 10'100u);
  EXPECT_EQ(launch("end").status, exec::LaunchStatus::completed);
}

TEST_F(StoppedLaunch, WhenNothingCanHappenAnyMore) {
  for (const bool skip : {true, false}) {
    machines::TimingOptions options;
    options.skip = skip;
    const LaunchOutcome outcome = run("wait", options);
    EXPECT_EQ(outcome.status, exec::LaunchStatus::hang);
    EXPECT_TRUE(contains(outcome.message, "every warp waits for another, and nothing is under way; at cycle ")) << outcome.message;
    EXPECT_TRUE(contains(outcome.message, "SM 0: 2 warps at instruction 3 wait for other warps or lanes (barrier)")) << outcome.message;
    EXPECT_TRUE(contains(outcome.message, "SM 1: 1 warps at instruction 3 wait for other warps or lanes (barrier)")) << outcome.message;
    EXPECT_TRUE(contains(outcome.message, "in detail, SM 0:\n  block (0,0,0), warp 0, lanes 0-31: wait at barrier 1 (32 of 64 threads"))
        << outcome.message;
    EXPECT_TRUE(contains(outcome.message, "\n  block (0,0,0): barrier 1 waits for more threads than the block has left\n"))
        << outcome.message;
  }
}

TEST_F(StoppedLaunch, WhenItWaitsForTooLong) {
  machines::TimingOptions options;
  options.deadlockCycles = 100;  // less than the way of its first instruction from DRAM
  const LaunchOutcome outcome = run("end", options);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::hang);
  EXPECT_TRUE(contains(outcome.message, "no instruction was issued and no answer came from memory for 100 cycles; at cycle "))
      << outcome.message;
  EXPECT_TRUE(contains(outcome.message, "SM 0: 4 warps at instruction 6 wait for instructions")) << outcome.message;
}

TEST_F(StoppedLaunch, WhenNoBlockEnds) {
  machines::TimingOptions options;
  options.hangCycles = 5000;
  const LaunchOutcome outcome = run("spin", options);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::hang);
  EXPECT_TRUE(contains(outcome.message, "no block finished for 5000 cycles; at cycle ")) << outcome.message;
}

}  // namespace
}  // namespace warpwright::runtime
