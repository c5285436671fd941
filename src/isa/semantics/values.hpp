// What all semantics share: the value types of operands and a few helpers.
//
// A lane operation is a scalar function: parameters are the source operands, the result is the destination. `bool` stands for a
// predicate, Half and Brain for f16 and bf16 bits, Pair for two destinations. A leading `const Modifiers&` receives the
// instruction's modifiers. Rounding follows the host's current rounding mode, which the caller sets (see environment.hpp).
//
// The vector lanes compile these functions once per host level, each in a namespace of its own, so that the linker never
// replaces a function built for one level by the same function built for another.
#pragma once

#include <type_traits>

#include "isa/instruction.hpp"

#ifndef WARPWRIGHT_HOST_LEVEL
#define WARPWRIGHT_HOST_LEVEL scalar
#endif
#define WARPWRIGHT_SEMANTIC [[gnu::always_inline]] inline

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

struct Half {
  u16 bits;
};
struct Brain {
  u16 bits;
};

template <class First, class Second>
struct Pair {
  First first;
  Second second;
};

// A 64-bit integer as its two registers: simple operations on the halves vectorise without shuffling lanes together.
struct Words {
  u32 low, high;
};
struct SignedWords {
  u32 low;
  s32 high;
};

struct Bytes {
  u32 byte[4];
};

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T>;
template <class T>
inline constexpr u32 kBits = sizeof(T) * 8;

// The unsigned type in which sums and products of T wrap without promotion to int.
template <class T>
using Wrap = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
using Unsigned = std::make_unsigned_t<T>;

// An integer type twice as wide, with the same sign.
template <class T>
struct TwiceAsWide;
template <>
struct TwiceAsWide<u16> {
  using Type = u32;
};
template <>
struct TwiceAsWide<s16> {
  using Type = s32;
};
template <>
struct TwiceAsWide<u32> {
  using Type = u64;
};
template <>
struct TwiceAsWide<s32> {
  using Type = s64;
};
template <>
struct TwiceAsWide<u64> {
  using Type = unsigned __int128;
};
template <>
struct TwiceAsWide<s64> {
  using Type = __int128;
};
template <class T>
using Wide = typename TwiceAsWide<T>::Type;

// Limits of integers, usable at every host level without instantiating the standard library.
template <class T>
inline constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
template <class T>
inline constexpr T kMax = kSigned<T> ? static_cast<T>((u64{1} << (kBits<T> - 1)) - 1) : static_cast<T>(~u64{0});
template <class T>
inline constexpr T kMin = kSigned<T> ? static_cast<T>(u64{1} << (kBits<T> - 1)) : T{0};

WARPWRIGHT_SEMANTIC u32 bitsOf(float x) { return __builtin_bit_cast(u32, x); }
WARPWRIGHT_SEMANTIC u64 bitsOf(double x) { return __builtin_bit_cast(u64, x); }
WARPWRIGHT_SEMANTIC float fromBits(u32 bits) { return __builtin_bit_cast(float, bits); }
WARPWRIGHT_SEMANTIC double fromBits(u64 bits) { return __builtin_bit_cast(double, bits); }

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
inline constexpr BitsOf<T> kSignBit = BitsOf<T>{1} << (kBits<T> - 1);

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
