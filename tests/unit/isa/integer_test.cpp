// Integer semantics against 128-bit arithmetic and bit-by-bit readings of the PTX manual.
#include <gtest/gtest.h>

#include <random>

#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

using Wide = __int128;

struct Type {
  DataType type;
  u32 bits;
  bool isSigned;
};
constexpr Type kTypes[] = {{DataType::u16, 16, false}, {DataType::s16, 16, true},  {DataType::u32, 32, false},
                           {DataType::s32, 32, true},  {DataType::u64, 64, false}, {DataType::s64, 64, true}};

// The number that the low bits of `raw` stand for.
Wide valueOf(const Type& type, u64 raw) {
  const Wide unsignedValue = type.bits == 64 ? Wide{raw} : Wide{raw & ((u64{1} << type.bits) - 1)};
  const bool negative = type.isSigned && (raw >> (type.bits - 1) & 1) != 0;
  return negative ? unsignedValue - (Wide{1} << type.bits) : unsignedValue;
}
// A number as a register holds it: modulo 2^bits, 16-bit types extended to 32 bits.
u64 wrapped(const Type& type, Wide value) {
  const u64 low = type.bits == 64 ? static_cast<u64>(value) : static_cast<u64>(value) & ((u64{1} << type.bits) - 1);
  const Wide number = valueOf(type, low);
  return type.bits == 64 ? low : static_cast<u32>(static_cast<s64>(number));
}

u64 interesting(std::mt19937_64& random) {
  static const u64 values[] = {0,      1,           2,           0x7f,        0x80,       0x7fff, 0x8000,
                               0xffff, 0x7fff'ffff, 0x8000'0000, 0xffff'ffff, 1ull << 63, ~0ull,  ~0ull >> 1};
  return random() % 2 == 0 ? random() : values[random() % std::size(values)];
}

template <class Expected>
void check(Opcode opcode, Expected expected, isa::Modifiers modifiers = {}) {
  std::mt19937_64 random(1);
  for (const Type& type : kTypes) {
    for (u32 i = 0; i < 400; ++i) {
      const u64 a = interesting(random), b = interesting(random), c = interesting(random);
      const u64 wanted = wrapped(type, expected(type, valueOf(type, a), valueOf(type, b), valueOf(type, c)));
      ASSERT_EQ(result(operation(opcode, type.type, modifiers), a, b, c), wanted)
          << name(type.type) << std::hex << " " << a << " " << b << " " << c;
    }
  }
}

Wide high(const Type& type, Wide a, Wide b) {
  // The unsigned product of two 64-bit numbers needs all 128 bits.
  if (!type.isSigned) return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) >> type.bits);
  return a * b >> type.bits;
}

TEST(Integer, SumsAndProductsWrap) {
  check(Opcode::add, [](const Type&, Wide a, Wide b, Wide) { return a + b; });
  check(Opcode::sub, [](const Type&, Wide a, Wide b, Wide) { return a - b; });
  check(Opcode::mul_lo, [](const Type&, Wide a, Wide b, Wide) { return static_cast<Wide>(static_cast<u64>(a) * static_cast<u64>(b)); });
  check(Opcode::mad_lo, [](const Type&, Wide a, Wide b, Wide c) {
    return static_cast<Wide>(static_cast<u64>(a) * static_cast<u64>(b) + static_cast<u64>(c));
  });
  check(Opcode::mul_hi, [](const Type& type, Wide a, Wide b, Wide) { return high(type, a, b); });
  check(Opcode::mad_hi, [](const Type& type, Wide a, Wide b, Wide c) { return high(type, a, b) + c; });
}

TEST(Integer, QuotientsTruncateAndDivisionByZeroIsDefined) {
  check(Opcode::div, [](const Type&, Wide a, Wide b, Wide) { return b == 0 ? Wide{-1} : a / b; });
  check(Opcode::rem, [](const Type&, Wide a, Wide b, Wide) { return b == 0 ? a : a % b; });
}

