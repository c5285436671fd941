// What instructions make the pipes do.
#include "isa/pipe_work.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

using isa::PipeOperation;

struct Row {
  Instruction instruction;
  PipeOperation operation;
  u32 perLane, perWarp = 0;
};

Instruction matrixProduct() {
  Instruction product = operation(Opcode::mma, DataType::u32);
  product.modifiers.matrix = {.m = 16, .n = 8, .k = 16};
  return product;
}

Instruction sharedLoad() {
  Instruction load = operation(Opcode::ld, DataType::f32);
  load.modifiers.space = isa::Space::shared;
  load.modifiers.wordAddress = true;
  return load;
}

TEST(PipeWork, FollowsOperationAndType) {
  isa::Modifiers approximate;
  approximate.accuracy = isa::Accuracy::approximate;
  const Row rows[] = {
      {operation(Opcode::add, DataType::s32), PipeOperation::intAdd, 1},
      {operation(Opcode::add, DataType::u64), PipeOperation::intAdd, 2},
      {operation(Opcode::and_, DataType::pred), PipeOperation::predicate, 1},
      {operation(Opcode::setp, DataType::f32), PipeOperation::intAdd, 1},
      {operation(Opcode::mad_wide, DataType::u32), PipeOperation::intMultiply, 1},
      {operation(Opcode::mul_lo, DataType::u64), PipeOperation::intMultiply, 3},
      {operation(Opcode::rem, DataType::u32), PipeOperation::intDivide, 1},
      {operation(Opcode::div, DataType::u64), PipeOperation::intDivide, 4},
      {operation(Opcode::add, DataType::f32), PipeOperation::fp32Fma, 1},
      {operation(Opcode::fma, DataType::f64), PipeOperation::fp64Fma, 1},
      {operation(Opcode::fma, DataType::bf16), PipeOperation::fp16Fma, 1},
      {operation(Opcode::fma, DataType::f16x2), PipeOperation::fp16Fma, 2},
      {operation(Opcode::div, DataType::f32), PipeOperation::fp32Divide, 1},
      {operation(Opcode::div, DataType::f32, approximate), PipeOperation::special, 1},
      {operation(Opcode::sqrt, DataType::f64), PipeOperation::fp64Divide, 1},
      {operation(Opcode::sin, DataType::f32), PipeOperation::special, 1},
      {operation(Opcode::cvt, DataType::f32, {}, DataType::s32), PipeOperation::convert, 1},
      {operation(Opcode::mov, DataType::f64), PipeOperation::move, 2},
      {operation(Opcode::shfl, DataType::u32), PipeOperation::shuffle, 1},
      {operation(Opcode::vote, DataType::u32), PipeOperation::predicate, 1},
      {matrixProduct(), PipeOperation::tensor, 16 * 8 * 16 / 32},
      {operation(Opcode::ld, DataType::f32), PipeOperation::address, 2},
      {sharedLoad(), PipeOperation::address, 1},
      {operation(Opcode::bra, DataType::u32), PipeOperation::branch, 0, 1},
      {operation(Opcode::bar_sync, DataType::u32), PipeOperation::none, 0, 1},
      {operation(Opcode::fence, DataType::u32), PipeOperation::none, 0, 1},
  };
  for (const Row& row : rows) {
    const isa::PipeWork work = isa::pipeWorkOf(row.instruction, 64, 32);
    EXPECT_EQ(work.operation, row.operation) << isa::info(row.instruction.opcode).id;
    EXPECT_EQ(work.perLane, row.perLane) << isa::info(row.instruction.opcode).id;
    EXPECT_EQ(work.perWarp, row.perWarp) << isa::info(row.instruction.opcode).id;
  }
}

// Whatever is issued counts somewhere.
TEST(PipeWork, NoInstructionIsWithoutWork) {
  for (u32 i = 0; i < isa::kOpcodes; ++i) {
    Instruction instruction = operation(static_cast<Opcode>(i), DataType::u32);
    instruction.modifiers.matrix = {.m = 16, .n = 8, .k = 16, .words = {4, 4, 2, 4}};
    const isa::PipeWork work = isa::pipeWorkOf(instruction, 64, 32);
    EXPECT_NE(work.perLane + work.perWarp, 0u) << isa::info(instruction.opcode).id;
  }
}

TEST(PipeWork, NamesAreTheirOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < isa::kPipeOperations; ++i) EXPECT_TRUE(names.insert(isa::name(static_cast<PipeOperation>(i))).second) << i;
}

}  // namespace
}  // namespace warpwright::test
