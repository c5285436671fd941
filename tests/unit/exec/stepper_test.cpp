// One warp instruction at a time, and what SMs see of each other's memory operations.
#include "exec/stepper.hpp"

#include <gtest/gtest.h>

#include "assembler.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::imm;
using testing::P;
using testing::param;
using testing::R;

class Stepping : public ::testing::Test {
 protected:
  // R2:R3 points to `words`.
  Stepping() { code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)}); }

  std::unique_ptr<Stepper> stepper(u32 sm, u32 threads = 1, Observer* observer = nullptr) {
    if (!loaded_) {
      code.exit();
      code.function("k").sharedBytes = 64;
      loaded_ = load(code.program, memory);
    }
    LaunchRequest request;
    request.launch = std::make_shared<const exec::Launch>(
        exec::Launch{{{4}, {threads}}, loaded_.get(), &loaded_->program.functions.front(), parameters_});
    request.limits.multiprocessors = 2;
    request.observer = observer;
    auto result = std::make_unique<Stepper>(request, memory, SmId(sm), 1'000'000);
    result->start(BlockSlotId{0}, sm);
    return result;
  }
  StepRecord step(Stepper& stepper, u32 warp = 0) {
    const StepRecord* record = stepper.step(BlockSlotId{0}, warp, {});
    EXPECT_NE(record, nullptr) << (stepper.fault() ? stepper.fault()->message : "");
    return record ? *record : StepRecord{};
  }
  void steps(Stepper& stepper, u32 count) {
    for (u32 i = 0; i < count; ++i) step(stepper);
  }
  isa::Instruction& atomicAdd(u32 value) {
    isa::Instruction& i = code.emit(Opcode::atom, DataType::u32, {R(4)}, {R(2), R(value)});
    i.modifiers.space = Space::global;
    i.modifiers.atomic = isa::AtomicOp::add;
    return i;
  }

  GlobalMemory memory{{64, u64{64} << 20, false}};
  u32* words = reinterpret_cast<u32*>(GlobalMemory::hostPointer(*memory.allocate(4096, AllocationKind::device)));
  Assembler code;

 private:
  std::vector<u8> parameters_ = [this] {
    std::vector<u8> bytes(sizeof words);
    std::memcpy(bytes.data(), &words, sizeof words);
    return bytes;
  }();
  std::unique_ptr<LoadedProgram> loaded_;
};

TEST_F(Stepping, StoresAreSeenByTheirOwnSmAtOnceAndByOthersWhenPublished) {
  code.load(Space::global, DataType::u32, 5, R(2));
  code.store(Space::global, DataType::u32, R(2), R(5), 8);  // words[2]: what was there
  code.store(Space::global, DataType::u32, R(2), imm(7));
  code.load(Space::global, DataType::u32, 4, R(2));
  code.store(Space::global, DataType::u32, R(2), R(4), 4);  // words[1]: what the SM sees now
  const auto first = stepper(0), second = stepper(1);
  steps(*first, 6);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], 0u);
  steps(*second, 3);
  first->publishStores();
  EXPECT_EQ(words[0], 7u);
  EXPECT_EQ(words[1], 7u);
  words[2] = 99;
  second->publishStores();
  EXPECT_EQ(words[2], 0u) << "the second SM loaded before the first one's store was public";
}

TEST_F(Stepping, AnAtomicTakesEffectWhenItIsPerformed) {
  code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(10)});
  atomicAdd(5);
  code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1000)});  // operands were taken at issue
  code.store(Space::global, DataType::u32, R(2), R(4), 4);
  const auto sm = stepper(0);
  words[0] = 32;
  steps(*sm, 2);
  const StepRecord record = step(*sm);
  ASSERT_TRUE(record.atomic.has_value());
  ASSERT_EQ(record.accessCount, 1u);
  EXPECT_TRUE(record.accesses[0].isAtomic);
  step(*sm);
  EXPECT_EQ(words[0], 32u);
  words[0] = 132;  // another SM was faster
  sm->performAtomic(*record.atomic);
  EXPECT_EQ(words[0], 142u);
  step(*sm);
  sm->publishStores();
  EXPECT_EQ(words[1], 132u) << "the old value";
}

