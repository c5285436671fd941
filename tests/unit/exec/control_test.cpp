// Divergence, calls, forward progress.
#include <gtest/gtest.h>

#include "isa/address_space.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using exec::Reconvergence;
using isa::Compare;
using isa::Space;
using isa::SpecialRegister;

struct Policies : ::testing::TestWithParam<Reconvergence> {};
INSTANTIATE_TEST_SUITE_P(Both, Policies, ::testing::Values(Reconvergence::stack, Reconvergence::independent));

void storeByThread(Assembler& a, u32 value) {
  a.special(30, SpecialRegister::tid_x);
  a.elementAddress(32, 0, R(30));
  a.store(Space::global, DataType::u32, R(32), R(value));
}

TEST_P(Policies, IfElseMeetsAgain) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(10));
  const u32 split = a.branch(P(0));
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(7)});
  const u32 over = a.jump();
  a.at(split).target = a.here();
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(3)});
  const u32 meeting = a.at(over).target = a.at(split).reconvergence = a.here();
  storeByThread(a, 2);
  a.exit();
  a.function("ifElse").parameterBytes = 8;
  Runner runner;
  runner.request.limits.reconvergence = GetParam();
  u32* out = runner.array<u32>(32);
  runner.pass(out);
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 10 ? 3u : 7u);
  EXPECT_EQ(result.counts[meeting].warps, 1u);
  EXPECT_EQ(result.counts[meeting].active, 32u);
  EXPECT_EQ(result.counts[split + 1].active, 22u);
}

TEST_P(Policies, LoopWithALengthPerLane) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(0)});
  const u32 loop = a.here();
  a.emit(Opcode::add, DataType::u32, {R(2)}, {R(2), imm(1)});
  a.compare(0, Compare::le, DataType::u32, R(2), R(0));
  a.branch(P(0), loop, a.here() + 1);
  const u32 after = a.here();
  storeByThread(a, 2);
  a.exit();
  a.function("loop").parameterBytes = 8;
  Runner runner;
  runner.request.limits.reconvergence = GetParam();
  u32* out = runner.array<u32>(32);
  runner.pass(out);
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 1);
  EXPECT_EQ(result.counts[loop].warps, 32u);
  EXPECT_EQ(result.counts[loop].active, 32u * 33 / 2);
  EXPECT_EQ(result.counts[after].warps, 1u);
}

TEST_P(Policies, IndexedBranch) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::and_, DataType::u32, {R(2)}, {R(0), imm(3)});
  isa::Instruction& brx = a.emit(Opcode::brx, DataType::u32, {}, {R(2)});
  brx.target = 0;
  const u32 at = a.here() - 1;
  a.program.branchTables.emplace_back();
  std::vector<u32> jumps;
  for (u32 i = 0; i < 4; ++i) {
    a.program.branchTables[0].push_back(a.here());
    a.emit(Opcode::mov, DataType::u32, {R(3)}, {imm(10 * i)});
    jumps.push_back(a.jump());
  }
  for (const u32 jump : jumps) a.at(jump).target = a.here();
  const u32 meeting = a.at(at).reconvergence = a.here();
  storeByThread(a, 3);
  a.exit();
  a.function("indexed").parameterBytes = 8;
  Runner runner;
  runner.request.limits.reconvergence = GetParam();
  u32* out = runner.array<u32>(32);
  runner.pass(out);
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], 10 * (i % 4));
  EXPECT_EQ(result.counts[meeting].warps, 1u);
}

TEST(Control, IndexOutsideTheTableIsReported) {
  Assembler a;
  a.emit(Opcode::brx, DataType::u32, {}, {imm(9)}).target = 0;
  a.program.branchTables.push_back({Pc{1}});
  a.exit();
  a.function("outside");
  Runner runner;
  EXPECT_EQ(runner.run(a.program, {1}, {32}).status, LaunchStatus::invalidProgramCounter);
}

