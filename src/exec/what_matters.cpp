#include "exec/what_matters.hpp"

#include <algorithm>
#include <string_view>

namespace warpwright::exec {
namespace {

// Calls use(location) with the registers and predicates of the operands.
template <class Use>
void visit(std::span<const isa::Operand> operands, std::string_view letters, const isa::Instruction& instruction, u32 addressBits,
           Use use) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const isa::Operand& operand = operands[i];
    if (operand.kind == isa::Operand::Kind::predicate) use(kPredicatesFrom + operand.index);
    if (operand.kind != isa::Operand::Kind::reg) continue;
    const u32 words = std::max(1u, isa::operandWords(instruction, letters[i], addressBits));
    for (u32 word = 0; word < words; ++word) use(operand.index + word);
  }
}

}  // namespace

Locations whatMatters(std::span<const Pc> executed, const isa::Program& program) {
  Locations all;
  for (std::size_t before = ~std::size_t{0}; before != all.count();) {
    before = all.count();
    for (const Pc pc : executed) {
      const isa::Instruction& instruction = program.code[pc];
      const isa::OpcodeInfo& row = isa::info(instruction.opcode);
      bool matters = row.family != isa::Family::lane;
      const auto isAsked = [&](u32 location) { matters |= all[location]; };
      visit(instruction.destinations, row.destinations, instruction, program.addressBits, isAsked);
      if (!matters) continue;
      const auto add = [&](u32 location) { all.set(location); };
      visit(instruction.sources, row.sources, instruction, program.addressBits, add);
      add(kPredicatesFrom + instruction.guard.index);
    }
  }
  return all;
}

}  // namespace warpwright::exec
