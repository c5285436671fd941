#include "compiler/analysis/loop_growth.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

class GrowthFinder {
 public:
  GrowthFinder(const MachineFunction& function, const ControlFlow& flow, const Loops& loops)
      : function_(function), loops_(loops), blockOf_(function.code.size()), definitions_(function.units()) {
    for (u32 b = 0; b < flow.blocks.size(); ++b)
      for (u32 i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) blockOf_[i] = b;
    for (u32 i = 0; i < function.code.size(); ++i)
      forEachDestinationUnit(function, function.code[i], [&](u32 unit) { definitions_[unit].push_back(i); });
  }

  std::map<u32, Growth> run() const {
    std::map<u32, Growth> result;
    for (u32 unit = 0; unit < definitions_.size(); ++unit) {
      if (definitions_[unit].size() != 2) continue;
      const u32 first = definitions_[unit][0], second = definitions_[unit][1];
      std::optional<Growth> growth = of(unit, first, second);
      if (!growth) growth = of(unit, second, first);
      if (growth) result.emplace(unit, *growth);
    }
    return result;
  }

 private:
  std::optional<Growth> of(u32 unit, u32 begin, u32 update) const {
    const u32 loop = innermostAround(blockOf_[update]);
    if (loop == kNoNode || contains(loop, blockOf_[begin])) return std::nullopt;
    const std::optional<s32> bits = shiftOf(unit, update);
    if (!bits || *bits == 0) return std::nullopt;
    return Growth{loop, *bits, update};
  }

  u32 innermostAround(u32 block) const {
    u32 result = kNoNode;
    for (const u32 loop : loops_.around[block])
      if (result == kNoNode || loops_.loops[loop].blocks.size() < loops_.loops[result].blocks.size()) result = loop;
    return result;
  }
  bool contains(u32 loop, u32 block) const {
    const std::vector<u32>& blocks = loops_.loops[loop].blocks;
    return std::find(blocks.begin(), blocks.end(), block) != blocks.end();
  }

  // By how many bits an instruction shifts the variable, perhaps through a copy.
  std::optional<s32> shiftOf(u32 unit, u32 position) const {
    const MachineInstruction& instruction = function_.code[position];
    const Operand &a = instruction.sources[0], &b = instruction.sources[1];
    if (isa::isFloat(instruction.type)) return std::nullopt;
    if (instruction.opcode == Opcode::mov) {
      const bool isCopy = isRegister(a) && definitions_[a.index].size() == 1 && a.index != unit;
      return isCopy ? shiftOf(unit, definitions_[a.index].front()) : std::nullopt;
    }
    if (!isRegister(a) || a.index != unit) return std::nullopt;
    if (instruction.opcode == Opcode::add && isRegister(b) && b.index == unit) return 1;
    if (b.kind != Operand::Kind::immediate || b.value == 0) return std::nullopt;
    switch (instruction.opcode) {
      case Opcode::shl:
        return static_cast<s32>(b.value);
      case Opcode::shr:
        return -static_cast<s32>(b.value);
      case Opcode::mul_lo:
      case Opcode::mul24_lo:
        return std::has_single_bit(b.value) ? std::optional(std::countr_zero(b.value)) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  const MachineFunction& function_;
  const Loops& loops_;
  std::vector<u32> blockOf_;                   // by instruction
  std::vector<std::vector<u32>> definitions_;  // by unit
};

}  // namespace

std::map<u32, Growth> findGrowth(const MachineFunction& function, const ControlFlow& flow, const Loops& loops) {
  return GrowthFinder(function, flow, loops).run();
}

}  // namespace warpwright::compiler
