#include "mem/cache/placement.hpp"

namespace warpwright::mem {

SetPlacement::SetPlacement(const config::Cache& cache, u32 sets, u32 ways, Interleave share)
    : ways_(ways),
      index_(cache, sets, share),
      addresses_(u64{sets} * ways, kNoAddress),
      replacement_(replacementList().make(cache.replacement, {sets, ways})) {}

u32 SetPlacement::find(u64 lineAddress) const {
  const u32 first = firstOf(lineAddress);
  for (u32 place = first; place < first + ways_; ++place) {
    if (addresses_[place] == lineAddress) return place;
  }
  return kNone;
}

u32 SetPlacement::room(u64 lineAddress, std::span<const Line> lines) const {
  const u32 first = firstOf(lineAddress);
  WaySet candidates;
  for (u32 way = 0; way < ways_; ++way) {
    if (addresses_[first + way] == kNoAddress) return first + way;
    if (lines[first + way].mshr == kNone) candidates.insert(way);
  }
  return candidates ? first + replacement_->victim(first / ways_, candidates) : kNone;
}

void SetPlacement::install(u32 place, u64 lineAddress, const Request& access, u64) {
  const u32 set = place / ways_, way = place % ways_;
  if (!isEmpty(place)) replacement_->left(set, way, true);
  addresses_[place] = lineAddress;
  replacement_->installed(set, way, access);
}

void SetPlacement::clear(u32 place) {
  if (!isEmpty(place)) replacement_->left(place / ways_, place % ways_, false);
  addresses_[place] = kNoAddress;
}

}  // namespace warpwright::mem
