// Helpers of warps: whose they are, where their registers lie, and what they may not do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "assembler.hpp"
#include "base/error.hpp"
#include "exec/stepper.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using isa::SpecialRegister;
using testing::Assembler;
using testing::imm;
using testing::param;
using testing::R;

constexpr u32 kParentRegisters = 8, kExtraRegisters = 16, kStored = 100, kHelperBytes = 128, kTableBytes = 64;

class HelperTest : public ::testing::Test {
 protected:
  // The kernel: R2:R3 points to `words`, R4 is 40, R5 is 50; then a barrier, a store of R4, and its end.
  HelperTest() {
    code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
    code.emit(Opcode::mov, DataType::u32, {R(4)}, {imm(40)});
    code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(50)});
    code.barrier();
    code.store(Space::global, DataType::u32, R(2), R(4), kStored * 4);
    code.exit();
    code.function("k").registers = kParentRegisters;
  }

  // What stands behind the kernel is the routine.
  Stepper& stepper(u32 threads = 64, u32 registers = 8, Observer* observer = nullptr) {
    code.exit();
    code.function("routine", false).registers = registers;
    loaded_ = load(code.program, memory);
    LaunchRequest request;
    request.launch =
        std::make_shared<const exec::Launch>(exec::Launch{{{4}, {threads}}, loaded_.get(), &loaded_->program.functions[0], parameters_});
    request.extraRegisters = kExtraRegisters;
    request.helperBytes = kHelperBytes;
    request.helperTableBytes = kTableBytes;
    request.observer = observer;
    stepper_ = std::make_unique<Stepper>(request, memory, SmId{0}, 1'000'000);
    stepper_->start(BlockSlotId{0}, 3);
    return *stepper_;
  }
  const isa::Function& routine() const { return loaded_->program.functions[1]; }
  // To the end; gives the instructions.
  u32 runHelper(u32 helper) {
    u32 count = 0;
    while (stepper_->nextHelper(helper).state != WarpState::finished) {
      EXPECT_EQ(stepper_->nextHelper(helper).state, WarpState::ready);
      if (!stepper_->stepHelper(helper, {})) return count;
      ++count;
    }
    return count;
  }
  void storeByLane(u32 value) {
    code.special(0, SpecialRegister::laneid);
    code.elementAddress(6, 0, R(0));
    code.store(Space::global, DataType::u32, R(6), R(value));
  }
  std::string refusal() {
    Stepper& sm = stepper();
    try {
      sm.beginHelper(BlockSlotId{0}, 0, routine(), ~LaneMask{}, true);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
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
  std::unique_ptr<Stepper> stepper_;
};

// Warp 1 of a block of 40 threads has eight of them; its helper has all lanes, and the numbers of the warp.
TEST_F(HelperTest, HasTheIdentityOfItsWarpAndAllLanes) {
  code.special(1, SpecialRegister::tid_x);
  code.special(2, SpecialRegister::ctaid_x);
  code.emit(Opcode::mul_lo, DataType::u32, {R(2)}, {R(2), imm(1000)});
  code.emit(Opcode::add, DataType::u32, {R(1)}, {R(1), R(2)});
  storeByLane(1);
  Stepper& sm = stepper(40);
  const u32 helper = sm.beginHelper(BlockSlotId{0}, 1, routine(), ~LaneMask{}, false).value();
  EXPECT_EQ(runHelper(helper), 8u);
  sm.publishStores();
  for (u32 lane = 0; lane < 8; ++lane) EXPECT_EQ(words[lane], 3000 + 32 + lane);
  for (u32 lane = 8; lane < 32; ++lane) EXPECT_EQ(words[lane], 3000u) << "a lane without a thread";
}

TEST_F(HelperTest, HasOnlyTheLanesThatItIsGiven) {
  code.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(7)});
  storeByLane(1);
  Stepper& sm = stepper();
  runHelper(sm.beginHelper(BlockSlotId{0}, 0, routine(), LaneMask(0xf0), false).value());
  sm.publishStores();
  for (u32 lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], lane / 4 == 1 ? 7u : 0u);
}

// A speculative one of warp 1 stores a word a lane, half of them to its own memory, half to that of warp 0.
TEST_F(HelperTest, StoresToNothingButTheMemoryOfHelpersWhileItIsSpeculative) {
  code.special(0, SpecialRegister::laneid);
  code.emit(Opcode::shl, DataType::u32, {R(0)}, {R(0), imm(2)});
  code.emit(Opcode::add, DataType::u32, {R(6)}, {R(6), R(0)});
  code.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(7)});
  code.store(Space::shared, DataType::u32, R(6), R(1));
  Stepper& sm = stepper();
  const u32 other = sm.beginHelper(BlockSlotId{0}, 0, routine(), ~LaneMask{}, true).value();
  const u32 helper = sm.beginHelper(BlockSlotId{0}, 1, routine(), ~LaneMask{}, true).value();
  const HelperMemory memory = sm.helperMemory(helper);
  ASSERT_EQ(memory.bytes.size(), kHelperBytes);
  EXPECT_EQ(memory.offset, sm.helperMemory(other).offset + kHelperBytes);
  std::ranges::fill(sm.helperRegister(helper, 6), memory.offset - kHelperBytes / 2);
  runHelper(helper);
  const auto wordOf = [](const HelperMemory& of, u32 index) {
    u32 word = 0;
    std::memcpy(&word, of.bytes.data() + index * sizeof word, sizeof word);
    return word;
  };
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(wordOf(memory, i), i < 16 ? 7u : 0u) << i;
    EXPECT_EQ(wordOf(sm.helperMemory(other), i), 0u) << i;
  }
}

