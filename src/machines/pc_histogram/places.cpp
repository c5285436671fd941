#include "machines/pc_histogram/places.hpp"

#include <algorithm>

namespace warpwright::machines {

u32 WarpPlaces::threads() const {
  u32 count = 0;
  for (const Place& place : places_) count += place.lanes.size();
  return count;
}

// From where they stand; those that were there.
LaneMask WarpPlaces::take(LaneMask lanes) {
  LaneMask taken;
  for (Place& place : places_) {
    taken |= place.lanes & lanes;
    place.lanes -= lanes;
  }
  std::erase_if(places_, [](const Place& place) { return place.lanes.empty(); });
  return taken;
}

void WarpPlaces::leave(LaneMask lanes) { take(lanes); }

void WarpPlaces::move(LaneMask lanes, Pc pc) {
  // As a rule all of them are together.
  if (places_.size() == 1 && places_.front().lanes == lanes) {
    places_.front().pc = pc;
    return;
  }
  const LaneMask taken = take(lanes);
  if (taken.empty()) return;
  const auto there = std::find_if(places_.begin(), places_.end(), [&](const Place& place) { return place.pc == pc; });
  if (there == places_.end()) {
    places_.push_back({pc, taken});
  } else {
    there->lanes |= taken;
  }
}

BlockPlaces::BlockPlaces(u64 number, u32 threads, u32 warpSize, Pc pc) : block(number) {
  for (u32 first = 0; first < threads; first += warpSize) warps.emplace_back(pc, LaneMask::first(std::min(warpSize, threads - first)));
}

bool BlockPlaces::empty() const {
  return std::all_of(warps.begin(), warps.end(), [](const WarpPlaces& warp) { return warp.empty(); });
}

}  // namespace warpwright::machines
