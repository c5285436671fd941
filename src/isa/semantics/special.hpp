// The approximate functions (PTX ISA 9.7.3: .approx, .full): computed in double precision by polynomials and rounded once, well
// within the errors that PTX allows. Only additions, multiplications and divisions in a fixed order, so that every host gives the same
// bits. All of them run in round-to-nearest mode.
#pragma once

#include "isa/semantics/float.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

// Adding and subtracting it rounds a double of magnitude below 2^51 to an integer, which then stands in the sum's low bits.
inline constexpr double kRoundingMagic = 0x1.8p52;

// 2^n, -1022 <= n <= 1023, for n = the low bits of kRoundingMagic + n.
WARPWRIGHT_SEMANTIC double powerOfTwo(double magicSum) { return fromBits((bitsOf(magicSum) + 1023) << 52); }

// 2^x for |x| <= 1000 by the Taylor series of e^(r ln 2), |r| <= 1/2: relative error below 1e-10.
WARPWRIGHT_SEMANTIC double exponential2(double x) {
  const double sum = x + kRoundingMagic;
  const double y = (x - (sum - kRoundingMagic)) * 0.69314718055994530942;
  double p = 1.0 / 362880;
  p = p * y + 1.0 / 40320;
  p = p * y + 1.0 / 5040;
  p = p * y + 1.0 / 720;
  p = p * y + 1.0 / 120;
  p = p * y + 1.0 / 24;
  p = p * y + 1.0 / 6;
  p = p * y + 0.5;
  p = p * y + 1.0;
  p = p * y + 1.0;
  return p * powerOfTwo(sum);
}

template <bool Ftz>
WARPWRIGHT_SEMANTIC float approximateExp2(float a) {
  const float x = flush<Ftz>(a);
  // Beyond ±200 the result is infinite or zero anyway; NaN passes the comparisons and is put back at the end.
  const float bounded = x < -200.0f ? -200.0f : x > 200.0f ? 200.0f : x;
  const float result = static_cast<float>(exponential2(bounded));
  return isNan(x) ? nan<float>() : flush<Ftz>(result);
}

// log2 m + exponent with m in [sqrt(1/2), sqrt 2): 2/ln 2 · artanh((m - 1)/(m + 1)), |argument| < 0.1716.
template <bool Ftz>
WARPWRIGHT_SEMANTIC float approximateLog2(float a) {
  const float x = flush<Ftz>(a);
  const u64 bits = bitsOf(static_cast<double>(x));  // subnormal floats are normal doubles
  // Moves the cut between exponents from 1 to sqrt(1/2).
  const u64 shifted = bits - 0x3fe6'a09e'0000'0000;
  const s32 exponent = static_cast<s32>(static_cast<u32>(shifted >> 32)) >> 20;
  const double m = fromBits(bits - (static_cast<u64>(static_cast<s64>(exponent)) << 52));
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  const float result = static_cast<float>(static_cast<double>(exponent) + p * s * 2.88539008177792681472);
  if (x == 0.0f) return -infinity<float>();
  if (x == infinity<float>()) return x;
  return x > 0.0f ? result : nan<float>();
}

// Sine of quarter turns: sin(pi/2 · (t + quarter)). PTX bounds the error only for moderate arguments; the range reduction is
// one multiplication in double, good to 2^-50 · |x|.
WARPWRIGHT_SEMANTIC double sineOfQuarters(double t, u64 quarter) {
  const double limited = t < 0x1p50 && t > -0x1p50 ? t : 0.0;
  const double sum = limited + kRoundingMagic;
  const double r = (limited - (sum - kRoundingMagic)) * 1.57079632679489661923;
  const u64 q = bitsOf(sum) + quarter;
  const double z = r * r;
  double sine = -1.0 / 39916800;
  sine = sine * z + 1.0 / 362880;
  sine = sine * z - 1.0 / 5040;
  sine = sine * z + 1.0 / 120;
  sine = sine * z - 1.0 / 6;
  sine = sine * z * r + r;
  double cosine = -1.0 / 3628800;
  cosine = cosine * z + 1.0 / 40320;
  cosine = cosine * z - 1.0 / 720;
  cosine = cosine * z + 1.0 / 24;
  cosine = cosine * z - 0.5;
  cosine = cosine * z + 1.0;
  const double magnitude = (q & 1) != 0 ? cosine : sine;
  return fromBits(bitsOf(magnitude) ^ ((q & 2) << 62));
}
inline constexpr double kQuartersPerRadian = 0.63661977236758134308;

