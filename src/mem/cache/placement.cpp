#include "mem/cache/placement.hpp"

namespace warpwright::mem {

u32 setsOf(const config::Cache& cache) {
  return cache.bytes == 0 ? 1 : static_cast<u32>(cache.bytes / (u64{cache.ways} * cache.lineBytes));
}

SetPlacement::SetPlacement(const config::Cache& cache, u32 sets, u32 ways, Interleave share)
    : ways_(ways),
      usedWays_(ways),
      index_(cache, sets, share),
      addresses_(u64{sets} * ways, kNoAddress),
      replacement_(replacementList().make(cache.replacement, {sets, ways})) {}

u32 SetPlacement::find(GlobalAddress lineAddress) const {
  const u32 first = firstOf(lineAddress);
  for (u32 frame = first; frame < first + ways_; ++frame) {
    if (addresses_[frame] == lineAddress) return frame;
  }
  return kNone;
}

u32 SetPlacement::room(GlobalAddress lineAddress, std::span<const Line> lines) const {
  const u32 first = firstOf(lineAddress);
  WaySet candidates;
  for (u32 way = 0; way < usedWays_; ++way) {
    if (addresses_[first + way] == kNoAddress) return first + way;
    if (lines[first + way].mshr == kNone) candidates.insert(way);
  }
  return candidates ? victim(lineAddress, candidates) : kNone;
}

void SetPlacement::install(u32 frame, GlobalAddress lineAddress, const Request& access, u64) {
  const u32 set = frame / ways_, way = frame % ways_;
  if (!isEmpty(frame)) replacement_->left(set, way, true);
  addresses_[frame] = lineAddress;
  replacement_->installed(set, way, access);
}

void SetPlacement::clear(u32 frame) {
  if (!isEmpty(frame)) replacement_->left(frame / ways_, frame % ways_, false);
  addresses_[frame] = kNoAddress;
}

}  // namespace warpwright::mem
