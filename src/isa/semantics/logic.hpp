// Logic and shifts (PTX ISA 9.7.8). The bitwise operations serve whole predicate masks as well as registers.
#pragma once

#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class U>
WARPWRIGHT_SEMANTIC U bitAnd(U a, U b) {
  return a & b;
}
template <class U>
WARPWRIGHT_SEMANTIC U bitOr(U a, U b) {
  return a | b;
}
template <class U>
WARPWRIGHT_SEMANTIC U bitXor(U a, U b) {
  return a ^ b;
}
template <class U>
WARPWRIGHT_SEMANTIC U bitNot(U a) {
  return static_cast<U>(~a);
}
template <>
WARPWRIGHT_SEMANTIC Words bitAnd<Words>(Words a, Words b) {
  return {a.low & b.low, a.high & b.high};
}
template <>
WARPWRIGHT_SEMANTIC Words bitOr<Words>(Words a, Words b) {
  return {a.low | b.low, a.high | b.high};
}
template <>
WARPWRIGHT_SEMANTIC Words bitXor<Words>(Words a, Words b) {
  return {a.low ^ b.low, a.high ^ b.high};
}
template <>
WARPWRIGHT_SEMANTIC Words bitNot<Words>(Words a) {
  return {~a.low, ~a.high};
}
template <class U>
WARPWRIGHT_SEMANTIC U logicalNot(U a) {
  return a == 0 ? U{1} : U{0};
}

// Bit by bit: the entry (a << 2 | b << 1 | c) of the truth table, as nested selections.
WARPWRIGHT_SEMANTIC u32 choose(u32 condition, u32 ifOne, u32 ifZero) { return ifZero ^ (condition & (ifOne ^ ifZero)); }
WARPWRIGHT_SEMANTIC u32 lookUp3(const Modifiers& modifiers, u32 a, u32 b, u32 c) {
  const u32 table = modifiers.lut;
  const auto entry = [table](u32 index) { return u32{0} - (table >> index & 1); };
  const u32 b0a0 = choose(c, entry(1), entry(0)), b1a0 = choose(c, entry(3), entry(2));
  const u32 b0a1 = choose(c, entry(5), entry(4)), b1a1 = choose(c, entry(7), entry(6));
  return choose(a, choose(b, b1a1, b0a1), choose(b, b1a0, b0a0));
}

// Amounts beyond the width act as the width.
template <class U>
WARPWRIGHT_SEMANTIC U shiftLeft(U a, u32 amount) {
  const U shifted = static_cast<U>(static_cast<Wrap<U>>(a) << (amount & (kBits<Wrap<U>> - 1)));
  return amount >= kBits<U> ? U{0} : shifted;
}
template <class T>
WARPWRIGHT_SEMANTIC T shiftRight(T a, u32 amount) {
  if constexpr (kSigned<T>) return static_cast<T>(a >> (amount >= kBits<T> ? kBits<T> - 1 : amount));
  const T shifted = static_cast<T>(a >> (amount & (kBits<Wrap<T>> - 1)));
  return amount >= kBits<T> ? T{0} : shifted;
}

// The 64-bit value b:a shifted left (its high half is the result) or right (its low half). Written with 32-bit shifts below 32;
// the second shift of the neighbour is split so that an amount of 0 shifts it out whole.
template <bool Clamp>
WARPWRIGHT_SEMANTIC u32 funnelLeft(u32 a, u32 b, u32 amount) {
  const u32 n = amount & 31;
  const u32 shifted = b << n | a >> 1 >> (31 - n);
  return Clamp && amount >= 32 ? a : shifted;
}
template <bool Clamp>
WARPWRIGHT_SEMANTIC u32 funnelRight(u32 a, u32 b, u32 amount) {
  const u32 n = amount & 31;
  const u32 shifted = a >> n | b << 1 << (31 - n);
  return Clamp && amount >= 32 ? b : shifted;
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