// R6 is where it stores: in the table of the block, or in its own memory, and in nobody else's.
TEST_F(HelperTest, ReachesTheTableOfItsBlockAndItsOwnMemory) {
  code.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(7)});
  code.store(Space::shared, DataType::u32, R(6), R(1));
  Stepper& sm = stepper();
  const auto stores = [&](auto&& addressIn) {
    const u32 helper = sm.beginHelper(BlockSlotId{0}, 1, routine(), LaneMask(1), false).value();
    sm.helperRegister(helper, 6)[0] = addressIn(sm.helperMemory(helper));
    runHelper(helper);
    sm.endHelper(helper);
    return !sm.fault().has_value();
  };
  EXPECT_TRUE(stores([](const HelperMemory& memory) { return memory.tableOffset; }));
  EXPECT_TRUE(stores([](const HelperMemory& memory) { return memory.tableOffset + kTableBytes - 4; }));
  EXPECT_TRUE(stores([](const HelperMemory& memory) { return memory.offset; }));
  EXPECT_TRUE(stores([](const HelperMemory& memory) { return memory.offset + kHelperBytes - 4; }));
  EXPECT_FALSE(stores([](const HelperMemory& memory) { return memory.offset - 4; })) << "another warp's";
}

TEST_F(HelperTest, EndsWithItsMemory) {
  code.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(7)});
  code.store(Space::shared, DataType::u32, R(6), R(1));
  Stepper& sm = stepper();
  const u32 helper = sm.beginHelper(BlockSlotId{0}, 1, routine(), LaneMask(1), false).value();
  sm.helperRegister(helper, 6)[0] = sm.helperMemory(helper).offset + kHelperBytes;
  runHelper(helper);
  ASSERT_TRUE(sm.fault().has_value());
  EXPECT_EQ(sm.fault()->status, LaunchStatus::illegalAddress);
  EXPECT_EQ(sm.fault()->lane, LaneId{0});
  EXPECT_EQ(sm.fault()->address, sm.helperMemory(helper).offset + kHelperBytes);
}

// Both have an R4 and an R5 of their own; the routine stores what it makes of the first.
TEST_F(HelperTest, ItsRegistersLieBehindThoseOfTheWarp) {
  code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), imm(1)});
  storeByLane(5);
  Stepper& sm = stepper();
  for (u32 i = 0; i < 3; ++i) sm.step(BlockSlotId{0}, 0, {});
  const auto runWith = [&](u32 parentRegister, std::optional<u32> result) {
    const u32 helper = sm.beginHelper(BlockSlotId{0}, 0, routine(), ~LaneMask{}, false).value();
    sm.copyRegister(helper, parentRegister, 4, true);
    runHelper(helper);
    if (result) sm.copyRegister(helper, *result, 5, false);
    sm.endHelper(helper);
    sm.publishStores();
    return words[7];
  };
  EXPECT_EQ(runWith(5, {}), 51u);
  EXPECT_EQ(runWith(4, 4), 41u);
  EXPECT_EQ(runWith(4, {}), 42u) << "the warp has what was given back";
  EXPECT_EQ(runWith(5, {}), 51u);
  EXPECT_EQ(sm.next(BlockSlotId{0}, 0).pc, 3u) << "the warp itself has gone nowhere";
}

// 16 registers hold two helpers of eight, for each warp.
TEST_F(HelperTest, BeginsWhereThereAreRegistersForIt) {
  code.emit(Opcode::mov, DataType::u32, {R(7)}, {imm(1)});
  Stepper& sm = stepper();
  const auto begin = [&](u32 warp) { return sm.beginHelper(BlockSlotId{0}, warp, routine(), ~LaneMask{}, true); };
  const std::optional<u32> first = begin(0), second = begin(0);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(begin(0).has_value());
  EXPECT_TRUE(begin(1).has_value());
  sm.endHelper(*first);
  EXPECT_TRUE(begin(0).has_value());
  EXPECT_FALSE(begin(0).has_value());
}

