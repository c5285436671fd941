// Prefetches: where their lines come to be, and that nothing waits for them.
#include <gtest/gtest.h>

#include "isa/address_space.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::CacheOp;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using mem::AccessType;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::oneClock;
using testing::param;
using testing::R;
using testing::Step;
using testing::TimedMachine;

constexpr u32 kLineBytes = 128;

isa::Instruction& prefetch(Assembler& code, Space space, isa::Operand address, s64 offset = 0, CacheOp cache = CacheOp::none,
                           isa::Operand bytes = {}) {
  isa::Instruction& instruction = code.emit(Opcode::prefetch, DataType::u32, {}, {address, bytes});
  instruction.modifiers.space = space;
  instruction.modifiers.cache = cache;
  instruction.offset = offset;
  return instruction;
}

struct Ran {
  machines::TimedResult result;
  std::vector<u64> latencies;  // cycles from issue to completion of the loads
  const machines::GpuStats& stats() const { return result.stats; }
};

// `body` finds the address of 64 KiB in R2:R3. The code is in the instruction cache, and the data are in none.
template <class Body>
Ran run(const Machine& config, Body body) {
  Assembler code;
  code.program.addressBits = 64;
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
  body(code);
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 32;
  kernel.localBytes = 64;
  kernel.parameterBytes = 8;
  TimedMachine machine(config);
  const exec::LoadedProgram& program = machine.load(code.program);
  const auto words = [&] { return reinterpret_cast<u64>(machine.array<u32>(16384)); };
  machine.run(program, {1}, {32}, {words()});
  machine.forgetTimeline();
  Ran ran{machine.run(program, {1}, {32}, {words()}), {}};
  EXPECT_TRUE(ran.result.violations.empty());
  for (const Step& step : machine.timeline().steps())
    if (step.what.instruction->opcode == Opcode::ld) ran.latencies.push_back(step.completed - step.issued);
  return ran;
}

constexpr u32 kRounds = 8;

// A load of a line, and a chain of additions that begins with it and takes longer than a line does from DRAM.
void rounds(Assembler& code, bool ahead) {
  for (u32 round = 0; round < kRounds; ++round) {
    code.load(Space::global, DataType::u32, 10, R(2), round * kLineBytes);
    if (ahead && round + 1 < kRounds) prefetch(code, Space::global, R(2), (round + 1) * kLineBytes);
    for (u32 i = 0; i < 80; ++i) code.emit(Opcode::add, DataType::u32, {R(10)}, {R(10), imm(1)});
  }
}

// A loop, written out, that prefetches ahead waits for memory once. Every other load is a hit, and the prefetch issues in a cycle in which
// the warp waits for its load: the program is faster by exactly what the other loads wait less.
TEST(Prefetch, ALoopThatPrefetchesAheadIsFasterByTheLatency) {
  const Machine config = oneClock(fermi());
  const Ran without = run(config, [](Assembler&code) { rounds(code, false); }),
            with = run(config, [](Assembler&code) { rounds(code, true); });
  const std::vector<u64> slow = without.latencies, fast = with.latencies;
  ASSERT_EQ(slow.size(), kRounds);
  ASSERT_EQ(fast.size(), kRounds);
  // What a second load of a line takes.
  const u64 hit = run(config, [](Assembler& code) {
                    code.load(Space::global, DataType::u32, 10, R(2));
                    code.emit(Opcode::add, DataType::u32, {R(10)}, {R(10), imm(1)});
                    code.load(Space::global, DataType::u32, 10, R(2));
                  }).latencies.at(1);
  u64 saved = 0;
  EXPECT_EQ(fast[0], slow[0]);
  for (u32 round = 1; round < kRounds; ++round) {
    EXPECT_EQ(fast[round], hit) << round;
    EXPECT_GT(slow[round], 4 * hit) << round;
    saved += slow[round] - hit;
  }
  EXPECT_EQ(without.result.cycles - with.result.cycles, saved);
  EXPECT_EQ(with.stats().l1d.accesses[AccessType::prefetch], kRounds - 1);
  EXPECT_EQ(with.stats().l1d.misses[AccessType::prefetch], kRounds - 1);
  EXPECT_EQ(with.stats().l1d.hits[AccessType::globalRead], kRounds - 1);
  EXPECT_EQ(with.stats().memory.partition.l2.accesses[AccessType::prefetch], kRounds - 1);
}

