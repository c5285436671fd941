#include "exec/lanes/families.hpp"
#include "isa/semantics/bind_logic.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findBits(const isa::Instruction& instruction) { return semantics::bindBits(instruction, LaneBinder(instruction)); }

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
