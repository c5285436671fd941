// Races in shared and global memory: each idiom with what orders it, and without.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "exec/race_clock.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using exec::Reconvergence;
using isa::AtomicOp;
using isa::Compare;
using isa::Ordering;
using isa::Scope;
using isa::Space;
using isa::SpecialRegister;

constexpr u32 kFullMask = 0xffff'ffff;

// Kernels over two words of global memory: data (R2:R3 points to it) and, 64 bytes behind, a flag or counter.
struct RaceTest : ::testing::Test {
  RaceTest() {
    runner.request.checks.races = true;
    runner.pass(runner.array<u32>(1024, "words"));
    a.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
    a.special(0, SpecialRegister::tid_x);
    a.special(1, SpecialRegister::ctaid_x);
  }
  exec::LaunchResult run(Dim3 grid, Dim3 block) {
    a.exit();
    a.function("k").parameterBytes = 8;
    a.program.functions[0].sharedBytes = 1024;
    return runner.run(a.program, grid, block);
  }
  isa::Instruction& fence(Scope scope = Scope::gpu) {
    isa::Instruction& i = a.emit(Opcode::fence, DataType::u32);
    i.modifiers.ordering = Ordering::sc;
    i.modifiers.scope = scope;
    return i;
  }
  isa::Instruction& atomicAdd(s64 offset) {
    isa::Instruction& i = a.emit(Opcode::atom, DataType::u32, {R(6)}, {R(2), imm(1)});
    i.modifiers.space = Space::global;
    i.modifiers.atomic = AtomicOp::add;
    i.modifiers.ordering = Ordering::relaxed;
    i.modifiers.scope = Scope::gpu;
    i.offset = offset;
    return i;
  }
  isa::Instruction& writeData() { return a.store(Space::global, DataType::u32, R(2), R(1)); }
  isa::Instruction& readData() { return a.load(Space::global, DataType::u32, 4, R(2)); }
  // Predicate `p`: the block, or the thread, has this number.
  void inBlock(u32 p, u32 number) { a.compare(p, Compare::eq, DataType::u32, R(1), imm(number)); }
  void isThread(u32 p, u32 number) { a.compare(p, Compare::eq, DataType::u32, R(0), imm(number)); }

  Runner runner;
  Assembler a;
};

