#include "access/access_pattern.hpp"

#include <bit>

namespace warpwright::access {

namespace {

// Pairs of neighbouring active lanes that are `stride` bytes apart.
u32 pairsWith(s64 stride, const u64* addresses, LaneMask mask) {
  u32 count = 0;
  u32 before = static_cast<u32>(std::countr_zero(mask));
  for (LaneMask rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    count += static_cast<s64>(addresses[lane] - addresses[before]) == stride;
    before = lane;
  }
  return count;
}

}  // namespace

bool isRun(LaneMask mask) {
  if (mask == 0) return false;
  const LaneMask shifted = mask >> std::countr_zero(mask);
  return (shifted & (shifted + 1)) == 0;
}

bool hasStride(const u64* addresses, u32 lanes, u32 bytes) {
  if (lanes > 1 && addresses[1] - addresses[0] != bytes) return false;
  u64 difference = 0;  // no early exit: the loop vectorises
  for (u32 lane = 0; lane < lanes; ++lane) difference |= addresses[lane] ^ (addresses[0] + u64{lane} * bytes);
  return difference == 0;
}

s64 strideOf(const u64* addresses, LaneMask mask) {
  if ((mask & (mask - 1)) == 0) return 0;
  DominantStride candidates;
  u32 before = static_cast<u32>(std::countr_zero(mask));
  for (LaneMask rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    candidates.add(static_cast<s64>(addresses[lane] - addresses[before]));
    before = lane;
  }
  const u32 pairs = static_cast<u32>(std::popcount(mask)) - 1;
  if (candidates.known() && 4 * pairsWith(candidates.stride(), addresses, mask) >= 3 * pairs) return candidates.stride();
  return kIrregular;
}

}  // namespace warpwright::access