TEST(Integer, MagnitudesAndOrder) {
  check(Opcode::abs, [](const Type&, Wide a, Wide, Wide) { return a < 0 ? -a : a; });
  check(Opcode::neg, [](const Type&, Wide a, Wide, Wide) { return -a; });
  check(Opcode::min, [](const Type&, Wide a, Wide b, Wide) { return a < b ? a : b; });
  check(Opcode::max, [](const Type&, Wide a, Wide b, Wide) { return a > b ? a : b; });
  check(Opcode::sad, [](const Type&, Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
}

TEST(Integer, WideProducts) {
  std::mt19937_64 random(2);
  for (const Type& type : kTypes) {
    if (type.bits == 64) continue;
    for (u32 i = 0; i < 200; ++i) {
      const u64 a = interesting(random), b = interesting(random), c = interesting(random);
      const Type wide{DataType::none, 2 * type.bits, type.isSigned};
      const Wide product = valueOf(type, a) * valueOf(type, b);
      EXPECT_EQ(result(operation(Opcode::mul_wide, type.type), a, b), wrapped(wide, product));
      EXPECT_EQ(result(operation(Opcode::mad_wide, type.type), a, b, c), wrapped(wide, product + valueOf(wide, c)));
    }
  }
}

TEST(Integer, SaturatedSumsClamp) {
  isa::Modifiers saturate;
  saturate.saturate = true;
  const auto clamp = [](Wide x) { return x > 0x7fff'ffff ? Wide{0x7fff'ffff} : x < -Wide{0x8000'0000} ? -Wide{0x8000'0000} : x; };
  std::mt19937_64 random(3);
  const Type& type = kTypes[3];
  for (u32 i = 0; i < 500; ++i) {
    const u64 rawA = interesting(random), rawB = interesting(random), rawC = interesting(random);
    const Wide a = valueOf(type, rawA), b = valueOf(type, rawB), c = valueOf(type, rawC);
    EXPECT_EQ(result(operation(Opcode::add, DataType::s32, saturate), rawA, rawB), wrapped(type, clamp(a + b)));
    EXPECT_EQ(result(operation(Opcode::sub, DataType::s32, saturate), rawA, rawB), wrapped(type, clamp(a - b)));
    EXPECT_EQ(result(operation(Opcode::mad_hi, DataType::s32, saturate), rawA, rawB, rawC), wrapped(type, clamp((a * b >> 32) + c)));
  }
}

TEST(Integer, CarriesChainTo128Bits) {
  isa::Modifiers first, last;
  first.carryOut = last.carryIn = true;
  std::mt19937_64 random(4);
  for (u32 i = 0; i < 500; ++i) {
    const u64 aLow = interesting(random), aHigh = interesting(random), bLow = interesting(random), bHigh = interesting(random);
    const auto a = static_cast<unsigned __int128>(aHigh) << 64 | aLow, b = static_cast<unsigned __int128>(bHigh) << 64 | bLow;
    for (const Opcode opcode : {Opcode::add, Opcode::sub}) {
      const auto low = isa::evaluate(operation(opcode, DataType::u64, first), {aLow, bLow});
      const u64 high = result(operation(opcode, DataType::u64, last), aHigh, bHigh, low[1]);
      EXPECT_EQ(static_cast<unsigned __int128>(high) << 64 | low[0], opcode == Opcode::add ? a + b : a - b);
    }
  }
}

TEST(Integer, CarryOutOfASumWithCarryIn) {
  isa::Modifiers both;
  both.carryIn = both.carryOut = true;
  EXPECT_EQ(isa::evaluate(operation(Opcode::add, DataType::u32, both), {0xffff'ffff, 0, 1})[1], 1u);
  EXPECT_EQ(isa::evaluate(operation(Opcode::add, DataType::u32, both), {0xffff'ffff, 0xffff'ffff, 1}),
            (isa::OperandValues{0xffff'ffff, 1}));
  EXPECT_EQ(isa::evaluate(operation(Opcode::sub, DataType::u32, both), {0, 0, 1}), (isa::OperandValues{0xffff'ffff, 1}));
  EXPECT_EQ(isa::evaluate(operation(Opcode::sub, DataType::u32, both), {5, 4, 1}), (isa::OperandValues{0, 0}));
  EXPECT_EQ(isa::evaluate(operation(Opcode::mad_lo, DataType::u32, both), {0x1'0001, 0xffff, 1, 1}), (isa::OperandValues{1, 1}));
}

TEST(Integer, Products24) {
  EXPECT_EQ(result(operation(Opcode::mul24_lo, DataType::u32), 0xff00'0002, 3), 6u);
  EXPECT_EQ(result(operation(Opcode::mul24_hi, DataType::u32), 0xff'ffff, 0xff'ffff), u64{0xff'ffff} * 0xff'ffff >> 16);
  EXPECT_EQ(result(operation(Opcode::mul24_lo, DataType::s32), 0xff'ffff, 2), 0xffff'fffeu);  // -1 · 2
  EXPECT_EQ(result(operation(Opcode::mul24_hi, DataType::s32), 0x80'0000, 0x7f'ffff), static_cast<u32>(-s64{0x80'0000} * 0x7f'ffff >> 16));
  isa::Modifiers saturate;
  saturate.saturate = true;
  EXPECT_EQ(result(operation(Opcode::mad24_hi, DataType::s32, saturate), 0x7f'ffff, 0x7f'ffff, 0x7fff'ffff), 0x7fff'ffffu);
}

}  // namespace
}  // namespace warpwright::test
