// Floating-point arithmetic (PTX ISA 9.7.3): IEEE 754 in the current rounding mode, with PTX's .ftz, .sat and NaN results.
#pragma once

#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class T>
struct FloatFormat;
template <>
struct FloatFormat<float> {
  static constexpr u32 kExponentMask = 0x7f80'0000, kCanonicalNan = 0x7fff'ffff;
};
template <>
struct FloatFormat<double> {
  static constexpr u64 kExponentMask = 0x7ff0'0000'0000'0000, kCanonicalNan = 0xfff8'0000'0000'0000;
};

template <class T>
WARPWRIGHT_SEMANTIC T nan() {
  return fromBits(FloatFormat<T>::kCanonicalNan);
}
template <class T>
WARPWRIGHT_SEMANTIC T infinity() {
  return fromBits(FloatFormat<T>::kExponentMask);
}
template <class T>
WARPWRIGHT_SEMANTIC bool isNan(T x) {
  return x != x;
}
template <class T>
WARPWRIGHT_SEMANTIC T canonical(T x) {
  return isNan(x) ? nan<T>() : x;
}
template <class T>
WARPWRIGHT_SEMANTIC T clearSign(T x) {
  return fromBits(static_cast<BitsOf<T>>(bitsOf(x) & ~kSignBit<T>));
}
template <class T>
WARPWRIGHT_SEMANTIC T flipSign(T x) {
  return fromBits(static_cast<BitsOf<T>>(bitsOf(x) ^ kSignBit<T>));
}
// The magnitude of `magnitude` with the sign of `sign`.
template <class T>
WARPWRIGHT_SEMANTIC T withSign(T magnitude, T sign) {
  return fromBits(static_cast<BitsOf<T>>((bitsOf(magnitude) & ~kSignBit<T>) | (bitsOf(sign) & kSignBit<T>)));
}

// Subnormal numbers become zero of the same sign.
template <bool Ftz, class T>
WARPWRIGHT_SEMANTIC T flush(T x) {
  if constexpr (!Ftz) return x;
  const auto bits = bitsOf(x);
  return (bits & FloatFormat<T>::kExponentMask) == 0 ? fromBits(static_cast<BitsOf<T>>(bits & kSignBit<T>)) : x;
}
// To [+0, 1]; NaN becomes +0.
template <class T>
WARPWRIGHT_SEMANTIC T saturate(T x) {
  return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
}
template <bool Ftz, bool Sat, class T>
WARPWRIGHT_SEMANTIC T finish(T x) {
  const T flushed = flush<Ftz>(x);
  if constexpr (Sat) return saturate(flushed);
  return canonical(flushed);
}

template <class T, bool Ftz, bool Sat>
WARPWRIGHT_SEMANTIC T floatAdd(T a, T b) {
  return finish<Ftz, Sat>(flush<Ftz>(a) + flush<Ftz>(b));
}
template <class T, bool Ftz, bool Sat>
WARPWRIGHT_SEMANTIC T floatSubtract(T a, T b) {
  return finish<Ftz, Sat>(flush<Ftz>(a) - flush<Ftz>(b));
}
template <class T, bool Ftz, bool Sat>
WARPWRIGHT_SEMANTIC T floatMultiply(T a, T b) {
  return finish<Ftz, Sat>(flush<Ftz>(a) * flush<Ftz>(b));
}
WARPWRIGHT_SEMANTIC float hostFma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WARPWRIGHT_SEMANTIC double hostFma(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <class T, bool Ftz, bool Sat>
WARPWRIGHT_SEMANTIC T fusedMultiplyAdd(T a, T b, T c) {
  return finish<Ftz, Sat>(hostFma(flush<Ftz>(a), flush<Ftz>(b), flush<Ftz>(c)));
}

template <class T, bool Ftz>
WARPWRIGHT_SEMANTIC T floatDivide(T a, T b) {
  return finish<Ftz, false>(flush<Ftz>(a) / flush<Ftz>(b));
}
template <class T, bool Ftz>
WARPWRIGHT_SEMANTIC T reciprocal(T a) {
  return finish<Ftz, false>(T{1} / flush<Ftz>(a));
}
WARPWRIGHT_SEMANTIC float hostSqrt(float a) { return __builtin_sqrtf(a); }
WARPWRIGHT_SEMANTIC double hostSqrt(double a) { return __builtin_sqrt(a); }
template <class T, bool Ftz>
WARPWRIGHT_SEMANTIC T squareRoot(T a) {
  return finish<Ftz, false>(hostSqrt(flush<Ftz>(a)));
}

// Sign operations keep a NaN's payload: PTX leaves it open.
template <class T, bool Ftz>
WARPWRIGHT_SEMANTIC T floatAbsolute(T a) {
  return clearSign(flush<Ftz>(a));
}
template <class T, bool Ftz>
WARPWRIGHT_SEMANTIC T floatNegate(T a) {
  return flipSign(flush<Ftz>(a));
}
template <class T>
WARPWRIGHT_SEMANTIC T copySign(T a, T b) {
  return withSign(b, a);
}

// A NaN loses against a number unless NanMode asks for NaN; +0 is greater than -0. Equal numbers differ at most in the sign of zero.
template <class T, bool Ftz, bool NanMode>
WARPWRIGHT_SEMANTIC T floatMinimum(T a, T b) {
  const T x = flush<Ftz>(a), y = flush<Ftz>(b);
  const T least = x < y ? x : x > y ? y : fromBits(static_cast<BitsOf<T>>(bitsOf(x) | bitsOf(y)));
  if constexpr (NanMode) return isNan(x) || isNan(y) ? nan<T>() : least;
  return isNan(x) ? canonical(y) : isNan(y) ? x : least;
}
template <class T, bool Ftz, bool NanMode>
WARPWRIGHT_SEMANTIC T floatMaximum(T a, T b) {
  const T x = flush<Ftz>(a), y = flush<Ftz>(b);
  const T greatest = x < y ? y : x > y ? x : fromBits(static_cast<BitsOf<T>>(bitsOf(x) & bitsOf(y)));
  if constexpr (NanMode) return isNan(x) || isNan(y) ? nan<T>() : greatest;
  return isNan(x) ? canonical(y) : isNan(y) ? x : greatest;
}

template <class T>
WARPWRIGHT_SEMANTIC bool testProperty(const Modifiers& modifiers, T a) {
  const auto exponent = bitsOf(a) & FloatFormat<T>::kExponentMask;
  const bool finite = exponent != FloatFormat<T>::kExponentMask;
  const bool subnormal = exponent == 0 && a != T{0};
  switch (modifiers.test) {
    case TestProperty::finite:
      return finite;
    case TestProperty::infinite:
      return !finite && !isNan(a);
    case TestProperty::number:
      return !isNan(a);
    case TestProperty::notanumber:
      return isNan(a);
    case TestProperty::normal:
      return finite && !subnormal;  // zero counts as normal
    case TestProperty::subnormal:
      return subnormal;
  }
  return false;
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
