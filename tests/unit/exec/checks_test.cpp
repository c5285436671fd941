// What --check and --on-fault ask for: for each report a kernel that must be reported, and one like it that must not.
#include <gtest/gtest.h>

#include "isa/address_space.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using exec::OnFault;
using isa::Compare;
using isa::Space;
using isa::SpecialRegister;
using isa::SystemCall;

constexpr u64 kMiB = u64{1} << 20;

struct Tracking : Runner {
  Tracking() : Runner({64, 64 * kMiB, true}) { request.checks.uninitialised = true; }
};

// Threads below `writers` write their word of the block's own memory, then each thread reads its word.
isa::Program writesThenReads(Space space, u32 writers, bool spilled = false) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mul_lo, DataType::u32, {R(3)}, {R(0), imm(space == Space::local ? 0 : 4)});
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(writers));
  a.store(space, DataType::u32, R(3), R(0)).guard = P(0);
  a.load(space, DataType::u32, 4, R(3)).spill = spilled;
  a.exit();
  a.function("own");
  a.program.functions[0].localBytes = 4;
  return a.program;
}

TEST(Uninitialised, SharedMemoryIsFollowed) {
  for (const bool dynamic : {false, true}) {
    isa::Program program = writesThenReads(Space::shared, 9);
    isa::Program whole = writesThenReads(Space::shared, 32);
    for (isa::Program* each : {&program, &whole}) each->functions[0].sharedBytes = dynamic ? 0 : 128;
    Tracking runner;
    if (dynamic) runner.launch->dynamicSharedBytes = 128;
    // The second block takes over the memory of the first.
    runner.request.limits.residentBlocksPerSm = 1;
    EXPECT_EQ(runner.run(whole, {2}, {32}).status, LaunchStatus::completed);
    const auto result = runner.run(program, {2}, {32});
    ASSERT_EQ(result.status, LaunchStatus::useOfUninitialised);
    EXPECT_NE(result.message.find("shared address 0x24 reads memory that was never written"), std::string::npos) << result.message;
    EXPECT_NE(result.message.find("thread (9,0,0)"), std::string::npos) << result.message;
  }
}

TEST(Uninitialised, BlocksDoNotInheritWhatOthersWrote) {
  Assembler a;
  a.special(0, SpecialRegister::ctaid_x);
  a.compare(0, Compare::eq, DataType::u32, R(0), imm(0));
  a.store(Space::shared, DataType::u32, imm(0), R(0)).guard = P(0);
  a.load(Space::shared, DataType::u32, 4, imm(0));
  a.exit();
  a.function("inherits").sharedBytes = 4;
  Tracking runner;
  runner.request.limits.residentBlocksPerSm = 1;
  EXPECT_EQ(runner.run(a.program, {1}, {1}).status, LaunchStatus::completed);
  EXPECT_EQ(runner.run(a.program, {2}, {1}).status, LaunchStatus::useOfUninitialised);
}

