#include <gtest/gtest.h>

#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using exec::Reconvergence;
using isa::Compare;
using isa::Space;
using isa::SpecialRegister;

// R(0) = tid.x, R(2) = 4 * tid.x
void threadOffset(Assembler& a) {
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::shl, DataType::u32, {R(2)}, {R(0), imm(2)});
}

TEST(Barrier, WarpsSeeEachOthersSharedStores) {
  Assembler a;
  threadOffset(a);
  a.store(Space::shared, DataType::u32, R(3), R(0));  // overwritten: R(3) is 0 everywhere
  a.barrier();
  a.emit(Opcode::mov, DataType::u32, {R(3)}, {R(2)});
  a.store(Space::shared, DataType::u32, R(3), R(0));
  a.barrier();
  a.emit(Opcode::sub, DataType::u32, {R(5)}, {imm(4 * 255), R(2)});
  a.load(Space::shared, DataType::u32, 7, R(5));
  a.elementAddress(8, 0, R(0));
  a.store(Space::global, DataType::u32, R(8), R(7));
  a.exit();
  a.function("reverse").parameterBytes = 8;
  a.program.functions[0].sharedBytes = 1024;
  Runner runner;
  u32* out = runner.array<u32>(256);
  runner.pass(out);
  const auto result = runner.run(a.program, {3}, {256});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 256; ++i) EXPECT_EQ(out[i], 255 - i);
  EXPECT_TRUE(result.warnings.empty());
}

TEST(Barrier, ReductionsCountAndCombinePredicates) {
  Assembler a;
  threadOffset(a);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(40));
  a.emit(Opcode::bar_red, DataType::u32, {R(4)}, {imm(1), {}, P(0)});
  isa::Instruction& all = a.emit(Opcode::bar_red, DataType::pred, {P(1)}, {imm(2), {}, P(0)});
  all.modifiers.combine = isa::BoolOp::and_;
  isa::Instruction& any = a.emit(Opcode::bar_red, DataType::pred, {P(2)}, {imm(3), {}, notP(0)});
  any.modifiers.combine = isa::BoolOp::or_;
  a.emit(Opcode::selp, DataType::u32, {R(5)}, {imm(1000), imm(0), P(1)});
  a.emit(Opcode::selp, DataType::u32, {R(6)}, {imm(2000), imm(0), P(2)});
  a.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), R(5)});
  a.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), R(6)});
  a.elementAddress(8, 0, R(0));
  a.store(Space::global, DataType::u32, R(8), R(4));
  a.exit();
  a.function("reductions").parameterBytes = 8;
  Runner runner;
  u32* out = runner.array<u32>(100);
  runner.pass(out);
  const auto result = runner.run(a.program, {1}, {100});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 100; ++i) EXPECT_EQ(out[i], 2040u);
}

// Warp 0 produces and arrives, warp 1 waits for both with its own barrier; warps 2 and 3 take no part.
TEST(Barrier, ProducerArrivesConsumerWaits) {
  Assembler a;
  threadOffset(a);
  a.emit(Opcode::shr, DataType::u32, {R(9)}, {R(0), imm(5)});
  a.compare(0, Compare::eq, DataType::u32, R(9), imm(0));
  a.compare(1, Compare::eq, DataType::u32, R(9), imm(1));
  const u32 producer = a.branch(P(0));
  const u32 consumer = a.branch(P(1));
  a.exit();
  a.at(consumer).target = a.here();
  a.emit(Opcode::bar_sync, DataType::u32, {}, {imm(5), imm(64)});
  a.load(Space::shared, DataType::u32, 4, R(2), -128);
  a.elementAddress(6, 0, R(0));
  a.store(Space::global, DataType::u32, R(6), R(4), -128);
  a.exit();
  a.at(producer).target = a.here();
  a.emit(Opcode::add, DataType::u32, {R(4)}, {R(0), imm(7)});
  a.store(Space::shared, DataType::u32, R(2), R(4));
  a.emit(Opcode::bar_arrive, DataType::u32, {}, {imm(5), imm(64)});
  a.exit();
  a.function("pipe").parameterBytes = 8;
  a.program.functions[0].sharedBytes = 128;
  Runner runner;
  u32* out = runner.array<u32>(32);
  runner.pass(out);
  const auto result = runner.run(a.program, {1}, {128});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 7);
}

