#include "profile/instruction_class.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warpwright::profile {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;

isa::Instruction make(Opcode opcode, DataType type = DataType::u32, Space space = Space::generic) {
  isa::Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.modifiers.space = space;
  return instruction;
}

TEST(InstructionClass, FollowsOperationTypeAndSpace) {
  EXPECT_EQ(classOf(make(Opcode::add, DataType::s32)), InstructionClass::integer);
  EXPECT_EQ(classOf(make(Opcode::add, DataType::f32)), InstructionClass::fp32);
  EXPECT_EQ(classOf(make(Opcode::fma, DataType::f64)), InstructionClass::fp64);
  EXPECT_EQ(classOf(make(Opcode::setp, DataType::f32)), InstructionClass::fp32);
  EXPECT_EQ(classOf(make(Opcode::setp, DataType::s32)), InstructionClass::integer);
  EXPECT_EQ(classOf(make(Opcode::sin, DataType::f32)), InstructionClass::special);
  EXPECT_EQ(classOf(make(Opcode::cvt, DataType::f64)), InstructionClass::conversion);
  EXPECT_EQ(classOf(make(Opcode::mov, DataType::f32)), InstructionClass::move);
  EXPECT_EQ(classOf(make(Opcode::s2r)), InstructionClass::move);
  EXPECT_EQ(classOf(make(Opcode::ld, DataType::u32, Space::global)), InstructionClass::loadGlobal);
  EXPECT_EQ(classOf(make(Opcode::st, DataType::u32, Space::shared)), InstructionClass::storeShared);
  EXPECT_EQ(classOf(make(Opcode::ld, DataType::u32, Space::local)), InstructionClass::loadLocal);
  EXPECT_EQ(classOf(make(Opcode::ld, DataType::u32, Space::constant)), InstructionClass::loadConstant);
  EXPECT_EQ(classOf(make(Opcode::st)), InstructionClass::storeGeneric);
  EXPECT_EQ(classOf(make(Opcode::atom, DataType::u32, Space::global)), InstructionClass::atomic);
  EXPECT_EQ(classOf(make(Opcode::fence)), InstructionClass::memoryOther);
  EXPECT_EQ(classOf(make(Opcode::shfl)), InstructionClass::warpWide);
  EXPECT_EQ(classOf(make(Opcode::bar_sync)), InstructionClass::barrier);
  EXPECT_EQ(classOf(make(Opcode::bra)), InstructionClass::control);
}

TEST(InstructionClass, NamesAreDistinct) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < kInstructionClasses; ++i) names.emplace(name(static_cast<InstructionClass>(i)));
  EXPECT_EQ(names.size(), kInstructionClasses);
}

void expectUse(const isa::Instruction& instruction, u32 addressBits, RegisterUse expected) {
  const RegisterUse use = registerUse(instruction, addressBits);
  EXPECT_EQ(use.reads, expected.reads);
  EXPECT_EQ(use.writes, expected.writes);
  EXPECT_EQ(use.predicateReads, expected.predicateReads);
  EXPECT_EQ(use.predicateWrites, expected.predicateWrites);
}

TEST(RegisterUse, SixtyFourBitsAreTwoRegisters) {
  isa::Instruction add = make(Opcode::add, DataType::u64);
  add.destinations[0] = Operand::makeRegister(0);
  add.sources[0] = Operand::makeRegister(2);
  add.sources[1] = Operand::makeRegister(4);
  expectUse(add, 64, {4, 2, 0, 0});
  add.sources[1] = Operand::makeImmediate(1);
  expectUse(add, 64, {2, 2, 0, 0});
}

TEST(RegisterUse, WideMultiplyAddReadsAPairAndWritesAPair) {
  isa::Instruction mad = make(Opcode::mad_wide, DataType::s32);
  mad.destinations[0] = Operand::makeRegister(0);
  for (u32 i = 0; i < 3; ++i) mad.sources[i] = Operand::makeRegister(2 + 2 * i);
  expectUse(mad, 64, {4, 2, 0, 0});
}

TEST(RegisterUse, VectorsAndAddresses) {
  isa::Instruction load = make(Opcode::ld, DataType::f32, Space::global);
  load.vector = 4;
  load.destinations[0] = Operand::makeRegister(4);
  load.sources[0] = Operand::makeRegister(2);
  expectUse(load, 64, {2, 4, 0, 0});
  expectUse(load, 32, {1, 4, 0, 0});
  isa::Instruction store = make(Opcode::st, DataType::f64, Space::global);
  store.vector = 2;
  store.sources[0] = Operand::makeRegister(2);
  store.sources[1] = Operand::makeRegister(4);
  expectUse(store, 64, {6, 0, 0, 0});
}

TEST(RegisterUse, PredicatesAreCountedApart) {
  isa::Instruction setp = make(Opcode::setp, DataType::f32);
  setp.destinations[0] = Operand::makePredicate(0);
  setp.sources[0] = Operand::makeRegister(2);
  setp.sources[1] = Operand::makeRegister(3);
  expectUse(setp, 64, {2, 0, 0, 1});
  isa::Instruction branch = make(Opcode::bra);
  branch.guard = Operand::makePredicate(0, true);
  expectUse(branch, 64, {0, 0, 1, 0});
  isa::Instruction select = make(Opcode::selp);
  select.destinations[0] = Operand::makeRegister(0);
  select.sources[0] = Operand::makeRegister(1);
  select.sources[1] = Operand::makeImmediate(0);
  select.sources[2] = Operand::makePredicate(3);
  expectUse(select, 64, {1, 1, 1, 0});
}

}  // namespace
}  // namespace warpwright::profile
