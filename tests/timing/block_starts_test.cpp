// How fast blocks start.
#include <gtest/gtest.h>

#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using testing::Assembler;
using testing::fermi;
using testing::TimedMachine;

isa::Program nothing() {
  Assembler code;
  code.program.addressBits = 64;
  code.exit();
  code.function("k").registers = 8;
  return code.program;
}

u64 cyclesOf(const Machine& config, u32 blocks) { return TimedMachine(config).run(nothing(), {blocks}, {32}).cycles; }

// Sixteen SMs take what starts; blocks beyond a thousand take the time of their starts.
TEST(BlockStarts, TakeTheRatesTime) {
  Machine config = fermi(16);
  for (const u32 rate : {100u, 500u, 841u}) {
    config.sm.blockStarts = rate;
    const u64 more = cyclesOf(config, 3000) - cyclesOf(config, 1000);
    EXPECT_NEAR(static_cast<double>(more), 2000 * 1000.0 / rate, 2.0 * config.network.injectionLatency) << "but for quanta, " << rate;
  }
}

// A rate that SMs cannot keep up with changes nothing.
TEST(BlockStarts, ALimitThatIsNeverMetChangesNothing) {
  Machine config = fermi(2);
  const u64 without = cyclesOf(config, 200);
  config.sm.blockStarts = 1'000'000;
  EXPECT_EQ(cyclesOf(config, 200), without);
}

// Time in which nothing happens is left out, and the rate counts it all the same.
TEST(BlockStarts, SkippingChangesNothing) {
  Machine config = fermi(4);
  config.sm.launchLatency = 700;
  for (const u32 rate : {3u, 40u, 900u}) {
    config.sm.blockStarts = rate;
    machines::TimingOptions options;
    const u64 skipping = TimedMachine(config, options).run(nothing(), {60}, {32}).cycles;
    options.skip = false;
    EXPECT_EQ(TimedMachine(config, options).run(nothing(), {60}, {32}).cycles, skipping) << rate;
  }
}

// data/hardware/h100/launches.csv: 10.976 us for 16896 blocks of a warp.
TEST(BlockStarts, TakeWhatTheH100Measured) {
  Machine config = config::loadMachine("h100");
  config.sm.perfectFetch = true;
  const u64 cycles = cyclesOf(config, 16896);
  EXPECT_NEAR(static_cast<double>(cycles) * 1e3 / static_cast<double>(config.coreClockKhz), 10.976, 0.15);
}

}  // namespace
}  // namespace warpwright