TEST(Uninitialised, LocalMemoryIsFollowedThreadByThread) {
  Tracking runner;
  EXPECT_EQ(runner.run(writesThenReads(Space::local, 32), {1}, {32}).status, LaunchStatus::completed);
  const auto result = runner.run(writesThenReads(Space::local, 9), {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::useOfUninitialised);
  EXPECT_NE(result.message.find("local address 0x0"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("thread (9,0,0)"), std::string::npos) << result.message;
  EXPECT_EQ(runner.run(writesThenReads(Space::local, 9, true), {1}, {32}).status, LaunchStatus::completed) << "spilled registers";
}

TEST(Uninitialised, GapsOfStructuresAreNoValues) {
  for (const bool whole : {false, true}) {
    Assembler a;
    a.store(Space::shared, DataType::u8, imm(0), imm(1));
    a.store(Space::shared, DataType::u32, imm(4), imm(1));
    a.load(Space::shared, DataType::u64, 4, imm(whole ? 8 : 0));
    a.exit();
    a.function("gap").sharedBytes = 16;
    Tracking runner;
    EXPECT_EQ(runner.run(a.program, {1}, {1}).status, whole ? LaunchStatus::useOfUninitialised : LaunchStatus::completed);
  }
}

TEST(Uninitialised, SingleBytesOfLocalMemoryAreCopiedByUnoptimisedCode) {
  Assembler a;
  a.load(Space::local, DataType::u8, 4, imm(0));
  a.exit();
  a.function("copies").localBytes = 4;
  Tracking runner;
  EXPECT_EQ(runner.run(a.program, {1}, {1}).status, LaunchStatus::completed);
}

TEST(Uninitialised, WhereFaultsAreToleratedAllAreReported) {
  Tracking runner;
  runner.request.checks.onFault = OnFault::warn;
  const auto result = runner.run(writesThenReads(Space::local, 9), {4}, {32});
  EXPECT_EQ(result.status, LaunchStatus::completed);
  EXPECT_EQ(result.tolerated.size(), 1u);
}

// out[tid] = in[tid + 8], where `in` has 32 words.
isa::Program readsAhead() {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.elementAddress(2, 8, R(0));
  a.elementAddress(4, 0, R(0));
  a.load(Space::global, DataType::u32, 6, R(2), 32);
  a.store(Space::global, DataType::u32, R(4), R(6));
  a.exit();
  a.function("ahead").parameterBytes = 16;
  return a.program;
}

TEST(OnFault, OutOfBoundsReadsGiveWhatLiesThere) {
  Runner runner;
  u32* out = runner.array<u32>(32);
  u32* in = runner.array<u32>(32, "input");
  std::fill_n(in, 32, 1u);
  std::fill_n(out, 32, 7u);
  in[32] = 5;  // of no allocation, and yet in the device's memory
  runner.pass(out), runner.pass(in);
  EXPECT_EQ(runner.run(readsAhead(), {3}, {32}).status, LaunchStatus::illegalAddress);
  runner.request.checks.onFault = OnFault::warn;
  const auto result = runner.run(readsAhead(), {3}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  ASSERT_EQ(result.tolerated.size(), 1u) << "once a place";
  EXPECT_NE(result.tolerated[0].find("0 bytes past the end of input"), std::string::npos) << result.tolerated[0];
  EXPECT_EQ(out[23], 1u);
  EXPECT_EQ(out[24], 5u);
  EXPECT_EQ(out[25], 0u);
}

TEST(OnFault, WhatIsNoMemoryOfTheDeviceStopsAllTheSame) {
  Runner runner;
  runner.pass(runner.array<u32>(32)), runner.pass(u64{0});
  runner.request.checks.onFault = OnFault::warn;
  const auto result = runner.run(readsAhead(), {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::illegalAddress);
  EXPECT_TRUE(result.tolerated.empty());
}

TEST(OnFault, BeyondSharedMemoryLoadsGiveZeroAndStoresAreLost) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::shl, DataType::u32, {R(3)}, {R(0), imm(2)});
  a.store(Space::shared, DataType::u32, R(3), imm(9));
  a.emit(Opcode::mov, DataType::u32, {R(4)}, {imm(77)});
  a.load(Space::shared, DataType::u32, 4, R(3));
  a.elementAddress(6, 0, R(0));
  a.store(Space::global, DataType::u32, R(6), R(4));
  a.exit();
  a.function("shared").parameterBytes = 8;
  a.program.functions[0].sharedBytes = 64;
  Runner runner;
  u32* out = runner.array<u32>(32);
  runner.pass(out);
  runner.request.checks.onFault = OnFault::warn;
  const auto result = runner.run(a.program, {1}, {32});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(result.tolerated.size(), 2u);
  EXPECT_EQ(out[15], 9u);
  EXPECT_EQ(out[16], 0u);
}

// A read 600 bytes past the end of one array lands in the next.
TEST(Neighbours, AreFarAwayOnRequest) {
  for (const bool wide : {false, true}) {
    Runner runner({64, 64 * kMiB, false, wide});
    u32* in = runner.array<u32>(256, "input");
    u32* out = runner.array<u32>(256);
    Assembler a;
    a.emit(Opcode::mov, DataType::u64, {R(2)}, {param(8)});
    a.load(Space::global, DataType::u32, 4, R(2), 1024 + 600);
    a.exit();
    a.function("neighbour").parameterBytes = 16;
    runner.pass(out), runner.pass(in);
    const auto result = runner.run(a.program, {1}, {1});
    EXPECT_EQ(result.status, wide ? LaunchStatus::illegalAddress : LaunchStatus::completed);
    EXPECT_EQ(wide, result.message.find("bytes before allocation #2") != std::string::npos) << result.message;
    EXPECT_EQ(wide, result.message.find("check the index against the size of the allocation") != std::string::npos) << result.message;
  }
}

struct Synchronising : Runner {
  Synchronising() { request.checks.synchronisation = true; }
};

isa::Program shuffles(u32 mask) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(16));
  isa::Instruction& i = a.emit(Opcode::shfl, DataType::u32, {R(4)}, {R(0), imm(0), imm(31), imm(mask)});
  i.modifiers.shuffle = isa::ShuffleMode::idx;
  i.guard = P(0);
  a.exit();
  a.function("shuffles");
  return a.program;
}

