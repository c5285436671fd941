// The lane function of an instruction at one host level.
#include "exec/lanes/find.hpp"

#include "exec/lanes/families.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {
namespace {

LanePair findConversion(const isa::Instruction& instruction) {
  const bool fromFloat = isFloat(instruction.sourceType), toFloat = isFloat(instruction.type);
  if (fromFloat) return toFloat ? findFloatToFloat(instruction) : findFloatToInteger(instruction);
  return toFloat ? findIntegerToFloat(instruction) : findIntegerToInteger(instruction);
}

LanePair findPair(const isa::Instruction& instruction) {
  if (instruction.opcode == isa::Opcode::cvt) return findConversion(instruction);
  if (const LanePair found = findHalf(instruction)) return found;
  if (const LanePair found = findCompareAndSelect(instruction)) return found;
  if (const LanePair found = findFloat(instruction)) return found;
  if (const LanePair found = findArithmetic(instruction)) return found;
  return findBits(instruction);
}

}  // namespace

LaneFunction find(const isa::Instruction& instruction, u32 lanes) {
  const LanePair pair = findPair(instruction);
  return lanes == 64 ? pair.of64 : pair.of32;
}

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
