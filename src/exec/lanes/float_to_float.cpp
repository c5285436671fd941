#include "exec/lanes/families.hpp"
#include "isa/semantics/bind_convert.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findFloatToFloat(const isa::Instruction& instruction) { return semantics::bindFloatToFloat(instruction, LaneBinder(instruction)); }

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
