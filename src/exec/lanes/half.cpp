#include "exec/lanes/families.hpp"
#include "isa/semantics/bind_half.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findHalf(const isa::Instruction& instruction) { return semantics::bindHalf(instruction, LaneBinder(instruction)); }

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
