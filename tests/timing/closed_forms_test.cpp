// Kernels whose cycles can be counted by hand, on a machine with one SM.
//
// A loop runs each piece of code twice. The second time all of it lies in the instruction cache, and fetch limits nothing.
#include <gtest/gtest.h>

#include <warpwright/parallel_memory/conflicts.hpp>
#include <warpwright/parallel_memory/sams.hpp>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::chainOfAdds;
using testing::fermi;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::sharedLoads;
using testing::Step;
using testing::TimedMachine;
using testing::twice;

// With collectors: operands are read in the cycle after issue, and the instruction enters its pipe in the one behind.
constexpr u64 kIssueToPipe = 2;

TEST(ClosedForms, AChainOfAddsTakesTheLatencyEach) {
  for (const u32 latency : {3u, 4u, 6u, 20u}) {
    for (const u32 collectors : {0u, 16u}) {
      Machine config = fermi();
      config.sm.simple.latency = latency;
      config.sm.collectors = collectors;
      TimedMachine machine(config);
      constexpr u32 kLength = 40;
      machine.run(chainOfAdds(kLength), {1}, {32});
      const u64 first = second(machine, kBegin).issued;
      for (u32 i = 0; i < kLength; ++i) {
        const Step step = second(machine, kBegin + i);
        ASSERT_EQ(step.issued - first, i * latency) << i << ", latency " << latency << ", collectors " << collectors;
        ASSERT_EQ(step.completed - step.issued, latency);
      }
    }
  }
}

// To the cycle, and not to the quantum in which SMs and memory run side by side.
TEST(ClosedForms, ALaunchEndsWithItsLastInstruction) {
  Machine config = fermi();
  config.sm.collectors = 0;
  const u64 each = config.sm.simple.latency;
  const auto cyclesOf = [&](u32 length) {
    TimedMachine machine(config);
    const machines::TimedResult result = machine.run(chainOfAdds(length), {1}, {32});
    EXPECT_EQ(machine.timeline().steps().back().completed + 1, (result.began + result.cycles).ticks);
    return result.cycles;
  };
  // The chain is longer than a fetch (8 instructions), and the program lies in one line of instructions (16).
  for (u32 length = 8; length < 11; ++length) EXPECT_EQ(cyclesOf(length + 1) - cyclesOf(length), 2 * each) << length;
}

// Warps in turn: each waits for its own chain, or for its turn.
TEST(ClosedForms, WarpsHideEachOthersLatency) {
  for (const u32 warps : {1u, 2u, 4u, 5u, 8u, 16u, 32u}) {
    Machine config = fermi();
    config.sm.simple.latency = 5;
    config.sm.collectors = 0;
    TimedMachine machine(config);
    machine.run(chainOfAdds(60), {1}, {warps * 32});
    const u64 each = std::max<u64>(warps, 5);
    for (u32 warp = 0; warp < warps; ++warp)
      for (u32 i = 30; i < 50; ++i)
        ASSERT_EQ(second(machine, kBegin + i, warp).issued - second(machine, kBegin + i - 1, warp).issued, each)
            << warps << " warps, instruction " << i << " of warp " << warp;
  }
}

isa::Program independentAdds(u32 length, DataType type) {
  return twice([&](Assembler& code) {
    for (u32 i = 0; i < length; ++i) code.emit(Opcode::add, type, {R(4 + i % 8)}, {R(20), R(21)});
  });
}

// A pipe of width w takes warp size / w cycles for each warp instruction.
TEST(ClosedForms, PipesLimitIndependentInstructions) {
  for (const u32 width : {8u, 16u, 32u}) {
    for (const u32 count : {1u, 2u}) {
      Machine config = fermi();
      config.sm.collectors = 0;
      config.sm.fp32 = {count, width};
      TimedMachine machine(config);
      machine.run(independentAdds(64, DataType::f32), {1}, {32});
      const u64 interval = 32 / width;
      const u64 expected = std::max<u64>(16, 16 * interval / count);  // one issue a cycle, or the pipes in turn
      ASSERT_EQ(second(machine, kBegin + 48).issued - second(machine, kBegin + 32).issued, expected) << count << " of width " << width;
    }
  }
}