TEST(Synchronisation, CallersNameThemselvesInTheirMemberMask) {
  Synchronising runner;
  EXPECT_EQ(runner.run(shuffles(0xffff), {1}, {32}).status, LaunchStatus::completed);
  const auto result = runner.run(shuffles(0xfffe), {2}, {32});
  ASSERT_EQ(result.status, LaunchStatus::undefinedSynchronisation);
  EXPECT_NE(result.message.find("does not name its lane 0"), std::string::npos) << result.message;
  EXPECT_EQ(result.blocksDone, 2u);
  Runner unchecked;
  EXPECT_EQ(unchecked.run(shuffles(0xfffe), {1}, {32}).status, LaunchStatus::completed);
}

TEST(Synchronisation, VotesMatchesAndSynchronisationsToo) {
  const auto check = [](auto emit) {
    Assembler a;
    emit(a);
    a.exit();
    a.function("others");
    Synchronising runner;
    EXPECT_EQ(runner.run(a.program, {1}, {1}).status, LaunchStatus::undefinedSynchronisation);
  };
  check([](Assembler& a) {
    a.emit(Opcode::vote, DataType::u32, {R(4)}, {P(isa::kTruePredicate), imm(2)}).modifiers.vote = isa::VoteMode::ballot;
  });
  check([](Assembler& a) { a.emit(Opcode::match, DataType::u32, {R(4)}, {R(2), imm(2)}); });
  check([](Assembler& a) { a.emit(Opcode::warpsync, DataType::u32, {}, {imm(2)}); });
  check([](Assembler& a) { a.emit(Opcode::redux, DataType::u32, {R(4)}, {R(2), imm(2)}).modifiers.atomic = isa::AtomicOp::add; });
}

// Threads from `first` on wait at one barrier, those before it at another.
isa::Program twoBarriers(u32 first) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(first));
  const u32 branch = a.branch(P(0));
  a.barrier();
  const u32 jump = a.jump();
  a.at(branch).target = a.here();
  a.barrier();
  a.at(branch).reconvergence = a.at(jump).target = a.here();
  a.exit();
  a.function("barriers");
  return a.program;
}

TEST(Synchronisation, AllThreadsWaitAtTheSameBarrier) {
  Synchronising runner;
  EXPECT_EQ(runner.run(twoBarriers(0), {1}, {64}).status, LaunchStatus::completed);
  EXPECT_EQ(runner.run(twoBarriers(64), {1}, {64}).status, LaunchStatus::completed);
  const auto unequal = runner.run(twoBarriers(32), {1}, {64});
  ASSERT_EQ(unequal.status, LaunchStatus::undefinedSynchronisation);
  EXPECT_NE(unequal.message.find("test.ptx:103"), std::string::npos) << unequal.message;
  EXPECT_NE(unequal.message.find("test.ptx:105"), std::string::npos) << unequal.message;
  EXPECT_EQ(runner.run(twoBarriers(40), {1}, {64}).status, LaunchStatus::undefinedSynchronisation) << "within a warp";
}

// Each thread allocates so much; out[tid] = the pointer.
isa::Program allocates(u64 bytes) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.store(Space::local, DataType::u64, R(1), imm(bytes));
  a.emit(Opcode::syscall, DataType::u32).target = static_cast<u32>(SystemCall::malloc);
  a.load(Space::local, DataType::u64, 2, R(1), 8);
  a.elementAddress(4, 0, R(0), 8);
  a.store(Space::global, DataType::u64, R(4), R(2));
  a.exit();
  a.function("allocates").parameterBytes = 8;
  return a.program;
}

TEST(DeviceHeap, IsAsLargeAsItsLimit) {
  Runner runner;
  u64* out = runner.array<u64>(8);
  runner.pass(out);
  EXPECT_TRUE(runner.run(allocates(kMiB), {1}, {8}).warnings.empty());
  EXPECT_NE(out[7], 0u);
  const auto full = runner.run(allocates(1), {2}, {8});
  EXPECT_EQ(full.status, LaunchStatus::completed);
  EXPECT_EQ(out[0], 0u);
  ASSERT_EQ(full.warnings.size(), 1u);
  EXPECT_NE(full.warnings[0].find("device heap of 8388608 bytes is full"), std::string::npos) << full.warnings[0];
  runner.request.limits.heapBytes = 9 * kMiB;
  EXPECT_TRUE(runner.run(allocates(1), {1}, {8}).warnings.empty());
  EXPECT_NE(out[0], 0u);
}

}  // namespace
}  // namespace warpwright::testing
