#include "compiler/register_allocation.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"
#include "random_code.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

TEST(RegisterAllocation, ValuesThatDoNotMeetShareARegister) {
  MachineBuilder b;
  for (u32 i = 0; i < 100; ++i) {
    const Operand x = b.word();
    b.move(x, b.number(i));
    b.store(x);
  }
  b.exit();
  EXPECT_EQ(allocateRegisters(b.function, 255).registers, 1u);
}

TEST(RegisterAllocation, PairsAreAligned) {
  MachineBuilder b;
  const Operand single = b.word(), wide = b.pair();
  b.move(single, b.number(1));
  b.emit(Opcode::mov, DataType::u64, {wide}, {b.number(2)});
  b.store(single);
  b.store(wide, DataType::u64);
  b.exit();
  const Allocation allocation = allocateRegisters(b.function, 255);
  EXPECT_EQ(allocation.home[wide.index] % 2, 0u);
  EXPECT_EQ(allocation.home[wide.index + 1], allocation.home[wide.index] + 1);
}

TEST(RegisterAllocation, VectorElementsNeedNoCopies) {
  MachineBuilder b;
  const Operand group = b.vector(4);
  std::vector<Operand> elements;
  for (u32 i = 0; i < 4; ++i) elements.push_back(b.word());
  for (u32 i = 0; i < 4; ++i) b.move(elements[i], b.number(i));
  for (u32 i = 0; i < 4; ++i) b.move(Operand::makeRegister(group.index + i), elements[i]);
  b.store(group, DataType::u32, 4);
  b.exit();
  const Allocation allocation = allocateRegisters(b.function, 255);
  EXPECT_EQ(allocation.home[group.index] % 4, 0u);
  applyAllocation(b.function, allocation);
  removeSelfCopies(b.function);
  EXPECT_EQ(b.function.code.size(), 6u) << "four moves of constants, the store, the exit";
}

TEST(RegisterAllocation, TheStackPointerIsReserved) {
  MachineBuilder b;
  b.function.usesStack = true;
  std::vector<Operand> values;
  for (u32 i = 0; i < 8; ++i) values.push_back(b.word());
  for (u32 i = 0; i < 8; ++i) b.move(values[i], b.number(i));
  for (const Operand& value : values) b.store(value);
  b.exit();
  const Allocation allocation = allocateRegisters(b.function, 255);
  for (const Operand& value : values) EXPECT_NE(allocation.home[value.index], isa::kStackRegister);
  EXPECT_EQ(allocation.registers, 9u);
}

TEST(RegisterAllocation, TheSameCodeGetsTheSameRegisters) {
  MachineBuilder first, second;
  RandomCode(7).fill(first);
  RandomCode(7).fill(second);
  EXPECT_EQ(allocateRegisters(first.function, 255).home, allocateRegisters(second.function, 255).home);
}

}  // namespace
}  // namespace warpwright::compiler
