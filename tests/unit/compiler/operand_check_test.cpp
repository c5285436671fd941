#include "compiler/operand_check.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;

TEST(OperandCheck, FindsAnOperandThatReachesIntoAnotherValue) {
  MachineBuilder b;
  const isa::Operand word = b.word(), pair = b.pair();
  b.emit(Opcode::mov, DataType::u64, {pair}, {b.number(1)});
  b.emit(Opcode::mov, DataType::u32, {word}, {isa::Operand::makeRegister(pair.index + 1)});
  b.store(pair, DataType::u64);
  b.exit();
  EXPECT_EQ(findForeignOperand(b.function), nullptr);
  b.function.code[2].sources[1] = word;
  EXPECT_EQ(findForeignOperand(b.function), &b.function.code[2]);
  b.function.code[2].sources[1] = isa::Operand::makeRegister(pair.index + 1);
  EXPECT_EQ(findForeignOperand(b.function), &b.function.code[2]);
}

TEST(OperandCheck, FindsARegisterAndAPredicateThatThereAreNot) {
  MachineBuilder b;
  const isa::Operand word = b.word(), p = b.predicate();
  b.move(word, b.number(1)).guard = p;
  b.exit();
  EXPECT_EQ(findForeignOperand(b.function), nullptr);
  b.function.code[0].guard.index = p.index + 1;
  EXPECT_EQ(findForeignOperand(b.function), &b.function.code[0]);
  b.function.code[0].guard = p;
  b.function.code[0].destinations[0].index = word.index + 1;
  EXPECT_EQ(findForeignOperand(b.function), &b.function.code[0]);
}

}  // namespace
}  // namespace warpwright::compiler
