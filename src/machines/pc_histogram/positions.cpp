#include "machines/pc_histogram/positions.hpp"

#include <algorithm>

namespace warpwright::machines {

u32 WarpPositions::threads() const {
  u32 count = 0;
  for (const Position& position : positions_) count += position.lanes.size();
  return count;
}

// From where they stand; those that were there.
LaneMask WarpPositions::take(LaneMask lanes) {
  LaneMask taken;
  for (Position& position : positions_) {
    taken |= position.lanes & lanes;
    position.lanes -= lanes;
  }
  std::erase_if(positions_, [](const Position& position) { return position.lanes.empty(); });
  return taken;
}

void WarpPositions::leave(LaneMask lanes) { take(lanes); }

void WarpPositions::move(LaneMask lanes, Pc pc) {
  // As a rule all of them are together.
  if (positions_.size() == 1 && positions_.front().lanes == lanes) {
    positions_.front().pc = pc;
    return;
  }
  const LaneMask taken = take(lanes);
  if (taken.empty()) return;
  const auto there = std::find_if(positions_.begin(), positions_.end(), [&](const Position& position) { return position.pc == pc; });
  if (there == positions_.end()) {
    positions_.push_back({pc, taken});
  } else {
    there->lanes |= taken;
  }
}

BlockPositions::BlockPositions(u64 number, u32 threads, u32 warpSize, Pc pc) : block(number) {
  for (u32 first = 0; first < threads; first += warpSize) warps.emplace_back(pc, LaneMask::first(std::min(warpSize, threads - first)));
}

bool BlockPositions::empty() const {
  return std::all_of(warps.begin(), warps.end(), [](const WarpPositions& warp) { return warp.empty(); });
}

}  // namespace warpwright::machines
