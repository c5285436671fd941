// 16-bit floating-point numbers, alone and in pairs, the formats below them, and pairs of f32.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

// The two halves of a packed pair.
struct Halves {
  Operand low, high;
};

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

// The halves of a pair, each in a register of its own.
Halves splitPair(Selector& s, Operand pair) {
  const Halves halves{s.temporary(DataType::u16), s.temporary(DataType::u16)};
  s.compute(isa::Opcode::unpack16, DataType::u32, {halves.low, halves.high}, {pair});
  return halves;
}

// A comparison of 16-bit floats into a new predicate.
Operand compareHalves(Selector& s, DataType type, Operand a, Operand b, Operand predicate) {
  const Operand result = Operand::makePredicate(s.code().newPredicate());
  s.compute(isa::Opcode::setp, type, {result}, {a, b, predicate}).modifiers = s.arithmeticModifiers();
  return result;
}

// The magnitude with the sign of the operands' product.
Operand withProductSign(Selector& s, Operand magnitude, DataType type) {
  const Operand signs = s.temporary(DataType::u32), result = s.temporary(DataType::u32);
  const Operand a = s.use(s.operand(1), type), b = s.use(s.operand(2), type);
  s.compute(isa::Opcode::xor_, DataType::u32, {signs}, {a, b});
  s.compute(isa::Opcode::and_, DataType::u32, {signs}, {signs, Operand::makeImmediate(signsOf(type))});
  s.compute(isa::Opcode::or_, DataType::u32, {result}, {magnitude, signs});
  return result;
}

// min and max: .relu of integers, .xorsign.abs, and three operands.
void selectExtreme(Selector& s, isa::Opcode opcode) {
  const ptx::Modifiers& from = s.in().modifiers;
  const DataType type = dataType(from.type);
  const bool isInteger = !ptx::isFloat(from.type);
  const bool plain = s.operandCount() == 3 && !from.xorsign && !from.absolute && !(isInteger && from.relu);
  if (plain) return lane(s, opcode);

  const auto operation = [&](isa::Opcode which, Operand to, std::initializer_list<Operand> sources) {
    s.compute(which, type, {to}, sources).modifiers = s.arithmeticModifiers();
    s.code().code.back().modifiers.relu = false;
  };
  const auto source = [&](u32 index) {
    const Operand value = s.use(s.operand(index), type);
    if (!from.absolute) return value;
    const Operand magnitude = s.temporary(type);
    s.compute(isa::Opcode::abs, type, {magnitude}, {value}).modifiers.ftz = from.ftz;
    return magnitude;
  };
  Operand result = s.temporary(type);
  operation(opcode, result, {source(1), source(2)});
  if (s.operandCount() == 4) {
    const Operand pair = result;
    result = s.temporary(type);
    operation(opcode, result, {pair, source(3)});
  }
  if (isInteger && from.relu) {
    const Operand value = result;
    result = s.temporary(type);
    operation(isa::Opcode::max, result, {value, Operand::makeImmediate(0)});
  }
  if (from.xorsign) result = withProductSign(s, result, type);
  s.emit(isa::Opcode::mov, DataType::u32, {s.define(s.operand(0), type)}, {result});
}

// add, sub, mul and fma of two f32 in a register pair: one operation a word.
void selectSinglePair(Selector& s, isa::Opcode opcode) {
  const auto half = [&](Operand value, u32 word) {
    if (value.kind == Operand::Kind::immediate) return Operand::makeImmediate(static_cast<u32>(value.value >> 32 * word));
    return Operand::makeRegister(value.index + word);
  };
  Operand sources[3];
  for (u32 i = 1; i < s.operandCount(); ++i) sources[i - 1] = s.useInRegister(s.operand(i), DataType::u64);
  const Operand results[] = {s.temporary(DataType::f32), s.temporary(DataType::f32)};
  for (u32 word = 0; word < 2; ++word) {
    MachineInstruction& operation = s.compute(opcode, DataType::f32, {results[word]}, {});
    for (u32 i = 1; i < s.operandCount(); ++i) operation.sources[i - 1] = half(sources[i - 1], word);
    operation.modifiers = s.arithmeticModifiers();
  }
  const Operand to = s.define(s.operand(0), DataType::u64);
  s.copyWord(to.index, results[0]);
  s.copyWord(to.index + 1, results[1]);
}

