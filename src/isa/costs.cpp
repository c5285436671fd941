// Which unit executes an instruction, and in which latency class: both follow from the table's kind of work and from the type.
#include "isa/instruction.hpp"

namespace warpwright::isa {
namespace {

// Correctly rounded divisions and roots are long sequences; approximate ones are one operation of the special function unit.
bool isApproximate(const Instruction& instruction) { return isFloat(instruction.type) && instruction.modifiers.accuracy != Accuracy::ieee; }

// The type in which the work is done.
DataType workType(const Instruction& instruction) { return instruction.opcode == Opcode::set ? instruction.sourceType : instruction.type; }

Unit arithmeticUnit(DataType type) {
  if (type == DataType::f64) return Unit::fp64;
  return isFloat(type) ? Unit::fp32 : Unit::integer;
}

Latency byType(DataType type, Latency integer, Latency single, Latency twice) {
  if (type == DataType::f64) return twice;
  return isFloat(type) ? single : integer;
}

// Of additions and multiplications; `single`: in single precision.
Latency ofSum(DataType type, Latency integer, Latency single) {
  const bool isHalf = isFloat(type) && type != DataType::f32 && type != DataType::f64;
  return isHalf ? Latency::fma16 : byType(type, integer, single, Latency::fma64);
}

Latency ofConversion(const Instruction& instruction) {
  const bool isOfWords = instruction.sourceType == DataType::u32 || instruction.sourceType == DataType::s32;
  return instruction.type == DataType::f32 && isOfWords ? Latency::convertInteger : Latency::convert;
}

Latency ofExchange(const Instruction& instruction) {
  const Handler handler = info(instruction.opcode).handler;
  if (handler == Handler::vote) return Latency::vote;
  return handler == Handler::reduce ? Latency::reduce : Latency::shuffle;
}

Latency ofMatrix(MatrixElement element) {
  switch (element) {
    case MatrixElement::f64:
      return Latency::matrix64;
    case MatrixElement::s4:
    case MatrixElement::u4:
    case MatrixElement::s8:
    case MatrixElement::u8:
    case MatrixElement::b1:
      return Latency::matrixInteger;
    default:
      return Latency::matrix;
  }
}

}  // namespace

Unit unitOf(const Instruction& instruction) {
  switch (info(instruction.opcode).work) {
    case Work::simple:
    case Work::shift:
      if (info(instruction.opcode).family == Family::control) return Unit::control;
      return arithmeticUnit(workType(instruction));
    case Work::arithmetic:
    case Work::multiply:
      return arithmeticUnit(instruction.type);
    case Work::divide:
      return isApproximate(instruction) ? Unit::sfu : arithmeticUnit(instruction.type);
    case Work::special:
    case Work::count:
    case Work::convert:
      return Unit::sfu;
    case Work::memory:
      return Unit::load_store;
    case Work::shuffle:
      return Unit::warp;
    case Work::barrier:
      return Unit::control;
    case Work::branch:
      return Unit::branch;
    case Work::matrix:
    case Work::group_matrix:
      return Unit::tensor;
  }
  return Unit::control;
}

Latency latencyOf(const Instruction& instruction) {
  const DataType type = instruction.type;
  switch (info(instruction.opcode).work) {
    case Work::simple:
      return Latency::simple;
    case Work::shift:
      return Latency::shift;
    case Work::arithmetic:
      return ofSum(type, registerWords(type) == 2 ? Latency::add64 : Latency::simple, Latency::add32);
    case Work::multiply:
      return ofSum(type, Latency::multiply, Latency::fma32);
    case Work::divide:
      if (isApproximate(instruction)) return Latency::special;
      return byType(type, Latency::divide, Latency::divide32, Latency::divide64);
    case Work::special:
      return Latency::special;
    case Work::count:
      return Latency::count;
    case Work::convert:
      return ofConversion(instruction);
    case Work::memory:
      return Latency::memory;
    case Work::shuffle:
      return ofExchange(instruction);
    case Work::barrier:
      return Latency::barrier;
    case Work::branch:
      return Latency::branch;
    case Work::matrix:
      return ofMatrix(instruction.modifiers.matrix.a);
    case Work::group_matrix:
      return Latency::group_matrix;
  }
  return Latency::simple;
}

}  // namespace warpwright::isa
