#include "isa/pipe_work.hpp"

#include <algorithm>
#include <array>

namespace warpwright::isa {
namespace {

using enum PipeOperation;

PipeWork fma(DataType type) {
  if (type == DataType::f16x2 || type == DataType::bf16x2) return {fp16Fma, 2};
  if (sizeOf(type) == 2) return {fp16Fma, 1};
  return {type == DataType::f64 ? fp64Fma : fp32Fma, 1};
}

PipeWork division(const Instruction& instruction, u16 words) {
  if (!isFloat(instruction.type)) return {intDivide, static_cast<u16>(words * words)};
  if (unitOf(instruction) == Unit::sfu) return {special, words};
  return {instruction.type == DataType::f64 ? fp64Divide : fp32Divide, 1};
}

PipeWork computation(const Instruction& instruction, DataType type) {
  const u16 words = static_cast<u16>(std::max(1u, registerWords(type)));
  switch (info(instruction.opcode).work) {
    case Work::arithmetic:
      return isFloat(type) ? fma(type) : PipeWork{intAdd, words};
    case Work::multiply:
      return isFloat(type) ? fma(type) : PipeWork{intMultiply, static_cast<u16>(words == 2 ? 3 : 1)};
    case Work::divide:
      return division(instruction, words);
    case Work::special:
    case Work::count:
      return {special, words};
    case Work::convert:
      return {convert, 1};
    case Work::simple:
    case Work::shift:
    case Work::memory:
    case Work::shuffle:
    case Work::barrier:
    case Work::branch:
    case Work::matrix:
    case Work::group_matrix:
      break;
  }
  return type == DataType::pred ? PipeWork{predicate, 1} : PipeWork{intAdd, words};
}

PipeWork exchange(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  if (row.handler == Handler::shuffle) return {shuffle, 1};
  if (row.handler == Handler::matrix) return {shuffle, instruction.modifiers.matrix.words[0]};
  if (row.handler == Handler::vote || row.handler == Handler::match || row.handler == Handler::reduce) return {predicate, 1};
  return {none, 0, 1};
}

PipeWork tensorWork(const Instruction& instruction, u32 warpSize) {
  const Matrix& matrix = instruction.modifiers.matrix;
  return {tensor, static_cast<u16>(u32{matrix.m} * matrix.n * matrix.k / warpSize)};
}

}  // namespace

std::string_view name(PipeOperation operation) {
  static constexpr std::array<std::string_view, kPipeOperations> kNames = {
      "int_add", "int_multiply", "int_divide", "fp16_fma", "fp32_fma", "fp32_divide", "fp64_fma", "fp64_divide", "special",
      "convert", "move",         "predicate",  "shuffle",  "tensor",   "branch",      "address",  "none"};
  return kNames[static_cast<std::size_t>(operation)];
}

PipeWork pipeWorkOf(const Instruction& instruction, u32 addressBits, u32 warpSize) {
  const OpcodeInfo& row = info(instruction.opcode);
  const DataType type = instruction.opcode == Opcode::set ? instruction.sourceType : instruction.type;
  switch (row.kind) {
    case Kind::move:
      if (type == DataType::pred) return {predicate, 1};
      return {move, static_cast<u16>(std::max(1u, registerWords(type)))};
    case Kind::conversion:
      return {convert, 1};
    case Kind::computation:
      return computation(instruction, type);
    case Kind::load:
    case Kind::store:
    case Kind::atomic:
    case Kind::memory:
    case Kind::texture:
    case Kind::surface:
      if (row.flow == Flow::fence) return {none, 0, 1};
      return {address, static_cast<u16>(instruction.modifiers.wordAddress ? 1 : addressBits / 32)};
    case Kind::exchange:
      return exchange(instruction);
    case Kind::tensor:
      return tensorWork(instruction, warpSize);
    case Kind::barrier:
      return {none, 0, 1};
    case Kind::control:
      return {row.work == Work::branch ? branch : none, 0, 1};
  }
  return {};
}

}  // namespace warpwright::isa
