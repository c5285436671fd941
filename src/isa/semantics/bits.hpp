// Bit fields, counts and byte operations (PTX ISA 9.7.1: popc … dp4a; 9.7.9: prmt).
#pragma once

#include "isa/semantics/integer.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

inline constexpr u32 kNotFound = 0xffff'ffff;

// Sums in fields of 2, 4, 8 bits and then of all bytes: plain arithmetic, which compilers vectorise where they know no count of bits.
template <class U>
WARPWRIGHT_SEMANTIC u32 populationCount(U a) {
  constexpr U kPairs = static_cast<U>(0x5555'5555'5555'5555), kNibbles = static_cast<U>(0x3333'3333'3333'3333);
  constexpr U kBytes = static_cast<U>(0x0f0f'0f0f'0f0f'0f0f), kOnes = static_cast<U>(0x0101'0101'0101'0101);
  a = static_cast<U>(a - ((a >> 1) & kPairs));
  a = static_cast<U>((a & kNibbles) + ((a >> 2) & kNibbles));
  a = static_cast<U>((a + (a >> 4)) & kBytes);
  return static_cast<u32>(static_cast<U>(a * kOnes) >> (kBits<U> - 8));
}
// All bits below the highest set one are set; the others are counted.
template <class U>
WARPWRIGHT_SEMANTIC u32 countLeadingZeros(U a) {
  for (u32 distance = 1; distance < kBits<U>; distance *= 2) a = static_cast<U>(a | a >> distance);
  return kBits<U> - populationCount(a);
}
// Position of the most significant bit that differs from the sign (of any one bit for unsigned types).
template <class T>
WARPWRIGHT_SEMANTIC u32 findMostSignificant(const Modifiers& modifiers, T a) {
  const auto bits = static_cast<Unsigned<T>>(a < 0 ? ~a : a);
  if (bits == 0) return kNotFound;
  const u32 zeros = countLeadingZeros(bits);
  return modifiers.shiftAmount ? zeros : kBits<T> - 1 - zeros;
}

