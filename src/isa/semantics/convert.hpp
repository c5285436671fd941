// cvt (PTX ISA 9.7.9.21). Rounding follows the current mode; conversions to integer towards zero need none.
#pragma once

#include "isa/semantics/float.hpp"
#include "isa/semantics/integer.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

// --- 16-bit formats
WARPWRIGHT_SEMANTIC float widen(Half x) {
  const u32 magnitude = static_cast<u32>(x.bits & 0x7fff) << 13, sign = static_cast<u32>(x.bits & 0x8000) << 16;
  const bool special = magnitude >= 0x0f80'0000;              // infinity or NaN
  const u32 finite = bitsOf(fromBits(magnitude) * 0x1p112f);  // rebias the exponent: exact, subnormals too
  const float value = fromBits(sign | (special ? magnitude | 0x7f80'0000 : finite));
  return canonical(value);
}
WARPWRIGHT_SEMANTIC float widen(Brain x) { return canonical(fromBits(static_cast<u32>(x.bits) << 16)); }

template <class Narrow>
struct NarrowFormat;
template <>
struct NarrowFormat<Half> {
  static constexpr s32 kFraction = 10, kMinExponent = -14, kMaxExponent = 15;
  static constexpr u16 kInfinity = 0x7c00;
};
template <>
struct NarrowFormat<Brain> {
  static constexpr s32 kFraction = 7, kMinExponent = -126, kMaxExponent = 127;
  static constexpr u16 kInfinity = 0x7f80;
};
inline constexpr u16 kCanonicalNarrowNan = 0x7fff;

WARPWRIGHT_SEMANTIC double exactPower(s64 exponent) { return fromBits(static_cast<u64>(exponent + 1023) << 52); }

// Rounds by adding and subtracting, with x's sign, the power of two whose last place is the format's last place at x's exponent.
template <class Narrow>
WARPWRIGHT_SEMANTIC Narrow narrow(Rounding rounding, double x) {
  using Format = NarrowFormat<Narrow>;
  const u16 sign = static_cast<u16>(bitsOf(x) >> 48 & 0x8000);
  const double magnitude = clearSign(x);
  const s64 exponentOfX = static_cast<s64>(bitsOf(magnitude) >> 52) - 1023;
  const bool huge = exponentOfX > Format::kMaxExponent;  // rounds to beyond the format's range in any case
  const s64 exponent = exponentOfX < Format::kMinExponent || huge ? s64{Format::kMinExponent} : exponentOfX;
  const double anchor = withSign(exactPower(exponent + 52 - Format::kFraction), x);
  const double rounded = clearSign(((huge ? 0.0 : x) + anchor) - anchor);
  // Integer multiple of the last place; the exponent field is one more than the distance from the least exponent when it has the implicit
  // bit.
  const s64 multiple = static_cast<s64>(static_cast<s32>(rounded * exactPower(Format::kFraction - exponent)));
  const s64 bits = ((exponent - Format::kMinExponent) << Format::kFraction) + multiple;
  const bool awayFromZero = rounding == Rounding::nearest || rounding == (sign != 0 ? Rounding::down : Rounding::up);
  const bool overflow = huge || bits >= Format::kInfinity;
  const u16 beyond = awayFromZero || magnitude == infinity<double>() ? Format::kInfinity : static_cast<u16>(Format::kInfinity - 1);
  const u16 result = static_cast<u16>(sign | (overflow ? beyond : static_cast<u16>(bits)));
  return {isNan(x) ? kCanonicalNarrowNan : result};
}

// narrow() with cvt's .relu and .satfinite.
template <class Narrow>
WARPWRIGHT_SEMANTIC Narrow narrowModified(const Modifiers& modifiers, double x) {
  const double clamped = modifiers.relu && x <= 0 ? 0.0 : x;
  const Narrow result = narrow<Narrow>(modifiers.rounding, clamped);
  const bool infinite = (result.bits & 0x7fff) == NarrowFormat<Narrow>::kInfinity;
  return {static_cast<u16>(modifiers.satFinite && infinite ? result.bits - 1 : result.bits)};
}

// --- between integers
template <class D, class S>
WARPWRIGHT_SEMANTIC D resize(S a) {
  return static_cast<D>(a);
}
template <class D, class S>
WARPWRIGHT_SEMANTIC D resizeSaturated(S a) {
  if constexpr (!kSigned<S>) {
    return u64{a} > static_cast<u64>(kMax<D>) ? kMax<D> : static_cast<D>(a);
  } else if constexpr (!kSigned<D>) {
    return a < 0 ? D{0} : static_cast<u64>(a) > u64{kMax<D>} ? kMax<D> : static_cast<D>(a);
  } else {
    return clampToRange<D>(a);
  }
}

// --- integer to float
template <class D, class S, bool Sat>
WARPWRIGHT_SEMANTIC D toFloat(const Modifiers& modifiers, S a) {
  if constexpr (kIsFloat<D>) {
    // Compilers convert u64 by a subtraction, which gives -0 for 0 when rounding down.
    const D converted = static_cast<D>(a);
    const D value = kSigned<S> ? converted : withSign(converted, D{0});
    return Sat ? saturate(value) : value;
  } else {
    // More bits than a double holds fold into the lowest one that it does hold: no narrow format keeps that one.
    const bool negative = kSigned<S> && a < 0;
    const u64 magnitude = negative ? u64{0} - static_cast<u64>(a) : static_cast<u64>(a);
    const u64 folded = (magnitude & ~u64{0xfff}) | ((magnitude & 0xfff) != 0 ? 0x800 : 0);
    const u64 kept = magnitude >> 53 != 0 ? folded : magnitude;
    const double value = static_cast<double>(static_cast<u32>(kept >> 32)) * 0x1p32 + static_cast<double>(static_cast<u32>(kept));
    const double exact = negative ? -value : value;
    return narrow<D>(modifiers.rounding, Sat ? saturate(exact) : exact);
  }
}

// --- float to integer: rounds towards zero (Truncate) or by the current mode, then clamps to the integer's range.
WARPWRIGHT_SEMANTIC float toIntegral(float x) { return withSign(__builtin_nearbyintf(x), x); }
WARPWRIGHT_SEMANTIC double toIntegral(double x) { return withSign(__builtin_nearbyint(x), x); }
WARPWRIGHT_SEMANTIC float widen(float x) { return x; }
WARPWRIGHT_SEMANTIC double widen(double x) { return x; }

template <class D, class S, bool Ftz, bool Truncate>
WARPWRIGHT_SEMANTIC D toInteger(S a) {
  using Float = std::conditional_t<sizeof(S) == 8, double, float>;
  constexpr Float kLeast = static_cast<Float>(kMin<D>);
  constexpr Float kBeyond = static_cast<Float>(u64{1} << (kBits<D> - 1)) * Float{kSigned<D> ? 1 : 2};
  constexpr D kOfNan = sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(u64{1} << (kBits<D> - 1)) : D{0};
  const Float flushed = flush<Ftz>(widen(a));
  const Float x = Truncate ? flushed : toIntegral(flushed);
  const bool inRange = x >= kLeast && x < kBeyond;
  const D value = static_cast<D>(inRange ? x : Float{0});
  const D clamped = x >= kBeyond ? kMax<D> : x < kLeast ? kMin<D> : kOfNan;
  return inRange ? value : clamped;
}

// --- between floats
template <class D, class S, bool Ftz>
WARPWRIGHT_SEMANTIC D refloat(const Modifiers& modifiers, S a) {
  using Float = std::conditional_t<sizeof(S) == 8 || sizeof(D) == 8, double, float>;
  constexpr bool kFromSingle = std::is_same_v<S, float>, kToSingle = std::is_same_v<D, float>;
  const auto source = flush < Ftz && kFromSingle > (widen(a));
  const auto integral = modifiers.integral ? toIntegral(source) : source;
  const Float value = static_cast<Float>(modifiers.saturate ? saturate(integral) : integral);
  if constexpr (kIsFloat<D>) {
    return canonical(flush < Ftz && kToSingle > (static_cast<D>(value)));
  } else {
    return narrowModified<D>(modifiers, static_cast<double>(value));
  }
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
