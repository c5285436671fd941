#include "access/access_pattern.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/lane_count.hpp"

namespace warpwright::access {

bool isRun(LaneMask mask) {
  if (mask.empty()) return false;
  return mask.lowered(mask.least()).isPrefix();
}

namespace {

// Distances from each active lane to the next.
struct Steps {
  std::array<s64, kMaxWarpSize> distance;
  u32 count = 0;
};

Steps stepsOf(const u64* addresses, LaneMask mask) {
  Steps steps;
  if (isRun(mask)) {
    const u64* first = addresses + mask.least();
    steps.count = static_cast<u32>(countLanes(mask)) - 1;
    for (u32 i = 0; i < steps.count; ++i) steps.distance[i] = static_cast<s64>(first[i + 1] - first[i]);
    return steps;
  }
  u32 before = mask.least();
  for (const LaneId lane : mask.withoutLeast()) {
    steps.distance[steps.count++] = static_cast<s64>(addresses[lane] - addresses[before]);
    before = lane;
  }
  return steps;
}

// False: no distance is that of three quarters of the steps. Each step that has another breaks two pairs of equal neighbours at most.
// Random addresses end here, without a branch that depends on them.
bool mayPrevail(const Steps& steps) {
  u32 equal = 0;
  for (u32 i = 1; i < steps.count; ++i) equal += steps.distance[i] == steps.distance[i - 1];
  return equal + 2 * (steps.count / 4) + 1 >= steps.count;
}

}  // namespace

bool hasStride(const u64* addresses, u32 lanes, u32 bytes) {
  if (lanes > 1 && addresses[1] - addresses[0] != bytes) return false;
  u64 difference = 0;  // no early exit: the loop vectorises
  for (u32 lane = 0; lane < lanes; ++lane) difference |= addresses[lane] ^ (addresses[0] + u64{lane} * bytes);
  return difference == 0;
}

s64 strideOf(const u64* addresses, LaneMask mask) {
  if (mask.withoutLeast().empty()) return 0;
  const Steps steps = stepsOf(addresses, mask);
  if (!mayPrevail(steps)) return kIrregular;
  DominantStride candidates;
  for (u32 i = 0; i < steps.count; ++i) candidates.add(steps.distance[i]);
  if (!candidates.known()) return kIrregular;
  const auto end = steps.distance.begin() + steps.count;
  const auto alike = static_cast<u32>(std::count(steps.distance.begin(), end, candidates.stride()));
  return 4 * alike >= 3 * steps.count ? candidates.stride() : kIrregular;
}

}  // namespace warpwright::access
