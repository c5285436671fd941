#include "sm/access/lane_access.hpp"

#include <algorithm>

namespace warpwright::sm {

void KeptAccess::keep(const LaneAccess& access, std::span<const u64> addresses) {
  access_ = access;
  addresses_.assign(addresses.begin(), addresses.end());
  values_.clear();
  const u32* values = access.parts == nullptr ? access.values : access.parts;
  if (values == nullptr) return;
  const u32 pieceBytes = access.parts == nullptr ? std::min<u32>(access.bytes, sizeof(u32)) : access.partBytes;
  values_.assign(values, values + std::size_t{access.bytes / pieceBytes} * access.valueLanes);
}

LaneAccess KeptAccess::access() const {
  LaneAccess access = access_;
  access.addresses = addresses_.data();
  if (access.values != nullptr) access.values = values_.data();
  if (access.parts != nullptr) access.parts = values_.data();
  return access;
}

}  // namespace warpwright::sm
