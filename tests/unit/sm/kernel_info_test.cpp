// Registers that the scoreboard and the register banks see: word by word, as the instruction table defines the operands.
#include <gtest/gtest.h>

#include "sm/instruction_info.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::sm {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using warpwright::testing::Assembler;
using warpwright::testing::imm;
using warpwright::testing::P;
using warpwright::testing::R;
using List = std::vector<u32>;

class Kernel {
 public:
  Assembler code;
  config::Machine machine;
  config::Sm& sm = machine.sm;

  // Of the last instruction.
  InstructionInfo info() {
    code.program.addressBits = 64;
    return KernelInfo(code.program, machine).at(previous(code.here()));
  }
  List reads() {
    const InstructionInfo i = info();
    return {i.reads.begin(), i.reads.begin() + i.readCount};
  }
  List writes() {
    const InstructionInfo i = info();
    return {i.writes.begin(), i.writes.begin() + i.writeCount};
  }
};

RegisterSet set(const List& registers, const List& predicates = {}) {
  RegisterSet result;
  for (const u32 number : registers) result.addRegister(number);
  for (const u32 number : predicates) result.addPredicate(number);
  return result;
}

TEST(KernelInfo, ARegisterThatSeveralOperandsNameIsReadOnce) {
  Kernel kernel;
  kernel.code.emit(Opcode::fma, DataType::f32, {R(4)}, {R(5), R(5), R(4)});
  EXPECT_EQ(kernel.reads(), (List{5, 4}));
  EXPECT_EQ(kernel.writes(), (List{4}));
}

TEST(KernelInfo, OneWordOperands) {
  Kernel kernel;
  kernel.code.emit(Opcode::add, DataType::u32, {R(4)}, {R(5), R(6)});
  EXPECT_EQ(kernel.reads(), (List{5, 6}));
  EXPECT_EQ(kernel.writes(), (List{4}));
  EXPECT_EQ(kernel.info().touched, set({4, 5, 6}));
  EXPECT_EQ(kernel.info().written, set({4}));
}

TEST(KernelInfo, ImmediatesAndParametersAreNoRegisters) {
  Kernel kernel;
  kernel.code.emit(Opcode::mad_wide, DataType::u32, {R(8)}, {R(2), imm(4), warpwright::testing::param(0)});
  EXPECT_EQ(kernel.reads(), (List{2}));
  EXPECT_EQ(kernel.writes(), (List{8, 9}));
}

