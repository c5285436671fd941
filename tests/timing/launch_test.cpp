// A launch's way to its first block.
#include <gtest/gtest.h>

#include "timed_machine.hpp"

namespace warpwright {
namespace {

using testing::Assembler;
using testing::fermi;
using testing::oneClock;
using testing::R;
using testing::TimedMachine;

isa::Program someAdds() {
  Assembler code;
  code.program.addressBits = 64;
  for (u32 i = 0; i < 8; ++i) code.emit(isa::Opcode::add, isa::DataType::u32, {R(4)}, {R(4), R(5)});
  code.exit();
  code.function("k").registers = 8;
  return code.program;
}

// Blocks are dispatched between quanta, so the first comes with the first of them from then on.
TEST(Launch, ItsFirstBlockComesTheLaunchLatencyLater) {
  const auto cyclesWith = [](u32 latency) {
    config::Machine config = oneClock(fermi());  // the way to the first instruction is the same whenever it begins
    config.sm.launchLatency = latency;
    return TimedMachine(config).run(someAdds(), {1}, {32}).cycles;
  };
  const u64 without = cyclesWith(0);
  for (const u32 latency : {1u, 8u, 100u, 5000u}) {
    const u64 more = cyclesWith(latency) - without;
    EXPECT_GE(more, latency);
    EXPECT_LT(more, latency + fermi().network.injectionLatency) << "a quantum";
  }
}

TEST(Launch, EachLaunchHasTheLatency) {
  config::Machine config = fermi();
  config.sm.launchLatency = 3000;
  TimedMachine machine(config);
  const exec::LoadedProgram& program = machine.load(someAdds());
  for (u32 i = 0; i < 3; ++i) EXPECT_GE(machine.run(program, {1}, {32}).cycles, 3000u);
}

}  // namespace
}  // namespace warpwright
