// Launches: the way to the first block, how many blocks are resident, and clocks.
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

TEST(Launch, ListenersTellLaunchesApart) {
  TimedMachine machine(fermi());
  const exec::LoadedProgram& program = machine.load(someAdds());
  for (u32 i = 0; i < 3; ++i) {
    machine.forgetTimeline();
    machine.run(program, {1}, {32});
    ASSERT_FALSE(machine.timeline().steps().empty());
    for (const testing::Step& step : machine.timeline().steps()) EXPECT_EQ(step.what.launch, i);
  }
}

// Half of the warp waits at a barrier; the other half waits where both would meet again, until nothing else is left to happen. Threads that
// are independent then go on to the barrier behind.
TEST(Launch, LanesThatWaitForOneAnotherAreReleasedWhenNothingElseHappens) {
  Assembler code;
  code.program.addressBits = 64;
  code.special(0, isa::SpecialRegister::tid_x);
  code.compare(0, isa::Compare::ge, isa::DataType::u32, R(0), testing::imm(16));
  const u32 branch = code.branch(testing::P(0));
  code.barrier();
  code.at(branch).target = code.at(branch).reconvergence = code.here();
  code.emit(isa::Opcode::add, isa::DataType::u32, {R(4)}, {R(4), R(5)});
  code.barrier();
  code.exit();
  code.function("k").registers = 8;
  for (const char* reconvergence : {"independent", "stack"}) {
    config::Machine config = fermi();
    config.reconvergence = reconvergence;
    const machines::TimedResult result = TimedMachine(config).run(code.program, {1}, {32});
    EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << reconvergence << ": " << result.functional.message;
  }
}

// 64 threads each, more of them than fit: whichever the SM runs out of first.
TEST(Launch, AsManyBlocksAreResidentAsTheSmHasRoomFor) {
  struct Case {
    u32 mostBlocks, registers, sharedBytes, expected;
    const char* what;
  };
  for (const Case& each : {Case{8, 8, 0, 8, "blocks"}, Case{32, 8, 0, 48 / 2, "warps"},
                           // 63 x 32 registers a warp, in units of 64: 2048.
                           Case{32, 63, 0, 32768 / (2 * 2048), "registers"},
                           // In units of 128 bytes: 10112.
                           Case{32, 8, 10'000, 49152 / 10112, "shared memory"}}) {
    config::Machine config = fermi();
    config.blocksPerSm = each.mostBlocks;
    isa::Program program = someAdds();
    program.functions.front().registers = each.registers;
    program.functions.front().sharedBytes = each.sharedBytes;
    const machines::TimedResult result = TimedMachine(config).run(program, {50}, {64});
    EXPECT_EQ(result.mostBlocks, each.expected) << each.what;
    EXPECT_EQ(result.functional.blocksDone, 50u);
  }
}

// What lies in the part of a slower clock takes so many times longer, to the rounding of a tick on either side.
TEST(Launch, EachClockCountsItsOwnTicks) {
  const auto latencyWith = [](auto change) {
    config::Machine config = oneClock(fermi());
    change(config);
    Assembler code;
    code.program.addressBits = 64;
    code.load(isa::Space::global, isa::DataType::u32, 4, testing::param(0)).modifiers.cache = isa::CacheOp::cg;
    code.exit();
    code.function("k").registers = 8;
    code.program.functions.front().parameterBytes = 8;
    TimedMachine machine(config);
    const exec::LoadedProgram& program = machine.load(code.program);
    const u64 words = reinterpret_cast<u64>(machine.array<u32>(1024));
    machine.run(program, {1}, {32}, {words});  // from here on, the line lies in L2, and the code in L1
    machine.forgetTimeline();
    machine.run(program, {1}, {32}, {words});
    const testing::Step load = machine.timeline().at(0).at(0);
    return load.completed - load.issued;
  };
  const config::Machine config = oneClock(fermi());
  const u64 base = latencyWith([](config::Machine&) {});
  const u64 slowL2 = latencyWith([](config::Machine& m) { m.partition.clockKhz /= 2; });
  const u64 ticksOfL2 = config.partition.latency + config.l2.hitLatency;
  // The channels to the networks take whole ticks of the latency, to the nearest: half a tick of L2 is a cycle here.
  EXPECT_GE(slowL2 - base, ticksOfL2 - 1);
  EXPECT_LE(slowL2 - base, ticksOfL2 + 4);
  const u64 slowNetwork = latencyWith([](config::Machine& m) { m.network.clockKhz /= 4; });
  // At least the router and the channel of each direction.
  EXPECT_GE(slowNetwork - base, 3 * 2 * (config.network.routerLatency + config.network.channelLatency));
  const u64 slowDram = latencyWith([](config::Machine& m) { m.dram.clockKhz /= 2; });
  EXPECT_EQ(slowDram, base) << "L2 has the line";
}

}  // namespace
}  // namespace warpwright