TEST(ClosedForms, TwoInstructionsOfAWarpACycle) {
  Machine config = fermi();
  config.sm.collectors = 0;
  config.sm.fp32 = {2, 32};
  config.sm.issueWidth = 2;
  config.sm.writeBackPorts = 2;
  TimedMachine machine(config);
  machine.run(independentAdds(64, DataType::f32), {1}, {4 * 32});
  // Four warps in turn, two instructions each time.
  EXPECT_EQ(second(machine, kBegin + 48).issued - second(machine, kBegin + 32).issued, 16u / 2 * 4);
}

// Three operands of one bank: two cycles more until they are collected.
TEST(ClosedForms, RegisterBankConflictsDelayAnInstruction) {
  for (const u32 distance : {1u, 16u}) {  // of register numbers; there are 16 banks
    Machine config = fermi();
    TimedMachine machine(config);
    machine.run(twice([&](Assembler& code) {
                  for (u32 i = 0; i < 8; ++i)
                    code.emit(Opcode::lop3, DataType::u32, {R(6)}, {R(6), R(6 + distance), R(6 + distance * 2)}).modifiers.lut = 0x96;
                }),
                {1}, {32});
    const u64 conflicts = distance == 16 ? 2 : 0;
    EXPECT_EQ(second(machine, kBegin + 5).issued - second(machine, kBegin + 4).issued, conflicts + config.sm.simple.latency);
  }
}

TEST(ClosedForms, ARegisterNamedTwiceHasNoConflictWithItself) {
  const Machine config = fermi();
  TimedMachine machine(config);
  machine.run(twice([&](Assembler& code) {
                for (u32 i = 0; i < 8; ++i) code.emit(Opcode::add, DataType::u32, {R(6)}, {R(6), R(6)});
              }),
              {1}, {32});
  EXPECT_EQ(second(machine, kBegin + 5).issued - second(machine, kBegin + 4).issued, config.sm.simple.latency);
}

// --- shared memory

