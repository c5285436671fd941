// Constants of the device math library; High + Low (+ Lowest) is the value to two (three) times the precision.
#pragma once

#include "warpwright/math/define.h"

namespace warpwright::math {

// kLn2Head has 42 bits, so that its product with an exponent is exact.
constexpr double kLn2Head = 0x1.62e42fefa3800p-1;
constexpr double kLn2Tail = 0x1.ef35793c76730p-45;
constexpr double kLn2TailLow = 0x1.f97b57a079a19p-103;
// The same in single precision: 16 bits.
constexpr float kLn2HeadF = 0x1.62e4000000000p-1f;
constexpr float kLn2TailF = 0x1.7f7d1c0000000p-20f;
constexpr double kLn2High = 0x1.62e42fefa39efp-1;
constexpr double kLn2Low = 0x1.abc9e3b39803fp-56;
constexpr double kLn10High = 0x1.26bb1bbb55516p+1;
constexpr double kLn10Low = -0x1.f48ad494ea3e9p-53;
constexpr double kInverseLn2High = 0x1.71547652b82fep+0;
constexpr double kInverseLn2Low = 0x1.777d0ffda0d24p-56;
constexpr double kInverseLn10High = 0x1.bcb7b1526e50ep-2;
constexpr double kInverseLn10Low = 0x1.95355baaafad3p-57;
constexpr double kLog2Of10 = 0x1.a934f0979a371p+1;
constexpr double kLog10Of2High = 0x1.34413509f79ffp-2;
constexpr double kLog10Of2Low = -0x1.9dc1da994fd21p-59;
constexpr double kLog10Of2Lowest = 0x1.22f04d5a618a8p-114;
constexpr double kPiHigh = 0x1.921fb54442d18p+1;
constexpr double kPiLow = 0x1.1a62633145c07p-53;
constexpr double kHalfPiHigh = 0x1.921fb54442d18p+0;
constexpr double kHalfPiLow = 0x1.1a62633145c07p-54;
constexpr double kHalfPiLowest = -0x1.f1976b7ed8fbcp-110;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kQuarterPiHigh = 0x1.921fb54442d18p-1;
constexpr double kQuarterPiLow = 0x1.1a62633145c07p-55;
constexpr double kSqrtHalfHigh = 0x1.6a09e667f3bcdp-1;
constexpr double kSqrtHalfLow = -0x1.bdd3413b26456p-55;
constexpr double kSqrtTwo = 0x1.6a09e667f3bcdp+0;
constexpr double kInverseSqrtPi = 0x1.20dd750429b6dp-1;
constexpr double kSqrtTwoPiHigh = 0x1.40d931ff62706p+1;
constexpr double kSqrtTwoPiLow = -0x1.a6a0d6f814637p-53;
constexpr double kLogSqrtTwoPiHigh = 0x1.d67f1c864beb5p-1;
constexpr double kLogSqrtTwoPiLow = -0x1.65b5a1b7ff5dfp-55;
constexpr double kLogPi = 0x1.250d048e7a1bdp+0;
constexpr double kCbrtTwo = 0x1.428a2f98d728bp+0;
constexpr double kCbrtFour = 0x1.965fea53d6e3dp+0;
constexpr double kOneThirdHigh = 0x1.5555555555555p-2;
constexpr double kOneThirdLow = 0x1.5555555555555p-56;

constexpr float kHalfPiHighF = 0x1.921fb60000000p+0f;
constexpr float kHalfPiLowF = -0x1.777a5c0000000p-25f;
constexpr float kHalfPiLowestF = -0x1.ee59da0000000p-50f;
constexpr float kTwoOverPiF = 0x1.45f3060000000p-1f;
constexpr float kInverseLn2F = 0x1.7154760000000p+0f;
constexpr float kInverseLn2LowF = 0x1.4ae0c00000000p-26f;
constexpr float kPiF = 0x1.921fb60000000p+1f;
constexpr float kPiLowF = -0x1.777a5c0000000p-24f;
constexpr float kLn2F = 0x1.62e4300000000p-1f;
constexpr float kLn2LowF = -0x1.05c6100000000p-29f;
constexpr float kInverseLn10F = 0x1.bcb7b20000000p-2f;
constexpr float kInverseLn10LowF = -0x1.5b235e0000000p-27f;

// The bits of 2/pi after the binary point, 64 a word, the highest first, behind one word of zeros. 1280 bits serve the
// largest double: 1024 for its exponent, 128 for the fraction, 64 and more guard bits.
WARPWRIGHT_MATH u64 twoOverPiWord(int index) {
  const u64 words[21] = {
      0,
      0xa2f9836e4e441529ull,
      0xfc2757d1f534ddc0ull,
      0xdb6295993c439041ull,
      0xfe5163abdebbc561ull,
      0xb7246e3a424dd2e0ull,
      0x06492eea09d1921cull,
      0xfe1deb1cb129a73eull,
      0xe88235f52ebb4484ull,
      0xe99c7026b45f7e41ull,
      0x3991d639835339f4ull,
      0x9c845f8bbdf9283bull,
      0x1ff897ffde05980full,
      0xef2f118b5a0a6d1full,
      0x6d367ecf27cb09b7ull,
      0x4f463f669e5fea2dull,
      0x7527bac7ebe5f17bull,
      0x3d0739f78a5292eaull,
      0x6bfb5fb11f8d5d08ull,
      0x56033046fc7b6babull,
      0xf0cfbc209af4361dull,
  };
  return words[index];
}

}  // namespace warpwright::math
