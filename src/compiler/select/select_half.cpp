// 16-bit floating-point numbers, alone and in pairs, the formats below them, and pairs of f32.
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

DataType partOf(DataType pair) {
  switch (pair) {
    case DataType::f16x2:
      return DataType::f16;
    case DataType::bf16x2:
      return DataType::bf16;
    default:
      return DataType::none;
  }
}

bool isHalf(DataType type) { return type == DataType::f16 || type == DataType::bf16; }

// 1.0 of a destination of set, which otherwise means all ones.
u64 truthOf(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16:
    case ptx::Type::f16x2:
      return 0x3c00;
    case ptx::Type::bf16:
    case ptx::Type::bf16x2:
      return 0x3f80;
    default:
      return ~u64{0};
  }
}

u64 signsOf(DataType type) {
  if (type == DataType::f32) return 0x8000'0000;
  return isa::sizeOf(type) == 4 ? 0x8000'8000 : 0x8000;
}

std::optional<isa::SmallFormat> smallFormat(ptx::Type type) {
  switch (type) {
    case ptx::Type::e4m3x2:
      return isa::SmallFormat::e4m3;
    case ptx::Type::e5m2x2:
      return isa::SmallFormat::e5m2;
    case ptx::Type::e2m3x2:
      return isa::SmallFormat::e2m3;
    case ptx::Type::e3m2x2:
      return isa::SmallFormat::e3m2;
    case ptx::Type::e2m1x2:
      return isa::SmallFormat::e2m1;
    case ptx::Type::ue8m0x2:
      return isa::SmallFormat::e8m0;
    default:
      return std::nullopt;
  }
}

}  // namespace

// The halves of a pair, each in a register of its own.
Selector::Halves Selector::splitPair(Operand pair) {
  const Halves halves{temporary(DataType::u16), temporary(DataType::u16)};
  compute(isa::Opcode::unpack16, DataType::u32, {halves.low, halves.high}, {pair});
  return halves;
}

// A comparison of 16-bit floats into a new predicate.
Operand Selector::compareHalves(DataType type, Operand a, Operand b, Operand predicate) {
  const Operand result = Operand::makePredicate(code_.newPredicate());
  compute(isa::Opcode::setp, type, {result}, {a, b, predicate}).modifiers = arithmeticModifiers();
  return result;
}

void Selector::selectSetp() {
  const DataType pair = dataType(in_->modifiers.type), type = partOf(pair);
  if (type == DataType::none) return lane(isa::Opcode::setp);
  const Halves a = splitPair(useInRegister(operand(1), DataType::u32)), b = splitPair(useInRegister(operand(2), DataType::u32));
  const Operand predicate = hasOperand(3) ? usePredicate(operand(3)) : Operand{};
  const Operand low = compareHalves(type, a.low, b.low, predicate), high = compareHalves(type, a.high, b.high, predicate);
  emit(isa::Opcode::mov, DataType::pred, {definePredicate(operand(0))}, {low});
  if (in_->secondDestination.kind == Kind::none) return;
  emit(isa::Opcode::mov, DataType::pred, {definePredicate(in_->secondDestination)}, {high});
}

// set with halves as sources: a comparison, then the choice between the destination's idea of truth and zero.
void Selector::selectHalfSet() {
  const DataType source = dataType(in_->modifiers.source);
  const Operand predicate = hasOperand(3) ? usePredicate(operand(3)) : Operand{};
  const auto choose = [&](Operand to, DataType bits, u64 truth, Operand condition, bool isResult) {
    const u64 cut = isa::sizeOf(bits) == 2 ? truth & 0xffff : truth & 0xffff'ffff;
    const std::initializer_list<Operand> values = {Operand::makeImmediate(cut), Operand::makeImmediate(0), condition};
    isResult ? emit(isa::Opcode::selp, bits, {to}, values) : compute(isa::Opcode::selp, bits, {to}, values);
  };
  const u64 truth = truthOf(in_->modifiers.type);
  if (isHalf(source)) {
    const DataType bits = bitsType(ptx::sizeOf(in_->modifiers.type));
    const Operand a = use(operand(1), source), b = use(operand(2), source);
    return choose(define(operand(0), bits), bits, truth, compareHalves(source, a, b, predicate), true);
  }
  const DataType part = partOf(source);
  const Halves a = splitPair(useInRegister(operand(1), DataType::u32)), b = splitPair(useInRegister(operand(2), DataType::u32));
  const Halves results{temporary(DataType::u16), temporary(DataType::u16)};
  choose(results.low, DataType::u16, truth, compareHalves(part, a.low, b.low, predicate), false);
  choose(results.high, DataType::u16, truth, compareHalves(part, a.high, b.high, predicate), false);
  emit(isa::Opcode::pack16, DataType::u32, {define(operand(0), DataType::u32)}, {results.low, results.high});
}

