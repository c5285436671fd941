// The skeletons' transition operations (section 6.3.2): + - * / << >> & | and, as their symbol leaves open which is meant, both ^ and ~.
#include <algorithm>

#include "compiler/analysis/address_form.hpp"
#include "compiler/patterns/unit_values.hpp"
#include "isa/launch_constants.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;
using isa::ThreadSymbol;
using Operation = NamedValue::Operation;

s64 signedImmediate(u64 bits, u32 bytes) {
  const u32 unused = 64 - 8 * bytes;
  return static_cast<s64>(bits << unused) >> unused;
}

UnitVersions notSupported(Opcode opcode) { return UnitVersions::fail(PatternFailure::operation, opcode); }

}  // namespace

UnitVersions UnitValues::leaf(Operation operation, u64 number, u32 bytes) {
  const Form form = forms_.named({operation, {}, {}, number, bytes});
  return form.isKnown ? UnitVersions{{{form, false, {}}}} : UnitVersions::fail(PatternFailure::tooComplex);
}

UnitVersions UnitValues::variable(const isa::SymbolAddress& symbol) {
  if (symbol.kind != isa::SymbolAddress::Kind::variable) return notSupported(Opcode::mov);
  return sum(leaf(Operation::variable, symbol.index), number(symbol.addend));
}

UnitVersions UnitValues::operand(const MachineInstruction& instruction, u32 index) {
  const Operand& operand = instruction.sources[index];
  const isa::DataType type = isa::operandType(instruction, isa::info(instruction.opcode).sources[index], function_.addressBits);
  const u32 bytes = isa::sizeOf(type);
  if (instruction.symbol && instruction.symbol->operand == index) return variable(instruction.symbol->address);
  switch (operand.kind) {
    case Operand::Kind::immediate:
      return bytes == 0 ? notSupported(instruction.opcode) : number(signedImmediate(operand.value, bytes));
    case Operand::Kind::param:
      if (const auto which = isa::launchConstantAt(operand.value)) return special(*which);
      if (isa::moduleConstantAt(operand.value)) return UnitVersions::fail(PatternFailure::loaded);
      return bytes == 0 ? notSupported(instruction.opcode) : leaf(Operation::parameter, operand.value, bytes);
    case Operand::Kind::reg:
      break;
    default:
      return notSupported(instruction.opcode);
  }
  const u32 words = sourceWords(function_, instruction, index);
  if (words > 2) return notSupported(instruction.opcode);
  const u32 position = static_cast<u32>(&instruction - function_.code.data());
  return words == 2 ? pair(position, operand.index) : word(position, operand.index);
}

// What an instruction writes to one of its destinations.
UnitVersions UnitValues::result(const MachineInstruction& instruction, u32 operand) {
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  if (instruction.opcode == Opcode::nop || row.flow == isa::Flow::call || instruction.addsFrame)
    return UnitVersions::fail(PatternFailure::argument);
  if (instruction.opcode == Opcode::s2r) return special(instruction.modifiers.special);
  if (instruction.opcode == Opcode::ld) return loaded(instruction);
  if (row.family == isa::Family::texture || row.family == isa::Family::memory) return UnitVersions::fail(PatternFailure::loaded);
  if (row.family != isa::Family::lane) return UnitVersions::fail(PatternFailure::exchanged);
  if (isa::isFloat(instruction.type) || instruction.modifiers.saturate) return notSupported(instruction.opcode);
  if (instruction.opcode == Opcode::unpack16 || operand != 0) return notSupported(instruction.opcode);
  UnitVersions versions = computed(instruction);
  // A type that is narrower than a register leaves it extended.
  const u32 bytes = isa::sizeOf(instruction.type);
  const bool isNarrow = bytes != 0 && bytes < 4 && instruction.opcode != Opcode::mul_wide && instruction.opcode != Opcode::mad_wide;
  return isNarrow ? extend(std::move(versions), bytes, isa::isSigned(instruction.type)) : versions;
}

