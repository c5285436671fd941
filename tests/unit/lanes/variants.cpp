#include "unit/lanes/variants.hpp"

#include <functional>

#include "isa/evaluate.hpp"

namespace warpwright::test {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;

constexpr DataType kTypes[] = {DataType::u8,  DataType::s8,  DataType::u16, DataType::s16,  DataType::u32, DataType::s32,
                               DataType::u64, DataType::s64, DataType::f16, DataType::bf16, DataType::f32, DataType::f64};

using Visit = std::function<void(const Instruction&)>;

// Calls visit with `field` set to each value from 0 to count - 1.
template <class Set>
Visit each(u32 count, Set set, Visit visit) {
  return [=](const Instruction& instruction) {
    for (u32 value = 0; value < count; ++value) {
      Instruction changed = instruction;
      set(changed, value);
      visit(changed);
    }
  };
}

Visit eachRounding(Visit visit) {
  return each(
      4, [](Instruction& i, u32 v) { i.modifiers.rounding = static_cast<isa::Rounding>(v); }, std::move(visit));
}
Visit eachFtz(Visit visit) {
  return each(
      2, [](Instruction& i, u32 v) { i.modifiers.ftz = v != 0; }, std::move(visit));
}
Visit eachSaturate(Visit visit) {
  return each(
      2, [](Instruction& i, u32 v) { i.modifiers.saturate = v != 0; }, std::move(visit));
}
Visit eachSourceType(Visit visit) {
  return each(
      12, [](Instruction& i, u32 v) { i.sourceType = kTypes[v]; }, std::move(visit));
}
Visit eachCompare(Visit visit) {
  const auto compare = [](Instruction& i, u32 v) { i.modifiers.compare = static_cast<isa::Compare>(v); };
  const auto combine = [](Instruction& i, u32 v) { i.modifiers.combine = static_cast<isa::BoolOp>(v); };
  return each(14, compare, each(4, combine, std::move(visit)));
}
Visit eachClamp(Visit visit) {
  return each(
      2, [](Instruction& i, u32 v) { i.modifiers.clamp = v != 0; }, std::move(visit));
}
Visit eachSpace(Visit visit) {
  return each(
      4, [](Instruction& i, u32 v) { i.modifiers.space = static_cast<isa::Space>(v + 1); }, std::move(visit));
}

void visitConversions(const Instruction& base, const Visit& visit) {
  const auto integral = [](Instruction& i, u32 v) { i.modifiers.integral = v != 0; };
  eachSourceType([&](const Instruction& conversion) {
    const bool floats = isFloat(conversion.type) && isFloat(conversion.sourceType);
    eachRounding(eachFtz(eachSaturate(each(floats ? 2 : 1, integral, visit))))(conversion);
  })(base);
}

void visitDots(const Instruction& base, const Visit& visit) {
  const auto types = [](Instruction& i, u32 v) {
    i.sourceType = (v & 1) != 0 ? DataType::s32 : DataType::u32;
    i.modifiers.secondType = (v & 2) != 0 ? DataType::s32 : DataType::u32;
    i.modifiers.high = (v & 4) != 0;
  };
  each(8, types, visit)(base);
}

void visitFloats(const Instruction& base, const Visit& visit) {
  const auto accuracy = [](Instruction& i, u32 v) { i.modifiers.accuracy = static_cast<isa::Accuracy>(v); };
  const auto nanMode = [](Instruction& i, u32 v) { i.modifiers.nanMode = v != 0; };
  const auto property = [](Instruction& i, u32 v) { i.modifiers.test = static_cast<isa::TestProperty>(v); };
  if (base.opcode == Opcode::testp) return each(6, property, visit)(base);
  if (base.opcode == Opcode::min || base.opcode == Opcode::max) return eachFtz(each(2, nanMode, visit))(base);
  eachRounding(eachFtz(eachSaturate(each(3, accuracy, visit))))(base);
}

void visitIntegers(const Instruction& base, const Visit& visit) {
  const auto carries = [](Instruction& i, u32 v) {
    i.modifiers.carryIn = (v & 1) != 0;
    i.modifiers.carryOut = (v & 2) != 0;
  };
  eachSaturate(each(4, carries, visit))(base);
}

void visitVariants(const Instruction& base, const Visit& visit) {
  const auto table = [](Instruction& i, u32 v) { i.modifiers.lut = static_cast<u8>(v); };
  const auto mode = [](Instruction& i, u32 v) { i.modifiers.permute = static_cast<isa::PermuteMode>(v); };
  const auto amount = [](Instruction& i, u32 v) { i.modifiers.shiftAmount = v != 0; };
  const auto direction = [](Instruction& i, u32 v) { i.modifiers.toSpace = v != 0; };
  const auto cluster = [](Instruction& i, u32 v) { i.modifiers.ofCluster = v != 0; };
  switch (base.opcode) {
    case Opcode::cvt:
      return visitConversions(base, visit);
    case Opcode::setp:
      return eachFtz(eachCompare(visit))(base);
    case Opcode::set:
      return eachSourceType(eachFtz(eachCompare(visit)))(base);
    case Opcode::slct:
      return eachSourceType(eachFtz(visit))(base);
    case Opcode::dp2a:
    case Opcode::dp4a:
      return visitDots(base, visit);
    case Opcode::lop3:
      return each(256, table, visit)(base);
    case Opcode::prmt:
      return each(7, mode, visit)(base);
    case Opcode::bfind:
      return each(2, amount, visit)(base);
    case Opcode::shf_l:
    case Opcode::shf_r:
    case Opcode::bmsk:
    case Opcode::szext:
      return eachClamp(visit)(base);
    case Opcode::cvta:
      return eachSpace(each(2, direction, visit))(base);
    case Opcode::isspacep:
      return eachSpace(each(2, cluster, visit))(base);
    default:
      return isFloat(base.type) ? visitFloats(base, visit) : visitIntegers(base, visit);
  }
}

}  // namespace