// min and max: .relu of integers, .xorsign.abs, and three operands.
void Selector::selectExtreme(isa::Opcode opcode) {
  const ptx::Modifiers& from = in_->modifiers;
  const DataType type = dataType(from.type);
  const bool isInteger = !ptx::isFloat(from.type);
  const bool plain = operandCount() == 3 && !from.xorsign && !from.absolute && !(isInteger && from.relu);
  if (plain) return lane(opcode);

  const auto operation = [&](isa::Opcode which, Operand to, std::initializer_list<Operand> sources) {
    compute(which, type, {to}, sources).modifiers = arithmeticModifiers();
    code_.code.back().modifiers.relu = false;
  };
  const auto source = [&](u32 index) {
    const Operand value = use(operand(index), type);
    if (!from.absolute) return value;
    const Operand magnitude = temporary(type);
    compute(isa::Opcode::abs, type, {magnitude}, {value}).modifiers.ftz = from.ftz;
    return magnitude;
  };
  Operand result = temporary(type);
  operation(opcode, result, {source(1), source(2)});
  if (operandCount() == 4) {
    const Operand pair = result;
    result = temporary(type);
    operation(opcode, result, {pair, source(3)});
  }
  if (isInteger && from.relu) {
    const Operand value = result;
    result = temporary(type);
    operation(isa::Opcode::max, result, {value, Operand::makeImmediate(0)});
  }
  if (from.xorsign) result = withProductSign(result, type);
  emit(isa::Opcode::mov, DataType::u32, {define(operand(0), type)}, {result});
}

// The magnitude with the sign of the operands' product.
Operand Selector::withProductSign(Operand magnitude, DataType type) {
  const Operand signs = temporary(DataType::u32), result = temporary(DataType::u32);
  const Operand a = use(operand(1), type), b = use(operand(2), type);
  compute(isa::Opcode::xor_, DataType::u32, {signs}, {a, b});
  compute(isa::Opcode::and_, DataType::u32, {signs}, {signs, Operand::makeImmediate(signsOf(type))});
  compute(isa::Opcode::or_, DataType::u32, {result}, {magnitude, signs});
  return result;
}

void Selector::selectMin() { selectExtreme(isa::Opcode::min); }
void Selector::selectMax() { selectExtreme(isa::Opcode::max); }

// add, sub, mul and fma of two f32 in a register pair: one operation a word.
void Selector::selectSinglePair(isa::Opcode opcode) {
  const auto half = [&](Operand value, u32 word) {
    if (value.kind == Operand::Kind::immediate) return Operand::makeImmediate(static_cast<u32>(value.value >> 32 * word));
    return Operand::makeRegister(value.index + word);
  };
  Operand sources[3];
  for (u32 i = 1; i < operandCount(); ++i) sources[i - 1] = useInRegister(operand(i), DataType::u64);
  const Operand results[] = {temporary(DataType::f32), temporary(DataType::f32)};
  for (u32 word = 0; word < 2; ++word) {
    MachineInstruction& operation = compute(opcode, DataType::f32, {results[word]}, {});
    for (u32 i = 1; i < operandCount(); ++i) operation.sources[i - 1] = half(sources[i - 1], word);
    operation.modifiers = arithmeticModifiers();
  }
  const Operand to = define(operand(0), DataType::u64);
  copyWord(to.index, results[0]);
  copyWord(to.index + 1, results[1]);
}

// add.f32.f16 and its like: 16-bit operands are widened, which is exact, and the operation is f32's.
void Selector::selectMixed(isa::Opcode opcode) {
  const DataType narrow = dataType(in_->modifiers.source);
  const u32 count = operandCount() - 1;
  Operand sources[3];
  for (u32 i = 0; i < count; ++i) {
    // The addend, the last operand, is f32 already.
    const bool widens = i + 1 < count;
    sources[i] = use(operand(i + 1), widens ? narrow : DataType::f32);
    if (!widens) continue;
    const Operand wide = temporary(DataType::f32);
    compute(isa::Opcode::cvt, DataType::f32, {wide}, {sources[i]}).sourceType = narrow;
    sources[i] = wide;
  }
  MachineInstruction& operation = emit(opcode, DataType::f32, {define(operand(0), DataType::f32)}, {});
  for (u32 i = 0; i < count; ++i) operation.sources[i] = sources[i];
  operation.modifiers = arithmeticModifiers();
}

// Whether the instruction is one of the two above.
bool Selector::selectedAsSingles(isa::Opcode opcode) {
  if (in_->modifiers.type == ptx::Type::f32x2) return selectSinglePair(opcode), true;
  if (in_->modifiers.type == ptx::Type::f32 && in_->modifiers.source != ptx::Type::none) return selectMixed(opcode), true;
  return false;
}