// add.f32.f16 and its like: 16-bit operands are widened, which is exact, and the operation is f32's.
void selectMixed(Selector& s, isa::Opcode opcode) {
  const DataType narrow = dataType(s.in().modifiers.source);
  const u32 count = s.operandCount() - 1;
  Operand sources[3];
  for (u32 i = 0; i < count; ++i) {
    // The addend, the last operand, is f32 already.
    const bool widens = i + 1 < count;
    sources[i] = s.use(s.operand(i + 1), widens ? narrow : DataType::f32);
    if (!widens) continue;
    const Operand wide = s.temporary(DataType::f32);
    s.compute(isa::Opcode::cvt, DataType::f32, {wide}, {sources[i]}).sourceType = narrow;
    sources[i] = wide;
  }
  MachineInstruction& operation = s.emit(opcode, DataType::f32, {s.define(s.operand(0), DataType::f32)}, {});
  for (u32 i = 0; i < count; ++i) operation.sources[i] = sources[i];
  operation.modifiers = s.arithmeticModifiers();
}

void convertToTf32(Selector& s) {
  const Operand value = s.use(s.operand(1), DataType::f32);
  MachineInstruction& conversion = s.emit(isa::Opcode::cvt_tf32, DataType::f32, {s.define(s.operand(0), DataType::u32)}, {value});
  conversion.modifiers = s.arithmeticModifiers();
  conversion.modifiers.tiesAway = s.in().modifiers.rounding == ptx::Rounding::rna;
}

void convertToSmall(Selector& s, isa::SmallFormat format) {
  Operand high, low;
  if (s.in().modifiers.source != ptx::Type::f32) {
    const DataType part = partOf(dataType(s.in().modifiers.source));
    const Halves halves = splitPair(s, s.useInRegister(s.operand(1), DataType::u32));
    high = s.temporary(DataType::f32), low = s.temporary(DataType::f32);
    s.compute(isa::Opcode::cvt, DataType::f32, {high}, {halves.high}).sourceType = part;
    s.compute(isa::Opcode::cvt, DataType::f32, {low}, {halves.low}).sourceType = part;
  } else {
    high = s.use(s.operand(1), DataType::f32), low = s.use(s.operand(2), DataType::f32);
  }
  MachineInstruction& conversion = s.emit(isa::Opcode::cvt_to_small, DataType::f32, {s.define(s.operand(0), DataType::u16)}, {high, low});
  conversion.modifiers.rounding = s.arithmeticModifiers().rounding;
  conversion.modifiers.saturate = s.in().modifiers.satFinite && format == isa::SmallFormat::e8m0;  // of the others every one does
  conversion.modifiers.small = format;
  conversion.modifiers.relu = s.in().modifiers.relu;
}

// cvt.pack: both sources are saturated to 8 or 16 bits; the first goes above the second, and the bits of c above both.
void convertAndPack(Selector& s) {
  const DataType part = dataType(s.in().modifiers.type);
  const u32 bits = 8 * isa::sizeOf(part), mask = (1u << bits) - 1;
  const u32 most = isa::isSigned(part) ? mask >> 1 : mask, least = isa::isSigned(part) ? ~most : 0;
  const auto word = [&](isa::Opcode opcode, DataType type, Operand a, Operand b) {
    const Operand result = s.temporary(type);
    s.compute(opcode, type, {result}, {a, b});
    return result;
  };
  const auto saturated = [&](u32 index) {
    const Operand above = word(isa::Opcode::max, DataType::s32, s.use(s.operand(index), DataType::s32), Operand::makeImmediate(least));
    const Operand within = word(isa::Opcode::min, DataType::s32, above, Operand::makeImmediate(most));
    return word(isa::Opcode::and_, DataType::u32, within, Operand::makeImmediate(mask));
  };
  const auto above = [&](Operand high, u32 shift, Operand low) {
    return word(isa::Opcode::or_, DataType::u32, word(isa::Opcode::shl, DataType::u32, high, Operand::makeImmediate(shift)), low);
  };
  Operand packed = above(saturated(1), bits, saturated(2));
  if (s.hasOperand(3)) packed = above(s.use(s.operand(3), DataType::u32), 2 * bits, packed);
  s.emit(isa::Opcode::mov, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {packed});
}

// The first source goes to the high half.
void convertToPair(Selector& s) {
  const DataType part = partOf(dataType(s.in().modifiers.type));
  const auto convert = [&](u32 index) {
    const Operand value = s.use(s.operand(index), DataType::f32), result = s.temporary(part);
    MachineInstruction& conversion = s.compute(isa::Opcode::cvt, part, {result}, {value});
    conversion.sourceType = DataType::f32;
    conversion.modifiers = s.arithmeticModifiers();
    return result;
  };
  const Operand high = convert(1), low = convert(2);
  s.emit(isa::Opcode::pack16, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {low, high});
}

}  // namespace

