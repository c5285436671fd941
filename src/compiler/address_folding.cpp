#include "compiler/address_folding.hpp"

#include <utility>

#include "compiler/definitions.hpp"
#include "isa/address_space.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

class AddressFolding {
 public:
  explicit AddressFolding(MachineFunction& function) : function_(function), definitions_(function) {}

  bool run() {
    for (u32 i = 0; i < function_.code.size(); ++i) {
      MachineInstruction& instruction = function_.code[i];
      if (isa::info(instruction.opcode).family != isa::Family::memory || instruction.opcode == Opcode::fence) continue;
      while (foldAddition(instruction, i)) changed_ = true;
      resolveWindow(instruction);
      resolveParameter(instruction);
    }
    return changed_;
  }

 private:
  bool foldAddition(MachineInstruction& instruction, u32 position) {
    const Operand& base = instruction.sources[0];
    if (!isRegister(base) || base.index == kStackWord) return false;
    const u32 writer = definitions_.onlyWriter(base.index);
    if (writer == kNone || !definitions_.isSimple(base.index) || !definitions_.dominates(writer, position)) return false;
    const MachineInstruction& addition = function_.code[writer];
    const bool adds = addition.opcode == Opcode::add || addition.opcode == Opcode::sub;
    if (!adds || addition.addsFrame || addition.symbol || addition.type == DataType::f64 || addition.type == DataType::f32) return false;
    if (addition.modifiers.saturate || addition.modifiers.carryIn || isa::registerWords(addition.type) != function_.addressWords())
      return false;
    if (addition.destinations[0].index != base.index) return false;
    u32 constant = 1;
    if (addition.opcode == Opcode::add && addition.sources[0].kind == Operand::Kind::immediate) constant = 0;
    if (addition.sources[constant].kind != Operand::Kind::immediate) return false;
    const Operand& variable = addition.sources[1 - constant];
    if (!isRegister(variable) || variable.index == kStackWord) return false;
    for (u32 w = 0; w < function_.addressWords(); ++w)
      if (!definitions_.isStableFrom(variable.index + w, writer)) return false;
    const u64 value = addition.sources[constant].value;
    s64 displacement = function_.addressBits == 32 ? static_cast<s32>(value) : static_cast<s64>(value);
    if (addition.opcode == Opcode::sub) displacement = -displacement;
    const s64 sum = instruction.offset + displacement;
    // What a memory instruction can hold (24 bits with sign on real machines); larger constants stay additions.
    if (sum < -(1 << 23) || sum >= (1 << 23)) return false;
    instruction.offset = sum;
    instruction.sources[0] = variable;
    return true;
  }

  void resolveWindow(MachineInstruction& instruction) {
    if (instruction.modifiers.space != isa::Space::generic || instruction.sources[0].kind != Operand::Kind::none) return;
    if (instruction.symbol || instruction.addsFrame || instruction.opcode == Opcode::prefetch) return;
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
    const bool fixed = instruction.modifiers.space == isa::Space::param && instruction.sources[0].kind == Operand::Kind::none;
    if (!fixed || instruction.opcode != Opcode::ld || instruction.vector != 1 || isa::sizeOf(instruction.type) < 4) return;
    const s64 offset = std::exchange(instruction.offset, 0);
    instruction.opcode = Opcode::mov;
    instruction.type = isa::sizeOf(instruction.type) == 8 ? DataType::u64 : DataType::u32;
    instruction.modifiers = {};
    instruction.sources[0] = Operand::makeParam(static_cast<u64>(offset));
    changed_ = true;
  }

  MachineFunction& function_;
  Definitions definitions_;
  bool changed_ = false;
};

}  // namespace

bool foldAddresses(MachineFunction& function) { return AddressFolding(function).run(); }

}  // namespace warpwright::compiler
