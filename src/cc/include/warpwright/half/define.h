// How the functions of 16-bit and 8-bit floating-point numbers are declared, and the numbers on the host, whose arithmetic is done in
// double and rounded once.
#pragma once

#include <math.h>
#include <string.h>

#ifdef __CUDA__
#define WARPWRIGHT_HALF_BOTH static __inline__ __attribute__((always_inline, nodebug, host, device))
#define WARPWRIGHT_HALF_DEVICE static __inline__ __attribute__((always_inline, nodebug, device))
#define WARPWRIGHT_HALF_WARP static __inline__ __attribute__((always_inline, nodebug, device, convergent))
#define WARPWRIGHT_HALF_MEMBER __attribute__((always_inline, nodebug, host, device)) inline
#else
#define WARPWRIGHT_HALF_BOTH static inline
#define WARPWRIGHT_HALF_MEMBER inline
#endif

// The register class of an address in inline PTX; the host pass only checks the syntax.
#if defined(__CUDA_ARCH__) && __SIZEOF_POINTER__ == 8
#define WARPWRIGHT_HALF_ADDRESS "l"
#else
#define WARPWRIGHT_HALF_ADDRESS "r"
#endif

namespace __warpwright_half {

enum class Direction { nearest, zero, down, up };

// A binary format: bits of the fraction, exponent of the least normal number, the patterns of infinity (0: none) and of the largest number.
struct Format {
  int fraction;
  int leastExponent;
  unsigned infinity, largest, nan, sign;
};
static constexpr Format kHalf = {10, -14, 0x7c00, 0x7bff, 0x7fff, 0x8000};
static constexpr Format kBrain = {7, -126, 0x7f80, 0x7f7f, 0x7fff, 0x8000};
static constexpr Format kE4m3 = {3, -6, 0, 0x7e, 0x7f, 0x80};
static constexpr Format kE5m2 = {2, -14, 0x7c, 0x7b, 0x7f, 0x80};

inline double roundedInteger(double value, Direction direction, bool negative) {
  switch (direction) {
    case Direction::zero:
      return floor(value);
    case Direction::down:
      return negative ? ceil(value) : floor(value);
    case Direction::up:
      return negative ? floor(value) : ceil(value);
    default:
      return nearbyint(value);
  }
}

inline unsigned encode(const Format& format, double value, Direction direction = Direction::nearest, bool finite = false) {
  if (isnan(value)) return format.nan;
  const bool negative = signbit(value), saturates = finite || format.infinity == 0;
  const unsigned sign = negative ? format.sign : 0;
  const double magnitude = fabs(value);
  if (isinf(value)) return sign | (saturates ? format.largest : format.infinity);
  int exponent = magnitude == 0 ? format.leastExponent : ilogb(magnitude);
  if (exponent < format.leastExponent) exponent = format.leastExponent;
  if (exponent > 200) exponent = 200;  // beyond every format here
  const double multiple = roundedInteger(ldexp(magnitude, format.fraction - exponent), direction, negative);
  const double bits = ldexp(double(exponent - format.leastExponent), format.fraction) + multiple;
  if (bits <= format.largest) return sign | unsigned(bits);
  const bool away = direction == Direction::nearest || direction == (negative ? Direction::down : Direction::up);
  return sign | (saturates || !away ? format.largest : format.infinity);
}

inline double decode(const Format& format, unsigned bits) {
  const unsigned magnitude = bits & (format.sign - 1);
  const bool negative = (bits & format.sign) != 0;
  if (magnitude > format.largest) {
    const double special = format.infinity != 0 && magnitude == format.infinity ? double(INFINITY) : double(NAN);
    return negative ? -special : special;
  }
  const unsigned field = magnitude >> format.fraction;
  const unsigned fraction = magnitude & ((1u << format.fraction) - 1);
  const double significand = double(field == 0 ? fraction : fraction | 1u << format.fraction);
  const int exponent = int(field == 0 ? 1 : field) - 1 + format.leastExponent - format.fraction;
  const double value = ldexp(significand, exponent);
  return negative ? -value : value;
}

// a + b rounded to odd, so that rounding once more gives the right 16 bits.
inline double addToOdd(double a, double b) {
  const double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
  if (!(error < 0 || error > 0)) return sum;
  unsigned long long bits;
  memcpy(&bits, &sum, sizeof bits);
  if ((bits & 1) != 0) return sum;
  bits = (error < 0) == (sum < 0) ? bits + 1 : bits - 1;
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return odd;
}

}  // namespace __warpwright_half
