#include "compiler/copy_propagation.hpp"

#include <algorithm>

#include "compiler/constant_folding.hpp"
#include "compiler/definitions.hpp"
#include "compiler/word_value.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

// Which operands may be something other than a register. Memory data, addresses and warp-wide values come from registers.
bool allowsConstant(const MachineInstruction& instruction, u32 source) {
  if (isa::info(instruction.opcode).family == isa::Family::lane) return true;
  const char letter = isa::info(instruction.opcode).sources[source];
  const bool warpValue = instruction.opcode == Opcode::shfl && source == 0;
  return (letter == 'U' || letter == 'u') && !warpValue && instruction.opcode != Opcode::brx;
}

// As on real machines, at most one operand comes from the constant bank or the instruction word; moves and selections of PTX may have
// two immediates.
bool hasOtherConstant(const MachineInstruction& instruction, u32 source) {
  for (u32 i = 0; i < instruction.sources.size(); ++i) {
    const Operand::Kind kind = instruction.sources[i].kind;
    if (i != source && (kind == Operand::Kind::immediate || kind == Operand::Kind::param)) return true;
  }
  return false;
}

class CopyPropagation {
 public:
  explicit CopyPropagation(MachineFunction& function) : function_(function), definitions_(function) {}

  bool run() {
    for (position_ = 0; position_ < function_.code.size(); ++position_) {
      MachineInstruction& instruction = function_.code[position_];
      if (instruction.opcode == Opcode::nop) continue;
      rewritePredicate(instruction.guard);
      for (u32 i = 0; i < instruction.sources.size(); ++i) {
        rewritePredicate(instruction.sources[i]);
        rewriteRegister(instruction, i);
      }
    }
    return changed_;
  }

 private:
  // The mov that alone writes the unit, when it has been executed at the current position.
  const MachineInstruction* copyOf(u32 unit) const {
    if (!definitions_.isSimple(unit)) return nullptr;
    const u32 writer = definitions_.onlyWriter(unit);
    const MachineInstruction& instruction = function_.code[writer];
    if (instruction.opcode != Opcode::mov || !definitions_.dominates(writer, position_)) return nullptr;
    return &instruction;
  }

  void rewritePredicate(Operand& operand) {
    if (operand.kind != Operand::Kind::predicate || operand.index < kFirstVirtualPredicate) return;
    const MachineInstruction* copy = copyOf(function_.unitOfPredicate(operand.index));
    if (copy == nullptr || copy->sources[0].kind != Operand::Kind::predicate) return;
    const Operand& from = copy->sources[0];
    const u32 at = definitions_.onlyWriter(function_.unitOfPredicate(operand.index));
    if (from.index >= kFirstVirtualPredicate && !definitions_.isStableFrom(function_.unitOfPredicate(from.index), at)) return;
    operand.index = from.index;
    operand.negated = operand.negated != from.negated;
    changed_ = true;
  }

  WordValue valueOf(u32 unit) const {
    WordValue value;
    value.kind = WordValue::Kind::unit;
    value.unit = unit;
    const MachineInstruction* copy = copyOf(unit);
    if (copy == nullptr) return value;
    const WordValue source = wordOfMove(*copy, unit - copy->destinations[0].index);
    const bool stable = source.kind != WordValue::Kind::unit || definitions_.isStableFrom(source.unit, definitions_.onlyWriter(unit));
    return source.kind == WordValue::Kind::unknown || !stable ? value : source;
  }

  void rewriteRegister(MachineInstruction& instruction, u32 source) {
    Operand& operand = instruction.sources[source];
    if (!isRegister(operand) || operand.index == kStackWord) return;
    const u32 words = sourceWords(function_, instruction, source);
    WordValue values[8];
    if (words == 0 || words > 8) return;
    bool copied = false;
    for (u32 w = 0; w < words; ++w) {
      values[w] = valueOf(operand.index + w);
      copied |= values[w].kind != WordValue::Kind::unit || values[w].unit != operand.index + w;
    }
    if (!copied) return;
    std::optional<isa::SymbolAddress> symbol;
    const std::optional<Operand> replacement = operandOf(function_, {values, words}, symbol);
    if (!replacement) return;
    if (isRegister(*replacement)) {
      operand = *replacement;
      changed_ = true;
      return;
    }
    if (isa::info(instruction.opcode).sources[source] == 'a') return foldAddress(instruction, *replacement, symbol);
    const bool folds = replacement->kind == Operand::Kind::immediate && isFoldable(instruction);
    if (!allowsConstant(instruction, source) || (hasOtherConstant(instruction, source) && !folds)) return;
    if (symbol && (instruction.symbol || instruction.addsFrame)) return;
    operand = *replacement;
    if (symbol) instruction.symbol = OperandSymbol{static_cast<u8>(source), *symbol};
    changed_ = true;
  }

  // A known base joins the displacement; a pointer that is a kernel parameter becomes the uniform base.
  void foldAddress(MachineInstruction& instruction, const Operand& base, const std::optional<isa::SymbolAddress>& symbol) {
    const std::size_t parameter = isa::info(instruction.opcode).sources.find('b');
    if (parameter != std::string_view::npos && instruction.sources[parameter].kind != Operand::Kind::none) return;
    if (base.kind == Operand::Kind::param) {
      if (parameter == std::string_view::npos || instruction.modifiers.wordAddress) return;
      instruction.sources[parameter] = base;
    } else if (base.kind != Operand::Kind::immediate) {
      return;
    } else if (symbol) {
      instruction.symbol = OperandSymbol{isa::CodeRelocation::kOffsetOperand, *symbol};
      instruction.symbol->address.addend += instruction.offset;
      instruction.offset = 0;
    } else {
      const u64 sum = base.value + static_cast<u64>(instruction.offset);
      instruction.offset = static_cast<s64>(sourceWords(function_, instruction, 0) == 1 ? static_cast<u32>(sum) : sum);
    }
    instruction.modifiers.wordAddress = false;
    instruction.sources[0] = Operand{};
    changed_ = true;
  }

  MachineFunction& function_;
  Definitions definitions_;
  u32 position_ = 0;
  bool changed_ = false;
};

}  // namespace

bool propagateCopies(MachineFunction& function) { return CopyPropagation(function).run(); }

}  // namespace warpwright::compiler
