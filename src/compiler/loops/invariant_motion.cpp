#include "compiler/loops/invariant_motion.hpp"

#include <algorithm>

#include "compiler/analysis/loops.hpp"
#include "compiler/definitions.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;
using isa::Space;

// No memory that may change, no clock, no trap: it may be executed where the program would not have come to it.
bool mayMove(const MachineInstruction& instruction) {
  if (!isPure(instruction) || !isAlwaysExecuted(instruction) || instruction.opcode == Opcode::mov) return false;
  const bool intoRegister = isRegister(instruction.destinations[0]) && instruction.destinations[0].index != kStackWord;
  if (!intoRegister || instruction.destinations[1].kind != Operand::Kind::none) return false;
  switch (isa::info(instruction.opcode).family) {
    case isa::Family::lane:
      return true;
    case isa::Family::warp:
      return instruction.modifiers.special < isa::SpecialRegister::clock;
    case isa::Family::memory:
      return instruction.modifiers.space == Space::param;
    default:
      return false;
  }
}

class Hoister {
 public:
  explicit Hoister(MachineFunction& function)
      : function_(function),
        flow_(buildControlFlow(function)),
        tree_(flow_.successors, 0),
        loops_(findLoops(flow_)),
        definitions_(function),
        written_(function.units()) {}

  // The first loop that has something to hoist loses it.
  bool run() {
    return std::any_of(loops_.loops.begin(), loops_.loops.end(), [&](const Loop& loop) { return isSimple(loop) && hoistFrom(loop); });
  }

 private:
  u32 beginOf(const Loop& loop) const { return flow_.blocks[loop.header].begin; }
  u32 endOf(const Loop& loop) const { return flow_.blocks[*std::max_element(loop.blocks.begin(), loop.blocks.end())].end; }

  bool isSimple(const Loop& loop) const {
    const u32 last = flow_.blockAt(endOf(loop) - 1);
    if (last - loop.header + 1 != loop.blocks.size() || *std::min_element(loop.blocks.begin(), loop.blocks.end()) != loop.header)
      return false;
    return std::none_of(function_.code.begin() + beginOf(loop), function_.code.begin() + endOf(loop),
                        [](const MachineInstruction& instruction) { return instruction.opcode == Opcode::brx; });
  }

  // Every iteration executes it.
  bool isAlwaysReached(const Loop& loop, u32 block) const {
    return std::all_of(loop.blocks.begin(), loop.blocks.end(), [&](u32 other) {
      const std::vector<u32>& next = flow_.successors[other];
      return std::find(next.begin(), next.end(), loop.header) == next.end() || tree_.dominates(block, other);
    });
  }

  bool hoistFrom(const Loop& loop) {
    const u32 begin = beginOf(loop), end = endOf(loop);
    std::fill(written_.begin(), written_.end(), false);
    for (u32 i = begin; i < end; ++i) forEachDestinationUnit(function_, function_.code[i], [&](u32 unit) { written_[unit] = true; });
    std::vector<u32> hoisted;
    for (u32 i = begin; i < end; ++i) {
      if (!isInvariant(function_.code[i]) || !isAlwaysReached(loop, flow_.blockAt(i))) continue;
      hoisted.push_back(i);
      forEachDestinationUnit(function_, function_.code[i], [&](u32 unit) { written_[unit] = false; });
    }
    if (!hoisted.empty()) move(hoisted, begin, end);
    return !hoisted.empty();
  }

  bool isInvariant(const MachineInstruction& instruction) const {
    if (!mayMove(instruction)) return false;
    bool result = true;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) { result &= definitions_.isSimple(unit); });
    forEachSourceUnit(function_, instruction, [&](u32 unit) { result &= !written_[unit]; });
    return result;
  }

  // What enters the loop comes by the hoisted code; what goes back does not.
  void move(const std::vector<u32>& hoisted, u32 begin, u32 end) {
    std::vector<MachineInstruction> code(function_.code.begin(), function_.code.begin() + begin);
    std::vector<u32> newPosition(function_.code.size() + 1);
    for (u32 i = 0; i <= begin; ++i) newPosition[i] = i;
    for (const u32 i : hoisted) code.push_back(function_.code[i]);
    const u32 header = static_cast<u32>(code.size());
    auto next = hoisted.begin();
    for (u32 i = begin; i < function_.code.size(); ++i) {
      if (i > begin) newPosition[i] = static_cast<u32>(code.size());
      if (next != hoisted.end() && *next == i) {
        ++next;
        continue;
      }
      code.push_back(function_.code[i]);
    }
    newPosition.back() = static_cast<u32>(code.size());
    const u32 back = function_.newLabel(begin);
    const u32 newEnd = newPosition[end];
    for (u32 i = header; i < newEnd; ++i)
      if (code[i].opcode == Opcode::bra && function_.labels[code[i].target] == begin) code[i].target = back;
    for (u32& label : function_.rolledLoops)
      if (function_.labels[label] == begin) label = back;
    replaceCode(function_, std::move(code), newPosition);
    function_.labels[back] = header;
  }

  MachineFunction& function_;
  ControlFlow flow_;
  DominatorTree tree_;
  Loops loops_;
  Definitions definitions_;
  std::vector<bool> written_;  // by unit: the loop writes it, and what does is not hoisted
};

}  // namespace

bool hoistInvariants(MachineFunction& function) {
  if (function.code.empty()) return false;
  bool changed = false;
  while (Hoister(function).run()) changed = true;
  return changed;
}

}  // namespace warpwright::compiler
