#include "compiler/analysis/shared_accesses.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/analysis/affine.hpp"
#include "compiler/analysis/loops.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;
using isa::ThreadSymbol;
using Symbols = std::array<ThreadSymbol, 3>;  // of a product, sorted, `none` first

bool dependsOnThread(const Symbols& symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [](ThreadSymbol s) { return s != ThreadSymbol::none && s <= ThreadSymbol::tidZ; });
}

// Nothing for a product of more factors than are kept.
std::optional<Symbols> product(const Symbols& a, const Symbols& b) {
  std::array<ThreadSymbol, 6> all{};
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin());
  if (all[2] != ThreadSymbol::none) return std::nullopt;
  return Symbols{all[3], all[4], all[5]};
}

// A sum of products, and whether something unknown but uniform is added. Without `isKnown`: anything.
struct Form {
  std::map<Symbols, s64> terms;
  bool isShifted = false, isKnown = true;

  bool operator==(const Form&) const = default;

  static Form unknown() { return {{}, false, false}; }
  static Form uniform() { return {{}, true, true}; }
  static Form constant(s64 value) {
    Form form;
    form.add({}, value);
    return form;
  }
  static Form symbol(ThreadSymbol symbol) {
    Form form;
    form.add({ThreadSymbol::none, ThreadSymbol::none, symbol}, 1);
    return form;
  }

  void add(const Symbols& symbols, s64 factor) {
    if ((terms[symbols] += factor) == 0) terms.erase(symbols);
  }
  bool isUniform() const {
    return isKnown && std::none_of(terms.begin(), terms.end(), [](const auto& term) { return dependsOnThread(term.first); });
  }
  std::optional<s64> value() const {
    if (!isKnown || isShifted || terms.size() > 1) return std::nullopt;
    if (terms.empty()) return 0;
    return terms.begin()->first == Symbols{} ? std::optional(terms.begin()->second) : std::nullopt;
  }
  // The same but for what is the same in all lanes.
  Form shifted() const {
    Form form;
    form.isShifted = true;
    for (const auto& [symbols, factor] : terms)
      if (dependsOnThread(symbols)) form.terms.emplace(symbols, factor);
    return form;
  }
};

Form sum(const Form& a, const Form& b, s64 factor = 1) {
  if (!a.isKnown || !b.isKnown) return Form::unknown();
  Form result = a;
  result.isShifted |= b.isShifted;
  for (const auto& [symbols, each] : b.terms) result.add(symbols, factor * each);
  return result;
}

Form product(const Form& a, const Form& b) {
  if (a.isUniform() && b.isUniform() && (a.isShifted || b.isShifted)) return Form::uniform();
  if (!a.isKnown || !b.isKnown || a.isShifted || b.isShifted) {
    // (x + unknown) * constant = x * constant + unknown
    const std::optional<s64> left = a.value(), right = b.value();
    if (!a.isKnown || !b.isKnown || (!left && !right)) return Form::unknown();
    Form result = sum({}, left ? b : a, left ? *left : *right);
    return result;
  }
  Form result;
  for (const auto& [x, factorX] : a.terms) {
    for (const auto& [y, factorY] : b.terms) {
      const std::optional<Symbols> symbols = product(x, y);
      if (!symbols) return Form::unknown();
      result.add(*symbols, factorX * factorY);
    }
  }
  return result;
}

// What a value is that is one or the other.
Form either(const Form& a, const Form& b) {
  if (a == b) return a;
  if (!a.isKnown || !b.isKnown) return Form::unknown();
  const Form shifted = a.shifted();
  return shifted == b.shifted() ? shifted : Form::unknown();
}

Form ofSpecial(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::tid_x:
      return Form::symbol(ThreadSymbol::tidX);
    case SpecialRegister::tid_y:
      return Form::symbol(ThreadSymbol::tidY);
    case SpecialRegister::tid_z:
      return Form::symbol(ThreadSymbol::tidZ);
    case SpecialRegister::ntid_x:
      return Form::symbol(ThreadSymbol::ntidX);
    case SpecialRegister::ntid_y:
      return Form::symbol(ThreadSymbol::ntidY);
    case SpecialRegister::ntid_z:
      return Form::symbol(ThreadSymbol::ntidZ);
    default:
      return Form::unknown();
  }
}

class SharedAccesses {
 public:
  explicit SharedAccesses(const MachineFunction& function)
      : function_(function), patterns_(findLanePatterns(function)), flow_(buildControlFlow(function)), forms_(function.units()) {}