std::vector<Instruction> laneVariants() {
  std::vector<Instruction> result;
  const Visit keep = [&](const Instruction& instruction) {
    if (isa::hasSemantics(instruction)) result.push_back(instruction);
  };
  for (u32 opcode = 0; opcode < isa::kOpcodes; ++opcode) {
    for (u32 type = 1; type < isa::kDataTypes; ++type) {
      Instruction base;
      base.opcode = static_cast<Opcode>(opcode);
      base.type = static_cast<DataType>(type);
      const isa::OpcodeInfo& row = isa::info(base.opcode);
      if (row.family == isa::Family::lane && row.allows(base.type)) visitVariants(base, keep);
    }
  }
  return result;
}

const std::vector<u64>& boundaryValues(DataType type) {
  static const std::vector<u64> integers{0,
                                         1,
                                         2,
                                         31,
                                         32,
                                         33,
                                         63,
                                         64,
                                         0x7f,
                                         0x80,
                                         0xff,
                                         0x100,
                                         0x7fff,
                                         0x8000,
                                         0xffff,
                                         0x1'0000,
                                         0x7f'ffff,
                                         0x80'0000,
                                         0xff'ffff,
                                         0x7fff'ffff,
                                         0x8000'0000,
                                         0x8000'0001,
                                         0xffff'ff80,
                                         0xffff'ffff,
                                         1ull << 32,
                                         1ull << 53,
                                         (1ull << 53) + 1,
                                         (1ull << 63) - 1,
                                         1ull << 63,
                                         ~0ull << 11,
                                         ~1ull,
                                         ~0ull};
  static const std::vector<u64> singles{0x0000'0000, 0x8000'0000, 0x0000'0001, 0x8000'0001, 0x007f'ffff, 0x807f'ffff, 0x0080'0000,
                                        0x0080'0001, 0x3f00'0000, 0x3f80'0000, 0xbf80'0000, 0x3f7f'ffff, 0x3fc0'0000, 0x4020'0000,
                                        0xbf00'0000, 0x4b00'0001, 0x4f00'0000, 0xcf00'0000, 0x4f80'0000, 0x5f00'0000, 0xdf00'0000,
                                        0x5f80'0000, 0x477f'e000, 0x477f'f000, 0x3380'0000, 0x7e80'0000, 0x7f00'0000, 0x7f7f'ffff,
                                        0xff7f'ffff, 0x7f80'0000, 0xff80'0000, 0x7fc0'1234, 0xffc0'0000, 0x7f80'0001};
  static const std::vector<u64> doubles{0x0000'0000'0000'0000, 0x8000'0000'0000'0000, 0x0000'0000'0000'0001, 0x800f'ffff'ffff'ffff,
                                        0x0010'0000'0000'0000, 0x3ff0'0000'0000'0000, 0xbff0'0000'0000'0000, 0x3fe0'0000'0000'0000,
                                        0x3fef'ffff'ffff'ffff, 0x3ff8'0000'0000'0000, 0xc004'0000'0000'0000, 0x4330'0000'0000'0001,
                                        0x41df'ffff'ffc0'0000, 0xc1e0'0000'0000'0000, 0x41ef'ffff'ffe0'0000, 0x43e0'0000'0000'0000,
                                        0xc3e0'0000'0000'0000, 0x43f0'0000'0000'0000, 0x40ef'fc00'0000'0000, 0x40ef'fe00'0000'0000,
                                        0x36a0'0000'0000'0000, 0x380f'ffff'ffff'ffff, 0x3690'0000'0000'0000, 0x47ef'ffff'e000'0000,
                                        0x47ef'ffff'f000'0000, 0x7fef'ffff'ffff'ffff, 0xffef'ffff'ffff'ffff, 0x7ff0'0000'0000'0000,
                                        0xfff0'0000'0000'0000, 0x7ff8'0000'1234'5678, 0xfff8'0000'0000'0000, 0x7ff0'0000'0000'0001};
  static const std::vector<u64> halves{0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc00, 0x3800, 0x7bff, 0xfbff,
                                       0x7c00, 0xfc00, 0x7e01, 0x0080, 0x8001, 0x3f80, 0x7f7f, 0x7f80, 0xff80, 0x7fc1};
  switch (type) {
    case DataType::f32:
      return singles;
    case DataType::f64:
      return doubles;
    case DataType::f16:
    case DataType::bf16:
      return halves;
    default:
      return integers;
  }
}

}  // namespace warpwright::test
