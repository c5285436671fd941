#include "profile/address_multiplicity.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace warpwright::profile {

u32 mostLanesAtOneAddress(const u64* addresses, LaneMask mask) {
  std::array<u64, kMaxWarpSize> sorted;
  u32 count = 0;
  for (const LaneId lane : mask) sorted[count++] = addresses[lane];
  const auto begin = sorted.begin(), end = begin + count;
  if (!std::is_sorted(begin, end)) std::sort(begin, end);
  u32 most = 0, run = 0;
  for (u32 i = 0; i < count; ++i) {
    run = i != 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

}  // namespace warpwright::profile