// The factorial by recursion, with a frame of 8 bytes: argument at 0, result at 4.
TEST_P(Policies, RecursionUsesTheStack) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::and_, DataType::u32, {R(2)}, {R(0), imm(7)});
  a.store(Space::local, DataType::u32, R(1), R(2));
  isa::Instruction& call = a.emit(Opcode::call, DataType::u32);
  call.target = 1;
  a.load(Space::local, DataType::u32, 2, R(1), 4);
  storeByThread(a, 2);
  a.exit();
  a.function("kernel").parameterBytes = 8;
  // factorial: R4 = argument
  a.load(Space::local, DataType::u32, 4, R(1));
  a.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1)});
  a.compare(0, Compare::le, DataType::u32, R(4), imm(1));
  const u32 base = a.branch(P(0));
  a.emit(Opcode::sub, DataType::u32, {R(5)}, {R(4), imm(1)});
  a.emit(Opcode::add, DataType::u32, {R(1)}, {R(1), imm(16)});
  a.store(Space::local, DataType::u32, R(1), R(4), 8);  // saved across the call
  a.store(Space::local, DataType::u32, R(1), R(5));
  a.emit(Opcode::call, DataType::u32).target = 1;
  a.load(Space::local, DataType::u32, 5, R(1), 4);
  a.load(Space::local, DataType::u32, 4, R(1), 8);
  a.emit(Opcode::sub, DataType::u32, {R(1)}, {R(1), imm(16)});
  a.emit(Opcode::mul_lo, DataType::u32, {R(5)}, {R(5), R(4)});
  a.at(base).target = a.at(base).reconvergence = a.here();
  a.store(Space::local, DataType::u32, R(1), R(5), 4);
  a.emit(Opcode::ret, DataType::u32);
  a.function("factorial", false);
  Runner runner;
  runner.request.limits.reconvergence = GetParam();
  u32* out = runner.array<u32>(64);
  runner.pass(out);
  const auto result = runner.run(a.program, {1}, {64});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  const u32 factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], factorials[i % 8]) << i;
}

TEST(Control, EndlessRecursionOverflowsTheStack) {
  Assembler a;
  a.emit(Opcode::call, DataType::u32).target = 1;
  a.exit();
  a.function("kernel");
  a.emit(Opcode::add, DataType::u32, {R(1)}, {R(1), imm(64)});
  a.store(Space::local, DataType::u32, R(1), R(1));
  a.emit(Opcode::call, DataType::u32).target = 1;
  a.emit(Opcode::ret, DataType::u32);
  a.function("deeper", false);
  Runner runner;
  runner.request.limits.localBytesPerThread = 4096;
  const auto result = runner.run(a.program, {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::stackOverflow);
  EXPECT_NE(result.message.find("4096 bytes"), std::string::npos) << result.message;
}

TEST_P(Policies, IndirectCallsToDifferentFunctionsMeetAgain) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.elementAddress(4, 8, R(0), 8);
  a.load(Space::global, DataType::u64, 6, R(4));
  a.emit(Opcode::calli, DataType::u32, {}, {R(6)});
  const u32 after = a.here();
  storeByThread(a, 2);
  a.exit();
  a.function("kernel").parameterBytes = 16;
  u64 addresses[2];
  for (u32 i = 0; i < 2; ++i) {
    addresses[i] = isa::kCodeWindow + a.here() * isa::kInstructionBytes;
    a.emit(Opcode::add, DataType::u32, {R(2)}, {R(0), imm(100 * (i + 1))});
    a.emit(Opcode::ret, DataType::u32);
    a.function(i == 0 ? "first" : "second", false);
  }
  Runner runner;
  runner.request.limits.reconvergence = GetParam();
  u32* out = runner.array<u32>(32);
  u64* table = runner.array<u64>(32);
  for (u32 i = 0; i < 32; ++i) table[i] = addresses[i % 3 == 0];
  runner.pass(out), runner.pass(table);
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + (i % 3 == 0 ? 200 : 100));
  EXPECT_EQ(result.counts[after].warps, 1u);

  table[5] = 0;
  const auto bad = exec::launch(runner.request, runner.memory);
  EXPECT_EQ(bad.status, LaunchStatus::invalidProgramCounter);
  EXPECT_NE(bad.message.find("thread (5,0,0)"), std::string::npos) << bad.message;
}

// while (atomicCAS(lock, 0, 1)) {}  ++*counter;  atomicExch(lock, 0): needs threads of a warp to progress on their own.
isa::Program spinLock() {
  Assembler a;
  const u32 loop = a.here();
  isa::Instruction& cas = a.emit(Opcode::atom, DataType::u32, {R(2)}, {param(0), imm(0), imm(1)});
  cas.modifiers.atomic = isa::AtomicOp::cas;
  cas.modifiers.space = Space::global;
  a.compare(0, Compare::ne, DataType::u32, R(2), imm(0));
  a.branch(P(0), loop, a.here() + 1);
  a.load(Space::global, DataType::u32, 3, param(8));
  a.emit(Opcode::add, DataType::u32, {R(3)}, {R(3), imm(1)});
  a.store(Space::global, DataType::u32, param(8), R(3));
  isa::Instruction& unlock = a.emit(Opcode::atom, DataType::u32, {}, {param(0), imm(0)});
  unlock.modifiers.atomic = isa::AtomicOp::exch;
  unlock.modifiers.space = Space::global;
  a.exit();
  a.function("spinLock").parameterBytes = 16;
  return a.program;
}

