#include "compiler/narrowing.hpp"

#include <algorithm>
#include <vector>

#include "compiler/dead_code.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;

bool isPlain(const MachineInstruction& instruction) {
  const isa::Modifiers& m = instruction.modifiers;
  return !m.saturate && !m.carryIn && !m.carryOut && !instruction.addsFrame && !instruction.symbol && m.combine == isa::BoolOp::none;
}

bool isWordType(DataType type) { return type == DataType::u32 || type == DataType::s32; }

// The low word of the result depends on the low words of the operands only (and on all of a shift's amount).
bool canNarrow(const MachineInstruction& instruction) {
  if (!isPlain(instruction)) return false;
  const bool isPair = instruction.type == DataType::u64 || instruction.type == DataType::s64;
  switch (instruction.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul_lo:
    case Opcode::mad_lo:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::neg:
    case Opcode::shl:
    case Opcode::selp:
    case Opcode::mov:
      return isPair;
    case Opcode::mul_wide:
    case Opcode::mad_wide:
      return isWordType(instruction.type);
    case Opcode::cvt:
      return isPair && isWordType(instruction.sourceType);
    default:
      return false;
  }
}

void narrow(MachineInstruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mul_wide:
      instruction.opcode = Opcode::mul_lo;
      break;
    case Opcode::mad_wide:
      instruction.opcode = Opcode::mad_lo;
      break;
    case Opcode::cvt:
      instruction.opcode = Opcode::mov;
      instruction.sourceType = DataType::none;
      instruction.type = DataType::u32;
      break;
    default:
      instruction.type = instruction.type == DataType::s64 && instruction.opcode != Opcode::mov ? DataType::s32 : DataType::u32;
  }
  for (Operand& source : instruction.sources)
    if (source.kind == Operand::Kind::immediate) source.value = static_cast<u32>(source.value);
}

bool accessesWindow(const MachineInstruction& instruction) {
  const bool accesses = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st || instruction.opcode == Opcode::atom;
  const Space space = instruction.modifiers.space;
  return accesses && (space == Space::shared || space == Space::local || space == Space::constant || space == Space::param);
}

// Finds the units whose values anything depends on.
class Needs {
 public:
  explicit Needs(const MachineFunction& function) : function_(function), writers_(function.units()), needed_(function.units()) {
    for (u32 i = 0; i < function.code.size(); ++i)
      forEachDestinationUnit(function, function.code[i], [&](u32 unit) { writers_[unit].push_back(i); });
    for (const MachineInstruction& instruction : function.code)
      if (hasEffect(instruction)) needSources(instruction);
    while (!work_.empty()) {
      const u32 unit = work_.back();
      work_.pop_back();
      for (const u32 writer : writers_[unit]) needSourcesFor(function.code[writer], unit);
    }
  }

  bool isNeeded(u32 unit) const { return needed_[unit]; }

 private:
  void need(u32 unit) {
    if (needed_[unit]) return;
    needed_[unit] = true;
    work_.push_back(unit);
  }
  void needSources(const MachineInstruction& instruction) {
    forEachSourceUnit(function_, instruction, [&](u32 unit) { need(unit); });
  }
  void needSourcesFor(const MachineInstruction& instruction, u32 unit) {
    if (!canNarrow(instruction) || unit != instruction.destinations[0].index) return needSources(instruction);
    MachineInstruction low = instruction;
    narrow(low);
    needSources(low);
  }

  const MachineFunction& function_;
  std::vector<std::vector<u32>> writers_;
  std::vector<bool> needed_;
  std::vector<u32> work_;
};

bool narrowAddresses(MachineFunction& function) {
  bool changed = false;
  for (MachineInstruction& instruction : function.code) {
    if (!accessesWindow(instruction) || sourceWords(function, instruction, 0) != 2) continue;
    const std::size_t parameter = isa::info(instruction.opcode).sources.find('b');
    if (parameter != std::string_view::npos && instruction.sources[parameter].kind != Operand::Kind::none) continue;
    instruction.modifiers.wordAddress = true;
    changed = true;
  }
  return changed;
}

}  // namespace

bool narrowWords(MachineFunction& function) {
  bool changed = narrowAddresses(function);
  const Needs needs(function);
  for (MachineInstruction& instruction : function.code) {
    const Operand& result = instruction.destinations[0];
    if (!canNarrow(instruction) || !isRegister(result) || result.index == kStackWord) continue;
    if (!needs.isNeeded(result.index) || needs.isNeeded(result.index + 1)) continue;
    narrow(instruction);
    changed = true;
  }
  return changed;
}

}  // namespace warpwright::compiler
