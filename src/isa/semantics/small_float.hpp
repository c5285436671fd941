// Conversions to and from formats of 19 bits (tf32) and of 8 bits and less (PTX ISA, "cvt", "Alternate Floating-Point Data Formats").
#pragma once

#include "isa/semantics/half.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

struct SmallLayout {
  s32 exponentBits, fractionBits, bias;
  u32 largest;   // bits of the largest finite number
  u32 nan;       // bits of NaN; the largest finite number for formats without one
  u32 infinity;  // bits of infinity, 0 for formats without one
};
// In the order of SmallFormat; e8m0, which has neither sign nor fraction, is apart.
inline constexpr SmallLayout kSmallLayouts[] = {
    {4, 3, 7, 0x7e, 0x7f, 0}, {5, 2, 15, 0x7b, 0x7f, 0x7c}, {2, 3, 1, 0x1f, 0x1f, 0}, {3, 2, 3, 0x1f, 0x1f, 0}, {2, 1, 1, 0x7, 0x7, 0},
};

// Nearest, ties to even; beyond the largest finite number that number (.satfinite is part of every such conversion).
WARPWRIGHT_SEMANTIC u32 toSmall(const SmallLayout& layout, bool relu, float value) {
  const float x = relu && value <= 0 ? 0.0f : value;
  const u32 sign = bitsOf(x) >> 31 << (layout.exponentBits + layout.fractionBits);
  if (isNan(x)) return layout.nan;
  const double magnitude = static_cast<double>(clearSign(x));
  const s64 leastExponent = 1 - layout.bias;
  const s64 exponentOfX = static_cast<s64>(bitsOf(magnitude) >> 52) - 1023;
  const s64 exponent = exponentOfX < leastExponent ? leastExponent : exponentOfX;
  if (exponent > 64) return sign | layout.largest;
  const double scaled = magnitude * exactPower(layout.fractionBits - exponent);
  const s64 multiple = static_cast<s64>((scaled + 0x1p52) - 0x1p52);
  const s64 bits = ((exponent - leastExponent) << layout.fractionBits) + multiple;
  return sign | (bits > layout.largest ? layout.largest : static_cast<u32>(bits));
}

// ue8m0, the powers of two from 2^-127: towards zero or up, the sign ignored. NaN is 0xff, and so is what is too large unless saturated.
WARPWRIGHT_SEMANTIC u32 toScale(const Modifiers& modifiers, float value) {
  constexpr u32 kInfinity = 0x7f80'0000, kFraction = 0x007f'ffff, kLeast = 0x0040'0000, kNan = 0xff;
  const u32 magnitude = bitsOf(clearSign(value));
  if (magnitude > kInfinity) return kNan;
  const bool between = (magnitude & kFraction) != 0 && magnitude > kLeast;
  const u32 exponent = (magnitude >> 23) + (modifiers.rounding == Rounding::up && between ? 1 : 0);
  return modifiers.saturate && exponent == kNan ? kNan - 1 : exponent;
}
WARPWRIGHT_SEMANTIC u32 brainOfScale(u32 exponent) {
  constexpr u32 kLeast = 0x40;  // 2^-127 is subnormal
  if (exponent == 0xff) return kCanonicalNarrowNan;
  return exponent == 0 ? kLeast : exponent << 7;
}

WARPWRIGHT_SEMANTIC u32 toSmallPair(const Modifiers& modifiers, float a, float b) {
  if (modifiers.small == SmallFormat::e8m0) return toScale(modifiers, a) << 8 | toScale(modifiers, b);
  const SmallLayout& layout = kSmallLayouts[static_cast<u32>(modifiers.small)];
  const u32 high = toSmall(layout, modifiers.relu, a), low = toSmall(layout, modifiers.relu, b);
  // Two e2m1 numbers share a byte.
  return modifiers.small == SmallFormat::e2m1 ? high << 4 | low : high << 8 | low;
}

WARPWRIGHT_SEMANTIC Half fromSmall(const Modifiers& modifiers, u32 bits) {
  const SmallLayout& layout = kSmallLayouts[static_cast<u32>(modifiers.small)];
  const u32 magnitude = bits & ((1u << (layout.exponentBits + layout.fractionBits)) - 1);
  const bool negative = (bits >> (layout.exponentBits + layout.fractionBits) & 1) != 0;
  if (magnitude > layout.largest) {
    const u16 infinity = static_cast<u16>(negative ? 0xfc00 : 0x7c00);
    return {layout.infinity != 0 && magnitude == layout.infinity ? infinity : kCanonicalNarrowNan};
  }
  const u32 fraction = magnitude & ((1u << layout.fractionBits) - 1);
  const s32 field = static_cast<s32>(magnitude >> layout.fractionBits);
  const double significand = static_cast<double>(field == 0 ? fraction : fraction | 1u << layout.fractionBits);
  const double value = significand * exactPower((field == 0 ? 1 : field) - layout.bias - layout.fractionBits);
  const Half result = narrow<Half>(Rounding::nearest, value);
  if (!negative) return result;
  return {static_cast<u16>(modifiers.relu ? 0 : result.bits | 0x8000)};
}
WARPWRIGHT_SEMANTIC u32 fromSmallPair(const Modifiers& modifiers, u32 bits) {
  if (modifiers.small == SmallFormat::e8m0) return brainOfScale(bits & 0xff) | brainOfScale(bits >> 8 & 0xff) << 16;
  const bool nibbles = modifiers.small == SmallFormat::e2m1;
  const Half low = fromSmall(modifiers, nibbles ? bits & 0xf : bits & 0xff);
  const Half high = fromSmall(modifiers, nibbles ? bits >> 4 & 0xf : bits >> 8 & 0xff);
  return joined(low.bits, high.bits);
}

// tf32 is f32 with 10 bits of fraction; the 13 bits below are zero.
WARPWRIGHT_SEMANTIC float toTf32(const Modifiers& modifiers, float a) {
  constexpr u32 kDropped = 0x1fff, kHalf = 0x1000, kLargest = 0x7f7f'e000;
  if (isNan(a)) return nan<float>();
  const float x = modifiers.relu && a <= 0 ? 0.0f : a;
  const u32 bits = bitsOf(x), sign = bits & 0x8000'0000, magnitude = bits & 0x7fff'ffff;
  const bool towardsZero = modifiers.rounding == Rounding::zero;
  const u32 toEven = kHalf - 1 + (magnitude >> 13 & 1);
  const u32 added = towardsZero ? 0 : modifiers.tiesAway ? kHalf : toEven;
  const u32 rounded = magnitude == 0x7f80'0000 ? magnitude : (magnitude + added) & ~kDropped;
  return fromBits(sign | (modifiers.satFinite && rounded > kLargest ? kLargest : rounded));
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