UnitVersions UnitValues::computed(const MachineInstruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mov:
      return operand(instruction, 0);
    case Opcode::cvta:
      if (instruction.modifiers.space == isa::Space::local) return UnitVersions::fail(PatternFailure::privateSpace);
      return instruction.modifiers.space == isa::Space::global ? operand(instruction, 0) : notSupported(Opcode::cvta);
    case Opcode::cvt:
      return converted(instruction);
    case Opcode::selp:
      return both(operand(instruction, 0), operand(instruction, 1));
    case Opcode::neg:
      return sum(number(0), operand(instruction, 0), kMinusOne);
    case Opcode::add:
      return added(instruction, 1);
    case Opcode::sub:
      return added(instruction, kMinusOne);
    case Opcode::mul_lo:
    case Opcode::mad_lo:
      return multiplied(instruction, false);
    case Opcode::mul_wide:
    case Opcode::mad_wide:
      return multiplied(instruction, true);
    case Opcode::shl:
      return shiftedLeft(instruction);
    case Opcode::shr:
      return shiftedRight(instruction);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
      return logic(instruction);
    case Opcode::div:
    case Opcode::rem:
      return divided(instruction);
    case Opcode::bfe:
      return extracted(instruction);
    default:
      return notSupported(instruction.opcode);
  }
}

UnitVersions UnitValues::special(SpecialRegister which) {
  const auto symbol = [](ThreadSymbol of) { return UnitVersions{{{Form::symbol(of), false, {}}}}; };
  if (which >= SpecialRegister::tid_x && which <= SpecialRegister::ntid_z) {
    const u32 index = static_cast<u32>(which) - static_cast<u32>(SpecialRegister::tid_x);
    return symbol(static_cast<ThreadSymbol>(static_cast<u32>(ThreadSymbol::tidX) + index));
  }
  if (which >= SpecialRegister::ctaid_x && which <= SpecialRegister::nctaid_z) return leaf(Operation::special, static_cast<u64>(which));
  return UnitVersions::fail(PatternFailure::exchanged);
}

// Kernel parameters alone are known before they are loaded.
UnitVersions UnitValues::loaded(const MachineInstruction& instruction) {
  const bool isParameter = instruction.modifiers.space == isa::Space::param && instruction.sources[0].kind == Operand::Kind::none &&
                           instruction.vector == 1 && function_.source().isKernel && !isa::isFloat(instruction.type);
  if (!isParameter) return UnitVersions::fail(PatternFailure::loaded);
  const u32 bytes = isa::sizeOf(instruction.type);
  UnitVersions value = leaf(Operation::parameter, static_cast<u64>(instruction.offset), bytes);
  return bytes < 4 ? extend(std::move(value), bytes, isa::isSigned(instruction.type)) : value;
}

UnitVersions UnitValues::converted(const MachineInstruction& instruction) {
  if (isa::isFloat(instruction.sourceType) || isa::sizeOf(instruction.sourceType) == 0) return notSupported(Opcode::cvt);
  const u32 from = isa::sizeOf(instruction.sourceType), to = isa::sizeOf(instruction.type);
  UnitVersions value = operand(instruction, 0);
  return to > from ? extend(std::move(value), from, isa::isSigned(instruction.sourceType)) : value;
}

UnitVersions UnitValues::added(const MachineInstruction& instruction, u64 factor) {
  if (instruction.sources[2].kind != Operand::Kind::none) return carried(instruction, factor);
  const UnitVersions a = operand(instruction, 0), b = operand(instruction, 1);
  const auto isHigh = [](const UnitValue& value) { return value.isHigh; };
  if (std::any_of(a.values.begin(), a.values.end(), isHigh) || std::any_of(b.values.begin(), b.values.end(), isHigh))
    return notSupported(instruction.opcode);
  return sum(a, b, factor);
}

// The high word of a sum whose low word an instruction before has computed, of the same operands' low words, with its carry.
UnitVersions UnitValues::carried(const MachineInstruction& instruction, u64 factor) {
  const Operand& carry = instruction.sources[2];
  if (carry.kind != Operand::Kind::predicate || carry.negated || carry.index < kFirstVirtualPredicate)
    return notSupported(instruction.opcode);
  const std::vector<Definition>& definitions = definitions_[function_.unitOfPredicate(carry.index)];
  if (definitions.size() != 1) return notSupported(instruction.opcode);
  const MachineInstruction& low = function_.code[definitions[0].position];
  const bool isLowWord = low.opcode == instruction.opcode && low.sources[2].kind == Operand::Kind::none && isa::sizeOf(low.type) == 4;
  if (!isLowWord || isa::sizeOf(instruction.type) != 4) return notSupported(instruction.opcode);
  UnitVersions whole =
      sum(joinWords(operand(low, 0), operand(instruction, 0)), joinWords(operand(low, 1), operand(instruction, 1)), factor);
  for (UnitValue& value : whole.values) value.isHigh = true;
  return whole;
}