// Into L2 alone: the load misses L1 and hits L2.
TEST(Prefetch, OfTheSecondLevelPassesTheFirst) {
  const auto body = [](Assembler& code, CacheOp first) {
    if (first == CacheOp::cg) prefetch(code, Space::global, R(2), 0, first);
    code.emit(Opcode::mov, DataType::u32, {R(12)}, {imm(0)});
    for (u32 i = 0; i < 200; ++i) code.emit(Opcode::add, DataType::u32, {R(12)}, {R(12), imm(1)});
    code.load(Space::global, DataType::u32, 10, R(2));
  };
  const Ran cold = run(fermi(), [&](Assembler& code) { body(code, CacheOp::none); });
  const Ran warm = run(fermi(), [&](Assembler& code) { body(code, CacheOp::cg); });
  EXPECT_EQ(warm.stats().l1d.accesses[AccessType::prefetch], 0u);
  EXPECT_EQ(warm.stats().l1d.misses[AccessType::globalRead], 1u);
  EXPECT_EQ(warm.stats().memory.partition.l2.misses[AccessType::prefetch], 1u);
  EXPECT_EQ(warm.stats().memory.partition.l2.hits[AccessType::globalRead], 1u);
  EXPECT_LT(warm.latencies.at(0), cold.latencies.at(0));
  EXPECT_EQ(warm.stats().memory.partition.responses.total() - cold.stats().memory.partition.responses.total(), 0u) << "it is not answered";
}

// Addresses without memory, of other spaces and beyond local memory.
TEST(Prefetch, NeverFaults) {
  const Ran ran = run(fermi(), [](Assembler& code) {
    prefetch(code, Space::global, imm(8));
    prefetch(code, Space::global, R(2), 1 << 30);
    prefetch(code, Space::generic, imm(isa::kSharedWindow));
    prefetch(code, Space::local, imm(1 << 20));
    prefetch(code, Space::global, R(2), 1 << 30, CacheOp::cg, imm(4096));
  });
  EXPECT_EQ(ran.result.functional.status, exec::LaunchStatus::completed);
  EXPECT_EQ(ran.stats().sm.loadStore.transactions, 0u);
}

// Fences go on, and the block ends as if it had prefetched nothing.
TEST(Prefetch, IsWaitedForByNothing) {
  const auto cycles = [](s64 offset) {
    return run(fermi(),
               [&](Assembler& code) {
                 prefetch(code, Space::global, R(2), offset);
                 code.emit(Opcode::fence, DataType::u32).modifiers.scope = isa::Scope::gpu;
               })
        .result.cycles;
  };
  EXPECT_EQ(cycles(0), cycles(s64{1} << 30)) << "the second has no memory there";
}

TEST(Prefetch, OfLocalMemoryBringsTheLineOfTheWord) {
  const Ran ran = run(fermi(), [](Assembler& code) {
    prefetch(code, Space::local, imm(4));
    code.emit(Opcode::mov, DataType::u32, {R(12)}, {imm(0)});
    for (u32 i = 0; i < 200; ++i) code.emit(Opcode::add, DataType::u32, {R(12)}, {R(12), imm(1)});
    code.load(Space::local, DataType::u32, 10, imm(4));
  });
  EXPECT_EQ(ran.stats().l1d.accesses[AccessType::prefetch], 1u);
  EXPECT_EQ(ran.stats().l1d.hits[AccessType::localRead], 1u);
}

// 1000 bytes from byte 64 on: sectors 2 … 33, of lines 0 … 8. All lanes ask for the same.
TEST(Prefetch, OfManyBytesSendsTheirSectorsToTheSecondLevel) {
  const Ran ran = run(fermi(), [](Assembler& code) { prefetch(code, Space::global, R(2), 64, CacheOp::cg, imm(1000)); });
  EXPECT_EQ(ran.stats().memory.partition.l2.accesses[AccessType::prefetch], 9u);
  EXPECT_EQ(ran.stats().memory.partition.l2.misses[AccessType::prefetch], 9u);
}

TEST(Prefetch, GoesNowhereWithoutACacheForIt) {
  Machine config = fermi();
  config.l2.bytes = config.llc.bytes = 0;
  const Ran ran = run(config, [](Assembler& code) { prefetch(code, Space::global, R(2), 0, CacheOp::cg); });
  EXPECT_EQ(ran.stats().sm.loadStore.transactions, 0u);
  EXPECT_EQ(ran.stats().memory.partition.requests[AccessType::prefetch], 0u);
}

}  // namespace
}  // namespace warpwright
