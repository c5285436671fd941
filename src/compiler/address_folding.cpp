#include "compiler/address_folding.hpp"

#include <utility>
#include <vector>

#include "compiler/definitions.hpp"
#include "compiler/layout.hpp"
#include "isa/address_space.hpp"
#include "isa/launch_constants.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

class AddressFolding {
 public:
  explicit AddressFolding(MachineFunction& function)
      : function_(function), definitions_(function), isTarget_(branchTargets(function)), reads_(function.units()) {}

  bool run() {
    for (const MachineInstruction& instruction : function_.code)
      forEachSourceUnit(function_, instruction, [&](u32 unit) { ++reads_[unit]; });
    for (u32 i = 0; i < function_.code.size(); ++i) {
      MachineInstruction& instruction = function_.code[i];
      if (foldSum(instruction, i)) changed_ = true;
      if (isa::info(instruction.opcode).family != isa::Family::memory || instruction.opcode == Opcode::fence) continue;
      while (foldAddition(instruction, i)) changed_ = true;
      changed_ |= foldParameter(instruction, i);
      resolveWindow(instruction);
      resolveParameter(instruction);
      resolveConstant(instruction);
    }
    return changed_;
  }

 private:
  // The addition, or subtraction, of a register and a constant of the given kind that alone makes an instruction's address.
  struct Addition {
    const MachineInstruction* instruction = nullptr;  // null: there is none
    Operand variable, constant;
  };

  Addition additionBehind(const MachineInstruction& instruction, u32 position, Operand::Kind kind) const {
    const Operand& base = instruction.sources[0];
    if (!isRegister(base) || base.index == kStackWord) return {};
    const u32 writer = definitions_.onlyWriter(base.index);
    if (writer == kNone || !definitions_.isSimple(base.index) || !definitions_.dominates(writer, position)) return {};
    const MachineInstruction& addition = function_.code[writer];
    const bool adds = addition.opcode == Opcode::add || addition.opcode == Opcode::sub;
    if (!adds || addition.addsFrame || addition.symbol || isa::isFloat(addition.type)) return {};
    const u32 words = sourceWords(function_, instruction, 0);
    if (addition.modifiers.saturate || addition.modifiers.carryIn || isa::sizeOf(addition.type) != 4 * words) return {};
    if (addition.destinations[0].index != base.index) return {};
    const u32 constant = addition.opcode == Opcode::add && addition.sources[0].kind == kind ? 0 : 1;
    if (addition.sources[constant].kind != kind) return {};
    const Operand& variable = addition.sources[1 - constant];
    if (!isRegister(variable) || variable.index == kStackWord) return {};
    for (u32 w = 0; w < words; ++w)
      if (!definitions_.isStableFrom(variable.index + w, writer) && !isKept(variable.index + w, writer, position)) return {};
    return {&addition, variable, addition.sources[constant]};
  }

  // Control goes straight from one position to the other and nothing on the way writes the unit: an index of a loop, say.
  bool isKept(u32 unit, u32 from, u32 to) const {
    if (from >= to || isTarget_[to]) return false;
    for (u32 i = from; i < to; ++i) {
      bool writes = i > from && isTarget_[i];
      forEachDestinationUnit(function_, function_.code[i], [&](u32 written) { writes |= written == unit; });
      if (writes) return false;
    }
    return true;
  }

  // (x + c) + d → x + (c + d), where nothing else reads the sum in between: the steps of an unrolled loop become one.
  bool foldSum(MachineInstruction& instruction, u32 position) {
    const isa::Modifiers& m = instruction.modifiers;
    const bool plain = instruction.opcode == Opcode::add && !isa::isFloat(instruction.type) && isa::sizeOf(instruction.type) >= 4 &&
                       !m.saturate && !m.carryIn && !m.carryOut && !instruction.symbol && !instruction.addsFrame;
    if (!plain || instruction.sources[1].kind != Operand::Kind::immediate || !isRegister(instruction.sources[0])) return false;
    if (reads_[instruction.sources[0].index] != 1) return false;
    const Addition addition = additionBehind(instruction, position, Operand::Kind::immediate);
    if (addition.instruction == nullptr || addition.instruction->modifiers.carryOut) return false;
    const u64 value = addition.instruction->opcode == Opcode::sub ? -addition.constant.value : addition.constant.value;
    const u64 sum = instruction.sources[1].value + value;
    instruction.sources = {addition.variable, Operand::makeImmediate(isa::sizeOf(instruction.type) == 4 ? static_cast<u32>(sum) : sum)};
    return true;
  }