UnitVersions UnitValues::multiplied(const MachineInstruction& instruction, bool isWide) {
  UnitVersions a = operand(instruction, 0), b = operand(instruction, 1);
  if (instruction.sources[3].kind != Operand::Kind::none || instruction.destinations[1].kind != Operand::Kind::none)
    return notSupported(instruction.opcode);
  if (isWide) {
    const u32 bytes = isa::sizeOf(instruction.type);
    a = extend(std::move(a), bytes, isa::isSigned(instruction.type));
    b = extend(std::move(b), bytes, isa::isSigned(instruction.type));
  }
  const UnitVersions value = product(a, b);
  const bool hasSum = instruction.opcode == Opcode::mad_lo || instruction.opcode == Opcode::mad_wide;
  return hasSum ? sum(value, operand(instruction, 2)) : value;
}

UnitVersions UnitValues::shiftedLeft(const MachineInstruction& instruction) {
  const UnitVersions bits = operand(instruction, 1);
  const u32 width = 8 * isa::sizeOf(instruction.type);
  const UnitVersions factor = each(bits, number(0), [&](const UnitValue& by, const UnitValue&) -> UnitVersions {
    const std::optional<s64> constant = by.form.value();
    if (constant) return *constant >= 0 && *constant < width ? number(static_cast<s64>(u64{1} << *constant)) : notSupported(Opcode::shl);
    return derived(Operation::shl, number(1), {{by}});
  });
  return product(operand(instruction, 0), factor);
}

UnitVersions UnitValues::shiftedRight(const MachineInstruction& instruction) {
  const UnitVersions value = extend(operand(instruction, 0), isa::sizeOf(instruction.type), isa::isSigned(instruction.type));
  return quotientOf(Operation::shr, value, operand(instruction, 1));
}

// a | b = a + b - (a & b), a ^ b = a + b - 2 (a & b), ~a = -a - 1.
UnitVersions UnitValues::logic(const MachineInstruction& instruction) {
  const UnitVersions a = operand(instruction, 0);
  if (instruction.opcode == Opcode::not_) return sum(number(-1), a, kMinusOne);
  const UnitVersions b = operand(instruction, 1);
  UnitVersions common = conjunction(a, b, isa::sizeOf(instruction.type));
  if (instruction.opcode == Opcode::and_) return common;
  return each(a, b, [&](const UnitValue& x, const UnitValue& y) {
    const UnitVersions meet = conjunction({{x}}, {{y}}, isa::sizeOf(instruction.type));
    return sum(sum({{x}}, {{y}}), meet, instruction.opcode == Opcode::or_ ? kMinusOne : static_cast<u64>(-2));
  });
}

UnitVersions UnitValues::divided(const MachineInstruction& instruction) {
  const u32 bytes = isa::sizeOf(instruction.type);
  const UnitVersions a = extend(operand(instruction, 0), bytes, isa::isSigned(instruction.type));
  const UnitVersions b = extend(operand(instruction, 1), bytes, isa::isSigned(instruction.type));
  return each(a, b, [&](const UnitValue& x, const UnitValue& y) {
    const UnitVersions quotient = quotientOf(Operation::quotient, {{x}}, {{y}});
    return instruction.opcode == Opcode::div ? quotient : sum({{x}}, product(quotient, {{y}}), kMinusOne);
  });
}

// An unsigned field of bits whose position and length are numbers.
UnitVersions UnitValues::extracted(const MachineInstruction& instruction) {
  const UnitVersions position = operand(instruction, 1), length = operand(instruction, 2);
  if (isa::isSigned(instruction.type) || !position.isKnown() || !length.isKnown()) return notSupported(Opcode::bfe);
  const std::optional<s64> bits = length.values[0].form.value();
  if (length.values.size() != 1 || !bits || *bits < 1 || *bits > 31) return notSupported(Opcode::bfe);
  const u32 bytes = isa::sizeOf(instruction.type);
  const UnitVersions above = quotientOf(Operation::shr, extend(operand(instruction, 0), bytes, false), position);
  return conjunction(above, number((s64{1} << *bits) - 1), bytes);
}

}  // namespace warpwright::compiler
