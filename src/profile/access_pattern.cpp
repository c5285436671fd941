#include "profile/access_pattern.hpp"

#include <bit>

namespace warpwright::profile {

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