TEST_F(Stepping, ALoadWaitsForTheAtomicThatWillChangeItsPlace) {
  code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1)});
  atomicAdd(5);
  code.load(Space::global, DataType::u32, 6, R(2));
  code.store(Space::global, DataType::u32, R(2), R(6), 64);
  const auto sm = stepper(0);
  steps(*sm, 2);
  const u32 atomic = step(*sm).atomic.value();
  for (u32 attempt = 0; attempt < 3; ++attempt) {
    const StepRecord record = step(*sm);
    EXPECT_TRUE(record.waits && record.awaitsAtomics);
    EXPECT_EQ(sm->next(BlockSlotId{0}, 0).pc, record.pc);
  }
  sm->performAtomic(atomic);
  EXPECT_FALSE(step(*sm).waits);
  step(*sm);
  sm->publishStores();
  EXPECT_EQ(words[16], 1u);
  EXPECT_EQ(sm->result().warpInstructions, 5u) << "attempts in vain do not count";
}

TEST_F(Stepping, ALoadFromElsewhereDoesNotWait) {
  code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1)});
  atomicAdd(5);
  code.load(Space::global, DataType::u32, 6, R(2), 2048);
  const auto sm = stepper(0);
  steps(*sm, 3);
  EXPECT_FALSE(step(*sm).waits);
}

TEST_F(Stepping, AWarpWaitsAtABarrierUntilTheOthersHaveArrived) {
  code.barrier();
  const auto sm = stepper(0, 64);
  steps(*sm, 2);
  EXPECT_EQ(sm->next(BlockSlotId{0}, 0).state, WarpState::barrier);
  step(*sm, 1);
  EXPECT_TRUE(step(*sm, 1).releasesOthers);
  for (const u32 warp : {0u, 1u}) EXPECT_EQ(sm->next(BlockSlotId{0}, warp).state, WarpState::ready);
  step(*sm, 0);
  EXPECT_EQ(sm->next(BlockSlotId{0}, 0).state, WarpState::finished);
  EXPECT_FALSE(sm->isFinished(BlockSlotId{0}));
  step(*sm, 1);
  EXPECT_TRUE(sm->isFinished(BlockSlotId{0}));
}

TEST_F(Stepping, SystemCallsAreSerial) {
  code.emit(Opcode::syscall, DataType::u32).target = static_cast<u32>(isa::SystemCall::free);
  const auto sm = stepper(0);
  EXPECT_EQ(sm->next(BlockSlotId{0}, 0).state, WarpState::ready);
  step(*sm);
  EXPECT_EQ(sm->next(BlockSlotId{0}, 0).state, WarpState::serial);
  EXPECT_EQ(sm->next(BlockSlotId{0}, 0).pc, 1u);
}

TEST_F(Stepping, AWrongAccessIsAFaultAndChangesNothing) {
  code.store(Space::global, DataType::u32, R(2), imm(7));
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {imm(64)});
  code.store(Space::global, DataType::u32, R(2), imm(8));
  const auto sm = stepper(0);
  steps(*sm, 3);
  EXPECT_EQ(sm->step(BlockSlotId{0}, 0, {}), nullptr);
  ASSERT_TRUE(sm->fault().has_value());
  EXPECT_EQ(sm->fault()->status, LaunchStatus::illegalAddress);
  EXPECT_EQ(sm->result().status, LaunchStatus::illegalAddress);
  sm->publishStores();
  EXPECT_EQ(words[0], 7u);
}