TEST(ClosedForms, AConflictOfDegreeKTakesKMinusOneCyclesMore) {
  // Lanes l and l + 32 / gcd(stride, 32) share a bank: degree gcd(stride, 32) with 32 banks of one word. Stride 0: broadcast.
  const std::pair<u32, u64> degrees[] = {{0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {6, 2}, {8, 8}, {16, 16}, {31, 1}, {32, 32}};
  for (const auto& [stride, degree] : degrees) {
    const Machine config = fermi();
    TimedMachine machine(config);
    const auto result = machine.run(sharedLoads(stride), {1}, {32});
    const Step load = second(machine, kBegin + 2);
    EXPECT_EQ(load.completed - load.issued, kIssueToPipe + config.sm.sharedLatency + degree - 1) << "stride " << stride;
    EXPECT_EQ(second(machine, kBegin + 3).issued, load.completed) << "who waits goes on in that cycle";
    EXPECT_EQ(result.stats.sm.loadStore.sharedPasses, 2 * degree);
  }
}

TEST(ClosedForms, AccessesAreQueuedFromIssueUntilTheBanksTakeThem) {
  const Machine config = fermi();
  for (const u32 degree : {1u, 2u, 8u}) {
    TimedMachine machine(config);
    const auto result = machine.run(sharedLoads(degree), {1}, {128});
    u64 queued = 0;
    for (const Step& step : machine.timeline().steps()) {
      if (step.what.instruction->opcode != Opcode::ld) continue;
      const u64 taken = step.completed - (degree - 1) - config.sm.sharedLatency;
      queued += taken - step.issued;
    }
    EXPECT_EQ(result.stats.sm.memoryQueueCycles, queued) << degree;
    EXPECT_GE(queued, 8 * kIssueToPipe) << degree;
  }
}

TEST(ClosedForms, TheBankMapDecidesTheDegreeAndAddsItsLatency) {
  // Matched SAMS: no conflict for 1, 2, ..., 16 and 32, where interleaving has degree gcd(stride, 32); other odd strides have some.
  const parallel_memory::Sams map = parallel_memory::matchedSams(5, 14);
  for (const u32 stride : {0u, 1u, 8u, 32u, 5u}) {
    Machine config = fermi();
    config.sm.bankMap = "sams:s=5";
    config.sm.bankMapLatency = 4;
    std::vector<u64> words;
    for (u64 lane = 0; lane < 32; ++lane) words.push_back(lane * stride);
    const u32 degree = conflictDegree(map, words);
    EXPECT_EQ(degree > 1, stride == 5) << stride;
    TimedMachine machine(config);
    const auto result = machine.run(sharedLoads(stride), {1}, {32});
    const Step load = second(machine, kBegin + 2);
    EXPECT_EQ(load.completed - load.issued, kIssueToPipe + config.sm.sharedLatency + 4 + degree - 1) << "stride " << stride;
    EXPECT_EQ(result.stats.sm.loadStore.sharedPasses, 2 * degree) << "stride " << stride;
  }
}

TEST(ClosedForms, AtomicsOnOneSharedWordTakeTurns) {
  for (const u32 lanes : {1u, 2u, 32u}) {
    const Machine config = fermi();
    TimedMachine machine(config);
    isa::Program program = twice([&](Assembler& code) {
      code.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(0)});
      isa::Instruction& atomic = code.emit(Opcode::atom, DataType::u32, {R(4)}, {R(2), R(10)});
      atomic.modifiers.space = Space::shared;
      atomic.modifiers.atomic = isa::AtomicOp::add;
      atomic.modifiers.wordAddress = true;
    });
    program.functions.front().sharedBytes = 4;
    machine.run(program, {1}, {lanes});
    const Step atomic = second(machine, kBegin + 1);
    EXPECT_EQ(atomic.completed - atomic.issued, kIssueToPipe + config.sm.sharedLatency + lanes - 1) << lanes << " lanes";
  }
}

// --- barriers

TEST(ClosedForms, NobodyPassesABarrierBeforeTheLastArrives) {
  constexpr u32 kWarps = 6;
  TimedMachine machine(fermi());
  machine.run(twice([&](Assembler& code) {
                code.special(2, isa::SpecialRegister::warpid);
                // Warp 3 comes late.
                code.compare(1, isa::Compare::ne, DataType::u32, R(2), imm(3));
                code.branch(testing::P(1), code.here() + 20);
                for (u32 i = 0; i < 19; ++i) code.emit(Opcode::div, DataType::u32, {R(4)}, {R(4), R(2)});
                code.barrier();
                code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1)});
              }),
              {1}, {kWarps * 32});
  const u32 barrier = kBegin + 22;
  std::vector<u64> behind;
  u64 last = 0;
  for (u32 warp = 0; warp < kWarps; ++warp) {
    last = std::max(last, second(machine, barrier, warp).issued);
    behind.push_back(second(machine, barrier + 1, warp).issued);
  }
  std::sort(behind.begin(), behind.end());
  EXPECT_EQ(last, second(machine, barrier, 3).issued);
  // One scheduler lets them go one after the other.
  for (u32 i = 0; i < kWarps; ++i) EXPECT_EQ(behind[i], last + 1 + i);
}

// --- branches

TEST(ClosedForms, ABranchTakesItsLatencyAndTheFetchOfItsTarget) {
  const Machine config = fermi();
  TimedMachine machine(config);
  machine.run(twice([](Assembler& code) {
                code.jump(code.here() + 1);  // to the next instruction: nothing is fetched anew
                code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1)});
              }),
              {1}, {32});
  EXPECT_EQ(second(machine, kBegin + 1).issued - second(machine, kBegin).issued, config.sm.branch.latency);
}

}  // namespace
}  // namespace warpwright
