// The families of lane operations at one host level; an empty pair means that the family has no such operation.
#pragma once

#include "exec/lanes/core.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findArithmetic(const isa::Instruction& instruction);
LanePair findBits(const isa::Instruction& instruction);
LanePair findHalf(const isa::Instruction& instruction);
LanePair findFloat(const isa::Instruction& instruction);
LanePair findCompareAndSelect(const isa::Instruction& instruction);
LanePair findIntegerToInteger(const isa::Instruction& instruction);
LanePair findIntegerToFloat(const isa::Instruction& instruction);
LanePair findFloatToInteger(const isa::Instruction& instruction);
LanePair findFloatToFloat(const isa::Instruction& instruction);

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
