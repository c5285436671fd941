// Comparisons and selections against the definitions of PTX ISA 9.3 and 9.7.7.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

using isa::Compare;

// By definition: the six ordered comparisons are false with a NaN, their unordered counterparts are true.
bool holds(Compare compare, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (compare) {
    case Compare::eq:
      return !unordered && a == b;
    case Compare::ne:
      return !unordered && a != b;
    case Compare::lt:
      return !unordered && a < b;
    case Compare::le:
      return !unordered && a <= b;
    case Compare::gt:
      return !unordered && a > b;
    case Compare::ge:
      return !unordered && a >= b;
    case Compare::equ:
      return unordered || a == b;
    case Compare::neu:
      return unordered || a != b;
    case Compare::ltu:
      return unordered || a < b;
    case Compare::leu:
      return unordered || a <= b;
    case Compare::gtu:
      return unordered || a > b;
    case Compare::geu:
      return unordered || a >= b;
    case Compare::num:
      return !unordered;
    case Compare::nan:
      return unordered;
  }
  return false;
}

isa::Modifiers with(Compare compare, isa::BoolOp combine = isa::BoolOp::none) {
  isa::Modifiers modifiers;
  modifiers.compare = compare;
  modifiers.combine = combine;
  return modifiers;
}

TEST(Comparison, OfFloats) {
  const float values[] = {-HUGE_VALF, -1.5f, -0.0f, 0.0f, 1e-42f, 1.5f, HUGE_VALF, std::nanf("")};
  for (u32 compare = 0; compare < 14; ++compare) {
    for (const float a : values) {
      for (const float b : values) {
        const isa::Modifiers modifiers = with(static_cast<Compare>(compare));
        const bool expected = holds(static_cast<Compare>(compare), a, b);
        EXPECT_EQ(result(operation(Opcode::setp, DataType::f32, modifiers), bits(a), bits(b)) != 0, expected)
            << compare << " " << a << " " << b;
        EXPECT_EQ(result(operation(Opcode::setp, DataType::f64, modifiers), bits(double{a}), bits(double{b})) != 0, expected);
      }
    }
  }
}

template <class T>
void checkIntegers(DataType type) {
  const T values[] = {0,
                      1,
                      static_cast<T>(-1),
                      std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::min(),
                      static_cast<T>(u64{1} << 32),
                      static_cast<T>((u64{1} << 32) + 1)};
  for (u32 compare = 0; compare < 6; ++compare) {
    for (const T a : values) {
      for (const T b : values) {
        const bool expected[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
        const u64 got =
            result(operation(Opcode::setp, type, with(static_cast<Compare>(compare))), static_cast<u64>(a), static_cast<u64>(b));
        EXPECT_EQ(got != 0, expected[compare]) << name(type) << " " << compare << " " << a << " " << b;
      }
    }
  }
}
TEST(Comparison, OfIntegers) {
  checkIntegers<u16>(DataType::u16);
  checkIntegers<s16>(DataType::s16);
  checkIntegers<u32>(DataType::u32);
  checkIntegers<s32>(DataType::s32);
  checkIntegers<u64>(DataType::u64);
  checkIntegers<s64>(DataType::s64);
}

TEST(Comparison, FlushesSubnormals) {
  isa::Modifiers modifiers = with(Compare::eq);
  EXPECT_EQ(result(operation(Opcode::setp, DataType::f32, modifiers), 1, 0x8000'0002), 0u);
  modifiers.ftz = true;
  EXPECT_EQ(result(operation(Opcode::setp, DataType::f32, modifiers), 1, 0x8000'0002), 1u);
}

// p = (a op b) bool c; q = !(a op b) bool c.
TEST(Comparison, CombinesWithAPredicate) {
  for (u64 a = 0; a < 2; ++a) {
    for (u64 c = 0; c < 2; ++c) {
      const auto both = [&](isa::BoolOp combine) {
        return isa::evaluate(operation(Opcode::setp, DataType::u32, with(Compare::ne, combine)), {a, 0, c});
      };
      EXPECT_EQ(both(isa::BoolOp::and_), (isa::OperandValues{a & c, (a ^ 1) & c}));
      EXPECT_EQ(both(isa::BoolOp::or_), (isa::OperandValues{a | c, (a ^ 1) | c}));
      EXPECT_EQ(both(isa::BoolOp::xor_), (isa::OperandValues{a ^ c, (a ^ 1) ^ c}));
      EXPECT_EQ(both(isa::BoolOp::none), (isa::OperandValues{a, a ^ 1}));
    }
  }
}

TEST(Comparison, IntoRegisters) {
  EXPECT_EQ(result(operation(Opcode::set, DataType::u32, with(Compare::lt), DataType::s32), 0xffff'ffff, 0), 0xffff'ffffu);
  EXPECT_EQ(result(operation(Opcode::set, DataType::f32, with(Compare::lt), DataType::f64), bits(1.0), bits(2.0)), bits(1.0f));
  EXPECT_EQ(result(operation(Opcode::set, DataType::s32, with(Compare::gt), DataType::u64), 1, 2), 0u);
  EXPECT_EQ(result(operation(Opcode::set, DataType::u32, with(Compare::lt, isa::BoolOp::and_), DataType::u32), 1, 2, 0), 0u);
}

TEST(Selection, BySignAndByPredicate) {
  EXPECT_EQ(result(operation(Opcode::selp, DataType::u64), 1ull << 40, 2, 1), 1ull << 40);
  EXPECT_EQ(result(operation(Opcode::selp, DataType::f64), 1ull << 40, 2, 0), 2u);
  const auto slct = [](DataType type, u64 c) { return result(operation(Opcode::slct, DataType::u32, {}, type), 1, 2, c); };
  EXPECT_EQ(slct(DataType::s32, 0), 1u);
  EXPECT_EQ(slct(DataType::s32, 0x8000'0000), 2u);
  EXPECT_EQ(slct(DataType::f32, bits(-0.0f)), 1u);
  EXPECT_EQ(slct(DataType::f32, bits(-1.0f)), 2u);
  EXPECT_EQ(slct(DataType::f32, bits(std::nanf(""))), 2u);
}

TEST(Predicates, Logic) {
  for (u64 a = 0; a < 2; ++a) {
    EXPECT_EQ(result(operation(Opcode::not_, DataType::pred), a), a ^ 1);
    for (u64 b = 0; b < 2; ++b) {
      EXPECT_EQ(result(operation(Opcode::and_, DataType::pred), a, b), a & b);
      EXPECT_EQ(result(operation(Opcode::or_, DataType::pred), a, b), a | b);
      EXPECT_EQ(result(operation(Opcode::xor_, DataType::pred), a, b), a ^ b);
    }
  }
}

}  // namespace
}  // namespace warpwright::test
