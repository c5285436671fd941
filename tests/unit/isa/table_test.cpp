// The instruction table itself, and what is derived from it.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "isa/disassembler.hpp"
#include "isa/verify.hpp"
#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

using isa::Operand;

TEST(Table, UsesOnlyKnownLettersAndAtMostFourOperands) {
  const std::string known = "TWSPUQABMCDEXYZtwspuqabmcdxyz";
  std::set<std::string_view> mnemonics;
  for (u32 i = 0; i < isa::kOpcodes; ++i) {
    const isa::OpcodeInfo& row = isa::info(static_cast<Opcode>(i));
    EXPECT_TRUE(mnemonics.insert(row.mnemonic).second) << row.mnemonic;
    EXPECT_NE(row.types, 0u) << row.id;
    EXPECT_FALSE(row.allows(DataType::none)) << row.id;
    for (const std::string_view letters : {row.destinations, row.sources}) {
      EXPECT_LE(letters.size(), 4u) << row.id;
      EXPECT_EQ(letters.find_first_not_of(known), std::string_view::npos) << row.id;
    }
  }
}

// Each row's plain form (no modifiers) or, where an operation has none, a named one, has a meaning for every type it allows.
TEST(Table, EveryLaneOperationHasSemanticsForEveryTypeItAllows) {
  for (u32 i = 0; i < isa::kOpcodes; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const isa::OpcodeInfo& row = isa::info(opcode);
    if (row.family != isa::Family::lane) continue;
    for (u32 type = 1; type < 14; ++type) {
      if (!row.allows(static_cast<DataType>(type))) continue;
      isa::Modifiers modifiers;
      modifiers.secondType = DataType::u32;
      EXPECT_TRUE(isa::hasSemantics(operation(opcode, static_cast<DataType>(type), modifiers, DataType::s32))) << row.id << " " << type;
    }
  }
}

TEST(Table, OperandTypesFollowTheLetters) {
  Instruction load = operation(Opcode::ld, DataType::f64);
  load.vector = 2;
  EXPECT_EQ(isa::operandWords(load, 'M', 64), 4u);
  EXPECT_EQ(isa::operandWords(load, 'a', 64), 2u);
  EXPECT_EQ(isa::operandWords(load, 'a', 32), 1u);
  const Instruction wide = operation(Opcode::mul_wide, DataType::s32);
  EXPECT_EQ(isa::operandType(wide, 'W', 64), DataType::s64);
  EXPECT_EQ(isa::operandWords(wide, 'T', 64), 1u);
  EXPECT_EQ(isa::operandType(operation(Opcode::cvt, DataType::u8, {}, DataType::f16), 'S', 64), DataType::f16);
  EXPECT_EQ(isa::operandWords(wide, 'P', 64), 0u);
}

isa::Modifiers matrixOf(isa::MatrixElement element) {
  isa::Modifiers modifiers;
  modifiers.matrix.a = modifiers.matrix.b = element;
  return modifiers;
}