TEST_F(Stepping, RecordsTheAddressesOfEveryLane) {
  code.special(6, isa::SpecialRegister::tid_x);
  code.elementAddress(8, 0, R(6));
  code.load(Space::global, DataType::u32, 4, R(8));
  const auto sm = stepper(0, 20);
  steps(*sm, 3);
  const StepRecord record = step(*sm);
  ASSERT_EQ(record.accessCount, 1u);
  const AccessRecord& access = record.accesses[0];
  EXPECT_TRUE(access.isLoad && !access.isStore);
  EXPECT_EQ(access.bytes, 4u);
  EXPECT_EQ(access.mask, LaneMask::first(20));
  for (u32 lane = 0; lane < 20; ++lane) EXPECT_EQ(access.addresses[lane], reinterpret_cast<u64>(words + lane));
}

TEST_F(Stepping, RecordsWhatIsStoredAndLoaded) {
  code.special(6, isa::SpecialRegister::tid_x);
  code.elementAddress(8, 0, R(6));
  code.store(Space::global, DataType::u32, R(8), R(6));
  code.load(Space::global, DataType::u32, 4, R(8));
  const auto sm = stepper(0, 20);
  steps(*sm, 3);
  const StepRecord stored = step(*sm);
  for (u32 lane = 0; lane < 20; ++lane) EXPECT_EQ(stored.accesses[0].values[lane], lane);
  const StepRecord loaded = step(*sm);
  for (u32 lane = 0; lane < 20; ++lane) EXPECT_EQ(loaded.accesses[0].values[lane], lane);
}

// Its slot may have been made ready as soon as the block before had ended, or not.
TEST_F(Stepping, ABlockFindsRegistersAndSharedMemoryAtZero) {
  code.load(Space::shared, DataType::u32, 4, imm(16));
  code.store(Space::global, DataType::u32, R(2), R(4));
  code.store(Space::global, DataType::u32, R(2), R(5), 4);
  code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(9)});
  code.store(Space::shared, DataType::u32, imm(16), R(5));
  const auto sm = stepper(0);
  for (const bool isCleared : {false, true, true, false}) {
    words[0] = words[1] = 99;
    steps(*sm, 7);
    ASSERT_TRUE(sm->isFinished(BlockSlotId{0}));
    sm->publishStores();
    EXPECT_EQ(words[0], 0u);
    EXPECT_EQ(words[1], 0u);
    if (isCleared) sm->clear(BlockSlotId{0});
    sm->start(BlockSlotId{0}, 2);
  }
}

// Everything up to the next instruction that others may see is executed with the one before, and counts as if it were stepped.
TEST_F(Stepping, AStraightLineOfRegistersIsExecutedAhead) {
  code.load(Space::global, DataType::u32, 4, R(2));
  for (u32 i = 0; i < 3; ++i) code.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
  code.store(Space::global, DataType::u32, R(2), R(4), 4);
  words[0] = 40;
  const auto sm = stepper(0, 20);
  sm->runAhead(true);
  EXPECT_EQ(step(*sm).ahead.count, 0u) << "a load follows";
  const StepRecord load = step(*sm);
  EXPECT_EQ(load.ahead.count, 0u);
  EXPECT_EQ(load.accesses[0].values[0], 40u) << "what was loaded is still there to be looked at";
  const StepRecord head = step(*sm);
  EXPECT_EQ(head.ahead.count, 2u);
  EXPECT_EQ(head.next.pc, head.pc + 1u);
  EXPECT_EQ(head.ahead.behind.pc, head.pc + 3u);
  EXPECT_EQ(head.ahead.behind.state, WarpState::ready);
  EXPECT_EQ(sm->next(BlockSlotId{0}, 0).pc, head.pc + 3u);
  step(*sm);
  sm->publishStores();
  EXPECT_EQ(words[1], 43u);
  const LaunchResult result = sm->result();
  EXPECT_EQ(result.warpInstructions, 6u);
  EXPECT_EQ(result.counts[3].warps, 1u);
  EXPECT_EQ(result.counts[3].lanes, 20u);
  EXPECT_EQ(result.counts[3].active, 20u);
}