  bool foldAddition(MachineInstruction& instruction, u32 position) {
    const Addition addition = additionBehind(instruction, position, Operand::Kind::immediate);
    if (addition.instruction == nullptr) return false;
    const u64 value = addition.constant.value;
    s64 displacement = sourceWords(function_, instruction, 0) == 1 ? static_cast<s32>(value) : static_cast<s64>(value);
    if (addition.instruction->opcode == Opcode::sub) displacement = -displacement;
    const s64 sum = instruction.offset + displacement;
    // What a memory instruction can hold (24 bits with sign on real machines); larger constants stay additions.
    if (sum < -(1 << 23) || sum >= (1 << 23)) return false;
    instruction.offset = sum;
    instruction.sources[0] = addition.variable;
    return true;
  }

  // A pointer that is a kernel parameter joins the address as its uniform base.
  bool foldParameter(MachineInstruction& instruction, u32 position) {
    const std::size_t index = isa::info(instruction.opcode).sources.find('b');
    if (index == std::string_view::npos || instruction.sources[index].kind != Operand::Kind::none) return false;
    if (instruction.modifiers.wordAddress) return false;
    const Addition addition = additionBehind(instruction, position, Operand::Kind::param);
    if (addition.instruction == nullptr || addition.instruction->opcode != Opcode::add) return false;
    instruction.sources[index] = addition.constant;
    instruction.sources[0] = addition.variable;
    return true;
  }

  void resolveWindow(MachineInstruction& instruction) {
    if (instruction.modifiers.space != isa::Space::generic || instruction.sources[0].kind != Operand::Kind::none) return;
    if (instruction.symbol || instruction.addsFrame || instruction.opcode == Opcode::prefetch) return;
    const std::size_t parameter = isa::info(instruction.opcode).sources.find('b');
    if (parameter != std::string_view::npos && instruction.sources[parameter].kind != Operand::Kind::none) return;
    static constexpr std::pair<isa::Space, u64> kWindows[] = {{isa::Space::shared, isa::kSharedWindow},
                                                              {isa::Space::local, isa::kLocalWindow}};
    for (const auto& [space, window] : kWindows) {
      const u64 address = static_cast<u64>(instruction.offset);
      if (address < window || address - window >= isa::kWindowBytes) continue;
      if (instruction.opcode == Opcode::atom && space == isa::Space::local) continue;
      instruction.modifiers.space = space;
      instruction.offset = static_cast<s64>(address - window);
      changed_ = true;
    }
  }

  void resolveParameter(MachineInstruction& instruction) {
    if (isFixedLoad(instruction, isa::Space::param)) becomeMove(instruction, static_cast<u64>(instruction.offset));
  }

  // What lies beyond constant memory, or not aligned, stays a load, so that a thread that gets there fails.
  void resolveConstant(MachineInstruction& instruction) {
    if (!isFixedLoad(instruction, isa::Space::constant) || instruction.modifiers.ordering != isa::Ordering::weak) return;
    const u64 place = static_cast<u64>(instruction.offset), bytes = isa::sizeOf(instruction.type), end = constantBytes(*function_.module);
    if (place % bytes == 0 && bytes <= end && place <= end - bytes) becomeMove(instruction, isa::kModuleConstants + place);
  }

  // Of a word or two at an address that is known.
  static bool isFixedLoad(const MachineInstruction& instruction, isa::Space space) {
    return instruction.opcode == Opcode::ld && instruction.modifiers.space == space && instruction.sources[0].kind == Operand::Kind::none &&
           !instruction.symbol && !instruction.addsFrame && instruction.vector == 1 && isa::sizeOf(instruction.type) >= 4;
  }

  void becomeMove(MachineInstruction& instruction, u64 parameter) {
    instruction.offset = 0;
    instruction.opcode = Opcode::mov;
    instruction.type = isa::sizeOf(instruction.type) == 8 ? DataType::u64 : DataType::u32;
    instruction.modifiers = {};
    instruction.sources[0] = Operand::makeParam(parameter);
    changed_ = true;
  }

  MachineFunction& function_;
  Definitions definitions_;
  std::vector<bool> isTarget_;  // by position
  std::vector<u32> reads_;      // by unit
  bool changed_ = false;
};

}  // namespace

bool foldAddresses(MachineFunction& function) { return AddressFolding(function).run(); }

}  // namespace warpwright::compiler