TEST_F(RaceTest, BlocksThatWriteAndRead) {
  inBlock(0, 0);
  inBlock(1, 1);
  writeData().guard = P(0);
  readData().guard = P(1);
  const auto result = run({2}, {1});
  ASSERT_EQ(result.status, LaunchStatus::race);
  EXPECT_NE(result.message.find("0 bytes into words"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("write by block (0,0,0), thread (0,0,0) at test.ptx:105"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("read by block (1,0,0), thread (0,0,0) at test.ptx:106"), std::string::npos) << result.message;
}

TEST_F(RaceTest, BlocksThatReadTheSame) {
  readData();
  EXPECT_EQ(run({4}, {64}).status, LaunchStatus::completed);
}

TEST_F(RaceTest, BlocksWithWordsOfTheirOwn) {
  a.emit(Opcode::mad_wide, DataType::u32, {R(2)}, {R(1), imm(4), R(2)});
  writeData().guard = P(isa::kTruePredicate);
  readData();
  EXPECT_EQ(run({4}, {1}).status, LaunchStatus::completed);
}

TEST_F(RaceTest, StoresOfTheSameValue) {
  a.store(Space::global, DataType::u32, R(2), imm(1));
  EXPECT_EQ(run({4}, {64}).status, LaunchStatus::completed);
}

TEST_F(RaceTest, StoresOfDifferentValues) {
  writeData();
  EXPECT_EQ(run({4}, {1}).status, LaunchStatus::race);
}

TEST_F(RaceTest, LanesOfOneStore) {
  a.store(Space::global, DataType::u32, R(2), R(0));
  EXPECT_EQ(run({1}, {32}).status, LaunchStatus::race);
}

// The last block to add to the counter reads what all have written. WithFence: as it must be.
struct LastBlock : RaceTest, ::testing::WithParamInterface<Scope> {};

TEST_P(LastBlock, NeedsAFenceThatReachesFarEnough) {
  a.emit(Opcode::mad_wide, DataType::u32, {R(4)}, {R(1), imm(4), R(2)});
  a.store(Space::global, DataType::u32, R(4), R(0));
  if (GetParam() != Scope::none) fence(GetParam());
  a.barrier();
  isThread(0, 0);
  atomicAdd(512).guard = P(0);
  a.barrier();
  // Too early in all blocks but the last.
  a.compare(1, Compare::eq, DataType::u32, R(6), imm(3));
  a.store(Space::shared, DataType::u32, imm(0), imm(1)).guard = P(1);
  a.barrier();
  a.load(Space::shared, DataType::u32, 7, imm(0));
  a.compare(2, Compare::eq, DataType::u32, R(7), imm(1));
  a.load(Space::global, DataType::u32, 4, R(2)).guard = P(2);
  const auto result = run({4}, {1});
  EXPECT_EQ(result.status, GetParam() == Scope::gpu ? LaunchStatus::completed : LaunchStatus::race) << result.message;
}

INSTANTIATE_TEST_SUITE_P(Races, LastBlock, ::testing::Values(Scope::none, Scope::cta, Scope::gpu));

// The lanes of an atomic come one after the other: the last has found what the others have published.
struct LastLane : RaceTest, ::testing::WithParamInterface<bool> {};

TEST_P(LastLane, NeedsAFence) {
  runner.request.limits.reconvergence = Reconvergence::independent;
  a.emit(Opcode::mad_wide, DataType::u32, {R(4)}, {R(0), imm(4), R(2)});
  a.store(Space::global, DataType::u32, R(4), R(0));
  if (GetParam()) fence();
  atomicAdd(512);
  a.compare(1, Compare::eq, DataType::u32, R(6), imm(31));
  a.load(Space::global, DataType::u32, 7, R(2)).guard = P(1);
  const auto result = run({1}, {32});
  EXPECT_EQ(result.status, GetParam() ? LaunchStatus::completed : LaunchStatus::race) << result.message;
}

INSTANTIATE_TEST_SUITE_P(Races, LastLane, ::testing::Bool());

// Of an atomic at other places they have found nothing.
TEST_F(RaceTest, LanesWithCountersOfTheirOwnKnowNothingOfOneAnother) {
  runner.request.limits.reconvergence = Reconvergence::independent;
  a.emit(Opcode::mad_wide, DataType::u32, {R(4)}, {R(0), imm(4), R(2)});
  a.store(Space::global, DataType::u32, R(4), R(0));
  fence();
  atomicAdd(512).sources[0] = R(4);
  isThread(1, 31);
  a.load(Space::global, DataType::u32, 7, R(2)).guard = P(1);
  EXPECT_EQ(run({1}, {32}).status, LaunchStatus::race);
}

// Who has found the atomics of all others at a place comes after them there, with an ordinary store too.
TEST_F(RaceTest, TheLastBlockMayResetTheCounter) {
  atomicAdd(512);
  a.compare(1, Compare::eq, DataType::u32, R(6), imm(3));
  a.store(Space::global, DataType::u32, R(2), imm(0), 512).guard = P(1);
  const auto result = run({4}, {1});
  EXPECT_EQ(result.status, LaunchStatus::completed) << result.message;
}

TEST_F(RaceTest, AnotherBlockMayNot) {
  inBlock(1, 1);
  atomicAdd(512);
  a.store(Space::global, DataType::u32, R(2), imm(0), 512).guard = P(1);
  EXPECT_EQ(run({4}, {1}).status, LaunchStatus::race);
}

// Block 0 writes and raises a flag, block 1 waits for it. What the flag's store is decides.
struct Flag : RaceTest {
  exec::LaunchResult hand(bool withFence, Ordering store) {
    inBlock(0, 0);
    writeData().guard = P(0);
    if (withFence) fence().guard = P(0);
    isa::Instruction& flag = a.store(Space::global, DataType::u32, R(2), imm(1), 512);
    flag.guard = P(0);
    flag.modifiers.ordering = store;
    flag.modifiers.scope = Scope::gpu;
    const u32 loop = a.here();
    a.load(Space::global, DataType::u32, 6, R(2), 512).modifiers.ordering = Ordering::volatile_;
    a.compare(1, Compare::eq, DataType::u32, R(6), imm(0));
    const u32 branch = a.branch(P(1), loop);
    a.at(branch).reconvergence = a.here();
    inBlock(2, 1);
    readData().guard = P(2);
    return run({2}, {1});
  }
};
TEST_F(Flag, BehindAFence) { EXPECT_EQ(hand(true, Ordering::volatile_).status, LaunchStatus::completed); }
TEST_F(Flag, ThatReleases) { EXPECT_EQ(hand(false, Ordering::release).status, LaunchStatus::completed); }
TEST_F(Flag, WithoutAFence) { EXPECT_EQ(hand(false, Ordering::volatile_).status, LaunchStatus::race); }
TEST_F(Flag, ThatIsAnOrdinaryStore) { EXPECT_EQ(hand(true, Ordering::weak).status, LaunchStatus::race); }

// Lane 0 writes, lane 1 reads.
struct Lanes : RaceTest {
  exec::LaunchResult hand(Space space, u32 syncMask, Reconvergence reconvergence) {
    runner.request.limits.reconvergence = reconvergence;
    isThread(0, 0);
    isThread(1, 1);
    const Operand address = space == Space::global ? R(2) : imm(0);
    a.store(space, DataType::u32, address, imm(5)).guard = P(0);
    if (syncMask) {
      a.compare(2, Compare::lt, DataType::u32, R(0), imm(syncMask == kFullMask ? 32 : 2));
      a.emit(Opcode::warpsync, DataType::u32, {}, {imm(syncMask)}).guard = P(2);
    }
    a.load(space, DataType::u32, 4, address).guard = P(1);
    return run({1}, {32});
  }
};
TEST_F(Lanes, WithoutOrder) { EXPECT_EQ(hand(Space::shared, 0, Reconvergence::independent).status, LaunchStatus::race); }
TEST_F(Lanes, WithoutOrderInGlobalMemory) { EXPECT_EQ(hand(Space::global, 0, Reconvergence::independent).status, LaunchStatus::race); }
TEST_F(Lanes, InLockstep) { EXPECT_EQ(hand(Space::shared, 0, Reconvergence::stack).status, LaunchStatus::completed); }
TEST_F(Lanes, BehindSyncwarp) { EXPECT_EQ(hand(Space::shared, kFullMask, Reconvergence::independent).status, LaunchStatus::completed); }
TEST_F(Lanes, BehindSyncwarpOfATile) { EXPECT_EQ(hand(Space::shared, 3, Reconvergence::independent).status, LaunchStatus::completed); }

TEST_F(RaceTest, SyncwarpOfOtherLanesOrdersNothing) {
  isThread(0, 0);
  isThread(1, 2);
  a.store(Space::shared, DataType::u32, imm(0), imm(5)).guard = P(0);
  a.compare(2, Compare::lt, DataType::u32, R(0), imm(2));
  a.emit(Opcode::warpsync, DataType::u32, {}, {imm(3)}).guard = P(2);
  a.load(Space::shared, DataType::u32, 4, imm(0)).guard = P(1);
  EXPECT_EQ(run({1}, {32}).status, LaunchStatus::race);
}

// Whichever of a block's warps has arrived first, though the others' fences come later.
struct BehindABarrier : RaceTest, ::testing::WithParamInterface<u32> {};

TEST_P(BehindABarrier, WritesAreOrderedByTheNextOne) {
  for (const bool another : {false, true}) {
    a = Assembler{};
    a.special(0, SpecialRegister::tid_x);
    isThread(0, GetParam());
    isThread(1, (GetParam() + 32) % 128);
    fence(Scope::cta);
    a.barrier();
    a.store(Space::shared, DataType::u32, imm(0), imm(5)).guard = P(0);
    if (another) a.barrier();
    a.load(Space::shared, DataType::u32, 4, imm(0)).guard = P(1);
    const LaunchStatus status = run({1}, {128}).status;
    EXPECT_EQ(status, another ? LaunchStatus::completed : LaunchStatus::race);
  }
}

INSTANTIATE_TEST_SUITE_P(Races, BehindABarrier, ::testing::Values(0u, 32u, 64u, 96u));

TEST_F(RaceTest, AtomicsAndOrdinaryReads) {
  inBlock(0, 0);
  atomicAdd(0).guard = P(0);
  inBlock(1, 1);
  readData().guard = P(1);
  EXPECT_EQ(run({2}, {1}).status, LaunchStatus::race);
}

TEST_F(RaceTest, AtomicsOfABlockAloneAreNoneBetweenBlocks) {
  atomicAdd(0).modifiers.scope = Scope::cta;
  EXPECT_EQ(run({1}, {64}).status, LaunchStatus::completed);
}

TEST_F(RaceTest, AtomicsOfABlockAloneRaceBetweenBlocks) {
  atomicAdd(0).modifiers.scope = Scope::cta;
  EXPECT_EQ(run({2}, {1}).status, LaunchStatus::race);
}

TEST_F(RaceTest, BytesOfAWordAreApart) {
  a.emit(Opcode::mad_wide, DataType::u32, {R(4)}, {R(0), imm(1), R(2)});
  a.store(Space::global, DataType::u8, R(4), R(0));
  a.load(Space::global, DataType::u8, 6, R(4));
  EXPECT_EQ(run({1}, {32}).status, LaunchStatus::completed);
}

// A clock may know too much, never too little.
TEST(RaceClock, KnowsAtLeastWhatItWasTold) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<exec::RaceClock> clocks(4);
    std::map<std::pair<u32, u32>, u64> told[4];
    for (int step = 0; step < 300; ++step) {
      const u32 which = random() % 4, other = random() % 4;
      const u32 block = random() % (round % 2 == 0 ? 3 : 200), warp = random() % 4;
      if (random() % 4 == 0) {
        clocks[which].join(clocks[other]);
        for (const auto& [who, moment] : told[other]) told[which][who] = std::max(told[which][who], moment);
      } else if (random() % 8 == 0) {
        clocks[which].unite(block, 4);
      } else {
        const u64 moment = 1 + random() % 1000;
        clocks[which].raise(block, warp, moment);
        told[which][{block, warp}] = std::max(told[which][{block, warp}], moment);
      }
    }
    for (u32 i = 0; i < 4; ++i) {
      for (const auto& [who, moment] : told[i]) ASSERT_GE(clocks[i].of(who.first, who.second), moment);
    }
  }
}

}  // namespace
}  // namespace warpwright::testing