void Selector::selectFma() {
  if (!selectedAsSingles(isa::Opcode::fma)) lane(isa::Opcode::fma);
}

// cvt to and from pairs, tf32 and the formats of 8 bits and less. False: a conversion of single numbers of the machine's own types.
bool Selector::selectedAsNarrowConversion() {
  const ptx::Type to = in_->modifiers.type, from = in_->modifiers.source;
  if (to == ptx::Type::tf32) return convertToTf32(), true;
  if (const auto small = smallFormat(to)) return convertToSmall(*small), true;
  if (const auto small = smallFormat(from)) {
    const Operand value = use(operand(1), DataType::u32);
    MachineInstruction& conversion = emit(isa::Opcode::cvt_from_small, DataType::f16x2, {define(operand(0), DataType::u32)}, {value});
    conversion.modifiers.small = *small;
    if (in_->modifiers.relu) {
      conversion.modifiers.relu = true;
    }
    return true;
  }
  if (to == ptx::Type::f16x2 || to == ptx::Type::bf16x2) return convertToPair(), true;
  if (operandCount() > 2) return convertAndPack(), true;
  return false;
}

void Selector::convertToTf32() {
  const Operand value = use(operand(1), DataType::f32);
  MachineInstruction& conversion = emit(isa::Opcode::cvt_tf32, DataType::f32, {define(operand(0), DataType::u32)}, {value});
  conversion.modifiers = arithmeticModifiers();
  conversion.modifiers.tiesAway = in_->modifiers.rounding == ptx::Rounding::rna;
}

void Selector::convertToSmall(isa::SmallFormat format) {
  Operand high, low;
  if (in_->modifiers.source != ptx::Type::f32) {
    const DataType part = partOf(dataType(in_->modifiers.source));
    const Halves halves = splitPair(useInRegister(operand(1), DataType::u32));
    high = temporary(DataType::f32), low = temporary(DataType::f32);
    compute(isa::Opcode::cvt, DataType::f32, {high}, {halves.high}).sourceType = part;
    compute(isa::Opcode::cvt, DataType::f32, {low}, {halves.low}).sourceType = part;
  } else {
    high = use(operand(1), DataType::f32), low = use(operand(2), DataType::f32);
  }
  MachineInstruction& conversion = emit(isa::Opcode::cvt_to_small, DataType::f32, {define(operand(0), DataType::u16)}, {high, low});
  conversion.modifiers.rounding = arithmeticModifiers().rounding;
  conversion.modifiers.saturate = in_->modifiers.satFinite && format == isa::SmallFormat::e8m0;  // of the others every one does
  conversion.modifiers.small = format;
  conversion.modifiers.relu = in_->modifiers.relu;
}

// cvt.pack: both sources are saturated to 8 or 16 bits; the first goes above the second, and the bits of c above both.
void Selector::convertAndPack() {
  const DataType part = dataType(in_->modifiers.type);
  const u32 bits = 8 * isa::sizeOf(part), mask = (1u << bits) - 1;
  const u32 most = isa::isSigned(part) ? mask >> 1 : mask, least = isa::isSigned(part) ? ~most : 0;
  const auto word = [&](isa::Opcode opcode, DataType type, Operand a, Operand b) {
    const Operand result = temporary(type);
    compute(opcode, type, {result}, {a, b});
    return result;
  };
  const auto saturated = [&](u32 index) {
    const Operand above = word(isa::Opcode::max, DataType::s32, use(operand(index), DataType::s32), Operand::makeImmediate(least));
    const Operand within = word(isa::Opcode::min, DataType::s32, above, Operand::makeImmediate(most));
    return word(isa::Opcode::and_, DataType::u32, within, Operand::makeImmediate(mask));
  };
  const auto above = [&](Operand high, u32 shift, Operand low) {
    return word(isa::Opcode::or_, DataType::u32, word(isa::Opcode::shl, DataType::u32, high, Operand::makeImmediate(shift)), low);
  };
  Operand packed = above(saturated(1), bits, saturated(2));
  if (hasOperand(3)) packed = above(use(operand(3), DataType::u32), 2 * bits, packed);
  emit(isa::Opcode::mov, DataType::u32, {define(operand(0), DataType::u32)}, {packed});
}

// The first source goes to the high half.
void Selector::convertToPair() {
  const DataType part = partOf(dataType(in_->modifiers.type));
  const auto convert = [&](u32 index) {
    const Operand value = use(operand(index), DataType::f32), result = temporary(part);
    MachineInstruction& conversion = compute(isa::Opcode::cvt, part, {result}, {value});
    conversion.sourceType = DataType::f32;
    conversion.modifiers = arithmeticModifiers();
    return result;
  };
  const Operand high = convert(1), low = convert(2);
  emit(isa::Opcode::pack16, DataType::u32, {define(operand(0), DataType::u32)}, {low, high});
}

}  // namespace warpwright::compiler
