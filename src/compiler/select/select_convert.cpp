// cvt in all its forms. Integer conversions that only drop or add a word become copies of words.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

namespace {

bool roundsToIntegral(ptx::Rounding rounding) {
  return rounding == ptx::Rounding::rni || rounding == ptx::Rounding::rzi || rounding == ptx::Rounding::rmi ||
         rounding == ptx::Rounding::rpi;
}

void convertFloat(Selector& s, DataType to, DataType from) {
  const Operand value = s.use(s.operand(1), from);
  MachineInstruction& conversion = s.emit(isa::Opcode::cvt, to, {s.define(s.operand(0), to)}, {value});
  conversion.sourceType = from;
  conversion.modifiers = s.arithmeticModifiers();
  conversion.modifiers.integral = isa::isFloat(to) && isa::isFloat(from) && roundsToIntegral(s.in().modifiers.rounding);
  // Float to integer without a rounding modifier truncates, as the C languages do; PTX asks for one.
  if (!isa::isFloat(to) && isa::isFloat(from) && s.in().modifiers.rounding == ptx::Rounding::none)
    conversion.modifiers.rounding = isa::Rounding::zero;
  s.extend(s.operand(0), to);
}

void convertInteger(Selector& s, DataType to, DataType from) {
  const Operand value = s.use(s.operand(1), from);
  const u32 toBytes = isa::sizeOf(to), fromBytes = isa::sizeOf(from);
  if (toBytes == 8 && fromBytes == 8) {
    s.emit(isa::Opcode::mov, DataType::u64, {s.define(s.operand(0), to)}, {value});
    return;
  }
  const Operand destination = s.define(s.operand(0), to);
  const u32 registerBytes =
      s.operand(0).kind == ptx::Operand::Kind::reg ? ptx::sizeOf(s.source().registers[s.operand(0).reg].type) : toBytes;
  // The bits above a narrow type are nobody's when the register is as narrow as the type.
  const bool dropsBits = toBytes <= fromBytes && (toBytes >= 4 || toBytes == registerBytes);
  // A 64-bit result is a 32-bit one whose sign, that of the source, fills the high word.
  const DataType low = toBytes < 8 ? to : isa::isSigned(from) ? DataType::s32 : DataType::u32;
  if (dropsBits || (fromBytes >= 4 && toBytes == 8)) {
    s.copyWord(destination.index, value);
  } else {
    s.emit(isa::Opcode::cvt, low, {destination}, {value}).sourceType = from;
  }
  s.extend(s.operand(0), low);
}

}  // namespace

void selectCvt(Selector& s) {
  if (selectedAsNarrowConversion(s)) return;
  const DataType to = dataType(s.in().modifiers.type), from = dataType(s.in().modifiers.source);
  if (to == DataType::none || from == DataType::none || to == DataType::pred || from == DataType::pred)
    s.unsupported("the machine does not convert between these types");
  const bool integers = !isa::isFloat(to) && !isa::isFloat(from);
  if (integers && !s.in().modifiers.sat) return convertInteger(s, to, from);
  convertFloat(s, to, from);
}

}  // namespace warpwright::compiler