TEST(Barrier, ExitedThreadsAreNotAwaited) {
  Assembler a;
  threadOffset(a);
  a.compare(0, Compare::ge, DataType::u32, R(0), imm(40));
  a.emit(Opcode::exit, DataType::u32).guard = P(0);
  a.barrier();
  a.barrier();
  a.exit();
  a.function("early");
  Runner runner;
  const auto result = runner.run(a.program, {2}, {128});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_TRUE(result.warnings.empty());
}

// Half a warp waits at barrier 0 for threads that wait at barrier 1.
isa::Program crossed() {
  Assembler a;
  threadOffset(a);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(32));
  const u32 first = a.branch(P(0));
  a.barrier(1);
  a.exit();
  a.at(first).target = a.here();
  a.barrier(0);
  a.exit();
  a.function("crossed");
  return a.program;
}

TEST(Barrier, DeadlockNamesTheWarpsAndLines) {
  Runner runner;
  const auto result = runner.run(crossed(), {1}, {64});
  ASSERT_EQ(result.status, LaunchStatus::hang);
  EXPECT_NE(result.message.find("warp 0, lanes 0-31: wait at barrier 0 (32 of 64 threads have arrived) at test.ptx:106"), std::string::npos)
      << result.message;
  EXPECT_NE(result.message.find("warp 1, lanes 0-31: wait at barrier 1"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("\n  block (0,0,0): barrier 0 waits for threads at barrier 1, barrier 1 waits for threads at barrier 0\n"),
            std::string::npos)
      << result.message;
}

TEST(Barrier, NobodyThatHasExitedCanArrive) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.compare(0, Compare::ge, DataType::u32, R(0), imm(32));
  const u32 skip = a.branch(P(0));
  a.emit(Opcode::bar_sync, DataType::u32, {}, {imm(1), imm(64)}).modifiers.aligned = true;
  a.at(skip).target = a.at(skip).reconvergence = a.here();
  a.exit();
  a.function("gone");
  Runner runner;
  const auto result = runner.run(a.program, {1}, {64});
  ASSERT_EQ(result.status, LaunchStatus::hang);
  EXPECT_NE(result.message.find("\n  block (0,0,0): barrier 1 waits for more threads than the block has left\n"), std::string::npos)
      << result.message;
}

// if (lane < 16) barrier; else barrier: both halves of each warp, at different instructions.
TEST(Barrier, DivergentArrivalWorksAndIsWarnedAbout) {
  Assembler a;
  threadOffset(a);
  a.emit(Opcode::and_, DataType::u32, {R(3)}, {R(0), imm(16)});
  a.compare(0, Compare::eq, DataType::u32, R(3), imm(0));
  const u32 split = a.branch(P(0));
  a.barrier();
  const u32 over = a.jump();
  a.at(split).target = a.here();
  a.barrier();
  a.at(split).reconvergence = a.at(over).target = a.here();
  a.exit();
  a.function("divergent");
  Runner runner;
  const auto result = runner.run(a.program, {1}, {64});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
  ASSERT_EQ(result.warnings.size(), 2u);
  EXPECT_NE(result.warnings[0].find("16 of the 32 live threads"), std::string::npos) << result.warnings[0];
}

// Lane 0 waits at a barrier inside a branch whose other lanes run ahead to the next barrier.
TEST(Barrier, LanesAtAMeetingPointHoldUpNobody) {
  Assembler a;
  threadOffset(a);
  a.compare(0, Compare::ne, DataType::u32, R(0), imm(0));
  const u32 skip = a.branch(P(0));
  a.barrier();
  a.at(skip).target = a.at(skip).reconvergence = a.here();
  a.barrier();
  a.exit();
  a.function("ahead");
  Runner runner;
  // 63 threads arrive at the second instruction and lane 0 at the first: together they open barrier 0, and then lane 0 is alone.
  const auto result = runner.run(a.program, {1}, {64});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
  // With a stack lane 0 arrives for its whole warp.
  Runner old;
  old.request.limits.reconvergence = Reconvergence::stack;
  const auto whole = old.run(a.program, {1}, {64});
  EXPECT_EQ(whole.status, LaunchStatus::completed) << whole.message;
  ASSERT_EQ(whole.warnings.size(), 1u);
  EXPECT_NE(whole.warnings[0].find("1 of the 32 live threads"), std::string::npos) << whole.warnings[0];
}

