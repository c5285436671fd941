// Machines that obey control bits, cycle by cycle: what the compiler's bits take, and what bits written by hand do.
#include "compiler/control_bits/control_bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sm/instruction_info.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::ControlBits;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::chainOfAdds;
using testing::fermi;
using testing::imm;
using testing::kBegin;
using testing::P;
using testing::R;
using testing::second;
using testing::sharedLoads;
using testing::Step;
using testing::TimedMachine;
using testing::twice;

Machine controlled() {
  Machine machine = fermi();
  machine.sm.collectors = 0;
  machine.sm.dependences = config::Dependences::controlBits;
  machine.sm.scheduler = "cggty";
  config::validate(machine);
  return machine;
}

isa::Program withControlBits(isa::Program program, const Machine& machine) {
  compiler::assignControlBits(program, sm::issueTimingOf(machine.sm));
  return program;
}

// Up to 15 cycles by stalls, beyond by counters.
TEST(ControlBitTiming, AChainOfAddsTakesTheLatencyEach) {
  for (const u32 latency : {2u, 3u, 6u, 15u, 16u, 20u}) {
    Machine config = controlled();
    config.sm.simple.latency = latency;
    TimedMachine machine(config);
    constexpr u32 kLength = 40;
    machine.run(withControlBits(chainOfAdds(kLength), config), {1}, {32});
    const u64 first = second(machine, kBegin).issued;
    for (u32 i = 0; i < kLength; ++i) ASSERT_EQ(second(machine, kBegin + i).issued - first, i * latency) << i << ", latency " << latency;
  }
}

// Nothing but the bits keeps instructions apart (listing 2 of the paper: a sum issues too early and is wrong).
TEST(ControlBitTiming, AStallThatIsTooShortIsObeyed) {
  const Machine config = controlled();
  isa::Program program = withControlBits(chainOfAdds(40), config);
  for (u32 i = 0; i < 40; ++i) program.control[kBegin + i].stall = 1;
  TimedMachine machine(config);
  machine.run(program, {1}, {32});
  EXPECT_EQ(second(machine, kBegin + 39).issued - second(machine, kBegin).issued, 39u);
}

TEST(ControlBitTiming, CodeWithoutBitsFindsAScoreboard) {
  const Machine config = controlled();
  TimedMachine machine(config);
  machine.run(chainOfAdds(40), {1}, {32});
  EXPECT_EQ(second(machine, kBegin + 39).issued - second(machine, kBegin).issued, 39u * config.sm.simple.latency);
}

// A fixed latency is one whatever else is written: two results at once have one port.
TEST(ControlBitTiming, ResultsOfFixedLatencyDoNotWaitForPorts) {
  for (const auto dependences : {config::Dependences::controlBits, config::Dependences::scoreboard}) {
    Machine config = controlled();
    config.sm.dependences = dependences;
    config.sm.writeBackPorts = 1;
    config.sm.multiply.latency = config.sm.simple.latency + 1;
    TimedMachine machine(config);
    machine.run(withControlBits(twice([&](Assembler& code) {
                                  code.emit(Opcode::mul_lo, DataType::u32, {R(4)}, {R(8), R(9)});
                                  code.emit(Opcode::add, DataType::u32, {R(5)}, {R(8), R(9)});
                                  code.emit(Opcode::add, DataType::u32, {R(6)}, {R(5), R(9)});
                                }),
                                config),
                {1}, {32});
    const Step add = second(machine, kBegin + 1);
    ASSERT_EQ(add.issued, second(machine, kBegin).issued + 1);
    EXPECT_EQ(add.completed - add.issued, config.sm.simple.latency + (dependences == config::Dependences::scoreboard ? 1 : 0));
    EXPECT_EQ(second(machine, kBegin + 2).issued, add.completed);
  }
}