TEST(Control, SpinLockWithinAWarpProgressesWithIndependentThreads) {
  Runner runner;
  u32* lock = runner.array<u32>(1);
  u32* counter = runner.array<u32>(1);
  runner.pass(lock), runner.pass(counter);
  const auto result = runner.run(spinLock(), {8}, {128});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(*counter, 1024u);
  EXPECT_EQ(*lock, 0u);
}

// One block after the other: block 0 polls as often as the machine lets it before block 1 runs.
TEST(Control, APathLetsOthersRunAfterThePollsOfTheMachine) {
  const auto executed = [](u32 polls) {
    Runner runner;
    runner.request.limits.pollsBeforeYield = polls;
    u32* lock = runner.array<u32>(1);
    u32* counter = runner.array<u32>(1);
    runner.pass(lock), runner.pass(counter);
    const auto result = runner.run(spinLock(), {1}, {32});
    EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
    EXPECT_EQ(*counter, 32u);
    return result.warpInstructions;
  };
  const u64 few = executed(4), default_ = executed(16), many = executed(64);
  EXPECT_EQ(default_, executed(exec::MachineLimits{}.pollsBeforeYield));
  EXPECT_LT(few, default_);
  EXPECT_LT(default_, many);
}

TEST(Control, SpinLockWithinAWarpHangsWithAStack) {
  Runner runner;
  runner.request.limits.reconvergence = Reconvergence::stack;
  u32* lock = runner.array<u32>(1);
  u32* counter = runner.array<u32>(1);
  runner.pass(lock), runner.pass(counter);
  const auto result = runner.run(spinLock(), {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::hang);
  EXPECT_NE(result.message.find("lanes 1-31"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("test.ptx:100"), std::string::npos) << result.message;
  EXPECT_LT(result.warpInstructions, 100'000u);
}

// word[lane] += 1 by each of eight warps, `rounds` times, on both sides of a barrier.
isa::Program raceWithoutOrder(u32 rounds) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::and_, DataType::u32, {R(0)}, {R(0), imm(31)});
  a.special(1, SpecialRegister::ctaid_x);
  a.emit(Opcode::mad_lo, DataType::u32, {R(0)}, {R(1), imm(32), R(0)});
  a.elementAddress(2, 0, R(0));
  for (u32 half = 0; half < 2; ++half) {
    for (u32 i = 0; i < rounds; ++i) {
      a.load(Space::global, DataType::u32, 4, R(2));
      a.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
      a.store(Space::global, DataType::u32, R(2), R(4));
    }
    a.barrier();
  }
  a.exit();
  a.function("race").parameterBytes = 8;
  return a.program;
}

struct EventCounter : exec::Observer {
  u64 issues = 0;
  bool wantsIssue() const override { return true; }
  void issue(const exec::IssueEvent&) override { ++issues; }
};

TEST(Control, WarpsThatOverwriteWhatAllHaveReadWorkSideBySide) {
  for (const bool observed : {false, true}) {
    Runner runner;
    EventCounter counter;
    if (observed) runner.request.observer = &counter;
    u32* words = runner.array<u32>(96);
    runner.pass(words);
    const auto result = runner.run(raceWithoutOrder(20), {3}, {256});
    ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
    for (u32 i = 0; i < 96; ++i) EXPECT_EQ(words[i], 40u) << i;
    EXPECT_EQ(result.warpInstructions, 3u * 8 * (5 + 2 * (3 * 20 + 1) + 1));
    EXPECT_EQ(counter.issues, observed ? result.warpInstructions : 0);
  }
}

// Block 1 sets the flag that block 0 waits for.
isa::Program waitForOtherBlock() {
  Assembler a;
  a.special(0, SpecialRegister::ctaid_x);
  a.compare(0, Compare::ne, DataType::u32, R(0), imm(0));
  const u32 sets = a.branch(P(0));
  const u32 loop = a.here();
  a.load(Space::global, DataType::u32, 2, param(0)).modifiers.ordering = isa::Ordering::volatile_;
  a.compare(0, Compare::eq, DataType::u32, R(2), imm(0));
  a.branch(P(0), loop, a.here() + 1);
  a.exit();
  a.at(sets).target = a.here();
  a.store(Space::global, DataType::u32, param(0), imm(1));
  a.exit();
  a.function("waitForOtherBlock").parameterBytes = 8;
  return a.program;
}

TEST(Control, ResidentBlocksMayWaitForEachOther) {
  Runner runner;
  runner.pass(runner.array<u32>(1));
  const auto result = runner.run(waitForOtherBlock(), {2}, {32});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
}

TEST(Control, BlocksThatAreNotResidentCannotBeWaitedFor) {
  Runner runner;
  runner.request.limits.residentBlocksPerSm = 1;
  runner.pass(runner.array<u32>(1));
  const auto result = runner.run(waitForOtherBlock(), {2}, {32});
  EXPECT_EQ(result.status, LaunchStatus::hang);
  EXPECT_NE(result.message.find("block (0,0,0), warp 0, lanes 0-31: poll"), std::string::npos) << result.message;
}

TEST(Control, AnEndlessLoopIsProvenToBeOne) {
  Assembler a;
  a.emit(Opcode::mov, DataType::u32, {R(0)}, {imm(1)});
  a.jump(0);
  a.exit();
  a.function("endless");
  Runner runner;
  const auto result = runner.run(a.program, {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::hang);
  EXPECT_LT(result.warpInstructions, 100'000'000u);
}

// Two that lie in each other's registers.
TEST(Control, APointHasInItsDestinationsWhatItsSourcesWere) {
  Assembler a;
  a.special(0, SpecialRegister::laneid);
  a.emit(Opcode::add, DataType::u32, {R(4)}, {R(0), imm(100)});
  a.emit(Opcode::point, DataType::u32, {R(4), R(0)}, {R(0), R(4)});
  a.elementAddress(6, 0, R(4));
  a.store(Space::global, DataType::u32, R(6), R(0));
  a.exit();
  a.function("exchanges").parameterBytes = 8;
  Runner runner;
  u32* const words = runner.array<u32>(32);
  runner.pass(words);
  EXPECT_EQ(runner.run(a.program, {1}, {32}).status, LaunchStatus::completed);
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], lane + 100) << lane;
}

