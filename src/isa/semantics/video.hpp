// Video instructions (PTX ISA, "Video Instructions"): parts of operands are widened, combined, saturated, and merged or accumulated.
#pragma once

#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

// Part `index` of `bytes` bytes, extended by its sign or with zeros.
WARPWRIGHT_SEMANTIC s64 videoPart(u64 word, u32 index, u32 bytes, bool isSigned) {
  const u64 mask = (u64{1} << 8 * bytes) - 1, sign = u64{1} << (8 * bytes - 1);
  const u64 part = word >> 8 * bytes * index & mask;
  return static_cast<s64>(part) - (isSigned && (part & sign) != 0 ? static_cast<s64>(mask) + 1 : 0);
}

WARPWRIGHT_SEMANTIC s64 videoClamp(s64 value, u32 bytes, bool isSigned) {
  const s64 high = (s64{1} << (8 * bytes - (isSigned ? 1 : 0))) - 1, low = isSigned ? -high - 1 : 0;
  return value < low ? low : value > high ? high : value;
}

WARPWRIGHT_SEMANTIC bool videoCompare(Compare compare, s64 a, s64 b) {
  switch (compare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    default:
      return a >= b;
  }
}

WARPWRIGHT_SEMANTIC s64 videoOperation(const Video& form, s64 a, s64 b) {
  const s64 amount = form.wrapShift ? b & 31 : b > 32 || b < 0 ? 32 : b;
  switch (form.operation) {
    case VideoOp::add:
      return a + b;
    case VideoOp::sub:
      return a - b;
    case VideoOp::absdiff:
      return a > b ? a - b : b - a;
    case VideoOp::min:
      return a < b ? a : b;
    case VideoOp::max:
      return a < b ? b : a;
    case VideoOp::shl:
      return static_cast<s64>(static_cast<u64>(a) << amount);
    case VideoOp::shr:
      return a >> amount;
    case VideoOp::set:
      return videoCompare(form.compare, a, b) ? 1 : 0;
    case VideoOp::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOp::mad:
      return 0;
  }
  return 0;
}

// The product and its sum with c, scaled: 33 by 33 bits, so that 128 bits hold everything.
WARPWRIGHT_SEMANTIC u32 videoMultiplyAdd(const Modifiers& modifiers, s64 a, s64 b, u32 c) {
  const Video& form = modifiers.video;
  const bool isSigned = form.signedA || form.signedB || form.negateProduct || form.negateC;
  const __int128 addend = isSigned ? static_cast<s32>(form.negateC ? ~c : c) : static_cast<s64>(form.negateC ? ~c : c);
  const __int128 product = static_cast<__int128>(a) * b;
  const s32 one = form.plusOne || form.negateProduct || form.negateC ? 1 : 0;
  const __int128 sum = ((form.negateProduct ? ~product : product) + addend + one) >> form.scale;
  if (!modifiers.saturate) return static_cast<u32>(sum);
  const __int128 high = isSigned ? 0x7fff'ffff : s64{0xffff'ffff}, low = isSigned ? -high - 1 : __int128{0};
  return static_cast<u32>(sum < low ? low : sum > high ? high : sum);
}

WARPWRIGHT_SEMANTIC u32 videoSecond(const Video& form, s64 value, u32 c) {
  const u32 word = static_cast<u32>(value);
  const bool less = form.signedTo ? static_cast<s32>(word) < static_cast<s32>(c) : word < c;
  switch (form.second) {
    case VideoSecond::add:
      return word + c;
    case VideoSecond::min:
      return less ? word : c;
    case VideoSecond::max:
      return less ? c : word;
    case VideoSecond::none:
      break;
  }
  return word;
}

// The word c with one part replaced.
WARPWRIGHT_SEMANTIC u32 videoMerge(u32 c, s64 value, u32 index, u32 bytes) {
  const u64 mask = ((u64{1} << 8 * bytes) - 1) << 8 * bytes * index;
  return static_cast<u32>((u64{c} & ~mask) | (static_cast<u64>(value) << 8 * bytes * index & mask));
}

WARPWRIGHT_SEMANTIC u32 videoScalar(const Modifiers& modifiers, u32 a, u32 b, u32 c) {
  const Video& form = modifiers.video;
  const s64 x = videoPart(a, form.selectA[0], form.widthA, form.signedA), y = videoPart(b, form.selectB[0], form.widthB, form.signedB);
  if (form.operation == VideoOp::mad) return videoMultiplyAdd(modifiers, x, y, c);
  const s64 exact = videoOperation(form, x, y);
  const s64 value = modifiers.saturate ? videoClamp(exact, form.widthTo, form.signedTo) : exact;
  return form.widthTo < 4 ? videoMerge(c, value, form.to, form.widthTo) : videoSecond(form, value, c);
}

// Selectors count the parts of a, then those of b.
WARPWRIGHT_SEMANTIC u32 videoPacked(const Modifiers& modifiers, u32 a, u32 b, u32 c) {
  const Video& form = modifiers.video;
  const u32 bytes = 4u / form.lanes;
  const u64 both = static_cast<u64>(b) << 32 | a;
  u32 result = c;
  for (u32 lane = 0; lane < form.lanes; ++lane) {
    if ((form.to >> lane & 1) == 0) continue;
    const s64 x = videoPart(both, form.selectA[lane], bytes, form.signedA), y = videoPart(both, form.selectB[lane], bytes, form.signedB);
    const s64 exact = videoOperation(form, x, y);
    const s64 value = modifiers.saturate ? videoClamp(exact, bytes, form.signedTo) : exact;
    result = form.second == VideoSecond::add ? result + static_cast<u32>(value) : videoMerge(result, value, lane, bytes);
  }
  return result;
}

WARPWRIGHT_SEMANTIC u32 video(const Modifiers& modifiers, u32 a, u32 b, u32 c) {
  return modifiers.video.lanes == 1 ? videoScalar(modifiers, a, b, c) : videoPacked(modifiers, a, b, c);
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
