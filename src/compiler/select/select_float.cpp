// Floating-point operations that exist in one accuracy only.
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

void Selector::selectSpecialFunction() {
  switch (in_->opcode) {
    case ptx::Opcode::sin:
      lane(isa::Opcode::sin);
      break;
    case ptx::Opcode::cos:
      lane(isa::Opcode::cos);
      break;
    case ptx::Opcode::ex2:
      lane(isa::Opcode::ex2);
      break;
    case ptx::Opcode::lg2:
      lane(isa::Opcode::lg2);
      break;
    default:
      lane(isa::Opcode::tanh);
      break;
  }
  code_.code.back().modifiers.accuracy = isa::Accuracy::approximate;
}

}  // namespace warpwright::compiler
