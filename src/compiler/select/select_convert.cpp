// cvt in all its forms. Integer conversions that only drop or add a word become copies of words.
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

namespace {

bool roundsToIntegral(ptx::Rounding rounding) {
  return rounding == ptx::Rounding::rni || rounding == ptx::Rounding::rzi || rounding == ptx::Rounding::rmi ||
         rounding == ptx::Rounding::rpi;
}

}  // namespace

void Selector::selectCvt() {
  if (selectedAsNarrowConversion()) return;
  const DataType to = dataType(in_->modifiers.type), from = dataType(in_->modifiers.source);
  if (to == DataType::none || from == DataType::none || to == DataType::pred || from == DataType::pred)
    unsupported("the machine does not convert between these types");
  const bool integers = !isa::isFloat(to) && !isa::isFloat(from);
  if (integers && !in_->modifiers.sat) return convertInteger(to, from);
  convertFloat(to, from);
}

void Selector::convertFloat(DataType to, DataType from) {
  const Operand value = use(operand(1), from);
  MachineInstruction& conversion = emit(isa::Opcode::cvt, to, {define(operand(0), to)}, {value});
  conversion.sourceType = from;
  conversion.modifiers = arithmeticModifiers();
  conversion.modifiers.integral = isa::isFloat(to) && isa::isFloat(from) && roundsToIntegral(in_->modifiers.rounding);
  // Float to integer without a rounding modifier truncates, as the C languages do; PTX asks for one.
  if (!isa::isFloat(to) && isa::isFloat(from) && in_->modifiers.rounding == ptx::Rounding::none)
    conversion.modifiers.rounding = isa::Rounding::zero;
  extend(operand(0), to);
}

void Selector::convertInteger(DataType to, DataType from) {
  const Operand value = use(operand(1), from);
  const u32 toBytes = isa::sizeOf(to), fromBytes = isa::sizeOf(from);
  if (toBytes == 8 && fromBytes == 8) {
    emit(isa::Opcode::mov, DataType::u64, {define(operand(0), to)}, {value});
    return;
  }
  const Operand destination = define(operand(0), to);
  const u32 registerBytes = operand(0).kind == ptx::Operand::Kind::reg ? ptx::sizeOf(source_.registers[operand(0).reg].type) : toBytes;
  // The bits above a narrow type are nobody's when the register is as narrow as the type.
  const bool dropsBits = toBytes <= fromBytes && (toBytes >= 4 || toBytes == registerBytes);
  // A 64-bit result is a 32-bit one whose sign, that of the source, fills the high word.
  const DataType low = toBytes < 8 ? to : isa::isSigned(from) ? DataType::s32 : DataType::u32;
  if (dropsBits || (fromBytes >= 4 && toBytes == 8)) {
    copyWord(destination.index, value);
  } else {
    emit(isa::Opcode::cvt, low, {destination}, {value}).sourceType = from;
  }
  extend(operand(0), low);
}

}  // namespace warpwright::compiler