TEST(Control, SleepingForEverIsAHang) {
  Assembler a;
  a.emit(Opcode::nanosleep, DataType::u32, {}, {imm(100)});
  a.jump(0);
  a.exit();
  a.function("sleeps");
  Runner runner;
  const auto result = runner.run(a.program, {2}, {96});
  EXPECT_EQ(result.status, LaunchStatus::hang);
  EXPECT_NE(result.message.find("block (1,0,0), warps 0-2, lanes 0-31: poll"), std::string::npos) << result.message;
}

TEST(Control, ACountingLoopIsNotTakenForAHang) {
  Assembler a;
  a.emit(Opcode::add, DataType::u32, {R(0)}, {R(0), imm(1)});
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(3'000'000));
  a.branch(P(0), 0, 3);
  a.exit();
  a.function("counting");
  Runner runner;
  EXPECT_EQ(runner.run(a.program, {1}, {32}).status, LaunchStatus::completed);
}

TEST(Control, TheWatchdogStopsWhatCannotBeProven) {
  Assembler a;
  a.emit(Opcode::add, DataType::u64, {R(2)}, {R(2), imm(1)});
  a.jump(0);
  a.exit();
  a.function("counting");
  Runner runner;
  runner.request.watchdogInstructions = 2'000'000;
  EXPECT_EQ(runner.run(a.program, {1}, {32}).status, LaunchStatus::hang);
}

TEST(Control, TrapAndRunningOffTheEnd) {
  Assembler a;
  a.emit(Opcode::trap, DataType::u32);
  a.function("trap");
  Runner runner;
  const auto trap = runner.run(a.program, {1}, {32});
  EXPECT_EQ(trap.status, LaunchStatus::trap);
  EXPECT_NE(trap.message.find("test.ptx:100"), std::string::npos) << trap.message;
  Assembler b;
  b.emit(Opcode::mov, DataType::u32, {R(0)}, {imm(1)});
  b.function("endless");
  EXPECT_EQ(runner.run(b.program, {1}, {32}).status, LaunchStatus::invalidProgramCounter);
}

}  // namespace
}  // namespace warpwright::testing
