// Narrow floating-point formats on the host, from their definition alone: IEEE 754 fields, rounded to nearest, ties to even.
#pragma once

#include <cmath>

// Bits of `value` in a format with a sign, `exponentBits` and `mantissaBits`, with infinities; `value` is exact in double.
inline unsigned narrow(double value, int exponentBits, int mantissaBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const unsigned sign = std::signbit(value) ? 1u << (exponentBits + mantissaBits) : 0;
  const unsigned infinity = ((1u << exponentBits) - 1) << mantissaBits;
  if (std::isnan(value)) return infinity >> 1 | infinity | ((1u << mantissaBits) - 1);
  if (value == 0) return sign;
  if (std::isinf(value)) return sign | infinity;
  int exponent = std::ilogb(value);
  if (exponent < 1 - bias) exponent = 1 - bias;
  // In units of the last place; a carry out of the mantissa raises the exponent, as it must.
  const double units = std::nearbyint(std::ldexp(std::fabs(value), mantissaBits - exponent));
  const unsigned bits = static_cast<unsigned>(units) + (static_cast<unsigned>(exponent + bias - 1) << mantissaBits);
  return sign | (exponent > bias || bits >= infinity ? infinity : bits);
}

inline double widen(unsigned bits, int exponentBits, int mantissaBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> mantissaBits & ((1u << exponentBits) - 1));
  const double fraction = bits & ((1u << mantissaBits) - 1);
  const double sign = bits >> (exponentBits + mantissaBits) & 1 ? -1 : 1;
  if (exponent == (1 << exponentBits) - 1) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - mantissaBits);
  return sign * std::ldexp(fraction + (1 << mantissaBits), exponent - bias - mantissaBits);
}

inline unsigned short toHalf(double value) { return static_cast<unsigned short>(narrow(value, 5, 10)); }
inline double fromHalf(unsigned short bits) { return widen(bits, 5, 10); }
inline unsigned short toBfloat(double value) { return static_cast<unsigned short>(narrow(value, 8, 7)); }
inline double fromBfloat(unsigned short bits) { return widen(bits, 8, 7); }
