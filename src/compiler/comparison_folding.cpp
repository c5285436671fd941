#include "compiler/comparison_folding.hpp"

#include <optional>
#include <vector>

#include "compiler/definitions.hpp"

namespace warpwright::compiler {
namespace {

using isa::BoolOp;
using isa::Opcode;
using isa::Operand;

std::optional<BoolOp> combinationOf(const MachineInstruction& instruction) {
  if (instruction.type != isa::DataType::pred) return std::nullopt;
  switch (instruction.opcode) {
    case Opcode::and_:
      return BoolOp::and_;
    case Opcode::or_:
      return BoolOp::or_;
    case Opcode::xor_:
      return BoolOp::xor_;
    default:
      return std::nullopt;
  }
}

class ComparisonFolding {
 public:
  explicit ComparisonFolding(MachineFunction& function) : function_(function), definitions_(function), reads_(function.units()) {}

  bool run() {
    for (const MachineInstruction& instruction : function_.code)
      forEachSourceUnit(function_, instruction, [&](u32 unit) { ++reads_[unit]; });
    bool changed = false;
    for (u32 i = 0; i < function_.code.size(); ++i)
      if (const std::optional<BoolOp> combination = combinationOf(function_.code[i])) changed |= fold(i, *combination);
    return changed;
  }

 private:
  // Of two comparisons the later one, which other instructions could otherwise not come before.
  bool fold(u32 position, BoolOp combination) {
    MachineInstruction& instruction = function_.code[position];
    const u32 first = comparisonBehind(instruction.sources[0], position), second = comparisonBehind(instruction.sources[1], position);
    if (first == kNone && second == kNone) return false;
    const u32 folded = second == kNone || (first != kNone && first > second) ? 0 : 1;
    const MachineInstruction& comparison = function_.code[folded == 0 ? first : second];
    const Operand other = instruction.sources[1 - folded];
    instruction.opcode = comparison.opcode;
    instruction.type = comparison.type;
    instruction.sourceType = comparison.sourceType;
    instruction.modifiers = comparison.modifiers;
    instruction.modifiers.combine = combination;
    instruction.sources = {comparison.sources[0], comparison.sources[1], other, Operand{}};
    return true;
  }

  // The position of the plain comparison that alone writes the predicate, when its operands are at the given position what they were there.
  u32 comparisonBehind(const Operand& predicate, u32 position) const {
    const bool plain = predicate.kind == Operand::Kind::predicate && predicate.index >= kFirstVirtualPredicate && !predicate.negated;
    if (!plain) return kNone;
    const u32 unit = function_.unitOfPredicate(predicate.index);
    if (reads_[unit] != 1 || !definitions_.isSimple(unit)) return kNone;
    const u32 writer = definitions_.onlyWriter(unit);
    const MachineInstruction& comparison = function_.code[writer];
    if (comparison.opcode != Opcode::setp || comparison.modifiers.combine != BoolOp::none || comparison.symbol || comparison.addsFrame)
      return kNone;
    if (comparison.destinations[1].kind != Operand::Kind::none || !definitions_.dominates(writer, position)) return kNone;
    bool stable = true;
    forEachSourceUnit(function_, comparison, [&](u32 source) { stable &= definitions_.isStableFrom(source, writer); });
    return stable ? writer : kNone;
  }

  MachineFunction& function_;
  Definitions definitions_;
  std::vector<u32> reads_;  // by unit
};

}  // namespace

bool foldComparisons(MachineFunction& function) { return ComparisonFolding(function).run(); }

}  // namespace warpwright::compiler
