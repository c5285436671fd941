#include "ptx/constant.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "base/error.hpp"

namespace warpwright::ptx {
namespace {

Constant evaluate(const std::string& text) {
  Cursor cursor(tokenize(text, "test.ptx"), "test.ptx");
  const Constant result = parseConstant(cursor);
  EXPECT_TRUE(cursor.atEnd()) << text;
  return result;
}

struct Case {
  const char* text;
  s64 value;
};
class ConstantIntegers : public ::testing::TestWithParam<Case> {};
TEST_P(ConstantIntegers, Evaluate) { EXPECT_EQ(static_cast<s64>(evaluate(GetParam().text).bits), GetParam().value) << GetParam().text; }
INSTANTIATE_TEST_SUITE_P(All, ConstantIntegers,
                         ::testing::Values(Case{"1+2*3", 7}, Case{"(1+2)*3", 9}, Case{"-7/2", -3}, Case{"-7 % 3", -1}, Case{"7-2-1", 4},
                                           Case{"1<<4|3", 19}, Case{"~0", -1}, Case{"!0", 1}, Case{"!5", 0}, Case{"-16>>2", -4},
                                           Case{"0xFFFFFFFFFFFFFFFF>>60", 15}, Case{"1<2 && 3>=3", 1}, Case{"1==2 || 0", 0},
                                           Case{"1 ? 5 : 6", 5}, Case{"0 ? 5 : 0 ? 6 : 7", 7}, Case{"017", 15}, Case{"0b110", 6},
                                           Case{"0x1F", 31}, Case{"WARP_SZ-1", 31}, Case{"(.u64)-1 > 5", 1},
                                           Case{"(.s64)0xFFFFFFFFFFFFFFFF < 5", 1}, Case{"-1 < 1U", 0}, Case{"1<<64", 0}, Case{"6&3^1", 3},
                                           Case{"(-9223372036854775807-1)/-1", std::numeric_limits<s64>::min()}, Case{"2.5 > 2.0", 1},
                                           Case{"18446744073709551615", -1}));

TEST(Constant, FloatsKeepTheirBits) {
  const Constant one = evaluate("0f3F800000");
  EXPECT_TRUE(one.isSingle);
  EXPECT_EQ(one.bits, 0x3F800000u);
  EXPECT_EQ(bitsAs(one, Type::f64), std::bit_cast<u64>(1.0));
  EXPECT_EQ(bitsAs(evaluate("0f7FC12345"), Type::f32), 0x7FC12345u);
  EXPECT_EQ(bitsAs(evaluate("-0f3F800000"), Type::f32), 0xBF800000u);
  EXPECT_EQ(bitsAs(evaluate("0d4000000000000000"), Type::f64), std::bit_cast<u64>(2.0));
  EXPECT_EQ(bitsAs(evaluate("0d3FF8000000000000"), Type::f32), std::bit_cast<u32>(1.5f));
  EXPECT_EQ(bitsAs(evaluate("1.5e2"), Type::f64), std::bit_cast<u64>(150.0));
  EXPECT_EQ(bitsAs(evaluate("1.5*2.0-1.0"), Type::f64), std::bit_cast<u64>(2.0));
}

TEST(Constant, IntegersAreCutToTheirType) {
  EXPECT_EQ(bitsAs(evaluate("-1"), Type::s16), 0xFFFFu);
  EXPECT_EQ(bitsAs(evaluate("0x123456789"), Type::u32), 0x23456789u);
  EXPECT_EQ(bitsAs(evaluate("-1"), Type::b64), ~u64{0});
  EXPECT_EQ(bitsAs(evaluate("-1"), Type::pred), 1u);
}

TEST(Constant, FloatsAndIntegersDoNotMix) {
  EXPECT_FALSE(bitsAs(evaluate("1"), Type::f32));
  EXPECT_FALSE(bitsAs(evaluate("1.0"), Type::u32));
  EXPECT_FALSE(bitsAs(evaluate("1.0"), Type::b16));
  EXPECT_TRUE(bitsAs(evaluate("1.0"), Type::b32));
}

class ConstantErrors : public ::testing::TestWithParam<const char*> {};
TEST_P(ConstantErrors, AreReported) { EXPECT_THROW(evaluate(GetParam()), Error) << GetParam(); }
INSTANTIATE_TEST_SUITE_P(All, ConstantErrors,
                         ::testing::Values("1/0", "1 % 0", "1.0/0.0", "18446744073709551616", "089", "1+", "(1", "1 ? 2", "~1.0", "1.0+1",
                                           "!1.0", "1.0 % 2.0", "1e999", "x"));

TEST(Constant, NestingIsBounded) {
  EXPECT_EQ(evaluate(std::string(20, '(') + "1" + std::string(20, ')')).bits, 1u);
  EXPECT_THROW(evaluate(std::string(100000, '(') + "1" + std::string(100000, ')')), Error);
  EXPECT_THROW(evaluate(std::string(100000, '-') + "1"), Error);
  std::string conditionals;
  for (int i = 0; i < 100000; ++i) conditionals += "1?";
  EXPECT_THROW(evaluate(conditionals + "1"), Error);
}

}  // namespace
}  // namespace warpwright::ptx
