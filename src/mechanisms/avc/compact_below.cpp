#include "mechanisms/avc/compact_below.hpp"

#include <bit>

#include "sm/address_spaces.hpp"

namespace warpwright::mechanisms::avc {

GlobalAddress CompactBelow::lineOf(GlobalAddress address) const {
  const u64 line = (address - sm::kLocalBase) / kVectorBytes / placesPerLine_;
  return sm::kHiddenBase + line * kVectorBytes;
}

GlobalAddress CompactBelow::vectorAt(GlobalAddress line, u32 place) const {
  return sm::kLocalBase + (line - sm::kHiddenBase) * placesPerLine_ + u64{place} * kVectorBytes;
}

void CompactBelow::fetched(GlobalAddress address, Evictions& out) {
  const Place& place = vectors_.at(address);
  cache_.fill(address, place.valid(), {.succeeded = true, .form = place.form}, out);
}

bool CompactBelow::keep(const EvictedVector& vector) {
  if (!isOn_) return false;
  const auto first = static_cast<u32>(std::countr_zero(vector.valid)), last = static_cast<u32>(std::bit_width(vector.valid)) - 1;
  const Place place{first, last, vector.form};
  if (place.valid() != vector.valid) return false;
  vectors_[vector.address] = place;
  return true;
}

void CompactBelow::writtenBeside(GlobalAddress address) {
  if (vectors_.erase(address) != 0) cache_.markDirty(address);
}

}  // namespace warpwright::mechanisms::avc
