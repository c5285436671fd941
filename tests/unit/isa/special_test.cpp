// The approximate functions: special values from the tables of PTX ISA 9.7.3, and the maximum error against the host's libm in
// extended precision, over samples of the whole range.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

Instruction approximate(Opcode opcode, bool ftz = false, DataType type = DataType::f32) {
  isa::Modifiers modifiers;
  modifiers.accuracy = isa::Accuracy::approximate;
  modifiers.ftz = ftz;
  return operation(opcode, type, modifiers);
}
float apply(Opcode opcode, float x, bool ftz = false) { return single(result(approximate(opcode, ftz), bits(x))); }

float fromEveryBinade(std::mt19937_64& random) {
  for (;;) {
    const float x = single(random() & 0xffff'ffff);
    if (std::isfinite(x)) return x;
  }
}

using Reference = std::function<long double(long double)>;
using Sample = std::function<float(std::mt19937_64&)>;

long double maxError(Opcode opcode, const Reference& reference, const Sample& sample, bool relative, u32 count = 200'000) {
  std::mt19937_64 random(1);
  long double worst = 0;
  for (u32 i = 0; i < count; ++i) {
    const float x = sample(random);
    const long double exact = reference(x);
    const long double error = std::fabs(apply(opcode, x) - exact);
    if (std::isnan(exact) || std::fabs(exact) > std::numeric_limits<float>::max()) continue;
    if (relative && std::fabs(exact) < std::numeric_limits<float>::min()) continue;  // subnormal results have fewer bits
    worst = std::max(worst, relative ? error / std::fabs(exact) : error);
  }
  ::testing::Test::RecordProperty("maxErrorLog2", std::to_string(static_cast<double>(std::log2(worst))));
  return worst;
}
Sample between(double low, double high) {
  return [=](std::mt19937_64& random) { return static_cast<float>(std::uniform_real_distribution<double>(low, high)(random)); };
}

TEST(Special, ReciprocalWithinOneUlp) {
  EXPECT_LE(maxError(
                Opcode::rcp, [](long double x) { return 1 / x; }, fromEveryBinade, true),
            std::exp2(-23.0L));
}
TEST(Special, RootWithinRelativeError) {
  const auto positive = [](std::mt19937_64& random) { return std::fabs(fromEveryBinade(random)); };
  EXPECT_LE(maxError(
                Opcode::sqrt, [](long double x) { return std::sqrt(x); }, positive, true),
            std::exp2(-23.0L));
  EXPECT_LE(maxError(
                Opcode::rsqrt, [](long double x) { return 1 / std::sqrt(x); }, positive, true),
            std::exp2(-22.9L));
}
TEST(Special, Exponential) {
  EXPECT_LE(maxError(
                Opcode::ex2, [](long double x) { return std::exp2(x); }, between(-126, 128), true),
            2 * std::exp2(-23.0L));
  EXPECT_LE(maxError(
                Opcode::ex2, [](long double x) { return std::exp2(x); }, fromEveryBinade, true),
            2 * std::exp2(-23.0L));
}
TEST(Special, Logarithm) {
  const auto positive = [](std::mt19937_64& random) { return std::fabs(fromEveryBinade(random)); };
  const auto log2 = [](long double x) { return std::log2(x); };
  EXPECT_LE(maxError(Opcode::lg2, log2, between(0.5, 2), false), std::exp2(-22.0L));
  EXPECT_LE(maxError(Opcode::lg2, log2, positive, true), std::exp2(-22.0L));
}
TEST(Special, SineAndCosine) {
  const auto sine = [](long double x) { return std::sin(x); };
  const auto cosine = [](long double x) { return std::cos(x); };
  EXPECT_LE(maxError(Opcode::sin, sine, between(-6.2831853, 6.2831853), false), std::exp2(-20.5L));
  EXPECT_LE(maxError(Opcode::cos, cosine, between(-6.2831853, 6.2831853), false), std::exp2(-20.5L));
  EXPECT_LE(maxError(Opcode::sin, sine, between(-314.159, 314.159), false), std::exp2(-14.7L));
  EXPECT_LE(maxError(Opcode::cos, cosine, between(-314.159, 314.159), false), std::exp2(-14.7L));
}
TEST(Special, HyperbolicTangent) {
  EXPECT_LE(maxError(
                Opcode::tanh, [](long double x) { return std::tanh(x); }, fromEveryBinade, true),
            std::exp2(-11.0L));
  EXPECT_LE(maxError(
                Opcode::tanh, [](long double x) { return std::tanh(x); }, between(-10, 10), true),
            std::exp2(-11.0L));
}

TEST(Special, Quotients) {
  std::mt19937_64 random(2);
  long double worstFull = 0, worstFast = 0;
  isa::Modifiers full;
  full.accuracy = isa::Accuracy::full;
  for (u32 i = 0; i < 200'000; ++i) {
    const float a = fromEveryBinade(random), b = fromEveryBinade(random);
    const long double exact = static_cast<long double>(a) / b;
    if (std::fabs(exact) > std::numeric_limits<float>::max() || std::fabs(exact) < std::numeric_limits<float>::min()) continue;
    const float ofFull = single(result(operation(Opcode::div, DataType::f32, full), bits(a), bits(b)));
    worstFull = std::max(worstFull, std::fabs((ofFull - exact) / exact));
    if (std::fabs(b) > std::exp2(126.0f) || std::fabs(b) < std::exp2(-126.0f)) continue;
    const float fast = single(result(approximate(Opcode::div), bits(a), bits(b)));
    worstFast = std::max(worstFast, std::fabs((fast - exact) / exact));
  }
  EXPECT_LE(worstFull, 2 * std::exp2(-23.0L));
  EXPECT_LE(worstFast, 2 * std::exp2(-23.0L));
}
TEST(Special, QuotientsByHugeDivisors) {
  const Instruction divide = approximate(Opcode::div);
  const u64 huge = bits(std::ldexp(1.5f, 126));
  EXPECT_EQ(result(divide, bits(1e38f), huge), 0u);
  EXPECT_EQ(result(divide, bits(kInfinity), huge), 0x7fff'ffffu);
  EXPECT_EQ(result(divide, bits(std::ldexp(1.0f, 126)), bits(std::ldexp(1.0f, 126))), bits(1.0f));
}

struct SpecialValue {
  Opcode opcode;
  bool ftz;
  float x, expected;
};
constexpr float kTiny = 1e-40f;  // subnormal

TEST(Special, Values) {
  const SpecialValue rows[] = {
      {Opcode::rcp, false, -0.0f, -kInfinity},    {Opcode::rcp, false, kInfinity, 0.0f},
      {Opcode::rcp, false, -kInfinity, -0.0f},    {Opcode::rcp, true, -kTiny, -kInfinity},
      {Opcode::sqrt, false, -0.0f, -0.0f},        {Opcode::sqrt, false, -1.0f, kNan},
      {Opcode::sqrt, true, kTiny, 0.0f},          {Opcode::sqrt, false, kInfinity, kInfinity},
      {Opcode::rsqrt, false, -0.0f, -kInfinity},  {Opcode::rsqrt, true, kTiny, kInfinity},
      {Opcode::rsqrt, false, kInfinity, 0.0f},    {Opcode::rsqrt, false, -1.0f, kNan},
      {Opcode::sin, false, -0.0f, -0.0f},         {Opcode::sin, true, -kTiny, -0.0f},
      {Opcode::sin, false, kTiny, kTiny},         {Opcode::sin, false, kInfinity, kNan},
      {Opcode::cos, false, -0.0f, 1.0f},          {Opcode::cos, true, kTiny, 1.0f},
      {Opcode::cos, false, -kInfinity, kNan},     {Opcode::ex2, false, -0.0f, 1.0f},
      {Opcode::ex2, false, kTiny, 1.0f},          {Opcode::ex2, false, -kInfinity, 0.0f},
      {Opcode::ex2, false, kInfinity, kInfinity}, {Opcode::ex2, false, -149.0f, 1.4e-45f},
      {Opcode::ex2, true, -140.0f, 0.0f},         {Opcode::ex2, false, 10.0f, 1024.0f},
      {Opcode::lg2, false, -0.0f, -kInfinity},    {Opcode::lg2, true, kTiny, -kInfinity},
      {Opcode::lg2, false, kInfinity, kInfinity}, {Opcode::lg2, false, -1.0f, kNan},
      {Opcode::lg2, false, 1.0f, 0.0f},           {Opcode::lg2, false, 1024.0f, 10.0f},
      {Opcode::lg2, false, 1.4e-45f, -149.0f},    {Opcode::tanh, false, -0.0f, -0.0f},
      {Opcode::tanh, false, kInfinity, 1.0f},     {Opcode::tanh, false, -kInfinity, -1.0f},
      {Opcode::tanh, false, -kTiny, -kTiny},      {Opcode::sin, false, kNan, kNan},
      {Opcode::ex2, false, kNan, kNan},           {Opcode::lg2, false, kNan, kNan},
      {Opcode::tanh, false, kNan, kNan},          {Opcode::rsqrt, false, kNan, kNan},
  };
  for (const SpecialValue& row : rows) {
    const u64 got = bits(apply(row.opcode, row.x, row.ftz));
    const u64 expected = std::isnan(row.expected) ? 0x7fff'ffff : bits(row.expected);
    EXPECT_EQ(got, expected) << isa::info(row.opcode).mnemonic << (row.ftz ? ".ftz " : " ") << row.x;
  }
}

TEST(Special, DoublesWorkOnTheHighWord) {
  std::mt19937_64 random(3);
  for (u32 i = 0; i < 20'000; ++i) {
    const double x = std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 1000) - 500);
    const u64 reciprocal = result(approximate(Opcode::rcp, true, DataType::f64), bits(x));
    const u64 root = result(approximate(Opcode::rsqrt, true, DataType::f64), bits(x));
    ASSERT_EQ(reciprocal & 0xffff'ffff, 0u);
    ASSERT_EQ(root & 0xffff'ffff, 0u);
    ASSERT_NEAR(twice(reciprocal) * x, 1.0, 0x1p-19);
    ASSERT_NEAR(twice(root) * std::sqrt(x), 1.0, 0x1p-19);
    ASSERT_NEAR(twice(result(approximate(Opcode::rsqrt, false, DataType::f64), bits(x))) * std::sqrt(x), 1.0, 0x1p-50);
  }
  EXPECT_EQ(result(approximate(Opcode::rcp, true, DataType::f64), bits(-1e-310)), bits(-HUGE_VAL));
  EXPECT_EQ(result(approximate(Opcode::rsqrt, true, DataType::f64), bits(HUGE_VAL)), 0u);
}

}  // namespace
}  // namespace warpwright::test
