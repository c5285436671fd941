#include "profile/access_pattern.hpp"

#include <bit>

namespace warpwright::profile {

bool isRun(LaneMask mask) {
  if (mask == 0) return false;
  const LaneMask shifted = mask >> std::countr_zero(mask);
  return (shifted & (shifted + 1)) == 0;
}

bool hasStride(const u64* addresses, u32 lanes, u32 bytes) {
  u64 difference = 0;  // no early exit: the loop vectorises
  for (u32 lane = 0; lane < lanes; ++lane) difference |= addresses[lane] ^ (addresses[0] + u64{lane} * bytes);
  return difference == 0;
}

s64 strideOf(const u64* addresses, LaneMask mask) {
  u32 before = static_cast<u32>(std::countr_zero(mask));
  LaneMask rest = mask & (mask - 1);
  if (rest == 0) return 0;
  const u64 stride = addresses[std::countr_zero(rest)] - addresses[before];
  for (; rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    if (addresses[lane] - addresses[before] != stride) return kIrregular;
    before = lane;
  }
  return static_cast<s64>(stride);
}

}  // namespace warpwright::profile