void selectSetp(Selector& s) {
  const DataType pair = dataType(s.in().modifiers.type), type = partOf(pair);
  if (type == DataType::none) return lane(s, isa::Opcode::setp);
  const Halves a = splitPair(s, s.useInRegister(s.operand(1), DataType::u32)),
               b = splitPair(s, s.useInRegister(s.operand(2), DataType::u32));
  const Operand predicate = s.hasOperand(3) ? s.usePredicate(s.operand(3)) : Operand{};
  const Operand low = compareHalves(s, type, a.low, b.low, predicate), high = compareHalves(s, type, a.high, b.high, predicate);
  s.emit(isa::Opcode::mov, DataType::pred, {s.definePredicate(s.operand(0))}, {low});
  if (s.in().secondDestination.kind == Kind::none) return;
  s.emit(isa::Opcode::mov, DataType::pred, {s.definePredicate(s.in().secondDestination)}, {high});
}

// set with halves as sources: a comparison, then the choice between the destination's idea of truth and zero.
void selectHalfSet(Selector& s) {
  const DataType source = dataType(s.in().modifiers.source);
  const Operand predicate = s.hasOperand(3) ? s.usePredicate(s.operand(3)) : Operand{};
  const auto choose = [&](Operand to, DataType bits, u64 truth, Operand condition, bool isResult) {
    const u64 cut = isa::sizeOf(bits) == 2 ? truth & 0xffff : truth & 0xffff'ffff;
    const std::initializer_list<Operand> values = {Operand::makeImmediate(cut), Operand::makeImmediate(0), condition};
    isResult ? s.emit(isa::Opcode::selp, bits, {to}, values) : s.compute(isa::Opcode::selp, bits, {to}, values);
  };
  const u64 truth = truthOf(s.in().modifiers.type);
  if (isHalf(source)) {
    const DataType bits = bitsType(ptx::sizeOf(s.in().modifiers.type));
    const Operand a = s.use(s.operand(1), source), b = s.use(s.operand(2), source);
    return choose(s.define(s.operand(0), bits), bits, truth, compareHalves(s, source, a, b, predicate), true);
  }
  const DataType part = partOf(source);
  const Halves a = splitPair(s, s.useInRegister(s.operand(1), DataType::u32)),
               b = splitPair(s, s.useInRegister(s.operand(2), DataType::u32));
  const Halves results{s.temporary(DataType::u16), s.temporary(DataType::u16)};
  choose(results.low, DataType::u16, truth, compareHalves(s, part, a.low, b.low, predicate), false);
  choose(results.high, DataType::u16, truth, compareHalves(s, part, a.high, b.high, predicate), false);
  s.emit(isa::Opcode::pack16, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {results.low, results.high});
}

void selectMin(Selector& s) { selectExtreme(s, isa::Opcode::min); }

void selectMax(Selector& s) { selectExtreme(s, isa::Opcode::max); }

// Whether the instruction is one of the two above.
bool selectedAsSingles(Selector& s, isa::Opcode opcode) {
  if (s.in().modifiers.type == ptx::Type::f32x2) return selectSinglePair(s, opcode), true;
  if (s.in().modifiers.type == ptx::Type::f32 && s.in().modifiers.source != ptx::Type::none) return selectMixed(s, opcode), true;
  return false;
}

void selectFma(Selector& s) {
  if (!selectedAsSingles(s, isa::Opcode::fma)) lane(s, isa::Opcode::fma);
}

// cvt to and from pairs, tf32 and the formats of 8 bits and less. False: a conversion of single numbers of the machine's own types.
bool selectedAsNarrowConversion(Selector& s) {
  const ptx::Type to = s.in().modifiers.type, from = s.in().modifiers.source;
  if (to == ptx::Type::tf32) return convertToTf32(s), true;
  if (const auto small = smallFormat(to)) return convertToSmall(s, *small), true;
  if (const auto small = smallFormat(from)) {
    const Operand value = s.use(s.operand(1), DataType::u32);
    MachineInstruction& conversion = s.emit(isa::Opcode::cvt_from_small, DataType::f16x2, {s.define(s.operand(0), DataType::u32)}, {value});
    conversion.modifiers.small = *small;
    if (s.in().modifiers.relu) {
      conversion.modifiers.relu = true;
    }
    return true;
  }
  if (to == ptx::Type::f16x2 || to == ptx::Type::bf16x2) return convertToPair(s), true;
  if (s.operandCount() > 2) return convertAndPack(s), true;
  return false;
}

}  // namespace warpwright::compiler
