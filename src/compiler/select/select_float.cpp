// Floating-point operations that exist in one accuracy only.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

void selectSpecialFunction(Selector& s) {
  switch (s.in().opcode) {
    case ptx::Opcode::sin:
      lane(s, isa::Opcode::sin);
      break;
    case ptx::Opcode::cos:
      lane(s, isa::Opcode::cos);
      break;
    case ptx::Opcode::ex2:
      lane(s, isa::Opcode::ex2);
      break;
    case ptx::Opcode::lg2:
      lane(s, isa::Opcode::lg2);
      break;
    default:
      lane(s, isa::Opcode::tanh);
      break;
  }
  s.code().code.back().modifiers.accuracy = isa::Accuracy::approximate;
}

}  // namespace warpwright::compiler
