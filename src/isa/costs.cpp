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

}  // namespace

Unit unitOf(const Instruction& instruction) {
  switch (info(instruction.opcode).work) {
    case Work::simple:
      if (info(instruction.opcode).family == Family::control) return Unit::control;
      return arithmeticUnit(workType(instruction));
    case Work::arithmetic:
    case Work::multiply:
      return arithmeticUnit(instruction.type);
    case Work::divide:
      return isApproximate(instruction) ? Unit::sfu : arithmeticUnit(instruction.type);
    case Work::special:
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
    case Work::arithmetic:
      return byType(type, Latency::simple, Latency::fma32, Latency::fma64);
    case Work::multiply:
      return byType(type, Latency::multiply, Latency::fma32, Latency::fma64);
    case Work::divide:
      if (isApproximate(instruction)) return Latency::special;
      return byType(type, Latency::divide, Latency::divide32, Latency::divide64);
    case Work::special:
      return Latency::special;
    case Work::convert:
      return Latency::convert;
    case Work::memory:
      return Latency::memory;
    case Work::shuffle:
      return Latency::shuffle;
    case Work::barrier:
      return Latency::barrier;
    case Work::branch:
      return Latency::branch;
    case Work::matrix:
      return Latency::matrix;
    case Work::group_matrix:
      return Latency::group_matrix;
  }
  return Latency::simple;
}

}  // namespace warpwright::isa