TEST(Table, UnitsAndLatencies) {
  struct Row {
    Instruction instruction;
    isa::Unit unit;
    isa::Latency latency;
  };
  isa::Modifiers approximate;
  approximate.accuracy = isa::Accuracy::approximate;
  const Row rows[] = {
      {operation(Opcode::add, DataType::s32), isa::Unit::integer, isa::Latency::simple},
      {operation(Opcode::add, DataType::f32), isa::Unit::fp32, isa::Latency::add32},
      {operation(Opcode::mul_lo, DataType::f32), isa::Unit::fp32, isa::Latency::fma32},
      {operation(Opcode::add, DataType::f64), isa::Unit::fp64, isa::Latency::fma64},
      {operation(Opcode::fma, DataType::f16x2), isa::Unit::fp32, isa::Latency::fma16},
      {operation(Opcode::sub, DataType::bf16), isa::Unit::fp32, isa::Latency::fma16},
      {operation(Opcode::add, DataType::u16x2), isa::Unit::integer, isa::Latency::simple},
      {operation(Opcode::shr, DataType::s64), isa::Unit::integer, isa::Latency::shift},
      {operation(Opcode::prmt, DataType::u32), isa::Unit::integer, isa::Latency::shift},
      {operation(Opcode::shf_l, DataType::u32), isa::Unit::integer, isa::Latency::simple},
      {operation(Opcode::popc, DataType::u64), isa::Unit::sfu, isa::Latency::count},
      {operation(Opcode::fma, DataType::f64), isa::Unit::fp64, isa::Latency::fma64},
      {operation(Opcode::mad_lo, DataType::u32), isa::Unit::integer, isa::Latency::multiply},
      {operation(Opcode::rem, DataType::u64), isa::Unit::integer, isa::Latency::divide},
      {operation(Opcode::div, DataType::f32), isa::Unit::fp32, isa::Latency::divide32},
      {operation(Opcode::div, DataType::f32, approximate), isa::Unit::sfu, isa::Latency::special},
      {operation(Opcode::sqrt, DataType::f64), isa::Unit::fp64, isa::Latency::divide64},
      {operation(Opcode::sin, DataType::f32), isa::Unit::sfu, isa::Latency::special},
      {operation(Opcode::cvt, DataType::f32, {}, DataType::s32), isa::Unit::sfu, isa::Latency::convertInteger},
      {operation(Opcode::cvt, DataType::f32, {}, DataType::s64), isa::Unit::sfu, isa::Latency::convert},
      {operation(Opcode::cvt, DataType::s32, {}, DataType::f32), isa::Unit::sfu, isa::Latency::convert},
      {operation(Opcode::set, DataType::u32, {}, DataType::f64), isa::Unit::fp64, isa::Latency::simple},
      {operation(Opcode::ld, DataType::f32), isa::Unit::load_store, isa::Latency::memory},
      {operation(Opcode::shfl, DataType::u32), isa::Unit::warp, isa::Latency::shuffle},
      {operation(Opcode::vote, DataType::u32), isa::Unit::warp, isa::Latency::vote},
      {operation(Opcode::redux, DataType::u32), isa::Unit::warp, isa::Latency::reduce},
      {operation(Opcode::mma, DataType::u32, matrixOf(isa::MatrixElement::f16)), isa::Unit::tensor, isa::Latency::matrix},
      {operation(Opcode::mma, DataType::u32, matrixOf(isa::MatrixElement::s8)), isa::Unit::tensor, isa::Latency::matrixInteger},
      {operation(Opcode::mma, DataType::u32, matrixOf(isa::MatrixElement::f64)), isa::Unit::tensor, isa::Latency::matrix64},
      {operation(Opcode::bar_sync, DataType::u32), isa::Unit::control, isa::Latency::barrier},
      {operation(Opcode::mma, DataType::u32), isa::Unit::tensor, isa::Latency::matrix},
      {operation(Opcode::wgmma, DataType::u32), isa::Unit::tensor, isa::Latency::group_matrix},
      {operation(Opcode::bra, DataType::u32), isa::Unit::branch, isa::Latency::branch},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(isa::unitOf(row.instruction), row.unit) << isa::info(row.instruction.opcode).id;
    EXPECT_EQ(isa::latencyOf(row.instruction), row.latency) << isa::info(row.instruction.opcode).id;
  }
}

Instruction addition() {
  Instruction add = operation(Opcode::add, DataType::u64);
  add.destinations[0] = Operand::makeRegister(4);
  add.sources[0] = Operand::makeRegister(2);
  add.sources[1] = Operand::makeImmediate(16);
  return add;
}

TEST(Verify, AcceptsWhatTheTableAllows) {
  EXPECT_EQ(isa::verify(addition(), 64), "");
  Instruction store = operation(Opcode::st, DataType::u32);
  store.sources[1] = Operand::makeRegister(3);  // the address may be absent
  EXPECT_EQ(isa::verify(store, 64), "");
}

TEST(Verify, NamesWhatIsWrong) {
  const auto expectProblem = [](const Instruction& instruction, const std::string& part) {
    EXPECT_NE(isa::verify(instruction, 64).find(part), std::string::npos) << isa::verify(instruction, 64);
  };
  Instruction add = addition();
  add.type = DataType::u8;
  expectProblem(add, "type U8 is not allowed");
  add = addition();
  add.sources[1] = Operand::makePredicate(0);
  expectProblem(add, "source 1 is a predicate");
  add = addition();
  add.sources[0] = {};
  expectProblem(add, "source 0 is missing");
  add = addition();
  add.destinations[0] = Operand::makeImmediate(1);
  expectProblem(add, "destination 0 is a constant");
  add = addition();
  add.sources[3] = Operand::makeRegister(1);
  expectProblem(add, "source 3 is not in the table");
  add = addition();
  add.modifiers.carryOut = true;
  expectProblem(add, "carry-out");
  add = addition();
  add.modifiers.saturate = true;
  expectProblem(add, "no such combination");
  Instruction branch = operation(Opcode::bra, DataType::u32);
  expectProblem(branch, "target is missing");
  Instruction compare = operation(Opcode::setp, DataType::s32);
  compare.destinations[0] = Operand::makePredicate(isa::kTruePredicate);
  compare.sources[0] = compare.sources[1] = Operand::makeRegister(1);
  expectProblem(compare, "constant predicate");
}

TEST(Verify, ChecksAllocatedRegisters) {
  isa::Program program;
  program.code = {addition(), addition(), operation(Opcode::bra, DataType::u32)};
  program.code[1].sources[0] = Operand::makeRegister(3);
  program.code[2].target = 9;
  isa::Function function;
  function.end = Pc{3};
  program.functions.push_back(function);
  EXPECT_EQ(isa::verifyAllocated(program, Pc{0}), "");
  EXPECT_NE(isa::verifyAllocated(program, Pc{1}).find("R3 cannot begin a pair"), std::string::npos);
  EXPECT_NE(isa::verifyAllocated(program, Pc{2}).find("branches out of the function"), std::string::npos);
  program.code[0].destinations[0] = Operand::makeRegister(254);
  EXPECT_NE(isa::verifyAllocated(program, Pc{0}).find("no register R255"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::test