template <bool Ftz>
WARPWRIGHT_SEMANTIC float approximateSine(float a) {
  const float x = flush<Ftz>(a);
  const float result = static_cast<float>(sineOfQuarters(static_cast<double>(x) * kQuartersPerRadian, 0));
  if (x == 0.0f) return x;
  return clearSign(x) < infinity<float>() ? flush<Ftz>(result) : nan<float>();
}
template <bool Ftz>
WARPWRIGHT_SEMANTIC float approximateCosine(float a) {
  const float x = flush<Ftz>(a);
  const float result = static_cast<float>(sineOfQuarters(static_cast<double>(x) * kQuartersPerRadian, 1));
  return clearSign(x) < infinity<float>() ? result : nan<float>();
}

// Small arguments by a continued fraction (relative error below 1e-8 up to 0.6), others by 1 - 2/(e^2x + 1).
WARPWRIGHT_SEMANTIC float approximateTanh(float a) {
  const double x = static_cast<double>(clearSign(a));
  const double z = x * x;
  const double small = x * (945.0 + z * (105.0 + z)) / (945.0 + z * (420.0 + z * 15.0));
  const double bounded = x < 20.0 ? x : 20.0;
  const double large = 1.0 - 2.0 / (exponential2(bounded * 2.88539008177792681472) + 1.0);
  const float magnitude = static_cast<float>(x < 0.6 ? small : large);
  return isNan(a) ? nan<float>() : withSign(magnitude, a);
}

template <bool Ftz>
WARPWRIGHT_SEMANTIC float approximateReciprocalRoot(float a) {
  return finish<Ftz, false>(1.0f / __builtin_sqrtf(flush<Ftz>(a)));
}

// a · (1/b): for |b| > 2^126 the reciprocal is flushed to zero, so that the quotient is zero, or NaN for infinite a.
template <bool Ftz>
WARPWRIGHT_SEMANTIC float approximateDivide(float a, float b) {
  const float x = flush<Ftz>(a), y = flush<Ftz>(b);
  const float divisor = clearSign(y);
  const bool huge = divisor > 0x1p126f && divisor < infinity<float>();
  const float zero = withSign(0.0f, y);
  return finish<Ftz, false>(huge ? x * zero : x / y);
}

// The f64 approximations of PTX work on the high word (1.11.20 format); the low word of the result is zero.
WARPWRIGHT_SEMANTIC double highWord(double x) { return fromBits(bitsOf(x) & 0xffff'ffff'0000'0000); }
WARPWRIGHT_SEMANTIC double roundToHighWord(double x) {
  const u64 rounded = bitsOf(x) + 0x8000'0000;
  return isNan(x) ? nan<double>() : highWord(fromBits(rounded));
}
WARPWRIGHT_SEMANTIC double approximateReciprocal64(double a) { return flush<true>(roundToHighWord(1.0 / flush<true>(highWord(a)))); }
WARPWRIGHT_SEMANTIC double approximateReciprocalRoot64(double a) { return canonical(1.0 / __builtin_sqrt(a)); }
WARPWRIGHT_SEMANTIC double approximateReciprocalRoot64High(double a) {
  return flush<true>(roundToHighWord(1.0 / __builtin_sqrt(flush<true>(highWord(a)))));
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