// The result of a load is there when it is there, with either.
TEST(ControlBitTiming, LoadsAreWaitedForAsWithAScoreboard) {
  u64 cycles[2] = {};
  for (const bool bits : {false, true}) {
    Machine config = controlled();
    if (!bits) config.sm.dependences = config::Dependences::scoreboard;
    TimedMachine machine(config);
    machine.run(withControlBits(sharedLoads(1), config), {1}, {32});
    cycles[bits] = second(machine, kBegin + 3).issued - second(machine, kBegin + 2).issued;
    EXPECT_EQ(second(machine, kBegin + 3).issued, second(machine, kBegin + 2).completed);
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

// Bits by hand: the addition waits for the load's counter, which has gone up when it issues two cycles behind the load, and not yet one
// behind it.
TEST(ControlBitTiming, ACounterIsSeenTwoCyclesBehindTheIssue) {
  const Machine config = controlled();
  for (const u8 stall : {1, 2}) {
    isa::Program program = withControlBits(sharedLoads(1), config);
    program.control[kBegin + 2] = {.stall = stall, .writeCounter = 0};
    program.control[kBegin + 3].waits = 1;
    TimedMachine machine(config);
    machine.run(program, {1}, {32});
    const Step load = second(machine, kBegin + 2), add = second(machine, kBegin + 3);
    EXPECT_EQ(add.issued, stall == 1 ? load.issued + 1 : load.completed);
  }
}

// A store enters the load/store unit, with its operands, a cycle behind its issue.
TEST(ControlBitTiming, WhoOverwritesAnOperandWaitsUntilItIsRead) {
  const Machine config = controlled();
  const isa::Program program = withControlBits(twice([&](Assembler& code) {
                                                 code.store(Space::shared, DataType::u32, R(6), R(4)).modifiers.wordAddress = true;
                                                 code.emit(Opcode::add, DataType::u32, {R(4)}, {R(8), R(9)});
                                               }),
                                               config);
  isa::Program shared = program;
  shared.functions.front().sharedBytes = 128;
  TimedMachine machine(config);
  machine.run(shared, {1}, {32});
  const Step store = second(machine, kBegin);
  EXPECT_EQ(store.dispatched, store.issued + 1);
  EXPECT_EQ(second(machine, kBegin + 1).issued, store.issued + 2);
}

// --- the order of issue: figure 4 of the paper, but for its misses of instructions

struct Slot {
  u32 warp = 0;
  u64 cycle = 0;
  bool operator==(const Slot&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Slot& slot) { return out << "W" << slot.warp << "@" << slot.cycle; }
using Slots = std::vector<Slot>;

constexpr u32 kInstructions = 32;

// `count` issues of a warp in a row.
void append(Slots& slots, u32 warp, u64 first, u32 count) {
  for (u32 i = 0; i < count; ++i) slots.push_back({warp, first + i});
}

// Independent instructions of so many warps, all of them fetched when the first issues; second: the bits of the second instruction. The
// last one is the exit.
Slots orderOfIssue(u32 warps, const ControlBits& second) {
  Machine config = controlled();
  config.sm.perfectFetch = true;
  config.sm.fetchWidth = 16;
  config.sm.instructionBuffer = 32;
  config.sm.fetchesPerCycle = config.l1i.ports = config.l1i.inputQueue = 4;
  config.sm.simple.latency = 3;
  config::validate(config);
  Assembler code;
  code.program.addressBits = 64;
  for (u32 i = 0; i + 1 < kInstructions; ++i) code.emit(Opcode::add, DataType::u32, {R(4 + i % 8)}, {R(20), R(21)});
  code.exit();
  code.function("k").registers = 32;
  code.program.control.assign(code.program.code.size(), {.stall = 1});
  code.program.control[1] = second;
  TimedMachine machine(config);
  machine.run(code.program, {1}, {warps * 32});
  Slots slots;
  for (const Step& step : machine.timeline().steps())
    slots.push_back({step.what.warp, step.issued - machine.timeline().steps().front().issued});
  return slots;
}

TEST(Cggty, TheYoungestWarpIssuesUntilItsEnd) {
  Slots expected;
  for (u32 i = 0; i < 4; ++i) append(expected, 3 - i, i * kInstructions, kInstructions);
  EXPECT_EQ(orderOfIssue(4, {.stall = 1}), expected);
}

TEST(Cggty, AStallMakesItTurnToTheYoungestOfTheOthers) {
  Slots expected;
  append(expected, 3, 0, 2);
  append(expected, 2, 2, 2);
  append(expected, 1, 4, 2);  // greedy, though warp 3 is ready again with its second
  append(expected, 3, 6, 30);
  append(expected, 2, 36, 30);
  append(expected, 1, 66, 30);
  append(expected, 0, 96, 2);
  append(expected, 0, 101, 30);  // nobody is left to hide its stall
  EXPECT_EQ(orderOfIssue(4, {.stall = 4}), expected);
}

TEST(Cggty, AYieldMakesItTurnAwayForACycle) {
  Slots expected;
  append(expected, 3, 0, 2);
  append(expected, 2, 2, 2);
  append(expected, 3, 4, 30);
  append(expected, 2, 34, 30);
  append(expected, 1, 64, 2);
  append(expected, 0, 66, 2);
  append(expected, 1, 68, 30);
  append(expected, 0, 98, 30);
  EXPECT_EQ(orderOfIssue(4, {.stall = 1, .yield = true}), expected);
}

TEST(Cggty, AYieldWithoutOthersIsABubble) {
  Slots expected;
  append(expected, 0, 0, 2);
  append(expected, 0, 3, 30);
  EXPECT_EQ(orderOfIssue(1, {.stall = 1, .yield = true}), expected);
}

}  // namespace
}  // namespace warpwright
