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

bool hearsOfOthers(const isa::Instruction& instruction) {
  using isa::Opcode, isa::CacheOp;
  const isa::Modifiers& modifiers = instruction.modifiers;
  if (modifiers.space != isa::Space::global && modifiers.space != isa::Space::generic) return false;
  if (instruction.opcode == Opcode::atom) return instruction.destinations[0].kind != isa::Operand::Kind::none;
  if (instruction.opcode != Opcode::ld) return false;
  return modifiers.ordering != isa::Ordering::weak || modifiers.cache == CacheOp::cg || modifiers.cache == CacheOp::cv;
}

// Of the kernel and of every function of its program that is no kernel, which it may call.
template <class Is>
bool anyOf(const isa::Program& program, const isa::Function& kernel, Is is) {
  return std::ranges::any_of(program.functions, [&](const isa::Function& each) {
    if (each.isDeclaration || (each.isKernel && each.begin != kernel.begin)) return false;
    return std::any_of(program.code.begin() + each.begin, program.code.begin() + each.end, is);
  });
}

}  // namespace

bool isReplayable(const isa::Program& program, const isa::Function& kernel) { return !anyOf(program, kernel, leavesMore); }

bool mayHearOfOthers(const isa::Program& program, const isa::Function& kernel) { return anyOf(program, kernel, hearsOfOthers); }

}  // namespace warpwright::sampling
