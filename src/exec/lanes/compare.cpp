#include "exec/lanes/families.hpp"
#include "isa/semantics/bind_compare.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

LanePair findCompareAndSelect(const isa::Instruction& instruction) {
  return semantics::bindCompareAndSelect(instruction, LaneBinder(instruction));
}

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
