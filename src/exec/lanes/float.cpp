#include "exec/lanes/families.hpp"
#include "isa/semantics/bind_float.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findFloat(const isa::Instruction& instruction) { return semantics::bindFloat(instruction, LaneBinder(instruction)); }

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