template <class U>
WARPWRIGHT_SEMANTIC U reverseBits(U a) {
  constexpr U kOdd = static_cast<U>(0x5555'5555'5555'5555), kPairs = static_cast<U>(0x3333'3333'3333'3333);
  constexpr U kNibbles = static_cast<U>(0x0f0f'0f0f'0f0f'0f0f);
  a = ((a >> 1) & kOdd) | ((a & kOdd) << 1);
  a = ((a >> 2) & kPairs) | ((a & kPairs) << 2);
  a = ((a >> 4) & kNibbles) | ((a & kNibbles) << 4);
  if constexpr (sizeof(U) == 8) return __builtin_bswap64(a);
  return static_cast<U>(__builtin_bswap32(static_cast<u32>(a)));
}

// Bits position … position + length - 1 of a; signed types fill with the field's top bit.
template <class T>
WARPWRIGHT_SEMANTIC T extractField(T a, u32 position, u32 length) {
  constexpr u32 kTop = kBits<T> - 1;
  position &= 0xff;
  length &= 0xff;
  if constexpr (kSigned<T>) {
    const u32 last = position + length - 1;  // only used when length > 0
    const u32 top = last > kTop ? kTop : last;
    const u32 left = length == 0 ? 0 : kTop - top;
    const u32 right = left + position > kTop ? kTop : left + position;
    const T field = static_cast<T>(static_cast<T>(static_cast<Unsigned<T>>(a) << left) >> right);
    return length == 0 ? T{0} : field;
  } else {
    const T shifted = position > kTop ? T{0} : a >> (position & kTop);
    const T mask = length > kTop ? ~T{0} : (T{1} << (length & kTop)) - 1;
    return shifted & mask;
  }
}
template <class U>
WARPWRIGHT_SEMANTIC U insertField(U a, U b, u32 position, u32 length) {
  constexpr u32 kTop = kBits<U> - 1;
  position &= 0xff;
  length &= 0xff;
  const U mask = length > kTop ? ~U{0} : (U{1} << (length & kTop)) - 1;
  const U placedMask = position > kTop ? U{0} : mask << (position & kTop);
  const U placed = position > kTop ? U{0} : a << (position & kTop);
  return (b & ~placedMask) | (placed & placedMask);
}
WARPWRIGHT_SEMANTIC u32 makeMask(const Modifiers& modifiers, u32 position, u32 width) {
  const u32 first = position & 31, sum = first + (width & 31);
  const u32 fromFirst = modifiers.clamp && position >= 32 ? 0 : ~u32{0} << first;
  const bool open = sum >= 32 || (modifiers.clamp && (position >= 32 || width >= 32));
  const u32 fromEnd = open ? 0 : ~u32{0} << (sum & 31);
  return fromFirst & ~fromEnd;
}
template <class T>
WARPWRIGHT_SEMANTIC T extend(const Modifiers& modifiers, T a, u32 width) {
  const u32 bits = width & 31;
  const bool whole = modifiers.clamp && width >= 32;
  const u32 mask = whole ? 0 : ~u32{0} << bits;
  const bool negative = kSigned<T> && bits != 0 && !whole && (static_cast<u32>(a) >> ((bits - 1) & 31) & 1) != 0;
  return static_cast<T>((static_cast<u32>(a) & ~mask) | (negative ? mask : 0));
}
// The |offset|-th set bit of mask from `base` upwards or downwards; offset 0 asks for the bit at base itself.
WARPWRIGHT_SEMANTIC u32 findNthSet(u32 mask, u32 base, u32 offset) {
  const s32 steps = static_cast<s32>(offset);
  const s64 first = static_cast<s32>(base);
  if (steps == 0) return first >= 0 && first < 32 && (mask >> first & 1) != 0 ? base : kNotFound;
  const s64 direction = steps > 0 ? 1 : -1;
  s64 remaining = steps > 0 ? s64{steps} : -s64{steps};
  for (s64 position = first; position >= 0 && position < 32; position += direction) {
    if ((mask >> position & 1) == 0) continue;
    if (--remaining == 0) return static_cast<u32>(position);
  }
  return kNotFound;
}

// The selector of the general form that means the same as a special mode, by the two low bits of c.
inline constexpr u32 kPermuteSelectors[7][4] = {
    {0, 0, 0, 0},                      // index: the selector is c itself
    {0x3210, 0x4321, 0x5432, 0x6543},  // f4e
    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
    {0x1010, 0x3232, 0x1010, 0x3232},  // rc16
};
WARPWRIGHT_SEMANTIC u32 permutedByte(u32 a, u32 b, u32 selector) {
  const u32 word = (selector & 4) != 0 ? b : a;
  const u32 byte = word >> (8 * (selector & 3)) & 0xff;
  const u32 sign = (u32{0} - (byte >> 7)) & 0xff;
  return (selector & 8) != 0 ? sign : byte;
}
WARPWRIGHT_SEMANTIC u32 permuteBySelector(u32 a, u32 b, u32 selector) {
  return permutedByte(a, b, selector) | permutedByte(a, b, selector >> 4) << 8 | permutedByte(a, b, selector >> 8) << 16 |
         permutedByte(a, b, selector >> 12) << 24;
}
WARPWRIGHT_SEMANTIC u32 permuteByMode(const Modifiers& modifiers, u32 a, u32 b, u32 c) {
  return permuteBySelector(a, b, kPermuteSelectors[static_cast<u32>(modifiers.permute)][c & 3]);
}

WARPWRIGHT_SEMANTIC u32 packHalves(u32 a, u32 b) { return (a & 0xffff) | b << 16; }
WARPWRIGHT_SEMANTIC Pair<u32, u32> unpackHalves(u32 a) { return {a & 0xffff, a >> 16}; }
WARPWRIGHT_SEMANTIC u32 packBytes(u32 a, u32 b, u32 c, u32 d) { return (a & 0xff) | (b & 0xff) << 8 | (c & 0xff) << 16 | d << 24; }
WARPWRIGHT_SEMANTIC Bytes unpackBytes(u32 a) { return {{a & 0xff, a >> 8 & 0xff, a >> 16 & 0xff, a >> 24}}; }

// Part `index` of `bits` bits of a register, as an s32; A tells the sign: u32 or s32.
template <class A, u32 Bits>
WARPWRIGHT_SEMANTIC s32 part(A a, u32 index) {
  const u32 atTop = static_cast<u32>(a) << (32 - Bits * (index + 1));
  if constexpr (kSigned<A>) return static_cast<s32>(atTop) >> (32 - Bits);
  return static_cast<s32>(atTop >> (32 - Bits));
}
template <class A, class B>
WARPWRIGHT_SEMANTIC u32 dotProduct4(A a, B b, u32 c) {
  u32 sum = c;
  for (u32 i = 0; i < 4; ++i) sum += static_cast<u32>(part<A, 8>(a, i) * part<B, 8>(b, i));
  return sum;
}
template <class A, class B>
WARPWRIGHT_SEMANTIC u32 dotProduct2(const Modifiers& modifiers, A a, B b, u32 c) {
  const B bytes = modifiers.high ? static_cast<B>(static_cast<u32>(b) >> 16) : b;
  u32 sum = c;
  for (u32 i = 0; i < 2; ++i) sum += static_cast<u32>(part<A, 16>(a, i) * part<B, 8>(bytes, i));
  return sum;
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