TEST_F(Stepping, WhereNobodyLooksAtValuesInstructionsAreExecutedAheadBehindAccessesToo) {
  code.load(Space::global, DataType::u32, 4, R(2));
  for (u32 i = 0; i < 2; ++i) code.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
  code.emit(Opcode::syscall, DataType::u32).target = static_cast<u32>(isa::SystemCall::free);
  const auto sm = stepper(0);
  sm->runAhead(false);
  step(*sm);
  const StepRecord load = step(*sm);
  EXPECT_EQ(load.ahead.count, 2u);
  EXPECT_EQ(load.ahead.behind.state, WarpState::serial);
}

TEST_F(Stepping, WhatWasExecutedAheadAndNotIssuedDoesNotCount) {
  for (u32 i = 0; i < 4; ++i) code.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
  const auto sm = stepper(0, 20);
  sm->runAhead(true);
  EXPECT_EQ(step(*sm).ahead.count, 4u);
  sm->takeBack(BlockSlotId{0}, 0, 3);
  const LaunchResult result = sm->result();
  EXPECT_EQ(result.warpInstructions, 2u);
  EXPECT_EQ(result.threadInstructions, 40u);
  EXPECT_EQ(result.counts[1].warps, 1u);
  for (const u32 pc : {2u, 3u, 4u}) EXPECT_EQ(result.counts[pc].warps, 0u);
}

// The register keeps its old value until then.
TEST_F(Stepping, NothingIsExecutedAheadOfAnAtomicThatIsToBePerformed) {
  code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(10)});
  atomicAdd(5);
  for (u32 i = 0; i < 2; ++i) code.emit(Opcode::add, DataType::u32, {R(6)}, {R(4), imm(1)});
  const auto sm = stepper(0);
  sm->runAhead(true);
  EXPECT_EQ(step(*sm).ahead.count, 1u);
  const StepRecord atomic = step(*sm);
  EXPECT_EQ(atomic.ahead.count, 0u);
  EXPECT_EQ(step(*sm).ahead.count, 0u);
  sm->performAtomic(*atomic.atomic);
  EXPECT_EQ(sm->next(BlockSlotId{0}, 0).pc, 4u);
}

TEST_F(Stepping, DivergedLanesAndGuardedInstructionsAreNotExecutedAhead) {
  code.special(6, isa::SpecialRegister::tid_x);
  code.compare(0, isa::Compare::lt, DataType::u32, R(6), imm(4));
  code.emit(Opcode::mov, DataType::u32, {R(7)}, {imm(1)}).guard = P(0);
  const Pc fork = code.branch(P(0));
  for (u32 i = 0; i < 2; ++i) code.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
  code.at(fork).target = code.at(fork).reconvergence = code.here();
  for (u32 i = 0; i < 2; ++i) code.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
  const auto sm = stepper(0, 20);
  sm->runAhead(true);
  EXPECT_EQ(step(*sm).ahead.count, 2u) << "up to the guarded move";
  EXPECT_EQ(step(*sm).ahead.count, 0u);
  EXPECT_EQ(step(*sm).branchTargets, 2u);
  EXPECT_EQ(step(*sm).ahead.count, 0u) << "the others wait at the meeting point";
  const StepRecord joined = step(*sm);
  EXPECT_EQ(joined.next.pc, 7u);
  EXPECT_EQ(joined.active.size(), 16u);
  EXPECT_EQ(joined.ahead.count, 2u);
  EXPECT_EQ(joined.ahead.lanes, LaneMask::first(20)) << "all together";
}

TEST_F(Stepping, NothingIsExecutedAheadForWhoHearsOfEveryInstructionOrFollowsTheWarps) {
  for (u32 i = 0; i < 4; ++i) code.emit(Opcode::add, DataType::u32, {R(4)}, {R(4), imm(1)});
  Observer everything;
  const auto heard = stepper(0, 20, &everything);
  heard->runAhead(true);
  EXPECT_EQ(step(*heard).ahead.count, 0u);
  const auto watched = stepper(0);
  watched->runAhead(true);
  watched->watch(true);
  EXPECT_EQ(step(*watched).ahead.count, 0u);
  watched->watch(false);
  EXPECT_EQ(step(*watched).ahead.count, 3u);
}

}  // namespace
}  // namespace warpwright::exec
