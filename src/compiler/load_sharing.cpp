#include "compiler/load_sharing.hpp"

#include <algorithm>
#include <vector>

#include "compiler/definitions.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

bool canShare(const MachineInstruction& instruction) {
  return instruction.opcode == Opcode::ld && isPure(instruction) && instruction.modifiers.space == isa::Space::global &&
         instruction.modifiers.cache != isa::CacheOp::cv && instruction.vector == 1 && !instruction.symbol && !instruction.addsFrame;
}

bool loadTheSame(const MachineInstruction& a, const MachineInstruction& b) {
  return a.type == b.type && a.offset == b.offset && a.modifiers == b.modifiers && a.sources == b.sources;
}

class LoadSharing {
 public:
  explicit LoadSharing(MachineFunction& function) : function_(function), definitions_(function) {}

  bool run() {
    for (u32 position = 0; position < function_.code.size(); ++position) {
      if (position > 0 && !definitions_.areInOneBlock(position - 1, position)) known_.clear();
      if (!isPure(function_.code[position])) known_.clear();
      if (canShare(function_.code[position])) visit(position);
    }
    return changed_;
  }

 private:
  void visit(u32 position) {
    MachineInstruction& instruction = function_.code[position];
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](u32 earlier) { return loadTheSame(function_.code[earlier], instruction); });
    if (found != known_.end())
      becomeCopy(instruction, function_.code[*found].destinations[0]);
    else if (lasts(position))
      known_.push_back(position);
  }

  // All lanes have loaded, and neither the result nor the address is written again.
  bool lasts(u32 position) const {
    const MachineInstruction& instruction = function_.code[position];
    bool result = isAlwaysExecuted(instruction);
    forEachDestinationUnit(function_, instruction, [&](u32 unit) { result &= definitions_.isSimple(unit); });
    forEachSourceUnit(function_, instruction, [&](u32 unit) { result &= definitions_.isStableFrom(unit, position); });
    return result;
  }

  void becomeCopy(MachineInstruction& instruction, const Operand& result) {
    instruction.type = destinationWords(function_, instruction, 0) == 2 ? isa::DataType::u64 : isa::DataType::u32;
    instruction.opcode = Opcode::mov;
    instruction.modifiers = {};
    instruction.offset = 0;
    instruction.sources = {result, Operand{}, Operand{}, Operand{}};
    changed_ = true;
  }

  MachineFunction& function_;
  Definitions definitions_;
  std::vector<u32> known_;  // positions of loads in this block, with nothing behind them that might change what they give
  bool changed_ = false;
};

}  // namespace

bool shareLoads(MachineFunction& function) { return LoadSharing(function).run(); }

}  // namespace warpwright::compiler
