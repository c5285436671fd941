// 16-bit floats and the formats below them: roundings that only exact arithmetic gets right, and the edges of small formats.
#include <gtest/gtest.h>

#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

// 1.0625² lies halfway between 1.125 and 1.1328125: the addend, however small, decides. f64 alone loses it.
TEST(Half, FusedMultiplyAddOfBrainsSeesTheSmallestAddend) {
  const isa::Instruction fma = operation(Opcode::fma, DataType::bf16);
  EXPECT_EQ(result(fma, 0x3f88, 0x3f88, 0x0001), 0x3f91u);
  EXPECT_EQ(result(fma, 0x3f88, 0x3f88, 0x8001), 0x3f90u);
  EXPECT_EQ(result(fma, 0x3f88, 0xbf88, 0x8001), 0xbf91u);
  EXPECT_EQ(result(fma, 0x3f88, 0x3f88, 0x0000), 0x3f90u);
}

TEST(Half, PairsAreTwoNumbers) {
  EXPECT_EQ(result(operation(Opcode::add, DataType::f16x2), 0x3c00'7bff, 0x4000'7bff), 0x4200'7c00u);  // 1 + 2, and overflow
  EXPECT_EQ(result(operation(Opcode::neg, DataType::bf16x2), 0x3f80'8000), 0xbf80'0000u);
  EXPECT_EQ(result(operation(Opcode::add, DataType::u16x2), 0x0001'ffff, 0x0001'0001), 0x0002'0000u);
  EXPECT_EQ(result(operation(Opcode::min, DataType::s16x2), 0x8000'0001, 0x7fff'ffff), 0x8000'ffffu);
}

TEST(Half, ReluKeepsNan) {
  isa::Modifiers relu;
  relu.relu = true;
  const isa::Instruction fma = operation(Opcode::fma, DataType::f16, relu);
  EXPECT_EQ(result(fma, 0xbc00, 0x3c00, 0x0000), 0u);
  EXPECT_EQ(result(fma, 0x7e00, 0x3c00, 0x0000), 0x7fffu);
}

TEST(Half, SmallFormatsSaturate) {
  isa::Modifiers e5m2;
  e5m2.small = isa::SmallFormat::e5m2;
  const isa::Instruction toE4m3 = operation(Opcode::cvt_to_small, DataType::f32),
                         toE5m2 = operation(Opcode::cvt_to_small, DataType::f32, e5m2);
  EXPECT_EQ(result(toE4m3, 0x43e0'0000, 0xc47a'0000), 0x7efeu);                                 // 448, and -1000
  EXPECT_EQ(result(toE5m2, 0x7f80'0000, 0x7fc0'0000), 0x7b7fu);                                 // infinity saturates too, NaN stays
  EXPECT_EQ(result(operation(Opcode::cvt_from_small, DataType::f16x2), 0x0180), 0x1800'8000u);  // 2^-9, and -0
}

TEST(Half, Tf32RoundsTiesAwayOrToEven) {
  isa::Modifiers away;
  away.tiesAway = true;
  EXPECT_EQ(result(operation(Opcode::cvt_tf32, DataType::f32, away), 0x3f80'1000), 0x3f80'2000u);
  EXPECT_EQ(result(operation(Opcode::cvt_tf32, DataType::f32), 0x3f80'1000), 0x3f80'0000u);
}

}  // namespace
}  // namespace warpwright::test
