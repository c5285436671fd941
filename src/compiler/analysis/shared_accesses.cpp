#include "compiler/analysis/shared_accesses.hpp"

#include <algorithm>

#include "compiler/analysis/address_form.hpp"
#include "compiler/analysis/affine.hpp"
#include "compiler/analysis/loop_growth.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;
using isa::ThreadSymbol;
using Derivation = NamedValue::Operation;

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
      : function_(function),
        patterns_(findLanePatterns(function)),
        flow_(buildControlFlow(function)),
        loops_(findLoops(flow_)),
        growth_(findGrowth(function, flow_, loops_)),
        values_(function.units()) {}

  std::vector<isa::SharedAccess> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 i = 0; i < function_.code.size(); ++i) changed |= transfer(i);
    }
    derived_ = std::make_shared<const isa::DerivedValues>(derivedValues(forms_));
    std::vector<isa::SharedAccess> result;
    for (u32 b = 0; b < flow_.blocks.size(); ++b)
      for (u32 i = flow_.blocks[b].begin; i < flow_.blocks[b].end; ++i)
        collect(function_.code[i], frequencyAtDepth(loops_.depth[b]), result);
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
    return values_[operand.index];
  }
  static s64 signedImmediate(const MachineInstruction& instruction, const Operand& operand) {
    return isa::sizeOf(instruction.type) == 4 ? static_cast<s32>(operand.value) : static_cast<s64>(operand.value);
  }

  bool transfer(u32 position) {
    const MachineInstruction& instruction = function_.code[position];
    bool changed = false;
    bool first = true;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      // The words above the lowest of a value are not followed: addresses in shared memory have 32 bits.
      std::optional<Form> form = first ? result(instruction, unit) : std::optional(Form::unknown());
      if (const auto growth = growth_.find(unit); first && form && growth != growth_.end()) form = grown(*form, growth->second, position);
      first = false;
      if (form) changed |= raise(unit, *form);
    });
    return changed;
  }

  // From its first value a variable that grows takes all others: the update tells nothing more.
  std::optional<Form> grown(const Form& form, const Growth& growth, u32 position) {
    if (position == growth.update) return std::nullopt;
    if (!form.isExact()) return form;
    const Form bits = forms_.product(Form::constant(std::abs(growth.bits)), Form::iteration(growth.loop));
    if (growth.bits < 0) return forms_.derive(Derivation::shr, form, bits);
    return forms_.product(form, forms_.derive(Derivation::shl, Form::constant(1), bits));
  }

  bool raise(u32 unit, const Form& form) {
    const Form next = values_[unit] ? joined(unit, *values_[unit], form) : form;
    if (values_[unit] == next) return false;
    values_[unit] = next;
    return true;
  }
  // Where lanes may come from different sides, what differs between them is no common addend.
  Form joined(u32 unit, const Form& a, const Form& b) const {
    return a == b || patterns_[unit] != LanePattern::generic ? forms_.either(a, b) : Form::unknown();
  }

  std::optional<Form> result(const MachineInstruction& instruction, u32 unit) {
    std::optional<Form> form = computed(instruction);
    if (form && !form->isKnown && patterns_[unit] == LanePattern::uniform) return Form::uniform();
    return form;
  }

  std::optional<Form> computed(const MachineInstruction& instruction) {
    if (instruction.opcode == Opcode::s2r) return ofSpecial(instruction.modifiers.special);
    if (isa::info(instruction.opcode).family != isa::Family::lane || isa::isFloat(instruction.type)) return Form::unknown();
    std::array<std::optional<Form>, 3> operands;
    const std::size_t count = std::min<std::size_t>(3, isa::info(instruction.opcode).sources.size());
    for (u32 i = 0; i < count; ++i) {
      if (instruction.sources[i].kind == Operand::Kind::predicate) return Form::unknown();
      if (instruction.sources[i].kind == Operand::Kind::none) continue;
      operands[i] = source(instruction, i);
      if (!operands[i]) return std::nullopt;
    }
    const auto& [a, b, c] = operands;
    switch (instruction.opcode) {
      case Opcode::mov:
      case Opcode::cvt:
        return a ? *a : Form::unknown();
      case Opcode::neg:
        return forms_.sum({}, *a, kMinusOne);
      case Opcode::add:
        return forms_.sum(*a, *b);
      case Opcode::sub:
        return forms_.sum(*a, *b, kMinusOne);
      case Opcode::shl: {
        const std::optional<s64> bits = b->value();
        return bits && *bits >= 0 && *bits < 32 ? forms_.product(*a, Form::constant(s64{1} << *bits))
                                                : forms_.derive(Derivation::shl, *a, *b);
      }
      case Opcode::shr:
        return forms_.derive(isa::isSigned(instruction.type) ? Derivation::shr : Derivation::unsignedShr, *a, *b);
      case Opcode::and_:
        return forms_.derive(Derivation::and_, *a, *b);
      case Opcode::or_:
        return forms_.derive(Derivation::or_, *a, *b);
      case Opcode::xor_:
        return forms_.derive(Derivation::xor_, *a, *b);
      case Opcode::mul_lo:
      case Opcode::mul_wide:
      case Opcode::mul24_lo:
        return forms_.product(*a, *b);
      case Opcode::mad_lo:
      case Opcode::mad_wide:
      case Opcode::mad24_lo:
        return forms_.sum(forms_.product(*a, *b), *c);
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
    access.isRepeated = address.loop != kNoLoop;
    isa::ThreadSum sum = sumOf(address);
    access.base = static_cast<u64>(instruction.offset) + static_cast<u64>(sum.constant);
    access.terms = std::move(sum.terms);
    if (!derived_->empty()) access.derived = derived_;
    result.push_back(std::move(access));
  }

  const MachineFunction& function_;
  std::vector<LanePattern> patterns_;
  ControlFlow flow_;
  Loops loops_;
  std::map<u32, Growth> growth_;
  AddressForms forms_;
  std::vector<std::optional<Form>> values_;  // by unit
  std::shared_ptr<const isa::DerivedValues> derived_;
};

}  // namespace

std::vector<isa::SharedAccess> findSharedAccesses(const MachineFunction& function) { return SharedAccesses(function).run(); }

}  // namespace warpwright::compiler
