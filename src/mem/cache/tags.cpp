#include "mem/cache/tags.hpp"

namespace warpwright::mem {

Tags::Tags(const config::Cache& cache, u32 sets, u32 ways, Interleave share)
    : lineBytes_(cache.lineBytes),
      ways_(ways),
      index_(cache, sets, share),
      addresses_(u64{sets} * ways, kNoAddress),
      lines_(u64{sets} * ways),
      replacement_(makeReplacement(cache.replacement, sets, ways)) {}

u32 Tags::find(u32 set, u64 lineAddress) const {
  const u32 first = set * ways_;
  for (u32 place = first; place < first + ways_; ++place) {
    if (addresses_[place] == lineAddress) return place;
  }
  return kNone;
}

u32 Tags::room(u32 set) const {
  const u32 first = set * ways_;
  WayMask candidates = 0;
  for (u32 way = 0; way < ways_; ++way) {
    if (addresses_[first + way] == kNoAddress) return first + way;
    if (lines_[first + way].mshr == kNone) candidates |= WayMask{1} << way;
  }
  return candidates != 0 ? first + replacement_->victim(set, candidates) : kNone;
}

void Tags::install(u32 place, u64 lineAddress) {
  addresses_[place] = lineAddress;
  lines_[place] = Line{.address = lineAddress};
  replacement_->installed(place / ways_, place % ways_);
}

void Tags::drop(u32 place) {
  addresses_[place] = kNoAddress;
  lines_[place] = Line{};
}

}  // namespace warpwright::mem