  std::vector<isa::SharedAccess> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const MachineInstruction& instruction : function_.code) changed |= transfer(instruction);
    }
    const Loops loops = findLoops(flow_);
    std::vector<isa::SharedAccess> result;
    for (u32 b = 0; b < flow_.blocks.size(); ++b)
      for (u32 i = flow_.blocks[b].begin; i < flow_.blocks[b].end; ++i)
        collect(function_.code[i], frequencyAtDepth(loops.depth[b]), result);
    return result;
  }

 private:
  // A unit has no form until an instruction that defines it has been seen with operands that have one.
  std::optional<Form> source(const MachineInstruction& instruction, u32 index) const {
    const Operand& operand = instruction.sources[index];
    if (operand.kind == Operand::Kind::immediate) {
      const bool isSymbol = instruction.symbol && instruction.symbol->operand == index;
      return isSymbol ? Form::uniform() : Form::constant(signedImmediate(instruction, operand));
    }
    if (operand.kind == Operand::Kind::param) return Form::uniform();
    if (!isRegister(operand)) return Form::unknown();
    return forms_[operand.index];
  }
  static s64 signedImmediate(const MachineInstruction& instruction, const Operand& operand) {
    return isa::sizeOf(instruction.type) == 4 ? static_cast<s32>(operand.value) : static_cast<s64>(operand.value);
  }

  bool transfer(const MachineInstruction& instruction) {
    bool changed = false;
    bool first = true;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      // The words above the lowest of a value are not followed: addresses in shared memory have 32 bits.
      const std::optional<Form> form = first ? result(instruction, unit) : std::optional(Form::unknown());
      first = false;
      if (form) changed |= raise(unit, *form);
    });
    return changed;
  }

  bool raise(u32 unit, const Form& form) {
    const Form next = forms_[unit] ? either(*forms_[unit], form) : form;
    if (forms_[unit] == next) return false;
    forms_[unit] = next;
    return true;
  }

  std::optional<Form> result(const MachineInstruction& instruction, u32 unit) const {
    std::optional<Form> form = computed(instruction);
    if (form && !form->isKnown && patterns_[unit] == LanePattern::uniform) return Form::uniform();
    return form;
  }

  std::optional<Form> computed(const MachineInstruction& instruction) const {
    if (instruction.opcode == Opcode::s2r) return ofSpecial(instruction.modifiers.special);
    if (isa::info(instruction.opcode).family != isa::Family::lane || isa::isFloat(instruction.type)) return Form::unknown();
    std::array<std::optional<Form>, 3> operands;
    const std::size_t count = std::min<std::size_t>(3, isa::info(instruction.opcode).sources.size());
    for (u32 i = 0; i < count; ++i) {
      if (instruction.sources[i].kind == Operand::Kind::predicate || instruction.sources[i].kind == Operand::Kind::none) continue;
      operands[i] = source(instruction, i);
      if (!operands[i]) return std::nullopt;
    }
    const auto& [a, b, c] = operands;
    switch (instruction.opcode) {
      case Opcode::mov:
      case Opcode::cvt:
        return a ? *a : Form::unknown();
      case Opcode::neg:
        return sum({}, *a, -1);
      case Opcode::add:
        return sum(*a, *b);
      case Opcode::sub:
        return sum(*a, *b, -1);
      case Opcode::shl: {
        const std::optional<s64> bits = b->value();
        return bits && *bits >= 0 && *bits < 32 ? product(*a, Form::constant(s64{1} << *bits)) : Form::unknown();
      }
      case Opcode::mul_lo:
      case Opcode::mul_wide:
      case Opcode::mul24_lo:
        return product(*a, *b);
      case Opcode::mad_lo:
      case Opcode::mad_wide:
      case Opcode::mad24_lo:
        return sum(product(*a, *b), *c);
      default:
        return Form::unknown();
    }
  }

  void collect(const MachineInstruction& instruction, double weight, std::vector<isa::SharedAccess>& result) const {
    const bool isAccess = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st || instruction.opcode == Opcode::atom;
    if (!isAccess || instruction.modifiers.space != isa::Space::shared) return;
    const bool hasRegister = instruction.sources[0].kind != Operand::Kind::none;
    const Form address = hasRegister ? source(instruction, 0).value_or(Form::unknown()) : Form{};
    if (!address.isKnown) return;
    isa::SharedAccess access;
    access.bytes = isa::sizeOf(instruction.type) * instruction.vector;
    access.weight = weight;
    access.isAtomic = instruction.opcode == Opcode::atom;
    access.isShifted = address.isShifted;
    access.base = static_cast<u64>(instruction.offset);
    for (const auto& [symbols, factor] : address.terms) {
      if (symbols == Symbols{}) {
        access.base += static_cast<u64>(factor);
      } else {
        access.terms.push_back({symbols, factor});
      }
    }
    result.push_back(std::move(access));
  }

  const MachineFunction& function_;
  std::vector<LanePattern> patterns_;
  ControlFlow flow_;
  std::vector<std::optional<Form>> forms_;  // by unit
};

}  // namespace

std::vector<isa::SharedAccess> findSharedAccesses(const MachineFunction& function) { return SharedAccesses(function).run(); }

}  // namespace warpwright::compiler
