#include "compiler/logic_joining.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/definitions.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

// What the operands of LOP3 contribute to its truth table.
constexpr u32 kFirst = 0xF0, kSecond = 0xCC, kThird = 0xAA, kTable = 0xFF;

bool isLogic(const MachineInstruction& instruction) {
  const bool isPlain = instruction.guard.index == isa::kTruePredicate && !instruction.symbol && !instruction.addsFrame;
  return isPlain && instruction.type == isa::DataType::u32 &&
         (instruction.opcode == Opcode::and_ || instruction.opcode == Opcode::or_ || instruction.opcode == Opcode::xor_);
}

u32 apply(Opcode opcode, u32 a, u32 b) {
  if (opcode == Opcode::and_) return a & b;
  return opcode == Opcode::or_ ? a | b : a ^ b;
}

class LogicJoining {
 public:
  explicit LogicJoining(MachineFunction& function) : function_(function), definitions_(function), reads_(function.units()) {}

  bool run() {
    for (const MachineInstruction& instruction : function_.code)
      forEachSourceUnit(function_, instruction, [&](u32 unit) { ++reads_[unit]; });
    bool changed = false;
    for (u32 i = 0; i < function_.code.size(); ++i)
      if (isLogic(function_.code[i])) changed |= join(i);
    return changed;
  }

 private:
  // With the later of two that could be joined: the other has had time to come.
  bool join(u32 position) {
    MachineInstruction& instruction = function_.code[position];
    const u32 first = logicBehind(position, 0), second = logicBehind(position, 1);
    if (first == kNone && second == kNone) return false;
    const u32 joined = second == kNone || (first != kNone && first > second) ? 0 : 1;
    const MachineInstruction& inner = function_.code[joined == 0 ? first : second];
    instruction.modifiers.lut = static_cast<u8>(apply(instruction.opcode, apply(inner.opcode, kFirst, kSecond), kThird) & kTable);
    instruction.opcode = Opcode::lop3;
    instruction.sources = {inner.sources[0], inner.sources[1], instruction.sources[1 - joined], Operand{}};
    return true;
  }

  // The position of the instruction that makes the operand, for this reader alone and of operands that hold the same here.
  u32 logicBehind(u32 position, u32 source) const {
    const Operand& operand = function_.code[position].sources[source];
    if (operand.kind != Operand::Kind::reg) return kNone;
    const u32 unit = operand.index;
    if (reads_[unit] != 1 || !definitions_.isSimple(unit)) return kNone;
    const u32 writer = definitions_.onlyWriter(unit);
    const MachineInstruction& inner = function_.code[writer];
    if (!isLogic(inner) || !definitions_.dominates(writer, position)) return kNone;
    const Operand& other = function_.code[position].sources[1 - source];
    const auto isConstant = [](const Operand& each) { return each.kind != Operand::Kind::reg; };
    if (isConstant(inner.sources[0]) + isConstant(inner.sources[1]) + isConstant(other) > 1) return kNone;
    bool isStable = true;
    forEachSourceUnit(function_, inner, [&](u32 each) { isStable &= definitions_.isStableFrom(each, writer); });
    return isStable ? writer : kNone;
  }

  MachineFunction& function_;
  Definitions definitions_;
  std::vector<u32> reads_;  // by unit
};

}  // namespace

bool joinLogic(MachineFunction& function) { return LogicJoining(function).run(); }

}  // namespace warpwright::compiler
