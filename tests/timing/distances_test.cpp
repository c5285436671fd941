// Instructions of a warp that keep a distance beside that of results: those that a predicate guards, and accesses to memory.
#include <gtest/gtest.h>

#include "compiler/control_bits/control_bits.hpp"
#include "sm/instruction_info.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::kBegin;
using testing::P;
using testing::R;
using testing::second;
using testing::TimedMachine;

constexpr u32 kGuard = 13, kInterval = 4;

Machine machineWith(u32 guardLatency, u32 interval, config::Dependences dependences = config::Dependences::scoreboard) {
  Machine machine = fermi();
  machine.sm.dependences = dependences;
  machine.sm.collectors = 0;
  machine.sm.simple = {4, 1};
  machine.sm.guardLatency = guardLatency;
  machine.sm.warpMemoryInterval = interval;
  return machine;
}

// Cycles from the issue of one instruction of the body to that of another.
u64 between(const Machine& config, const isa::Program& program, u32 first, u32 last, bool skip = true) {
  machines::TimingOptions options;
  options.skip = skip;
  TimedMachine machine(config, options);
  machine.run(program, {1}, {32});
  return second(machine, kBegin + last).issued - second(machine, kBegin + first).issued;
}

isa::Program comparisonThen(bool guards) {
  return testing::twice([&](Assembler& code) {
    code.compare(1, isa::Compare::lt, DataType::u32, R(0), imm(7));
    isa::Instruction& reader = guards ? code.emit(Opcode::add, DataType::u32, {R(4)}, {R(5), R(5)})
                                      : code.emit(Opcode::selp, DataType::u32, {R(4)}, {R(5), R(6), P(1)});
    if (guards) reader.guard = P(1);
  });
}

TEST(Distances, AGuardIsReadLaterThanAnOperand) {
  for (const bool skip : {true, false}) {
    EXPECT_EQ(between(machineWith(kGuard, 0), comparisonThen(true), 0, 1, skip), kGuard);
    EXPECT_EQ(between(machineWith(kGuard, 0), comparisonThen(false), 0, 1, skip), 4u);
    EXPECT_EQ(between(machineWith(0, 0), comparisonThen(true), 0, 1, skip), 4u) << "a machine that says nothing of guards";
  }
}

// The guard waits for the later of two comparisons that set its predicate, though the first has been seen before.
TEST(Distances, AGuardWaitsForTheLastSetting) {
  const isa::Program program = testing::twice([](Assembler& code) {
    code.compare(1, isa::Compare::lt, DataType::u32, R(0), imm(7));
    for (u32 i = 0; i < 8; ++i) code.emit(Opcode::add, DataType::u32, {R(4 + i)}, {R(20), R(21)});
    code.compare(1, isa::Compare::lt, DataType::u32, R(0), imm(6));
    code.emit(Opcode::add, DataType::u32, {R(4)}, {R(20), R(20)}).guard = P(1);
  });
  EXPECT_EQ(between(machineWith(kGuard, 0), program, 9, 10), kGuard);
}

isa::Program sharedLoadsInARow(u32 count) {
  isa::Program program = testing::twice([&](Assembler& code) {
    for (u32 i = 0; i < count; ++i) code.load(isa::Space::shared, DataType::u32, 4 + i, imm(0));
  });
  program.functions.front().sharedBytes = 128;
  return program;
}

TEST(Distances, AccessesOfAWarpFollowEachOtherAtTheInterval) {
  for (const bool skip : {true, false}) {
    EXPECT_EQ(between(machineWith(0, kInterval), sharedLoadsInARow(8), 0, 7, skip), 7 * kInterval);
    EXPECT_LT(between(machineWith(0, 0), sharedLoadsInARow(8), 0, 7, skip), 7 * kInterval) << "a machine that says nothing of it";
  }
}

// Each warp keeps its own distance.
TEST(Distances, OtherWarpsAccessMemoryInBetween) {
  TimedMachine machine(machineWith(0, kInterval));
  machine.run(sharedLoadsInARow(8), {1}, {128});
  u64 first = kNever.ticks, last = 0;
  for (u32 warp = 0; warp < 4; ++warp) {
    first = std::min<u64>(first, second(machine, kBegin, warp).issued);
    last = std::max<u64>(last, second(machine, kBegin + 7, warp).issued);
  }
  EXPECT_LE(last - first, 4 * 8 + kInterval) << "one of four warps each cycle";
}

// Sum, product, sum, store: each result goes to another pipe.
isa::Program chainOverPipes() {
  isa::Program program = testing::twice([](Assembler& code) {
    code.emit(Opcode::add, DataType::u32, {R(4)}, {R(20), R(21)});
    code.emit(Opcode::mul_lo, DataType::u32, {R(5)}, {R(4), R(20)});
    code.emit(Opcode::mul_lo, DataType::u32, {R(6)}, {R(5), R(20)});
    code.emit(Opcode::add, DataType::u32, {R(7)}, {R(6), R(21)});
    code.store(isa::Space::shared, DataType::u32, imm(0), R(7));
  });
  program.functions.front().sharedBytes = 128;
  return program;
}

Machine withPipes(u32 otherPipe, config::Dependences dependences = config::Dependences::scoreboard) {
  Machine machine = machineWith(0, 0, dependences);
  machine.sm.multiply = {4, 1};
  machine.sm.otherPipeLatency = otherPipe;
  return machine;
}

TEST(Distances, ResultsComeLaterToOtherPipes) {
  for (const bool skip : {true, false}) {
    EXPECT_EQ(between(withPipes(1), chainOverPipes(), 0, 1, skip), 5u) << "sum to product";
    EXPECT_EQ(between(withPipes(1), chainOverPipes(), 1, 2, skip), 4u) << "product to product";
    EXPECT_EQ(between(withPipes(1), chainOverPipes(), 2, 3, skip), 5u) << "product to sum";
    EXPECT_EQ(between(withPipes(1), chainOverPipes(), 3, 4, skip), 5u) << "sum to store";
    EXPECT_EQ(between(withPipes(0), chainOverPipes(), 0, 4, skip), 16u);
  }
}

// What a scoreboard waits for, a compiler that sets control bits puts into stalls.
TEST(Distances, AreStallsWhereTheCompilerKeepsThem) {
  using config::Dependences;
  const auto compiled = [](isa::Program program, const Machine& machine) {
    compiler::assignControlBits(program, sm::issueTimingOf(machine.sm));
    return program;
  };
  const Machine machine = machineWith(kGuard, kInterval, Dependences::controlBits);
  const isa::Program guarded = compiled(comparisonThen(true), machine), loads = compiled(sharedLoadsInARow(8), machine);
  EXPECT_EQ(guarded.control[kBegin].stall, kGuard);
  EXPECT_EQ(compiled(comparisonThen(false), machine).control[kBegin].stall, 4u);
  EXPECT_EQ(between(machine, guarded, 0, 1), kGuard);
  EXPECT_EQ(between(machine, loads, 0, 7), 7 * kInterval);
  const Machine pipes = withPipes(1, Dependences::controlBits);
  EXPECT_EQ(between(pipes, compiled(chainOverPipes(), pipes), 0, 4), 5 + 4 + 5 + 5u);
}

}  // namespace
}  // namespace warpwright