// A program that runs with helpers in between counts, tells and does what it does without.
TEST_F(HelperTest, IsInNoCountAndNoBarrier) {
  struct Counter : Observer {
    u32 events = 0;
    void issue(const IssueEvent&) override { ++events; }
    void memory(const MemoryEvent&) override { ++events; }
    void result(const ResultEvent&) override { ++events; }
  } counter;
  code.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(7)});
  storeByLane(1);
  Stepper& sm = stepper(64, 8, &counter);
  u32 helpers = 0;
  for (u32 i = 0; i < 6; ++i) {
    for (u32 warp = 0; warp < 2; ++warp) {
      ASSERT_EQ(sm.next(BlockSlotId{0}, warp).state, WarpState::ready) << i;
      ASSERT_NE(sm.step(BlockSlotId{0}, warp, {}), nullptr);
      if (i == 5) continue;
      helpers += runHelper(sm.beginHelper(BlockSlotId{0}, warp, routine(), ~LaneMask{}, false).value()) == 5;
      sm.endHelper(0);
    }
    if (i == 3) EXPECT_EQ(sm.next(BlockSlotId{0}, 0).state, WarpState::ready) << "the barrier is open";
  }
  EXPECT_EQ(helpers, 10u);
  EXPECT_TRUE(sm.isFinished(BlockSlotId{0}));
  EXPECT_EQ(sm.result().warpInstructions, 12u);
  EXPECT_EQ(counter.events, 12u + 2 * 3 + 2) << "each with its result, or its access";
}

TEST_F(HelperTest, RoutinesThatCannotBeAreRefused) {
  code.barrier();
  EXPECT_NE(refusal().find("helpers cannot execute 'routine': it has a barrier"), std::string::npos) << refusal();
}
TEST_F(HelperTest, RoutinesWithSystemCallsAreRefused) {
  code.emit(Opcode::syscall, DataType::u32).target = static_cast<u32>(isa::SystemCall::malloc);
  EXPECT_NE(refusal().find("a system call"), std::string::npos);
}
TEST_F(HelperTest, RoutinesWithAtomicsAreRefused) {
  isa::Instruction& atomic = code.emit(Opcode::atom, DataType::u32, {R(4)}, {R(2), R(4)});
  atomic.modifiers.space = Space::global;
  atomic.modifiers.atomic = isa::AtomicOp::add;
  EXPECT_NE(refusal().find("an atomic operation"), std::string::npos);
}
TEST_F(HelperTest, RecursiveRoutinesAndThoseWithLocalMemoryAreRefused) {
  isa::Function routine;
  routine.name = "deep";
  routine.end = Pc{1};
  routine.recursive = true;
  const auto why = [&] {
    try {
      checkRoutine(code.program, routine);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(why().find("is recursive"), std::string::npos);
  routine.recursive = false;
  routine.localBytes = 16;
  EXPECT_NE(why().find("16 bytes of local memory"), std::string::npos);
}
// Through what it calls.
TEST_F(HelperTest, CalleesAreCheckedToo) {
  code.barrier();
  code.exit();
  code.function("callee", false);
  const u32 begin = code.here();
  code.emit(Opcode::call, DataType::u32).target = 1;
  code.exit();
  const isa::Function& routine = code.function("caller", false);
  EXPECT_EQ(routine.begin, begin);
  EXPECT_THROW(checkRoutine(code.program, routine), Error);
}

// From address 8, where nothing is.
TEST_F(HelperTest, MistakesOfASpeculativeOneHaveNoEffect) {
  code.emit(Opcode::mov, DataType::u64, {R(6)}, {imm(8)});
  code.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(9)});
  code.load(Space::global, DataType::u32, 1, R(6));
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
  code.store(Space::global, DataType::u32, R(2), imm(5));
  code.store(Space::global, DataType::u32, R(6), imm(5));
  Stepper& sm = stepper();
  const u32 helper = sm.beginHelper(BlockSlotId{0}, 0, routine(), ~LaneMask{}, true).value();
  EXPECT_EQ(runHelper(helper), 7u);
  EXPECT_FALSE(sm.fault().has_value());
  sm.publishStores();
  EXPECT_EQ(words[0], 0u) << "it stores nothing, where there is memory neither";
  const u32 strict = sm.beginHelper(BlockSlotId{0}, 1, routine(), ~LaneMask{}, false).value();
  EXPECT_EQ(runHelper(strict), 2u);
  ASSERT_TRUE(sm.fault().has_value());
  EXPECT_EQ(sm.fault()->status, LaunchStatus::illegalAddress);
}

TEST_F(HelperTest, WhatASpeculativeOneLoadsWithoutMemoryIsZero) {
  code.emit(Opcode::mov, DataType::u64, {R(6)}, {imm(8)});
  code.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(9)});
  code.load(Space::global, DataType::u32, 1, R(6));
  Stepper& sm = stepper(32);
  words[kStored] = 77;
  for (u32 i = 0; i < 4; ++i) sm.step(BlockSlotId{0}, 0, {});
  const u32 helper = sm.beginHelper(BlockSlotId{0}, 0, routine(), ~LaneMask{}, true).value();
  runHelper(helper);
  sm.copyRegister(helper, 4, 1, false);
  sm.step(BlockSlotId{0}, 0, {});
  sm.publishStores();
  EXPECT_EQ(words[kStored], 0u);
}

}  // namespace
}  // namespace warpwright::exec