// Both halves of each warp write a word, meet at a barrier of their own, and read what the same half of the other warp has written: with a
// stack the halves come one after the other, and what the second writes the first has not seen.
TEST(Barrier, ABarrierHoldsWholeWarpsWithAStack) {
  Assembler a;
  threadOffset(a);
  a.emit(Opcode::xor_, DataType::u32, {R(4)}, {R(2), imm(128 + 64)});  // the other half of the other warp
  a.emit(Opcode::and_, DataType::u32, {R(14)}, {R(0), imm(16)});
  a.compare(0, Compare::eq, DataType::u32, R(14), imm(0));
  const u32 split = a.branch(P(0));
  const auto half = [&] {
    a.store(Space::shared, DataType::u32, R(2), imm(1));
    a.barrier();
    a.load(Space::shared, DataType::u32, 8, R(4));
    a.barrier();
  };
  half();
  const u32 over = a.jump();
  a.at(split).target = a.here();
  half();
  a.at(split).reconvergence = a.at(over).target = a.here();
  a.elementAddress(6, 0, R(0));
  a.store(Space::global, DataType::u32, R(6), R(8));
  a.exit();
  a.function("halves").parameterBytes = 8;
  a.program.functions[0].sharedBytes = 256;
  for (const Reconvergence policy : {Reconvergence::stack, Reconvergence::independent}) {
    Runner runner;
    runner.request.limits.reconvergence = policy;
    u32* out = runner.array<u32>(64);
    runner.pass(out);
    const auto result = runner.run(a.program, {1}, {64});
    ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
    const bool isStack = policy == Reconvergence::stack;
    for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], isStack && (i & 16) != 0 ? 0u : 1u) << i;
  }
}

// Lanes of a warp that come in pieces to a barrier that counts whole warps: the last piece brings the warp's missing lanes.
TEST(Barrier, ACountOfWholeWarpsIsReachedInPieces) {
  Assembler a;
  threadOffset(a);
  a.emit(Opcode::and_, DataType::u32, {R(14)}, {R(0), imm(31)});
  a.compare(0, Compare::ne, DataType::u32, R(14), imm(0));
  const u32 skip = a.branch(P(0));
  a.emit(Opcode::bar_sync, DataType::u32, {}, {imm(1), imm(64)});
  const u32 over = a.jump();
  a.at(skip).target = a.here();
  a.emit(Opcode::bar_sync, DataType::u32, {}, {imm(1), imm(64)});
  a.at(skip).reconvergence = a.at(over).target = a.here();
  a.exit();
  a.function("pieces");
  Runner runner;
  const auto result = runner.run(a.program, {1}, {40});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
}

TEST(Barrier, NumbersAndCountsAreChecked) {
  Assembler a;
  a.barrier(16);
  a.exit();
  a.function("sixteen");
  Runner runner;
  EXPECT_EQ(runner.run(a.program, {1}, {32}).status, LaunchStatus::illegalInstruction);
  Assembler b;
  b.special(0, SpecialRegister::tid_x);
  b.emit(Opcode::and_, DataType::u32, {R(0)}, {R(0), imm(96)});
  b.emit(Opcode::add, DataType::u32, {R(0)}, {R(0), imm(96)});
  b.emit(Opcode::bar_sync, DataType::u32, {}, {imm(0), R(0)});
  b.exit();
  b.function("disagree");
  EXPECT_EQ(runner.run(b.program, {1}, {64}).status, LaunchStatus::illegalInstruction);
}

}  // namespace
}  // namespace warpwright::testing
