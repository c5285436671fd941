// Counters of the SM against a record of every instruction.
#include <gtest/gtest.h>

#include "base/lane_count.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::param;
using testing::R;
using testing::Step;
using testing::TimedMachine;

constexpr u32 kWarps = 5, kThreads = kWarps * 32 - 7;  // the last warp is not full

// Loads of both kinds and stores, some by half of the lanes alone.
isa::Program loadsAndStores() {
  Assembler code;
  code.program.addressBits = 64;
  code.special(2, isa::SpecialRegister::tid_x);
  code.emit(Opcode::mad_wide, DataType::u32, {R(4)}, {R(2), imm(4), param(0)});
  code.emit(Opcode::mul_lo, DataType::u32, {R(3)}, {R(2), imm(4)});
  code.load(Space::global, DataType::u32, 6, R(4));
  code.store(Space::shared, DataType::u32, R(3), R(6)).modifiers.wordAddress = true;
  code.emit(Opcode::lop3, DataType::u32, {R(7)}, {R(2), imm(1), imm(0)}).modifiers.lut = 0xc0;
  code.compare(1, isa::Compare::eq, DataType::u32, R(7), imm(0));
  code.load(Space::shared, DataType::u32, 8, R(3)).modifiers.wordAddress = true;
  code.at(code.here() - 1).guard = testing::P(1);
  code.load(Space::global, DataType::u32, 9, R(4), 4096).guard = testing::P(1);
  code.emit(Opcode::add, DataType::u32, {R(8)}, {R(8), R(9)});
  code.store(Space::global, DataType::u32, R(4), R(8)).guard = testing::P(1);
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 16;
  kernel.sharedBytes = 4096;
  kernel.parameterBytes = 8;
  return code.program;
}

class Counters : public ::testing::Test {
 protected:
  Counters() : machine_(fermi()) {
    const u64 words = reinterpret_cast<u64>(machine_.array<u32>(4096));
    result_ = machine_.run(loadsAndStores(), {1}, {kThreads}, {words});
  }
  const sm::SmStats& sm() const { return result_.stats.sm; }
  const std::vector<Step>& steps() const { return machine_.timeline().steps(); }

  TimedMachine machine_;
  machines::TimedResult result_;
};

TEST_F(Counters, InstructionsOfWarpsAndThreads) {
  u64 threads = 0;
  for (const Step& step : steps()) threads += countLanes(step.what.executing);
  EXPECT_EQ(sm().warpInstructions, steps().size());
  EXPECT_EQ(sm().threadInstructions, threads);
  EXPECT_LT(threads, steps().size() * 32) << "some lanes were left out";
}

TEST_F(Counters, WarpsAreResidentUntilTheirExit) {
  u64 expected = 0;
  for (const Step& step : steps()) {
    if (step.what.instruction->opcode == Opcode::exit) expected += step.issued - result_.began.ticks;
  }
  EXPECT_EQ(sm().residentWarpCycles, expected);
}

TEST_F(Counters, AnSmIsActiveUntilTheLastExit) {
  u64 last = 0;
  for (const Step& step : steps()) {
    if (step.what.instruction->opcode == Opcode::exit) last = std::max(last, step.issued - result_.began.ticks);
  }
  EXPECT_EQ(sm().activeCycles, last);
  EXPECT_LT(sm().activeCycles, sm().cycles) << "stores are under way when the warps are gone";
}

// 153 threads, of which the even ones, 77, take part in the guarded accesses. Addresses of global memory are of 64 bits.
TEST_F(Counters, OperationsOfThePipes) {
  using isa::PipeOperation;
  constexpr u64 kEven = (kThreads + 1) / 2;
  sm::PipeOperations expected;
  expected[PipeOperation::move] = kThreads;
  expected[PipeOperation::intMultiply] = 2 * kThreads;
  expected[PipeOperation::intAdd] = 3 * kThreads;
  expected[PipeOperation::address] = 2 * kThreads + kThreads + kEven + 2 * 2 * kEven;
  expected[PipeOperation::branch] = kWarps;
  EXPECT_EQ(sm().operations, expected);
}

TEST_F(Counters, WordsBetweenLanesAndMemory) {
  constexpr u64 kEven = (kThreads + 1) / 2;
  const sm::LoadStoreStats& loadStore = sm().loadStore;
  EXPECT_EQ(loadStore.coalescedAccesses, 3 * kWarps);
  EXPECT_EQ(loadStore.coalescedLanes, kThreads + 2 * kEven);
  EXPECT_EQ(loadStore.cacheWords, kThreads + 2 * kEven);
  EXPECT_EQ(loadStore.sharedWords, kThreads + kEven);
  EXPECT_EQ(loadStore.bankWrites, kThreads);
  EXPECT_EQ(loadStore.bankReads, kEven);
}

// Two loads of each warp miss, a line of four sectors each; no line is found.
TEST_F(Counters, SectorsOfTheDataCache) {
  EXPECT_EQ(result_.stats.l1d.sectorsFetched, 2 * kWarps * 4);
  EXPECT_EQ(result_.stats.l1d.sectorsFilled, 2 * kWarps * 4);
  EXPECT_EQ(result_.stats.l1d.sectorsRead, 0u);
  EXPECT_EQ(result_.stats.l1d.sectorsWritten, 0u) << "stores go by";
}

TEST_F(Counters, LatenciesOfLoads) {
  u64 loads = 0, cycles = 0;
  for (const Step& step : steps()) {
    if (step.what.instruction->opcode != Opcode::ld) continue;
    ++loads;
    cycles += step.completed - step.issued;
  }
  EXPECT_EQ(loads, 3 * kWarps);
  EXPECT_EQ(sm().loadStore.loadLatency.count(), loads);
  EXPECT_EQ(sm().loadStore.loadLatency.sum(), cycles);
}

TEST_F(Counters, AccessesOfTheLoadStoreUnit) {
  EXPECT_EQ(sm().loadStore.instructions, 5 * kWarps);
  EXPECT_EQ(sm().loadStore.sharedAccesses, 2 * kWarps);
  EXPECT_EQ(sm().loadStore.sharedPasses, 2 * kWarps) << "no conflicts";
  // Each warp's words are a line of L1; of its stores, which go in sectors of 32 B, too.
  EXPECT_EQ(sm().loadStore.transactions, 3 * kWarps);
}

TEST_F(Counters, FetchesAreAccessesOfTheInstructionCache) {
  EXPECT_EQ(sm().instructionFetches, result_.stats.l1i.accesses[mem::AccessType::instructionRead]);
  EXPECT_GE(sm().instructionFetches * fermi().sm.fetchWidth, sm().warpInstructions);
}

}  // namespace
}  // namespace warpwright
