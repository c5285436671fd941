#include "mechanisms/avc/placement.hpp"

#include <bit>

namespace warpwright::mechanisms::avc {

OwnPlacement::OwnPlacement(const Geometry& geometry)
    : sets_(geometry.sets()),
      ways_(geometry.ways),
      skewed_(geometry.skewed),
      lines_(u64{sets_} * ways_, kNoLine),
      replacement_(skewed_ ? nullptr : mem::replacementList().make(geometry.replacement, {sets_, ways_})),
      lastUse_(skewed_ ? lines_.size() : 0) {}

// Way w exclusive-ors the index with the w-th further group of line bits, turned by w, so that lines that collide in one way part in the
// others (Seznec, "Concurrent support of multiple page sizes on a skewed associative TLB", section 3.1).
u32 skewedSet(u64 line, u32 way, u32 sets) {
  if (way == 0) return static_cast<u32>(line % sets);
  const u32 bits = static_cast<u32>(std::bit_width(sets - 1));
  const u64 high = line / sets % sets;
  const u64 turned = bits == 0 ? 0 : (high << way % bits | high >> (bits - way % bits)) % sets;
  return static_cast<u32>((line ^ turned) % sets);
}

u32 OwnPlacement::setOf(u64 line, u32 way) const { return skewed_ ? skewedSet(line, way, sets_) : static_cast<u32>(line % sets_); }

u32 OwnPlacement::find(u64 line) const {
  for (u32 way = 0; way < ways_; ++way) {
    const u32 frame = setOf(line, way) * ways_ + way;
    if (lines_[frame] == line) return frame;
  }
  return kNowhere;
}

u32 OwnPlacement::roomFor(u64 line) const {
  u32 oldest = kNowhere;
  for (u32 way = 0; way < ways_; ++way) {
    const u32 frame = setOf(line, way) * ways_ + way;
    if (lines_[frame] == kNoLine) return frame;
    if (skewed_ && (oldest == kNowhere || lastUse_[frame] < lastUse_[oldest])) oldest = frame;
  }
  if (skewed_) return oldest;
  const u32 set = setOf(line, 0);
  return set * ways_ + replacement_->victim(set, mem::WaySet::first(ways_));
}

void OwnPlacement::install(u32 frame, u64 line) {
  lines_[frame] = line;
  if (skewed_) {
    lastUse_[frame] = ++uses_;
  } else {
    replacement_->installed(frame / ways_, frame % ways_, mem::kNoRequest);
  }
}

void OwnPlacement::touch(u32 frame) {
  if (skewed_) {
    lastUse_[frame] = ++uses_;
  } else {
    replacement_->touched(frame / ways_, frame % ways_, mem::kNoRequest, true);
  }
}

}  // namespace warpwright::mechanisms::avc
