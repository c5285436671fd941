#include "exec/lanes/families.hpp"
#include "isa/semantics/bind_arithmetic.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findArithmetic(const isa::Instruction& instruction) { return semantics::bindArithmetic(instruction, LaneBinder(instruction)); }

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
