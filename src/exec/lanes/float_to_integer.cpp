#include "exec/lanes/families.hpp"
#include "isa/semantics/bind_convert.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findFloatToInteger(const isa::Instruction& instruction) {
  return semantics::bindFloatToInteger(instruction, LaneBinder(instruction));
}

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
