#include "compiler/common_subexpressions.hpp"

#include <algorithm>
#include <unordered_map>

#include "compiler/definitions.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

// The same operands give the same result wherever it stands: no memory that may change, no clock.
bool isRepeatable(const MachineInstruction& instruction) {
  if (!isPure(instruction) || instruction.addsFrame || instruction.symbol) return false;
  switch (isa::info(instruction.opcode).family) {
    case isa::Family::lane:
      return instruction.opcode != Opcode::mov;
    case isa::Family::warp:
      return instruction.modifiers.special < isa::SpecialRegister::clock;
    case isa::Family::memory:
      return instruction.modifiers.space == isa::Space::constant || instruction.modifiers.space == isa::Space::param;
    default:
      return false;
  }
}

// A constant in a register: of the instruction word, or of the constant bank.
bool movesConstant(const MachineInstruction& instruction) {
  const Operand::Kind kind = instruction.sources[0].kind;
  return instruction.opcode == Opcode::mov && (kind == Operand::Kind::immediate || kind == Operand::Kind::param) &&
         isRegister(instruction.destinations[0]) && !instruction.symbol && !instruction.addsFrame;
}

bool computeTheSame(const MachineInstruction& a, const MachineInstruction& b) {
  return a.opcode == b.opcode && a.type == b.type && a.sourceType == b.sourceType && a.vector == b.vector && a.offset == b.offset &&
         a.modifiers == b.modifiers && a.sources == b.sources && a.destinations[0].kind == b.destinations[0].kind;
}

std::size_t hashOf(const MachineInstruction& instruction) {
  u64 hash = static_cast<u64>(instruction.opcode) << 8 | static_cast<u64>(instruction.type);
  for (const Operand& source : instruction.sources)
    hash = (hash ^ source.index ^ source.value << 16 ^ static_cast<u64>(source.kind) << 8) * 0x9e3779b97f4a7c15u;
  return hash;
}

class CommonSubexpressions {
 public:
  explicit CommonSubexpressions(MachineFunction& function) : function_(function), definitions_(function) {}

  bool run() {
    for (u32 position = 0; position < function_.code.size(); ++position) {
      const MachineInstruction& instruction = function_.code[position];
      if (!isRepeatable(instruction) && !movesConstant(instruction)) continue;
      readOriginals(position);
      visit(position);
    }
    readOthers();
    return changed_;
  }

 private:
  void visit(u32 position) {
    MachineInstruction& instruction = function_.code[position];
    if (instruction.destinations[1].kind != Operand::Kind::none) return;
    std::vector<u32>& known = known_[hashOf(instruction)];
    const auto found = std::find_if(known.begin(), known.end(), [&](u32 earlier) { return repeats(earlier, position); });
    if (found == known.end()) {
      if (lasts(instruction, position)) known.push_back(position);
      return;
    }
    if (!movesConstant(instruction)) return becomeCopy(position, function_.code[*found].destinations[0]);
    if (lasts(instruction, position)) other_[instruction.destinations[0].index] = {position, *found};
  }

  // What was computed from a copy repeats what was computed from the original: chains of any length are found in one go.
  void readOriginals(u32 position) {
    MachineInstruction& instruction = function_.code[position];
    for (u32 i = 0; i < instruction.sources.size(); ++i) {
      Operand& operand = instruction.sources[i];
      const auto found = isRegister(operand) ? copies_.find(operand.index) : copies_.end();
      if (found == copies_.end() || !definitions_.dominates(found->second.at, position)) continue;
      if (sourceWords(function_, instruction, i) == found->second.words) operand.index = found->second.original;
    }
  }

  // A constant costs an instruction to have again, and a register to keep: it is shared within a block.
  bool repeats(u32 earlier, u32 position) const {
    const MachineInstruction& instruction = function_.code[position];
    if (movesConstant(instruction) && !definitions_.areInOneBlock(earlier, position)) return false;
    return computeTheSame(function_.code[earlier], instruction) && definitions_.dominates(earlier, position);
  }

  // What reads a constant that another register of the block holds already reads that one. (A copy would become a constant again.)
  void readOthers() {
    if (other_.empty()) return;
    for (u32 position = 0; position < function_.code.size(); ++position)
      for (u32 i = 0; i < function_.code[position].sources.size(); ++i) readOther(position, i);
  }

  void readOther(u32 position, u32 source) {
    MachineInstruction& instruction = function_.code[position];
    Operand& operand = instruction.sources[source];
    const auto found = isRegister(operand) ? other_.find(operand.index) : other_.end();
    if (found == other_.end() || !definitions_.areInOneBlock(found->second.at, position) || found->second.at > position) return;
    const MachineInstruction& move = function_.code[found->second.at];
    if (sourceWords(function_, instruction, source) != destinationWords(function_, move, 0)) return;
    operand.index = function_.code[found->second.same].destinations[0].index;
    changed_ = true;
  }

  // Its result, and all that it was computed from, are the same wherever it dominates.
  bool lasts(const MachineInstruction& instruction, u32 position) const {
    if (!isAlwaysExecuted(instruction)) return false;
    bool result = true;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) { result &= definitions_.isSimple(unit); });
    forEachSourceUnit(function_, instruction, [&](u32 unit) { result &= definitions_.isStableFrom(unit, position); });
    return result;
  }

  void becomeCopy(u32 position, const Operand& result) {
    MachineInstruction& instruction = function_.code[position];
    const u32 words = destinationWords(function_, instruction, 0);
    if (isRegister(result) && lasts(instruction, position)) copies_[instruction.destinations[0].index] = {position, words, result.index};
    instruction.opcode = Opcode::mov;
    instruction.type = result.kind == Operand::Kind::predicate ? isa::DataType::pred : words == 2 ? isa::DataType::u64 : isa::DataType::u32;
    instruction.sourceType = isa::DataType::none;
    instruction.modifiers = {};
    instruction.offset = 0;
    instruction.sources = {result, Operand{}, Operand{}, Operand{}};
    changed_ = true;
  }

  MachineFunction& function_;
  Definitions definitions_;
  struct Other {
    u32 at = 0, same = 0;  // positions of a move of a constant, and of the earlier one of the same constant
  };
  struct Copy {
    u32 at = 0, words = 0, original = 0;  // its position, and the first unit of what it copies
  };
  std::unordered_map<u32, Copy> copies_;                     // by first unit, of those made here that are never written again
  std::unordered_map<std::size_t, std::vector<u32>> known_;  // positions by hash
  std::unordered_map<u32, Other> other_;                     // by first unit
  bool changed_ = false;
};

}  // namespace

bool shareCommonSubexpressions(MachineFunction& function) { return CommonSubexpressions(function).run(); }

}  // namespace warpwright::compiler
