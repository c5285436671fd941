// Integer arithmetic (PTX ISA 9.7.1 and 9.7.2): sums and products wrap; signed overflow is defined.
#pragma once

#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class T>
WARPWRIGHT_SEMANTIC T clampToRange(s64 value) {
  return value > s64{kMax<T>} ? kMax<T> : value < s64{kMin<T>} ? kMin<T> : static_cast<T>(value);
}

template <class T>
WARPWRIGHT_SEMANTIC T add(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
}
template <class T>
WARPWRIGHT_SEMANTIC T subtract(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
}
WARPWRIGHT_SEMANTIC Words addWords(Words a, Words b) {
  const u32 low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low ? 1u : 0u)};
}
WARPWRIGHT_SEMANTIC Words subtractWords(Words a, Words b) { return {a.low - b.low, a.high - b.high - (a.low < b.low ? 1u : 0u)}; }
WARPWRIGHT_SEMANTIC s32 addSaturated(s32 a, s32 b) { return clampToRange<s32>(s64{a} + b); }
WARPWRIGHT_SEMANTIC s32 subtractSaturated(s32 a, s32 b) { return clampToRange<s32>(s64{a} - b); }

// U is unsigned: u32 or u64. The carry of a + b + carry, and the borrow of a - (b + borrow).
template <class U>
WARPWRIGHT_SEMANTIC Pair<U, bool> addCarry(U a, U b, bool carry) {
  const U sum = a + b;
  const U total = sum + (carry ? U{1} : U{0});
  return {total, sum < a || total < sum};
}
template <class U>
WARPWRIGHT_SEMANTIC Pair<U, bool> subtractBorrow(U a, U b, bool borrow) {
  const U difference = a - b;
  const U total = difference - (borrow ? U{1} : U{0});
  return {total, a < b || difference < total};
}

template <class T>
WARPWRIGHT_SEMANTIC T multiplyLow(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
}
template <class T>
WARPWRIGHT_SEMANTIC Wide<T> multiplyWide(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}
// The product of two u16 fits u32 only when it is computed unsigned; Wide<u16> is u32, so no promotion to int occurs.
template <class T>
WARPWRIGHT_SEMANTIC T multiplyHigh(T a, T b) {
  return static_cast<T>(multiplyWide(a, b) >> kBits<T>);
}

template <class T>
WARPWRIGHT_SEMANTIC T multiplyAddLow(T a, T b, T c) {
  return add(multiplyLow(a, b), c);
}
template <class T>
WARPWRIGHT_SEMANTIC T multiplyAddHigh(T a, T b, T c) {
  return add(multiplyHigh(a, b), c);
}
WARPWRIGHT_SEMANTIC s32 multiplyAddHighSaturated(s32 a, s32 b, s32 c) { return addSaturated(multiplyHigh(a, b), c); }
template <class T>
WARPWRIGHT_SEMANTIC Wide<T> multiplyAddWide(T a, T b, Wide<T> c) {
  return add(multiplyWide(a, b), c);
}
template <class T>
WARPWRIGHT_SEMANTIC Words multiplyAddWideWords(T a, T b, Words c) {
  const u64 product = static_cast<u64>(multiplyWide(a, b));
  return addWords({static_cast<u32>(product), static_cast<u32>(product >> 32)}, c);
}
template <class T>
WARPWRIGHT_SEMANTIC Pair<Unsigned<T>, bool> multiplyAddLowCarry(T a, T b, T c, bool carry) {
  return addCarry(static_cast<Unsigned<T>>(multiplyLow(a, b)), static_cast<Unsigned<T>>(c), carry);
}
template <class T>
WARPWRIGHT_SEMANTIC Pair<Unsigned<T>, bool> multiplyAddHighCarry(T a, T b, T c, bool carry) {
  return addCarry(static_cast<Unsigned<T>>(multiplyHigh(a, b)), static_cast<Unsigned<T>>(c), carry);
}

// The 48-bit product of the low 24 bits; the high form is its bits 47..16.
WARPWRIGHT_SEMANTIC u64 product24(u32 a, u32 b) { return u64{a & 0xffffff} * (b & 0xffffff); }
WARPWRIGHT_SEMANTIC s64 product24(s32 a, s32 b) {
  const s32 x = static_cast<s32>(static_cast<u32>(a) << 8) >> 8;
  const s32 y = static_cast<s32>(static_cast<u32>(b) << 8) >> 8;
  return s64{x} * y;
}
template <class T>
WARPWRIGHT_SEMANTIC T multiply24Low(T a, T b) {
  return static_cast<T>(product24(a, b));
}
template <class T>
WARPWRIGHT_SEMANTIC T multiply24High(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}
template <class T>
WARPWRIGHT_SEMANTIC T multiplyAdd24Low(T a, T b, T c) {
  return add(multiply24Low(a, b), c);
}
template <class T>
WARPWRIGHT_SEMANTIC T multiplyAdd24High(T a, T b, T c) {
  return add(multiply24High(a, b), c);
}
WARPWRIGHT_SEMANTIC s32 multiplyAdd24HighSaturated(s32 a, s32 b, s32 c) { return addSaturated(multiply24High(a, b), c); }

template <class T>
WARPWRIGHT_SEMANTIC T sumOfAbsoluteDifference(T a, T b, T c) {
  return add(c, a < b ? subtract(b, a) : subtract(a, b));
}

// PTX leaves division by zero open; as on hardware the quotient is all ones and the remainder the dividend.
template <class T>
WARPWRIGHT_SEMANTIC T quotientOf(T a, T b) {
  if constexpr (sizeof(T) <= 4) {
    // Two 32-bit integers divide exactly enough in double: their quotient is never within 2^-53 below an integer.
    return static_cast<T>(static_cast<std::conditional_t<kSigned<T>, s32, u32>>(static_cast<double>(a) / static_cast<double>(b)));
  } else {
    return a / b;
  }
}
template <class T>
WARPWRIGHT_SEMANTIC T divide(T a, T b) {
  if constexpr (kSigned<T>) {
    const bool special = b == 0 || b == -1;  // -1: the quotient of the least number would overflow
    const T quotient = quotientOf<T>(a, special ? T{1} : b);
    return b == 0 ? T{-1} : b == -1 ? subtract(T{0}, a) : quotient;
  } else {
    const T quotient = quotientOf<T>(a, b == 0 ? T{1} : b);
    return b == 0 ? kMax<T> : quotient;
  }
}
template <class T>
WARPWRIGHT_SEMANTIC T remainder(T a, T b) {
  return b == 0 ? a : subtract(a, multiplyLow(divide(a, b), b));
}

template <class T>
WARPWRIGHT_SEMANTIC T negate(T a) {
  return subtract(T{0}, a);
}
template <class T>
WARPWRIGHT_SEMANTIC T absolute(T a) {
  return a < 0 ? negate(a) : a;
}
template <class T>
WARPWRIGHT_SEMANTIC T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
WARPWRIGHT_SEMANTIC T maximum(T a, T b) {
  return a < b ? b : a;
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
