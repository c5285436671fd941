#include "sampling/replayable.hpp"

#include <algorithm>

namespace warpwright::sampling {
namespace {

bool leavesMore(const isa::Instruction& instruction) {
  using isa::Opcode;
  if (instruction.opcode == Opcode::sust || instruction.opcode == Opcode::sured) return true;
  if (instruction.opcode != Opcode::syscall) return false;
  const auto call = static_cast<isa::SystemCall>(instruction.target);
  return call == isa::SystemCall::malloc || call == isa::SystemCall::free;
}

}  // namespace

bool isReplayable(const isa::Program& program, const isa::Function& kernel) {
  return std::ranges::none_of(program.functions, [&](const isa::Function& each) {
    if (each.isDeclaration || (each.isKernel && each.begin != kernel.begin)) return false;
    return std::any_of(program.code.begin() + each.begin, program.code.begin() + each.end, leavesMore);
  });
}

}  // namespace warpwright::sampling