TEST(KernelInfo, SixtyFourBitOperandsArePairs) {
  Kernel kernel;
  kernel.code.emit(Opcode::fma, DataType::f64, {R(0)}, {R(2), R(4), R(6)});
  EXPECT_EQ(kernel.reads(), (List{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(kernel.writes(), (List{0, 1}));
  kernel.code.emit(Opcode::shl, DataType::u64, {R(0)}, {R(2), R(4)});  // the shift amount is a u32
  EXPECT_EQ(kernel.reads(), (List{2, 3, 4}));
}

TEST(KernelInfo, ConversionsReadAndWriteDifferentSizes) {
  Kernel kernel;
  kernel.code.emit(Opcode::cvt, DataType::f64, {R(2)}, {R(9)}).sourceType = DataType::s32;
  EXPECT_EQ(kernel.reads(), (List{9}));
  EXPECT_EQ(kernel.writes(), (List{2, 3}));
}

TEST(KernelInfo, Predicates) {
  Kernel kernel;
  kernel.code.compare(3, isa::Compare::lt, DataType::u32, R(1), R(2));
  EXPECT_EQ(kernel.info().written, set({}, {3}));
  EXPECT_EQ(kernel.info().touched, set({1, 2}, {3}));
  EXPECT_EQ(kernel.writes(), (List{}));
  kernel.code.emit(Opcode::selp, DataType::u32, {R(0)}, {R(1), R(2), P(3)});
  EXPECT_EQ(kernel.info().touched, set({0, 1, 2}, {3}));
  EXPECT_EQ(kernel.info().written, set({0}));
}

TEST(KernelInfo, TheGuardIsRead) {
  Kernel kernel;
  kernel.code.emit(Opcode::mov, DataType::u32, {R(0)}, {R(1)}).guard = warpwright::testing::notP(7);
  EXPECT_EQ(kernel.info().touched, set({0, 1}, {7}));
  kernel.code.emit(Opcode::mov, DataType::u32, {R(0)}, {R(1)});
  EXPECT_EQ(kernel.info().touched, set({0, 1}));
}

TEST(KernelInfo, CarriesArePredicates) {
  Kernel kernel;
  auto& add = kernel.code.emit(Opcode::add, DataType::u32, {R(0), P(1)}, {R(2), R(3), P(4)});
  add.modifiers.carryIn = add.modifiers.carryOut = true;
  EXPECT_EQ(kernel.info().touched, set({0, 2, 3}, {1, 4}));
  EXPECT_EQ(kernel.info().written, set({0}, {1}));
}

TEST(KernelInfo, LoadsReadTheAddressPairAndWriteTheVector) {
  Kernel kernel;
  kernel.code.load(Space::global, DataType::f32, 8, R(2), 0, 4);
  EXPECT_EQ(kernel.reads(), (List{2, 3}));
  EXPECT_EQ(kernel.writes(), (List{8, 9, 10, 11}));
  EXPECT_EQ(kernel.info().flow, Flow::memory);
  kernel.code.load(Space::global, DataType::u64, 8, R(2), 0, 2);
  EXPECT_EQ(kernel.writes(), (List{8, 9, 10, 11}));
  kernel.code.load(Space::shared, DataType::u8, 8, R(2)).modifiers.wordAddress = true;
  EXPECT_EQ(kernel.reads(), (List{2}));
  EXPECT_EQ(kernel.writes(), (List{8}));
}

TEST(KernelInfo, StoresReadAddressAndValueAndWriteNothing) {
  Kernel kernel;
  kernel.code.store(Space::global, DataType::f64, R(2), R(6), 0, 2);
  EXPECT_EQ(kernel.reads(), (List{2, 3, 6, 7, 8, 9}));
  EXPECT_TRUE(kernel.info().written.empty());
}

TEST(KernelInfo, Flows) {
  const auto flowOf = [](Opcode opcode) {
    Kernel kernel;
    kernel.code.emit(opcode, DataType::u32);
    return kernel.info().flow;
  };
  EXPECT_EQ(flowOf(Opcode::bra), Flow::branch);
  EXPECT_EQ(flowOf(Opcode::exit), Flow::branch);
  EXPECT_EQ(flowOf(Opcode::bar_sync), Flow::barrier);
  EXPECT_EQ(flowOf(Opcode::fence), Flow::fence);
  EXPECT_EQ(flowOf(Opcode::add), Flow::compute);
}

// Latency by class, from dispatch: reading operands takes two cycles of the dependent latency, one without collectors. The interval is the
// longer of the class's and of the time that a warp takes to enter the pipe.
TEST(KernelInfo, LatenciesAndIntervals) {
  Kernel kernel;
  kernel.sm.simple = {6, 1};
  kernel.sm.fma64 = {10, 2};
  kernel.sm.special = {22, 3};
  kernel.sm.integer.width = 16;
  kernel.sm.fp64.width = 32;
  kernel.sm.sfu.width = 8;
  kernel.code.emit(Opcode::and_, DataType::u32, {R(0)}, {R(1), R(2)});
  EXPECT_EQ(kernel.info().latency, 4u);
  EXPECT_EQ(kernel.info().interval, 2u);  // 32 lanes, 16 at a time
  kernel.sm.integerOnFp32 = true;
  kernel.sm.fp32.width = 8;
  EXPECT_EQ(kernel.info().interval, 4u) << "in the fp32 pipe";
  kernel.code.emit(Opcode::fma, DataType::f64, {R(0)}, {R(2), R(4), R(6)});
  EXPECT_EQ(kernel.info().latency, 8u);
  EXPECT_EQ(kernel.info().interval, 2u);  // of the class
  kernel.code.emit(Opcode::sin, DataType::f32, {R(0)}, {R(2)});
  EXPECT_EQ(kernel.info().latency, 20u);
  EXPECT_EQ(kernel.info().interval, 4u);
  kernel.sm.collectors = 0;
  EXPECT_EQ(kernel.info().latency, 21u);
}

// A part of a class is as the rest of it, unless the machine tells it from that.
TEST(KernelInfo, PartsOfClasses) {
  Kernel kernel;
  kernel.sm.collectors = 0;
  const auto expect = [&](config::LatencyOf config::Sm::*coarse, config::LatencyOf config::Sm::*part, Opcode opcode, DataType type,
                          DataType sourceType = DataType::none) {
    kernel.sm = {};
    kernel.sm.collectors = 0;
    kernel.sm.*coarse = {31, 41};
    kernel.code.emit(opcode, type, {R(0)}, {R(2), R(4), R(6)}).sourceType = sourceType;
    EXPECT_EQ(kernel.info().latency, 30u) << isa::info(opcode).id;
    EXPECT_EQ(kernel.info().interval, 41u) << isa::info(opcode).id;
    const isa::Unit unit = kernel.info().unit;
    kernel.sm.*part = {51, 61};
    EXPECT_EQ(kernel.info().latency, 50u) << isa::info(opcode).id;
    EXPECT_EQ(kernel.info().interval, 61u) << isa::info(opcode).id;
    EXPECT_EQ(kernel.info().unit == unit, part != &config::Sm::convertInteger) << isa::info(opcode).id;
  };
  using config::Sm;
  expect(&Sm::simple, &Sm::add64, Opcode::add, DataType::u64);
  expect(&Sm::simple, &Sm::shift, Opcode::shr, DataType::s32);
  expect(&Sm::simple, &Sm::shift, Opcode::prmt, DataType::u32);
  expect(&Sm::special, &Sm::count, Opcode::bfind, DataType::u32);
  expect(&Sm::fma32, &Sm::add32, Opcode::sub, DataType::f32);
  expect(&Sm::fma32, &Sm::fma16, Opcode::add, DataType::f16);
  expect(&Sm::fma32, &Sm::fma16, Opcode::fma, DataType::bf16x2);
  expect(&Sm::convert, &Sm::convertInteger, Opcode::cvt, DataType::f32, DataType::u32);
  EXPECT_EQ(kernel.info().unit, isa::Unit::integer);
  expect(&Sm::shuffle, &Sm::vote, Opcode::vote, DataType::u32);
  expect(&Sm::shuffle, &Sm::reduce, Opcode::redux, DataType::u32);
}

// Nothing waits for the accumulators of an asynchronous product but the wait of its group.
TEST(KernelInfo, ProductsOfWarpGroups) {
  Kernel kernel;
  kernel.sm.groupMatrix = {32, 4};
  isa::Instruction& product = kernel.code.emit(Opcode::wgmma, DataType::u32, {R(8)}, {R(2), R(4), P(1)});
  product.modifiers.matrix = {.m = 16, .n = 64, .k = 16, .sharedA = true, .words = {32, 2, 2, 0}};
  InstructionInfo info = kernel.info();
  EXPECT_EQ(info.role, ProductRole::product);
  EXPECT_TRUE(info.written.empty());
  EXPECT_TRUE(info.touched.intersects(set({39}))) << "what a load or an mma leaves there is waited for";
  EXPECT_EQ(info.interval, 32u) << "64 columns, or 128 lines of 32 bytes";
  EXPECT_EQ(info.latency, 32u - 2 + 32 - 4);
  product.modifiers.matrix.n = 8;
  product.modifiers.matrix.words[0] = 4;
  EXPECT_EQ(kernel.info().interval, 18u) << "72 lines of 32 bytes, 128 bytes a cycle";
  product.modifiers.matrix.sharedA = false;
  EXPECT_EQ(kernel.info().interval, 4u);
  kernel.code.emit(Opcode::wgmma_wait, DataType::u32, {}, {imm(3)});
  EXPECT_EQ(kernel.info().role, ProductRole::wait);
  EXPECT_EQ(kernel.info().groupsLeft, 3u);
  EXPECT_EQ(kernel.info().flow, Flow::barrier);
}

}  // namespace
}  // namespace warpwright::sm
