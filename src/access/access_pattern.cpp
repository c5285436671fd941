#include "access/access_pattern.hpp"

#include <bit>

namespace warpwright::access {

namespace {

// Pairs of neighbouring active lanes that are `stride` bytes apart.
u32 pairsWith(s64 stride, const u64* addresses, LaneMask mask) {
  u32 count = 0;
  u32 before = mask.least();
  for (const LaneId lane : mask.withoutLeast()) {
    count += static_cast<s64>(addresses[lane] - addresses[before]) == stride;
    before = lane;
  }
  return count;
}

}  // namespace

bool isRun(LaneMask mask) {
  if (mask.empty()) return false;
  return mask.lowered(mask.least()).isPrefix();
}

bool hasStride(const u64* addresses, u32 lanes, u32 bytes) {
  if (lanes > 1 && addresses[1] - addresses[0] != bytes) return false;
  u64 difference = 0;  // no early exit: the loop vectorises
  for (u32 lane = 0; lane < lanes; ++lane) difference |= addresses[lane] ^ (addresses[0] + u64{lane} * bytes);
  return difference == 0;
}

s64 strideOf(const u64* addresses, LaneMask mask) {
  if (mask.withoutLeast().empty()) return 0;
  DominantStride candidates;
  u32 before = mask.least();
  for (const LaneId lane : mask.withoutLeast()) {
    candidates.add(static_cast<s64>(addresses[lane] - addresses[before]));
    before = lane;
  }
  const u32 pairs = mask.size() - 1;
  if (candidates.known() && 4 * pairsWith(candidates.stride(), addresses, mask) >= 3 * pairs) return candidates.stride();
  return kIrregular;
}

}  // namespace warpwright::access
